//! Answers litmus tests with the solver: the engine finds the final states, the test says what they
//! mean.
//!
//! Soundness S-146 (litmus; all; refuses): The solver refuses RCU and SRCU, pairs of exclusives,
//! divisions by zero, values that only justify themselves and models that mention registers, and
//! does not raise `lock-final`; the oracle answers these. Test:
//! crates/fencepost/tests/litmus_engines.rs::the_solver_finds_the_states_that_the_oracle_finds,
//! crates/fencepost/tests/litmus_engines.rs::looking_at_a_lock_in_the_end_is_flagged.

use super::compiled::Compiled;
use encoding::encode::EncodeOptions;
use encoding::unroll::Language;
use engines::bounded::final_states::{
    FinalStates, GlobalBytes, Held, Place as At, Question, Refusal, final_states,
};
use execution::event::ThreadId;
use execution::ids::Id;
use front_litmus::state::{Looks, Typed};
use front_litmus::test::Place;
use ir::op::CastOp;
use ir::program::Width;
use limits::Limits;
use models::Model;
use oracle::Problem;
use oracle::litmus::{Answer, State};
use std::collections::BTreeMap;

/// Asks a test's question of every execution that a model allows.
pub fn ask(
    compiled: &Compiled<'_>,
    model: &Model,
    unroll: u32,
    limits: Limits,
) -> Result<Answer, Problem> {
    let looks = Looks::new(&compiled.test);
    let labels: Vec<String> = looks.places.iter().map(Place::to_string).collect();
    let places: Vec<At<'_>> =
        looks.places.iter().zip(&labels).map(|(place, label)| at(place, label)).collect();
    let typed = |state: &[Held]| -> Vec<Typed> {
        state.iter().zip(&looks.places).map(|(held, place)| typed(held, place)).collect()
    };
    let counts = |state: &[Held]| looks.passes(&typed(state));
    let options = options(compiled, unroll, limits.clone());
    let program = &compiled.test.program;
    let question = Question { program, places: &places, counts: &counts, options: &options };
    let found = final_states(&question, model).map_err(|refusal| match refusal {
        Refusal::Limit => limits.exceeded().map_or(Problem::OutOfTime, Problem::from),
        Refusal::Unsupported(what) => Problem::Unsupported(what),
    })?;
    let FinalStates { states, flags, undefined, bounded, strays } = found;
    let hides = |(held, place): (&Held, &Place)| {
        let hides = matches!(held, Held::Number(value) if looks.hides(place, *value));
        hides.then(|| place.to_string())
    };
    let hidden = states.iter().flat_map(|state| state.iter().zip(&looks.places)).filter_map(hides);
    let hidden = hidden.chain(looks.compared_with_more()).collect();
    let text = |state: &Vec<Held>| {
        let state = typed(state);
        (looks.print(&state), looks.satisfies(&state))
    };
    let states: BTreeMap<String, bool> = states.iter().map(text).collect();
    let positive = states.values().filter(|satisfies| **satisfies).count() as u64;
    let negative = states.len() as u64 - positive;
    let state = |(text, satisfies)| State { text, count: 1, satisfies };
    let states = states.into_iter().map(state).collect();
    let (witness, counted, strays) = (None, false, strays.into());
    Ok(Answer {
        states,
        positive,
        negative,
        flags,
        undefined,
        bounded,
        strays,
        hidden,
        witness,
        counted,
    })
}

fn options(compiled: &Compiled<'_>, unroll: u32, limits: Limits) -> EncodeOptions {
    let mut options = EncodeOptions { limits, ..EncodeOptions::default() };
    options.unroll.default_bound = unroll;
    // A loop that waits is cut off where the enumeration of executions does it.
    options.unroll.reduce_spin_loops = false;
    options.unroll.litmus = true;
    options.unroll.merges = compiled.options().merges;
    options.language = Some(match compiled.language {
        replay::language::Language::Machine => Language::Machine,
        replay::language::Language::Arm => Language::Arm,
        replay::language::Language::RiscV => Language::RiscV,
        replay::language::Language::LoadStore => Language::LoadStore,
        replay::language::Language::C11 => Language::C11,
        replay::language::Language::Kernel => Language::Kernel,
    });
    options
}

/// Where the program has what a test calls so.
fn at<'a>(place: &Place, label: &'a str) -> At<'a> {
    match place {
        Place::Register { thread, .. } => At::Observed { thread: ThreadId::new(*thread), label },
        Place::Cell { global, offset, ty, .. } => {
            At::Bytes(GlobalBytes { global: *global, offset: *offset, width: ty.width })
        }
    }
}

/// What a place holds, as the test compares it.
fn typed(held: &Held, place: &Place) -> Typed {
    match held {
        Held::Address(global, offset) => Typed::Address(*global, *offset),
        Held::Number(value) if value.width < Width::I64 => {
            Typed::number(value.cast(CastOp::ZeroExtend, Width::I64), place.ty())
        }
        Held::Number(value) => Typed::number(*value, place.ty()),
    }
}
