//! What is right: the states that the data type can be in when its operations run one after the
//! other, and how to find out, from any state of the memory, which of them it shows.
//!
//! The serial states are visited breadth-first and merged if no sequence of operations tells them
//! apart. For that, sequences are collected that tell all of them apart (a characterising set, as in
//! T. S. Chow, "Testing software design modeled by finite-state machines", IEEE TSE 4(3), 1978):
//! running these sequences alone on a snapshot of the memory gives the abstract state of the
//! snapshot. Nothing rests on this choice: whatever function from memories to abstract states passes
//! the check of the steps is a proof. So it may also be a function of the user's, which shows for
//! each serial state what that is and is then asked about every memory.
//!
//! Soundness S-252 (prove; sc, tso; refuses): A function that shows the abstract state must not write
//! what is shared nor show the same for states that operations tell apart. Test:
//! crates/engines/src/views/witness_tests.rs::a_function_that_writes_or_shows_too_little_is_refused.

use super::heap::{Own, Shared, canonical};
use super::history::history_of;
use super::machine::{Locks, Machine, Witness};
use super::step::{Ran, Went, alone, prepared};
use super::world::{Company, World};
use execution::finding::{FindingKind, Verb};
use execution::id;
use execution::ids::Id;
use hashbrown::{HashMap, HashSet};
use ir::program::{FuncId, GlobalId, LocId};
use ir::value::Value;
use sat::Limits;
use std::collections::VecDeque;

id! {
    /// An operation with the values that it chooses.
    pub struct InvocationId("i");
}

id! {
    /// What a client observes of one operation.
    pub struct OutcomeId("o");
}

id! {
    /// A state of the abstract type.
    pub struct AbstractId("a");
}

/// More serial states than this are too many.
const MOST_STATES: usize = 4096;
/// The bound on the size of a type that grows, if none is given.
pub(super) const DEFAULT_SIZE: usize = 3;
/// The characterising sequences are at most so long.
const LONGEST: usize = 64;

/// What a client observes of an operation, or of its beginning.
pub(super) type Observed = Vec<(String, Value)>;

/// What an operation comes to in an abstract state.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Next {
    To(OutcomeId, AbstractId),
    /// The data type would be larger than the bound.
    Past,
}

/// The abstract type.
#[derive(Debug)]
pub(super) struct Spec {
    /// Operations, by number, and what they choose.
    pub invocations: Vec<(usize, Vec<Value>)>,
    pub outcome_numbers: HashMap<Observed, OutcomeId>,
    /// For each abstract state, what each invocation comes to.
    pub next: Vec<Vec<Next>>,
    /// The abstract states that are larger than the bound.
    pub past: Vec<bool>,
    pub initial: AbstractId,
    /// The bound on the number of objects beyond those at first, if there is one.
    pub size: Option<usize>,
    /// Sequences of invocations that tell all abstract states apart.
    words: Vec<Vec<InvocationId>>,
    by_responses: HashMap<Vec<Vec<OutcomeId>>, AbstractId>,
    alpha: Alpha,
}

/// How the abstract state of a memory is found.
#[derive(Debug)]
enum Alpha {
    /// By what operations answer.
    Words,
    /// By what the user's function shows of it.
    Function(HashMap<Observed, AbstractId>),
    /// It stands in a word, which is written at commit points.
    History(GlobalId),
    /// It stands in a word: what operations answered when that was asked last.
    Remembered(GlobalId),
    /// There is only one: operations may show anything.
    #[cfg(test)]
    Anything,
}

/// Why there is no abstract type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Failure {
    /// Something goes wrong in a serial execution.
    Wrong {
        kind: FindingKind,
        place: Option<LocId>,
        /// The operations that ran, by their names.
        path: Vec<String>,
    },
    /// A serial execution shows what it does not show in the reference.
    Differs {
        observed: Observed,
        /// The operations that ran, by their names.
        path: Vec<String>,
    },
    Refused {
        what: String,
        place: Option<LocId>,
    },
    /// There are too many serial states.
    TooMany,
    Limit,
}

fn refused(what: &str) -> Failure {
    Failure::Refused { what: what.into(), place: None }
}

/// The shared memory when the data type is prepared.
pub(super) fn initial(machine: &Machine<'_>) -> Result<Shared, Failure> {
    let odd = |_| refused("a pointer that is not an address");
    let first = machine.at_first().map_err(odd)?;
    let prepared = one(prepared(machine, &first)).map(|(shared, ..)| shared);
    // What goes wrong in the preparation does so in every test.
    let operation = machine.prepared.operations.first();
    prepared.map_err(|error| error.in_test(operation.map(|operation| &operation.name)))
}

impl Failure {
    /// What goes wrong, in a test that runs this operation alone.
    fn in_test(self, operation: Option<&String>) -> Self {
        match self {
            Failure::Wrong { kind, place, .. } => {
                Failure::Wrong { kind, place, path: operation.into_iter().cloned().collect() }
            }
            error => error,
        }
    }
}

/// The one way in which something runs alone, with what was observed and chosen.
fn one(ways: Vec<Went<'_>>) -> Result<(Shared, Observed, Vec<Value>), Failure> {
    let mut ways = ways.into_iter();
    match (ways.next(), ways.next()) {
        (Some(Went::To(ran)), None) => outcome(&ran),
        (Some(Went::Wrong { kind, place }), _) => {
            Err(Failure::Wrong { kind, place, path: Vec::new() })
        }
        (Some(Went::Refused { what, place }), _) => Err(Failure::Refused { what, place }),
        (None, _) => Err(refused("an operation that waits for another one, or that never runs")),
        _ => Err(refused("an operation that does not determine what it does alone")),
    }
}

fn outcome(ran: &Ran<'_>) -> Result<(Shared, Observed, Vec<Value>), Failure> {
    let (shared, own) = ran.parts();
    // Nothing of the thread is left but what the shared part leads to.
    let own = Own { objects: own.objects, ..Own::default() };
    let (shared, _) = canonical(&ran.world.machine.regions, shared, own, usize::MAX)
        .map_err(|_| refused("a pointer in parts, shifted, or otherwise not an address"))?;
    Ok((shared, ran.world.observed.clone(), ran.world.chosen.clone()))
}

/// A snapshot in which no lock is held. (The words of the library's locks are read as free by what
/// runs alone.)
fn unlocked(machine: &Machine<'_>, shared: &Shared) -> Option<Shared> {
    if machine.rung.locks < Locks::Inferred {
        return Some(shared.clone());
    }
    let locks = machine.facts.borrow().locks();
    let mut world = World::new(machine, Company::Alone, shared, &Own::default());
    let regions = &machine.regions;
    let globals = machine.program().globals.ids().map(|id| regions.of_global(id));
    let heap = (0..shared.objects.len()).map(|number| regions.to_heap(number));
    for region in globals.chain(heap).filter_map(|value| value.provenance) {
        let what = world.body(region)?.what;
        for &(_, offset, width) in locks.iter().filter(|(lock, ..)| *lock == what) {
            let free = Value::int(width, 0);
            world.change(region, |body| body.contents.write(offset as usize, free)).ok()?;
        }
    }
    Some(Shared { globals: world.globals, objects: world.objects })
}

/// What the user's function shows of a memory in which no thread is in an operation. It must leave
/// that as it is.
fn observed_alone(
    machine: &Machine<'_>,
    function: FuncId,
    shared: &Shared,
) -> Result<Observed, Failure> {
    let ways = alone(machine, shared, function, Some(&[]));
    if let [Went::To(ran)] = ways.as_slice()
        && !ran.world.changes.is_empty()
    {
        let what = "a function that shows the abstract state and changes memory that is shared";
        let place = ran.world.seen.iter().rev().find(|seen| seen.verb != Verb::Read);
        return Err(Failure::Refused {
            what: what.into(),
            place: place.and_then(|seen| seen.place),
        });
    }
    one(ways).map(|(_, observed, _)| observed)
}

/// What the user's function shows of each abstract state: the serial states are visited together
/// with those of the abstract type.
fn shown_by(
    machine: &Machine<'_>,
    function: FuncId,
    spec: &Spec,
    initial: &Shared,
    limits: &Limits,
) -> Result<HashMap<Observed, AbstractId>, Failure> {
    let mut shown: HashMap<Observed, AbstractId> = HashMap::new();
    let mut known: HashSet<(Shared, AbstractId)> = HashSet::new();
    let mut open = VecDeque::from([(initial.clone(), spec.initial)]);
    while let Some((memory, state)) = open.pop_front() {
        if limits.expired() {
            return Err(Failure::Limit);
        }
        if !known.insert((memory.clone(), state)) {
            continue;
        }
        if known.len() > MOST_STATES {
            return Err(Failure::TooMany);
        }
        let observed = observed_alone(machine, function, &memory)?;
        let is_past = |state: AbstractId| spec.past[state.index()];
        let other = *shown.entry(observed).or_insert(state);
        if other != state && !(is_past(other) && is_past(state)) {
            let what = "a function that shows the same for states that operations tell apart";
            let function = &machine.program().functions[function];
            let insts = function.blocks.iter().flat_map(|block| &block.insts);
            let place = function.place.or_else(|| insts.into_iter().find_map(|inst| inst.place));
            return Err(Failure::Refused { what: what.into(), place });
        }
        if is_past(state) {
            continue;
        }
        for (at, (operation, chosen)) in spec.invocations.iter().enumerate() {
            let Next::To(_, to) = spec.next(state, InvocationId::new(at)) else { continue };
            let operation = machine.prepared.operations[*operation].function;
            let (after, ..) = one(alone(machine, &memory, operation, Some(chosen)))?;
            open.push_back((after, to));
        }
    }
    Ok(shown)
}

/// The memory between two operations, and that of the reference.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Serial {
    memory: Shared,
    reference: Option<Shared>,
}

/// Visits the serial states.
struct Explorer<'a, 'm> {
    machine: &'m Machine<'m>,
    limits: &'a Limits,
    size: Option<usize>,
    invocations: Vec<(usize, Vec<Value>)>,
    outcomes: Vec<Observed>,
    outcome_numbers: HashMap<Observed, OutcomeId>,
    /// Another data type whose outcomes are right.
    reference: Option<&'a Machine<'a>>,
    states: Vec<Serial>,
    /// The state and the operation that led to each first.
    origins: Vec<Option<(usize, usize)>>,
    numbers: HashMap<Serial, usize>,
    /// What each invocation comes to in each state that was visited.
    next: Vec<Vec<Option<(OutcomeId, usize)>>>,
}

impl Spec {
    /// The abstract type that the serial executions from a memory show. `size` bounds how many
    /// objects there may be beyond those at first; without it, a type that grows gets a bound.
    pub fn of(
        machine: &Machine<'_>,
        initial: &Shared,
        size: Option<usize>,
        limits: &Limits,
    ) -> Result<Spec, Failure> {
        Self::or_bounded(Explorer::new(machine, limits, size), initial, None)
    }

    /// The abstract type that another data type shows whose operations run as those of a machine do,
    /// within the bound on the size of the machine's.
    pub fn by_reference(
        (machine, reference): (&Machine<'_>, &Machine<'_>),
        initial: &Shared,
        size: Option<usize>,
        limits: &Limits,
    ) -> Result<Spec, Failure> {
        let first = self::initial(reference)?;
        let explorer = Explorer::new(machine, limits, size);
        let explorer = Explorer { reference: Some(reference), ..explorer };
        Self::or_bounded(explorer, initial, Some(first))
    }

    fn or_bounded(
        explorer: Explorer<'_, '_>,
        initial: &Shared,
        reference: Option<Shared>,
    ) -> Result<Spec, Failure> {
        let Explorer { machine, limits, size, reference: other, .. } = explorer;
        match explorer.explored(initial, reference.clone()) {
            Err(Failure::TooMany) if size.is_none() => {
                let bounded = Explorer::new(machine, limits, Some(DEFAULT_SIZE));
                Explorer { reference: other, ..bounded }.explored(initial, reference)
            }
            spec => spec,
        }
    }

    /// The same type, with abstract states that are found as a machine's rung says.
    pub fn witnessed(
        self,
        machine: &Machine<'_>,
        initial: &Shared,
        limits: &Limits,
    ) -> Result<Spec, Failure> {
        let alpha = match (machine.rung.witness, machine.prepared.abstraction) {
            (Witness::CommitPoints, _) => Alpha::History(machine.prepared.history),
            (Witness::Remembered, _) => Alpha::Remembered(machine.prepared.history),
            (Witness::Function, Some(function)) => {
                Alpha::Function(shown_by(machine, function, &self, initial, limits)?)
            }
            _ => Alpha::Words,
        };
        Ok(Spec { alpha, ..self })
    }

    /// The word that is written at commit points, if there is one.
    pub fn history(&self) -> Option<GlobalId> {
        match self.alpha {
            Alpha::History(global) => Some(global),
            _ => None,
        }
    }

    /// The word that holds what operations answered, if there is one.
    pub fn remembered(&self) -> Option<GlobalId> {
        match self.alpha {
            Alpha::Remembered(global) => Some(global),
            _ => None,
        }
    }

    /// Whether operations take effect at their commit points.
    pub fn has_commits(&self) -> bool {
        self.history().is_some()
    }

    /// The type with one state in which every operation may show anything: only findings count.
    #[cfg(test)]
    pub fn of_anything(machine: &Machine<'_>, initial: &Shared) -> Result<Spec, Failure> {
        let limits = Limits::default();
        let mut explorer = Explorer::new(machine, &limits, None);
        explorer.find_invocations(initial)?;
        explorer.states.push(Serial { memory: initial.clone(), reference: None });
        let outcome = explorer.outcome(Vec::new());
        let all = explorer.invocations.iter().map(|_| Some((outcome, 0)));
        explorer.next.push(all.collect());
        let spec = explorer.merged(initial.objects.len());
        Ok(Spec { alpha: Alpha::Anything, ..spec })
    }

    /// What an invocation comes to.
    pub fn next(&self, state: AbstractId, invocation: InvocationId) -> Next {
        self.next[state.index()][invocation.index()]
    }

    /// What an invocation comes to where it changes nothing.
    pub fn unchanged(&self, state: AbstractId, invocation: InvocationId) -> Option<OutcomeId> {
        match self.next(state, invocation) {
            Next::To(outcome, to) if to == state => Some(outcome),
            _ => None,
        }
    }

    /// The most values that an operation chooses from.
    pub fn most_values(&self) -> usize {
        let of = |operation: usize| {
            self.invocations.iter().filter(|(number, _)| *number == operation).count()
        };
        self.invocations.iter().map(|(number, _)| of(*number)).max().unwrap_or(0)
    }

    /// The number of an operation with the values that it has chosen.
    pub fn invocation(&self, operation: usize, chosen: &[Value]) -> Option<InvocationId> {
        let same = |(number, values): &(usize, Vec<Value>)| {
            *number == operation && values.as_slice() == chosen
        };
        self.invocations.iter().position(same).map(InvocationId::new)
    }

    /// Whether operations show nothing and change nothing, like critical sections.
    pub fn is_silent(&self) -> bool {
        self.next.len() == 1 && self.outcome_numbers.keys().all(Vec::is_empty)
    }

    /// What a sequence of operations shows, with the names of the operations.
    pub fn told(&self, machine: &Machine<'_>, path: &[InvocationId]) -> Vec<String> {
        let mut state = self.initial;
        let mut all = Vec::new();
        for &invocation in path {
            let Next::To(outcome, to) = self.next(state, invocation) else { break };
            let (operation, _) = &self.invocations[invocation.index()];
            let name = &machine.prepared.operations[*operation].name;
            let shown = self.outcome_numbers.iter().find(|(_, number)| **number == outcome);
            let shown = shown.iter().flat_map(|(observed, _)| observed.iter());
            let shown: Vec<String> =
                shown.map(|(label, value)| format!("{label} = {}", value.as_signed())).collect();
            all.push(match shown.is_empty() {
                true => name.clone(),
                false => format!("{name} ({})", shown.join(", ")),
            });
            state = to;
        }
        all
    }

    /// The number of what was observed, if some serial execution shows it.
    pub fn outcome(&self, observed: &Observed) -> Option<OutcomeId> {
        match self.alpha {
            #[cfg(test)]
            Alpha::Anything => Some(OutcomeId::new(0)),
            _ => self.outcome_numbers.get(observed).copied(),
        }
    }

    /// The abstract state that a memory shows, if it shows any.
    pub fn shown(&self, machine: &Machine<'_>, shared: &Shared) -> Option<AbstractId> {
        match &self.alpha {
            Alpha::Words => {}
            Alpha::Function(shown) => {
                let function = machine.prepared.abstraction?;
                let snapshot = unlocked(machine, shared)?;
                let observed = observed_alone(machine, function, &snapshot).ok()?;
                return shown.get(&observed).copied();
            }
            Alpha::History(global) | Alpha::Remembered(global) => {
                return Some(history_of(shared, *global));
            }
            #[cfg(test)]
            Alpha::Anything => return Some(self.initial),
        }
        self.answered(machine, shared)
    }

    /// The abstract state that operations show which run alone on a snapshot.
    pub fn answered(&self, machine: &Machine<'_>, shared: &Shared) -> Option<AbstractId> {
        let snapshot = unlocked(machine, shared)?;
        let mut responses = Vec::with_capacity(self.words.len());
        for word in &self.words {
            let mut state = snapshot.clone();
            let mut response = Vec::with_capacity(word.len());
            for invocation in word {
                let (operation, chosen) = &self.invocations[invocation.index()];
                let function = machine.prepared.operations[*operation].function;
                let ran = one(alone(machine, &state, function, Some(chosen)));
                let (after, observed, _) = ran.ok()?;
                response.push(self.outcome(&observed)?);
                state = after;
            }
            responses.push(response);
        }
        self.by_responses.get(&responses).copied()
    }
}

impl<'a, 'm> Explorer<'a, 'm> {
    fn new(machine: &'m Machine<'m>, limits: &'a Limits, size: Option<usize>) -> Self {
        Self {
            machine,
            limits,
            size,
            invocations: Vec::new(),
            outcomes: Vec::new(),
            outcome_numbers: HashMap::new(),
            reference: None,
            states: Vec::new(),
            origins: Vec::new(),
            numbers: HashMap::new(),
            next: Vec::new(),
        }
    }

    /// All operations with all that they can choose.
    fn find_invocations(&mut self, initial: &Shared) -> Result<(), Failure> {
        for (number, operation) in self.machine.prepared.operations.iter().enumerate() {
            for way in alone(self.machine, initial, operation.function, None) {
                let ran = one(vec![way]);
                let (_, _, chosen) = ran.map_err(|error| error.in_test(Some(&operation.name)))?;
                self.invocations.push((number, chosen));
            }
        }
        Ok(())
    }

    fn explored(mut self, initial: &Shared, reference: Option<Shared>) -> Result<Spec, Failure> {
        self.find_invocations(initial)?;
        self.visit(Serial { memory: initial.clone(), reference })?;
        Ok(self.merged(initial.objects.len()))
    }

    /// An operation runs alone; gives what it shows, or what it shows in the reference.
    fn run(
        &self,
        state: &Serial,
        operation: usize,
        chosen: &[Value],
    ) -> Result<(Serial, Observed), Failure> {
        let alone = |machine: &Machine<'_>, memory: &Shared| {
            let function = machine.prepared.operations[operation].function;
            one(alone(machine, memory, function, Some(chosen)))
        };
        let (memory, observed, _) = alone(self.machine, &state.memory)?;
        match (self.reference, &state.reference) {
            (Some(machine), Some(before)) => {
                let (after, right, _) = alone(machine, before)?;
                match observed == right {
                    true => Ok((Serial { memory, reference: Some(after) }, observed)),
                    false => Err(Failure::Differs { observed, path: Vec::new() }),
                }
            }
            _ => Ok((Serial { memory, reference: None }, observed)),
        }
    }

    fn visit(&mut self, initial: Serial) -> Result<(), Failure> {
        let most = self.size.map(|size| initial.memory.objects.len() + size + 1);
        self.number(initial, None);
        let mut at = 0;
        while at < self.states.len() {
            if self.limits.expired() {
                return Err(Failure::Limit);
            }
            let state = self.states[at].clone();
            let mut all = Vec::new();
            for (operation, chosen) in self.invocations.clone() {
                let ran = self.run(&state, operation, &chosen);
                let (after, observed) = ran.map_err(|error| self.after(at, operation, error))?;
                let outcome = self.outcome(observed);
                let fits = most.is_none_or(|most| after.memory.objects.len() <= most);
                let from = (at, operation);
                all.push(fits.then(|| (outcome, self.number(after, Some(from)))));
            }
            self.next.push(all);
            at += 1;
            if self.states.len() > MOST_STATES {
                return Err(Failure::TooMany);
            }
        }
        Ok(())
    }

    /// An error with the operations that led to it.
    fn after(&self, state: usize, operation: usize, error: Failure) -> Failure {
        if !matches!(error, Failure::Wrong { .. } | Failure::Differs { .. }) {
            return error;
        }
        let name = |operation: usize| self.machine.prepared.operations[operation].name.clone();
        let mut path = vec![name(operation)];
        let mut at = state;
        while let Some((before, operation)) = self.origins[at] {
            path.push(name(operation));
            at = before;
        }
        path.reverse();
        match error {
            Failure::Wrong { kind, place, .. } => Failure::Wrong { kind, place, path },
            Failure::Differs { observed, .. } => Failure::Differs { observed, path },
            error => error,
        }
    }

    fn number(&mut self, state: Serial, from: Option<(usize, usize)>) -> usize {
        if let Some(&number) = self.numbers.get(&state) {
            return number;
        }
        self.states.push(state.clone());
        self.origins.push(from);
        self.numbers.insert(state, self.states.len() - 1);
        self.states.len() - 1
    }

    fn outcome(&mut self, observed: Observed) -> OutcomeId {
        if let Some(&number) = self.outcome_numbers.get(&observed) {
            return number;
        }
        let number = OutcomeId::new(self.outcomes.len());
        self.outcomes.push(observed.clone());
        self.outcome_numbers.insert(observed, number);
        number
    }

    /// Runs a sequence from a state; nothing if the type gets larger than the bound.
    fn respond(&self, state: usize, word: &[InvocationId]) -> Option<Vec<OutcomeId>> {
        let mut at = state;
        let step = |invocation: &InvocationId| {
            let (outcome, to) = self.next[at][invocation.index()]?;
            at = to;
            Some(outcome)
        };
        word.iter().map(step).collect()
    }

    /// Sequences that tell states apart, as many as there are: a state's block is what it answers
    /// to all of them.
    fn words(&self) -> Vec<Vec<InvocationId>> {
        let mut words: Vec<Vec<InvocationId>> = Vec::new();
        let mut blocks = vec![0; self.states.len()];
        let mut open: VecDeque<Vec<InvocationId>> = VecDeque::new();
        let all = (0..self.invocations.len()).map(InvocationId::new);
        let (observers, others): (Vec<_>, Vec<_>) = all.partition(|&it| self.is_observer(it));
        // In the middle of another operation, one that changes something may wait for its end.
        let singles = observers.into_iter().chain(others).map(|it| vec![it]);
        open.extend(singles.clone());
        while let Some(word) = open.pop_front() {
            if !self.splits(&word, &mut blocks) {
                continue;
            }
            // What comes before a sequence that tells states apart may tell more of them apart.
            if word.len() < LONGEST {
                let longer = singles.clone().map(|first| [first, word.clone()].concat());
                open.extend(longer);
            }
            words.push(word);
        }
        // A sequence that another one begins with tells nothing more.
        let all = words.clone();
        let is_prefix = |word: &Vec<InvocationId>| {
            all.iter().any(|other| other.len() > word.len() && other.starts_with(word))
        };
        words.retain(|word| !is_prefix(word));
        words
    }

    /// Whether an invocation changes nothing in any serial state.
    fn is_observer(&self, invocation: InvocationId) -> bool {
        let same = |(state, next): (usize, &Vec<Option<(OutcomeId, usize)>>)| {
            next[invocation.index()].is_some_and(|(_, to)| to == state)
        };
        self.next.iter().enumerate().all(same)
    }

    /// Splits blocks by what states answer to a sequence; says whether any was split. One that is
    /// larger than the bound for some states is no use.
    fn splits(&self, word: &[InvocationId], blocks: &mut [usize]) -> bool {
        let answers: Option<Vec<_>> =
            (0..self.states.len()).map(|state| self.respond(state, word)).collect();
        let Some(answers) = answers else { return false };
        let mut numbers = HashMap::new();
        let mut split: Vec<usize> = Vec::with_capacity(blocks.len());
        for (block, answer) in blocks.iter().zip(answers) {
            let next = numbers.len();
            split.push(*numbers.entry((*block, answer)).or_insert(next));
        }
        let before = blocks.iter().max().map_or(0, |most| most + 1);
        blocks.copy_from_slice(&split);
        numbers.len() > before
    }

    /// The abstract type: states that answer alike are one.
    fn merged(self, objects: usize) -> Spec {
        let words = self.words();
        let mut by_responses: HashMap<Vec<Vec<OutcomeId>>, AbstractId> = HashMap::new();
        let mut of_state = Vec::new();
        let mut first = Vec::new();
        for state in 0..self.states.len() {
            let responses: Vec<_> = words.iter().filter_map(|w| self.respond(state, w)).collect();
            let fresh = AbstractId::new(by_responses.len());
            let number = *by_responses.entry(responses).or_insert(fresh);
            if number == fresh {
                first.push(Vec::new());
            }
            first[number.index()].push(state);
            of_state.push(number);
        }
        // A state stands for its block: the smallest, so that what it does is known.
        let smallest = |states: &Vec<usize>| {
            *states
                .iter()
                .min_by_key(|&&state| self.states[state].memory.objects.len())
                .expect("a state")
        };
        let representatives: Vec<usize> = first.iter().map(smallest).collect();
        let next = representatives.iter().map(|&state| {
            let to = |next: &Option<(OutcomeId, usize)>| match next {
                Some((outcome, to)) => Next::To(*outcome, of_state[*to]),
                None => Next::Past,
            };
            self.next[state].iter().map(to).collect()
        });
        let next = next.collect();
        let is_past = |&state: &usize| {
            self.size.is_some_and(|size| self.states[state].memory.objects.len() > objects + size)
        };
        let past = representatives.iter().map(is_past).collect();
        Spec {
            invocations: self.invocations,
            outcome_numbers: self.outcome_numbers,
            next,
            past,
            initial: of_state[0],
            size: self.size,
            words,
            by_responses,
            alpha: Alpha::Words,
        }
    }
}
