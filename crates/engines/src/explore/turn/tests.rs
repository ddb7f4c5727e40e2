//! When runs are explored, what they are asked, and what is said of their answers.

use super::*;
use crate::fixture::compiled;
use crate::verdict::{Cut, Established};
use crate::verification::coverage::Coverage;
use execution::finding::FindingKind;

/// Two threads fold numbers into one hash; with `STEP` a sum, that is not heavy.
const FOLDED: &str = "#include <assert.h>
    #include <pthread.h>
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    unsigned hash = 5381;
    static void fold(unsigned by) {
        pthread_mutex_lock(&mutex);
        hash = STEP;
        pthread_mutex_unlock(&mutex);
    }
    void *other(void *unused) { fold(3); fold(4); return unused; }
    int main(void) {
        pthread_t thread;
        pthread_create(&thread, 0, other, 0);
        fold(1);
        fold(2);
        pthread_join(thread, 0);
        assert(hash % 1000003 != 0);
    }";

/// What other engines say: too late, refused, cut off, and known.
fn left_open() -> Report {
    let mut report = Report::of_violations(BTreeMap::new());
    let refused = Reason::Unsupported { what: "this".to_string(), place: None };
    let cut = Cut { kind: FindingKind::Leak, place: None, every: false };
    let late = || Verdict::unknown(Reason::Limit(Exceeded::Time));
    report.verdicts.insert(Property::Assert, late());
    report.verdicts.insert(Property::Memory, Verdict::unknown(refused));
    report.verdicts.insert(Property::Leak, Verdict::unknown(Reason::Cut(cut)));
    report.verdicts.insert(Property::Deadlock, Verdict::Holds);
    report.rest = late();
    report
}

/// Runs answer everything that they are asked.
fn all_hold(task: Task<'_>, budget: Budget<'_>) -> Report {
    assert_eq!(budget.portfolio.engine, EngineChoice::Explore);
    let mut report = Report::of_violations(BTreeMap::new());
    let properties = task.questions.properties.iter();
    report.verdicts.extend(properties.map(|&property| (property, Verdict::Holds)));
    report
}

/// Runs answer nothing.
fn nothing_known(task: Task<'_>, budget: Budget<'_>) -> Report {
    let mut report = all_hold(task, budget);
    let open = || Verdict::Inconclusive(Reason::Limit(Exceeded::Time), Established::default());
    report.verdicts.values_mut().for_each(|verdict| *verdict = open());
    report.rest = open();
    report
}

/// Calls a function with a task of a small program and a budget of an hour.
fn with_task<T>(
    portfolio: &Portfolio,
    questions: &Questions,
    call: impl Fn(Task<'_>, Budget<'_>) -> T,
) -> T {
    let model = Model::named("sc").expect("a model of the library");
    let program = compiled("int main(void) { return 0; }", &model);
    let mut encoding = EncodeOptions::default();
    encoding.limits.deadline = Some(Instant::now() + Duration::from_secs(3600));
    let options = CheckOptions { max_unroll: 8, encoding, progress: &|_| {} };
    let known = &Coverage::default();
    let task = Task { program: &program, model: &model, questions, known };
    call(task, Budget { options: &options, confirm: &|_| true, portfolio })
}

/// What becomes of the report of other engines when runs are asked by `ask`.
fn after(ask: fn(Task<'_>, Budget<'_>) -> Report, engine: EngineChoice, coverage: bool) -> Report {
    let properties = left_open().verdicts.keys().copied().collect();
    let questions = Questions { properties, coverage, ..Questions::default() };
    with_task(&Portfolio::from(engine), &questions, |task, budget| {
        let mut report = left_open();
        after_the_others(task, budget, &mut report, ask);
        report
    })
}

#[test]
fn runs_are_asked_what_the_others_refuse_or_have_no_time_for() {
    let report = after(all_hold, EngineChoice::Either, false);
    let known = [(Property::Assert, Because::Late), (Property::Memory, Because::Refused)];
    let known: Answered = known.into_iter().map(|(it, why)| (Some(it), why)).collect();
    assert_eq!(report.explored, known);
    assert!(matches!(report.verdicts[&Property::Assert], Verdict::Holds));
    assert!(matches!(report.verdicts[&Property::Memory], Verdict::Holds));
    assert!(is_open(&report.verdicts[&Property::Leak]), "an execution that is cut stays so");
    let report = after(all_hold, EngineChoice::Either, true);
    assert_eq!(report.explored[&None], Because::Late);
    assert!(!is_open(&report.rest));
}

#[test]
fn nothing_is_said_of_runs_that_answer_nothing_or_that_are_not_wanted() {
    let report = after(nothing_known, EngineChoice::Either, true);
    assert!(report.explored.is_empty() && is_open(&report.rest));
    for engine in [EngineChoice::States, EngineChoice::Solver, EngineChoice::Explore] {
        let report = after(all_hold, engine, true);
        assert!(report.explored.is_empty() && is_open(&report.verdicts[&Property::Assert]));
    }
}

#[test]
fn a_part_of_the_time_is_kept_for_runs() {
    let end = |engine: EngineChoice, properties: &[Property]| {
        let questions = Questions { properties: properties.to_vec(), ..Questions::default() };
        with_task(&Portfolio::from(engine), &questions, |task, budget| {
            let deadline = budget.options.encoding.limits.deadline.expect("there is one");
            deadline - end_of_the_others(task, budget).expect("there is one")
        })
    };
    let kept = end(EngineChoice::Either, &[Property::Assert]);
    assert!(kept > Duration::ZERO && kept <= Duration::from_secs(900), "{kept:?}");
    assert!(end(EngineChoice::Solver, &[Property::Assert]).is_zero());
    assert!(end(EngineChoice::Either, &[]).is_zero(), "nothing is asked");
}

/// Whether a program is for runs, under a model.
fn heavy(code: &str, model: &str) -> bool {
    let model = Model::named(model).expect("a model of the library");
    is_heavy(&compiled(code, &model), &model, &EncodeOptions::default())
}

#[test]
fn arithmetic_is_heavy_where_threads_read_its_operands_and_its_results_are_many() {
    let product = FOLDED.replace("STEP", "(hash ^ by) * 16777619u");
    assert!(heavy(&product, "sc") && heavy(&product, "rc11"));
    assert!(!heavy(&product, "armv8"), "threads may not stop for want of a result");
    assert!(!heavy(&FOLDED.replace("STEP", "hash ^ by"), "sc"), "few remainders");
    let chosen = "extern unsigned __VERIFIER_nondet_uint(void);
        int main(void) { return __VERIFIER_nondet_uint() * __VERIFIER_nondet_uint() == 6; }";
    assert!(!heavy(chosen, "sc"), "there are too many numbers for runs");
}
