//! What is known of some properties when another one takes too long.

use super::*;
use crate::fixture::compiled;
use std::collections::BTreeMap;

/// Which properties are violated and which hold on sc, by the solver, with a limit of conflicts
/// for each query.
fn known(code: &str, conflicts: u64) -> [Vec<Property>; 2] {
    let model = Model::named("sc").expect("a model of the library");
    let program = compiled(code, &model);
    let mut encoding = encoding::encode::EncodeOptions::default();
    encoding.limits.conflicts = Some(conflicts);
    let options = CheckOptions { max_unroll: 8, encoding, progress: &|_| {} };
    let properties = Property::ALL.to_vec();
    let questions = Questions { properties, ..Questions::default() };
    let solver = Portfolio::from(EngineChoice::Solver);
    let report = solver.verify_confirmed_by(&program, &model, &questions, &options, &|_| true);
    let verdicts = report.verdicts;
    let those = |is_it: fn(&Verdict) -> bool| {
        verdicts.iter().filter(|(_, verdict)| is_it(verdict)).map(|(&p, _)| p).collect()
    };
    [
        those(|verdict| matches!(verdict, Verdict::Violated(_))),
        those(|verdict| matches!(verdict, Verdict::Holds)),
    ]
}

#[test]
fn a_hard_assertion_does_not_keep_the_others_from_an_answer() {
    // The product of two primes.
    let code = "#include <assert.h>
         extern unsigned __VERIFIER_nondet_uint(void);
         extern int __VERIFIER_nondet_int(void);
         int main(void) {
             int more = __VERIFIER_nondet_int();
             more = more + 1;
             unsigned long a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint();
             if (a > 1 && b > 1) assert(a * b != 4611683681965241527ul);
             return 0;
         }";
    let [violated, holds] = known(code, 100);
    assert_eq!(violated, [Property::Overflow]);
    let others = [Property::Memory, Property::Deadlock, Property::Liveness, Property::Leak];
    assert_eq!(holds, others);
}

#[test]
fn nothing_is_said_of_who_waits_for_the_thread_that_started_it() {
    let code = "#include <assert.h>
         #include <pthread.h>
         pthread_t first;
         void *waits(void *unused) { pthread_join(first, 0); assert(0); return unused; }
         int main(void) {
             pthread_t thread;
             first = pthread_self();
             pthread_create(&thread, 0, waits, 0);
             pthread_exit(0);
         }";
    assert_eq!(known(code, 100_000), [[], []]);
}

/// Who answers what about a program with a race, an assertion that holds, and a lock.
fn answered_by(model: &Model) -> BTreeMap<Property, &'static str> {
    let code = "#include <assert.h>
         #include <pthread.h>
         #include <stdatomic.h>
         atomic_int flag; int racy;
         void *other(void *unused) {
             racy = 1;
             atomic_store_explicit(&flag, 1, memory_order_relaxed);
             return unused;
         }
         int main(void) {
             pthread_t thread;
             pthread_create(&thread, 0, other, 0);
             if (atomic_load_explicit(&flag, memory_order_relaxed)) racy = 2;
             pthread_join(thread, 0);
             assert(atomic_load_explicit(&flag, memory_order_relaxed) == 1);
         }";
    let program = compiled(code, model);
    let encoding = encoding::encode::EncodeOptions::default();
    let options = CheckOptions { max_unroll: 8, encoding, progress: &|_| {} };
    let questions = Questions { properties: Property::ALL.to_vec(), ..Questions::default() };
    let report = verify(&program, model, &questions, &options);
    assert!(matches!(report.verdicts[&Property::Race], Verdict::Violated(_)));
    assert_eq!(report.verdicts.len(), Property::ALL.len());
    assert_eq!(report.answered_by.len(), Property::ALL.len());
    report.answered_by
}

#[test]
fn states_with_views_answer_where_they_are_asked_for() {
    let rc11 = Model::named("rc11").expect("a model of the library");
    assert!(answered_by(&rc11).values().all(|engine| *engine != "states"));
}

#[test]
fn a_model_of_the_users_is_never_answered_by_a_machine() {
    let text = "\"RC11\"\ninclude \"rc11.cat\"\n";
    let mine = Model::from_text("rc11", text).expect("a model");
    assert!(answered_by(&mine).values().all(|engine| *engine != "states"));
}
