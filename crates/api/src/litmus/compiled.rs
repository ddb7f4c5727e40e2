//! Makes a litmus test ready for a model: a test in C is compiled by the mapping that `verify` uses.
//!
//! A test of an architecture is run as it is written. So is one in C on a model of its own dialect;
//! on any other model its atomics become what the model's architecture has in their place, and what
//! has no place there is refused.
//!
//! Soundness S-153 (litmus; all; refuses): A C test on a model of another dialect is compiled as
//! `verify` compiles programs; RCU, and C11 atomics under `lkmm`, have no mapping. Test:
//! crates/fencepost/tests/litmus_mapping.rs::what_has_no_mapping_is_refused_with_a_hint.

use crate::target;
use front_litmus::test::{Arch, Dialect, Test};
use ir::passes::mapping::{Target, Unsupported};
use ir::prepare;
use models::Model;
use oracle::litmus::language;
use oracle::{EnumerationOptions, Problem};
use replay::language::{Language, language_of};
use std::borrow::Cow;

/// A test as a model sees it.
#[derive(Clone)]
pub struct Compiled<'t> {
    /// The test.
    pub test: Cow<'t, Test>,
    /// What decides what depends on what in it.
    pub language: Language,
    /// What it was compiled for; `None` if it is as it is written.
    pub target: Option<Target>,
}

/// The test for a model.
pub fn for_model<'t>(test: &'t Test, model: &Model) -> Result<Compiled<'t>, Problem> {
    let Some(target) = foreign_target(test, model) else {
        let language = language(test);
        return Ok(Compiled { test: Cow::Borrowed(test), language, target: None });
    };
    let program = target::compile(&test.program, model).map_err(|unsupported| {
        let Unsupported { what, place } = unsupported;
        let at = place.map(|place| format!("line {}: ", test.program.places[place].location.line));
        let (at, who) = (at.unwrap_or_default(), who_knows(test));
        Problem::Unsupported(format!("{at}{what} is not supported; ask {who}"))
    })?;
    let program = prepare::in_one_order(program);
    let test = Cow::Owned(Test { program, ..test.clone() });
    Ok(Compiled { test, language: language_of(model), target: Some(target) })
}

/// What a test in C is to be compiled for, unless the model is one of its own dialect.
fn foreign_target(test: &Test, model: &Model) -> Option<Target> {
    if test.arch != Arch::C {
        return None;
    }
    let own = match test.dialect {
        Some(Dialect::Kernel) => Target::Linux,
        _ => Target::C11,
    };
    let target = target::target_of(model);
    (target != own).then_some(target)
}

/// The models that give a test in C its meaning.
fn who_knows(test: &Test) -> &'static str {
    match test.dialect {
        Some(Dialect::Kernel) => "lkmm",
        _ => "a model of C11 or of a machine",
    }
}

impl Compiled<'_> {
    /// How to enumerate its executions.
    pub fn options(&self) -> EnumerationOptions {
        let mut options = EnumerationOptions::new(self.language);
        options.merges &= self.target.is_none();
        options
    }
}
