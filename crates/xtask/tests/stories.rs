//! The stories of random counterexamples are true: a sample of `xtask stories`.

use xtask::stories::{StoriesOptions, check};

#[test]
fn the_order_shown_is_the_models_and_the_blamed_pairs_are_edges_of_the_cycle_it_would_need() {
    let options = StoriesOptions { count: 6, seed: 55, limit: 0.5 };
    let report = check(&options, &mut |text| println!("{text}"));
    assert!(report.wrong.is_empty(), "{} stories are wrong", report.wrong.len());
    let stories: u64 = report.stories.values().sum();
    assert!(report.violated == 6 && stories > 15, "{} of {stories}", report.violated);
    assert!(report.pairs[0] > 5 && report.pairs[1] > 2 && report.unseen > 0, "{:?}", report.pairs);
}
