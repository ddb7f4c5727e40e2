//! A sample of the comparison of rewritten programs with the models.

use xtask::instrument::{InstrumentOptions, check};

#[test]
fn rewritten_programs_do_on_sc_what_the_programs_do_on_the_model() {
    let litmus = InstrumentOptions {
        corpus: Some("litmus/mp_".into()),
        count: 6,
        limit: 3.0,
        ..InstrumentOptions::default()
    };
    let report = check(&litmus, &mut |text| println!("{text}"));
    assert_eq!(report.differ, Vec::<String>::new());
    assert!(report.same >= 12 && report.weak >= 2, "{report:?}");
}

#[test]
fn a_hidden_cycle_shows() {
    let hidden = InstrumentOptions {
        corpus: Some("litmus/mp_relaxed".into()),
        hidden: true,
        ..InstrumentOptions::default()
    };
    let report = check(&hidden, &mut |_| {});
    assert!(!report.differ.is_empty(), "{report:?}");
}
