//! Claims about the program that a data type and a test make.

use super::*;
use crate::test::parse::{Place, parse};
use front_c::pp::{MemoryLoader, Options};
use ir::step::machine::{Machine, Options as RunOptions, Outcome};
use ir::step::thread::Code;
use ir::step::world::Recorded;
use std::path::Path;

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

fn composed(code: &str, operations: &Operations, test: &str) -> Result<Composed, String> {
    let loader = MemoryLoader::new().with("counter.c", code);
    let mut sources = SourceMap::new();
    let path = Path::new("counter.c");
    let (program, _) = front_c::compile(path, &Options::default(), &loader, &mut sources)
        .unwrap_or_else(|errors| panic!("{errors:#?}"));
    let file = sources.add_file("--test", test);
    let show =
        |error: &Diagnostic| report::diagnostics::render(error, &sources, report::Style::Plain);
    parse(test, Place { file, start: 0 })
        .and_then(|test| compose(&program, operations, &test, &sources))
        .map_err(|error| show(&error))
}

fn counter(test: &str) -> Composed {
    composed(COUNTER, &Operations::default(), test).unwrap_or_else(|error| panic!("{error}"))
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
        assert_eq!(machine.run(), Outcome::Exited(0));
        let records = machine.into_world().records;
        let began = records.iter().filter(|record| matches!(record.what, Recorded::Began(..)));
        assert_eq!(began.count(), 3);
        let result = records.iter().find_map(|record| match &record.what {
            Recorded::Observed(label, value) if label == RESULT => Some(value.low()),
            _ => None,
        });
        assert!((11..=14).contains(&result.expect("observed")));
    }
}

#[test]
fn operations_may_have_functions_of_other_names() {
    let named = |function: &str| Named { function: function.into(), span: None };
    let functions = BTreeMap::from([("get".to_string(), named("g"))]);
    let operations = Operations { init: named("a"), functions };
    let composed = composed(COUNTER, &operations, "( get | a )").unwrap();
    let functions: Vec<&str> = composed.program.functions.iter().map(|f| &*f.name).collect();
    assert_eq!(functions, ["a", "g", "thread 1", "thread 2", "test"]);
}

#[test]
fn what_does_not_fit_is_said_in_one_message() {
    let wrong = |test: &str| composed(COUNTER, &Operations::default(), test).unwrap_err();
    let without_init = COUNTER.replace("void init", "void set_up");
    let messages = [
        wrong("( a | x )"),
        wrong("( aag )"),
        wrong("( a | p )"),
        wrong("( a | w )"),
        composed(&without_init, &Operations::default(), "( a )").unwrap_err(),
        composed(&COUNTER.replace("init(void)", "init(int x)"), &Operations::default(), "( a )")
            .unwrap_err(),
    ];
    insta::assert_snapshot!(messages.join("\n"));
}
