//! For tests: C text and a test in, a composed program out.

use crate::test::compose::{Composed, Operations, compose};
use crate::test::parse::{Place, parse};
use execution::diagnostic::Diagnostic;
use execution::span::SourceMap;
use front_c::pp::{MemoryLoader, Options};
use std::path::Path;

/// A composed test with the text it was made from.
pub struct Fixture {
    pub composed: Result<Composed, Diagnostic>,
    pub sources: SourceMap,
}

impl Fixture {
    /// Composes the program of C text with a test.
    pub fn new(code: &str, operations: &Operations, test: &str) -> Fixture {
        let loader = MemoryLoader::new().with("type.c", code);
        let mut sources = SourceMap::new();
        let path = Path::new("type.c");
        let (program, _) = front_c::compile(path, &Options::default(), &loader, &mut sources)
            .unwrap_or_else(|errors| panic!("{errors:#?}"));
        let file = sources.add_file("--test", test);
        let test = parse(test, Place { file, start: 0 });
        let composed = test.and_then(|test| compose(&program, operations, &test, &sources));
        Fixture { composed, sources }
    }

    /// The composed test, which is right.
    pub fn right(self) -> Composed {
        match &self.composed {
            Err(error) => panic!("{}", self.shown(error)),
            Ok(_) => self.composed.expect("it is right"),
        }
    }

    /// What is wrong, as the user sees it.
    pub fn wrong(self) -> String {
        self.shown(self.composed.as_ref().expect_err("something is wrong"))
    }

    /// A message as the user sees it.
    pub fn shown(&self, error: &Diagnostic) -> String {
        report::diagnostics::render(error, &self.sources, report::Style::Plain)
    }
}

/// A composed test of the functions of C text.
pub fn composed(code: &str, test: &str) -> Composed {
    Fixture::new(code, &Operations::default(), test).right()
}
