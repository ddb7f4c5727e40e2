//! Which writes a read may see, as far as widths, paths and program order tell. Where accesses are
//! in parts, a read may see writes of other widths, too.

use super::ValueOptions;
use crate::bounded::{Access, ActionId, ActionKind, Bounded};
use crate::guard::{Guard, Guards};
use crate::term::{InputId, Term, TermId};
use execution::event::ThreadId;
use execution::ids::{Id, IdVec};
use std::collections::HashMap;

/// A read, and the writes that it may see if the addresses are equal.
pub struct Read<'a> {
    pub action: ActionId,
    pub access: &'a Access,
    /// What it returns.
    pub term: TermId,
    /// Positions among [`Flow::writes`].
    pub candidates: Vec<usize>,
}

/// A write.
pub struct Write<'a> {
    pub action: ActionId,
    pub access: &'a Access,
    pub value: TermId,
}

/// All reads and writes of a program.
pub struct Flow<'a> {
    pub reads: Vec<Read<'a>>,
    pub writes: Vec<Write<'a>>,
    /// The term of each input.
    pub inputs: IdVec<InputId, Option<TermId>>,
    pub guards: Guards,
}

impl<'a> Flow<'a> {
    /// Collects them; of no use if a limit is reached meanwhile.
    pub fn new(bounded: &'a Bounded, options: &ValueOptions, give_up: &sat::Limits) -> Self {
        let inputs = input_terms(bounded);
        let mut flow = Flow {
            reads: Vec::new(),
            writes: Vec::new(),
            inputs,
            guards: bounded.terms.guards.clone(),
        };
        for (action, what) in bounded.actions.enumerate() {
            match &what.kind {
                ActionKind::Read { access, into, .. } => {
                    if let Some(term) = flow.inputs.get(*into).copied().flatten() {
                        flow.reads.push(Read { action, access, term, candidates: Vec::new() });
                    }
                }
                ActionKind::Write { access, value, .. } => {
                    flow.writes.push(Write { action, access, value: *value });
                }
                _ => {}
            }
        }
        let order = ProgramOrder::new(bounded);
        for read in &mut flow.reads {
            if give_up.expired() {
                break;
            }
            let seen = flow.writes.iter().enumerate().filter(|(_, write)| {
                let [r, w] = [read.action, write.action].map(|id| &bounded.actions[id]);
                let mut later =
                    || order.before(bounded, &mut flow.guards, read.action, write.action);
                (write.access.width == read.access.width || !bounded.parts.is_empty())
                    && (options.reads_from_later_own_writes || !later())
                    && !(r.thread == w.thread && flow.guards.exclude(r.guard, w.guard))
            });
            read.candidates = seen.map(|(position, _)| position).collect();
        }
        flow
    }

    /// An upper bound on how many of these reads happen in one execution: reads of one thread
    /// whose paths exclude each other are counted once.
    pub fn together(&mut self, bounded: &Bounded, reads: &[usize], give_up: &sat::Limits) -> usize {
        let mut groups: Vec<(ThreadId, Vec<Guard>)> = Vec::new();
        for &read in reads {
            if give_up.expired() {
                return reads.len();
            }
            let action = &bounded.actions[self.reads[read].action];
            let guards = &mut self.guards;
            let fits = groups.iter_mut().find(|(thread, members)| {
                *thread == action.thread
                    && members.iter().all(|&member| guards.exclude(member, action.guard))
            });
            match fits {
                Some((_, members)) => members.push(action.guard),
                None => groups.push((action.thread, vec![action.guard])),
            }
        }
        groups.len()
    }
}

fn input_terms(bounded: &Bounded) -> IdVec<InputId, Option<TermId>> {
    let mut inputs: IdVec<_, _> = bounded.inputs.iter().map(|_| None).collect();
    for id in bounded.terms.ids() {
        if let Term::Input(input) = *bounded.terms.term(id)
            && input.index() < inputs.len()
        {
            inputs[input] = Some(id);
        }
    }
    inputs
}

/// Program order, through spawns and joins.
struct ProgramOrder {
    /// The joins of each thread.
    joins: HashMap<ThreadId, Vec<ActionId>>,
}

impl ProgramOrder {
    fn new(bounded: &Bounded) -> Self {
        let mut joins: HashMap<ThreadId, Vec<ActionId>> = HashMap::new();
        for (id, action) in bounded.actions.enumerate() {
            if let ActionKind::Join(thread) = action.kind {
                joins.entry(thread).or_default().push(id);
            }
        }
        Self { joins }
    }

    /// Whether `a` comes before `b` whenever both happen.
    fn before(&self, bounded: &Bounded, guards: &mut Guards, a: ActionId, b: ActionId) -> bool {
        let [first, second] = [a, b].map(|id| &bounded.actions[id]);
        if first.thread == second.thread {
            return a < b;
        }
        // After the spawn of one of the threads that `b` is in.
        let mut child = second.thread;
        while let Some(spawn) = bounded.threads[child].parent {
            child = bounded.actions[spawn].thread;
            if child == first.thread {
                return a < spawn;
            }
        }
        // Or before a join of the thread of `a`.
        let joins = self.joins.get(&first.thread).map_or(&[][..], Vec::as_slice);
        joins.iter().any(|&join| {
            let action = &bounded.actions[join];
            action.thread == second.thread && join < b && guards.implies(second.guard, action.guard)
        })
    }
}
