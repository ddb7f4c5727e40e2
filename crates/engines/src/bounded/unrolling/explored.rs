//! Rounds in which only what runs have shown is unrolled: a solution in which a thread reaches
//! anything else is run, and the next round knows what that has shown.

use super::Unrolling;
use super::bounds::EASY;
use super::round::Round;
use crate::explore::Exploration;
use crate::verdict::Reason;
use encoding::bounded::Unseen;
use encoding::encode::Encoding;
use sat::Lit;
use std::collections::BTreeSet;

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

    /// Runs a solution in which threads reach what no run has shown.
    pub(super) fn run_solution(&self, exploration: &Exploration, encoding: &Encoding<'_>) {
        for hit in encoding.exceeded() {
            match &hit.unseen {
                Some(Unseen::Direction(direction)) => exploration.goes(direction.clone()),
                Some(Unseen::Entry { table, operands, site }) => {
                    exploration.enter(table.clone(), &encoding.values_of(operands), *site);
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
        exploration: &Exploration,
        encoding: &mut Encoding<'a>,
        (unseen, any): (&Unseen, Lit),
    ) -> Result<(), Reason> {
        let Unseen::Entry { operands, .. } = unseen else { return Ok(()) };
        let mut assumptions = vec![any];
        for _ in 0..MOST_ENTRIES {
            let values = encoding.values_of(operands);
            assumptions.push(!encoding.have_values(operands, &values));
            let another = encoding.formula.and(&assumptions);
            if self.is_possible_within(encoding, another, Some(EASY))? != Some(true) {
                break;
            }
            self.run_solution(exploration, encoding);
        }
        Ok(())
    }

    /// Finds out which values reads have, from the starts of threads to their ends, as far as that
    /// is easy. That a read has no others is known from then on: steps of an induction along the program,
    /// in which each needs those before it.
    pub(super) fn narrow_reads(&self, encoding: &mut Encoding<'a>) -> Result<(), Reason> {
        let reads = encoding.listed_reads(&self.asked(encoding));
        let mut seen: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); reads.len()];
        for number in 0..reads.len() {
            loop {
                let another = encoding.has_another_value(&reads[number], &seen[number]);
                if self.is_possible_within(encoding, another, Some(EASY))? != Some(true) {
                    break;
                }
                for (read, seen) in reads.iter().zip(&mut seen) {
                    seen.extend(encoding.read_value(read));
                }
            }
        }
        Ok(())
    }

    fn note_explored(&self) {
        if let Some(exploration) = self.exploration {
            self.established.borrow_mut().explored = exploration.explored();
            (self.options.progress)(exploration.step());
        }
    }

    /// So many properties are known to be violated.
    pub(crate) fn note_violated(&self, properties: usize) {
        if let Some(exploration) = self.exploration {
            exploration.is_violated(properties);
        }
    }
}
