//! The shape of memory: what is in it, without the addresses of its objects.
//!
//! Two memories of the same shape differ only in where objects that the program made lie, and in
//! objects that it can no longer reach. Unless the program computes with the numbers of
//! addresses, it behaves the same with both.

use super::ScMemory;
use super::region::{Life, RegionKind};
use crate::value::RegionId;
use execution::ids::Id;
use std::collections::HashMap;

/// How objects are numbered: those that the program always has by their ids, the others after
/// them in the order in which they are found.
struct Numbers<'m> {
    memory: &'m ScMemory,
    numbers: HashMap<RegionId, u64>,
    found: Vec<RegionId>,
}

impl Numbers<'_> {
    /// The number of an object (zero is none) and its address.
    fn of(&mut self, id: RegionId) -> (u64, u64) {
        let region = &self.memory.regions[id];
        let number = match region.kind {
            RegionKind::Global(_) | RegionKind::Constant(_) | RegionKind::Function(_) => {
                1 + id.index() as u64
            }
            _ => {
                let next = (1 << 32) + self.found.len() as u64;
                *self.numbers.entry(id).or_insert_with(|| {
                    self.found.push(id);
                    next
                })
            }
        };
        (number, region.base)
    }
}

impl ScMemory {
    /// The shape of memory, seen from globals, thread-locals, living stack objects and `roots`.
    pub fn shape(&self, roots: impl IntoIterator<Item = RegionId>) -> Vec<u64> {
        let mut out = Vec::new();
        let mut numbers = Numbers { memory: self, numbers: HashMap::new(), found: Vec::new() };
        for (thread, area) in self.areas.iter().enumerate() {
            if let Some((id, offset, size)) = area.reservation {
                out.extend([thread as u64, numbers.of(id).0, offset, size]);
            }
            for &(global, address) in &area.locals {
                let id = address.provenance.expect("an object");
                out.extend([thread as u64, global.index() as u64, numbers.of(id).0]);
            }
        }
        let mut fixed = Vec::new();
        for (id, region) in self.regions.enumerate() {
            match region.kind {
                RegionKind::Global(_) => fixed.push(id),
                RegionKind::Stack(..) if region.is_alive() => {
                    numbers.of(id);
                }
                _ => {}
            }
        }
        roots.into_iter().for_each(|id| out.push(numbers.of(id).0));
        for id in fixed {
            self.regions[id].contents.shape(&mut out, |to| numbers.of(to));
        }
        let mut next = 0;
        while let Some(&id) = numbers.found.get(next) {
            next += 1;
            let region = &self.regions[id];
            let life = match region.life {
                Life::Alive => 0,
                Life::Freed(_) => 1,
                Life::Over => 2,
            };
            out.extend([life, region.size]);
            if life == 1 {
                // Whether it can be given again.
                out.extend([region.asked.0, u64::from(region.asked.1)]);
            }
            if region.is_alive() {
                region.contents.shape(&mut out, |to| numbers.of(to));
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{Global, Program, Storage, Width};
    use crate::step::sc::contents::Contents;
    use crate::value::Value;

    fn memory() -> (ScMemory, RegionId) {
        let mut program = Program::default();
        let storage = Storage::Static;
        program.globals.push(Global {
            name: "head".into(),
            size: 8,
            align: 8,
            storage,
            init: Vec::new(),
            layout: None,
            place: None,
        });
        (ScMemory::new(&program), RegionId::new(0))
    }

    fn block(memory: &mut ScMemory, base: u64) -> Value {
        memory.add(base, RegionKind::Heap(None), Contents::undefined(16), 16)
    }

    fn write(memory: &mut ScMemory, to: Value, offset: usize, value: Value) {
        memory.regions[to.provenance.unwrap()].contents.write(offset, value);
    }

    /// A list of two blocks, made in this order at these addresses.
    fn list(first: u64, second: u64, swapped: bool, last: u128) -> Vec<u64> {
        let (mut memory, head) = memory();
        let mut blocks = [first, second].map(|base| block(&mut memory, base));
        if swapped {
            blocks.swap(0, 1);
        }
        memory.regions[head].contents.write(0, blocks[0]);
        write(&mut memory, blocks[0], 0, blocks[1].offset(8));
        write(&mut memory, blocks[1], 8, Value::int(Width::I32, last));
        memory.shape([])
    }

    #[test]
    fn addresses_and_the_order_of_allocation_are_no_part_of_the_shape() {
        assert_eq!(list(0x1000, 0x2000, false, 7), list(0x5000, 0x3000, false, 7));
        assert_eq!(list(0x1000, 0x2000, false, 7), list(0x1000, 0x2000, true, 7));
    }

    #[test]
    fn values_definedness_and_offsets_are_part_of_the_shape() {
        assert_ne!(list(0x1000, 0x2000, false, 7), list(0x1000, 0x2000, false, 8));
        let (mut memory, head) = memory();
        let to = block(&mut memory, 0x1000);
        let mut shapes = vec![memory.shape([])];
        for value in [to, to.offset(8), Value::undef(Width::I64), Value::int(Width::I64, 0x1000)] {
            memory.regions[head].contents.write(0, value);
            shapes.push(memory.shape([]));
        }
        memory.regions[head].contents.write(0, to);
        write(&mut memory, to, 0, Value::int(Width::I8, 0));
        shapes.push(memory.shape([]));
        let different: std::collections::HashSet<&Vec<u64>> = shapes.iter().collect();
        assert_eq!(different.len(), shapes.len());
    }

    #[test]
    fn unreachable_objects_are_not_part_of_the_shape() {
        let (mut memory, _) = memory();
        let before = memory.shape([]);
        let lost = block(&mut memory, 0x1000);
        assert_eq!(memory.shape([]), before);
        assert_ne!(memory.shape(lost.provenance), before);
    }
}
