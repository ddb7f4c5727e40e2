//! Optional checks: overflow, lost blocks, locks that are held in the end, loops that do not
//! terminate.

use crate::common::{compiled, model};
use execution::finding::FindingClass;
use oracle::EnumerationOptions;
use oracle::program::{outcomes, witnesses};
use replay::{Expected, replay_expecting};
use std::collections::BTreeSet;

/// The names of all that is wrong. Every execution that shows it must be replayed.
fn wrong(text: &str, name: &str) -> Vec<&'static str> {
    found(text, name, false)
}

/// The same, where a loop writes in each round, so that it is cut off somewhere.
fn wrong_within_bounds(text: &str, name: &str) -> Vec<&'static str> {
    found(text, name, true)
}

fn found(text: &str, name: &str, bounded: bool) -> Vec<&'static str> {
    let model = model(name);
    let program = compiled(text, &model);
    let mut options = EnumerationOptions::for_program(&model);
    (options.overflow, options.endings) = (true, true);
    let all = outcomes(&program, &model, &options).unwrap_or_else(|what| panic!("{what}"));
    assert_eq!(all.bounded, bounded, "{name}: whether a loop is cut off");
    let found = witnesses(&program, &model, &options, &mut |outcome| outcome.finding.is_some());
    for (outcome, witness) in found.unwrap_or_else(|what| panic!("{what}")) {
        let Some(finding) = outcome.finding else { continue };
        let expected = Expected { class: Some(finding.kind.class()), ..Expected::default() };
        let replayed = replay_expecting(&program, &model, &witness, expected);
        let replayed = replayed.unwrap_or_else(|mismatch| panic!("{name}: {mismatch}"));
        let class = replayed.finding.map(|finding| finding.kind.class());
        // A waiting thread is reported as either.
        let waits = |class| matches!(class, FindingClass::Deadlock | FindingClass::Livelock);
        let same = class.is_some_and(waits) && waits(finding.kind.class());
        assert!(same || class == Some(finding.kind.class()), "{name}: {class:?}, not {finding:?}");
    }
    let findings = all.all.iter().filter_map(|outcome| outcome.finding.as_ref());
    let names: BTreeSet<&'static str> = findings.map(|finding| finding.kind.name()).collect();
    names.into_iter().collect()
}

/// A program with two threads.
fn two(globals: &str, first: &str, second: &str) -> String {
    format!(
        "#include <checkfence.h>\n#include <limits.h>\n#include <pthread.h>\n#include <stdlib.h>\n\
         {globals}\n\
         static void *t0(void *unused) {{ {first} return unused; }}\n\
         static void *t1(void *unused) {{ {second} return unused; }}\n\
         int main(void) {{\n\
             unsigned long a = __fp_spawn(t0, 0), b = __fp_spawn(t1, 0);\n\
             __fp_join(a);\n\
             __fp_join(b);\n\
             return 0;\n\
         }}"
    )
}

#[test]
fn arithmetic_overflows_where_what_is_read_lets_it() {
    let sum = two("int x, y;", "x = 1;", "y = x + INT_MAX;");
    assert_eq!(wrong(&sum, "sc"), ["overflow"]);
    let order = two("int x, y;", "x = 1; y = 1;", "int r = y; x = x + INT_MAX - r;");
    assert_eq!(wrong(&order, "tso"), ["overflow"]);
    let small = two("int x, y;", "x = -1;", "y = x + INT_MAX;");
    assert_eq!(wrong(&small, "sc"), [""; 0]);
    let shift = two("int x, y;", "x = 31;", "y = 1 << x;");
    assert_eq!(wrong(&shift, "sc"), ["overflow"]);
    // What follows an overflow does not happen.
    let before = two("int x, *p;", "x = INT_MAX; x = x + 1; *p = 1;", "");
    assert_eq!(wrong(&before, "sc"), ["overflow"]);
}

#[test]
fn blocks_are_lost_that_no_global_leads_to() {
    let lost = two("int *p;", "int *q = malloc(4); *q = 1;", "");
    assert_eq!(wrong(&lost, "sc"), ["leak"]);
    let kept = two("int *p;", "int *q = malloc(4); *q = 1; p = q;", "");
    assert_eq!(wrong(&kept, "sc"), [""; 0]);
    let both = two("int *p;", "int *q = malloc(4); p = q;", "int *q = malloc(4); p = q;");
    assert_eq!(wrong(&both, "sc"), ["leak"]);
    let freed = two("int *p;", "int *q = malloc(4); free(q);", "");
    assert_eq!(wrong(&freed, "sc"), [""; 0]);
    let chain = two("int **p;", "int **q = malloc(8); *q = malloc(4); p = q;", "");
    assert_eq!(wrong(&chain, "sc"), [""; 0]);
    let cut = two("int **p;", "int **q = malloc(8); *q = malloc(4); p = q; *q = 0;", "");
    assert_eq!(wrong(&cut, "sc"), ["leak"]);
    let circle = two("void **p;", "void **q = malloc(8); *q = q;", "");
    assert_eq!(wrong(&circle, "sc"), ["leak"]);
    let alone = "#include <stdlib.h>\nint main(void) { malloc(4); return 0; }";
    assert_eq!(wrong(alone, "sc"), ["leak"]);
}

const MUTEX: &str = "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;";

#[test]
fn locks_that_are_kept_are_held() {
    let take = "pthread_mutex_lock(&m);";
    let both = "pthread_mutex_lock(&m); pthread_mutex_unlock(&m);";
    let attempt = "pthread_mutex_trylock(&m);";
    for name in ["sc", "tso", "rc11"] {
        assert_eq!(wrong(&two(MUTEX, both, both), name), [""; 0], "{name}");
        assert_eq!(wrong(&two(MUTEX, attempt, attempt), name), ["lock-held"], "{name}");
        assert_eq!(wrong(&two(MUTEX, take, both), name), ["deadlock", "lock-held"], "{name}");
        // Nor is one released that no other thread uses, unless it is on the stack.
        assert_eq!(wrong(&two(MUTEX, take, ""), name), ["lock-held"], "{name}");
        let own = format!("{MUTEX} {take}");
        assert_eq!(wrong(&two("", &own, ""), name), [""; 0], "{name}");
    }
}

#[test]
fn loops_wait_for_what_does_not_come() {
    let set = "__atomic_store_n(&x, 1, __ATOMIC_RELEASE);";
    let wait = "while (__atomic_load_n(&x, __ATOMIC_ACQUIRE) != 1) ;";
    let again = "__atomic_store_n(&x, 2, __ATOMIC_RELEASE);";
    for name in ["sc", "tso", "rc11"] {
        assert_eq!(wrong(&two("int x;", set, wait), name), [""; 0], "{name}");
        assert_eq!(wrong(&two("int x;", "", wait), name), ["livelock"], "{name}");
        // It may read too late.
        let late = two("int x;", &format!("{set} {again}"), wait);
        assert_eq!(wrong(&late, name), ["livelock"], "{name}");
        let swap = two("int x;", set, "while (__atomic_exchange_n(&x, 1, __ATOMIC_ACQUIRE)) ;");
        assert_eq!(wrong_within_bounds(&swap, name), ["livelock"], "{name}");
    }
    // By C11, a plain read sees no write that it races with.
    let race = two("int x;", "__atomic_fetch_add(&x, 2, __ATOMIC_SEQ_CST);", "while (x) ;");
    assert_eq!(wrong(&race, "c11"), [""; 0]);
    assert_eq!(wrong(&race, "rc11"), ["livelock"]);
    // The waiting thread does what it waits for, after the loop.
    let own = two("int x;", "while (!x) ; x = 1;", "");
    assert_eq!(wrong(&own, "sc"), ["livelock"]);
    // Each waits for the other.
    let each = two("int x, y;", "while (!x) ; y = 1;", "while (!y) ; x = 1;");
    assert_eq!(wrong(&each, "sc"), ["livelock"]);
}

#[test]
fn a_lock_that_is_tried_for_ever_is_a_loop() {
    let take = "pthread_mutex_lock(&m);";
    let spin = "while (pthread_mutex_trylock(&m)) ; pthread_mutex_unlock(&m);";
    assert_eq!(wrong(&two(MUTEX, take, spin), "sc"), ["livelock", "lock-held"]);
    let back = "pthread_mutex_lock(&m); pthread_mutex_unlock(&m);";
    assert_eq!(wrong(&two(MUTEX, back, spin), "sc"), [""; 0]);
}
