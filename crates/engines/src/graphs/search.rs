//! Visits each consistent execution graph of a program once.
//!
//! Kokologiannakis, Marmanis, Gladstein, Vafeiadis, "Truly stateless, optimal dynamic partial order
//! reduction", POPL 2022. A graph grows by the next item of some thread. A read may see any write
//! that is there; a write may stand anywhere in the coherence order, and may make earlier reads
//! that do not lead to it see it instead (it *revisits* them): what was added after such a read and
//! does not lead to the write is dropped, if it had been added in the one way in which it is added
//! again. So no graph is reached twice, and nothing but the graphs still to be visited is kept.
//!
//! Deviations:
//! - Which thread goes on is a function of the graph alone: the write of a read-modify-write follows
//!   its read, else the first thread goes on that can. Threads that would do nothing but wait if
//!   they saw what is last (for a lock, or in a loop) are left for the end, and a read that leaves
//!   its thread waiting is dropped if it does not see what is last: it could never be revisited. So
//!   most executions that block are not visited; those that are left end where no thread can go on.
//! - The model is asked only where there is a choice, and at the end.
//!
//! An error in any of this would miss executions, or count some twice; what is found is replayed.
//!
//! Soundness S-531 (verify; all; refuses): `--engine graphs` refuses programs of which some thread
//! runs when `main` returns or the program is ended by `exit`, and accesses that overlap without
//! being equal. Test: crates/engines/src/graphs/tests.rs::what_is_not_supported_is_refused_at_its_line.

use super::ahead::{Ahead, Blocked, Names, Pause, Refusal, Runner};
use super::graph::{At, Graph, Kind, Next, Part, is_update};
use super::judge::{Judge, NoAnswer, accesses, have_same_events};
use super::leaf::Found;
use execution::event::EventKind;
use execution::finding::FindingKind;
use execution::ids::Id;
use ir::program::LocId;
use replay::events::trace::Filling;
use replay::flaws::{self, Flaw};
use replay::memory::world::CellId;
use std::collections::HashMap;
use std::sync::Arc;

/// Threads that went on with an answer: how many are remembered.
const REMEMBERED: usize = 1 << 12;

/// A graph that is still to be visited.
pub struct Open {
    /// The graph.
    pub graph: Graph,
    /// Whether the model is to be asked about it.
    pub ask: bool,
    /// Whether a model for which this method works allows it.
    pub expected: bool,
}

/// Why a search stops.
pub enum Stop {
    /// A limit was reached.
    GaveUp,
    /// The program or the model is not supported.
    Refused(Refusal),
    /// All that was asked is known.
    Known,
}

impl From<Refusal> for Stop {
    fn from(refusal: Refusal) -> Self {
        Stop::Refused(refusal)
    }
}

impl From<NoAnswer> for Stop {
    fn from(no: NoAnswer) -> Self {
        match no {
            NoAnswer::GaveUp => Stop::GaveUp,
            NoAnswer::Model(what) => Stop::Refused(Refusal { what, place: None }),
        }
    }
}

/// A search.
pub struct Search<'e, 'p> {
    /// Runs threads.
    pub runner: &'e Runner<'e, 'p>,
    /// Asks the model.
    pub judge: &'e Judge<'e>,
    /// What all graphs share.
    pub names: Names<'p>,
    /// The graphs that are still to be visited.
    pub open: Vec<Open>,
    /// What was found.
    pub found: Found,
    /// Threads that went on with an answer, by that and by where they were.
    answered: HashMap<(usize, usize), (Arc<Ahead>, Arc<Ahead>)>,
    cells: usize,
}

/// Which thread goes on.
enum Turn {
    Thread(u32),
    /// All that can only wait, if they see what is last.
    Waiting(u32),
    Nothing,
}

impl<'e, 'p> Search<'e, 'p> {
    /// A search from a graph on.
    pub fn new(
        runner: &'e Runner<'e, 'p>,
        judge: &'e Judge<'e>,
        names: Names<'p>,
        found: Found,
    ) -> Self {
        Self { runner, judge, names, open: Vec::new(), found, answered: HashMap::new(), cells: 0 }
    }

    /// Visits a graph and what follows without a choice; what it may become is added to what is open.
    pub fn visit(&mut self, open: Open) -> Result<(), Stop> {
        let Open { mut graph, ask, expected } = open;
        if ask && !self.is_allowed(&graph, expected)? {
            return Ok(());
        }
        let mut asked = ask;
        loop {
            let thread = match self.turn(&graph)? {
                Turn::Thread(thread) | Turn::Waiting(thread) => thread,
                Turn::Nothing => return self.leaf(&graph, asked),
            };
            let part = graph.part(thread);
            let events = part.events() as u32;
            match part.next() {
                Next::Spawn(number) => self.spawn(&mut graph, thread, number)?,
                Next::Event(_, event) if event.whole.is_some() => {
                    asked = false;
                    if !self.fill(&mut graph, thread)? {
                        return Ok(());
                    }
                }
                Next::Event(_, event) if event.kind == EventKind::Write => {
                    asked = false;
                    if !self.write(&mut graph, thread)? {
                        return Ok(());
                    }
                }
                Next::Event(_, event) => {
                    debug_assert!(!accesses(event));
                    asked = false;
                    graph.add(thread, Kind::Plain, (events + 1, true));
                }
                Next::Pause(&Pause::Read(cell)) => {
                    asked = false;
                    match self.read(graph, (thread, cell))? {
                        Some(only) => graph = only,
                        None => return Ok(()),
                    }
                }
                Next::Pause(&Pause::Choice(count)) => {
                    return self.choose(graph, thread, count, asked);
                }
                Next::Pause(&Pause::Join(child)) => {
                    self.join(&mut graph, thread, child.index() as u32)?;
                }
                Next::Pause(_) => unreachable!("such a thread has no turn"),
            }
        }
    }

    /// Whether the model allows a graph in which nothing is wrong with objects.
    fn is_allowed(&mut self, graph: &Graph, expected: bool) -> Result<bool, Stop> {
        self.found.asked += 1;
        if !self.judge.allows(&mut self.names, graph)? {
            return if expected { Err(cannot_go_on()) } else { Ok(false) };
        }
        match self.flaw(graph) {
            Some((at, kind)) => {
                let place = self.place_of(graph, at);
                self.goes_wrong(graph, at, (kind, place))?;
                Ok(false)
            }
            None => Ok(true),
        }
    }

    /// What is wrong with the order in which objects are written and end.
    fn flaw(&mut self, graph: &Graph) -> Option<(At, FindingKind)> {
        if !ends_objects(graph) {
            return None;
        }
        self.judge.seen(&mut self.names, graph, |names, seen| {
            let all = flaws::of_objects(&names.world, &seen.skeleton, &seen.orders);
            all.into_iter().find_map(|flaw| match flaw {
                Flaw::WriteAfterEnd(event, region) => {
                    Some((seen.at(event)?, names.world.objects().used_after_end(region)))
                }
                Flaw::DoubleFree(event) => Some((seen.at(event)?, FindingKind::DoubleFree)),
                Flaw::Reused(_) => None,
            })
        })
    }

    fn place_of(&self, graph: &Graph, at: At) -> Option<LocId> {
        let event = graph.item(at).event()?;
        graph.part(at.thread).run().state.recorder.events[event].place
    }

    /// Which thread goes on.
    fn turn(&mut self, graph: &Graph) -> Result<Turn, Stop> {
        for (thread, part) in graph.threads() {
            if matches!(part.next(), Next::Event(_, event) if is_update(event)) {
                return Ok(Turn::Thread(thread));
            }
        }
        let mut waiting = None;
        for (thread, part) in graph.threads() {
            match part.next() {
                Next::Spawn(_) | Next::Event(..) | Next::Pause(Pause::Choice(_)) => {
                    return Ok(Turn::Thread(thread));
                }
                Next::Pause(&Pause::Join(child)) if has_ended(graph, child.index()) => {
                    return Ok(Turn::Thread(thread));
                }
                Next::Pause(&Pause::Read(cell)) => {
                    let from = graph.order(&self.names, cell).last().copied();
                    let run = self.sees(graph, thread, (cell, from))?;
                    if !only_waits(part, &run) {
                        return Ok(Turn::Thread(thread));
                    }
                    waiting.get_or_insert(thread);
                }
                Next::Pause(_) => {}
            }
        }
        Ok(waiting.map_or(Turn::Nothing, Turn::Waiting))
    }

    /// A thread that goes on with what a write gives to the cell that it reads.
    fn sees(
        &mut self,
        graph: &Graph,
        thread: u32,
        (cell, from): (CellId, Option<At>),
    ) -> Result<Arc<Ahead>, Stop> {
        let value = graph.value(&mut self.names, from, cell);
        let run = Arc::clone(graph.part(thread).run());
        self.answer(&run, value.index())
    }

    fn answer(&mut self, run: &Arc<Ahead>, answer: usize) -> Result<Arc<Ahead>, Stop> {
        let key = (Arc::as_ptr(run) as usize, answer);
        if let Some((_, known)) = self.answered.get(&key) {
            return Ok(Arc::clone(known));
        }
        let next = Arc::new(self.runner.answer(&mut self.names, run, answer)?);
        self.new_cells()?;
        if self.answered.len() >= REMEMBERED {
            self.answered.clear();
        }
        // The thread is kept with what it became, so that no other one has its address.
        self.answered.insert(key, (Arc::clone(run), Arc::clone(&next)));
        Ok(next)
    }

    /// Refuses accesses that overlap.
    fn new_cells(&mut self) -> Result<(), Stop> {
        if self.names.world.cells.len() == self.cells {
            return Ok(());
        }
        self.cells = self.names.world.cells.len();
        match self.names.world.overlap() {
            Some((a, _)) => {
                let what = format!("`{}` is accessed in parts that overlap", a.name);
                Err(Stop::Refused(Refusal { what, place: a.place }))
            }
            None => Ok(()),
        }
    }

    fn spawn(&mut self, graph: &mut Graph, thread: u32, number: usize) -> Result<(), Stop> {
        let run = Arc::clone(graph.part(thread).run());
        let spawned = &run.state.spawned[number];
        let child = spawned.thread.index() as u32;
        let events = graph.part(thread).events() as u32;
        graph.add(thread, Kind::Spawn(child), (events, false));
        let start = (spawned.thread, spawned.function);
        let next = Arc::new(self.runner.start(&mut self.names, start, &spawned.args)?);
        self.new_cells()?;
        graph.starts(thread, child, next);
        Ok(())
    }

    fn join(&mut self, graph: &mut Graph, thread: u32, child: u32) -> Result<(), Stop> {
        let Pause::Ended(value) = graph.part(child).run().pause else { return Ok(()) };
        let answer = self.names.result(value);
        let run = Arc::clone(graph.part(thread).run());
        let next = self.answer(&run, answer)?;
        let events = graph.part(thread).events() as u32;
        graph.add(thread, Kind::Join(child), (events, false));
        graph.goes_on(thread, next);
        Ok(())
    }

    fn choose(&mut self, graph: Graph, thread: u32, count: usize, asked: bool) -> Result<(), Stop> {
        let run = Arc::clone(graph.part(thread).run());
        let events = graph.part(thread).events() as u32;
        for answer in (0..count).rev() {
            let next = self.answer(&run, answer)?;
            let mut graph = graph.clone();
            graph.add(thread, Kind::Choice(answer), (events, false));
            graph.goes_on(thread, next);
            self.open.push(Open { graph, ask: !asked, expected: true });
        }
        Ok(())
    }

    /// A thread reads: it may see each write. Gives the graph if there is no choice.
    fn read(&mut self, graph: Graph, (thread, cell): (u32, CellId)) -> Result<Option<Graph>, Stop> {
        let order = graph.order(&self.names, cell);
        let last = order.last().copied();
        let mut all = Vec::new();
        for from in std::iter::once(None).chain(order.into_iter().map(Some)) {
            for (fails, run) in self.runs(&graph, thread, (cell, from))? {
                let is_last = from == last && !fails;
                let waiting = only_waits(graph.part(thread), &run);
                let mut next = graph.clone();
                see(&mut next, &self.names, (thread, cell), (from, fails), run, None);
                if waiting && !is_last {
                    self.found.dropped(self.judge, &mut self.names, &next)?;
                    continue;
                }
                all.push((next, is_last));
            }
        }
        if all.len() == 1 && !reads_what_ended(&all[0].0, thread) {
            return Ok(all.pop().map(|(graph, _)| graph));
        }
        let (ended, all): (Vec<_>, Vec<_>) =
            all.into_iter().partition(|(graph, _)| reads_what_ended(graph, thread));
        for (graph, expected) in ended {
            self.add(graph, thread, expected)?;
        }
        self.add_allowed(all, thread)?;
        Ok(None)
    }

    /// Of graphs that differ in what was chosen last, adds those that are allowed.
    fn add_allowed(&mut self, all: Vec<(Graph, bool)>, thread: u32) -> Result<(), Stop> {
        let mut rest = all;
        while let Some((first, _)) = rest.first() {
            let same = |(graph, _): &(Graph, bool)| have_same_events(first, graph, thread);
            let (same, others): (Vec<bool>, usize) = {
                let same: Vec<bool> = rest.iter().map(same).collect();
                let count = same.iter().filter(|same| !**same).count();
                (same, count)
            };
            let mut group = Vec::new();
            let mut left = Vec::with_capacity(others);
            for (graph, same) in rest.into_iter().zip(same) {
                if same { group.push(graph) } else { left.push(graph) }
            }
            rest = left;
            // Where values matter or objects end, each is asked about by itself.
            if self.judge.model.axioms_use_values() || ends_objects(&group[0].0) {
                let opens = group.into_iter();
                self.open.extend(opens.map(|(graph, expected)| Open {
                    graph,
                    ask: true,
                    expected,
                }));
                continue;
            }
            let graphs: Vec<&Graph> = group.iter().map(|(graph, _)| graph).collect();
            self.found.asked += graphs.len() as u64;
            let allowed = self.judge.allows_each(&mut self.names, &graphs)?;
            for ((graph, expected), allowed) in group.into_iter().zip(allowed) {
                match allowed {
                    true => self.open.push(Open { graph, ask: false, expected }),
                    false if expected => return Err(cannot_go_on()),
                    false => {}
                }
            }
        }
        Ok(())
    }

    /// A graph in which a thread has just read is to be visited, unless the thread has read from an
    /// object that is gone.
    fn add(&mut self, graph: Graph, reader: u32, expected: bool) -> Result<(), Stop> {
        if !reads_what_ended(&graph, reader) {
            self.open.push(Open { graph, ask: true, expected });
            return Ok(());
        }
        self.found.asked += 1;
        if self.judge.allows(&mut self.names, &graph)? {
            let part = graph.part(reader);
            let run = Arc::clone(part.run());
            let (event, kind) = match (&run.state.freed_read, &run.pause) {
                (Some((event, wrong)), _) => (*event, wrong.kind.clone()),
                (None, Pause::Wrong(wrong, _)) => (part.events() - 1, wrong.kind.clone()),
                _ => return Ok(()),
            };
            let place = run.state.recorder.events[event].place;
            let item = part.items.len() as u32 - 1;
            self.goes_wrong(&graph, At { thread: reader, item }, (kind, place))?;
        }
        Ok(())
    }

    /// The thread after it has seen a write: two, if it may fail although it need not.
    fn runs(
        &mut self,
        graph: &Graph,
        thread: u32,
        seen: (CellId, Option<At>),
    ) -> Result<Vec<(bool, Arc<Ahead>)>, Stop> {
        let run = self.sees(graph, thread, seen)?;
        match run.pause {
            Pause::Fails => Ok(vec![(false, self.answer(&run, 0)?), (true, self.answer(&run, 1)?)]),
            _ => Ok(vec![(false, run)]),
        }
    }

    /// A thread writes: the write may stand anywhere in the coherence order, and revisits reads.
    /// Gives whether the graph goes on without a choice.
    fn write(&mut self, graph: &mut Graph, thread: u32) -> Result<bool, Stop> {
        let Next::Event(event, known) = graph.part(thread).next() else { return Ok(true) };
        let (cell, update) = (known.cell.expect("it writes to a cell"), is_update(known));
        let order = graph.order(&self.names, cell);
        let at = graph.add(thread, Kind::Write { cell, update }, (event as u32 + 1, true));
        for read in graph.readers(cell, at) {
            let Some(keep) = graph.revisited(read, at) else { continue };
            for revisited in self.revisit(graph, (read, at), keep)? {
                self.place(revisited, (cell, at), read.thread)?;
            }
        }
        if order.is_empty() {
            graph.place(&self.names, cell, at, 0);
            return Ok(true);
        }
        let mut all = Vec::new();
        for position in 0..=order.len() {
            let mut next = graph.clone();
            next.place(&self.names, cell, at, position);
            let expected = position == order.len() && follows_last(&next, at, cell);
            all.push((next, expected));
        }
        self.add_allowed(all, thread)?;
        Ok(false)
    }

    /// A graph in which a new write has revisited a read is to be visited, with the write anywhere in
    /// the coherence order.
    fn place(&mut self, graph: Graph, (cell, at): (CellId, At), reader: u32) -> Result<(), Stop> {
        let order = graph.order(&self.names, cell).into_iter().filter(|&known| known != at);
        let count = order.count();
        for position in 0..=count {
            let mut next = graph.clone();
            next.place(&self.names, cell, at, position);
            let expected = position == count && follows_last(&next, at, cell);
            self.add(next, reader, expected)?;
        }
        Ok(())
    }

    /// What becomes of a graph if a read sees a write that was added after it.
    fn revisit(
        &mut self,
        graph: &Graph,
        (read, write): (At, At),
        mut keep: Vec<u32>,
    ) -> Result<Vec<Graph>, Stop> {
        let Kind::Read { cell, .. } = graph.item(read).kind else { return Ok(Vec::new()) };
        let stamp = graph.item(read).stamp;
        keep[read.thread as usize] = read.item;
        let left = graph.restricted(&keep);
        let mut all = Vec::new();
        for (fails, run) in self.runs(&left, read.thread, (cell, Some(write)))? {
            let mut next = left.clone();
            let seen = (Some(write), fails);
            see(&mut next, &self.names, (read.thread, cell), seen, run, Some(stamp));
            all.push(next);
        }
        Ok(all)
    }

    /// An object is written as a whole, in all of its cells. That is the last write to each of them,
    /// or else something is wrong.
    fn fill(&mut self, graph: &mut Graph, thread: u32) -> Result<bool, Stop> {
        let Next::Event(event, known) = graph.part(thread).next() else { return Ok(true) };
        let (region, filling) = known.whole.expect("it writes to an object");
        let inside = |graph: &Graph, names: &Names<'_>| -> Vec<CellId> {
            let own = |cell: &&CellId| names.world.cells[cell.index()].region == region;
            graph.co.keys().filter(own).copied().collect()
        };
        let cells = inside(graph, &self.names);
        let at = graph.add(thread, Kind::Fill { region, filling }, (event as u32 + 1, true));
        for &cell in &cells {
            for read in graph.readers(cell, at) {
                let Some(keep) = graph.revisited(read, at) else { continue };
                for mut revisited in self.revisit(graph, (read, at), keep)? {
                    for cell in inside(&revisited, &self.names) {
                        revisited.place(&self.names, cell, at, usize::MAX);
                    }
                    self.add(revisited, read.thread, true)?;
                }
            }
        }
        for &cell in &cells {
            graph.place(&self.names, cell, at, usize::MAX);
        }
        if matches!(filling, Filling::Made { .. }) || cells.is_empty() {
            return Ok(true);
        }
        for &cell in &cells {
            for position in 0..graph.co[&cell].len() - 1 {
                let mut next = graph.clone();
                next.place(&self.names, cell, at, position);
                // If that is allowed, something is written after its end.
                if self.is_allowed(&next, false)? {
                    let what = "an object whose end is not ordered with its uses".to_string();
                    let place = self.place_of(&next, at);
                    return Err(Stop::Refused(Refusal { what, place }));
                }
            }
        }
        self.open.push(Open { graph: graph.clone(), ask: true, expected: true });
        Ok(false)
    }

    /// No thread can go on.
    fn leaf(&mut self, graph: &Graph, asked: bool) -> Result<(), Stop> {
        if !asked && !self.is_allowed(graph, true)? {
            return Ok(());
        }
        let ended = |thread: u32| matches!(graph.part(thread).run().pause, Pause::Ended(_));
        let main = graph.part(0).run();
        let over = graph.threads().any(|(_, part)| part.run().state.over);
        if let Some((_, part)) =
            graph.threads().find(|(thread, part)| *thread != 0 && part.run().state.over)
        {
            let what = "a thread that ends the program while others run".to_string();
            let place = part.run().state.recorder.events.last().and_then(|event| event.place);
            return Err(Stop::Refused(Refusal { what, place }));
        }
        if (ended(0) && main.state.returned || over)
            && let Some((_, part)) =
                graph.threads().find(|(thread, _)| *thread != 0 && !is_awaited(graph, *thread))
        {
            let what = "a thread that may still run when the program ends".to_string();
            let place = part.run().state.recorder.events.last().and_then(|event| event.place);
            return Err(Stop::Refused(Refusal { what, place }));
        }
        for (thread, part) in graph.threads() {
            if let Pause::Wrong(wrong, place) = &part.run().pause {
                let item = part.items.len() as u32;
                let at = At { thread, item: item.saturating_sub(1) };
                self.goes_wrong(graph, at, (wrong.kind.clone(), *place))?;
            }
        }
        self.found.leaf(self.judge, &mut self.names, graph)?;
        if self.found.is_enough() { Err(Stop::Known) } else { Ok(()) }
    }

    /// Something is wrong with what an item, or its thread after it, does.
    fn goes_wrong(
        &mut self,
        graph: &Graph,
        at: At,
        (kind, place): (FindingKind, Option<LocId>),
    ) -> Result<(), Stop> {
        self.found.goes_wrong(self.judge, &mut self.names, graph, at, (kind, place));
        if self.found.is_enough() { Err(Stop::Known) } else { Ok(()) }
    }
}

fn cannot_go_on() -> Stop {
    let what = "a model that forbids a thread to go on although all its reads see what is last and \
                its writes come last";
    Stop::Refused(Refusal { what: what.to_string(), place: None })
}

/// Whether something ends objects, or starts them again.
fn ends_objects(graph: &Graph) -> bool {
    let ends = |kind: &Kind| match kind {
        Kind::Fill { filling, .. } => !matches!(filling, Filling::Made { .. }),
        _ => false,
    };
    graph.items().any(|(_, item)| ends(&item.kind))
}

/// Whether the end of a thread is awaited.
fn is_awaited(graph: &Graph, thread: u32) -> bool {
    graph.items().any(|(_, item)| item.kind == Kind::Join(thread))
}

/// A read is added to a thread, with what the thread does then.
fn see(
    graph: &mut Graph,
    names: &Names<'_>,
    (thread, cell): (u32, CellId),
    (from, fails): (Option<At>, bool),
    run: Arc<Ahead>,
    stamp: Option<u32>,
) {
    let before = graph.part(thread).run().state.recorder.events.len();
    let events = &run.state.recorder.events;
    let own = events.get(before..).unwrap_or_default();
    let own = own.iter().position(|event| event.kind == EventKind::Read);
    let events = match own {
        Some(own) => ((before + own) as u32 + 1, true),
        // An atomic section that the thread has not entered has had no events, fences included.
        None => (before.min(events.len()) as u32, false),
    };
    let kind = Kind::Read { cell, from, fails };
    match stamp {
        Some(stamp) => graph.add_at(thread, kind, events, stamp),
        None => graph.add(thread, kind, events),
    };
    graph.goes_on(thread, run);
    graph.touch(names, cell);
}

/// Whether a thread has just read from an object that is gone.
fn reads_what_ended(graph: &Graph, thread: u32) -> bool {
    let run = graph.part(thread).run();
    run.state.freed_read.is_some()
        || matches!(&run.pause, Pause::Wrong(wrong, _) if wrong.kind.is_use_after_end())
}

/// Whether a thread that reads does nothing after that but wait; fences make no difference.
fn only_waits(part: &Part, run: &Ahead) -> bool {
    let before = part.run().state.recorder.events.len();
    let events = run.state.recorder.events.get(before..).unwrap_or_default();
    matches!(run.pause, Pause::Blocked(Blocked::Waits | Blocked::Discarded | Blocked::Spins))
        && events.iter().filter(|event| accesses(event) || event.whole.is_some()).count() <= 1
        && run.state.spawned.len() == part.run().state.spawned.len()
}

/// Whether a thread has ended, and all of it is in the graph.
fn has_ended(graph: &Graph, thread: usize) -> bool {
    let part = graph.parts.get(thread).and_then(Option::as_ref);
    part.is_some_and(|part| matches!(part.next(), Next::Pause(Pause::Ended(_))))
}

/// Whether a write that comes last is not an update, or is one of the write that was last before.
fn follows_last(graph: &Graph, at: At, cell: CellId) -> bool {
    if !matches!(graph.item(at).kind, Kind::Write { update: true, .. }) {
        return true;
    }
    let order = &graph.co[&cell];
    let before = order.len().checked_sub(2).map(|last| order[last]);
    let items = &graph.part(at.thread).items[..at.item as usize];
    let read = items.iter().rev().find(|item| matches!(item.kind, Kind::Read { .. }));
    matches!(read.map(|item| &item.kind), Some(Kind::Read { from, .. }) if *from == before)
}
