//! Asks the model about a graph: it becomes an execution, as everywhere else, and the model's
//! evaluator says whether it is allowed.

use super::ahead::Names;
use super::graph::{At, Graph, Kind};
use execution::event::{EventId, EventKind};
use execution::ids::Id;
use execution::relation::Relation;
use ir::value::Value;
use limits::Limits;
use models::{Evaluator, Model, Unevaluated};
use replay::events::shape::Shape;
use replay::events::skeleton::{Link, Links, Skeleton};
use replay::events::trace::Event;
use replay::language::Language;
use replay::memory::expand::expand;
use replay::memory::world::{CellId, ValueId};

/// What a model is asked about graphs.
pub struct Judge<'m> {
    /// The model.
    pub model: &'m Model,
    /// The kind of language.
    pub language: Language,
    /// When to give up.
    pub limits: &'m Limits,
}

/// A graph as an execution.
pub struct Seen<'s, 'g> {
    /// Everything but reads-from and coherence.
    pub skeleton: Skeleton<'s>,
    /// The writes of each cell of the skeleton in coherence order, the initial one first.
    pub orders: Vec<Vec<EventId>>,
    /// The thread of each position.
    pub threads: Vec<u32>,
    graph: &'g Graph,
    rf: Relation,
    co: Relation,
}

/// Why there is no answer: a limit was reached, or the model cannot be asked so.
pub enum NoAnswer {
    /// A limit was reached.
    GaveUp,
    /// The model cannot be evaluated.
    Model(String),
}

impl Judge<'_> {
    /// Calls `then` with the execution that a graph is.
    pub fn seen<V>(
        &self,
        names: &mut Names<'_>,
        graph: &Graph,
        then: impl FnOnce(&mut Names<'_>, &Seen<'_, '_>) -> V,
    ) -> V {
        self.seen_with(names, graph, |names, seen| then(names, seen))
    }

    fn seen_with<'g, V>(
        &self,
        names: &mut Names<'_>,
        graph: &'g Graph,
        then: impl FnOnce(&mut Names<'_>, &mut Seen<'_, 'g>) -> V,
    ) -> V {
        let threads: Vec<u32> = graph.threads().map(|(thread, _)| thread).collect();
        let mut shapes: Vec<Shape> = threads.iter().map(|&thread| shape(graph, thread)).collect();
        if shapes.iter().flat_map(|shape| &shape.events).any(|event| event.whole.is_some()) {
            let whole: Vec<&Shape> = shapes.iter().collect();
            shapes = expand(&mut names.world, &whole, std::iter::empty());
        }
        let links = links(graph, &threads);
        let structured = self.language.orders_instructions();
        let skeleton = Skeleton::new(&names.world, shapes.iter().collect(), structured, &links);
        let size = skeleton.execution.events.len();
        let (rf, co) = (Relation::empty(size), Relation::empty(size));
        let mut seen = Seen { skeleton, orders: Vec::new(), threads, graph, rf, co };
        seen.fill();
        then(names, &mut seen)
    }

    /// Whether the model allows a graph.
    pub fn allows(&self, names: &mut Names<'_>, graph: &Graph) -> Result<bool, NoAnswer> {
        Ok(self.allows_each(names, &[graph])? == [true])
    }

    /// Which of some graphs the model allows. They differ in reads-from, coherence and values alone.
    pub fn allows_each(
        &self,
        names: &mut Names<'_>,
        graphs: &[&Graph],
    ) -> Result<Vec<bool>, NoAnswer> {
        let Some((first, others)) = graphs.split_first() else { return Ok(Vec::new()) };
        self.seen_with(names, first, |names, seen| {
            let mut evaluator = self.evaluator(names, seen)?;
            let mut allowed = vec![evaluator.allowed()];
            for graph in others {
                seen.choose(graph);
                evaluator.set_rf(&seen.rf);
                evaluator.set_co(&seen.co);
                allowed.push(evaluator.allowed());
            }
            if evaluator.gave_up() { Err(NoAnswer::GaveUp) } else { Ok(allowed) }
        })
    }

    /// The flags that an allowed graph raises.
    pub fn flags(&self, names: &mut Names<'_>, graph: &Graph) -> Result<Vec<String>, NoAnswer> {
        self.seen(names, graph, |names, seen| {
            let mut evaluator = self.evaluator(names, seen)?;
            if !evaluator.has_flags() {
                return Ok(Vec::new());
            }
            let flags = evaluator.flags().into_iter().map(|flag| flag.name.to_string());
            let flags = flags.collect();
            if evaluator.gave_up() { Err(NoAnswer::GaveUp) } else { Ok(flags) }
        })
    }

    fn evaluator(&self, names: &Names<'_>, seen: &Seen<'_, '_>) -> Result<Evaluator, NoAnswer> {
        let skeleton = &seen.skeleton.execution;
        let evaluator = self.model.prepare_within(skeleton, self.limits);
        let mut evaluator = evaluator.map_err(|problem| match problem {
            Unevaluated::GaveUp => NoAnswer::GaveUp,
            Unevaluated::Model(diagnostic) => NoAnswer::Model(diagnostic.message.clone()),
        })?;
        evaluator.set_rf(&seen.rf);
        evaluator.set_co(&seen.co);
        if self.model.uses_values() {
            evaluator.set_values(&seen.values(names));
        }
        Ok(evaluator)
    }
}

impl<'g> Seen<'_, 'g> {
    /// Takes reads-from and coherence from another graph with the same events.
    fn choose(&mut self, graph: &'g Graph) {
        let size = self.skeleton.execution.events.len();
        (self.rf, self.co) = (Relation::empty(size), Relation::empty(size));
        self.orders.clear();
        self.graph = graph;
        self.fill();
    }

    fn fill(&mut self) {
        for index in 0..self.skeleton.cells.len() {
            let (cell, initial) =
                (self.skeleton.cells[index].cell, self.skeleton.cells[index].initial);
            let mut order = vec![initial];
            let graph = self.graph;
            let writes = graph.co.get(&cell).map_or(&[][..], Vec::as_slice);
            order.extend(writes.iter().map(|&write| self.event(cell, write)));
            for (position, &before) in order.iter().enumerate() {
                order[position + 1..].iter().for_each(|&after| self.co.insert(before, after));
            }
            self.orders.push(order);
        }
        let graph = self.graph;
        for (at, item) in graph.items() {
            let Kind::Read { cell, from, .. } = item.kind else { continue };
            let Some(event) = item.event() else { continue };
            let read = self.skeleton.event(self.position(at.thread), event);
            let write = match from {
                Some(from) => self.event(cell, from),
                None => {
                    let cells = &self.skeleton.cells;
                    let index = cells.binary_search_by_key(&cell, |events| events.cell);
                    cells[index.expect("the cell is read")].initial
                }
            };
            self.rf.insert(write, read);
        }
    }

    fn position(&self, thread: u32) -> usize {
        self.threads.binary_search(&thread).expect("a thread of the graph")
    }

    /// The event of a write to a cell.
    pub fn event(&self, cell: CellId, at: At) -> EventId {
        let position = self.position(at.thread);
        let own = self.graph.item(at).event().expect("a write is an event");
        let events = &self.skeleton.shapes[position].events;
        // Writes to the further cells of an object stand at the end.
        let is_it = |event: &Event| {
            event.cell == Some(cell)
                && event.whole == events[own].whole
                && event.instruction == events[own].instruction
        };
        let at = match events[own].cell == Some(cell) {
            true => own,
            false => events.iter().position(is_it).expect("it writes to the cell"),
        };
        self.skeleton.event(position, at)
    }

    /// The item of an event.
    pub fn at(&self, event: EventId) -> Option<At> {
        let (position, at) = self.skeleton.position(event)?;
        let events = &self.skeleton.shapes[position].events;
        let same = |other: &Event| {
            other.instruction == events[at].instruction && other.whole == events[at].whole
        };
        let first = match events[at].whole {
            Some(_) => events.iter().position(same)?,
            None => at,
        };
        let thread = self.threads[position];
        let items = &self.graph.part(thread).items;
        let item = items.iter().position(|item| item.event() == Some(first))?;
        Some(At { thread, item: item as u32 })
    }

    fn values(&self, names: &Names<'_>) -> Vec<Option<ValueId>> {
        let value = |event| match self.skeleton.position(event) {
            Some((thread, position)) => self.skeleton.shapes[thread].values[position][0],
            None => {
                let cell = self.skeleton.cells[event.index()].cell;
                Some(names.world.cells[cell.index()].initial)
            }
        };
        self.skeleton.execution.events.ids().map(value).collect()
    }

    /// What a cell holds in the end, if it is accessed.
    pub fn last(&self, names: &Names<'_>, cell: CellId) -> Option<Value> {
        let index = self.skeleton.cells.binary_search_by_key(&cell, |known| known.cell).ok()?;
        let last = *self.orders[index].last()?;
        let value = match self.skeleton.position(last) {
            Some((thread, position)) => self.skeleton.shapes[thread].values[position][0]?,
            None => names.world.cells[cell.index()].initial,
        };
        Some(names.world.value_of(value))
    }
}

/// The events of a thread, as far as they are in the graph.
fn shape(graph: &Graph, thread: u32) -> Shape {
    let part = graph.part(thread);
    let (recorder, count) = (&part.run().state.recorder, part.events());
    let values = recorder.values[..count].iter().map(|&value| vec![value]).collect();
    Shape {
        events: recorder.events[..count].to_vec(),
        values,
        observations: vec![Vec::new()],
        stray: false,
    }
}

fn links(graph: &Graph, threads: &[u32]) -> Links {
    let position = |thread: u32| threads.binary_search(&thread).expect("it was started");
    let numbers = threads.iter().map(|&thread| execution::event::ThreadId::new(thread as usize));
    let mut links = Links { threads: numbers.collect(), ..Links::default() };
    for &thread in threads {
        let part = graph.part(thread);
        let state = &part.run().state;
        let parent = position(thread);
        let (mut spawns, mut joins) = (state.spawned.iter(), state.joined.iter());
        for item in &part.items {
            match item.kind {
                Kind::Spawn(child) => {
                    let after = spawns.next().map_or(0, |spawned| spawned.after);
                    links.spawns.push(Link { parent, after, child: position(child) });
                }
                Kind::Join(child) => {
                    let after = joins.next().map_or(0, |joined| joined.after);
                    links.joins.push(Link { parent, after, child: position(child) });
                }
                _ => {}
            }
        }
    }
    links
}

/// Whether two graphs have the same events, but for values, if only a thread's last one may differ.
pub fn have_same_events(a: &Graph, b: &Graph, thread: u32) -> bool {
    let [a, b] = [a, b].map(|graph| {
        let part = graph.part(thread);
        (part.events(), part.run())
    });
    let last = a.0.checked_sub(1);
    let event =
        |run: &super::ahead::Ahead| last.map(|last| run.state.recorder.events[last].clone());
    a.0 == b.0 && event(a.1) == event(b.1)
}

/// Whether an event reads or writes a cell.
pub fn accesses(event: &Event) -> bool {
    matches!(event.kind, EventKind::Read | EventKind::Write)
}
