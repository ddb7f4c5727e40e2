//! At most one, exactly one: pairwise for few literals, a ladder for more.
//!
//! The ladder is the sequential counter of C. Sinz, "Towards an optimal CNF encoding of Boolean
//! cardinality constraints" (CP 2005), for the bound one: rung i is true once one of the first
//! i + 1 literals is.

use crate::{Formula, Lit};

/// Above this, the quadratic number of pairs is more than the ladder needs.
const PAIRS_UP_TO: usize = 6;

impl Formula {
    /// Demands that not two of these hold.
    pub fn at_most_one(&mut self, lits: &[Lit]) {
        self.at_most_one_if(Lit::TRUE, lits);
    }

    /// Demands that one of these holds and no other.
    pub fn exactly_one(&mut self, lits: &[Lit]) {
        self.exactly_one_if(Lit::TRUE, lits);
    }

    /// Demands, where the condition holds, that one of these holds and no other.
    pub fn exactly_one_if(&mut self, condition: Lit, lits: &[Lit]) {
        self.implies_any(&[condition], lits);
        self.at_most_one_if(condition, lits);
    }

    /// Demands, where the condition holds, that not two of these hold.
    pub fn at_most_one_if(&mut self, condition: Lit, lits: &[Lit]) {
        let lits: Vec<Lit> = lits.iter().copied().filter(|&lit| lit != Lit::FALSE).collect();
        if lits.len() <= PAIRS_UP_TO {
            for (i, &a) in lits.iter().enumerate() {
                for &b in &lits[i + 1..] {
                    self.clause(&[!condition, !a, !b]);
                }
            }
        } else {
            self.ladder(condition, &lits);
        }
    }

    fn ladder(&mut self, condition: Lit, lits: &[Lit]) {
        let mut below = lits[0];
        for (i, &lit) in lits.iter().enumerate().skip(1) {
            self.clause(&[!condition, !below, !lit]);
            if i + 1 < lits.len() {
                let rung = self.fresh();
                self.clause(&[!below, rung]);
                self.clause(&[!lit, rung]);
                below = rung;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Answer, BackendKind, Formula, Lit};

    /// Whether `demand` allows exactly the values of `n` literals that `meaning` does.
    fn check(n: usize, demand: fn(&mut Formula, Lit, &[Lit]), meaning: fn(bool, u32) -> bool) {
        let mut formula = Formula::new(BackendKind::Batsat);
        let condition = formula.fresh();
        let lits: Vec<Lit> = (0..n).map(|_| formula.fresh()).collect();
        demand(&mut formula, condition, &lits);
        for bits in 0..1u32 << n {
            for on in [false, true] {
                let mut values: Vec<Lit> =
                    (0..n).map(|i| if bits >> i & 1 == 1 { lits[i] } else { !lits[i] }).collect();
                values.push(if on { condition } else { !condition });
                let answer = formula.solve(&values);
                assert_eq!(answer == Answer::Sat, meaning(on, bits.count_ones()), "{bits:b} {on}");
            }
        }
    }

    #[test]
    fn pairs_and_ladders_count_to_one() {
        for n in [0, 1, 2, 5, 6, 7, 9] {
            check(n, |f, c, lits| f.exactly_one_if(c, lits), |on, ones| !on || ones == 1);
            check(n, |f, c, lits| f.at_most_one_if(c, lits), |on, ones| !on || ones <= 1);
            check(n, |f, _, lits| f.exactly_one(lits), |_, ones| ones == 1);
            check(n, |f, _, lits| f.at_most_one(lits), |_, ones| ones <= 1);
        }
    }

    #[test]
    fn a_literal_that_is_listed_twice_counts_twice() {
        let mut formula = Formula::new(BackendKind::Batsat);
        let lits: Vec<Lit> = (0..8).map(|_| formula.fresh()).collect();
        let repeated: Vec<Lit> = lits.iter().chain(&lits[..1]).copied().collect();
        formula.at_most_one(&repeated);
        assert_eq!(formula.solve(&[lits[0]]), Answer::Unsat);
        assert_eq!(formula.solve(&[lits[1]]), Answer::Sat);
    }
}
