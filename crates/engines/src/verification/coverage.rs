//! Which branches and assertions some execution reaches, each with an execution that does.
//!
//! One solution usually reaches many goals at once, so there are fewer questions than goals: each
//! asks for an execution that reaches any goal that is still open. (The question is that of
//! Demsky, Lam, *SATCheck*, OOPSLA 2015; there, executions are run to learn what the program does.)
//!
//! Soundness S-126 (verify; all; cries wolf): Each execution of `--coverage` is replayed unless it
//! makes more than 400 accesses; that it passes the branch is not rechecked. Test:
//! crates/xtask/tests/coverage.rs::coverage_is_what_brute_force_reaches,
//! crates/fencepost/tests/verdicts.rs::coverage_takes_from_interleavings_what_they_show_and_asks_the_solver_for_the_rest.

use crate::bounded::unrolling::{EASY, Unrolling, solve};
use crate::verdict::Reason;
use encoding::bounded::Goal;
use encoding::encode::Encoding;
use execution::ids::Id;
use execution::question::Question;
use execution::witness::Witness;
use ir::op::{Op, Operand, Terminator};
use ir::program::{LocId, Program, Width};
use ir::value::Value;
use sat::Lit;
use std::collections::BTreeMap;

/// What executions reach.
#[derive(Clone, Debug, Default)]
pub struct Coverage {
    /// The executions.
    pub witnesses: Vec<Witness>,
    /// For each goal of the program that is reached, the number of an execution that does.
    pub reached: BTreeMap<Goal, usize>,
    /// What the results of operations among these are, and where.
    pub results: BTreeMap<Goal, (String, Option<LocId>)>,
}

impl Coverage {
    /// Adds what is known from elsewhere.
    pub(crate) fn extend(&mut self, other: Coverage) {
        let first = self.witnesses.len();
        self.results.extend(other.results);
        self.witnesses.extend(other.witnesses);
        for (goal, number) in other.reached {
            self.reached.entry(goal).or_insert(first + number);
        }
    }

    /// What some of the executions reach.
    pub(crate) fn filtered(self, keeps: impl Fn(&Witness) -> bool) -> Self {
        let mut kept = Coverage { results: self.results, ..Coverage::default() };
        for (number, witness) in self.witnesses.into_iter().enumerate() {
            if keeps(&witness) {
                let goals = self.reached.iter().filter(|(_, by)| **by == number);
                kept.reached.extend(goals.map(|(goal, _)| (*goal, kept.witnesses.len())));
                kept.witnesses.push(witness);
            }
        }
        kept
    }

    /// Whether everything in a program that its author has written is reached.
    pub(crate) fn is_all_of(&self, program: &Program) -> bool {
        let shown = goals(program).into_iter().filter(|(_, place)| is_shown(program, *place));
        shown.into_iter().all(|(goal, _)| self.reached.contains_key(&goal))
    }
}

/// Whether a goal is in what the author of a program has written: not in a header of ours.
pub fn is_shown(program: &Program, place: Option<LocId>) -> bool {
    place.is_some_and(|place| {
        let location = &program.places[place].location;
        !location.is_library() && &*location.file != "--outcomes"
    })
}

/// Everything in a program that an execution may reach, with its place.
pub fn goals(program: &Program) -> Vec<(Goal, Option<LocId>)> {
    let mut all = Vec::new();
    for (function, code) in program.functions.enumerate() {
        for (block, body) in code.blocks.enumerate() {
            for (index, inst) in body.insts.iter().enumerate() {
                if let Op::Assert { .. } = inst.op {
                    let index = index as u32;
                    all.push((Goal::Assertion { function, block, index }, inst.place));
                }
            }
            let arms = match &body.terminator {
                Terminator::Branch { .. } => 2,
                Terminator::Switch { cases, .. } => cases.len() + 1,
                _ => 0,
            };
            for arm in 0..arms as u32 {
                all.push((Goal::Branch { function, block, arm }, body.place));
            }
        }
    }
    all
}

/// Finds out what executions of an encoding reach: whole ones as far as possible, since they are
/// easier to follow.
pub(crate) fn cover(
    unrolling: &Unrolling<'_>,
    encoding: &mut Encoding<'_>,
    coverage: &mut Coverage,
) -> Result<(), Reason> {
    unrolling.doing(Question::Coverage);
    let right: Vec<Lit> = encoding.findings().iter().map(|finding| !finding.wrong).collect();
    // No thread continues after an error, whether the thread detects it or not.
    let stopped = !encoding.unnoticed();
    reach(encoding, coverage, &[vec![encoding.complete()], right, vec![stopped]])
}

/// Adds what executions reach of which one after the other of these is true.
fn reach(
    encoding: &mut Encoding<'_>,
    coverage: &mut Coverage,
    kinds: &[Vec<Lit>],
) -> Result<(), Reason> {
    coverage.results = encoding.bounded.results.clone();
    let goals = encoding.goals();
    for only in kinds {
        loop {
            let open = goals.iter().filter(|(goal, _)| !coverage.reached.contains_key(goal));
            let open: Vec<(Goal, Lit)> = open.map(|(&goal, &lit)| (goal, lit)).collect();
            let lits: Vec<Lit> = open.iter().map(|(_, lit)| *lit).collect();
            let any = encoding.formula.or(&lits);
            let assumptions: Vec<Lit> = std::iter::once(any).chain(only.clone()).collect();
            if any == Lit::FALSE || !solve(encoding, &assumptions)? {
                break;
            }
            let number = coverage.witnesses.len();
            coverage.witnesses.push(encoding.witness());
            let there = open.iter().filter(|(_, lit)| encoding.formula.value(*lit));
            coverage.reached.extend(there.map(|(goal, _)| (*goal, number)));
        }
    }
    Ok(())
}

/// What executions reach in a round of an exploration that is not the last, as far as that is easy to
/// find: what is known if the search is ended before the last. Threads may stop at bounds, but not in
/// an atomic section, which would be undone.
pub(crate) fn cover_so_far(
    unrolling: &Unrolling<'_>,
    encoding: &mut Encoding<'_>,
    coverage: &mut Coverage,
) -> Result<(), Reason> {
    // Threads that go on past a bound do what the program may not do.
    if !unrolling.explores() || unrolling.plan().goes_on() {
        return Ok(());
    }
    let limit = encoding.formula.limits().conflicts;
    encoding.formula.set_conflict_limit(Some(limit.map_or(EASY, |limit| limit.min(EASY))));
    let right = encoding.findings().iter().map(|finding| !finding.wrong);
    let mut right: Vec<Lit> = right.collect();
    right.push(!encoding.others_stop_in_sections(None));
    let covered = reach(encoding, coverage, &[vec![encoding.complete()], right]);
    encoding.formula.set_conflict_limit(limit);
    match covered {
        Err(Reason::Limit(_)) if !encoding.formula.limits().expired() => Ok(()),
        covered => covered,
    }
}

/// What a goal is called where its place is shown: a direction of a branch, a case, an assertion.
pub fn direction(program: &Program, goal: Goal) -> String {
    let Goal::Branch { function, block, arm } = goal else { return "reached".to_string() };
    let code = &program.functions[function];
    let Terminator::Switch { value, cases, .. } = &code.blocks[block].terminator else {
        return if arm == 0 { "true" } else { "false" }.to_string();
    };
    let Some(case) = cases.get(arm as usize) else { return "default".to_string() };
    let width = match value {
        Operand::Reg(reg) => code.regs[*reg].width,
        Operand::Int { width, .. } => *width,
        _ => Width::PTR,
    };
    let number = |bits: u128| Value::int(width, bits).as_signed();
    match case.low == case.high {
        true => format!("case {}", number(case.low)),
        false => format!("case {} ... {}", number(case.low), number(case.high)),
    }
}

/// What a goal is called: `branch 3.0.1 of f`.
pub fn name(program: &Program, goal: Goal) -> String {
    match goal {
        Goal::Branch { function, block, arm } => {
            format!("{}.b{}.{arm}", program.functions[function].name, block.index())
        }
        Goal::Assertion { function, block, index } => {
            format!("{}.b{}.assert{index}", program.functions[function].name, block.index())
        }
        Goal::Result { function, block, index, entry } => {
            let function = &program.functions[function].name;
            format!("{function}.b{}.result{index}.{}", block.index(), entry + 1)
        }
    }
}
