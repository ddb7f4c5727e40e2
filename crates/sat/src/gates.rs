//! Gates: literals that stand for and, or, xor and if-then-else of others, each made only once.

use crate::{Formula, Lit};
use std::collections::HashMap;

/// The gates made so far, by what they compute.
#[derive(Default)]
pub(crate) struct Gates {
    ands: HashMap<Box<[Lit]>, Lit>,
    /// Of two positive literals.
    xors: HashMap<[Lit; 2], Lit>,
    /// Condition and then-branch positive.
    ites: HashMap<[Lit; 3], Lit>,
}

impl Formula {
    /// The literal that holds when all of these do; true for none.
    pub fn and(&mut self, lits: &[Lit]) -> Lit {
        let mut inputs: Vec<Lit> = lits.iter().copied().filter(|&lit| lit != Lit::TRUE).collect();
        inputs.sort_unstable_by_key(|lit| (lit.variable(), lit.is_positive()));
        inputs.dedup();
        if inputs.contains(&Lit::FALSE) || inputs.windows(2).any(|w| w[0] == !w[1]) {
            return Lit::FALSE;
        }
        match inputs[..] {
            [] => return Lit::TRUE,
            [lit] => return lit,
            _ => {}
        }
        if let Some(&gate) = self.gates.ands.get(&inputs[..]) {
            return gate;
        }
        let gate = self.fresh();
        let mut all = vec![gate];
        for &input in &inputs {
            self.clause(&[!gate, input]);
            all.push(!input);
        }
        self.clause(&all);
        self.gates.ands.insert(inputs.into(), gate);
        gate
    }

    /// The literal that holds when one of these does; false for none.
    pub fn or(&mut self, lits: &[Lit]) -> Lit {
        let negated: Vec<Lit> = lits.iter().map(|&lit| !lit).collect();
        !self.and(&negated)
    }

    /// The literal that holds when exactly one of two does.
    pub fn xor2(&mut self, a: Lit, b: Lit) -> Lit {
        let negative = a.is_positive() != b.is_positive();
        let [mut a, mut b] = [a, b].map(|lit| if lit.is_positive() { lit } else { !lit });
        if a > b {
            std::mem::swap(&mut a, &mut b);
        }
        let xor = match self.gates.xors.get(&[a, b]) {
            _ if a == b => Lit::FALSE,
            // Constants come first.
            _ if a == Lit::TRUE => !b,
            Some(&gate) => gate,
            None => self.new_xor(a, b),
        };
        if negative { !xor } else { xor }
    }

    fn new_xor(&mut self, a: Lit, b: Lit) -> Lit {
        let gate = self.fresh();
        self.clause(&[!gate, a, b]);
        self.clause(&[!gate, !a, !b]);
        self.clause(&[gate, !a, b]);
        self.clause(&[gate, a, !b]);
        self.gates.xors.insert([a, b], gate);
        gate
    }

    /// The literal that holds when two literals are equal.
    pub fn iff2(&mut self, a: Lit, b: Lit) -> Lit {
        !self.xor2(a, b)
    }

    /// The literal that equals `then` where `condition` holds and `otherwise` where it does not.
    pub fn ite(&mut self, condition: Lit, then: Lit, otherwise: Lit) -> Lit {
        if !condition.is_positive() {
            return self.ite(!condition, otherwise, then);
        }
        if condition == Lit::TRUE || then == otherwise {
            return then;
        }
        if then == !otherwise {
            return self.iff2(condition, then);
        }
        if then == Lit::TRUE || then == condition {
            return self.or(&[condition, otherwise]);
        }
        if then == Lit::FALSE || then == !condition {
            return self.and(&[!condition, otherwise]);
        }
        if otherwise == Lit::TRUE || otherwise == !condition {
            return self.or(&[!condition, then]);
        }
        if otherwise == Lit::FALSE || otherwise == condition {
            return self.and(&[condition, then]);
        }
        if !then.is_positive() {
            return !self.ite(condition, !then, !otherwise);
        }
        if let Some(&gate) = self.gates.ites.get(&[condition, then, otherwise]) {
            return gate;
        }
        let gate = self.fresh();
        self.clause(&[!condition, !then, gate]);
        self.clause(&[!condition, then, !gate]);
        self.clause(&[condition, !otherwise, gate]);
        self.clause(&[condition, otherwise, !gate]);
        // Implied, but they propagate before the condition is known.
        self.clause(&[!then, !otherwise, gate]);
        self.clause(&[then, otherwise, !gate]);
        self.gates.ites.insert([condition, then, otherwise], gate);
        gate
    }

    /// Demands that `conclusion` holds where `premise` does.
    pub fn implies(&mut self, premise: Lit, conclusion: Lit) {
        self.clause(&[!premise, conclusion]);
    }

    /// Demands that one of `conclusions` holds where all `premises` do.
    pub fn implies_any(&mut self, premises: &[Lit], conclusions: &[Lit]) {
        let clause: Vec<Lit> =
            premises.iter().map(|&lit| !lit).chain(conclusions.iter().copied()).collect();
        self.clause(&clause);
    }

    /// Demands that two literals are equal.
    pub fn equal(&mut self, a: Lit, b: Lit) {
        self.clause(&[!a, b]);
        self.clause(&[a, !b]);
    }
}

#[cfg(test)]
mod tests {
    use crate::{Answer, BackendKind, Formula, Lit};

    /// Literals for which every value is possible, and constants.
    fn operands(formula: &mut Formula) -> Vec<Lit> {
        let (a, b, c) = (formula.fresh(), formula.fresh(), formula.fresh());
        vec![a, !a, b, !b, c, !c, Lit::TRUE, Lit::FALSE]
    }

    /// Compares a gate with its meaning under all values of the three variables.
    fn check(formula: &mut Formula, gate: Lit, vars: [Lit; 3], meaning: impl Fn(&Formula) -> bool) {
        for bits in 0..8 {
            let values: Vec<Lit> =
                (0..3).map(|i| if bits >> i & 1 == 1 { vars[i] } else { !vars[i] }).collect();
            assert_eq!(formula.solve(&values), Answer::Sat);
            assert_eq!(formula.value(gate), meaning(formula));
        }
    }

    #[test]
    fn gates_of_all_operands_mean_what_they_say() {
        let mut formula = Formula::new(BackendKind::Batsat);
        let operands = operands(&mut formula);
        let vars = [operands[0], operands[2], operands[4]];
        for &x in &operands {
            for &y in &operands {
                let gate = formula.xor2(x, y);
                check(&mut formula, gate, vars, |f| f.value(x) != f.value(y));
                let gate = formula.iff2(x, y);
                check(&mut formula, gate, vars, |f| f.value(x) == f.value(y));
                for &z in &operands {
                    let gate = formula.and(&[x, y, z]);
                    check(&mut formula, gate, vars, |f| [x, y, z].iter().all(|&l| f.value(l)));
                    let gate = formula.or(&[x, y, z]);
                    check(&mut formula, gate, vars, |f| [x, y, z].iter().any(|&l| f.value(l)));
                    let gate = formula.ite(x, y, z);
                    check(&mut formula, gate, vars, |f| f.value(if f.value(x) { y } else { z }));
                }
            }
        }
    }

    #[test]
    fn the_same_gate_is_made_only_once() {
        let mut formula = Formula::new(BackendKind::Batsat);
        let (a, b, c) = (formula.fresh(), formula.fresh(), formula.fresh());
        let and = formula.and(&[a, b]);
        assert_eq!(formula.and(&[b, a, Lit::TRUE, b]), and);
        assert_eq!(formula.or(&[!a, !b]), !and);
        let xor = formula.xor2(a, b);
        assert_eq!(formula.xor2(!b, a), !xor);
        assert_eq!(formula.iff2(!a, b), xor);
        let ite = formula.ite(a, b, c);
        assert_eq!(formula.ite(!a, c, b), ite);
        assert_eq!(formula.ite(a, !b, !c), !ite);
        assert_eq!(formula.and(&[]), Lit::TRUE);
        assert_eq!(formula.or(&[]), Lit::FALSE);
    }
}
