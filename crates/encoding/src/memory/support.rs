//! True literals that must be derived: each rests on others, and that may not go in circles.
//!
//! Where a literal may only be true if its pair is related, it implies one of the ways in which the
//! pair can come about. For recursive definitions that is not enough: two pairs could justify
//! each other. So each true literal picks a way, and the graph of what rests on what is acyclic,
//! which makes the picks a derivation of the least fixpoint. (As for answer sets: Gebser,
//! Janhunen, Rintanen, "Answer set programming as SAT modulo acyclicity", ECAI 2014.)
//!
//! An error here takes pairs as related that are not.

use super::acyclic;
use super::way::Ways;
use sat::order::Strategy;
use sat::{Formula, Lit};
use std::collections::HashMap;

/// What rests on what.
#[derive(Default)]
pub struct Support {
    nodes: HashMap<Lit, u32>,
    edges: Vec<(u32, u32, Lit)>,
}

impl Support {
    /// Demands that one of `ways` is taken if `lit` is true; without circles if `recursive`.
    pub fn demand(&mut self, formula: &mut Formula, lit: Lit, ways: &Ways, recursive: bool) {
        let mut clause = vec![!lit];
        let only = ways.iter().len() == 1;
        for way in ways.iter() {
            let pick = match way.lits().next() {
                None => return,
                _ if only => lit,
                Some(single) if way.lits().len() == 1 && !recursive => single,
                _ => formula.fresh(),
            };
            for needed in way.lits() {
                if needed != pick {
                    formula.clause(&[!pick, needed]);
                }
                if recursive {
                    let edge = (self.node(lit), self.node(needed), pick);
                    self.edges.push(edge);
                }
            }
            clause.push(pick);
        }
        if !only {
            formula.clause(&clause);
        }
    }

    fn node(&mut self, lit: Lit) -> u32 {
        let next = self.nodes.len() as u32;
        *self.nodes.entry(lit).or_insert(next)
    }

    /// Rules out circles. To be called once, after all demands.
    pub fn finish(self, formula: &mut Formula, strategy: Option<Strategy>) {
        if !self.edges.is_empty() {
            acyclic::demand(formula, self.nodes.len(), self.edges, strategy);
        }
    }
}
