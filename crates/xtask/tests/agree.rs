//! A fixed sample of the comparison of solver and oracle, and what they once disagreed about.

use models::Model;
use std::path::PathBuf;
use std::time::Duration;
use xtask::agree::{AgreeOptions, Comparison, check, judge_text};

/// No program here comes near this, however busy the machine is: it guards against hanging.
const LIMIT: Duration = Duration::from_secs(300);

#[test]
fn solver_and_oracle_agree_about_random_programs() {
    let limit = LIMIT.as_secs_f64();
    let options = AgreeOptions { count: 30, seed: 1, family: None, limit, verbose: false };
    let report = check(&options, &mut |text| println!("{text}"), &mut |_| {});
    assert!(report.differ.is_empty(), "{} programs differ", report.differ.len());
    let refused: u64 = report.refused.values().sum();
    assert!(report.agree > 60 && refused == 0, "{} compared, {:?}", report.agree, report.refused);
}

/// Each file begins with a comment that names the models.
#[test]
fn what_they_once_disagreed_about_stays_agreed() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/agree");
    let mut compared = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        let first = text.lines().next().unwrap_or_default();
        let names = first.strip_prefix("; models:").expect("the models in the first line");
        for name in names.split_whitespace() {
            let model = Model::named(name).expect("a model of the library");
            let result = judge_text(&text, &model, LIMIT);
            assert!(matches!(result, Comparison::Agree(_)), "{path:?} under {name}: {result:?}");
            compared += 1;
        }
    }
    assert!(compared > 0);
}

/// On Power a lock is a pair of exclusives, which may fail spuriously: that is not a deadlock.
#[test]
fn verify_and_oracle_agree_about_locks_of_exclusives() {
    let family = Some("machines".to_string());
    let report = programs(family, 8);
    assert!(report.differ.is_empty(), "{} programs differ", report.differ.len());
    assert_eq!(report.agree.get("power"), Some(&1));
}

/// A block is used after its `free` in the same executions in which an assertion fails.
#[test]
fn a_use_after_free_is_confirmed_besides_a_failed_assertion() {
    let family = Some("orders".to_string());
    let report = programs(family, 390);
    assert!(report.differ.is_empty(), "{} programs differ", report.differ.len());
    assert!(!report.agree.is_empty(), "nothing was compared");
}

/// Programs in the words of the Linux kernel, under its model: accesses, locks, RCU.
#[test]
fn solver_and_oracle_agree_about_programs_of_the_kernel() {
    // The oracle would enumerate their executions for minutes.
    const TOO_MANY: [&str; 2] = ["atomic_counts.c", "inc_not_zero.c"];
    // The solver numbers threads by the places that start them, and `pthread_create` has two.
    const THREADS: &str = "#include <lkmm.h>\n\
         #define pthread_create(thread, attr, start, arg) (*(thread) = __fp_spawn(start, arg))\n\
         #define pthread_join(thread, result) __fp_join(thread)\n";
    let lkmm = Model::named("lkmm").expect("a model of the library");
    let (mut agree, mut refused) = (0, 0);
    for entry in std::fs::read_dir(xtask::root().join("corpus/verify/kernel")).unwrap() {
        let path = entry.unwrap().path();
        if TOO_MANY.iter().any(|name| path.ends_with(name)) {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let text = text.replace("#include <lkmm.h>\n", THREADS);
        match xtask::agree::programs::judge_text(&text, &lkmm, LIMIT) {
            Comparison::Differ(what) => panic!("{path:?}: {what}"),
            Comparison::Agree(_) => agree += 1,
            // Locks are loops of accesses here, and the encoding knows no values of these.
            Comparison::Refused(why) if why == "encoding: values from nothing" => refused += 1,
            Comparison::Refused(why) => panic!("{path:?}: {why}"),
        }
    }
    assert!(agree > 50 && refused * 10 < agree, "{agree} compared, {refused} refused");
    let report = programs(Some("kernel".to_string()), 1);
    assert!(report.differ.is_empty(), "{} programs differ", report.differ.len());
    assert!(!report.agree.is_empty(), "nothing was compared");
}

/// Plain and atomic accesses go to one location, which a single thread uses in the last of these.
#[test]
fn solver_and_oracle_agree_about_mixed_accesses_under_c11() {
    for seed in [41018, 41036, 12, 32] {
        let report = random(Some("others".to_string()), seed, false);
        assert!(report.differ.is_empty(), "{} programs differ", report.differ.len());
        assert_eq!(report.agree.get("c11"), Some(&1), "seed {seed}");
    }
}

/// The random C program of a seed, on the models of a family; it uses nothing of the library.
fn programs(family: Option<String>, seed: u64) -> xtask::agree::programs::Report {
    random(family, seed, true)
}

fn random(family: Option<String>, seed: u64, plain: bool) -> xtask::agree::programs::Report {
    checked(family, seed, plain, false)
}

/// Words are also accessed by their halves and bytes: by an AMO of some bytes before a plain load of
/// all.
#[test]
fn programs_that_access_words_in_parts_agree() {
    for (family, model) in [("orders", "tso"), ("machines", "riscv")] {
        let report = checked(Some(family.to_string()), 1031, false, true);
        assert!(report.differ.is_empty(), "{} programs differ", report.differ.len());
        assert_eq!(report.agree.get(model), Some(&1), "{model}");
    }
}

fn checked(
    family: Option<String>,
    seed: u64,
    plain: bool,
    parts: bool,
) -> xtask::agree::programs::Report {
    let (limit, ends, verbose) = (LIMIT.as_secs_f64(), false, false);
    let options = xtask::agree::programs::ProgramsOptions {
        count: 1,
        seed,
        family,
        limit,
        plain,
        parts,
        ends,
        verbose,
    };
    xtask::agree::programs::check(&options, &mut |text| println!("{text}"), &mut |_| {})
}
