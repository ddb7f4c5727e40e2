//! A sample of the comparison of mutexes that are encoded directly with those that are not.

use std::time::Duration;
use xtask::ways::compare;

#[test]
fn both_ways_of_encoding_mutexes_agree() {
    let count = compare(0..5, &["armv8".to_string()], Duration::from_secs(20));
    assert!(count.differ.is_empty(), "{:?}", count.differ);
    assert!(count.same >= 20 && count.violated > 0, "{count:?}");
}
