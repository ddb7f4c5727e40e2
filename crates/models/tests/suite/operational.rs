//! SC and TSO as machines: random programs have the same results on a machine that runs them
//! step by step as on the axiomatic models.
//!
//! A result is which write each read saw and which write was last at each location. The TSO
//! machine is that of Owens, Sarkar, Sewell, "A better x86 memory model: x86-TSO", TPHOLs 2009: a
//! FIFO store buffer per thread, drained at any time, by MFENCE and by locked instructions.
//!
//! The two locations are also taken for the halves of a word, which wide accesses have in one step:
//! a wide store is one entry of the buffer, and a wide load takes each half from the buffer, where
//! it is there, or else from memory.

use crate::common::{Op, choices, skeleton};
use execution::event::{EventId, EventKind, Execution, ThreadId};
use execution::ids::Id;
use models::Model;
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet, HashSet, VecDeque};

const LOCATIONS: [&str; 2] = ["x", "y"];

type Outcome = (BTreeMap<EventId, EventId>, BTreeMap<&'static str, EventId>);

fn location(execution: &Execution, event: EventId) -> &'static str {
    let name = execution.events[event].location.as_deref();
    LOCATIONS.into_iter().find(|&x| Some(x) == name).unwrap()
}

/// The results that a model allows.
fn axiomatic(name: &str, execution: &Execution) -> BTreeSet<Outcome> {
    let mut evaluator = Model::named(name).unwrap().prepare(execution).unwrap();
    let mut outcomes = BTreeSet::new();
    for (rf, co) in choices(execution) {
        evaluator.set_rf(&rf);
        evaluator.set_co(&co);
        if evaluator.allowed() {
            let reads = rf.iter().map(|(write, read)| (read, write)).collect();
            let mut last = BTreeMap::new();
            for (id, event) in execution.events.enumerate() {
                if event.kind == EventKind::Write && co.successors(id).next().is_none() {
                    last.insert(location(execution, id), id);
                }
            }
            outcomes.insert((reads, last));
        }
    }
    outcomes
}

/// One instruction of the machine: its events.
#[derive(Clone, Default)]
struct Step {
    reads: Vec<EventId>,
    writes: Vec<EventId>,
}

impl Step {
    /// Whether it waits until the buffer is empty: fences, which have no accesses, and exchanges.
    fn waits(&self) -> bool {
        self.reads.is_empty() == self.writes.is_empty()
    }
}

fn program(execution: &Execution) -> Vec<Vec<Step>> {
    let threads = execution.events.iter().filter_map(|event| event.thread).max();
    let count = threads.map_or(0, |thread| thread.index() + 1);
    let mut program = vec![Vec::new(); count];
    for (id, event) in execution.events.enumerate() {
        let Some(thread) = event.thread else { continue };
        let steps: &mut Vec<Step> = &mut program[thread.index()];
        steps.resize(event.instruction as usize + 1, Step::default());
        let step = &mut steps[event.instruction as usize];
        match event.kind {
            EventKind::Read => step.reads.push(id),
            EventKind::Write => step.writes.push(id),
            _ => {}
        }
    }
    program
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct Machine {
    next: Vec<usize>,
    buffers: Vec<VecDeque<Vec<EventId>>>,
    memory: BTreeMap<&'static str, EventId>,
    reads: BTreeMap<EventId, EventId>,
}

impl Machine {
    fn write(&mut self, execution: &Execution, writes: &[EventId]) {
        self.memory.extend(writes.iter().map(|&write| (location(execution, write), write)));
    }
}

/// The results of a machine with store buffers, or without.
fn operational(execution: &Execution, buffered: bool) -> BTreeSet<Outcome> {
    let program = program(execution);
    let start = Machine {
        next: vec![0; program.len()],
        buffers: vec![VecDeque::new(); program.len()],
        memory: LOCATIONS.iter().enumerate().map(|(i, &x)| (x, EventId::new(i))).collect(),
        reads: BTreeMap::new(),
    };
    let mut outcomes = BTreeSet::new();
    let mut seen = HashSet::new();
    let mut stack = vec![start];
    while let Some(machine) = stack.pop() {
        if !seen.insert(machine.clone()) {
            continue;
        }
        let mut finished = true;
        for (thread, steps) in program.iter().enumerate() {
            let mut after = machine.clone();
            if let Some(writes) = after.buffers[thread].pop_front() {
                finished = false;
                after.write(execution, &writes);
                stack.push(after);
            }
            let Some(step) = steps.get(machine.next[thread]) else { continue };
            finished = false;
            if step.waits() && !machine.buffers[thread].is_empty() {
                continue;
            }
            let mut after = machine.clone();
            after.next[thread] += 1;
            let seen_at = |x: &str| {
                let mine = machine.buffers[thread].iter().rev().flatten();
                let own = mine.copied().find(|&write| location(execution, write) == x);
                own.unwrap_or(machine.memory[x])
            };
            for &read in &step.reads {
                after.reads.insert(read, seen_at(location(execution, read)));
            }
            match buffered && !step.waits() && !step.writes.is_empty() {
                true => after.buffers[thread].push_back(step.writes.clone()),
                false => after.write(execution, &step.writes),
            }
            stack.push(after);
        }
        if finished {
            outcomes.insert((machine.reads, machine.memory));
        }
    }
    outcomes
}

fn op() -> impl Strategy<Value = Op> {
    let place = prop::sample::select(LOCATIONS.to_vec());
    prop_oneof![
        4 => place.clone().prop_map(|x| Op::Read(x, vec![])),
        4 => place.clone().prop_map(|x| Op::Write(x, vec![])),
        1 => Just(Op::Fence("MFENCE")),
        1 => place.prop_map(Op::Exchange),
    ]
}

fn mixed_op() -> impl Strategy<Value = Op> {
    prop_oneof![
        4 => op(),
        2 => Just(Op::WideRead(LOCATIONS.to_vec())),
        2 => Just(Op::WideWrite(LOCATIONS.to_vec())),
        1 => Just(Op::WideExchange(LOCATIONS.to_vec())),
    ]
}

fn threads(op: impl Strategy<Value = Op>) -> impl Strategy<Value = Vec<Vec<Op>>> {
    prop::collection::vec(prop::collection::vec(op, 1..4), 1..4).prop_filter(
        "few enough choices",
        |threads| {
            let weight = |op: &Op| match op {
                Op::Fence(_) => 0,
                Op::WideRead(_) | Op::WideWrite(_) => 2,
                Op::WideExchange(_) => 3,
                _ => 1,
            };
            threads.iter().flatten().map(weight).sum::<u32>() <= 6
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn sc_is_interleaving(threads in threads(op())) {
        let execution = skeleton(&LOCATIONS, &threads);
        prop_assert_eq!(axiomatic("sc", &execution), operational(&execution, false));
    }

    #[test]
    fn tso_is_interleaving_with_store_buffers(threads in threads(op())) {
        let execution = skeleton(&LOCATIONS, &threads);
        prop_assert_eq!(axiomatic("tso", &execution), operational(&execution, true));
    }

    #[test]
    fn wide_accesses_are_steps_of_sc(threads in threads(mixed_op())) {
        let execution = skeleton(&LOCATIONS, &threads);
        prop_assert_eq!(axiomatic("sc", &execution), operational(&execution, false));
    }

    #[test]
    fn wide_stores_are_entries_of_the_store_buffer(threads in threads(mixed_op())) {
        let execution = skeleton(&LOCATIONS, &threads);
        prop_assert_eq!(axiomatic("tso", &execution), operational(&execution, true));
    }
}

/// The machine has what makes TSO differ from SC.
#[test]
fn the_machines_differ_on_store_buffering() {
    let thread = |a, b| vec![Op::Write(a, vec![]), Op::Read(b, vec![])];
    let execution = skeleton(&LOCATIONS, &[thread("x", "y"), thread("y", "x")]);
    assert_eq!(operational(&execution, false).len(), 3);
    assert_eq!(operational(&execution, true).len(), 4);
    assert_eq!(execution.events[EventId::new(2)].thread, Some(ThreadId::new(0)));
}
