//! On which models the method works: what is needed of a model, and how its text shows it.
//!
//! 1. Program order and reads-from have no cycle together. Of a shortest such cycle each thread has
//!    a read and a later write (or a read alone, of its own later write), so it is enough that some
//!    axiom wants a relation to be acyclic that orders each read before later writes, and each write
//!    before reads of other threads that see it. Whether one does is asked of the evaluator: on
//!    executions of two events, for all kinds of accesses of the program. More events only add to
//!    the relation, because of 2.
//! 2. Parts of allowed executions are allowed: [`models::Model::is_closed_under_parts`].
//! 3. A thread can always go on if its reads see what is last and its writes come last. That is
//!    checked at each step of the search, where it is relied upon.
//!
//! Soundness S-533 (verify; all; refuses): `--engine graphs` refuses models whose text does not show
//! that program order and reads-from have no cycle, or that parts of allowed executions are allowed:
//! of the library, all but `sc`, `tso`, `pso`, `rc11` and those that are defined by them. Test:
//! crates/engines/src/graphs/tests.rs::models_that_allow_load_buffering_are_refused.

use execution::event::{Event, EventId, EventKind, Execution, ThreadId};
use execution::ids::Id;
use execution::relation::{EventSet, Relation};
use ir::op::Op;
use ir::order::Order;
use ir::program::Program;
use ir::tag::Tag;
use models::Model;
use replay::events::record::order_name;
use replay::language::{Language, language_of};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The sets that an access is in, besides those of reads or writes.
type Sets = BTreeSet<String>;

/// Why the method does not work on a model for a program; `None` if it does.
pub fn refusal(program: &Program, model: &Model) -> Option<String> {
    let name = &model.name;
    let instead = "`--engine sat` answers on every model";
    if !model.is_closed_under_parts() {
        return Some(format!(
            "{name}: its text does not show that an execution can grow event by event; {instead}"
        ));
    }
    if !forbids_cycles(program, model) {
        return Some(format!(
            "{name}: its text does not show that program order and reads-from have no cycle; \
             {instead}"
        ));
    }
    None
}

/// Whether no allowed execution of a program has a cycle of program order and reads-from.
fn forbids_cycles(program: &Program, model: &Model) -> bool {
    let (reads, writes) = kinds(program, language_of(model));
    let mut ordered: Option<BTreeSet<usize>> = None;
    for read in &reads {
        for write in &writes {
            if Small::own_later_write(read, write).orders(model).is_some() {
                return false;
            }
            for same_cell in [false, true] {
                for same_thread in [false, true] {
                    let small = Small::read_then_write(read, write, (same_cell, same_thread));
                    narrow(&mut ordered, small.ordered_by(model));
                }
            }
            narrow(&mut ordered, Small::write_then_read(read, write).ordered_by(model));
        }
    }
    // A program without reads, or without writes, has no cycle.
    ordered.is_none_or(|axioms| !axioms.is_empty())
}

fn narrow(known: &mut Option<BTreeSet<usize>>, found: BTreeSet<usize>) {
    let left = match known.take() {
        Some(known) => known.intersection(&found).copied().collect(),
        None => found,
    };
    *known = Some(left);
}

/// The kinds of reads and of writes that a program makes.
fn kinds(program: &Program, language: Language) -> (BTreeSet<Sets>, BTreeSet<Sets>) {
    let (mut reads, mut writes) = (BTreeSet::new(), BTreeSet::new());
    let sets = |order: Order, tags: &[Tag], keeps: &dyn Fn(&Tag) -> bool| {
        let mut sets = Sets::new();
        for tag in tags.iter().filter(|tag| keeps(tag)) {
            if let Tag::Both(a) | Tag::Read(a) | Tag::Write(a) | Tag::Success(a) | Tag::Failure(a) =
                tag
            {
                sets.insert(a.name().to_string());
            }
        }
        if language == Language::C11 {
            sets.insert(order_name(order).to_string());
            if order.is_atomic() {
                sets.insert("A".to_string());
            }
        }
        sets
    };
    let is_of_read = |failed: bool| {
        move |tag: &Tag| match tag {
            Tag::Both(_) | Tag::Read(_) => true,
            Tag::Success(_) => !failed,
            Tag::Failure(_) => failed,
            _ => false,
        }
    };
    let is_of_write = |tag: &Tag| matches!(tag, Tag::Both(_) | Tag::Write(_));
    // What fills an object whole.
    let of_fills: &[&str] = match language {
        Language::C11 => &["NA", "PLAIN", "Library"],
        _ => &["PLAIN", "Library"],
    };
    writes.insert(of_fills.iter().map(|name| name.to_string()).collect());
    let blocks = program.functions.iter().flat_map(|function| &function.blocks);
    for op in blocks.flat_map(|block| &block.insts).map(|inst| &inst.op) {
        match op {
            Op::Load { access, .. } => {
                let own = sets(access.order, &access.tags, &is_of_read(false));
                reads.extend([with_plain(own.clone(), access.order), own]);
            }
            Op::Store { access, .. } | Op::StoreExclusive { access, .. } => {
                let own = sets(access.order, &access.tags, &is_of_write);
                writes.extend([with_plain(own.clone(), access.order), own]);
            }
            Op::Rmw { access, .. } => {
                reads.insert(sets(access.order, &access.tags, &is_of_read(false)));
                writes.insert(sets(access.order, &access.tags, &is_of_write));
            }
            Op::Cas { access, failure, .. } => {
                reads.insert(sets(access.order, &access.tags, &is_of_read(false)));
                reads.insert(sets(*failure, &access.tags, &is_of_read(true)));
                writes.insert(sets(access.order, &access.tags, &is_of_write));
            }
            _ => {}
        }
    }
    (reads, writes)
}

/// Plain accesses outside of atomic sections are in a set of their own.
fn with_plain(mut sets: Sets, order: Order) -> Sets {
    if order == Order::NonAtomic {
        sets.insert("PLAIN".to_string());
    }
    sets
}

/// An execution of a read and a write, and the initial writes of their cells.
struct Small {
    execution: Execution,
    /// The pair that is to be ordered.
    pair: (EventId, EventId),
}

fn initial(cell: usize) -> EventId {
    EventId::new(cell)
}

fn read() -> EventId {
    EventId::new(2)
}

fn write() -> EventId {
    EventId::new(3)
}

impl Small {
    fn new(
        (of_read, of_write): (&Sets, &Sets),
        (same_cell, threads): (bool, [usize; 2]),
        (po, from): ([EventId; 2], EventId),
    ) -> Self {
        let cell = |number: usize| Some(Arc::from(["x", "y"][number]));
        let event = |thread: Option<usize>, kind, number, instruction| Event {
            thread: thread.map(ThreadId::new),
            kind,
            location: cell(number),
            value: None,
            label: String::new(),
            instruction,
            source: None,
        };
        let own = usize::from(!same_cell);
        let (read_at, write_at) = if po[0] == read() { (1, 2) } else { (2, 1) };
        let events = [
            event(None, EventKind::Write, 0, 0),
            event(None, EventKind::Write, 1, 0),
            event(Some(threads[0]), EventKind::Read, 0, read_at),
            event(Some(threads[1]), EventKind::Write, own, write_at),
        ];
        let size = events.len();
        let mut sets: BTreeMap<Arc<str>, EventSet> = BTreeMap::new();
        let mut add = |name: &str, event: EventId| {
            let fresh = || EventSet::empty(size);
            sets.entry(Arc::from(name)).or_insert_with(fresh).insert(event);
        };
        for initial in [initial(0), initial(1)] {
            add("W", initial);
            add("IW", initial);
        }
        add("R", read());
        add("W", write());
        of_read.iter().for_each(|name| add(name, read()));
        of_write.iter().for_each(|name| add(name, write()));
        let relation = |pairs: &[(EventId, EventId)]| {
            let mut relation = Relation::empty(size);
            pairs.iter().for_each(|&(from, to)| relation.insert(from, to));
            relation
        };
        let po_pairs = if po[0] == po[1] { vec![] } else { vec![(po[0], po[1])] };
        let relations = [
            ("po", relation(&po_pairs)),
            ("rf", relation(&[(from, read())])),
            ("co", relation(&[(initial(own), write())])),
        ];
        let execution = Execution {
            events: events.into_iter().collect(),
            sets,
            relations: relations.into_iter().map(|(name, pairs)| (name.into(), pairs)).collect(),
        };
        let pair = if from == write() { (write(), read()) } else { (read(), write()) };
        Self { execution, pair }
    }

    fn read_then_write(reads: &Sets, writes: &Sets, (same_cell, same): (bool, bool)) -> Self {
        // The start of a thread is in program order, too.
        let threads = [0, usize::from(!same)];
        Self::new((reads, writes), (same_cell, threads), ([read(), write()], initial(0)))
    }

    fn write_then_read(reads: &Sets, writes: &Sets) -> Self {
        Self::new((reads, writes), (true, [0, 1]), ([read(), read()], write()))
    }

    fn own_later_write(reads: &Sets, writes: &Sets) -> Self {
        Self::new((reads, writes), (true, [0, 0]), ([read(), write()], write()))
    }

    /// The relations that the model wants acyclic, if it allows this.
    fn orders(&self, model: &Model) -> Option<Vec<Relation>> {
        let mut evaluator = model.prepare(&self.execution).ok()?;
        let empty = Relation::empty(self.execution.events.len());
        evaluator.set_rf(self.execution.relations.get("rf").unwrap_or(&empty));
        evaluator.set_co(self.execution.relations.get("co").unwrap_or(&empty));
        evaluator.allowed().then(|| evaluator.orders())
    }

    /// Which of them order the pair.
    fn ordered_by(&self, model: &Model) -> BTreeSet<usize> {
        let orders = self.orders(model).unwrap_or_default();
        let ordered =
            |order: &Relation| order.transitive_closure().contains(self.pair.0, self.pair.1);
        let numbered = orders.iter().enumerate();
        numbered.filter(|(_, order)| ordered(order)).map(|(index, _)| index).collect()
    }
}
