//! What cannot be written is said, and is not a success: full disks, closed pipes, limits on files.
#![cfg(target_os = "linux")]

use std::fs::{self, OpenOptions};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::TempDir;

/// A program that prints, one that is violated, a data type, a litmus test, and one that holds.
const FILES: [(&str, &str); 5] = [
    ("prints.c", "#include <stdio.h>\nint main(void) { printf(\"hello\\n\"); return 0; }\n"),
    ("wrong.c", "#include <assert.h>\nint x;\nint main(void) { assert(x == 1); return 0; }\n"),
    ("type.c", "int x;\nvoid init(void) { x = 0; }\nint e(void) { return ++x; }\n"),
    (
        "SB.litmus",
        "X86 SB\n{ x=0; y=0; }\n P0 | P1 ;\n MOV [x],$1 | MOV [y],$1 ;\n \
         MOV EAX,[y] | MOV EAX,[x] ;\nexists (0:EAX=0 /\\ 1:EAX=0)\n",
    ),
    ("right.c", RIGHT),
];

/// The solver has to find out that this holds.
const RIGHT: &str = r#"
    #include <assert.h>
    #include <pthread.h>
    #include <stdatomic.h>
    atomic_int a, b, c, seen;
    void *first(void *p) { a = 1; b = 1; c = c + a; return p; }
    void *second(void *p) { if (b) seen = a + 1; c = 3; return p; }
    int main(void) {
        pthread_t s, t;
        pthread_create(&s, 0, first, 0);
        pthread_create(&t, 0, second, 0);
        pthread_join(s, 0);
        pthread_join(t, 0);
        assert(seen != 1);
        assert(c != 0);
        return 0;
    }
"#;

fn folder() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in FILES {
        fs::write(folder.path().join(name), text).expect("written");
    }
    folder
}

fn fencepost(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fencepost"));
    command.args(args).current_dir(folder).env("XDG_CACHE_HOME", folder);
    command
}

/// A command under the limits that a shell sets.
fn limited(folder: &Path, limits: &str, args: &[&str]) -> Output {
    let script = format!("{limits}; exec \"$0\" \"$@\"");
    let mut command = Command::new("sh");
    command.args(["-c", &script, env!("CARGO_BIN_EXE_fencepost")]).args(args);
    command.current_dir(folder).output().expect("the shell starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

/// Every command, with something to print.
const COMMANDS: [&[&str]; 16] = [
    &["--help"],
    &["--version"],
    &["help", "verify"],
    &["verify", "wrong.c"],
    &["verify", "wrong.c", "--json"],
    &["check", "type.c", "--test=( e | e )", "--model=sc"],
    &["check", "type.c", "--test=( e | e )", "--model=sc", "--json"],
    &["litmus", "SB.litmus"],
    &["litmus", "SB.litmus", "--json"],
    &["litmus", "SB.litmus", "--show"],
    &["models"],
    &["models", "--compare", "sc", "tso"],
    &["replay", "saved/wrong.assert.sc.json"],
    &["ir", "prints.c"],
    &["ir", "prints.c", "--check"],
    &["run", "prints.c"],
];

fn with_counterexample() -> TempDir {
    let folder = folder();
    let args = ["verify", "wrong.c", "--model=sc", "--save=saved"];
    fencepost(folder.path(), &args).output().expect("it runs");
    assert!(folder.path().join("saved/wrong.assert.sc.json").is_file());
    folder
}

#[test]
fn a_full_disk_is_said_and_is_no_success() {
    let folder = with_counterexample();
    for args in COMMANDS {
        let full = OpenOptions::new().write(true).open("/dev/full").expect("a full device");
        let output = fencepost(folder.path(), args).stdout(full).output().expect("it runs");
        let said = text(&output.stderr);
        let expected = "error: cannot write to standard output: No space left on device";
        assert!(said.contains(expected), "{args:?}: {said}");
        assert!(!said.contains("panicked"), "{args:?}: {said}");
        assert_eq!(output.status.code(), Some(2), "{args:?}: {said}");
    }
}

#[test]
fn a_closed_pipe_is_said_and_is_no_success() {
    let folder = with_counterexample();
    for args in COMMANDS {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let output = fencepost(folder.path(), args).stdout(writer).output().expect("it runs");
        let said = text(&output.stderr);
        assert!(
            said.contains("error: cannot write to standard output: Broken pipe"),
            "{args:?}: {said}"
        );
        assert_eq!(output.status.code(), Some(2), "{args:?}: {said}");
    }
}

#[test]
fn messages_that_are_lost_are_no_panic_either() {
    let folder = folder();
    let runs: [(&[&str], i32); 4] = [
        (&["verify", "missing.c"], 2),
        (&["verify", "wrong.c", "--model=sc", "--save=saved"], 1),
        (&["litmus", "missing"], 2),
        (&["--no-such-option"], 2),
    ];
    for (args, status) in runs {
        let full = OpenOptions::new().write(true).open("/dev/full").expect("a full device");
        let output = fencepost(folder.path(), args).stderr(full).output().expect("it runs");
        assert_eq!(output.status.code(), Some(status), "{args:?}");
    }
}

fn files_of(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("readable").path()).collect();
    files.sort();
    files
}

#[test]
fn no_part_of_a_file_is_left_where_there_is_no_room() {
    let folder = folder();
    let runs: [&[&str]; 4] = [
        &["verify", "wrong.c", "--model=sc", "--html=out"],
        &["verify", "right.c", "--model=rc11", "--engine=sat", "--proof=out/a.lrat"],
        &["verify", "right.c", "--model=rc11", "--engine=sat", "--dimacs=out"],
        &["litmus", "SB.litmus", "--show=out"],
    ];
    for args in runs {
        let out = folder.path().join("out");
        let _ = fs::remove_dir_all(&out);
        fs::create_dir(&out).expect("a folder");
        let output = limited(folder.path(), "ulimit -f 1", args);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {said}");
        assert!(said.contains("error: ") && said.contains("File too large"), "{args:?}: {said}");
        let whole = |file: &PathBuf| file.extension().is_some_and(|end| end == "json");
        let left: Vec<PathBuf> = files_of(&out).into_iter().filter(|file| !whole(file)).collect();
        assert_eq!(left, Vec::<PathBuf>::new(), "{args:?}");
    }
}

#[test]
fn a_json_document_says_what_is_wrong_with_the_input() {
    let folder = folder();
    fs::write(folder.path().join("bad.c"), "int f(").expect("written");
    fs::write(folder.path().join("bad.m"), "int f(").expect("written");
    fs::write(folder.path().join("bad.litmus"), "int f(").expect("written");
    for (command, file) in [
        ("check", "bad.c"),
        ("verify", "bad.c"),
        ("prove", "bad.c"),
        ("murphi", "bad.m"),
        ("litmus", "bad.litmus"),
        ("check", "missing.c"),
        ("murphi", "missing.m"),
        ("litmus", "missing.litmus"),
    ] {
        let output =
            fencepost(folder.path(), &[command, file, "--json"]).output().expect("it runs");
        let document: serde_json::Value =
            serde_json::from_slice(&output.stdout).expect("a document");
        let first = document["errors"].get(0).unwrap_or(&document);
        let error = first["error"].as_str().unwrap_or_default();
        assert!(error.starts_with("error: ") && error.contains(file), "{command}: {document}");
        assert_eq!(output.status.code(), Some(2), "{command} {file}");
    }
}

#[test]
fn a_file_that_is_missing_is_named_whatever_is_asked() {
    let folder = folder();
    let args = ["verify", "missing.c", "--outcomes", "x"];
    let output = fencepost(folder.path(), &args).output().expect("it runs");
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(text.starts_with("error: cannot read `missing.c`"), "{text}");
}

#[test]
fn a_json_document_is_printed_though_pages_are_not_written() {
    let folder = folder();
    let runs: [&[&str]; 2] = [
        &["verify", "wrong.c", "--model=sc", "--json"],
        &["check", "type.c", "--test=( e | e )", "--model=sc", "--json", "--no-cache"],
    ];
    fs::write(folder.path().join("file"), "").expect("written");
    for args in runs {
        for (html, limits) in [("--html=file", "true"), ("--html=pages", "ulimit -f 1")] {
            let output = limited(folder.path(), limits, &[args, &[html]].concat());
            let said = text(&output.stderr);
            assert_eq!(output.status.code(), Some(2), "{args:?} {html}: {said}");
            assert!(said.contains("error: cannot "), "{args:?} {html}: {said}");
            let document: Result<serde_json::Value, _> = serde_json::from_slice(&output.stdout);
            let document = document.unwrap_or_else(|e| panic!("{args:?} {html}: {e}"));
            assert!(text(&output.stdout).contains("\"violated\""), "{document}");
        }
    }
}

#[test]
fn a_proof_of_an_earlier_run_does_not_stay() {
    let folder = folder();
    let proof = |name: &str| folder.path().join(name);
    let run = |args: &[&str]| {
        let output = fencepost(folder.path(), args).output().expect("it runs");
        (output.status.code(), text(&output.stderr))
    };
    let right = ["verify", "right.c", "--engine=sat", "--proof=p.lrat", "--model=rc11"];
    assert_eq!(run(&right).0, Some(0));
    assert!(proof("p.lrat").is_file() && proof("p.cnf").is_file());
    // Now the answer is another one.
    let wrong = ["verify", "wrong.c", "--proof=p.lrat", "--model=rc11"];
    let (status, said) = run(&wrong);
    assert_eq!(status, Some(1), "{said}");
    assert!(said.contains("there is no proof"), "{said}");
    assert!(!proof("p.lrat").exists() && !proof("p.cnf").exists());
    // Several answers have names of their own.
    assert_eq!(run(&right).0, Some(0));
    assert_eq!(run(&[&right[..], &["--model=sc"]].concat()).0, Some(0));
    assert!(!proof("p.lrat").exists() && proof("p.right.rc11.lrat").is_file());
    // One that cannot be written.
    assert_eq!(run(&right).0, Some(0));
    let output = limited(folder.path(), "ulimit -f 1", &right);
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
    assert!(!proof("p.lrat").exists() && !proof("p.cnf").exists());
}

#[test]
fn a_folder_that_may_not_be_written_is_said_before_work_begins() {
    let folder = folder();
    let args = ["verify", "right.c", "--model=sc", "--proof=/proc/p.lrat"];
    let output = fencepost(folder.path(), &args).output().expect("it runs");
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("error: cannot write `/proc/p.lrat`"));
    assert!(output.stdout.is_empty());
}

/// Nothing prints but the console: a `print` that fails is a panic.
#[test]
fn only_the_console_prints() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut folders = vec![root];
    while let Some(folder) = folders.pop() {
        for path in files_of(&folder) {
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let source = fs::read_to_string(&path).expect("UTF-8");
            let lines = source.lines().filter(|line| !line.trim_start().starts_with("//"));
            let prints = |line: &&str| line.contains("print!(") || line.contains("println!(");
            let found: Vec<&str> = lines.filter(prints).collect();
            assert_eq!(found, Vec::<&str>::new(), "{}", path.display());
        }
    }
}
