//! States of small instances, as a few of their members see them.
//!
//! Lemmas are mined from them: what is never the case in a sample may be excluded, until the
//! abstract model reaches it. They are no part of a proof.

use super::templates::Columns;
use super::tuple::{Tuple, choices};
use guarded::machine::Machine;
use guarded::reduction::{OTHER, Reduction, UNKNOWN};
use limits::Limits;
use rustc_hash::{FxHashMap, FxHashSet};

/// The most states of each small instance that are visited.
const MOST_STATES: usize = 150_000;

/// Which samples have a value.
type Bits = Vec<u64>;

/// The samples with the same codes in the cells that are known of some members.
#[derive(Default)]
struct Bucket {
    count: usize,
    /// For each other cell, by its position, and each code, which of them have it.
    having: FxHashMap<u32, Vec<(u16, Bits)>>,
}

/// By the number of members of which cells are known, and their codes.
type Buckets = FxHashMap<(u32, Box<[u16]>), Bucket>;

impl Bucket {
    fn add(&mut self, others: impl Iterator<Item = (usize, u16)>) {
        for (position, code) in others {
            let values = self.having.entry(position as u32).or_default();
            set(values, code, self.count);
        }
        self.count += 1;
    }

    /// Whether a sample has one of the allowed codes in each of these positions.
    fn has(&self, needs: &[(usize, Allowed<'_>)]) -> bool {
        let words = self.count.div_ceil(64);
        let mut left = vec![u64::MAX; words];
        for (position, allowed) in needs {
            let Some(values) = self.having.get(&(*position as u32)) else { return false };
            let mut some = vec![0; words];
            for (_, bits) in values.iter().filter(|(code, _)| allowed(*code)) {
                some.iter_mut().zip(bits).for_each(|(some, bits)| *some |= bits);
            }
            left.iter_mut().zip(&some).for_each(|(left, some)| *left &= some);
        }
        if needs.is_empty() { self.count > 0 } else { left.iter().any(|word| *word != 0) }
    }
}

/// Whether a code is allowed.
type Allowed<'a> = Box<dyn Fn(u16) -> bool + 'a>;

/// Notes that a sample has a value.
fn set(values: &mut Vec<(u16, Bits)>, value: u16, number: usize) {
    let (word, bit) = (number / 64, 1u64 << (number % 64));
    let at = values.iter().position(|(known, _)| *known == value);
    let at = at.unwrap_or_else(|| {
        values.push((value, Bits::new()));
        values.len() - 1
    });
    let bits = &mut values[at].1;
    bits.resize(bits.len().max(word + 1), 0);
    bits[word] |= bit;
}

/// Samples, with an index.
pub struct Samples<'r> {
    reduction: &'r Reduction,
    columns: &'r Columns,
    states: Vec<Box<[u16]>>,
    numbers: FxHashSet<Box<[u16]>>,
    buckets: Buckets,
    /// For each column, the samples with each of its values; as far as they were needed.
    bits: Vec<Vec<(u16, Bits)>>,
    counted: usize,
    own: Tuple,
    /// The orders of the tracked members.
    orders: Vec<Tuple>,
}

impl<'r> Samples<'r> {
    /// No samples.
    pub fn new(reduction: &'r Reduction, columns: &'r Columns) -> Self {
        let tracked: Vec<usize> = (0..reduction.tracked).collect();
        let tuple = |members: &Vec<usize>| {
            let members: Vec<Option<usize>> = members.iter().copied().map(Some).collect();
            Tuple::new(reduction, &members)
        };
        Self {
            reduction,
            columns,
            states: Vec::new(),
            numbers: FxHashSet::default(),
            buckets: Buckets::default(),
            bits: vec![Vec::new(); columns.all.len()],
            counted: 0,
            own: tuple(&tracked),
            orders: choices(&tracked, reduction.tracked).iter().map(tuple).collect(),
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// Adds the states of an instance with `more` members besides the tracked ones, up to
    /// [`MOST_STATES`].
    pub fn add_instance(&mut self, more: usize, limits: &Limits) {
        let reduction = self.reduction;
        let members: Vec<usize> = (0..reduction.tracked + more).collect();
        let tuples: Vec<Tuple> = choices(&members, reduction.tracked)
            .iter()
            .map(|members| {
                let members: Vec<Option<usize>> = members.iter().copied().map(Some).collect();
                Tuple::new(reduction, &members)
            })
            .collect();
        visit(reduction, more, limits, &mut |state| {
            for tuple in &tuples {
                self.add_one(tuple.restricted(reduction, state));
            }
        });
    }

    /// Adds an abstract state, in all orders of its members; whether it is new.
    pub fn add(&mut self, state: &[u16]) -> bool {
        if self.numbers.contains(state) {
            return false;
        }
        let mut codes = vec![UNKNOWN; self.reduction.layout.cells.len()];
        self.reduction.kept.iter().zip(state).for_each(|(cell, code)| codes[*cell] = *code);
        let orders: Vec<Box<[u16]>> =
            self.orders.iter().map(|order| order.restricted(self.reduction, &codes)).collect();
        orders.into_iter().for_each(|state| self.add_one(state));
        true
    }

    fn add_one(&mut self, state: Box<[u16]>) {
        if !self.numbers.insert(state.clone()) {
            return;
        }
        // The last positions are those of witnesses.
        for witnesses in 1..=self.reduction.tracked {
            let first = self.reduction.tracked - witnesses;
            let key = self.key(first, &state);
            let cells = self.reduction.kept.iter().zip(&state).enumerate();
            let others = cells.filter(|(_, (cell, _))| !self.is_known(first, **cell));
            let others: Vec<(usize, u16)> = others.map(|(at, (_, code))| (at, *code)).collect();
            self.buckets.entry((first as u32, key)).or_default().add(others.into_iter());
        }
        self.states.push(state);
    }

    /// What is known of a state before anything is chosen: no pointers, and no cells of positions
    /// from `first` on.
    fn key(&self, first: usize, state: &[u16]) -> Box<[u16]> {
        let cells = self.reduction.kept.iter().zip(state);
        let known = cells.filter(|(cell, _)| self.is_known(first, **cell));
        known.map(|(_, code)| *code).collect()
    }

    fn is_known(&self, first: usize, cell: usize) -> bool {
        let cell = &self.reduction.layout.cells[cell];
        !cell.is_pointer() && cell.members.iter().all(|position| *position < first)
    }

    /// Whether what these members, of whom those in positions from `first` on are witnesses, see of
    /// a state is seen in a sample.
    pub fn support(&self, first: usize, tuple: &Tuple, codes: &[u16]) -> bool {
        let reduction = self.reduction;
        let (mut key, mut needs) = (Vec::new(), Vec::new());
        for (position, cell) in reduction.kept.iter().enumerate() {
            let code = tuple.code(reduction, *cell, codes);
            if self.is_known(first, *cell) {
                key.push(code);
            } else if code != UNKNOWN {
                // A member that is not tracked may be a witness, unless it was found out which.
                let is_open = codes[tuple.cell(*cell)] == OTHER;
                let shape = &reduction.layout.cells[*cell];
                let allowed: Allowed<'_> =
                    Box::new(move |sample| match is_open && sample != OTHER {
                        true => shape.member(sample).is_some_and(|member| member >= first),
                        false => sample == code,
                    });
                needs.push((position, allowed));
            }
        }
        let found = self.buckets.get(&(first as u32, key.into_boxed_slice()));
        found.is_some_and(|bucket| bucket.has(&needs))
    }

    /// Which samples have which values of a column.
    pub fn bits(&mut self) -> &[Vec<(u16, Bits)>] {
        let layout = &self.reduction.layout;
        let mut codes = vec![UNKNOWN; layout.cells.len()];
        for (number, state) in self.states.iter().enumerate().skip(self.counted) {
            self.reduction.kept.iter().zip(state).for_each(|(cell, code)| codes[*cell] = *code);
            for (column, values) in self.bits.iter_mut().enumerate() {
                set(values, self.columns.value(layout, column as u32, &codes, &self.own), number);
            }
        }
        self.counted = self.states.len();
        &self.bits
    }
}

/// Calls a function for each state of an instance, up to symmetry.
fn visit(reduction: &Reduction, more: usize, limits: &Limits, found: &mut dyn FnMut(&[u16])) {
    let variant = &reduction.variants[more];
    let members: Vec<usize> = (0..reduction.tracked + more).collect();
    let orders: Vec<Order> = choices(&members, members.len())
        .iter()
        .map(|members| Order::new(reduction, members))
        .collect();
    let mut machine = Machine::new(&variant.model);
    let mut known: FxHashSet<Box<[u16]>> = FxHashSet::default();
    let mut work = std::collections::VecDeque::new();
    let mut scratch = Vec::new();
    let mut add = |machine: &Machine<'_>, work: &mut std::collections::VecDeque<Box<[u16]>>| {
        let state = least(reduction, members.len(), &orders, machine.state(), &mut scratch);
        if known.len() < MOST_STATES && known.insert(state.clone()) {
            found(&state);
            work.push_back(state);
        }
    };
    for start in &variant.instances.starts {
        machine.state_mut().fill(0);
        if start.execute(&mut machine).is_ok() {
            add(&machine, &mut work);
        }
    }
    while let Some(state) = work.pop_front() {
        if limits.expired() {
            return;
        }
        for rule in &variant.instances.rules {
            let cells = machine.state_mut().iter_mut().zip(&state);
            cells.for_each(|(cell, code)| *cell = u32::from(*code));
            if rule.is_enabled(&mut machine) == Ok(true) && rule.execute(&mut machine).is_ok() {
                add(&machine, &mut work);
            }
        }
    }
}

/// An order of all members of an instance.
struct Order {
    members: Vec<usize>,
    /// Where each cell is from.
    cells: Vec<u32>,
}

impl Order {
    fn new(reduction: &Reduction, members: &[usize]) -> Self {
        let layout = &reduction.layout;
        let all = reduction.tracked + reduction.witnesses;
        let named: Vec<usize> = (0..all).map(|at| members.get(at).copied().unwrap_or(at)).collect();
        let from = |cell: usize| layout.renamed(cell, &named) as u32;
        Self { members: members.to_vec(), cells: (0..layout.cells.len()).map(from).collect() }
    }
}

/// The least of the states that differ from this by an order of the members.
fn least(
    reduction: &Reduction,
    members: usize,
    orders: &[Order],
    state: &[u32],
    scratch: &mut Vec<u16>,
) -> Box<[u16]> {
    let layout = &reduction.layout;
    let mut least: Option<Box<[u16]>> = None;
    for order in orders {
        scratch.clear();
        for (cell, from) in layout.cells.iter().zip(&order.cells) {
            if cell.members.iter().any(|member| *member >= members) {
                scratch.push(0);
                continue;
            }
            let code = state[*from as usize] as u16;
            scratch.push(match cell.member(code) {
                Some(member) => {
                    let position = order.members.iter().position(|one| *one == member);
                    position.map_or(code, |position| cell.code_of(position))
                }
                None => code,
            });
        }
        if least.as_deref().is_none_or(|least| scratch.as_slice() < least) {
            least = Some(scratch.as_slice().into());
        }
    }
    least.expect("there is an order")
}
