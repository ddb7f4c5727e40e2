//! The command `fencepost check`, as users meet it: tables, exit statuses, mistakes in the input,
//! files with counterexamples, and the cache.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

#[cfg(target_os = "linux")]
#[path = "common/signal.rs"]
mod signal;

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the repository")
}

/// Runs the command in a folder, with a cache of its own there.
fn fencepost(folder: &Path, cache: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_fencepost"))
        .args(args)
        .current_dir(folder)
        .env("XDG_CACHE_HOME", cache)
        .output()
        .expect("the program starts")
}

/// Checks an example of the repository.
fn check(args: &[&str]) -> (String, i32) {
    let all: Vec<&str> = ["check", "--no-cache"].into_iter().chain(args.iter().copied()).collect();
    text(&fencepost(&repository(), Path::new("/nowhere"), &all))
}

fn text(output: &Output) -> (String, i32) {
    let both = [&output.stdout[..], &output.stderr[..]].concat();
    let text = String::from_utf8(both).expect("UTF-8");
    (text, output.status.code().expect("an exit status"))
}

/// A counter whose operation `i` is not atomic, and one, `w`, that never ends.
const COUNTER: &str = r#"
#include <checkfence.h>
static int counter;
void init(void) { counter = 0; }
int i(void) { int seen = counter; counter = seen + 1; return seen; }
int a(void) { int seen; fp_atomic { seen = counter; counter = seen + 1; } return seen; }
void w(void) { while (1) { counter = 1 - counter; } }
void p(int *pointer) { *pointer = 1; }
"#;

/// Checks the counter in a folder of its own, which may hold more files.
fn counter(files: &[(&str, &str)], args: &[&str]) -> (String, i32) {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| {
        std::fs::write(folder.path().join(name), text).expect("written");
    };
    write("counter.c", COUNTER);
    files.iter().for_each(|(name, text)| write(name, text));
    let all: Vec<&str> = ["check", "--no-cache"].into_iter().chain(args.iter().copied()).collect();
    text(&fencepost(folder.path(), folder.path(), &all))
}

#[test]
fn a_test_that_holds_ends_with_zero() {
    let (text, status) = check(&[
        "examples/msn/msn_fenced.c",
        "--test",
        "T0",
        "--model",
        "sc",
        "--model",
        "relaxed",
    ]);
    insta::assert_snapshot!(text);
    assert_eq!(status, 0);
}

#[test]
fn increments_that_are_not_atomic_are_seen_by_their_clients() {
    let (text, status) = counter(&[], &["counter.c", "--test", "( i | i )", "--model", "sc"]);
    insta::assert_snapshot!(text);
    assert_eq!(status, 1);
}

#[test]
fn smaller_tests_come_first_and_models_stand_side_by_side() {
    let suite = "files = 'counter.c'\nmodels = ['sc', 'tso']\n[tests]\n\
                 large = '( a a | a )'\nsmall = { test = '( a | a )', models = 'sc' }\n";
    let (text, status) = counter(&[("check.toml", suite)], &["counter.c"]);
    insta::assert_snapshot!(text);
    assert_eq!(status, 0);
}

#[test]
fn an_uninitialised_field_is_found_in_a_serial_execution() {
    let file = "examples/lazylist/lazylist_published.c";
    let (text, status) =
        check(&[file, "--test", "( a | c )", "--model", "sc", "--model", "relaxed"]);
    insta::assert_snapshot!(text);
    assert_eq!(status, 1);
}

#[test]
fn a_model_without_atomic_sections_has_no_answer() {
    let (text, status) =
        counter(&[], &["counter.c", "--test", "( a | a )", "--model", "power", "--model", "sc"]);
    insta::assert_snapshot!(text);
    assert_eq!(status, 3);
}

#[test]
fn every_machine_knows_the_locks_of_the_papers() {
    for file in ["ms2/ms2_fenced.c", "lazylist/lazylist_fenced.c"] {
        let file = format!("examples/{file}");
        let test = if file.contains("ms2") { "( e | d )" } else { "( a | r )" };
        let mut args = vec![file.as_str(), "--test", test];
        for model in ["tso", "relaxed", "alpha", "power", "armv7", "armv8", "riscv"] {
            args.extend(["--model", model]);
        }
        let (text, status) = check(&args);
        assert_eq!(text.matches("holds").count(), 7, "{text}");
        assert_eq!(status, 0, "{text}");
    }
}

#[test]
fn time_that_is_over_is_no_answer() {
    let args = ["examples/msn/check.toml", "--test", "T1", "--model", "sc"];
    let (text, status) = check(&[&args[..], &["--time-limit", "0.000001"]].concat());
    assert!(text.contains("? time"), "{text}");
    let known =
        "no answer within --time-limit; nothing is known: operations were still run one by one";
    assert!(text.contains(known), "{text}");
    assert_eq!(status, 3);
}

/// A pair of numbers with a version, which is the address of a block.
const VERSIONED: &str = r#"
#include <checkfence.h>
#include <stdlib.h>
static int *version;
static int first, second;
void init(void) { version = malloc(sizeof(int)); *version = 0; first = second = 0; }
/* Writes both halves; while it does so there is no version. */
void w(void) {
    int *old = version;
    version = NULL;
    free(old);
    first = 1;
    second = 1;
    int *new = malloc(sizeof(int));
    *new = 0;
    version = new;
}
/* Reads both halves; whether they belong together if the version is still the same. */
int r(void) {
    int *before = version;
    int one = first, other = second;
    return before == NULL || version != before || one == other;
}
"#;

#[test]
fn a_block_that_is_used_again_looks_as_if_nothing_had_changed() {
    let files = [("versioned.c", VERSIONED)];
    let run =
        |args: &[&str]| counter(&files, &[&["versioned.c", "--test=( w | r )"], args].concat());
    let (text, status) = run(&["--model=sc", "--model=tso"]);
    assert_eq!(status, 0, "{text}");
    let (text, status) = run(&["--model=sc", "--model=tso", "--reuse-memory"]);
    assert_eq!(status, 1, "{text}");
    assert_eq!(text.matches("w: ; r: result=0").count(), 2, "{text}");
    let (text, status) = run(&["--model=rc11", "--reuse-memory"]);
    assert!(text.contains("the reuse of freed memory under a model of a language"), "{text}");
    assert_eq!(status, 3, "{text}");
}

#[test]
fn a_counterexample_in_which_a_block_is_used_again_can_be_replayed() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("versioned.c"), VERSIONED).expect("written");
    let run = |args: &[&str]| text(&fencepost(folder.path(), folder.path(), args));
    let check = ["check", "versioned.c", "--test=( w | r )", "--model=sc"];
    let (said, _) = run(&[&check[..], &["--reuse-memory", "--save=found"]].concat());
    let (replayed, status) = run(&["replay", "found/versioned.w-r.sc.json"]);
    assert_eq!(status, 1, "{said}{replayed}");
}

/// The table is printed row by row, and an interrupt leaves the rows that are not finished open.
/// (What is known where the work was cut short is a test of the library.)
#[cfg(target_os = "linux")]
#[test]
fn an_interrupt_prints_the_rows_that_are_finished() {
    use std::io::{BufRead, BufReader, Read};
    let mut child = signal::fencepost()
        .args(["check", "--no-cache", "--jobs=1", "--model=sc", "examples/msn/msn_fenced.c"])
        // The second test has sixty million serial executions.
        .args(["--test=( e | d )", "--test=( e^4 | e^4 | d^4 | d^4 )"])
        .current_dir(repository())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut lines = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut line = String::new();
    while !line.starts_with("( e | d )") {
        line.clear();
        assert_ne!(lines.read_line(&mut line).expect("UTF-8"), 0, "it ended early");
    }
    assert!(line.contains("holds"), "{line}");
    signal::await_handlers(&child);
    signal::send("-INT", &child);
    let mut rest = String::new();
    lines.read_to_string(&mut rest).expect("UTF-8");
    assert!(rest.contains("? stopped") && rest.contains("? interrupted"), "{rest}");
    assert_eq!(child.wait().expect("it ends").code(), Some(3));
}

#[test]
fn memory_that_is_full_is_no_answer() {
    let (text, status) = check(&[
        "examples/msn/msn_fenced.c",
        "--test=( e | d )",
        "--model=relaxed",
        "--memory-limit=1",
    ]);
    assert!(text.contains("( e | d ) on relaxed: ? no answer within --memory-limit"), "{text}");
    assert_eq!(status, 3);
}

#[test]
fn an_answer_comes_with_its_queries_and_a_proof_if_it_holds() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = repository().join("examples/msn/msn_fenced.c");
    let run = |args: &[&str]| {
        let given = ["check", file.to_str().expect("UTF-8"), "--test=( e | d )"];
        text(&fencepost(folder.path(), folder.path(), &[&given[..], args].concat()))
    };
    let (said, status) = run(&["--model=sc", "--proof=one.lrat", "--dimacs=queries"]);
    assert_eq!(status, 0, "{said}");
    let exists = |name: &str| folder.path().join(name).is_file();
    assert!(exists("one.lrat") && exists("one.cnf"), "{said}");
    assert!(exists("queries/msn_fenced.e-d.sc.1-findings.cnf"), "{said}");
    let proof = std::fs::read_to_string(folder.path().join("one.lrat")).expect("a proof");
    let last = proof.lines().last().expect("a step");
    assert_eq!(last.split_whitespace().nth(1), Some("0"), "the last step is the empty clause");
    let unfenced = file.with_file_name("msn_unfenced.c");
    let args = ["check", unfenced.to_str().expect("UTF-8"), "--test=( e | d )", "--proof=two"];
    let both = [&args[..], &["--model=sc", "--model=relaxed"]].concat();
    let (said, _) = text(&fencepost(folder.path(), folder.path(), &both));
    assert!(exists("two.msn_unfenced.e-d.sc") && !exists("two.msn_unfenced.e-d.relaxed"), "{said}");
    assert!(said.contains("( e | d ) on relaxed: there is no proof"), "{said}");
}

#[test]
fn a_commit_point_in_the_wrong_place_is_told_with_both_executions() {
    let file = "examples/ms2/ms2_commit_at_head.c";
    let args = [file, "--test", "( e | d )", "--model", "sc", "--method"];
    let (text, status) = check(&[&args[..], &["commit-points"]].concat());
    assert!(text.contains("do not take effect at their commit points"), "{text}");
    assert!(
        text.contains("in the order of their commit points, they show:\n  d: taken=-1"),
        "{text}"
    );
    assert_eq!(status, 1);
    let (_, status) = check(&[&args[..], &["observations"]].concat());
    assert_eq!(status, 0);
}

#[test]
fn every_mistake_in_the_input_has_one_clear_message() {
    let suite = |rest: &str| format!("{rest}\n[tests]\nT0 = '( i | i )'\n");
    let missing = suite("files = 'queue.c'");
    let unknown = suite("files = 'counter.c'\nmodels = ['sc', 'xyz']");
    let commit = suite("files = 'counter.c'\nmodels = 'sc'\nmethod = 'commit-points'");
    let init = suite("files = 'counter.c'\ninit = 'set_up'");
    let no_files = suite("");
    let files = [
        ("missing.toml", missing.as_str()),
        ("unknown.toml", &unknown),
        ("commit.toml", &commit),
        ("init.toml", &init),
        ("no_files.toml", &no_files),
        ("broken.toml", "files = [\n"),
        ("broken.cat", "\"broken\"\nacyclic po | | rf\n"),
    ];
    let cases: [&[&str]; 16] = [
        &["counter.c"],
        &["nothing.c", "--test", "( i | i )"],
        &["counter.c", "--test", "( i | x )"],
        &["counter.c", "--test", "( i | "],
        &["counter.c", "--test", "T7"],
        &["counter.c", "--test", "( ii )"],
        &["counter.c", "--test", "( p )"],
        &["counter.c", "--test", "( w )", "--model", "sc"],
        &["counter.c", "--test", "( i )", "--model", "xyz"],
        &["counter.c", "--test", "( i )", "--model", "broken.cat"],
        &["missing.toml"],
        &["unknown.toml"],
        &["commit.toml"],
        &["init.toml"],
        &["no_files.toml"],
        &["broken.toml"],
    ];
    let mut all = String::new();
    for args in cases {
        let (text, status) = counter(&files, args);
        assert_eq!(status, 2, "{args:?}\n{text}");
        all += &format!("$ fencepost check {}\n{text}\n", args.join(" "));
    }
    insta::assert_snapshot!(all);
}

#[test]
fn a_counterexample_can_be_saved_and_replayed_until_the_program_changes() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path();
    std::fs::write(path.join("counter.c"), COUNTER).expect("written");
    let check = ["check", "counter.c", "--test", "( i | i )", "--model", "sc", "--html", "found"];
    let (shown, status) = text(&fencepost(path, path, &check));
    assert_eq!(status, 1, "{shown}");
    let page = std::fs::read_to_string(path.join("found/counter.i-i.sc.html")).expect("a page");
    let elsewhere = page.replace("http://www.w3.org/2000/svg", "").contains("http");
    assert!(page.contains("<svg") && !elsewhere, "nothing is loaded from anywhere");
    let mut ids: Vec<&str> =
        page.split("id=\"").skip(1).filter_map(|t| t.split('"').next()).collect();
    let all = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), all, "the two pictures share no names: {ids:?}");
    let table = std::fs::read_to_string(path.join("found/counter.html")).expect("a page");
    assert!(table.contains("<a href=\"counter.i-i.sc.html\">VIOLATED</a>"), "{table}");
    let replay = ["replay", "found/counter.i-i.sc.json"];
    let (again, status) = text(&fencepost(path, path, &replay));
    assert_eq!(status, 1, "{again}");
    assert!(shown.contains(&again), "{again}");
    // A file that says something else of its execution is not confirmed.
    let saved = std::fs::read_to_string(path.join(replay[1])).expect("a counterexample");
    let mut saved: serde_json::Value = serde_json::from_str(&saved).expect("JSON");
    for other in [
        serde_json::json!({ "reached": "a branch" }),
        serde_json::json!("serial"),
        serde_json::json!({ "flag": "race" }),
    ] {
        saved["violation"] = other.clone();
        std::fs::write(path.join("other.json"), saved.to_string()).expect("written");
        let (said, status) = text(&fencepost(path, path, &["replay", "other.json"]));
        assert_eq!(status, 3, "{other}: {said}");
    }
    std::fs::write(path.join("counter.c"), COUNTER.replace("seen + 1", "seen + 2"))
        .expect("written");
    let (changed, status) = text(&fencepost(path, path, &replay));
    assert_eq!(status, 2, "{changed}");
    assert!(changed.contains("has changed since this counterexample was found"), "{changed}");
}

/// What goes wrong already where the operations run one after the other is said of no execution.
#[test]
fn a_saved_serial_violation_is_confirmed_as_nothing_else() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path();
    let file = repository().join("examples/lazylist/lazylist_published.c");
    let file = file.to_str().expect("UTF-8");
    let check = ["check", file, "--test", "( a | c )", "--model", "sc", "--save", "found"];
    let (said, status) = text(&fencepost(path, path, &check));
    assert_eq!(status, 1, "{said}");
    let mut files = std::fs::read_dir(path.join("found")).expect("a folder");
    let saved = files.next().expect("a file").expect("an entry").path();
    let replay = |path_of_file: &Path| {
        let file = path_of_file.to_str().expect("UTF-8");
        text(&fencepost(path, path, &["replay", file]))
    };
    let (said, status) = replay(&saved);
    assert_eq!(status, 1, "{said}");
    let saved = std::fs::read_to_string(saved).expect("a counterexample");
    let mut saved: serde_json::Value = serde_json::from_str(&saved).expect("JSON");
    assert_eq!(saved["violation"], "serial");
    saved["violation"] = serde_json::json!({ "reached": "a branch" });
    let other = path.join("other.json");
    std::fs::write(&other, saved.to_string()).expect("written");
    let (said, status) = replay(&other);
    assert_eq!(status, 3, "{said}");
}

#[test]
fn what_was_found_out_is_known_the_second_time_and_no_longer_when_an_option_changes() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path();
    std::fs::write(path.join("counter.c"), COUNTER).expect("written");
    let cached = |more: &[&str]| -> Vec<bool> {
        let args = ["check", "counter.c", "--test", "( i | i )", "--test", "( a | a )"];
        let args = [&args[..], &["--model", "sc", "--json"], more].concat();
        let output = fencepost(path, path, &args);
        let document: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let tests = document["files"][0]["tests"].as_array().expect("tests").clone();
        assert_eq!(tests[0]["results"][0]["verdict"], "violated");
        assert_eq!(tests[1]["results"][0]["verdict"], "holds");
        let cached = |test: &serde_json::Value| test["results"][0]["cached"] == true;
        tests.iter().map(cached).collect()
    };
    assert_eq!(cached(&[]), [false, false]);
    assert_eq!(cached(&[]), [true, true]);
    assert_eq!(cached(&["--no-cache"]), [false, false]);
    assert_eq!(cached(&["--no-value-sets"]), [false, false]);
}

/// A recursion that nothing decides is followed to a depth of its own, whatever the option says.
#[test]
fn no_option_is_advised_for_a_bound_that_cannot_be_raised() {
    let code = "#include <checkfence.h>\nstatic int x;\nvoid init(void) { x = 0; }\n\
                static int down(int n) { return n ? down(n - 1) + 1 : 0; }\n\
                void set(void) { x = down(400); fp_observe(\"n\", 1); }\n";
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("deep.c"), code).expect("written");
    let args = ["check", "deep.c", "--test=( set | set )", "--model=relaxed"];
    let (said, status) = text(&fencepost(folder.path(), folder.path(), &args));
    assert_eq!(status, 3, "{said}");
    assert!(said.contains("the recursion at deep.c:4 in `down`"), "{said}");
    assert!(!said.contains("--max-unroll"), "{said}");
}

/// Counterexamples of the papers, as files: every bug that they report, and every way to fail for
/// want of a fence. After a change of the program or of the load-store language, find them again:
/// `fencepost check FILE.c --test TEST --model MODEL --save FOLDER`.
#[test]
fn counterexamples_of_the_papers_are_told_as_before() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/counterexamples");
    let names = [
        "lazylist_unfenced.Sac.pso",
        "ms2_commit_at_head.e_d.sc",
        "ms2_dependent_loads.e_d.relaxed",
        "ms2_late_unlock.e_d_d.relaxed",
        "ms2_weak_unlock.e_e_d_d.relaxed",
        "msn_incomplete_node.e_d.relaxed",
        "msn_load_sequence.e_d.relaxed",
        "msn_reordered_cas.e_d.relaxed",
        "msn_unfenced.T0.relaxed",
        "snark_first_corrected.Dq.sc",
        "snark_first_corrected.Dq7.sc",
        "snark_published.D0.sc",
    ];
    for name in names {
        let file = folder.join(format!("{name}.json"));
        let file = file.to_str().expect("a path");
        let (text, status) = text(&fencepost(&repository(), &repository(), &["replay", file]));
        assert_eq!(status, 1, "{text}");
        insta::assert_snapshot!(name, text);
    }
}

/// Every missing fence of the papers is found anew, and told with the one pair that matters.
#[test]
fn a_missing_fence_is_told_as_one_pair_of_accesses() {
    let cases = [
        ("msn/msn_incomplete_node.c", "( e | d )", "store-store"),
        ("msn/msn_reordered_cas.c", "( e | d )", "store-store"),
        ("msn/msn_load_sequence.c", "( e | d )", "load-load"),
        ("ms2/ms2_dependent_loads.c", "( e | d )", "load-load"),
        ("ms2/ms2_late_unlock.c", "e ( d | d )", "store-store"),
        ("ms2/ms2_weak_unlock.c", "e e ( d | d )", "load-store"),
    ];
    for (file, test, pair) in cases {
        let file = format!("examples/{file}");
        let (text, status) = check(&[&file, "--test", test, "--model", "relaxed"]);
        assert_eq!(status, 1, "{text}");
        assert_eq!(text.matches("against program order").count(), 1, "{text}");
        assert!(text.contains(&format!("This is a {pair} pair.\n")), "{text}");
        let advice = format!("relaxed forbids this execution:\n  put `fp_fence(\"{pair}\")` after");
        assert!(text.contains(&advice), "{text}");
    }
}

/// Large tests are told like small ones: one pair, and only the threads that it takes.
#[test]
fn a_missing_fence_in_a_large_test_is_told_as_one_pair_of_two_threads() {
    let file = "examples/msn/msn_load_sequence.c";
    for test in ["( e^6 | d^6 )", "( e^3 | e e | d d | d )"] {
        let (text, status) = check(&[file, "--test", test, "--model", "relaxed"]);
        assert_eq!(status, 1, "{text}");
        assert_eq!(text.matches("against program order").count(), 1, "{text}");
        let operations = text.lines().filter(|line| line.contains(" -- ")).count();
        assert_eq!(operations, 2, "{text}");
    }
}

/// A stack of locked numbers; `p` forgets to unlock if it finds nothing, `h` has a lock of its own.
const LOCKED: &str = r#"
#include <checkfence.h>
#include <pthread.h>
static LOCK;
static int top, flag;
void init(void) { top = 0; flag = 0; INIT; }
void a(void) { TAKE; top = top + 1; GIVE; }
int p(void) {
    TAKE;
    if (top == 0) return -1;
    top = top - 1;
    GIVE;
    return top;
}
int h(void) { return cas(&flag, 0, 1); }
"#;

#[test]
fn a_lock_that_is_left_held_is_a_finding() {
    let kinds = [
        ("lock_t l", "init_lock(&l)", "lock(&l)", "unlock(&l)"),
        (
            "pthread_mutex_t l",
            "pthread_mutex_init(&l, 0)",
            "pthread_mutex_lock(&l)",
            "pthread_mutex_unlock(&l)",
        ),
        (
            "pthread_rwlock_t l",
            "pthread_rwlock_init(&l, 0)",
            "pthread_rwlock_rdlock(&l)",
            "pthread_rwlock_unlock(&l)",
        ),
    ];
    for (number, (lock, init, take, give)) in kinds.into_iter().enumerate() {
        let parts = [("LOCK", lock), ("INIT", init), ("TAKE", take), ("GIVE", give)];
        let code = parts.iter().fold(LOCKED.to_string(), |code, (name, text)| {
            code.replace(&format!("{name};"), &format!("{text};"))
        });
        let files = [("locked.c", code.as_str())];
        let run = |test: &str| counter(&files, &["locked.c", "--test", test, "--model", "sc"]);
        let (text, status) = run("( p )");
        assert_eq!(status, 1, "{text}");
        assert!(text.contains("a lock is still held at the end"), "{text}");
        if number == 0 {
            insta::assert_snapshot!(text);
        }
        let (text, status) = run("( a | a )");
        assert_eq!(status, 0, "{text}");
        // Nobody can know that this is a lock.
        let (text, status) = run("( h | h )");
        assert_eq!(status, 0, "{text}");
    }
}

/// A lock that the initial sequence takes is given back by `t`, unless it sees what no serial
/// execution shows.
#[test]
fn a_lock_that_the_initial_sequence_takes_may_be_left_held() {
    let kinds = [
        ("lock_t l", "init_lock(&l)", "lock(&l)", "unlock(&l)"),
        (
            "pthread_rwlock_t l",
            "pthread_rwlock_init(&l, 0)",
            "pthread_rwlock_rdlock(&l)",
            "pthread_rwlock_unlock(&l)",
        ),
    ];
    for (lock, init, take, give) in kinds {
        let code = format!(
            "#include <checkfence.h>\n#include <pthread.h>\nstatic {lock}; static volatile int y;\n\
             void init(void) {{ {init}; }}\nvoid a(void) {{ {take}; }}\n\
             void w(void) {{ y = 1; y = 0; }}\nvoid t(void) {{ if (!y) {give}; }}\n"
        );
        let spec = code.replace(&format!("{{ {take}; }}"), "{ }").replace(give, "(void)0");
        let files = [("locked.c", code.as_str()), ("spec.c", spec.as_str())];
        let run = |test: &str, more: &[&str]| {
            let args = ["locked.c", "--test", test, "--model", "sc"];
            counter(&files, &[&args, more].concat())
        };
        for (test, more) in [("a ( w | t )", &[][..]), ("a ( w | w )", &["--spec", "spec.c"])] {
            let (text, status) = run(test, more);
            assert_eq!(status, 1, "{test}: {text}");
            assert!(text.contains("a lock is still held at the end"));
        }
        let (text, status) = run("a ( t )", &[]);
        assert_eq!(status, 0, "{text}");
    }
}

#[test]
fn a_lock_counts_where_nobody_can_reach_it_and_where_it_is_one_of_many() {
    let code = "#include <checkfence.h>\n#include <pthread.h>\n#include <stdlib.h>\n\
        static pthread_mutex_t all[300]; static volatile int y;\nvoid init(void) { }\n\
        void a(void) {\n    int k = fp_choose(0, 1);\n    fp_observe(\"k\", k);\n\
        \x20   if (k) { pthread_mutex_t *m = malloc(sizeof *m); pthread_mutex_init(m, 0); pthread_mutex_lock(m); }\n}\n\
        void w(void) { y = 1; y = 0; }\nvoid r(void) { int i = fp_choose(0, 299); int t = y; \
        pthread_mutex_lock(&all[i]); if (!t) pthread_mutex_unlock(&all[i]); }\n";
    for (test, status) in [("a ( w )", 1), ("( w | r )", 1), ("( r )", 0)] {
        let args = ["locks.c", "--model=sc", "--test", test];
        let (text, found) = counter(&[("locks.c", code)], &args);
        assert_eq!(found, status, "{test}: {text}");
        let held = text.contains("a lock is still held at the end");
        assert_eq!(held, status == 1, "{test}: {text}");
    }
}

/// What the first choice takes, the other way round: `malloc` gives again what was got by `malloc`,
/// and nothing that needs another alignment.
#[test]
fn with_memory_that_is_used_again_it_counts_how_a_block_was_got() {
    for other in ["calloc(1, 64)", "aligned_alloc(64, 64)"] {
        let code = format!(
            "#include <checkfence.h>\n#include <stdlib.h>\nstatic int *volatile p;\n\
             void init(void) {{ }}\nvoid a(void) {{\n    int k = fp_choose(0, 1);\n    \
             fp_observe(\"k\", k);\n    int *q;\n    if (!k) {{ q = {other}; }}\n    else {{\n        \
             volatile int work;\n        q = malloc(64);\n        \
             for (int i = 0; i < 9; i++) work = i;\n    }}\n    *q = 0;\n    p = q;\n}}\n\
             void f(void) {{ int *q = p; *q = 1; p = 0; free(q); }}\n\
             void m(void) {{ int *o = p; int *n = malloc(64); *n = 5; fp_observe(\"same\", o == n); }}\n"
        );
        let args = ["again.c", "--model=sc", "--test=a ( f | m )"];
        let run = |more: &[&str]| counter(&[("again.c", &code)], &[&args, more].concat());
        let (text, status) = run(&["--reuse-memory"]);
        assert!(status == 1 && text.contains("same=1"), "{text}");
        let (text, status) = run(&[]);
        assert_eq!(status, 0, "{text}");
    }
}

/// Threads come to where they wait as early as they can, and who has nothing to do with it is left
/// out.
#[test]
fn a_deadlock_is_told_without_what_does_not_matter() {
    let code = r#"
#include <checkfence.h>
static lock_t a, b, c;
static int x, y, z;
void init(void) { init_lock(&a); init_lock(&b); init_lock(&c); x = y = z = 0; }
void ab(void) { lock(&a); x = x + 1; lock(&b); y = y - 1; unlock(&b); unlock(&a); }
void ba(void) { lock(&b); y = y + 1; lock(&a); x = x - 1; unlock(&a); unlock(&b); }
void cc(void) { lock(&c); z = z + 1; unlock(&c); }
"#;
    let files = [("bank.c", code)];
    let run = |test: &str| counter(&files, &["bank.c", "--test", test, "--model=relaxed"]);
    let (text, status) = run("( ab ab | ba | cc )");
    insta::assert_snapshot!(text);
    assert_eq!(status, 1);
    let (text, status) = run("( ab ab ab | ba ba ba | cc cc | cc ab )");
    assert_eq!(status, 1, "{text}");
    assert!(!text.contains("store z"), "{text}");
    assert!(text.contains("Omitted, because it does not matter here: "), "{text}");
}

/// Nobody else runs yet who could give the lock back.
#[test]
fn an_initial_operation_that_waits_is_a_deadlock() {
    let code = "#include <checkfence.h>\n#include <checkfence.h>\nstatic lock_t l;\n\
        void init(void) { init_lock(&l); }\nvoid b(void) { lock(&l); }\n\
        void c(void) { lock(&l); unlock(&l); }\n\
        void d(void) { if (fp_choose(0, 1)) lock(&l); }\n";
    let spec = code.replace("{ lock(&l); }", "{ }").replace("if (fp_choose(0, 1)) lock(&l);", "");
    let stuck = code.replace("init_lock(&l);", "init_lock(&l); lock(&l); lock(&l);");
    let files = [("lock.c", code), ("spec.c", spec.as_str()), ("stuck.c", stuck.as_str())];
    let run = |args: &[&str]| counter(&files, &[args, &["--model=sc"]].concat());
    let (text, status) = run(&["lock.c", "--test=c b c ( c )"]);
    insta::assert_snapshot!(text);
    assert_eq!(status, 1);
    for args in [
        ["lock.c", "--test=d c ( c )"].as_slice(),
        &["stuck.c", "--test=( c )"],
        &["lock.c", "--test=b c ( c )", "--spec=spec.c"],
        &["lock.c", "--test=d c ( c )", "--spec=spec.c"],
    ] {
        let (text, status) = run(args);
        assert!(status == 1 && text.contains("deadlock: all threads wait"), "{args:?}: {text}");
    }
}

/// What is printed is nothing to look at; how much it is, is the same to everybody.
#[test]
fn what_printf_returns_is_what_the_replay_sees() {
    let code = "#include <checkfence.h>\n#include <stdio.h>\nstatic int y, n; static char s[4];\n\
        void init(void) { y = n = 0; }\nvoid a(void) { n = printf(\"x\"); fp_choose(5, 5); }\n\
        void w(void) { if (n == 1) { y = 1; y = 0; } }\nvoid r(void) { fp_observe(\"r\", y); }\n\
        void p(void) { printf(\"%s %d\\n\", s, y); y = 1; }\n\
        void t(void) { y = printf(\"%s\", s) > 0; }\n\
        void q(void) { if (printf(\"%d\", y) < 2) y = 1; }\n";
    let run =
        |test: &str| counter(&[("print.c", code)], &["print.c", "--model=sc", "--test", test]);
    let (text, status) = run("a ( w | r )");
    assert_eq!(status, 1, "{text}");
    assert!(text.contains("store y = 1"), "{text}");
    for (test, status) in [("( w | r )", 0), ("( p | r )", 0), ("( q | r )", 0), ("( t | r )", 2)] {
        let (text, found) = run(test);
        assert_eq!(status, found, "{test}: {text}");
    }
}

#[test]
fn a_test_without_executions_does_not_hold() {
    let code = "#include <checkfence.h>\nstatic int n;\nvoid init(void) { n = 0; }\n\
                void t(void) { while (1) { int old = n; if (cas(&n, old, old + 1) && old) return; } }\n";
    let files = [("twice.c", code)];
    let run = |args: &[&str]| counter(&files, &[&["twice.c", "--test=( t' )"], args].concat());
    let (text, status) = run(&["--model=sc"]);
    insta::assert_snapshot!(text);
    assert_eq!(status, 3);
    let (text, _) = run(&["--model=sc", "--json"]);
    let document: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let result = &document["files"][0]["tests"][0]["results"][0];
    assert_eq!(result["verdict"], "vacuous");
    assert_eq!(result["warning"]["never-end"], serde_json::json!([1]));
}

/// Two locks that are made of loops, taken in both orders, and an operation that keeps one.
const SPINNING: &str = r#"
#include <stdatomic.h>
#include <checkfence.h>
static atomic_int a, b;
static int n;
static void take(atomic_int *l) { while (atomic_exchange(l, 1)) { } }
static void give(atomic_int *l) { atomic_store(l, 0); }
void init(void) { }
void ab(void) { take(&a); take(&b); fp_observe("n", n++); give(&b); give(&a); }
void ba(void) { take(&b); take(&a); fp_observe("n", n++); give(&a); give(&b); }
void keep(void) { take(&a); }
"#;

#[test]
fn locks_that_are_made_of_loops_are_in_a_deadlock_like_others() {
    let files = [("locks.c", SPINNING)];
    let run =
        |test: &str, more: &[&str]| counter(&files, &[&["locks.c", "--test", test], more].concat());
    let (text, status) = run("( ab | ba )", &["--model=sc", "--model=rc11", "--model=tso"]);
    insta::assert_snapshot!(text);
    assert_eq!(status, 1);
    let (text, status) = run("( ab | ab )", &["--model=sc", "--model=rc11", "--model=tso"]);
    assert_eq!(status, 0, "{text}");
    let (text, _) = run("( ab | ba )", &["--model=sc", "--json"]);
    let found: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let problem = &found["files"][0]["tests"][0]["results"][0];
    let problem = problem.to_string();
    assert!(problem.contains("\"deadlock\"") && problem.contains("b = 1"), "{problem}");
}

#[test]
fn a_lock_of_its_own_that_an_operation_keeps_is_a_deadlock_for_the_next() {
    let args = ["locks.c", "--test=( keep | ab )", "--model=sc"];
    let (text, status) = counter(&[("locks.c", SPINNING)], &args);
    insta::assert_snapshot!(text);
    assert_eq!(status, 1);
}

#[test]
fn a_deadlock_of_loops_can_be_replayed_and_looked_at() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("locks.c"), SPINNING).expect("written");
    let run = |args: &[&str]| text(&fencepost(folder.path(), folder.path(), args));
    let check = ["check", "locks.c", "--test=( ab | ba )", "--model=sc"];
    let (said, _) = run(&[&check[..], &["--save=found", "--html=pages"]].concat());
    let (replayed, status) = run(&["replay", "found/locks.ab-ba.sc.json"]);
    assert_eq!(status, 1, "{said}{replayed}");
    assert!(replayed.contains("waits in a loop, and reads b = 1 for ever"), "{replayed}");
    let page = std::fs::read_to_string(folder.path().join("pages/locks.ab-ba.sc.html"));
    assert!(page.expect("a page").contains("waits in a loop, and reads b = 1 for ever"));
}

/// What one thread does alone is serial.
#[test]
fn what_is_left_open_in_one_thread_is_left_open_in_serial_executions() {
    let code = "#include <stdatomic.h>\n#include <checkfence.h>\n#include <stdlib.h>\n\
        static atomic_int w, v; static int *p;\nvoid init(void) { p = malloc(4); *p = 0; }\n\
        void two(void) { int e = 0, f = 0; int a = atomic_compare_exchange_weak(&w, &e, 0);\n\
        int b = atomic_compare_exchange_weak(&v, &f, 0); fp_observe(\"a\", a); fp_observe(\"b\", b); }\n\
        void again(void) { int *o = p; free(o); int *n = malloc(4); *n = 1; fp_observe(\"same\", n == o); p = n; }\n";
    for test in ["( two )", "( two | two )", "( again )", "again ( again again )"] {
        let args = ["one.c", "--model=sc", "--reuse-memory", "--test", test];
        let (text, status) = counter(&[("one.c", code)], &args);
        assert_eq!(status, 0, "{test}: {text}");
    }
}

/// What an operation does in its middle is no serial execution of others.
#[test]
fn operations_are_whole_on_the_serial_model() {
    let code = "#include <checkfence.h>\n#include <stdlib.h>\nstatic int *a;\n\
        void init(void) { a = malloc(sizeof *a); *a = 1; }\n\
        void m(void) { free(a); a = malloc(sizeof *a); *a = 3; fp_observe(\"v\", *a); }\n\
        void n(void) { free(a); a = malloc(sizeof *a); *a = 3; }\n";
    for (test, more) in
        [("( m | m )", &[][..]), ("( n | n )", &["--reuse-memory"]), ("( m | n )", &[])]
    {
        let run = |model| {
            let args = ["block.c", "--test", test, "--model", model];
            counter(&[("block.c", code)], &[&args, more].concat())
        };
        let (text, status) = run("serial");
        assert_eq!(status, 0, "{text}");
        let (text, status) = run("sc");
        assert!(status == 1 && text.contains("free"), "{text}");
    }
}

/// Of a block that nobody accesses, the listing shows no step.
#[test]
fn both_frees_of_a_block_are_told() {
    let code = "#include <stdlib.h>\nstatic int *a, done;\nvoid init(void) { a = malloc(4); }\n\
        void m(void) {\n    if (!done) {\n        done = 1;\n        free(a);\n    }\n}\n";
    let args = ["twice.c", "--test", "( m | m )", "--model=sc"];
    let (text, status) = counter(&[("twice.c", code)], &args);
    assert_eq!(status, 1, "{text}");
    for told in ["block freed twice", "was allocated here", "freed here, by thread P2"] {
        assert!(text.contains(told), "{text}");
    }
}
