//! What goes wrong, and what is come to, when accesses are simply executed one after the other.
//!
//! Most bugs show without any reordering, and most models allow everything that an interleaving
//! does. Visiting the first states of a program is cheap beside a formula for a weak model, so it
//! comes first. Whether what is found there is an execution of the model is not taken for granted:
//! the caller replays it, and what the model does not allow is forgotten.
//!
//! Several models are often asked about the same program, compiled in the same way. What its
//! interleavings show is then found out once ([`Interleavings`]), unless a limit cuts it short.
//!
//! Soundness S-127 (verify; all; misses): On models other than `sc` and `tso`, fair executions that
//! never end although memory keeps changing are found among the first interleavings only (up to
//! some 60,000 states). Test: corpus/verify/liveness/after_you.c,
//! crates/fencepost/tests/ends.rs::what_is_repeated_for_ever_can_be_replayed.

use super::{Machine, Visited, Wanted, knows};
use crate::engine::{Budget, Claim, Engine, LONGEST_COVERING, Reply, Report, Task};
use crate::verdict::Counterexample;
use crate::verification::coverage::Coverage;
use crate::verification::{EngineChoice, Property, Questions};
use execution::question::Question;
use execution::witness::Witness;
use ir::program::Program;
use models::Model;
use sat::Limits;
use std::collections::BTreeMap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// So many states are visited: a fraction of a second.
const STATES: usize = 60_000;

/// Visits the first interleavings, on any model.
pub struct FirstInterleavings;

impl Engine for FirstInterleavings {
    fn name(&self) -> &'static str {
        "interleavings"
    }

    fn ask(&self, task: Task<'_>, budget: Budget<'_>) -> Option<Reply> {
        let Seen { violations, coverage, states } =
            visit_first(task.program, task.model.is_of_language(), task.questions, budget)?;
        let mut left = task.questions.clone();
        left.properties.retain(|property| !violations.contains_key(property));
        left.coverage &= states == 0 || !coverage.is_all_of(task.program);
        let mut report = Report::of_violations(violations);
        report.statistics.states = states;
        report.behaviours.coverage = task.questions.coverage.then_some(coverage);
        Some(Reply { report, left, discarded: false, gave_up_early: false })
    }
}

/// What the first interleavings show that the model allows, too.
struct Seen {
    violations: BTreeMap<Property, Counterexample>,
    coverage: Coverage,
    /// How many states were visited.
    states: usize,
}

/// What the first interleavings of a program show to be wrong that is confirmed, where allocations
/// are no accesses.
pub(crate) fn violations(
    program: &Program,
    questions: &Questions,
    budget: Budget<'_>,
) -> BTreeMap<Property, Counterexample> {
    visit_first(program, false, questions, budget).map(|seen| seen.violations).unwrap_or_default()
}

/// The branches and assertions that the first interleavings reach and the model allows. On a machine
/// with one memory, or with store buffers, that is each of them, and long ones are not replayed.
pub(crate) fn coverage(program: &Program, model: &Model, budget: Budget<'_>) -> Coverage {
    let Budget { options, confirm, portfolio } = budget;
    if program.entry.len() != 1 {
        return Coverage::default();
    }
    let wanted = Wanted {
        coverage: true,
        samples: true,
        allocations: model.is_of_language(),
        briefly: true,
        no_symmetry: !options.encoding.symmetry,
        ..Wanted::default()
    };
    let limits = &options.encoding.limits;
    let visited = portfolio.interleavings.visited(program, &wanted, limits);
    let coverage = visited.map(|visited| visited.coverage.clone()).unwrap_or_default();
    let is_allowed = |witness: &Witness| {
        let is_long = witness.accesses() > LONGEST_COVERING;
        match is_long {
            true => Machine::of(model).is_some_and(|machine| !machine.has_views()),
            false => !limits.expired() && confirm(Claim::Branch(witness)),
        }
    };
    coverage.filtered(is_allowed)
}

/// What the first interleavings show, if they are asked about; `allocations` says whether these are
/// accesses.
fn visit_first(
    program: &Program,
    allocations: bool,
    questions: &Questions,
    budget: Budget<'_>,
) -> Option<Seen> {
    let Budget { options, confirm, portfolio } = budget;
    let known = questions.properties.iter().copied().filter(|&p| knows(p));
    let wanted = Wanted {
        properties: known.collect(),
        overflow: options.encoding.unroll.overflow,
        coverage: questions.coverage,
        samples: true,
        allocations,
        briefly: true,
        no_symmetry: !options.encoding.symmetry,
        ..Wanted::default()
    };
    let is_asked = portfolio.engine == EngineChoice::Either && options.encoding.journal.is_none();
    let nothing = wanted.properties.is_empty() && !wanted.coverage;
    if !is_asked || nothing || program.entry.len() != 1 {
        return None;
    }
    (options.progress)(Question::States.into());
    let limits = &options.encoding.limits;
    let visited = portfolio.interleavings.visited(program, &wanted, limits)?;
    let mut violations = visited.violations.clone();
    violations.retain(|_, counterexample| confirm(Claim::Violation(counterexample)));
    let coverage = visited.coverage.clone();
    let coverage =
        coverage.filtered(|witness| !limits.expired() && confirm(Claim::Branch(witness)));
    Some(Seen { violations, coverage, states: visited.states })
}

/// What the first interleavings of programs show: handed to all questions about one program.
#[derive(Debug, Default)]
pub struct Interleavings {
    known: Mutex<Vec<Asked>>,
    /// One that was open is no longer.
    changed: Condvar,
}

/// What was asked, and the answer.
#[derive(Debug)]
struct Asked {
    program: Program,
    wanted: Wanted,
    /// Nothing while they are being visited.
    answer: Option<Answer>,
}

/// What they show; nothing if the program is not supported.
type Answer = Option<Arc<Visited>>;

/// How often a thread that waits for the answer of another one looks at its own limits.
const POLL: Duration = Duration::from_millis(20);

impl Interleavings {
    /// What is known, or is found out now; nothing where the program is not supported, or a limit of
    /// the caller is reached while another thread finds it out.
    fn visited(&self, program: &Program, wanted: &Wanted, limits: &Limits) -> Answer {
        let mut known = self.known();
        while let Some(asked) = known.iter().find(|asked| asked.is(program, wanted)) {
            if let Some(answer) = &asked.answer {
                return answer.clone();
            }
            if limits.expired() {
                return None;
            }
            let waited = self.changed.wait_timeout(known, POLL);
            known = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        known.push(Asked { program: program.clone(), wanted: wanted.clone(), answer: None });
        drop(known);
        let open = Open { all: self, program, wanted };
        let machine = Machine::Interleaving;
        let visited = super::visit(program, machine, wanted, limits, STATES);
        let answer = visited.ok().map(Arc::new);
        let limited = answer.as_ref().is_some_and(|visited| visited.limited) || limits.expired();
        if !limited {
            let mut known = self.known();
            let asked = known.iter_mut().find(|asked| asked.is(program, wanted));
            asked.expect("it is open").answer = Some(answer.clone());
        }
        drop(open);
        answer
    }

    /// All that was asked, whole also after a panic: an answer is set at once.
    fn known(&self) -> MutexGuard<'_, Vec<Asked>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Asked {
    fn is(&self, program: &Program, wanted: &Wanted) -> bool {
        self.wanted == *wanted && self.program == *program
    }
}

/// Something that is being found out. Without an answer it is asked anew.
struct Open<'a> {
    all: &'a Interleavings,
    program: &'a Program,
    wanted: &'a Wanted,
}

impl Drop for Open<'_> {
    fn drop(&mut self) {
        let is_open = |asked: &Asked| asked.answer.is_none() && asked.is(self.program, self.wanted);
        self.all.known().retain(|asked| !is_open(asked));
        self.all.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::compiled;
    use models::Model;
    use std::time::Instant;

    #[test]
    fn the_same_program_is_visited_once() {
        let all = Interleavings::default();
        let wanted = Wanted { properties: vec![Property::Assert], ..Wanted::default() };
        let sc = Model::named("sc").expect("a model of the library");
        let program = compiled("int main(void) { return 0; }", &sc);
        let visited = |program: &Program, limits: &Limits| all.visited(program, &wanted, limits);
        let late = Limits { deadline: Some(Instant::now()), ..Limits::default() };
        visited(&program, &late);
        assert!(all.known().is_empty(), "what was cut short is not kept");
        let first = visited(&program, &Limits::default()).expect("an answer");
        let again = visited(&program.clone(), &late).expect("an answer");
        assert!(Arc::ptr_eq(&first, &again));
        let other = visited(&compiled("int main(void) { return 1; }", &sc), &Limits::default());
        assert!(!Arc::ptr_eq(&first, &other.expect("an answer")));
    }
}
