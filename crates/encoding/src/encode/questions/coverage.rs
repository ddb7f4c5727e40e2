//! The branches and assertions that executions reach.

use crate::bounded::Goal;
use crate::encode::Encoding;
use sat::Lit;
use std::collections::BTreeMap;

impl Encoding<'_> {
    /// For each branch and assertion that the unrolled program has, a literal that is true iff some
    /// thread reaches it. Needs [`goals`](crate::unroll::UnrollOptions::goals).
    pub fn goals(&mut self) -> BTreeMap<Goal, Lit> {
        let mut moments: BTreeMap<Goal, Vec<Lit>> = BTreeMap::new();
        for (goal, moment) in &self.bounded.clone().goals {
            let lit = self.reaches(moment);
            moments.entry(*goal).or_default().push(lit);
        }
        let any = |(goal, lits): (Goal, Vec<Lit>)| (goal, self.formula.or(&lits));
        moments.into_iter().map(any).collect()
    }
}
