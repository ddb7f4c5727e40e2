//! Does this execution satisfy this model? Terms are evaluated on dense bit matrices.
//!
//! An [`Evaluator`] is made once for everything about an execution except the choice of
//! reads-from and coherence, and then asked about many such choices. Every term has a buffer;
//! it is computed when a check needs it, and again only when something it depends on was chosen
//! anew. [`check_execution`] is the same thing for a single execution.

use crate::algebra::{Dependence, GroupId, Sort, Term, TermId};
use crate::ast::{Role, Test};
use crate::kernel::{self, Shape};
use crate::live::Live;
use crate::local;
use crate::model::{Axiom, Compiled, Model, Unevaluated};
use execution::diagnostic::Diagnostic;
use execution::event::{Event, EventId, Execution};
use execution::ids::Id;
use execution::relation::{EventSet, Relation};
use execution::span::Span;
use limits::Limits;
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;

/// What a model says of one execution.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Judgement {
    /// The first axiom that fails; `None` if the execution is allowed.
    pub failed: Option<Failure>,
    /// What the model remarks on an allowed execution (data races and the like).
    pub flags: Vec<Flag>,
    /// The sets and relations that the model asks to show.
    pub shows: Vec<(Arc<str>, Shown)>,
}

impl Judgement {
    /// Whether the model allows the execution.
    pub fn allowed(&self) -> bool {
        self.failed.is_none()
    }
}

/// Why an execution is forbidden.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// The axiom's name (or its place in the file, if it has none).
    pub axiom: Arc<str>,
    /// What it demands.
    pub test: Test,
    /// Where it stands in the model's text.
    pub span: Span,
    /// `acyclic`: the events along a shortest cycle. `irreflexive`: the event. `empty`: the first
    /// pair, or the first event of a set. Empty for a negated test.
    pub events: Vec<EventId>,
}

/// A remark about an allowed execution.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Flag {
    /// Its name.
    pub name: Arc<str>,
    /// `flag`, `undefined_unless` or `assert`.
    pub role: Role,
    /// A pair or event that raises it, if it is about one.
    pub events: Vec<EventId>,
}

/// Something that a model asks to show.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Shown {
    /// A set.
    Set(EventSet),
    /// A relation.
    Relation(Relation),
}

impl Shown {
    /// The part about the first `size` events.
    fn first(self, size: usize) -> Self {
        match self {
            Shown::Set(set) if set.size() > size => {
                let mut part = EventSet::empty(size);
                set.iter().filter(|id| id.index() < size).for_each(|id| part.insert(id));
                Shown::Set(part)
            }
            Shown::Relation(relation) if relation.size() > size => {
                let mut part = Relation::empty(size);
                let inside = |(a, b): &(EventId, EventId)| a.index().max(b.index()) < size;
                relation.iter().filter(inside).for_each(|(a, b)| part.insert(a, b));
                Shown::Relation(part)
            }
            whole => whole,
        }
    }
}

/// Says what `model` makes of `execution`, which must be complete.
///
/// The error is about the model: some cat constructs can only be understood on an execution.
pub fn check_execution(model: &Model, execution: &Execution) -> Result<Judgement, Diagnostic> {
    let mut evaluator = model.prepare(execution)?;
    let empty = Relation::empty(execution.events.len());
    evaluator.set_rf(execution.relations.get("rf").unwrap_or(&empty));
    evaluator.set_co(execution.relations.get("co").unwrap_or(&empty));
    Ok(evaluator.outcome())
}

/// The same, unless a limit is reached.
pub fn check_execution_within(
    model: &Model,
    execution: &Execution,
    limits: &Limits,
) -> Result<Judgement, Unevaluated> {
    let mut evaluator = model.prepare_within(execution, limits)?;
    let empty = Relation::empty(execution.events.len());
    evaluator.set_rf(execution.relations.get("rf").unwrap_or(&empty));
    evaluator.set_co(execution.relations.get("co").unwrap_or(&empty));
    let outcome = evaluator.outcome();
    if evaluator.gave_up() { Err(Unevaluated::GaveUp) } else { Ok(outcome) }
}

/// Limits are polled whenever this many words of terms have been computed.
const WORDS_PER_POLL: usize = 1 << 14;

/// A model on one skeleton (an execution without reads-from and coherence).
#[derive(Clone, Debug)]
pub struct Evaluator {
    compiled: Arc<Compiled>,
    shape: Shape,
    /// The first events, which are those of the execution; register events follow them.
    visible: usize,
    /// The buffers of all terms one after the other, in the order of their ids.
    bits: Vec<u64>,
    /// Where each term's buffer starts, and at the end, where the last one ends.
    starts: Vec<usize>,
    /// The choice that each term's buffer was computed for; `NEVER` if it was not.
    stamps: Vec<Stamp>,
    group_stamps: Vec<(Stamp, u64)>,
    /// The current choice.
    now: Stamp,
    /// Counts the rounds of fixpoint iteration.
    round: u64,
    /// What is empty whatever is chosen; known once the terms that depend on no choice are.
    live: Option<Live>,
    /// The terms that a check or a group's round needs, by the check's term or the group.
    needed: HashMap<TermId, Arc<[TermId]>>,
    rounds: Vec<Arc<[TermId]>>,
    /// Pairs of events with different values.
    different: Vec<u64>,
    scratch: Vec<u64>,
    limits: Limits,
    /// The words computed since limits were polled.
    words: usize,
    gave_up: bool,
}

/// Counters that change with each new choice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Stamp {
    rf: u64,
    co: u64,
    values: u64,
}

const NEVER: Stamp = Stamp { rf: 0, co: 0, values: 0 };

impl Stamp {
    /// Whether something computed at `self` is still right at `now`.
    fn serves(self, now: Stamp, dependence: Dependence) -> bool {
        self != NEVER
            && (!dependence.rf || self.rf == now.rf)
            && (!dependence.co || self.co == now.co)
            && (!dependence.values || self.values == now.values)
    }
}

impl Evaluator {
    /// An evaluator of `compiled` on `skeleton`, whose `rf` and `co` are ignored; `None` if
    /// there is no memory for it.
    pub(crate) fn new(
        compiled: Arc<Compiled>,
        skeleton: &Execution,
        limits: &Limits,
    ) -> Option<Self> {
        let shape = Shape::new(skeleton.events.len());
        let terms = &compiled.terms;
        let mut starts = vec![0];
        for index in 0..terms.len() {
            let rows = match terms.sort(TermId::new(index)) {
                Sort::Set => 1,
                Sort::Relation => shape.n,
            };
            starts.push(starts[index] + rows * shape.stride);
        }
        let words = *starts.last().unwrap_or(&0);
        if words > WORDS_PER_POLL && !limits.has_room(8 * words as u64) {
            return None;
        }
        let mut evaluator = Self {
            shape,
            visible: shape.n,
            bits: vec![0; words],
            stamps: vec![NEVER; terms.len()],
            group_stamps: vec![(NEVER, 0); terms.group_count()],
            starts,
            now: Stamp { rf: 1, co: 1, values: 1 },
            round: 1,
            live: None,
            needed: HashMap::new(),
            rounds: Vec::new(),
            different: Vec::new(),
            scratch: Vec::new(),
            limits: limits.clone(),
            words: 0,
            gave_up: false,
            compiled,
        };
        evaluator.fill_base(skeleton);
        Some(evaluator)
    }

    /// Whether a limit was reached. Then nothing that was answered since counts.
    pub fn gave_up(&self) -> bool {
        self.gave_up
    }

    /// The same, which speaks of the first `visible` events only.
    pub(crate) fn showing(self, visible: usize) -> Self {
        Self { visible, ..self }
    }

    fn fill_base(&mut self, skeleton: &Execution) {
        let compiled = Arc::clone(&self.compiled);
        for index in 0..compiled.terms.len() {
            let id = TermId::new(index);
            if let Term::Base(name, sort) = &compiled.terms.node(id).term {
                let words = base_words(skeleton, name, *sort);
                load(self.buffer_mut(id), words.as_deref().unwrap_or_default());
            }
        }
        if compiled.uses_values {
            let values: Vec<_> = skeleton.events.iter().map(|event| &event.value).collect();
            self.set_values(&values);
        }
    }

    /// Sets the value of each event; only equality of values matters.
    pub fn set_values<V: PartialEq>(&mut self, values: &[V]) {
        self.now.values += 1;
        let Shape { n, stride, .. } = self.shape;
        self.different.clear();
        self.different.resize(n * stride, 0);
        for (row, a) in values.iter().enumerate() {
            for (column, b) in values.iter().enumerate() {
                if a != b {
                    self.different[row * stride + column / 64] |= 1 << (column % 64);
                }
            }
        }
    }

    fn buffer(&self, id: TermId) -> &[u64] {
        &self.bits[self.starts[id.index()]..self.starts[id.index() + 1]]
    }

    fn buffer_mut(&mut self, id: TermId) -> &mut [u64] {
        &mut self.bits[self.starts[id.index()]..self.starts[id.index() + 1]]
    }

    /// Chooses reads-from.
    pub fn set_rf(&mut self, rf: &Relation) {
        self.now.rf += 1;
        if let Some(id) = self.compiled.rf {
            self.choose(id, rf);
        }
    }

    /// Chooses coherence.
    pub fn set_co(&mut self, co: &Relation) {
        self.now.co += 1;
        if let Some(id) = self.compiled.co {
            self.choose(id, co);
        }
    }

    fn choose(&mut self, id: TermId, chosen: &Relation) {
        let (rows, stride) = (self.visible, self.shape.stride);
        let out = self.buffer_mut(id);
        let words = chosen.words();
        if words.len() == out.len() {
            out.copy_from_slice(words);
            return;
        }
        // Register events neither read from memory nor write to it.
        out.fill(0);
        let width = words.len().checked_div(rows).unwrap_or(0);
        for row in 0..rows {
            out[row * stride..][..width].copy_from_slice(&words[row * width..][..width]);
        }
    }

    /// Whether the current reads-from is forbidden whatever coherence is chosen. Only axioms that
    /// do not depend on coherence are asked, so `false` says nothing.
    pub fn forbidden_by_rf(&mut self) -> bool {
        let compiled = Arc::clone(&self.compiled);
        compiled.worlds.iter().all(|world| {
            let known = |axiom: &&Axiom| !axiom.dependence.co;
            world.axioms.iter().filter(known).any(|axiom| !self.holds(axiom))
        })
    }

    /// Whether the current choice, of which only a part has been made, is forbidden however the
    /// rest is chosen. Only axioms that are monotone in `rf` and `co` are asked, so `false` says
    /// nothing.
    pub fn forbidden_already(&mut self) -> bool {
        let compiled = Arc::clone(&self.compiled);
        compiled.worlds.iter().all(|world| {
            let known = |axiom: &&Axiom| axiom.monotone;
            world.axioms.iter().filter(known).any(|axiom| !self.holds(axiom))
        })
    }

    /// Whether the model allows the current choice.
    pub fn allowed(&mut self) -> bool {
        let compiled = Arc::clone(&self.compiled);
        compiled.worlds.iter().any(|world| world.axioms.iter().all(|axiom| self.holds(axiom)))
    }

    /// The relations that the model wants acyclic, as they are with the current choice, which is
    /// allowed.
    pub fn orders(&mut self) -> Vec<Relation> {
        let compiled = Arc::clone(&self.compiled);
        let mut worlds = compiled.worlds.iter();
        let world = worlds.find(|world| world.axioms.iter().all(|axiom| self.holds(axiom)));
        let axioms = world.into_iter().flat_map(|world| &world.axioms);
        let orders = axioms.filter(|axiom| axiom.test == Test::Acyclic && !axiom.negated);
        let mut found = Vec::new();
        for axiom in orders {
            self.run(axiom.term, &axiom.schedule);
            if let Shown::Relation(order) = self.shown(axiom.term).first(self.visible) {
                found.push(order);
            }
        }
        found
    }

    /// The flags that the current choice raises, if it is allowed.
    pub fn flags(&mut self) -> Vec<Flag> {
        self.outcome_without_shows().flags
    }

    /// Whether the model may raise a flag on this skeleton.
    pub fn has_flags(&mut self) -> bool {
        let compiled = Arc::clone(&self.compiled);
        let flags = || compiled.worlds.iter().flat_map(|world| &world.flags);
        if flags().next().is_none() {
            return false;
        }
        if self.live.is_none() {
            self.find_live(&compiled);
        }
        // `flag ~empty r` says nothing where `r` is empty whatever is chosen.
        let never = |axiom: &Axiom| {
            let speaks_of_some = axiom.test == Test::Empty && axiom.negated;
            let empty = self.live.as_ref().is_some_and(|live| live.is_empty(axiom.term));
            axiom.role == Role::Flag && speaks_of_some && empty
        };
        !flags().all(never)
    }

    /// Whether choices whose pairs of `rf`, `co` and `rf^-1; co` are the same inside strongly
    /// connected components get the same answers from [`Self::allowed`] and
    /// [`Self::forbidden_already`]: see [`crate::local`]. `node` names each event's node.
    pub fn decides_in_components(&mut self, node: impl Fn(EventId) -> usize) -> bool {
        if self.visible != self.shape.n {
            return false;
        }
        let compiled = Arc::clone(&self.compiled);
        if self.live.is_none() {
            self.find_live(&compiled);
        }
        let Some(live) = self.live.as_ref() else { return false };
        let mut within: Vec<Option<bool>> = vec![None; compiled.terms.len()];
        for &id in compiled.fixed.iter() {
            within[id.index()] = Some(match self.shown(id) {
                Shown::Set(_) => false,
                Shown::Relation(r) => r.iter().all(|(a, b)| node(a) == node(b)),
            });
        }
        let axioms = compiled.worlds.iter().flat_map(|world| &world.axioms);
        local::decides(&compiled, live, |id| within[id.index()], axioms)
    }

    /// Everything about the current choice.
    pub fn outcome(&mut self) -> Judgement {
        let mut outcome = self.outcome_without_shows();
        let compiled = Arc::clone(&self.compiled);
        let Some(world) = compiled.worlds.first() else { return outcome };
        for (name, id, schedule) in &world.shows {
            self.run(*id, schedule);
            outcome.shows.push((name.clone(), self.shown(*id).first(self.visible)));
        }
        outcome
    }

    fn outcome_without_shows(&mut self) -> Judgement {
        let compiled = Arc::clone(&self.compiled);
        let mut first_failure = None;
        let mut allowed = false;
        let mut flags: Vec<Flag> = Vec::new();
        for world in &compiled.worlds {
            if let Some(axiom) = world.axioms.iter().find(|axiom| !self.holds(axiom)) {
                first_failure.get_or_insert_with(|| Failure {
                    axiom: axiom.name.clone(),
                    test: axiom.test,
                    span: axiom.span,
                    events: self.culprits(axiom),
                });
                continue;
            }
            allowed = true;
            for axiom in &world.flags {
                // `flag` speaks when its test passes, the others when theirs fails.
                if self.holds(axiom) == (axiom.role == Role::Flag) {
                    let known = flags.iter().any(|flag| flag.name == axiom.name);
                    if !known {
                        let events = self.culprits(axiom);
                        flags.push(Flag { name: axiom.name.clone(), role: axiom.role, events });
                    }
                }
            }
        }
        let failed = if allowed { None } else { first_failure };
        Judgement { failed, flags, shows: Vec::new() }
    }

    fn shown(&self, id: TermId) -> Shown {
        let n = self.shape.n;
        let bits = if n == 0 { &[] } else { self.buffer(id) };
        match self.compiled.terms.sort(id) {
            Sort::Set => Shown::Set(EventSet::from_words(n, bits)),
            Sort::Relation => Shown::Relation(Relation::from_words(n, bits)),
        }
    }

    fn holds(&mut self, axiom: &Axiom) -> bool {
        if self.gave_up {
            return false;
        }
        self.run(axiom.term, &axiom.schedule);
        let mut scratch = std::mem::take(&mut self.scratch);
        let bits = self.buffer(axiom.term);
        let passes = match axiom.test {
            Test::Acyclic => kernel::is_acyclic(self.shape, bits, &mut scratch),
            Test::Irreflexive => kernel::is_irreflexive(self.shape, bits),
            Test::Empty => kernel::is_empty(bits),
        };
        self.scratch = scratch;
        passes != axiom.negated
    }

    /// The events that show why the test of `axiom`, just evaluated, does not pass.
    fn culprits(&self, axiom: &Axiom) -> Vec<EventId> {
        let mut events = self.all_culprits(axiom);
        events.retain(|event| event.index() < self.visible);
        events
    }

    fn all_culprits(&self, axiom: &Axiom) -> Vec<EventId> {
        match (axiom.test, self.shown(axiom.term)) {
            (Test::Acyclic, Shown::Relation(r)) => r.cycle().unwrap_or_default(),
            (Test::Irreflexive, Shown::Relation(r)) => {
                r.iter().find(|(a, b)| a == b).map(|(a, _)| vec![a]).unwrap_or_default()
            }
            (Test::Empty, Shown::Relation(r)) => {
                r.iter().next().map(|(a, b)| vec![a, b]).unwrap_or_default()
            }
            (_, Shown::Set(set)) => set.iter().take(1).collect(),
        }
    }

    /// The value of a closed term that depends on no choice.
    /// `None` if a limit was reached.
    pub(crate) fn static_value(&mut self, id: TermId) -> Option<Shown> {
        let terms = &self.compiled.terms;
        let mut schedule = terms.reachable(&[id]);
        schedule.retain(|&id| terms.node(id).open.is_empty());
        self.run(id, &schedule);
        (!self.gave_up).then(|| self.shown(id))
    }

    /// Computes the closed terms that `root` needs, of its schedule, and that are not up to date.
    fn run(&mut self, root: TermId, schedule: &[TermId]) {
        let compiled = Arc::clone(&self.compiled);
        if self.live.is_none() {
            self.find_live(&compiled);
        }
        let needed = match (self.needed.get(&root), &self.live) {
            (Some(needed), _) => Arc::clone(needed),
            (None, Some(live)) => {
                let needed: Arc<[TermId]> = live.needed(&compiled.terms, root, schedule).into();
                self.needed.insert(root, Arc::clone(&needed));
                needed
            }
            (None, None) => schedule.into(),
        };
        self.update(&compiled, &needed);
    }

    /// Computes what depends on no choice, and finds what is empty because of it. Buffers start
    /// empty, so what is found to be empty need not be computed.
    fn find_live(&mut self, compiled: &Compiled) {
        let terms = &compiled.terms;
        self.rounds = terms.groups().map(|group| group.rounds.as_slice().into()).collect();
        self.update(compiled, &compiled.fixed);
        let mut fixed = vec![false; terms.len()];
        compiled.fixed.iter().for_each(|id| fixed[id.index()] = true);
        let computed = |id: TermId| {
            let known = fixed[id.index()] && terms.node(id).open.is_empty();
            known.then(|| kernel::is_empty(self.buffer(id)))
        };
        let live = Live::new(terms, computed);
        let rounds = terms
            .groups()
            .map(|group| group.rounds.iter().copied().filter(|&id| !live.is_empty(id)).collect());
        self.rounds = rounds.collect();
        self.live = Some(live);
    }

    fn update(&mut self, compiled: &Compiled, schedule: &[TermId]) {
        for &id in schedule {
            let dependence = compiled.terms.node(id).dependence;
            if !self.stamps[id.index()].serves(self.now, dependence) {
                self.compute(compiled, id);
                self.stamps[id.index()] = self.now;
            }
        }
    }

    /// Computes one term from its operands.
    fn compute(&mut self, compiled: &Compiled, id: TermId) {
        self.words += self.starts[id.index() + 1] - self.starts[id.index()];
        if self.words > WORDS_PER_POLL {
            self.words = 0;
            self.gave_up |= self.limits.expired();
        }
        if self.gave_up {
            return;
        }
        if let Term::Fixpoint(group, index) = compiled.terms.node(id).term {
            self.iterate(compiled, group);
            let variable = compiled.terms.variable(group, index);
            self.copy(variable, id);
            return;
        }
        let shape = self.shape;
        let start = self.starts[id.index()];
        let length = self.starts[id.index() + 1] - start;
        // Operands have smaller ids, so their buffers lie before this one.
        let (before, rest) = self.bits.split_at_mut(start);
        let out = &mut rest[..length];
        let starts = &self.starts;
        let of = |id: TermId| &before[starts[id.index()]..starts[id.index() + 1]];
        match &compiled.terms.node(id).term {
            Term::Empty(_) => out.fill(0),
            Term::Universe => kernel::universe(shape, out),
            Term::Identity => {
                out.fill(0);
                for (i, row) in out.chunks_exact_mut(shape.stride).enumerate() {
                    row[i / 64] = 1 << (i % 64);
                }
            }
            // Filled when the evaluator was made or a choice was set; variables by `iterate`.
            Term::Base(..) | Term::Variable(..) | Term::Fixpoint(..) => {}
            Term::Events(set) => load(out, set.words()),
            Term::Pairs(relation) => load(out, relation.words()),
            &Term::Union(a, b) => kernel::union(out, of(a), of(b)),
            &Term::Intersection(a, b) => kernel::intersection(out, of(a), of(b)),
            &Term::Difference(a, b) => kernel::difference(out, of(a), of(b)),
            &Term::Complement(a) => kernel::complement(shape, out, of(a)),
            &Term::Product(s, t) => kernel::product(shape, out, of(s), of(t)),
            &Term::IdentityOn(s) => kernel::identity_on(shape, out, of(s)),
            &Term::RestrictDomain(s, r) => kernel::restrict_domain(shape, out, of(s), of(r)),
            &Term::RestrictRange(r, s) => kernel::restrict_range(shape, out, of(r), of(s)),
            &Term::Sequence(r, s) => kernel::sequence(shape, out, of(r), of(s)),
            &Term::Inverse(r) => kernel::inverse(shape, out, of(r)),
            &Term::Optional(r) => kernel::optional(shape, out, of(r)),
            &Term::Plus(r) => kernel::plus(shape, out, of(r)),
            &Term::Domain(r) => kernel::domain(shape, out, of(r)),
            &Term::Range(r) => kernel::range(shape, out, of(r)),
            &Term::DifferentValues(r) => kernel::intersection(out, of(r), &self.different),
        }
    }

    fn copy(&mut self, from: TermId, to: TermId) {
        let range = self.starts[from.index()]..self.starts[from.index() + 1];
        self.bits.copy_within(range, self.starts[to.index()]);
    }

    /// Computes a group's fixpoint into its variables, unless that has just been done.
    fn iterate(&mut self, compiled: &Compiled, id: GroupId) {
        let group = compiled.terms.group(id);
        let (stamp, round) = self.group_stamps[id.index()];
        let up_to_date = if group.open { round == self.round } else { stamp == self.now };
        if up_to_date {
            return;
        }
        let variables = &group.variables;
        for &variable in variables {
            self.buffer_mut(variable).fill(0);
        }
        let growing = |i: &usize| group.inflationary[*i];
        let (grow, others): (Vec<_>, Vec<_>) = (0..variables.len()).partition(growing);
        loop {
            // With the growing definitions given, the others have a least fixpoint.
            if !grow.is_empty() {
                for &i in &others {
                    self.buffer_mut(variables[i]).fill(0);
                }
            }
            while self.round_of(compiled, id, &others) && !self.gave_up {}
            if grow.is_empty() || self.gave_up || !self.round_of(compiled, id, &grow) {
                break;
            }
        }
        self.group_stamps[id.index()] = (self.now, self.round);
    }

    /// Evaluates the bodies of a group once and updates these variables; whether one changed.
    fn round_of(&mut self, compiled: &Compiled, id: GroupId, updated: &[usize]) -> bool {
        self.round += 1;
        let group = compiled.terms.group(id);
        let rounds = Arc::clone(&self.rounds[id.index()]);
        for &term in rounds.iter() {
            self.compute(compiled, term);
        }
        let mut changed = false;
        for &i in updated {
            let (variable, body) = (group.variables[i], group.bodies[i]);
            if self.buffer(variable) != self.buffer(body) {
                changed = true;
                self.copy(body, variable);
            }
        }
        changed
    }
}

/// Fills a buffer; with nothing if there are no bits (a missing word, or no events at all).
fn load(out: &mut [u64], words: &[u64]) {
    if words.is_empty() { out.fill(0) } else { out.copy_from_slice(words) }
}

/// The bits of a base word; `None` if the execution says nothing of it.
fn base_words(skeleton: &Execution, name: &str, sort: Sort) -> Option<Vec<u64>> {
    let same = match (name, sort) {
        ("rf" | "co", Sort::Relation) => return None,
        ("loc", Sort::Relation) => classes(skeleton, |event| event.location.clone()),
        ("int", Sort::Relation) => classes(skeleton, |event| Some(event.thread)),
        ("same-instr", Sort::Relation) => {
            let instruction = |event: &Event| Some((event.thread?, event.instruction));
            classes(skeleton, instruction).reflexive()
        }
        (_, Sort::Set) => return skeleton.sets.get(name).map(|set| set.words().to_vec()),
        (_, Sort::Relation) => skeleton.relations.get(name)?.clone(),
    };
    Some(same.words().to_vec())
}

/// Relates the events that have the same key; an event without one is unrelated.
fn classes<K: Eq + Hash>(skeleton: &Execution, key: impl Fn(&Event) -> Option<K>) -> Relation {
    let size = skeleton.events.len();
    let mut members: HashMap<K, EventSet> = HashMap::new();
    for (id, event) in skeleton.events.enumerate() {
        if let Some(key) = key(event) {
            members.entry(key).or_insert_with(|| EventSet::empty(size)).insert(id);
        }
    }
    members.values().fold(Relation::empty(size), |all, class| all.union(&class.product(class)))
}
