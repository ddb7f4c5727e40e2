//! The command `fencepost prove`, as users meet it: what it says of proofs, violations and open
//! answers, of mistakes in the input, and of what has no meaning for any number of threads.

use std::path::Path;
#[cfg(target_os = "linux")]
use std::process::{Child, Stdio};
use std::process::{Command, Output};

#[cfg(target_os = "linux")]
#[path = "common/signal.rs"]
mod signal;

fn command(folder: &Path, args: &[&str]) -> Command {
    #[cfg(target_os = "linux")]
    let mut command = signal::fencepost();
    #[cfg(not(target_os = "linux"))]
    let mut command = Command::new(env!("CARGO_BIN_EXE_fencepost"));
    command.arg("prove").args(args).current_dir(folder);
    command
}

/// What is printed, without times, and the exit status.
fn said(output: &Output) -> (String, i32) {
    let both = [&output.stdout[..], &output.stderr[..]].concat();
    let text = String::from_utf8(both).expect("UTF-8");
    let without_time = |line: &str| match line.rsplit_once(", ") {
        Some((rest, time)) if time.ends_with(" s.") || time.ends_with(" s") => rest.to_string(),
        _ => line.to_string(),
    };
    let lines: Vec<String> = text.lines().map(without_time).collect();
    (lines.join("\n"), output.status.code().expect("an exit status"))
}

/// Asks about a file of the examples.
fn prove(args: &[&str]) -> (String, i32) {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    said(&command(&examples, args).output().expect("fencepost starts"))
}

/// Asks about a data type of this text.
fn prove_text(text: &str, args: &[&str]) -> (String, i32) {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("type.c"), text).expect("written");
    let args: Vec<&str> = ["type.c"].iter().chain(args).copied().collect();
    said(&command(folder.path(), &args).output().expect("fencepost starts"))
}

#[test]
fn a_proof_names_its_bounds_and_what_had_to_be_known() {
    let (text, status) =
        prove(&["list-optimistic/list_optimistic.c", "--model", "sc,tso", "--spec", "set"]);
    insta::assert_snapshot!(text);
    assert_eq!(status, 0);
    let (text, status) = prove(&["ms2/ms2.c", "--max-size", "1"]);
    insta::assert_snapshot!(text);
    assert_eq!(status, 0);
    let (text, status) = prove(&["spinlock/spinlock.c"]);
    insta::assert_snapshot!(text);
    assert_eq!(status, 0);
}

#[test]
fn a_violation_is_an_execution_with_the_test_that_shows_it() {
    let (text, status) = prove(&["spinlock/spinlock_broken.c"]);
    insta::assert_snapshot!(text);
    assert_eq!(status, 1);
}

/// Two threads that acquire two locks in different orders.
const DEADLOCK: &str = "
#include <pthread.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
void init(void) { pthread_mutex_init(&a, NULL); pthread_mutex_init(&b, NULL); }
void f(void) {
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
}
void g(void) {
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
}
";

#[test]
fn a_deadlock_has_a_row_of_its_own() {
    let (text, status) = prove_text(DEADLOCK, &[]);
    assert!(text.contains("no deadlock             VIOLATED"), "{text}");
    assert!(
        text.contains("The test that shows it: fencepost check type.c --test '( f | g )'"),
        "{text}"
    );
    assert_eq!(status, 1);
}

/// One thread completes what another one has announced.
const HELPED: &str = "
#define FENCEPOST_NO_DIALECT
#include <fencepost.h>
#include <stdatomic.h>
static atomic_int state;
void init(void) { atomic_init(&state, 0); }
static void complete(void) {
    int announced = 1;
    atomic_compare_exchange_strong(&state, &announced, 2);
}
void f(void) {
    int none = 0;
    atomic_compare_exchange_strong(&state, &none, 1);
    complete();
}
void h(void) { complete(); }
void g(void) { fp_observe(\"done\", atomic_load(&state) == 2); }
";

#[test]
fn what_other_operations_complete_is_open_with_the_steps() {
    let (text, status) = prove_text(HELPED, &[]);
    assert!(text.contains("a step changes the abstract state otherwise than its own"), "{text}");
    assert!(text.contains("1 O in f: 13 update state") && text.contains("2 T in h: 9"), "{text}");
    assert_eq!(status, 3);
}

#[test]
fn a_proof_says_that_freed_blocks_are_not_given_again() {
    let (text, status) = prove(&["list-fine/list_fine.c"]);
    assert!(text.contains("freed blocks that are not given again"), "{text}");
    assert_eq!(status, 0);
    let (text, _) = prove(&["list-optimistic/list_optimistic.c"]);
    assert!(!text.contains("not given again"), "{text}");
}

/// Outside of critical sections both words are the same, so the abstract type has two states.
const PAIR: &str = include_str!("../../../corpus/prove/pair.c");

/// A third word with a lock of its own: it changes while the others differ.
const THIRD_WORD: &str = "
static int third;
void t(void) {
    pthread_mutex_lock(&other);
    third ^= 1;
    int now = third;
    pthread_mutex_unlock(&other);
    fp_observe(\"third\", now);
}
";

#[test]
fn critical_sections_that_pass_through_no_state_are_open() {
    assert_eq!(prove_text(PAIR, &[]).1, 0);
    let (text, status) = prove_text(&format!("{PAIR}{THIRD_WORD}"), &[]);
    assert!(text.contains("sc: ? not proved: a step changes the abstract state"), "{text}");
    assert_eq!(status, 3);
}

/// Only the third value is added twice.
const THIRD: &str = "
#include <fencepost.h>
#include <stdatomic.h>
static atomic_int present[3];
void init(void) { for (int i = 0; i < 3; i++) atomic_init(&present[i], 0); }
void a(void) {
    int key = fp_choose(0, 1);
    int before = key == 2 ? atomic_load(&present[key]) : atomic_exchange(&present[key], 1);
    if (key == 2) atomic_store(&present[key], 1);
    fp_observe(\"key\", key);
    fp_observe(\"before\", before);
}
";

#[test]
fn what_needs_more_values_than_the_program_has_is_open() {
    assert_eq!(prove_text(THIRD, &[]).1, 0);
    let (text, status) = prove_text(THIRD, &["--values", "3"]);
    assert!(text.contains("not proved: an operation shows key = 2, before = 0"), "{text}");
    assert_eq!(status, 3);
}

#[test]
fn json_says_the_same() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let json = |args: &[&str]| -> serde_json::Value {
        let output = command(&examples, args).arg("--json").output().expect("fencepost starts");
        serde_json::from_slice(&output.stdout).expect("a JSON document")
    };
    let proof = json(&["list-fine/list_fine.c", "--model", "sc,tso"]);
    for (at, model) in ["sc", "tso"].into_iter().enumerate() {
        let result = &proof["results"][at];
        assert_eq!((&result["model"], &result["linearizable"]), (&model.into(), &"proved".into()));
        assert_eq!((&result["shape"], &result["deadlock"]), (&"set".into(), &"proved".into()));
        assert!(result["views"].as_u64().unwrap() > 100);
    }
    let violation = json(&["spinlock/spinlock_broken.c"]);
    let result = &violation["results"][0];
    assert_eq!((&result["memory"], &result["test"]), (&"violated".into(), &"( x | x )".into()));
    assert!(result["counterexample"].is_object());
    let refused = json(&["ticket-lock/ticket_lock.c"]);
    let reason = refused["results"][0]["reason"].as_str().unwrap();
    assert!(
        reason.contains("more than 64 values") && reason.contains("ticket_lock.c:15"),
        "{reason}"
    );
}

#[test]
fn mistakes_in_the_input_are_explained() {
    let set = "list-fine/list_fine.c";
    let mut all = String::new();
    for args in [
        &["missing.c"][..],
        &["seqlock/seqlock.c"],
        &[set, "--model", "armv8"],
        &[set, "--model", "sc,rc11"],
        &[set, "--model", "nothing"],
        &[set, "--spec", "bag"],
        &[set, "--spec", "missing.c"],
        &[set, "--operations", "a,nothing"],
        &[set, "--spec", "reference/queue.c"],
        &[set, "--items", "0"],
        &[set, "--values", "65"],
        &[set, "--max-size", "0"],
        &[set, "--max-size", "99999999999"],
        &[set, "--time-limit", "-1"],
        &["--items", "2"],
    ] {
        let (text, status) = prove(args);
        assert_eq!(status, 2, "{args:?}\n{text}");
        all += &format!("$ fencepost prove {}\n{}\n\n", args.join(" "), text.trim());
    }
    insta::assert_snapshot!(all);
    let (text, status) = prove_text("void f(void) { undeclared = 1; }\n", &[]);
    assert!(text.contains("type.c:1") && text.contains('^'), "{text}");
    assert_eq!(status, 2);
}

/// Two operations of a type, one of which is of a certain thread.
const DECLARED: &str = "#include <fencepost.h>
static int owner, value;
void init(void) { owner = value = 0; }
void take(void) { fp_assert(!owner); owner = 1; owner = 0; }
void read(void) { fp_observe(\"value\", value); }
static int number(void) { return 1; }
";

#[test]
fn operations_are_those_that_the_file_declares() {
    let declared = format!("{DECLARED}void fp_operations(void) {{ read(); }}\n");
    let (text, status) = prove_text(&declared, &[]);
    assert!(status == 0 && text.contains("any number of threads run read\n"), "{text}");
    let (text, status) = prove_text(&declared, &["--operations", "take"]);
    assert!(status == 1 && text.contains("any number of threads run take\n"), "{text}");
    let (text, _) = prove_text(DECLARED, &[]);
    assert!(text.contains("any number of threads run take, read\n"), "{text}");
    let mut all = String::new();
    for body in [
        "void fp_operations(void) { read(); take(); read(); }",
        "void fp_operations(void) { if (value) read(); }",
        "void fp_operations(void) { value = number(); read(); }",
        "void fp_operations(void) { number(); }",
        "void fp_operations(void) {}",
        "int fp_operations(void) { read(); return 0; }",
    ] {
        let (text, status) = prove_text(&format!("{DECLARED}{body}\n"), &[]);
        assert_eq!(status, 2, "{body}\n{text}");
        all += &format!("{text}\n\n");
    }
    insta::assert_snapshot!(all);
}

#[test]
fn another_type_than_the_one_that_is_named_is_not_proved() {
    let (text, status) = prove(&["list-fine/list_fine.c", "--spec", "queue"]);
    assert!(text.contains("serial executions that are not those of a queue"), "{text}");
    assert_eq!(status, 3);
}

/// What has no meaning for any number of threads: an operation, and the line that is pointed at.
const REFUSED: &[(&str, &str, &str)] = &[
    ("the number of a thread", "void f(void) { n = (int)pthread_self(); }", "sc"),
    (
        "a thread-local object",
        "static _Thread_local int mine;
         void f(void) { mine++; n = mine > 1; }",
        "sc",
    ),
    (
        "a readers-writer lock",
        "static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
         void f(void) { pthread_rwlock_rdlock(&rw); pthread_rwlock_unlock(&rw); }
         void g(void) { pthread_rwlock_wrlock(&rw); n ^= 1; pthread_rwlock_unlock(&rw); }",
        "sc",
    ),
    ("a counter", "void f(void) { atomic_fetch_add(&a, 1); }", "sc"),
    (
        "a number from an address",
        "static int *at;
         void f(void) { int *p = malloc(sizeof *p); at = p; n = (uintptr_t)at % 7 == 3; }",
        "sc",
    ),
    (
        "a recursion",
        "static int deep(int k) { return atomic_load(&a) ? k : 1 + deep(k + 1); }
         void f(void) { n = deep(0) > 0; }",
        "sc",
    ),
    (
        "a late choice",
        "void f(void) { int seen = atomic_load(&a); fp_observe(\"x\", seen + fp_choose(0, 1)); }",
        "sc",
    ),
    ("a large choice", "void f(void) { fp_observe(\"x\", fp_choose(0, 1000)); }", "sc"),
    (
        "many stores in the buffer",
        "static int many[32];
         void f(void) { for (int i = 0; i < 32; i++) many[i] = 1; }",
        "tso",
    ),
    ("an observed address", "void f(void) { fp_observe(\"at\", (long)malloc(1)); }", "sc"),
    ("the end of the program", "void f(void) { if (atomic_load(&a) == 0) exit(0); }", "sc"),
];

const HEAD: &str = "#define FENCEPOST_NO_DIALECT\n#include <fencepost.h>\n#include <pthread.h>\n\
     #include <stdatomic.h>\n#include <stdint.h>\n#include <stdlib.h>\nstatic atomic_int a;\n\
     static int n;\nvoid init(void) { atomic_init(&a, 0); n = 0; }\n";

#[test]
fn what_has_no_meaning_is_refused_at_its_line() {
    let mut all = String::new();
    for (name, text, model) in REFUSED {
        let (text, status) = prove_text(&format!("{HEAD}{text}\n"), &["--model", model]);
        assert_eq!(status, 3, "{name}\n{text}");
        let reason = text.split_once("not supported by proofs").map(|(_, rest)| rest.trim());
        let reason = reason.unwrap_or_else(|| panic!("{name}\n{text}"));
        all += &format!("== {name}\n{reason}\n\n");
    }
    insta::assert_snapshot!(all);
}

#[test]
fn an_operation_starts_and_awaits_no_thread() {
    for text in [
        "static void *work(void *p) { return p; }
         void f(void) { pthread_t t; pthread_create(&t, 0, work, 0); }",
        "static pthread_t t;
         void f(void) { pthread_join(t, 0); }",
    ] {
        let (text, status) = prove_text(&format!("{HEAD}{text}\n"), &[]);
        assert!(text.contains("starts or awaits a thread, which only the test does"), "{text}");
        assert_eq!(status, 2);
    }
}

/// The fixpoint of this takes far longer than any test waits.
const LONG: [&str; 4] = ["msn/msn.c", "--max-size", "6", "--json"];

#[cfg(target_os = "linux")]
fn start(args: &[&str]) -> Child {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut command = signal::fencepost();
    command.arg("prove").args(args).current_dir(examples);
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("fencepost starts")
}

fn reason(output: &Output) -> String {
    let document: serde_json::Value =
        serde_json::from_slice(&output.stdout).expect("a JSON document");
    let result = &document["results"][0];
    assert_eq!(result["linearizable"], "unknown");
    result["reason"].as_str().expect("a reason").to_string()
}

#[test]
fn a_time_limit_ends_with_what_is_known() {
    let output = start(&[&LONG[..], &["--time-limit", "0.5"]].concat()).wait_with_output().unwrap();
    assert_eq!(reason(&output), "time");
    assert_eq!(output.status.code(), Some(3));
    let (text, status) = prove(&["msn/msn.c", "--max-size", "6", "--time-limit", "0.5"]);
    assert!(text.contains("sc: ? time"), "{text}");
    assert_eq!(status, 3);
}

#[cfg(target_os = "linux")]
#[test]
fn a_signal_ends_with_what_is_known() {
    for name in ["-INT", "-TERM"] {
        let child = start(&LONG);
        signal::await_handlers(&child);
        signal::send(name, &child);
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(reason(&output), "interrupted");
        assert_eq!(output.status.code(), Some(3), "{name}");
    }
}

/// After two seconds, a terminal shows how far the search is.
#[cfg(target_os = "linux")]
#[test]
fn a_long_search_shows_progress_on_a_terminal() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let line =
        format!("{} prove msn/msn.c --max-size 6 --time-limit 4", env!("CARGO_BIN_EXE_fencepost"));
    let script = Command::new("script")
        .args(["-qec", &line, "/dev/null"])
        .current_dir(examples)
        .stdin(Stdio::null())
        .output();
    // Without the tool there is no terminal to write to.
    let Ok(output) = script else { return };
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains(" views"), "{text}");
}

#[test]
fn the_help_teaches() {
    let output = command(Path::new("."), &["--help"]).output().expect("fencepost starts");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    for part in
        ["fp_choose", "any number of threads", "--items 3", "Exit status", "not said to be a bug"]
    {
        assert!(text.contains(part), "{part}\n{text}");
    }
}

/// Who holds a lock and spins makes others wait for what the loop waits for.
#[test]
fn a_loop_that_waits_under_a_lock_may_be_a_deadlock() {
    let enter = "int e = 0; while (!atomic_compare_exchange_strong(&s, &e, 1)) e = 0;";
    let crossed = format!(
        "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; static atomic_int s;
         void x(void) {{ pthread_mutex_lock(&m); {enter} atomic_store(&s, 0); pthread_mutex_unlock(&m); }}
         void y(void) {{ {enter} pthread_mutex_lock(&m); pthread_mutex_unlock(&m); atomic_store(&s, 0); }}"
    );
    let awaited = "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; static atomic_int f;
         void x(void) { pthread_mutex_lock(&m); atomic_store(&f, 0); while (atomic_load(&f)) ;
                        pthread_mutex_unlock(&m); }
         void y(void) { atomic_store(&f, 1); pthread_mutex_lock(&m); pthread_mutex_unlock(&m);
                        atomic_store(&f, 0); }";
    for text in [&*crossed, awaited] {
        for model in ["sc", "tso"] {
            let (said, status) = prove_text(&format!("{HEAD}{text}\n"), &["--model", model]);
            let row = said.lines().find(|line| line.starts_with("no deadlock")).unwrap();
            assert!(!row.contains("proved"), "{model}: {said}");
            assert_ne!(status, 0, "{model}: {said}");
        }
    }
}
