//! What the solver and the oracle say about one program under one model.

use encoding::bounded::{ActionKind, RegionKind};
use encoding::encode::{Encoding, Enumeration, Finding, Scope, Unknown};
use execution::finding::FindingKind;
use execution::ids::Id;
use ir::program::Program;
use ir::value::Value;
use models::Model;
use oracle::program::{Outcomes, outcomes};
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

/// What can come of a program.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Summary {
    /// Of complete executions: what globals hold in the end, and what was observed.
    pub outcomes: BTreeSet<(BTreeMap<String, String>, Vec<String>)>,
    /// What may be wrong: which thread, and what.
    pub findings: BTreeSet<(u32, String)>,
    /// The flags that some complete execution raises.
    pub flags: BTreeSet<String>,
}

impl Summary {
    fn cells(&self) -> BTreeSet<String> {
        self.outcomes.iter().flat_map(|(finals, _)| finals.keys().cloned()).collect()
    }

    fn keep(&mut self, cells: &BTreeSet<String>) {
        let outcomes = std::mem::take(&mut self.outcomes).into_iter();
        let keep = |(mut finals, seen): (BTreeMap<String, String>, _)| {
            finals.retain(|name, _| cells.contains(name));
            (finals, seen)
        };
        self.outcomes = outcomes.map(keep).collect();
    }
}

/// No loop of the programs must run longer.
const LOOP_BOUND: u32 = 3;

/// How the two compare.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Comparison {
    /// They agree; the number of outcomes.
    Agree(usize),
    /// They do not; what the difference is.
    Differ(String),
    /// One of them refuses the program, or needs too long.
    Refused(String),
}

/// Compares the two.
pub fn compare(program: &Program, model: &Model, limit: Duration) -> Comparison {
    let mut options = oracle::EnumerationOptions::for_program(model);
    options.loop_bound = LOOP_BOUND;
    options.limits.deadline = Some(Instant::now() + limit);
    match outcomes(program, model, &options) {
        Ok(outcomes) => compare_with(&outcomes, program, model, limit),
        Err(problem) => Comparison::Refused(format!("oracle: {problem}")),
    }
}

/// Compares what the oracle has said with what the solver says.
pub fn compare_with(
    outcomes: &Outcomes,
    program: &Program,
    model: &Model,
    limit: Duration,
) -> Comparison {
    let mut expected = by_oracle(outcomes);
    match by_solver(program, model, limit) {
        Ok(mut found) => {
            // Each looks only at cells that, as far as it knows, some execution touches.
            let both = &expected.cells() & &found.cells();
            expected.keep(&both);
            found.keep(&both);
            match difference(&expected, &found) {
                None => Comparison::Agree(expected.outcomes.len()),
                Some(text) => Comparison::Differ(text),
            }
        }
        Err(Trouble::Refused(why)) => Comparison::Refused(format!("encoding: {why}")),
        Err(Trouble::Wrong(why)) => Comparison::Differ(why),
    }
}

fn difference(expected: &Summary, found: &Summary) -> Option<String> {
    let mut lines = Vec::new();
    for outcome in expected.outcomes.difference(&found.outcomes) {
        lines.push(format!("only the oracle: {outcome:?}"));
    }
    for outcome in found.outcomes.difference(&expected.outcomes) {
        lines.push(format!("only the solver: {outcome:?}"));
    }
    for finding in expected.findings.symmetric_difference(&found.findings) {
        let who = if found.findings.contains(finding) { "solver" } else { "oracle" };
        lines.push(format!("only the {who}: {} in thread {}", finding.1, finding.0));
    }
    for flag in expected.flags.symmetric_difference(&found.flags) {
        let who = if found.flags.contains(flag) { "solver" } else { "oracle" };
        lines.push(format!("only the {who}: flag {flag}"));
    }
    (!lines.is_empty()).then(|| lines.join("\n"))
}

fn by_oracle(outcomes: &Outcomes) -> Summary {
    let mut summary = Summary::default();
    for outcome in &outcomes.all {
        if let Some(flawed) = &outcome.finding {
            // These are questions of their own.
            let other = matches!(
                flawed.kind,
                FindingKind::Deadlock
                    | FindingKind::Livelock
                    | FindingKind::Leak
                    | FindingKind::LockHeld
            );
            if !other {
                summary.findings.insert((flawed.thread, flawed.kind.name().to_string()));
            }
            continue;
        }
        summary.flags.extend(outcome.flags.iter().cloned());
        // An object is identified by its address, a function by its name.
        let pointer = |text: &String| match text.starts_with('&')
            || text != "undefined" && text.starts_with(char::is_alphabetic)
        {
            true => "pointer".into(),
            false => text.clone(),
        };
        let finals = outcome.finals.iter().map(|(name, text)| (name.clone(), pointer(text)));
        let mut seen = Vec::new();
        for ((thread, operation), list) in &outcome.observation.operations {
            for observed in list {
                let operation = operation.map_or(0, |number| number + 1);
                seen.push(format!("{thread}.{operation} {}={}", observed.label, observed.text));
            }
        }
        seen.sort();
        summary.outcomes.insert((finals.collect(), seen));
    }
    summary
}

/// Why the solver gave no answer.
enum Trouble {
    Refused(String),
    Wrong(String),
}

impl From<Unknown> for Trouble {
    fn from(Unknown: Unknown) -> Self {
        Trouble::Refused("no answer within the time limit".to_string())
    }
}

/// What the solver says; it must say the same whether executions that stop early are encoded or
/// not.
fn by_solver(program: &Program, model: &Model, limit: Duration) -> Result<Summary, Trouble> {
    let summary = summary(program, model, limit, Scope::Every)?;
    let complete = self::summary(program, model, limit, Scope::Complete)?;
    if complete.outcomes == summary.outcomes && complete.flags == summary.flags {
        return Ok(summary);
    }
    let expected = Summary { findings: BTreeSet::new(), ..summary };
    let difference = difference(&expected, &complete).unwrap_or_default();
    Err(Trouble::Wrong(format!("complete executions (oracle: all of them): {difference}")))
}

fn summary(
    program: &Program,
    model: &Model,
    limit: Duration,
    scope: Scope,
) -> Result<Summary, Trouble> {
    let mut options = encoding::encode::EncodeOptions { scope, ..Default::default() };
    options.unroll.default_bound = LOOP_BOUND;
    let mut encoding = Encoding::new(program, model, &options)
        .map_err(|problem| Trouble::Refused(problem.what))?;
    encoding.formula.set_deadline(Some(Instant::now() + limit));
    if encoding.values_from_nothing(model) {
        return Err(Trouble::Refused("values from nothing".to_string()));
    }
    let mut summary = Summary::default();
    let (names, cells) = cells(&encoding);
    let mut search = Enumeration::new(&mut encoding, &cells, &[]);
    while let Some(outcome) = search.next(&mut encoding)? {
        replay(program, model, &encoding)?;
        let finals = names.iter().zip(&outcome.finals).map(|(name, value)| {
            (name.clone(), value.map_or("freed".to_string(), |value| text(&value)))
        });
        let finals = finals.collect();
        let mut seen: Vec<String> = outcome
            .seen
            .iter()
            .map(|seen| {
                let operation = number_of(&encoding, seen.operation);
                let thread = seen.thread.index();
                format!("{thread}.{operation} {}={}", seen.label, text(&seen.value))
            })
            .collect();
        seen.sort();
        summary.outcomes.insert((finals, seen));
        search.exclude(&mut encoding, &outcome);
    }
    for flag in encoding.flags.clone() {
        let mut search = Enumeration::new(&mut encoding, &[], &[flag.lit]);
        if search.next(&mut encoding)?.is_some() {
            replay(program, model, &encoding)?;
            summary.flags.insert(flag.name.to_string());
        }
    }
    for finding in encoding.findings().to_vec() {
        // What stops a thread after it has read a freed block is a consequence.
        let mut assumptions = vec![finding.wrong];
        if finding.stops {
            let same = encoding.findings().iter().filter(|other| other.thread == finding.thread);
            let reads = same.filter(|other| !other.stops && is_read(&encoding, other));
            assumptions.extend(reads.map(|other| !other.wrong));
        }
        match encoding.solve(&assumptions) {
            sat::Answer::Sat => {
                replay(program, model, &encoding)?;
                let thread = finding.thread.index() as u32;
                summary.findings.insert((thread, finding.kind.name().to_string()));
            }
            sat::Answer::Unsat => {}
            sat::Answer::Unknown => return Err(Unknown.into()),
        }
    }
    Ok(summary)
}

fn is_read(encoding: &Encoding<'_>, finding: &Finding) -> bool {
    let kind = finding.action.map(|action| &encoding.bounded.actions[action].kind);
    matches!(kind, Some(ActionKind::Read { .. }))
}

/// Every solution is an execution: the stepper runs it again, and the model allows it.
fn replay(program: &Program, model: &Model, encoding: &Encoding<'_>) -> Result<(), Trouble> {
    let witness = encoding.witness();
    match replay::replay(program, model, &witness) {
        Ok(_) => Ok(()),
        Err(mismatch) => Err(Trouble::Wrong(format!("a solution is no execution: {mismatch:?}"))),
    }
}

/// The number of an operation in its thread, from one; zero outside operations.
fn number_of(encoding: &Encoding<'_>, operation: Option<u32>) -> usize {
    let Some(index) = operation else { return 0 };
    let operations = &encoding.bounded.operations;
    let thread = operations[index as usize].thread;
    let earlier = &operations[..index as usize];
    1 + earlier.iter().filter(|operation| operation.thread == thread).count()
}

/// The cells of globals, with their names.
fn cells(encoding: &Encoding<'_>) -> (Vec<String>, Vec<(u64, ir::program::Width)>) {
    let mut found = Vec::new();
    for (address, width) in encoding.cells() {
        let Some(id) = encoding.bounded.region_at(address) else { continue };
        let region = &encoding.bounded.regions[id];
        if let RegionKind::Global { .. } = region.kind {
            let name = match address - region.base {
                0 => region.name.to_string(),
                offset => format!("{}+{offset}", region.name),
            };
            found.push((name, (address, width)));
        }
    }
    found.into_iter().unzip()
}

fn text(value: &Value) -> String {
    if !value.is_defined() {
        return "undefined".to_string();
    }
    match value.provenance.filter(|_| value.low() != 0) {
        Some(_) => "pointer".to_string(),
        None => value.as_signed().to_string(),
    }
}
