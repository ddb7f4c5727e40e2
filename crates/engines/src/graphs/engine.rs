//! The engine: what is asked, and what the graphs say.

use super::ahead::Refusal;
use super::leaf::{Found, Wanted};
use super::{Visited, visit};
use crate::engine::{Behaviours, Budget, Claim, Engine, Reply, Report, Task};
use crate::verdict::{Bound, Cut, Established, Reason, Statistics, Verdict};
use crate::verification::{EngineChoice, Property, Questions};
use execution::finding::FindingKind;
use execution::question::Question;
use std::collections::BTreeMap;

/// Visits each execution graph once.
pub struct Graphs;

impl Engine for Graphs {
    fn name(&self) -> &'static str {
        "graphs"
    }

    fn ask(&self, task: Task<'_>, budget: Budget<'_>) -> Option<Reply> {
        let Task { program, model, questions, .. } = task;
        if budget.portfolio.engine != EngineChoice::Graphs
            || budget.options.encoding.journal.is_some()
        {
            return None;
        }
        let asked = questions.properties.iter().copied().filter(|p| p.is_known_to(model));
        let (properties, unknown): (Vec<Property>, Vec<Property>) =
            asked.partition(|&property| knows(property));
        (budget.options.progress)(Question::Findings.into());
        let count = questions.count || questions.outcomes.is_some();
        let wanted = Wanted::of(&properties, questions, count);
        let mut report = match visit(program, model, &wanted, budget.options) {
            Ok(visited) => report(visited, questions, budget),
            Err(refusal) => without_answer(&properties, refusal),
        };
        let what = |property: Property| {
            let what = format!("looking for violations of `{property}` in execution graphs");
            Verdict::unknown(Reason::Unsupported { what, place: None })
        };
        report.verdicts.extend(unknown.into_iter().map(|property| (property, what(property))));
        if questions.coverage {
            let what = "finding out what is reached from execution graphs".to_string();
            report.rest = Verdict::unknown(Reason::Unsupported { what, place: None });
        }
        let left = Questions::default();
        Some(Reply { report, left, discarded: false, gave_up_early: false })
    }
}

/// Whether the graphs say whether a property is violated.
fn knows(property: Property) -> bool {
    match property {
        Property::Assert
        | Property::Memory
        | Property::Race
        | Property::Deadlock
        | Property::Overflow => true,
        Property::Liveness | Property::Leak => false,
    }
}

/// The same reason for having no answer to anything.
fn without_answer(properties: &[Property], Refusal { what, place }: Refusal) -> Report {
    let rest = Verdict::unknown(Reason::Unsupported { what, place });
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

/// What the graphs say.
fn report(
    Visited { mut found, all }: Visited,
    questions: &Questions,
    budget: Budget<'_>,
) -> Report {
    let options = budget.options;
    let rest = match all {
        true => within_bounds(&found, options.max_unroll),
        false => {
            let open = Some(Question::Findings);
            let known = Established { open, ..Established::default() };
            Verdict::Inconclusive(Reason::limit(&options.encoding.limits), known)
        }
    };
    let nothing_ends = all && found.violations.is_empty() && !found.ends;
    let rest = match rest {
        Verdict::Holds if nothing_ends && found.discards && found.cuts.is_empty() => {
            Verdict::Vacuous(Vec::new(), crate::verdict::Unfinished::Discarded)
        }
        rest => rest,
    };
    let mut verdicts = BTreeMap::new();
    for &property in &found.wanted.properties {
        let violated = found.violations.remove(&property).map(Box::new);
        verdicts.insert(
            property,
            match violated {
                // Whether a lock that is held in the end keeps another thread from it, the replay says.
                Some(violated)
                    if property == Property::Deadlock
                        && !(budget.confirm)(Claim::Violation(&violated)) =>
                {
                    open("locks that are held in the end")
                }
                Some(violated) => Verdict::Violated(violated),
                None if property == Property::Deadlock && found.spins => {
                    open("threads that may wait in a loop for ever")
                }
                None => rest.clone(),
            },
        );
    }
    let cut = cut(&found, questions, all && !found.ends);
    let outcomes = questions.outcomes.is_some().then_some(found.outcomes);
    let behaviours = Behaviours { outcomes, coverage: None };
    let statistics = Statistics { rounds: 1, graphs: found.counts, ..Statistics::default() };
    Report { verdicts, behaviours, rest, cut, statistics, ..Report::of_violations(BTreeMap::new()) }
}

fn open(what: &str) -> Verdict {
    Verdict::unknown(Reason::Unsupported { what: what.to_string(), place: None })
}

fn within_bounds(found: &Found, iterations: u32) -> Verdict {
    if found.bounds.is_empty() {
        return Verdict::Holds;
    }
    let bound = |&place| Bound { place, iterations, fixed: false, stores: None };
    Verdict::HoldsWithinBounds(found.bounds.iter().map(bound).collect())
}

/// Where all executions end, or one with the use of an undefined value if that is asked.
fn cut(found: &Found, questions: &Questions, every: bool) -> Option<Cut> {
    let is_asked =
        |kind: &FindingKind| !questions.undefined && Property::of(kind) == Some(Property::Memory);
    let ours = |(kind, _): &&(FindingKind, _)| matches!(kind, FindingKind::NotSupported(_));
    let first = found.cuts.iter().find(ours);
    let first = first.or_else(|| found.cuts.iter().find(|(kind, _)| every || !is_asked(kind)));
    first.map(|(kind, place)| Cut { kind: kind.clone(), place: *place, every })
}
