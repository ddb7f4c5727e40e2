//! Whole programs: can anything go wrong in any execution of `main` and the threads it starts?
//!
//! All properties are asked of one encoding, each under an assumption of its own, so that what the
//! solver learns for one serves the others. Loops are unrolled as in `check`
//! ([`unrolling`](crate::bounded::unrolling)): a property holds only if no execution leaves the bounds.
//!
//! An error in the encoding could miss a violation; it cannot invent one, because every witness is
//! replayed before it is shown.

use super::{splits, waiting};
use crate::bounded::unrolling::{CheckOptions, Plan, Unrolling, held_lock, solve, within};
use crate::engine::{Behaviours, Budget, Claim, Confirm, Engine, Reply, Report, Task};
use crate::explicit::Machine;
use crate::explore::Exploration;
use crate::test::compose::Composed;
use crate::verdict::{Answered, Bound, Counterexample, Cut, Followed, Reason, Verdict, Violation};
use crate::verification::coverage::{self, Coverage};
use crate::verification::outcomes::{self, Asked};
use crate::verification::{Property, Questions};
use encoding::encode::{Encoding, Finding, Scope};
use execution::finding::FindingKind;
use execution::ids::IdVec;
use execution::question::Question;
use execution::witness::Split;
use ir::program::Program;
use models::{Architecture, Model};
use sat::Lit;
use std::collections::{BTreeMap, BTreeSet};

/// How many conflicts a property may take before the others have their turn: some seconds.
const PATIENCE: u64 = 10_000;

/// Encodes all executions of the program as a formula, and solves it.
pub struct Solver;

impl Engine for Solver {
    fn name(&self) -> &'static str {
        "sat"
    }

    fn ask(&self, task: Task<'_>, budget: Budget<'_>) -> Option<Reply> {
        let report = splits::solved(task, budget);
        let left = Questions::default();
        Some(Reply { report, left, discarded: false, gave_up_early: false })
    }
}

/// What a round says.
enum Round {
    /// Only these bounds are left, which cannot be raised.
    Last(BTreeSet<Bound>),
    /// This is the next round.
    Extended(Box<Plan>),
}

/// How a program is checked.
#[derive(Clone, Default)]
pub(super) struct Way<'a> {
    /// What some executions reach.
    pub known: Coverage,
    /// Whether only what runs show is encoded.
    pub explores: bool,
    /// Is notified of violations while the search goes on.
    pub found: Option<Confirm<'a>>,
}

/// Checks a program by the solver, if what some executions reach is known already. If
/// there is no answer because accesses overlap, which of them would have to be split.
pub(super) fn solved_whole(
    program: &Program,
    model: &Model,
    questions: &Questions,
    options: &CheckOptions<'_>,
    Way { known, explores, found }: Way<'_>,
) -> (Report, Vec<Split>) {
    let exploration = explores.then(|| Exploration::new(program, model, options));
    let composed = Composed { program: program.clone(), instances: IdVec::new(), columns: 0 };
    let mut encoding = options.encoding.clone();
    encoding.unroll.own_objects = true;
    // Between accesses that are in order anyway, and in C11, where only reads that see them are
    // affected, accesses to a thread's own objects order nothing.
    let in_order = Machine::of(model) == Some(Machine::Interleaving);
    encoding.unroll.ordered_own_objects = !in_order && model.architecture() != Architecture::C11;
    // Store buffers keep all pairs in order but one, so a fence for some pairs is one for all.
    encoding.unroll.fenced_own_objects =
        encoding.unroll.ordered_own_objects && Machine::of(model).is_none();
    encoding.unroll.goals = questions.coverage;
    encoding.unroll.results = questions.results;
    let properties = questions.properties.iter().copied();
    let options = &CheckOptions { encoding, ..*options };
    let mut unrolling = Unrolling::new(&composed, model, options, Vec::new());
    if !questions.outcomes.is_some() && !questions.coverage && !explores {
        unrolling = unrolling.abstracting();
    }
    let mut verification = Verification {
        unrolling: unrolling.exploring(exploration.as_ref()),
        open: properties.filter(|property| property.is_known_to(model)).collect(),
        verdicts: BTreeMap::new(),
        right: BTreeMap::new(),
        is_vacuous: false,
        cut: None,
        asks_for_undefined: questions.undefined,
        observations: &questions.outcomes,
        tell: found,
        behaviours: Behaviours {
            outcomes: questions.outcomes.is_some().then(BTreeMap::new),
            coverage: questions.coverage.then_some(known),
        },
    };
    let rest = match verification.run() {
        Ok(reached) => within(reached),
        Err(reason) => verification.unrolling.inconclusive(reason),
    };
    let Verification { unrolling, open, mut verdicts, mut right, .. } = verification;
    let Verification { is_vacuous, cut, behaviours, .. } = verification;
    verdicts.extend(open.into_iter().map(|property| {
        let verdict = match rest.clone() {
            Verdict::Inconclusive(reason, mut known) => {
                known.answered.retain(|answered| answered.question == Question::Bounds);
                let question = property.question();
                let own = right.remove(&property).map(|loops| Answered { question, loops });
                known.answered.splice(0..0, own);
                Verdict::Inconclusive(reason, known)
            }
            verdict => verdict,
        };
        (property, verdict)
    }));
    let (mut statistics, splits) = (unrolling.statistics, unrolling.splits.take());
    statistics.explored = exploration.as_ref().map(Exploration::explored).unwrap_or_default();
    let mut report = Report {
        verdicts,
        behaviours,
        rest,
        cut,
        statistics,
        ..Report::of_violations(BTreeMap::new())
    };
    if is_vacuous && !report.is_violated() {
        report.says_nothing();
    }
    (report, splits)
}

struct Verification<'a> {
    unrolling: Unrolling<'a>,
    /// The properties that are not known to be violated.
    open: BTreeSet<Property>,
    verdicts: BTreeMap<Property, Verdict>,
    /// The properties that no execution violates in which loops are followed only so far.
    right: Right,
    /// Whether assumptions fail in every execution.
    is_vacuous: bool,
    /// Where executions end although others may go on, and no property that was asked says so; or
    /// where all of them end.
    cut: Option<Cut>,
    asks_for_undefined: bool,
    observations: &'a Asked,
    tell: Option<Confirm<'a>>,
    behaviours: Behaviours,
}

/// Properties that are not violated, and how far loops were followed.
type Right = BTreeMap<Property, Vec<Followed>>;

impl Verification<'_> {
    /// Unrolls until no execution leaves the bounds, or they cannot be raised; gives those that
    /// are left then. What is wrong is looked for in the first round, since small bounds show most
    /// bugs, in each that doubles the number of rounds, and in the last.
    fn run(&mut self) -> Result<BTreeSet<Bound>, Reason> {
        loop {
            let is_abstract = self.unrolling.plan().is_abstract();
            let early = self.unrolling.statistics.rounds.is_power_of_two()
                && !self.unrolling.plan().goes_on()
                && !is_abstract;
            let asked = |scope: Scope| {
                let open = self.open.iter().copied();
                open.filter(|property| property.scope() == scope).collect::<Vec<_>>()
            };
            let [open, waiting, mut complete] =
                [Scope::Every, Scope::Waiting, Scope::Complete].map(asked);
            // That a thread ends while it holds a lock shows in executions that are complete.
            complete.extend(waiting.iter().filter(|&&property| property == Property::Deadlock));
            let (mut found, mut right) = (Vec::new(), Right::new());
            // The bounds that are left in the last round.
            let mut last = None;
            // Whether some execution terminates; not asked where there is a finding.
            let mut ends = true;
            // Where executions end if none is complete.
            let mut cut = None;
            // Whether it is known what can be observed.
            let mut observed = false;
            let Behaviours { outcomes, coverage } = &mut self.behaviours;
            let only_properties = outcomes.is_none() && coverage.is_none();
            // What takes long waits until the rest is answered.
            let mut hard = Vec::new();
            let patience = (self.open.len() > 1).then_some(PATIENCE);
            let tell = self.tell.filter(|_| !is_abstract);
            let mut every = self.unrolling.open(Scope::Every)?;
            let round = self.unrolling.ask_of(&mut every, |own, encoding| {
                if early {
                    hard = wrong(own, encoding, (&open, patience), (&mut found, &mut right))?;
                    tell_of(&found, tell);
                }
                let all = found.len() == open.len() && self.open.len() == open.len();
                if all && !found.is_empty() && only_properties {
                    return Ok(Round::Last(BTreeSet::new()));
                }
                let exceeded = own.exceeded(encoding)?;
                let reached = match own.next(encoding, &exceeded) {
                    Ok(plan) => {
                        if let Some(coverage) = coverage {
                            coverage::cover_so_far(own, encoding, coverage)?;
                        }
                        return Ok(Round::Extended(plan.into()));
                    }
                    Err(reached) => reached,
                };
                // Without an answer to this, nothing is known to hold.
                self.cut = cut_off(own.program(), encoding, (self.asks_for_undefined, false))?;
                last = Some(reached.clone());
                if !early {
                    hard = wrong(own, encoding, (&open, patience), (&mut found, &mut right))?;
                    tell_of(&found, tell);
                }
                if self.cut.is_none() && !right.contains_key(&Property::Assert) {
                    let cut = cut_off(own.program(), encoding, (false, true));
                    if cut.is_err() {
                        last = None;
                    }
                    self.cut = cut?;
                }
                if reached.is_empty() && found.len() < self.open.len() {
                    cut = match completes(encoding)? {
                        true => None,
                        false => all_end(own.program(), encoding)?,
                    };
                }
                if is_abstract {
                    ends = completes_as_it_is(encoding)?;
                } else if reached.is_empty() && found.is_empty() {
                    ends = completes(encoding)? || may_fail(encoding)?;
                }
                if let Some(coverage) = coverage {
                    coverage::cover(own, encoding, coverage)?;
                    own.settled(Question::Coverage, encoding);
                }
                if let (Asked::AtTheEnd(labels), Some(outcomes)) = (self.observations, outcomes) {
                    observed = outcomes::at_the_end(own, encoding, labels, outcomes)?;
                }
                Ok(Round::Last(reached))
            });
            let every = match hard.is_empty() {
                true => {
                    self.unrolling.close(every);
                    None
                }
                false => Some(every),
            };
            let now = early || !matches!(round, Ok(Round::Extended(_)));
            let mut more = Ok(());
            if round.is_ok() && now && !waiting.is_empty() {
                more = self.unrolling.ask(Scope::Waiting, |own, encoding| {
                    waiting::stuck(own, encoding, &waiting, &mut found)?;
                    let known = |p: &Property| found.iter().any(|(known, _)| known == p);
                    let own = |&property: &Property| (property, own.followed(encoding));
                    // Of deadlocks, locks that are left held are part.
                    let rest = waiting.iter().filter(|p| **p != Property::Deadlock && !known(p));
                    right.extend(rest.map(own));
                    Ok(())
                });
            }
            if round.is_ok() && more.is_ok() && now && !complete.is_empty() {
                complete.retain(|property| found.iter().all(|(known, _)| known != property));
                more = self.unrolling.ask(Scope::Complete, |own, encoding| {
                    for property in complete {
                        own.doing(property.question());
                        let counterexample = match property {
                            Property::Deadlock => lock_held(encoding)?,
                            _ => leak(encoding)?,
                        };
                        match counterexample {
                            Some(counterexample) => found.push((property, counterexample)),
                            None => {
                                right.insert(property, own.followed(encoding));
                            }
                        }
                    }
                    Ok(())
                });
            }
            if let Some(mut every) = every {
                if round.is_ok() && more.is_ok() {
                    let last = self.unrolling.ask_of(&mut every, |own, encoding| {
                        wrong(own, encoding, (&hard, None), (&mut found, &mut right))
                    });
                    more = last.map(|_| ());
                }
                self.unrolling.close(every);
            }
            if is_abstract && !matches!(round, Ok(Round::Extended(_))) {
                let cut = self.cut.take().or(cut);
                let is_known = last.is_some_and(|reached| reached.is_empty())
                    && (round.is_ok() && more.is_ok() && ends && cut.is_none());
                for (property, _) in right.into_iter().filter(|_| is_known) {
                    self.open.remove(&property);
                    self.verdicts.insert(property, Verdict::Holds);
                }
                if self.open.is_empty() {
                    return Ok(BTreeSet::new());
                }
                if self.unrolling.options.encoding.limits.expired() {
                    more?;
                    round?;
                }
                let exact = self.unrolling.plan().exact();
                self.unrolling.extend(exact);
                continue;
            }
            for (property, counterexample) in found {
                self.open.remove(&property);
                self.verdicts.insert(property, Verdict::Violated(Box::new(counterexample)));
            }
            let is_violated = |verdict: &&Verdict| matches!(verdict, Verdict::Violated(_));
            self.unrolling.note_violated(self.verdicts.values().filter(is_violated).count());
            // What is known in the last round stays known, whatever becomes of other questions.
            if let Some(reached) = last {
                for property in right.keys().filter(|property| self.open.remove(property)) {
                    self.verdicts.insert(*property, within(reached.clone()));
                }
            }
            self.right.extend(right);
            more?;
            match round? {
                Round::Last(reached) => {
                    // An execution in which threads wait for ever is one, too.
                    if cut.is_some()
                        && !self
                            .unrolling
                            .ask(Scope::Waiting, |_, encoding| solve(encoding, &[]))?
                    {
                        self.cut = cut;
                    }
                    self.is_vacuous = !ends
                        && !self
                            .unrolling
                            .ask(Scope::Waiting, |_, encoding| solve(encoding, &[]))?;
                    if let Some(outcomes) = self.behaviours.outcomes.as_mut().filter(|_| !observed)
                    {
                        self.unrolling.ask(Scope::Complete, |own, encoding| {
                            outcomes::enumerate(own, encoding, outcomes)
                        })?;
                    }
                    return Ok(reached);
                }
                Round::Extended(plan) => self.unrolling.extend(*plan),
            }
        }
    }
}

/// Says what is wrong before the rest is known.
fn tell_of(found: &[(Property, Counterexample)], tell: Option<Confirm<'_>>) {
    for ((property, counterexample), tell) in found.iter().zip(tell.into_iter().cycle()) {
        tell(Claim::Found(*property, counterexample));
    }
}

/// Asks for a violation of each property, within a number of conflicts if there is a limit; gives
/// those that would take more.
fn wrong(
    unrolling: &Unrolling<'_>,
    encoding: &mut Encoding<'_>,
    (properties, patience): (&[Property], Option<u64>),
    (found, right): (&mut Vec<(Property, Counterexample)>, &mut Right),
) -> Result<Vec<Property>, Reason> {
    unrolling.doing(Question::Findings);
    let limit = encoding.formula.limits().conflicts;
    let mut hard = Vec::new();
    for &property in properties {
        encoding.formula.set_conflict_limit(patience.into_iter().chain(limit).min());
        let violation = violation(unrolling, encoding, property);
        encoding.formula.set_conflict_limit(limit);
        let violation = match violation {
            Err(Reason::Limit(_)) if patience.is_some() && !encoding.formula.limits().expired() => {
                hard.push(property);
                continue;
            }
            answered => answered?,
        };
        match violation {
            Some(counterexample) => found.push((property, counterexample)),
            None => {
                right.insert(property, unrolling.followed(encoding));
            }
        }
    }
    Ok(hard)
}

/// Asks for a violation of a property that shows in executions of every kind.
fn violation(
    unrolling: &Unrolling<'_>,
    encoding: &mut Encoding<'_>,
    property: Property,
) -> Result<Option<Counterexample>, Reason> {
    let found = match property {
        Property::Race => race(encoding)?.map(|violation| (violation, None)),
        _ => finding(unrolling, encoding, property)?,
    };
    Ok(found.map(|(violation, chosen)| {
        // Another error without an access is given only as an end: the replay need not know
        // of it.
        let is_given = |finding: &Finding| {
            let is_it =
                |chosen: &Finding| (chosen.thread, &chosen.kind) == (finding.thread, &finding.kind);
            finding.action.is_some() || chosen.as_ref().is_none_or(is_it)
        };
        Counterexample { violation, witness: Some(encoding.witness_telling(&is_given)) }
    }))
}

/// Looks for an execution with a finding; which it is, too.
fn finding(
    unrolling: &Unrolling<'_>,
    encoding: &mut Encoding<'_>,
    property: Property,
) -> Result<Option<(Violation, Option<Finding>)>, Reason> {
    let asked = unrolling.asked(encoding);
    let all: Vec<Finding> = encoding.findings().to_vec();
    let wanted = |finding: &&Finding| {
        Property::of(&finding.kind) == Some(property) && asked.contains(&finding.thread)
    };
    let mut lits = Vec::new();
    for finding in all.iter().filter(wanted) {
        let broken = encoding.others_stop_in_sections(Some(finding.thread));
        lits.push(encoding.formula.and(&[finding.wrong, !broken]));
    }
    let any = encoding.formula.or(&lits);
    // No thread continues after an error, whether the thread detects it or not.
    let stopped = match property {
        Property::Memory => Lit::TRUE,
        _ => !encoding.unnoticed(),
    };
    if any == Lit::FALSE || !solve(encoding, &[any, stopped])? {
        return Ok(None);
    }
    // What follows a use after free, or a second free, is only its consequence.
    let freed = |finding: &&&Finding| finding.kind.is_of_dead();
    let there: Vec<&Finding> = all
        .iter()
        .filter(wanted)
        .zip(&lits)
        .filter(|(_, lit)| encoding.formula.value(**lit))
        .map(|(finding, _)| finding)
        .collect();
    let Some(&chosen) = there.iter().find(freed).or(there.first()) else { return Ok(None) };
    let broken = encoding.others_stop_in_sections(Some(chosen.thread));
    // An execution in which nothing else goes wrong is easier to follow.
    let others = all.iter().filter(|other| other.wrong != chosen.wrong).map(|other| !other.wrong);
    let alone: Vec<Lit> = [chosen.wrong, !broken].into_iter().chain(others).collect();
    // A thread that would fail in an atomic section, which is invisible, can as well stop before
    // it.
    let in_sections =
        all.iter().filter(|other| other.thread != chosen.thread && other.section.is_some());
    let stops = [chosen.wrong, stopped, !broken];
    let whole: Vec<Lit> = stops.into_iter().chain(in_sections.map(|other| !other.wrong)).collect();
    if !solve(encoding, &alone)? && !solve(encoding, &whole)? {
        solve(encoding, &stops)?;
    }
    let place = chosen.origin.users_place(unrolling.program());
    let violation = Violation::Finding { kind: chosen.kind.clone(), place };
    Ok(Some((violation, Some(chosen.clone()))))
}

/// Whether an execution ends, and has no error that its threads do not detect. It does
/// when all threads have ended, or `main` has returned, or `exit` was called.
fn completes(encoding: &mut Encoding<'_>) -> Result<bool, Reason> {
    let right = !encoding.unnoticed();
    let over = encoding.program_ends();
    Ok(solve(encoding, &[encoding.complete(), right])? || solve(encoding, &[over, right])?)
}

/// Whether an execution ends in which no number has grown that stands for others: it is one of the
/// program.
fn completes_as_it_is(encoding: &mut Encoding<'_>) -> Result<bool, Reason> {
    let mut assumptions = encoding.counts_nothing();
    assumptions.push(!encoding.unnoticed());
    let over = encoding.program_ends();
    let complete = encoding.complete();
    let any = encoding.formula.or(&[complete, over]);
    assumptions.push(any);
    solve(encoding, &assumptions)
}

/// Where executions can end although others may go on, and no property that is asked says so: a
/// memory error if these are not asked, a broken rule if no answer about assertions says that
/// there is none, and always a limit of the library and a quotient that does not fit.
fn cut_off(
    program: &Program,
    encoding: &mut Encoding<'_>,
    (memory, rules): (bool, bool),
) -> Result<Option<Cut>, Reason> {
    let hides = |kind: &FindingKind| {
        Property::cuts(kind)
            && match Property::of(kind) {
                Some(Property::Memory) => memory,
                Some(Property::Assert) => rules,
                _ => true,
            }
    };
    let wrong = one_of(encoding, hides)?;
    Ok(wrong.map(|finding| cut_at(program, finding, false)))
}

/// Where some execution ends although others may go on, if there is none that is right.
fn all_end(program: &Program, encoding: &mut Encoding<'_>) -> Result<Option<Cut>, Reason> {
    let wrong = one_of(encoding, Property::cuts)?;
    Ok(wrong.map(|finding| cut_at(program, finding, true)))
}

fn cut_at(program: &Program, finding: Finding, every: bool) -> Cut {
    Cut { place: finding.origin.users_place(program), kind: finding.kind, every }
}

/// A finding of these kinds in some execution.
fn one_of(
    encoding: &mut Encoding<'_>,
    wanted: impl Fn(&FindingKind) -> bool,
) -> Result<Option<Finding>, Reason> {
    let all = encoding.findings().iter().filter(|finding| wanted(&finding.kind));
    let all: Vec<Finding> = all.cloned().collect();
    let lits: Vec<Lit> = all.iter().map(|finding| finding.wrong).collect();
    let any = encoding.formula.or(&lits);
    if any == Lit::FALSE || !solve(encoding, &[any])? {
        return Ok(None);
    }
    Ok(all.into_iter().find(|finding| encoding.formula.value(finding.wrong)))
}

/// Whether any finding is possible, whether it is asked for or not.
fn may_fail(encoding: &mut Encoding<'_>) -> Result<bool, Reason> {
    let lits: Vec<Lit> = encoding.findings().iter().map(|finding| finding.wrong).collect();
    let any = encoding.formula.or(&lits);
    Ok(any != Lit::FALSE && solve(encoding, &[any])?)
}

/// Looks for an execution that the model flags. Where something is wrong in it, its thread has
/// stopped there: what has been executed until then is an execution like others.
fn race(encoding: &mut Encoding<'_>) -> Result<Option<Violation>, Reason> {
    let lits: Vec<Lit> = encoding.flags.iter().map(|flag| flag.lit).collect();
    let any = encoding.formula.or(&lits);
    if any == Lit::FALSE {
        return Ok(None);
    }
    let right: Vec<Lit> = encoding.findings().iter().map(|finding| !finding.wrong).collect();
    // No thread continues after an error, whether the thread detects it or not.
    let broken = encoding.others_stop_in_sections(None);
    let stopped = [any, !encoding.unnoticed(), !broken];
    if !solve(encoding, &stopped)? {
        return Ok(None);
    }
    // Complete ones are easier to follow, and so are those in which nothing else is wrong.
    let unfinished: Vec<Lit> = [any, !broken].into_iter().chain(right).collect();
    if !solve(encoding, &[any, encoding.complete()])? && !solve(encoding, &unfinished)? {
        solve(encoding, &stopped)?;
    }
    let raised = encoding.flags.iter().find(|flag| encoding.formula.value(flag.lit));
    Ok(raised.map(|flag| Violation::Flag(flag.name.to_string())))
}

/// Looks for a complete execution that loses a block.
fn leak(encoding: &mut Encoding<'_>) -> Result<Option<Counterexample>, Reason> {
    let leaks = encoding.leaks();
    let lits: Vec<Lit> = leaks.iter().map(|(_, lit)| *lit).collect();
    let any = encoding.formula.or(&lits);
    let cut_off = encoding.awaits_in_vain();
    if any == Lit::FALSE || !solve(encoding, &[any, encoding.complete(), !cut_off])? {
        return Ok(None);
    }
    let lost = leaks.iter().find(|(_, lit)| encoding.formula.value(*lit));
    let place = lost.and_then(|(id, _)| {
        let region = encoding.bounded.allocations[*id].region;
        encoding.bounded.regions[region].place
    });
    let violation = Violation::Finding { kind: FindingKind::Leak, place };
    Ok(Some(Counterexample { violation, witness: Some(encoding.witness()) }))
}

/// Looks for a complete execution after which a lock is still held.
fn lock_held(encoding: &mut Encoding<'_>) -> Result<Option<Counterexample>, Reason> {
    let violation = held_lock(encoding, true)?;
    let witness = |encoding: &mut Encoding<'_>| Some(encoding.witness());
    Ok(violation.map(|violation| Counterexample { violation, witness: witness(encoding) }))
}
