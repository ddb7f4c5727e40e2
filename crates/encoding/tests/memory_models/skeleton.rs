//! Small random graphs of events, with every execution of them written out.
//!
//! Nothing is meaningful about the events' annotations and dependencies: any set or relation that
//! a model mentions may hold anything. That is harder for an encoding than programs are, and the
//! evaluator, with which it is compared, does not care.

use encoding::graph::{Edges, Graph, Members, Node};
use execution::event::{Event, EventId, EventKind, Execution, ThreadId};
use execution::ids::{Id, IdVec};
use execution::relation::{EventSet, Relation};
use models::algebra::{Sort, Term, TermId};
use models::{Compiled, Model};
use sat::{Formula, Lit};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A source of choices that shrinks to zeros.
pub struct Dice(pub u64);

impl Dice {
    pub fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (z ^ (z >> 31)) % sides
    }
}

/// When an event is executed: always, or as its thread decides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum When {
    Always,
    If(bool),
}

/// An access's location: one of two, or the solver's choice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    Known(usize),
    Open,
}

#[derive(Clone, Debug)]
pub struct Spec {
    pub kind: EventKind,
    pub place: Place,
    pub when: When,
    pub same_instruction: bool,
}

/// Threads of events, and a seed for everything that a model may ask about them.
#[derive(Clone, Debug)]
pub struct Skeleton {
    pub threads: Vec<Vec<Spec>>,
    pub seed: u64,
}

/// A graph with its free literals.
pub struct Built {
    pub graph: Graph,
    specs: Vec<Option<(usize, Spec)>>,
    values: Vec<u64>,
    guards: Vec<Lit>,
    /// For accesses with an open place: whether it is the first.
    places: BTreeMap<EventId, Lit>,
    extras: Vec<Lit>,
}

const INITIAL: usize = 2;

impl Skeleton {
    pub fn build(&self, formula: &mut Formula, compiled: &Compiled) -> Built {
        let mut dice = Dice(self.seed);
        let guards: Vec<Lit> = self.threads.iter().map(|_| formula.fresh()).collect();
        let mut nodes = IdVec::new();
        let mut specs = Vec::new();
        let mut places = BTreeMap::new();
        for _ in 0..INITIAL {
            nodes.push(Node {
                thread: None,
                kind: EventKind::Write,
                instruction: 0,
                exec: Lit::TRUE,
            });
            specs.push(None);
        }
        for (thread, events) in self.threads.iter().enumerate() {
            let mut instruction = 0;
            for spec in events {
                instruction += u32::from(!spec.same_instruction);
                let exec = match spec.when {
                    When::Always => Lit::TRUE,
                    When::If(true) => guards[thread],
                    When::If(false) => !guards[thread],
                };
                let thread_id = Some(ThreadId::new(thread));
                let id = nodes.push(Node { thread: thread_id, kind: spec.kind, instruction, exec });
                specs.push(Some((thread, spec.clone())));
                if is_access(spec.kind) && spec.place == Place::Open {
                    places.insert(id, formula.fresh());
                }
            }
        }
        let size = nodes.len();
        let mut built = Built {
            graph: Graph {
                implies: Relation::identity(size),
                excludes: Relation::empty(size),
                nodes,
                sets: BTreeMap::new(),
                relations: BTreeMap::new(),
                loc: Edges::new(),
                rf: Edges::new(),
                next: Vec::new(),
                differ: Edges::new(),
            },
            specs,
            values: (0..size).map(|_| dice.roll(2)).collect(),
            guards,
            places,
            extras: Vec::new(),
        };
        built.guard_facts();
        built.locations(formula);
        built.reads_from(formula);
        built.words(formula, compiled, &mut dice);
        built
    }
}

fn is_access(kind: EventKind) -> bool {
    matches!(kind, EventKind::Read | EventKind::Write)
}

impl Built {
    fn ids(&self) -> Vec<EventId> {
        self.graph.nodes.ids().collect()
    }

    fn guard_facts(&mut self) {
        for a in self.ids() {
            for b in self.ids() {
                let (first, second) = (self.graph.nodes[a].exec, self.graph.nodes[b].exec);
                if first == second || second == Lit::TRUE {
                    self.graph.implies.insert(a, b);
                }
                if first == !second {
                    self.graph.excludes.insert(a, b);
                }
            }
        }
    }

    /// Whether an access is at the first location; `None` if it is no access.
    fn first_place(&self, event: EventId) -> Option<Lit> {
        match &self.specs[event.index()] {
            None => Some(Lit::constant(event.index() == 0)),
            Some((_, spec)) if !is_access(spec.kind) => None,
            Some((_, spec)) => Some(match spec.place {
                Place::Known(place) => Lit::constant(place == 0),
                Place::Open => self.places[&event],
            }),
        }
    }

    fn locations(&mut self, formula: &mut Formula) {
        for a in self.ids() {
            for b in self.ids() {
                if let (Some(first), Some(second)) = (self.first_place(a), self.first_place(b))
                    && a != b
                {
                    let same = formula.iff2(first, second);
                    if same != Lit::FALSE {
                        self.graph.loc.insert((a, b), same);
                    }
                }
                if self.values[a.index()] != self.values[b.index()] {
                    self.graph.differ.insert((a, b), Lit::TRUE);
                }
            }
        }
    }

    fn reads_from(&mut self, formula: &mut Formula) {
        for read in self.ids() {
            if self.graph.nodes[read].kind != EventKind::Read {
                continue;
            }
            let mut sources: Vec<Lit> = Vec::new();
            for write in self.ids() {
                let Some(&loc) = self.graph.loc.get(&(write, read)) else { continue };
                let apart = self.graph.excludes.contains(write, read);
                if self.graph.nodes[write].kind != EventKind::Write || apart {
                    continue;
                }
                let lit = formula.fresh();
                for needed in [loc, self.graph.nodes[write].exec, self.graph.nodes[read].exec] {
                    formula.clause(&[!lit, needed]);
                }
                self.graph.rf.insert((write, read), lit);
                for &other in &sources {
                    formula.clause(&[!lit, !other]);
                }
                sources.push(lit);
            }
            sources.push(!self.graph.nodes[read].exec);
            formula.clause(&sources);
        }
    }

    /// A literal for something that may be so, mostly known.
    fn perhaps(&mut self, formula: &mut Formula, dice: &mut Dice, rarely: u64) -> Option<Lit> {
        if dice.roll(rarely) != 0 {
            return None;
        }
        if dice.roll(3) == 0 && self.extras.len() < 2 {
            let lit = formula.fresh();
            self.extras.push(lit);
            return Some(lit);
        }
        Some(Lit::TRUE)
    }

    /// Fills the words that the model mentions.
    fn words(&mut self, formula: &mut Formula, compiled: &Compiled, dice: &mut Dice) {
        for index in 0..compiled.terms.len() {
            let Term::Base(name, sort) = &compiled.terms.node(TermId::new(index)).term else {
                continue;
            };
            match sort {
                Sort::Set => {
                    let members = self.members(formula, name, dice);
                    self.graph.sets.insert(name.clone(), members);
                }
                Sort::Relation => {
                    let edges = self.edges(formula, name, dice);
                    self.graph.relations.insert(name.clone(), edges);
                }
            }
        }
    }

    fn members(&mut self, formula: &mut Formula, name: &str, dice: &mut Dice) -> Members {
        let mut members = Members::new();
        for event in self.ids() {
            let node = self.graph.nodes[event];
            let lit = match name {
                "R" => Some(Lit::constant(node.kind == EventKind::Read)),
                "W" => Some(Lit::constant(node.kind == EventKind::Write)),
                "F" => Some(Lit::constant(node.kind == EventKind::Fence)),
                "IW" => Some(Lit::constant(node.thread.is_none())),
                _ => self.perhaps(formula, dice, 3),
            };
            if let Some(lit) = lit {
                members.insert(event, lit);
            }
        }
        members
    }

    fn edges(&mut self, formula: &mut Formula, name: &str, dice: &mut Dice) -> Edges {
        let mut edges = Edges::new();
        // An equivalence now and then, because those are treated specially.
        let blocks = matches!(name, "same-atomic" | "same-op" | "same-access");
        let equivalence = blocks && dice.roll(2) == 0;
        let ordinary = dice.roll(2) == 0;
        for a in self.ids() {
            for b in self.ids() {
                let (first, second) = (&self.graph.nodes[a], &self.graph.nodes[b]);
                let own = first.thread.is_some() && first.thread == second.thread;
                let lit = match name {
                    "rf" | "co" | "loc" | "int" | "same-instr" => None,
                    "po" => (own && a < b).then_some(Lit::TRUE),
                    _ if equivalence => {
                        (own && (a.index() / 3 == b.index() / 3)).then_some(Lit::TRUE)
                    }
                    "rmw" | "amo" if ordinary => {
                        let kinds =
                            (first.kind, second.kind) == (EventKind::Read, EventKind::Write);
                        (own && kinds && a.index() + 1 == b.index()).then_some(Lit::TRUE)
                    }
                    _ if blocks => self.perhaps(formula, dice, 6),
                    _ if own && a < b => self.perhaps(formula, dice, 3),
                    _ => None,
                };
                if let Some(lit) = lit {
                    edges.insert((a, b), lit);
                }
            }
        }
        edges
    }

    /// The literals that say which execution it is, apart from `co`.
    pub fn choices(&self) -> Vec<Lit> {
        let mut lits = self.guards.clone();
        lits.extend(self.places.values());
        lits.extend(&self.extras);
        lits
    }
}

/// One execution: what is chosen, and the events that are executed, by their new ids.
pub struct Candidate {
    /// Values of [`Built::choices`].
    pub choices: Vec<bool>,
    pub rf: Vec<(EventId, EventId)>,
    pub co: Vec<(EventId, EventId)>,
    pub execution: Execution,
}

impl Built {
    /// Calls `f` on every execution of the graph, allowed or not. `None` if there are too many.
    pub fn executions(&self, limit: usize, mut f: impl FnMut(Candidate)) -> Option<()> {
        let free = self.choices();
        let mut count = 0;
        for bits in 0..1u32 << free.len() {
            let choices: Vec<bool> = (0..free.len()).map(|i| bits >> i & 1 == 1).collect();
            let value = |lit: Lit| -> bool {
                if lit.is_constant() {
                    return lit == Lit::TRUE;
                }
                let at = free.iter().position(|l| l.variable() == lit.variable());
                choices[at.expect("a free literal")] == lit.is_positive()
            };
            let executed: Vec<EventId> =
                self.ids().into_iter().filter(|&e| value(self.graph.nodes[e].exec)).collect();
            let place = |event: EventId| self.first_place(event).map(value);
            // There are as many orders as ways to arrange the writes: not even to be listed.
            if self.orders(&executed, &place) > limit {
                return None;
            }
            for rf in self.all_rf(&executed, &place) {
                for co in self.all_co(&executed, &place) {
                    count += 1;
                    if count > limit {
                        return None;
                    }
                    let execution = self.execution(&executed, &value, &rf, &co);
                    let (choices, rf) = (choices.clone(), rf.clone());
                    f(Candidate { choices, rf, co, execution });
                }
            }
        }
        Some(())
    }

    /// How many coherence orders there are.
    fn orders(&self, executed: &[EventId], place: &dyn Fn(EventId) -> Option<bool>) -> usize {
        let factorial = |first: bool| -> usize {
            let here = |e: &&EventId| {
                let node = &self.graph.nodes[**e];
                let write = node.kind == EventKind::Write && node.thread.is_some();
                write && place(**e) == Some(first)
            };
            (1..=executed.iter().filter(here).count()).product()
        };
        factorial(true).saturating_mul(factorial(false))
    }

    fn all_rf(
        &self,
        executed: &[EventId],
        place: &dyn Fn(EventId) -> Option<bool>,
    ) -> Vec<Vec<(EventId, EventId)>> {
        let kind = |e: EventId| self.graph.nodes[e].kind;
        let mut all = vec![Vec::new()];
        for &read in executed.iter().filter(|&&e| kind(e) == EventKind::Read) {
            let sources = executed
                .iter()
                .filter(|&&w| kind(w) == EventKind::Write && place(w) == place(read));
            all = sources
                .flat_map(|&write| {
                    all.iter().map(move |rf: &Vec<_>| {
                        let mut rf = rf.clone();
                        rf.push((write, read));
                        rf
                    })
                })
                .collect();
        }
        all
    }

    fn all_co(
        &self,
        executed: &[EventId],
        place: &dyn Fn(EventId) -> Option<bool>,
    ) -> Vec<Vec<(EventId, EventId)>> {
        let mut all = vec![Vec::new()];
        for first in [true, false] {
            let initial = EventId::new(usize::from(!first));
            let here = |e: &&EventId| {
                let node = &self.graph.nodes[**e];
                let write = node.kind == EventKind::Write && node.thread.is_some();
                write && place(**e) == Some(first)
            };
            let writes: Vec<EventId> = executed.iter().filter(here).copied().collect();
            let mut next = Vec::new();
            for order in permutations(&writes) {
                let mut line = vec![initial];
                line.extend(order);
                for co in &all {
                    let mut co: Vec<(EventId, EventId)> = co.clone();
                    for (i, &a) in line.iter().enumerate() {
                        co.extend(line[i + 1..].iter().map(|&b| (a, b)));
                    }
                    next.push(co);
                }
            }
            all = next;
        }
        all
    }

    fn execution(
        &self,
        executed: &[EventId],
        value: &dyn Fn(Lit) -> bool,
        rf: &[(EventId, EventId)],
        co: &[(EventId, EventId)],
    ) -> Execution {
        let size = executed.len();
        let new = |e: EventId| executed.iter().position(|&x| x == e).map(EventId::new);
        let relation = |pairs: &[(EventId, EventId)]| {
            let mut relation = Relation::empty(size);
            for &(a, b) in pairs {
                if let (Some(a), Some(b)) = (new(a), new(b)) {
                    relation.insert(a, b);
                }
            }
            relation
        };
        let events = executed.iter().map(|&event| {
            let node = &self.graph.nodes[event];
            let name = |first: bool| Arc::from(if first { "x" } else { "y" });
            Event {
                thread: node.thread,
                kind: node.kind,
                location: self.first_place(event).map(value).map(name),
                value: Some(self.values[event.index()].to_string().into()),
                label: String::new(),
                instruction: node.instruction,
                source: None,
            }
        });
        let mut execution = Execution { events: events.collect(), ..Execution::default() };
        for (name, members) in &self.graph.sets {
            let mut set = EventSet::empty(size);
            for (&event, &lit) in members {
                if let (Some(event), true) = (new(event), value(lit)) {
                    set.insert(event);
                }
            }
            execution.sets.insert(name.clone(), set);
        }
        for (name, edges) in &self.graph.relations {
            let there: Vec<_> =
                edges.iter().filter(|(_, lit)| value(**lit)).map(|(&pair, _)| pair).collect();
            execution.relations.insert(name.clone(), relation(&there));
        }
        execution.relations.insert("rf".into(), relation(rf));
        execution.relations.insert("co".into(), relation(co));
        execution
    }
}

fn permutations(items: &[EventId]) -> Vec<Vec<EventId>> {
    let mut all = vec![Vec::new()];
    for (done, &item) in items.iter().enumerate() {
        let extend = |order: Vec<EventId>| {
            (0..=done).map(move |at| {
                let mut order = order.clone();
                order.insert(at, item);
                order
            })
        };
        all = all.into_iter().flat_map(extend).collect();
    }
    all
}

/// The model's algebra.
pub fn compiled(model: &Model) -> &Compiled {
    model.compiled().expect("a model that can be compiled")
}
