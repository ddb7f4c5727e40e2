//! Rounds in which only what runs have shown is unrolled: a solution in which a thread comes to
//! anything else is run, and the next round knows what that has shown.

use super::bounds::EASY;
use super::round::Round;
use super::Unrolling;
use crate::explore::Exploration;
use crate::verdict::Reason;
use encoding::bounded::{BoundHit, Unseen};
use encoding::encode::Encoding;
use sat::Lit;

/// In one round, an operation is asked for this many results that its table does not have.
const MOST_ENTRIES: usize = 16;

impl<'a> Unrolling<'a> {
    /// The same, of what runs show.
    pub(crate) fn exploring(self, exploration: Option<&'a Exploration>) -> Self {
        let known = exploration.map(Exploration::known);
        let round = Round::new(self.plan().exploring(known));
        let unrolling = Unrolling { exploration, round, ..self };
        unrolling.note_explored();
        unrolling
    }

    /// A round begins: the operations of which it has made tables are known to the next one.
    pub(super) fn begin_round(&self, encoding: &Encoding<'_>) {
        if let Some(exploration) = self.exploration {
            exploration.table(&encoding.bounded.tabled);
        }
    }

    /// A bound that is none any more, because a run of this round has shown what comes there.
    pub(super) fn shown_meanwhile(
        &self,
        encoding: &Encoding<'_>,
        key: &[u32],
    ) -> Option<BoundHit> {
        let exploration = self.exploration?;
        let hit = encoding.bounded.bounds.iter().find(|hit| *hit.key == *key)?;
        exploration.has_shown(hit.unseen.as_ref()?).then(|| hit.clone())
    }

    /// Runs a solution in which threads come to what no run has shown.
    pub(super) fn run_solution(&self, encoding: &Encoding<'_>) {
        let Some(exploration) = self.exploration else { return };
        for hit in encoding.exceeded() {
            match &hit.unseen {
                Some(Unseen::Direction(direction)) => exploration.goes(direction.clone()),
                Some(Unseen::Entry { table, operands, site }) => {
                    exploration.enter(*table, &encoding.values_of(operands), *site);
                }
                None => {}
            }
        }
        let under = replay::Under { model: self.model, limits: &self.options.encoding.limits };
        exploration.run(self.program(), under, &encoding.witness());
        self.note_explored();
    }

    /// After a solution in which an operation is asked for a result that is not known: looks for
    /// others, as far as they are easy to find.
    pub(super) fn other_entries(
        &self,
        encoding: &mut Encoding<'a>,
        (key, beyond): (&[u32], Lit),
    ) -> Result<(), Reason> {
        let hit = encoding.bounded.bounds.iter().find(|hit| *hit.key == *key);
        let Some(Unseen::Entry { operands, .. }) = hit.and_then(|hit| hit.unseen.clone()) else {
            return Ok(());
        };
        let mut assumptions = vec![beyond];
        for _ in 0..MOST_ENTRIES {
            let values = encoding.values_of(&operands);
            assumptions.push(!encoding.have_values(&operands, &values));
            let another = encoding.formula.and(&assumptions);
            if self.is_possible_within(encoding, another, Some(EASY))? != Some(true) {
                break;
            }
            self.run_solution(encoding);
        }
        Ok(())
    }

    fn note_explored(&self) {
        if let Some(exploration) = self.exploration {
            self.established.borrow_mut().explored = exploration.explored();
        }
    }
}
