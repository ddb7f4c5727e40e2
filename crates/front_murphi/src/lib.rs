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
    let one = |diagnostic| vec![diagnostic];
    let tokens = lexer::tokens(&sources.file(file).text, file).map_err(one)?;
    let tree = parser::parse(&tokens).map_err(one)?;
    resize::check_size(&tree, &tokens, set).map_err(one)?;
    check::check(&tree, Some((set.to_string(), size.into())))
}
