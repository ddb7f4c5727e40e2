//! Asks one question of all executions of a test, with loops unrolled as far as is needed.
//!
//! Two questions are the same for every method: is there an execution in which something goes
//! wrong, and is there one that leaves the bounds. A yes to the latter extends exactly the loops
//! that an execution can leave, until nothing leaves them (the answer is then a proof) or they
//! are as long as the user allows. The method's own question is about complete executions. Of
//! threads that do the same, one is asked for all ([`symmetry`]).
//!
//! An error in the encoding could miss a violation; it cannot invent one, because every witness is
//! replayed before it is shown.

mod bounds;
mod explored;
mod round;
pub(crate) mod symmetry;
#[cfg(test)]
mod tests;

pub(crate) use bounds::{EASY, Plan};
use round::Round;

use crate::bounded::waiting;
use crate::bounded::wanted::Wanted;
use crate::explore::Exploration;
use crate::serial::{Observation, Seen};
use crate::test::compose::{Composed, InstanceId};
use crate::verdict::{
    Bound, Counterexample, Cut, Established, Followed, Reason, Statistics, Unfinished, Verdict,
    Violation,
};
use crate::verification::Property;
use encoding::bounded::ActionKind;
use encoding::encode::{self, Encoding, Finding, Scope, writes_justify_reads};
use encoding::unroll::Language;
use execution::event::ThreadId;
use execution::finding::FindingKind;
use execution::ids::{Id, IdVec};
use execution::question::{Question, Step};
use execution::verdict::Column;
use execution::witness::Split;
use models::Model;
use sat::cpu::Stopwatch;
use sat::{Answer, Lit};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// How to check.
pub struct CheckOptions<'a> {
    /// How many iterations a loop may have.
    pub max_unroll: u32,
    /// How to encode, and when to give up. Bounds, restricted operations and dependencies are set
    /// here.
    pub encoding: encode::EncodeOptions,
    /// Called with what is being done.
    pub progress: &'a dyn Fn(Step),
}

/// Conflicts that may be spent on an execution that is simpler than the one that was found: well
/// below a second.
pub(crate) const SIMPLER: u64 = 2_000;

/// What the executions within the bounds, and those that leave them, say.
enum Asked {
    /// Something is wrong.
    Violated(Box<Verdict>),
    /// Nothing is wrong, and only these bounds are left, which cannot be raised. Whether some
    /// execution terminates, and whether threads may wait for ever.
    Right { reached: BTreeSet<Bound>, finishes: bool, waits: bool },
    /// This is the next round.
    Extended(Box<Plan>),
}

/// An encoding of which questions are asked.
pub(crate) struct Open<'a> {
    scope: Scope,
    encoding: Encoding<'a>,
    /// What it took so far.
    seconds: f64,
}

/// A method: the question about complete executions.
pub(crate) trait Method {
    /// Whether it needs the commit points of operations.
    fn needs_commits(&self) -> bool;

    /// What is asked about.
    fn wanted(&self) -> Wanted {
        Wanted::default()
    }

    /// Asks; gives what is wrong in the solution.
    fn ask(
        &self,
        unrolling: &Unrolling<'_>,
        encoding: &mut Encoding<'_>,
    ) -> Result<Option<Violation>, Reason>;
}

/// A test whose loops are being unrolled.
pub(crate) struct Unrolling<'a> {
    pub(crate) composed: &'a Composed,
    model: &'a Model,
    pub(crate) options: &'a CheckOptions<'a>,
    round: Round,
    /// Symmetric threads have the same number.
    classes: Vec<usize>,
    /// One thread of each class.
    representatives: BTreeSet<ThreadId>,
    commits: bool,
    /// What is asked about.
    wanted: Wanted,
    /// Whether one thing that is wrong is enough.
    one: bool,
    pub(crate) statistics: Statistics,
    /// What is known, should there be no answer.
    pub(crate) established: RefCell<Established>,
    /// Where some execution needs what is not supported.
    refused: RefCell<Option<Cut>>,
    /// The plain accesses that would have to be split, should that be why.
    pub(crate) splits: RefCell<Vec<Split>>,
    /// Where runs show what is unrolled.
    exploration: Option<&'a Exploration>,
}

/// Checks a test by a method.
pub(crate) fn check(
    composed: &Composed,
    model: &Model,
    options: &CheckOptions<'_>,
    method: &dyn Method,
) -> (Verdict, Statistics) {
    let classes = symmetry::classes(composed);
    let mut unrolling = Unrolling::new(composed, model, options, classes).abstracting();
    unrolling.commits = method.needs_commits();
    unrolling.wanted = method.wanted();
    unrolling.one = true;
    let verdict = unrolling.run(method);
    let verdict = verdict.unwrap_or_else(|reason| unrolling.inconclusive(reason));
    let bounds = match &verdict {
        Verdict::HoldsWithinBounds(bounds) | Verdict::Vacuous(bounds, _) => bounds.as_slice(),
        _ => &[],
    };
    if bounds.is_empty() || options.encoding.initial_states.is_empty() {
        return (verdict, unrolling.statistics);
    }
    // An initial state that was left out may stay within the bounds where another one does not.
    let encoding = encode::EncodeOptions { initial_states: Vec::new(), ..options.encoding.clone() };
    let options = CheckOptions { encoding, ..*options };
    let (verdict, again) = check(composed, model, &options, method);
    (verdict, unrolling.statistics.and(again))
}

impl<'a> Unrolling<'a> {
    /// The first round, with the classes of symmetric threads; a thread without a class is
    /// symmetric to no other.
    pub(crate) fn new(
        composed: &'a Composed,
        model: &'a Model,
        options: &'a CheckOptions<'a>,
        classes: Vec<usize>,
    ) -> Self {
        let language = options.encoding.language.unwrap_or_else(|| Language::of(model));
        Unrolling {
            composed,
            model,
            options,
            round: Round::new(Plan::new(writes_justify_reads(model, language))),
            representatives: symmetry::representatives(&classes),
            classes,
            commits: false,
            wanted: Wanted::default(),
            one: false,
            statistics: Statistics { rounds: 1, ..Statistics::default() },
            established: RefCell::default(),
            refused: RefCell::default(),
            splits: RefCell::default(),
            exploration: None,
        }
    }

    /// The same, where it is tried whether loops may count anything while they wait. Nothing is
    /// violated in such a round, and a proof would be one about another program.
    pub(crate) fn abstracting(self) -> Self {
        match self.options.encoding.journal {
            Some(_) => self,
            None => Unrolling { round: Round::new(self.plan().abstracting()), ..self },
        }
    }

    /// The program that is unrolled.
    pub(crate) fn program(&self) -> &ir::program::Program {
        &self.composed.program
    }

    /// How far this round unrolls.
    pub(crate) fn plan(&self) -> &Plan {
        self.round.plan()
    }

    /// Whether runs show what is unrolled.
    pub(crate) fn explores(&self) -> bool {
        self.exploration.is_some()
    }

    /// Begins the next round.
    pub(crate) fn extend(&mut self, plan: Plan) {
        self.round = Round::new(plan);
        self.statistics.next_round();
        // What holds within smaller bounds is not part of the proof.
        if let Some(journal) = &self.options.encoding.journal {
            journal.forget();
        }
    }

    /// There is no answer.
    pub(crate) fn inconclusive(&self, reason: Reason) -> Verdict {
        Verdict::Inconclusive(reason, self.established.borrow().clone())
    }

    /// Notes that the answer to a question is no.
    pub(crate) fn settled(&self, question: Question, encoding: &Encoding<'_>) {
        self.established.borrow_mut().note(question, self.followed(encoding));
    }

    /// How far loops are followed.
    pub(crate) fn followed(&self, encoding: &Encoding<'_>) -> Vec<Followed> {
        let default = self.options.encoding.unroll.default_bound;
        let mut loops: BTreeMap<_, (u32, u32)> = BTreeMap::new();
        for hit in encoding.bounded.bounds.iter().filter(|hit| hit.unseen.is_none()) {
            let bound = match hit.size {
                Some(_) => self.plan().sizes.get(&hit.key).map_or(0, |sizes| sizes.len() as u32),
                None => self.plan().bound_of(&hit.key, default),
            };
            let bound = hit.last.unwrap_or(bound);
            let (least, most) = loops.entry(hit.origin.place).or_insert((bound, bound));
            (*least, *most) = ((*least).min(bound), (*most).max(bound));
        }
        let loops = loops.into_iter();
        loops.map(|(place, (least, most))| Followed { place, least, most }).collect()
    }

    /// Small bounds show most bugs, so everything is asked of them first. Then they are extended
    /// until no execution leaves them, and everything is asked again.
    fn run(&mut self, method: &dyn Method) -> Result<Verdict, Reason> {
        loop {
            let asked = match self.plan().is_abstract() {
                true => self.ask_abstract_round(method)?,
                false => self.ask_round(method)?,
            };
            match asked {
                Asked::Violated(violated) => return Ok(*violated),
                Asked::Right { reached, finishes, waits } => {
                    let waits = waits && self.wanted.property(Property::Deadlock);
                    if waits && let Some(violated) = self.deadlock()? {
                        return Ok(violated);
                    }
                    if let Some(cut) = self.refused.take() {
                        return Err(Reason::Cut(cut));
                    }
                    return match finishes {
                        true => Ok(within(reached)),
                        false => self.vacuous(reached),
                    };
                }
                Asked::Extended(plan) => self.extend(*plan),
            }
        }
    }

    /// The same where loops may count anything while they wait: only that all is right is an answer.
    fn ask_abstract_round(&mut self, method: &dyn Method) -> Result<Asked, Reason> {
        let exact = self.plan().exact();
        let asked = self.ask_round(method);
        let refused = self.refused.take().is_some();
        match asked {
            Ok(Asked::Extended(plan)) => return Ok(Asked::Extended(plan)),
            Ok(Asked::Right { reached, .. }) if !refused && reached.is_empty() => {
                let ends = self.ask(Scope::Complete, |_, encoding| {
                    let mut assumptions = encoding.counts_nothing();
                    assumptions.push(encoding.complete());
                    solve(encoding, &assumptions)
                })?;
                let waits =
                    ends && self.wanted.property(Property::Deadlock) && self.deadlock()?.is_some();
                if ends && !waits {
                    return Ok(Asked::Right { reached, finishes: true, waits: false });
                }
            }
            Err(reason) if self.options.encoding.limits.expired() => return Err(reason),
            _ => {}
        }
        Ok(Asked::Extended(exact.into()))
    }

    /// Asks everything, unless bounds are to be extended that are not the first.
    fn ask_round(&mut self, method: &dyn Method) -> Result<Asked, Reason> {
        let first = self.statistics.rounds == 1;
        let found = self.ask(Scope::Every, |own, encoding| {
            if first && let Some(violated) = own.anything_wrong(encoding)? {
                return Ok(Asked::Violated(violated.into()));
            }
            let exceeded = own.exceeded(encoding)?;
            let next = own.next(encoding, &exceeded);
            if !first {
                if let Ok(plan) = next {
                    return Ok(Asked::Extended(plan.into()));
                }
                if let Some(violated) = own.anything_wrong(encoding)? {
                    return Ok(Asked::Violated(violated.into()));
                }
            }
            if !own.commits
                && let Some(violated) = own.anything_else(encoding, method)?
            {
                return Ok(Asked::Violated(violated.into()));
            }
            match next {
                Ok(plan) => Ok(Asked::Extended(plan.into())),
                Err(reached) => {
                    let (finishes, waits) = (own.finishes(encoding)?, own.may_wait(encoding)?);
                    Ok(Asked::Right { reached, finishes, waits })
                }
            }
        })?;
        // The order of commit points would make everything else harder.
        let separately = match found {
            Asked::Violated(_) => false,
            Asked::Right { .. } => self.commits,
            Asked::Extended(_) => self.commits && first,
        };
        if separately
            && let Some(violated) =
                self.ask(Scope::Complete, |own, encoding| own.anything_else(encoding, method))?
        {
            return Ok(Asked::Violated(violated.into()));
        }
        Ok(found)
    }

    /// Says what is being done.
    pub(crate) fn doing(&self, progress: Question) {
        (self.options.progress)(progress.into());
        self.established.borrow_mut().open = Some(progress);
        if let Some(journal) = &self.options.encoding.journal {
            journal.about(progress.name());
        }
    }

    /// The threads of an encoding that are asked for all that are like them.
    pub(crate) fn asked(&self, encoding: &Encoding<'_>) -> BTreeSet<ThreadId> {
        let others = encoding.bounded.threads.ids().skip(self.classes.len());
        self.representatives.iter().copied().chain(others).collect()
    }

    /// Looks for something that goes wrong. What is known to be impossible makes it easier to show
    /// that what comes later is impossible too.
    fn anything_wrong(&self, encoding: &mut Encoding<'a>) -> Result<Option<Verdict>, Reason> {
        self.doing(Question::Findings);
        let asked = self.asked(encoding);
        let mut same = self.same_findings(encoding);
        for wrong in encoding.wrong_in(&asked) {
            if self.ends_unasked(encoding, wrong) {
                continue;
            }
            if self.is_possible(encoding, wrong)? {
                if let Some(cut) = refused(encoding, wrong, &self.wanted) {
                    // Nothing is wrong with the program. What lies past it is not known, but
                    // something may be wrong elsewhere.
                    self.refused.borrow_mut().get_or_insert(cut);
                    encoding.formula.clause(&[!wrong]);
                    continue;
                }
                let found = chosen(&encoding.found()).map(|found| (found.wrong, found.thread));
                if let Some((wrong, thread)) = found {
                    encoding.simplify(&[wrong], Some(thread), SIMPLER);
                }
                return Ok(Some(violated(wrong_in(encoding), encoding)));
            }
            for same in same.remove(&wrong).unwrap_or_default() {
                encoding.formula.clause(&[!same]);
            }
        }
        encoding.nothing_is_wrong();
        let flags: Vec<Lit> = encoding.flags.iter().map(|flag| flag.lit).collect();
        let flag = encoding.formula.or(&flags);
        if self.wanted.property(Property::Race) && self.is_possible(encoding, flag)? {
            encoding.simplify(&[flag], None, SIMPLER);
            return Ok(Some(violated(wrong_in(encoding), encoding)));
        }
        self.settled(Question::Findings, encoding);
        Ok(None)
    }

    /// Whether a finding is not asked about, and ends the program: nothing lies past it.
    fn ends_unasked(&self, encoding: &Encoding<'_>, wrong: Lit) -> bool {
        let mut own = encoding.findings().iter().filter(|finding| finding.wrong == wrong);
        own.all(|finding| !self.wanted.finding(&finding.kind) && !Property::cuts(&finding.kind))
    }

    /// The threads that are symmetric to this one, without it.
    fn other_symmetric(&self, thread: ThreadId) -> BTreeSet<ThreadId> {
        let Some(class) = self.classes.get(thread.index()) else { return BTreeSet::new() };
        let all = self.classes.iter().enumerate().filter(|(_, other)| *other == class);
        all.map(|(other, _)| ThreadId::new(other)).filter(|&other| other != thread).collect()
    }

    /// For each finding of a thread, the same in symmetric threads.
    fn same_findings(&self, encoding: &Encoding<'_>) -> HashMap<Lit, Vec<Lit>> {
        let of = |thread: ThreadId| -> Vec<&Finding> {
            encoding.findings().iter().filter(|finding| finding.thread == thread).collect()
        };
        let what = |finding: &&Finding| (finding.kind.clone(), finding.origin.place);
        let mut same: HashMap<Lit, Vec<Lit>> = HashMap::new();
        for &thread in &self.representatives {
            let own = of(thread);
            for other in self.other_symmetric(thread) {
                let other = of(other);
                if own.iter().map(what).eq(other.iter().map(what)) {
                    for (own, other) in own.iter().zip(other) {
                        same.entry(own.wrong).or_default().push(other.wrong);
                    }
                }
            }
        }
        same
    }

    /// Whether there is a solution with this literal; if not, the solver may know so from now on.
    fn is_possible(&self, encoding: &mut Encoding<'a>, lit: Lit) -> Result<bool, Reason> {
        let possible = lit != Lit::FALSE && solve(encoding, &[lit])?;
        if !possible {
            encoding.formula.clause(&[!lit]);
        }
        Ok(possible)
    }

    /// Asks the questions about complete executions: the method's question, and whether a lock is
    /// still held. What the solver learned about findings and bounds helps it, if it is the same.
    fn anything_else(
        &self,
        encoding: &mut Encoding<'a>,
        method: &dyn Method,
    ) -> Result<Option<Verdict>, Reason> {
        self.doing(Question::Observations);
        let mut violation = match self.wanted.observations() {
            true => method.ask(self, encoding)?,
            false => None,
        };
        if violation.is_none() {
            self.settled(Question::Observations, encoding);
            if self.wanted.property(Property::Deadlock) {
                violation = held_lock(encoding, false)?;
            }
        }
        Ok(violation.map(|violation| violated(violation, encoding)))
    }

    /// Whether some execution terminates.
    fn finishes(&self, encoding: &mut Encoding<'a>) -> Result<bool, Reason> {
        self.doing(Question::Ends);
        solve(encoding, &[encoding.complete()])
    }

    /// Whether threads may wait for ever, at sections or in loops. Of many loops it is seen at once
    /// that they do not, or is easy to show where so much is known already; a proof needs the whole
    /// question.
    fn may_wait(&self, encoding: &mut Encoding<'a>) -> Result<bool, Reason> {
        let waiting = || encoding.bounded.assumptions.iter().filter_map(|a| a.waits);
        let proof = self.options.encoding.journal.is_some() && waiting().next().is_some();
        if proof || waiting().any(|waits| !waits.spins) {
            return Ok(true);
        }
        for spin in encoding.may_spin(&self.asked(encoding)) {
            let spins = encoding.spins(&spin);
            if self.is_possible(encoding, spins)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// No execution terminates: which threads are to blame for that.
    fn vacuous(&mut self, reached: BTreeSet<Bound>) -> Result<Verdict, Reason> {
        let never = self.ask(Scope::Every, |own, encoding| {
            let mut never = Vec::new();
            for column in 1..own.composed.columns {
                let ends = encoding.ends(ThreadId::new(column));
                if !solve(encoding, &[ends])? {
                    never.push(column);
                }
            }
            Ok(never)
        })?;
        let unfinished = match never.is_empty() {
            true => Unfinished::NotTogether,
            false => {
                Unfinished::Never(never.into_iter().map(|number| self.column(number)).collect())
            }
        };
        Ok(Verdict::Vacuous(reached.into_iter().collect(), unfinished))
    }

    fn column(&self, number: usize) -> Column {
        let own = self.composed.instances.iter().filter(|own| own.column == number);
        Column { number, operations: own.map(|instance| instance.name.clone()).collect() }
    }

    /// Looks for threads that wait for locks, in loops, or for each other, for ever: the deadlock
    /// check of the CAV 2006 paper.
    fn deadlock(&mut self) -> Result<Option<Verdict>, Reason> {
        let found = self.ask(Scope::Waiting, |own, encoding| waiting::deadlock(own, encoding))?;
        Ok(found.map(|found| Verdict::Violated(Box::new(found))))
    }

    /// Encodes, asks, and counts what it cost.
    pub(crate) fn ask<T>(
        &mut self,
        scope: Scope,
        question: impl FnOnce(&Self, &mut Encoding<'a>) -> Result<T, Reason>,
    ) -> Result<T, Reason> {
        let mut open = self.open(scope)?;
        let answer = self.ask_of(&mut open, question);
        self.close(open);
        answer
    }

    /// Encodes, so that several questions can be asked at several times.
    pub(crate) fn open(&self, scope: Scope) -> Result<Open<'a>, Reason> {
        let watch = Stopwatch::start();
        let encoding = self.encode(scope)?;
        Ok(Open { scope, encoding, seconds: watch.seconds() })
    }

    /// Asks.
    pub(crate) fn ask_of<T>(
        &self,
        open: &mut Open<'a>,
        question: impl FnOnce(&Self, &mut Encoding<'a>) -> T,
    ) -> T {
        let watch = Stopwatch::start();
        let answer = question(self, &mut open.encoding);
        open.seconds += watch.seconds();
        answer
    }

    /// Counts what the questions cost.
    pub(crate) fn close(&mut self, open: Open<'a>) {
        self.count(open.scope, &open.encoding, open.seconds);
    }

    fn encode(&self, scope: Scope) -> Result<Encoding<'a>, Reason> {
        let mut options = self.options.encoding.clone();
        options.scope = scope;
        options.consequences = self.one;
        options.unroll.commits = self.commits;
        if scope == Scope::Every {
            options.unroll.go_on = self.plan().going_on();
        }
        options.unroll.any_counts = self.plan().any_counts();
        options.unroll.bounds = self.plan().bounds.clone();
        options.unroll.shared_bounds = self.plan().shared.clone();
        options.unroll.sizes = self.plan().sizes.clone();
        options.unroll.known = self.plan().known.clone();
        let restricted = self.composed.instances.iter().filter(|instance| instance.restricted);
        options.unroll.restricted = restricted.map(|instance| instance.name.clone()).collect();
        let unsupported = |problem: encoding::unroll::Unsupported| match options.limits.expired() {
            true => Reason::limit(&options.limits),
            false => {
                self.splits.replace(problem.splits);
                Reason::Unsupported { what: problem.what, place: problem.place }
            }
        };
        let program = &self.composed.program;
        let unrolled = self.round.unrolled(program, self.model, &options).map_err(unsupported)?;
        Encoding::of(program, unrolled, self.model, &options).map_err(unsupported)
    }

    /// The number of each operation of the test in the encoding, if it is there.
    pub(crate) fn numbers(&self, encoding: &Encoding<'_>) -> IdVec<InstanceId, Option<u32>> {
        let operations = &encoding.bounded.operations;
        let number = |name: &str| operations.iter().position(|operation| *operation.name == *name);
        let instances = self.composed.instances.iter();
        instances.map(|instance| number(&instance.name).map(|index| index as u32)).collect()
    }

    /// What the clients see in a solution.
    pub(crate) fn observation(&self, encoding: &Encoding<'_>) -> Observation {
        let observed = encoding.observed();
        let of = |number: &Option<u32>| {
            let seen = number.map(|number| observed[number as usize].as_slice());
            let seen = seen.unwrap_or_default().iter();
            seen.map(|(label, value)| Seen { label: label.to_string(), value: *value }).collect()
        };
        self.numbers(encoding).iter().map(of).collect()
    }

    /// Pairs of operations that could be exchanged together with their threads; each is the first
    /// of its thread.
    pub(crate) fn symmetric_operations(&self) -> Vec<(usize, usize)> {
        symmetry::pairs(self.composed, &self.classes)
    }

    fn count(&mut self, scope: Scope, encoding: &Encoding<'_>, seconds: f64) {
        let stats = encoding.formula.stats();
        let actions = encoding.bounded.actions.iter();
        let statistics = &mut self.statistics;
        statistics.instructions = encoding.bounded.instructions;
        statistics.loads =
            actions.clone().filter(|a| matches!(a.kind, ActionKind::Read { .. })).count();
        statistics.stores = actions.filter(|a| matches!(a.kind, ActionKind::Write { .. })).count();
        // Of the smaller formula in which threads may wait, only the time is reported.
        if scope != Scope::Waiting {
            statistics.variables = stats.variables;
            statistics.clauses = stats.clauses;
        }
        statistics.conflicts += stats.conflicts;
        statistics.solver_seconds += stats.solver_cpu_seconds;
        statistics.encoding_seconds += (seconds - stats.solver_cpu_seconds).max(0.0);
    }
}

/// The finding of a literal, if it is that something is needed that is not supported, or if it is
/// not asked about.
fn refused(encoding: &Encoding<'_>, wrong: Lit, wanted: &Wanted) -> Option<Cut> {
    let own = || encoding.findings().iter().filter(|finding| finding.wrong == wrong);
    let is_cut =
        |kind: &FindingKind| matches!(kind, FindingKind::NotSupported(_)) || !wanted.finding(kind);
    let refused = own().all(|finding| is_cut(&finding.kind));
    let first = own().next().filter(|_| refused)?;
    Some(Cut { kind: first.kind.clone(), place: first.origin.place, every: false })
}

/// Of several findings of one execution, the one to report.
fn chosen<'f>(found: &[&'f Finding]) -> Option<&'f Finding> {
    let freed = |finding: &&&Finding| finding.kind.is_of_dead();
    // What follows a use after free, or a second free, is only its consequence.
    found.iter().find(freed).or(found.first()).copied()
}

/// What goes wrong in a solution.
fn wrong_in(encoding: &Encoding<'_>) -> Violation {
    if let Some(finding) = chosen(&encoding.found()) {
        return Violation::Finding { kind: finding.kind.clone(), place: finding.origin.place };
    }
    let raised = encoding.flags.iter().find(|flag| encoding.formula.value(flag.lit));
    let flag = raised.expect("a solution in which something is wrong has a finding or a flag");
    Violation::Flag(flag.name.to_string())
}

fn violated(violation: Violation, encoding: &Encoding<'_>) -> Verdict {
    let witness = Some(encoding.witness());
    Verdict::Violated(Box::new(Counterexample { violation, witness }))
}

/// Looks for a complete execution after which a lock is still held.
pub(crate) fn held_lock(
    encoding: &mut Encoding<'_>,
    several: bool,
) -> Result<Option<Violation>, Reason> {
    let held = encoding.held_locks(several);
    let lits: Vec<Lit> = held.iter().map(|held| held.lit).collect();
    let any = encoding.formula.or(&lits);
    let cut_off = encoding.awaits_in_vain();
    if any == Lit::FALSE || !solve_simply(encoding, &[any, encoding.complete(), !cut_off])? {
        return Ok(None);
    }
    let found = held.iter().find(|held| encoding.formula.value(held.lit));
    let place = found.and_then(|held| held.origin.place);
    Ok(Some(Violation::Finding { kind: FindingKind::LockHeld, place }))
}

/// Nothing is wrong within bounds, of which these are left.
pub(crate) fn within(reached: BTreeSet<Bound>) -> Verdict {
    match reached.is_empty() {
        true => Verdict::Holds,
        false => Verdict::HoldsWithinBounds(reached.into_iter().collect()),
    }
}

/// Whether there is a complete execution in which these hold; one that is easy to follow.
pub(crate) fn solve_simply(
    encoding: &mut Encoding<'_>,
    assumptions: &[Lit],
) -> Result<bool, Reason> {
    let found = solve(encoding, assumptions)?;
    if found {
        encoding.simplify(assumptions, None, SIMPLER);
    }
    Ok(found)
}

/// Whether there is a solution.
pub(crate) fn solve(encoding: &mut Encoding<'_>, assumptions: &[Lit]) -> Result<bool, Reason> {
    match encoding.solve(assumptions) {
        Answer::Sat => Ok(true),
        Answer::Unsat => Ok(false),
        Answer::Unknown => Err(Reason::limit(encoding.formula.limits())),
    }
}
