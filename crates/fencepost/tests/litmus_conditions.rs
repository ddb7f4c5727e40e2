//! What stands behind the program of a litmus test: lists of locations and propositions, as
//! herd's grammar has them.

use execution::span::SourceMap;
use front_litmus::test::Test;
use models::Model;
use oracle::EnumerationOptions;
use oracle::litmus::{Observation, Prepared, language};

fn read(ending: &str) -> Test {
    let text = format!(
        "AArch64 test\n{{ int a[2]={{1,2}}; int *p=&y; 0:X1=x; 1:X1=x; 1:X3=a; }}\n P0 | P1 ;\n \
         MOV W0,#1 | LDR W0,[X1] ;\n STR W0,[X1] | MOV X4,#-1 ;\n{ending}\n"
    );
    let mut sources = SourceMap::new();
    let file = sources.add_file("test.litmus", text.as_str());
    match front_litmus::parse(&sources, file) {
        Ok(test) => test,
        Err(problem) => panic!("{}\n{text}", problem.message),
    }
}

/// The observation and the final states, `x` always 1 and `1:X0` either 0 or 1.
fn answer(ending: &str) -> (Observation, Vec<String>) {
    let test = read(ending);
    let prepared = Prepared::new(&test, EnumerationOptions::new(language(&test))).unwrap();
    let answer = prepared.ask(&Model::named("sc").unwrap(), false).unwrap();
    (answer.observation(), answer.states.into_iter().map(|state| state.text).collect())
}

fn observation(ending: &str) -> Observation {
    answer(ending).0
}

#[test]
fn implication_binds_more_strongly_than_and_and_or() {
    // `x=0 /\ (x=1 => x=2)`, not `(x=0 /\ x=1) => x=2`.
    assert_eq!(observation("exists (x=0 /\\ x=1 => x=2)"), Observation::Never);
    // `(x=0 => x=2) \/ x=3`, and to the right: `x=0 => (x=1 => x=2)`.
    assert_eq!(observation("exists (x=0 => x=2 \\/ x=3)"), Observation::Always);
    assert_eq!(observation("exists (x=0 => x=1 => x=2)"), Observation::Always);
    // `(1:X0=0 => x=1) /\ x=0`.
    assert_eq!(observation("exists (1:X0=0 => x=1 /\\ x=0)"), Observation::Never);
}

#[test]
fn propositions_are_printed_as_they_are_read() {
    for text in [
        "1:X0=0 /\\ [x]=1 => [x]=2",
        "(1:X0=0 /\\ [x]=1) => [x]=2",
        "([x]=0 => [x]=1) => [x]=2",
        "([x]=0 \\/ [x]=1) /\\ [x]=2",
    ] {
        let question = read(&format!("exists ({text})")).question.unwrap();
        assert_eq!(question.prop.to_string(), text);
    }
}

#[test]
fn a_question_may_be_a_bare_proposition_or_a_list_of_states() {
    assert_eq!(observation("(1:X0=1)"), Observation::Sometimes);
    assert_eq!(observation("observed 1:X0=0; x=1; and 1:X0=1; x=1;"), Observation::Always);
    assert_eq!(observation("observed 1:X0=0; x=0; and 1:X0=1; x=1;"), Observation::Sometimes);
}

#[test]
fn what_a_location_holds_may_be_asked_for() {
    assert_eq!(observation("exists (1:X0 = *x)"), Observation::Sometimes);
    assert_eq!(observation("exists (1:X0 = [x])"), Observation::Sometimes);
    assert_eq!(observation("exists (1:X0 = *0:X0)"), Observation::Sometimes);
    assert_eq!(observation("forall (a <> {1,3} /\\ a = {1,2} /\\ p = y)"), Observation::Always);
}

#[test]
fn locations_are_listed_with_types_or_without() {
    let (_, states) = answer("locations [1:X4; x int; p int*; 0:X1*;]\nforall (1:X4=-1)");
    assert_eq!(states, ["0:X1=x; 1:X4=-1; [p]=y; [x]=1;"]);
    let (observation, states) =
        answer("locations [1:X4 uint64_t; x;]\nforall (1:X4=0xffffffffffffffff)");
    assert_eq!(observation, Observation::Always);
    assert_eq!(states, ["1:X4=18446744073709551615; [x]=1;"]);
}
