//! The ways in which a pair can come about: a disjunction of short conjunctions of literals.

use sat::Lit;

/// A conjunction of at most five literals.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Way {
    lits: [Lit; 5],
    len: u8,
    /// Whether it cannot be taken.
    never: bool,
}

impl Way {
    /// The conjunction of these.
    pub fn new(lits: impl IntoIterator<Item = Lit>) -> Self {
        let mut way = Self { lits: [Lit::TRUE; 5], len: 0, never: false };
        for lit in lits {
            way.push(lit);
        }
        way
    }

    /// Also demands this literal.
    pub fn push(&mut self, lit: Lit) {
        if lit == Lit::FALSE || self.contains(!lit) {
            self.never = true;
        } else if lit != Lit::TRUE && !self.contains(lit) {
            self.lits[self.len as usize] = lit;
            self.len += 1;
        }
    }

    /// Its literals.
    pub fn lits(&self) -> impl ExactSizeIterator<Item = Lit> + '_ {
        self.lits[..self.len as usize].iter().copied()
    }

    fn contains(&self, lit: Lit) -> bool {
        self.lits[..self.len as usize].contains(&lit)
    }
}

/// A disjunction of ways.
#[derive(Clone, Debug, Default)]
pub struct Ways {
    ways: Vec<Way>,
}

impl<const N: usize, const M: usize> From<[[Lit; N]; M]> for Ways {
    fn from(ways: [[Lit; N]; M]) -> Self {
        let mut all = Self::default();
        for way in ways {
            all.push(Way::new(way));
        }
        all
    }
}

impl Ways {
    /// Adds a way.
    pub fn push(&mut self, way: Way) {
        if !way.never {
            self.ways.push(way);
        }
    }

    /// Leaves out ways that take more than another of one literal does, and repetitions.
    pub fn simplify(&mut self) {
        if self.ways.len() < 2 {
            return;
        }
        if self.ways.iter().any(|way| way.len == 0) {
            self.ways = vec![Way::new([])];
            return;
        }
        let short: std::collections::HashSet<Lit> =
            self.ways.iter().filter(|way| way.len == 1).map(|way| way.lits[0]).collect();
        self.ways.retain(|way| way.len == 1 || !way.lits().any(|lit| short.contains(&lit)));
        self.ways.sort_unstable_by_key(|way| way.lits);
        self.ways.dedup();
    }

    /// The literal that it amounts to without any gate.
    pub fn single(&self) -> Option<Lit> {
        match &self.ways[..] {
            [] => Some(Lit::FALSE),
            [way] if way.len == 0 => Some(Lit::TRUE),
            [way] if way.len == 1 => Some(way.lits[0]),
            _ => None,
        }
    }

    /// The ways.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Way> + '_ {
        self.ways.iter()
    }
}
