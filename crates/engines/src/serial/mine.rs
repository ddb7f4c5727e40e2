//! Mining: all serial executions of a composed test, by running them.
//!
//! A serial execution runs whole operations one after the other, in any order that keeps each
//! column's. The search goes level by level: after *n* operations, states that agree in what has
//! run and in the shape of memory are one, with all the pasts that lead there. The serial orders
//! of a test are many (8! for eight threads), its states few.
//!
//! Which way errors would go: states are merged up to addresses, so a data type whose operations
//! depend on the numbers of addresses is seen with some of the possible addresses only. Each weak
//! compare-and-swap may fail for no reason, up to [`SerialOptions::failures`] of them in an operation. Both
//! could leave an observation out, and thus cry wolf later, never hide a bug.
//!
//! A prime does not matter here: an operation that runs alone may take as many iterations as it
//! needs, and its restricted executions are judged by the whole specification.
//!
//! Soundness S-061 (check; all; cries wolf): Serial states that differ only in addresses are
//! merged, so a data type that computes with the numbers of addresses (hashes of pointers, `<`
//! between blocks) is seen with some of them only. Test:
//! crates/engines/src/serial/mine/tests.rs::merging_states_changes_nothing.
//!
//! Soundness S-062 (check; all; cries wolf): In a serial execution at most eight weak
//! compare-and-swaps of each operation fail spuriously. Test:
//! crates/engines/src/serial/mine/tests.rs::each_weak_exchange_may_fail_by_itself.

use super::automaton::{ListId, StateId};
use super::orders::{self, Orders, Step};
use super::run::{Goal, Limits, RunOutcome, Silent, State, run};
use crate::test::compose::{Composed, InstanceId};
use execution::diagnostic::Diagnostic;
use execution::event::ThreadId;
use execution::ids::{Id, IdVec};
use execution::observation::{ObservationSet, Seen};
use execution::operation::{SerialStep, SerialViolation};
use ir::step::origin::Origin;
use ir::step::thread::{Code, Thread};
use ir::step::world::{Spawned, World};
use sat::Exceeded;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;

/// How to mine.
#[derive(Clone, Debug)]
pub struct SerialOptions {
    /// How many instructions one operation may take.
    pub steps: u64,
    /// How often weak compare-and-swaps fail for no reason in one operation.
    pub failures: u32,
    /// Whether allocations may give freed blocks again.
    pub reuse: bool,
    /// How many values one choice may have.
    pub choices: u64,
    /// In how many ways one operation, or the initial sequence of a test, may run.
    pub ways: usize,
    /// Whether states that agree are taken for one. Without it, every serial order is executed.
    pub merge: bool,
    /// When to give up.
    pub limits: sat::Limits,
}

impl Default for SerialOptions {
    fn default() -> Self {
        Self {
            steps: 1_000_000,
            failures: 8,
            reuse: false,
            choices: 1 << 12,
            ways: 1 << 16,
            merge: true,
            limits: sat::Limits::default(),
        }
    }
}

/// What the serial executions show.
#[derive(Clone, Debug)]
pub enum Mined {
    /// They are all right; this is what their clients see.
    Observations(ObservationSet),
    /// One of them is wrong.
    Violated(Box<SerialViolation>),
}

/// What the serial executions show, and in which orders of the operations.
#[derive(Clone, Debug)]
pub enum Explored {
    /// The executions are all right; these are all of them.
    All {
        /// What their clients see.
        observations: ObservationSet,
        /// What the operations show in each order.
        orders: Orders,
    },
    /// One of them is wrong.
    Violated(Box<SerialViolation>),
}

/// Why there is no answer.
#[derive(Clone, Debug)]
pub enum Failure {
    /// This limit was reached.
    Interrupted(Exceeded),
    /// The data type or the test cannot be used like this.
    Input(Diagnostic),
}

impl Failure {
    /// The limit that has been reached just now. It is remembered here, since memory that a search
    /// gives back when it ends is free again when the reason is asked for.
    pub fn at(limits: &sat::Limits) -> Self {
        Failure::Interrupted(limits.exceeded().unwrap_or(Exceeded::Time))
    }
}

impl From<Diagnostic> for Failure {
    fn from(diagnostic: Diagnostic) -> Self {
        Failure::Input(diagnostic)
    }
}

/// Why mining ends before all executions were seen.
pub(super) enum End {
    Failure(Failure),
    Violated(Box<SerialViolation>),
}

impl<E: Into<Failure>> From<E> for End {
    fn from(failure: E) -> Self {
        End::Failure(failure.into())
    }
}

/// The observations of all serial executions of a composed test.
pub fn mine(composed: &Composed, options: &SerialOptions) -> Result<Mined, Failure> {
    let code = Code::new(&composed.program);
    match Miner::new(composed, &code, options).mine() {
        Ok(set) => Ok(Mined::Observations(set)),
        Err(End::Violated(violation)) => Ok(Mined::Violated(violation)),
        Err(End::Failure(failure)) => Err(failure),
    }
}

/// All serial executions of a composed test, with the order of their operations.
pub fn explore(composed: &Composed, options: &SerialOptions) -> Result<Explored, Failure> {
    let code = Code::new(&composed.program);
    let mut miner = Miner::new(composed, &code, options);
    match miner.mine() {
        Ok(observations) => {
            let Miner { lists, states, starts, .. } = miner;
            let orders = Orders::minimal(lists, &states, &starts);
            Ok(Explored::All { observations, orders })
        }
        Err(End::Violated(violation)) => Ok(Explored::Violated(violation)),
        Err(End::Failure(failure)) => Err(failure),
    }
}

/// What the operations that have run showed, by instance: positions in the pool of lists.
type Past = Box<[u32]>;
/// The list of an operation that has not run.
const NOT_YET: u32 = u32::MAX;

/// A state between operations.
pub(super) struct Node {
    world: World<Silent>,
    /// The threads of the columns from 1 on.
    threads: Vec<Rc<Thread<Origin>>>,
    /// How many operations of each have run.
    done: Vec<usize>,
    pasts: HashSet<Past>,
    /// The state, once it is known which other nodes are the same.
    state: Option<StateId>,
    /// The last step of one way to get here, in [`Miner::steps`].
    pub(super) last: Option<usize>,
}

/// A step of a serial execution, and the one before it.
struct Link {
    operation: InstanceId,
    list: u32,
    before: Option<usize>,
}

pub(super) struct Miner<'a> {
    pub(super) composed: &'a Composed,
    pub(super) code: &'a Code<'a>,
    pub(super) options: &'a SerialOptions,
    /// The pool of lists.
    lists: Vec<Vec<Seen>>,
    known: HashMap<Vec<Seen>, u32>,
    steps: Vec<Link>,
    /// The graph of the executions, and where it starts.
    states: IdVec<StateId, orders::State>,
    starts: Vec<StateId>,
}

impl<'a> Miner<'a> {
    fn new(composed: &'a Composed, code: &'a Code<'a>, options: &'a SerialOptions) -> Self {
        Miner {
            composed,
            code,
            options,
            lists: Vec::new(),
            known: HashMap::new(),
            steps: Vec::new(),
            states: IdVec::new(),
            starts: Vec::new(),
        }
    }

    fn mine(&mut self) -> Result<ObservationSet, End> {
        let mut level = self.prefix()?;
        let columns = self.composed.instances.iter().filter(|instance| instance.column > 0);
        for _ in 0..columns.count() {
            let mut next = Level::new(self.options.merge);
            for node in level.nodes {
                if self.options.limits.expired() {
                    return Err(Failure::at(&self.options.limits).into());
                }
                self.expand(&node, &mut next)?;
            }
            level = next;
        }
        for node in &level.nodes {
            if let Some(taken) = node.world.locks.held(&node.world.memory) {
                return Err(self.still_held(node, taken));
            }
        }
        let rows: HashSet<Past> = level.nodes.into_iter().flat_map(|node| node.pasts).collect();
        if rows.is_empty() {
            let message = "no serial execution of the test terminates";
            let note = "all of them are discarded by assumptions (`fp_assume`)";
            return Err(Diagnostic::general(message).note(note).into());
        }
        let names = self.composed.instances.iter().map(|instance| instance.name.clone());
        let rows = rows.into_iter().map(Vec::from);
        Ok(ObservationSet::from_pool(names.collect(), &self.lists, rows))
    }

    fn limits(&self) -> Limits<'a> {
        Limits::of(self.options)
    }

    /// Runs `init` and the initial sequence, up to where all threads have been started.
    fn prefix(&mut self) -> Result<Level, End> {
        let state = State::first(self.code, self.options.reuse);
        let mut level = Level::new(self.options.merge);
        for outcome in run(self.code, state, Goal::Join, self.limits())? {
            let Some(mut state) = self.reached(outcome, 0, None)? else { continue };
            let shown = self.shown(&state, 0)?;
            let mut past: Past = vec![NOT_YET; self.composed.instances.len()].into();
            let mut last = None;
            let mut initial = Vec::new();
            for (operation, seen) in shown {
                let list = self.list(seen);
                past[operation.index()] = list;
                last = Some(self.link(operation, list, last));
                initial.push((operation, list));
            }
            state.world.records.clear();
            let spawned = state.world.take_spawned();
            let start = |(i, spawned): (usize, &Spawned)| {
                Rc::new(Thread::new(self.code, ThreadId::new(i + 1), spawned.function, &[]))
            };
            let threads: Vec<_> = spawned.iter().enumerate().map(start).collect();
            let done = vec![0; threads.len()];
            let (world, pasts) = (state.world, [past].into());
            let node = Node { world, threads, done, pasts, state: None, last };
            let to = self.add(&mut level, node);
            self.start(&initial, to);
        }
        Ok(level)
    }

    /// Adds a node to its level; gives its state.
    fn add(&mut self, level: &mut Level, node: Node) -> StateId {
        let node = level.add(node);
        *node.state.get_or_insert_with(|| {
            let is_to_come = |id: &InstanceId| {
                let instance = &self.composed.instances[*id];
                instance.column.checked_sub(1).is_some_and(|i| instance.index >= node.done[i])
            };
            let to_come = self.composed.instances.ids().filter(is_to_come).collect();
            self.states.push(orders::State { to_come, steps: Vec::new() })
        })
    }

    /// Executions start with these operations, which lead to a state.
    fn start(&mut self, initial: &[(InstanceId, u32)], to: StateId) {
        let mut to = to;
        for &(operation, list) in initial.iter().rev() {
            let mut to_come = self.states[to].to_come.clone();
            to_come.push(operation);
            to_come.sort_unstable();
            let step = Step { operation, list: ListId::new(list as usize), to };
            to = self.states.push(orders::State { to_come, steps: vec![step] });
        }
        self.starts.push(to);
    }

    /// Runs the next operation of every column.
    fn expand(&mut self, node: &Node, next: &mut Level) -> Result<(), End> {
        let mut stuck = Vec::new();
        let mut goes_on = false;
        for (thread, &done) in node.done.iter().enumerate() {
            let Some(operation) = self.composed.instance(thread + 1, done) else { continue };
            let state = State {
                world: node.world.clone(),
                thread: Thread::clone(&node.threads[thread]),
                chosen: None,
            };
            for outcome in run(self.code, state, Goal::OperationEnd, self.limits())? {
                let circles = matches!(outcome, RunOutcome::Circles(_));
                if let RunOutcome::Waits(state)
                | RunOutcome::Circles(state)
                | RunOutcome::Spins(state) = &outcome
                {
                    stuck.push((operation, circles, self.waits(state)));
                    continue;
                }
                goes_on = true;
                let Some(state) = self.reached(outcome, thread + 1, node.last)? else { continue };
                let seen = self.shown(&state, thread + 1)?.pop().map_or(Vec::new(), |(_, s)| s);
                let list = self.list(seen);
                let last = Some(self.link(operation, list, node.last));
                let to = self.add(next, node.after(state, thread, operation, list, last));
                let list = ListId::new(list as usize);
                if let Some(from) = node.state {
                    self.states[from].steps.push(Step { operation, list, to });
                }
            }
        }
        match goes_on {
            true => Ok(()),
            false => Err(self.nothing_goes_on(node, stuck)),
        }
    }

    fn list(&mut self, seen: Vec<Seen>) -> u32 {
        let lists = &mut self.lists;
        *self.known.entry(seen).or_insert_with_key(|seen| {
            lists.push(seen.clone());
            lists.len() as u32 - 1
        })
    }

    fn link(&mut self, operation: InstanceId, list: u32, before: Option<usize>) -> usize {
        self.steps.push(Link { operation, list, before });
        self.steps.len() - 1
    }

    /// The steps up to one, in order.
    pub(super) fn before(&self, mut last: Option<usize>) -> Vec<SerialStep> {
        let mut steps = Vec::new();
        while let Some(link) = last.map(|index| &self.steps[index]) {
            let seen = self.lists[link.list as usize].clone();
            steps.push(SerialStep { operation: link.operation, seen });
            last = link.before;
        }
        steps.reverse();
        steps
    }
}

impl Node {
    /// The node after an operation of a thread.
    fn after(
        &self,
        mut state: State,
        thread: usize,
        operation: InstanceId,
        list: u32,
        last: Option<usize>,
    ) -> Node {
        state.world.records.clear();
        let mut threads = self.threads.clone();
        threads[thread] = Rc::new(state.thread);
        let mut done = self.done.clone();
        done[thread] += 1;
        let with = |past: &Past| {
            let mut past = past.clone();
            past[operation.index()] = list;
            past
        };
        let pasts = self.pasts.iter().map(with).collect();
        Node { world: state.world, threads, done, pasts, state: None, last }
    }
}

/// What has run of each thread, and the shape of memory.
type Key = (Vec<usize>, Vec<u64>);

/// The nodes after the same number of operations.
struct Level {
    nodes: Vec<Node>,
    /// Nodes that agree in these, if they are merged.
    known: Option<HashMap<Key, usize>>,
}

impl Level {
    fn new(merge: bool) -> Self {
        Self { nodes: Vec::new(), known: merge.then(HashMap::new) }
    }

    /// Adds a node, to the one that is the same if there is one.
    fn add(&mut self, node: Node) -> &mut Node {
        let next = self.nodes.len();
        let index = self.known.as_mut().map_or(next, |known| {
            let memory = &node.world.memory;
            // A lock that is held counts, also where it is unreachable.
            let held: BTreeSet<_> = node.world.locks.held_in(memory).collect();
            let key = (node.done.clone(), memory.shape(held));
            *known.entry(key).or_insert(next)
        });
        match index == next {
            true => self.nodes.push(node),
            false => self.nodes[index].pasts.extend(node.pasts),
        }
        &mut self.nodes[index]
    }
}

#[cfg(test)]
mod tests;
