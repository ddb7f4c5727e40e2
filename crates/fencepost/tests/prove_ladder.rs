//! `fencepost prove`: what is right is given by name or as a file, abstract states by functions,
//! locks that are handed on, operations that other threads complete; and what is wrong.

use std::path::{Path, PathBuf};
use std::process::Command;

/// What a proof prints, and its exit code. Words that end in `.c` are files of the examples.
fn prove(arguments: &str) -> (String, i32) {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let words = arguments.split_whitespace().map(|word| match word.strip_suffix(".c") {
        Some(_) => examples.join(word).into_os_string(),
        None => word.into(),
    });
    run(words.collect())
}

fn run(arguments: Vec<std::ffi::OsString>) -> (String, i32) {
    let output = Command::new(env!("CARGO_BIN_EXE_fencepost"))
        .arg("prove")
        .args(arguments)
        .output()
        .expect("it runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout) + &text(&output.stderr), output.status.code().expect("an exit code"))
}

/// A file of this text.
fn file(name: &str, text: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("prove_ladder");
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join(name);
    std::fs::write(&path, text).expect("a file");
    path
}

/// A deque under a mutex.
const DEQUE: &str = "
#include <fencepost.h>
#include <pthread.h>
#include <stdlib.h>
struct node { int value; struct node *before, *after; };
static pthread_mutex_t mutex;
static struct node *left, *right;
void init(void) { pthread_mutex_init(&mutex, 0); left = right = NULL; }
static int any(void) { int value = fp_choose(0, 1); fp_observe(\"value\", value); return value; }
static void put(int first, int value) {
    struct node *node = malloc(sizeof *node);
    node->value = value;
    node->before = node->after = NULL;
    pthread_mutex_lock(&mutex);
    if (!left) left = right = node;
    else if (first) { node->after = left; left->before = node; left = node; }
    else { node->before = right; right->after = node; right = node; }
    pthread_mutex_unlock(&mutex);
}
static int get(int first) {
    pthread_mutex_lock(&mutex);
    struct node *node = first ? left : right;
    int value = -1;
    if (node) {
        value = node->value;
        if (left == right) left = right = NULL;
        else if (first) { left = node->after; left->before = NULL; }
        else { right = node->before; right->after = NULL; }
    }
    pthread_mutex_unlock(&mutex);
    return value;
}
void al(void) { put(1, any()); }
void ar(void) { put(0, any()); }
void rl(void) { fp_observe(\"taken\", get(1)); }
void rr(void) { fp_observe(\"taken\", get(0)); }
";

#[test]
fn what_is_right_can_be_named() {
    for (arguments, kind) in [
        ("lazylist/lazylist.c --values 1 --spec set", "set"),
        ("ms2/ms2.c --values 1 --max-size 1 --spec queue", "queue"),
        ("treiber/treiber.c --max-size 2 --spec stack", "stack"),
    ] {
        let (said, code) = prove(arguments);
        assert!(code == 0 && said.contains(&format!("It is a {kind}.")), "{arguments}: {said}");
    }
}

#[test]
fn what_is_not_the_type_that_is_named_is_refused_with_a_serial_execution() {
    let (said, code) = prove("treiber/treiber.c --spec queue");
    assert_eq!(code, 3, "{said}");
    assert!(said.contains("not those of a queue (it is a stack)"), "{said}");
    assert!(said.contains("u (value = 0), u (value = 1), o (popped = 1)"), "{said}");
    let (said, code) = prove("ms2/ms2.c --spec stack");
    assert!(code == 3 && said.contains("(it is a queue)"), "{said}");
    let (said, code) = prove("lazylist/lazylist.c --spec deque");
    assert!(code == 3 && said.contains("a deque has 4 operations"), "{said}");
}

#[test]
fn a_reference_says_what_is_right() {
    let (said, code) = prove("lazylist/lazylist.c --spec reference/set.c");
    assert!(code == 0 && said.contains("proved"), "{said}");
    // A queue that grows in an array for ever has too many states; one that moves its values has not.
    let (said, code) = prove("ms2/ms2.c --max-size 2 --spec reference/queue.c");
    assert!(code == 3 && said.contains("its memory counts, too"), "{said}");
    let queue = "
#include <fencepost.h>
static int values[9], count;
void init(void) { count = 0; }
void e(void) { int value = fp_choose(0, 1); fp_observe(\"value\", value); values[count++] = value; }
void d(void) {
    int first = count ? values[0] : -1;
    if (count) count--;
    for (int i = 0; i < count; i++) values[i] = values[i + 1];
    values[count] = 0;
    fp_observe(\"taken\", first);
}
";
    let queue = file("queue.c", queue);
    let ms2 = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/ms2/ms2.c");
    let words = [ms2.as_os_str(), "--max-size".as_ref(), "2".as_ref(), "--spec".as_ref()];
    let (said, code) = run(words.into_iter().map(Into::into).chain([queue.into()]).collect());
    assert!(code == 0 && said.contains("It is a queue."), "{said}");
}

#[test]
fn what_a_reference_does_not_do_is_violated_by_one_thread() {
    let stack = "
#include <fencepost.h>
static int values[9], count;
void init(void) { count = 0; }
void e(void) { int value = fp_choose(0, 1); fp_observe(\"value\", value); values[count++] = value; }
void d(void) { fp_observe(\"taken\", count ? values[--count] : -1); }
";
    let stack = file("stack.c", stack);
    let queue = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/ms2/ms2.c");
    let words = [queue.as_os_str(), "--max-size".as_ref(), "2".as_ref(), "--spec".as_ref()];
    let (said, code) = run(words.into_iter().map(Into::into).chain([stack.into()]).collect());
    assert!(code == 1 && said.contains("VIOLATED"), "{said}");
}

#[test]
fn a_deque_under_a_mutex_is_one() {
    let words = |spec: &'static str| {
        let deque = file("deque.c", DEQUE);
        let words = ["--max-size", "2", "--spec", spec].map(Into::into);
        [vec![deque.into()], words.to_vec()].concat()
    };
    let (said, code) = run(words("deque"));
    assert!(code == 0 && said.contains("It is a deque."), "{said}");
    assert!(said.contains("only where no lock was held"), "{said}");
    let (said, code) = run(words("set"));
    assert!(code == 3 && said.contains("not those of a set (it is a deque)"), "{said}");
    // One end that gives what was put in at the other.
    let wrong = DEQUE.replace("get(0)", "get(1)");
    let path = file("one_end.c", &wrong);
    let words = ["--max-size", "2", "--spec", "deque"].map(Into::into);
    let (said, code) = run([vec![path.into()], words.to_vec()].concat());
    assert!(code == 3 && said.contains("no deque does this"), "{said}");
}

#[test]
fn locks_that_are_handed_on_are_proved_and_the_answer_says_how() {
    let (said, code) = prove("clh-lock/clh_lock.c --model sc,tso");
    let both = |name: &str, cell: &str| format!("{name:24}{cell:11}{cell}\n");
    assert!(said.contains(&both("linearizable", "proved")), "{said}");
    assert!(said.contains(&both("assertions and memory", "proved")), "{said}");
    assert!(said.contains(&both("no deadlock", "proved")), "{said}");
    assert!(said.contains("waits for another one, of which some can go on"), "{said}");
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("Two threads had to be tracked at a time"), "{said}");
    assert!(said.contains("mutual exclusion is what they assert at"), "{said}");
    assert!(said.contains("stores of a thread waited in its buffer"), "{said}");
}

#[test]
fn a_lock_that_is_handed_on_too_early_is_violated() {
    let lock = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/clh-lock/clh_lock.c");
    let text = std::fs::read_to_string(lock).expect("the example");
    let clients = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/clients/lock.h");
    let text = text.replace("../clients/lock.h", &clients.display().to_string());
    let early = text.replace(
        "atomic_store_explicit(&mine->busy, true",
        "atomic_store_explicit(&mine->busy, false",
    );
    assert_ne!(text, early);
    let path = file("early.c", &early);
    let (said, code) = run(vec![path.into()]);
    assert!(code == 1 && said.contains("VIOLATED"), "{said}");
    assert!(said.contains("The test that shows it: fencepost check"), "{said}");
}

#[test]
fn operations_that_other_threads_complete_are_proved_and_a_late_helper_is_violated() {
    let (said, code) = prove("announced-counter/announced_counter.c");
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("Operations are completed by other threads: descriptors at"), "{said}");
    let (said, code) = prove("announced-counter/announced_counter_late.c");
    assert!(code == 1 && said.contains("The clients see what no serial execution shows"), "{said}");
}

/// A counter whose additions are announced, and completed by whichever thread has a lock that is
/// handed on.
const COMBINED: &str = "
#include <stdatomic.h>
#include <stdlib.h>
#include <sched.h>
#include <fencepost.h>
struct node { atomic_int busy; };
struct request { atomic_int finished; };
static struct node first;
static _Atomic(struct node *) tail;
static _Atomic(struct request *) announced;
static int value;
void init(void) { atomic_init(&tail, &first); atomic_init(&announced, NULL); value = 0; }
void a(void) {
    struct request *request = malloc(sizeof *request);
    atomic_init(&request->finished, 0);
    int is_announced;
    do {
        struct request *none = NULL;
        is_announced = atomic_compare_exchange_strong(&announced, &none, request);
        struct node *mine = malloc(sizeof *mine);
        atomic_init(&mine->busy, 1);
        struct node *before = atomic_exchange(&tail, mine);
        while (atomic_load(&before->busy)) sched_yield();
        struct request *found = atomic_load(&announced);
        if (found) {
            value = (value + 1) % 3;
            atomic_store(&found->finished, 1);
            atomic_store(&announced, NULL);
        }
        atomic_store(&mine->busy, 0);
    } while (!is_announced);
}
void g(void) { fp_observe(\"value\", value); }
";

#[test]
fn operations_that_others_complete_under_a_lock_that_is_handed_on_are_refused_by_name() {
    let (said, code) = run(vec![file("combined.c", COMBINED).into()]);
    assert_eq!(code, 3, "{said}");
    let refusal = "where two threads have to be tracked at a time, operations that other threads \
                   complete are not supported at";
    assert!(said.contains(refusal) && said.contains("combined.c:"), "{said}");
}

#[test]
fn a_function_shows_the_abstract_state() {
    let cell = "
#include <stdatomic.h>
#include <fencepost.h>
static atomic_int held, cell;
void init(void) { atomic_init(&held, 1); atomic_init(&cell, 0); }
static void enter(void) {
    int free = 1;
    while (!atomic_compare_exchange_strong(&held, &free, 2)) free = 1;
}
static void leave(void) { atomic_exchange(&held, 1); }
void s(void) {
    int value = fp_choose(0, 2);
    fp_observe(\"to\", value);
    enter();
    atomic_store(&cell, value);
    leave();
}
void g(void) {
    enter();
    int value = atomic_load(&cell);
    leave();
    fp_observe(\"value\", value);
}
";
    let shown = "void shown(void) { fp_observe(\"cell\", atomic_load(&cell)); }\n";
    let without = file("cell.c", cell);
    let (said, code) = run(vec![without.clone().into()]);
    assert!(code == 3 && said.contains("a function `fp_abstract` or fp_commit"), "{said}");
    let by_name = file("cell_shown.c", &format!("{cell}{shown}"));
    let (said, code) = run(vec![by_name.into(), "--abstraction".into(), "shown".into()]);
    assert!(said.contains("what the function for it shows"), "{said}");
    // A lock that is free at 1 is not known to be one, so a deadlock is not excluded.
    let proved =
        "linearizable            proved\nassertions and memory   proved\nno deadlock             ?";
    assert!(code == 3 && said.contains(proved), "{said}");
    let by_default =
        file("cell_abstract.c", &format!("{cell}{}", shown.replace("shown", "fp_abstract")));
    let (said, _) = run(vec![by_default.into()]);
    assert!(said.contains(proved) && said.contains("run s, g\n"), "{said}");
    let (said, code) = run(vec![without.into(), "--abstraction".into(), "nothing".into()]);
    assert!(code == 2 && said.contains("there is no function `nothing`"), "{said}");
}

#[test]
fn a_type_whose_snapshots_say_nothing_is_still_looked_through_for_violations() {
    let lost = "
#include <stdatomic.h>
#include <fencepost.h>
static atomic_int held, counter;
void init(void) { atomic_init(&held, 1); atomic_init(&counter, 0); }
static void enter(void) {
    int free = 1;
    while (!atomic_compare_exchange_strong(&held, &free, 2)) free = 1;
}
static void leave(void) { atomic_exchange(&held, 1); }
void i(void) {
    enter();
    int value = atomic_load(&counter);
    leave();
    enter();
    atomic_store(&counter, (value + 1) % 3);
    leave();
    fp_observe(\"before\", value);
}
void g(void) {
    enter();
    int value = atomic_load(&counter);
    leave();
    fp_observe(\"value\", value);
}
";
    let (said, code) = run(vec![file("lost.c", lost).into()]);
    assert!(code == 1 && said.contains("linearizable            VIOLATED"), "{said}");
}
