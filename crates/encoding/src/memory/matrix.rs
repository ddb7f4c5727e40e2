//! The literals of a relation: a known part, and rows of literals for pairs that are open.

use execution::event::EventId;
use execution::ids::Id;
use execution::relation::Relation;
use sat::Lit;
use std::rc::Rc;

/// A relation in literals. Pairs that are neither known nor listed are not related (or it is not
/// needs to know). A set is the identity on it.
#[derive(Clone, Debug)]
pub struct Matrix {
    /// Related whenever both events are executed.
    pub must: Rc<Relation>,
    rows: Vec<Vec<(EventId, Lit)>>,
}

impl Matrix {
    /// A relation with this known part and these literals, which come in order.
    pub fn new(
        must: Rc<Relation>,
        open: impl IntoIterator<Item = (EventId, EventId, Lit)>,
    ) -> Self {
        let mut rows = vec![Vec::new(); must.size()];
        for (a, b, lit) in open {
            if lit != Lit::FALSE {
                rows[a.index()].push((b, lit));
            }
        }
        Self { must, rows }
    }

    /// The open pairs of one event.
    pub fn row(&self, a: EventId) -> &[(EventId, Lit)] {
        &self.rows[a.index()]
    }

    /// The literal of a pair.
    pub fn get(&self, a: EventId, b: EventId) -> Lit {
        if self.must.contains(a, b) {
            return Lit::TRUE;
        }
        let row = self.row(a);
        row.binary_search_by_key(&b, |entry| entry.0).map_or(Lit::FALSE, |at| row[at].1)
    }

    /// The open pairs, in order.
    pub fn open(&self) -> impl Iterator<Item = (EventId, EventId, Lit)> + '_ {
        self.rows
            .iter()
            .enumerate()
            .flat_map(|(a, row)| row.iter().map(move |&(b, lit)| (EventId::new(a), b, lit)))
    }

    /// Leaves out some pairs.
    pub fn without(&self, pairs: &Relation) -> Self {
        let must = Rc::new(self.must.difference(pairs));
        Self::new(must, self.open().filter(|&(a, b, _)| !pairs.contains(a, b)))
    }

    /// `r^-1`
    pub fn inverse(&self) -> Self {
        let mut rows = vec![Vec::new(); self.rows.len()];
        for (a, b, lit) in self.open() {
            rows[b.index()].push((a, lit));
        }
        Self { must: Rc::new(self.must.inverse()), rows }
    }
}
