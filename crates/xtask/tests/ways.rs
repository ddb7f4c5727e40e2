//! A sample of the comparison of what the solver is given about mutexes and symmetric threads with
//! what it finds out by itself.

use std::time::Duration;
use xtask::ways::compare;

#[test]
fn both_ways_agree() {
    let count = compare(0..5, &["armv8".to_string()], Duration::from_secs(20));
    assert!(count.differ.is_empty(), "{:?}", count.differ);
    assert!(count.same >= 20 && count.violated > 0, "{count:?}");
}
