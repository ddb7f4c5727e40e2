//! The relational operators on bits in place: each writes its result over a buffer.
//!
//! A set of `n` events is a row of `stride` words, a relation `n` such rows, as in
//! [`execution::relation`]; here nothing is allocated, because the oracle evaluates a model tens of
//! thousands of times per test. Nearly all executions have at most 64 events, so composition,
//! closure and the search for cycles have a path for rows of one word.

/// The number of events, and of words per row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    /// Events.
    pub n: usize,
    /// Words per row, at least one.
    pub stride: usize,
}

impl Shape {
    /// The shape of executions with `n` events.
    pub fn new(n: usize) -> Self {
        Self { n, stride: n.div_ceil(64).max(1) }
    }

    fn last_word_mask(self) -> u64 {
        match self.n % 64 {
            0 if self.n == 0 => 0,
            0 => u64::MAX,
            used => (1 << used) - 1,
        }
    }
}

fn bit(row: &[u64], i: usize) -> bool {
    row[i / 64] >> (i % 64) & 1 == 1
}

fn ones(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (word != 0).then(|| {
            let i = word.trailing_zeros() as usize;
            word &= word - 1;
            i
        })
    })
}

/// `a | b`
pub fn union(out: &mut [u64], a: &[u64], b: &[u64]) {
    for ((out, a), b) in out.iter_mut().zip(a).zip(b) {
        *out = a | b;
    }
}

/// `a & b`
pub fn intersection(out: &mut [u64], a: &[u64], b: &[u64]) {
    for ((out, a), b) in out.iter_mut().zip(a).zip(b) {
        *out = a & b;
    }
}

/// `a \ b`
pub fn difference(out: &mut [u64], a: &[u64], b: &[u64]) {
    for ((out, a), b) in out.iter_mut().zip(a).zip(b) {
        *out = a & !b;
    }
}

/// `~a`, of a set or a relation.
pub fn complement(shape: Shape, out: &mut [u64], a: &[u64]) {
    for (i, (out, a)) in out.iter_mut().zip(a).enumerate() {
        let last = i % shape.stride == shape.stride - 1;
        *out = !a & if last { shape.last_word_mask() } else { u64::MAX };
    }
}

/// All events.
pub fn universe(shape: Shape, out: &mut [u64]) {
    out.fill(u64::MAX);
    if let Some(last) = out.last_mut() {
        *last = shape.last_word_mask();
    }
}

/// `S * T`
pub fn product(shape: Shape, out: &mut [u64], s: &[u64], t: &[u64]) {
    for (i, row) in out.chunks_exact_mut(shape.stride).enumerate() {
        if bit(s, i) { row.copy_from_slice(t) } else { row.fill(0) }
    }
}

/// `[S]`
pub fn identity_on(shape: Shape, out: &mut [u64], s: &[u64]) {
    out.fill(0);
    for (i, row) in out.chunks_exact_mut(shape.stride).enumerate() {
        row[i / 64] = s[i / 64] & 1 << (i % 64);
    }
}

/// `[S]; r`
pub fn restrict_domain(shape: Shape, out: &mut [u64], s: &[u64], r: &[u64]) {
    let rows = out.chunks_exact_mut(shape.stride).zip(r.chunks_exact(shape.stride));
    for (i, (out, r)) in rows.enumerate() {
        if bit(s, i) { out.copy_from_slice(r) } else { out.fill(0) }
    }
}

/// `r; [S]`
pub fn restrict_range(shape: Shape, out: &mut [u64], r: &[u64], s: &[u64]) {
    for (out, r) in out.chunks_exact_mut(shape.stride).zip(r.chunks_exact(shape.stride)) {
        intersection(out, r, s);
    }
}

/// `r; s`
pub fn sequence(shape: Shape, out: &mut [u64], r: &[u64], s: &[u64]) {
    if shape.stride == 1 {
        for (out, &r) in out.iter_mut().zip(r) {
            *out = ones(r).fold(0, |row, middle| row | s[middle]);
        }
        return;
    }
    out.fill(0);
    for (out, r) in out.chunks_exact_mut(shape.stride).zip(r.chunks_exact(shape.stride)) {
        for (w, &word) in r.iter().enumerate() {
            for middle in ones(word) {
                let start = (w * 64 + middle) * shape.stride;
                for (out, s) in out.iter_mut().zip(&s[start..start + shape.stride]) {
                    *out |= s;
                }
            }
        }
    }
}

/// `r^-1`
pub fn inverse(shape: Shape, out: &mut [u64], r: &[u64]) {
    out.fill(0);
    for (from, row) in r.chunks_exact(shape.stride).enumerate() {
        for (w, &word) in row.iter().enumerate() {
            for to in ones(word) {
                out[(w * 64 + to) * shape.stride + from / 64] |= 1 << (from % 64);
            }
        }
    }
}

/// `r?`
pub fn optional(shape: Shape, out: &mut [u64], r: &[u64]) {
    out.copy_from_slice(r);
    for (i, row) in out.chunks_exact_mut(shape.stride).enumerate() {
        row[i / 64] |= 1 << (i % 64);
    }
}

/// `r+`, by Warshall's algorithm on rows.
pub fn plus(shape: Shape, out: &mut [u64], r: &[u64]) {
    out.copy_from_slice(r);
    let stride = shape.stride;
    if stride == 1 {
        for middle in 0..shape.n {
            let through = out[middle];
            if through != 0 {
                for row in out.iter_mut() {
                    *row |= through & (*row >> middle & 1).wrapping_neg();
                }
            }
        }
        return;
    }
    for middle in 0..shape.n {
        for from in 0..shape.n {
            if from != middle && bit(&out[from * stride..], middle) {
                for w in 0..stride {
                    out[from * stride + w] |= out[middle * stride + w];
                }
            }
        }
    }
}

/// `domain(r)`
pub fn domain(shape: Shape, out: &mut [u64], r: &[u64]) {
    out.fill(0);
    for (i, row) in r.chunks_exact(shape.stride).enumerate() {
        if !is_empty(row) {
            out[i / 64] |= 1 << (i % 64);
        }
    }
}

/// `range(r)`
pub fn range(shape: Shape, out: &mut [u64], r: &[u64]) {
    out.fill(0);
    for row in r.chunks_exact(shape.stride) {
        for (out, word) in out.iter_mut().zip(row) {
            *out |= word;
        }
    }
}

/// Whether there is no element or pair.
pub fn is_empty(a: &[u64]) -> bool {
    a.iter().all(|&word| word == 0)
}

/// Whether no event is related to itself.
pub fn is_irreflexive(shape: Shape, r: &[u64]) -> bool {
    r.chunks_exact(shape.stride).enumerate().all(|(i, row)| !bit(row, i))
}

/// Whether there is no cycle: events without successors are taken away until none is left, or
/// until every event that is left has a successor among them.
pub fn is_acyclic(shape: Shape, r: &[u64], left: &mut Vec<u64>) -> bool {
    left.resize(shape.stride, 0);
    universe(shape, left);
    loop {
        let mut removed = false;
        for w in (0..shape.stride).rev() {
            let mut candidates = left[w];
            while candidates != 0 {
                let i = 63 - candidates.leading_zeros() as usize;
                candidates &= !(1 << i);
                let event = w * 64 + i;
                let row = &r[event * shape.stride..(event + 1) * shape.stride];
                if row.iter().zip(left.iter()).all(|(r, left)| r & left == 0) {
                    left[w] &= !(1 << i);
                    removed = true;
                }
            }
        }
        if is_empty(left) {
            return true;
        }
        if !removed {
            return false;
        }
    }
}
