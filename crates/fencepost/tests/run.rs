//! The command `fencepost run`, as users meet it: outputs, exit statuses, many schedules.

use std::process::{Command, Output, Stdio};

#[cfg(target_os = "linux")]
#[path = "common/signal.rs"]
mod signal;

/// Runs the command on a text in its own folder.
fn run(source: &str, args: &[&str]) -> Output {
    let folder = tempfile::tempdir().expect("a folder");
    let source = format!("fpir 1\nfile \"p.fpir\"\nentry main\n\n{source}");
    std::fs::write(folder.path().join("p.fpir"), source).expect("written");
    Command::new(env!("CARGO_BIN_EXE_fencepost"))
        .args(["run", "p.fpir"])
        .args(args)
        .current_dir(folder.path())
        .output()
        .expect("the program starts")
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("UTF-8")
}

/// Two threads increment a counter without protection; `main` asserts that it is 2.
const RACE: &str = r#"
global @n: 4 align 4

fn work() {
  reg %x: i32
b0:
  %x = load i32 [@n "n"]
  %x = add i32 %x, 1
  store i32 [@n "n"], %x
  return
}

fn main() -> i32 {
  reg %t: i64, %x: i32, %ok: i1
b0:
  %t = spawn work()
  call work()
  join %t
  %x = load i32 [@n "n"]
  %ok = eq i32 %x, 2
  assert %ok, "n == 2" !23:3-9
  return i32 0
}
"#;

#[test]
fn outputs_and_status_are_the_programs() {
    let output = run(
        "fn main() -> i32 {\nb0:\n  print stdout, \"out\\n\"\n  print stderr, \"err\\n\"\n  exit i32 300\n}",
        &[],
    );
    assert_eq!(text(&output.stdout), "out\n");
    assert_eq!(text(&output.stderr), "err\n");
    assert_eq!(output.status.code(), Some(300 % 256));
}

#[test]
fn arguments_after_two_dashes_go_to_the_program() {
    let source = "fn main(%argc: i32, %argv: i64) -> i32 {
  reg %p: i64
b0:
  %p = load i64 [%argv]
  print stdout, str(%p)
  %p = add i64 %argv, 16
  %p = load i64 [%p]
  print stdout, str(%p)
  return %argc
}";
    let output = run(source, &["--", "-x", " two"]);
    assert_eq!(text(&output.stdout), "p.fpir two");
    assert_eq!(output.status.code(), Some(3));
}

#[test]
fn many_schedules_stop_at_the_first_finding_and_name_its_seed() {
    let output = run(RACE, &["--schedules", "500"]);
    assert_eq!(output.status.code(), Some(1));
    let message = text(&output.stderr);
    let seed = message
        .lines()
        .find_map(|line| line.strip_prefix("note: to see this run again: fencepost run p.fpir "))
        .expect("the command is shown");
    let again = run(RACE, &seed.split(' ').collect::<Vec<_>>());
    assert_eq!(again.status.code(), Some(1));
    assert!(message.starts_with(text(&again.stderr).trim_end()), "{message}");
    assert!(message.contains("schedules run: a finding"), "{message}");
}

#[test]
fn many_schedules_without_a_finding_are_summed_up() {
    let source = "
fn main() -> i32 {
  reg %x: i32, %ok: i1
b0:
  %x = choose i32 0..3
  %ok = ne i32 %x, 0
  assume %ok
  %x = sub i32 %x, 1
  return %x
}";
    let output = run(source, &["--schedules", "400"]);
    insta::assert_snapshot!(text(&output.stderr));
    assert_eq!(output.status.code(), Some(1), "the first status that is not 0");
}

#[test]
fn a_bound_that_is_reached_says_where_the_threads_are() {
    let source = "
global @flag: 4 align 4

fn spin() {
  reg %x: i32, %t: i1
b0:
  jump b1
b1:
  %x = load.rlx i32 [@flag \"flag\"] !13:3-5
  %t = ne i32 %x, 0 !13:3-5
  branch %t, b2, b1 !13:3-5
b2:
  return
}

fn main() -> i32 {
  reg %a: i64
b0:
  %a = spawn spin() !22:3-5
  join %a !23:3-5
  return i32 0
}";
    let output = run(source, &["--max-steps", "1000"]);
    assert_eq!(output.status.code(), Some(3));
    insta::assert_snapshot!(text(&output.stderr));
    let output = run(source, &["--max-steps", "1000", "--schedules", "3"]);
    assert_eq!(output.status.code(), Some(3));
    insta::assert_snapshot!(text(&output.stderr));
}

#[test]
fn wrong_input_has_its_own_status() {
    let output = run("fn main() -> i32 {\nb0:\n  %x = copy i32 1\n  return i32 0\n}", &[]);
    assert_eq!(output.status.code(), Some(2));
    let output = Command::new(env!("CARGO_BIN_EXE_fencepost"))
        .args(["run", "no-such-file.c"])
        .output()
        .expect("the program starts");
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("no-such-file.c"));
}

#[cfg(unix)]
#[test]
fn a_reader_that_goes_away_ends_the_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let source = "fpir 1\nentry main\nfn main() -> i32 {\nb0:\n  jump b1\nb1:\n  print stdout, \"y\\n\"\n  jump b1\n}";
    let file = folder.path().join("yes.fpir");
    std::fs::write(&file, source).expect("written");
    let mut child = Command::new(env!("CARGO_BIN_EXE_fencepost"))
        .args(["run", "--max-steps", "1000000000000"])
        .arg(&file)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    drop(child.stdout.take());
    // What is printed is lost: this is not a success.
    assert_eq!(child.wait().expect("it ends").code(), Some(2));
}

#[test]
fn the_help_teaches() {
    let help = |args: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_fencepost")).args(args).output();
        text(&output.expect("the program starts").stdout).to_owned()
    };
    insta::assert_snapshot!(help(&["help", "run"]));
}

#[test]
fn shells_man_and_readers_of_models_are_served() {
    let said = |args: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_fencepost")).args(args).output();
        let output = output.expect("the program starts");
        (output.status.code(), text(&output.stdout).to_owned())
    };
    for shell in ["bash", "zsh", "fish"] {
        let (code, script) = said(&["completions", shell]);
        assert!(code == Some(0) && script.contains("max-unroll"), "{shell}: {script}");
    }
    let (code, page) = said(&["man"]);
    assert!(code == Some(0) && page.contains(".TH fencepost") && page.contains("verify"));
    let (code, page) = said(&["man", "check"]);
    assert!(code == Some(0) && page.contains("max\\-unroll"), "{page}");
    assert_eq!(said(&["man", "nothing"]).0, Some(2));
    let (code, model) = said(&["models", "tso"]);
    assert!(code == Some(0) && model.starts_with("tso: x86 and SPARC total store order"));
    assert!(model.contains("acyclic"), "its text: {model}");
}

#[cfg(target_os = "linux")]
#[test]
fn an_interrupt_tells_what_is_known_so_far() {
    let folder = tempfile::tempdir().expect("a folder");
    let source = "fpir 1\nentry main\nfn main() -> i32 {\nb0:\n  jump b0\n}";
    std::fs::write(folder.path().join("spin.fpir"), source).expect("written");
    for (options, expected) in [
        (&[][..], "the main thread is running at spin.fpir:5"),
        (&["--schedules", "5"][..], "0 of 5 schedules run, then interrupted: no finding"),
    ] {
        let child = signal::fencepost()
            .args(["run", "spin.fpir", "--max-steps", "1000000000000"])
            .args(options)
            .current_dir(folder.path())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        signal::await_handlers(&child);
        signal::send("-INT", &child);
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), Some(130));
        assert!(text(&output.stderr).contains(expected), "{}", text(&output.stderr));
    }
}
