//! What a run finds is never lost: neither to another answer's file of the same name, nor to a
//! mistake in another test, nor to a file that is not as it should be.

use std::path::Path;
use std::process::Command;

/// Runs the command in a folder; what it prints on its two outputs, and its exit status.
fn fencepost(folder: &Path, args: &[&str]) -> (String, String, i32) {
    let output = Command::new(env!("CARGO_BIN_EXE_fencepost"))
        .args(args)
        .current_dir(folder)
        .env("XDG_CACHE_HOME", folder)
        .output()
        .expect("the program starts");
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("UTF-8");
    let status = output.status.code().expect("an exit status");
    (text(&output.stdout), text(&output.stderr), status)
}

fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        std::fs::write(path, text).expect("written");
    }
    folder
}

fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("a folder");
    let name = |entry: std::io::Result<std::fs::DirEntry>| entry.expect("an entry").file_name();
    let mut names: Vec<String> = entries.map(|e| name(e).to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

const COUNTER: &str = r#"
#include <checkfence.h>
static int counter;
void init(void) { counter = 0; }
int i(void) { int seen = counter; counter = seen + 1; return seen; }
int a(void) { int seen; fp_atomic { seen = counter; counter = seen + 1; } return seen; }
void w(void) { while (1) { counter = 1 - counter; } }
"#;

#[test]
fn tests_of_the_same_operations_have_files_of_their_own() {
    let folder = folder(&[("counter.c", COUNTER)]);
    let tests =
        ["--test=i ( i | i )", "--test=( i i | i )", "--test=( i | i i )", "--test=( i | i )"];
    let args = ["check", "counter.c", "--model=sc", "--html=found", "--dimacs=queries"];
    let (_, said, status) = fencepost(folder.path(), &[&args[..], &tests[..]].concat());
    assert_eq!(status, 1, "{said}");
    let mut all: Vec<String> = ["i+i-i", "i--i-i", "i-i", "i-i+i"]
        .iter()
        .flat_map(|test| ["html", "json"].map(|kind| format!("counter.{test}.sc.{kind}")))
        .chain(["counter.html".to_string()])
        .collect();
    all.sort();
    assert_eq!(names(&folder.path().join("found")), all);
    for test in ["( i | i )", "i ( i | i )", "( i i | i )", "( i | i i )"] {
        let all = names(&folder.path().join("found"));
        let jsons = all.iter().filter(|name| name.ends_with(".json"));
        let about = |name: &&String| {
            let path = folder.path().join("found").join(name);
            let text = std::fs::read_to_string(path).expect("a counterexample");
            text.contains(&format!("\"test\": \"{test}\""))
        };
        assert_eq!(jsons.filter(about).count(), 1, "{test}");
    }
    let first = |name: &String| name.contains(".sc.1-");
    let queries = names(&folder.path().join("queries"));
    assert_eq!(queries.into_iter().filter(first).count(), 4);
}

#[test]
fn files_of_one_name_in_two_folders_have_results_of_their_own() {
    let suite = "files = [\"one/counter.c\", \"two/counter.c\"]\nmodels = [\"sc\"]\n\
                 [tests]\nT0 = \"( i | i )\"\n";
    let files = [("one/counter.c", COUNTER), ("two/counter.c", COUNTER), ("s.toml", suite)];
    let folder = folder(&files);
    let (_, said, status) = fencepost(folder.path(), &["check", "s.toml", "--html=found"]);
    assert_eq!(status, 1, "{said}");
    let expected = [
        "one-counter.T0.sc.html",
        "one-counter.T0.sc.json",
        "one-counter.html",
        "two-counter.T0.sc.html",
        "two-counter.T0.sc.json",
        "two-counter.html",
    ];
    assert_eq!(names(&folder.path().join("found")), expected);
}

#[test]
fn a_mistake_in_one_test_leaves_the_answers_to_the_others() {
    let folder = folder(&[("counter.c", COUNTER)]);
    let args = ["check", "counter.c", "--test=( i | i )", "--test=( a | w )", "--test=( a | a )"];
    let args = [&args[..], &["--model=sc", "--no-cache"]].concat();
    let (table, said, status) = fencepost(folder.path(), &args);
    assert_eq!(status, 2);
    for (test, answer) in
        [("( i | i )", "VIOLATED"), ("( a | w )", "! error"), ("( a | a )", "holds")]
    {
        let row = table.lines().find(|line| line.starts_with(test)).expect("a row");
        assert!(row.ends_with(answer), "{table}");
    }
    assert!(table.contains("counter.c: ( i | i ) on sc"), "the counterexample is shown:\n{table}");
    assert!(said.contains("operation `w` never terminates"), "{said}");
    assert!(said.contains("without an answer: ( a | w ) on sc"), "{said}");

    let (document, _, status) = fencepost(folder.path(), &[&args[..], &["--json"]].concat());
    assert_eq!(status, 2);
    let document: serde_json::Value = serde_json::from_str(&document).expect("a document");
    let tests = document["files"][0]["tests"].as_array().expect("tests");
    let verdicts: Vec<_> = tests.iter().map(|test| &test["results"][0]["verdict"]).collect();
    assert_eq!(verdicts, ["violated", "error", "holds"]);
    let reason = &tests[1]["results"][0]["reason"];
    assert_eq!(reason["kind"], "input");
    assert!(reason["text"].as_str().is_some_and(|text| text.contains("operation `w`")), "{reason}");
}

#[test]
fn a_mistake_of_the_specification_is_told_to_be_one() {
    let spec = "#include <checkfence.h>\nstatic int n;\nvoid init(void) { n = 0; }\n\
                int a(void) { while (1) { n = 1 - n; } }\n";
    let folder = folder(&[("counter.c", COUNTER), ("spec.c", spec)]);
    for (test, what) in [("( i | a )", "`i`"), ("( a | a )", "operation `a` never terminates")] {
        let args = ["check", "counter.c", "--spec=spec.c", "--model=sc", "--test", test];
        let (_, said, status) = fencepost(folder.path(), &args);
        assert_eq!(status, 2, "{said}");
        assert!(said.contains(what) && said.contains("specification `spec.c`"), "{said}");
    }
}

#[test]
fn a_file_that_cannot_be_written_is_noticed_before_the_check() {
    let folder = folder(&[("counter.c", COUNTER), ("file", "")]);
    let args = ["check", "counter.c", "--test=( a | a )", "--model=sc"];
    let options = [
        "--proof=file/x.lrat",
        "--proof=.",
        "--proof=none/x",
        "--dimacs=file/x",
        "--html=file/x",
        "--save=file",
    ];
    for option in options {
        let (table, said, status) = fencepost(folder.path(), &[&args[..], &[option]].concat());
        assert_eq!(status, 2, "{option}: {said}");
        assert!(said.starts_with("error: cannot write"), "{option}: {said}");
        assert_eq!(table, "", "{option}");
    }
}

#[test]
fn the_columns_are_in_the_order_of_the_suite() {
    let suite = "files = [\"counter.c\"]\nmodels = [\"sc\", \"sc\", \"tso\"]\n[tests]\n\
                 A = { test = \"( a | a )\", models = [\"tso\"] }\nB = \"( a a | a )\"\n";
    let folder = folder(&[("counter.c", COUNTER), ("s.toml", suite)]);
    let (table, said, status) = fencepost(folder.path(), &["check", "s.toml"]);
    assert_eq!(status, 0, "{table}{said}");
    let head: Vec<&str> = table.lines().nth(1).expect("a head").split_whitespace().collect();
    assert_eq!(head, ["sc", "tso"]);
}

#[test]
fn the_command_line_defines_what_the_suite_defines_too() {
    let suite = "files = [\"counter.c\"]\ndefine = [\"STEP=x\", \"ONE=1\"]\nmodels = [\"sc\"]\n\
                 [tests]\nA = \"( a | a )\"\n";
    let counter = COUNTER.replace("seen + 1; } return", "seen + STEP * ONE; } return");
    let folder = folder(&[("counter.c", counter.as_str()), ("s.toml", suite)]);
    let (_, said, status) = fencepost(folder.path(), &["check", "s.toml", "-D", "STEP=2"]);
    assert_eq!(status, 0, "{said}");
}

/// An operation that tries at most twice, the second time by calling itself, and never succeeds.
const TRIES: &str = r#"
#include <checkfence.h>
static int x;
void init(void) { x = 0; }
static int again(int tries) {
    if (cas(&x, 1, 2) || tries == 2)
        return tries;
    return again(tries + 1);
}
void r(void) { fp_observe("tries", again(1)); }
static int find(int tries) { return x == 1 || tries == 2 ? tries : find(tries + 1); }
void f(void) { fp_observe("tries", find(1)); }
void g(void) { int seen = x; if (seen < 20) { x = seen + 1; g(); } }
"#;

#[test]
fn a_prime_is_about_attempts_by_recursion_too() {
    let folder = folder(&[("tries.c", TRIES)]);
    let check = |test: &str| {
        let args = ["check", "tries.c", "--model=sc", "--max-unroll=3", "--test", test];
        fencepost(folder.path(), &args)
    };
    for (test, answer) in [
        ("( r | r )", "holds"),
        ("( r' | r )", "! vacuous"),
        ("( r' | r' )", "! vacuous"),
        ("( f' | f' )", "holds"),
    ] {
        let (table, said, _) = check(test);
        assert!(table.lines().any(|line| line.ends_with(answer)), "{test}: {table}{said}");
    }
    let (table, _, _) = check("( g | g )");
    assert!(table.contains("the recursion at tries.c:13 in `g` (3 calls)"), "{table}");
}

#[test]
fn a_file_with_a_name_alone_is_no_model() {
    let files = [
        ("counter.c", COUNTER),
        ("empty.cat", ""),
        ("name.cat", "\"a name\"\n"),
        ("words.cat", "foo bar"),
        ("lets.cat", "let a = rf | co\n"),
        ("any.cat", "\"everything\"\nempty 0 as everything\n"),
        ("sc.cat", "SC\ninclude \"cos.cat\"\nacyclic po | rf | fr | co as sc\n"),
    ];
    let folder = folder(&files);
    let check = |model: &str| {
        fencepost(folder.path(), &["check", "counter.c", "--test=( a | a )", "--model", model])
    };
    for model in ["empty.cat", "name.cat", "words.cat", "lets.cat"] {
        let (_, said, status) = check(model);
        assert_eq!(status, 2, "{model}: {said}");
        assert!(said.contains(&format!("`{model}` is not a model")), "{said}");
    }
    for model in ["any.cat", "sc.cat"] {
        let (_, said, status) = check(model);
        assert_ne!(status, 2, "{model}: {said}");
    }
}

/// A stack with a counter beside its first pointer, or without (`-D TAGGED=0`).
const STACK: &str = r#"
#include <stdatomic.h>
#define FENCEPOST_NO_DIALECT
#include <checkfence.h>
struct node { int value; struct node *_Atomic next; };
struct head { struct node *first; unsigned long tag; };
static struct node pool[3];
static _Atomic struct head top;
static struct node *taken;
void init(void) {
    for (int i = 0; i < 3; i++) {
        pool[i].value = i;
        atomic_init(&pool[i].next, i < 2 ? &pool[i + 1] : 0);
    }
    struct head all = { &pool[0], 0 };
    atomic_store(&top, all);
}
static struct node *pop_node(void) {
    struct head old = atomic_load(&top), new;
    do {
        if (!old.first)
            return 0;
        new.first = atomic_load(&old.first->next);
        new.tag = old.tag + TAGGED;
    } while (!atomic_compare_exchange_strong(&top, &old, new));
    return old.first;
}
static void push_node(struct node *node) {
    struct head old = atomic_load(&top), new;
    do {
        atomic_store(&node->next, old.first);
        new.first = node;
        new.tag = old.tag + TAGGED;
    } while (!atomic_compare_exchange_strong(&top, &old, new));
}
void pop(void) {
    struct node *node = pop_node();
    fp_observe("pop", node ? node->value : -1);
}
void take(void) {
    taken = pop_node();
    fp_observe("take", taken ? taken->value : -1);
}
void give(void) {
    if (taken)
        push_node(taken);
}
"#;

#[test]
fn a_counter_beside_a_pointer_helps_against_its_return() {
    let folder = folder(&[("stack.c", STACK)]);
    let args = ["check", "stack.c", "--test=( pop pop | take pop give )", "--model=sc"];
    for (define, expected) in [("-DTAGGED=1", 0), ("-DTAGGED=0", 1)] {
        let (table, said, status) = fencepost(folder.path(), &[&args[..], &[define]].concat());
        assert_eq!(status, expected, "{define}: {table}{said}");
    }
    let args = ["check", "stack.c", "--test=( pop | pop )", "--model=armv8", "--model=rc11"];
    let (table, said, status) = fencepost(folder.path(), &[&args[..], &["-DTAGGED=1"]].concat());
    assert_eq!(status, 0, "{table}{said}");
}

/// Bytes that are copied by words, of which only some were written before the threads start.
const COPIED: &str = r#"
#include <string.h>
#include <checkfence.h>
static char bytes[16];
void init(void) { bytes[1] = 3; }
static void words(void *to, void *from) { memcpy(to, from, 16); }
void copy(void) { char own[16]; words(own, bytes); fp_observe("sum", own[0] + own[1] + own[9]); }
void one(void) { bytes[0] = 1; }
"#;

#[test]
fn what_was_written_in_part_before_the_threads_start_can_be_copied_as_a_whole() {
    let folder = folder(&[("copied.c", COPIED)]);
    let args = ["check", "copied.c", "--model=sc", "--model=armv8", "--test"];
    let (table, said, status) =
        fencepost(folder.path(), &[&args[..], &["( copy | copy )"]].concat());
    assert_eq!(status, 0, "{table}{said}");
    let (table, said, status) =
        fencepost(folder.path(), &[&args[..], &["( copy | one )"]].concat());
    assert_eq!(status, 0, "{table}{said}");
    // The language gives accesses of several widths no meaning.
    let language = ["check", "copied.c", "--model=rc11", "--test=( copy | one )"];
    let (table, said, status) = fencepost(folder.path(), &language);
    assert_eq!(status, 3, "{table}{said}");
    assert!(table.contains("`memcpy`"), "{table}");
    assert!(table.contains("copied.c:6") && table.contains("copied.c:8"), "{table}");
    assert!(!table.contains("<fencepost/copy.h>"), "{table}");
    let by_bytes = COPIED.replace("words(own, bytes)", "memcpy(own, bytes, 16)");
    let folder = self::folder(&[("copied.c", &by_bytes)]);
    let (table, said, status) =
        fencepost(folder.path(), &[&args[..], &["( copy | one )"]].concat());
    assert_eq!(status, 0, "{table}{said}");
}

#[test]
fn numbers_in_a_counterexample_that_cannot_be_are_refused() {
    let folder = folder(&[("counter.c", COUNTER)]);
    let args = ["check", "counter.c", "--test=( i | i )", "--model=sc", "--save=found"];
    fencepost(folder.path(), &args);
    let path = folder.path().join("found/counter.i-i.sc.json");
    let text = std::fs::read_to_string(path).expect("a counterexample");
    let document: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let objects = document["witness"]["objects"].as_array().expect("objects").len();
    for object in 0..objects {
        for field in ["base", "size"] {
            for number in [0, 1 << 40, 1 << 62, 1 << 63, u64::MAX] {
                let mut changed = document.clone();
                changed["witness"]["objects"][object][field] = number.into();
                let text = changed.to_string();
                std::fs::write(folder.path().join("changed.json"), text).expect("written");
                let (_, said, status) = fencepost(folder.path(), &["replay", "changed.json"]);
                assert!((1..=3).contains(&status), "{field} {number}: {said}");
            }
        }
    }
}

/// An operation that puts another block in the place of one that it frees.
const REPLACES: &str = r#"
#include <checkfence.h>
#include <stdlib.h>
static int *a;
void init(void) { a = malloc(sizeof *a); *a = 1; }
void m(void) { free(a); a = malloc(sizeof *a); *a = 3; OBSERVE }
"#;

#[test]
fn no_operation_stops_in_its_middle_where_operations_are_units() {
    for observe in ["", "fp_observe(\"value\", *a);"] {
        let folder = folder(&[("replaces.c", REPLACES.replace("OBSERVE", observe).as_str())]);
        let args = ["check", "replaces.c", "--test=( m | m )", "--model=serial"];
        for options in [&[][..], &["--reuse-memory"], &["--no-value-sets"]] {
            let (table, said, status) = fencepost(folder.path(), &[&args[..], options].concat());
            assert_eq!(status, 0, "{options:?}: {table}{said}");
        }
    }
}

#[test]
fn what_goes_wrong_when_operations_are_units_is_found() {
    let wrong = REPLACES.replace("OBSERVE", "*(a + 1) = 3;");
    let folder = folder(&[("replaces.c", wrong.as_str()), ("right.c", REPLACES_RIGHT)]);
    let args = ["check", "replaces.c", "--spec=right.c", "--test=( m | m )", "--model=serial"];
    let (table, said, status) = fencepost(folder.path(), &args);
    assert_eq!(status, 1, "{table}{said}");
    assert!(table.contains("past the end"), "{table}");
}

const REPLACES_RIGHT: &str = "void init(void) {}\nvoid m(void) {}\n";

/// Operations that wait, or go round, between two writes that nobody may see apart.
const BETWEEN: &str = r#"
#include <checkfence.h>
#include <assert.h>
static int busy, flag, rounds = 1, sum;
void init(void) {}
void waits(void) { busy = 1; while (flag == 0) ; busy = 0; }
void sets(void) { flag = 1; assert(busy == 0); }
void loops(void) { busy = 1; for (int i = 0; i < rounds; i++) sum++; busy = 0; }
void reads(void) { assert(busy == 0); }
void more(void) { rounds++; }
"#;

#[test]
fn an_operation_that_is_a_unit_neither_waits_nor_reaches_a_bound_in_its_middle() {
    let folder = folder(&[("between.c", BETWEEN)]);
    for test in ["( waits | sets )", "( loops | reads )", "( loops more | reads )"] {
        let args = ["check", "between.c", "--model=serial", "--test", test];
        let (table, said, status) = fencepost(folder.path(), &args);
        assert_eq!(status, 0, "{test}: {table}{said}");
    }
}
