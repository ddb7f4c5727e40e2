//! Axioms and flags: a test of a term that must pass, must fail, or whose outcome is a literal.
//!
//! A test passes if there is no pair (no reflexive pair, no cycle), for which related pairs
//! must have true literals; it fails if there is one, for which true literals must be of related
//! pairs.

use super::bounds::{Bounds, Frame};
use super::plan::Plan;
use super::polarity::{Direction, Needs};
use super::relate::Relate;
use execution::event::EventId;
use execution::ids::Id;
use execution::relation::Relation;
use models::Axiom;
use models::algebra::Terms;
use models::ast::{Role, Test};
use sat::Lit;
use sat::order::Strategy;
use std::collections::BTreeMap;

/// A test and what is to be said about it.
pub struct Check<'a> {
    pub axiom: &'a Axiom,
    /// For `acyclic`.
    pub plan: Plan,
    /// Whether it is to pass (or to fail).
    pub pass: bool,
}

impl<'a> Check<'a> {
    /// What an axiom demands, or what raises a flag.
    pub fn new(axiom: &'a Axiom, terms: &Terms, bounds: &Bounds<'_>, frame: &Frame) -> Self {
        let plan = Plan::new(terms, bounds, frame, axiom.term);
        // `flag` speaks when its test passes, `undefined_unless` and `assert` when theirs fail.
        let wanted = matches!(axiom.role, Role::Axiom | Role::Flag);
        Self { axiom, plan, pass: wanted != axiom.negated }
    }

    /// Whether it demands that a relation has no cycle.
    pub fn is_order(&self) -> bool {
        self.axiom.test == Test::Acyclic && self.pass
    }

    fn direction(&self) -> Direction {
        if self.pass { Direction::Covers } else { Direction::Within }
    }

    /// The pairs that can make the test fail, or can be on a cycle that does.
    fn pairs(&self, bounds: &Bounds<'_>) -> Relation {
        let may = &bounds.of(self.axiom.term).may;
        match self.axiom.test {
            Test::Irreflexive => may.intersection(&Relation::identity(may.size())),
            Test::Empty | Test::Acyclic => (**may).clone(),
        }
    }

    /// Asks for the literals it reads.
    pub fn need(&self, bounds: &Bounds<'_>, needs: &mut Needs<'_>) {
        match self.axiom.test {
            Test::Acyclic if self.pass => self.plan.need(bounds, needs),
            _ => needs.add(self.axiom.term, self.direction(), &self.pairs(bounds)),
        }
    }

    /// Demands the outcome that is wanted, if `condition` holds. Returns the pairs that can
    /// make the test fail, with literals that imply that they do, if it is to fail.
    pub fn demand(
        &self,
        relate: &mut Relate<'_>,
        condition: Lit,
        strategy: Option<Strategy>,
    ) -> Vec<((EventId, EventId), Lit)> {
        match (self.axiom.test, self.pass) {
            (Test::Acyclic, true) => {
                for edges in self.plan.edges(relate) {
                    edges.demand(relate, condition, strategy);
                }
                Vec::new()
            }
            (_, true) => {
                self.demand_none(relate, condition);
                Vec::new()
            }
            (Test::Acyclic, false) => self.demand_cycle(relate, condition),
            (_, false) => {
                let found = self.witnesses(relate);
                some(relate, condition, &found);
                found
            }
        }
    }

    fn demand_none(&self, relate: &mut Relate<'_>, condition: Lit) {
        let literals = relate.literals(self.axiom.term, Direction::Covers);
        let strict = relate.strict[self.axiom.term.index()];
        for (a, b) in self.pairs(relate.bounds).iter() {
            let lit = literals.get(a, b);
            let known = lit == Lit::TRUE;
            let mut clause = vec![!condition, !lit];
            for (event, strict) in [(a, strict[0]), (b, strict[1])] {
                if known || !strict {
                    clause.push(!relate.graph.nodes[event].exec);
                }
            }
            relate.formula.clause(&clause);
        }
    }

    /// Literals that imply that the test fails because of a pair.
    fn witnesses(&self, relate: &mut Relate<'_>) -> Vec<((EventId, EventId), Lit)> {
        let literals = relate.literals(self.axiom.term, Direction::Within);
        let mut found = Vec::new();
        for (a, b) in self.pairs(relate.bounds).iter() {
            let [first, second] = [a, b].map(|event| relate.graph.nodes[event].exec);
            let lit = relate.formula.and(&[literals.get(a, b), first, second]);
            if lit != Lit::FALSE {
                found.push(((a, b), lit));
            }
        }
        found
    }

    /// A cycle: some edges, each followed by another.
    fn demand_cycle(
        &self,
        relate: &mut Relate<'_>,
        condition: Lit,
    ) -> Vec<((EventId, EventId), Lit)> {
        let found = self.witnesses(relate);
        let mut chosen = Vec::new();
        let mut leaving: BTreeMap<EventId, Vec<Lit>> = BTreeMap::new();
        for &((a, b), lit) in &found {
            let edge = relate.formula.fresh();
            relate.formula.clause(&[!edge, lit]);
            leaving.entry(a).or_default().push(edge);
            chosen.push(((a, b), edge));
        }
        for &((_, b), edge) in &chosen {
            let mut clause = vec![!edge];
            clause.extend(leaving.get(&b).into_iter().flatten());
            relate.formula.clause(&clause);
        }
        some(relate, condition, &chosen);
        chosen
    }
}

fn some(relate: &mut Relate<'_>, condition: Lit, found: &[((EventId, EventId), Lit)]) {
    let clause: Vec<Lit> = [!condition].into_iter().chain(found.iter().map(|f| f.1)).collect();
    relate.formula.clause(&clause);
}
