//! The command `fencepost verify`, as users meet it: tables, exit statuses, mistakes in the input,
//! and files with counterexamples.

use std::path::Path;
use std::process::{Command, Output};

/// Runs the command in a folder.
fn fencepost(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_fencepost"))
        .args(args)
        .current_dir(folder)
        .output()
        .expect("the program starts")
}

fn text(output: &Output) -> (String, i32) {
    let both = [&output.stdout[..], &output.stderr[..]].concat();
    let text = String::from_utf8(both).expect("UTF-8");
    (text, output.status.code().expect("an exit status"))
}

/// Verifies a program that stands in a file of its own, `program.c`.
fn verify(program: &str, args: &[&str]) -> (String, i32) {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("program.c"), program).expect("written");
    let all: Vec<&str> = ["verify", "program.c"].into_iter().chain(args.iter().copied()).collect();
    text(&fencepost(folder.path(), &all))
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
fn each_property_has_a_verdict_on_each_model() {
    let (text, status) = verify(STORE_BUFFERING, &[]);
    insta::assert_snapshot!(text);
    assert_eq!(status, 1);
}

#[test]
fn a_property_that_holds_ends_with_zero() {
    let (text, status) = verify(STORE_BUFFERING, &["--model", "sc", "--property", "assert"]);
    insta::assert_snapshot!(text);
    assert_eq!(status, 0);
}

#[test]
fn language_models_know_races() {
    let args = ["--model", "rc11", "--property", "race"];
    let (text, status) = verify(STORE_BUFFERING, &args);
    insta::assert_snapshot!(text);
    assert_eq!(status, 1);
}

#[test]
fn a_counterexample_can_be_run_again() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("program.c"), STORE_BUFFERING).expect("written");
    let run = |args: &[&str]| text(&fencepost(folder.path(), args));
    let (first, _) = run(&["verify", "program.c", "--model", "tso", "--save", "found"]);
    let (again, status) = run(&["replay", "found/program.assert.tso.json"]);
    assert_eq!(status, 1);
    assert!(first.contains(&again), "{first}\n{again}");
    // A file that says something else of its execution is not confirmed.
    let saved = folder.path().join("found/program.assert.tso.json");
    let saved = std::fs::read_to_string(saved).expect("a counterexample");
    let mut saved: serde_json::Value = serde_json::from_str(&saved).expect("JSON");
    for other in [
        serde_json::json!("serial"),
        serde_json::json!({ "reached": "a branch" }),
        serde_json::json!({ "observation": { "seen": [], "nearest": [] } }),
        serde_json::json!({ "flag": "race" }),
    ] {
        saved["violation"] = other.clone();
        std::fs::write(folder.path().join("other.json"), saved.to_string()).expect("written");
        let (said, status) = run(&["replay", "other.json"]);
        assert_eq!(status, 3, "{other}: {said}");
    }
    std::fs::write(folder.path().join("program.c"), STORE_BUFFERING.replace("x = 1", "x = 2"))
        .expect("written");
    let (changed, status) = run(&["replay", "found/program.assert.tso.json"]);
    insta::assert_snapshot!(changed);
    assert_eq!(status, 2);
}

/// The expressions of `--outcomes` are a part of the program that was verified.
#[test]
fn a_counterexample_that_was_found_beside_outcomes_can_be_run_again() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("program.c"), STORE_BUFFERING).expect("written");
    let run = |args: &[&str]| text(&fencepost(folder.path(), args));
    let common = ["verify", "program.c", "--model", "tso", "--outcomes", "a, b"];
    run(&[&common[..], &["--property", "all", "--save", "found"]].concat());
    let (again, status) = run(&["replay", "found/program.assert.tso.json"]);
    assert_eq!(status, 1, "{again}");
    assert!(again.contains("assertion failed: a || b"), "{again}");
    run(&[&common[..], &["--coverage", "--schedules", "schedules"]].concat());
    let mut schedules = std::fs::read_dir(folder.path().join("schedules")).expect("a folder");
    let schedule = schedules.next().expect("a schedule").expect("an entry").path();
    let (again, status) = run(&["replay", &schedule.display().to_string()]);
    assert_eq!(status, 0, "{again}");
}

/// What a function of a header accesses is told with its name.
#[test]
fn memory_functions_are_named_where_they_access_parts() {
    let program = r#"
#include <pthread.h>
#include <string.h>
_Atomic long both;
void clear(void *object, unsigned bytes) {
    memset(object, 0, bytes);
}
void *worker(void *unused) { clear(&both, sizeof(int)); return unused; }
int main(void) {
    pthread_t p;
    pthread_create(&p, 0, worker, 0);
    both = 1;
    pthread_join(p, 0);
    return both;
}
"#;
    let (text, status) = verify(program, &["--model", "rc11", "--property", "assert"]);
    let message = "an access to a part of what another one accesses as a whole (by `memset`, \
                   program.c:6): ";
    assert!(text.contains(message) && text.contains(", at program.c:12"), "{text}");
    assert_eq!(status, 3);
}

/// A failed test-and-set writes back what it read: an attempt that nobody notices, so the loop is
/// covered although it may go round for ever.
#[test]
fn a_test_and_set_lock_is_proved_without_bounds() {
    let program = r#"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int held;
int counter;
void *worker(void *unused) {
    while (atomic_exchange_explicit(&held, 1, memory_order_acquire)) ;
    counter++;
    atomic_store_explicit(&held, 0, UNLOCK);
    return 0;
}
int main(void) {
    pthread_t p, q;
    pthread_create(&p, 0, worker, 0);
    pthread_create(&q, 0, worker, 0);
    pthread_join(p, 0);
    pthread_join(q, 0);
    assert(counter == 2);
    return 0;
}
"#;
    let models = ["--model=sc", "--model=armv8", "--model=power", "--property=assert"];
    let right = [&models[..], &["-DUNLOCK=memory_order_release"]].concat();
    let (text, status) = verify(program, &right);
    assert_eq!(status, 0, "{text}");
    let wrong = [&models[1..], &["-DUNLOCK=memory_order_relaxed"]].concat();
    let (text, status) = verify(program, &wrong);
    assert_eq!(text.matches("VIOLATED").count(), 2, "{text}");
    assert_eq!(status, 1, "{text}");
}

#[test]
fn a_program_without_main_is_refused() {
    let (text, status) = verify("int x;\nint f(void) { return x; }\n", &[]);
    insta::assert_snapshot!(text);
    assert_eq!(status, 2);
}

#[test]
fn a_program_without_threads_is_a_program() {
    let program = r#"
#include <stdlib.h>
int main(void) {
    int *p = malloc(sizeof *p);
    free(p);
    return *p;
}
"#;
    let (text, status) = verify(program, &["--model", "sc"]);
    insta::assert_snapshot!(text);
    assert_eq!(status, 1);
}

/// Two locks that are taken in different orders.
const TWO_LOCKS: &str = r#"
#include <pthread.h>
pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
void *up(void *unused) {
    pthread_mutex_lock(&first);
    pthread_mutex_lock(&second);
    pthread_mutex_unlock(&second);
    pthread_mutex_unlock(&first);
    return 0;
}
void *down(void *unused) {
    pthread_mutex_lock(&second);
    pthread_mutex_lock(&first);
    pthread_mutex_unlock(&first);
    pthread_mutex_unlock(&second);
    return 0;
}
int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], 0, up, 0);
    pthread_create(&threads[1], 0, down, 0);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
    return 0;
}
"#;

#[test]
fn threads_that_wait_for_each_other_are_in_a_deadlock() {
    let (text, status) = verify(TWO_LOCKS, &["--model", "sc", "--model", "rc11"]);
    insta::assert_snapshot!(text);
    assert_eq!(status, 1);
}

/// The main thread waits for readers that wait for a lock that it took before it started them.
const READERS: &str = r#"
#include <pthread.h>
struct { int size; pthread_mutex_t lock; } table;
pthread_rwlock_t gate = PTHREAD_RWLOCK_INITIALIZER;
void *reader(void *unused) {
    pthread_rwlock_rdlock(&gate);
    pthread_mutex_lock(&table.lock);
    pthread_mutex_unlock(&table.lock);
    pthread_rwlock_unlock(&gate);
    return 0;
}
int main(void) {
    pthread_t readers[2];
    pthread_mutex_lock(&table.lock);
    for (int i = 0; i < 2; i++) pthread_create(&readers[i], 0, reader, 0);
    pthread_rwlock_wrlock(&gate);
    pthread_mutex_unlock(&table.lock);
    pthread_rwlock_unlock(&gate);
    return 0;
}
"#;

#[test]
fn a_deadlock_tells_who_holds_which_lock_and_who_waits_for_it() {
    for engine in ["states", "sat"] {
        let args = ["--model=sc", "--property=deadlock", "--engine", engine];
        let (text, status) = verify(READERS, &args);
        assert_eq!(status, 1, "{text}");
        let waits = "waits here for `table.lock`, which the main thread holds";
        assert!(text.contains(waits), "{text}");
        let gate = "`gate`, which thread P1 (`reader`) and thread P2 (`reader`) hold";
        assert!(text.contains(gate), "{text}");
        assert!(text.contains("the main thread took `table.lock` here"), "{text}");
    }
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("program.c"), READERS).expect("written");
    let args = ["verify", "program.c", "--model=rc11", "--property=deadlock", "--json"];
    let (said, _) = text(&fencepost(folder.path(), &[&args[..], &["--html=pages"]].concat()));
    let document = &said[..=said.rfind("\n}").map_or(0, |end| end + 1)];
    let document: serde_json::Value = serde_json::from_str(document).expect("JSON");
    let violation = &document["programs"][0]["models"][0]["properties"][0]["violation"];
    insta::assert_snapshot!(serde_json::to_string_pretty(&violation["waiting"]).expect("JSON"));
    let page = folder.path().join("pages/program.deadlock.rc11.html");
    let page = std::fs::read_to_string(page).expect("a page");
    assert!(page.contains("the main thread took `table.lock` here"), "{page}");
}

#[test]
fn a_program_whose_assumptions_always_fail_says_nothing() {
    let program = r#"
        #include <assert.h>
        #include <checkfence.h>
        #include <pthread.h>
        #include <stdlib.h>
        int x;
        static void *work(void *unused) { x = 1; BODY assert(x == 1); return unused; }
        int main(void) {
            pthread_t thread;
            pthread_create(&thread, 0, work, 0);
            END
            return 0;
        }
    "#;
    let join = "pthread_join(thread, 0);";
    let run = |body: &str, end: &str, engine: &str| {
        let program = program.replace("BODY", body).replace("END", end);
        verify(&program, &["--model=sc", "--property=assert", "--engine", engine])
    };
    for engine in ["states", "sat"] {
        let (text, status) = run("fp_assume(x == 2);", join, engine);
        assert_eq!(status, 3, "{engine}: {text}");
        if engine == "sat" {
            insta::assert_snapshot!(text);
        }
        // Some executions count, also where threads wait for ever, or where the program ends early.
        for (body, end) in [
            ("if (fp_choose(0, 1)) fp_assume(0);", join),
            ("if (fp_choose(0, 1)) fp_assume(0); while (x) { }", join),
            ("", "exit(0);"),
            ("if (fp_choose(0, 1)) fp_assume(0); exit(0);", join),
        ] {
            let (text, _) = run(body, end, engine);
            assert!(text.contains("assert      holds"), "{engine}, {body}: {text}");
        }
        // What goes wrong before an assumption fails does so.
        let (text, status) = run("assert(x == 2); fp_assume(0);", join, engine);
        assert_eq!(status, 1, "{engine}: {text}");
    }
}

/// A flag that is set too early: the loop may wait for ever.
const LOST_FLAG: &str = r#"
#include <pthread.h>
#include <stdatomic.h>
atomic_int flag;
void *set(void *unused) { atomic_store(&flag, 1); return 0; }
void *wait(void *unused) {
    atomic_store(&flag, 0);
    while (!atomic_load(&flag)) { }
    return 0;
}
int main(int argc, char **argv) {
    pthread_t p, q;
    pthread_create(&p, 0, set, 0);
    pthread_create(&q, 0, wait, 0);
    pthread_join(p, 0);
    pthread_join(q, 0);
    return 0;
}
"#;

#[test]
fn a_loop_that_waits_for_ever_is_told_with_what_it_reads() {
    let args = ["--model", "sc", "--property", "liveness", "--property", "deadlock"];
    let (text, status) = verify(LOST_FLAG, &args);
    insta::assert_snapshot!(text);
    assert_eq!(status, 1);
}

#[test]
fn outcomes_are_all_values_at_the_end_of_main() {
    let (text, status) = verify(STORE_BUFFERING, &["--outcomes", "a, b"]);
    insta::assert_snapshot!(text);
    assert_eq!(status, 0);
}

#[test]
fn a_mistake_in_an_outcome_is_shown_at_its_place() {
    let (text, status) = verify(STORE_BUFFERING, &["--outcomes", "a, c"]);
    insta::assert_snapshot!(text);
    assert_eq!(status, 2);
}

#[test]
fn it_is_told_that_executions_that_go_wrong_have_no_outcome() {
    let args = ["--outcomes", "a, b", "--property", "assert", "--model", "tso"];
    let (text, _) = verify(STORE_BUFFERING, &args);
    assert!(text.contains("executions in which something goes wrong have none"), "{text}");
}

#[test]
fn no_outcome_at_all_is_a_mistake() {
    let (text, status) = verify(STORE_BUFFERING, &["--outcomes", " "]);
    assert_eq!((text.trim(), status), ("error: `--outcomes` names no expression", 2));
}

#[test]
fn coverage_says_which_branches_are_never_taken() {
    let program = STORE_BUFFERING.replace("assert(a || b);", "if (!a && !b) return 1;");
    let (text, status) = verify(&program, &["--coverage", "--model", "sc", "--model", "tso"]);
    insta::assert_snapshot!(text);
    assert_eq!(status, 0);
}

#[test]
fn overflow_and_leaks_are_found() {
    let program = r#"
#include <limits.h>
#include <stdlib.h>
int *kept;
int main(void) {
    int n = INT_MAX;
    kept = malloc(sizeof *kept);
    int *lost = malloc(sizeof *lost);
    *lost = 1;
    return n + *lost < 0;
}
"#;
    let (text, status) = verify(program, &["--model", "sc", "--property", "overflow"]);
    insta::assert_snapshot!("overflow", text);
    assert_eq!(status, 1);
    let (text, status) = verify(program, &["--model", "sc", "--property", "leak"]);
    insta::assert_snapshot!("leak", text);
    assert_eq!(status, 1);
}

#[test]
fn a_loop_that_starts_threads_without_end_is_named() {
    let program = r#"
#include <pthread.h>
volatile int more = 1;
void *stop(void *unused) { more = 0; return 0; }
int main(void) {
    pthread_t thread;
    while (more) pthread_create(&thread, 0, stop, 0);
    return 0;
}
"#;
    let args = ["--model", "sc", "--property", "assert", "--max-unroll", "3"];
    let (text, status) = verify(program, &args);
    insta::assert_snapshot!(text);
    assert_eq!(status, 3);
}

/// Time that is over leaves the states that were visited, and what was found in them, in the table,
/// on the page and in the document.
#[test]
fn states_that_were_visited_within_the_limit_are_reported() {
    let program = r#"
        #include <assert.h>
        #include <pthread.h>
        static int a, b, c, d;
        static void *first(void *unused) { for (;;) { a++; b = a + c; } return unused; }
        static void *second(void *unused) { for (;;) { c++; d = c + b; } return unused; }
        int main(void) {
            pthread_t one, other;
            pthread_create(&one, 0, first, 0);
            pthread_create(&other, 0, second, 0);
            if (a > 2) d = 7; else assert(a != 1);
            if (a == 1000000) d = 8;
            for (;;) a = d;
        }
    "#;
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("program.c"), program).expect("written");
    let args = ["verify", "program.c", "--model=sc", "--engine=states", "--coverage"];
    // How far it comes within a second depends on the machine: it gets more until it comes far enough.
    let run = |more: &[&str], enough: &dyn Fn(&str) -> bool| {
        let within =
            |limit: &str| text(&fencepost(folder.path(), &[&args[..], &[limit], more].concat()));
        let limits = ["--time-limit=2", "--time-limit=8", "--time-limit=32", "--time-limit=128"];
        limits.into_iter().map(within).find(|(said, _)| enough(said)).expect("it comes far enough")
    };
    let known = "states were visited, and there is nothing else in them.";
    let reached = " of 5 branch directions and assertions are reached, perhaps not all";
    let (said, status) =
        run(&["--property=assert", "--property=memory", "--html=pages"], &|said| {
            said.contains("assertion failed: a != 1") && said.contains(known)
        });
    // What was found was found.
    assert_eq!(status, 1, "{said}");
    assert!(said.contains("memory on sc: ? no answer within --time-limit"), "{said}");
    assert!(said.contains("Not answered: are there other states"), "{said}");
    assert!(said.contains(reached) && !said.contains("0 of 5"), "{said}");
    let page = folder.path().join("pages/program.html");
    let page = std::fs::read_to_string(page).expect("a page");
    assert!(page.contains(known) && page.contains(reached), "{page}");
    assert!(page.contains("<a href=\"program.assert.sc.html\">VIOLATED</a>"), "{page}");
    let (json, _) = run(&["--property=memory", "--json"], &|json| json.contains("\"states\""));
    let document: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let model = &document["programs"][0]["models"][0];
    let known = &model["properties"][0]["established"];
    assert!(known["states"].as_u64() > Some(0), "{json}");
    assert_eq!(known["open"], "states");
    assert_eq!(model["behaviours"]["established"]["states"], known["states"]);
    assert_eq!(model["behaviours"]["complete"], false);
}

/// Time that is over at once leaves nothing known, and says so.
#[test]
fn nothing_is_established_in_no_time() {
    let program = r#"
        #include <assert.h>
        #include <pthread.h>
        static int x, y;
        static void *left(void *unused) { x = 1; y = 1; return unused; }
        int main(void) {
            pthread_t thread;
            pthread_create(&thread, 0, left, 0);
            pthread_join(thread, 0);
            assert(x && y);
            return 0;
        }
    "#;
    let (text, status) = verify(program, &["--model=relaxed", "--time-limit=0.000001"]);
    assert_eq!(status, 3, "{text}");
    assert!(text.contains("Established: nothing.\n  Not answered: "), "{text}");
}

#[test]
fn a_thread_that_ends_with_a_lock_is_told_where_it_took_it() {
    let program = r#"
        #include <pthread.h>
        static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
        static int count;
        static void *work(void *unused) {
            pthread_mutex_lock(&mutex);
            if (++count == 1) return unused;
            pthread_mutex_unlock(&mutex);
            return unused;
        }
        int main(void) {
            pthread_t thread;
            pthread_create(&thread, 0, work, 0);
            if (pthread_mutex_trylock(&mutex) == 0) pthread_mutex_unlock(&mutex);
            pthread_join(thread, 0);
            return 0;
        }
    "#;
    let (text, status) = verify(program, &["--model", "sc", "--property", "deadlock"]);
    insta::assert_snapshot!(text);
    assert_eq!(status, 1);
}

#[test]
fn recursion_without_an_end_is_a_bound_and_a_missing_function_an_error() {
    let (text, status) = verify(
        "static int f(int n) { return f(n + 1); }\nint main(void) { return f(0); }",
        &["--model", "sc", "--property", "assert"],
    );
    assert!(text.contains("holds*") && text.contains("program.c:1"), "{text}");
    assert_eq!(status, 3);
    let (text, status) = verify("int socket(int);\nint main(void) { return socket(1); }", &[]);
    assert!(text.contains("there is no definition of the function `socket`"), "{text}");
    assert!(text.contains("program.c:2"), "{text}");
    assert_eq!(status, 2);
}

const CHANGES: &str = "pthread_mutex_lock(&m); g = 1; g = 0; pthread_mutex_unlock(&m);";
const ASSERTS: &str = "pthread_mutex_lock(&m); assert(g == 0); pthread_mutex_unlock(&m);";

/// Two threads that never end, with a lock; the second body is that of `main`.
fn servers(first: &str, second: &str) -> String {
    format!(
        "#include <assert.h>
        #include <pthread.h>
        pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int g;
        int __VERIFIER_nondet_int(void);
        void *serve(void *u) {{ while (1) {{ {first} }} return u; }}
        int main(void) {{ pthread_t p; pthread_create(&p, 0, serve, 0); {second} return 0; }}"
    )
}

#[test]
fn threads_that_never_terminate_are_checked_without_bounds() {
    let endless = servers(CHANGES, &format!("while (1) {{ {ASSERTS} }}"));
    let (told, status) = verify(&endless, &["--model", "sc"]);
    // No thread awaits their ends, so whether they should terminate is not known.
    assert!(
        told.contains("assert      holds\n") && told.contains("liveness    holds*\n"),
        "{told}"
    );
    assert_eq!(status, 3);
    let (told, status) = verify(&endless, &["--model", "sc", "--engine", "states"]);
    assert!(
        told.contains("assert      holds\n") && told.contains("liveness    ? cannot"),
        "{told}"
    );
    assert!(
        told.contains("threads that may never terminate while memory goes on changing"),
        "{told}"
    );
    assert_eq!(status, 3);
    let wrong = ASSERTS.replace("g == 0", "g == 1");
    let (told, status) =
        verify(&servers(CHANGES, &format!("while (1) {{ {wrong} }}")), &["--model", "sc"]);
    assert!(told.contains("assert      VIOLATED"), "{told}");
    assert_eq!(status, 1);
}

#[test]
fn a_thread_that_only_reads_beside_busy_ones_may_wait_for_ever() {
    let (told, status) = verify(&servers(CHANGES, "while (g != 3) {}"), &["--model", "sc"]);
    assert!(
        told.contains("assert      holds\n") && told.contains("liveness    VIOLATED"),
        "{told}"
    );
    assert_eq!(status, 1);
}

/// Programs that grow without an end, and what the solver could not follow to its end.
const ENDLESS: [(&str, &str); 2] = [
    (
        "extern int __VERIFIER_nondet_int(void);
         int f(int n) { if (__VERIFIER_nondet_int()) return 0; return f(n) + 1; }
         int main(void) { return f(0) < 0; }",
        "the recursion",
    ),
    (
        "#include <stdlib.h>
         extern _Bool __VERIFIER_nondet_bool(void);
         struct node { struct node *next; } *head;
         int main(void) {
             while (__VERIFIER_nondet_bool()) {
                 struct node *node = malloc(sizeof *node); node->next = head; head = node;
             }
             while (head) { struct node *node = head; head = node->next; free(node); }
             return 0;
         }",
        "the loop",
    ),
];

#[test]
fn states_that_grow_without_an_end_are_left_to_the_solver() {
    for (source, what) in ENDLESS {
        let (told, status) = verify(source, &["--model", "sc", "--max-unroll", "4"]);
        assert!(told.contains("memory      holds*\n") && told.contains(what), "{told}");
        assert_eq!(status, 3, "{told}");
    }
}

#[test]
fn choices_that_are_only_compared_need_no_bounds() {
    let main = format!(
        "while (__VERIFIER_nondet_int()) {{ switch (__VERIFIER_nondet_int()) {{
             case 0: {ASSERTS} break; case 7: {CHANGES} break; default: break; }} }}"
    );
    let asked = ["--model", "sc", "--property", "assert", "--property", "deadlock"];
    let (told, status) = verify(&servers(CHANGES, &main), &asked);
    assert!(told.contains("assert      holds\n") && told.contains("deadlock    holds\n"), "{told}");
    assert_eq!(status, 0, "{told}");
}

/// A thread that draws a number between 0 and 1 and prints it.
const DRAW: &str = r#"
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
double shared = 0.5;
void *draw(void *unused) {
    double part = rand() / (RAND_MAX + 1.0);
    printf("%f\n", part);
    return unused;
}
int main(void) {
    pthread_t p;
    pthread_create(&p, 0, draw, 0);
    pthread_join(p, 0);
    assert(shared < 1);
    return 0;
}
"#;

#[test]
fn floating_point_arithmetic_on_any_number_is_refused_at_its_line_if_something_depends_on_it() {
    let args = ["--model", "sc", "--property", "assert"];
    let (text, status) = verify(DRAW, &args);
    assert_eq!(status, 0, "{text}");
    let (text, status) = verify(&DRAW.replace("return unused", "shared = part; return 0"), &args);
    insta::assert_snapshot!(text);
    assert_eq!(status, 3);
}

/// Threads without end: in a loop, or each starting the next.
const ENDLESS_LOOP: &str = r#"
#include <assert.h>
#include <pthread.h>
int x;
void *worker(void *unused) { assert(x < 2); x = 1; return 0; }
int main(void) {
    for (;;) {
        pthread_t thread;
        pthread_create(&thread, 0, worker, 0);
    }
}
"#;
const ENDLESS_GENERATIONS: &str = r#"
#include <pthread.h>
void *worker(void *unused) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    return 0;
}
int main(void) { worker(0); return 0; }
"#;

#[test]
fn threads_that_are_started_without_end_are_followed_as_far_as_bounds_say() {
    let (text, status) = verify(ENDLESS_LOOP, &["--model", "sc", "--max-unroll", "3"]);
    assert_eq!(status, 3, "{text}");
    assert!(text.contains("assert      holds*"), "{text}");
    assert!(text.contains("the loop at program.c:9 in `main` (3 iterations)"), "{text}");
    let wrong = ENDLESS_LOOP.replace("x < 2", "x < 1");
    let (text, status) = verify(&wrong, &["--model", "sc", "--property", "assert"]);
    assert_eq!(status, 1, "{text}");
    let (text, status) = verify(ENDLESS_GENERATIONS, &["--model", "rc11"]);
    assert_eq!(status, 3, "{text}");
    assert!(text.contains("the recursion at program.c:5 in `worker` (16 calls)"), "{text}");
}

#[test]
fn too_many_threads_are_told_at_the_users_line() {
    let many = ENDLESS_LOOP.replace("for (;;)", "for (int i = 0; i < 1000; i++)");
    for engine in ["states", "sat"] {
        let (text, status) = verify(&many, &["--model", "sc", "--engine", engine]);
        assert_eq!(status, 3, "{text}");
        assert!(text.contains("threads (if they are started in a loop"), "{text}");
        assert!(text.contains("give that an end), at program.c:"), "{text}");
    }
}

/// A file that cannot be read as a program does not take the answers of the others away.
#[test]
fn each_file_is_answered_or_refused_by_itself() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text);
    write("program.c", STORE_BUFFERING).expect("written");
    write("empty.c", "int x;").expect("written");
    let args = ["verify", "empty.c", "program.c", "--model", "sc", "--property", "assert"];
    let (table, status) = text(&fencepost(folder.path(), &args));
    assert!(table.contains("`empty.c` has no function `main`"), "{table}");
    assert!(table.contains("assert      holds"), "{table}");
    assert_eq!(status, 2);
    let output = fencepost(folder.path(), &[&args[..], &["--json"]].concat());
    assert_eq!(output.status.code(), Some(2));
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(document["programs"][0]["file"], "program.c");
    assert_eq!(document["errors"][0]["file"], "empty.c");
    let error = document["errors"][0]["error"].as_str().expect("a text");
    assert!(error.starts_with("error: `empty.c` has no function `main`"), "{error}");
}

#[test]
fn races_that_no_model_knows_are_no_answer() {
    let (text, status) = verify(STORE_BUFFERING, &["--property", "race"]);
    assert!(text.contains("nothing was looked at") && text.contains("--races plain"), "{text}");
    assert_eq!(status, 3);
}
