//! Lemmas, and the set of those that strengthen the abstract model.

use super::step::{Partial, Strengthening};
use super::templates::{Column, Columns, Term};
use super::tuple::{Tuple, choices};
use guarded::reduction::{Reduction, UNKNOWN};
use rustc_hash::FxHashMap;

/// That a column has a value, or (if not `is`) another one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Fact {
    /// The column.
    pub column: u32,
    /// The value.
    pub value: u16,
    /// Whether it has it.
    pub is: bool,
}

/// These facts are not true together, for any distinct members in the positions.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Lemma {
    /// The facts.
    pub facts: Vec<Fact>,
    /// The positions of which the facts speak.
    pub positions: Vec<usize>,
}

/// A lemma for some members.
#[derive(Clone, Copy, Debug)]
struct Instance {
    lemma: u32,
    tuple: u32,
}

/// The lemmas that can be false because of a cell.
#[derive(Clone, Debug, Default)]
struct Touching {
    /// Those that can be so only if the cell has this code.
    by_code: FxHashMap<u16, Vec<Instance>>,
    others: Vec<Instance>,
}

impl Touching {
    fn with(&self, code: u16) -> impl Iterator<Item = &Instance> {
        self.by_code.get(&code).into_iter().flatten().chain(&self.others)
    }
}

/// Lemmas, each for all members that are seen.
pub struct Lemmas<'r> {
    reduction: &'r Reduction,
    /// What facts are about.
    pub columns: &'r Columns,
    lemmas: Vec<Lemma>,
    alive: Vec<bool>,
    /// How often each excluded something.
    used: Vec<u64>,
    tuples: Vec<Tuple>,
    numbers: FxHashMap<Vec<Option<usize>>, u32>,
    /// For each number of witnesses and each cell, those that can be false because of it.
    touching: Vec<Vec<Touching>>,
    /// For tracked members only.
    checked: Vec<Instance>,
    /// Whether a state was reached in which one is false.
    pub refuted: Option<usize>,
}

impl<'r> Lemmas<'r> {
    /// No lemmas.
    pub fn new(reduction: &'r Reduction, columns: &'r Columns) -> Self {
        let cells = reduction.layout.cells.len();
        Self {
            reduction,
            columns,
            lemmas: Vec::new(),
            alive: Vec::new(),
            used: Vec::new(),
            tuples: Vec::new(),
            numbers: FxHashMap::default(),
            touching: vec![vec![Touching::default(); cells]; reduction.witnesses + 1],
            checked: Vec::new(),
            refuted: None,
        }
    }

    /// These lemmas.
    pub fn of(
        reduction: &'r Reduction,
        columns: &'r Columns,
        all: impl IntoIterator<Item = Lemma>,
    ) -> Self {
        let mut lemmas = Self::new(reduction, columns);
        all.into_iter().for_each(|lemma| lemmas.add(lemma));
        lemmas
    }

    /// How many were added, and how many were not removed since.
    pub fn counts(&self) -> (usize, usize) {
        (self.lemmas.len(), self.alive.iter().filter(|alive| **alive).count())
    }

    /// Those that were not removed, in order.
    pub fn kept(&self) -> Vec<Lemma> {
        let all = self.lemmas.iter().zip(&self.alive);
        all.filter(|(_, alive)| **alive).map(|(lemma, _)| lemma.clone()).collect()
    }

    /// Those that excluded something, the most used first.
    pub fn used(&self) -> Vec<Lemma> {
        let mut used: Vec<usize> =
            (0..self.lemmas.len()).filter(|at| self.alive[*at] && self.used[*at] > 0).collect();
        used.sort_by_key(|at| std::cmp::Reverse(self.used[*at]));
        used.into_iter().map(|at| self.lemmas[at].clone()).collect()
    }

    /// The number of a tuple.
    pub fn tuple(&mut self, members: &[Option<usize>]) -> u32 {
        if let Some(number) = self.numbers.get(members) {
            return *number;
        }
        let number = self.tuples.len() as u32;
        self.tuples.push(Tuple::new(self.reduction, members));
        self.numbers.insert(members.to_vec(), number);
        number
    }

    /// A tuple.
    pub fn members(&self, tuple: u32) -> &Tuple {
        &self.tuples[tuple as usize]
    }

    /// Adds a lemma.
    pub fn add(&mut self, lemma: Lemma) {
        let number = self.lemmas.len() as u32;
        let tracked = self.reduction.tracked;
        let layout = &self.reduction.layout;
        let mut cells = Vec::new();
        for fact in &lemma.facts {
            self.columns.cells(layout, fact.column, &mut |cell| cells.push(cell));
        }
        for visible in 0..=self.reduction.witnesses {
            let seen: Vec<usize> = (0..tracked + visible).collect();
            for choice in choices(&seen, lemma.positions.len()) {
                let mut members = vec![None; tracked];
                lemma.positions.iter().zip(&choice).for_each(|(at, m)| members[*at] = Some(*m));
                let instance = Instance { lemma: number, tuple: self.tuple(&members) };
                if choice.iter().all(|member| *member < tracked) {
                    if visible == 0 {
                        self.checked.push(instance);
                    }
                    continue;
                }
                let tuple = &self.tuples[instance.tuple as usize];
                let mut actual: Vec<usize> = cells.iter().map(|cell| tuple.cell(*cell)).collect();
                actual.sort_unstable();
                actual.dedup();
                for cell in actual {
                    let code = self.needs(&lemma, tuple, cell);
                    let touching = &mut self.touching[visible][cell];
                    match code {
                        Some(code) => touching.by_code.entry(code).or_default().push(instance),
                        None => touching.others.push(instance),
                    }
                }
            }
        }
        self.lemmas.push(lemma);
        self.alive.push(true);
        self.used.push(0);
    }

    /// The code that a cell must have for a lemma to be false, if one of its facts says so.
    fn needs(&self, lemma: &Lemma, tuple: &Tuple, cell: usize) -> Option<u16> {
        let mut facts = lemma.facts.iter().filter(|fact| fact.is);
        facts.find_map(|fact| match &self.columns.all[fact.column as usize] {
            Column::Value(Term::Cell(of)) if tuple.cell(*of) == cell => {
                let is_pointer = self.reduction.layout.cells[cell].is_pointer();
                (!is_pointer).then_some(fact.value)
            }
            _ => None,
        })
    }

    fn is_false(&self, instance: Instance, codes: &[u16]) -> bool {
        let tuple = &self.tuples[instance.tuple as usize];
        let layout = &self.reduction.layout;
        self.lemmas[instance.lemma as usize].facts.iter().all(|fact| {
            match self.columns.value(layout, fact.column, codes, tuple) {
                UNKNOWN => false,
                value => (value == fact.value) == fact.is,
            }
        })
    }

    /// Whether no lemma excludes the contents because of a cell.
    pub fn allow(&mut self, partial: &Partial, chosen: usize) -> bool {
        let mut instances = self.touching[partial.visible][chosen].with(partial.codes[chosen]);
        let excludes = |instance: &&Instance| {
            self.alive[instance.lemma as usize] && self.is_false(**instance, &partial.codes)
        };
        match instances.find(excludes).copied() {
            Some(instance) => {
                self.used[instance.lemma as usize] += 1;
                false
            }
            None => true,
        }
    }

    /// The lemmas that are false in an abstract state, among those that were not removed.
    pub fn false_in(&self, codes: &[u16]) -> Vec<u32> {
        let all = self.checked.iter().filter(|one| self.alive[one.lemma as usize]);
        let mut found: Vec<u32> =
            all.filter(|one| self.is_false(**one, codes)).map(|one| one.lemma).collect();
        found.dedup();
        found
    }

    /// Removes a lemma.
    pub fn remove(&mut self, lemma: u32) {
        self.alive[lemma as usize] = false;
    }

    /// An abstract state as a whole state, in which nothing is known of others.
    pub fn opened(&self, state: &[u16]) -> Vec<u16> {
        let mut codes = vec![UNKNOWN; self.reduction.layout.cells.len()];
        self.reduction.kept.iter().zip(state).for_each(|(cell, code)| codes[*cell] = *code);
        codes
    }
}

impl Strengthening for Lemmas<'_> {
    fn allows(&mut self, partial: &Partial, chosen: usize) -> bool {
        self.allow(partial, chosen)
    }

    fn reached(&mut self, state: &[u16]) -> bool {
        let codes = self.opened(state);
        match self.false_in(&codes).first() {
            Some(lemma) => {
                self.refuted = Some(*lemma as usize);
                false
            }
            None => true,
        }
    }
}
