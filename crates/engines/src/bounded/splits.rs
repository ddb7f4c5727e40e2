//! Programs that access the same bytes in several widths, by plain accesses: the arms of a union,
//! objects of several types in one buffer.
//!
//! The solver asks for one width for each location. Where plain accesses stand in the way, they are
//! made in pieces ([`ir::prepare::in_pieces`]), and the program that comes out is asked instead. It
//! can do whatever the program itself can, piece by piece, so what holds of it holds.
//!
//! It may do more: another thread may see one part of a store without the other. In a language that
//! is a race, which the program itself has as well, and in a program without races it is
//! unobservable: what is wrong there is wrong. A machine does not tear what is aligned; there an
//! execution counts only if it is one in which threads take turns, and none runs between the parts
//! of an access.
//!
//! Soundness S-113 (verify; languages, power, armv7, alpha; cries wolf): Where plain accesses of
//! several widths are split, an assertion that fails only because a value is torn counts as
//! violated along with the race. Test:
//! crates/fencepost/tests/widths.rs::plain_accesses_in_pieces_are_torn_by_races_only.
//!
//! Soundness S-114 (verify; power, armv7, alpha; refuses): Where plain accesses are split, a
//! violation counts only if an interleaving shows it in which no thread runs between the parts of
//! an access (up to 60,000 states); others, `--outcomes` and `--coverage` are refused. Test:
//! crates/fencepost/tests/widths.rs::what_is_wrong_with_whole_accesses_is_found_in_pieces.

use super::solver::{Way, solved_whole};
use crate::bounded::unrolling::CheckOptions;
use crate::engine::{Budget, Claim, Report, Task};
use crate::explicit::interleavings;
use crate::explore;
use crate::verdict::{Counterexample, Reason, Verdict};
use crate::verification::outcomes::Asked;
use crate::verification::{EngineChoice, Property, Questions};
use execution::witness::Split;
use ir::prepare::{Pieces, in_pieces};
use ir::program::Program;
use models::Model;
use std::collections::BTreeMap;

/// The values of split accesses may be known more or less precisely, so that more has to be split.
const ROUNDS: usize = 8;

/// Checks a program by the solver, with accesses split where that helps.
pub(super) fn solved(task: Task<'_>, budget: Budget<'_>) -> Report {
    let Task { program, model, questions, known } = task;
    let options = budget.options;
    let explores = match budget.portfolio.engine {
        EngineChoice::Explore => true,
        EngineChoice::Either => explore::calls_native(program),
        EngineChoice::States | EngineChoice::Solver | EngineChoice::Graphs => false,
    };
    let found = explores.then_some(budget.confirm);
    let way = Way { known: known.clone(), explores, found };
    let (mut report, splits) = solved_whole(program, model, questions, options, way);
    if splits.is_empty() || questions.properties.is_empty() {
        return report;
    }
    // Outcomes and coverage of the split program are not those of the program.
    let questions = Questions { outcomes: Asked::default(), coverage: false, ..questions.clone() };
    let task = Task { questions: &questions, ..task };
    let Some((again, splits)) = divided(task, options, splits, explores) else {
        return report;
    };
    let exact = tears_only_in_races(model);
    let mut whole = match exact {
        true => BTreeMap::new(),
        false => by_turns(program, &questions, &again, &splits, budget),
    };
    // An execution that is not known to be one of the program may be one all the same, and end there.
    let perhaps = again.shown_cut();
    for (property, verdict) in again.verdicts {
        let Some(own) = report.verdicts.get_mut(&property) else { continue };
        if !matches!(own, Verdict::Inconclusive(..)) {
            continue;
        }
        match verdict {
            Verdict::Violated(found) if exact => {
                *own = Verdict::Violated(Box::new(with_splits(*found, &splits)));
            }
            Verdict::Violated(_) => {
                if let Some(found) = whole.remove(&property) {
                    *own = Verdict::Violated(Box::new(found));
                }
            }
            Verdict::Inconclusive(Reason::Unsupported { .. }, _) => {}
            verdict => *own = verdict,
        }
    }
    report.cut = report.cut.or(again.cut);
    if report.shown_cut().is_none() {
        report.cut = report.cut.or(perhaps);
    }
    report.statistics = again.statistics;
    report
}

/// The answers about the split program, with the splits; `None` if there is no way to split it.
fn divided(
    Task { program, model, questions, .. }: Task<'_>,
    options: &CheckOptions<'_>,
    mut splits: Vec<Split>,
    explores: bool,
) -> Option<(Report, Vec<Split>)> {
    for _ in 0..ROUNDS {
        let pieces = Pieces { splits: splits.clone(), at_once: false };
        let divided = in_pieces(program.clone(), &pieces);
        let way = Way { explores, ..Way::default() };
        let (report, more) = solved_whole(&divided, model, questions, options, way);
        if more.is_empty() {
            return Some((report, splits));
        }
        splits.extend(more);
    }
    None
}

/// The violations of the split program that an interleaving shows in which no thread runs between
/// the parts of an access.
fn by_turns(
    program: &Program,
    questions: &Questions,
    again: &Report,
    splits: &[Split],
    budget: Budget<'_>,
) -> BTreeMap<Property, Counterexample> {
    let is_violated =
        |property: &Property| matches!(again.verdicts.get(property), Some(Verdict::Violated(_)));
    let properties = questions.properties.iter().copied().filter(is_violated).collect();
    let questions = Questions { properties, ..questions.clone() };
    let pieces = Pieces { splits: splits.to_vec(), at_once: true };
    let program = in_pieces(program.clone(), &pieces);
    let confirm = |claim: Claim<'_>| match claim {
        Claim::Violation(found) => {
            (budget.confirm)(Claim::Violation(&with_splits(found.clone(), splits)))
        }
        Claim::Branch(_) | Claim::Found(..) => false,
    };
    // On models of languages, a violation of the split program is one of the program.
    let budget = Budget { confirm: &confirm, ..budget };
    let found = interleavings::violations(&program, &questions, budget);
    found.into_iter().map(|(property, found)| (property, with_splits(found, splits))).collect()
}

/// The same, as an execution of the split program.
fn with_splits(mut found: Counterexample, splits: &[Split]) -> Counterexample {
    if let Some(witness) = &mut found.witness {
        witness.splits = splits.to_vec();
    }
    found
}

/// Whether a plain access that is torn is a race, and with it undefined behaviour.
fn tears_only_in_races(model: &Model) -> bool {
    model.is_of_language() && model.raises_flags()
}
