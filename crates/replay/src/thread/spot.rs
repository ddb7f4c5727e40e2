//! Whether a thread has come back to where it was, so that it goes on like this for ever.
//!
//! It has if it is at the same instruction with the same values, in registers that are still to be
//! read and in objects of its own. Calls in the loop make their stack objects anew each time, so
//! these are compared by their places in the stack and not by their addresses.

use crate::events::trace::Flow;
use crate::memory::objects::{Life, Objects};
use crate::thread::state::State;
use execution::ids::IdVec;
use execution::witness::ObjectKind;
use ir::cfg::Liveness;
use ir::program::{FuncId, Reg};
use ir::step::sc::contents::Contents;
use ir::step::thread::{Code, Thread};
use ir::value::RegionId;
use std::collections::{BTreeMap, BTreeSet};

/// Where a thread is.
pub struct Spot {
    thread: Thread<Flow>,
    /// What is in its stack objects, if it has touched them.
    stack: Vec<Option<Contents>>,
    /// What is in other objects of its own.
    others: BTreeMap<RegionId, Contents>,
}

impl Spot {
    /// Where a thread is that has done this.
    pub fn new(
        code: &Code<'_>,
        alive: &IdVec<FuncId, Liveness>,
        objects: &Objects,
        thread: &Thread<Flow>,
        state: &State,
    ) -> Self {
        let mut thread = thread.clone();
        thread.forget(code, alive);
        let slots = thread.slots().iter().map(|slot| slot.provenance);
        let own = |region: RegionId| state.local.get(&region).map(|local| local.contents.clone());
        let stack = slots.map(|region| region.and_then(own)).collect();
        let lasts = |region: RegionId| !matches!(objects.get(region).kind, ObjectKind::Slot { .. });
        let others = state.local.iter();
        let others = others.filter(|(region, local)| lasts(**region) && local.life == Life::Alive);
        let others = others.map(|(region, local)| (*region, local.contents.clone())).collect();
        Self { thread, stack, others }
    }

    /// The same, whatever these registers of its innermost call hold.
    pub fn whatever(mut self, code: &Code<'_>, regs: &BTreeSet<Reg>) -> Self {
        self.thread.forget_registers(code, regs);
        self
    }

    /// Whether a thread that is here goes on like one that is there.
    pub fn is_like(&self, other: &Self) -> bool {
        self.thread.is_where_with_other_slots(&other.thread)
            && self.stack == other.stack
            && self.others == other.others
    }
}
