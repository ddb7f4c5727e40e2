//! Mutexes, encoded directly: what is known about the words of locks that one thread holds at a
//! time, so that only the order of their critical sections is left to be found.
//!
//! `<pthread.h>` writes mutexes in C: the word of one is 0 while it is free and otherwise the
//! number of the thread that holds it. Taking it is a read-modify-write that finds 0; it is given
//! back by a store of 0 after a read that finds the thread's own number. Let the model keep each
//! location coherent and read-modify-writes in one piece. Then
//!
//! 1. a thread that takes the mutex sees that it was given back, or the beginning;
//! 2. a read after its own thread's taking, with no giving between them, sees that taking;
//! 3. nothing comes between the taking that the read before a giving sees and that giving, so
//!    that both are on the same side of every other write of the word.
//!
//! *Why 3.* Let B take the mutex between A's taking t and A's giving. What B's read sees is 0 and
//! just before B's write, so it is a giving, and the first giving after t is next to t: another
//! write between them would be a taking that sees no 0. It is not A's, which is later; so it is of
//! some X, whose read before it saw X's taking, which is before t. So A took the mutex between
//! X's taking and X's giving, and A did so before B: there is no first such case. *Why 2.* Let the
//! read see something after the thread's taking. What comes just after the taking is a giving, and
//! by 3 the thread's own; it is after the read in program order, which a coherent read does not
//! see, nor what comes after it.
//!
//! All three follow from the other clauses; the solver need not find them out again and again. A
//! word for which the premises cannot be seen in the program (another thread writes it; a pointer
//! may point to several mutexes; it is initialised or freed while threads run; it is held when they
//! start) is encoded like any other memory. An error here loses executions.
//!
//! Soundness S-084 (check, verify; all; misses): What is proved about the words of mutexes and
//! spinlocks is added to the formula; an error in the proof, or in when its premises hold, would
//! lose executions (`--mutexes atomics` leaves it out). Test:
//! crates/xtask/tests/ways.rs::both_ways_agree,
//! crates/fencepost/tests/mutexes.rs::both_encodings_say_what_is_right.

use super::probes;
use crate::bounded::{Action, ActionId, ActionKind, Bounded};
use crate::encode::clauses::Clauses;
use crate::encode::structure::events::{Reading, Writing};
use crate::encode::structure::order::is_before;
use crate::encode::structure::sources::{Source, Sources};
use crate::encode::{MemoryCell, Scope};
use crate::graph::Graph;
use execution::event::{EventId, ThreadId};
use ir::value::Value;
use models::Model;
use sat::Lit;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// The accesses of words of mutexes; none if the model does not keep what is known about them.
pub(crate) fn accesses(bounded: &Bounded, model: &Model) -> HashSet<ActionId> {
    let is_one =
        |&(id, action): &(ActionId, &Action)| is_access(action) && bounded.parts.of(id).is_none();
    let all: HashSet<ActionId> =
        bounded.actions.enumerate().filter(is_one).map(|(id, _)| id).collect();
    match all.is_empty() || probes::is_coherent(model) {
        true => all,
        false => HashSet::new(),
    }
}

/// Whether an action accesses the word of a mutex.
pub(crate) fn is_access(action: &Action) -> bool {
    let (ActionKind::Read { access, .. } | ActionKind::Write { access, .. }) = &action.kind else {
        return false;
    };
    access.purpose.is_mutex_word()
}

/// What is known about reads of mutexes.
#[derive(Debug, Default)]
pub(crate) struct Mutexes {
    /// The only writes that a read may see; reads that are not here may see any.
    sees: HashMap<EventId, BTreeSet<EventId>>,
    /// The accesses of those whose words are known to hold nothing but numbers of threads.
    pub(crate) thread_numbers: HashSet<ActionId>,
}

impl Mutexes {
    /// Whether a read may see a write.
    pub(crate) fn may_see(&self, write: EventId, read: EventId) -> bool {
        self.sees.get(&read).is_none_or(|writes| writes.contains(&write))
    }
}

/// The accesses of the word of one mutex.
#[derive(Default)]
struct Word {
    initial: Option<EventId>,
    reads: Vec<(EventId, ActionId)>,
    /// The writes that take it.
    takes: Vec<(EventId, ActionId)>,
    /// The writes that give it back, each with the read before it.
    gives: Vec<(EventId, ActionId, EventId)>,
}

/// Looks for mutexes, and says of what is read before a giving that nothing comes between.
pub(crate) fn mutexes(
    clauses: &Clauses,
    sources: &Sources,
    graph: &mut Graph,
    reads: &[Reading],
    writes: &[Writing],
) -> Mutexes {
    let mut found = Mutexes::default();
    // What never takes place does no harm.
    let never = |id: &&ActionId| sources.event(Source::Action(**id)).is_none();
    found.thread_numbers = clauses.unrolled.of_mutexes.iter().filter(never).copied().collect();
    for (cell, word) in words(clauses, reads, writes) {
        let Some(word) = word.and_then(|word| mutex(clauses, graph, cell, word)) else { continue };
        for &(read, action) in &word.reads {
            if let Some(sees) = seen(clauses, graph, &word, read, action) {
                found.sees.insert(read, sees);
            }
        }
        found.thread_numbers.extend(accesses_of(&word).into_iter().map(|(_, id)| id));
        graph.next.extend(word.gives.iter().map(|&(give, _, read)| (read, give)));
    }
    found
}

/// The words of mutexes that threads write, with their accesses; `None` if one of these may
/// be elsewhere, too, or is none of a mutex.
fn words(
    clauses: &Clauses,
    reads: &[Reading],
    writes: &[Writing],
) -> BTreeMap<MemoryCell, Option<Word>> {
    let mut words: BTreeMap<MemoryCell, Option<Word>> = BTreeMap::new();
    let own = writes.iter().filter(|write| is_of_mutex(clauses, write.place.action));
    for write in own {
        for &(cell, _) in &write.place.cells {
            words.entry(cell).or_insert_with(|| Some(Word::default()));
        }
    }
    for place in reads.iter().map(|r| &r.place).chain(writes.iter().map(|w| &w.place)) {
        for &(cell, lit) in &place.cells {
            let Some(entry) = words.get_mut(&cell) else { continue };
            let Some(word) = entry else { continue };
            let known = match place.action {
                _ if lit != Lit::TRUE => false,
                None => word.initial.replace(place.event).is_none(),
                Some(id) => is_of_mutex(clauses, Some(id)) && sort(clauses, word, place.event, id),
            };
            if !known {
                *entry = None;
            }
        }
    }
    words
}

fn is_of_mutex(clauses: &Clauses, action: Option<ActionId>) -> bool {
    action.is_some_and(|id| clauses.unrolled.of_mutexes.contains(&id))
}

/// Adds an access to those of a word; whether it is one of a mutex.
fn sort(clauses: &Clauses, word: &mut Word, event: EventId, id: ActionId) -> bool {
    let action = &clauses.bounded.actions[id];
    match &action.kind {
        ActionKind::Read { .. } => word.reads.push((event, id)),
        ActionKind::Write { rmw: Some(_), .. } => word.takes.push((event, id)),
        ActionKind::Write { .. } => {
            // The read that finds out whether the thread may give it back is in the same call.
            let same = |&&(_, other): &&(EventId, ActionId)| {
                let earlier = &clauses.bounded.actions[other];
                earlier.thread == action.thread
                    && earlier.origin.calls == action.origin.calls
                    && other < id
                    && clauses.unrolled.paths.implies(action.guard, earlier.guard)
            };
            let Some(&(read, _)) = word.reads.iter().rfind(same) else { return false };
            word.gives.push((event, id, read));
        }
        _ => return false,
    }
    true
}

/// The word, if it is free at first and all that is written says who holds it.
fn mutex(clauses: &Clauses, graph: &Graph, cell: MemoryCell, word: Word) -> Option<Word> {
    let constant = |id: ActionId| match clauses.bounded.actions[id].kind {
        ActionKind::Write { value, .. } => clauses.bounded.terms.constant(value),
        _ => None,
    };
    let zero = Value::int(cell.width, 0);
    let free = |value: Option<Value>| value.is_some_and(|value| value == zero);
    let initial =
        clauses.unrolled.cells.get(&cell).and_then(|&term| clauses.bounded.terms.constant(term));
    if word.initial.is_none() || !free(initial) {
        return None;
    }
    if !word.gives.iter().all(|&(_, id, _)| free(constant(id))) {
        return None;
    }
    let mut holders: BTreeMap<ThreadId, Value> = BTreeMap::new();
    for &(_, id) in &word.takes {
        let value = constant(id).filter(|value| value.is_defined() && !value.is_zero())?;
        let thread = clauses.bounded.actions[id].thread;
        if *holders.entry(thread).or_insert(value) != value {
            return None;
        }
    }
    let distinct: BTreeSet<u64> = holders.values().map(Value::low).collect();
    (distinct.len() == holders.len() && in_order(clauses, graph, &word)).then_some(word)
}

/// Whether each thread's accesses of a word are in program order.
fn in_order(clauses: &Clauses, graph: &Graph, word: &Word) -> bool {
    let all = accesses_of(word);
    let ordered = |(a, x): &(EventId, ActionId), (b, y): &(EventId, ActionId)| {
        let (first, second) = (&clauses.bounded.actions[*x], &clauses.bounded.actions[*y]);
        first.thread != second.thread
            || first.instruction == second.instruction
            || graph.excludes.contains(*a, *b)
            || is_before(graph, *a, *b)
            || is_before(graph, *b, *a)
    };
    all.iter().enumerate().all(|(i, a)| all[i + 1..].iter().all(|b| ordered(a, b)))
}

fn accesses_of(word: &Word) -> Vec<(EventId, ActionId)> {
    let gives = word.gives.iter().map(|&(event, id, _)| (event, id));
    word.reads.iter().chain(&word.takes).copied().chain(gives).collect()
}

/// The only writes that a read may see, if that is known.
fn seen(
    clauses: &Clauses,
    graph: &Graph,
    word: &Word,
    read: EventId,
    action: ActionId,
) -> Option<BTreeSet<EventId>> {
    if let Some(own) = own_taking(clauses, graph, word, read, action) {
        return Some(own);
    }
    finds_it_free(clauses, &clauses.bounded.actions[action]).then(|| {
        let gives = word.gives.iter().map(|&(event, _, _)| event);
        word.initial.into_iter().chain(gives).collect()
    })
}

/// The takings of the read's own thread that it may see, if it sees one for sure.
fn own_taking(
    clauses: &Clauses,
    graph: &Graph,
    word: &Word,
    read: EventId,
    action: ActionId,
) -> Option<BTreeSet<EventId>> {
    let thread = clauses.bounded.actions[action].thread;
    let mut own: Vec<(ActionId, EventId, bool)> = Vec::new();
    own.extend(word.takes.iter().map(|&(event, id)| (id, event, true)));
    own.extend(word.gives.iter().map(|&(event, id, _)| (id, event, false)));
    own.retain(|&(id, event, _)| {
        id < action
            && clauses.bounded.actions[id].thread == thread
            && !graph.excludes.contains(event, read)
    });
    own.sort();
    let mut sees = BTreeSet::new();
    for (_, event, takes) in own.into_iter().rev() {
        if !takes {
            return None;
        }
        sees.insert(event);
        if graph.implies.contains(read, event) {
            return Some(sees);
        }
    }
    None
}

/// Whether a read takes place only if it finds the mutex free: one in an atomic section, which
/// is not entered otherwise. The assumption that says so is in the same call of the library:
/// others of the section may be about anything. A thread that waits for ever reads what it
/// waits for to change.
fn finds_it_free(clauses: &Clauses, read: &Action) -> bool {
    clauses.scope != Scope::Waiting
        && read.section.is_some()
        && clauses.bounded.assumptions.iter().any(|assumption| {
            assumption.moment.thread == read.thread
                && assumption.section == read.section
                && assumption.origin.calls == read.origin.calls
                && clauses.unrolled.paths.implies(read.guard, assumption.moment.guard)
        })
}
