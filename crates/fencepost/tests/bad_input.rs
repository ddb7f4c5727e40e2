//! Wrong and unsupported programs: what `fencepost run` says about each file of `corpus/bad`.
//!
//! The messages stand beside the programs. After a deliberate change run the test with
//! `INSTA_UPDATE=always` and read the difference as a user would.

use libtest_mimic::{Arguments, Trial};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// Doubtful programs that are run in spite of a warning, as compiled code would run.
const ONLY_WARNED: &[&str] = &[
    "init-too-many",
    "lex-unknown-escape",
    "order-failure-release",
    "pp-macro-redefined",
    "type-incompatible-pointers",
    "type-integer-to-pointer",
    "type-return-from-void",
];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/bad")
}

fn main() -> ExitCode {
    let entries = std::fs::read_dir(folder()).expect("corpus/bad");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "c"));
    files.sort();
    let trials = files.iter().filter_map(|file| {
        let name = file.file_stem()?.to_str()?.to_string();
        Some(Trial::test(name.clone(), move || {
            check(&name);
            Ok(())
        }))
    });
    libtest_mimic::run(&Arguments::from_args(), trials.collect()).exit_code()
}

fn check(name: &str) {
    let output = Command::new(env!("CARGO_BIN_EXE_fencepost"))
        .args(["run", &format!("{name}.c")])
        .current_dir(folder()) // messages name the file alone
        .output()
        .expect("fencepost starts");
    let text = String::from_utf8(output.stderr).expect("messages are UTF-8");
    let refused = output.status.code() == Some(2);
    assert_eq!(refused, !ONLY_WARNED.contains(&name), "whether {name}.c is refused:\n{text}");
    assert!(!text.is_empty(), "something is said about {name}.c");
    let mut settings = insta::Settings::new();
    settings.set_snapshot_path(folder());
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, text.trim_end()));
}
