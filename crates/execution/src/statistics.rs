//! What an answer cost.

use serde::{Deserialize, Serialize};

/// What an answer cost.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Statistics {
    /// How often the program was unrolled.
    pub rounds: u32,
    /// Instructions of the unrolled program, in the last round.
    #[serde(default)]
    pub instructions: usize,
    /// Those of them that read shared memory.
    pub loads: usize,
    /// Those of them that write it.
    pub stores: usize,
    /// Variables of the last formula.
    pub variables: u64,
    /// Clauses of the last formula.
    pub clauses: u64,
    /// Conflicts in all rounds.
    pub conflicts: u64,
    /// CPU seconds in the solver, all rounds.
    pub solver_seconds: f64,
    /// CPU seconds outside it: unrolling and encoding.
    pub encoding_seconds: f64,
    /// CPU seconds in the solver before the last round.
    #[serde(default)]
    pub earlier_solver_seconds: f64,
    /// CPU seconds outside it before the last round.
    #[serde(default)]
    pub earlier_encoding_seconds: f64,
    /// How many serial observations there are.
    pub observations: usize,
    /// How many states were visited.
    #[serde(default)]
    pub states: usize,
    /// What concrete runs have shown, if there were any.
    #[serde(default, skip_serializing_if = "Explored::is_nothing")]
    pub explored: Explored,
    /// The execution graphs that were visited, if they were.
    #[serde(default, skip_serializing_if = "Graphs::is_nothing")]
    pub graphs: Graphs,
}

/// Execution graphs in which no thread can go on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Graphs {
    /// Those in which all threads have ended.
    pub complete: u64,
    /// Those in which some thread waits for ever, or an assumption fails.
    pub blocked: u64,
}

impl Graphs {
    /// Whether there are none.
    pub fn is_nothing(&self) -> bool {
        *self == Self::default()
    }
}

/// What concrete runs of a program have shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Explored {
    /// How many runs there were.
    pub runs: usize,
    /// How many of them showed something that none before had shown.
    pub behaviours: usize,
    /// How many directions of branches they took, by the calls that lead there.
    pub directions: usize,
    /// How many results of costly operations they showed.
    pub entries: usize,
    /// In how many of them something went wrong.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub wrong: usize,
}

fn is_zero(number: &usize) -> bool {
    *number == 0
}

impl Explored {
    /// Whether there were no runs.
    pub fn is_nothing(&self) -> bool {
        self.runs == 0
    }
}

impl Statistics {
    /// Loops were extended: what was spent until now was spent before the last round.
    pub fn next_round(&mut self) {
        self.rounds += 1;
        self.earlier_solver_seconds = self.solver_seconds;
        self.earlier_encoding_seconds = self.encoding_seconds;
    }

    /// What was spent in vain, and then on an answer.
    pub fn and(self, again: Self) -> Self {
        Self {
            rounds: self.rounds + again.rounds,
            conflicts: self.conflicts + again.conflicts,
            solver_seconds: self.solver_seconds + again.solver_seconds,
            encoding_seconds: self.encoding_seconds + again.encoding_seconds,
            earlier_solver_seconds: self.solver_seconds + again.earlier_solver_seconds,
            earlier_encoding_seconds: self.encoding_seconds + again.earlier_encoding_seconds,
            ..again
        }
    }
}
