//! States that grow without an end: deeper and deeper calls, more and more objects, threads and
//! pending stores. Nobody can visit all of them, so it is better to notice early.
//!
//! What is bounded has its largest size behind it soon, because states are visited in the order of
//! their distance. So states that are large and among which there are still new largest ones are
//! taken for some that grow on. That is a guess, and only who has somebody else to ask acts on it.
//!
//! Soundness S-131 (verify; sc, tso; refuses): With `--engine auto`, states are given up early
//! where they seem to grow without end, so an answer may be `holds*` where `--engine states` would
//! prove it. Test: crates/engines/src/explicit/search/growth.rs::what_grows_on_and_on_looks_endless.

/// So many bytes of calls may be kept without a guess, and so many objects.
const CALLS: u64 = 64 << 20;
const OBJECTS: u64 = 2 << 20;
/// Nor is there one if there are fewer on the average.
const LARGE_CALLS: u64 = 8 << 10;
const MANY_OBJECTS: u64 = 512;
/// So many states may be visited with many threads, or with many pending stores.
const STATES: u64 = 200_000;
const MANY_THREADS: u64 = 8;
const MANY_STORES: u64 = 64;

/// Sizes, in the order in which they came.
#[derive(Clone, Default, Debug)]
struct Sizes {
    count: u64,
    total: u64,
    largest: u64,
    /// How many had come when the largest did.
    at: u64,
}

impl Sizes {
    fn add(&mut self, size: u64) {
        self.count += 1;
        self.total += size;
        if size > self.largest {
            (self.largest, self.at) = (size, self.count);
        }
    }

    /// Whether a new largest one has come lately.
    fn grows(&self) -> bool {
        self.at > self.count / 8 * 7
    }

    fn are_large(&self, kept: u64, large: u64) -> bool {
        self.grows() && self.total > kept && self.total / large > self.count
    }

    fn are_many(&self, many: u64) -> bool {
        self.at > self.count / 2 && self.count > STATES && self.largest > many
    }
}

/// How large states are.
#[derive(Clone, Default, Debug)]
pub(crate) struct Growth {
    /// Bytes of the calls of threads.
    calls: Sizes,
    /// How many objects they have made.
    objects: Sizes,
    /// How many threads, and pending stores of one thread, each state has.
    numbers: Sizes,
    pending: Sizes,
}

impl Growth {
    /// A new state of a thread, of so many bytes.
    pub(crate) fn thread(&mut self, bytes: usize) {
        self.calls.add(bytes as u64);
    }

    /// A new state of memory, with so many objects and so many stores in its longest buffer.
    pub(crate) fn memory(&mut self, objects: usize, pending: usize) {
        self.objects.add(objects as u64);
        self.pending.add(pending as u64);
    }

    /// A new state of so many threads.
    pub(crate) fn state(&mut self, threads: usize) {
        self.numbers.add(threads as u64);
    }

    /// Whether it looks as if there were no end.
    pub(crate) fn is_endless(&self) -> bool {
        self.calls.are_large(CALLS, LARGE_CALLS)
            || self.objects.are_large(OBJECTS, MANY_OBJECTS)
            || self.numbers.are_many(MANY_THREADS)
            || self.pending.are_many(MANY_STORES)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_grows_on_and_on_looks_endless() {
        let mut growth = Growth::default();
        let depth = (1..).take_while(|depth| {
            growth.thread(depth * 200);
            !growth.is_endless()
        });
        assert!((500..1500).contains(&depth.count()));
    }

    #[test]
    fn what_is_large_from_the_beginning_does_not() {
        let mut growth = Growth::default();
        (0..10_000).for_each(|_| growth.memory(5_000, 0));
        (0..1_000_000).for_each(|_| growth.state(20));
        assert!(!growth.is_endless());
    }
}
