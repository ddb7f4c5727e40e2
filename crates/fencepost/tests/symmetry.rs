//! What is found is the same whether or not executions that differ by exchanging like threads are
//! looked at; and threads that are not quite alike are told apart.

mod common;

use common::{Case, MODELS, observed, solved, violated};
use encoding::encode;
use engines::verification::{Property, Report};

const CASES: &[Case] = &[
    Case {
        name: "main checks something between two ends, to which only one thread comes",
        text: "atomic_int x; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
            void *f(void *u) { if (atomic_fetch_add(&x, 1) == 0) { pthread_mutex_lock(&m); pthread_mutex_lock(&m); } return u; }
            int main(void) { pthread_t a, b; pthread_create(&a, 0, f, 0); pthread_create(&b, 0, f, 0);
                pthread_join(a, 0); fp_assert(0); pthread_join(b, 0); return 0; }",
        violated: &[Property::Assert, Property::Deadlock],
        observed: 0,
    },
    Case {
        name: "main goes wrong between two ends, one of which never comes",
        text: "atomic_int x;
            void *f(void *u) { int k = atomic_fetch_add(&x, 1); fp_assert(k != 0); return 0; }
            int main(void) { pthread_t a, b; pthread_create(&a, 0, f, 0); pthread_create(&b, 0, f, 0);
                pthread_join(a, 0); int *p = 0; *p = 1; pthread_join(b, 0); return 0; }",
        violated: &[Property::Assert, Property::Memory],
        observed: 0,
    },
    Case {
        name: "main awaits another thread between two starts",
        text: "atomic_int x, y, w;
            void *h(void *u) { y = 1; return u; }
            void *f(void *u) { int r = y; int k = atomic_fetch_add(&x, 1); if (k == 0) w = r + 1; else w = w + 10 * r; return u; }
            int main(void) { pthread_t a, b, c; pthread_create(&b, 0, f, 0); pthread_create(&a, 0, h, 0); pthread_join(a, 0);
                pthread_create(&c, 0, f, 0); pthread_join(b, 0); pthread_join(c, 0); fp_assert(w != 0); return 0; }",
        violated: &[Property::Assert],
        observed: 1,
    },
    Case {
        name: "three threads add to a counter",
        text: "atomic_int x;
            void *f(void *u) { int r = atomic_load_explicit(&x, 0); atomic_store_explicit(&x, r + 1, 0); return u; }
            int main(void) { pthread_t t[3]; for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, f, 0);
                for (int i = 0; i < 3; i++) pthread_join(t[i], 0); fp_observe(\"x\", x); return 0; }",
        violated: &[],
        observed: 3,
    },
    Case {
        name: "arguments tell threads apart",
        text: "atomic_int x;
            void *f(void *u) { x = 1; x = (int)(long)u; return u; }
            int main(void) { pthread_t a, b; pthread_create(&a, 0, f, (void *)2); pthread_create(&b, 0, f, (void *)3);
                pthread_join(a, 0); pthread_join(b, 0); fp_observe(\"x\", x); return 0; }",
        violated: &[],
        observed: 2,
    },
    Case {
        name: "a thread asks who it is",
        text: "atomic_int x, y;
            void *f(void *u) { x = x + 1; if (pthread_self() == 2) y = x; return u; }
            int main(void) { pthread_t a, b; pthread_create(&a, 0, f, 0); pthread_create(&b, 0, f, 0);
                pthread_join(a, 0); pthread_join(b, 0); fp_observe(\"y\", y); return 0; }",
        violated: &[],
        observed: 2,
    },
    Case {
        name: "main writes between two starts",
        text: "atomic_int x, y, z;
            void *f(void *u) { int r = y; if (z) x = r; z = 1; return u; }
            int main(void) { pthread_t a, b; x = 5; pthread_create(&a, 0, f, 0); y = 1; pthread_create(&b, 0, f, 0);
                pthread_join(a, 0); pthread_join(b, 0); fp_observe(\"x\", x); return 0; }",
        violated: &[],
        observed: 3,
    },
    Case {
        name: "main reads between two ends",
        text: "atomic_int x;
            void *f(void *u) { x = x + 1; return u; }
            int main(void) { pthread_t a, b; pthread_create(&a, 0, f, 0); pthread_create(&b, 0, f, 0);
                pthread_join(a, 0); int r = x; pthread_join(b, 0); fp_observe(\"r\", r); fp_observe(\"x\", x); return 0; }",
        violated: &[],
        observed: 3,
    },
    Case {
        name: "main looks at who returned what",
        text: "atomic_int x;
            void *f(void *u) { return (void *)(long)atomic_fetch_add(&x, 1); }
            int main(void) { pthread_t a, b; void *p, *q; pthread_create(&a, 0, f, 0); pthread_create(&b, 0, f, 0);
                pthread_join(a, &p); pthread_join(b, &q); fp_observe(\"p\", (long)p); fp_observe(\"q\", (long)q); return 0; }",
        violated: &[],
        observed: 2,
    },
    Case {
        name: "only one of two threads is awaited",
        text: "atomic_int x;
            void *f(void *u) { x = x + 1; return u; }
            int main(void) { pthread_t a, b; pthread_create(&a, 0, f, 0); pthread_create(&b, 0, f, 0);
                pthread_join(b, 0); fp_observe(\"x\", x); return 0; }",
        violated: &[],
        observed: 2,
    },
    Case {
        name: "threads publish objects of their own",
        text: "int *_Atomic p; atomic_int x;
            void *f(void *u) { static _Thread_local int own; p = &own; if (p < &own) x = 1; return u; }
            int main(void) { pthread_t a, b; pthread_create(&a, 0, f, 0); pthread_create(&b, 0, f, 0);
                pthread_join(a, 0); pthread_join(b, 0); fp_observe(\"x\", x); return 0; }",
        violated: &[],
        observed: 2,
    },
    Case {
        name: "threads that choose",
        text: "atomic_int x, y;
            void *f(void *u) { int c = fp_choose(0, 2); if (c) x = c; else y = y + 1; return u; }
            int main(void) { pthread_t a, b; pthread_create(&a, 0, f, 0); pthread_create(&b, 0, f, 0);
                pthread_join(a, 0); pthread_join(b, 0); fp_observe(\"x\", x); fp_observe(\"y\", y); return 0; }",
        violated: &[],
        observed: 6,
    },
    Case {
        name: "the second of two threads with a lock goes wrong",
        text: "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int x;
            void *f(void *u) { pthread_mutex_lock(&m); x++; fp_assert(x < 2); pthread_mutex_unlock(&m); return u; }
            int main(void) { pthread_t a, b; pthread_create(&a, 0, f, 0); pthread_create(&b, 0, f, 0);
                pthread_join(a, 0); pthread_join(b, 0); return 0; }",
        violated: &[Property::Assert],
        observed: 0,
    },
    Case {
        name: "who comes second waits for ever",
        text: "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int x;
            void *f(void *u) { pthread_mutex_lock(&m); if (x++) pthread_mutex_lock(&m); pthread_mutex_unlock(&m); return u; }
            int main(void) { pthread_t a, b; pthread_create(&a, 0, f, 0); pthread_create(&b, 0, f, 0);
                pthread_join(a, 0); pthread_join(b, 0); return 0; }",
        violated: &[Property::Deadlock],
        observed: 0,
    },
    Case {
        name: "a loop that one of two goes through more often",
        text: "atomic_int x;
            void *f(void *u) { for (int i = 0, n = atomic_fetch_add(&x, 1); i < 2 + n; i++) x += 1; return u; }
            int main(void) { pthread_t a, b; pthread_create(&a, 0, f, 0); pthread_create(&b, 0, f, 0);
                pthread_join(a, 0); pthread_join(b, 0); fp_observe(\"x\", x); return 0; }",
        violated: &[],
        observed: 3,
    },
];

fn report(text: &str, name: &str, symmetry: bool) -> Report {
    solved(text, name, encode::EncodeOptions { symmetry, ..encode::EncodeOptions::default() })
}

#[test]
fn what_is_found_is_the_same_with_and_without_symmetry() {
    for Case { name, text, violated: wrong, observed: seen } in CASES {
        for model in MODELS {
            let [with, without] = [true, false].map(|symmetry| report(text, model, symmetry));
            assert_eq!(violated(&with), *wrong, "{name}, on {model}");
            assert_eq!(violated(&without), *wrong, "{name}, on {model}, without symmetry");
            let [with, without] = [&with, &without].map(observed);
            assert_eq!(with, without, "{name}, on {model}");
            assert_eq!(with.len(), *seen, "{name}, on {model}: {with:?}");
        }
    }
}

#[test]
fn like_threads_cost_less() {
    let text = "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int x;
        void *f(void *u) { for (int i = 0; i < 2; i++) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); } return u; }
        int main(void) { pthread_t t[3]; for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, f, 0);
            for (int i = 0; i < 3; i++) pthread_join(t[i], 0); fp_assert(x == 6); return 0; }";
    for model in MODELS {
        let conflicts = |symmetry| report(text, model, symmetry).statistics.conflicts;
        let [with, without] = [true, false].map(conflicts);
        assert!(2 * with < without, "{with} conflicts on {model}, {without} without symmetry");
    }
}
