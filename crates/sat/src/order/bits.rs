//! A square matrix of bits: relations between the nodes of a graph.

/// A relation on the numbers below its size.
#[derive(Clone)]
pub(super) struct BitMatrix {
    size: usize,
    words: usize,
    bits: Vec<u64>,
}

impl BitMatrix {
    /// The empty relation.
    pub(super) fn new(size: usize) -> Self {
        let words = size.div_ceil(64);
        Self { size, words, bits: vec![0; size * words] }
    }

    pub(super) fn size(&self) -> usize {
        self.size
    }

    pub(super) fn get(&self, from: usize, to: usize) -> bool {
        self.bits[from * self.words + to / 64] >> (to % 64) & 1 == 1
    }

    pub(super) fn set(&mut self, from: usize, to: usize) {
        self.bits[from * self.words + to / 64] |= 1 << (to % 64);
    }

    pub(super) fn clear(&mut self, from: usize, to: usize) {
        self.bits[from * self.words + to / 64] &= !(1 << (to % 64));
    }

    fn words(&self, from: usize) -> &[u64] {
        &self.bits[from * self.words..(from + 1) * self.words]
    }

    /// What `from` is related to, in order.
    pub(super) fn row(&self, from: usize) -> impl Iterator<Item = usize> + '_ {
        ones(self.words(from).iter().copied())
    }

    /// How many `from` is related to.
    pub(super) fn count(&self, from: usize) -> usize {
        self.words(from).iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Relates `into` to `from` and everything that is related to; gives the old row if it changed.
    pub(super) fn extend(&mut self, into: usize, from: usize) -> Option<Box<[u64]>> {
        let new = |word: usize| self.words(from)[word] & !self.words(into)[word];
        if self.get(into, from) && (0..self.words).all(|word| new(word) == 0) {
            return None;
        }
        let old = self.words(into).into();
        self.add_row(into, from);
        self.set(into, from);
        Some(old)
    }

    /// What `from` is related to here and in `other`, but was not in an old row.
    pub(super) fn gained(
        &self,
        from: usize,
        old: &[u64],
        other: &Self,
    ) -> impl Iterator<Item = usize> {
        let rows = self.words(from).iter().zip(old).zip(other.words(from));
        ones(rows.map(|((new, old), other)| new & !old & other))
    }

    /// Makes `from` related to what it was in an old row.
    pub(super) fn restore(&mut self, from: usize, old: &[u64]) {
        self.bits[from * self.words..(from + 1) * self.words].copy_from_slice(old);
    }

    /// Relates `into` to everything that `from` is related to.
    pub(super) fn add_row(&mut self, into: usize, from: usize) {
        for word in 0..self.words {
            let other = self.bits[from * self.words + word];
            self.bits[into * self.words + word] |= other;
        }
    }
}

/// The numbers of the bits that are set.
fn ones(words: impl Iterator<Item = u64>) -> impl Iterator<Item = usize> {
    words.enumerate().flat_map(|(i, word)| {
        std::iter::successors(Some(word), |rest| Some(rest & rest.wrapping_sub(1)))
            .take_while(|&rest| rest != 0)
            .map(move |rest| i * 64 + rest.trailing_zeros() as usize)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_list_what_was_set() {
        let mut matrix = BitMatrix::new(130);
        for to in [0, 63, 64, 129] {
            matrix.set(1, to);
        }
        matrix.set(2, 5);
        matrix.clear(1, 64);
        matrix.add_row(2, 1);
        assert_eq!(matrix.row(1).collect::<Vec<_>>(), [0, 63, 129]);
        assert_eq!(matrix.row(2).collect::<Vec<_>>(), [0, 5, 63, 129]);
        assert_eq!(matrix.row(3).count(), 0);
        assert_eq!(matrix.count(2), 4);
        assert!(matrix.get(1, 129) && !matrix.get(1, 64));
    }

    #[test]
    fn a_row_that_was_extended_can_be_restored() {
        let mut matrix = BitMatrix::new(70);
        matrix.set(0, 1);
        matrix.set(2, 69);
        let old = matrix.extend(0, 2).unwrap();
        assert_eq!(matrix.row(0).collect::<Vec<_>>(), [1, 2, 69]);
        let mut wanted = BitMatrix::new(70);
        wanted.set(0, 1);
        wanted.set(0, 69);
        assert_eq!(matrix.gained(0, &old, &wanted).collect::<Vec<_>>(), [69]);
        assert!(matrix.extend(0, 2).is_none());
        matrix.restore(0, &old);
        assert_eq!(matrix.row(0).collect::<Vec<_>>(), [1]);
    }
}
