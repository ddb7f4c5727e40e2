//! What `fencepost verify` says about a C program, engine by engine, compared with what the
//! oracle's executions show.

use super::text::{FINALS, OBSERVER};
use engines::explicit::Machine;
use engines::verification::outcomes::Observed;
use engines::verification::{EngineChoice, Property};
use execution::verdict::{Counterexample, Reason, Verdict};
use execution::witness::End;
use fencepost::verify::cell::{Answer, verify_quietly};
use fencepost::verify::plan::{Request, Subject};
use ir::prepare::{Observer, Preparation};
use ir::program::Program;
use models::Model;
use oracle::program::Outcomes;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

/// What came of asking.
#[derive(Default)]
pub(super) struct Asked {
    /// Whether there are three answers: by states, solver and oracle.
    pub three: bool,
    /// Why single answers are missing.
    pub open: Vec<String>,
    /// The verdicts.
    pub verdicts: Vec<String>,
}

/// What an engine says.
struct Said {
    engine: &'static str,
    /// About every property, what is observed and what is reached.
    all: Answer,
    /// What is observed, and in memory in the end.
    ends: Answer,
}

/// What all engines that know a model say.
pub(super) struct Verified {
    said: Vec<Said>,
    /// What is wrong with that by itself: one line each.
    pub differences: Vec<String>,
}

impl Verified {
    /// Asks the engines.
    pub(super) fn new(
        program: &Program,
        model: &Arc<Model>,
        limit: Duration,
        asked: &mut Asked,
    ) -> Self {
        let solvers = [(EngineChoice::Solver, "solver"), (EngineChoice::Explore, "explore")];
        let states = Machine::of(model).map(|_| (EngineChoice::States, "states"));
        // What it refuses leaves the comparison of the others as it is: it comes first.
        let graphs = model.is_closed_under_parts().then_some((EngineChoice::Graphs, "graphs"));
        let engines = graphs.into_iter().chain(states).chain(solvers);
        let mut said = Vec::new();
        let mut differences = Vec::new();
        for (engine, name) in engines {
            let request = Request {
                engine,
                properties: Property::ALL.to_vec(),
                observe: true,
                coverage: true,
                time_limit: Some(limit),
                ..Request::default()
            };
            let ends = Request { properties: Vec::new(), coverage: false, ..request.clone() };
            let observer = Some(Observer { function: OBSERVER.to_string(), others: true });
            let at_the_end = Preparation { observer, ..Preparation::default() };
            let all = ask(program.clone(), model, request, &Preparation::default());
            let ends = ask(program.clone(), model, ends, &at_the_end);
            for why in all.outcomes.iter().map(|(_, outcome)| outcome).chain([&ends.rest]) {
                match &why.verdict {
                    Verdict::Inconclusive(Reason::Mismatch(what) | Reason::Internal(what), _) => {
                        differences.push(format!("{name}: our mistake: {what}"));
                    }
                    Verdict::Inconclusive(why, _) => asked.open.push(format!("{name}: {why:?}")),
                    _ => {}
                }
            }
            for (property, outcome) in &all.outcomes {
                asked.verdicts.push(format!("{name}: {property} {}", word(&outcome.verdict)));
            }
            said.push(Said { engine: name, all, ends });
        }
        asked.open.sort();
        asked.open.dedup();
        for pair in said.windows(2) {
            differences.extend(between(&pair[0], &pair[1]));
        }
        Self { said, differences }
    }

    /// How many engines list all outcomes.
    pub(super) fn answers(&self) -> usize {
        let answers = |said: &&Said| said.ends.observed.is_some() && known(&said.ends.rest.verdict);
        self.said.iter().filter(answers).count()
    }

    /// Compares with what the oracle finds, where overflow is wrong and where it wraps; what
    /// differs, one line each. What is in memory in the end is compared if `main` awaits all threads.
    pub(super) fn compare(
        &self,
        checked: &Outcomes,
        wrapped: &Outcomes,
        all_awaited: bool,
        asked: &mut Asked,
    ) -> Vec<String> {
        let mut all = Vec::new();
        for (property, _) in self.said.iter().take(1).flat_map(|said| &said.all.outcomes) {
            let outcomes = if *property == Property::Overflow { checked } else { wrapped };
            let word = match (shows(*property, outcomes), outcomes.bounded) {
                (true, _) => "violated",
                (false, true) => "holds within bounds",
                (false, false) => "holds",
            };
            asked.verdicts.push(format!("oracle: {property} {word}"));
        }
        for said in &self.said {
            let name = said.engine;
            for (property, outcome) in &said.all.outcomes {
                // Executions go on past an overflow.
                let outcomes = if *property == Property::Overflow { checked } else { wrapped };
                let what = difference(*property, &outcome.verdict, outcomes);
                all.extend(what.map(|what| format!("{name}, {property}: {what}")));
            }
            let ends = ends(&said.ends, wrapped).filter(|_| all_awaited);
            all.extend(ends.map(|what| format!("{name}, outcomes: {what}")));
        }
        all
    }
}

fn ask(program: Program, model: &Arc<Model>, request: Request, how: &Preparation) -> Answer {
    verify_quietly(&Subject::new(program, model.clone(), request, how), model)
}

fn known(outcome: &Verdict) -> bool {
    matches!(outcome, Verdict::Holds)
}

fn word(outcome: &Verdict) -> &'static str {
    match outcome {
        Verdict::Holds => "holds",
        Verdict::HoldsWithinBounds(_) => "holds within bounds",
        Verdict::Vacuous(..) => "holds of nothing",
        Verdict::Violated(_) => "violated",
        Verdict::Inconclusive(..) => "open",
    }
}

/// What the two engines differ in.
fn between(first: &Said, second: &Said) -> Vec<String> {
    let mut all = Vec::new();
    let [a, b] = [first.engine, second.engine];
    for (property, outcome) in &first.all.outcomes {
        let other =
            second.all.outcome(*property).map_or("not asked", |outcome| word(&outcome.verdict));
        let pair = [word(&outcome.verdict), other];
        if matches!(pair, ["holds", "violated"] | ["violated", "holds"]) {
            all.push(format!("{property}: {a} says {}, {b} says {}", pair[0], pair[1]));
        }
    }
    for (mine, other) in [(&first.all, &second.all), (&first.ends, &second.ends)] {
        if !known(&mine.rest.verdict) || !known(&other.rest.verdict) {
            continue;
        }
        let observed = |answer: &Answer| -> BTreeSet<Observed> {
            answer.observed.iter().flatten().cloned().collect()
        };
        let reached = |answer: &Answer| -> BTreeSet<String> {
            let all = answer.covered.iter().flatten();
            all.filter(|goal| goal.witness.is_some()).map(|goal| goal.name.clone()).collect()
        };
        let (x, y) = (observed(mine), observed(other));
        all.extend(x.difference(&y).map(|seen| format!("only {a} observes {seen:?}")));
        all.extend(y.difference(&x).map(|seen| format!("only {b} observes {seen:?}")));
        let (x, y) = (reached(mine), reached(other));
        all.extend(x.difference(&y).map(|goal| format!("only {a} reaches {goal}")));
        all.extend(y.difference(&x).map(|goal| format!("only {b} reaches {goal}")));
    }
    all
}

/// How the outcomes that `verify` lists differ from those of the oracle.
fn ends(answer: &Answer, outcomes: &Outcomes) -> Option<String> {
    let observed = answer.observed.as_ref().filter(|_| known(&answer.rest.verdict))?;
    // The oracle reports only places that are accessed while threads run.
    let mut reported: BTreeSet<&str> = FINALS.into_iter().collect();
    let complete = outcomes.all.iter().filter(|outcome| outcome.finding.is_none());
    for outcome in complete.clone() {
        reported.retain(|name| outcome.finals.contains_key(*name));
    }
    let mut expected = BTreeSet::new();
    for outcome in complete {
        // The registers of these programs hold no pointers.
        let observed = outcome.observation.operations.values().flatten();
        let seen = observed.filter_map(|o| Some((o.label.clone(), o.text.parse().ok()?)));
        // To observe what is undefined is a mistake, after which there is no outcome.
        let finals: Option<Vec<(String, i128)>> = FINALS
            .iter()
            .filter(|name| reported.contains(**name))
            .map(|name| Some((name.to_string(), outcome.finals[*name].parse().ok()?)))
            .collect();
        let Some(finals) = finals else { continue };
        expected.insert(seen.chain(finals).collect::<Labelled>());
    }
    // Labels name the threads, which the oracle numbers in another way.
    let other = |label: &str| FINALS.contains(&label) && !reported.contains(label);
    let labelled = |seen: &Observed| -> Labelled {
        seen.values().flatten().filter(|(label, _)| !other(label)).cloned().collect()
    };
    let found: BTreeSet<Labelled> = observed.iter().map(labelled).collect();
    if let Some(missed) = expected.difference(&found).next() {
        return Some(format!("only the oracle sees {missed:?}"));
    }
    let invented = found.difference(&expected).next().filter(|_| !outcomes.bounded);
    invented.map(|seen| format!("the oracle does not see {seen:?}"))
}

/// What was observed, by label.
type Labelled = BTreeMap<String, i128>;

fn difference(property: Property, outcome: &Verdict, outcomes: &Outcomes) -> Option<String> {
    match outcome {
        Verdict::Inconclusive(..) => None,
        // The oracle may have cut off the execution that shows it.
        Verdict::Violated(_) if outcomes.bounded => None,
        // It explores only some of the executions that have another finding.
        Verdict::Violated(_) if property == Property::Race && flawed(outcomes) => None,
        // It looks for races in executions that all threads end only; verify shows another one if
        // there is none of these, as where an assumption fails in every execution.
        Verdict::Violated(found) if property == Property::Race && !is_complete(found) => None,
        // A thread that waits for ever exceeds every bound, unless the solver sees that it waits.
        Verdict::HoldsWithinBounds(_)
            if matches!(property, Property::Liveness | Property::Deadlock) =>
        {
            None
        }
        Verdict::Violated(_) => {
            (!shows(property, outcomes)).then(|| "the oracle finds no violation".to_string())
        }
        Verdict::Holds | Verdict::HoldsWithinBounds(_) | Verdict::Vacuous(..) => {
            shows(property, outcomes).then(|| "only the oracle finds a violation".to_string())
        }
    }
}

fn is_complete(found: &Counterexample) -> bool {
    let mut threads = found.witness.iter().flat_map(|witness| &witness.threads);
    threads.all(|thread| thread.end == End::Completed)
}

fn flawed(outcomes: &Outcomes) -> bool {
    outcomes.all.iter().any(|outcome| outcome.finding.is_some())
}

/// Whether some execution violates the property.
fn shows(property: Property, outcomes: &Outcomes) -> bool {
    outcomes.all.iter().any(|outcome| match (property, &outcome.finding) {
        // What follows a use after the end of a lifetime is not a race of its own.
        (Property::Race, Some(flawed)) if flawed.kind.is_of_dead() => false,
        (Property::Race, _) => !outcome.flags.is_empty(),
        (_, Some(flawed)) => Property::of(&flawed.kind) == Some(property),
        (_, None) => false,
    })
}
