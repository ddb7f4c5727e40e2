//! Compares models by what they allow of the litmus tests in our own corpus.
//!
//! Two models that run the same tests are compared by the final states they allow. Models of
//! different architectures are compared by whether they allow the outcome that a shape is
//! about, each on its own architecture's test of that shape; the corpus names shapes and fences
//! alike on all architectures. Either way an answer is about these tests: a model said to be
//! stronger was never seen to allow what the other forbids.
//!
//! Soundness S-161 (models; all; misses): `models --compare` is an answer about the litmus tests of
//! `corpus/litmus`, about accesses and fences of machines, not a proof. Test:
//! crates/fencepost/tests/models.rs::known_orders_between_models_are_found.

pub mod text;

use crate::litmus::compiled::for_model;
use crate::target::target_of;
use execution::event::{EventId, Execution};
use execution::span::SourceMap;
use front_litmus::test::Test;
use models::{Failure, Model, check_execution};
use oracle::litmus::{Answer, Prepared};
use rayon::prelude::*;
use std::collections::BTreeSet;

/// A litmus test of our own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CorpusTest {
    /// The architecture or dialect it is written for.
    pub family: &'static str,
    /// Its shape and fences.
    pub name: &'static str,
    /// Its text.
    pub text: &'static str,
}

/// All tests, by family and name.
pub static TESTS: &[CorpusTest] = include!(concat!(env!("OUT_DIR"), "/corpus.rs"));

/// The names of all tests, in the order in which people expect them.
pub fn rows() -> impl Iterator<Item = &'static str> {
    include_str!("../../../corpus/litmus/rows.txt").lines()
}

/// The family whose tests a model of the library is for. Models that are no architecture's own run
/// RISC-V tests, whose fences say most precisely what they order.
pub fn family(model: &str) -> Option<&'static str> {
    Some(match model {
        "serial" | "sc" | "sc-literal" | "tso" | "pso" | "rmo" | "alpha" | "relaxed" | "riscv" => {
            "RISCV"
        }
        "power" => "PPC",
        "armv7" | "armv8" | "armv8-simple" => "AArch64",
        "rc11" | "c11" | "c11-no-thin-air" | "c11-simp" | "imm" => "C11",
        "lkmm" => "LKMM",
        _ => return None,
    })
}

/// Whether a model of the library has a meaning for a test: ARMv7 lacks what ARMv8 added.
fn applies(model: &str, test: &CorpusTest) -> bool {
    model != "armv7" || !["light", "rel", "acq"].iter().any(|new| test.name.contains(new))
}

/// The test of a family and name.
pub fn test(family: &str, name: &str) -> Option<&'static CorpusTest> {
    TESTS.iter().find(|test| test.family == family && test.name == name)
}

impl CorpusTest {
    fn parse(&self) -> Test {
        let mut sources = SourceMap::new();
        let file = sources.add_file(self.name, self.text);
        match front_litmus::parse(&sources, file) {
            Ok(test) => test,
            Err(problem) => panic!("our own test {}: {}", self.name, problem.message),
        }
    }

    /// What the models make of this test; `None` where one cannot be evaluated.
    fn ask(&self, models: &[&Model], witness: bool) -> Vec<Option<Answer>> {
        let test = self.parse();
        let ask = |model: &&Model| {
            let compiled = for_model(&test, model).ok()?;
            Prepared::new(&compiled.test, compiled.options()).ok()?.ask(model, witness).ok()
        };
        models.iter().map(ask).collect()
    }
}

/// Whether models allow the outcomes that the corpus is about.
pub struct Table {
    /// The models' names.
    pub models: Vec<&'static str>,
    /// A test's name, and for each model whether it allows the outcome; `None` where there is no
    /// such test for the model.
    pub rows: Vec<(&'static str, Vec<Option<bool>>)>,
}

/// Asks all models of the library about all tests.
pub fn table() -> Table {
    let entries = models::library::ENTRIES;
    let models: Vec<Model> = entries.iter().filter_map(|entry| Model::named(entry.name)).collect();
    let row = |name: &'static str| {
        let verdict = |model: &Model| {
            let test = test(family(&model.name)?, name).filter(|t| applies(&model.name, t))?;
            test.ask(&[model], false).remove(0).map(|answer| answer.positive > 0)
        };
        (name, models.iter().map(verdict).collect())
    };
    let names: Vec<&'static str> = rows().collect();
    Table {
        models: entries.iter().map(|entry| entry.name).collect(),
        rows: names.into_par_iter().map(row).collect(),
    }
}

impl Table {
    /// Whether no test was seen that `a` allows and `b` forbids; `None` if they have too few
    /// tests in common to say.
    pub fn within(&self, a: usize, b: usize) -> Option<bool> {
        let both = self.rows.iter().filter_map(|(_, cells)| Some((cells[a]?, cells[b]?)));
        let verdicts: Vec<(bool, bool)> = both.collect();
        (verdicts.len() >= 20).then(|| verdicts.iter().all(|&(a, b)| !a || b))
    }

    /// Whether the two may be compared at all: machines with machines, languages with themselves.
    fn comparable(&self, a: usize, b: usize) -> bool {
        let language = |model: usize| {
            family(self.models[model])
                .filter(|family| ["C11", "LKMM"].contains(family))
                .unwrap_or("machine")
        };
        language(a) == language(b)
    }

    fn stronger(&self, a: usize, b: usize) -> bool {
        self.comparable(a, b) && self.within(a, b) == Some(true) && self.within(b, a) == Some(false)
    }

    /// The models that are directly weaker than `a`: with none in between.
    pub fn next_weaker(&self, a: usize) -> Vec<&'static str> {
        let all = 0..self.models.len();
        let between = |b| all.clone().any(|m| self.stronger(a, m) && self.stronger(m, b));
        let direct = all.clone().filter(|&b| self.stronger(a, b) && !between(b));
        direct.map(|b| self.models[b]).collect()
    }

    /// The models from which no test of the corpus tells `a`.
    pub fn like(&self, a: usize) -> Vec<&'static str> {
        let same = |&b: &usize| {
            a != b
                && self.comparable(a, b)
                && self.within(a, b) == Some(true)
                && self.within(b, a) == Some(true)
        };
        (0..self.models.len()).filter(same).map(|b| self.models[b]).collect()
    }
}

/// A test on which one model allows what the other does not.
pub struct Separation {
    /// The test.
    pub test: &'static CorpusTest,
    /// A final state that only the one allows; empty if the tests of the two differ.
    pub state: String,
    /// Why the other forbids it, and the execution; known where both run the same test.
    pub why: Option<(Failure, Execution)>,
}

/// What two models make of the same tests.
pub struct Comparison {
    /// How many tests were compared.
    pub tests: usize,
    /// Tests on which only the first allows something, the shortest first.
    pub only_first: Vec<Separation>,
    /// Tests on which only the second does.
    pub only_second: Vec<Separation>,
}

/// Compares two models.
pub fn compare(first: &Model, second: &Model) -> Comparison {
    let (a, b) = (family(&first.name), family(&second.name));
    match (a, b) {
        (Some(a), Some(b)) if a != b => compare_shapes((first, a), (second, b)),
        _ => compare_states(first, second, a.or(b)),
    }
}

/// Compares models on tests of one family, or of all.
fn compare_states(first: &Model, second: &Model, family: Option<&str>) -> Comparison {
    let wanted = |test: &&CorpusTest| {
        family.is_none_or(|family| family == test.family)
            && applies(&first.name, test)
            && applies(&second.name, test)
    };
    let tests: Vec<&'static CorpusTest> = TESTS.iter().filter(wanted).collect();
    // An execution of a test that was compiled for the one says nothing to the other.
    let compiled_alike = target_of(first) == target_of(second);
    let explained = |test: &CorpusTest| compiled_alike || !["C11", "LKMM"].contains(&test.family);
    let separations: Vec<_> = tests
        .par_iter()
        .filter_map(|test| {
            let mut answers = test.ask(&[first, second], true);
            let (mut b, mut a) = (answers.pop()??, answers.pop()??);
            if !explained(test) {
                (a.witness, b.witness) = (None, None);
            }
            Some((separation(test, &a, &b, second), separation(test, &b, &a, first)))
        })
        .collect();
    let tests = separations.len();
    let (only_first, only_second): (Vec<_>, Vec<_>) = separations.into_iter().unzip();
    let shortest = |list: Vec<Option<Separation>>| {
        let mut list: Vec<Separation> = list.into_iter().flatten().collect();
        list.sort_by_key(|separation| (separation.why.is_none(), separation.test.text.len()));
        list
    };
    Comparison { tests, only_first: shortest(only_first), only_second: shortest(only_second) }
}

/// A state that `a` allows and `b`, the answer of `other`, does not.
fn separation(
    test: &'static CorpusTest,
    a: &Answer,
    b: &Answer,
    other: &Model,
) -> Option<Separation> {
    let theirs: BTreeSet<&str> = b.states.iter().map(|state| &*state.text).collect();
    let state = a.states.iter().find(|state| !theirs.contains(&*state.text))?;
    let only_here = a.positive > 0 && b.positive == 0;
    let witness = a.witness.as_ref().filter(|_| only_here);
    let why = witness.and_then(|execution| {
        let failure = check_execution(other, execution).ok()?.failed?;
        Some((failure, execution.clone()))
    });
    Some(Separation { test, state: state.text.clone(), why })
}

/// Compares models of different families by the outcomes that shapes are about.
fn compare_shapes(first: (&Model, &str), second: (&Model, &str)) -> Comparison {
    let mut comparison = Comparison { tests: 0, only_first: vec![], only_second: vec![] };
    for name in rows() {
        let ask = |(model, family): (&Model, &str)| {
            let test = test(family, name).filter(|test| applies(&model.name, test))?;
            let answer = test.ask(&[model], false).remove(0)?;
            Some((test, answer.positive > 0))
        };
        let (Some((a, a_allows)), Some((b, b_allows))) = (ask(first), ask(second)) else {
            continue;
        };
        comparison.tests += 1;
        let separation = |test| Separation { test, state: String::new(), why: None };
        match (a_allows, b_allows) {
            (true, false) => comparison.only_first.push(separation(a)),
            (false, true) => comparison.only_second.push(separation(b)),
            _ => {}
        }
    }
    comparison
}

/// The events of a failure as they are shown, `a -> b -> c`.
pub fn events(execution: &Execution, failure: &Failure) -> String {
    let label = |id: &EventId| {
        let event = &execution.events[*id];
        match event.thread {
            Some(thread) => format!("{thread}: {}", event.label),
            None => event.label.clone(),
        }
    };
    failure.events.iter().map(label).collect::<Vec<_>>().join(" -> ")
}
