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
    let limits = |engine| Limits { time: None, unroll: 2, engine, ..Limits::default() };
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

/// A value is passed from location to location; each thread may come too early, so that the
/// number of executions doubles with each.
fn chain(length: usize) -> String {
    let mut text = "C chain\n{ x0 = 1; }\n".to_string();
    for i in 0..length {
        let next = i + 1;
        text += &format!(
            "P{i}(int *x{i}, int *x{next})\n{{\n  int r = READ_ONCE(*x{i});\n  \
             WRITE_ONCE(*x{next}, r);\n}}\n"
        );
    }
    format!("{text}exists (x{length}=1)\n")
}

fn parsed(text: &str) -> front_litmus::test::Test {
    let mut sources = execution::span::SourceMap::new();
    let file = sources.add_file("test.litmus", text);
    front_litmus::parse(&sources, file).unwrap_or_else(|problem| panic!("{}", problem.message))
}

#[test]
fn a_test_with_too_many_executions_is_left_to_the_solver() {
    let limits = Limits { time: None, unroll: 2, engine: Engine::Auto, ..Limits::default() };
    let models = [model("lkmm").unwrap()];
    let long = &run(&parsed(&chain(40)), &models, &limits, false)[0];
    let answer = long.answer.as_ref().unwrap();
    assert!(long.fell_over && !answer.counted);
    let states: Vec<&str> = answer.states.iter().map(|state| state.text.as_str()).collect();
    assert_eq!(states, ["[x40]=0;", "[x40]=1;"]);
    let short = &run(&parsed(&chain(4)), &models, &limits, false)[0];
    let answer = short.answer.as_ref().unwrap();
    assert!(!short.fell_over && answer.counted);
    assert_eq!((answer.positive, answer.negative), (1, 7));
}

#[test]
fn looking_at_a_lock_in_the_end_is_flagged() {
    let test = |looks: &str| {
        format!(
            "C locks\n{{ }}\nP0(int *x, spinlock_t *l)\n{{\n  spin_lock(l);\n  \
             WRITE_ONCE(*x, 1);\n  spin_unlock(l);\n}}\nlocations [{looks}]\nexists (x=1)\n"
        )
    };
    let limits = Limits { time: None, unroll: 2, engine: Engine::Oracle, ..Limits::default() };
    let flags = |looks: &str| {
        let models = [model("lkmm").unwrap()];
        let outcomes = run(&parsed(&test(looks)), &models, &limits, false);
        outcomes[0].answer.as_ref().unwrap().flags.iter().map(|flag| flag.to_string()).collect()
    };
    let (with, without): (Vec<String>, Vec<String>) = (flags("l;"), flags("x;"));
    assert_eq!((with, without), (vec!["lock-final".to_string()], vec![]));
}

#[test]
fn both_engines_tell_of_accesses_of_what_is_no_address() {
    let test = |guard: &str| {
        format!(
            "AArch64 early\n{{ x=0; 0:X1=x; 0:X2=y; 1:X1=x; }}\n P0 | P1 ;\n STR X2,[X1] | \
             LDR X3,[X1] ;\n | {guard} ;\n | LDR W4,[X3] ;\n | L: ;\nexists (1:X4=1)\n"
        )
    };
    for engine in [Engine::Oracle, Engine::Sat] {
        let strays = |guard: &str| {
            let limits = Limits { time: None, unroll: 2, engine, ..Limits::default() };
            let models = [model("armv8").unwrap()];
            let outcomes = run(&parsed(&test(guard)), &models, &limits, false);
            outcomes[0].answer.as_ref().unwrap().strays
        };
        assert_eq!((strays("NOP"), strays("CBZ X3,L")), (1, 0), "{engine:?}");
    }
}

#[test]
fn the_solver_does_not_lose_executions_that_go_wrong_otherwise() {
    let answer = |text: &str| {
        let limits = Limits { time: None, unroll: 2, engine: Engine::Sat, ..Limits::default() };
        let models = [model("sc").unwrap()];
        run(&parsed(text), &models, &limits, false).remove(0).answer
    };
    let divided = answer(
        "C div\n{}\nP0(int *x) { int r1 = READ_ONCE(*x); int r0 = 1 / r1; }\n\
        exists (0:r0=0)\n",
    );
    let problem = divided.expect_err("there is no answer").to_string();
    assert_eq!(problem, "an execution goes wrong and has no final state (division)");
    let misaligned = answer(
        "AArch64 odd\n{ 0:X1=x; }\n P0 ;\n ADD X1,X1,#1 ;\n LDR W0,[X1] ;\n\
        exists (0:X0=0)\n",
    );
    assert_eq!(misaligned.map(|answer| answer.strays).ok(), Some(1));
}
