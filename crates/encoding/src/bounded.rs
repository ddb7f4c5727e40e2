//! A bounded program: everything its threads may do, as guarded events over terms.

use crate::bytes::Bytes;
use crate::guard::Guard;
use crate::parts::Parts;
use crate::term::{InputId, TermId, Terms};
use execution::event::ThreadId;
use execution::finding::FindingKind;
use execution::id;
use execution::ids::{Id, IdVec};
use ir::layout::LayoutId;
use ir::locks::{LockWord, Purpose};
use ir::op::{BinaryOp, CastOp};
use ir::order::{Fence, Order};
use ir::program::{BlockId, FuncId, GlobalId, LocId, Program, Width, public_name};
use ir::step::alignment::Alignment;
use ir::step::shown::{Computed, Direction, Place as Site};
use ir::tag::{Annotation, Side};
use ir::value::{RegionId, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

id! {
    /// Something that a thread may do, in the order of the unrolled program: within a thread, an
    /// action comes before another in program order iff its id is smaller (and both happen).
    pub struct ActionId("a");
}

id! {
    /// A call, or the start of a thread.
    pub struct CallId("call");
}

id! {
    /// An allocation.
    pub struct AllocationId("alloc");
}

/// A point of a thread at which something happens.
#[derive(Clone, Copy, Debug)]
pub struct Moment {
    /// The thread.
    pub thread: ThreadId,
    /// On which paths.
    pub guard: Guard,
    /// Orders what happens in one thread, actions and everything else.
    pub sequence: u32,
}

/// A call.
#[derive(Clone, Copy, Debug)]
pub struct Call {
    /// When.
    pub moment: Moment,
    /// Of which function.
    pub function: FuncId,
}

/// The end of an object: its call returns, or its thread ends.
#[derive(Clone, Copy, Debug)]
pub struct ObjectEnd {
    /// The object.
    pub region: RegionId,
    /// In which thread.
    pub thread: ThreadId,
    /// On which paths.
    pub guard: Guard,
    /// Before this action, and after those of the thread with smaller numbers.
    pub before: ActionId,
}

/// An allocation.
#[derive(Clone, Copy, Debug)]
pub struct Allocation {
    /// When.
    pub moment: Moment,
    /// The block that it makes.
    pub region: RegionId,
    /// Where freed blocks may be used again: what it gives, this block or an older one.
    pub choice: Option<(InputId, TermId)>,
}

/// A bounded program.
#[derive(Clone, Debug, Default)]
pub struct Bounded {
    /// Values and guards.
    pub terms: Terms,
    /// The objects in memory, with fixed addresses.
    pub regions: IdVec<RegionId, Region>,
    /// The threads; the first is `main`.
    pub threads: IdVec<ThreadId, Thread>,
    /// What the threads may do once more than one runs, thread by thread.
    pub actions: IdVec<ActionId, Action>,
    /// How many instructions there are, all copies counted.
    pub instructions: usize,
    /// What may be wrong.
    pub checks: Vec<Check>,
    /// What must hold of every execution that is looked at: the path, and the condition there.
    pub assumptions: Vec<Assumption>,
    /// The takings and givings of mutexes in iterations that only wait if these are mutexes.
    pub polled: BTreeSet<ActionId>,
    /// Where threads wait for ever, whatever happens.
    pub blocked: Vec<(Moment, Origin)>,
    /// Where the whole program ends: where `main` returns, or `exit` is called.
    pub exits: Vec<Moment>,
    /// Those at which it is ended by design: `exit` is called.
    pub exit_calls: Vec<Moment>,
    /// Where threads are detached, and the handles.
    pub detached: Vec<(Moment, TermId)>,
    /// What the client sees, in program order within each thread.
    pub observations: Vec<Observation>,
    /// The operations of the data type, in the order in which they were met.
    pub operations: Vec<Operation>,
    /// Where operations say that they take effect, in program order within each thread. Empty
    /// where commit points are not asked for.
    pub commits: Vec<Commit>,
    /// Branches and assertions, with the moments at which threads reach them. Empty where none is
    /// asks for them.
    pub goals: Vec<(Goal, Moment)>,
    /// What the results among them are, and where.
    pub results: BTreeMap<Goal, (String, Option<LocId>)>,
    /// Loops and recursions that reached their bounds.
    pub bounds: Vec<BoundHit>,
    /// How much such numbers may have grown, where they are any numbers.
    pub any_counts: BTreeSet<TermId>,
    /// The calls, in program order within each thread.
    pub calls: IdVec<CallId, Call>,
    /// The allocations, in program order within each thread.
    pub allocations: IdVec<AllocationId, Allocation>,
    /// Where the lifetimes of shared objects of threads end without a notice.
    pub ends: Vec<ObjectEnd>,
    /// The values that come from outside.
    pub inputs: IdVec<InputId, Input>,
    /// What objects that are one thread's own hold in the end, by address.
    pub own_cells: Vec<(u64, TermId)>,
    /// What memory holds before the threads start: cells that the initial part of the program
    /// wrote, by address. Cells that are not listed hold what [`Region::contents`] says.
    pub initial: BTreeMap<u64, InitialCell>,
    /// The operations on floating-point numbers, with their places in the source.
    pub floats: BTreeMap<TermId, Option<LocId>>,
    /// The words of locks ([`ir::locks`]) that the initial part of the program took, by address.
    pub taken: BTreeMap<u64, Taken>,
    /// Where the objects end that were made before the threads started. They have the same
    /// addresses whenever the program is unrolled.
    pub before_threads: u64,
    /// Whether what memory holds decides somewhere which function is called.
    pub calls_any: bool,
    /// How accesses are divided where they overlap with others of another extent.
    pub parts: Parts,
    /// The results of operations that may become tables, where runs tell what is known.
    pub costly: Vec<(TermId, Site)>,
    /// The operations that are tables.
    pub tabled: BTreeSet<Site>,
}

/// A lock that the initial part of the program took; it may have given it back.
#[derive(Clone, Debug)]
pub struct Taken {
    /// On which paths.
    pub guard: Guard,
    /// Where it did so last.
    pub origin: Origin,
    /// What its word says.
    pub word: LockWord,
}

/// A cell of the initial memory.
#[derive(Clone, Copy, Debug)]
pub struct InitialCell {
    /// Its width.
    pub width: Width,
    /// What it holds.
    pub value: TermId,
}

/// An object in memory.
#[derive(Clone, Debug)]
pub struct Region {
    /// What it is.
    pub kind: RegionKind,
    /// Its address.
    pub base: u64,
    /// Its size in bytes.
    pub size: u64,
    /// What it holds at first.
    pub contents: Contents,
    /// On which paths the initial part of the program freed it, or its lifetime ended; if it is
    /// private, any part.
    pub freed: Guard,
    /// Whether only one thread ever sees it, so that accesses to it are no actions.
    pub private: bool,
    /// How it is called: `queue`, `node` …
    pub name: Arc<str>,
    /// Its layout, for naming what is inside.
    pub layout: Option<LayoutId>,
    /// Where it was made.
    pub place: Option<LocId>,
}

/// What a region is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RegionKind {
    /// A global; read-only or not.
    Global { id: GlobalId, constant: bool },
    /// A thread's copy of a thread-local.
    ThreadLocal { id: GlobalId, thread: ThreadId },
    /// A stack object: of this call the so-many-th.
    Slot { call: CallId, slot: u32 },
    /// A heap block.
    Heap(AllocationId),
    /// A function.
    Function(FuncId),
}

/// What an object holds at first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Contents {
    /// These bytes.
    Bytes(Bytes),
    /// Nothing defined.
    Undefined,
}

/// A thread.
#[derive(Clone, Debug)]
pub struct Thread {
    /// The function it runs.
    pub function: FuncId,
    /// Who started it and where; `None` for a thread of a program that starts with several.
    pub parent: Option<ActionId>,
    /// On which paths it was started.
    pub guard: Guard,
    /// Its actions, in program order.
    pub actions: Vec<ActionId>,
    /// On which paths it ends.
    pub ended: Guard,
}

/// Something that a thread may do.
#[derive(Clone, Debug)]
pub struct Action {
    /// The thread.
    pub thread: ThreadId,
    /// On which paths.
    pub guard: Guard,
    /// What it does.
    pub kind: ActionKind,
    /// Its place among everything that happens in the thread.
    pub sequence: u32,
    /// The instruction it belongs to: the actions of one instruction share this number.
    pub instruction: u32,
    /// The atomic section that it is in.
    pub section: Option<u32>,
    /// The operation that it is in.
    pub operation: Option<u32>,
    /// The reads that decided the branches before it, each on the paths of its guard.
    pub control: Taint,
    /// Where it comes from.
    pub origin: Origin,
}

/// The reads that something was computed from. Empty where dependencies are not asked for.
pub type Taint = Arc<BTreeMap<ActionId, Flow>>;

/// On which paths something was computed from a read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Flow {
    /// By a flow of data.
    pub plain: Guard,
    /// By a flow that may also select (CSEL, CAS); contains the other.
    pub pick: Guard,
}

/// Where an action comes from.
#[derive(Clone, Debug, Default)]
pub struct Origin {
    /// The source place.
    pub place: Option<LocId>,
    /// The calls around it, outermost first: function and place of the call.
    pub calls: Arc<[(FuncId, Option<LocId>)]>,
}

impl Origin {
    /// The innermost place that the user wrote, also where a header's function is called; without
    /// one, the innermost of all.
    pub fn users_place(&self, program: &Program) -> Option<LocId> {
        let calls = self.calls.iter().rev().filter_map(|&(_, place)| place);
        let mut places = self.place.into_iter().chain(calls);
        places.find(|&place| is_users(program, place)).or(self.place)
    }

    /// The function of an embedded header that the user called there, if it is in one.
    pub fn library_function<'p>(&self, program: &'p Program) -> Option<&'p str> {
        let is_own = |place: Option<LocId>| place.is_some_and(|place| is_users(program, place));
        if is_own(self.place) {
            return None;
        }
        let mut calls = self.calls.iter().rev();
        let &(function, _) = calls.find(|&&(_, place)| is_own(place))?;
        let name = public_name(&program.functions[function].name);
        match name.strip_prefix("__fp_") {
            // A form of a public function: `__fp_memset_by_4`.
            Some(own) => own.split_once("_by").map(|(public, _)| public),
            None => Some(name),
        }
    }
}

/// Whether a place, or one that it was inlined at, is in no header of ours.
fn is_users(program: &Program, place: LocId) -> bool {
    let all = &program.places;
    let outwards = std::iter::successors(Some(place), |&place| all[place].inlined_at);
    outwards.into_iter().any(|place| !all[place].location.is_library())
}

/// What an action does.
#[derive(Clone, Debug)]
pub enum ActionKind {
    /// Reads memory.
    Read {
        access: Access,
        /// What it returns.
        into: InputId,
        /// Load-exclusive or part of an RMW.
        exclusive: bool,
    },
    /// Writes memory.
    Write {
        access: Access,
        value: TermId,
        /// What the value was computed from.
        data: Taint,
        /// The read of the same read-modify-write, or the load-exclusive that it is paired with.
        rmw: Option<Pairing>,
    },
    /// Orders other accesses.
    Fence(Fence),
    /// Frees the block that starts at this address (null: nothing): writes to all of its cells.
    Free { address: TermId, taint: Taint },
    /// A stack object's call returns, or a thread-local object's thread ends: writes to all of the
    /// object's cells.
    End(RegionId),
    /// An allocation, of a block that is not its thread's own: writes to all cells of the block
    /// that it gives.
    Allocate {
        /// What it gives.
        block: TermId,
        /// The block that it makes itself; the others that it may give were freed.
        fresh: RegionId,
        /// Whether it writes zeros; otherwise what it writes is undefined.
        zeroed: bool,
        /// Whether writing to the block that it makes itself is an event.
        writes: bool,
    },
    /// Starts a thread: a full fence.
    Spawn(ThreadId),
    /// Awaits a thread: a full fence.
    Join(ThreadId),
}

/// How a write belongs to a read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pairing {
    /// The read.
    pub read: ActionId,
    /// Whether it is one instruction (not a load-/store-exclusive pair).
    pub single: bool,
    /// Whether the written value is computed from the read one.
    pub computed: bool,
    /// Whether the write takes place only if the read value compares equal.
    pub compared: bool,
}

/// A memory access.
#[derive(Clone, Debug)]
pub struct Access {
    /// The address.
    pub address: TermId,
    /// The width.
    pub width: Width,
    /// The memory order; for the read of a compare-and-swap, one for success and one for failure.
    pub orders: Vec<(Order, Guard)>,
    /// Further annotations, those of this event only, each on the paths of its guard.
    pub tags: Vec<(Annotation, Guard)>,
    /// The operators on a side of which it is: accesses on different sides of one are in no order.
    pub sides: Vec<Side>,
    /// What the source calls the place.
    pub path: Option<Arc<str>>,
    /// What the access is for.
    pub purpose: Purpose,
    /// What the address was computed from.
    pub taint: Taint,
    /// What the address must be a multiple of.
    pub alignment: Alignment,
}

/// Something that may be wrong with the program: it is if, on the paths of `guard`, `wrong` holds.
/// The thread then stops.
#[derive(Clone, Debug)]
pub struct Check {
    /// Where in the thread.
    pub moment: Moment,
    /// When it is wrong.
    pub wrong: Wrong,
    /// What is wrong then.
    pub kind: FindingKind,
    /// Where.
    pub origin: Origin,
    /// The atomic section that it is in, by its number in the thread.
    pub section: Option<u32>,
}

/// When something is wrong.
#[derive(Clone, Copy, Debug)]
pub enum Wrong {
    /// Whenever control comes here.
    Always,
    /// If this term of one bit is 0.
    Zero(TermId),
    /// If this term has an undefined bit.
    Undefined(TermId),
    /// If the quotient of these does not exist.
    Division(BinaryOp, TermId, TermId),
    /// If the first term, of one bit, is 0, and these two are defined.
    Overflow(TermId, [TermId; 2]),
}

/// An assumption: on the paths of `guard` the term is 1, or the execution is not looked at.
#[derive(Clone, Debug)]
pub struct Assumption {
    /// Where in the thread.
    pub moment: Moment,
    /// What is assumed; `None` for what never holds.
    pub condition: Option<TermId>,
    /// In an atomic section, or in place of a loop that waits: the thread waits until it holds.
    pub waits: Option<Waiting>,
    /// The atomic section it is in: the thread does not enter it if this fails.
    pub section: Option<u32>,
    /// The operation that it is in, if all paths have begun the same.
    pub operation: Option<u32>,
    /// Where.
    pub origin: Origin,
}

/// How a thread waits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Waiting {
    /// Whether it iterates; otherwise it waits before an atomic section.
    pub spins: bool,
    /// Everything later in the thread belongs to the attempt that fails.
    pub since: u32,
}

/// Something in the program that an execution may reach.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Goal {
    /// A way out of a block that ends in a branch: 0 is where its condition holds, or its first
    /// case.
    Branch { function: FuncId, block: BlockId, arm: u32 },
    /// An assertion: the instruction of this number in a block.
    Assertion { function: FuncId, block: BlockId, index: u32 },
    /// A result of an operation that is known from runs alone: the instruction of this number in a
    /// block, and the number of the entry of its table.
    Result { function: FuncId, block: BlockId, index: u32, entry: u32 },
}

/// An operation of the data type.
#[derive(Clone, Debug)]
pub struct Operation {
    /// The thread.
    pub thread: ThreadId,
    /// Its name.
    pub name: Arc<str>,
    /// On which paths it begins.
    pub guard: Guard,
}

/// A commit point: the operation takes effect at its last access before the last of these.
#[derive(Clone, Copy, Debug)]
pub struct Commit {
    /// When.
    pub moment: Moment,
    /// The operation.
    pub operation: u32,
}

/// What the client sees.
#[derive(Clone, Debug)]
pub struct Observation {
    /// When.
    pub moment: Moment,
    /// The operation in which it is seen.
    pub operation: Option<u32>,
    /// The label.
    pub label: Arc<str>,
    /// The value.
    pub value: TermId,
}

/// A loop or a recursion that would go on beyond its bound, an allocation of another size than
/// those that are known, or something that no run has shown.
#[derive(Clone, Debug)]
pub struct BoundHit {
    /// Where in the thread.
    pub moment: Moment,
    /// Which loop instance: the key under which its bound is raised.
    pub key: InstanceKey,
    /// How many iterations there were, if the bound cannot be raised.
    pub last: Option<u32>,
    /// The size that an allocation asks for.
    pub size: Option<TermId>,
    /// Where it is.
    pub origin: Origin,
    /// What no run has shown, where the program is known from runs alone.
    pub unseen: Option<Unseen>,
    /// The atomic section that it is in.
    pub section: Option<u32>,
    /// Whether it is a loop that ends by itself, at some number.
    pub counted: bool,
    /// Whether its last iteration may have changed nothing but numbers.
    pub counting: bool,
    /// A store to shared memory that its last iteration may have made.
    pub stores: Option<LocId>,
}

/// The same loop in all iterations of the loops around it: their numbers are left out of the key.
pub fn in_all_iterations(key: &[u32]) -> InstanceKey {
    let mut key = key.to_vec();
    // A thread, then threes: a call, its block and its number; or a loop, its head and the
    // iteration.
    for part in key.get_mut(1..).into_iter().flat_map(|rest| rest.chunks_exact_mut(3)) {
        if part[0] == 1 {
            part[2] = u32::MAX;
        }
    }
    key.into()
}

/// Something that no run of the program has shown.
#[derive(Clone, Debug)]
pub enum Unseen {
    /// A branch goes this way.
    Direction(Direction),
    /// What this instruction computes is asked for with operands that its table does not have.
    Entry { table: Computed, operands: Vec<TermId>, site: Site },
}

/// An instance of a loop or of a recursive call: the calls and iterations that lead to it.
pub type InstanceKey = Arc<[u32]>;

/// A value from outside a thread.
#[derive(Clone, Debug)]
pub enum Input {
    /// What a read returned.
    Read(ActionId),
    /// A choice of the program, among constants.
    Choice { from: Alternatives, moment: Moment },
    /// Whether a weak compare-and-swap fails for no reason (one bit); `moment` is when it has
    /// found what it expected. One that tries again is not `allowed` to.
    Spurious { moment: Moment, allowed: bool },
    /// Whether a store-exclusive that could succeed fails for no reason (one bit).
    Exclusive { moment: Moment },
    /// Whether a thread waits for ever in a loop that changes nothing but counters (one bit).
    Stays { moment: Moment },
}

impl Action {
    /// What takes place at once without any section: an access, or the two of a read-modify-write,
    /// which are named by the read. `None` for what is not an access.
    pub(crate) fn unit(&self, own: ActionId) -> Option<ActionId> {
        match &self.kind {
            ActionKind::Write { rmw: Some(pairing), .. } => Some(pairing.read),
            ActionKind::Read { .. }
            | ActionKind::Write { .. }
            | ActionKind::Free { .. }
            | ActionKind::End(_)
            | ActionKind::Allocate { writes: true, .. } => Some(own),
            ActionKind::Allocate { writes: false, .. }
            | ActionKind::Fence(_)
            | ActionKind::Spawn(_)
            | ActionKind::Join(_) => None,
        }
    }

    /// Whether the language leaves it open which of two accesses of a thread comes first.
    pub fn is_unordered_with(&self, other: &Action) -> bool {
        let sides = |action: &Action| match &action.kind {
            ActionKind::Read { access, .. } | ActionKind::Write { access, .. } => {
                access.sides.clone()
            }
            _ => Vec::new(),
        };
        let others = sides(other);
        sides(self).into_iter().any(|side| others.contains(&side.other()))
    }
}

/// What is chosen from.
#[derive(Clone, PartialEq, Debug)]
pub enum Alternatives {
    /// One of these terms.
    Terms(Vec<TermId>),
    /// Signed numbers from the first to the second.
    Range(i128, i128),
    /// Any value of the width.
    Any,
}

/// The region that an address lies in. Regions are made in the order of their addresses.
pub(crate) fn region_at(regions: &IdVec<RegionId, Region>, address: u64) -> Option<RegionId> {
    let next = regions.as_slice().partition_point(|region| region.base <= address);
    let id = RegionId::new(next.checked_sub(1)?);
    (address - regions[id].base < regions[id].size).then_some(id)
}

impl Bounded {
    /// The region that an address lies in. One past the end does not.
    pub fn region_at(&self, address: u64) -> Option<RegionId> {
        region_at(&self.regions, address)
    }

    /// What a cell holds before the threads start; `None` if there is no such cell, or if the
    /// initial part of the program wrote only a part of it or more than it at once.
    pub fn initial_value(&mut self, address: u64, width: Width) -> Option<TermId> {
        if let Some(cell) = self.initial.get(&address).filter(|cell| cell.width == width) {
            return Some(cell.value);
        }
        let end = address.checked_add(width.bytes())?;
        if let Some(value) = self.part_of_initial(address, width) {
            return Some(value);
        }
        let before = self.initial.range(..address).next_back();
        let overlaps = before.is_some_and(|(&at, cell)| at + cell.width.bytes() > address)
            || self.initial.range(address..end).next().is_some();
        if overlaps {
            return self.whole_of_initial(address, width);
        }
        let region = &self.regions[self.region_at(address)?];
        let value = region.initially(address, width);
        Some(self.terms.value(value))
    }

    /// What is there at first inside something wider, as after a `memset` by words.
    fn part_of_initial(&mut self, address: u64, width: Width) -> Option<TermId> {
        let (&at, &InitialCell { value, width: wide, .. }) =
            self.initial.range(..=address).next_back()?;
        if at + wide.bytes() < address + width.bytes() || wide <= width {
            return None;
        }
        let by = Value::int(wide, u128::from(8 * (address - at)));
        let by = self.terms.value(by);
        let shifted = self.terms.binary(BinaryOp::LShr, value, by);
        Some(self.terms.cast(CastOp::Truncate, width, shifted))
    }

    /// What is there at first where it was written in parts, or only in part.
    fn whole_of_initial(&mut self, address: u64, width: Width) -> Option<TermId> {
        let end = address + width.bytes();
        let mut whole = self.terms.value(Value::int(width, 0));
        let mut at = address;
        while at < end {
            let value = self.piece_of_initial(at, end)?;
            let by = Value::int(width, u128::from(8 * (at - address)));
            let by = self.terms.value(by);
            at += self.terms.width(value).bytes();
            let part = self.terms.cast(CastOp::ZeroExtend, width, value);
            let part = self.terms.binary(BinaryOp::Shl, part, by);
            whole = self.terms.binary(BinaryOp::Or, whole, part);
        }
        Some(whole)
    }

    /// What is written there if it ends in time, and a byte otherwise.
    fn piece_of_initial(&mut self, at: u64, end: u64) -> Option<TermId> {
        let cell = self.initial.get(&at).filter(|cell| at + cell.width.bytes() <= end);
        if let Some(cell) = cell {
            return Some(cell.value);
        }
        if let Some(byte) = self.part_of_initial(at, Width::I8) {
            return Some(byte);
        }
        let region = &self.regions[self.region_at(at)?];
        let byte = region.initially(at, Width::I8);
        Some(self.terms.value(byte))
    }

    /// What is wrong with an access at this address, whenever it takes place; that the object may
    /// be dead then is another matter.
    pub fn wrong_access(
        &self,
        address: &Value,
        width: Width,
        write: bool,
        alignment: Alignment,
    ) -> Option<FindingKind> {
        let at = address.low();
        let Some(region) = address.provenance else { return Some(without_object(at)) };
        let region = &self.regions[region];
        let offset = at.wrapping_sub(region.base);
        let inside = width.bytes() <= region.size && offset <= region.size - width.bytes();
        match region.kind {
            RegionKind::Function(_) => Some(FindingKind::FunctionAsData),
            _ if !inside => Some(FindingKind::OutOfBounds),
            _ if alignment.is_missed_at(at) => alignment.wrong(at),
            RegionKind::Global { constant: true, .. } if write => {
                Some(FindingKind::WriteToConstant)
            }
            _ => None,
        }
    }

    /// What is wrong with an access to an object that is gone.
    pub fn used_after_end(&self, region: RegionId) -> FindingKind {
        match self.regions[region].kind {
            RegionKind::Slot { .. } => FindingKind::UseAfterReturn,
            RegionKind::ThreadLocal { .. } => FindingKind::UseAfterThread,
            _ => FindingKind::UseAfterFree,
        }
    }

    /// The blocks to which an allocation writes zeros, apart from those of which the zeros are
    /// there at first.
    pub fn zeroed(&self) -> BTreeSet<RegionId> {
        let zeroed = |action: &Action| match action.kind {
            ActionKind::Allocate { fresh, zeroed: true, .. } => Some(fresh),
            _ => None,
        };
        self.actions.iter().filter_map(zeroed).collect()
    }

    /// The objects whose ends are actions.
    pub fn ending(&self) -> BTreeSet<RegionId> {
        let end = |action: &Action| match action.kind {
            ActionKind::End(region) => Some(region),
            _ => None,
        };
        self.actions.iter().filter_map(end).collect()
    }

    /// Whether a thread has ended whenever another one reaches some action on these paths: it was
    /// awaited, or the one that awaits it before its own end was.
    pub(crate) fn is_over(
        &mut self,
        thread: ThreadId,
        (by, guard): (ThreadId, Guard),
        before: ActionId,
    ) -> bool {
        let awaits = |action: &Action| matches!(action.kind, ActionKind::Join(t) if t == thread);
        let joins: Vec<(ActionId, ThreadId, Guard)> = self
            .actions
            .enumerate()
            .filter(|(_, action)| awaits(action))
            .map(|(id, action)| (id, action.thread, action.guard))
            .collect();
        joins.into_iter().any(|(id, other, on)| {
            if other == by {
                return id < before && self.terms.guards.implies(guard, on);
            }
            let ended = self.threads[other].ended;
            other != thread
                && self.terms.guards.implies(ended, on)
                && self.is_over(other, (by, guard), before)
        })
    }

    /// What is wrong with freeing this address, which is not null, whenever it takes place.
    pub fn wrong_free(&self, address: &Value) -> Option<FindingKind> {
        let Some(region) = address.provenance else { return Some(without_object(address.low())) };
        let region = &self.regions[region];
        match region.kind {
            RegionKind::Heap(_) if region.base == address.low() => None,
            RegionKind::Heap(_) => Some(FindingKind::FreeInsideBlock),
            _ => Some(FindingKind::FreeOfNonHeap),
        }
    }
}

impl Region {
    /// What a part of it holds at first.
    pub fn initially(&self, address: u64, width: Width) -> Value {
        let Contents::Bytes(bytes) = &self.contents else { return Value::undef(width) };
        bytes.number(address.wrapping_sub(self.base), width).unwrap_or(Value::undef(width))
    }
}

/// Addresses below this are reported as null.
const NULL_PAGE: u64 = 4096;

/// What is wrong with an address that belongs to no object.
fn without_object(address: u64) -> FindingKind {
    match address < NULL_PAGE {
        true => FindingKind::Null,
        false => FindingKind::Wild { address },
    }
}
