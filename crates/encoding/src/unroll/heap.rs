//! Allocation and release of heap blocks.
//!
//! An allocation makes one block for each of its possible sizes. Where these are not known (they
//! depend on what was read, or are too many to be listed), the block has one of the sizes that some
//! execution is known to ask for; one that asks for another goes past a bound, and the caller that
//! unrolls learns its size.
//!
//! Soundness S-093 (check, verify; all; refuses): A block whose size is not known beforehand has
//! the sizes that some execution asks for, up to eight and up to 64 KiB each; others are `holds*`,
//! and on `relaxed` and models like it such an allocation is refused once threads run. Test:
//! corpus/verify/memory/chosen_size.c, corpus/verify/memory/chosen_size_exceeded.c,
//! corpus/verify/memory/vector.c.
//!
//! Soundness S-094 (check, verify; all; misses): An ABA problem that needs a freed address is found
//! only with `check --reuse-memory`. Test:
//! crates/fencepost/tests/check.rs::a_block_that_is_used_again_looks_as_if_nothing_had_changed.

use super::memory::Target;
use super::objects::Block;
use super::{Effect, Frame, Result, Sym, Unroller, unsupported};
use crate::bounded::{ActionKind, Alternatives, BoundHit, Input, InstanceKey, RegionKind, Wrong};
use crate::guard::Guard;
use crate::term::TermId;
use execution::finding::FindingKind;
use ir::op::{BinaryOp, Inst, Op, Operand};
use ir::program::{LocId, Reg, Width};
use ir::step::sc::LARGEST_HEAP;
use ir::value::{RegionId, Value};

/// An allocation of which all sizes are known is explored with this many.
const MAX_SIZES: usize = 8;
/// Executions that ask for no more than this are looked for first.
const SMALL: u64 = 256;
/// This many blocks are distinguished where the size of one is asked for.
const MAX_BLOCKS: usize = 64;

impl Unroller<'_> {
    /// Allocates, frees, or tells the size of a block; gives the guard of the paths that go on.
    pub(super) fn manage(&mut self, frame: &mut Frame, guard: Guard, inst: &Inst) -> Result<Guard> {
        let place = inst.place;
        match &inst.op {
            Op::Alloc { .. } => return self.allocate(frame, guard, inst),
            Op::BlockSize { dst, address } => {
                self.block_size(frame, guard, *dst, address, place)?
            }
            Op::Free { address } => {
                self.running.effects.push(Effect::seen(guard));
                let known = self.defined(frame, guard, address, "an address", place)?;
                if !self.concurrent && self.alternatives(known.term).is_none() {
                    let place = self.users_place(frame, place);
                    return unsupported(place, "a `free` of an address with too many values");
                }
                let target = self.target(frame, guard, address, place)?;
                match target {
                    Target::Own(places) => self.free_own(frame, &places, place),
                    Target::Shared(address) => {
                        self.next_instruction();
                        let taint = self.tracked(&address.taint);
                        let kind = ActionKind::Free { address: address.term, taint };
                        self.act(frame, guard, kind, place)?;
                    }
                }
            }
            _ => unreachable!("executed elsewhere"),
        }
        Ok(guard)
    }

    fn allocate(&mut self, frame: &mut Frame, guard: Guard, inst: &Inst) -> Result<Guard> {
        let Op::Alloc { dst, size, align, zeroed, layout } = &inst.op else {
            unreachable!("executed elsewhere")
        };
        let place = inst.place;
        let register = match size {
            Operand::Reg(reg) => Some(*reg),
            _ => None,
        };
        let size = self.defined(frame, guard, size, "the size of an allocation", place)?;
        let align = self.defined(frame, guard, align, "the alignment of an allocation", place)?;
        let Some(align) = self.out.terms.constant(align.term) else {
            let place = self.users_place(frame, place);
            return unsupported(place, "an allocation whose alignment is not known beforehand");
        };
        let known = self.alternatives(size.term).filter(|sizes| sizes.len() <= MAX_SIZES);
        let all_known = known.is_some();
        let width = self.out.terms.width(size.term);
        let key: InstanceKey = frame.context.as_slice().into();
        let sizes: Vec<Value> = match known {
            Some(sizes) => sizes,
            // What lets an execution ask for a size may come after the allocation.
            None if self.concurrent && self.options.by_text => {
                let place = self.users_place(frame, place);
                return unsupported(place, "an allocation whose size is not known beforehand");
            }
            None => {
                let sizes = self.options.sizes.get(&key).into_iter().flatten();
                let sizes = sizes.filter(|&&size| size <= LARGEST_HEAP);
                sizes.map(|&size| Value::int(width, size.into())).collect()
            }
        };
        self.running.effects.push(Effect::seen(guard));
        let mut rest = guard;
        for value in sizes {
            let equal = self.out.terms.equals(size.term, value);
            let here = self.out.terms.guards.and(guard, equal);
            let other = self.out.terms.guards.not(equal);
            rest = self.out.terms.guards.and(rest, other);
            if here == Guard::FALSE {
                continue;
            }
            if let Some(register) = register.filter(|_| !all_known) {
                // The same number, in a form that tells more about loops over the block.
                let term = self.constant(value);
                self.set(frame, here, register, Sym { term, taint: size.taint.clone() });
            }
            if value.low() > LARGEST_HEAP {
                self.no_memory(frame, here, *dst);
                continue;
            }
            let block = Block {
                thread: self.running.thread,
                size: value.low(),
                align: align.low(),
                zeroed: *zeroed,
                concurrent: self.concurrent,
                layout: *layout,
                place,
            };
            let fresh = self.make_block(here, block);
            let given = match self.concurrent {
                true => self.given_block(frame, here, &block, fresh)?,
                false => self.constant(self.pointer(fresh)),
            };
            self.set(frame, here, *dst, given.into());
        }
        if all_known || rest == Guard::FALSE {
            return Ok(guard);
        }
        let (mut stopped, impossible) = self.split(rest, size.term, LARGEST_HEAP);
        let (small, large) = self.split(stopped, size.term, SMALL);
        // No block is that large, whatever its size.
        let fails = self.options.sizes.get(&key).and_then(|sizes| sizes.last());
        if fails.is_some_and(|&most| most > LARGEST_HEAP) {
            self.no_memory(frame, impossible, *dst);
        } else {
            stopped = rest;
        }
        let place = self.users_place(frame, place);
        for guard in [small, large, impossible] {
            if self.out.terms.guards.implies(guard, stopped) && guard != Guard::FALSE {
                let (moment, origin) = (self.moment(guard), frame.origin(place));
                let (key, size) = (key.clone(), Some(size.term));
                let (last, unseen, section) = (None, None, self.section_of(guard));
                let counted = false;
                let hit = BoundHit {
                    moment,
                    key,
                    last,
                    size,
                    origin,
                    unseen,
                    section,
                    counted,
                    counting: false,
                    stores: None,
                };
                self.out.bounds.push(hit);
            }
        }
        let others = self.out.terms.guards.not(stopped);
        Ok(self.out.terms.guards.and(guard, others))
    }

    /// The paths of `guard` on which a number is at most `most`, and the others.
    fn split(&mut self, guard: Guard, number: TermId, most: u64) -> (Guard, Guard) {
        let width = self.out.terms.width(number);
        let most = self.constant(Value::int(width, most.into()));
        let within = self.out.terms.binary(BinaryOp::Ule, number, most);
        let within = self.out.terms.truth(within);
        let guards = &mut self.out.terms.guards;
        let beyond = guards.not(within);
        (guards.and(guard, within), guards.and(guard, beyond))
    }

    fn no_memory(&mut self, frame: &mut Frame, guard: Guard, dst: Reg) {
        let null = self.constant(Value::NULL);
        self.set(frame, guard, dst, null.into());
    }

    fn block_size(
        &mut self,
        frame: &mut Frame,
        guard: Guard,
        dst: Reg,
        address: &Operand,
        place: Option<LocId>,
    ) -> Result<()> {
        let address = self.defined(frame, guard, address, "an address", place)?;
        let size = |this: &Self, id: RegionId| this.out.regions[id].size;
        let known: Vec<(Value, u64)> = match self.alternatives(address.term) {
            Some(values) => {
                let size = |value: &Value| value.provenance.map_or(0, |id| size(self, id));
                values.iter().map(|value| (*value, size(value))).collect()
            }
            // What is read from memory may be any block that a thread allocates.
            None if self.objects.blocks.len() <= MAX_BLOCKS => {
                self.found.wants_blocks = true;
                let none = self.constant(Value::int(Width::I64, 0));
                self.set_fitted(frame, guard, dst, none.into());
                let blocks = self.objects.blocks.iter();
                blocks.map(|&(_, id)| (self.pointer(id), size(self, id))).collect()
            }
            None => {
                let place = self.users_place(frame, place);
                return unsupported(place, "the size of a block that may be one of very many");
            }
        };
        for (value, size) in known {
            let equal = self.out.terms.equals(address.term, value);
            let here = self.out.terms.guards.and(guard, equal);
            let size = self.constant(Value::int(Width::I64, size.into()));
            self.set_fitted(frame, here, dst, Sym::from(size));
        }
        Ok(())
    }

    /// What the latest allocation gives, while several threads run: the block that it makes, or one
    /// that was freed.
    fn given_block(
        &mut self,
        frame: &Frame,
        guard: Guard,
        block: &Block,
        fresh: RegionId,
    ) -> Result<TermId> {
        let own = self.constant(self.pointer(fresh));
        if self.is_private(fresh) {
            return Ok(own);
        }
        let others = self.reusable(block);
        let mut given = own;
        if !others.is_empty() {
            let mut all = vec![own];
            for other in others {
                all.push(self.constant(self.pointer(other)));
            }
            let moment = self.moment(guard);
            let (input, chosen) = self.out.terms.input(Width::PTR);
            self.out.inputs.push(Input::Choice { from: Alternatives::Terms(all), moment });
            if let Some(allocation) = self.out.allocations.iter_mut().last() {
                allocation.choice = Some((input, chosen));
            }
            given = chosen;
        }
        self.next_instruction();
        let zeroed = block.zeroed;
        let writes = zeroed || self.options.language.is_source();
        let kind = ActionKind::Allocate { block: given, fresh, zeroed, writes };
        self.act(frame, guard, kind, block.place)?;
        Ok(given)
    }

    fn free_own(&mut self, frame: &Frame, places: &[(Guard, Value)], place: Option<LocId>) {
        for &(here, address) in places.iter().filter(|(_, address)| address.bits != 0) {
            if let Some(kind) = self.out.wrong_free(&address) {
                self.check(frame, here, Wrong::Always, kind, place);
                continue;
            }
            let Some(id) = address.provenance else { continue };
            self.touch(id, true, false, here);
            let freed = self.out.regions[id].freed;
            let twice = self.out.terms.guards.and(here, freed);
            if twice != Guard::FALSE {
                self.check(frame, twice, Wrong::Always, FindingKind::DoubleFree, place);
            }
            debug_assert!(matches!(self.out.regions[id].kind, RegionKind::Heap(_)));
            self.out.regions[id].freed = self.out.terms.guards.or(freed, here);
        }
    }
}
