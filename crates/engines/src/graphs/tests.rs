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

#[test]
fn models_that_allow_load_buffering_are_refused() {
    for (name, refused) in [
        ("sc", false),
        ("tso", false),
        ("pso", false),
        ("rc11", false),
        ("relaxed", true),
        ("imm", true),
        ("armv8", true),
        ("power", true),
        ("c11", true),
        ("rmo", true),
    ] {
        let model = Model::named(name).expect("a model of the library");
        let program = compiled(STORE_BUFFERING, &model);
        assert_eq!(super::conditions::refusal(&program, &model).is_some(), refused, "{name}");
    }
    let own = "include \"cos.cat\"\nacyclic po | rf | co | fr";
    let own = Model::from_text("own.cat", own).expect("a model");
    assert_eq!(super::conditions::refusal(&compiled(STORE_BUFFERING, &own), &own), None);
    let weak = "include \"cos.cat\"\nacyclic po-loc | rf | co | fr";
    let weak = Model::from_text("weak.cat", weak).expect("a model");
    assert!(super::conditions::refusal(&compiled(STORE_BUFFERING, &weak), &weak).is_some());
}

/// The refusal of a program on sc, with the line that it names.
fn refused(code: &str) -> (String, Option<u32>) {
    let model = Model::named("sc").expect("a model of the library");
    let program = compiled(code, &model);
    let wanted = Wanted { all: true, ..Wanted::default() };
    let options =
        CheckOptions { max_unroll: 8, encoding: EncodeOptions::default(), progress: &|_| {} };
    let Err(refusal) = visit(&program, &model, &wanted, &options) else { panic!("it is visited") };
    let line = refusal.place.map(|place| program.places[place].location.line);
    (refusal.what, line)
}

#[test]
fn what_is_not_supported_is_refused_at_its_line() {
    let run = "#include <pthread.h>\nvoid __VERIFIER_atomic_begin(void), \
               __VERIFIER_atomic_end(void);\nint x, y;\nstatic void *f(void *unused) {\n";
    let rest = "return 0;\n}\nint main(void) { pthread_t t; pthread_create(&t, 0, f, 0); x = 2; ";
    let joined = "pthread_join(t, 0); return 0; }";
    let section = format!(
        "{run}__VERIFIER_atomic_begin(); x = 1;\ny = 1; __VERIFIER_atomic_end();\n{rest}{joined}"
    );
    let (what, line) = refused(&section);
    assert!(what.contains("several accesses") && line.is_some_and(|line| line >= 5), "{what}");
    // The first access is in the graph by the time the second one ends the section.
    let assumed = format!(
        "void __VERIFIER_assume(int);\n{run}__VERIFIER_atomic_begin(); int n = x; x = n + 1;\n\
         __VERIFIER_assume(n && y); __VERIFIER_atomic_end();\n{rest}{joined}"
    );
    let (what, line) = refused(&assumed);
    assert!(what.contains("after its access") && line == Some(7), "{what} {line:?}");
    let (what, _) = refused(&format!("{run}x = 1;\n{rest} return 0; }}"));
    assert!(what.contains("when the program ends"), "{what}");
    let (what, _) = refused(&format!("#include <stdlib.h>\n{run}if (x) exit(0);\n{rest}{joined}"));
    assert!(what.contains("ends the program while others run"), "{what}");
    let (what, line) = refused(&format!("{run}*(char *)&x = 1;\n{rest}{joined}"));
    assert!(what.contains("overlap") && line.is_some(), "{what}");
}
