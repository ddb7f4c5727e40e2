//! `fencepost prove`: threads that wait in loops, locks that wake no thread, small tests where a
//! proof has no answer, and where refusals point.

use std::path::PathBuf;
use std::process::Command;

const HEAD: &str = "#include <fencepost.h>\n#include <pthread.h>\n#include <stdatomic.h>\n\
                    #include <sched.h>\n#include <stdlib.h>\n";

/// What a proof of a data type of this text prints, and its exit code.
fn prove(name: &str, text: &str, args: &[&str]) -> (String, i32) {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("prove_waits");
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join(name), format!("{HEAD}{text}")).expect("a file");
    let output = Command::new(env!("CARGO_BIN_EXE_fencepost"))
        .args(["prove", name])
        .args(args)
        .current_dir(folder)
        .output()
        .expect("it runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout) + &text(&output.stderr), output.status.code().expect("an exit code"))
}

fn row<'s>(said: &'s str, name: &str) -> &'s str {
    said.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_else(|| panic!("{said}")).trim()
}

/// The lock of Mellor-Crummey and Scott, whose waiters are `WAITER`, and that ends with `HAND`.
const MCS: &str = "
struct waiter { _Atomic(struct waiter *) next; atomic_int waiting; };
static _Atomic(struct waiter *) tail;
static int inside;
void init(void) { atomic_init(&tail, NULL); inside = 0; }
static void leave(struct waiter *mine) {
    struct waiter *next = atomic_load(&mine->next), *last = mine;
    if (!next) {
        if (atomic_compare_exchange_strong(&tail, &last, NULL)) return;
        WAIT
    }
    HAND
}
void y(void) {
    WAITER
    atomic_init(&mine->next, NULL);
    atomic_init(&mine->waiting, 1);
    struct waiter *before = atomic_exchange(&tail, mine);
    if (before) {
        atomic_store(&before->next, mine);
        while (atomic_load(&mine->waiting)) sched_yield();
    }
    fp_assert(!inside);
    inside = 1;
    inside = 0;
    leave(mine);
}
";
const WAIT: &str = "while (!(next = atomic_load(&mine->next))) sched_yield();";
const HAND: &str = "atomic_store(&next->waiting, 0);";
const STACK: &str = "struct waiter own, *mine = &own;";
const HEAP: &str = "struct waiter *mine = malloc(sizeof *mine);";

fn mcs(name: &str, parts: [&str; 3], model: &str) -> (String, i32) {
    let [wait, hand, waiter] = parts;
    let text = MCS.replace("WAITER", waiter).replace("WAIT\n", wait).replace("HAND", hand);
    prove(name, &text, &["--model", model])
}

#[test]
fn a_lock_that_is_handed_on_is_proved() {
    let (said, code) = mcs("mcs.c", [WAIT, HAND, STACK], "sc");
    assert_eq!(row(&said, "linearizable"), "proved", "{said}");
    assert_eq!(row(&said, "assertions and memory"), "proved", "{said}");
    assert_eq!(row(&said, "no deadlock"), "proved", "{said}");
    assert!(said.contains("waits in a loop waits for another one, of which some can"), "{said}");
    assert_eq!(code, 0, "{said}");
}

/// The lock of Craig, and of Landin and Hagersten; a thread waits by `WAIT`.
const CLH: &str = "
struct node { atomic_int busy; };
static struct node first;
static _Atomic(struct node *) tail;
static int inside;
void init(void) { atomic_init(&tail, &first); inside = 0; }
void y(void) {
    struct node *mine = malloc(sizeof *mine);
    atomic_init(&mine->busy, 1);
    struct node *before = atomic_exchange(&tail, mine);
    WAIT
    fp_assert(!inside);
    inside = 1;
    inside = 0;
    atomic_store(&mine->busy, 0);
}
";

/// The same waits, once where the thread does nothing else, once where nothing says which object
/// the operation of the thread before it has made: it makes two.
#[test]
fn a_queue_lock_whose_waiters_cannot_be_followed_is_open() {
    let wait = "while (atomic_load(&before->busy)) sched_yield();";
    let twice = "struct node *other = malloc(sizeof *other); atomic_init(&other->busy, 0);
    static _Atomic(struct node *) last; atomic_store(&last, other); ";
    for (extra, expected, status) in [("", "proved", 0), (twice, "?", 3)] {
        let made = "struct node *mine = malloc(sizeof *mine);";
        let text = CLH.replace("WAIT", wait).replace(made, &format!("{made}\n{extra}"));
        let text = text.replace(
            "struct node *other = malloc(sizeof *other)",
            "struct node *other = another()",
        );
        let text = text.replace("malloc(sizeof *mine)", "another()");
        let text = text.replace(
            "void y(void)",
            "static struct node *another(void) { return malloc(sizeof(struct node)); }\nvoid y(void)",
        );
        let (said, code) = prove("clh.c", &text, &["--model", "sc,tso"]);
        assert_eq!(row(&said, "linearizable"), "proved     proved", "{said}");
        let both = format!("{expected:<11}{expected}");
        assert_eq!(row(&said, "no deadlock"), both, "{said}");
        assert_eq!(code, status, "{said}");
    }
}

/// It may be wrong, or wait for another operation.
#[test]
fn an_operation_that_never_ends_alone_is_not_proved() {
    let lock = "static atomic_int held;
        void init(void) { atomic_init(&held, 0); }
        void x(void) { while (atomic_exchange(&held, 1)) sched_yield(); }\n";
    let (said, code) = prove("kept.c", lock, &["--model", "sc,tso"]);
    assert_eq!(row(&said, "no deadlock"), "?          ?", "{said}");
    assert!(code == 3 && said.contains("kept.c:8"), "{said}");
}

#[test]
fn a_lock_that_wakes_no_thread_is_violated_on_both_models() {
    for model in ["sc", "tso"] {
        for (name, parts, found) in [
            ("unwoken.c", [WAIT, "", STACK], "no deadlock"),
            ("unawaited.c", ["return;", HAND, HEAP], "no deadlock"),
            ("gone.c", ["return;", HAND, STACK], "assertions and memory"),
        ] {
            let (said, code) = mcs(name, parts, model);
            assert_eq!(row(&said, found), "VIOLATED", "{name} on {model}: {said}");
            assert_eq!(code, 1, "{said}");
        }
    }
}

#[test]
fn threads_that_wait_for_each_other_without_locks_are_a_deadlock() {
    let flags = "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; static atomic_int a, b;
void init(void) { a = b = 0; }
void f(void) { a = 1; while (b) sched_yield(); a = 0; }
void g(void) { b = 1; while (a) sched_yield(); b = 0;
               pthread_mutex_lock(&m); pthread_mutex_unlock(&m); }
";
    for model in ["sc", "tso"] {
        let (said, code) = prove("flags.c", flags, &["--model", model]);
        assert_eq!(row(&said, "no deadlock"), "VIOLATED", "{said}");
        assert_eq!(code, 1, "{said}");
    }
}

/// A lock of the program's own that nothing but the last row needs.
#[test]
fn waiting_for_a_lock_of_the_programs_own_is_no_deadlock() {
    let lock = "static atomic_int l; static atomic_int n; void init(void) { l = n = 0; }
void x(void) { while (atomic_exchange(&l, 1)) while (atomic_load(&l)) sched_yield();
               atomic_store(&l, 0); }
void r(void) { fp_observe(\"n\", atomic_load(&n)); }
";
    for model in ["sc", "tso"] {
        let (said, code) = prove("own.c", lock, &["--model", model]);
        assert_eq!(row(&said, "no deadlock"), "proved", "{said}");
        assert_eq!(code, 0, "{said}");
    }
}

#[test]
fn a_deadlock_of_three_threads_is_found() {
    let crossed = "static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER,
    b = PTHREAD_MUTEX_INITIALIZER, c = PTHREAD_MUTEX_INITIALIZER;
void init(void) {}
static void both(pthread_mutex_t *p, pthread_mutex_t *q) {
    pthread_mutex_lock(p); pthread_mutex_lock(q);
    pthread_mutex_unlock(q); pthread_mutex_unlock(p);
}
void x(void) { both(&a, &b); }
void y(void) { both(&b, &c); }
void z(void) { both(&c, &a); }
";
    let (said, code) = prove("three.c", crossed, &[]);
    assert_eq!(row(&said, "no deadlock"), "VIOLATED", "{said}");
    assert!(said.contains("'( x | y | z )'"), "{said}");
    assert_eq!(code, 1, "{said}");
}

/// A set of which every value can be in or out: a search for a proof does not end in time.
#[test]
fn small_tests_are_tried_when_the_time_is_over() {
    let set = "struct node { int key; struct node *next; };
static struct node *head; static pthread_mutex_t m; static atomic_int n;
void init(void) { head = NULL; pthread_mutex_init(&m, NULL); n = 0; }
void a(void) {
    int key = fp_choose(0, 7);
    struct node *mine = malloc(sizeof *mine);
    mine->key = key;
    pthread_mutex_lock(&m);
    struct node **at = &head;
    while (*at && (*at)->key < key) at = &(*at)->next;
    int fresh = !*at || (*at)->key != key;
    if (fresh) { mine->next = *at; *at = mine; }
    pthread_mutex_unlock(&m);
    fp_observe(\"key\", key); fp_observe(\"fresh\", fresh);
}
void u(void) { int seen = atomic_load(&n); atomic_store(&n, (seen + 1) % 3); fp_observe(\"n\", seen); }
";
    let (said, code) = prove("slow.c", set, &["--time-limit", "8"]);
    assert_eq!(row(&said, "linearizable"), "VIOLATED", "{said}");
    assert!(said.contains("'( u | u )'"), "{said}");
    assert_eq!(code, 1, "{said}");
}

#[test]
fn an_operation_is_named_once() {
    let (said, code) =
        prove("once.c", "void init(void) {}\nvoid x(void) {}\n", &["--operations", "x,x"]);
    assert!(code == 2 && said.contains("the operation `x` is named twice"), "{said}");
}

/// What has no meaning stands in the library; the line is that of the call.
#[test]
fn refusals_point_to_the_users_line() {
    let rwlock = "static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
void init(void) {}
void x(void) {
    pthread_rwlock_rdlock(&l);
    pthread_rwlock_unlock(&l);
}
";
    let local = "static _Thread_local int mine; static atomic_int n;
void init(void) { n = 0; }
void x(void) { mine = 1; n = mine; }
";
    for (name, text, lines) in [("rwlock.c", rwlock, [9, 10]), ("local.c", local, [6, 6])] {
        let names_a_line = |said: &str, before: &str| {
            lines.iter().any(|line| said.contains(&format!("{before}{name}:{line}")))
        };
        let (said, code) = prove(name, text, &[]);
        assert!(names_a_line(&said, "--> "), "{said}");
        assert!(!said.contains("in ``"), "{said}");
        assert_eq!(code, 3, "{said}");
        let (said, code) = prove(name, text, &["--emit-murphi", "out.m"]);
        assert!(names_a_line(&said, "at "), "{said}");
        assert!(!said.contains("in ``"), "{said}");
        assert_eq!(code, 2, "{said}");
    }
    let started = "static void *nothing(void *p) { return p; }
void init(void) {}
void x(void) { pthread_t t; pthread_create(&t, NULL, nothing, NULL); }
";
    let (said, code) = prove("started.c", started, &[]);
    assert!(code == 2 && said.contains("at started.c:8:"), "{said}");
}

#[test]
fn a_model_that_cannot_be_written_says_where() {
    let text = "static atomic_int n; void init(void) { n = 0; }\nvoid x(void) { n = 0; }\n";
    let (said, code) = prove("unwritten.c", text, &["--emit-murphi", "no/such/folder.m"]);
    assert_eq!(code, 2, "{said}");
    assert!(said.contains("`no/such/folder.m`") && !said.contains(".fencepost-"), "{said}");
}

/// What waits for another operation is not wrong because it waits when it runs alone.
#[test]
fn operations_that_wait_for_others_are_not_in_a_deadlock() {
    let mailbox = "
static atomic_int slot;
void init(void) { atomic_init(&slot, 0); }
void put(void) {
    int none = 0;
    while (!atomic_compare_exchange_strong(&slot, &none, 1)) { none = 0; sched_yield(); }
}
void take(void) {
    int one = 1;
    while (!atomic_compare_exchange_strong(&slot, &one, 0)) { one = 1; sched_yield(); }
}
";
    let (said, code) = prove("mailbox.c", mailbox, &["--model", "sc", "--time-limit", "20"]);
    assert!(code == 3 && !said.contains("VIOLATED"), "{said}");
}
