//! Program order, dependencies, and what is known about pairs of events beforehand.

use super::events::{guard_of, relate};
use super::sources::{Source, Sources};
use super::threads::Lives;
use crate::bounded::{Action, ActionId, ActionKind, Taint};
use crate::encode::Scope;
use crate::encode::clauses::Clauses;
use crate::graph::Graph;
use crate::guard::Guard;
use crate::unroll::{Unsupported, in_time};
use execution::event::EventId;
use execution::ids::Id;
use execution::relation::Relation;
use models::Model;
use sat::Lit;
use std::collections::{BTreeMap, BTreeSet};

/// Fills in program order, dependencies and the like.
pub(crate) fn order(
    clauses: &mut Clauses,
    sources: &Sources,
    graph: &mut Graph,
    lives: &Lives,
    model: &Model,
) -> Result<(), Unsupported> {
    ProgramOrder { clauses, sources }.order(graph, lives, model)
}

/// The stage.
struct ProgramOrder<'a> {
    clauses: &'a mut Clauses,
    sources: &'a Sources,
}

impl ProgramOrder<'_> {
    fn order(
        &mut self,
        graph: &mut Graph,
        lives: &Lives,
        model: &Model,
    ) -> Result<(), Unsupported> {
        let size = graph.nodes.len();
        let (before, optional) = self.program_order()?;
        graph.implies = Relation::identity(size);
        graph.excludes = Relation::empty(size);
        let ordered = self.clauses.unrolled.language.orders_instructions();
        let mut po = Vec::new();
        for (first, a) in self.sources.iter() {
            in_time(self.clauses.formula.limits())?;
            let guard_a = guard_of(&self.clauses.bounded, a);
            for (second, b) in self.sources.iter() {
                if first == second {
                    continue;
                }
                let guard_b = guard_of(&self.clauses.bounded, b);
                if self.clauses.unrolled.paths.exclude(guard_a, guard_b) {
                    graph.excludes.insert(first, second);
                    continue;
                }
                let Some(b_action) = action_of(b) else {
                    // Initial writes always take place.
                    graph.implies.insert(first, second);
                    continue;
                };
                let Some(a_action) = action_of(a) else { continue };
                let whole = self.is_whole(a);
                if whole && a_action == b_action {
                    graph.implies.insert(second, first);
                }
                if self.clauses.scope == Scope::Complete
                    && whole
                    && self.clauses.unrolled.paths.implies(guard_b, guard_a)
                {
                    graph.implies.insert(second, first);
                }
                if !before.contains(event(a_action), event(b_action)) {
                    continue;
                }
                if whole && self.clauses.unrolled.paths.implies(guard_b, guard_a) {
                    graph.implies.insert(second, first);
                }
                let (x, y) = (
                    &self.clauses.bounded.actions[a_action],
                    &self.clauses.bounded.actions[b_action],
                );
                let same_instruction = x.thread == y.thread && x.instruction == y.instruction;
                let unordered = x.thread == y.thread && x.is_unordered_with(y);
                if (ordered || !same_instruction) && !unordered {
                    po.push((first, second));
                }
            }
        }
        in_time(self.clauses.formula.limits())?;
        for (first, second) in po {
            relate(graph, "po", first, second, Lit::TRUE);
        }
        self.after_optional_joins(graph, lives, &before, &optional);
        self.groups(graph);
        if model_needs_dependencies(model) {
            self.dependencies(graph)?;
        }
        in_time(self.clauses.formula.limits())
    }

    /// Whether an event takes place whenever its action does. A `free` is of one block of several,
    /// and an allocation may give one of several.
    fn is_whole(&self, source: Source) -> bool {
        match source {
            Source::Action(_) | Source::Part(..) => true,
            Source::Initial(_) | Source::Freed(..) => false,
            Source::Filled(id, _) => match self.clauses.bounded.actions[id].kind {
                ActionKind::Allocate { block, .. } => {
                    self.clauses.bounded.terms.constant(block).is_some()
                }
                _ => false,
            },
        }
    }

    /// Which actions come before which: each thread's in order, all that precedes a spawn before
    /// all of the new thread, and all of a thread before what follows its join. Joins that some
    /// paths do not pass come apart: what they order is ordered only where they take place.
    fn program_order(&self) -> Result<(Relation, Vec<ActionId>), Unsupported> {
        let limits = self.clauses.formula.limits();
        let actions = &self.clauses.bounded.actions;
        let mut before = Relation::empty(actions.len());
        for thread in self.clauses.bounded.threads.iter() {
            for (index, &a) in thread.actions.iter().enumerate() {
                in_time(limits)?;
                for &b in &thread.actions[index + 1..] {
                    before.insert(event(a), event(b));
                }
            }
        }
        let mut crossing = false;
        let mut optional = Vec::new();
        for (id, action) in actions.enumerate() {
            match action.kind {
                ActionKind::Spawn(child) => {
                    for &b in &self.clauses.bounded.threads[child].actions {
                        before.insert(event(id), event(b));
                        crossing = true;
                    }
                }
                ActionKind::Join(_) if !self.is_passed(id) => optional.push(id),
                ActionKind::Join(child) => {
                    for &a in &self.clauses.bounded.threads[child].actions {
                        before.insert(event(a), event(id));
                        crossing = true;
                    }
                }
                _ => {}
            }
        }
        if crossing {
            let closed = before.closure_unless(|| limits.expired());
            before = closed.unwrap_or(before);
            in_time(limits)?;
        }
        Ok((before, optional))
    }

    /// Whether everything that follows a join in its thread follows only where it takes place.
    fn is_passed(&self, join: ActionId) -> bool {
        let Action { thread, guard, .. } = self.clauses.bounded.actions[join];
        let mut later =
            self.clauses.bounded.threads[thread].actions.iter().filter(|&&id| id > join);
        later.all(|&id| {
            self.clauses.unrolled.paths.implies(self.clauses.bounded.actions[id].guard, guard)
        })
    }

    /// Orders what such joins order.
    fn after_optional_joins(
        &mut self,
        graph: &mut Graph,
        lives: &Lives,
        before: &Relation,
        optional: &[ActionId],
    ) {
        let mut more: BTreeMap<(EventId, EventId), Vec<Lit>> = BTreeMap::new();
        for &join in optional {
            let ActionKind::Join(child) = self.clauses.bounded.actions[join].kind else { continue };
            let own = &self.clauses.bounded.threads[child].actions;
            let ids = || self.clauses.bounded.actions.ids();
            let leads = |a: ActionId| own.iter().any(|&o| before.contains(event(a), event(o)));
            let first: BTreeSet<ActionId> =
                ids().filter(|&a| own.contains(&a) || leads(a)).collect();
            let after: BTreeSet<ActionId> =
                ids().filter(|&b| b == join || before.contains(event(join), event(b))).collect();
            for (event_a, a) in self.sources.iter() {
                if !action_of(a).is_some_and(|a| first.contains(&a)) {
                    continue;
                }
                for (event_b, b) in self.sources.iter() {
                    if action_of(b).is_some_and(|b| after.contains(&b)) {
                        let pair = (event_a, event_b);
                        more.entry(pair).or_default().push(lives.exec[join]);
                    }
                }
            }
        }
        for ((a, b), lits) in more {
            let known = graph.relations.get("po").is_some_and(|po| po.contains_key(&(a, b)));
            if !known {
                let lit = self.clauses.formula.or(&lits);
                relate(graph, "po", a, b, lit);
            }
        }
    }

    /// Atomic sections and operations.
    fn groups(&mut self, graph: &mut Graph) {
        let bounded = self.clauses.bounded.clone();
        let action = |source: Source| action_of(source).map(|id| &bounded.actions[id]);
        for (first, a) in self.sources.iter() {
            for (second, b) in self.sources.iter() {
                let (Some(x), Some(y)) = (action(a), action(b)) else { continue };
                let pair = (first, second);
                if x.thread != y.thread || graph.excludes.contains(pair.0, pair.1) {
                    continue;
                }
                if x.section.is_some() && x.section == y.section {
                    let lit = self.same_section(graph, pair);
                    if lit != Lit::FALSE {
                        relate(graph, "same-atomic", pair.0, pair.1, lit);
                    }
                }
                if x.operation.is_some() && x.operation == y.operation {
                    relate(graph, "same-op", pair.0, pair.1, Lit::TRUE);
                }
            }
        }
    }

    /// Whether two events of one section are related: a section that makes one access, or one
    /// read-modify-write, is no more than that.
    fn same_section(&mut self, graph: &Graph, (a, b): (EventId, EventId)) -> Lit {
        let unit = |event: EventId| {
            let id = action_of(self.sources.of(event))?;
            self.clauses.bounded.actions[id].unit(id)
        };
        let section = |event: EventId| {
            let id = action_of(self.sources.of(event))?;
            let action = &self.clauses.bounded.actions[id];
            Some((action.thread, action.section?))
        };
        let (Some(own), Some(other)) = (unit(a), unit(b)) else { return Lit::FALSE };
        if own != other {
            return Lit::TRUE;
        }
        let mut others = Vec::new();
        for event in graph.nodes.ids() {
            if section(event) != section(a) || unit(event).is_none_or(|unit| unit == own) {
                continue;
            }
            if graph.implies.contains(a, event) || graph.implies.contains(b, event) {
                return Lit::TRUE;
            }
            others.push(graph.nodes[event].exec);
        }
        self.clauses.formula.or(&others)
    }

    fn dependencies(&mut self, graph: &mut Graph) -> Result<(), Unsupported> {
        for (to, source) in self.sources.iter() {
            in_time(self.clauses.formula.limits())?;
            let Some(id) = action_of(source) else { continue };
            let action = self.clauses.bounded.actions[id].clone();
            match &action.kind {
                ActionKind::Read { access, .. } => {
                    self.depend(graph, ["addr", "pick-addr"], &access.taint, (to, id));
                }
                ActionKind::Write { access, data, .. } => {
                    self.depend(graph, ["addr", "pick-addr"], &access.taint, (to, id));
                    self.depend(graph, ["data", "pick-data"], data, (to, id));
                }
                ActionKind::Free { taint, .. } => {
                    self.depend(graph, ["addr", "pick-addr"], taint, (to, id));
                }
                _ => {}
            }
            self.depend(graph, ["ctrl", "pick-ctrl"], &action.control, (to, id));
        }
        Ok(())
    }

    fn depend(
        &mut self,
        graph: &mut Graph,
        [plain, pick]: [&str; 2],
        taint: &Taint,
        (to, id): (EventId, ActionId),
    ) {
        let Action { thread, instruction, guard, .. } = self.clauses.bounded.actions[id];
        for (&read, flow) in taint.iter() {
            let parts = self.sources.of_access(&self.clauses.bounded, read);
            let Some(&from) = parts.first() else { continue };
            let from_action = &self.clauses.bounded.actions[read];
            let same = from_action.instruction == instruction && from_action.thread == thread;
            if same || graph.excludes.contains(from, to) {
                continue;
            }
            for (name, flow) in [(plain, flow.plain), (pick, flow.pick)] {
                // On the paths of the event itself.
                let always = self.clauses.unrolled.paths.implies(guard, flow);
                let lit = if always { Lit::TRUE } else { self.clauses.guard(flow) };
                for &from in parts.iter().filter(|_| flow != Guard::FALSE) {
                    relate(graph, name, from, to, lit);
                }
            }
        }
    }
}

fn action_of(source: Source) -> Option<ActionId> {
    source.action()
}

/// Actions as the elements of a relation.
fn event(action: ActionId) -> EventId {
    EventId::new(action.index())
}

/// Whether an event comes before another in program order, wherever both take place.
pub(crate) fn is_before(graph: &Graph, a: EventId, b: EventId) -> bool {
    let po = graph.relations.get("po");
    po.is_some_and(|po| po.get(&(a, b)).is_some_and(|&lit| lit == Lit::TRUE))
}

fn model_needs_dependencies(model: &Model) -> bool {
    let mentioned = model.mentions();
    ["addr", "data", "ctrl", "pick-addr", "pick-data", "pick-ctrl"]
        .iter()
        .any(|&word| mentioned.contains(word))
}
