//! What SOUNDNESS.md promises about its register: that it is what the source files say, and that
//! every entry has an id of its own, a direction, and tests that exist.

use xtask::soundness::{collect, difference};

#[test]
fn every_entry_is_complete_and_its_tests_exist() {
    let (entries, errors) = collect(&xtask::root());
    assert!(errors.is_empty(), "{}", errors.join("\n"));
    assert!(entries.len() > 3, "only {} entries were found", entries.len());
}

#[test]
fn the_register_is_what_the_source_files_say() {
    let (entries, _) = collect(&xtask::root());
    let text = std::fs::read_to_string(xtask::root().join("SOUNDNESS.md")).unwrap();
    assert_eq!(difference(&text, &entries), None);
}

#[test]
fn a_malformed_entry_is_an_error() {
    let root = std::env::temp_dir().join(format!("fencepost-soundness-{}", std::process::id()));
    std::fs::create_dir_all(root.join("crates/x")).unwrap();
    let entry = |id: u32, model: &str, test: &str| {
        format!("//! Soundness S-{id:03} (verify; {model}; misses): A. Test: {test}.\n//!\n")
    };
    let text = entry(1, "all", "untested")
        + &entry(1, "all", "untested")
        + &entry(2, "fast", "untested")
        + &entry(3, "all", "crates/x/a.rs::missing")
        + &entry(4, "all", "corpus/missing.c")
        + "//! Soundness S-005 (verify; all): No direction. Test: untested.\n";
    std::fs::write(root.join("crates/x/a.rs"), text).unwrap();
    let (entries, errors) = collect(&root);
    std::fs::remove_dir_all(&root).unwrap();
    assert_eq!(entries.len(), 5);
    let all = errors.join("\n");
    for expected in [
        "S-001 is also an entry of crates/x/a.rs",
        "S-002 names the unknown model `fast`",
        "S-003: crates/x/a.rs has no function `missing`",
        "S-004: `corpus/missing.c` does not exist",
        "commands, models and directions are separated by `;`",
    ] {
        assert!(all.contains(expected), "{expected} is missing in:\n{all}");
    }
}
