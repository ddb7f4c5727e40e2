//! The C11 preprocessor: a file in, tokens with their places out.
//!
//! One file per stage:
//! - `lexer`: text to preprocessing tokens; `intern`: spellings as numbers.
//! - `source`: the stack of open files; directives are carried out where the lexer meets them.
//! - `directives`, `include`, `conditional`, `expression`, `pragma`: what each directive does.
//! - `definition`: `#define`; `expand`: uses of macros; `substitute`: `#`, `##` and arguments.
//! - `convert`: preprocessing tokens to [`Token`]s; `literal`: escapes in strings and characters.
//! - `predefined`, `features`: what the compiler claims to be and to have.
//!
//! A file that is not UTF-8 is read with replacement characters in place of its bad bytes. That
//! is harmless in comments; in a literal it is an error, because its bytes would not be the
//! program's.
//!
//! No input makes it panic, hang or exhaust memory: all work is charged to one budget
//! ([`WORK_LIMIT`]), includes nest [`INCLUDE_DEPTH`] deep, macros [`EXPANSION_DEPTH`], and uses
//! of macros in arguments of macros [`ARGUMENT_DEPTH`]; past that there is an error.

mod conditional;
mod convert;
mod definition;
mod directives;
mod expand;
mod expression;
mod features;
mod include;
mod intern;
mod lexer;
mod literal;
mod loader;
mod pragma;
mod predefined;
mod source;
mod substitute;
#[cfg(test)]
mod tests;
mod uses;

pub use loader::{DiskLoader, FileLoader, MemoryLoader};
pub use uses::{MacroUse, uses};

use crate::token::Token;
use definition::Macro;
use execution::diagnostic::{Diagnostic, Severity};
use execution::span::{FileId, SourceMap, Span};
use expand::Context;
use include::Cache;
use intern::{Interner, Symbol, known};
use lexer::Kind;
use source::Source;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// How much work one translation unit may take: a token read or made costs one, a macro use
/// [`EXPANSION_COST`], an include its size.
pub const WORK_LIMIT: usize = 5_000_000;
/// What one macro use costs of [`WORK_LIMIT`], besides the tokens it makes.
const EXPANSION_COST: usize = 4;
/// How deep includes nest.
pub const INCLUDE_DEPTH: usize = 200;
/// How deep macros nest in the bodies of macros.
pub const EXPANSION_DEPTH: usize = 10_000;
/// How deep uses of macros nest in arguments of macros.
pub const ARGUMENT_DEPTH: usize = 256;
/// After how many errors the rest of the input is not processed.
const ERROR_LIMIT: usize = 100;

/// What the command line says about how C is to be read.
#[derive(Clone, Debug, Default)]
pub struct COptions {
    /// `-I`: where to look for headers, in order.
    pub include_dirs: Vec<PathBuf>,
    /// `-D`: `NAME`, `NAME=VALUE` or `NAME(PARAMETERS)=BODY`.
    pub defines: Vec<String>,
    /// `-U`: names that are undefined after the defines were made.
    pub undefines: Vec<String>,
    /// `-include`: files that come before the program.
    pub included: Vec<PathBuf>,
    /// The other files of the program, which are linked with it.
    pub with: Vec<PathBuf>,
    /// `-p`: the folder with the `compile_commands.json` that says how each file is compiled.
    pub database: Option<PathBuf>,
    /// `-w`: no warnings.
    pub quiet: bool,
    /// Whether accesses to volatile objects are relaxed atomic ones.
    pub volatile_is_relaxed: bool,
    /// `--native`: functions of shared libraries that stand for declared ones, as `LIBRARY:SYMBOL`.
    pub natives: Vec<String>,
}

/// Preprocesses the file at `path`. The tokens end with [`crate::token::TokenKind::End`]; they
/// are worth parsing only if no diagnostic is an error.
pub fn preprocess(
    path: &Path,
    options: &COptions,
    loader: &dyn FileLoader,
    map: &mut SourceMap,
) -> (Vec<Token>, Vec<Diagnostic>) {
    let mut preprocessor = Preprocessor::new(options, loader, map);
    preprocessor.open_main(path);
    preprocessor.run();
    (preprocessor.output, preprocessor.diagnostics)
}

/// A preprocessing token: its kind, spelling and place.
#[derive(Clone, Copy, Debug)]
struct PpToken {
    kind: Kind,
    symbol: Symbol,
    /// Blanks, comments or a line end stand before it.
    space: bool,
    /// It named a macro while that macro was being expanded, so it never will again.
    painted: bool,
    span: Span,
}

impl PpToken {
    fn is(&self, symbol: Symbol) -> bool {
        self.symbol == symbol && matches!(self.kind, Kind::Punct | Kind::Ident)
    }

    fn is_end(&self) -> bool {
        self.kind == Kind::End
    }
}

/// The state of one run.
struct Preprocessor<'a> {
    options: &'a COptions,
    loader: &'a dyn FileLoader,
    map: &'a mut SourceMap,
    interner: Interner,
    /// What is defined, by symbol.
    macros: Vec<Option<Rc<Macro>>>,
    /// What the embedded headers have defined, by symbol: their text knows no other macros.
    header_macros: Vec<Option<Rc<Macro>>>,
    /// `#pragma push_macro`.
    saved_macros: HashMap<Symbol, Vec<Option<Rc<Macro>>>>,
    sources: Vec<Source>,
    cache: Cache,
    /// Macro expansions being rescanned, innermost last.
    contexts: Vec<Context>,
    /// While arguments of a macro are being collected: how many files were open at their start.
    /// The end of the innermost of these is not passed.
    collecting: Option<usize>,
    argument_depth: usize,
    /// Whether blanks stood before a macro that vanished: they stand before the next token then.
    carried_space: bool,
    counter: u32,
    work: usize,
    /// Whether the program's uses of macros that are not its own stay as they are written.
    keeps_library: bool,
    /// Set by an error after which nothing more is read.
    stopped: bool,
    errors: usize,
    /// Files that were not UTF-8.
    lossy_files: HashSet<FileId>,
    output: Vec<Token>,
    diagnostics: Vec<Diagnostic>,
}

impl<'a> Preprocessor<'a> {
    fn new(options: &'a COptions, loader: &'a dyn FileLoader, map: &'a mut SourceMap) -> Self {
        let mut preprocessor = Self {
            options,
            loader,
            map,
            interner: Interner::new(),
            macros: Vec::new(),
            header_macros: Vec::new(),
            saved_macros: HashMap::new(),
            sources: Vec::new(),
            cache: Cache::default(),
            contexts: Vec::new(),
            collecting: None,
            argument_depth: 0,
            carried_space: false,
            counter: 0,
            work: 0,
            keeps_library: false,
            stopped: false,
            errors: 0,
            lossy_files: HashSet::new(),
            output: Vec::new(),
            diagnostics: Vec::new(),
        };
        preprocessor.define_builtins();
        preprocessor
    }

    fn run(&mut self) {
        loop {
            let token = self.next_expanded();
            if token.is_end() {
                self.emit(token);
                return;
            }
            if token.is(known("_Pragma")) {
                self.pragma_operator(token);
            } else {
                self.emit(token);
            }
        }
    }

    fn spelling(&self, token: PpToken) -> &str {
        self.interner.spelling(token.symbol)
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        if self.stopped {
            return;
        }
        let is_error = diagnostic.severity == Severity::Error;
        let place = diagnostic.primary.as_ref().map(|label| label.span);
        self.diagnostics.push(diagnostic);
        self.errors += usize::from(is_error);
        if self.errors >= ERROR_LIMIT
            && let Some(place) = place
        {
            self.stop(Diagnostic::error(place, "too many errors; the rest is not read"));
        }
    }

    /// Reports an error after which nothing more is read.
    fn stop(&mut self, diagnostic: Diagnostic) {
        if !self.stopped {
            self.diagnostics.push(diagnostic);
            self.stopped = true;
        }
    }

    /// Charges work done at `place` to the budget.
    fn charge(&mut self, amount: usize, place: Span) {
        self.work = self.work.saturating_add(amount);
        if self.work > WORK_LIMIT {
            let message = "the program is too large after preprocessing";
            let note = format!("the limit is {WORK_LIMIT} tokens, macros and includes counted");
            self.stop(Diagnostic::error(place, message).note(note));
        }
    }
}
