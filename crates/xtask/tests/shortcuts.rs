//! States say the same, whatever shortcuts are taken to visit them.

use xtask::shortcuts::compare;

#[test]
fn shortcuts_change_nothing() {
    let count = compare(1390..1414);
    assert!(count.differ.is_empty(), "{:#?}", count.differ);
    assert!(count.same > 200 && count.violated > 5, "{count:?}");
    assert!(count.fewer.iter().all(|&fewer| fewer > 5), "{count:?}");
}
