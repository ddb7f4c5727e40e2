//! Commit points against observations on the studied queues: the two methods agree where the
//! commit points are right, and only one of them sees that one is not.

use encoding::encode;
use engines::bounded::commit_points;
use engines::bounded::inclusion::{self, CheckOptions};
use engines::serial::{Explored, Mined, Observation, ObservationSet, explore, mine};
use engines::test::compose::{Composed, InstanceId, Operations, compose};
use engines::test::parse::{Place, parse};
use engines::verdict::{Reason, Verdict, Violation};
use execution::ids::Id;
use execution::span::SourceMap;
use front_c::pp::{COptions, DiskLoader, MemoryLoader};
use ir::program::Program;
use models::Model;
use replay::target;
use std::path::{Path, PathBuf};

const T0: &str = "( e | d )";
const T1: &str = "( e | e | d | d )";
const TI2: &str = "e ( e d | d e )";
const TPC2: &str = "( e e | d d )";

fn example(file: &str) -> Program {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(file);
    let mut sources = SourceMap::new();
    let compiled = front_c::compile(&path, &COptions::default(), &DiskLoader, &mut sources);
    compiled.unwrap_or_else(|errors| panic!("{errors:#?}")).0
}

fn text(code: &str) -> Program {
    let loader = MemoryLoader::new().with("type.c", code);
    let mut sources = SourceMap::new();
    let path = Path::new("type.c");
    let compiled = front_c::compile(path, &COptions::default(), &loader, &mut sources);
    compiled.unwrap_or_else(|errors| panic!("{errors:#?}")).0
}

fn composed(program: &Program, test: &str) -> Composed {
    let mut sources = SourceMap::new();
    let file = sources.add_file("--test", test);
    let test = parse(test, Place { file, start: 0 }).unwrap();
    compose(program, &Operations::default(), &test, &sources).unwrap()
}

fn model(name: &str) -> Model {
    let entry = models::library::find(name).expect("a model of the library");
    Model::from_text(entry.name, entry.text).expect("a model that can be read")
}

/// A test as it is compiled for a model.
fn compiled(composed: &Composed, model: &Model) -> Composed {
    let program = target::compile(&composed.program, model).expect("it has a mapping");
    Composed { program, ..composed.clone() }
}

fn options() -> CheckOptions<'static> {
    CheckOptions { max_unroll: 8, encoding: encode::EncodeOptions::default(), progress: &|_| {} }
}

fn by_commit_points(composed: &Composed, model: &Model) -> Verdict {
    let Ok(Explored::All { orders, .. }) = explore(composed, &Default::default()) else {
        panic!("its serial executions are right")
    };
    commit_points::check(&compiled(composed, model), &orders, model, &options()).0
}

fn observations(composed: &Composed) -> ObservationSet {
    match mine(composed, &Default::default()) {
        Ok(Mined::Observations(set)) => set,
        other => panic!("{other:#?}"),
    }
}

fn by_observations(composed: &Composed, model: &Model) -> Verdict {
    let compiled = compiled(composed, model);
    inclusion::check(&compiled, &observations(composed), model, &options()).0
}

/// What the methods say of a test.
fn verdicts(program: &Program, test: &str, model: &Model) -> [Verdict; 2] {
    let composed = composed(program, test);
    [by_observations(&composed, model), by_commit_points(&composed, model)]
}

/// Both methods say that a file holds on these models.
fn both_hold(file: &str, tests: &[&str]) {
    let program = example(file);
    for name in ["sc", "relaxed"] {
        for test in tests {
            for verdict in verdicts(&program, test, &model(name)) {
                assert!(matches!(verdict, Verdict::Holds), "{file}, {test}, {name}: {verdict:#?}");
            }
        }
    }
}

#[test]
fn both_methods_accept_the_two_lock_queue() {
    both_hold("ms2/ms2_fenced.c", &[T0, TPC2, TI2, T1]);
}

#[test]
fn both_methods_accept_the_non_blocking_queue() {
    both_hold("msn/msn_fenced.c", &[T0, TPC2, TI2]);
    both_hold("msn/msn_commit_at_tail.c", &[T0]);
}

#[test]
fn both_methods_refuse_queues_without_fences() {
    for file in ["ms2/ms2_unfenced.c", "msn/msn_unfenced.c"] {
        let program = example(file);
        for verdict in verdicts(&program, T0, &model("relaxed")) {
            assert!(matches!(verdict, Verdict::Violated(_)), "{file}: {verdict:#?}");
        }
        for verdict in verdicts(&program, T0, &model("tso")) {
            assert!(matches!(verdict, Verdict::Holds), "{file} needs no fence: {verdict:#?}");
        }
    }
}

/// What the operations show if a single thread runs them in this order, by the stepper.
fn serially(program: &Program, of: &Composed, order: &[InstanceId]) -> ObservationSet {
    let names: Vec<&str> = order.iter().map(|&id| of.instances[id].operation.as_str()).collect();
    observations(&composed(program, &format!("( {} )", names.join(" "))))
}

fn in_order(observation: &Observation, order: &[InstanceId]) -> Observation {
    order.iter().map(|id| observation[id.index()].clone()).collect()
}

/// The wrong guess of CAV 2006: what a dequeue finds is not settled where it reads the head.
#[test]
fn a_commit_point_in_the_wrong_place_is_found_and_both_executions_are_right() {
    let program = example("ms2/ms2_commit_at_head.c");
    let model = model("sc");
    let composed = composed(&program, T0);
    assert!(matches!(by_observations(&composed, &model), Verdict::Holds));
    let Verdict::Violated(found) = by_commit_points(&composed, &model) else {
        panic!("a commit point is in the wrong place")
    };
    let Violation::CommitPoints { seen, order: Some(order), serial: Some(serial) } =
        &found.violation
    else {
        panic!("{:#?}", found.violation)
    };
    let replayed = replay::replay(&composed.program, &model, &found.witness.unwrap());
    let replayed = replayed.unwrap_or_else(|mismatch| panic!("{mismatch}"));
    for (instance, seen) in composed.instances.iter().zip(seen) {
        let place = (instance.column as u32, Some(instance.index as u32));
        let replayed = replayed.observation.operations[&place].iter();
        let replayed: Vec<String> = replayed.map(|o| format!("{}={}", o.label, o.text)).collect();
        let seen: Vec<String> = seen.iter().map(ToString::to_string).collect();
        assert_eq!(replayed, seen, "{}", instance.name);
    }
    let order: &Vec<InstanceId> = &order.iter().copied().map(Id::new).collect();
    let all = serially(&program, &composed, order);
    assert!(!all.contains(&in_order(seen, order)), "another run in this order explains it");
    assert!(all.contains(&in_order(serial, order)), "the reported run is one");
    // The dequeue reads the head of a queue that is empty, and takes what is enqueued afterwards.
    let names: Vec<&str> = order.iter().map(|&id| composed.instances[id].name.as_str()).collect();
    assert_eq!(names, ["d", "e"]);
    assert_eq!(seen[0], serial[0], "with the same argument");
    assert_ne!(seen[1], serial[1]);
}

#[test]
fn an_operation_that_can_end_without_a_commit_point_is_named() {
    let code = r#"
        #include <checkfence.h>
        static int value;
        void init(void) { value = 0; }
        void set(void) { value = 1; fp_commit("set"); }
        void get(void) {
            int seen = value;
            if (seen) fp_commit("get");
            fp_observe("seen", seen);
        }
    "#;
    let composed = composed(&text(code), "( set | get )");
    let verdict = by_commit_points(&composed, &model("sc"));
    let Verdict::Inconclusive(Reason::Input(mistake), _) = verdict else { panic!("{verdict:#?}") };
    let message = "operation `get` can end without taking effect anywhere";
    assert_eq!(mistake.error.message, message);
}

/// The last commit point that is passed counts, and the last access before it.
#[test]
fn operations_take_effect_at_the_last_commit_point() {
    let code = |late: &str| {
        format!(
            r#"
        #include <checkfence.h>
        static int x, y;
        void init(void) {{ x = y = 0; }}
        void both(void) {{ x = 1; fp_commit("early"); y = 1; {late} }}
        void see(void) {{ int seen = y; fp_commit("see"); fp_observe("y", seen); }}
    "#
        )
    };
    let holds = composed(&text(&code("fp_commit(\"late\");")), "( both | see )");
    assert!(matches!(by_commit_points(&holds, &model("sc")), Verdict::Holds));
    let early = composed(&text(&code("")), "( both | see )");
    assert!(matches!(by_commit_points(&early, &model("sc")), Verdict::Violated(_)));
    assert!(matches!(by_observations(&early, &model("sc")), Verdict::Holds));
}

/// A model whose orders of memory disagree has no order to follow: then nothing is said to hold.
#[test]
fn orders_that_may_disagree_prove_nothing() {
    let code = r#"
        #include <checkfence.h>
        static int x, y;
        void init(void) { x = y = 0; }
        void sx(void) { x = 1; fp_commit("x"); }
        void sy(void) { y = 1; fp_commit("y"); }
        void gx(void) { int seen = x; fp_commit("x"); fp_observe("x", seen); fp_fence("sync"); }
        void gy(void) { int seen = y; fp_commit("y"); fp_observe("y", seen); fp_fence("sync"); }
    "#;
    let program = text(code);
    let iriw = composed(&program, "( sx | sy | gx gy | gy gx )");
    assert!(matches!(by_observations(&iriw, &model("power")), Verdict::Holds));
    let verdict = by_commit_points(&iriw, &model("power"));
    let Verdict::Inconclusive(Reason::Unsupported { what, .. }, _) = verdict else {
        panic!("{verdict:?}")
    };
    assert!(what.starts_with("an order in which operations take effect"), "{what}");
    // With one order, what it leaves open is explored in every order.
    let sync = program_without_fences(code);
    let one = composed(&sync, "( sx | sy | gx gy | gy gx )");
    assert!(matches!(by_commit_points(&one, &model("sc")), Verdict::Holds));
}

fn program_without_fences(code: &str) -> Program {
    text(&code.replace("fp_fence(\"sync\");", ""))
}

/// Operations of one thread come in its order though their commit accesses do not; but nothing
/// may come between these.
#[test]
fn commit_accesses_of_a_thread_out_of_order() {
    let code = r#"
        #include <checkfence.h>
        static int x, y;
        void init(void) { x = y = 0; }
        void sx(void) { x = 1; fp_commit("x"); }
        void sy(void) { y = 1; fp_commit("y"); }
        void gx(void) { int seen = x; fp_commit("x"); fp_observe("x", seen); }
        void gy(void) { int seen = y; fp_commit("y"); fp_observe("y", seen); }
    "#;
    let program = text(code);
    let separate = composed(&program, "( sx sy )");
    assert!(matches!(by_commit_points(&separate, &model("relaxed")), Verdict::Holds));
    let buffered = composed(&program, "( sx gy | sy gx )");
    assert!(matches!(by_commit_points(&buffered, &model("sc")), Verdict::Holds));
    assert!(matches!(by_commit_points(&buffered, &model("tso")), Verdict::Violated(_)));
    assert!(matches!(by_observations(&buffered, &model("tso")), Verdict::Violated(_)));
}
