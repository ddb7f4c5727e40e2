//! A rechecked counterexample as the reporter wants it: the threads, their steps in order, and
//! which of them were reordered.

use super::Threads;
use super::advice::{Dialect, Where, advice};
use super::blame::{Presentation, present, together};
use super::relevance::{impossible, operation, relevant};
use super::wrappers::Wrappers;
use crate::counterexample::reorder::{Access, Order, reordered};
use crate::counterexample::{
    self as shown_as, Column, Counterexample, Fence, Reordered, Shown, Source, Step,
};
use crate::finding::{self, user_place};
use execution::event::{Event, EventId, EventKind, Execution};
use execution::finding::{Finding, FindingKind, StackEntry, Verb};
use execution::ids::Id;
use execution::observation::{Observation, ObservationSet, Seen};
use execution::operation::{Instance, Instances, SerialViolation};
use execution::printable::one_line;
use execution::relation::EventSet;
use execution::relation::Relation;
use execution::verdict::Violation;
use models::Model;
use replay::Replayed;
use replay::order::{communication, program_order};
use std::collections::HashMap;

/// How many serial observations are compared with what was seen.
const NEAREST: usize = 32;

/// What a counterexample is about.
pub struct Title {
    /// The file.
    pub file: String,
    /// The test.
    pub test: String,
    /// The model.
    pub model: String,
    /// What the source uses for ordering.
    pub dialect: Dialect,
}

/// The story of a replayed execution.
pub fn story(
    title: Title,
    threads: Threads<'_>,
    set: &ObservationSet,
    model: &Model,
    violation: &Violation,
    replayed: &Replayed,
) -> Counterexample {
    let presentation = present(model, replayed, &commit_order(threads, violation, replayed));
    // The threads of a whole program have no operations.
    let whole = threads.instances.is_empty();
    let all = shown_events(replayed, &presentation.order, whole);
    let seen = communication(&replayed.execution);
    let mut pairs = match presentation.is_interleaving {
        true => Vec::new(),
        false => reordered_pairs(replayed, &all, &presentation, &seen),
    };
    for (first, second, fence) in pairs.iter_mut().filter(|pair| pair.2 == Fence::NotAlone) {
        let other = together(model, &replayed.execution, *first, *second);
        if let Some(index) = other.and_then(|id| all.iter().position(|&event| event == id)) {
            *fence = Fence::Together(index);
        }
    }
    let other = |fence: Fence| match fence {
        Fence::Together(index) => Some(all[index]),
        _ => None,
    };
    let marked: Vec<EventId> =
        pairs.iter().flat_map(|&(a, b, fence)| [a, b].into_iter().chain(other(fence))).collect();
    let relevant = relevant(threads, set, violation, replayed, &marked).filter(|_| !whole);
    let matters = |id: EventId| match (&relevant, operation(replayed, id)) {
        (Some(relevant), Some(operation)) => relevant.contains(&operation),
        _ => true,
    };
    // Where everything is shown in order, fences say nothing.
    let is_fence = |id: EventId| replayed.execution.events[id].kind == EventKind::Fence;
    let is_shown = |id: EventId| matters(id) && !(presentation.is_interleaving && is_fence(id));
    let shown: Vec<EventId> = all.iter().copied().filter(|&id| is_shown(id)).collect();
    let left_out = left_out(threads, replayed, &all, &shown);
    let position: HashMap<EventId, usize> =
        shown.iter().enumerate().map(|(index, &id)| (id, index)).collect();
    // Alone, it would repeat what the message says.
    let failing = failing(violation, replayed).filter(|_| !shown.is_empty());
    let columns: Vec<usize> = (0..threads.columns)
        .filter(|&column| {
            failing.is_some_and(|finding| finding.thread.id.index() == column)
                || shown.iter().any(|&id| thread(replayed, id) == Some(column))
        })
        .collect();
    let wrappers = Wrappers::of(replayed);
    let teller = Teller { threads, replayed, position: &position, columns: &columns, wrappers };
    let mut steps: Vec<Step> = shown.iter().map(|&id| teller.step(id)).collect();
    steps.extend(failing.map(|finding| teller.failing(finding)));
    if !presentation.is_checked {
        steps.iter_mut().for_each(|step| step.unseen = None);
    }
    if !matches!(violation, Violation::CommitPoints { .. }) {
        steps.iter_mut().for_each(|step| step.commits = false);
    }
    let reordered = pairs
        .iter()
        .map(|&(a, b, fence)| {
            let fence = other(fence).map_or(fence, |id| Fence::Together(position[&id]));
            Reordered { first: position[&a], second: position[&b], fence }
        })
        .collect();
    let problem = match violation {
        Violation::Observation { seen, .. } => shown_as::Problem::Observation {
            seen: observation(threads, seen),
            nearest: set.nearest(seen, NEAREST).iter().map(|o| observation(threads, o)).collect(),
            impossible: impossible(set, seen),
        },
        Violation::CommitPoints { seen, order, serial } => {
            let in_order = |observation: &Observation| -> Vec<Shown> {
                let order = order.iter().flatten();
                let all = self::observation(threads, observation);
                order.filter_map(|&id| all.get(id).cloned()).collect()
            };
            shown_as::Problem::CommitPoints {
                seen: observation(threads, seen),
                order: order.is_some().then(|| in_order(seen)),
                serial: serial.as_ref().map(in_order),
            }
        }
        Violation::Flag(name) => flag(name, replayed, &position),
        Violation::Reached(what) => shown_as::Problem::Reached(what.clone()),
        Violation::Serial => shown_as::Problem::Reached(String::new()),
        Violation::Finding { kind, .. } => match &replayed.finding {
            Some(finding) => shown_as::Problem::Finding(Box::new(finding.clone())),
            None => flag(kind.name(), replayed, &position),
        },
    };
    let columns = columns.iter().map(|&column| teller.column(column)).collect();
    let (steps, execution) = with_graph(steps, &shown, &replayed.execution, &seen);
    let blamed: Vec<(EventId, EventId)> = pairs.iter().map(|&(a, b, _)| (a, b)).collect();
    let at = Where { shown: &shown, pairs: &blamed, dialect: title.dialect };
    let advice = match presentation.is_interleaving {
        true => None,
        false => advice(model, &replayed.execution, &at),
    };
    let Title { file, test, model, .. } = title;
    Counterexample {
        file,
        test,
        model,
        problem,
        columns,
        steps,
        is_in_order: presentation.is_checked,
        reordered,
        advice,
        left_out,
        execution,
    }
}

/// The commit accesses of the operations, in the order that a verdict is about.
fn commit_order(threads: Threads<'_>, violation: &Violation, replayed: &Replayed) -> Vec<EventId> {
    let Violation::CommitPoints { order: Some(order), .. } = violation else { return Vec::new() };
    let instances: Vec<&Instance> = threads.instances.iter().collect();
    let commit = |&number: &usize| {
        let own = instances.get(number).map(|instance| (instance.column, instance.index));
        let mut events = replayed.execution.events.ids();
        events.find(|&id| replayed.details[id].commits && operation(replayed, id) == own)
    };
    order.iter().filter_map(commit).collect()
}

/// Accesses of one thread that took effect against program order, the one that comes first in the
/// program first. If a fence between some of them forbids the execution, the others do not matter.
fn reordered_pairs(
    replayed: &Replayed,
    shown: &[EventId],
    presentation: &Presentation,
    seen: &Relation,
) -> Vec<(EventId, EventId, Fence)> {
    let Presentation { fences, kept, .. } = presentation;
    let kind = |id: EventId| replayed.execution.events[id].kind;
    let rank = program_order(&replayed.execution);
    let rank = |id: EventId| rank[id.index()];
    let access = |&id: &EventId| Access {
        column: thread(replayed, id).unwrap_or(0),
        program_order: rank(id),
        is_access: matches!(kind(id), EventKind::Read | EventKind::Write),
        writes: kind(id) == EventKind::Write,
    };
    let accesses: Vec<Access> = shown.iter().map(access).collect();
    let order = Order {
        seen: &|a, b| seen.contains(shown[a], shown[b]),
        kept: &|a, b| kept.before(shown[a], shown[b]),
    };
    let pairs = reordered(&accesses, &order);
    let mut pairs: Vec<(EventId, EventId, Fence)> = pairs
        .iter()
        .map(|pair| {
            let (first, second) = (shown[pair.first], shown[pair.second]);
            let forbids = fences.iter().any(|&fence| {
                let same = thread(replayed, fence) == thread(replayed, first);
                same && rank(first) <= rank(fence) && rank(fence) < rank(second)
            });
            let fence = match (forbids, fences.is_empty()) {
                (true, _) => Fence::Forbids,
                (false, true) => Fence::NotAlone,
                (false, false) => Fence::Unknown,
            };
            (first, second, fence)
        })
        .collect();
    if pairs.iter().any(|pair| pair.2 == Fence::Forbids) {
        pairs.retain(|pair| pair.2 == Fence::Forbids);
    }
    // A store that others see before an earlier access is a simpler story than a load that
    // overtakes a store, which even strong machines allow.
    let is_last_resort = |pair: &(EventId, EventId, Fence)| {
        kind(pair.0) == EventKind::Write && kind(pair.1) == EventKind::Read
    };
    let simpler: Vec<_> = pairs.iter().copied().filter(|pair| !is_last_resort(pair)).collect();
    pairs.retain(|pair| !is_last_resort(pair) || !simpler.iter().any(|other| other.0 == pair.0));
    pairs
}

/// The names of the operations that do something, but nothing that is shown.
fn left_out(
    threads: Threads<'_>,
    replayed: &Replayed,
    all: &[EventId],
    shown: &[EventId],
) -> Vec<String> {
    let is_in = |events: &[EventId], instance: &Instance| {
        let own = Some((instance.column, instance.index));
        events.iter().any(|&id| operation(replayed, id) == own)
    };
    let left = threads.instances.iter().filter(|own| is_in(all, own) && !is_in(shown, own));
    left.map(|instance| instance.name.clone()).collect()
}

/// The story of a serial execution.
pub fn serial(title: Title, instances: &Instances, violation: &SerialViolation) -> Counterexample {
    let name = |id| instances[id].name.clone();
    let before = violation.before.iter().map(|step| (step.operation, &step.seen));
    let last = violation.operation.map(|operation| (operation, &violation.seen));
    let operations = before.chain(last);
    let operations = operations
        .map(|(id, seen)| Shown { operation: name(id), seen: one_line(&list(seen)).into_owned() });
    let finding = Box::new(violation.finding.clone());
    let problem = shown_as::Problem::Serial { finding, operations: operations.collect() };
    let Title { file, test, model, .. } = title;
    let (columns, steps, reordered) = (Vec::new(), Vec::new(), Vec::new());
    let (execution, left_out) = (Execution::default(), Vec::new());
    Counterexample {
        file,
        test,
        model,
        problem,
        columns,
        steps,
        is_in_order: true,
        reordered,
        advice: None,
        left_out,
        execution,
    }
}

/// What the reporter shows of an observation.
pub fn observation(threads: Threads<'_>, observation: &Observation) -> Vec<Shown> {
    let one = |(instance, seen): (&Instance, &Vec<Seen>)| Shown {
        operation: instance.name.clone(),
        seen: one_line(&list(seen)).into_owned(),
    };
    threads.instances.iter().zip(observation).map(one).collect()
}

fn list(seen: &[Seen]) -> String {
    seen.iter().map(Seen::to_string).collect::<Vec<_>>().join(" ")
}

fn flag(name: &str, replayed: &Replayed, position: &HashMap<EventId, usize>) -> shown_as::Problem {
    let flag = replayed.flags.iter().find(|flag| *flag.name == *name);
    let events = flag.map_or(&[][..], |flag| &flag.events);
    let steps = events.iter().filter_map(|id| position.get(id).copied()).collect();
    shown_as::Problem::Flag { name: name.to_string(), steps }
}

fn thread(replayed: &Replayed, id: EventId) -> Option<usize> {
    replayed.execution.events[id].thread.map(|thread| thread.index())
}

/// The events that are shown, in order: no initial writes, no fences around the start and the end
/// of threads (in a whole program: none of the library that starts and joins them).
fn shown_events(replayed: &Replayed, order: &[EventId], whole: bool) -> Vec<EventId> {
    let events = &replayed.execution.events;
    let written = |location: &Option<_>| {
        let writes = |event: &Event| event.kind == EventKind::Write && event.thread.is_some();
        events.iter().any(|event| writes(event) && event.location == *location)
    };
    let kept = |id: &&EventId| {
        let event = &replayed.execution.events[**id];
        let detail = &replayed.details[**id];
        let own = detail.operation.is_some() || whole && !in_thread_library(&detail.stack);
        event.thread.is_some()
            && match event.kind {
                // What a lock is made of matters only where it changes.
                EventKind::Read if in_thread_library(&detail.stack) => written(&event.location),
                EventKind::Read | EventKind::Write => true,
                EventKind::Fence => own && has_access_after(replayed, **id),
                EventKind::Branch | EventKind::Other => false,
            }
    };
    order.iter().filter(kept).copied().collect()
}

/// Whether a thread accesses anything after an event.
fn has_access_after(replayed: &Replayed, id: EventId) -> bool {
    let events = &replayed.execution.events;
    events.enumerate().any(|(other, event)| {
        let access = matches!(event.kind, EventKind::Read | EventKind::Write);
        access && other > id && event.thread == events[id].thread
    })
}

/// The part of an execution through which threads communicate, with the initial writes that
/// belong to it, and the steps with their events in it.
fn with_graph(
    mut steps: Vec<Step>,
    shown: &[EventId],
    execution: &Execution,
    seen: &Relation,
) -> (Vec<Step>, Execution) {
    let thread = |id: EventId| execution.events[id].thread;
    let mut kept = EventSet::empty(execution.events.len());
    for (from, to) in seen.iter().filter(|&(from, to)| thread(from) != thread(to)) {
        if shown.contains(&from) && shown.contains(&to) {
            kept.insert(from);
            kept.insert(to);
        }
    }
    let initial =
        |id: EventId| thread(id).is_none() && seen.successors(id).any(|r| kept.contains(r));
    let kept: Vec<EventId> =
        execution.events.ids().filter(|&id| kept.contains(id) || initial(id)).collect();
    let number: HashMap<EventId, EventId> =
        kept.iter().enumerate().map(|(index, &id)| (id, EventId::new(index))).collect();
    let mut part = Execution::default();
    for &id in &kept {
        part.events.push(execution.events[id].clone());
    }
    for (name, set) in &execution.sets {
        let mut there = EventSet::empty(kept.len());
        set.iter().filter_map(|id| number.get(&id)).for_each(|&id| there.insert(id));
        part.sets.insert(name.clone(), there);
    }
    // Dependencies would cover what matters.
    let drawn = ["po", "rf", "co", "rmw"];
    for (name, relation) in execution.relations.iter().filter(|(name, _)| drawn.contains(&&***name))
    {
        let mut there = Relation::empty(kept.len());
        for (from, to) in relation.iter() {
            if let (Some(&from), Some(&to)) = (number.get(&from), number.get(&to)) {
                there.insert(from, to);
            }
        }
        part.relations.insert(name.clone(), there);
    }
    for step in &mut steps {
        step.event = step.event.and_then(|id| number.get(&id).copied());
    }
    (steps, part)
}

/// What the thread itself finds wrong where it stops, if that is why the execution is shown: it is
/// no event.
fn failing<'a>(violation: &Violation, replayed: &'a Replayed) -> Option<&'a Finding> {
    let finding = match violation {
        Violation::Finding { .. } => replayed.finding.as_ref()?,
        _ => return None,
    };
    let by_others = matches!(
        finding.kind,
        FindingKind::Deadlock | FindingKind::Livelock | FindingKind::Leak | FindingKind::LockHeld
    );
    let shown = !by_others && !finding.kind.is_of_dead() && user_place(&finding.stack).is_some();
    shown.then_some(finding)
}

struct Teller<'a> {
    threads: Threads<'a>,
    replayed: &'a Replayed,
    position: &'a HashMap<EventId, usize>,
    columns: &'a [usize],
    wrappers: Wrappers,
}

impl Teller<'_> {
    fn step(&self, id: EventId) -> Step {
        let event = &self.replayed.execution.events[id];
        let detail = &self.replayed.details[id];
        let thread = thread(self.replayed, id).unwrap_or(0);
        let column = self.columns.iter().position(|&column| column == thread).unwrap_or(0);
        // What a header calls an argument says nothing to its user.
        let inner = detail.stack.first().and_then(|entry| entry.location.as_ref());
        let in_header = inner.is_some_and(|location| location.is_library());
        let (source, wrapper) = self.wrappers.places(&detail.stack);
        let is_wrapped = wrapper.is_some() || detail.path.as_deref().is_some_and(is_plain_target);
        let place = match (&detail.path, &detail.location) {
            (_, Some(location)) if in_header || is_wrapped => location.clone(),
            (Some(path), _) => path.clone(),
            (None, Some(location)) => location.clone(),
            (None, None) => event.label.clone(),
        };
        Step {
            column,
            operation: detail.operation.as_ref().map(|(number, _)| *number as usize),
            kind: event.kind,
            place: one_line(&place).into_owned(),
            location: detail.location.clone(),
            value: detail.value.clone(),
            from: self.source(id),
            unseen: self.unseen(id),
            source,
            wrapper,
            id: Some(id),
            commits: detail.commits,
            allocates: detail.allocates,
            event: Some(id),
            fails: false,
        }
    }

    /// The step at which a thread stops because of what is wrong.
    fn failing(&self, finding: &Finding) -> Step {
        let thread = finding.thread.id.index();
        let path =
            finding.access.as_ref().and_then(|access| Some((access.verb, access.path.as_ref()?)));
        let place = match (path, &finding.kind) {
            (Some((Verb::Write, path)), _) => format!("store {path}"),
            (Some((Verb::Read, path)), _) => format!("load {path}"),
            (_, FindingKind::AssertionFailed(_)) => "assertion".to_string(),
            _ => finding::title(finding),
        };
        let (source, wrapper) = self.wrappers.places(&finding.stack);
        // The last operation of the thread is the one that goes wrong.
        let operations = self.replayed.threads.get(thread).map_or(0, |it| it.operations.len());
        Step {
            column: self.columns.iter().position(|&column| column == thread).unwrap_or(0),
            operation: operations.checked_sub(1),
            kind: EventKind::Other,
            place: one_line(&place).into_owned(),
            location: None,
            value: None,
            from: None,
            unseen: None,
            source,
            wrapper,
            id: None,
            commits: false,
            allocates: false,
            event: None,
            fails: true,
        }
    }

    /// A step before a read that writes what the read does not see, although it is coherence-later
    /// than what it does see; one before a write that is coherence-later than that.
    fn unseen(&self, id: EventId) -> Option<usize> {
        let Execution { events, relations, .. } = &self.replayed.execution;
        let (rf, co) = (relations.get("rf")?, relations.get("co")?);
        let own = *self.position.get(&id)?;
        let from = match events[id].kind {
            EventKind::Write => id,
            _ => events.ids().find(|&from| rf.contains(from, id))?,
        };
        let later = co.successors(from).filter(|&write| thread(self.replayed, write).is_some());
        let missed = later.filter_map(|write| self.position.get(&write).copied());
        missed.filter(|&step| step < own).min()
    }

    fn source(&self, id: EventId) -> Option<Source> {
        let rf = self.replayed.execution.relations.get("rf")?;
        let from = self.replayed.execution.events.ids().find(|&from| rf.contains(from, id))?;
        Some(self.position.get(&from).map_or(Source::Initial, |&step| Source::Step(step)))
    }

    fn column(&self, column: usize) -> Column {
        let of = |instance: &Instance| {
            let key = (column as u32, Some(instance.index as u32));
            let seen = self.replayed.observation.operations.get(&key);
            let seen = seen.map_or(&[][..], Vec::as_slice).iter();
            let seen: Vec<String> = seen.map(|one| format!("{}={}", one.label, one.text)).collect();
            Shown { operation: instance.name.clone(), seen: one_line(&seen.join(" ")).into_owned() }
        };
        let own = self.threads.instances.iter().filter(|instance| instance.column == column);
        let title = match column {
            column if self.threads.instances.is_empty() => {
                let function = self.replayed.threads.get(column).map(|thread| &thread.function);
                let function = function.map_or("", String::as_str);
                if column == 0 { "main".into() } else { format!("thread {column}: {function}") }
            }
            0 => "before and after the threads".to_string(),
            column => format!("thread {column}"),
        };
        Column { title, operations: own.map(of).collect() }
    }
}

/// Whether the innermost place is in a header that starts and joins threads.
fn in_thread_library(stack: &[StackEntry]) -> bool {
    let location = stack.first().and_then(|entry| entry.location.as_ref());
    location.is_some_and(|at| ["<pthread.h>", "<threads.h>"].contains(&&*at.file))
}

/// Whether the source names a place by a pointer alone, which says nothing of it: `*target`.
fn is_plain_target(path: &str) -> bool {
    let word = |text: &str| text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    path.strip_prefix('*').is_some_and(word)
}
