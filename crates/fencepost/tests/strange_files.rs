//! Inputs without an end, or larger than any input is, are refused; pipes are read.
#![cfg(target_os = "linux")]

use std::fs::{self, File};
use std::io::Write;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Output, Stdio};

fn fencepost(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fencepost"));
    command.args(args).current_dir(folder).env("XDG_CACHE_HOME", folder);
    command
}

fn said(output: &Output) -> String {
    String::from_utf8([&output.stdout[..], &output.stderr[..]].concat()).expect("UTF-8")
}

const LITMUS: &str = "X86 SB\n{ }\n P0 ;\n MOV [x],$1 ;\nexists (x=1)\n";

/// Every place where a file is read, for a file with this name before its ending.
fn runs(stem: &str) -> Vec<Vec<String>> {
    let runs = [
        "verify STEM.c",
        "run STEM.c",
        "ir STEM.c",
        "ir STEM.fpir",
        "ir STEM.litmus",
        "check STEM.c",
        "check type.c --suite STEM.toml",
        "check type.c --spec STEM.c",
        "litmus STEM.litmus",
        "litmus @STEM.list",
        "litmus SB.litmus --model STEM.cat",
        "litmus SB.litmus --model includes-STEM.cat",
        "litmus SB.litmus --expect STEM.csv",
        "models --compare sc STEM.cat",
        "replay STEM.json",
        "verify includes-STEM.c",
    ];
    let words = |run: &str| run.replace("STEM", stem).split(' ').map(str::to_string).collect();
    runs.into_iter().map(words).collect()
}

fn all_refused(stem: &str, make: impl Fn(&Path)) {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    for ending in ["c", "fpir", "litmus", "toml", "list", "cat", "csv", "json", "h"] {
        make(&at(&format!("{stem}.{ending}")));
    }
    let type_c = "int x;\nvoid init(void) { x = 0; }\nint e(void) { return ++x; }\n";
    let files = [
        ("type.c".to_string(), type_c.to_string()),
        ("SB.litmus".to_string(), LITMUS.to_string()),
        (format!("includes-{stem}.cat"), format!("\"m\"\ninclude \"{stem}.cat\"\nacyclic po\n")),
        (format!("includes-{stem}.c"), format!("#include \"{stem}.h\"\nint main(void) {{}}\n")),
    ];
    for (name, text) in files {
        fs::write(at(&name), text).expect("written");
    }
    for args in runs(stem) {
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        // With little memory: what reads it all is found out soon.
        let script = "ulimit -v 4000000; exec \"$0\" \"$@\"";
        let output = Command::new("sh")
            .args(["-c", script, env!("CARGO_BIN_EXE_fencepost")])
            .args(&args)
            .current_dir(folder.path())
            .output()
            .expect("the shell starts");
        let said = said(&output);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {said}");
        assert!(said.contains("error: ") && !said.contains("panicked"), "{args:?}: {said}");
        // What a model includes has to be an ordinary file to be found at all.
        let why = [
            "neither an ordinary file nor a pipe",
            "not an ordinary file",
            "larger than 64 MiB",
            "looked next to the model",
        ];
        assert!(why.iter().any(|why| said.contains(why)), "{args:?}: {said}");
    }
}

#[test]
fn a_device_without_an_end_is_refused() {
    all_refused("zero", |path| symlink("/dev/zero", path).expect("linked"));
}

#[test]
fn a_huge_file_is_refused() {
    let huge = |path: &Path| File::create(path).and_then(|file| file.set_len(1 << 40));
    all_refused("huge", |path| huge(path).expect("a file with a hole"));
}

#[test]
fn a_pipe_is_read_to_its_end() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut child = fencepost(folder.path(), &["litmus", "/dev/stdin"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    child.stdin.take().expect("a pipe").write_all(LITMUS.as_bytes()).expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    assert!(said(&output).contains("Observation SB Always"), "{}", said(&output));
}

/// Two executables with the same size and time do not know each other's answers.
#[test]
fn answers_are_those_of_the_same_executable() {
    let folder = tempfile::tempdir().expect("a folder");
    let type_c = "int x;\nvoid init(void) { x = 0; }\nint e(void) { return 1; }\n";
    fs::write(folder.path().join("type.c"), type_c).expect("written");
    let own = Path::new(env!("CARGO_BIN_EXE_fencepost"));
    let time = fs::metadata(own).and_then(|data| data.modified()).expect("a time");
    let copy = |name: &str, last: &[u8]| {
        let path = folder.path().join(name);
        fs::copy(own, &path).expect("copied");
        let mut file = File::options().append(true).open(&path).expect("opened");
        file.write_all(last).expect("written");
        file.set_modified(time).expect("dated");
        path
    };
    let (one, other) = (copy("one", b"1"), copy("other", b"2"));
    let cached = |executable: &Path| {
        let output = Command::new(executable)
            .args(["check", "type.c", "--test=( e | e )", "--model=sc", "--json"])
            .current_dir(folder.path())
            .env("XDG_CACHE_HOME", folder.path())
            .output()
            .expect("it starts");
        let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        json["files"][0]["tests"][0]["results"][0]["cached"].as_bool().expect("a boolean")
    };
    assert!(!cached(&one));
    assert!(cached(&one));
    assert!(!cached(&other));
}
