//! Critical cycles: where a model may let a program do what sequential consistency forbids, found
//! in the program's text without running or unrolling anything.
//!
//! **Idea.** An execution that is not sequentially consistent has a cycle of program order and
//! communication (rf, co, fr), and a shortest one is *critical*: it has at most two accesses of each
//! thread, which follow each other on it, and at most three of each location. So it is enough
//! to search the abstract event graph for critical cycles: the accesses of the text ([`access`]),
//! program order with what certainly lies between two of them ([`between`]), and an edge between
//! accesses of different threads to possibly one object, one of which writes ([`graph`]). Whether a
//! model allows a cycle is asked of the model: a critical cycle, with its fences, annotations and
//! dependencies, is a candidate execution ([`shape`]), and the model's evaluator judges it. So
//! nothing here knows any model, and writes that reach threads one by one (Power, ARMv7) need no
//! rules of their own.
//!
//! **Papers.** Shasha, Snir, "Efficient and correct execution of parallel programs that share
//! memory", TOPLAS 1988; Alglave, Kroening, Nimal, Tautschnig, "Software verification for weak
//! memory via program transformation", ESOP 2013; Alglave, Kroening, Nimal, Poetzl, "Don't sit on
//! the fence", CAV 2014.
//!
//! **Deviations.** The papers have tables of what each architecture relaxes; here the model is
//! asked. Cycles of up to [`search::LONGEST`] pairs are enumerated; if there may be longer ones, or
//! too many, all pairs that may be relaxed and that the graph leads back to count as being on one.
//! Fences are chosen greedily ([`fences`]), where the papers solve a linear program.
//!
//! **Errors.** A cycle too many costs a fence or a look; a missed one would hide a bug. So what is
//! between two accesses counts only if it is there on every path, an address that is not known is
//! any of its object, all heap blocks are one object, and locks are only what their accesses order.
//!
//! Soundness S-340 (cycles; all; misses): A cycle is judged as an execution of its own accesses
//! alone, on the argument that more events and edges only forbid more; for a model of a user's that
//! allows an execution because of what else is in it, a cycle may be missed. Test:
//! crates/cycles/tests/corpus.rs::what_breaks_by_weak_memory_has_a_cycle.
//!
//! Soundness S-341 (cycles; all; cries wolf): A cycle is of accesses in the text: whether values,
//! branches, indices or locks exclude it is not considered. Test:
//! crates/cycles/tests/shapes.rs::what_a_lock_protects_may_still_be_reported.
//!
//! Soundness S-342 (cycles; all; misses): Accesses of the initial thread before the first start of a
//! thread, or after as many waits for threads as threads are started, are on no cycle; a thread that
//! is awaited twice is an error that only `verify` finds. The same goes for what follows a claim that
//! never holds. Test:
//! crates/cycles/tests/corpus.rs::what_breaks_by_weak_memory_has_a_cycle.
//!
//! Soundness S-343 (cycles; languages; misses): The operands of an operator of C are taken as
//! ordered from left to right where a cycle needs them from right to left. Test: untested.
//!
//! Soundness S-344 (cycles; all; misses): Two parts of what another thread accesses as a whole are
//! taken for ordered if they are where everything else is. Test:
//! crates/cycles/tests/corpus.rs::what_breaks_by_weak_memory_has_a_cycle.
//!
//! Soundness S-345 (cycles; weak; misses): The end of a stack object's lifetime is not an access, so
//! what another thread does with it too late is on no cycle: of 401 programs of the corpus on
//! models that break by weak memory, three have no cycle, all of
//! corpus/verify/memory/local_acknowledged_early.c. Test:
//! crates/cycles/tests/corpus.rs::what_breaks_by_weak_memory_anywhere_in_the_corpus_has_a_cycle.

mod access;
mod between;
mod fences;
mod flow;
mod graph;
mod involved;
mod search;
mod shape;
mod sources;
mod threads;
mod values;

use access::Reader;
use execution::diagnostic::Diagnostic;
use execution::ids::Id;
use fences::places;
use flow::StepId;
use graph::Graph;
use ir::points_to::PointsTo;
use ir::program::{LocId, Program, public_name};
use limits::Limits;
use models::{Model, Unevaluated};
use replay::language::language_of;
use search::search;
use shape::Judge;
use std::collections::BTreeSet;
use threads::{MANY, Root};

pub use fences::Place;
pub use involved::{Involved, Touch, involved};
pub use sources::{Facts, Known, Places, Sources, Unclear, sources};

/// What the analysis of a program on a model says.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// The critical cycles that the model allows, shortest first; not all of them if there are very
    /// many.
    pub cycles: Vec<Cycle>,
    /// How many there are.
    pub count: usize,
    /// Pairs of accesses that the model may relax and that may be on cycles longer than those that
    /// are enumerated.
    pub longer: Vec<Order>,
    /// Where fences cut all cycles.
    pub fences: Vec<Fence>,
    /// Pairs that need a fence where the user can write none.
    pub hidden: Vec<Order>,
    /// How many accesses the text of the threads makes.
    pub accesses: usize,
    /// How many of these are on a cycle.
    pub on_cycles: usize,
    /// The functions that threads begin with, and how many threads there may be of each; `None`
    /// for any number.
    pub threads: Vec<(String, Option<u32>)>,
}

/// A cycle: its pairs in order. The second access of each communicates with the first of the next.
#[derive(Clone, Debug)]
pub struct Cycle {
    /// The pairs, each with the access of a third thread through which it communicates with the
    /// next one, if it is not directly.
    pub parts: Vec<(Order, Option<Point>)>,
    /// Whether no fence keeps the model from allowing it.
    pub uncut: bool,
}

/// Two accesses of a thread, one before the other.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Order {
    /// The first access.
    pub first: Point,
    /// The second one.
    pub second: Point,
    /// Whether the model may relax their order, so that a fence is needed.
    pub relaxed: bool,
}

/// An access of the text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Point {
    /// Where the user wrote it, or the call of the library's function that makes it.
    pub place: Option<LocId>,
    /// What the source calls what it accesses.
    pub path: Option<String>,
    /// `read`, `write` or `update`.
    pub what: &'static str,
    /// The function with which its thread begins.
    pub thread: String,
}

/// A fence that is suggested.
#[derive(Clone, Debug)]
pub struct Fence {
    /// Where.
    pub place: Place,
    /// The access that it is directly before or after.
    pub point: Point,
}

/// Why there is no analysis.
#[derive(Clone, Debug)]
pub enum Failed {
    /// The model cannot judge executions.
    Model(Box<Diagnostic>),
    /// A limit was reached.
    GaveUp,
}

impl From<Unevaluated> for Failed {
    fn from(why: Unevaluated) -> Self {
        match why {
            Unevaluated::Model(diagnostic) => Failed::Model(diagnostic),
            Unevaluated::GaveUp => Failed::GaveUp,
        }
    }
}

/// Finds the critical cycles of a program that is compiled for a model.
pub fn analyse(program: &Program, model: &Model, limits: &Limits) -> Result<Analysis, Failed> {
    let known = PointsTo::of(program);
    let roots = threads::roots(program, &known);
    let language = language_of(model);
    let reader = Reader { known: &known, shared: known.shared(false), language };
    let mut judge = Judge::new(model, limits.clone());
    let graph = Graph::of(&roots, &reader, &mut judge);
    let found = search(&graph, &mut judge)?;
    Ok(View { program, graph: &graph, roots: &roots }.analysis(&found))
}

/// What is needed to say where things are.
struct View<'v, 'p> {
    program: &'p Program,
    graph: &'v Graph,
    roots: &'v [Root<'p>],
}

impl View<'_, '_> {
    /// What is reported of the cycles that were found.
    fn analysis(&self, found: &search::Search) -> Analysis {
        let cut: BTreeSet<usize> = found.relaxed.union(&found.longer).copied().collect();
        let (places, hidden) = places(self.program, self.graph, self.roots, &cut);
        let cycles = found.cycles.iter().map(|cycle| {
            let parts = cycle.parts.iter().enumerate().map(|(position, &(pair, single))| {
                let order = self.order(pair, cycle.relaxed.contains(&position));
                let steps = |single: usize| self.graph.classes[single].steps[0];
                (order, single.map(|single| self.point(single, steps(single))))
            });
            Cycle { parts: parts.collect(), uncut: cycle.uncut }
        });
        Analysis {
            cycles: cycles.collect(),
            count: found.seen.len(),
            longer: found.longer.iter().map(|&pair| self.order(pair, true)).collect(),
            fences: places.into_iter().filter_map(|place| self.fence(place)).collect(),
            hidden: hidden.into_iter().map(|pair| self.order(pair, true)).collect(),
            accesses: self.graph.accesses,
            on_cycles: self.on_cycles(found),
            threads: self.threads(),
        }
    }

    fn thread(&self, root: usize) -> String {
        public_name(&self.program.functions[self.roots[root].function].name).to_string()
    }

    fn point(&self, class: usize, step: StepId) -> Point {
        let class = &self.graph.classes[class];
        let flow = &self.roots[class.root].flow;
        let step = flow.users_step(step);
        Point {
            place: flow.steps[step].place,
            path: class.path.clone(),
            what: class.deed.words(),
            thread: self.thread(class.root),
        }
    }

    fn order(&self, pair: usize, relaxed: bool) -> Order {
        let pair = &self.graph.pairs[pair];
        let (first, second) = pair.steps[0];
        Order {
            first: self.point(pair.first, first),
            second: self.point(pair.second, second),
            relaxed,
        }
    }

    /// The access at which a fence is.
    fn fence(&self, place: Place) -> Option<Fence> {
        let pairs = self.graph.pairs.iter().flat_map(|pair| {
            let class = if place.before { pair.second } else { pair.first };
            let end = move |&(a, b): &(StepId, StepId)| if place.before { b } else { a };
            pair.steps.iter().map(move |steps| (class, end(steps)))
        });
        let mut points = pairs.map(|(class, step)| self.point(class, step));
        let point = points.find(|point| point.place == Some(place.at))?;
        Some(Fence { place, point })
    }

    fn on_cycles(&self, found: &search::Search) -> usize {
        let pairs = found.seen.iter().flatten().chain(&found.longer);
        let pairs: BTreeSet<usize> = pairs.copied().collect();
        let steps = pairs.into_iter().flat_map(|pair| {
            let pair = &self.graph.pairs[pair];
            let root = self.graph.classes[pair.first].root;
            pair.steps.iter().flat_map(move |&(a, b)| [(root, a), (root, b)])
        });
        steps.map(|(root, step)| (root, step.index())).collect::<BTreeSet<_>>().len()
    }

    fn threads(&self) -> Vec<(String, Option<u32>)> {
        let counted = |(root, threads): (usize, &Root<'_>)| {
            (self.thread(root), (threads.count < MANY).then_some(threads.count))
        };
        self.roots.iter().enumerate().map(counted).collect()
    }
}
