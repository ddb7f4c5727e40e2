//! The C front end: real concurrent C in, the load-store language out, no compiler needed.
//!
//! One folder per stage: `pp` (preprocessor) gives [`token`]s, `parse` an [`ast`], `sema` types
//! and layout, `lower` the IR. [`compile`] runs them all.

pub mod ast;
pub mod headers;
pub mod hints;
pub mod library;
pub mod lower;
pub mod parse;
pub mod pp;
pub mod sema;
pub mod token;

use execution::diagnostic::{Diagnostic, Severity};
use execution::span::SourceMap;
use ir::op::Op;
use ir::order::Order;
use ir::program::Program;
use pp::{COptions, FileLoader, MemoryLoader};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use token::{Token, TokenKind};

/// The stack of the thread that compiles: several times what the deepest accepted program needs.
const STACK: usize = 64 << 20;
/// How many errors are shown of a file.
const MAX_ERRORS: usize = 20;
/// The last words about a file with more.
const TOO_MANY: &str = "too many errors; the rest is not shown";

/// Compiles a C file: the program with warnings, or what is wrong.
///
/// ```
/// use execution::span::SourceMap;
/// use front_c::pp::{MemoryLoader, COptions};
///
/// let loader = MemoryLoader::new().with("a.c", "int main(void) { return 7; }");
/// let mut sources = SourceMap::new();
/// let path = std::path::Path::new("a.c");
/// let (program, warnings) =
///     front_c::compile(path, &COptions::default(), &loader, &mut sources).unwrap();
/// assert_eq!(program.entry.len(), 1);
/// assert!(warnings.is_empty());
/// ```
pub fn compile(
    path: &Path,
    options: &COptions,
    loader: &(dyn FileLoader + Sync),
    sources: &mut SourceMap,
) -> Result<(Program, Vec<Diagnostic>), Vec<Diagnostic>> {
    compile_all(&[(path.to_path_buf(), options.clone())], loader, sources)
}

/// Compiles several C files, each in its own way, and links them: the program with warnings, or what
/// is wrong.
pub fn compile_all(
    files: &[(PathBuf, COptions)],
    loader: &(dyn FileLoader + Sync),
    sources: &mut SourceMap,
) -> Result<(Program, Vec<Diagnostic>), Vec<Diagnostic>> {
    on_large_stack(|| compile_here(files, loader, sources))
}

/// Calls a function with the checked tree of C files that were linked, and with their text.
pub fn with_checked<R: Send>(
    files: &[(PathBuf, COptions)],
    loader: &(dyn FileLoader + Sync),
    sources: &mut SourceMap,
    then: impl FnOnce(&sema::tree::Unit, &SourceMap) -> R + Send,
) -> Result<R, Vec<Diagnostic>> {
    on_large_stack(|| {
        let mut diagnostics = Vec::new();
        let units = parsed(files, loader, sources, &mut diagnostics)?;
        let (checked, _) = sema::check(&units, sources);
        checked.map(|checked| then(&checked, sources))
    })
}

/// What the uses of a program's own macros stand for: see [`pp::uses`].
pub fn macro_uses(
    path: &Path,
    options: &COptions,
    loader: &(dyn FileLoader + Sync),
    sources: &mut SourceMap,
) -> Result<Vec<pp::MacroUse>, Vec<Diagnostic>> {
    on_large_stack(|| Ok(pp::uses(path, options, loader, sources)))
}

/// Runs stages, which are recursive. How deep they go is bounded by the parser, and so is the stack
/// they need; but a caller's thread may have less.
fn on_large_stack<R: Send>(
    run: impl FnOnce() -> Result<R, Vec<Diagnostic>> + Send,
) -> Result<R, Vec<Diagnostic>> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().name("front end".into()).stack_size(STACK);
        match thread.spawn_scoped(scope, run) {
            Ok(worker) => worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            Err(error) => Err(vec![Diagnostic::general(format!("cannot start a thread: {error}"))]),
        }
    })
}

fn compile_here(
    files: &[(PathBuf, COptions)],
    loader: &dyn FileLoader,
    sources: &mut SourceMap,
) -> Result<(Program, Vec<Diagnostic>), Vec<Diagnostic>> {
    let mut diagnostics = Vec::new();
    let units = parsed(files, loader, sources, &mut diagnostics)?;
    let (checked, warnings) = sema::check(&units, sources);
    diagnostics.extend(warnings);
    let natives: Vec<String> =
        files.iter().flat_map(|(_, options)| options.natives.iter().cloned()).collect();
    let lowered = checked.and_then(|checked| lower::lower(&checked, sources, &natives));
    match lowered {
        Ok(mut program) => {
            if files.iter().any(|(_, options)| options.volatile_is_relaxed) {
                relax_volatile(&mut program);
            }
            Ok((ir::prepare::tidy(program), diagnostics))
        }
        Err(errors) => {
            let mut errors = once_per_macro(errors);
            if errors.len() > MAX_ERRORS {
                errors.truncate(MAX_ERRORS);
                errors.push(Diagnostic::general(TOO_MANY));
            }
            diagnostics.extend(errors);
            Err(diagnostics)
        }
    }
}

/// The trees of files, as they are written. Warnings are added to the diagnostics.
fn parsed(
    files: &[(PathBuf, COptions)],
    loader: &dyn FileLoader,
    sources: &mut SourceMap,
    diagnostics: &mut Vec<Diagnostic>,
) -> Result<Vec<ast::Unit>, Vec<Diagnostic>> {
    let mut units = Vec::new();
    for (path, options) in files {
        let (tokens, found) = pp::preprocess(path, options, loader, sources);
        diagnostics.extend(found);
        if has_error(diagnostics) {
            return Err(std::mem::take(diagnostics));
        }
        let tokens = with_builtins(tokens, sources);
        let (mut unit, mut found) = parse::parse(tokens.clone(), sources);
        if !has_error(&found)
            && let Some(tokens) = library::complete(&unit, &tokens, sources)
        {
            (unit, found) = parse::parse(tokens, sources);
        }
        diagnostics.extend(found);
        if has_error(diagnostics) {
            return Err(std::mem::take(diagnostics));
        }
        units.push(unit);
    }
    Ok(units)
}

/// Makes accesses to volatile objects relaxed atomic ones.
fn relax_volatile(program: &mut Program) {
    let blocks = program.functions.iter_mut().flat_map(|function| function.blocks.iter_mut());
    for inst in blocks.flat_map(|block| &mut block.insts) {
        if let Op::Load { access, .. } | Op::Store { access, .. } = &mut inst.op
            && access.order == Order::Volatile
        {
            access.order = Order::Relaxed;
        }
    }
}

/// One message about each place in a macro, however often the macro is used.
fn once_per_macro(errors: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut kept: Vec<(Diagnostic, usize)> = Vec::new();
    for error in errors {
        let place = error.primary.as_ref().map(|label| label.span);
        let is_same = |known: &&mut (Diagnostic, usize)| {
            let other = known.0.primary.as_ref().map(|label| label.span);
            let in_macro = place.is_some_and(|place| place.expansion.is_some());
            let same = place.zip(other).is_some_and(|(a, b)| a.is_same_text_as(b));
            in_macro && same && known.0.message == error.message
        };
        match kept.iter_mut().find(is_same) {
            Some((_, uses)) => *uses += 1,
            None => kept.push((error, 0)),
        }
    }
    let counted = |(error, uses): (Diagnostic, usize)| match uses {
        0 => error,
        1 => error.note("the same is wrong at another use of the macro"),
        uses => error.note(format!("the same is wrong at {uses} other uses of the macro")),
    };
    kept.into_iter().map(counted).collect()
}

/// Puts the embedded `<string.h>` before a program that uses `__builtin_memcpy` or one of its kin
/// without including it: gcc needs no header for these.
fn with_builtins(tokens: Vec<Token>, sources: &mut SourceMap) -> Vec<Token> {
    const NAMES: [&str; 9] = [
        "__builtin_memcpy",
        "__builtin_memmove",
        "__builtin_memset",
        "__builtin_memcmp",
        "__builtin_strlen",
        "__builtin_strcmp",
        "__builtin_strncmp",
        "__builtin_strcpy",
        "__builtin_strchr",
    ];
    let needs =
        |token: &Token| matches!(&token.kind, TokenKind::Ident(name) if NAMES.contains(&&**name));
    if sources.file_named("<string.h>").is_some() || !tokens.iter().any(needs) {
        return tokens;
    }
    let loader = MemoryLoader::new().with("<builtin>", "#include <string.h>\n");
    let (mut all, _) =
        pp::preprocess(Path::new("<builtin>"), &COptions::default(), &loader, sources);
    all.retain(|token| token.kind != TokenKind::End);
    // What the program includes of it comes once.
    let file = |token: &Token| library::file_of(token.span, sources).to_string();
    let loaded: HashSet<String> = all.iter().map(file).collect();
    all.extend(tokens.into_iter().filter(|token| !loaded.contains(&file(token))));
    all
}

fn has_error(diagnostics: &[Diagnostic]) -> bool {
    diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error)
}
