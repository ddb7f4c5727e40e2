//! Chooses reads-from and coherence for one skeleton, in every way that may be allowed.
//!
//! First, for each cell on its own: an order of its writes, and a write for each of its reads.
//! Choices for one cell that already fail a monotone axiom can be part of no execution, so they
//! are dropped here, once. Then the choices of the cells are combined, one cell after the other,
//! again dropping what already fails; what is complete is put to the model as a whole. Values
//! are known only then: a model whose axioms do not compare values is asked before the threads'
//! executions are looked for, which all executions with the same `rf` and `co` then share.

use crate::components::{Answers, Nodes};
use crate::domain::{Domains, Edge};
use crate::{EnumerationOptions, Problem};
use execution::event::{EventId, Execution};
use execution::ids::Id;
use execution::relation::Relation;
use ir::program::Width;
use ir::value::Value;
use models::{Evaluator, Flag, Model};
use replay::events::shape::Shape;
use replay::events::skeleton::{CellEvents, Links, Skeleton, label};
use replay::memory::world::{CellId, SYMBOLIC, ValueId, World};
use std::sync::Arc;

/// One execution that the model allows.
pub struct Found<'f, 'p> {
    /// Cells and values.
    pub(crate) world: &'f World<'p>,
    /// Everything but values, `rf` and `co`.
    pub(crate) skeleton: &'f Skeleton<'f>,
    /// Which execution of its shape each thread has.
    pub(crate) executions: &'f [usize],
    /// Reads-from.
    pub(crate) rf: &'f Relation,
    /// Coherence.
    pub(crate) co: &'f Relation,
    /// The last write of each cell of the skeleton.
    last: &'f [EventId],
    evaluator: &'f mut Evaluator,
}

impl Found<'_, '_> {
    /// What a thread observed under a label.
    pub(crate) fn observed(&self, thread: usize, label: &str) -> Option<ValueId> {
        let list = &self.skeleton.shapes[thread].observations[self.executions[thread]];
        list.iter().find(|(name, _)| name == label).map(|(_, value)| *value)
    }

    /// What a cell holds in the end; `None` if it is not accessed.
    pub(crate) fn final_value(&self, cell: CellId) -> Option<ValueId> {
        let index = self.skeleton.cells.iter().position(|events| events.cell == cell)?;
        self.value(self.last[index])
    }

    /// What an event reads or writes.
    pub(crate) fn value(&self, event: EventId) -> Option<ValueId> {
        match self.skeleton.position(event) {
            Some((thread, position)) => {
                self.skeleton.shapes[thread].values[position][self.executions[thread]]
            }
            None => {
                let cell = self.skeleton.cells.get(event.index())?.cell;
                Some(self.world.cells[cell.index()].initial)
            }
        }
    }

    /// Whether some thread ended early because what it accessed was no address.
    pub(crate) fn is_stray(&self) -> bool {
        self.skeleton.shapes.iter().any(|shape| shape.stray)
    }

    /// The flags that the model raises.
    pub fn flags(&mut self) -> Vec<Flag> {
        if self.evaluator.has_flags() { self.evaluator.flags() } else { Vec::new() }
    }

    /// The whole execution, with values, `rf` and `co`.
    pub fn execution(&self) -> Execution {
        let mut execution = self.skeleton.execution.clone();
        for id in execution.events.ids() {
            let value = self.value(id).map(|value| self.world.describe(value));
            let tags = self.tags(id);
            let event = &mut execution.events[id];
            event.label = label(event, tags, value.as_deref());
            event.value = value.map(Arc::from);
        }
        execution.relations.insert("rf".into(), self.rf.clone());
        execution.relations.insert("co".into(), self.co.clone());
        execution
    }

    fn tags(&self, event: EventId) -> Vec<&str> {
        let Some((thread, position)) = self.skeleton.position(event) else { return Vec::new() };
        let sets = &self.skeleton.shapes[thread].events[position].sets;
        // Plain x86 accesses are what everybody expects.
        sets.iter().map(|set| &**self.world.set_name(*set)).filter(|name| *name != "P").collect()
    }
}

/// A choice for one cell.
struct Choice {
    edges: Vec<Edge>,
    order: Vec<EventId>,
}

struct Search<'s, 'w, 'p> {
    world: &'w World<'p>,
    options: &'s EnumerationOptions,
    model: &'s Model,
    skeleton: &'s Skeleton<'s>,
    evaluator: Evaluator,
    symbolic: Option<ValueId>,
    /// The first domains: before anything is chosen.
    domains: Domains,
    /// The model must see each execution as a whole.
    needs_execution: bool,
    /// Values decide what the model says of executions of this skeleton.
    uses_values: bool,
    axioms_use_values: bool,
    /// Where there are many choices and cycles decide.
    cycles: Option<Cycles>,
}

/// What the model has said so far, by what decides it.
struct Cycles {
    nodes: Nodes,
    /// Whether a part of a choice fails already.
    fails: Answers,
    /// Whether a choice is allowed.
    allowed: Answers,
}

/// Tries all choices for one combination of shapes.
pub fn search(
    world: &World<'_>,
    options: &EnumerationOptions,
    model: &Model,
    (shapes, links): (&[&Shape], &Links),
    found: &mut dyn FnMut(&mut Found<'_, '_>),
) -> Result<(), Problem> {
    let structured = options.language.orders_instructions();
    let domains = Domains::full(shapes);
    let skeleton = Skeleton::new(world, shapes.to_vec(), structured, links);
    if !readable(world, &skeleton, &domains) {
        return Ok(());
    }
    let mut evaluator = options.prepare(model, &skeleton.execution)?;
    let symbolic = world.find(Value::int(Width::I64, SYMBOLIC));
    let axioms_use_values = model.axioms_use_values();
    let mut search = Search {
        world,
        options,
        model,
        skeleton: &skeleton,
        symbolic,
        domains,
        needs_execution: model.compiled().is_none(),
        uses_values: model.uses_values() && (axioms_use_values || evaluator.has_flags()),
        evaluator,
        axioms_use_values,
        cycles: None,
    };
    search.run(found)?;
    // What an evaluator says after it gave up leaves executions out.
    if search.evaluator.gave_up() { options.in_time() } else { Ok(()) }
}

/// Whether every read has some write that it may read from.
fn readable(world: &World<'_>, skeleton: &Skeleton<'_>, domains: &Domains) -> bool {
    skeleton.cells.iter().all(|cell| {
        cell.reads.iter().all(|&read| {
            std::iter::once(&cell.initial)
                .chain(&cell.writes)
                .any(|&write| may_read(world, skeleton, domains, write, read))
        })
    })
}

/// Whether some execution of the writer's thread writes what some execution of the reader's
/// thread reads.
fn may_read(
    world: &World<'_>,
    skeleton: &Skeleton<'_>,
    domains: &Domains,
    write: EventId,
    read: EventId,
) -> bool {
    let Some((reader, at)) = skeleton.position(read) else { return false };
    let reads = &skeleton.shapes[reader].values[at];
    match skeleton.position(write) {
        None => {
            let cell = skeleton.cells[write.index()].cell;
            let initial = Some(world.cells[cell.index()].initial);
            domains.of(reader).any(|execution| reads[execution] == initial)
        }
        Some((writer, from)) => {
            let writes = &skeleton.shapes[writer].values[from];
            if writer == reader {
                let rmw = skeleton.execution.relations.get("rmw");
                if rmw.is_some_and(|rmw| rmw.contains(read, write)) {
                    return false;
                }
                return domains.of(reader).any(|execution| reads[execution] == writes[execution]);
            }
            domains.of(writer).any(|a| domains.of(reader).any(|b| writes[a] == reads[b]))
        }
    }
}

impl Search<'_, '_, '_> {
    /// Whether what has been chosen so far is forbidden however the rest is chosen.
    fn fails_already(&mut self) -> bool {
        self.options.prune && self.evaluator.forbidden_already()
    }

    fn size(&self) -> usize {
        self.skeleton.execution.events.len()
    }

    fn run(&mut self, found: &mut dyn FnMut(&mut Found<'_, '_>)) -> Result<(), Problem> {
        let mut choices: Vec<(usize, Vec<Choice>)> = Vec::new();
        for index in 0..self.skeleton.cells.len() {
            let list = self.choices(&self.skeleton.cells[index])?;
            if list.is_empty() {
                return Ok(());
            }
            choices.push((index, list));
        }
        choices.sort_by_key(|(_, list)| list.len());
        let combinations =
            choices.iter().map(|(_, list)| list.len()).fold(1, usize::saturating_mul);
        if combinations >= self.options.many_choices {
            self.look_for_cycles();
        }
        let mut last = vec![EventId::new(0); choices.len()];
        let empty = Relation::empty(self.size());
        let domains = self.domains.clone();
        let partial = Partial { rf: empty.clone(), co: empty, edges: Vec::new(), domains };
        self.combine(&choices, &mut last, partial, found)
    }

    fn look_for_cycles(&mut self) {
        if !self.options.prune || self.axioms_use_values || self.needs_execution {
            return;
        }
        let Some(nodes) = Nodes::new(&self.skeleton.execution) else { return };
        if self.evaluator.decides_in_components(|event| nodes.of(event)) {
            self.cycles =
                Some(Cycles { nodes, fails: Answers::default(), allowed: Answers::default() });
        }
    }

    /// Whether what has been chosen so far fails, as [`Self::fails_already`].
    fn partial_fails(&mut self, partial: &Partial) -> bool {
        let Some(cycles) = &mut self.cycles else {
            partial.tell(&mut self.evaluator);
            return self.fails_already();
        };
        let evaluator = &mut self.evaluator;
        cycles.fails.get(cycles.nodes.key(&partial.edges, &partial.co), || {
            partial.tell(evaluator);
            evaluator.forbidden_already()
        })
    }

    /// Whether the model allows what has been chosen; the evaluator is updated.
    fn is_allowed(&mut self, partial: &Partial) -> bool {
        partial.tell(&mut self.evaluator);
        let Some(cycles) = &mut self.cycles else { return self.evaluator.allowed() };
        let evaluator = &mut self.evaluator;
        let key = cycles.nodes.key(&partial.edges, &partial.co);
        cycles.allowed.get(key, || evaluator.allowed())
    }

    /// All choices for one cell that do not fail on their own.
    fn choices(&mut self, cell: &CellEvents) -> Result<Vec<Choice>, Problem> {
        let candidates: Vec<Vec<EventId>> = cell
            .reads
            .iter()
            .map(|&read| {
                std::iter::once(cell.initial)
                    .chain(cell.writes.iter().copied())
                    .filter(|&w| may_read(self.world, self.skeleton, &self.domains, w, read))
                    .collect()
            })
            .collect();
        let mut list = Vec::new();
        let mut remaining = cell.writes.clone();
        let mut order = vec![cell.initial];
        self.order(cell, &candidates, &mut order, &mut remaining, &mut list)?;
        Ok(list)
    }

    /// Extends an order of writes by each of the remaining ones.
    fn order(
        &mut self,
        cell: &CellEvents,
        candidates: &[Vec<EventId>],
        order: &mut Vec<EventId>,
        remaining: &mut Vec<EventId>,
        list: &mut Vec<Choice>,
    ) -> Result<(), Problem> {
        self.options.step(self.size())?;
        let mut co = Relation::empty(self.size());
        add_order(&mut co, order);
        for &before in order.iter() {
            for &after in remaining.iter() {
                co.insert(before, after);
            }
        }
        self.evaluator.set_co(&co);
        let forced = remaining.len() <= 1;
        if cell.writes.len() > 1 && (order.len() > 1 && !forced || remaining.is_empty()) {
            self.evaluator.set_rf(&Relation::empty(self.size()));
            if self.fails_already() {
                return Ok(());
            }
        }
        if remaining.is_empty() {
            let mut edges = Vec::new();
            let rf = Relation::empty(self.size());
            return self.reads(cell, candidates, order, &mut edges, rf, list);
        }
        for index in 0..remaining.len() {
            let next = remaining.remove(index);
            order.push(next);
            self.order(cell, candidates, order, remaining, list)?;
            order.pop();
            remaining.insert(index, next);
        }
        Ok(())
    }

    /// Chooses a write for each read, one after the other; coherence is already chosen.
    fn reads(
        &mut self,
        cell: &CellEvents,
        candidates: &[Vec<EventId>],
        order: &[EventId],
        edges: &mut Vec<Edge>,
        rf: Relation,
        list: &mut Vec<Choice>,
    ) -> Result<(), Problem> {
        let next = edges.len();
        let Some(&read) = cell.reads.get(next) else {
            list.push(Choice { edges: edges.clone(), order: order.to_vec() });
            if list.len() > self.options.max_traces {
                return Err(Problem::TooLarge("a location has too many choices".to_string()));
            }
            return Ok(());
        };
        self.options.step(self.size())?;
        for &write in &candidates[next] {
            let mut rf = rf.clone();
            rf.insert(write, read);
            self.evaluator.set_rf(&rf);
            if self.fails_already() {
                continue;
            }
            edges.push((write, read));
            self.reads(cell, candidates, order, edges, rf, list)?;
            edges.pop();
        }
        Ok(())
    }

    /// Combines the choices of the cells.
    fn combine(
        &mut self,
        choices: &[(usize, Vec<Choice>)],
        last: &mut [EventId],
        partial: Partial,
        found: &mut dyn FnMut(&mut Found<'_, '_>),
    ) -> Result<(), Problem> {
        let Some(((cell, list), rest)) = choices.split_first() else {
            return self.complete(last, &partial, found);
        };
        self.options.step(self.size())?;
        for choice in list {
            let mut next = partial.clone();
            for &(write, read) in &choice.edges {
                next.rf.insert(write, read);
            }
            add_order(&mut next.co, &choice.order);
            next.edges.extend_from_slice(&choice.edges);
            if !next.domains.propagate(self.world, self.skeleton, &next.edges) {
                continue;
            }
            last[*cell] = choice.order.last().copied().unwrap_or(EventId::new(*cell));
            if list.len() > 1 && !rest.is_empty() && self.partial_fails(&next) {
                continue;
            }
            self.combine(rest, last, next, found)?;
        }
        Ok(())
    }

    fn complete(
        &mut self,
        last: &[EventId],
        partial: &Partial,
        found: &mut dyn FnMut(&mut Found<'_, '_>),
    ) -> Result<(), Problem> {
        if self.axioms_use_values {
            partial.tell(&mut self.evaluator);
        } else if !self.is_allowed(partial) {
            return Ok(());
        }
        self.finish(last, partial, partial.domains.clone(), found)
    }

    /// Finds the executions of the threads that fit the chosen reads-from.
    fn finish(
        &mut self,
        last: &[EventId],
        partial: &Partial,
        mut domains: Domains,
        found: &mut dyn FnMut(&mut Found<'_, '_>),
    ) -> Result<(), Problem> {
        let (world, skeleton) = (self.world, self.skeleton);
        if !domains.propagate(world, skeleton, &partial.edges) {
            return Ok(());
        }
        let threads = skeleton.shapes.len();
        let Some(open) = (0..threads).find(|&thread| !domains.is_single(thread)) else {
            let executions: Vec<usize> =
                (0..threads).filter_map(|thread| domains.of(thread).next()).collect();
            return self.emit(last, partial, &executions, found);
        };
        // A thread whose reads are all known differs only in its own choices: try each.
        let known = |thread: usize| {
            partial.edges.iter().all(|&(write, read)| {
                skeleton.position(read).is_none_or(|(reader, _)| reader != thread)
                    || domains.determined(world, skeleton, write).is_some()
            })
        };
        let free = (0..threads).find(|&thread| !domains.is_single(thread) && known(thread));
        if let Some(thread) = free {
            for execution in domains.of(thread).collect::<Vec<_>>() {
                let mut fixed = domains.clone();
                fixed.fix(thread, execution);
                self.finish(last, partial, fixed, found)?;
            }
            return Ok(());
        }
        debug_assert!(!known(open));
        // In C programs, values that depend on themselves are any that are known to be possible.
        if world.has_objects() {
            for execution in domains.of(open).collect::<Vec<_>>() {
                let mut fixed = domains.clone();
                fixed.fix(open, execution);
                self.finish(last, partial, fixed, found)?;
            }
            return Ok(());
        }
        if world.overlap().is_some() {
            let what = "values that nothing but themselves decides, in accesses of several sizes";
            return Err(Problem::Unsupported(what.to_string()));
        }
        let Some(symbolic) = self.symbolic else { return Ok(()) };
        if domains.make_symbolic(world, skeleton, &partial.edges, symbolic) {
            return self.finish(last, partial, domains, found);
        }
        Ok(())
    }

    fn emit(
        &mut self,
        last: &[EventId],
        partial: &Partial,
        executions: &[usize],
        found: &mut dyn FnMut(&mut Found<'_, '_>),
    ) -> Result<(), Problem> {
        let mut this = Found {
            world: self.world,
            skeleton: self.skeleton,
            executions,
            rf: &partial.rf,
            co: &partial.co,
            last,
            evaluator: &mut self.evaluator,
        };
        if self.needs_execution {
            let mut full = self.options.prepare(self.model, &this.execution())?;
            full.set_rf(&partial.rf);
            full.set_co(&partial.co);
            if full.allowed() {
                this.evaluator = &mut full;
                found(&mut this);
            }
            return if full.gave_up() { self.options.in_time() } else { Ok(()) };
        }
        if self.uses_values {
            let events = self.skeleton.execution.events.ids();
            let values: Vec<Option<ValueId>> = events.map(|event| this.value(event)).collect();
            this.evaluator.set_values(&values);
            if self.axioms_use_values && !this.evaluator.allowed() {
                return Ok(());
            }
        }
        found(&mut this);
        Ok(())
    }
}

/// What has been chosen so far.
#[derive(Clone)]
struct Partial {
    rf: Relation,
    co: Relation,
    edges: Vec<Edge>,
    domains: Domains,
}

impl Partial {
    fn tell(&self, evaluator: &mut Evaluator) {
        evaluator.set_rf(&self.rf);
        evaluator.set_co(&self.co);
    }
}

fn add_order(co: &mut Relation, order: &[EventId]) {
    for (index, &before) in order.iter().enumerate() {
        for &after in &order[index + 1..] {
            co.insert(before, after);
        }
    }
}
