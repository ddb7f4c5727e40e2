//! From a solution back to an execution: every decision, for the stepper to run again.

use crate::bounded::{
    Access, Action, ActionId, ActionKind, Allocation, Input, Moment, RegionKind, Waiting,
};
use crate::encode::structure::sources::Source;
use crate::encode::structure::threads::number;
use crate::encode::{Encoding, Finding, MemoryCell, Scope};
use crate::guard::Guard;
use execution::event::{EventId, ThreadId};
use execution::ids::IdVec;
use execution::witness::{
    Bits, Coherence, End, Object, ObjectKind, Parent, PartRead, Read, ThreadWitness, Witness,
    WriteRef,
};
use ir::value::{RegionId, Value};
use std::collections::{BTreeMap, BTreeSet, HashMap};

impl Encoding<'_> {
    /// After a solution: the execution that it is.
    pub fn witness(&self) -> Witness {
        self.witness_telling(&|_| true)
    }

    /// The same, where only such findings are told: a thread that stops at another one is just not
    /// to go on.
    pub fn witness_telling(&self, told: &dyn Fn(&Finding) -> bool) -> Witness {
        let numbers = self.thread_numbers();
        let writes = self.write_refs(&numbers);
        let thread = |&id: &ThreadId| {
            let mut thread = self.thread(id, &numbers, &writes);
            let stops = |finding: &&Finding| finding.thread == id && self.stops_at(finding);
            let mut stops = self.found().into_iter().filter(stops).peekable();
            if thread.end == End::Finding && stops.peek().is_some() && !stops.any(told) {
                thread.end = self.cut_off(id);
            }
            thread
        };
        Witness {
            objects: self.objects(&numbers),
            threads: self.up_to_last(&numbers, thread),
            co: self.coherence(&writes),
            splits: Vec::new(),
        }
    }

    /// Whether a path is taken.
    pub(crate) fn holds(&self, guard: Guard) -> bool {
        self.values.decode_guard(&self.formula, guard)
    }

    fn happens(&self, moment: &Moment) -> bool {
        self.formula.value(self.lives.at(moment))
            && self.holds(moment.guard)
            && !self.is_undone(moment.thread, moment.sequence)
    }

    fn takes_place(&self, action: ActionId) -> bool {
        let Action { thread, sequence, .. } = self.bounded.actions[action];
        self.formula.value(self.lives.exec[action]) && !self.is_undone(thread, sequence)
    }

    /// Whether an action reads an object that is no shared memory: a constant whose address was
    /// found in shared memory. To the stepper that is not an access.
    fn reads_own(&self, action: ActionId) -> bool {
        let ActionKind::Read { access, .. } = &self.bounded.actions[action].kind else {
            return false;
        };
        let address = self.values.decode(&self.formula, access.address);
        let region = self.bounded.region_at(address.low());
        region.is_some_and(|region| self.bounded.regions[region].private)
    }

    /// The threads that were started, with their numbers, which their handles are made of.
    fn thread_numbers(&self) -> BTreeMap<ThreadId, u32> {
        let started = self.bounded.threads.enumerate().filter(|(_, thread)| match thread.parent {
            Some(spawn) => self.takes_place(spawn),
            None => true,
        });
        started.map(|(id, _)| (id, number(id))).collect()
    }

    /// What is told of each thread up to the last that was started.
    fn up_to_last(
        &self,
        started: &BTreeMap<ThreadId, u32>,
        tell: impl Fn(&ThreadId) -> ThreadWitness,
    ) -> Vec<ThreadWitness> {
        let last = started.keys().next_back().copied();
        let all = self.bounded.threads.ids().filter(|&id| Some(id) <= last);
        all.map(|id| match started.contains_key(&id) {
            true => tell(&id),
            false => ThreadWitness::NEVER,
        })
        .collect()
    }

    /// The writes that took place.
    fn write_refs(&self, numbers: &BTreeMap<ThreadId, u32>) -> HashMap<ActionId, WriteRef> {
        let mut refs = HashMap::new();
        for (id, &thread) in numbers {
            let actions = &self.bounded.threads[*id].actions;
            let writes = actions.iter().filter(|&&action| {
                let kind = &self.bounded.actions[action].kind;
                let writes = matches!(
                    kind,
                    ActionKind::Write { .. }
                        | ActionKind::Free { .. }
                        | ActionKind::End(_)
                        | ActionKind::Allocate { .. }
                );
                writes && self.takes_place(action)
            });
            for (&action, index) in writes.zip(0..) {
                refs.insert(action, WriteRef { thread, index });
            }
        }
        refs
    }

    fn objects(&self, numbers: &BTreeMap<ThreadId, u32>) -> Vec<Object> {
        let mut calls: HashMap<(ThreadId, ir::program::FuncId), u32> = HashMap::new();
        let call_numbers: IdVec<_, Option<u32>> = self
            .bounded
            .calls
            .iter()
            .map(|call| {
                let made = self.happens(&call.moment);
                let count = calls.entry((call.moment.thread, call.function)).or_default();
                *count += u32::from(made);
                made.then(|| *count - 1)
            })
            .collect();
        let mut blocks: HashMap<ThreadId, u32> = HashMap::new();
        let block_numbers: IdVec<_, Option<u32>> = self
            .bounded
            .allocations
            .iter()
            .map(|allocation| {
                let made = self.happens(&allocation.moment);
                let count = blocks.entry(allocation.moment.thread).or_default();
                *count += u32::from(made);
                (made && self.given(allocation) == allocation.region).then(|| *count - 1)
            })
            .collect();
        let program = self.program;
        let ending = self.bounded.ending();
        let mut objects = Vec::new();
        for (id, region) in self.bounded.regions.enumerate() {
            let kind = match region.kind {
                RegionKind::Global { id, .. } => {
                    ObjectKind::Global { name: program.globals[id].name.clone() }
                }
                RegionKind::ThreadLocal { id, thread } => {
                    let Some(&thread) = numbers.get(&thread) else { continue };
                    ObjectKind::ThreadLocal { name: program.globals[id].name.clone(), thread }
                }
                RegionKind::Function(id) => {
                    ObjectKind::Function { name: program.functions[id].name.clone() }
                }
                RegionKind::Slot { call, slot } => {
                    let Some(count) = call_numbers[call] else { continue };
                    let made = self.bounded.calls[call];
                    let Some(&thread) = numbers.get(&made.moment.thread) else { continue };
                    let function = program.functions[made.function].name.clone();
                    ObjectKind::Slot { thread, function, slot, call: count }
                }
                RegionKind::Heap(allocation) => {
                    let Some(number) = block_numbers[allocation] else { continue };
                    let thread = self.bounded.allocations[allocation].moment.thread;
                    let Some(&thread) = numbers.get(&thread) else { continue };
                    ObjectKind::Heap { thread, number }
                }
            };
            let private = region.private;
            let ends = ending.contains(&id);
            objects.push(Object { kind, base: region.base, size: region.size, private, ends });
        }
        objects
    }

    fn thread(
        &self,
        id: ThreadId,
        numbers: &BTreeMap<ThreadId, u32>,
        writes: &HashMap<ActionId, WriteRef>,
    ) -> ThreadWitness {
        let thread = &self.bounded.threads[id];
        let parent = thread.parent.and_then(|spawn| {
            let parent = self.bounded.actions[spawn].thread;
            let earlier = self.bounded.threads[parent].actions.iter().take_while(|&&a| a != spawn);
            let spawns = earlier.filter(|&&action| {
                let kind = &self.bounded.actions[action].kind;
                matches!(kind, ActionKind::Spawn(_)) && self.takes_place(action)
            });
            let spawn = spawns.count() as u32;
            Some(Parent { thread: *numbers.get(&parent)?, spawn })
        });
        let mut witness = ThreadWitness { parent, ..ThreadWitness::default() };
        let visible = |action: ActionId| self.takes_place(action) && !self.reads_own(action);
        for &action in thread.actions.iter().filter(|&&action| visible(action)) {
            if let ActionKind::Read { into, .. } = self.bounded.actions[action].kind {
                let term = self.bounded.terms.input_term(into);
                let value = match self.is_freed_read(action) {
                    true => Bits::FREED,
                    false => self.bits(self.values.decode(&self.formula, term)),
                };
                let from = |byte: u64| {
                    let write = self.read_from(Source::part(action, byte));
                    write.and_then(|write| writes.get(&write).copied())
                };
                let (read, mut last) = (witness.reads.len() as u32, from(0));
                witness.reads.push(Read { value, from: last });
                for part in self.bounded.parts.of(action).into_iter().flatten().skip(1) {
                    let from = from(part.byte);
                    if from != last {
                        witness.parts.push(PartRead { read, byte: part.byte as u32, from });
                        last = from;
                    }
                }
            }
        }
        witness.end = self.end(id);
        // The stepper comes no further than a read from a freed block.
        let freed = thread.actions.iter().find(|&&action| self.is_freed_read(action));
        let last = freed.filter(|_| witness.end == End::Finding);
        let last = last.map(|&action| self.bounded.actions[action].sequence);
        for (input, kind) in self.bounded.inputs.enumerate() {
            let (Input::Choice { moment, .. }
            | Input::Spurious { moment, .. }
            | Input::Exclusive { moment }) = kind
            else {
                continue;
            };
            let of_allocation =
                |made: &Allocation| made.choice.is_some_and(|(choice, _)| choice == input);
            let asked = self.bounded.allocations.iter().any(of_allocation);
            let late = last.is_some_and(|last| moment.sequence > last);
            if asked || late || moment.thread != id || !self.happens(moment) {
                continue;
            }
            let term = self.bounded.terms.input_term(input);
            let value = self.values.decode(&self.formula, term);
            match kind {
                Input::Choice { .. } => witness.choices.push(self.bits(value)),
                Input::Spurious { allowed, .. } => {
                    witness.spurious.push(*allowed && value.bits != 0);
                }
                _ => witness.exclusives.push(value.bits == 0),
            }
        }
        for allocation in self.bounded.allocations.iter() {
            if allocation.moment.thread == id && self.happens(&allocation.moment) {
                let given = self.given(allocation);
                witness.allocations.push(self.bounded.regions[given].base);
            }
        }
        witness
    }

    /// The block that an allocation gave.
    fn given(&self, allocation: &Allocation) -> RegionId {
        let chosen = allocation.choice.map(|(_, term)| self.values.decode(&self.formula, term));
        chosen.and_then(|value| value.provenance).unwrap_or(allocation.region)
    }

    /// The action whose write a read, or a part of one, saw; `None` for an initial write.
    fn read_from(&self, read: Source) -> Option<ActionId> {
        let reader = self.events.sources.event(read)?;
        let mut from = self.events.graph.rf.iter().filter(|((_, read), _)| *read == reader);
        let ((writer, _), _) = from.find(|(_, lit)| self.formula.value(**lit))?;
        self.events.sources.of(*writer).action()
    }

    fn end(&self, id: ThreadId) -> End {
        match self.stuck_in(id) {
            Some(Waiting { spins: true, .. }) => return End::Spins,
            Some(Waiting { spins: false, .. }) => return End::Waits,
            None if self.is_blocked(id) => return End::Waits,
            None => {}
        }
        let beyond = self.exceeded().iter().any(|hit| hit.moment.thread == id);
        if self.formula.value(self.lives.to_the_end(id)) && !beyond {
            return End::Completed;
        }
        let stops = |finding: &&Finding| finding.thread == id && self.stops_at(finding);
        if self.found().iter().any(stops) && !self.goes_on_after_freed(id) {
            return End::Finding;
        }
        self.cut_off(id)
    }

    /// How far a thread came that does not go on.
    fn cut_off(&self, id: ThreadId) -> End {
        let actions = &self.bounded.threads[id].actions;
        let visible = |action: ActionId| self.takes_place(action) && !self.reads_own(action);
        let made = actions.iter().filter(|&&action| visible(action));
        let mut instructions = Vec::new();
        let mut waits = false;
        for &action in made {
            let action = &self.bounded.actions[action];
            match action.kind {
                ActionKind::Fence(_)
                | ActionKind::Spawn(_)
                | ActionKind::Join(_)
                | ActionKind::Allocate { .. } => {}
                _ => instructions.push(action.instruction),
            }
        }
        for &action in actions.iter().filter(|&&action| !self.takes_place(action)) {
            let action = &self.bounded.actions[action];
            let moment = Moment { thread: id, guard: action.guard, sequence: action.sequence };
            waits |= matches!(action.kind, ActionKind::Join(_)) && self.happens(&moment);
        }
        if waits {
            return End::Waits;
        }
        instructions.dedup();
        End::Cut { accesses: instructions.len() as u32 }
    }

    /// Whether a thread waits for one that does not end.
    fn is_blocked(&self, id: ThreadId) -> bool {
        let mut blocked = self.bounded.blocked.iter().map(|(moment, _)| moment);
        self.scope == Scope::Waiting
            && blocked.any(|moment| moment.thread == id && self.happens(moment))
    }

    /// Whether a thread comes no further than what is wrong with it, or is told so: what follows
    /// a read from a freed block, if it is not an access, does not matter.
    fn stops_at(&self, finding: &Finding) -> bool {
        finding.stops || finding.action.is_some_and(|action| self.is_freed_read(action))
    }

    fn is_freed_read(&self, action: ActionId) -> bool {
        let freed = self.lives.freed.get(&action).into_iter().flatten();
        freed.into_iter().any(|(_, lit)| self.formula.value(*lit))
    }

    /// Whether a thread accessed something after it had read from a freed block: it is then told
    /// by how far it came.
    fn goes_on_after_freed(&self, id: ThreadId) -> bool {
        let actions = self.bounded.threads[id].actions.iter();
        let mut after = actions.skip_while(|&&action| !self.is_freed_read(action)).skip(1);
        after.any(|&action| {
            let kind = &self.bounded.actions[action].kind;
            let access = !matches!(
                kind,
                ActionKind::Fence(_)
                    | ActionKind::Spawn(_)
                    | ActionKind::Join(_)
                    | ActionKind::Allocate { .. }
            );
            access && self.takes_place(action)
        })
    }

    fn coherence(&self, refs: &HashMap<ActionId, WriteRef>) -> Vec<Coherence> {
        let mut at: BTreeMap<MemoryCell, Vec<(EventId, WriteRef)>> = BTreeMap::new();
        for (event, source) in self.events.sources.iter() {
            if !self.formula.value(self.events.graph.nodes[event].exec) {
                continue;
            }
            let (action, cell) = match source {
                Source::Initial(_) => continue,
                Source::Freed(action, cell) | Source::Filled(action, cell) => (action, cell),
                Source::Action(action) | Source::Part(action, _) => {
                    match &self.bounded.actions[action].kind {
                        ActionKind::Write { access, .. } => (action, self.cell(source, access)),
                        _ => continue,
                    }
                }
            };
            if let Some(&reference) = refs.get(&action) {
                at.entry(cell).or_default().push((event, reference));
            }
        }
        // A `free` or an allocation is of all cells that any execution accesses; the stepper knows
        // those of this one.
        let touched = self.touched();
        at.retain(|cell, _| touched.contains(cell));
        let after = |a: EventId, b: EventId| {
            self.co.get(&(a, b)).is_some_and(|&lit| self.formula.value(lit))
        };
        at.into_iter()
            .map(|(cell, mut writes)| {
                let all: Vec<EventId> = writes.iter().map(|&(event, _)| event).collect();
                writes.sort_by_key(|&(event, _)| {
                    all.iter().filter(|&&other| after(other, event)).count()
                });
                let writes = writes.into_iter().map(|(_, reference)| reference).collect();
                let bytes = cell.width.bytes() as u32;
                Coherence { address: cell.address, bytes, writes }
            })
            .collect()
    }

    /// The cells that instructions access.
    fn touched(&self) -> BTreeSet<MemoryCell> {
        let executed = self.events.sources.iter().filter_map(|(event, source)| {
            let exec = self.events.graph.nodes[event].exec;
            let action = source.access()?;
            self.formula.value(exec).then_some((source, &self.bounded.actions[action].kind))
        });
        let cells = executed.filter_map(|(source, kind)| match kind {
            ActionKind::Read { access, .. } | ActionKind::Write { access, .. } => {
                Some(self.cell(source, access))
            }
            _ => None,
        });
        cells.collect()
    }

    /// The cell of an access, or of a part of one.
    fn cell(&self, source: Source, access: &Access) -> MemoryCell {
        let address = self.values.decode(&self.formula, access.address).low();
        let width = source
            .access()
            .map_or(access.width, |action| self.bounded.parts.width(action, access.width));
        MemoryCell { address: address.wrapping_add(source.byte()), width }
    }

    fn bits(&self, value: Value) -> Bits {
        let base = |region: RegionId| self.bounded.regions[region].base;
        Bits {
            bits: value.bits,
            undef: value.undef,
            object: value.provenance.map(base),
            high: value.high.map(base),
        }
    }

    /// The number that a thread has in programs all of whose threads are started.
    pub fn thread_number(&self, thread: ThreadId) -> u32 {
        number(thread)
    }
}
