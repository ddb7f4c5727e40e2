//! Which executions of each thread are still possible, given the reads-from edges chosen so far.
//!
//! Soundness S-144 (litmus; weak; misses): A value out of thin air is kept only where it is a copy
//! of itself, with one symbolic value; stores that only their own effects justify are searched
//! among the constants of the code and their neighbours. Test:
//! crates/oracle/tests/instructions.rs::a_value_that_only_copies_itself_is_symbolic.

use execution::event::EventId;
use execution::ids::Id;
use replay::events::shape::Shape;
use replay::events::skeleton::Skeleton;
use replay::memory::world::{ValueId, World};

/// For every thread, a bit per execution of its shape.
#[derive(Clone, Debug)]
pub struct Domains {
    threads: Vec<Vec<u64>>,
}

/// A reads-from edge: the write and the read.
pub type Edge = (EventId, EventId);

impl Domains {
    /// Everything is possible.
    pub fn full(shapes: &[&Shape]) -> Self {
        let all = |shape: &&Shape| {
            let count = shape.count();
            (0..count.div_ceil(64))
                .map(|word| match count - word * 64 {
                    rest if rest >= 64 => u64::MAX,
                    rest => (1 << rest) - 1,
                })
                .collect()
        };
        Self { threads: shapes.iter().map(all).collect() }
    }

    /// The executions of a thread that are still possible.
    pub fn of(&self, thread: usize) -> impl Iterator<Item = usize> + '_ {
        self.threads[thread].iter().enumerate().flat_map(|(word, &bits)| {
            let mut rest = bits;
            std::iter::from_fn(move || {
                (rest != 0).then(|| {
                    let bit = rest.trailing_zeros() as usize;
                    rest &= rest - 1;
                    word * 64 + bit
                })
            })
        })
    }

    /// Whether a thread has exactly one execution left.
    pub fn is_single(&self, thread: usize) -> bool {
        self.threads[thread].iter().map(|word| word.count_ones()).sum::<u32>() == 1
    }

    /// Leaves a thread only one execution.
    pub fn fix(&mut self, thread: usize, execution: usize) {
        self.threads[thread].fill(0);
        self.threads[thread][execution / 64] = 1 << (execution % 64);
    }

    /// Keeps the executions of a thread in which the event at `position` has this value; gives
    /// whether any is left, and whether any was dropped.
    fn keep(
        &mut self,
        shape: &Shape,
        (thread, position): (usize, usize),
        value: ValueId,
    ) -> (bool, bool) {
        let values = &shape.values[position];
        let (mut left, mut dropped) = (false, false);
        for (index, word) in self.threads[thread].iter_mut().enumerate() {
            let mut rest = *word;
            while rest != 0 {
                let bit = rest.trailing_zeros() as usize;
                rest &= rest - 1;
                if values[index * 64 + bit] != Some(value) {
                    *word &= !(1 << bit);
                    dropped = true;
                }
            }
            left |= *word != 0;
        }
        (left, dropped)
    }

    /// The value of a write, if all executions that are still possible agree on it.
    pub fn determined(
        &self,
        world: &World<'_>,
        skeleton: &Skeleton<'_>,
        write: EventId,
    ) -> Option<ValueId> {
        let Some((thread, position)) = skeleton.position(write) else {
            let cell = skeleton.cells[write.index()].cell;
            return Some(world.cells[cell.index()].initial);
        };
        let values = &skeleton.shapes[thread].values[position];
        let mut known = self.of(thread).map(|execution| values[execution]);
        let first = known.next()??;
        known.all(|value| value == Some(first)).then_some(first)
    }

    /// Every read returns what is written by the write it reads from, where that is known; gives
    /// whether all threads still have an execution.
    pub fn propagate(
        &mut self,
        world: &World<'_>,
        skeleton: &Skeleton<'_>,
        edges: &[Edge],
    ) -> bool {
        let mut changed = true;
        while changed {
            changed = false;
            for &(write, read) in edges {
                let Some(value) = self.determined(world, skeleton, write) else { continue };
                let Some(reader) = skeleton.position(read) else { continue };
                let (left, dropped) = self.keep(skeleton.shapes[reader.0], reader, value);
                if !left {
                    return false;
                }
                changed |= dropped;
            }
        }
        true
    }

    /// Makes reads that nothing decides, because they read copies of themselves, symbolic.
    pub fn make_symbolic(
        &mut self,
        world: &World<'_>,
        skeleton: &Skeleton<'_>,
        edges: &[Edge],
        symbolic: ValueId,
    ) -> bool {
        let open: Vec<Edge> = edges
            .iter()
            .copied()
            .filter(|&(write, _)| self.determined(world, skeleton, write).is_none())
            .collect();
        open.into_iter().all(|(write, read)| {
            [write, read].into_iter().all(|event| match skeleton.position(event) {
                Some(place) => self.keep(skeleton.shapes[place.0], place, symbolic).0,
                None => false,
            })
        })
    }
}
