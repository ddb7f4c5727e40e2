//! Records the events of a thread as it asks for them: what they are, and what they depend on.

use crate::events::control::Regions;
use crate::events::mask::Mask;
use crate::events::trace::{CONFIRMED, Event, Filling, Flow, Pairing, Trace};
use crate::language::Language;
use crate::memory::world::{CellId, SetId, ValueId, World};
use execution::event::EventKind;
use ir::order::{Fence, Order};
use ir::program::{BlockId, FuncId, LocId};
use ir::step::memory::{ResolvedAccess, Site};
use ir::step::taint::{Dependencies, Taint};
use ir::tag::{self, Side, Tag};
use ir::value::{RegionId, Value};
use models::vocabulary::{self, Sort, Word};
use std::collections::HashMap;

/// What has been recorded of a thread so far.
#[derive(Clone, Debug, Default)]
pub struct Recorder {
    /// The answer to the next question.
    pub decided: Option<usize>,
    /// The events, in program order.
    pub events: Vec<Event>,
    /// The value of each event that has one.
    pub values: Vec<Option<ValueId>>,
    /// What was observed, in order.
    pub observations: Vec<(String, ValueId)>,
    /// The load-exclusives that the next store-exclusive may pair with.
    pub reserved: Vec<u32>,
    /// Events that read the symbolic value.
    pub symbolic: Mask,
    /// Branches of running calls whose arms we may be in, and what they were decided by.
    branches: Vec<Branch>,
    /// How often each branch was decided by what was read.
    taken: HashMap<(FuncId, BlockId), u32>,
    /// The number of the running instruction.
    pub instruction: u32,
    last_place: Option<(Option<LocId>, BlockId, u32)>,
    sections: u32,
    section: Option<u32>,
    operations: u32,
    operation: Option<u32>,
}

/// A branch that was taken.
#[derive(Clone, Debug)]
struct Branch {
    /// How many calls were running, with the one that it is in.
    depth: usize,
    block: BlockId,
    /// What decided it.
    taint: Flow,
}

impl Recorder {
    /// With the answer to the next question.
    pub fn answered(self, answer: usize) -> Self {
        Self { decided: Some(answer), ..self }
    }

    /// What was recorded.
    pub fn finish(self) -> Trace {
        let Self { events, values, observations, .. } = self;
        Trace { events, values, observations, stray: false }
    }

    /// What was recorded before an access of something that is not an address.
    pub fn finish_astray(self) -> Trace {
        Trace { stray: true, ..self.finish() }
    }

    /// An atomic section starts.
    pub fn begin_section(&mut self) {
        self.sections += 1;
        self.section = Some(self.sections);
    }

    /// The atomic section ends.
    pub fn end_section(&mut self) {
        self.section = None;
    }

    /// Whether an atomic section is running.
    pub fn in_section(&self) -> bool {
        self.section.is_some()
    }

    /// Whether an atomic section is running and has had an event: to stop there is to stop inside
    /// it, and not before it.
    pub fn is_within_section(&self) -> bool {
        self.section.is_some() && self.events.last().is_some_and(|e| e.section == self.section)
    }

    /// An operation starts; gives its number in the thread, from one.
    pub fn begin_operation(&mut self) -> u32 {
        self.operations += 1;
        self.operation = Some(self.operations);
        self.operations
    }

    /// The operation ends.
    pub fn end_operation(&mut self) {
        self.operation = None;
    }

    /// The operation that is running.
    pub fn operation(&self) -> Option<u32> {
        self.operation
    }
}

/// How events are recorded.
#[derive(Clone, Copy, Debug)]
pub struct Recording {
    /// The kind of language.
    pub language: Language,
    /// Whether accesses that one place of a litmus test makes one after the other belong to one
    /// machine instruction.
    pub merges: bool,
    /// How often a branch may be decided by what was read, in one thread.
    pub loop_bound: u32,
    /// Whether the words of locks that are written are remembered.
    pub endings: bool,
}

impl Recording {
    /// For a language, without a bound.
    pub fn unbounded(language: Language) -> Self {
        let merges = !language.is_structured();
        Self { language, merges, loop_bound: u32::MAX, endings: false }
    }
}

/// Who writes down what a thread does.
pub struct Scribe<'g, 'p> {
    /// Cells and values.
    pub world: &'g mut World<'p>,
    /// What has been recorded of the running thread.
    pub recorder: Recorder,
    /// Where the arms of branches are.
    pub regions: &'g Regions,
    /// How events are recorded.
    pub options: Recording,
}

/// Which event of an access a tag is for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The read.
    Read,
    /// The write.
    Write,
}

/// What the tags of an access say about one of its events.
#[derive(Default)]
pub struct Marks {
    /// The sets it is in.
    pub sets: Vec<SetId>,
    /// The operators on a side of which it is.
    pub sides: Vec<Side>,
}

/// An event to be recorded.
struct New {
    kind: EventKind,
    cell: Option<CellId>,
    value: Option<ValueId>,
    marks: Marks,
    address: Flow,
    data: Flow,
    control: Flow,
    read: Option<(u32, Pairing)>,
}

impl Scribe<'_, '_> {
    /// The read of a compare-and-swap, as what is computed from its value refers to it.
    pub fn swapped(&self, read: u32, succeeds: bool) -> u32 {
        match succeeds && self.options.language == Language::Arm {
            true => read + CONFIRMED,
            false => read,
        }
    }

    /// What the branches that govern an event at this site depend on.
    fn control(&self, site: Site<'_>, whole: &Flow) -> Flow {
        if !self.options.language.ends_control_at_joins() {
            return whole.clone();
        }
        let mut control = Flow::default();
        for Branch { depth, block, taint } in &self.recorder.branches {
            let frame = site.frames.get(depth - 1);
            if frame.is_some_and(|f| self.regions.governs(f.function, *block, f.block)) {
                control.join(taint);
            }
        }
        control
    }

    /// Starts an instruction: machine instructions may make several requests from one place.
    pub fn start_instruction(&mut self, site: Site<'_>) {
        let next = site.frames.last().map_or(0, |frame| frame.next);
        let here = (site.place, site.block, next);
        let same = self.options.merges
            && self.recorder.last_place.is_some_and(|(place, block, last)| {
                place.is_some() && place == site.place && block == site.block && last < next
            });
        if !same {
            self.recorder.instruction += 1;
        }
        self.recorder.last_place = Some(here);
    }

    fn push(&mut self, site: Site<'_>, new: New) -> u32 {
        let recorder = &mut self.recorder;
        let number = recorder.events.len();
        recorder.events.push(Event {
            kind: new.kind,
            cell: new.cell,
            sets: new.marks.sets,
            instruction: recorder.instruction,
            address: new.address,
            data: new.data,
            control: new.control,
            read: new.read,
            sides: new.marks.sides,
            exclusive: matches!(new.read, Some((_, Pairing::Exclusive))),
            section: recorder.section,
            operation: recorder.operation,
            whole: None,
            access: None,
            place: site.place,
        });
        recorder.values.push(new.value);
        number as u32
    }

    /// The sets of an event of an access: its tags, and in C11 its memory order.
    pub fn marks(&mut self, access: &ResolvedAccess<'_>, part: Part, pair: Option<bool>) -> Marks {
        let (mut sets, mut sides) = (Vec::new(), Vec::new());
        for tag in access.tags {
            let annotation = match tag {
                Tag::Both(annotation) => annotation,
                Tag::Read(annotation) if part == Part::Read => annotation,
                Tag::Write(annotation) if part == Part::Write => annotation,
                Tag::Success(annotation) if part == Part::Read && pair != Some(false) => annotation,
                Tag::Failure(annotation) if part == Part::Read && pair == Some(false) => annotation,
                Tag::Side(side) => {
                    sides.push(*side);
                    continue;
                }
                Tag::Read(_) | Tag::Write(_) | Tag::Success(_) | Tag::Failure(_) => continue,
                Tag::Around(_) | Tag::Mark => continue,
            };
            sets.push(self.world.set(annotation.name()));
        }
        if self.options.language == Language::C11 {
            self.order_sets(access.order, &mut sets);
        }
        if access.order == Order::NonAtomic && !self.recorder.in_section() {
            sets.push(self.world.set("PLAIN"));
        }
        sets.sort_unstable();
        Marks { sets, sides }
    }

    pub fn order_sets(&mut self, order: Order, sets: &mut Vec<SetId>) {
        let name = order_name(order);
        sets.push(self.world.set(name));
        if order.is_atomic() {
            sets.push(self.world.set("A"));
        }
    }

    /// Records the read of a value that is already chosen.
    pub fn read(
        &mut self,
        site: Site<'_>,
        cell: CellId,
        value: ValueId,
        marks: Marks,
        dependencies: &Dependencies<Flow>,
    ) -> u32 {
        let control = self.control(site, &dependencies.control);
        let new = New {
            kind: EventKind::Read,
            cell: Some(cell),
            value: Some(value),
            marks,
            address: dependencies.address.clone(),
            data: Flow::default(),
            control,
            read: None,
        };
        let event = self.push(site, new);
        if self.world.is_symbolic(value) {
            self.recorder.symbolic.insert(event as usize);
        }
        event
    }

    pub fn write(
        &mut self,
        site: Site<'_>,
        cell: CellId,
        value: Value,
        marks: Marks,
        dependencies: &Dependencies<Flow>,
        read: Option<(u32, Pairing)>,
    ) -> u32 {
        let control = self.control(site, &dependencies.control);
        let next = site.frames.last().map_or(0, |frame| frame.next);
        self.world.writers.insert((site.function, site.block, next));
        let value = self.world.value(value);
        let new = New {
            kind: EventKind::Write,
            cell: Some(cell),
            value: Some(value),
            marks,
            address: dependencies.address.clone(),
            data: dependencies.data.clone(),
            control,
            read,
        };
        self.push(site, new)
    }

    /// Records a write to a whole object.
    pub fn fill(
        &mut self,
        site: Site<'_>,
        whole: (RegionId, Filling),
        address: Flow,
        control: &Flow,
    ) {
        let control = self.control(site, control);
        let mut sets = vec![self.world.set("PLAIN"), self.world.set("Library")];
        if self.options.language == Language::C11 {
            sets.push(self.world.set("NA"));
        }
        sets.sort_unstable();
        let marks = Marks { sets, sides: Vec::new() };
        let data = Flow::default();
        let kind = EventKind::Write;
        let new = New { kind, cell: None, value: None, marks, address, data, control, read: None };
        let event = self.push(site, new);
        self.recorder.events[event as usize].whole = Some(whole);
    }

    /// The fences around a read-modify-write that writes.
    pub fn surround(&mut self, site: Site<'_>, access: &ResolvedAccess<'_>, control: &Flow) {
        for tag in access.tags {
            if let Tag::Around(name) = tag {
                let set = self.world.set(name.name());
                self.recorder.instruction += 1;
                self.fence_event(site, vec![set], control);
                self.recorder.instruction += 1;
            }
        }
    }

    /// Records a fence.
    pub fn fence_event(&mut self, site: Site<'_>, sets: Vec<SetId>, control: &Flow) {
        let control = self.control(site, control);
        let (address, data) = (Flow::default(), Flow::default());
        let kind = EventKind::Fence;
        let marks = Marks { sets, sides: Vec::new() };
        let new = New { kind, cell: None, value: None, marks, address, data, control, read: None };
        self.push(site, new);
    }

    /// A mark: an event that is neither read nor write, through which a value may flow.
    pub fn mark(
        &mut self,
        site: Site<'_>,
        access: &ResolvedAccess<'_>,
        cell: CellId,
        dependencies: &Dependencies<Flow>,
    ) -> u32 {
        self.start_instruction(site);
        let marks = self.marks(access, Part::Read, None);
        let control = self.control(site, &dependencies.control);
        let new = New {
            kind: EventKind::Other,
            cell: Some(cell),
            value: None,
            marks,
            address: dependencies.address.clone(),
            data: dependencies.data.clone(),
            control,
            read: None,
        };
        self.push(site, new)
    }

    /// Records a fence of the program.
    pub fn fence(&mut self, site: Site<'_>, fence: &Fence, control: &Flow) {
        let Some(names) = fence_names(fence) else { return };
        let sets = names.into_iter().map(|name| self.world.set(name)).collect();
        self.fence_event(site, sets, control);
    }

    /// Takes note of a decision by a value with this taint; says whether it was a branch that has
    /// been decided by what was read more often than the bound.
    pub fn branch(&mut self, site: Site<'_>, taint: &Flow) -> bool {
        if !ends_block(site) {
            return false;
        }
        // A loop that no read decides ends by itself, or runs out of fuel.
        if !taint.pick.is_empty() {
            let taken = self.recorder.taken.entry((site.function, site.block)).or_default();
            *taken += 1;
            if *taken > self.options.loop_bound {
                return true;
            }
        }
        self.remember_branch(site, taint);
        false
    }

    /// Takes note of a branch: what it governs depends on what decided it.
    pub fn remember_branch(&mut self, site: Site<'_>, taint: &Flow) {
        if self.options.language.ends_control_at_joins() && ends_block(site) {
            let (depth, block) = (site.frames.len(), site.block);
            self.recorder.branches.retain(|b| (b.depth, b.block) != (depth, block));
            self.recorder.branches.push(Branch { depth, block, taint: taint.clone() });
        }
    }

    /// The innermost call returns: its branches govern nothing any more.
    pub fn returns(&mut self, site: Site<'_>) {
        self.recorder.branches.retain(|branch| branch.depth < site.frames.len());
    }
}

/// Whether the thread is at the end of a block. Assumptions are decisions too, but no branches.
pub fn ends_block(site: Site<'_>) -> bool {
    let function = &site.program.functions[site.function];
    let insts = function.blocks[site.block].insts.len();
    site.frames.last().is_none_or(|frame| frame.next as usize >= insts)
}

/// The set of events of a memory order in models of C11.
pub fn order_name(order: Order) -> &'static str {
    match order {
        Order::NonAtomic | Order::Volatile => "NA",
        Order::Relaxed => "RLX",
        Order::Consume => "CON",
        Order::Acquire | Order::AcquirePc => "ACQ",
        Order::Release => "REL",
        Order::AcqRel => "ACQ_REL",
        Order::SeqCst => "SC",
    }
}

/// The sets that the event of a fence is in; `None` if it orders nothing in any machine.
pub fn fence_names(fence: &Fence) -> Option<Vec<&str>> {
    Some(match fence {
        Fence::Compiler => return None,
        Fence::Named(name) => name.split('+').map(cat_name).collect(),
        Fence::C11(order) => vec![order_name(*order)],
        Fence::Directed(directions) => {
            let all = [
                (directions.load_load, "LoadLoad"),
                (directions.load_store, "LoadStore"),
                (directions.store_load, "StoreLoad"),
                (directions.store_store, "StoreStore"),
            ];
            all.into_iter().filter(|(on, _)| *on).map(|(_, name)| name).collect()
        }
    })
}

/// A fence's name in the cat language, which writes `MFENCE` for `mfence`.
fn cat_name(name: &str) -> &str {
    let same = |word: &&Word| word.sort == Sort::Set && word.name.eq_ignore_ascii_case(name);
    match vocabulary::lookup(name) {
        Some(word) => word.name,
        None => vocabulary::WORDS.iter().find(same).map_or(name, |word| word.name),
    }
}

/// Whether an access is neither read nor write.
pub fn is_mark(access: &ResolvedAccess<'_>) -> bool {
    tag::is_mark(access.tags)
}
