//! How stack objects and heap blocks begin and end.
//!
//! Soundness S-010 (run, check, verify; all; misses): A stack object lives until its call returns:
//! a pointer to a variable of an inner block that has ended is not a finding. Test:
//! corpus/verify/approximations/local_of_inner_block.c.

use super::contents::Contents;
use super::journal::Undo;
use super::region::{Life, Origin, Region, RegionKind};
use super::{Checked, LEAST_ALIGN, NULL_PAGE, ScMemory, THREAD_AREA, Violation, place};
use crate::layout::LayoutId;
use crate::program::{FuncId, SlotId};
use crate::step::frame::trace;
use crate::step::memory::Site;
use crate::value::{RegionId, Value};
use execution::event::ThreadId;
use execution::finding::{AccessInfo, FindingKind, Verb};
use execution::ids::Id;

/// More memory than this is not handed out: `malloc` gives null.
pub const LARGEST_HEAP: u64 = 1 << 30;
/// More than this in the stack objects of one thread is a stack overflow.
const LARGEST_STACK: u64 = 1 << 26;
/// This many calls are remembered of the place where a block was allocated or freed.
const TRACE: usize = 16;

impl ScMemory {
    /// Makes a stack object with undefined contents.
    pub fn slot(&mut self, site: Site<'_>, function: FuncId, slot: SlotId) -> Checked<Value> {
        let info = &site.program.functions[function].slots[slot];
        let area = self.area(site.thread);
        if info.size > LARGEST_STACK - area.stack_in_use {
            return Err(FindingKind::StackOverflow.into());
        }
        area.stack_in_use += info.size;
        let base = place(&mut area.next_stack, info.size, info.align);
        let kind = RegionKind::Stack(function, slot, site.thread);
        Ok(Value::pointer(self.recycle(base, info.size, kind, false), base))
    }

    /// Makes the contents of a stack object undefined again.
    pub fn enter(&mut self, slot: Value) {
        let Some(id) = slot.provenance else { return };
        let region = &mut self.regions[id];
        if let Some(journal) = &mut self.journal {
            journal.push(Undo::Emptied { region: id, contents: region.contents.clone() });
        }
        region.contents.reset(region.size as usize);
    }

    /// Ends the lifetime of stack objects.
    pub fn leave(&mut self, slots: &[Value]) {
        for id in slots.iter().filter_map(|slot| slot.provenance) {
            self.end(id, Life::Over);
        }
    }

    /// Ends the lifetime of a thread's thread-local objects.
    pub fn end_thread(&mut self, thread: ThreadId) {
        for (_, address) in std::mem::take(&mut self.area(thread).locals) {
            self.end(address.provenance.expect("an object"), Life::Over);
        }
        self.version += 1;
    }

    /// Counts a stack object as in use, or no longer.
    pub(super) fn count_stack(&mut self, id: RegionId, in_use: bool) {
        let Region { kind: RegionKind::Stack(_, _, thread), size, .. } = self.regions[id] else {
            return;
        };
        let count = &mut self.areas[thread.index()].stack_in_use;
        *count = if in_use { *count + size } else { *count - size };
    }

    fn end(&mut self, id: RegionId, life: Life) {
        self.count_stack(id, false);
        let region = &mut self.regions[id];
        let before = std::mem::replace(&mut region.life, life);
        if let Some(journal) = &mut self.journal {
            let contents = std::mem::take(&mut region.contents);
            journal.push(Undo::Ended { region: id, life: before, contents });
        } else {
            if region.size > 256 {
                region.contents = Contents::default();
            }
            self.dead.push_back(id);
        }
    }

    /// Allocates a heap block; null where there is no room or no such alignment.
    pub fn alloc(
        &mut self,
        site: Site<'_>,
        size: u64,
        align: u64,
        zeroed: bool,
        layout: Option<LayoutId>,
    ) -> Value {
        let align = align.max(1);
        let room = LARGEST_HEAP.saturating_sub(self.heap_in_use);
        if size > room || align > LARGEST_HEAP || !align.is_power_of_two() {
            return Value::NULL;
        }
        let area = self.area(site.thread);
        // The area of a thread ends where the next one's starts.
        if area.next_heap % THREAD_AREA + size + align > THREAD_AREA - LARGEST_HEAP {
            return Value::NULL;
        }
        let base = place(&mut area.next_heap, size, align);
        let id = self.recycle(base, size, RegionKind::Heap(layout), zeroed);
        self.heap_in_use += size;
        self.regions[id].allocated = Some(origin(site));
        self.regions[id].asked = (align, zeroed);
        self.version += 1;
        Value::pointer(id, base)
    }

    /// The freed blocks that an allocator may give again to who asks for this: what was asked for
    /// then was the same.
    pub fn reusable(&self, size: u64, align: u64, zeroed: bool) -> Vec<Value> {
        let fits = |(id, region): (RegionId, &Region)| {
            let freed = matches!(region.life, Life::Freed(_));
            let same = (region.size, region.asked) == (size, (align.max(1), zeroed));
            (freed && same).then(|| Value::pointer(id, region.base))
        };
        self.regions.enumerate().filter_map(fits).collect()
    }

    /// Gives a freed block again.
    pub fn alloc_again(&mut self, site: Site<'_>, block: Value) {
        let id = block.provenance.expect("a block");
        let region = &mut self.regions[id];
        let life = std::mem::replace(&mut region.life, Life::Alive);
        let size = region.size as usize;
        let fresh = match region.asked.1 {
            true => Contents::zeroed(size),
            false => Contents::undefined(size),
        };
        let contents = std::mem::replace(&mut region.contents, fresh);
        region.allocated = Some(origin(site));
        self.heap_in_use += region.size;
        match &mut self.journal {
            Some(journal) => journal.push(Undo::Revived { region: id, life, contents }),
            None => self.dead.retain(|&dead| dead != id),
        }
        self.version += 1;
    }

    /// Adds an argument of `main`.
    pub fn argument(&mut self, size: u64) -> Value {
        let base = place(&mut self.next_static, size, LEAST_ALIGN);
        self.add(base, RegionKind::Argument, Contents::zeroed(size as usize), size)
    }

    /// Writes without a check into an object that was just made.
    pub fn preset(&mut self, address: Value, offset: u64, value: Value) {
        let region = address.provenance.expect("an object");
        self.regions[region].contents.write(offset as usize, value);
    }

    /// Frees a heap block.
    pub fn free(&mut self, site: Site<'_>, address: Value) -> Checked<()> {
        let id = self.block(address, Verb::Free)?;
        self.heap_in_use -= self.regions[id].size;
        self.end(id, Life::Freed(origin(site)));
        self.version += 1;
        Ok(())
    }

    /// The size of the heap block that starts at an address.
    pub fn block_size(&self, address: Value) -> Checked<u64> {
        Ok(self.regions[self.block(address, Verb::Resize)?].size)
    }

    /// The living heap block that starts at an address.
    fn block(&self, address: Value, verb: Verb) -> Checked<RegionId> {
        let wrong = |kind| {
            Err(Box::new(Violation {
                kind,
                access: Some(AccessInfo { verb, size: 0, path: None }),
                object: address.provenance.map(|id| (id, self.offset(id, address))),
                origin: None,
            }))
        };
        let Some(id) = address.provenance else {
            return wrong(match address.low() {
                low if low < NULL_PAGE => FindingKind::Null,
                address => FindingKind::Wild { address },
            });
        };
        let region = &self.regions[id];
        match (region.kind, &region.life) {
            (RegionKind::Heap(_), Life::Freed(_)) if verb == Verb::Free => {
                wrong(FindingKind::DoubleFree)
            }
            (RegionKind::Heap(_), Life::Freed(_)) => wrong(FindingKind::UseAfterFree),
            (RegionKind::Heap(_), _) if region.base == address.low() => Ok(id),
            (RegionKind::Heap(_), _) => wrong(FindingKind::FreeInsideBlock),
            _ => wrong(FindingKind::FreeOfNonHeap),
        }
    }
}

fn origin(site: Site<'_>) -> Box<Origin> {
    let trace = trace(site.program, site.frames, site.place, TRACE);
    Box::new(Origin { thread: site.thread, trace })
}
