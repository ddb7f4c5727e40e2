//! What decides the answer of a model that forbids cycles only.
//!
//! Threads are nodes, and reads-from, coherence and from-read between different ones are edges.
//! Choices that have the same edges inside strongly connected components get the same answer from
//! a model whose axioms are decided there ([`models::Evaluator::decides_in_components`]); so each
//! such set of edges, the [`Key`], is put to the model once. In a test whose threads form a long
//! ring, nearly all choices have no cycle at all.
//!
//! Soundness S-145 (litmus; all; misses): From 4,096 combinations on, a model is asked once about
//! choices that agree inside strongly connected components of threads, if its axioms are decided
//! there; an error in that argument would lose executions. Test:
//! crates/oracle/tests/pruning.rs::long_rings_of_critical_sections_and_grace_periods_have_an_answer,
//! crates/models/src/local.rs::cycles_are_decided_in_components.

use crate::domain::Edge;
use execution::event::{EventId, Execution};
use execution::ids::Id;
use execution::relation::Relation;
use std::collections::HashMap;

/// The edges inside components.
type Key = Box<[(u32, u32)]>;

/// More answers than this are not kept.
const MOST: usize = 1 << 17;

/// Answers by what decides them.
#[derive(Default)]
pub struct Answers {
    known: HashMap<Key, bool>,
}

impl Answers {
    /// The answer for a key, from `ask` if it is not known yet.
    pub fn get(&mut self, key: Key, ask: impl FnOnce() -> bool) -> bool {
        if let Some(&answer) = self.known.get(&key) {
            return answer;
        }
        let answer = ask();
        if self.known.len() < MOST {
            self.known.insert(key, answer);
        }
        answer
    }
}

/// The nodes of an execution's events: its threads, and one for the initial writes.
pub struct Nodes {
    of: Vec<usize>,
    count: usize,
}

impl Nodes {
    /// The nodes of a skeleton; `None` if there are more than fit into a word.
    pub fn new(skeleton: &Execution) -> Option<Self> {
        let thread = |event: &execution::event::Event| event.thread.map_or(0, |t| t.index() + 1);
        let of: Vec<usize> = skeleton.events.iter().map(thread).collect();
        let count = of.iter().max().map_or(0, |most| most + 1);
        (count <= 64).then_some(Self { of, count })
    }

    /// The node of an event.
    pub fn of(&self, event: EventId) -> usize {
        self.of[event.index()]
    }

    /// What decides the answer for a choice.
    pub fn key(&self, rf: &[Edge], co: &Relation) -> Key {
        let co_edges: Vec<Edge> = co.iter().collect();
        let from_read = |&(write, read): &Edge| co.successors(write).map(move |w| (read, w));
        let fr_edges: Vec<Edge> = rf.iter().flat_map(from_read).collect();
        let kinds = [rf, &co_edges, &fr_edges];
        let reached = self.reached(kinds.into_iter().flatten());
        let inside = |&&(a, b): &&Edge| {
            let (a, b) = (self.of(a), self.of(b));
            reached[a] >> b & 1 == 1 && reached[b] >> a & 1 == 1
        };
        let mut key = Vec::new();
        for edges in kinds {
            let number = |&(a, b): &Edge| (a.index() as u32, b.index() as u32);
            key.extend(edges.iter().filter(inside).map(number));
            key.push((u32::MAX, u32::MAX));
        }
        key.into()
    }

    /// Which nodes each node reaches, itself included.
    fn reached<'e>(&self, edges: impl Iterator<Item = &'e Edge>) -> Vec<u64> {
        let mut reached: Vec<u64> = (0..self.count).map(|node| 1 << node).collect();
        for &(a, b) in edges {
            reached[self.of(a)] |= 1 << self.of(b);
        }
        for middle in 0..self.count {
            let row = reached[middle];
            for from in &mut reached {
                if *from >> middle & 1 == 1 {
                    *from |= row;
                }
            }
        }
        reached
    }
}
