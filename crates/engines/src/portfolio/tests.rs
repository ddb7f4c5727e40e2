//! What is known of some properties when another one takes too long.

use super::*;
use crate::fixture::compiled;

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
