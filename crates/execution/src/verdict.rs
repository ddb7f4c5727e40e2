//! What is answered: a verdict, the bounds it depends on, and what it rests on.
//!
//! There is one type of each. An engine names places by the ids of its program; what users read
//! names them by [`Site`]. [`Verdict::locate`] turns one into the other and loses nothing.

use crate::diagnostic::Diagnostic;
use crate::finding::FindingKind;
use crate::observation::Observation;
use crate::question::Question;
use crate::span::Location;
use crate::statistics::Explored;
use crate::witness::Witness;
use limits::{Exceeded, Limits};
use serde::{Deserialize, Serialize};

/// A place in the user's source: the innermost one that is not in an embedded header.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Site {
    /// Where.
    pub location: Location,
    /// The function that it is in.
    pub function: String,
    /// What stands there.
    pub construct: Construct,
}

/// What can be bounded at a place.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Construct {
    /// A loop, by its iterations; or a place at which nothing is bounded.
    Loop,
    /// A function that calls itself, by its calls.
    Recursion,
    /// An allocation, by its sizes.
    Allocation,
}

/// A verdict; `P` says how places are named.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict<P = Site> {
    /// Proved for the program as given: no execution leaves the bounds that were needed.
    Holds,
    /// Nothing is wrong with the executions within bounds; some leave these.
    HoldsWithinBounds(Vec<Bound<P>>),
    /// No execution terminates, within these bounds if there are any: nothing is wrong only because
    /// there is nothing to check.
    Vacuous(Vec<Bound<P>>, Unfinished),
    /// Something is wrong.
    Violated(Box<Counterexample<P>>),
    /// There is no answer; what is known nevertheless.
    #[serde(skip)]
    Inconclusive(Reason<P>, Established<P>),
}

/// A loop (or recursion) that was unrolled only to a bound, or an allocation of which only some
/// sizes were checked.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Bound<P = Site> {
    /// Where it is.
    pub place: Option<P>,
    /// How many iterations, calls or sizes were checked.
    pub iterations: u32,
    /// Whether it cannot be raised, however many iterations are allowed.
    pub fixed: bool,
    /// A store that iterations may make, so that they do more than wait.
    pub stores: Option<P>,
}

/// How far a loop was unrolled, in all threads together.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Followed<P = Site> {
    /// Where it is.
    pub place: Option<P>,
    /// The iterations where it was unrolled least.
    pub least: u32,
    /// The iterations where it was unrolled most.
    pub most: u32,
}

/// Why no execution terminates.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unfinished {
    /// These threads of a test never do, whatever the others do.
    Never(Vec<Column>),
    /// Each of them can, but not all of them in one execution.
    NotTogether,
    /// Of a whole program: assumptions fail in every execution.
    Discarded,
}

/// A thread of a test.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Column {
    /// Its number.
    pub number: usize,
    /// Its operations.
    pub operations: Vec<String>,
}

/// What is known where there is no answer. A question is in here only if it was answered with no.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Established<P = Site> {
    /// How many observations the serial executions show, if these are known.
    pub observations: Option<usize>,
    /// How many states were visited, if they were.
    pub states: Option<usize>,
    /// What concrete runs have shown, if there were any.
    pub explored: Explored,
    /// What was asked and answered.
    pub answered: Vec<Answered<P>>,
    /// What was asked last, without an answer.
    pub open: Option<Question>,
    /// The questions that must be answered with no.
    pub wanted: Vec<Question>,
    /// Whether nothing was asked yet, because operations were still run one after the other.
    pub mining: bool,
}

/// A question that was answered with no.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answered<P = Site> {
    /// Which.
    pub question: Question,
    /// The loops that were unrolled only to a bound: executions that leave it were not checked.
    pub loops: Vec<Followed<P>>,
}

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason<P = Site> {
    /// A limit was reached.
    Limit(Exceeded),
    /// The program or the model has something that the engine does not support.
    Unsupported {
        /// What.
        what: String,
        /// Where.
        place: Option<P>,
    },
    /// Executions end where the language gives no meaning to going on, so what lies past that is
    /// not known.
    Cut(Cut<P>),
    /// The input is wrong, which only execution shows.
    Input(Box<Mistake>),
    /// The engine and the replay disagree: a mistake of ours.
    Mismatch(String),
    /// The check ended in a way in which it must not: a mistake of ours.
    Internal(String),
}

/// A mistake in the input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mistake {
    /// What is wrong.
    pub error: Diagnostic,
    /// Whether its places are in the text of the specification.
    pub of_spec: bool,
}

/// A finding past which no execution goes on: a memory error, or the use of an undefined value. (A
/// failed assertion ends the program: nothing lies past it. Arithmetic that overflows goes on.)
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cut<P = Site> {
    /// What.
    pub kind: FindingKind,
    /// Where.
    pub place: Option<P>,
    /// Whether no execution terminates in another way.
    pub every: bool,
}

/// An execution with which something is wrong.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Counterexample<P = Site> {
    /// What is wrong.
    pub violation: Violation<P>,
    /// The execution; `None` for a serial one, which is found again by running the operations.
    pub witness: Option<Witness>,
}

/// What is wrong with an execution.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Violation<P = Site> {
    /// The clients saw what no serial execution shows.
    Observation {
        /// What they saw.
        seen: Observation,
        /// The closest observations of serial executions.
        nearest: Vec<Observation>,
    },
    /// The operations do not take effect where they say: one after the other, in the order of
    /// their commit points, they show something else.
    CommitPoints {
        /// What the clients saw.
        seen: Observation,
        /// The operations, by their positions in the test, in the order of their commit points;
        /// `None` if no order of whole operations follows these and keeps that of each thread.
        order: Option<Vec<usize>>,
        /// What the clients see if the operations run in this order, with the same arguments;
        /// `None` if there is no order, or if they cannot.
        serial: Option<Observation>,
    },
    /// Something went wrong in an execution.
    Finding {
        /// What.
        kind: FindingKind,
        /// Where.
        place: Option<P>,
    },
    /// The model flags the execution: a data race.
    Flag(String),
    /// Something goes wrong already where the operations run one after the other.
    Serial,
    /// Nothing is wrong: the execution reaches this.
    Reached(String),
}

impl From<Diagnostic> for Mistake {
    fn from(error: Diagnostic) -> Self {
        Self { error, of_spec: false }
    }
}

impl<P> Default for Established<P> {
    fn default() -> Self {
        Self {
            observations: None,
            states: None,
            explored: Explored::default(),
            answered: Vec::new(),
            open: None,
            wanted: Vec::new(),
            mining: false,
        }
    }
}

impl<P> Established<P> {
    /// Whether every question about what may be wrong was answered with no, within bounds: only the
    /// bounds, or whether all executions end, are left.
    pub fn is_right_within_bounds(&self) -> bool {
        let about_bounds = |question: &&Question| {
            matches!(question, Question::States | Question::Bounds | Question::Ends)
        };
        let answered = |question: &Question| {
            self.answered.iter().any(|answered| answered.question == *question)
        };
        let mut wrong = self.wanted.iter().filter(|question| !about_bounds(question)).peekable();
        wrong.peek().is_some() && wrong.all(answered)
    }

    /// What must be answered with no about a test of a data type.
    pub const OF_TESTS: [Question; 3] =
        [Question::Findings, Question::Observations, Question::Bounds];

    /// Nothing is known yet about a test of a data type.
    pub fn of_test() -> Self {
        Self { wanted: Self::OF_TESTS.to_vec(), ..Self::default() }
    }

    /// The operations of a test are still run one after the other.
    pub fn while_mining() -> Self {
        Self { mining: true, ..Self::default() }
    }

    /// Notes an answer, which counts more than an earlier one to the same question.
    pub fn note(&mut self, question: Question, loops: Vec<Followed<P>>) {
        self.answered.retain(|known| known.question != question);
        self.answered.push(Answered { question, loops });
        self.open = None;
    }
}

impl<P> Reason<P> {
    /// Which of the limits was reached; the time, if none is any more.
    pub fn limit(limits: &Limits) -> Self {
        Reason::Limit(limits.exceeded().unwrap_or(Exceeded::Time))
    }
}

impl<P> Verdict<P> {
    /// There is no answer, and nothing is known.
    pub fn unknown(reason: Reason<P>) -> Self {
        Verdict::Inconclusive(reason, Established::default())
    }

    /// The same with places named in another way.
    pub fn locate<Q>(self, name: &dyn Fn(P) -> Q) -> Verdict<Q> {
        let bounds = |bounds: Vec<Bound<P>>| -> Vec<Bound<Q>> {
            let one = |Bound { place, iterations, fixed, stores }: Bound<P>| Bound {
                place: place.map(name),
                iterations,
                fixed,
                stores: stores.map(name),
            };
            bounds.into_iter().map(one).collect()
        };
        match self {
            Verdict::Holds => Verdict::Holds,
            Verdict::HoldsWithinBounds(all) => Verdict::HoldsWithinBounds(bounds(all)),
            Verdict::Vacuous(all, unfinished) => Verdict::Vacuous(bounds(all), unfinished),
            Verdict::Violated(counterexample) => {
                let Counterexample { violation, witness } = *counterexample;
                let violation = violation.locate(name);
                Verdict::Violated(Box::new(Counterexample { violation, witness }))
            }
            Verdict::Inconclusive(reason, known) => {
                Verdict::Inconclusive(reason.locate(name), known.locate(name))
            }
        }
    }
}

impl<P> Violation<P> {
    /// The same with places named in another way.
    pub fn locate<Q>(self, name: &dyn Fn(P) -> Q) -> Violation<Q> {
        match self {
            Violation::Observation { seen, nearest } => Violation::Observation { seen, nearest },
            Violation::CommitPoints { seen, order, serial } => {
                Violation::CommitPoints { seen, order, serial }
            }
            Violation::Finding { kind, place } => {
                Violation::Finding { kind, place: place.map(name) }
            }
            Violation::Flag(flag) => Violation::Flag(flag),
            Violation::Serial => Violation::Serial,
            Violation::Reached(what) => Violation::Reached(what),
        }
    }
}

impl<P> Reason<P> {
    /// The same with places named in another way.
    pub fn locate<Q>(self, name: &dyn Fn(P) -> Q) -> Reason<Q> {
        match self {
            Reason::Limit(exceeded) => Reason::Limit(exceeded),
            Reason::Unsupported { what, place } => {
                Reason::Unsupported { what, place: place.map(name) }
            }
            Reason::Cut(Cut { kind, place, every }) => {
                Reason::Cut(Cut { kind, place: place.map(name), every })
            }
            Reason::Input(mistake) => Reason::Input(mistake),
            Reason::Mismatch(what) => Reason::Mismatch(what),
            Reason::Internal(what) => Reason::Internal(what),
        }
    }
}

impl<P> Established<P> {
    /// The same with places named in another way.
    pub fn locate<Q>(self, name: &dyn Fn(P) -> Q) -> Established<Q> {
        let followed = |Followed { place, least, most }: Followed<P>| Followed {
            place: place.map(name),
            least,
            most,
        };
        let answered = |Answered { question, loops }: Answered<P>| Answered {
            question,
            loops: loops.into_iter().map(followed).collect(),
        };
        let Self { observations, states, explored, answered: all, open, wanted, mining } = self;
        let answered = all.into_iter().map(answered).collect();
        Established { observations, states, explored, answered, open, wanted, mining }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_verdict_loses_nothing_when_its_places_are_named_or_when_it_is_stored() {
        let bound = Bound { place: Some(7), iterations: 250, fixed: true, stores: Some(8) };
        let verdict = Verdict::HoldsWithinBounds(vec![bound]);
        let located = verdict.clone().locate(&|place: i32| place.to_string());
        let [place, stores] = ["7", "8"].map(|place| Some(place.to_string()));
        let bound = Bound { place, iterations: 250, fixed: true, stores };
        assert_eq!(located, Verdict::HoldsWithinBounds(vec![bound]));
        let text = serde_json::to_string(&verdict).expect("plain data");
        assert_eq!(serde_json::from_str::<Verdict<i32>>(&text).expect("the same"), verdict);
    }
}
