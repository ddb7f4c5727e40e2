//! A fixed sample of our litmus tests: the solver finds the states that the oracle finds.

use fencepost::litmus::{Engine, Limits, default_model, files, load, model, run};
use oracle::litmus::Answer;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// One test in so many.
const STEP: usize = 8;

/// What must be the same.
fn said(answer: &Answer) -> (BTreeSet<(String, bool)>, String, bool, Vec<String>) {
    let states = answer.states.iter().map(|state| (state.text.clone(), state.satisfies));
    let flags = answer.flags.iter().map(|flag| flag.to_string()).collect();
    (states.collect(), answer.observation().to_string(), answer.undefined, flags)
}

#[test]
fn the_solver_finds_the_states_that_the_oracle_finds() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../corpus/litmus");
    let files = files::collect(&[folder.display().to_string()]).unwrap();
    let limits = |engine| Limits { time: None, unroll: 2, engine };
    let (mut compared, mut refused) = (0, 0);
    for path in files.iter().step_by(STEP) {
        let test = load(path).test.unwrap_or_else(|problem| panic!("{}", problem.message));
        let models = [model(default_model(&test)).unwrap(), model("sc").unwrap()];
        let expected = run(&test, &models, &limits(Engine::Oracle), false);
        let found = run(&test, &models, &limits(Engine::Sat), false);
        for (expected, found) in expected.iter().zip(&found) {
            match (&expected.answer, &found.answer) {
                (Ok(expected), Ok(answer)) => {
                    let name = &found.model.name;
                    assert_eq!(said(answer), said(expected), "{} under {name}", path.display());
                    compared += 1;
                }
                _ => refused += 1,
            }
        }
    }
    assert!(compared > 10 * refused, "{compared} compared, {refused} refused");
}
