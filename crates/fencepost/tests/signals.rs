//! The first signal to end prints what is known; the second ends at once.
#![cfg(target_os = "linux")]

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use tempfile::TempDir;

#[path = "common/signal.rs"]
mod signal;
use signal::{await_handlers, fencepost, send};

/// Takes far longer than any test waits.
const SLOW: &str = r#"
    #include <assert.h>
    #include <pthread.h>
    #include <stdatomic.h>
    atomic_int x[8];
    void *work(void *p) {
        for (int i = 0; i < 8; i++) for (int j = 0; j < 8; j++)
            atomic_fetch_add_explicit(&x[(i * 3 + j) % 8], x[j], memory_order_relaxed);
        return p;
    }
    int main(void) {
        pthread_t t[4];
        for (int i = 0; i < 4; i++) pthread_create(&t[i], 0, work, 0);
        for (int i = 0; i < 4; i++) pthread_join(t[i], 0);
        assert(x[0] != 12345);
        return 0;
    }
"#;

/// The oracle does not terminate with this, either.
fn slow_litmus() -> String {
    let column = |thread: usize| -> Vec<String> {
        let variables = ["x", "y", "z", "w"];
        let at = |step: usize| variables[(thread + step) % 4];
        (0..8)
            .flat_map(|step| {
                let (store, load) = (at(step), at(step + 1));
                [format!("MOV [{store}],${}", step + 1), format!("MOV EAX,[{load}]")]
            })
            .collect()
    };
    let columns: Vec<Vec<String>> = (0..4).map(column).collect();
    let mut text = "X86 slow\n{ }\n P0 | P1 | P2 | P3 ;\n".to_string();
    for row in 0..16 {
        let cells: Vec<&str> = columns.iter().map(|column| column[row].as_str()).collect();
        text += &format!(" {} ;\n", cells.join(" | "));
    }
    text + "exists (0:EAX=0)\n"
}

fn folder() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let files = [
        ("slow.c", SLOW.to_string()),
        ("slow.litmus", slow_litmus()),
        ("spin.fpir", "fpir 1\nentry main\nfn main() -> i32 {\nb0:\n  jump b0\n}".to_string()),
    ];
    for (name, text) in files {
        fs::write(folder.path().join(name), text).expect("written");
    }
    let quick = "X86 quick\n{ }\n P0 ;\n MOV [x],$1 ;\nexists (x=1)\n";
    fs::write(folder.path().join("quick.litmus"), quick).expect("written");
    folder
}

fn start(folder: &Path, args: &[&str]) -> Child {
    fencepost()
        .args(args)
        .current_dir(folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

fn stopped(folder: &Path, signal: &str, args: &[&str]) -> Output {
    let child = start(folder, args);
    await_handlers(&child);
    send(signal, &child);
    child.wait_with_output().expect("it ends")
}

#[test]
fn every_signal_to_end_prints_what_is_known() {
    let folder = folder();
    let args = ["verify", "slow.c", "--model=rc11", "--engine=sat", "--json"];
    for signal in ["-INT", "-TERM", "-HUP"] {
        let output = stopped(folder.path(), signal, &args);
        let document: serde_json::Value = serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|error| panic!("{signal}: {error}\n{}", text(&output.stderr)));
        let properties = &document["programs"][0]["models"][0]["properties"];
        let interrupted = properties.as_array().expect("a list").iter();
        let interrupted = interrupted.filter(|one| one["reason"]["kind"] == "interrupted");
        assert!(interrupted.count() > 0, "{signal}: {document}");
        assert_eq!(output.status.code(), Some(3), "{signal}");
    }
}

/// Each model has a column and an exit status that says so, also those whose turn had not come. (What
/// is known where the work was cut short is a test of the library.)
#[test]
fn an_interrupt_leaves_every_model_open() {
    let folder = folder();
    let args = ["verify", "slow.c", "--model=rc11", "--model=armv8", "--engine=sat", "--jobs=1"];
    let output = stopped(folder.path(), "-INT", &[&args[..], &["--property=assert"]].concat());
    let said = text(&output.stdout);
    assert!(said.contains("rc11") && said.contains("armv8"), "{said}");
    assert_eq!(said.matches("? stopped").count(), 2, "{said}");
    assert!(said.contains("? interrupted"), "{said}");
    assert_eq!(output.status.code(), Some(3), "{said}");
}

#[test]
fn a_violation_that_is_established_decides_the_status() {
    let folder = folder();
    let wrong = "#include <assert.h>\nint x;\nint main(void) { assert(x == 1); return 0; }\n";
    fs::write(folder.path().join("wrong.c"), wrong).expect("written");
    let args = ["verify", "wrong.c", "slow.c", "--model=rc11", "--engine=sat"];
    let mut child = start(folder.path(), &args);
    let mut out = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut said = String::new();
    while !said.contains("VIOLATED") {
        assert_ne!(out.read_line(&mut said).expect("UTF-8"), 0, "it ended early");
    }
    send("-TERM", &child);
    out.read_to_string(&mut said).expect("UTF-8");
    assert!(said.contains("slow.c") && said.contains("? interrupted"), "{said}");
    assert_eq!(child.wait().expect("it ends").code(), Some(1), "{said}");
}

#[test]
fn litmus_tests_that_are_done_are_printed() {
    let folder = folder();
    let args = ["litmus", "quick.litmus", "slow.litmus", "--engine=oracle", "--json", "--jobs=2"];
    let mut child = start(folder.path(), &args);
    let mut out = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut said = String::new();
    // The first test is answered when its line has arrived.
    assert_ne!(out.read_line(&mut said).expect("UTF-8"), 0, "it ended early");
    send("-TERM", &child);
    out.read_to_string(&mut said).expect("UTF-8");
    let output = child.wait_with_output().expect("it ends");
    let out = said;
    let lines: Vec<serde_json::Value> =
        out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(lines.len(), 2, "{out}");
    assert_eq!(lines[0]["observation"], "Always", "{out}");
    assert_eq!(lines[1]["inconclusive"], "interrupted", "{out}");
    assert!(text(&output.stderr).contains("Inconclusive slow.litmus: interrupted"));
    assert_eq!(output.status.code(), Some(3));
}

#[test]
fn a_run_says_where_it_is() {
    let folder = folder();
    let args = ["run", "spin.fpir", "--max-steps=1000000000000"];
    let output = stopped(folder.path(), "-TERM", &args);
    let said = text(&output.stderr);
    assert!(said.contains("the main thread is running at spin.fpir:5"), "{said}");
    assert_eq!(output.status.code(), Some(130));
}

/// The commands look at signals only now and then: the second need not wait for that.
#[test]
fn the_second_signal_ends_at_once() {
    let folder = folder();
    let source = "int main(void) { for (;;) ; }\n";
    fs::write(folder.path().join("spin.c"), source).expect("written");
    let mut child = start(folder.path(), &["verify", "slow.c", "--engine=sat", "--model=rc11"]);
    await_handlers(&child);
    // One that is not looked at: the process is stopped when both arrive.
    send("-STOP", &child);
    send("-TERM", &child);
    send("-HUP", &child);
    send("-CONT", &child);
    let status = child.wait().expect("it ends").code().expect("a status");
    assert!([128 + 15, 128 + 1].contains(&status), "{status}");
}

#[test]
fn a_signal_that_is_ignored_stays_ignored() {
    let folder = folder();
    let script = "trap '' HUP; exec \"$0\" run spin.fpir --max-steps=1000000000000";
    let child = Command::new("env")
        .args(["--default-signal=INT", "sh", "-c", script, env!("CARGO_BIN_EXE_fencepost")])
        .current_dir(folder.path())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the shell starts");
    await_handlers(&child);
    send("-HUP", &child);
    send("-TERM", &child);
    let output = child.wait_with_output().expect("it ends");
    // The second of two signals would have ended it without a word.
    assert!(text(&output.stderr).contains("interrupted after"), "{}", text(&output.stderr));
}

/// A violation is shown when it is found, and is not lost when the search is stopped.
#[test]
fn findings_of_an_exploration_are_shown_as_they_come() {
    let folder = folder();
    let queue = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../benchmarks/satcheck/queue.c");
    let program = format!(
        "#define N 24
        #define main of_the_queue
        #include \"{}\"
        #undef main
        static void *third(void *unused) {{
            assert(atomic_load(&tail) == &nodes[0]);
            return unused;
        }}
        int main(void) {{
            pthread_t thread;
            pthread_create(&thread, NULL, third, NULL);
            of_the_queue();
            pthread_join(thread, NULL);
            return 0;
        }}",
        queue.display()
    );
    fs::write(folder.path().join("long.c"), program).expect("written");
    let properties = ["--property=assert", "--property=memory"];
    let args = ["verify", "long.c", "--model=pso", "--engine=explore"];
    let mut child = start(folder.path(), &[&args[..], &properties].concat());
    let mut messages = BufReader::new(child.stderr.take().expect("a pipe"));
    let mut said = String::new();
    while !said.contains("found: ") {
        assert_ne!(messages.read_line(&mut said).expect("UTF-8"), 0, "it ended early: {said}");
    }
    assert!(said.contains("found: long.c on pso: assert: assertion failed"), "{said}");
    send("-INT", &child);
    let mut results = String::new();
    child.stdout.take().expect("a pipe").read_to_string(&mut results).expect("UTF-8");
    assert!(results.contains("assert      VIOLATED"), "{results}");
    assert!(results.contains("memory      ?"), "{results}");
    assert!(results.contains("so far "), "{results}");
    assert_eq!(child.wait().expect("it ends").code(), Some(1), "{results}");
}
