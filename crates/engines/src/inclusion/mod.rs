//! The inclusion check: does every execution show its clients what some serial execution shows?
//!
//! Burckhardt, Alur, Martin, *CheckFence*, PLDI 2007, section 3. The observation set is known
//! beforehand ([`serial`](crate::serial)). Three questions are asked: is there an execution in
//! which something goes wrong; is there a complete one whose observation is not in the set; is
//! there one that leaves the bounds. A yes to the last extends exactly the loops that an execution
//! can leave, until nothing leaves them (the answer is then a proof) or they are as long as the
//! user allows. Of threads that do the same, one is asked for all ([`symmetry`]).
//!
//! An error in the encoding could miss a violation; it cannot invent one, because every witness is
//! replayed before it is shown.

mod outside;
mod symmetry;

use crate::serial::{Automaton, Observation, ObservationSet, Seen};
use crate::test::compose::Composed;
use crate::verdict::{Bound, Counterexample, Reason, Statistics, Verdict, Violation};
use encoding::bounded::{ActionKind, BoundHit, InstanceKey};
use encoding::encode::{self, Encoding, Finding, Scope};
use execution::event::ThreadId;
use execution::ids::Id;
use ir::step::finding::FindingKind;
use models::Model;
use sat::cpu::Stopwatch;
use sat::{Answer, Interrupter, Lit};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::time::Instant;

/// How to check.
pub struct Options<'a> {
    /// How many iterations a loop may have.
    pub max_unroll: u32,
    /// How to encode. Bounds, restricted operations and dependencies are set here.
    pub encoding: encode::Options,
    /// When to give up.
    pub deadline: Option<Instant>,
    /// Stops the solver from outside.
    pub interrupter: Option<Interrupter>,
    /// Told what is being done.
    pub progress: &'a dyn Fn(Progress),
}

/// What the executions within the bounds, and those that leave them, say.
enum Asked {
    /// Something is wrong.
    Violated(Box<Verdict>),
    /// Nothing is wrong, and only these bounds are left, which cannot be raised.
    Right(BTreeSet<Bound>),
    /// Bounds are left: these are the next ones.
    Extended(HashMap<InstanceKey, u32>),
}

/// What is being done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Progress {
    /// Looking for something that goes wrong.
    Findings,
    /// Looking for an observation that is not serial.
    Observations,
    /// Looking for an execution that leaves the bounds.
    Bounds,
}

/// Checks a test.
pub fn check(
    composed: &Composed,
    set: &ObservationSet,
    model: &Model,
    options: &Options<'_>,
) -> (Verdict, Statistics) {
    let classes = symmetry::classes(composed);
    let mut check = Check {
        composed,
        set,
        model,
        options,
        bounds: HashMap::new(),
        representatives: symmetry::representatives(&classes),
        classes,
        statistics: Statistics { observations: set.len(), rounds: 1, ..Statistics::default() },
    };
    let verdict = check.run().unwrap_or_else(Verdict::Inconclusive);
    (verdict, check.statistics)
}

struct Check<'a> {
    composed: &'a Composed,
    set: &'a ObservationSet,
    model: &'a Model,
    options: &'a Options<'a>,
    bounds: HashMap<InstanceKey, u32>,
    /// The threads that are alike have one number.
    classes: Vec<usize>,
    /// One thread of each class.
    representatives: BTreeSet<ThreadId>,
    statistics: Statistics,
}

impl<'a> Check<'a> {
    /// Small bounds show most bugs, so everything is asked of them first. Then they are extended
    /// until no execution leaves them, and everything is asked again.
    fn run(&mut self) -> Result<Verdict, Reason> {
        loop {
            let first = self.statistics.rounds == 1;
            let found = self.ask(Scope::Every, |check, encoding| {
                if first && let Some(violated) = check.anything_wrong(encoding)? {
                    return Ok(Asked::Violated(violated.into()));
                }
                let exceeded = check.exceeded(encoding)?;
                let reached = match check.extended(exceeded) {
                    Ok(bounds) => return Ok(Asked::Extended(bounds)),
                    Err(reached) => reached,
                };
                if !first && let Some(violated) = check.anything_wrong(encoding)? {
                    return Ok(Asked::Violated(violated.into()));
                }
                Ok(Asked::Right(reached))
            })?;
            match found {
                Asked::Violated(violated) => return Ok(*violated),
                Asked::Right(reached) => {
                    let outside = self.anything_outside()?;
                    return Ok(outside.unwrap_or_else(|| within(reached)));
                }
                Asked::Extended(bounds) => {
                    if first && let Some(violated) = self.anything_outside()? {
                        return Ok(violated);
                    }
                    self.bounds = bounds;
                }
            }
            self.statistics.rounds += 1;
        }
    }

    /// Looks for something that goes wrong.
    fn anything_wrong(&self, encoding: &mut Encoding<'a>) -> Result<Option<Verdict>, Reason> {
        (self.options.progress)(Progress::Findings);
        let mut wrong = vec![encoding.wrong(&self.representatives)];
        wrong.extend(encoding.flags.iter().map(|flag| flag.lit));
        let wrong = encoding.formula.or(&wrong);
        let found = wrong != Lit::FALSE && solve(encoding, &[wrong])?;
        Ok(found.then(|| self.violated(encoding)))
    }

    /// Looks for a complete execution whose observation is not in the set.
    fn anything_outside(&mut self) -> Result<Option<Verdict>, Reason> {
        (self.options.progress)(Progress::Observations);
        self.ask(Scope::Complete, |check, encoding| {
            let outside = check.outside(encoding);
            let found = solve(encoding, &[encoding.complete(), outside])?;
            Ok(found.then(|| check.violated(encoding)))
        })
    }

    /// The bounds with those raised that are gone beyond; if none can be, these.
    fn extended(
        &self,
        exceeded: Vec<BoundHit>,
    ) -> Result<HashMap<InstanceKey, u32>, BTreeSet<Bound>> {
        let mut bounds = self.bounds.clone();
        let mut reached = BTreeSet::new();
        let mut raised = false;
        let default = self.options.encoding.unroll.default_bound;
        for hit in exceeded {
            for key in self.alike(&hit) {
                let bound = bounds.entry(key).or_insert(default);
                if *bound < self.options.max_unroll {
                    *bound += 1;
                    raised = true;
                } else {
                    reached.insert(Bound { place: hit.origin.place, iterations: *bound });
                }
            }
        }
        if raised { Ok(bounds) } else { Err(reached) }
    }

    /// The same loop in all threads that are alike.
    fn alike(&self, hit: &BoundHit) -> Vec<InstanceKey> {
        let thread = hit.moment.thread.index();
        let alike = |&other: &usize| self.classes[other] == self.classes[thread];
        let with = |other: usize| {
            let mut key = hit.key.to_vec();
            key[0] = other as u32;
            key.into()
        };
        (0..self.classes.len()).filter(alike).map(with).collect()
    }

    /// Encodes, asks, and counts what it cost.
    fn ask<T>(
        &mut self,
        scope: Scope,
        question: impl FnOnce(&Self, &mut Encoding<'a>) -> Result<T, Reason>,
    ) -> Result<T, Reason> {
        let watch = Stopwatch::start();
        let mut encoding = self.encode(scope)?;
        let answer = question(self, &mut encoding);
        self.count(&encoding, watch.seconds());
        answer
    }

    fn encode(&self, scope: Scope) -> Result<Encoding<'a>, Reason> {
        let mut options = self.options.encoding.clone();
        options.scope = scope;
        options.unroll.bounds = self.bounds.clone();
        let restricted = self.composed.instances.iter().filter(|instance| instance.restricted);
        options.unroll.restricted = restricted.map(|instance| instance.name.clone()).collect();
        let unsupported = |problem: encoding::unroll::Unsupported| Reason::Unsupported {
            what: problem.what,
            place: problem.place,
        };
        let mut encoding =
            Encoding::new(&self.composed.program, self.model, &options).map_err(unsupported)?;
        encoding.formula.set_deadline(self.options.deadline);
        if let Some(interrupter) = &self.options.interrupter {
            encoding.formula.set_interrupter(interrupter.clone());
        }
        Ok(encoding)
    }

    /// All bounds that some execution goes beyond, in one of each class of threads.
    fn exceeded(&self, encoding: &mut Encoding<'a>) -> Result<Vec<BoundHit>, Reason> {
        let mut found: Vec<BoundHit> = Vec::new();
        let mut keys = HashSet::new();
        (self.options.progress)(Progress::Bounds);
        loop {
            let beyond = encoding.beyond_others(&self.representatives, &keys);
            if beyond == Lit::FALSE || !solve(encoding, &[beyond])? {
                return Ok(found);
            }
            for hit in encoding.exceeded() {
                let counts = self.representatives.contains(&hit.moment.thread);
                if counts && keys.insert(hit.key.clone()) {
                    found.push(hit.clone());
                }
            }
        }
    }

    /// The literal that the observation is not in the set.
    fn outside(&self, encoding: &mut Encoding<'_>) -> Lit {
        let automaton = Automaton::new(self.set);
        let mut numbers = Vec::new();
        for instance in self.composed.instances.iter() {
            let operations = &encoding.bounded.operations;
            let found = operations.iter().position(|operation| *operation.name == *instance.name);
            numbers.push(found.map(|index| index as u32));
        }
        let alike = symmetry::pairs(self.composed, &self.classes);
        outside::outside(encoding, &automaton, &numbers, &alike)
    }

    /// What a solution shows.
    fn violated(&self, encoding: &Encoding<'_>) -> Verdict {
        let found = encoding.found();
        let freed = |finding: &&&Finding| finding.kind == FindingKind::UseAfterFree;
        // What follows a use after free is only its consequence.
        let worst = found.iter().find(freed).or(found.first());
        let violation = if let Some(finding) = worst {
            Violation::Finding { kind: finding.kind.clone(), place: finding.origin.place }
        } else if let Some(flag) =
            encoding.flags.iter().find(|flag| encoding.formula.value(flag.lit))
        {
            Violation::Flag(flag.name.to_string())
        } else {
            let seen = self.observation(encoding);
            let nearest = self.set.nearest(&seen, 3);
            Violation::Observation { seen, nearest }
        };
        let witness = Some(encoding.witness());
        Verdict::Violated(Box::new(Counterexample { violation, witness }))
    }

    /// What the clients see in a solution.
    fn observation(&self, encoding: &Encoding<'_>) -> Observation {
        let observed = encoding.observed();
        let of = |name: &str| {
            let operations = &encoding.bounded.operations;
            let index = operations.iter().position(|operation| *operation.name == *name);
            let seen = index.map(|index| observed[index].as_slice()).unwrap_or_default();
            let seen =
                seen.iter().map(|(label, value)| Seen { label: label.to_string(), value: *value });
            seen.collect()
        };
        self.composed.instances.iter().map(|instance| of(&instance.name)).collect()
    }

    fn count(&mut self, encoding: &Encoding<'_>, seconds: f64) {
        let stats = encoding.formula.stats();
        let actions = encoding.bounded.actions.iter();
        let statistics = &mut self.statistics;
        statistics.loads =
            actions.clone().filter(|a| matches!(a.kind, ActionKind::Read { .. })).count();
        statistics.stores = actions.filter(|a| matches!(a.kind, ActionKind::Write { .. })).count();
        statistics.variables = stats.variables;
        statistics.clauses = stats.clauses;
        statistics.conflicts += stats.conflicts;
        statistics.solver_seconds += stats.solver_cpu_seconds;
        statistics.encoding_seconds += (seconds - stats.solver_cpu_seconds).max(0.0);
    }
}

/// Nothing is wrong within bounds, of which these are left.
fn within(reached: BTreeSet<Bound>) -> Verdict {
    match reached.is_empty() {
        true => Verdict::Holds,
        false => Verdict::HoldsWithinBounds(reached.into_iter().collect()),
    }
}

fn solve(encoding: &mut Encoding<'_>, assumptions: &[Lit]) -> Result<bool, Reason> {
    match encoding.solve(assumptions) {
        Answer::Sat => Ok(true),
        Answer::Unsat => Ok(false),
        Answer::Unknown => Err(Reason::OutOfTime),
    }
}
