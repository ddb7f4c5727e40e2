//! `fencepost instrument` for models on which loads may be late: the results do under sequential
//! consistency what the programs do on the models, and what is refused.

use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

/// Standard output with the messages, and the exit status.
fn fencepost(folder: &Path, args: &[&str]) -> (String, i32) {
    let output = Command::new(env!("CARGO_BIN_EXE_fencepost"))
        .args(args)
        .current_dir(folder)
        .output()
        .expect("fencepost starts");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let status = output.status.code().expect("a status");
    (text(&output.stdout) + &text(&output.stderr), status)
}

fn folder_with(text: &str) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("p.c"), text).expect("the program");
    folder
}

/// Two threads with these bodies.
fn program(left: &str, right: &str) -> String {
    format!(
        "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n\
         #define LOAD(x) atomic_load_explicit(&x, memory_order_relaxed)\n\
         #define STORE(x, v) atomic_store_explicit(&x, v, memory_order_relaxed)\n\
         #define FENCE() atomic_thread_fence(memory_order_seq_cst)\n\
         static atomic_int x, y;\nstatic int a, b;\n\
         static void *left(void *u) {{\n    {left}\n    return u;\n}}\n\
         static void *right(void *u) {{\n    {right}\n    return u;\n}}\n\
         int main(void) {{\n    pthread_t p, q;\n    pthread_create(&p, 0, left, 0);\n\
         \x20   pthread_create(&q, 0, right, 0);\n    pthread_join(p, 0);\n    pthread_join(q, 0);\n\
         \x20   return a == 1 && b == 1;\n}}\n"
    )
}

/// The lines of `verify --outcomes` that list them.
fn outcomes(folder: &Path, file: &str, model: &str) -> Vec<String> {
    let (said, _) = fencepost(folder, &["verify", file, "--model", model, "--outcomes", "a, b"]);
    let lines: Vec<String> =
        said.lines().filter(|line| line.starts_with("  ")).map(str::to_string).collect();
    assert!(!lines.is_empty(), "{said}");
    lines
}

#[test]
fn the_result_does_on_sc_what_the_program_does_on_the_model() {
    let (load_x, load_y) = ("a = LOAD(x);", "b = LOAD(y);");
    for (left, right, model, count) in [
        ("STORE(x, 1); STORE(y, 1);", "b = LOAD(y); a = LOAD(x);", "power", 4),
        ("STORE(x, 1); FENCE(); STORE(y, 1);", "b = LOAD(y); FENCE(); a = LOAD(x);", "power", 3),
        (&format!("{load_x} STORE(y, 1);"), &format!("{load_y} STORE(x, 1);"), "armv8", 4),
        (&format!("{load_x} STORE(y, 1);"), &format!("{load_y} if (b) STORE(x, 1);"), "rmo", 3),
        (
            &format!("{load_x} STORE(y, 1);"),
            &format!("{load_y} STORE(x, 1 + (b ^ b));"),
            "relaxed",
            4,
        ),
        (&format!("{load_x} STORE(y, 1);"), &format!("{load_y} STORE(x, 1 + (b ^ b));"), "rmo", 4),
    ] {
        let folder = folder_with(&program(left, right));
        let folder = folder.path();
        let on_model = outcomes(folder, "p.c", model);
        assert_eq!(on_model.len(), count, "{model}: {left} | {right}");
        let (said, status) =
            fencepost(folder, &["instrument", "p.c", "--model", model, "-o", "out.c"]);
        assert_eq!(status, 0, "{said}");
        assert_eq!(outcomes(folder, "out.c", "sc"), on_model, "{model}: {left} | {right}");
    }
}

#[test]
fn a_claim_counts_only_in_an_execution() {
    // A late load of 2 would fail the assertion, but nothing stores 2 because of it.
    let text = program(
        "int r = LOAD(x); assert(r != 2); STORE(y, 1);",
        "int r = LOAD(y); FENCE(); if (r == 3) STORE(x, 2);",
    );
    let folder = folder_with(&text);
    let args = ["instrument", "p.c", "--model", "power", "--all-accesses", "-o", "out.c"];
    let (said, status) = fencepost(folder.path(), &args);
    assert_eq!(status, 0, "{said}");
    let args = ["verify", "out.c", "--model", "sc", "--property", "assert"];
    let (said, status) = fencepost(folder.path(), &args);
    assert_eq!(status, 0, "{said}");
    let out = std::fs::read_to_string(folder.path().join("out.c")).unwrap();
    assert!(out.contains(".late = 1, .values = { 2u }"), "the load is never late:\n{out}");
}

#[test]
fn more_accesses_than_provided_for_are_not_silent() {
    let folder = folder_with(&program("STORE(x, 1); STORE(y, 1);", "b = LOAD(y); a = LOAD(x);"));
    let args = ["instrument", "p.c", "--model", "armv8", "--buffer", "1", "-o", "out.c"];
    assert_eq!(fencepost(folder.path(), &args).1, 0);
    let args = ["verify", "out.c", "--model", "sc", "--property", "assert"];
    let (said, status) = fencepost(folder.path(), &args);
    assert_eq!(status, 3, "{said}");
    assert!(said.contains("more accesses"), "{said}");
}

#[test]
fn what_late_loads_cannot_do_is_refused_at_its_line() {
    let other = "b = LOAD(y); STORE(x, 1);";
    for (left, right, what) in [
        ("int r = LOAD(x), s = own ? r : 0; STORE(y, s + 1);", other, "on the path"),
        (
            "static int o; STORE(p, &o); a = LOAD(y);",
            "int *q = LOAD(p); STORE(y, q != 0);",
            "many values",
        ),
        (
            "pthread_mutex_lock(&m); STORE(x, 1); pthread_mutex_unlock(&m);",
            "b = LOAD(x); pthread_mutex_lock(&m); a = LOAD(x); pthread_mutex_unlock(&m);",
            "pthread_mutex_lock",
        ),
    ] {
        let text = program(left, right).replace(
            "static int a, b;",
            "static int a, b, own;\nstatic int *_Atomic p;\nstatic pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;",
        );
        let folder = folder_with(&text);
        let args = ["instrument", "p.c", "--model", "power", "--all-accesses"];
        let (said, status) = fencepost(folder.path(), &args);
        assert_eq!(status, 2, "{what}: {said}");
        assert!(said.contains("cannot rewrite") && said.contains(what), "{what}: {said}");
        assert!(said.contains("--> p.c:"), "{said}");
    }
}
