//! For tests: C text and a test in, a composed program out.

use crate::test::compose::{Composed, Operations, compose};
use crate::test::parse::{Place, parse};
use execution::diagnostic::Diagnostic;
use execution::span::SourceMap;
use front_c::pp::{COptions, MemoryLoader};
use ir::prepare::{Preparation, whole};
use ir::program::Program;
use models::Model;
use replay::target;
use std::path::Path;

/// A composed test with the text it was made from.
pub struct Fixture {
    pub composed: Result<Composed, Diagnostic>,
    pub sources: SourceMap,
}

impl Fixture {
    /// Composes the program of C text with a test.
    pub fn new(code: &str, operations: &Operations, test: &str) -> Fixture {
        let mut sources = SourceMap::new();
        let program = compile_into(code, &mut sources);
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

/// The program of C text, ready for a model as users' programs are.
pub fn compiled(code: &str, model: &Model) -> Program {
    let program = whole(compile_into(code, &mut SourceMap::new()), &Preparation::default());
    target::compile(&program, model).expect("it can be compiled for the model")
}

/// A composed test, compiled for a model.
pub fn on_model(test: &Composed, model: &Model) -> Composed {
    let program = target::compile(&test.program, model).expect("it can be compiled for the model");
    Composed { program, ..test.clone() }
}

fn compile_into(code: &str, sources: &mut SourceMap) -> Program {
    let loader = MemoryLoader::new().with("type.c", code);
    let (program, _) =
        front_c::compile(Path::new("type.c"), &COptions::default(), &loader, sources)
            .unwrap_or_else(|errors| panic!("{errors:#?}"));
    program
}

/// A composed test of the functions of C text.
pub fn composed(code: &str, test: &str) -> Composed {
    Fixture::new(code, &Operations::default(), test).right()
}
