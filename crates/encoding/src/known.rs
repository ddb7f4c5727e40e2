//! What runs of a program have shown, where only that is encoded: directions of branches, and tables
//! of costly operations.
//!
//! The idea is that of SATCheck (Demsky, Lam, OOPSLA 2015): the formula is about what executions are
//! known to do, and a solution that needs anything else is a run that shows something new. What is
//! not known here is a [bound](crate::bounded::BoundHit) of the unrolled program, at which its
//! thread stops; where no execution reaches any, everything that the program can do is known.
//!
//! *Deviations.* Operations are tables one by one, not whole computations, and only where the analysis
//! of values cannot list their results: what has few values is exact without a run. A
//! table that grows large is given up for the operation itself ([`Known::encode_directly`]).
//!
//! *Which way an error errs.* What is listed here in excess makes a formula larger and no answer
//! wrong; an entry with a wrong result would, so results are computed by [`ir::value`].

use crate::bounded::Bounded;
use crate::term::TermId;
use crate::values::{Sets, evaluate, operands};
use ir::native::Natives;
use ir::op::BinaryOp;
use ir::step::shown::{Computed, Direction, Place as Site, Shown};
use ir::value::Value;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// Results that are one of more pairs of operands than this are not enumerated by literals.
const MANY_PAIRS: usize = 1024;
/// A table of more entries than this is given up.
const LARGEST_TABLE: usize = 1024;

/// What runs have shown.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// Whether all directions are followed.
    all_directions: bool,
    /// What runs have shown: the directions that branches have taken, and operands.
    shown: Shown,
    /// Whether costly operations are tables.
    tables: bool,
    /// The entries, in the order in which they were found.
    entries: HashMap<Computed, Vec<Vec<Value>>>,
    /// The operations that are tables.
    tabled: BTreeSet<Site>,
    /// Those that are not to be.
    direct: BTreeSet<Site>,
}

impl Known {
    /// Nothing is known yet of branches, unless `all_directions` are to be followed; costly operations
    /// become `tables`.
    pub fn new(all_directions: bool, tables: bool) -> Self {
        Known { all_directions, tables, ..Known::default() }
    }

    /// Whether a branch is followed in a direction.
    pub fn has_taken(&self, direction: &Direction) -> bool {
        self.all_directions || self.shown.directions.contains(direction)
    }

    /// A branch takes a direction; gives whether that is new.
    pub fn take(&mut self, direction: Direction) -> bool {
        self.shown.directions.insert(direction)
    }

    /// Adds what a run has shown; gives whether something of it is new.
    pub fn learn(&mut self, run: Shown) -> bool {
        let before = (self.shown.directions.len(), self.entries());
        self.shown.directions.extend(run.directions);
        for (site, (computed, all)) in run.operands {
            let is_native = matches!(computed, Computed::Native(_));
            let known = self.shown.operands.entry(site).or_insert((computed, Vec::new()));
            let known = &mut known.1;
            for operands in all {
                if known.len() < LARGEST_TABLE && !known.contains(&operands) {
                    known.push(operands);
                }
            }
            if is_native || self.is_tabled(&site) {
                self.enter_shown(site);
            }
        }
        before != (self.shown.directions.len(), self.entries())
    }

    /// The operands that runs have shown of an operation that is a table become entries.
    fn enter_shown(&mut self, site: Site) {
        let Some((table, all)) = self.shown.operands.get(&site).cloned() else { return };
        for operands in all.into_iter().filter(|all| all.iter().all(Value::is_defined)) {
            if self.entries.get(&table).is_none_or(|known| known.len() < LARGEST_TABLE) {
                self.enter(table.clone(), &operands, site);
            }
        }
    }

    /// How many directions are known.
    pub fn directions(&self) -> usize {
        self.shown.directions.len()
    }

    /// How many entries the tables have.
    pub fn entries(&self) -> usize {
        self.entries.values().map(Vec::len).sum()
    }

    /// The operations that are tables.
    pub fn tabled(&self) -> &BTreeSet<Site> {
        &self.tabled
    }

    /// These operations are tables.
    pub fn table(&mut self, sites: &BTreeSet<Site>) {
        let new: Vec<Site> = sites.difference(&self.direct).copied().collect();
        for site in new {
            if self.tabled.insert(site) {
                self.enter_shown(site);
            }
        }
    }

    /// Whether the operation of an instruction is a table.
    pub fn is_tabled(&self, site: &Site) -> bool {
        self.tabled.contains(site)
    }

    /// Whether an operation may become a table.
    pub(crate) fn may_be_table(&self, site: &Site) -> bool {
        self.tables && !self.direct.contains(site)
    }

    /// The entries of a table, as operands.
    pub(crate) fn of(&self, table: &Computed) -> &[Vec<Value>] {
        self.entries.get(table).map_or(&[], Vec::as_slice)
    }

    /// Whether a thread may stop where a table has no entry.
    pub(crate) fn may_stop(&self) -> bool {
        self.tables
    }

    /// Something is computed of these operands. If they have undefined bits, or there are many
    /// entries, an operation is not a table any more. Gives whether something is new.
    pub fn enter(&mut self, table: Computed, operands: &[Value], site: Site) -> bool {
        let defined = operands.iter().all(Value::is_defined);
        let entry: Vec<Value> = operands.iter().map(|value| value.without_provenance()).collect();
        let is_operation = matches!(table, Computed::Binary(..));
        let all = self.entries.entry(table).or_default();
        if is_operation && (!defined || all.len() >= LARGEST_TABLE) {
            return self.encode_directly(site);
        }
        let new = defined && !all.contains(&entry);
        if new {
            all.push(entry);
        }
        new
    }

    /// The operation of an instruction is to be encoded as such; gives whether that is new.
    pub fn encode_directly(&mut self, site: Site) -> bool {
        self.tabled.remove(&site);
        self.direct.insert(site)
    }
}

/// The result of something for these operands; the error says why there is none.
pub(crate) fn result(
    computed: &Computed,
    operands: &[Value],
    natives: &Natives,
) -> Result<Value, String> {
    match (computed, operands) {
        (Computed::Binary(op, _), &[a, b]) => Ok(evaluate::binary(*op, a, b)),
        (Computed::Binary(op, _), _) => Err(format!("{op:?} has two operands")),
        (Computed::Native(function), _) => natives.call(function, operands),
    }
}

/// Whether clauses for an operation are many: the solver is slow where it must find operands.
pub(crate) fn is_costly(op: BinaryOp, operands: [Option<Value>; 2]) -> bool {
    // A product with such a number is a sum of two.
    let is_sum = |value: &Value| value.bits.count_ones() <= 2;
    let few = op == BinaryOp::Mul && operands.iter().flatten().any(is_sum);
    op.is_multiplicative() && !few
}

/// Finds the operations whose results cannot be listed, which are tables from now on; gives whether
/// there are any.
pub(crate) fn must_be_tables(bounded: &Bounded, sets: &Sets, known: &mut Arc<Known>) -> bool {
    let size = |term: TermId| sets.of(bounded, term).few().map(<[_]>::len);
    let is_listed = |term: TermId| {
        let pairs = operands(bounded, term).try_fold(1, |all, it| Some(all * size(it)?));
        size(term).is_some() && pairs.is_some_and(|pairs: usize| pairs <= MANY_PAIRS)
    };
    let costly = bounded.costly.iter().filter(|(_, site)| known.may_be_table(site));
    let sites: BTreeSet<Site> =
        costly.filter(|(term, _)| !is_listed(*term)).map(|(_, site)| *site).collect();
    let new = sites.iter().any(|site| !known.is_tabled(site));
    if new {
        Arc::make_mut(known).table(&sites);
    }
    new
}

#[cfg(test)]
mod tests {
    use super::*;
    use execution::ids::Id;
    use ir::program::{BlockId, FuncId, Width};

    const PRODUCT: Computed = Computed::Binary(BinaryOp::Mul, Width::I32);

    fn site() -> Site {
        Site { function: FuncId::new(0), block: BlockId::new(0), index: 3 }
    }

    #[test]
    fn a_table_is_given_up_when_it_grows_or_an_operand_is_undefined() {
        let number = |n: u128| Value::int(Width::I32, n);
        let mut known = Known::new(false, true);
        known.table(&BTreeSet::from([site()]));
        assert!(known.enter(PRODUCT, &[number(2), number(3)], site()));
        assert!(!known.enter(PRODUCT, &[number(2), number(3)], site()), "it is known");
        let mut vague = known.clone();
        assert!(vague.enter(PRODUCT, &[Value::undef(Width::I32), number(3)], site()));
        assert!(!vague.is_tabled(&site()) && !vague.may_be_table(&site()));
        for n in 0..1100 {
            known.enter(PRODUCT, &[number(n), number(7)], site());
        }
        assert!(!known.is_tabled(&site()));
        assert_eq!(known.entries(), LARGEST_TABLE);
    }

    #[test]
    fn all_instructions_that_compute_the_same_share_a_table() {
        let number = |n: u128| Value::int(Width::I32, n);
        let (first, second) = (site(), Site { index: 7, ..site() });
        let mut known = Known::new(false, true);
        known.table(&BTreeSet::from([first, second]));
        known.enter(PRODUCT, &[number(2), number(3)], first);
        assert!(!known.enter(PRODUCT, &[number(2), number(3)], second));
        assert_eq!(known.of(&PRODUCT), [[number(2), number(3)]]);
        let wide = Computed::Binary(BinaryOp::Mul, Width::I64);
        assert!(known.of(&wide).is_empty(), "of another width");
    }

    #[test]
    fn directions_are_all_known_where_they_do_not_matter() {
        let direction: Direction = vec![0, 1, 1];
        let mut known = Known::new(false, true);
        assert!(!known.has_taken(&direction));
        assert!(known.take(direction.clone()) && !known.take(direction.clone()));
        assert!(known.has_taken(&direction));
        assert!(Known::new(true, true).has_taken(&direction));
    }

    #[test]
    fn what_is_cheap_is_no_table() {
        let number = |n: u128| Some(Value::int(Width::I32, n));
        assert!(is_costly(BinaryOp::Mul, [None, number(16_777_619)]));
        assert!(!is_costly(BinaryOp::Mul, [None, number(8)]));
        assert!(is_costly(BinaryOp::URem, [None, number(10)]));
        assert!(!is_costly(BinaryOp::Xor, [None, None]));
    }
}
