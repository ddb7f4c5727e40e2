//! Witnesses of what a search has found.

use super::{Search, Stopped, Way, threads};
use crate::explicit::counterexamples::rerun;
use crate::explicit::machine::state::{Threads, bit};
use crate::explicit::search::ids::StateId;
use crate::verdict::{Counterexample, Violation};
use execution::event::ThreadId;
use execution::finding::FindingKind;
use execution::ids::IdVec;
use execution::witness::{End, Witness};

impl Search<'_> {
    /// Makes the witnesses of what was found, even if it is late.
    pub(crate) fn tell(&mut self) -> Result<(), Stopped> {
        self.layout.telling.set(true);
        let told = self.tell_all();
        self.layout.telling.set(false);
        told
    }

    fn tell_all(&mut self) -> Result<(), Stopped> {
        for (property, (violation, way)) in std::mem::take(&mut self.violations) {
            let witness = match violation {
                Violation::Finding { kind: FindingKind::Deadlock, .. } => {
                    let blocked = self.blocked.unwrap_or(Threads::MAX);
                    let waits =
                        |thread: ThreadId| (blocked & bit(thread) != 0).then_some(End::Waits);
                    self.witness_of(way.from, waits)?
                }
                Violation::Finding { kind: FindingKind::Leak | FindingKind::LockHeld, .. } => {
                    self.witness_of(way.from, |_| Some(End::Completed))?
                }
                Violation::Finding { kind: FindingKind::Livelock, .. } => {
                    let list = self.list(way.from).to_vec();
                    let mut spins: IdVec<ThreadId, bool> = IdVec::new();
                    for (thread, local) in threads(&list) {
                        spins.push(!self.steps(thread, local, list[0])?.is_empty());
                    }
                    let end =
                        |thread: ThreadId| if spins[thread] { End::Spins } else { End::Waits };
                    self.witness_of(way.from, |thread| Some(end(thread)))?
                }
                _ => self.witness(way, true)?,
            };
            let found = Counterexample { violation, witness: Some(witness) };
            self.found.violations.insert(property, found);
        }
        for (goals, way) in std::mem::take(&mut self.reached) {
            let number = self.found.coverage.witnesses.len();
            self.found.coverage.witnesses.push(self.witness(way, false)?);
            self.found.coverage.reached.extend(goals.into_iter().map(|goal| (goal, number)));
        }
        for (observed, state) in std::mem::take(&mut self.outcomes) {
            let witness = self.witness_of(state, |_| Some(End::Completed))?;
            self.found.outcomes.insert(observed, witness);
        }
        for (observed, way) in std::mem::take(&mut self.last_words) {
            let witness = self.witness(way, false)?;
            self.found.outcomes.insert(observed, witness);
        }
        Ok(())
    }

    /// The steps from the first state to one.
    pub(crate) fn path(&self, mut state: StateId) -> Vec<Way> {
        let mut path = Vec::new();
        while state != StateId::FIRST {
            let way = self.ways[state];
            path.push(way);
            state = way.from;
        }
        path.reverse();
        path
    }

    /// The execution that ends with a step, which may be wrong.
    fn witness(&self, way: Way, wrong: bool) -> Result<Witness, Stopped> {
        let mut path = self.path(way.from);
        path.push(way);
        rerun::along(self, &path, wrong)
    }

    /// The execution that comes to a state, with what becomes of the threads that have not ended; of
    /// those of which nothing is said, it does not matter.
    fn witness_of(
        &self,
        state: StateId,
        rest: impl Fn(ThreadId) -> Option<End>,
    ) -> Result<Witness, Stopped> {
        rerun::to_state(self, &self.path(state), rest)
    }
}
