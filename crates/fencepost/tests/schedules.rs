//! Executions that `verify --schedules` writes and `replay FOLDER` runs again, also after the program
//! was changed.

use std::path::Path;
use std::process::Command;

/// Runs the command in a folder; gives what it prints, and its status.
fn run_in(folder: &Path, args: &[&str]) -> (String, i32) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fencepost"));
    let output = command.args(args).current_dir(folder).output().expect("the program starts");
    let both = [&output.stdout[..], &output.stderr[..]].concat();
    let text = String::from_utf8(both).expect("UTF-8");
    (text, output.status.code().expect("an exit status"))
}

/// Store buffering: the assertion fails on tso.
const STORE_BUFFERING: &str = r#"
#include <assert.h>
#include <pthread.h>
int x, y, a, b;
void *left(void *unused) { x = 1; a = y; return 0; }
void *right(void *unused) { y = 1; b = x; return 0; }
int main(void) {
    pthread_t p, q;
    pthread_create(&p, 0, left, 0);
    pthread_create(&q, 0, right, 0);
    pthread_join(p, 0);
    pthread_join(q, 0);
    assert(a || b);
    return 0;
}
"#;

#[test]
fn schedules_can_be_run_again() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("program.c"), STORE_BUFFERING).expect("written");
    let run = |args: &[&str]| run_in(folder.path(), args);
    let args = ["verify", "program.c", "--coverage", "--model", "sc", "--schedules", "found"];
    assert_eq!(run(&args).1, 0);
    let mut count = 0;
    for entry in std::fs::read_dir(folder.path().join("found")).expect("a folder") {
        let path = entry.expect("a file").path();
        // The list of the schedules, for people.
        if path.extension().is_some_and(|ending| ending == "txt") {
            continue;
        }
        let (text, status) = run(&["replay", path.to_str().expect("UTF-8")]);
        assert_eq!(status, 0, "{text}");
        count += 1;
    }
    assert_eq!(count, 4, "both ways of `||` but one, and the assertion");
}

#[test]
fn schedules_need_no_coverage_and_show_outcomes_too() {
    let folder = tempfile::tempdir().expect("a folder");
    let branch = STORE_BUFFERING.replace("assert(a || b);", "if (a || b) x = 2;");
    std::fs::write(folder.path().join("program.c"), branch).expect("written");
    let run = |args: &[&str]| run_in(folder.path(), args);
    for engine in ["explore", "sat", "states"] {
        let args = ["verify", "program.c", "--model", "tso", "--engine", engine];
        let found = ["--schedules", engine, "--outcomes", "a, b"];
        let (shown, status) = run(&[&args[..], &found].concat());
        assert_eq!(status, 0, "{shown}");
        assert!(shown.contains("4 outcomes") && !shown.contains("are reached"), "{shown}");
        let list = format!("{engine}/program.schedules.txt");
        let list = std::fs::read_to_string(folder.path().join(list)).expect("a list");
        assert!(list.contains("outcome4.json: outcome a=1 b=1"), "{list}");
        assert!(list.contains("main."), "{list}");
        let (again, status) = run(&["replay", engine]);
        assert_eq!(status, 0, "{again}");
        assert!(again.contains("reached: outcome a=0 b=0"), "{again}");
    }
    std::fs::write(folder.path().join("program.c"), STORE_BUFFERING).expect("written");
    let (shown, status) = run(&["verify", "program.c", "--model", "tso", "--schedules", "all"]);
    assert_eq!(status, 1, "{shown}");
    assert!(shown.contains("assert") && !shown.contains("are reached"), "{shown}");
}

/// The accesses of the changed programs are the same, so that the executions are still possible.
#[test]
fn schedules_that_no_longer_show_what_they_are_named_by_do_not_fit() {
    let program = "#include <pthread.h>
        #include <stdatomic.h>
        #include <assert.h>
        atomic_uint x = 3;
        unsigned seen;
        void *other(void *p) { atomic_store(&x, 5); return p; }
        int main(void) {
            pthread_t t;
            pthread_create(&t, 0, other, 0);
            unsigned n = atomic_load(&x);
            unsigned big = n == 5 ? 6 : 7;
            pthread_join(t, 0);
            assert(big);
            seen = n;
            return 0;
        }";
    let folder = tempfile::tempdir().expect("a folder");
    let write =
        |text: &str| std::fs::write(folder.path().join("program.c"), text).expect("written");
    let run = |args: &[&str]| run_in(folder.path(), args);
    for engine in ["explore", "sat", "states"] {
        write(program);
        let args = ["verify", "program.c", "--model", "tso", "--engine", engine];
        let found = ["--schedules", engine, "--outcomes", "seen"];
        assert_eq!(run(&[&args[..], &found].concat()).1, 0);
        let (fits, status) = run(&["replay", engine]);
        assert_eq!(status, 0, "{fits}");
        assert!(fits.contains("5 of 5 executions fit"), "two ways, an assertion, outcomes: {fits}");
        let lost = |changed: String| {
            assert_ne!(changed, program);
            write(&changed);
            let (again, status) = run(&["replay", engine]);
            assert_eq!(status, 3, "{again}");
            assert!(again.contains("but does not show this then"), "{again}");
            let lost = again.lines().filter(|line| line.contains("does not fit any more"));
            lost.map(|line| line.split(':').next().unwrap_or_default().to_string()).collect()
        };
        let ways: Vec<String> = lost(program.replace("n == 5", "n == 6"));
        assert!(ways.len() == 1 && ways[0].contains("main.b"), "{engine}: {ways:?}");
        let assertions: Vec<String> = lost(program.replace("assert(big);", "if (big) ;"));
        assert!(assertions.iter().any(|name| name.contains("assert")), "{engine}: {assertions:?}");
        let outcomes: Vec<String> = lost(program.replace("seen = n;", "seen = n + 1;"));
        assert_eq!(outcomes.len(), 2, "{engine}: {outcomes:?}");
    }
}
