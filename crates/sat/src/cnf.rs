//! Clauses as plain data: what is sent to a solver, and what is written to a DIMACS file.

use crate::Lit;
use std::io::{self, Write};

/// A conjunction of clauses in which variable 1 is true.
#[derive(Clone, Debug)]
pub struct Cnf {
    variables: u32,
    clauses: usize,
    /// All clauses, each closed by a zero, as in DIMACS.
    numbers: Vec<i32>,
    /// Where a clause is put in order.
    scratch: Vec<Lit>,
}

impl Default for Cnf {
    fn default() -> Self {
        Self { variables: 1, clauses: 1, numbers: vec![1, 0], scratch: Vec::new() }
    }
}

impl Cnf {
    /// A new variable.
    pub fn fresh(&mut self) -> Lit {
        self.variables += 1;
        Lit::positive(self.variables)
    }

    /// How many variables there are, the constant included.
    pub fn variables(&self) -> u32 {
        self.variables
    }

    /// How many clauses there are.
    pub fn clauses(&self) -> usize {
        self.clauses
    }

    /// How many literals the clauses have together.
    pub fn literals(&self) -> usize {
        self.numbers.len() - self.clauses
    }

    /// How far [`Cnf::clauses_after`] can be asked.
    pub(crate) fn end(&self) -> usize {
        self.numbers.len()
    }

    /// Adds a clause without its false and repeated literals, unless it holds anyway.
    pub fn clause(&mut self, lits: &[Lit]) {
        let mut clause = std::mem::take(&mut self.scratch);
        clause.clear();
        clause.extend(lits.iter().copied().filter(|&lit| lit != Lit::FALSE));
        // A variable and its negation end up side by side.
        clause.sort_unstable_by_key(|lit| (lit.variable(), lit.is_positive()));
        clause.dedup();
        let holds = clause.contains(&Lit::TRUE) || clause.windows(2).any(|w| w[0] == !w[1]);
        if !holds {
            self.numbers.extend(clause.iter().map(|lit| lit.dimacs()));
            self.numbers.push(0);
            self.clauses += 1;
        }
        self.scratch = clause;
    }

    /// A formula that has a model iff one of these has.
    pub(crate) fn any(all: &[Cnf]) -> Cnf {
        if let [only] = all {
            return only.clone();
        }
        let mut any = Cnf::default();
        let this: Vec<Lit> = all.iter().map(|_| any.fresh()).collect();
        any.clause(&this);
        for (cnf, this) in all.iter().zip(this) {
            let offset = any.variables as i32;
            any.variables += cnf.variables;
            for clause in cnf.clauses_after(0) {
                any.numbers.push((!this).dimacs());
                any.numbers.extend(clause.iter().map(|n| n + n.signum() * offset));
                any.numbers.push(0);
            }
            any.clauses += cnf.clauses;
        }
        any
    }

    /// The clauses added after the position `start`, which [`Cnf::end`] gave earlier.
    pub(crate) fn clauses_after(&self, start: usize) -> impl Iterator<Item = &[i32]> {
        self.numbers[start..].split_inclusive(|&n| n == 0).map(|clause| &clause[..clause.len() - 1])
    }

    /// Whether it has an empty clause, so that there is nothing to solve.
    pub(crate) fn is_contradictory(&self) -> bool {
        self.clauses_after(0).any(<[i32]>::is_empty)
    }

    /// Writes a DIMACS file in which the assumptions are unit clauses. An empty clause is written as
    /// the negation of the variable that is true: checkers want a step that derives it.
    pub fn write_dimacs(&self, out: &mut dyn Write, assumptions: &[Lit]) -> io::Result<()> {
        let mut out = io::BufWriter::new(out);
        writeln!(out, "p cnf {} {}", self.variables, self.clauses + assumptions.len())?;
        for clause in self.clauses_after(0) {
            for number in if clause.is_empty() { &[-1] } else { clause } {
                write!(out, "{number} ")?;
            }
            writeln!(out, "0")?;
        }
        for lit in assumptions {
            writeln!(out, "{} 0", lit.dimacs())?;
        }
        out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clause_loses_what_does_not_matter() {
        let mut cnf = Cnf::default();
        let (a, b) = (cnf.fresh(), cnf.fresh());
        let start = cnf.end();
        cnf.clause(&[b, Lit::FALSE, a, b]);
        cnf.clause(&[a, Lit::TRUE]);
        cnf.clause(&[a, b, !a]);
        cnf.clause(&[Lit::FALSE]);
        let clauses: Vec<&[i32]> = cnf.clauses_after(start).collect();
        assert_eq!(clauses, [&[2, 3][..], &[]]);
        assert_eq!((cnf.variables(), cnf.clauses(), cnf.literals()), (3, 3, 3));
    }

    #[test]
    fn one_of_several_formulas_has_a_model_iff_their_union_has() {
        let formula = |lits: &[bool]| {
            let mut cnf = Cnf::default();
            let a = cnf.fresh();
            lits.iter().for_each(|&value| cnf.clause(&[if value { a } else { !a }]));
            cnf
        };
        let (right, wrong) = (formula(&[true]), formula(&[true, false]));
        let has_model = |all: &[Cnf]| {
            let any = Cnf::any(all);
            let mut solver = crate::backend::new(crate::BackendKind::Batsat);
            solver.reserve(any.variables());
            any.clauses_after(0).for_each(|clause| solver.add_clause(clause));
            solver.solve(&[], &crate::Limits::default()) == crate::Answer::Sat
        };
        assert!(!has_model(&[]));
        assert!(!has_model(&[wrong.clone(), wrong.clone()]));
        assert!(has_model(&[wrong.clone(), right.clone(), wrong.clone()]));
        assert!(!has_model(&[wrong]) && has_model(&[right]));
    }

    #[test]
    fn assumptions_are_written_as_unit_clauses() {
        let mut cnf = Cnf::default();
        let (a, b) = (cnf.fresh(), cnf.fresh());
        cnf.clause(&[a, !b]);
        let mut text = Vec::new();
        cnf.write_dimacs(&mut text, &[b]).unwrap();
        assert_eq!(String::from_utf8(text).unwrap(), "p cnf 3 3\n1 0\n2 -3 0\n3 0\n");
    }
}
