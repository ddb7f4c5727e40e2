//! Claims about the program that a data type and a test make.

use super::*;
use crate::fixture::{Fixture, composed};
use ir::step::machine::{Machine, RunEnd, RunOptions};
use ir::step::thread::Code;
use ir::step::world::{Record, Recorded};

const COUNTER: &str = r#"
#include <fencepost.h>
static int counter;
int helper_data = 7;
int helper(void) { return helper_data; }
void init(void) { counter = 10; }
void a(void) { int by = fp_choose(1, 2); fp_observe("by", by); counter += by; }
int g(void) { return counter; }
void p(int x) { counter = x; }
void w(void) { fp_operation_begin("w"); counter++; fp_operation_end(); }
int main(void) { return helper(); }
"#;

fn counter(test: &str) -> Composed {
    composed(COUNTER, test)
}

/// What an operation returns in a run.
fn result(records: &[Record]) -> Option<u64> {
    records.iter().find_map(|record| match &record.what {
        Recorded::Observed(label, value) if label == RESULT => Some(value.low()),
        _ => None,
    })
}

#[test]
fn a_test_becomes_an_ordinary_program() {
    let composed = counter("g ( a g | a' )");
    ir::verify::assert_well_formed(&composed.program, "composition");
    insta::assert_snapshot!(ir::text::print(&composed.program));
}

#[test]
fn operations_are_known_by_name_and_by_column() {
    let composed = counter("g ( a g | a' )");
    let all: Vec<_> = composed.instances.iter().map(|i| (&*i.name, i.column, i.index)).collect();
    assert_eq!(all, [("g#1", 0, 0), ("a#1", 1, 0), ("g#2", 1, 1), ("a#2", 2, 0)]);
    let restricted: Vec<bool> = composed.instances.iter().map(|i| i.restricted).collect();
    assert_eq!(restricted, [false, false, false, true]);
    assert_eq!(composed.columns, 3);
    assert_eq!(composed.instance(1, 1), composed.instance_named("g#2"));
    assert_eq!(composed.instance(1, 2), None);
}

#[test]
fn what_the_test_does_not_need_is_gone() {
    let composed = counter("( a | a )");
    let functions: Vec<&str> = composed.program.functions.iter().map(|f| &*f.name).collect();
    assert_eq!(functions, ["init", "a", "thread 1", "thread 2", "test"]);
    let globals: Vec<&str> = composed.program.globals.iter().map(|g| &*g.name).collect();
    assert_eq!(globals, ["counter"]);
}

#[test]
fn a_composed_program_runs() {
    let composed = counter("a ( a | g )");
    for seed in 0..20 {
        let code = Code::new(&composed.program);
        let options = RunOptions { seed, ..RunOptions::default() };
        let mut machine = Machine::new(&code, &options, Vec::new());
        assert_eq!(machine.run(), RunEnd::Exited(0));
        let records = machine.into_world().records;
        let began = records.iter().filter(|record| matches!(record.what, Recorded::Began(..)));
        assert_eq!(began.count(), 3);
        assert!((11..=14).contains(&result(&records).expect("observed")));
    }
}

#[test]
fn constructors_run_before_a_test_begins() {
    let code = r#"
        #include <fencepost.h>
        static int base, step;
        __attribute__((constructor(200))) static void second(void) { step = base / 2; }
        __attribute__((constructor(150))) static int first(void) { return base = 8; }
        void init(void) { base += step; }
        int g(void) { return base; }
        int main(void) { return base; }"#;
    let composed = composed(code, "( g )");
    let code = Code::new(&composed.program);
    let mut machine = Machine::new(&code, &RunOptions::default(), Vec::new());
    assert_eq!(machine.run(), RunEnd::Exited(0));
    assert_eq!(result(&machine.into_world().records), Some(12));
}

#[test]
fn operations_may_have_functions_of_other_names() {
    let named = |function: &str| Named { function: function.into(), span: None };
    let functions = BTreeMap::from([("get".to_string(), named("g"))]);
    let operations = Operations { init: named("a"), functions };
    let composed = Fixture::new(COUNTER, &operations, "( get | a )").right();
    let functions: Vec<&str> = composed.program.functions.iter().map(|f| &*f.name).collect();
    assert_eq!(functions, ["a", "g", "thread 1", "thread 2", "test"]);
}

#[test]
fn what_does_not_fit_is_said_in_one_message() {
    let wrong = |code: &str, test: &str| Fixture::new(code, &Operations::default(), test).wrong();
    let messages = [
        wrong(COUNTER, "( a | x )"),
        wrong(COUNTER, "( aag )"),
        wrong(COUNTER, "( a | p )"),
        wrong(COUNTER, "( a | w )"),
        wrong(&COUNTER.replace("void init", "void set_up"), "( a )"),
        wrong(&COUNTER.replace("init(void)", "init(int x)"), "( a )"),
    ];
    insta::assert_snapshot!(messages.join("\n"));
}
