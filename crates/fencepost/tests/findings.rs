//! Every kind of finding as the user sees it: one program and one snapshot each.

use libtest_mimic::{Arguments, Trial};
use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut programs: Vec<PathBuf> = std::fs::read_dir(root.join("corpus/findings"))
        .expect("the corpus is there")
        .map(|entry| entry.expect("a file").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
        .collect();
    programs.sort();
    let trials = programs.into_iter().map(|path| {
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let root = root.clone();
        Trial::test(name.clone(), move || {
            insta::with_settings!({ prepend_module_to_snapshot => false }, {
                insta::assert_snapshot!(name.clone(), shown(&root, &name));
            });
            Ok(())
        })
    });
    libtest_mimic::run(&Arguments::from_args(), trials.collect()).exit();
}

/// What the user sees: the command, both outputs, the exit status.
fn shown(root: &Path, name: &str) -> String {
    let file = format!("corpus/findings/{name}.c");
    let source = std::fs::read_to_string(root.join(&file)).expect("readable");
    let options = source.lines().find_map(|line| line.strip_prefix("// fencepost run: "));
    let options: Vec<&str> = options.unwrap_or_default().split_whitespace().collect();
    let output = Command::new(env!("CARGO_BIN_EXE_fencepost"))
        .current_dir(root)
        .arg("run")
        .arg(&file)
        .args(&options)
        .output()
        .expect("it starts");
    let text = |bytes: &[u8]| {
        let text = String::from_utf8_lossy(bytes).trim_end().to_owned();
        if options.contains(&"--schedules") { without_seeds(&text) } else { text }
    };
    let command = [&["fencepost", "run", &file], &options[..]].concat().join(" ");
    format!(
        "$ {command}\n{}\n-- stderr\n{}\n-- exit status {}",
        text(&output.stdout),
        text(&output.stderr),
        output.status.code().expect("not killed")
    )
}

/// Which of many schedules shows the finding changes with every change of a header or of the
/// lowering; the snapshot is about the finding.
fn without_seeds(text: &str) -> String {
    let line = |line: &str| match line.split_once(" --seed ") {
        Some((command, _)) => format!("{command} --seed N\n"),
        None if line.ends_with("schedules run: a finding") => "N schedules run: a finding\n".into(),
        None if line.contains(" ended with status ") => String::new(),
        None => format!("{line}\n"),
    };
    text.lines().map(line).collect::<String>().trim_end().to_owned()
}
