//! What a saved schedule shows, and whether an execution shows it.
//!
//! Branches and assertions are found again by the names of their functions and their numbers there,
//! results by what was computed: a program that was changed may have them at other places.

use crate::check::recheck::signed;
use encoding::bounded::Goal;
use engines::verification::outcomes::Observed;
use execution::ids::Id;
use execution::witness::Witness;
use ir::program::Program;
use ir::step::shown::{Computed, Place};
use ir::value::Value;
use replay::{Replayed, Under, follow};
use serde::{Deserialize, Serialize};

/// What a schedule is the first to show.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Shows {
    /// A branch of a function goes this way: the numbers of its block and of the direction.
    Branch(String, usize, usize),
    /// An assertion is reached: the numbers of its block and instruction.
    Assertion(String, usize, usize),
    /// An operation of a function has a result, as `6 * 7 = 42`.
    Result(String, String),
    /// The program observes this: labels and values, by thread.
    Outcome(Observed),
}

impl Shows {
    /// What an execution that reaches a goal shows; `what` is the text of a result.
    pub fn of(program: &Program, goal: Goal, what: &str) -> Self {
        let name = |function| program.functions[function].name.to_string();
        match goal {
            Goal::Branch { function, block, arm } => {
                Shows::Branch(name(function), block.index(), arm as usize)
            }
            Goal::Assertion { function, block, index } => {
                Shows::Assertion(name(function), block.index(), index as usize)
            }
            Goal::Result { function, .. } => Shows::Result(name(function), what.to_string()),
        }
    }

    /// Whether an execution shows it, which was replayed; of outcomes, those at the end are what the
    /// thread says that ends the program.
    pub fn is_shown(
        &self,
        program: &Program,
        under: Under<'_>,
        (witness, replayed): (&Witness, &Replayed),
        at_the_end: bool,
    ) -> bool {
        if let Shows::Outcome(observed) = self {
            return is_observed(observed, (witness, replayed), at_the_end);
        }
        let (shown, _) = follow(program, under.model, witness, under.limits);
        let named = |place: &Place, name: &str| *program.functions[place.function].name == *name;
        match self {
            Shows::Branch(name, block, arm) => shown.directions.iter().any(|direction| {
                let own = direction.last_chunk().map(|own| own.map(|number| number as usize));
                own.is_some_and(|[function, at, way]| {
                    let function = program.functions.ids().find(|id| id.index() == function);
                    let is_it = |id| *program.functions[id].name == **name;
                    (at, way) == (*block, *arm) && function.is_some_and(is_it)
                })
            }),
            Shows::Assertion(name, block, index) => shown.assertions.iter().any(|place| {
                named(place, name)
                    && (place.block.index(), place.index as usize) == (*block, *index)
            }),
            Shows::Result(name, what) => {
                let own = shown.operands.iter().filter(|(place, _)| named(place, name));
                own.into_iter()
                    .any(|(&place, entries)| results(program, place, entries).contains(what))
            }
            Shows::Outcome(_) => false,
        }
    }
}

/// The results that an operation had, as text.
fn results(
    program: &Program,
    Place { function, block, index }: Place,
    (computed, entries): &(Computed, Vec<Vec<Value>>),
) -> Vec<String> {
    let inst = program.functions[function].blocks[block].insts.get(index as usize);
    let signed = inst.is_some_and(|inst| inst.op.is_signed());
    let text = |operands: &Vec<Value>| {
        let result = match (computed, operands.as_slice()) {
            (Computed::Binary(op, _), &[a, b]) => a.binary(*op, b).ok()?,
            (Computed::Native(function), all) => program.natives.call(function, all).ok()?,
            _ => return None,
        };
        Some(computed.shown(operands, result, signed))
    };
    entries.iter().filter_map(text).collect()
}

/// Whether the replay of an execution observes this; of the end, the thread speaks that ends the program.
pub fn is_observed(
    observed: &Observed,
    execution: (&Witness, &Replayed),
    at_the_end: bool,
) -> bool {
    let seen = seen(execution);
    match at_the_end {
        true => observed.values().all(|said| seen.values().any(|own| own == said)),
        false => seen == *observed,
    }
}

/// What the replay of an execution observes.
pub fn seen((witness, replayed): (&Witness, &Replayed)) -> Observed {
    let mut seen = Observed::new();
    let ranks = witness.ranks();
    for ((thread, _), list) in &replayed.observation.operations {
        let list = list.iter().map(|o| (o.label.clone(), signed(o.bits, o.width)));
        let number = *thread as usize;
        let rank = ranks.get(number).copied().flatten().unwrap_or(number);
        seen.entry(rank).or_default().extend(list);
    }
    seen.retain(|_, list| !list.is_empty());
    seen
}
