//! The litmus front end: herd's test format for five architectures and C, lowered into `ir`.
//!
//! A file has a header, an initial state in braces, a program (a table with one column per
//! thread, or C functions), and a quantified proposition about final states. [`parse`] turns it
//! into a [`test::Test`], whose program the stepper executes.
//!
//! Soundness S-147 (litmus; all; refuses): System-level features, vector instructions, computing
//! with addresses of code and the instructions listed in docs/litmus.md are refused at their place.
//! Test: corpus/litmus-bad,
//! crates/fencepost/tests/litmus_instructions.rs::what_computes_with_code_addresses_is_refused_with_a_reason.

mod arch;
mod asm;
mod c;
mod condition;
mod header;
mod init;
mod locations;
mod observed;
pub mod state;
pub mod test;
mod token;

use crate::asm::{Context, Thread};
use crate::condition::{Ending, ending, starts_ending};
use crate::header::{Header, header};
use crate::init::RegisterInit;
use crate::locations::Locations;
use crate::test::{Arch, Test};
use crate::token::{Cursor, Token, tokens};
use execution::diagnostic::Diagnostic;
use execution::span::{FileId, SourceMap};
use ir::build::ProgramBuilder;

/// Reads a litmus test that has been added to a source map.
pub fn parse(sources: &SourceMap, file: FileId) -> Result<Test, Box<Diagnostic>> {
    parse_file(sources, file).map_err(Box::new)
}

fn parse_file(sources: &SourceMap, file: FileId) -> Result<Test, Diagnostic> {
    let text = &sources.file(file).text;
    let header = header(text, file)?;
    let c = header.arch == Arch::C;
    let mut cursor = Cursor::new(tokens(text, file, header.init, c)?);
    let mut program = ProgramBuilder::new();
    let mut locations = Locations::new(c);
    let inits = init::init(&mut cursor, &mut program, &mut locations)?;
    let mut reader = Reader { sources, header, program, locations, inits };
    match reader.header.arch {
        Arch::C => reader.c(&mut cursor),
        _ => reader.assembly(&mut cursor),
    }
}

/// Everything that is known once the initial state has been read.
struct Reader<'s> {
    sources: &'s SourceMap,
    header: Header,
    program: ProgramBuilder,
    locations: Locations,
    inits: Vec<RegisterInit>,
}

impl Reader<'_> {
    fn context(&mut self) -> Context<'_> {
        Context {
            program: &mut self.program,
            locations: &mut self.locations,
            sources: self.sources,
        }
    }

    fn assembly(&mut self, cursor: &mut Cursor<'_>) -> Result<Test, Diagnostic> {
        let columns = asm::columns(cursor, starts_ending)?;
        let ending = self.ending(cursor, columns.len())?;
        let arch = self.header.arch;
        for (number, cells) in columns.into_iter().enumerate() {
            let finals = observed::registers_of(&ending, number);
            let inits = std::mem::take(&mut self.inits);
            let mut thread = Thread::new(self.context(), number);
            arch::lower(arch, &mut thread, cells)?;
            let canonical = |name: &str| arch::canonical(arch, name);
            thread.finish(number, &inits, &canonical, &finals)?;
            self.inits = inits;
        }
        Ok(self.test(ending, None))
    }

    fn c(&mut self, cursor: &mut Cursor<'_>) -> Result<Test, Diagnostic> {
        let mut functions = Vec::new();
        while !cursor.at_end() && !starts_ending(cursor) {
            functions.push(c::parse::function(cursor, functions.len())?);
        }
        if functions.is_empty() {
            return Err(cursor.wanted("the function of thread `P0`"));
        }
        let ending = self.ending(cursor, functions.len())?;
        let dialect = c::dialect(&functions);
        for (number, function) in functions.iter().enumerate() {
            let finals = observed::registers_of(&ending, number);
            let inits = std::mem::take(&mut self.inits);
            c::lower::function(self.context(), number, function, dialect, &inits, &finals)?;
            self.inits = inits;
        }
        Ok(self.test(ending, Some(dialect)))
    }

    fn ending(&mut self, cursor: &mut Cursor<'_>, threads: usize) -> Result<Ending, Diagnostic> {
        let (arch, inits) = (self.header.arch, &self.inits);
        let name = |thread: usize, token: Token<'_>| {
            if thread >= threads {
                let message = format!("there is no thread {thread}");
                return Err(Diagnostic::error(token.span, message));
            }
            let Some(name) = arch::canonical(arch, token.text) else {
                let message = format!("there is no register `{}`", token.text);
                return Err(Diagnostic::error(token.span, message));
            };
            let declared = inits.iter().find_map(|init| {
                let same = init.thread == Some(thread)
                    && arch::canonical(arch, &init.name).as_deref() == Some(&name);
                init.ty.filter(|_| same)
            });
            Ok((name, declared))
        };
        ending(cursor, &mut self.program, &mut self.locations, &name)
    }

    fn test(&mut self, ending: Ending, dialect: Option<test::Dialect>) -> Test {
        let observed = observed::observed(&ending);
        Test {
            arch: self.header.arch,
            dialect,
            name: self.header.name.clone(),
            doc: self.header.doc.take(),
            info: std::mem::take(&mut self.header.info),
            program: std::mem::take(&mut self.program).finish(),
            observed,
            filter: ending.filter,
            question: ending.question,
        }
    }
}
