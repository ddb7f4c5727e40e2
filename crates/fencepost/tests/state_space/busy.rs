//! Threads that wait for ever while another one goes on writing.

use super::{compiled, machines, replayed, two_threads, verdict};
use engines::bounded::unrolling::CheckOptions;

use engines::verification::{EngineChoice, Portfolio, Property, Questions};

/// A thread that never ends, and that nobody waits for.
const HEARTBEAT: &str = "atomic_uchar beat;
    void *heart(void *u) { for (;;) beat = !beat; return u; }
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
    pthread_t h, p, q;\n";

/// What others do, and what becomes of `deadlock` and `liveness`. (The loop of the heart has no exit and
/// goes on changing memory: whether it should terminate is not known, unless a thread awaits that.)
const BESIDE: [(&str, &str, &str); 12] = [
    (
        "int main(void) { pthread_create(&h, 0, heart, 0);
             pthread_mutex_lock(&m); pthread_mutex_lock(&m); return 0; }",
        "violated",
        "inconclusive",
    ),
    (
        "void *a(void *u) { pthread_mutex_lock(&m); pthread_mutex_lock(&n);
             pthread_mutex_unlock(&n); pthread_mutex_unlock(&m); return u; }
         void *b(void *u) { pthread_mutex_lock(&n); pthread_mutex_lock(&m);
             pthread_mutex_unlock(&m); pthread_mutex_unlock(&n); return u; }
         int main(void) { pthread_create(&h, 0, heart, 0); pthread_create(&p, 0, a, 0);
             pthread_create(&q, 0, b, 0); pthread_join(p, 0); pthread_join(q, 0); return 0; }",
        "violated",
        "inconclusive",
    ),
    // Somebody ends with the lock in its hands.
    (
        "void *a(void *u) { pthread_mutex_lock(&m); return u; }
         int main(void) { pthread_create(&h, 0, heart, 0); pthread_create(&p, 0, a, 0);
             pthread_join(p, 0); pthread_mutex_lock(&m); return 0; }",
        "violated",
        "inconclusive",
    ),
    // `main` itself goes on.
    (
        "void *a(void *u) { pthread_mutex_lock(&m); pthread_mutex_lock(&m); return u; }
         int main(void) { pthread_create(&p, 0, a, 0); heart(0); return 0; }",
        "violated",
        "inconclusive",
    ),
    // Who holds the lock goes on, but never gives it back.
    (
        "void *a(void *u) { pthread_mutex_lock(&m); return heart(u); }
         int main(void) { pthread_create(&p, 0, a, 0);
             pthread_mutex_lock(&m); pthread_mutex_unlock(&m); return 0; }",
        "inconclusive",
        "inconclusive",
    ),
    (
        "pthread_cond_t c = PTHREAD_COND_INITIALIZER;
         int main(void) { pthread_create(&h, 0, heart, 0);
             pthread_mutex_lock(&m); pthread_cond_wait(&c, &m); return 0; }",
        "inconclusive",
        "inconclusive",
    ),
    // Awaiting a thread that never terminates is not a deadlock.
    (
        "int main(void) { pthread_create(&h, 0, heart, 0); pthread_join(h, 0); return 0; }",
        "holds",
        "violated",
    ),
    (
        "void *a(void *u) { for (;;) { pthread_mutex_lock(&m); beat = !beat;
             pthread_mutex_unlock(&m); } return u; }
         int main(void) { pthread_create(&p, 0, a, 0); return (long)a(0); }",
        "holds",
        "inconclusive",
    ),
    // That main returns does not let the thread go on; a call of exit ends it.
    (
        "void *a(void *u) { pthread_mutex_lock(&m); pthread_mutex_lock(&m); return u; }
         int main(void) { pthread_create(&h, 0, heart, 0); pthread_create(&p, 0, a, 0);
             return 0; }",
        "violated",
        "inconclusive",
    ),
    (
        "void exit(int status);
         void *a(void *u) { pthread_mutex_lock(&m); pthread_mutex_lock(&m); return u; }
         int main(void) { pthread_create(&h, 0, heart, 0); pthread_create(&p, 0, a, 0);
             exit(0); }",
        "holds",
        "holds",
    ),
    // A loop that could be left if the others did not wait.
    (
        "atomic_int stop;
         void *a(void *u) { while (!stop) beat = !beat; return u; }
         int main(void) { pthread_create(&p, 0, a, 0); pthread_mutex_lock(&m);
             pthread_mutex_lock(&m); stop = 1; pthread_join(p, 0); return 0; }",
        "violated",
        "violated",
    ),
    // Like threads that wait, one of them at any time.
    (
        "void *a(void *u) { fp_atomic { fp_assume(beat == 3); beat = 2; } return u; }
         int main(void) { pthread_create(&h, 0, heart, 0); pthread_create(&p, 0, a, 0);
             pthread_create(&q, 0, a, 0); pthread_join(p, 0); pthread_join(q, 0); return 0; }",
        "inconclusive",
        "inconclusive",
    ),
];

#[test]
fn threads_that_wait_beside_busy_ones_are_found_or_left_open() {
    let properties = vec![Property::Deadlock, Property::Liveness];
    let questions = Questions { properties, ..Questions::default() };
    for (text, deadlock, liveness) in BESIDE {
        for model in machines() {
            let program = compiled(&two_threads(&format!("{HEARTBEAT}{text}")), &model);
            // What is repeated for ever counts only if the replay confirms it.
            let options =
                CheckOptions { max_unroll: 8, encoding: Default::default(), progress: &|_| {} };
            let states = Portfolio::from(EngineChoice::States);
            let states = states.verify(&program, &model, &questions, &options);
            let told = [Property::Deadlock, Property::Liveness].map(|p| &states.verdicts[&p]);
            assert_eq!(told.map(verdict), [deadlock, liveness], "{text}, {}: {told:?}", model.name);
            replayed(text, &program, &model, &states);
        }
    }
}
