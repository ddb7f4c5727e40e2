//! The inclusion check: does every execution show its clients what some serial execution shows?
//!
//! Burckhardt, Alur, Martin, *CheckFence*, PLDI 2007, section 3. The observation set is known
//! beforehand ([`serial`](crate::serial)). Three questions are put to one formula: is there an
//! execution in which something goes wrong; is there a complete one whose observation is not in
//! the set; is there one that leaves the bounds. A yes to the last extends exactly the loops that
//! an execution can leave, and starts again, until nothing leaves them (the answer is then a
//! proof) or they are as long as the user allows.
//!
//! An error in the encoding could miss a violation; it cannot invent one, because every witness is
//! replayed before it is shown.

mod outside;

use crate::serial::{Automaton, Observation, ObservationSet, Seen};
use crate::test::compose::Composed;
use crate::verdict::{Bound, Counterexample, Reason, Statistics, Verdict, Violation};
use encoding::bounded::{ActionKind, BoundHit, InstanceKey};
use encoding::encode::{self, Encoding};
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

/// What is being done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Progress {
    /// The program is being unrolled and encoded, for the so-many-th time.
    Encoding(u32),
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
    let mut check = Check {
        composed,
        set,
        model,
        options,
        bounds: HashMap::new(),
        statistics: Statistics { observations: set.len(), ..Statistics::default() },
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
    statistics: Statistics,
}

impl<'a> Check<'a> {
    fn run(&mut self) -> Result<Verdict, Reason> {
        loop {
            self.statistics.rounds += 1;
            let mut encoding = self.encode()?;
            let answer = self.ask(&mut encoding);
            self.count(&encoding);
            match answer? {
                Some(verdict) => return Ok(verdict),
                None => continue,
            }
        }
    }

    fn encode(&mut self) -> Result<Encoding<'a>, Reason> {
        (self.options.progress)(Progress::Encoding(self.statistics.rounds));
        let watch = Stopwatch::start();
        let mut options = self.options.encoding.clone();
        options.unroll.bounds = self.bounds.clone();
        let restricted = self.composed.instances.iter().filter(|instance| instance.restricted);
        options.unroll.restricted = restricted.map(|instance| instance.name.clone()).collect();
        let unsupported = |problem: encoding::unroll::Unsupported| Reason::Unsupported {
            what: problem.what,
            place: problem.place,
        };
        let encoding =
            Encoding::new(&self.composed.program, self.model, &options).map_err(unsupported);
        self.statistics.encoding_seconds += watch.seconds();
        let mut encoding = encoding?;
        encoding.formula.set_deadline(self.options.deadline);
        if let Some(interrupter) = &self.options.interrupter {
            encoding.formula.set_interrupter(interrupter.clone());
        }
        Ok(encoding)
    }

    /// Asks the three questions; `None` if the bounds were raised.
    fn ask(&mut self, encoding: &mut Encoding<'_>) -> Result<Option<Verdict>, Reason> {
        (self.options.progress)(Progress::Findings);
        let mut wrong = vec![encoding.wrong()];
        wrong.extend(encoding.flags.iter().map(|flag| flag.lit));
        let wrong = encoding.formula.or(&wrong);
        if wrong != Lit::FALSE && solve(encoding, &[wrong])? {
            return Ok(Some(self.violated(encoding)));
        }
        (self.options.progress)(Progress::Observations);
        let watch = Stopwatch::start();
        let outside = self.outside(encoding);
        self.statistics.encoding_seconds += watch.seconds();
        if solve(encoding, &[encoding.complete(), outside])? {
            return Ok(Some(self.violated(encoding)));
        }
        (self.options.progress)(Progress::Bounds);
        let exceeded = exceeded(encoding)?;
        if exceeded.is_empty() {
            return Ok(Some(Verdict::Holds));
        }
        let mut reached = BTreeSet::new();
        let mut raised = false;
        for hit in exceeded {
            let default = self.options.encoding.unroll.default_bound;
            let bound = self.bounds.entry(hit.key.clone()).or_insert(default);
            if *bound < self.options.max_unroll {
                *bound += 1;
                raised = true;
            } else {
                reached.insert(Bound { place: hit.origin.place, iterations: *bound });
            }
        }
        if raised {
            return Ok(None);
        }
        Ok(Some(Verdict::HoldsWithinBounds(reached.into_iter().collect())))
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
        outside::outside(encoding, &automaton, &numbers)
    }

    /// What a solution shows.
    fn violated(&self, encoding: &Encoding<'_>) -> Verdict {
        let violation = if let Some(finding) = encoding.found().first() {
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

    fn count(&mut self, encoding: &Encoding<'_>) {
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
    }
}

/// All bounds that some execution goes beyond.
fn exceeded(encoding: &mut Encoding<'_>) -> Result<Vec<BoundHit>, Reason> {
    let mut found: Vec<BoundHit> = Vec::new();
    let mut keys = HashSet::new();
    loop {
        let beyond = encoding.beyond_others(&keys);
        if beyond == Lit::FALSE || !solve(encoding, &[beyond])? {
            return Ok(found);
        }
        for hit in encoding.exceeded() {
            if keys.insert(hit.key.clone()) {
                found.push(hit.clone());
            }
        }
    }
}

fn solve(encoding: &mut Encoding<'_>, assumptions: &[Lit]) -> Result<bool, Reason> {
    match encoding.solve(assumptions) {
        Answer::Sat => Ok(true),
        Answer::Unsat => Ok(false),
        Answer::Unknown => Err(Reason::OutOfTime),
    }
}
