//! Code as real projects write it: what `fencepost` says about each file of `corpus/real`.
//!
//! A file begins with the commands whose output is recorded, `//$ verify FILE --model sc`, in which
//! `FILE` is the file itself. After a deliberate change run the test with `INSTA_UPDATE=always` and
//! read the difference as a user would.

use libtest_mimic::{Arguments, Trial};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/real")
}

fn main() -> ExitCode {
    let entries = std::fs::read_dir(folder()).expect("corpus/real");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "c"));
    files.sort();
    let trials = files.iter().filter_map(|file| {
        let name = file.file_stem()?.to_str()?.to_string();
        let commands = commands(file);
        (!commands.is_empty()).then(|| {
            Trial::test(name.clone(), move || {
                check(&name, &commands);
                Ok(())
            })
        })
    });
    libtest_mimic::run(&Arguments::from_args(), trials.collect()).exit_code()
}

/// The commands of a file, each as its arguments. Files of a program of several have none but in
/// the first.
fn commands(file: &Path) -> Vec<Vec<String>> {
    let text = std::fs::read_to_string(file).expect("a text");
    let name = file.file_name().and_then(|name| name.to_str()).expect("a name").to_string();
    let lines = text.lines().filter_map(|line| line.strip_prefix("//$ "));
    lines.map(|line| words(line).iter().map(|word| word.replace("FILE", &name)).collect()).collect()
}

/// The words of a line; single quotes hold some together.
fn words(line: &str) -> Vec<String> {
    let parts = line.split('\'').enumerate();
    parts
        .flat_map(|(number, part)| match number % 2 {
            0 => part.split_whitespace().map(String::from).collect(),
            _ => vec![part.to_string()],
        })
        .collect()
}

fn check(name: &str, commands: &[Vec<String>]) {
    let mut text = String::new();
    for command in commands {
        let output = Command::new(env!("CARGO_BIN_EXE_fencepost"))
            .args(command)
            .args((command[0] == "check").then_some("--no-cache"))
            .current_dir(folder()) // messages name the file alone
            .output()
            .expect("fencepost starts");
        let part = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("messages are UTF-8");
        text += &format!("$ fencepost {}\n", command.join(" "));
        text += &part(&output.stdout);
        text += &part(&output.stderr);
        text += &format!("[exit {}]\n\n", output.status.code().expect("no signal"));
    }
    let mut settings = insta::Settings::new();
    settings.set_snapshot_path(folder());
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, text.trim_end()));
}
