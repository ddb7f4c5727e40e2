//! All states of a program, one after the other, on a machine that does what a model says.
//!
//! Where a memory model is that of a machine (one memory; one memory with a store buffer for each
//! thread; lists of writes, and views of them), a program can be run on it in every possible way,
//! and states that were there before need not be visited again. Programs of few threads that
//! iterate many times have far fewer states than executions, and loops need no bound. Other models,
//! and programs with many possible values, are for the solver.
//!
//! - [`states`]: the engine that visits all states; [`interleavings`]: the one that visits the
//!   first.
//! - [`machine`]: what a state is, and the steps from it.
//! - [`search`]: all states, each visited once; and some executions, if these are many.
//! - [`reductions`]: what need not be told apart, so that there are fewer states.
//! - [`properties`]: what is lost in the end, and which threads never reach one.
//! - [`counterexamples`]: executions that show what was found, for the independent replay.
//!
//! An error here could miss a violation; it cannot invent one, because every witness is replayed
//! before it is shown.
//!
//! Soundness S-129 (verify; sc, tso; misses): The machines (one memory, or one memory with a
//! first-in first-out store buffer per thread) are tested, not proved, to be the cat texts of `sc`
//! and `tso`. Test:
//! crates/fencepost/tests/state_space/main.rs::states_and_solver_give_the_same_verdicts,
//! crates/models/tests/suite/operational.rs::sc_is_interleaving,
//! crates/models/tests/suite/operational.rs::tso_is_interleaving_with_store_buffers.

mod counterexamples;
pub mod interleavings;
mod machine;
mod properties;
mod reductions;
mod search;
pub mod states;

pub(crate) use machine::world::orders_stores_before_loads;
pub use machine::{Machine, Rules};

use crate::verdict::{Counterexample, Reason};
use crate::verification::Property;
use crate::verification::coverage::Coverage;
use crate::verification::outcomes::{Asked, Observed};
use execution::event::ThreadId;
use execution::finding::FindingKind;
use execution::witness::Witness;
use ir::program::{LocId, Program};
use machine::layout::{Layout, Prepared};
use machine::refusal::Refusal;
use reductions::sharing::Sharing;
use reductions::view::View;
use sat::{Limits, MemoryLimit};
use search::{Found, Search, Stopped};
use std::collections::BTreeMap;

/// So many states are visited at most if a loop that waits counts how often it tries, and somebody
/// else can be asked.
const COUNTED: usize = 200_000;

/// So many states are visited at most if only some values are tried.
const SAMPLED: usize = 200_000;

/// If there are more states than this, some executions are looked at first, for as long as it takes
/// to visit a part of so many states.
const FEW: usize = 2_000;
const WALKS: usize = 16_000;

/// What is to be found out.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Wanted {
    /// Properties, of those that [`knows`] names.
    pub properties: Vec<Property>,
    /// Whether signed overflow ends its thread, although that property is not among these.
    pub overflow: bool,
    /// Whether to find all that can be observed.
    pub outcomes: Asked,
    /// Whether to find which branches and assertions are come to.
    pub coverage: bool,
    /// Whether to explore all threads together, even if some are independent.
    pub together: bool,
    /// Whether to do without the symmetry of threads.
    pub no_symmetry: bool,
    /// Whether to try some values where there are too many to try all. What is found then is found,
    /// but not everything is.
    pub samples: bool,
    /// Whether executions are to say what allocations write that is undefined, as models of
    /// languages ask for it.
    pub allocations: bool,
    /// Whether to give up if states grow without an end, if they need half of the memory that is
    /// allowed, or if something is not supported and something else was found: somebody else is
    /// asked then.
    pub briefly: bool,
    /// What the machine with views does.
    pub rules: Rules,
    /// Whether to give up early if it is choices of single threads that make for many states.
    pub few_choices: bool,
}

/// What is known when all states have been visited, or as many as the limits allowed.
#[derive(Debug)]
pub struct Visited {
    /// Whether these are all states.
    pub all: bool,
    /// Whether there are more than were allowed.
    pub many: bool,
    /// Whether it is choices of single threads that make them many.
    pub chosen: bool,
    /// What is wrong; a property that was asked and is not here holds if these are all states.
    pub violations: BTreeMap<Property, Counterexample>,
    /// Which branches and assertions are come to.
    pub coverage: Coverage,
    /// What can be observed.
    pub outcomes: BTreeMap<Observed, Witness>,
    /// Whether an assumption fails in every execution that comes to a state without steps, and
    /// there is one.
    pub discarded: bool,
    /// Whether a thread may go on for ever and only read while others go on writing, or go on
    /// writing while others wait for ever: whether it waits for something is not known.
    pub busy: bool,
    /// Whether threads may wait for ever while others go on writing, but no execution that ends
    /// shows it.
    pub starved: bool,
    /// Whether some execution terminates, or reaches a state in which all its threads wait, with
    /// nothing wrong.
    pub ends: bool,
    /// Findings past which executions may go on, at which these end: the first of each property.
    pub cuts: Vec<(FindingKind, Option<LocId>)>,
    /// How many states were visited.
    pub states: usize,
    /// Whether a limit on time or memory has cut this short: asked again, there may be more.
    pub limited: bool,
    /// Whether the machine may have done what the model does not allow: what was found is to be
    /// confirmed.
    pub generous: bool,
    /// Of a machine with views: whether it cannot be excluded that there is a data race.
    pub races: bool,
    /// Of a machine with views: whether all threads terminate in every execution.
    pub terminates: bool,
}

/// Whether a property can be told from the states.
pub fn knows(property: Property) -> bool {
    match property {
        Property::Assert
        | Property::Memory
        | Property::Overflow
        | Property::Deadlock
        | Property::Liveness
        | Property::Leak => true,
        Property::Race => false,
    }
}

/// Visits all states of a program, but no more than `most` at a time.
pub fn visit(
    program: &Program,
    machine: Machine,
    wanted: &Wanted,
    limits: &Limits,
    most: usize,
) -> Result<Visited, Reason> {
    let prepared = Prepared::new(program);
    let overflow = wanted.overflow || wanted.properties.contains(&Property::Overflow);
    let mut sharing = Sharing::new(machine, !wanted.no_symmetry);
    // Each number that was counted makes states of its own.
    let most = if wanted.briefly && prepared.counts() { most.min(COUNTED) } else { most };
    let (mut samples, mut most) = (false, most);
    // Whether there are few states is tried first.
    let training = if machine.has_views() { wanted.rules.training } else { 0 };
    let mut few = most > FEW && !wanted.outcomes.is_some() || training > 0;
    let mut walks = false;
    let mut limited = false;
    let mut found = Found::default();
    let liveness = Property::Liveness;
    let half = limits.memory.as_ref().filter(|_| wanted.briefly).map(MemoryLimit::half);
    let own = &Limits { memory: half.or(limits.memory.clone()), ..limits.clone() };
    loop {
        let mut layout = prepared.layout(machine, overflow, sharing);
        layout.samples = samples;
        layout.allocations = wanted.allocations;
        layout.rules = wanted.rules;
        layout.limits = own.clone();
        layout.training.set(few && machine.has_views());
        let most_now = match few {
            true if machine.has_views() => training.min(most),
            true => FEW,
            false => most,
        };
        let views = Vec::new();
        let mut visit = Visit {
            layout: &layout,
            wanted,
            limits: own,
            most: most_now,
            walks,
            walked: false,
            states: 0,
            views,
        };
        let answer = visit.all(&mut found);
        limited |= matches!(answer, Err(Stopped::Limit));
        let stopped = match answer {
            Err(Stopped::Limit) if !limits.expired() => Some(Stopped::Many),
            Err(Stopped::Unsupported(what))
                if wanted.briefly
                    && !found.violations.is_empty()
                    && what.what != Refusal::ManyValues =>
            {
                Some(Stopped::Many)
            }
            answer => answer.err(),
        };
        let (all, states) = (stopped.is_none() && !samples, visit.states);
        let walked = visit.walked;
        found.generous |= layout.generous.get();
        found.races |= layout.races.get();
        match stopped {
            Some(Stopped::Many) if few => {
                (few, walks) = (false, !wanted.outcomes.is_some());
                sharing = layout.sharing.borrow().again();
            }
            None | Some(Stopped::Limit | Stopped::Many) => {
                let open = wanted.properties.contains(&liveness)
                    && !found.violations.contains_key(&liveness);
                if all && open && found.oscillates {
                    let machine = Machines { prepared: &prepared, machine, overflow };
                    let answer = machine.fairly(own, most, &mut found);
                    limited |= matches!(answer, Err(Stopped::Limit));
                    found.busy = !matches!(answer, Ok(true));
                }
                let Found { violations, coverage, outcomes, ends, discards, .. } = found;
                let Found { busy, starved, cuts, chosen, generous, races, terminates, .. } = found;
                let discarded = discards && !ends;
                let many = samples || stopped == Some(Stopped::Many);
                return Ok(Visited {
                    all,
                    many,
                    chosen,
                    violations,
                    coverage,
                    outcomes,
                    discarded,
                    busy,
                    starved,
                    ends,
                    cuts,
                    states,
                    limited,
                    generous,
                    races,
                    terminates,
                });
            }
            Some(Stopped::Learnt) => {
                walks &= !walked;
                found = Found::default();
                sharing = layout.sharing.borrow().again();
            }
            Some(Stopped::Unsupported(machine::step::Unsupported {
                what: Refusal::ManyValues,
                ..
            })) if wanted.samples && !samples => {
                (samples, most) = (true, most.min(SAMPLED));
                found = Found::default();
                sharing = layout.sharing.borrow().again();
            }
            Some(Stopped::Unsupported(machine::step::Unsupported { what, place })) => {
                return Err(Reason::Unsupported { what: what.to_string(), place });
            }
        }
    }
}

/// A program on a machine.
struct Machines<'a> {
    prepared: &'a Prepared,
    machine: Machine,
    overflow: bool,
}

impl Machines<'_> {
    /// Looks for fair executions that never end, with every step of every thread; gives whether
    /// there are no others than those that are found. That threads are symmetric, or that no thread
    /// notices one, is not used here: which thread makes a step matters.
    fn fairly(&self, limits: &Limits, most: usize, found: &mut Found) -> Result<bool, Stopped> {
        let wanted = Wanted { properties: vec![Property::Liveness], ..Wanted::default() };
        let mut sharing = Sharing::new(self.machine, false);
        loop {
            let mut layout = self.prepared.layout(self.machine, self.overflow, sharing);
            layout.limits = limits.clone();
            let mut again = Found::default();
            let answer = Search::fairly(&layout, &wanted, &mut again).run(limits, most);
            match answer {
                Err(Stopped::Learnt) => sharing = layout.sharing.borrow().again(),
                Err(stopped) => return Err(stopped),
                Ok(()) => {
                    found.violations.extend(again.violations);
                    return Ok(!again.busy);
                }
            }
        }
    }
}

/// One attempt, with what is known about sharing so far.
struct Visit<'a> {
    layout: &'a Layout<'a>,
    wanted: &'a Wanted,
    limits: &'a Limits,
    most: usize,
    /// Whether to look at some executions first.
    walks: bool,
    /// Whether that was done only to learn who accesses what.
    walked: bool,
    /// How many states were visited.
    states: usize,
    /// What the threads saw that were looked at apart from the others.
    views: Vec<(ThreadId, View)>,
}

impl Visit<'_> {
    fn all(&mut self, found: &mut Found) -> Result<(), Stopped> {
        let views = self.layout.machine.has_views();
        self.layout.training.set(self.layout.training.get() || views && self.walks);
        if self.walks && search::walks::walk(self.layout, self.wanted, found, self.limits, WALKS)? {
            return Ok(());
        }
        if views && self.walks {
            // What was learnt is relied on from here, so the states are those of a new layout.
            self.walked = true;
            return Err(Stopped::Learnt);
        }
        self.together(None, found)?;
        // Independent threads have still to be explored, one after the other.
        let mut thread = None;
        loop {
            thread = self.layout.sharing.borrow().unnoticed_after(thread);
            let Some(free) = thread.filter(|_| !self.wanted.outcomes.is_some()) else {
                return Ok(());
            };
            if self.wanted.together || !self.separately(free, found)? {
                self.together(thread, found)?;
            }
        }
    }

    /// Visits the states of all threads, of which those run at once that nobody notices, but for
    /// one perhaps.
    fn together(&mut self, free: Option<ThreadId>, found: &mut Found) -> Result<(), Stopped> {
        let mut search = Search::new(self.layout, self.wanted, (free, false), found);
        let answer = search.run(self.limits, self.most);
        self.states += search.states();
        if let Err(Stopped::Limit | Stopped::Many | Stopped::Unsupported(_)) = answer {
            // What was found so far was found.
            search.tell()?;
        }
        if self.limits.expired() {
            search.discard();
        }
        answer
    }

    /// Explores an independent thread separately from the others; gives whether that can be done.
    fn separately(&mut self, thread: ThreadId, found: &mut Found) -> Result<bool, Stopped> {
        let mut search = Search::new(self.layout, self.wanted, (Some(thread), true), found);
        if search.is_done() {
            return Ok(true);
        }
        let answer = search.run(self.limits, self.most);
        self.states += search.states();
        if let Err(Stopped::Limit | Stopped::Many) = answer {
            search.tell()?;
        }
        answer?;
        let view = View::new(&search, thread);
        let alike = |other: ThreadId| self.layout.sharing.borrow().are_alike(thread, other);
        if self.views.iter().any(|(other, seen)| alike(*other) && seen.shows_all_of(&view)) {
            return Ok(true);
        }
        let own = reductions::independent::explore(&mut search, thread, self.limits, self.most)?;
        self.states += own.unwrap_or_default();
        if own.is_some() && !search.is_done() {
            self.views.push((thread, view));
        }
        Ok(own.is_some())
    }
}
