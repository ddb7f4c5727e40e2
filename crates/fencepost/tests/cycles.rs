//! The command `fencepost cycles`, as users meet it: what it prints, its exit statuses, and what it
//! refuses.

use std::path::Path;
use std::process::Command;

/// Standard output, the messages, and the exit status.
fn cycles(args: &[&str]) -> (String, String, i32) {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/verify/litmus");
    let output = Command::new(env!("CARGO_BIN_EXE_fencepost"))
        .arg("cycles")
        .args(args)
        .current_dir(corpus)
        .output()
        .expect("fencepost starts");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr), output.status.code().expect("a status"))
}

#[test]
fn a_cycle_is_shown_with_its_lines_and_the_fences_that_cut_it() {
    let (said, _, status) = cycles(&["sb_relaxed.c", "--model", "tso"]);
    assert_eq!(status, 1);
    assert!(said.starts_with("tso: 1 critical cycle;"), "{said}");
    let lines = ["sb_relaxed.c:12:5: write of x", "sb_relaxed.c:13:10: read of y"];
    assert!(lines.iter().all(|line| said.contains(line)), "{said}");
    assert_eq!(said.matches("may be reordered").count(), 2, "{said}");
    assert!(said.contains("directly before sb_relaxed.c:13:10: read of y in thread_1"), "{said}");
}

#[test]
fn a_program_without_cycles_ends_with_zero() {
    let (said, _, status) = cycles(&["sb_fences.c", "--model", "tso,armv8"]);
    assert_eq!((status, said.matches("no critical cycle").count()), (0, 2), "{said}");
}

#[test]
fn the_same_is_said_in_json() {
    let (said, _, status) = cycles(&["mp_relaxed.c", "--model", "power", "--json"]);
    assert_eq!(status, 1);
    let document: serde_json::Value = serde_json::from_str(&said).expect("JSON");
    let result = &document["results"][0];
    assert_eq!((&result["model"], &result["none"]), (&"power".into(), &false.into()));
    assert_eq!(result["cycles"][0]["parts"].as_array().map(Vec::len), Some(2));
    assert_eq!(result["fences"].as_array().map(Vec::len), Some(2));
}

#[test]
fn wrong_input_is_refused_as_by_verify() {
    let (said, message, status) = cycles(&["missing.c", "--model", "tso"]);
    assert_eq!((said.as_str(), status), ("", 2));
    assert!(message.contains("missing.c"), "{message}");
    let (_, message, status) = cycles(&["sb_relaxed.c", "--model", "vax"]);
    assert_eq!(status, 2);
    assert!(message.contains("vax"), "{message}");
    let (_, message, status) = cycles(&["sb_relaxed.c", "--model", "lkmm"]);
    assert_eq!(status, 2);
    assert!(message.contains("not supported"), "{message}");
}
