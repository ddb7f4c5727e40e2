//! Counts of small programs that are known.

use super::leaf::Wanted;
use super::visit;
use crate::bounded::unrolling::CheckOptions;
use crate::fixture::compiled;
use encoding::encode::EncodeOptions;
use models::Model;

fn counts(code: &str, model: &str) -> (u64, u64) {
    let model = Model::named(model).expect("a model of the library");
    let program = compiled(code, &model);
    let wanted = Wanted { all: true, once: true, ..Wanted::default() };
    let options =
        CheckOptions { max_unroll: 8, encoding: EncodeOptions::default(), progress: &|_| {} };
    match visit(&program, &model, &wanted, &options) {
        Ok(visited) => {
            assert!(visited.all);
            (visited.found.counts.complete, visited.found.counts.blocked)
        }
        Err(refusal) => panic!("{refusal:?}"),
    }
}

const STORE_BUFFERING: &str = "
#include <pthread.h>
#include <stdatomic.h>
atomic_int x, y;
int a, b;
static void *left(void *unused) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    a = atomic_load_explicit(&y, memory_order_relaxed);
    return 0;
}
static void *right(void *unused) {
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    b = atomic_load_explicit(&x, memory_order_relaxed);
    return 0;
}
int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, left, 0);
    pthread_create(&t, 0, right, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}";

#[test]
fn store_buffering_has_a_fourth_execution_on_weak_models() {
    assert_eq!(counts(STORE_BUFFERING, "sc"), (3, 0));
    assert_eq!(counts(STORE_BUFFERING, "tso"), (4, 0));
    assert_eq!(counts(STORE_BUFFERING, "rc11"), (4, 0));
}

fn incrementing(threads: usize, body: &str) -> String {
    let run = "pthread_t t[N]; for (int i = 0; i < N; i++) pthread_create(&t[i], 0, f, 0); \
               for (int i = 0; i < N; i++) pthread_join(t[i], 0); return 0;";
    format!(
        "#include <pthread.h>\n#include <stdatomic.h>\n#define N {threads}\natomic_int x; int y; \
         pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n\
         static void *f(void *unused) {{ {body} return 0; }}\nint main(void) {{ {run} }}"
    )
}

#[test]
fn increments_have_an_execution_for_each_order() {
    for (threads, orders) in [(2, 2), (3, 6), (4, 24)] {
        for model in ["sc", "tso", "rc11"] {
            let by_update = incrementing(threads, "atomic_fetch_add(&x, 1);");
            assert_eq!(counts(&by_update, model), (orders, 0), "{model}");
            let by_lock =
                incrementing(threads, "pthread_mutex_lock(&m); y++; pthread_mutex_unlock(&m);");
            assert_eq!(counts(&by_lock, model), (orders, 0), "{model}");
        }
    }
}
