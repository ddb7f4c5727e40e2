//! What the embedded headers promise beyond the values that functions return: who waits, who is
//! woken, what is ordered, and which misuse is found.

use execution::finding::FindingKind;
use fencepost::compile::{Language, compile_text};
use fencepost::run::{RunOptions, Summary, run_many};

/// Runs a program under many schedules, up to the first finding.
fn explore(source: &str) -> Summary {
    let compiled = compile_text("test.c", source, Language::C)
        .unwrap_or_else(|rejected| panic!("rejected: {:#?}", rejected.diagnostics));
    run_many(&compiled.program, &RunOptions::default(), 300, |_| true)
}

/// What is wrong with a program under some schedule.
fn finding(source: &str) -> FindingKind {
    let summary = explore(source);
    match summary.finding {
        Some((_, finding)) => finding.kind,
        None => panic!("no finding: {summary:?}"),
    }
}

/// The text of the assertion that fails under some schedule.
fn failed_assertion(source: &str) -> String {
    match finding(source) {
        FindingKind::AssertionFailed(text) => text,
        other => panic!("another finding: {other:?}"),
    }
}

/// The rule that is broken under some schedule.
fn broken_rule(source: &str) -> String {
    match finding(source) {
        FindingKind::Misuse(text) => text,
        other => panic!("another finding: {other:?}"),
    }
}

/// The exit statuses that a program has under some schedule; there must be no finding.
fn statuses(source: &str) -> Vec<i32> {
    let summary = explore(source);
    assert!(summary.finding.is_none(), "{:?}", summary.finding);
    assert_eq!((summary.discarded, summary.out_of_steps), (0, 0));
    summary.statuses.into_keys().collect()
}

/// A program with a mutex, a condition and two threads with the given bodies.
fn with_condition(first: &str, second: &str, end: &str) -> String {
    format!(
        "#include <assert.h>\n#include <errno.h>\n#include <pthread.h>\n
        static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
        static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
        static int ready, order, error;
        static void *first(void *argument) {{ {first} return argument; }}
        static void *second(void *argument) {{ {second} return argument; }}
        int main(void) {{
            pthread_t a, b;
            pthread_create(&a, NULL, first, NULL);
            pthread_create(&b, NULL, second, NULL);
            {end}
        }}"
    )
}

const JOIN_BOTH: &str = "pthread_join(a, NULL); pthread_join(b, NULL);";

#[test]
fn a_lost_wakeup_is_a_deadlock() {
    let source = with_condition(
        "pthread_mutex_lock(&mutex); pthread_cond_wait(&cond, &mutex); pthread_mutex_unlock(&mutex);",
        "pthread_cond_signal(&cond);",
        JOIN_BOTH,
    );
    assert_eq!(finding(&source), FindingKind::Deadlock);
}

/// A consumer that tests its condition once, with `if`.
fn careless_consumer() -> String {
    with_condition(
        "pthread_mutex_lock(&mutex);
         if (!ready) pthread_cond_wait(&cond, &mutex);
         assert(ready);
         pthread_mutex_unlock(&mutex);",
        "pthread_mutex_lock(&mutex); ready = 1; pthread_cond_signal(&cond); pthread_mutex_unlock(&mutex);",
        JOIN_BOTH,
    )
}

#[test]
fn a_wait_ends_only_by_a_wakeup_unless_spurious_ones_are_asked_for() {
    assert_eq!(statuses(&careless_consumer()), [0]);
    let spurious = format!("#define FP_SPURIOUS_WAKEUPS\n{}", careless_consumer());
    assert_eq!(failed_assertion(&spurious), "ready");
}

#[test]
fn a_signal_wakes_any_one_of_the_threads_that_wait() {
    let wait = |number: u32| {
        format!(
            "pthread_mutex_lock(&mutex);
             ready++;
             pthread_cond_wait(&cond, &mutex);
             if (order == 0) order = {number};
             pthread_mutex_unlock(&mutex);"
        )
    };
    let end = "for (int waiting = 0; waiting < 2;) {
            pthread_mutex_lock(&mutex);
            waiting = ready;
            pthread_mutex_unlock(&mutex);
            sched_yield();
        }
        pthread_mutex_lock(&mutex);
        pthread_cond_signal(&cond);
        pthread_mutex_unlock(&mutex);
        for (int first = 0; first == 0;) {
            pthread_mutex_lock(&mutex);
            first = order;
            pthread_mutex_unlock(&mutex);
            sched_yield();
        }
        return order;";
    assert_eq!(statuses(&with_condition(&wait(1), &wait(2), end)), [1, 2]);
}

#[test]
fn a_timed_wait_may_end_either_way() {
    let source = with_condition(
        "struct timespec deadline = { 1, 0 };
         pthread_mutex_lock(&mutex);
         if (!ready) error = pthread_cond_timedwait(&cond, &mutex, &deadline);
         pthread_mutex_unlock(&mutex);",
        "pthread_mutex_lock(&mutex); ready = 1; pthread_cond_signal(&cond); pthread_mutex_unlock(&mutex);",
        "pthread_join(a, NULL); pthread_join(b, NULL);
         assert(error == 0 || error == ETIMEDOUT); return error == ETIMEDOUT;",
    );
    assert_eq!(statuses(&source), [0, 1]);
}

#[test]
fn waiting_for_a_condition_without_the_mutex_is_found() {
    let source = with_condition("pthread_cond_wait(&cond, &mutex);", "", JOIN_BOTH);
    assert_eq!(broken_rule(&source), "a thread that waits for a condition holds the mutex");
}

/// A program with a mutex and some statements.
fn with_mutex(body: &str) -> String {
    format!(
        "#include <pthread.h>\n
        static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
        static void *lock(void *argument) {{ pthread_mutex_lock(&mutex); return argument; }}
        int main(void) {{ pthread_t a; (void)a; {body} }}"
    )
}

#[test]
fn misuse_of_a_mutex_is_found() {
    let unlock = "pthread_mutex_unlock(&mutex);";
    let not_mine = "a mutex is unlocked by the thread that holds it";
    assert_eq!(broken_rule(&with_mutex(unlock)), not_mine);
    let strange = format!("pthread_create(&a, NULL, lock, NULL); pthread_join(a, NULL); {unlock}");
    assert_eq!(broken_rule(&with_mutex(&strange)), not_mine);
    let destroyed = "pthread_mutex_destroy(&mutex); pthread_mutex_lock(&mutex);";
    assert_eq!(broken_rule(&with_mutex(destroyed)), "a locked mutex was not destroyed before");
    let held = "pthread_mutex_lock(&mutex); pthread_mutex_destroy(&mutex);";
    assert_eq!(broken_rule(&with_mutex(held)), "a destroyed mutex is not locked");
}

#[test]
fn taking_a_mutex_twice_is_a_deadlock() {
    let twice = "pthread_mutex_lock(&mutex); pthread_mutex_lock(&mutex);";
    assert_eq!(finding(&with_mutex(twice)), FindingKind::Deadlock);
}

#[test]
fn an_uninitialised_mutex_is_found() {
    let source = "#include <pthread.h>\n#include <stdlib.h>\n
        int main(void) {
            pthread_mutex_t *mutex = malloc(sizeof *mutex);
            pthread_mutex_lock(mutex);
        }";
    assert!(matches!(finding(source), FindingKind::UndefinedUse(_)));
}

#[test]
fn a_semaphore_that_nobody_posts_is_a_deadlock() {
    let source = "#include <semaphore.h>\n
        int main(void) { sem_t sem; sem_init(&sem, 0, 1); sem_wait(&sem); sem_wait(&sem); }";
    assert_eq!(finding(source), FindingKind::Deadlock);
}

#[test]
fn a_thread_is_joined_once() {
    let twice =
        "pthread_create(&a, NULL, lock, NULL); pthread_join(a, NULL); pthread_join(a, NULL);";
    assert_eq!(finding(&with_mutex(twice)), FindingKind::BadJoin);
}

#[test]
fn a_destructor_runs_in_a_thread_that_is_older_than_its_key() {
    let source = "#include <pthread.h>\n
        static pthread_key_t key;
        static int destroyed;
        static void destroy(void *value) { destroyed += value == &key; }
        static void *worker(void *argument) {
            pthread_key_create(&key, destroy);
            pthread_setspecific(key, &key);
            return argument;
        }
        int main(void) {
            pthread_t thread;
            pthread_create(&thread, NULL, worker, NULL);
            pthread_join(thread, NULL);
            return destroyed;
        }";
    assert_eq!(statuses(source), [1]);
    let elsewhere = source.replace("pthread_key_create(&key", "make(&key").replace(
        "static void *worker",
        "static int (*make)(pthread_key_t *, void (*)(void *)) = pthread_key_create;
        static void *worker",
    );
    let limit = "a destructor of a key that is made through a pointer";
    assert_eq!(finding(&elsewhere), FindingKind::NotSupported(limit.into()));
}

#[test]
fn an_assertion_is_reported_as_it_is_written() {
    let source = "#include <assert.h>\n
        #define LIMIT 3\n
        int main(void) { int x = 4; assert(x + 1 < LIMIT && \"small\"); }";
    assert_eq!(failed_assertion(source), "x + 1 < LIMIT && \"small\"");
    let without = format!("#define NDEBUG\n{source}");
    assert_eq!(statuses(&without), [0]);
}

#[test]
fn a_block_that_was_moved_is_gone() {
    let source = "#include <stdlib.h>\n
        int main(void) {
            int *old = malloc(4), *new;
            *old = 1;
            new = realloc(old, 8);
            return *old + *new;
        }";
    assert_eq!(finding(source), FindingKind::UseAfterFree);
}

#[test]
fn a_copy_past_the_end_is_found() {
    let source = "#include <string.h>\n
        int main(void) { char from[8] = \"1234567\", to[7]; memcpy(to, from, 8); }";
    assert_eq!(finding(source), FindingKind::OutOfBounds);
    let source = "#include <stdio.h>\n
        int main(void) { char buffer[4]; sprintf(buffer, \"%d\", 12345); }";
    assert_eq!(finding(source), FindingKind::OutOfBounds);
}

#[test]
fn abort_is_a_finding_and_exit_is_not() {
    let abort = "#include <stdlib.h>\nint main(void) { abort(); }";
    assert_eq!(finding(abort), FindingKind::Trap("abort() was called".into()));
    let exit = "#include <stdlib.h>\nint main(void) { exit(5); }";
    assert_eq!(statuses(exit), [5]);
}

#[test]
fn a_barrier_that_misses_a_party_is_a_deadlock() {
    let source = "#include <pthread.h>\n
        int main(void) {
            pthread_barrier_t barrier;
            pthread_barrier_init(&barrier, NULL, 2);
            pthread_barrier_wait(&barrier);
        }";
    assert_eq!(finding(source), FindingKind::Deadlock);
}

#[test]
fn the_lock_of_checkfence_must_be_held_to_be_released() {
    let source = "#include <checkfence.h>\n
        static lock_t mutex;
        int main(void) { lock(&mutex); unlock(&mutex); unlock(&mutex); }";
    assert_eq!(failed_assertion(source), "the lock that is released is held");
}

/// Two threads add to a counter in a function of the given name.
fn counting_in(name: &str) -> String {
    format!(
        "#include <assert.h>\n#include <pthread.h>\n
        static int counter;
        int {name}(void) {{ int seen = counter; counter = seen + 1; return seen; }}
        static void *worker(void *argument) {{ {name}(); return argument; }}
        int main(void) {{
            pthread_t a, b;
            pthread_create(&a, NULL, worker, NULL);
            pthread_create(&b, NULL, worker, NULL);
            pthread_join(a, NULL);
            pthread_join(b, NULL);
            assert(counter == 2);
        }}"
    )
}

#[test]
fn functions_that_sv_comp_calls_atomic_are() {
    assert_eq!(failed_assertion(&counting_in("add")), "counter == 2");
    assert_eq!(statuses(&counting_in("__VERIFIER_atomic_add")), [0]);
}

#[test]
fn verifier_functions_need_no_definition_and_may_have_one() {
    let error = "extern void reach_error(void);\nint main(void) { reach_error(); }";
    assert_eq!(finding(error), FindingKind::Trap("reach_error() was called".into()));
    let own = "int main(void);\nextern void __VERIFIER_assume(int);\n
        int result(void) { __VERIFIER_assume(0); return 4; }\n
        int main(void) { return result(); }\n
        void __VERIFIER_assume(int condition) {}";
    assert_eq!(statuses(own), [4]);
    let assert =
        "extern void __VERIFIER_assert(int);\nint main(void) { __VERIFIER_assert(1 > 2); }";
    assert_eq!(failed_assertion(assert), "1 > 2");
    let cprover = "int main(void) { __CPROVER_assert(0, \"told\"); }";
    assert_eq!(failed_assertion(cprover), "told");
}

#[test]
fn to_call_reach_error_is_the_error_whatever_it_does_and_abort_is_none() {
    let own = "void reach_error(void) {}\nint main(void) { reach_error(); }";
    assert_eq!(finding(own), FindingKind::Trap("reach_error() was called".into()));
    let left_out = "extern void abort(void);\nextern void reach_error(void);\n
        int main(void) { abort(); reach_error(); }";
    let summary = explore(left_out);
    assert!(summary.finding.is_none() && summary.discarded > 0, "{summary:?}");
    let plain = "extern void abort(void);\nint main(void) { abort(); }";
    assert_eq!(finding(plain), FindingKind::Trap("abort() was called".into()));
}

#[test]
fn a_nondeterministic_value_has_the_declared_type() {
    let source = "extern unsigned char __VERIFIER_nondet_char();\n
        extern int __VERIFIER_nondet_bool();\n
        extern void __VERIFIER_assume(_Bool);\n
        int main(void) {
            int value = __VERIFIER_nondet_char(), flag = __VERIFIER_nondet_bool();
            __VERIFIER_assume(value != 300);
            return value < 0 || value > 255 || flag < 0 || flag > 1;
        }";
    assert_eq!(statuses(source), [0]);
    let flags = "int main(void) { return __VERIFIER_nondet_bool(); }";
    assert_eq!(statuses(flags), [0, 1]);
}

#[test]
fn a_programs_own_definition_of_a_library_function_wins() {
    let source = "#include <stdlib.h>\n#include <string.h>\n
        static char pool[64];
        int before(void) { return abs(-5) + (malloc(4) == pool); }
        int abs(int value) { return value < 0 ? 40 : 0; }
        void *malloc(size_t size) { (void)size; return pool; }
        int main(void) { return before() + abs(7); }";
    assert_eq!(statuses(source), [41]);
}

#[test]
fn a_header_defines_no_names_of_other_headers() {
    let source = "#include <stdlib.h>\n
        enum { EINVAL = 1, ERANGE, LONG_MAX };
        static int strlen(int x) { return x + 1; }
        static int memcpy(void) { return 2; }
        int main(void) { return EINVAL + strlen(3) + memcpy() + LONG_MAX; }";
    assert_eq!(statuses(source), [10]);
}
