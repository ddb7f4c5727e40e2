//! Murphi models for any number of members of a scalarset: small sizes one by one, then a proof, by
//! views or by lemmas.

pub mod json;
pub mod text;

use super::{Answer, Counts, Options, Subject, Unknown, Verdict, Violation, check, words};
use crate::compile::Rejected;
pub use engines::guarded::any_number::Effort;
use engines::guarded::any_number::{Alarm, AnyNumber, MOST_TRACKED, prove};
pub use engines::guarded::cmp::CmpEffort;
use engines::guarded::cmp::explore::Suspicion;
use engines::guarded::cmp::{self, CmpTask, CmpVerdict, LemmaSource};
use execution::diagnostic::Diagnostic;
use execution::span::FileId;
use execution::span::SourceMap;
use guarded::model::{Model, PropertyId, ScalarId};
use guarded::modular::Refusal;
use guarded::reduction::{Needs, Reduction, needs};
use guarded::show;
use report::transitions::Transition;

/// Sizes up to this are explored before a proof is tried.
const EXPLORED_FIRST: u32 = MOST_TRACKED as u32;

/// And up to this where a proof fails, for a real counterexample.
const EXPLORED_AFTER: u32 = 4;

/// How other members are restricted.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Method {
    /// By views; where these give no proof, by mined lemmas.
    #[default]
    Automatic,
    /// By the set of all views: the strongest lemma about a few members.
    Views,
    /// By lemmas that are mined from small sizes.
    Mined,
    /// By the lemmas in a text, which has a name.
    Lemmas(String, String),
    /// Not at all.
    Unrestricted,
}

/// What is being done.
#[derive(Clone, Copy, Debug)]
pub enum Stage {
    /// A size is explored.
    Size(u32, Counts),
    /// A proof by views is tried.
    Views,
    /// A proof by lemmas is tried.
    Lemmas(CmpEffort),
}

/// A proof.
#[derive(Clone, Debug)]
pub enum ProvedBy {
    /// By views.
    Views(Effort),
    /// By lemmas.
    Lemmas(Box<LemmaProof>),
}

/// A proof by lemmas.
#[derive(Clone, Debug)]
pub struct LemmaProof {
    /// What it took.
    pub effort: CmpEffort,
    /// The mined lemmas that are needed, as Murphi expressions.
    pub needed: Vec<String>,
    /// Whether the proof fails without any one of them.
    pub is_minimal: bool,
    /// The same as a file of lemmas.
    pub file: String,
    /// Why views give no proof, if they were tried.
    pub instead_of_views: Option<Diagnostic>,
}

/// An execution of the abstract model that lemmas do not exclude.
#[derive(Clone, Debug)]
pub struct AbstractExecution {
    /// What would be wrong.
    pub diagnostic: Diagnostic,
    /// Whether that is a lemma of the user.
    pub is_lemma: bool,
    /// The steps to it.
    pub steps: Vec<Transition>,
    /// What was done.
    pub effort: CmpEffort,
}

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
    /// Something cannot be excluded by views.
    Alarm(Box<NotExcluded>),
    /// Something cannot be excluded by lemmas.
    Execution(Box<AbstractExecution>),
    /// The model cannot be restricted to some members, and why.
    Refused(Diagnostic),
    /// A size has no answer.
    Size(u32, Unknown),
    /// A limit was reached during the proof; how far lemmas were.
    Limit(limits::Exceeded, Option<CmpEffort>),
}

/// The verdict for any number.
#[derive(Clone, Debug)]
pub enum AnyVerdict {
    /// It holds.
    Proved(ProvedBy),
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
/// use fencepost::murphi::any_number::{AnyVerdict, Method, check_any_number};
///
/// let text = "type T: scalarset(2); var on: array[T] of boolean; free: boolean;
///     startstate begin free := true; for t: T do on[t] := false; end; end;
///     ruleset t: T do
///       rule free ==> free := false; on[t] := true; end;
///       rule on[t] ==> free := true; on[t] := false; end;
///     end;
///     invariant \"one\" forall t: T do forall u: T do t = u | !on[t] | !on[u] end end;";
/// let options = Default::default();
/// let answer = check_any_number("lock.m", text, "T", &Method::Automatic, &options, &|_| {}).unwrap();
/// assert!(matches!(answer.verdict, AnyVerdict::Proved(_)));
/// ```
pub fn check_any_number(
    name: &str,
    text: &str,
    set: &str,
    method: &Method,
    options: &Options,
    progress: &(dyn Fn(Stage) + Sync),
) -> Result<AnyAnswer, Box<Rejected>> {
    let lemmas = match method {
        Method::Lemmas(name, text) => Some((name.as_str(), text.as_str())),
        _ => None,
    };
    let question = Question { name, text, set, lemmas, options, progress };
    let mut explored = Vec::new();
    let mut sources = question.sized(1)?.subject.sources;
    let mut explore = |sizes: std::ops::RangeInclusive<u32>| -> Result<_, Box<Rejected>> {
        for members in sizes {
            let subject = question.sized_without_lemmas(members)?;
            let tell = |counts: Counts| progress(Stage::Size(members, counts));
            let Answer { verdict, counts, .. } = check(&subject, options, &tell);
            match verdict {
                Verdict::Holds => explored.push(Explored { members, counts }),
                Verdict::Violated(found) => {
                    sources = subject.sources;
                    return Ok(Some(AnyVerdict::Violated(members, found)));
                }
                Verdict::Unknown(why) => {
                    return Ok(Some(AnyVerdict::Unknown(NoProof::Size(members, why))));
                }
            }
        }
        Ok(None)
    };
    let verdict = match explore(1..=EXPLORED_FIRST)? {
        Some(verdict) => verdict,
        None => match question.proof(method)? {
            AnyVerdict::Unknown(no_proof) if !matches!(no_proof, NoProof::Limit(..)) => {
                // A real counterexample may need more members than the abstraction tracks.
                match explore(EXPLORED_FIRST + 1..=EXPLORED_AFTER)? {
                    Some(violated @ AnyVerdict::Violated(..)) => violated,
                    _ => AnyVerdict::Unknown(no_proof),
                }
            }
            // Proofs are about as many members as are tracked, or more.
            AnyVerdict::Proved(proof) => match explore(EXPLORED_FIRST + 1..=proof.fewest() - 1)? {
                None => AnyVerdict::Proved(proof),
                Some(verdict) => verdict,
            },
            verdict => verdict,
        },
    };
    Ok(AnyAnswer { verdict, explored, sources })
}

impl ProvedBy {
    /// The fewest members that it is about.
    fn fewest(&self) -> u32 {
        match self {
            Self::Views(effort) => effort.tracked as u32,
            Self::Lemmas(proof) => proof.effort.tracked as u32,
        }
    }
}

/// What is asked.
struct Question<'q> {
    name: &'q str,
    text: &'q str,
    set: &'q str,
    lemmas: Option<(&'q str, &'q str)>,
    options: &'q Options,
    progress: &'q (dyn Fn(Stage) + Sync),
}

/// The model with a number of members.
struct Sized {
    subject: Subject,
    set: ScalarId,
    lemmas: Option<FileId>,
}

impl Question<'_> {
    fn sized(&self, members: u32) -> Result<Sized, Box<Rejected>> {
        let mut sources = SourceMap::new();
        let file = sources.add_file(self.name, self.text);
        let lemmas = self.lemmas.map(|(name, text)| sources.add_file(name, text));
        let size = (self.set, members);
        let model = match front_murphi::compile_with_lemmas(&sources, file, lemmas, size) {
            Ok(model) => model,
            Err(diagnostics) => return Err(Box::new(Rejected { sources, diagnostics })),
        };
        let scalars = model.types.scalars.enumerate();
        let found = scalars.into_iter().find(|(_, one)| one.name.as_deref() == Some(self.set));
        let Some((set, _)) = found else {
            let error = Diagnostic::general(format!("there is no scalarset `{}`", self.set));
            return Err(Box::new(Rejected { sources, diagnostics: vec![error] }));
        };
        Ok(Sized { subject: Subject { sources, model }, set, lemmas })
    }

    fn sized_without_lemmas(&self, members: u32) -> Result<Subject, Box<Rejected>> {
        Ok(Question { lemmas: None, ..*self }.sized(members)?.subject)
    }

    fn proof(&self, method: &Method) -> Result<AnyVerdict, Box<Rejected>> {
        match method {
            Method::Views => self.by_views(),
            Method::Mined => self.by_lemmas(&LemmaSource::Mined),
            Method::Lemmas(..) => self.by_lemmas(&LemmaSource::Written(Vec::new())),
            Method::Unrestricted => self.by_lemmas(&LemmaSource::None),
            Method::Automatic => {
                let views = match self.by_views()? {
                    AnyVerdict::Unknown(no_proof) => no_proof,
                    proved => return Ok(proved),
                };
                let why = match &views {
                    NoProof::Refused(why) => Some(why.clone()),
                    NoProof::Alarm(alarm) => Some(alarm.diagnostic.clone()),
                    _ => return Ok(AnyVerdict::Unknown(views)),
                };
                Ok(match self.by_lemmas(&LemmaSource::Mined)? {
                    AnyVerdict::Proved(ProvedBy::Lemmas(proof)) => {
                        let proof = LemmaProof { instead_of_views: why, ..*proof };
                        AnyVerdict::Proved(ProvedBy::Lemmas(Box::new(proof)))
                    }
                    AnyVerdict::Unknown(NoProof::Refused(_)) => AnyVerdict::Unknown(views),
                    verdict => verdict,
                })
            }
        }
    }

    /// Tries views of more and more members.
    fn by_views(&self) -> Result<AnyVerdict, Box<Rejected>> {
        (self.progress)(Stage::Views);
        let mut last = None;
        for tracked in 1..=MOST_TRACKED {
            let Sized { subject, set, .. } = self.sized(tracked as u32 + 2)?;
            match prove(&subject.model, set, tracked, &self.options.limits) {
                AnyNumber::Proved(effort) => {
                    return Ok(AnyVerdict::Proved(ProvedBy::Views(effort)));
                }
                AnyNumber::Limit(why) => {
                    return Ok(AnyVerdict::Unknown(NoProof::Limit(why, None)));
                }
                AnyNumber::Refused(refusal) => {
                    last = Some(NoProof::Refused(refused(&refusal, self.set)));
                }
                AnyNumber::Alarm(alarm) => {
                    let shown = not_excluded(&subject.model, &alarm, self.set);
                    last = Some(NoProof::Alarm(Box::new(shown)));
                }
            }
        }
        Ok(AnyVerdict::Unknown(last.expect("at least one member is tracked")))
    }

    /// Tries lemmas about more and more members.
    fn by_lemmas(&self, source: &LemmaSource) -> Result<AnyVerdict, Box<Rejected>> {
        let refusal = |refusal| {
            let refused = NoProof::Refused(refused(&refusal, self.set));
            Ok(AnyVerdict::Unknown(refused))
        };
        let small = self.sized(2)?;
        let Needs { tracked: least, witnesses } = match needs(&small.subject.model, small.set) {
            Ok(needs) => needs,
            Err(why) => return refusal(why),
        };
        let mut last = None;
        for tracked in least..=least.max(MOST_TRACKED) {
            let sized = self.sized((tracked + witnesses) as u32)?;
            let model = &sized.subject.model;
            let written: Vec<PropertyId> = model
                .properties
                .enumerate()
                .filter(|(_, property)| Some(property.span.file) == sized.lemmas)
                .map(|(id, _)| id)
                .collect();
            let source = match source {
                LemmaSource::Written(_) => LemmaSource::Written(written.clone()),
                other => other.clone(),
            };
            let progress = |effort: CmpEffort| (self.progress)(Stage::Lemmas(effort));
            let task = CmpTask { source, limits: &self.options.limits, progress: &progress };
            let answer = cmp::prove(model, sized.set, (tracked, witnesses), &task);
            let effort = answer.effort;
            last = Some(match answer.verdict {
                CmpVerdict::Proved(proof) => {
                    let proof = LemmaProof {
                        effort,
                        needed: proof.text,
                        is_minimal: proof.is_minimal,
                        file: proof.file,
                        instead_of_views: None,
                    };
                    return Ok(AnyVerdict::Proved(ProvedBy::Lemmas(Box::new(proof))));
                }
                CmpVerdict::Limit(why) => {
                    return Ok(AnyVerdict::Unknown(NoProof::Limit(why, Some(effort))));
                }
                CmpVerdict::Refused(why) => NoProof::Refused(refused(&why, self.set)),
                CmpVerdict::Suspicion(found) => {
                    let is_lemma = found.what.is_ok_and(|property| written.contains(&property));
                    let shown = abstract_execution(&sized, &found, (tracked, witnesses));
                    let (diagnostic, steps) = shown;
                    let found = AbstractExecution { diagnostic, is_lemma, steps, effort };
                    NoProof::Execution(Box::new(found))
                }
            });
        }
        Ok(AnyVerdict::Unknown(last.expect("at least one member is tracked")))
    }
}

/// What would be wrong, and the abstract steps to it.
fn abstract_execution(
    sized: &Sized,
    found: &Suspicion,
    (tracked, witnesses): (usize, usize),
) -> (Diagnostic, Vec<Transition>) {
    let Sized { subject, set, .. } = sized;
    let model = &subject.model;
    let diagnostic = match found.what {
        Ok(property) => words::invariant(model, property),
        Err(fault) => words::fault_message(model, fault),
    };
    let reduction = Reduction::new(model, *set, tracked, witnesses).expect("it was reduced before");
    let steps = found.steps.iter().map(|step| (step.rule, step.values.as_slice(), &step.state));
    let shown = words::AbstractSteps { subject, reduction: &reduction };
    let fails = found.rule.as_ref().map(|(rule, values)| (*rule, values.as_slice()));
    (diagnostic, shown.show(steps, fails))
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
