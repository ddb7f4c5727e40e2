//! `fencepost murphi` as it is called: exit codes, traces, JSON, limits.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/murphi")
}

fn murphi(model: &str, options: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_fencepost"))
        .args(["murphi", model])
        .args(options)
        .current_dir(corpus())
        .output()
        .expect("fencepost starts")
}

fn text(output: &Output) -> String {
    let text = String::from_utf8(output.stdout.clone()).expect("results are UTF-8");
    // The time differs.
    let line = |line: &str| match line.rsplit_once("; ") {
        Some((rest, seconds)) if seconds.ends_with(" s") => rest.to_string(),
        _ => line.to_string(),
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_model_that_holds() {
    let output = murphi("german.m", &[]);
    assert_eq!(output.status.code(), Some(0));
    let expected = "german.m: holds\n852 states, 2491 rules fired, 18 steps deep, up to symmetry";
    assert_eq!(text(&output), expected);
    let output = murphi("german.m", &["--symmetry", "off", "--threads", "2"]);
    assert_eq!(text(&output), "german.m: holds\n3390 states, 9912 rules fired, 18 steps deep");
}

#[test]
fn violations_are_shown_by_the_variables_that_change() {
    let output = murphi("snoop-msi-no-write-back.m", &[]);
    assert_eq!(output.status.code(), Some(1));
    insta::assert_snapshot!("violated", text(&output));
    for (model, code) in [("lang-cover-missed.m", 1), ("philosophers.m", 1), ("lang-error.m", 1)] {
        let output = murphi(model, &[]);
        assert_eq!(output.status.code(), Some(code), "{model}");
        insta::assert_snapshot!(model, text(&output));
    }
}

#[test]
fn deadlocks_are_what_the_option_says() {
    let verdict = |mode: &str| murphi("lang-deadlock-stuttering.m", &["--deadlock", mode]).status;
    assert_eq!(verdict("stuttering").code(), Some(1));
    assert_eq!(verdict("stuck").code(), Some(0));
    assert_eq!(verdict("off").code(), Some(0));
}

#[test]
fn a_limit_is_inconclusive_and_says_what_is_known() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("endless.m");
    let counter =
        "var x: array[0..5] of 0..999; startstate begin for i: 0..5 do x[i] := 0; end; end;
        ruleset i: 0..5 do rule x[i] < 999 ==> x[i] := x[i] + 1; end; end;";
    std::fs::write(&file, counter).unwrap();
    let output = murphi(file.to_str().unwrap(), &["--time-limit", "0.3", "--json"]);
    assert_eq!(output.status.code(), Some(3));
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["verdict"], "unknown");
    assert_eq!(json["reason"], "the time limit was reached");
    assert!(json["states"].as_u64().unwrap() > 100);
}

#[test]
fn json_has_the_steps() {
    let output = murphi("lang-error.m", &["--json"]);
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&json["verdict"], &json["kind"]), (&"violated".into(), &"error".into()));
    let steps = json["steps"].as_array().unwrap();
    assert_eq!(steps.len(), 4);
    assert_eq!(steps[1]["changes"][0]["variable"], "n");
    assert_eq!(steps[3]["fails"], true);
}

#[test]
fn a_wrong_model_is_an_error_of_the_input() {
    let output = murphi("../murphi-bad/syntax-missing-arrow.m", &[]);
    assert_eq!(output.status.code(), Some(2));
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.contains("syntax-missing-arrow.m:") && message.contains('^'), "{message}");
    assert_eq!(murphi("missing.m", &[]).status.code(), Some(2));
}

#[test]
fn a_proof_for_any_number_and_a_number_that_violates() {
    let example = |name: &str, set: &str| {
        let output = murphi(&format!("../../examples/murphi/{name}"), &["--cmp", set]);
        (output.status.code(), text(&output))
    };
    let (code, said) = example("german.m", "Client");
    assert_eq!(code, Some(0));
    assert!(said.contains("proved for any number of members of Client"), "{said}");
    let (code, said) = example("set-lockfree-buggy.m", "Thread");
    assert_eq!(code, Some(1));
    assert!(said.contains("VIOLATED (assertion) with Thread: scalarset(2)"), "{said}");
    let (code, said) = example("../../corpus/murphi/peterson-n.m", "Proc");
    assert_eq!(code, Some(2), "{said}");
}

#[test]
fn lemmas_are_mined_printed_saved_and_read() {
    let folder = tempfile::tempdir().unwrap();
    let saved = folder.path().join("lemmas.m");
    let saved = saved.to_str().unwrap();
    let german = |options: &[&str]| {
        let all = [&["--cmp", "Client"], options].concat();
        let output = murphi("../../examples/murphi/german.m", &all);
        (output.status.code(), text(&output))
    };
    let (code, said) = german(&["--lemmas", "mined", "--save-lemmas", saved]);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("(state[j] = Exclusive -> "), "{said}");
    let (code, said) = german(&["--lemmas", saved]);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("by the lemmas in"), "{said}");
    let (code, said) = german(&["--lemmas", "none"]);
    assert_eq!(code, Some(3), "{said}");
    assert!(said.contains("another Client") && said.contains("-- fails here"), "{said}");
    let (code, said) = german(&["--lemmas", "mined", "--json"]);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("\"kept\":") && said.contains("\"minimal\": true"), "{said}");
    // What is not an invariant would change the model.
    std::fs::write(saved, "rule true ==> exclusive := false; end;").unwrap();
    let output = murphi("../../examples/murphi/german.m", &["--cmp", "Client", "--lemmas", saved]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8(output.stderr).unwrap().contains("alone"));
}
