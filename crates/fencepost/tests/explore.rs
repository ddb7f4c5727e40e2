//! Exploration gives the answers of the solver that encodes everything.

use encoding::encode::EncodeOptions;
use encoding::values::ValueOptions;
use engines::bounded::unrolling::CheckOptions;
use engines::engine::Claim;
use engines::explore::Because;
use engines::verdict::{Reason, Verdict, Violation};
use engines::verification::outcomes::Asked;
use engines::verification::{EngineChoice, Portfolio, Property, Questions, Report};
use fencepost::compile::{Language, compile_text};
use fencepost::litmus::model;
use fencepost::target;
use ir::prepare::{Preparation, whole};
use ir::program::Program;
use models::Model;
use std::cell::RefCell;

/// A lock that is tried again and again, a loop, and branches of which some are never taken.
const TRIES: &str = "#include <pthread.h>
    #include <stdatomic.h>
    #include <assert.h>
    #include <fencepost.h>
    atomic_int held, x;
    int counter;
    static void work(int n) {
        while (atomic_exchange(&held, 1)) ;
        for (int i = 0; i < n; i++) counter++;
        if (counter > 3) counter = 100;
        atomic_store(&held, 0);
    }
    void *other(void *p) { work(1); if (atomic_load(&x) == 2) assert(0); return 0; }
    int main(void) {
        pthread_t t;
        pthread_create(&t, 0, other, 0);
        work(2);
        atomic_store_explicit(&x, 1, memory_order_relaxed);
        pthread_join(t, 0);
        fp_observe(\"counter\", counter);
        assert(counter == 3);
    }";

/// Two threads hash into the same place.
const HASH: &str = "#include <pthread.h>
    #include <assert.h>
    #include <fencepost.h>
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
    unsigned hash = 5381, last;
    static void mix(unsigned by) {
        pthread_mutex_lock(&m);
        hash = (hash ^ by) * 16777619u;
        last = hash % 7;
        pthread_mutex_unlock(&m);
    }
    void *other(void *p) { mix(3); mix(4); return 0; }
    int main(void) {
        pthread_t t;
        pthread_create(&t, 0, other, 0);
        mix(1);
        mix(2);
        pthread_join(t, 0);
        fp_observe(\"last\", last);
        assert(last < 7);
        assert(last != 3);
    }";

/// Load buffering: each thread writes before it reads, where the model lets it.
const BUFFERED: &str = "#include <pthread.h>
    #include <stdatomic.h>
    #include <assert.h>
    atomic_int x, y;
    int product;
    void *other(void *p) {
        int b = atomic_load_explicit(&y, memory_order_relaxed);
        atomic_store_explicit(&x, b + 6, memory_order_relaxed);
        return 0;
    }
    int main(void) {
        pthread_t t;
        pthread_create(&t, 0, other, 0);
        int a = atomic_load_explicit(&x, memory_order_relaxed);
        product = a * a;
        atomic_store_explicit(&y, 1, memory_order_relaxed);
        pthread_join(t, 0);
        assert(product != 49);
    }";

/// Threads that stop in an atomic section, where a branch in it is not known, while another one
/// goes wrong.
const SECTIONS: &str = "#include <pthread.h>
    #include <assert.h>
    #include <fencepost.h>
    extern void __VERIFIER_atomic_begin(void);
    extern void __VERIFIER_atomic_end(void);
    extern void __VERIFIER_assume(int);
    int x, y;
    void *guarded(void *p) {
        __VERIFIER_atomic_begin();
        int n = y;
        y = n + 1;
        __VERIFIER_assume(n != 2 && x != 2);
        __VERIFIER_atomic_end();
        return 0;
    }
    void *other(void *p) {
        __VERIFIER_atomic_begin();
        x = 2;
        __VERIFIER_atomic_end();
        assert(y != 0);
        return 0;
    }
    int main(void) {
        pthread_t a, b;
        pthread_create(&a, 0, guarded, 0);
        pthread_create(&b, 0, other, 0);
        y = y + 2;
        pthread_join(a, 0);
        pthread_join(b, 0);
    }";

/// A loop of a known length, in which threads wait for each other, and a branch that no thread takes.
const COUNTED: &str = "#include <pthread.h>
    #include <stdatomic.h>
    #include <assert.h>
    atomic_int held, entered;
    static void *work(void *p) {
        for (int i = 0; i < 6; i++) {
            int expected = 0;
            while (!atomic_compare_exchange_strong(&held, &expected, 1))
                expected = 0;
            if (atomic_fetch_add(&entered, 1)) assert(0);
            atomic_fetch_sub(&entered, 1);
            atomic_store(&held, 0);
        }
        return 0;
    }
    int main(void) {
        pthread_t t;
        pthread_create(&t, 0, work, 0);
        work(0);
        pthread_join(t, 0);
    }";

fn compiled(code: &str, model: &Model) -> Program {
    let compiled = compile_text("a.c", code, Language::C).expect("correct C");
    let program = whole(compiled.program, &Preparation::default());
    target::compile(&program, model).expect("it can be compiled for the model")
}

/// What an engine says, where terms of more than `limit` values are not enumerated.
fn report(code: &str, name: &str, engine: EngineChoice, limit: usize) -> Report {
    let model = model(name).unwrap_or_else(|_| panic!("{name} is a model of the library"));
    let program = compiled(code, &model);
    let properties = Property::ALL.to_vec();
    let questions =
        Questions { properties, outcomes: Asked::All, coverage: true, ..Questions::default() };
    let values = ValueOptions { limit, ..ValueOptions::default() };
    let encoding = EncodeOptions { values, ..EncodeOptions::default() };
    let options = CheckOptions { max_unroll: 8, encoding, progress: &|_| {} };
    Portfolio::from(engine).verify(&program, &model, &questions, &options)
}

/// The answers in a form that can be compared.
fn answers(report: &Report) -> String {
    let word = |verdict: &Verdict| match verdict {
        Verdict::Holds => "holds".to_string(),
        Verdict::HoldsWithinBounds(_) => "holds within bounds".to_string(),
        Verdict::Vacuous(..) => "holds of nothing".to_string(),
        Verdict::Violated(_) => "violated".to_string(),
        Verdict::Inconclusive(Reason::Cut(_), _) => "cut".to_string(),
        Verdict::Inconclusive(reason, _) => format!("{reason:?}"),
    };
    let verdicts = report.verdicts.iter().map(|(property, it)| format!("{property} {}", word(it)));
    let outcomes = report.behaviours.outcomes.iter().flat_map(|all| all.keys());
    let coverage = report.behaviours.coverage.iter().flat_map(|all| all.reached.keys());
    let outcomes = outcomes.map(|outcome| format!("{outcome:?}"));
    let coverage = coverage.map(|goal| format!("{goal:?}"));
    verdicts.chain(outcomes).chain(coverage).collect::<Vec<_>>().join("\n")
}

fn assert_agreement(code: &str, models: &[&str], limit: usize) {
    for model in models {
        let [solver, explore] = [EngineChoice::Solver, EngineChoice::Explore]
            .map(|engine| report(code, model, engine, limit));
        assert_eq!(answers(&solver), answers(&explore), "on {model}");
        assert!(explore.statistics.explored.runs > 0 && solver.statistics.explored.is_nothing());
    }
}

#[test]
fn loops_and_branches_have_the_answers_of_the_solver() {
    assert_agreement(TRIES, &["sc", "tso", "pso", "armv8", "power", "rc11", "relaxed"], 256);
}

#[test]
fn what_is_never_executed_is_not_encoded() {
    let explore = report(TRIES, "sc", EngineChoice::Explore, 256);
    let solver = report(TRIES, "sc", EngineChoice::Solver, 256);
    let [own, all] = [&explore, &solver].map(|report| report.statistics.instructions);
    assert!(own < all, "{own} instructions of {all}");
}

#[test]
fn costly_operations_are_tables_where_their_results_cannot_be_listed() {
    assert_agreement(HASH, &["sc", "tso"], 4);
    let explore = report(HASH, "sc", EngineChoice::Explore, 4);
    // Two of the first four hashes, and what becomes of each, in each order; and their remainders.
    let entries = explore.statistics.explored.entries;
    assert!((10..100).contains(&entries), "{entries} entries");
}

#[test]
fn where_results_can_be_listed_there_are_no_tables() {
    let explore = report(HASH, "sc", EngineChoice::Explore, 4096);
    assert_eq!(explore.statistics.explored.entries, 0);
}

#[test]
fn where_stores_justify_reads_everything_is_encoded() {
    assert_agreement(HASH, &["armv8"], 4);
    let explore = report(HASH, "armv8", EngineChoice::Explore, 4);
    assert_eq!(explore.statistics.explored.entries, 0);
}

#[test]
fn load_buffering_around_a_product_is_found() {
    assert_agreement(BUFFERED, &["sc", "tso", "armv8", "power"], 2);
    let is_violated = |model: &str| {
        let report = report(BUFFERED, model, EngineChoice::Explore, 2);
        matches!(report.verdicts[&Property::Assert], Verdict::Violated(_))
    };
    assert!(is_violated("armv8") && !is_violated("sc"));
}

#[test]
fn no_thread_of_a_counterexample_stops_inside_an_atomic_section() {
    assert_agreement(SECTIONS, &["sc", "tso", "pso"], 256);
    for name in ["sc", "tso", "pso"] {
        let model = model(name).expect("a model of the library");
        let program = compiled(SECTIONS, &model);
        let report = report(SECTIONS, name, EngineChoice::Explore, 256);
        let mut violations = 0;
        for (property, verdict) in &report.verdicts {
            let Verdict::Violated(found) = verdict else { continue };
            let witness = found.witness.as_ref().expect("it has a witness");
            let under = replay::Under { model: &model, limits: &sat::Limits::default() };
            let replayed = replay::confirm(&program, under, witness, &found.violation);
            assert!(replayed.is_ok(), "{property} on {name}: {:?}", replayed.err());
            violations += 1;
        }
        assert!(violations > 0, "on {name}");
    }
}

#[test]
fn loops_that_end_by_themselves_are_extended_in_few_rounds() {
    assert_agreement(COUNTED, &["sc", "tso"], 256);
    let rounds = |engine| report(COUNTED, "sc", engine, 256).statistics.rounds;
    let [explore, solver] = [EngineChoice::Explore, EngineChoice::Solver].map(rounds);
    assert!(explore < solver && explore <= 4, "{explore} rounds, {solver} of the solver");
}

#[test]
fn where_the_first_runs_reach_everything_nothing_is_encoded() {
    let covered = |code: &str, name: &str| {
        let model = model(name).expect("a model of the library");
        let program = compiled(code, &model);
        let questions = Questions { coverage: true, ..Questions::default() };
        let options =
            CheckOptions { max_unroll: 8, encoding: EncodeOptions::default(), progress: &|_| {} };
        let portfolio = Portfolio::from(EngineChoice::Explore);
        portfolio.verify(&program, &model, &questions, &options)
    };
    for name in ["sc", "tso", "armv8", "rc11"] {
        let all =
            covered(&COUNTED.replace("if (atomic_fetch_add(&entered, 1)) assert(0);", ""), name);
        assert!(matches!(all.rest, Verdict::Holds), "on {name}");
        let some = covered(COUNTED, name);
        assert!(matches!(some.rest, Verdict::Holds), "on {name}: {:?}", some.rest);
        // That nothing else is reached is shown by all states, where a machine has few, or by the solver.
        let (states, clauses) = (some.statistics.states > 0, some.statistics.clauses > 0);
        let is_machine = ["sc", "tso"].contains(&name);
        assert_eq!((states, clauses), (is_machine, !is_machine), "on {name}");
    }
}

#[test]
fn violations_are_told_while_the_search_goes_on() {
    let code = TRIES
        .replace("{ work(1);", "{ assert(atomic_load(&x) == 0); work(1);")
        .replace("work(2);", "atomic_store(&x, 1); work(2);");
    for name in ["sc", "rc11"] {
        let model = model(name).expect("a model of the library");
        let program = compiled(&code, &model);
        let properties = vec![Property::Assert, Property::Memory];
        let questions = Questions { properties, ..Questions::default() };
        let options =
            CheckOptions { max_unroll: 8, encoding: EncodeOptions::default(), progress: &|_| {} };
        let told = RefCell::new(Vec::new());
        let confirm = |claim: Claim<'_>| {
            if let Claim::Found(property, found) = claim {
                told.borrow_mut().push((property, found.clone()));
            }
            true
        };
        let portfolio = Portfolio::from(EngineChoice::Explore);
        let report =
            portfolio.verify_confirmed_by(&program, &model, &questions, &options, &confirm);
        let told = told.into_inner();
        let Verdict::Violated(found) = &report.verdicts[&Property::Assert] else {
            panic!("on {name}: {:?}", report.verdicts)
        };
        assert!(matches!(report.verdicts[&Property::Memory], Verdict::Holds), "on {name}");
        assert_eq!(told, [(Property::Assert, (**found).clone())], "on {name}");
    }
}

#[test]
fn each_result_of_a_table_has_an_execution() {
    let model = model("sc").expect("a model of the library");
    let program = compiled(HASH, &model);
    let values = ValueOptions { limit: 4, ..ValueOptions::default() };
    let encoding = EncodeOptions { values, ..EncodeOptions::default() };
    let options = CheckOptions { max_unroll: 8, encoding, progress: &|_| {} };
    let questions = Questions { coverage: true, results: true, ..Questions::default() };
    let report =
        Portfolio::from(EngineChoice::Explore).verify(&program, &model, &questions, &options);
    let coverage = report.behaviours.coverage.expect("it was asked for");
    assert!(matches!(report.rest, Verdict::Holds), "{:?}", report.rest);
    // 5381 ^ 1 and 5381 ^ 3 come first in some order, so both are among the factors.
    for factor in [5381 ^ 1, 5381 ^ 3] {
        // Of unsigned numbers, as the program has them.
        let product = (factor as u32).wrapping_mul(16_777_619);
        let expected = format!("{factor} * 16777619 = {product}");
        let found = coverage.results.iter().find(|(_, (what, _))| *what == expected);
        let (goal, (_, place)) = found.unwrap_or_else(|| panic!("no {expected}"));
        assert!(place.is_some(), "{expected} has a place");
        let witness = &coverage.witnesses[coverage.reached[goal]];
        let under = replay::Under { model: &model, limits: &sat::Limits::default() };
        let shown = Violation::Reached(expected.clone());
        assert!(replay::confirm(&program, under, witness, &shown).is_ok(), "{expected}");
    }
}

#[test]
fn heavy_arithmetic_is_for_runs_before_the_solver() {
    let chosen = report(HASH, "rc11", EngineChoice::Either, 4);
    assert_eq!(answers(&chosen), answers(&report(HASH, "rc11", EngineChoice::Solver, 4)));
    assert!(chosen.explored.values().all(|because| *because == Because::Arithmetic));
    let explored: Vec<_> = chosen.explored.keys().copied().collect();
    assert!(explored.contains(&Some(Property::Memory)) && explored.contains(&None), "{explored:?}");
    // States know everything there; threads may not stop for want of a result; results are listed.
    for (model, limit) in [("sc", 4), ("armv8", 4), ("rc11", 4096)] {
        let usual = report(HASH, model, EngineChoice::Either, limit);
        assert!(usual.explored.is_empty(), "on {model}: {:?}", usual.explored);
        assert!(usual.statistics.explored.is_nothing(), "on {model}");
    }
}

/// A model of the user is one like those of the library.
#[test]
fn models_of_the_user_are_explored_too() {
    let text = "\"sc, as somebody writes it\"
        let com = rf | co | fr
        acyclic po | com as order
        empty rmw & (fre ; coe) as atomic";
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("mine.cat");
    std::fs::write(&path, text).expect("it can be written");
    let path = path.to_str().expect("UTF-8");
    for (code, limit) in [(TRIES, 256), (HASH, 4), (BUFFERED, 2)] {
        let own = report(code, path, EngineChoice::Explore, limit);
        assert_eq!(answers(&own), answers(&report(code, path, EngineChoice::Solver, limit)));
        assert_eq!(answers(&own), answers(&report(code, "sc", EngineChoice::Explore, limit)));
        assert!(own.statistics.explored.runs > 0);
    }
}

/// Loads before release stores may be late, on a model of the user's: a thread that stops at an
/// unknown product or direction has such stores still to make.
#[test]
fn stores_of_any_order_may_come_before_what_is_not_known() {
    let text = "\"release stores may come early\"
        let com = rf | co | fr
        acyclic po-loc | com
        empty rmw & (fre ; coe)
        acyclic (po \\ (_ * REL)) | rf";
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("mine.cat");
    std::fs::write(&path, text).expect("it can be written");
    let path = path.to_str().expect("UTF-8");
    for step in ["if (k < 1 && x == 1) k++;", "while (k < 1 && x == 1) k++;"] {
        let code = "#include <assert.h>
            #include <pthread.h>
            #include <stdatomic.h>
            atomic_uint before, after; int n;
            void *f(void *u) {
                int k = 0;
                unsigned x = atomic_load_explicit(&before, memory_order_relaxed);
                STEP
                n = k;
                atomic_store_explicit(&after, 1, memory_order_release);
                return 0;
            }
            void *g(void *u) {
                unsigned b = atomic_load_explicit(&after, memory_order_relaxed);
                atomic_store_explicit(&before, b, memory_order_release);
                return 0;
            }
            int main(void) {
                pthread_t a, b;
                pthread_create(&a, 0, f, 0);
                pthread_create(&b, 0, g, 0);
                pthread_join(a, 0);
                pthread_join(b, 0);
                assert(n < 1);
            }";
        let code = code.replace("STEP", step);
        for engine in [EngineChoice::Explore, EngineChoice::Solver] {
            let found = report(&code, path, engine, 4);
            let verdict = &found.verdicts[&Property::Assert];
            assert!(!matches!(verdict, Verdict::Holds), "{step} {engine:?}");
        }
    }
}

/// Load buffering aside, one branch needs a reordering; a loop takes two rounds; a product cannot be
/// factored in the number of conflicts that there are.
const ENDED: &str = "#include <pthread.h>
    #include <stdatomic.h>
    extern unsigned __VERIFIER_nondet_uint(void);
    atomic_int data, flag;
    int stale, count;
    void *reads(void *p) {
        if (atomic_load_explicit(&flag, memory_order_relaxed))
            if (!atomic_load_explicit(&data, memory_order_relaxed)) stale = 1;
        return p;
    }
    int main(void) {
        pthread_t t;
        pthread_create(&t, 0, reads, 0);
        atomic_store_explicit(&data, 1, memory_order_relaxed);
        atomic_store_explicit(&flag, 1, memory_order_relaxed);
        pthread_join(t, 0);
        for (int i = 0; i < 6; i++) count++;
        unsigned long a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint();
        if (a > 1 && b > 1 && a * b == 4611683681965241527ul) count = 0;
    }";

#[test]
fn coverage_so_far_is_what_earlier_rounds_have_reached() {
    let reached = |code: &str| {
        let model = model("armv8").expect("a model of the library");
        let program = compiled(code, &model);
        let mut encoding = EncodeOptions::default();
        encoding.limits.conflicts = Some(2_000);
        let options = CheckOptions { max_unroll: 16, encoding, progress: &|_| {} };
        let questions = Questions { coverage: true, ..Questions::default() };
        let portfolio = Portfolio::from(EngineChoice::Explore);
        let report = portfolio.verify(&program, &model, &questions, &options);
        assert!(matches!(report.rest, Verdict::Inconclusive(..)), "{:?}", report.rest);
        report.behaviours.coverage.expect("it was asked for").reached.len()
    };
    let in_order = ENDED.replace("memory_order_relaxed", "memory_order_seq_cst");
    assert_eq!(reached(ENDED), reached(&in_order) + 1);
}
