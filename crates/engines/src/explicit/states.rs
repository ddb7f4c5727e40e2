//! What a program's states say, where a machine does what the model says.
//!
//! A machine with views says that there is no data race if no access that is not atomic is to a cell
//! with a list: then happens-before orders any two conflicting ones ([`data`]). A race itself is shown
//! by other engines.
//!
//! Soundness S-507 (verify; rc11; misses): That there is no data race is concluded from the marks in
//! the views of threads, which are tested, and argued in the head of `weak/data.rs`, to follow
//! happens-before. Test: crates/xtask/tests/views.rs::races_are_not_overlooked.
//!
//! [`data`]: super::machine::weak::data

use super::{Machine, Visited, Wanted};
use crate::engine::{Behaviours, Budget, Claim, Confirm, Engine, Reply, Report, Task};
use crate::verdict::{Counterexample, Cut, Established, Reason, Statistics, Verdict};
use crate::verification::{EngineChoice, Portfolio, Property, Questions};
use execution::finding::FindingKind;
use execution::question::Question;
use execution::witness::{End, Witness};
use sat::Limits;
use std::cell::Cell;
use std::collections::BTreeMap;

/// More states than this, and the solver may be faster.
const MANY: usize = 3_000_000;

/// Visits all states.
pub struct States {
    /// Whether to give up early where choices make them many.
    pub early: bool,
}

impl States {
    /// All states, unless they are very many.
    pub fn all() -> Self {
        States { early: false }
    }

    /// Few states, where choices make them many.
    pub fn early() -> Self {
        States { early: true }
    }
}

impl Engine for States {
    fn name(&self) -> &'static str {
        "states"
    }

    fn ask(&self, task: Task<'_>, budget: Budget<'_>) -> Option<Reply> {
        let mut reply = visit(task, budget, self)?;
        reply.report = reply.report.answered_all_by(self.name());
        Some(confirmed(reply, budget.confirm))
    }
}

/// This many states are visited for `explore` before the solver is asked what is never reached:
/// some seconds.
const FEW: usize = 1_000_000;

/// What the program can reach, if a machine does what the model says and has few states.
pub(crate) fn few(task: Task<'_>, budget: Budget<'_>) -> Option<Reply> {
    let Task { program, model, questions, .. } = task;
    let options = &budget.options.encoding;
    // A machine with views may do more than the model allows.
    let is_exact = |machine: &Machine| program.entry.len() == 1 && !machine.has_views();
    let machine = Machine::of(model).filter(is_exact)?;
    let wanted = Wanted {
        overflow: options.unroll.overflow,
        coverage: true,
        briefly: true,
        no_symmetry: !options.symmetry,
        ..Wanted::default()
    };
    (budget.options.progress)(Question::States.into());
    let visited = super::visit(program, machine, &wanted, &options.limits, FEW).ok()?;
    // Whether nothing was checked is for the solver to say.
    let all = visited.all && !visited.many && !visited.limited && !visited.discarded;
    let report = all.then(|| report(visited, &wanted, questions.undefined, &options.limits))?;
    Some(Reply { report, left: Questions::default(), discarded: false, gave_up_early: false })
}

/// What never ends although memory goes on changing is reported only if its replay agrees: what
/// threads do by themselves, without an access, cannot be told to it.
fn confirmed(mut reply: Reply, confirm: Confirm<'_>) -> Reply {
    let repeats = |found: &Counterexample| {
        let threads = found.witness.iter().flat_map(|witness| &witness.threads);
        threads.into_iter().any(|thread| matches!(thread.end, End::Repeats { .. }))
    };
    for verdict in reply.report.verdicts.values_mut() {
        if let Verdict::Violated(found) = verdict
            && repeats(found)
            && !confirm(Claim::Violation(found))
        {
            let what = "threads that may never terminate while memory goes on changing".to_string();
            let reason = Reason::Unsupported { what, place: None };
            *verdict = Verdict::Inconclusive(reason, Established::default());
        }
    }
    reply
}

/// Visits a program's states, if they can tell anything.
fn visit(task: Task<'_>, budget: Budget<'_>, &States { early }: &States) -> Option<Reply> {
    let Task { program, model, questions, .. } = task;
    let Budget { options, portfolio: &Portfolio { engine, .. }, .. } = budget;
    let refused = |reason: Reason| refused(questions, engine, reason);
    // Who wants formulas and proofs wants the solver.
    if matches!(engine, EngineChoice::Solver | EngineChoice::Explore | EngineChoice::Graphs)
        || options.encoding.journal.is_some()
    {
        return None;
    }
    // The machine with views has been compared with the model on too few programs so far (S-500).
    if engine != EngineChoice::States && Machine::of(model).is_some_and(Machine::has_views) {
        return None;
    }
    let Some(machine) = Machine::of(model) else {
        let what =
            format!("visiting states on {}: no machine is known that does the same", model.name);
        return refused(Reason::Unsupported { what, place: None });
    };
    let asked = questions.properties.iter().copied().filter(|p| p.is_known_to(model));
    let (properties, left): (Vec<Property>, Vec<Property>) =
        asked.partition(|&property| machine.knows(property));
    let &Questions { ref outcomes, coverage, undefined, .. } = questions;
    let observed = outcomes.is_some();
    let wanted = Wanted {
        properties: properties.clone(),
        overflow: options.encoding.unroll.overflow,
        outcomes: outcomes.clone(),
        coverage,
        together: false,
        samples: engine == EngineChoice::Either && !observed && !coverage,
        allocations: model.is_of_language(),
        briefly: engine == EngineChoice::Either,
        few_choices: engine == EngineChoice::Either && early && !observed && !coverage,
        no_symmetry: !options.encoding.symmetry,
        ..Wanted::default()
    };
    if properties.is_empty() && !observed && !coverage || program.entry.len() != 1 {
        return refused(not_known()).filter(|_| !left.is_empty());
    }
    // Who wants states does not want the solver.
    let (unknown, left) = match engine {
        EngineChoice::States => (left, Vec::new()),
        _ => (Vec::new(), left),
    };
    let left = Questions { properties: left, undefined, ..Questions::default() };
    (options.progress)(Question::States.into());
    let most = if engine == EngineChoice::States { u32::MAX as usize } else { MANY };
    let limits = &options.encoding.limits;
    let visited = super::visit(program, machine, &wanted, limits, most);
    let sure = |visited| only_confirmed(visited, machine, &properties, budget);
    let mut reply = match visited.map(sure) {
        Ok((visited, doubts)) if doubts.is_some() && !visited.many => {
            where_doubted(visited, (&wanted, &doubts), (task, engine), limits)
        }
        Ok((visited, _)) if visited.many => {
            // What is known is known; the solver is asked for the rest.
            let mut left = questions.clone();
            left.properties.retain(|property| !visited.violations.contains_key(property));
            let gave_up_early = visited.chosen;
            let mut report = report(visited, &wanted, undefined, limits);
            report.verdicts.retain(|_, verdict| matches!(verdict, Verdict::Violated(_)));
            report.rest = Verdict::Holds;
            Some(Reply { report, left, discarded: false, gave_up_early })
        }
        Ok((visited, _)) => {
            let discarded = visited.all && visited.discarded;
            let report = report(visited, &wanted, undefined, limits);
            Some(Reply { report, left, discarded, gave_up_early: false })
        }
        Err(reason) => refused(reason),
    }?;
    reply.report.verdicts.extend(without_answer(&unknown, not_known()).verdicts);
    Some(reply)
}

/// Why states do not answer everything.
fn not_known() -> Reason {
    let what = "looking for data races by visiting states".to_string();
    Reason::Unsupported { what, place: None }
}

/// What visited states leave open: what a replay doubts of what a machine does that allows more than
/// the model, and what a machine with views does not tell.
struct Doubts {
    properties: BTreeMap<Property, &'static str>,
    behaviours: bool,
}

impl Doubts {
    fn is_some(&self) -> bool {
        self.behaviours || !self.properties.is_empty()
    }
}

/// The properties that a machine with views cannot tell to be violated, but for some deadlocks; and
/// why there is no answer then.
fn told_if_they_hold(visited: &Visited) -> [(Property, bool, &'static str); 3] {
    let waits = "threads that may wait for ever, by visiting states with views";
    [
        (Property::Race, !visited.races, "possible data races, by visiting states with views"),
        (Property::Deadlock, visited.terminates, waits),
        (Property::Liveness, visited.terminates, waits),
    ]
}

const GENEROUS: &str = "accesses that are sequentially consistent next to others";
const UNCONFIRMED: &str = "an execution on the machine with views that its replay does not confirm";

/// What was found, without what a machine with views finds and no replay confirms: it may allow more
/// than the model does. Where every behaviour is confirmed, these are all that the model has.
fn only_confirmed(
    mut visited: Visited,
    machine: Machine,
    properties: &[Property],
    budget: Budget<'_>,
) -> (Visited, Doubts) {
    let mut doubts = Doubts { properties: BTreeMap::new(), behaviours: false };
    if !machine.has_views() {
        return (visited, doubts);
    }
    let confirm = budget.confirm;
    let limits = &budget.options.encoding.limits;
    let generous = visited.generous;
    visited.violations.retain(|&property, found| {
        let is_confirmed = confirm(Claim::Violation(found));
        if !is_confirmed {
            doubts.properties.insert(property, if generous { GENEROUS } else { UNCONFIRMED });
        }
        is_confirmed
    });
    for (property, holds, why) in told_if_they_hold(&visited) {
        let known = holds || visited.violations.contains_key(&property);
        if !known && properties.contains(&property) {
            doubts.properties.insert(property, why);
        }
    }
    if !generous {
        return (visited, doubts);
    }
    let doubted = Cell::new(false);
    let is_allowed = |witness: &Witness| {
        let is_confirmed = !limits.expired() && confirm(Claim::Branch(witness));
        doubted.set(doubted.get() || !is_confirmed);
        is_confirmed
    };
    visited.outcomes.retain(|_, witness| is_allowed(witness));
    visited.coverage = visited.coverage.filtered(is_allowed);
    doubts.behaviours = doubted.get();
    (visited, doubts)
}

/// What a machine says that has done more than the model allows: what is violated and confirmed,
/// and what holds for all that it does. The rest is for other engines, if they may be asked.
fn where_doubted(
    visited: Visited,
    (wanted, doubts): (&Wanted, &Doubts),
    (task, engine): (Task<'_>, EngineChoice),
    limits: &Limits,
) -> Option<Reply> {
    let questions = task.questions;
    let visited_all = visited.all;
    let discarded = visited.all && visited.discarded;
    let mut report = report(visited, wanted, questions.undefined, limits);
    let open = |what: &str| {
        let established = Established { open: Some(Question::States), ..Established::default() };
        let reason = Reason::Unsupported { what: what.to_string(), place: None };
        Verdict::Inconclusive(reason, established)
    };
    if doubts.behaviours {
        report.rest = open(GENEROUS);
    }
    if visited_all {
        let doubted = doubts.properties.iter();
        report.verdicts.extend(doubted.map(|(&property, why)| (property, open(why))));
    }
    let is_open = |property: &Property| {
        !matches!(report.verdicts.get(property), Some(Verdict::Violated(_) | Verdict::Holds))
    };
    let properties = questions.properties.iter().copied().filter(is_open).collect();
    let left = match engine {
        EngineChoice::States => Questions::default(),
        _ if doubts.behaviours => Questions { properties, ..questions.clone() },
        _ => Questions { properties, undefined: questions.undefined, ..Questions::default() },
    };
    Some(Reply { report, left, discarded, gave_up_early: false })
}

/// The same reason for having no answer to anything.
fn without_answer(properties: &[Property], reason: Reason) -> Report {
    let established = Established { open: Some(Question::States), ..Established::default() };
    let rest = Verdict::Inconclusive(reason, established);
    let verdicts = properties.iter().map(|&property| (property, rest.clone())).collect();
    let (behaviours, statistics) = (Behaviours::default(), Statistics::default());
    Report {
        verdicts,
        behaviours,
        rest,
        cut: None,
        statistics,
        ..Report::of_violations(BTreeMap::new())
    }
}

/// What is said if states cannot be visited: nothing, unless the user wants just that.
fn refused(questions: &Questions, engine: EngineChoice, reason: Reason) -> Option<Reply> {
    let reply = || Reply {
        report: without_answer(&questions.properties, reason),
        left: Questions::default(),
        discarded: false,
        gave_up_early: false,
    };
    (engine == EngineChoice::States).then(reply)
}

/// What the states say; `undefined` asks whether an undefined value is used.
fn report(visited: Visited, wanted: &Wanted, undefined: bool, limits: &Limits) -> Report {
    let cut = cut(&visited, undefined);
    let Visited { all, mut violations, coverage, outcomes, states, .. } = visited;
    let Visited { busy, starved, .. } = visited;
    let rest = match all {
        true => Verdict::Holds,
        false => {
            let (states, open) = (Some(states), Some(Question::States));
            let known = Established { states, open, ..Established::default() };
            Verdict::Inconclusive(Reason::limit(limits), known)
        }
    };
    let verdict = |&property: &Property| {
        let violated = violations.remove(&property).map(Box::new);
        let open = match property {
            Property::Liveness if busy => {
                Some("threads that may never terminate while memory goes on changing")
            }
            Property::Deadlock if starved => {
                Some("threads that wait while others keep busy for ever")
            }
            _ => None,
        };
        let right = match open.filter(|_| all) {
            Some(what) => {
                let reason = Reason::Unsupported { what: what.to_string(), place: None };
                Verdict::Inconclusive(reason, Established::default())
            }
            None => rest.clone(),
        };
        (property, violated.map_or(right, Verdict::Violated))
    };
    let verdicts = wanted.properties.iter().map(verdict).collect();
    let behaviours = Behaviours {
        outcomes: wanted.outcomes.is_some().then_some(outcomes),
        coverage: wanted.coverage.then_some(coverage),
    };
    let statistics = Statistics { rounds: 1, states, ..Statistics::default() };
    Report { verdicts, behaviours, rest, cut, statistics, ..Report::of_violations(BTreeMap::new()) }
}

/// Where all executions end, or one with the use of an undefined value if that is asked.
fn cut(visited: &Visited, undefined: bool) -> Option<Cut> {
    let every = visited.all && !visited.ends;
    let is_asked = |kind: &FindingKind| !undefined && Property::of(kind) == Some(Property::Memory);
    // What is not supported hides most: outcomes and branches, too.
    let ours = |(kind, _): &&(FindingKind, _)| matches!(kind, FindingKind::NotSupported(_));
    let ours = visited.cuts.iter().find(ours);
    let cut = ours.or_else(|| visited.cuts.iter().find(|(kind, _)| every || !is_asked(kind)));
    cut.map(|(kind, place)| Cut { kind: kind.clone(), place: *place, every })
}
