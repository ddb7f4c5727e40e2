//! The Murphi front end: the language of CMurphi and Rumur, lowered into guarded commands.
//!
//! [`compile`] goes through one file for each stage: `lexer`, `parser`, and `check`, which finds
//! types and constants and lowers while it does.
//!
//! Soundness S-202 (murphi; all; refuses): `liveness`, functions whose result is a record or an
//! array, `clear` of members of scalarsets, comparisons of multisets, and numbers past 31 bits are
//! refused at their place. Test: corpus/murphi-bad.

mod ast;
mod check;
mod lexer;
mod parser;
mod resize;

use execution::diagnostic::Diagnostic;
use execution::span::{FileId, SourceMap};
use guarded::model::Model;

/// Reads a model that has been added to a source map.
///
/// ```
/// let mut sources = execution::span::SourceMap::new();
/// let text = "var x: 0..1; startstate begin x := 0; end; rule x = 0 ==> x := 1; end;";
/// let file = sources.add_file("flip.m", text);
/// assert_eq!(front_murphi::compile(&sources, file).unwrap().rules.len(), 1);
/// ```
pub fn compile(sources: &SourceMap, file: FileId) -> Result<Model, Vec<Diagnostic>> {
    let one = |diagnostic| vec![diagnostic];
    let tokens = lexer::tokens(&sources.file(file).text, file).map_err(one)?;
    let tree = parser::parse(&tokens).map_err(one)?;
    check::check(&tree, None)
}

/// Reads a model with another size of a scalarset than is written.
///
/// The size must be a number, or a constant that is used for nothing else: otherwise the model would
/// change in more than the number of members.
pub fn compile_resized(
    sources: &SourceMap,
    file: FileId,
    set: &str,
    size: u32,
) -> Result<Model, Vec<Diagnostic>> {
    compile_with_lemmas(sources, file, None, (set, size))
}

/// The same, with what another file adds to the end of the model: lemmas, as invariants, and what
/// they need.
pub fn compile_with_lemmas(
    sources: &SourceMap,
    file: FileId,
    lemmas: Option<FileId>,
    (set, size): (&str, u32),
) -> Result<Model, Vec<Diagnostic>> {
    let one = |diagnostic| vec![diagnostic];
    let mut tokens = lexer::tokens(&sources.file(file).text, file).map_err(one)?;
    let mut tree = parser::parse(&tokens).map_err(one)?;
    if let Some(lemmas) = lemmas {
        let more = lexer::tokens(&sources.file(lemmas).text, lemmas).map_err(one)?;
        let added = parser::parse(&more).map_err(one)?;
        if let Some(item) = added.items.iter().find_map(changes_the_model) {
            let message = "a file of lemmas holds invariants, functions, types and constants alone";
            return Err(one(Diagnostic::error(item, message)));
        }
        tree.items.extend(added.items);
        tokens.extend(more);
    }
    resize::check_size(&tree, &tokens, set).map_err(one)?;
    check::check(&tree, Some((set.to_string(), size.into())))
}

/// The place of something that is not only said about a model.
fn changes_the_model(item: &ast::Item) -> Option<execution::span::Span> {
    fn of_rule(rule: &ast::Rule) -> Option<execution::span::Span> {
        match rule {
            ast::Rule::Property { kind: ast::Property::Invariant, .. } => None,
            ast::Rule::Property { span, .. }
            | ast::Rule::Simple { span, .. }
            | ast::Rule::Start { span, .. } => Some(*span),
            ast::Rule::Set(_, rules) | ast::Rule::Alias(_, rules) => rules.iter().find_map(of_rule),
            ast::Rule::Choose(name, ..) => Some(name.span),
        }
    }
    match item {
        ast::Item::Decl(ast::Decl::Var(names, _)) => names.first().map(|name| name.span),
        ast::Item::Decl(_) | ast::Item::Function(_) => None,
        ast::Item::Rule(rule) => of_rule(rule),
    }
}
