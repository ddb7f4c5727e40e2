//! `--variant`: parts of a user's model that are switched on from the command line.

use std::process::{Command, Output};

const MODEL: &str = "\"SC, or TSO if asked\"
include \"cos.cat\"
let kept = if \"buffers\" then po \\ (W * R) else po
acyclic kept | rfe | co | fr as order
if \"strict\"
  empty W as nothing-is-written
end
";

fn run(arguments: &[&str]) -> Output {
    let folder = tempfile::tempdir().unwrap();
    let model = folder.path().join("mine.cat");
    std::fs::write(&model, MODEL).unwrap();
    Command::new(env!("CARGO_BIN_EXE_fencepost"))
        .args(["litmus", "corpus/litmus/X86/SB.litmus", "--model", &model.display().to_string()])
        .args(arguments)
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
        .output()
        .unwrap()
}

fn observation(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let line = text.lines().find(|line| line.starts_with("Observation")).unwrap();
    line.to_string()
}

#[test]
fn variants_choose_parts_of_a_model() {
    assert_eq!(observation(&[]), "Observation SB Never 0 3");
    assert_eq!(observation(&["--variant", "buffers"]), "Observation SB Sometimes 1 3");
    let both = observation(&["--variant", "buffers", "--variant", "strict"]);
    assert_eq!(both, "Observation SB Never 0 0");
}

#[test]
fn a_variant_that_no_model_asks_about_is_a_mistake() {
    let output = run(&["--variant", "bufers"]);
    assert_eq!(output.status.code(), Some(2));
    let text = String::from_utf8_lossy(&output.stderr);
    let line = "error: no model asks about variant `bufers`, only about buffers, strict\n";
    assert_eq!(text, line);
}
