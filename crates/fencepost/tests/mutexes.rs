//! Mutexes that are encoded directly say what those do whose words are any memory, also where
//! they are used as they should not be.

mod common;

use common::{Case, MODELS, answered, observed, solved, violated};
use encoding::encode::{self, Mutexes};
use engines::verification::{Property, Questions, Report};

const CASES: &[Case] = &[
    Case {
        name: "a critical section is in one piece",
        text: "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int x;
            void *a(void *u) { pthread_mutex_lock(&m); x++; x++; pthread_mutex_unlock(&m); return u; }
            void *b(void *u) { pthread_mutex_lock(&m); fp_observe(\"x\", x); pthread_mutex_unlock(&m); return u; }",
        violated: &[],
        observed: 2,
    },
    Case {
        name: "who tries finds the mutex free or not",
        text: "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
            void *a(void *u) { pthread_mutex_lock(&m); pthread_mutex_unlock(&m); return u; }
            void *b(void *u) { int e = pthread_mutex_trylock(&m); fp_observe(\"e\", e); if (!e) pthread_mutex_unlock(&m); return u; }",
        violated: &[],
        observed: 2,
    },
    Case {
        name: "a mutex is given back by whoever does not hold it",
        text: "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
            void *a(void *u) { pthread_mutex_lock(&m); pthread_mutex_unlock(&m); return u; }
            void *b(void *u) { pthread_mutex_unlock(&m); return u; }",
        violated: &[Property::Assert],
        observed: 0,
    },
    Case {
        name: "a mutex that checks says who holds it",
        text: "pthread_mutex_t m = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
            void *a(void *u) { pthread_mutex_lock(&m); fp_observe(\"twice\", pthread_mutex_lock(&m)); pthread_mutex_unlock(&m); return u; }
            void *b(void *u) { fp_observe(\"not mine\", pthread_mutex_unlock(&m)); return u; }",
        violated: &[],
        observed: 1,
    },
    Case {
        name: "a recursive mutex is given back with the last unlock",
        text: "pthread_mutex_t m = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP; int x;
            void *a(void *u) { pthread_mutex_lock(&m); pthread_mutex_lock(&m); x = 1; pthread_mutex_unlock(&m); x = 2; pthread_mutex_unlock(&m); return u; }
            void *b(void *u) { pthread_mutex_lock(&m); fp_observe(\"x\", x); pthread_mutex_unlock(&m); return u; }",
        violated: &[],
        observed: 2,
    },
    Case {
        name: "a mutex is taken twice",
        text: "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
            void *a(void *u) { pthread_mutex_lock(&m); pthread_mutex_lock(&m); return u; }
            void *b(void *u) { return u; }",
        violated: &[Property::Deadlock],
        observed: 0,
    },
    Case {
        name: "a mutex is left held",
        text: "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
            void *a(void *u) { pthread_mutex_lock(&m); pthread_mutex_unlock(&m); return u; }
            void *b(void *u) { if (!pthread_mutex_trylock(&m)) return u; return u; }",
        violated: &[Property::Deadlock],
        observed: 1,
    },
    Case {
        name: "two mutexes in two orders",
        text: "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
            void *a(void *u) { pthread_mutex_lock(&m); pthread_mutex_lock(&n); pthread_mutex_unlock(&n); pthread_mutex_unlock(&m); return u; }
            void *b(void *u) { pthread_mutex_lock(&n); pthread_mutex_lock(&m); pthread_mutex_unlock(&m); pthread_mutex_unlock(&n); return u; }",
        violated: &[Property::Deadlock],
        observed: 1,
    },
    Case {
        name: "a mutex is initialised while it is held",
        text: "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; atomic_int x;
            void *a(void *u) { pthread_mutex_lock(&m); x = 1; fp_observe(\"x\", x); return u; }
            void *b(void *u) { pthread_mutex_init(&m, 0); pthread_mutex_lock(&m); x = 2; return u; }",
        violated: &[Property::Assert, Property::Deadlock],
        observed: 2,
    },
    Case {
        name: "a mutex is overwritten while it is held",
        text: "typedef struct { pthread_mutex_t m; } box; box p, q; atomic_int x;
            void *a(void *u) { pthread_mutex_lock(&p.m); x = 1; fp_observe(\"x\", x); return u; }
            void *b(void *u) { p = q; pthread_mutex_lock(&p.m); x = 2; return u; }",
        violated: &[Property::Deadlock],
        observed: 2,
    },
    Case {
        name: "one of two mutexes",
        text: "pthread_mutex_t m[2]; atomic_int x;
            void *a(void *u) { int i = fp_choose(0, 1); pthread_mutex_lock(&m[i]); x = 1; fp_observe(\"x\", x); pthread_mutex_unlock(&m[i]); return u; }
            void *b(void *u) { pthread_mutex_lock(&m[0]); x = 2; pthread_mutex_unlock(&m[0]); return u; }",
        violated: &[],
        observed: 2,
    },
    Case {
        name: "a mutex is held when the threads start",
        text: "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int x;
            void *a(void *u) { pthread_mutex_lock(&m); fp_observe(\"x\", x); pthread_mutex_unlock(&m); return u; }
            int main(void) { pthread_t p; pthread_mutex_lock(&m); pthread_create(&p, 0, a, 0); x = 1; pthread_mutex_unlock(&m); pthread_join(p, 0); return 0; }",
        violated: &[],
        observed: 1,
    },
    Case {
        name: "a spinlock, and a branch that takes it",
        text: "pthread_spinlock_t m; int x; atomic_int y;
            void *a(void *u) { int r = y; if (r) pthread_spin_lock(&m); x = 1; x = 2; if (r) pthread_spin_unlock(&m); return u; }
            void *b(void *u) { y = 1; pthread_spin_lock(&m); fp_observe(\"y\", y); pthread_spin_unlock(&m); return u; }",
        violated: &[],
        observed: 1,
    },
    Case {
        name: "a signal comes before the wait",
        text: "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER;
            void *a(void *u) { pthread_mutex_lock(&m); pthread_cond_wait(&c, &m); pthread_mutex_unlock(&m); return u; }
            void *b(void *u) { pthread_mutex_lock(&m); pthread_cond_signal(&c); pthread_mutex_unlock(&m); return u; }",
        violated: &[Property::Deadlock],
        observed: 1,
    },
];

/// A thread that polls under a mutex, beside one that does this.
fn polled(beside: &str) -> String {
    format!(
        "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int done, held[2];
        int is_held(void) {{ int e = pthread_mutex_trylock(&m); if (!e) pthread_mutex_unlock(&m); return e != 0; }}
        void *a(void *u) {{ int d = 0; while (!d) {{
            pthread_mutex_lock(&m); d = done; pthread_mutex_unlock(&m); }} return u; }}
        void *b(void *u) {{ {beside} return u; }}"
    )
}

#[test]
fn a_round_that_polls_counts_where_somebody_can_tell() {
    // That needs two rounds of the thread that polls.
    let tried = "held[0] = is_held(); pthread_mutex_lock(&m); pthread_mutex_unlock(&m);
        held[1] = is_held(); fp_assert(!held[0] || !held[1]);";
    for model in MODELS {
        for mutexes in [Mutexes::Direct, Mutexes::Atomics] {
            let encoding = encode::EncodeOptions { mutexes, ..encode::EncodeOptions::default() };
            let properties = vec![Property::Assert];
            let questions = Questions { properties, ..Questions::default() };
            let report = answered(&polled(tried), model, encoding, questions);
            assert_eq!(violated(&report), [Property::Assert], "on {model}");
        }
    }
}

#[test]
fn a_loop_that_polls_needs_no_bound() {
    let right = "pthread_mutex_lock(&m); done = 1; pthread_mutex_unlock(&m);";
    for model in MODELS {
        for mutexes in [Mutexes::Direct, Mutexes::Atomics] {
            assert_eq!(violated(&report(&polled(right), model, mutexes)), [], "on {model}");
        }
    }
}

fn report(text: &str, name: &str, mutexes: Mutexes) -> Report {
    solved(text, name, encode::EncodeOptions { mutexes, ..encode::EncodeOptions::default() })
}

#[test]
fn both_encodings_say_what_is_right() {
    for Case { name, text, violated: wrong, observed: seen } in CASES {
        for model in MODELS {
            let [direct, atomics] =
                [Mutexes::Direct, Mutexes::Atomics].map(|mutexes| report(text, model, mutexes));
            assert_eq!(violated(&direct), *wrong, "{name}, on {model}");
            assert_eq!(violated(&atomics), *wrong, "{name}, on {model}, as atomics");
            assert_eq!(observed(&direct), observed(&atomics), "{name}, on {model}");
            assert_eq!(observed(&direct).len(), *seen, "{name}, on {model}");
        }
    }
}

#[test]
fn the_solver_works_less_where_mutexes_are_encoded_directly() {
    let text = "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int x, y;
        void *f(void *u) { for (int i = 0; i < 3; i++) {
            pthread_mutex_lock(&m); x = 1; y = 1; pthread_mutex_unlock(&m);
            pthread_mutex_lock(&m); fp_assert(x == y); pthread_mutex_unlock(&m); } return u; }
        void *a(void *u) { return f(u); }
        void *b(void *u) { return f(u); }";
    let conflicts = |mutexes| report(text, "relaxed", mutexes).statistics.conflicts;
    let [direct, atomics] = [Mutexes::Direct, Mutexes::Atomics].map(conflicts);
    assert!(direct < atomics, "{direct} conflicts, {atomics} without");
}

#[test]
fn an_attempt_in_a_section_that_assumes_something_else_may_fail() {
    let text = "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; atomic_int x; int e;
        void *a(void *u) { pthread_mutex_lock(&m); x = 1; pthread_mutex_unlock(&m); return u; }
        void *b(void *u) {
            __fp_atomic_begin(); e = pthread_mutex_trylock(&m); fp_assume(x < 5); __fp_atomic_end();
            if (!e) pthread_mutex_unlock(&m); else fp_assert(0); return u; }";
    // Others give no meaning to sections of several accesses.
    for model in ["sc", "tso", "relaxed", "armv8"] {
        for mutexes in [Mutexes::Direct, Mutexes::Atomics] {
            assert_eq!(violated(&report(text, model, mutexes)), [Property::Assert], "{model}");
        }
    }
}

#[test]
fn a_fence_in_a_section_is_no_interruption() {
    let text = "atomic_int x, y;
        void *a(void *u) { x = 1; y = 1; return u; }
        void *b(void *u) { __fp_atomic_begin(); int r = x; int s = y; __fp_atomic_end();
            fp_observe(\"r\", r); fp_observe(\"s\", s); return u; }";
    for model in ["sc", "tso", "relaxed", "armv8"] {
        let report = report(text, model, Mutexes::Direct);
        assert_eq!(observed(&report).len(), 3, "{model}");
    }
}
