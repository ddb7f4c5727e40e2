//! What is known about a test although there is no answer, with places that the user wrote.

use super::cell::{BoundKind, user_place};
use engines::inclusion::Progress;
use engines::verdict;
use execution::ids::Id;
use execution::span::Location;
use ir::program::Program;

/// What must be answered with no about a test of a data type.
pub const OF_TESTS: [Progress; 3] = [Progress::Findings, Progress::Observations, Progress::Bounds];

/// What was found out before the search ended.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Established {
    /// How many observations the serial executions show, if these are known.
    pub observations: Option<usize>,
    /// How many states were visited, if they were.
    pub states: Option<usize>,
    /// The questions that were answered with no, each with the loops that were followed only so
    /// far then.
    pub answered: Vec<(Progress, Vec<Loop>)>,
    /// What was asked last, without an answer.
    pub open: Option<Progress>,
    /// The questions that must be answered with no.
    pub wanted: Vec<Progress>,
    /// Whether nothing was asked yet, because operations were still run one after the other.
    pub is_mining: bool,
}

/// A loop that was followed only so far.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Loop {
    /// Where it is.
    pub location: Option<Location>,
    /// The function that it is in.
    pub function: String,
    /// How many iterations were looked at: at least so many, and at most so many, in different
    /// threads and calls.
    pub iterations: (u32, u32),
    /// What it is.
    pub kind: BoundKind,
}

impl Established {
    /// Nothing was found out about a test of a data type.
    pub fn nothing() -> Self {
        Self { wanted: OF_TESTS.to_vec(), ..Self::default() }
    }

    /// What an engine says, where these questions must be answered with no.
    pub fn of(program: &Program, engine: &verdict::Established, wanted: &[Progress]) -> Self {
        let one = |followed: &verdict::Followed| {
            let (location, function) = match followed.place {
                Some(place) => user_place(program, place.index()),
                None => (None, String::new()),
            };
            let kind = followed
                .place
                .map_or(BoundKind::Loop, |place| BoundKind::at(program, place.index()));
            let iterations = (followed.least, followed.most);
            Loop { location, function, iterations, kind }
        };
        let answered = engine.answered.iter();
        Self {
            observations: engine.observations,
            states: engine.states,
            answered: answered.map(|a| (a.question, a.loops.iter().map(one).collect())).collect(),
            open: engine.open,
            wanted: wanted.to_vec(),
            is_mining: false,
        }
    }
}
