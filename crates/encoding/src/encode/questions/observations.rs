//! What the client sees, operation by operation.

use crate::encode::Encoding;
use crate::term::TermId;
use ir::value::Value;
use sat::Lit;
use std::collections::HashMap;
use std::sync::Arc;

/// What was seen in one operation: labels and values, in order.
pub type Observed = Vec<(Arc<str>, i128)>;

/// How many of an operation's observations were made before each.
struct Counts {
    /// `counts[i][n]`: before the `i`-th possible observation, `n` were made.
    counts: Vec<Vec<Lit>>,
    made: Vec<Lit>,
}

/// The literals of what operations see, made when asked for.
#[derive(Default)]
pub struct Observations {
    counts: HashMap<u32, Counts>,
}

impl Encoding<'_> {
    /// A literal that is true iff, in a complete execution, this is what is seen in the operation
    /// of this number in [`Bounded::operations`](crate::bounded::Bounded::operations).
    pub fn observes(
        &mut self,
        known: &mut Observations,
        operation: u32,
        seen: &[(&str, i128)],
    ) -> Lit {
        let possible: Vec<usize> = (0..self.bounded.observations.len())
            .filter(|&index| self.bounded.observations[index].operation == Some(operation))
            .collect();
        let Counts { counts, made } =
            known.counts.entry(operation).or_insert_with(|| self.count(&possible));
        let total = &counts[possible.len()];
        let mut all = vec![total.get(seen.len()).copied().unwrap_or(Lit::FALSE)];
        for (position, &index) in possible.iter().enumerate() {
            let observation = self.bounded.observations[index].clone();
            for (number, (label, value)) in seen.iter().enumerate() {
                let Some(&here) = counts[position].get(number) else { continue };
                let right = match *observation.label == **label {
                    true => self.is_number(observation.value, *value),
                    false => Lit::FALSE,
                };
                // Made as the so-many-th, it is what was seen there.
                let holds = self.formula.or(&[!here, !made[position], right]);
                all.push(holds);
            }
        }
        self.formula.and(&all)
    }

    /// Whether a term is this signed number.
    pub(crate) fn is_number(&mut self, term: TermId, number: i128) -> Lit {
        let width = self.bounded.terms.width(term);
        let Some(elements) = self.values.elements(term) else {
            return self.values.is(&mut self.formula, term, &Value::signed(width, number));
        };
        let equal = elements.iter().filter(|value| value.as_signed() == number);
        let all: Vec<Lit> =
            equal.map(|value| self.values.is(&mut self.formula, term, value)).collect();
        self.formula.or(&all)
    }

    fn count(&mut self, possible: &[usize]) -> Counts {
        let mut counts = vec![vec![Lit::TRUE]];
        let mut made = Vec::new();
        for &index in possible {
            let guard = self.bounded.observations[index].moment.guard;
            let lit = self.values.guard(&mut self.formula, guard);
            made.push(lit);
            let last = counts.last().expect("the first is there").clone();
            let mut next = Vec::new();
            for number in 0..=last.len() {
                let same = last.get(number).copied().unwrap_or(Lit::FALSE);
                let fewer = number.checked_sub(1).map_or(Lit::FALSE, |n| last[n]);
                next.push(self.formula.ite(lit, fewer, same));
            }
            counts.push(next);
        }
        Counts { counts, made }
    }

    /// After a solution: what was seen in each operation.
    pub fn observed(&self) -> Vec<Observed> {
        let mut all = vec![Observed::new(); self.bounded.operations.len()];
        for observation in &self.bounded.observations {
            let alive = self.formula.value(self.lives.at(&observation.moment));
            let made = alive && self.holds(observation.moment.guard);
            if let Some(operation) = observation.operation.filter(|_| made) {
                let value = self.values.decode(&self.formula, observation.value);
                all[operation as usize].push((observation.label.clone(), value.as_signed()));
            }
        }
        all
    }
}
