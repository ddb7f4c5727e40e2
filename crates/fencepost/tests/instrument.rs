//! The command `fencepost instrument`, as users meet it: what it writes, that the result does under
//! sequential consistency what the program does on the model, and what it refuses.

use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// Standard output, the messages, and the exit status.
fn fencepost(folder: &Path, args: &[&str]) -> (String, String, i32) {
    let output = Command::new(env!("CARGO_BIN_EXE_fencepost"))
        .args(args)
        .current_dir(folder)
        .output()
        .expect("fencepost starts");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr), output.status.code().expect("a status"))
}

fn corpus(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/verify").join(name)
}

/// A folder with a program.
fn folder_with(name: &str, text: &str) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join(name), text).expect("the program");
    folder
}

/// Two threads that store and load, with something between.
fn store_buffering(between: &str) -> String {
    format!(
        "#include <pthread.h>\n#include <stdatomic.h>\n\n\
         static atomic_int x, y;\nstatic int a, b;\n\n\
         /* Announces itself, and checks for the other. */\n\
         static void *left(void *unused) {{\n\
         \x20   atomic_store_explicit(&x, 1, memory_order_relaxed); // here\n    {between}\n\
         \x20   a = atomic_load_explicit(&y, memory_order_relaxed);\n    return unused;\n}}\n\n\
         static void *right(void *unused) {{\n    y = 1;\n    {between}\n    b = x;\n\
         \x20   return unused;\n}}\n\n\
         int main(void) {{\n    pthread_t p, q;\n    pthread_create(&p, 0, left, 0);\n\
         \x20   pthread_create(&q, 0, right, 0);\n    pthread_join(p, 0);\n    pthread_join(q, 0);\n\
         \x20   return a == 0 && b == 0;\n}}\n"
    )
    .replace("y = 1;", "atomic_store_explicit(&y, 1, memory_order_release);")
    .replace("b = x;", "b = atomic_load_explicit(&x, memory_order_acquire);")
}

/// Where the program's own text begins in a result.
fn own_text(result: &str) -> &str {
    &result[result.find("#line 1 ").expect("the program's text")..]
}

#[test]
fn the_program_keeps_its_words() {
    let folder = folder_with("sb.c", &store_buffering(""));
    let (result, report, status) =
        fencepost(folder.path(), &["instrument", "sb.c", "--model", "tso"]);
    assert_eq!(status, 0, "{report}");
    assert!(report.contains("rewritten: accesses at 4 of the"), "{report}");
    insta::assert_snapshot!("store_buffering", result);
}

#[test]
fn every_form_of_access_is_rewritten_in_place() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("own.h"), "#define SET(p, v) ((p)->value = (v))\n").unwrap();
    std::fs::write(folder.path().join("forms.c"), FORMS).unwrap();
    let (result, report, status) =
        fencepost(folder.path(), &["instrument", "forms.c", "--model", "pso", "--all-accesses"]);
    assert_eq!(status, 0, "{report}");
    insta::assert_snapshot!("forms", own_text(&result));
    let args = ["instrument", "forms.c", "--model", "pso", "--buffer", "12", "-o", "out.c"];
    assert_eq!(fencepost(folder.path(), &args).2, 0);
    let ask = |file: &str, model: &str| outcomes(folder.path(), file, model, "n, counter, seen");
    assert_eq!(ask("out.c", "sc"), ask("forms.c", "pso"));
}

const FORMS: &str = r#"#include "own.h"
#include <pthread.h>
#include <stdatomic.h>

struct node { struct node *next; int value; };
static struct node one, *head = &one;
static int n;
static _Atomic int counter;
static int seen;

static void *worker(void *unused) {
    n = 1; /* plain */
    n += 2;
    n++;
    --n;
    head->value = n;
    SET(head, head->value + 1);
    counter++;
    counter = counter + 1;
    atomic_fetch_add(&counter, 1);
    int expected = 4;
    atomic_compare_exchange_strong(&counter, &expected, 5);
    (head)->next = 0;
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    seen = (head->value ? n : counter) + (head->next == 0);
    n = 7;
    pthread_join(t, 0);
}
"#;

/// The lines of `verify --outcomes` that list them.
fn outcomes(folder: &Path, file: &str, model: &str, of: &str) -> Vec<String> {
    let (said, message, _) =
        fencepost(folder, &["verify", file, "--model", model, "--outcomes", of]);
    let lines = said.lines().filter(|line| line.starts_with("  ")).map(str::to_string);
    let lines: Vec<String> = lines.collect();
    assert!(!lines.is_empty(), "{said}{message}");
    lines
}

#[test]
fn the_result_does_on_sc_what_the_program_does_on_the_model() {
    let cases = [
        (store_buffering(""), "tso", 4),
        (store_buffering("atomic_thread_fence(memory_order_seq_cst);"), "tso", 3),
        (store_buffering("atomic_thread_fence(memory_order_release);"), "pso", 4),
        (store_buffering("__sync_synchronize();"), "pso", 3),
        (message_passing("relaxed"), "tso", 3),
        (message_passing("relaxed"), "pso", 4),
        (message_passing("release"), "pso", 3),
    ];
    for (text, model, count) in cases {
        let folder = folder_with("p.c", &text);
        let on_model = outcomes(folder.path(), "p.c", model, "a, b");
        assert_eq!(on_model.len(), count, "{model}\n{text}");
        for tool in ["fencepost", "svcomp", "cbmc"] {
            let args = ["instrument", "p.c", "--model", model, "--for", tool, "-o", "out.c"];
            let (_, message, status) = fencepost(folder.path(), &args);
            assert_eq!(status, 0, "{message}");
            let rewritten = outcomes(folder.path(), "out.c", "sc", "a, b");
            assert_eq!(rewritten, on_model, "for {tool} on {model}\n{text}");
        }
    }
}

fn message_passing(order: &str) -> String {
    format!(
        "#include <pthread.h>\n#include <stdatomic.h>\natomic_int data, ready;\nint a, b;\n\
         void *left(void *unused) {{\n\
         atomic_store_explicit(&data, 1, memory_order_relaxed);\n\
         atomic_store_explicit(&ready, 1, memory_order_{order});\nreturn unused; }}\n\
         void *right(void *unused) {{\n\
         a = atomic_load_explicit(&ready, memory_order_relaxed);\n\
         b = atomic_load_explicit(&data, memory_order_relaxed);\nreturn unused; }}\n\
         int main(void) {{ pthread_t p, q; pthread_create(&p, 0, left, 0);\n\
         pthread_create(&q, 0, right, 0); pthread_join(p, 0); pthread_join(q, 0); }}\n"
    )
}

#[test]
fn a_cycle_that_is_hidden_is_noticed() {
    // Accesses that are left alone although they are on a cycle: the store is not seen late.
    let folder = folder_with("sb.c", &store_buffering(""));
    let args = ["instrument", "sb.c", "--model", "tso", "-o", "out.c"];
    assert_eq!(fencepost(folder.path(), &args).2, 0);
    let out = folder.path().join("out.c");
    let text = std::fs::read_to_string(&out).unwrap();
    let hidden = text.replace(
        "weak_atomic_store_explicit(&x, 1, memory_order_relaxed); // here",
        "atomic_store_explicit(&x, 1, memory_order_relaxed); // here",
    );
    assert_ne!(hidden, text);
    std::fs::write(
        &out,
        hidden.replace("weak_atomic_store_explicit(&y", "atomic_store_explicit(&y"),
    )
    .unwrap();
    let on_model = outcomes(folder.path(), "sb.c", "tso", "a, b");
    assert_ne!(outcomes(folder.path(), "out.c", "sc", "a, b"), on_model);
}

#[test]
fn a_full_buffer_is_not_silent() {
    let folder = folder_with("mp.c", &message_passing("relaxed"));
    let args = ["instrument", "mp.c", "--model", "pso", "--buffer", "1", "-o", "out.c"];
    assert_eq!(fencepost(folder.path(), &args).2, 0);
    let args = ["verify", "out.c", "--model", "sc", "--property", "assert"];
    let (said, _, status) = fencepost(folder.path(), &args);
    assert_eq!(status, 3, "{said}");
    assert!(said.contains("more stores in a buffer"), "{said}");
}

#[test]
fn what_cannot_be_rewritten_is_refused_at_its_line() {
    let program = |declaration: &str, writes: &str, reads: &str| {
        format!(
            "#include <pthread.h>\n#include <stdatomic.h>\n#include <string.h>\n#include <fencepost.h>\n\
             struct pair {{ int left, right; unsigned bits : 3; }};\n{declaration} int flag;\n\
             void *f(void *u) {{\n    {writes}\n    flag = 1;\n    return u;\n}}\n\
             int main(void) {{\n    pthread_t t;\n    pthread_create(&t, 0, f, 0);\n\
             \x20   int seen = flag;\n    {reads}\n    pthread_join(t, 0);\n    return seen;\n}}\n"
        )
    };
    for (declaration, writes, reads, what) in [
        ("static float x;", "x = 1;", "seen += x > 0;", "floating-point"),
        ("static struct pair p;", "p.bits = 1;", "seen += p.bits;", "bit-field"),
        (
            "static struct pair p, q;",
            "q = (struct pair){ 1, 2, 3 }; p = q;",
            "seen += p.left;",
            "here",
        ),
        ("static char s[4];", "memset(s, 1, 4);", "seen += s[0];", "memset"),
        ("static int x;", "fp_atomic { x = 1; }", "seen += x;", "an atomic section"),
    ] {
        let folder = folder_with("p.c", &program(declaration, writes, reads));
        let (_, message, status) =
            fencepost(folder.path(), &["instrument", "p.c", "--model", "pso"]);
        assert_eq!(status, 2, "{what}: {message}");
        assert!(message.contains(what) && message.contains("cannot rewrite"), "{what}: {message}");
        assert!(message.contains("--> p.c:"), "{message}");
    }
}

#[test]
fn bad_input_is_refused_as_by_verify() {
    let folder = folder_with("bad.c", "int main(void) { return x; }\n");
    let (_, by_verify, _) = fencepost(folder.path(), &["verify", "bad.c", "--model", "tso"]);
    let (_, message, status) = fencepost(folder.path(), &["instrument", "bad.c", "--model", "tso"]);
    assert_eq!((message, status), (by_verify, 2));
    let (_, message, status) = fencepost(
        folder.path(),
        &["instrument", corpus("litmus/sb_relaxed.c").to_str().unwrap(), "--model", "riscv"],
    );
    assert_eq!(status, 2);
    assert!(message.contains("`riscv` has no operational form"), "{message}");
    assert!(
        message.contains("these models have one: tso, pso, relaxed, rmo, armv8, power"),
        "{message}"
    );
}

#[test]
fn the_form_for_compilers_shows_the_weak_outcome_and_never_when_fenced() {
    if Command::new("gcc").arg("--version").output().is_err() {
        return; // The other forms are checked above; this one needs the compiler.
    }
    for (between, weak) in [("", true), ("atomic_thread_fence(memory_order_seq_cst);", false)] {
        let folder = folder_with("sb.c", &store_buffering(between));
        let folder = folder.path();
        let args = [
            "instrument",
            "sb.c",
            "--model",
            "tso",
            "--all-accesses",
            "--for",
            "gcc",
            "-o",
            "out.c",
        ];
        assert_eq!(fencepost(folder, &args).2, 0);
        let gcc = Command::new("gcc")
            .args(["-std=c11", "-Wall", "-Werror", "-pthread", "out.c", "-o", "out"])
            .current_dir(folder)
            .output()
            .expect("gcc");
        assert!(gcc.status.success(), "{}", String::from_utf8_lossy(&gcc.stderr));
        let runs = Command::new(folder.join("out")).args(["1", "400"]).output().expect("runs");
        let said = String::from_utf8_lossy(&runs.stderr).into_owned();
        assert_eq!(said.contains("status 1: "), weak, "{said}");
        assert!(said.contains("status 0: "), "{said}");
    }
}
