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

    /// What `from` is related to, in order.
    pub(super) fn row(&self, from: usize) -> impl Iterator<Item = usize> + '_ {
        let words = &self.bits[from * self.words..(from + 1) * self.words];
        words.iter().enumerate().flat_map(|(i, &word)| {
            std::iter::successors(Some(word), |rest| Some(rest & rest.wrapping_sub(1)))
                .take_while(|&rest| rest != 0)
                .map(move |rest| i * 64 + rest.trailing_zeros() as usize)
        })
    }

    /// How many `from` is related to.
    pub(super) fn count(&self, from: usize) -> usize {
        let words = &self.bits[from * self.words..(from + 1) * self.words];
        words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Relates `into` to everything that `from` is related to.
    pub(super) fn add_row(&mut self, into: usize, from: usize) {
        for word in 0..self.words {
            let other = self.bits[from * self.words + word];
            self.bits[into * self.words + word] |= other;
        }
    }
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
}
