//! A sample of the comparison of rewritten programs with the models.

use xtask::instrument::{InstrumentOptions, check};

#[test]
fn rewritten_programs_do_on_sc_what_the_programs_do_on_the_model() {
    let litmus = |part: &str, count| InstrumentOptions {
        corpus: Some(part.into()),
        count,
        limit: 60.0,
        ..InstrumentOptions::default()
    };
    for (part, count, same, weak) in [("litmus/mp_rel", 3, 5, 1), ("litmus/sb_rel", 0, 4, 2)] {
        let report = check(&litmus(part, count), &mut |text| println!("{text}"));
        assert_eq!(report.differ, Vec::<String>::new());
        assert!(report.same >= same && report.weak >= weak, "{part}: {report:?}");
    }
}

#[test]
fn litmus_tests_do_on_sc_what_they_do_on_models_with_late_loads() {
    let options = InstrumentOptions {
        shapes: Some("MP with relaxed".into()),
        litmus: 2,
        seed: 3,
        models: vec!["relaxed".into(), "armv8".into(), "power".into()],
        limit: 60.0,
        ..InstrumentOptions::default()
    };
    let report = check(&options, &mut |text| println!("{text}"));
    assert_eq!(report.differ, Vec::<String>::new());
    assert!(report.same >= 6 && report.weak >= 3, "{report:?}");
}

#[test]
fn a_hidden_cycle_shows() {
    let hidden = InstrumentOptions {
        corpus: Some("litmus/sb_relaxed".into()),
        hidden: true,
        ..InstrumentOptions::default()
    };
    let report = check(&hidden, &mut |_| {});
    assert!(!report.differ.is_empty(), "{report:?}");
}
