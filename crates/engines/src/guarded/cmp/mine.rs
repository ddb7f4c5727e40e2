//! Mines lemmas from samples, and removes those that the abstract model refutes.
//!
//! The idea: while the abstract model is explored, contents of a witness that no sample has are
//! excluded, by a lemma: the smallest set of facts about them that is true in no sample (as CMP's
//! users look at a false alarm and find what excludes it; compare the generalisation of
//! counterexamples to induction in Bradley, "SAT-based model checking without unrolling", VMCAI
//! 2011, here against samples instead of a solver). A lemma that is false in a state that the
//! abstract model reaches is removed, and that state becomes a sample. This repeats until no lemma
//! is removed. Samples only suggest lemmas: a proof is checked without them.

use super::lemma::{Fact, Lemma, Lemmas};
use super::samples::Samples;
use super::step::{Partial, Strengthening};
use super::templates::Column;
use super::tuple::choices;
use guarded::reduction::{Reduction, UNKNOWN};

/// The number of orders in which facts are dropped from a lemma; the shortest result is used.
const ORDERS: usize = 6;

/// Mines lemmas during an exploration.
pub struct Miner<'r> {
    reduction: &'r Reduction,
    /// What is mined from.
    pub samples: Samples<'r>,
    /// What was mined.
    pub lemmas: Lemmas<'r>,
    /// Whether a lemma was removed, so that the exploration must be repeated.
    pub is_dirty: bool,
    /// For each number of witnesses: choices of members with at least one of them.
    tuples: Vec<Vec<Choice>>,
}

/// Members of which a sample must exist.
#[derive(Clone, Debug)]
struct Choice {
    tuple: u32,
    /// From this position on they are witnesses.
    first: usize,
    members: Vec<usize>,
}

impl<'r> Miner<'r> {
    /// Mines from samples.
    pub fn new(reduction: &'r Reduction, samples: Samples<'r>, mut lemmas: Lemmas<'r>) -> Self {
        let tracked = reduction.tracked;
        let mut tuples = Vec::new();
        for visible in 0..=reduction.witnesses {
            let seen: Vec<usize> = (0..tracked + visible).collect();
            let mut of_visible = Vec::new();
            for members in choices(&seen, tracked) {
                // Samples have all orders: one of them is enough.
                let first = members.iter().filter(|member| **member < tracked).count();
                if members.is_sorted() && first < tracked {
                    let named: Vec<Option<usize>> = members.iter().copied().map(Some).collect();
                    of_visible.push(Choice { tuple: lemmas.tuple(&named), first, members });
                }
            }
            tuples.push(of_visible);
        }
        Self { reduction, samples, lemmas, is_dirty: false, tuples }
    }

    /// The lemma that excludes contents which no sample has.
    fn lemma(&mut self, choice: &Choice, codes: &[u16]) -> Option<Lemma> {
        let layout = &self.reduction.layout;
        let tuple = self.lemmas.members(choice.tuple);
        let columns = self.lemmas.columns;
        let values = (0..columns.all.len() as u32).filter_map(|column| {
            match columns.value(layout, column, codes, tuple) {
                UNKNOWN => None,
                value => Some(Fact { column, value, is: true }),
            }
        });
        let facts: Vec<Fact> = values.collect();
        let mut search = Search { samples: &mut self.samples };
        let facts = search.smallest(facts)?;
        let facts = search.widened(facts);
        let mut positions = Vec::new();
        for fact in &facts {
            let mut add = |position: usize| {
                if !positions.contains(&position) {
                    positions.push(position);
                }
            };
            columns.cells(layout, fact.column, &mut |cell| {
                layout.cells[cell].members.iter().for_each(|position| add(*position));
            });
            if let Column::Is(_, position) = &columns.all[fact.column as usize] {
                add(*position);
            }
        }
        positions.sort_unstable();
        Some(Lemma { facts, positions })
    }
}

impl Strengthening for Miner<'_> {
    fn allows(&mut self, partial: &Partial, chosen: usize) -> bool {
        if !self.lemmas.allow(partial, chosen) {
            return false;
        }
        let cell = &self.reduction.layout.cells[chosen];
        for number in 0..self.tuples[partial.visible].len() {
            let choice = &self.tuples[partial.visible][number];
            let concerns = cell.members.iter().all(|member| choice.members.contains(member));
            let tuple = self.lemmas.members(choice.tuple);
            if !concerns || self.samples.support(choice.first, tuple, &partial.codes) {
                continue;
            }
            let choice = choice.clone();
            if let Some(lemma) = self.lemma(&choice, &partial.codes)
                && !lemma.positions.is_empty()
            {
                self.lemmas.add(lemma);
                return false;
            }
        }
        true
    }

    fn reached(&mut self, state: &[u16]) -> bool {
        if self.samples.add(state) {
            let codes = self.lemmas.opened(state);
            for lemma in self.lemmas.false_in(&codes) {
                self.lemmas.remove(lemma);
                self.is_dirty = true;
            }
        }
        true
    }
}

/// Looks for facts that no sample has together.
struct Search<'s, 'r> {
    samples: &'s mut Samples<'r>,
}

impl Search<'_, '_> {
    /// A small set of facts among these that no sample has; `None` if a sample has all.
    fn smallest(&mut self, facts: Vec<Fact>) -> Option<Vec<Fact>> {
        let samples = self.samples.len();
        let bits = self.samples.bits();
        let mut known: Vec<(Fact, &[u64])> = Vec::new();
        for fact in facts {
            let values = &bits[fact.column as usize];
            match values.iter().find(|(value, _)| *value == fact.value) {
                None => return Some(vec![fact]),
                Some((_, bits)) => known.push((fact, bits)),
            }
        }
        let disjoint = |a: &[u64], b: &[u64]| a.iter().zip(b).all(|(a, b)| a & b == 0);
        for second in 1..known.len() {
            for first in 0..second {
                if disjoint(known[first].1, known[second].1) {
                    return Some(vec![known[first].0, known[second].0]);
                }
            }
        }
        let mut best: Option<Vec<usize>> = None;
        for number in 0..ORDERS {
            let mut order: Vec<usize> = (0..known.len()).collect();
            // The first columns are the better ones; other orders may give fewer facts.
            match number {
                0 => {}
                1 => order.reverse(),
                _ => order.sort_by_key(|at| (at * 7919 * number + 13 * number) % 1009),
            }
            let found = irredundant(&known, &order, samples)?;
            if best.as_ref().is_none_or(|best| found.len() < best.len()) {
                best = Some(found);
            }
        }
        best.map(|best| best.into_iter().map(|at| known[at].0).collect())
    }

    /// The same facts, in which values are replaced by "not this value" where no sample has the
    /// others.
    fn widened(&mut self, mut facts: Vec<Fact>) -> Vec<Fact> {
        let samples = self.samples.len();
        let bits = self.samples.bits();
        for at in 0..facts.len() {
            let values = &bits[facts[at].column as usize];
            if values.len() < 3 {
                continue;
            }
            let mut others = all_of(samples);
            let rest = facts.iter().enumerate().filter(|(number, _)| *number != at);
            rest.for_each(|(_, fact)| restrict(&mut others, bits, *fact));
            let old = facts[at];
            let is_free = |value: u16| {
                let mut rest = others.clone();
                restrict(&mut rest, bits, Fact { value, is: false, ..old });
                rest.iter().all(|word| *word == 0)
            };
            let mut without: Vec<u16> = values
                .iter()
                .map(|(value, _)| *value)
                .filter(|value| *value != old.value)
                .collect();
            without.sort_unstable();
            if let Some(value) = without.into_iter().find(|value| is_free(*value)) {
                facts[at] = Fact { value, is: false, ..old };
            }
        }
        facts
    }
}

/// All samples.
fn all_of(samples: usize) -> Vec<u64> {
    let mut all = vec![u64::MAX; samples.div_ceil(64)];
    if let (Some(last), rest @ 1..) = (all.last_mut(), samples % 64) {
        *last = (1 << rest) - 1;
    }
    all
}

fn restrict(samples: &mut [u64], bits: &[Vec<(u16, Vec<u64>)>], fact: Fact) {
    let values = &bits[fact.column as usize];
    let found = values.iter().find(|(value, _)| *value == fact.value);
    let word = |at: usize| found.and_then(|(_, bits)| bits.get(at)).copied().unwrap_or(0);
    for (at, sample) in samples.iter_mut().enumerate() {
        *sample &= if fact.is { word(at) } else { !word(at) };
    }
}

/// Facts that no sample has together, none of which can be dropped; those that come first in the
/// order are kept rather than others. `None` if a sample has all.
fn irredundant(known: &[(Fact, &[u64])], order: &[usize], samples: usize) -> Option<Vec<usize>> {
    let all = all_of(samples);
    let and = |samples: &mut Vec<u64>, at: usize| {
        let bits = known[at].1;
        samples.iter_mut().enumerate().for_each(|(word, sample)| {
            *sample &= bits.get(word).copied().unwrap_or(0);
        });
    };
    let is_none = |samples: &[u64]| samples.iter().all(|word| *word == 0);
    // The shortest prefix that no sample has ends with a fact that is needed; and so on.
    let mut needed: Vec<usize> = Vec::new();
    loop {
        let mut samples = all.clone();
        needed.iter().for_each(|at| and(&mut samples, *at));
        if is_none(&samples) {
            return Some(needed);
        }
        let mut last = None;
        for at in order {
            if needed.contains(at) {
                continue;
            }
            and(&mut samples, *at);
            if is_none(&samples) {
                last = Some(*at);
                break;
            }
        }
        needed.push(last?);
    }
}
