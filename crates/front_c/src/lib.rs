//! The C front end: real concurrent C in, the load-store language out, no compiler needed.
//!
//! One folder per stage: `pp` (preprocessor) gives [`token`]s, `parse` an [`ast`], `sema` types
//! and layout, `lower` the IR. [`compile`] runs them all.

pub mod ast;
pub mod headers;
pub mod hints;
pub mod lower;
pub mod parse;
pub mod pp;
pub mod sema;
pub mod token;

use execution::diagnostic::{Diagnostic, Severity};
use execution::span::SourceMap;
use ir::program::Program;
use pp::{FileLoader, Options};
use std::path::Path;

/// Compiles a C file: the program with warnings, or what is wrong.
///
/// ```
/// use execution::span::SourceMap;
/// use front_c::pp::{MemoryLoader, Options};
///
/// let loader = MemoryLoader::new().with("a.c", "int main(void) { return 7; }");
/// let mut sources = SourceMap::new();
/// let path = std::path::Path::new("a.c");
/// let (program, warnings) =
///     front_c::compile(path, &Options::default(), &loader, &mut sources).unwrap();
/// assert_eq!(program.entry.len(), 1);
/// assert!(warnings.is_empty());
/// ```
pub fn compile(
    path: &Path,
    options: &Options,
    loader: &dyn FileLoader,
    sources: &mut SourceMap,
) -> Result<(Program, Vec<Diagnostic>), Vec<Diagnostic>> {
    let (tokens, mut diagnostics) = pp::preprocess(path, options, loader, sources);
    if has_error(&diagnostics) {
        return Err(diagnostics);
    }
    let (unit, found) = parse::parse(tokens, sources);
    diagnostics.extend(found);
    if has_error(&diagnostics) {
        return Err(diagnostics);
    }
    let (checked, warnings) = sema::check(&unit, sources);
    diagnostics.extend(warnings);
    let lowered = checked.and_then(|checked| lower::lower(&checked, sources));
    match lowered {
        Ok(program) => Ok((ir::passes::tidy(program), diagnostics)),
        Err(errors) => {
            diagnostics.extend(errors);
            Err(diagnostics)
        }
    }
}

fn has_error(diagnostics: &[Diagnostic]) -> bool {
    diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error)
}
