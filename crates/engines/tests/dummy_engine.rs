//! The smallest complete engine, which shows how one is added: it knows that a program that never
//! allocates cannot leak, and leaves everything else to the engines after it.

use encoding::encode::EncodeOptions;
use engines::bounded::{solver::Solver, unrolling::CheckOptions};
use engines::engine::{Budget, Engine, Reply, Report, Task, in_turn};
use engines::explicit::states::States;
use engines::verdict::{Reason, Verdict};
use engines::verification::coverage::Coverage;
use engines::verification::{EngineChoice, Portfolio, Property, Questions};
use execution::{question::Question, span::SourceMap};
use front_c::pp::{COptions, MemoryLoader};
use ir::{op::Op, prepare, program::Program};
use models::Model;
use sat::Limits;
use std::{collections::BTreeMap, path::Path};

/// Searches the program for allocations.
struct Dummy;

impl Engine for Dummy {
    fn name(&self) -> &'static str {
        "dummy"
    }

    fn ask(&self, Task { program, questions, .. }: Task<'_>, budget: Budget<'_>) -> Option<Reply> {
        let encoding = &budget.options.encoding;
        // After a memory error nothing holds: the engine that is asked for one must find it.
        let needed = [Property::Leak, Property::Memory];
        let is_asked = needed.iter().all(|property| questions.properties.contains(property));
        if !is_asked
            || budget.portfolio.engine != EngineChoice::Either
            || encoding.journal.is_some()
        {
            return None;
        }
        (budget.options.progress)(Question::Leaks.into());
        let verdict = leaks(program, &encoding.limits)?;
        let mut left = questions.clone();
        left.properties.retain(|&asked| asked != Property::Leak || verdict != Verdict::Holds);
        let mut report = Report::of_violations(BTreeMap::new());
        report.verdicts.insert(Property::Leak, verdict);
        Some(Reply { report, left, discarded: false, gave_up_early: false })
    }
}

/// Whether no block can leak; `None` if one might, or if assumptions might fail in every execution,
/// so that nothing is checked.
fn leaks(program: &Program, limits: &Limits) -> Option<Verdict> {
    for block in program.functions.iter().flat_map(|function| &function.blocks) {
        if limits.expired() {
            return Some(Verdict::unknown(Reason::limit(limits)));
        }
        let matters = |op: &Op| matches!(op, Op::Alloc { .. } | Op::Assume { .. });
        if block.insts.iter().any(|instruction| matters(&instruction.op)) {
            return None;
        }
    }
    Some(Verdict::Holds)
}

/// The verdicts of engines on the memory accesses and leaks of a C program under sc.
fn ask(engines: &[&dyn Engine], code: &str, limits: &Limits) -> Vec<Verdict> {
    let (loader, mut sources) = (MemoryLoader::new().with("a.c", code), SourceMap::new());
    let compiled = front_c::compile(Path::new("a.c"), &COptions::default(), &loader, &mut sources);
    let program = prepare::whole(compiled.expect("correct C").0, &Default::default());
    let model = &Model::named("sc").expect("a model of the library");
    let program = &replay::target::compile(&program, model).expect("supported under sc");
    let properties = vec![Property::Memory, Property::Leak];
    let questions = &Questions { properties, ..Questions::default() };
    let task = Task { program, model, questions, known: &Coverage::default() };
    let encoding = EncodeOptions { limits: limits.clone(), ..EncodeOptions::default() };
    let options = &CheckOptions { max_unroll: 8, encoding, progress: &|_| {} };
    // Each interleaving is an execution under sc.
    let report = in_turn(
        engines,
        task,
        Budget { options, confirm: &|_| true, portfolio: &Portfolio::default() },
    );
    report.verdicts.into_values().collect()
}

#[test]
fn it_answers_what_it_can_and_the_others_answer_the_rest() {
    let (no_block, limits) = ("int main(void) { int *p = 0; return *p; }", &Limits::default());
    assert_eq!(ask(&[&Dummy], no_block, limits), [Verdict::Holds]);
    let verdicts = ask(&[&Dummy, &States::all(), &Solver], no_block, limits);
    assert!(matches!(verdicts[..], [Verdict::Violated(_), Verdict::Holds]), "{verdicts:?}");
    limits.interrupter.interrupt();
    let interrupted = Verdict::unknown(Reason::limit(limits));
    assert_eq!(ask(&[&Dummy], no_block, limits), [interrupted]);
}

#[test]
fn what_it_cannot_judge_is_left_to_the_others() {
    let (leak, limits) =
        ("void *malloc(unsigned long); int main(void) { malloc(1); }", &Limits::default());
    assert_eq!(ask(&[&Dummy], leak, limits), []);
    let verdicts = ask(&[&Dummy, &States::all(), &Solver], leak, limits);
    assert!(matches!(verdicts[..], [Verdict::Holds, Verdict::Violated(_)]), "{verdicts:?}");
    let vacuous = "void __VERIFIER_assume(int); int main(void) { __VERIFIER_assume(0); }";
    assert_eq!(ask(&[&Dummy], vacuous, limits), []);
}
