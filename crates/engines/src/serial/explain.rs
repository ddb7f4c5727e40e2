//! Why a serial execution does not count: findings, and operations that cannot be used.
//!
//! Soundness S-066 (check; all; refuses): Refused, naming the operation: observing an address; an
//! operation that does not terminate (a million instructions, a repeated state, or more than 65,536
//! ways to run it), that ends its thread or the program, that starts threads, or that chooses among
//! more than 4,096 values. Test:
//! crates/engines/src/serial/mine/tests.rs::what_cannot_be_mined_is_said_in_one_message.

use super::mine::{End, Miner, Node};
use super::run::{RunOutcome, State};
use crate::test::compose::{Instance, InstanceId};
use execution::diagnostic::Diagnostic;
use execution::event::ThreadId;
use execution::finding::{Finding, FindingKind, ThreadName, ThreadPosition, WantedLock};
use execution::ids::Id;
use execution::observation::Seen;
use execution::operation::{SerialStep, SerialViolation};
use ir::step::describe;
use ir::step::sc::{Violation, region};
use ir::step::world::{Recorded, Watched, WatchedRead};
use ir::value::{RegionId, Value};

impl Miner<'_> {
    /// The state in which a goal was reached; none if the execution does not count.
    pub(super) fn reached(
        &self,
        outcome: RunOutcome,
        column: usize,
        last: Option<usize>,
    ) -> Result<Option<State>, End> {
        let (state, what) = match outcome {
            RunOutcome::Reached(state) => return Ok(Some(state)),
            RunOutcome::Discarded => return Ok(None),
            RunOutcome::Wrong(state, violation) => match &violation.kind {
                FindingKind::NotSupported(what) => {
                    (state, format!("needs what is not supported: {what}"))
                }
                _ => return Err(self.violated(&state, *violation, column, last)),
            },
            RunOutcome::Ended(state) => {
                (state, "ends its thread, or the whole program".to_string())
            }
            RunOutcome::Waits(state) | RunOutcome::Spins(state) => {
                return Err(self.waits_alone(&state, column));
            }
            RunOutcome::Circles(state) => (state, "never terminates".to_string()),
            RunOutcome::Endless(state) => {
                let steps = self.options.steps;
                (state, format!("does not terminate within {steps} instructions"))
            }
            RunOutcome::TooManyChoices(state) => {
                let most = self.options.choices;
                (state, format!("chooses among more than {most} values; they are all tried"))
            }
            RunOutcome::TooManyWays(state) => {
                let most = self.options.ways;
                (state, format!("can be run in more than {most} ways; they are all tried"))
            }
        };
        Err(self.unusable(&self.running(&state, column), &self.position(&state), &what).into())
    }

    /// An operation that cannot be used: it does `what`, at `position`.
    fn unusable(
        &self,
        running: &Option<InstanceId>,
        position: &ThreadPosition,
        what: &str,
    ) -> Diagnostic {
        let error = match running.map(|operation| &self.composed.instances[operation]) {
            Some(Instance { operation, span, .. }) => {
                Diagnostic::error(*span, format!("operation `{operation}` {what}"))
                    .label("when nothing else runs")
            }
            None => Diagnostic::general(format!("`init` {what}")),
        };
        match position.stack.iter().find_map(|entry| entry.location.as_ref()) {
            Some(location) => error.note(format!("it was at {location}")),
            None => error,
        }
    }

    /// No operation can run although some have not.
    pub(super) fn nothing_goes_on(
        &self,
        node: &Node,
        stuck: Vec<(InstanceId, bool, ThreadPosition)>,
    ) -> End {
        if let Some((operation, _, position)) = stuck.iter().find(|(_, circles, _)| *circles) {
            let before: Vec<String> =
                self.before(node.last).iter().map(|step| self.name(step.operation)).collect();
            let error = self.unusable(&Some(*operation), position, "never terminates");
            return match before.is_empty() {
                true => error.into(),
                false => error.note(format!("after {}", before.join(", "))).into(),
            };
        }
        let waiting = stuck.into_iter().map(|(_, _, at)| at).collect();
        deadlock(waiting, self.before(node.last))
    }

    /// `init` or an operation of the initial sequence waits: no other thread runs yet.
    fn waits_alone(&self, state: &State, column: usize) -> End {
        let mut shown = self.shown(state, column).unwrap_or_default();
        if self.running(state, column).is_some() {
            shown.pop();
        }
        let step = |(operation, seen)| SerialStep { operation, seen };
        deadlock(vec![self.waits(state)], shown.into_iter().map(step).collect())
    }

    /// All operations have ended, and a lock is still held that was taken here.
    pub(super) fn still_held(&self, node: &Node, taken: &region::Origin) -> End {
        let stack = describe::stack(self.code.program, &taken.trace);
        let (kind, thread) = (FindingKind::LockHeld, self.thread_name(taken.thread));
        let (access, object, undefined_read) = (None, None, None);
        let (waiting, others) = (Vec::new(), Vec::new());
        let finding =
            Finding { kind, access, thread, stack, object, undefined_read, waiting, others };
        let before = self.before(node.last);
        let violation = SerialViolation { finding, operation: None, before, seen: Vec::new() };
        End::Violated(Box::new(violation))
    }

    fn violated(
        &self,
        state: &State,
        violation: Violation,
        column: usize,
        last: Option<usize>,
    ) -> End {
        let ThreadPosition { thread, stack, .. } = self.position(state);
        let (program, memory) = (self.code.program, &state.world.memory);
        let name = |thread| self.thread_name(thread);
        let finding = describe::finding(program, memory, violation, thread, stack, name);
        let mut before = self.before(last);
        let operation = self.running(state, column);
        // An address that was observed is another problem; the finding is the one to report.
        let mut shown = self.shown(state, column).unwrap_or_default();
        let seen = match operation {
            Some(_) => shown.pop().map_or(Vec::new(), |(_, seen)| seen),
            None => Vec::new(),
        };
        before.extend(shown.into_iter().map(|(operation, seen)| SerialStep { operation, seen }));
        End::Violated(Box::new(SerialViolation { finding, operation, before, seen }))
    }

    /// What the operations in the records of a state showed; the last one may be under way.
    pub(super) fn shown(
        &self,
        state: &State,
        column: usize,
    ) -> Result<Vec<(InstanceId, Vec<Seen>)>, Diagnostic> {
        let mut shown: Vec<(InstanceId, Vec<Seen>)> = Vec::new();
        for record in &state.world.records {
            match &record.what {
                Recorded::Began(name, _) => {
                    let operation = self.composed.instance_named(name);
                    shown.push((operation.expect("an operation of the test"), Vec::new()));
                }
                Recorded::Observed(label, value) => {
                    let Some((operation, seen)) = shown.last_mut() else { continue };
                    if value.provenance.is_some() || value.high.is_some() {
                        return Err(self.address_observed(*operation, label));
                    }
                    seen.push(Seen { label: label.clone(), value: value.as_signed() });
                }
                Recorded::Committed(_) | Recorded::Ended(_) => {}
            }
        }
        debug_assert!(shown.iter().all(|(id, _)| self.composed.instances[*id].column == column));
        Ok(shown)
    }

    fn address_observed(&self, operation: InstanceId, label: &str) -> Diagnostic {
        let Instance { operation, span, .. } = &self.composed.instances[operation];
        let message = format!("operation `{operation}` observes an address, as `{label}`");
        Diagnostic::error(*span, message)
            .note("addresses differ between executions that mean the same")
            .note("observe what is there, or whether the pointer is null")
    }

    /// The operation that a thread is in; none in `init`.
    fn running(&self, state: &State, column: usize) -> Option<InstanceId> {
        let mut records = state.world.records.iter().rev().map(|record| &record.what);
        let last = records.find(|what| matches!(what, Recorded::Began(..) | Recorded::Ended(_)));
        match last {
            Some(Recorded::Began(name, _)) => self.composed.instance_named(name),
            _ => self.composed.instance(column, 0).filter(|_| column > 0),
        }
    }

    fn thread_name(&self, id: ThreadId) -> ThreadName {
        let program = self.code.program;
        let main = program.entry[0].index();
        // The functions of the columns stand before that of the test.
        let first = main - (self.composed.columns - 1);
        let function = if id.index() == 0 { main } else { first + id.index() - 1 };
        ThreadName { id, function: program.functions[Id::new(function)].name.clone() }
    }

    pub(super) fn position(&self, state: &State) -> ThreadPosition {
        let stack = state.thread.trace(self.code, usize::MAX);
        let stack = describe::stack(self.code.program, &stack);
        ThreadPosition {
            thread: self.thread_name(state.thread.id()),
            stack,
            joins: None,
            loops: false,
            reads: Vec::new(),
            lock: None,
        }
    }

    /// The same for a thread that waits: for which lock, and who holds it, or in which loop, and
    /// what it reads there.
    pub(super) fn waits(&self, state: &State) -> ThreadPosition {
        if let Some(watched) = &state.world.watched {
            return self.loops(state, watched);
        }
        let lock = state.world.locks.wanted().map(|(region, address, holders)| {
            let name = |thread| self.thread_name(thread);
            let stack = |taken: &region::Origin| describe::stack(self.code.program, &taken.trace);
            let holders = holders.into_iter().map(|taken| (name(taken.thread), stack(taken)));
            let name = self.lock(state, region, address);
            WantedLock { name, holders: holders.collect() }
        });
        ThreadPosition { lock, ..self.position(state) }
    }

    /// A thread that loops, and what it reads there; what is on its own stack only if
    /// it reads nothing else.
    fn loops(&self, state: &State, watched: &Watched) -> ThreadPosition {
        let kind = |id: RegionId| state.world.memory.region(id).kind;
        let is_own = |read: &&WatchedRead| {
            let region = read.address.provenance;
            region.is_some_and(|id| matches!(kind(id), region::RegionKind::Stack(..)))
        };
        let (own, others): (Vec<_>, Vec<_>) = watched.reads.iter().partition(is_own);
        let shown = if others.is_empty() { own } else { others };
        let mut reads: Vec<String> = Vec::new();
        for read in &shown {
            let Some(region) = read.address.provenance else { continue };
            let cell = self.cell(state, region, read.address.low());
            let text = format!("{cell} = {}", self.value(state, &read.value));
            if !reads.contains(&text) {
                reads.push(text);
            }
        }
        let position = self.position(state);
        match shown.first() {
            Some(read) => {
                let stack = describe::stack(self.code.program, &read.trace);
                ThreadPosition { stack, loops: true, reads, ..position }
            }
            None => ThreadPosition { loops: true, ..position },
        }
    }

    /// What a value is called.
    fn value(&self, state: &State, value: &Value) -> String {
        match value.provenance {
            _ if !value.is_defined() => "undefined".to_string(),
            Some(region) => format!("&{}", self.cell(state, region, value.low())),
            None => value.as_signed().to_string(),
        }
    }

    /// What a place in memory is called.
    fn cell(&self, state: &State, region: RegionId, address: u64) -> String {
        let region = state.world.memory.region(region);
        let offset = address.wrapping_sub(region.base) as i64;
        let name = |thread| self.thread_name(thread);
        let object = describe::object(self.code.program, region, offset, name);
        let title = if object.name.is_empty() { "block" } else { &object.name };
        format!("{title}{}", object.member)
    }

    /// The lock whose word is at an address.
    fn lock(&self, state: &State, region: RegionId, address: u64) -> String {
        let object = state.world.memory.region(region);
        let offset = address.wrapping_sub(object.base);
        match object.layout(self.code.program) {
            Some(layout) if offset < object.size => {
                let name = |thread| self.thread_name(thread);
                let found = describe::object(self.code.program, object, offset as i64, name);
                let title = if found.name.is_empty() { "block" } else { &found.name };
                format!("{title}{}", describe::lock_at(self.code.program, layout, offset))
            }
            _ => self.cell(state, region, address),
        }
    }

    fn name(&self, operation: InstanceId) -> String {
        format!("`{}`", self.composed.instances[operation].name)
    }
}

/// Every thread that has not terminated waits here, after these operations.
fn deadlock(waiting: Vec<ThreadPosition>, before: Vec<SerialStep>) -> End {
    let (kind, access, object, undefined_read) = (FindingKind::Deadlock, None, None, None);
    let (thread, stack) = (waiting[0].thread.clone(), waiting[0].stack.clone());
    let others = Vec::new();
    let finding = Finding { kind, access, thread, stack, object, undefined_read, waiting, others };
    let violation = SerialViolation { finding, operation: None, before, seen: Vec::new() };
    End::Violated(Box::new(violation))
}
