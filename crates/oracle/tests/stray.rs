//! Executions that access something that is not an address: they have no final state, but whether
//! the model allows one is reported.

use execution::span::SourceMap;
use models::Model;
use oracle::EnumerationOptions;
use oracle::litmus::{Answer, Observation, Prepared, language};

fn ask(text: &str) -> Answer {
    let mut sources = SourceMap::new();
    let file = sources.add_file("test.litmus", text);
    let test = front_litmus::parse(&sources, file).map_err(|problem| problem.message).unwrap();
    let prepared = Prepared::new(&test, EnumerationOptions::new(language(&test))).unwrap();
    prepared.ask(&Model::named("armv8").unwrap(), false).unwrap()
}

#[test]
fn an_allowed_access_of_a_non_address_is_reported() {
    // The pointer is read before or after it is set.
    let answer = ask("AArch64 early
{ x=0; 0:X1=x; 0:X2=y; 1:X1=x; }
 P0          | P1          ;
 STR X2,[X1] | LDR X3,[X1] ;
             | LDR W4,[X3] ;
exists (1:X4=1)
");
    assert_eq!((answer.states.len(), answer.strays), (1, 1));
    assert!(answer.is_open(), "the other execution might have met the condition");
}

#[test]
fn what_is_seen_anyway_does_not_depend_on_it() {
    let answer = ask("AArch64 seen
{ x=0; 0:X1=x; 0:X2=y; 1:X1=x; 1:X5=z; 0:X5=z; }
 P0          | P1          ;
 STR X2,[X1] | LDR X3,[X1] ;
 MOV W6,#1   | LDR W4,[X3] ;
 STR W6,[X5] | LDR W7,[X5] ;
exists (1:X7=1)
");
    assert_eq!(answer.observation(), Observation::Sometimes);
    assert!(answer.strays > 0 && !answer.is_open());
}

#[test]
fn one_that_the_model_forbids_is_not() {
    // To get there, two reads of one location would have to disagree with its coherence.
    let answer = ask("AArch64 coherent
{ 0:X1=x; 1:X1=x; 1:X3=7; }
 P0          | P1           ;
 MOV W0,#1   | LDR W0,[X1]  ;
 STR W0,[X1] | LDR W2,[X1]  ;
             | EOR W4,W0,#1 ;
             | ORR W4,W4,W2 ;
             | CBNZ W4,L    ;
             | LDR W5,[X3]  ;
             | L:           ;
forall (1:X4=1)
");
    assert_eq!((answer.observation(), answer.strays), (Observation::Always, 0));
}

#[test]
fn where_every_execution_goes_astray_there_are_no_states() {
    let answer = ask("AArch64 nowhere
{ 1:X1=x; }
 P0          | P1          ;
 LDR W0,[X2] | LDR W0,[X1] ;
exists (1:X0=0)
");
    assert_eq!((answer.states.len(), answer.strays), (0, 1));
    assert!(answer.is_open());
}

#[test]
fn a_store_conditional_that_can_only_fail_accesses_nothing() {
    let answer = ask("AArch64 alone
{ 0:X1=x; 1:X1=x; }
 P0                | P1          ;
 MOV W0,#1         | LDR W0,[X1] ;
 STXR W2,W0,[X3]   |             ;
 STR W0,[X1]       |             ;
exists (0:X2=1 /\\ 1:X0=1)
");
    assert_eq!((answer.states.len(), answer.strays), (2, 0));
    assert_eq!(answer.observation(), Observation::Sometimes);
}
