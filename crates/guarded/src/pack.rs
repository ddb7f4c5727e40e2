//! States as words: each cell has just the bits that its codes need.

use crate::model::{Model, Type, TypeId};

/// Where a cell is in a packed state.
#[derive(Clone, Copy, Debug)]
struct Packed {
    word: u32,
    shift: u8,
    mask: u32,
}

/// How states are packed.
#[derive(Clone, Debug)]
pub struct Packing {
    cells: Vec<Packed>,
    words: usize,
    /// The first cell, the capacity and the slot size of each multiset, inner ones first.
    multisets: Vec<(usize, usize, usize)>,
}

impl Packing {
    /// The packing of a model's states. No cell is divided between two words.
    pub fn new(model: &Model) -> Self {
        let (mut word, mut used) = (0, 0);
        let mut cells = Vec::new();
        for largest in model.largest_codes() {
            let bits = 32 - largest.leading_zeros();
            if used + bits > 64 {
                (word, used) = (word + 1, 0);
            }
            let mask = (1u64 << bits).wrapping_sub(1) as u32;
            cells.push(Packed { word, shift: used as u8, mask });
            used += bits;
        }
        let mut multisets = Vec::new();
        for variable in &model.variables {
            find_multisets(model, variable.ty, variable.cell as usize, &mut multisets);
        }
        Self { cells, words: word as usize + 1, multisets }
    }

    /// How many words a packed state has.
    pub fn words(&self) -> usize {
        self.words
    }

    /// Whether there are multisets, whose elements have an order in a state.
    pub fn has_multisets(&self) -> bool {
        !self.multisets.is_empty()
    }

    /// Packs a state.
    pub fn pack(&self, state: &[u32], packed: &mut [u64]) {
        packed.fill(0);
        for (cell, code) in self.cells.iter().zip(state) {
            packed[cell.word as usize] |= u64::from(*code) << cell.shift;
        }
    }

    /// Unpacks a state.
    pub fn unpack(&self, packed: &[u64], state: &mut [u32]) {
        for (cell, code) in self.cells.iter().zip(state) {
            *code = (packed[cell.word as usize] >> cell.shift) as u32 & cell.mask;
        }
    }

    /// Orders the elements of multisets, so that equal multisets are equal cells.
    pub fn order_multisets(&self, state: &mut [u32]) {
        for (first, capacity, slot) in &self.multisets {
            let cells = &mut state[*first..*first + capacity * slot];
            if cells.chunks(*slot).is_sorted_by(|left, right| left >= right) {
                continue;
            }
            let mut slots: Vec<Vec<u32>> = cells.chunks(*slot).map(<[u32]>::to_vec).collect();
            slots.sort_unstable_by(|left, right| right.cmp(left));
            cells.copy_from_slice(&slots.concat());
        }
    }
}

fn find_multisets(model: &Model, ty: TypeId, cell: usize, found: &mut Vec<(usize, usize, usize)>) {
    match model.types.get(ty) {
        Type::Scalar(_) => {}
        Type::Array { index, element } => {
            let size = model.types.size(*element) as usize;
            for position in 0..model.types.scalars[*index].span() as usize {
                find_multisets(model, *element, cell + position * size, found);
            }
        }
        Type::Record(fields) => {
            for field in fields {
                find_multisets(model, field.ty, cell + field.offset as usize, found);
            }
        }
        Type::Multiset { capacity, element } => {
            let slot = model.slot_size(*element) as usize;
            for position in 0..*capacity as usize {
                find_multisets(model, *element, cell + position * slot + 1, found);
            }
            found.push((cell, *capacity as usize, slot));
        }
    }
}
