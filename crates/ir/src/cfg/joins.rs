//! Where the arms of branches join: the immediate postdominators, found by iterating the equations
//! that define the sets of postdominators.

use crate::program::{BlockId, Function};
use execution::ids::{Id, IdVec};

/// For each block, the nearest other block that every path from it to the end passes. Where no
/// path leads to the end, any block.
pub fn joins(function: &Function) -> IdVec<BlockId, Option<BlockId>> {
    let after = postdominators(function);
    let sizes: Vec<u32> = after.iter().map(Blocks::len).collect();
    let nearest = |id: BlockId| {
        let strict = after[id].members().filter(|&other| other != id);
        // All others postdominate the nearest one.
        strict.max_by_key(|other| sizes[other.index()])
    };
    function.blocks.ids().map(nearest).collect()
}

/// For each block, the blocks that every path from it to the end passes, itself among them.
fn postdominators(function: &Function) -> IdVec<BlockId, Blocks> {
    let count = function.blocks.len();
    let mut sets: IdVec<BlockId, Blocks> =
        function.blocks.ids().map(|_| Blocks::all(count)).collect();
    let mut changed = true;
    while changed {
        changed = false;
        for (id, block) in function.blocks.enumerate().rev() {
            let mut next = block.terminator.successors().into_iter();
            let mut set = match next.next() {
                Some(first) => sets[first].clone(),
                None => Blocks(vec![0; count.div_ceil(64)]),
            };
            next.for_each(|other| set.keep(&sets[other]));
            set.insert(id);
            changed |= set != sets[id];
            sets[id] = set;
        }
    }
    sets
}

/// A set of blocks, one bit for each: a function may have thousands.
#[derive(Clone, PartialEq, Eq)]
struct Blocks(Vec<u64>);

impl Blocks {
    fn all(count: usize) -> Self {
        let mut all = Self(vec![0; count.div_ceil(64)]);
        (0..count).for_each(|block| all.insert(BlockId::new(block)));
        all
    }

    fn insert(&mut self, block: BlockId) {
        self.0[block.index() / 64] |= 1 << (block.index() % 64);
    }

    fn keep(&mut self, others: &Self) {
        self.0.iter_mut().zip(&others.0).for_each(|(own, other)| *own &= other);
    }

    fn len(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    fn members(&self) -> impl Iterator<Item = BlockId> {
        let words = self.0.iter().enumerate();
        words.flat_map(|(index, word)| {
            let bits = (0..64).filter(move |bit| word >> bit & 1 == 1);
            bits.map(move |bit| BlockId::new(index * 64 + bit))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::parse;
    use execution::span::FileId;

    #[test]
    fn arms_join_at_the_first_common_block() {
        let text = "fpir 1\nfn f(%c: i1) {\nb0:\n  branch %c, b1, b2\nb1:\n  branch %c, b3, b4\n\
            b2:\n  jump b4\nb3:\n  jump b4\nb4:\n  return\n}\n";
        let program = parse(FileId::new(0), text).expect("a program").program;
        let joins = joins(&program.functions[Id::new(0)]);
        let to = |block: usize| joins[BlockId::new(block)].map(Id::index);
        assert_eq!([0, 1, 2, 3, 4].map(to), [Some(4), Some(4), Some(4), Some(4), None]);
    }
}
