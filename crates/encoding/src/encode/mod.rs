//! A program under a model as one formula, with the questions that can be asked of it.
//!
//! Every solution is one execution. A thread may stop before any of its accesses, so that an
//! execution in which another thread goes wrong, or goes beyond a bound, need not be complete;
//! that all threads come to their ends is an assumption ([`Encoding::complete`]). What is wrong
//! with an execution stops the thread in which it happens.

mod beginnings;
mod beyond;
mod commits;
mod events;
mod findings;
mod goals;
mod last_words;
mod leaks;
mod lifetimes;
mod locks;
mod mutexes;
mod observe;
mod order;
mod outcomes;
mod paths;
mod pieces;
mod polling;
mod reuse;
mod sections;
mod simplify;
mod small;
mod stuck;
mod symmetry;
mod thin_air;
mod threads;
mod unwritten;
mod witness;

pub use beyond::writes_justify_reads;
pub use findings::Finding;
pub use last_words::LastWords;
pub use locks::Held;
pub use observe::{Observations, Observed};
pub use outcomes::{Enumeration, Outcome, Seen, Unknown};
pub use stuck::{Spin, Stuck};

use crate::bounded::{ActionId, BoundHit, Bounded, InstanceKey};
use crate::graph::{Edges, Graph};
use crate::memory::{self, Memory};
use crate::unroll::{self, Language, Unsupported};
use crate::values::{self, Values};
use commits::Commits;
use execution::event::{EventId, ThreadId};
use execution::ids::Id;
use ir::program::{Program, Width};
use ir::value::{RegionId, Value};
use models::Model;
use sat::{Answer, BackendKind, Formula, Journal, Limits, Lit};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

/// How to encode.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Which executions to encode.
    pub scope: Scope,
    /// How far to unroll.
    pub unroll: unroll::Options,
    /// The language of the program (the one among the options above is not looked at); that of
    /// programs for the model, if not given.
    pub language: Option<Language>,
    /// How to look at values.
    pub values: values::Options,
    /// How to look at mutexes.
    pub mutexes: Mutexes,
    /// Whether to look at one of the executions that differ only in which of several threads that
    /// are alike does what.
    pub symmetry: bool,
    /// Whether what goes wrong after a read from a freed block is told as well, though it may be a
    /// consequence of that. The formula is easier.
    pub consequences: bool,
    /// How to keep relations acyclic; by size if not given.
    pub strategy: Option<sat::order::Strategy>,
    /// Which solver.
    pub backend: BackendKind,
    /// When to give up, here and in the solver.
    pub limits: Limits,
    /// What the first thread may choose, one list for each beginning; anything, if there is none.
    pub beginnings: Vec<Vec<Value>>,
    /// Told every query.
    pub journal: Option<Journal>,
}

/// How mutexes are encoded. The executions are the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Mutexes {
    /// What is known about critical sections is said.
    #[default]
    Direct,
    /// Their words are memory like any other.
    Atomics,
}

/// Which executions are encoded.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Scope {
    /// All: threads may stop anywhere, go wrong, and go beyond bounds.
    #[default]
    Every,
    /// Those in which every thread comes to its end within the bounds and nothing is wrong. The
    /// formula is smaller, and the solver sees more of it from the start.
    Complete,
    /// Those in which every thread comes to its end within the bounds, or waits there for ever,
    /// and nothing else is wrong.
    Waiting,
}

impl Scope {
    /// Whether threads may stop anywhere, go wrong, and go beyond bounds.
    fn is_every(self) -> bool {
        self == Scope::Every
    }
}

/// An event of the graph: an action, or the part of one that is at one cell.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Source {
    /// The initial write of a cell.
    Initial(Cell),
    /// An access or a fence; of an access in parts, the first part.
    Action(ActionId),
    /// The part of an access that begins with this byte of it, which is not the first.
    Part(ActionId, u64),
    /// What a `free`, or the end of another object, does to one cell.
    Freed(ActionId, Cell),
    /// What an allocation does to one cell of a block that is used again.
    Filled(ActionId, Cell),
}

impl Source {
    /// The part of an access that begins with this byte of it.
    fn part(id: ActionId, byte: u64) -> Source {
        if byte == 0 { Source::Action(id) } else { Source::Part(id, byte) }
    }

    /// The byte of an access with which this part of it begins.
    fn byte(self) -> u64 {
        if let Source::Part(_, byte) = self { byte } else { 0 }
    }

    /// The action that it comes from; `None` for an initial write.
    fn action(self) -> Option<ActionId> {
        match self {
            Source::Initial(_) => None,
            Source::Action(id)
            | Source::Part(id, _)
            | Source::Freed(id, _)
            | Source::Filled(id, _) => Some(id),
        }
    }

    /// The access that it is, or is a part of.
    fn access(self) -> Option<ActionId> {
        match self {
            Source::Action(id) | Source::Part(id, _) => Some(id),
            Source::Initial(_) | Source::Freed(..) | Source::Filled(..) => None,
        }
    }
}

/// A location.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Cell {
    pub(crate) address: u64,
    pub(crate) width: Width,
}

/// A program under a model, as a formula.
pub struct Encoding<'p> {
    pub(crate) scope: Scope,
    pub(crate) program: &'p Program,
    /// The program, unrolled.
    pub bounded: Arc<Bounded>,
    /// The formula.
    pub formula: Formula,
    pub(crate) values: Values,
    pub(crate) sources: Vec<Source>,
    pub(crate) events: HashMap<Source, EventId>,
    pub(crate) graph: Graph,
    pub(crate) co: Edges,
    pub(crate) lives: threads::Lives,
    /// What the cells hold at first.
    pub(crate) initial: BTreeMap<Cell, crate::term::TermId>,
    /// What a block holds that is used again, by width: undefined, or zero.
    pub(crate) refills: [HashMap<Width, crate::term::TermId>; 2],
    commits: Commits,
    findings: Vec<Finding>,
    bounds: Vec<Lit>,
    complete: Lit,
    /// The flags of the model, with the literals that say that they are raised.
    pub flags: Vec<memory::Flag>,
    /// By thread, those that are like it, where executions are looked at up to exchanging them.
    alike: BTreeMap<ThreadId, Vec<ThreadId>>,
}

impl<'p> Encoding<'p> {
    /// Encodes a program under a model. If the limits are reached meanwhile
    /// ([`Limits::expired`]), there is an error too.
    pub fn new(
        program: &'p Program,
        model: &Model,
        options: &Options,
    ) -> Result<Self, Unsupported> {
        let language = options.language.unwrap_or_else(|| Language::of(model));
        let mut unrolling = options.unroll.clone();
        unrolling.language = language;
        unrolling.limits = options.limits.clone();
        unrolling.by_text = writes_justify_reads(model, language);
        unrolling.reduce_polling = unrolling.reduce_spin_loops;
        unrolling.races = model.raises_flags();
        let in_parts = model.knows_mixed_sizes();
        let (mut bounded, mut sets) = lifetimes::unrolled(program, options, &unrolling, in_parts)?;
        if !polling::is_unseen(&mut bounded, program, &sets, model) {
            unrolling.reduce_polling = false;
            (bounded, sets) = lifetimes::unrolled(program, options, &unrolling, in_parts)?;
        }
        if model.looks_at_registers() {
            let what = format!("the model {} computes dependencies from registers", model.name);
            return Err(Unsupported::new(what, None));
        }
        let compiled = model.compiled().ok_or_else(|| {
            let what = format!("the model {} looks at each execution by itself", model.name);
            Unsupported::new(what, None)
        })?;
        if !model.knows_atomic_sections()
            && let Some(action) = sections::larger_than_an_update(&mut bounded)
        {
            let name = &model.name;
            let inside = action.origin.library_function(program);
            let inside = inside.map_or(String::new(), |function| format!(" in `{function}`"));
            let what = format!(
                "an atomic section of several accesses{inside}, to which the model {name} gives \
                 no meaning"
            );
            return Err(Unsupported::new(what, action.origin.users_place(program)));
        }
        let cells = events::cells(&mut bounded, program, &sets)?;
        let undefined = events::constants(&mut bounded, &cells, Value::undef);
        let zero = events::constants(&mut bounded, &cells, |width| Value::int(width, 0));
        let updates = events::updates(&bounded);
        let paths = paths::Paths::new(&mut bounded, &options.limits)?;
        let of_mutexes = match options.mutexes {
            Mutexes::Direct => mutexes::accesses(&bounded, model),
            Mutexes::Atomics => HashSet::new(),
        };
        let choices = match options.beginnings.is_empty() {
            true => None,
            false => beginnings::choices(&mut bounded),
        };
        let ending = bounded.ending();
        let bounded = Arc::new(bounded);
        let values = Values::new(bounded.clone(), sets);
        let mut builder = Builder {
            scope: options.scope,
            consequences: options.consequences,
            language,
            full_fence: model.full_fence(),
            whole_operations: model.knows_operations(),
            formula: formula(options),
            bounded,
            paths,
            values,
            cells,
            undefined,
            zero,
            updates,
            ending,
            of_mutexes,
            numbers: HashSet::new(),
            sources: Vec::new(),
            events: HashMap::new(),
            findings: Vec::new(),
        };
        builder.begin(choices.as_deref(), &options.beginnings);
        let lives = builder.lives()?;
        let graph = builder.graph(&lives, model)?;
        builder.undefined_from_something(&graph, model);
        let mut commits = builder.commits(&lives);
        let strategy = options.strategy;
        let Memory { co, flags, orders, .. } = memory::encode_ordered(
            &mut builder.formula,
            &graph,
            compiled,
            strategy,
            &commits.edges,
        )
        .map_err(|problem| Unsupported::new(problem.construct, None))?;
        commits.orders = orders;
        commits.follow(&mut builder.formula, &co);
        commits.follow(&mut builder.formula, &graph.rf);
        unroll::in_time(&options.limits)?;
        builder.overwritten(&lives, &graph, &co)?;
        builder.hide_broken_sections(&graph);
        builder.stuck(&lives, &graph, &co);
        unroll::in_time(&options.limits)?;
        let classes = if options.symmetry { builder.alike(&graph) } else { Vec::new() };
        builder.in_order_of_numbers(&classes, &lives, &graph, &co);
        let alike = symmetry::others(&classes);
        let bounds = builder.bound_hits(&lives);
        builder.one_unfinished_operation(&bounds);
        let complete = builder.completeness(&lives, &bounds);
        let refills = [builder.undefined.clone(), builder.zero.clone()];
        let Builder { formula, bounded, values, cells, sources, events, findings, .. } = builder;
        Ok(Self {
            scope: options.scope,
            program,
            bounded,
            formula,
            values,
            sources,
            events,
            graph,
            co,
            lives,
            initial: cells,
            refills,
            commits,
            findings,
            bounds,
            complete,
            flags,
            alike,
        })
    }

    /// True in solutions in which every thread comes to its end and nothing is wrong.
    pub fn complete(&self) -> Lit {
        self.complete
    }

    /// A literal that is true only if a thread comes to its end, within the bounds.
    pub fn ends(&mut self, thread: ThreadId) -> Lit {
        let bounds = self.bounded.bounds.iter().zip(&self.bounds);
        let within = bounds.filter(|(hit, _)| hit.moment.thread == thread).map(|(_, &lit)| !lit);
        let all: Vec<Lit> = within.chain([self.lives.to_the_end(thread)]).collect();
        self.formula.and(&all)
    }

    /// What may be wrong.
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// A literal that is true iff something is wrong with an access and its thread goes on all the
    /// same, because it takes the others to see that. That it does is nothing to report: where it
    /// stops instead, before the access, everything else happens as well.
    pub fn unnoticed(&mut self) -> Lit {
        let unnoticed = self.findings.iter().filter(|finding| !finding.stops);
        let lits: Vec<Lit> = unnoticed.map(|finding| finding.wrong).collect();
        self.formula.or(&lits)
    }

    /// What may be wrong in these threads, from their beginnings to their ends.
    pub fn wrong_in(&self, threads: &BTreeSet<ThreadId>) -> Vec<Lit> {
        let own = |&thread: &ThreadId| -> Vec<Lit> {
            let there = self.findings.iter().filter(|finding| finding.thread == thread);
            there.map(|finding| finding.wrong).collect()
        };
        side_by_side(threads.iter().map(own).collect())
    }

    /// The loops of these threads, each with the literal that says that it goes on beyond its
    /// bound, from the beginnings of the threads to their ends.
    pub fn beyond_in(&self, threads: &BTreeSet<ThreadId>) -> Vec<(InstanceKey, Lit)> {
        let own = |&thread: &ThreadId| -> Vec<(InstanceKey, Lit)> {
            let bounds = self.bounded.bounds.iter().zip(&self.bounds);
            let there = bounds.filter(|(hit, _)| hit.moment.thread == thread);
            there.map(|(hit, &lit)| (hit.key.clone(), lit)).collect()
        };
        side_by_side(threads.iter().map(own).collect())
    }

    /// Tells the solver that nothing is wrong in any execution, as has been shown.
    pub fn nothing_is_wrong(&mut self) {
        for finding in &self.findings {
            self.formula.clause(&[!finding.wrong]);
        }
    }

    /// Tells the solver that no execution goes beyond a bound, as has been shown.
    pub fn nothing_is_beyond(&mut self) {
        for &bound in &self.bounds {
            self.formula.clause(&[!bound]);
        }
    }

    /// After a solution: the bounds that it goes beyond.
    pub fn exceeded(&self) -> Vec<&BoundHit> {
        let hit = |&(_, &lit): &(&BoundHit, &Lit)| self.formula.value(lit);
        self.bounded.bounds.iter().zip(&self.bounds).filter(hit).map(|(bound, _)| bound).collect()
    }

    /// After a solution: the size of the block that an allocation asks for in it.
    pub fn size_asked(&self, hit: &BoundHit) -> Option<u64> {
        hit.size.map(|term| self.value_of(term))
    }

    /// After a solution: the number that a term is in it.
    pub fn value_of(&self, term: crate::term::TermId) -> u64 {
        self.values.decode(&self.formula, term).low()
    }

    /// A literal that is true iff an allocation asks for this size.
    pub fn asks_for(&mut self, term: crate::term::TermId, size: u64) -> Lit {
        let value = Value::int(self.bounded.terms.width(term), size.into());
        self.values.is(&mut self.formula, term, &value)
    }

    /// The same loop in the threads that are like the one that goes beyond a bound.
    pub fn alike(&self, hit: &BoundHit) -> Vec<BoundHit> {
        let others = self.alike.get(&hit.moment.thread).into_iter().flatten();
        let with = |&other: &ThreadId| {
            let key = std::iter::once(other.index() as u32).chain(hit.key.iter().skip(1).copied());
            let moment = crate::bounded::Moment { thread: other, ..hit.moment };
            BoundHit { moment, key: key.collect(), origin: hit.origin.clone(), ..*hit }
        };
        others.map(with).collect()
    }

    /// After a solution: what is wrong in it.
    pub fn found(&self) -> Vec<&Finding> {
        self.findings.iter().filter(|finding| self.formula.value(finding.wrong)).collect()
    }

    /// Looks for an execution.
    pub fn solve(&mut self, assumptions: &[Lit]) -> Answer {
        self.formula.solve(assumptions)
    }
}

fn formula(options: &Options) -> Formula {
    let mut formula = Formula::new(options.backend);
    formula.set_limits(options.limits.clone());
    if let Some(journal) = &options.journal {
        formula.set_journal(journal.clone());
    }
    formula
}

/// Several lists as one, in which each comes as far as the others at any time.
fn side_by_side<T>(lists: Vec<Vec<T>>) -> Vec<T> {
    let mut all = Vec::new();
    for list in lists {
        let length = list.len();
        // Compared as fractions of their lists; one after the other where these are equal.
        all.extend(list.into_iter().enumerate().map(|(index, item)| ((index + 1, length), item)));
    }
    all.sort_by(|((a, of_a), _), ((b, of_b), _)| (a * of_b).cmp(&(b * of_a)));
    all.into_iter().map(|(_, item)| item).collect()
}

/// What is needed to build an encoding.
pub(crate) struct Builder {
    scope: Scope,
    consequences: bool,
    language: Language,
    full_fence: &'static [&'static str],
    /// Whether operations are units, so that no thread stops inside of one.
    whole_operations: bool,
    formula: Formula,
    bounded: Arc<Bounded>,
    paths: paths::Paths,
    values: Values,
    /// The locations that may be accessed.
    cells: BTreeMap<Cell, crate::term::TermId>,
    /// The undefined value of each width.
    undefined: HashMap<Width, crate::term::TermId>,
    /// The zero of each width.
    zero: HashMap<Width, crate::term::TermId>,
    /// The reads of instructions that also write.
    updates: HashSet<ActionId>,
    /// The objects whose ends are actions.
    ending: BTreeSet<RegionId>,
    /// The accesses of words of mutexes that are encoded directly.
    of_mutexes: HashSet<ActionId>,
    /// Those of them whose words are known to hold nothing but numbers of threads.
    numbers: HashSet<ActionId>,
    sources: Vec<Source>,
    events: HashMap<Source, EventId>,
    findings: Vec<Finding>,
}
