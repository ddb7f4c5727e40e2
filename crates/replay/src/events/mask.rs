//! A set of events of one thread, by their position; small and quick for the usual few.

/// A set of positions.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Mask {
    /// The first 128.
    low: u128,
    /// The others, 64 to a word; without zeros at the end, so that equal sets are equal.
    rest: Vec<u64>,
}

const LOW: usize = 128;

impl Mask {
    /// The set of one position.
    pub fn single(position: usize) -> Self {
        let mut mask = Self::default();
        mask.insert(position);
        mask
    }

    /// Adds a position.
    pub fn insert(&mut self, position: usize) {
        if position < LOW {
            self.low |= 1 << position;
            return;
        }
        let (word, bit) = ((position - LOW) / 64, (position - LOW) % 64);
        if self.rest.len() <= word {
            self.rest.resize(word + 1, 0);
        }
        self.rest[word] |= 1 << bit;
    }

    /// Adds all of another set.
    pub fn join(&mut self, other: &Mask) {
        self.low |= other.low;
        if self.rest.len() < other.rest.len() {
            self.rest.resize(other.rest.len(), 0);
        }
        for (word, more) in self.rest.iter_mut().zip(&other.rest) {
            *word |= more;
        }
    }

    /// Whether a position is in it.
    pub fn contains(&self, position: usize) -> bool {
        if position < LOW {
            return self.low >> position & 1 == 1;
        }
        let (word, bit) = ((position - LOW) / 64, (position - LOW) % 64);
        self.rest.get(word).is_some_and(|word| word >> bit & 1 == 1)
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.low == 0 && self.rest.is_empty()
    }

    /// Whether some position is in both.
    pub fn meets(&self, other: &Mask) -> bool {
        self.low & other.low != 0 || self.rest.iter().zip(&other.rest).any(|(a, b)| a & b != 0)
    }

    /// The positions, ascending.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        let mut low = self.low;
        let first = std::iter::from_fn(move || {
            (low != 0).then(|| {
                let position = low.trailing_zeros() as usize;
                low &= low - 1;
                position
            })
        });
        let rest = self.rest.iter().enumerate().flat_map(|(word, &bits)| {
            (0..64).filter(move |bit| bits >> bit & 1 == 1).map(move |bit| LOW + word * 64 + bit)
        });
        first.chain(rest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_beyond_the_first_are_kept_too() {
        let mut mask = Mask::single(3);
        mask.insert(500);
        mask.join(&Mask::single(127));
        assert_eq!(mask.iter().collect::<Vec<_>>(), [3, 127, 500]);
        assert!(mask.contains(500) && !mask.contains(499) && !mask.contains(600));
        assert!(mask.meets(&Mask::single(500)) && !mask.meets(&Mask::single(4)));
    }
}
