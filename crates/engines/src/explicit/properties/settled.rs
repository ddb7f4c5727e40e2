//! Whether every thread terminates on a machine with views: a condition under which neither threads
//! that wait for ever nor endless loops have to be looked for.
//!
//! A step is *up to date* if it reads the latest write wherever it reads. Nothing waits for ever if
//!
//! 1. on every round of states memory and views stay as they are, and
//! 2. from every state, steps that are up to date lead to the end of all threads.
//!
//! For an execution without an end comes, by 1, to a state from which nothing changes any more; as
//! every write becomes visible at some time, threads are up to date from there on, and by 2 a fair
//! one leaves it. An execution in which threads wait for each other ends in such a state, too. The
//! steps that are taken before all others (`search/first.rs`) keep this: a thread that waits for ever
//! and takes such a step can take it up to date, since no other thread may write what it reads, and
//! then it waits for ever still.
//!
//! Where the condition fails, the solver is asked; nothing is concluded from it.
//!
//! Soundness S-506 (verify; rc11; misses): That no thread waits for ever is concluded by the machine
//! with views from the argument in the file's head. Test:
//! crates/xtask/tests/views.rs::threads_that_wait_for_ever_are_not_overlooked.

use crate::explicit::properties::liveness::Steps;
use crate::explicit::search::Search;
use crate::explicit::search::ids::StateId;
use execution::ids::Id;

impl Search<'_> {
    /// Whether all threads terminate in every execution, where that can be seen.
    pub(crate) fn always_terminates(&mut self) -> bool {
        let states = self.states();
        self.ends.resize(states, false);
        let steps = Steps::new(states, &self.edges);
        let memory = |state: StateId| self.list(state)[0];
        let changes = |round: &Vec<StateId>| round.iter().any(|&it| memory(it) != memory(round[0]));
        if steps.strongly_connected().iter().any(changes) {
            return false;
        }
        let backwards: Vec<(StateId, StateId)> =
            self.up_to_date.iter().map(|&(from, to)| (to, from)).collect();
        let backwards = Steps::new(states, &backwards);
        let mut good = self.ends.clone();
        let mut open: Vec<StateId> =
            (0..states).filter(|&state| good[state]).map(StateId::new).collect();
        while let Some(state) = open.pop() {
            for &before in backwards.from(state) {
                if !std::mem::replace(&mut good[before.index()], true) {
                    open.push(before);
                }
            }
        }
        good.iter().all(|&good| good)
    }
}
