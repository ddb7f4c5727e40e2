//! Murphi models for any number of members of a scalarset: small sizes one by one, then a proof.

use super::{Answer, Counts, Options, Subject, Unknown, Verdict, Violation, check, words};
use crate::compile::Rejected;
pub use engines::guarded::any_number::Effort;
use engines::guarded::any_number::{Alarm, AnyNumber, MOST_TRACKED, prove};
use execution::diagnostic::Diagnostic;
use execution::span::SourceMap;
use guarded::model::Model;
use guarded::modular::Refusal;
use guarded::show;

/// Sizes up to this are explored before a proof is tried.
const EXPLORED_FIRST: u32 = MOST_TRACKED as u32;

/// And up to this where a proof fails, for a real counterexample.
const EXPLORED_AFTER: u32 = 4;

/// A size that was explored.
#[derive(Clone, Copy, Debug)]
pub struct Explored {
    /// How many members.
    pub members: u32,
    /// How much was visited.
    pub counts: Counts,
}

/// What could not be excluded.
#[derive(Clone, Debug)]
pub struct NotExcluded {
    /// What would be wrong.
    pub diagnostic: Diagnostic,
    /// The rule that fails, if one does.
    pub rule: Option<String>,
    /// The variables of the configuration; `another` is a member that is not tracked.
    pub variables: Vec<(String, String)>,
    /// How many members were tracked.
    pub tracked: usize,
}

/// Why there is no proof.
#[derive(Clone, Debug)]
pub enum NoProof {
    /// Something cannot be excluded.
    Alarm(Box<NotExcluded>),
    /// The model cannot be restricted to some members, and why.
    Refused(Diagnostic),
    /// A size has no answer.
    Size(u32, Unknown),
    /// A limit was reached during the proof.
    Limit(limits::Exceeded),
}

/// The verdict for any number.
#[derive(Clone, Debug)]
pub enum AnyVerdict {
    /// It holds.
    Proved(Effort),
    /// A size violates it.
    Violated(u32, Box<Violation>),
    /// There is no answer.
    Unknown(NoProof),
}

/// The answer for any number.
#[derive(Clone, Debug)]
pub struct AnyAnswer {
    /// The verdict.
    pub verdict: AnyVerdict,
    /// The sizes that were explored, and hold.
    pub explored: Vec<Explored>,
    /// The text of the model, to which diagnostics refer.
    pub sources: SourceMap,
}

/// Checks a model for any number of members of a scalarset.
///
/// ```
/// use fencepost::murphi::any_number::{AnyVerdict, check_any_number};
///
/// let text = "type T: scalarset(2); var on: array[T] of boolean; free: boolean;
///     startstate begin free := true; for t: T do on[t] := false; end; end;
///     ruleset t: T do
///       rule free ==> free := false; on[t] := true; end;
///       rule on[t] ==> free := true; on[t] := false; end;
///     end;
///     invariant \"one\" forall t: T do forall u: T do t = u | !on[t] | !on[u] end end;";
/// let options = Default::default();
/// let answer = check_any_number("lock.m", text, "T", &options, &|_| {}).unwrap();
/// assert!(matches!(answer.verdict, AnyVerdict::Proved(_)));
/// ```
pub fn check_any_number(
    name: &str,
    text: &str,
    set: &str,
    options: &Options,
    progress: &(dyn Fn(Counts) + Sync),
) -> Result<AnyAnswer, Box<Rejected>> {
    let mut explored = Vec::new();
    let mut sources = resized(name, text, set, 1)?.sources;
    let mut explore = |sizes: std::ops::RangeInclusive<u32>| -> Result<_, Box<Rejected>> {
        for members in sizes {
            let subject = resized(name, text, set, members)?;
            let Answer { verdict, counts, .. } = check(&subject, options, progress);
            sources = subject.sources;
            match verdict {
                Verdict::Holds => explored.push(Explored { members, counts }),
                Verdict::Violated(found) => return Ok(Some(AnyVerdict::Violated(members, found))),
                Verdict::Unknown(why) => {
                    return Ok(Some(AnyVerdict::Unknown(NoProof::Size(members, why))));
                }
            }
        }
        Ok(None)
    };
    let verdict = match explore(1..=EXPLORED_FIRST)? {
        Some(verdict) => verdict,
        None => match proof(name, text, set, options)? {
            AnyVerdict::Unknown(NoProof::Alarm(alarm)) => {
                // A real counterexample may need more members than the abstraction tracks.
                match explore(EXPLORED_FIRST + 1..=EXPLORED_AFTER)? {
                    Some(violated @ AnyVerdict::Violated(..)) => violated,
                    _ => AnyVerdict::Unknown(NoProof::Alarm(alarm)),
                }
            }
            verdict => verdict,
        },
    };
    Ok(AnyAnswer { verdict, explored, sources })
}

fn resized(name: &str, text: &str, set: &str, members: u32) -> Result<Subject, Box<Rejected>> {
    let mut sources = SourceMap::new();
    let file = sources.add_file(name, text);
    match front_murphi::compile_resized(&sources, file, set, members) {
        Ok(model) => Ok(Subject { sources, model }),
        Err(diagnostics) => Err(Box::new(Rejected { sources, diagnostics })),
    }
}

/// Tries with more and more members.
fn proof(
    name: &str,
    text: &str,
    set: &str,
    options: &Options,
) -> Result<AnyVerdict, Box<Rejected>> {
    let mut last = None;
    for tracked in 1..=MOST_TRACKED {
        let subject = resized(name, text, set, tracked as u32 + 2)?;
        let model = &subject.model;
        let scalars = model.types.scalars.enumerate();
        let found = scalars.into_iter().find(|(_, one)| one.name.as_deref() == Some(set));
        let Some((id, _)) = found else {
            let error = Diagnostic::general(format!("there is no scalarset `{set}`"));
            let (sources, diagnostics) = (subject.sources, vec![error]);
            return Err(Box::new(Rejected { sources, diagnostics }));
        };
        match prove(model, id, tracked, &options.limits) {
            AnyNumber::Proved(effort) => return Ok(AnyVerdict::Proved(effort)),
            AnyNumber::Limit(why) => return Ok(AnyVerdict::Unknown(NoProof::Limit(why))),
            AnyNumber::Refused(refusal) => last = Some(NoProof::Refused(refused(&refusal, set))),
            AnyNumber::Alarm(alarm) => {
                let shown = not_excluded(&subject.model, &alarm, set);
                last = Some(NoProof::Alarm(Box::new(shown)));
            }
        }
    }
    Ok(AnyVerdict::Unknown(last.expect("at least one member is tracked")))
}

fn refused(Refusal { what, span }: &Refusal, set: &str) -> Diagnostic {
    let message = format!("`--cmp {set}` cannot be used: {what}");
    match span {
        Some(span) => Diagnostic::error(*span, message),
        None => Diagnostic::general(message),
    }
}

fn not_excluded(model: &Model, alarm: &Alarm, set: &str) -> NotExcluded {
    let diagnostic = match alarm.what {
        Ok(property) => words::invariant(model, property),
        Err(fault) => words::fault_message(model, fault),
    };
    let rule = alarm
        .rule
        .as_ref()
        .map(|(rule, values)| words::title(model, "rule", &model.rules[*rule], values));
    let tracked = alarm.effort.tracked;
    let other = format!("{set}_{}", tracked + 2);
    let cells = show::cells(model);
    let shown = cells.iter().zip(&alarm.state);
    let shown = shown.filter(|(cell, code)| **code != 0 && !cell.name.contains(&other));
    let variables = shown.map(|(cell, code)| {
        let value = cell.value(model, *code);
        (cell.name.clone(), if value == other { "another".to_string() } else { value })
    });
    NotExcluded { diagnostic, rule, variables: variables.collect(), tracked }
}
