//! Variants of data types: what `prove` says of each is what is recorded, and what is proved is not
//! contradicted: a sample. The long form is `cargo run --release -p xtask -- proofs --variants`.

use rayon::prelude::*;
use std::time::Duration;
use xtask::variants::{MODELS, Said, Truth, Variant, all};

/// No answer takes nearly as long, however busy the machine is: it guards against hanging.
const LIMIT: Duration = Duration::from_secs(300);

/// Of the answers, this share must be proofs and violations.
const DECIDED: f64 = 0.9;

/// One in this many answers is asked for here, about either model; all are by the command.
const SAMPLE: usize = 5;

fn answers() -> Vec<(Variant, &'static str)> {
    let quick = all().unwrap().into_iter().filter(|variant| !variant.slow);
    let all = quick.flat_map(|variant| MODELS.map(|model| (variant.clone(), model)));
    all.step_by(SAMPLE).collect()
}

#[test]
fn every_variant_is_answered_as_recorded() {
    let judged: Vec<(Result<bool, String>, bool)> = answers()
        .par_iter()
        .map(|(variant, model)| {
            let said = variant.proof(model, LIMIT).unwrap_or_else(|error| panic!("{error}"));
            let judged = variant.judge(model, &said);
            let judged = judged.and_then(|good| match good {
                true => Ok(true),
                false => Err(format!("{} on {model} is {said}", variant.name)),
            });
            (judged, matches!(said, Said::Open(_)))
        })
        .collect();
    let wrong: Vec<&String> =
        judged.iter().filter_map(|(judged, _)| judged.as_ref().err()).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    let decided = judged.iter().filter(|(_, open)| !open).count();
    assert!(decided as f64 >= DECIDED * judged.len() as f64, "{decided} of {}", judged.len());
    assert!(judged.len() >= 40, "{}", judged.len());
}

/// What is recorded as right is right in some small tests, and in all states of two threads.
#[test]
fn nothing_contradicts_what_is_recorded_as_right() {
    let right =
        answers().into_iter().filter(|(variant, model)| variant.truth(model) == Truth::Right);
    let right: Vec<_> = right.collect();
    let doubts: Vec<String> = right
        .par_iter()
        .flat_map(|(variant, model)| {
            // A test with three threads may take a minute; the command checks those.
            let mut tests = variant.small_tests().unwrap();
            tests.retain(|test| test.matches('|').count() < 2);
            let step = (tests.len() / 4).max(1);
            let mut doubts = Vec::new();
            for test in tests.iter().step_by(step) {
                if variant.check(test, model, LIMIT).unwrap() == Some(true) {
                    doubts.push(format!("{} on {model}: {test}", variant.name));
                }
            }
            if variant.explored(2, model, LIMIT).unwrap() == Some(false) {
                doubts.push(format!("{} on {model}: two threads", variant.name));
            }
            doubts
        })
        .collect();
    assert!(doubts.is_empty(), "{doubts:#?}");
}
