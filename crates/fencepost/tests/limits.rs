//! Limits of time and memory are kept wherever the time and the memory go, and what is known is
//! printed.
//!
//! Each case takes many times its limit where the limit is ignored. No test looks at the clock more
//! closely than [`PATIENCE`].

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// How many times its limit a command may take: machines are busy.
const PATIENCE: f64 = 30.0;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Runs a command, whose limit in seconds may be exceeded by a factor; gives what it prints and its
/// status.
fn run(mut command: Command, seconds: f64) -> (String, Option<i32>) {
    let mut child = command
        .current_dir(root())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the command starts");
    let mut out = child.stdout.take().expect("it has an output");
    let reader = std::thread::spawn(move || std::io::read_to_string(&mut out));
    let started = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().expect("it can be waited for") {
            break status;
        }
        if started.elapsed() > Duration::from_secs_f64(PATIENCE * seconds) {
            child.kill().expect("it can be killed");
            panic!("it still runs after {PATIENCE} times its limit");
        }
        std::thread::sleep(Duration::from_millis(20));
    };
    let text = reader.join().expect("no panic").expect("text");
    (text, status.code())
}

fn fencepost(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fencepost"));
    command.args(args);
    command
}

/// Writes a file into a fresh folder.
fn file(name: &str, text: &str) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(name);
    std::fs::write(&path, text).expect("written");
    let path = path.to_str().expect("a plain name").to_string();
    (folder, path)
}

/// The reason that the only answer to a check is none.
fn reason(text: &str) -> String {
    let document: serde_json::Value = serde_json::from_str(text).expect("a JSON document");
    let result = &document["files"][0]["tests"][0]["results"][0];
    result["reason"]["kind"].as_str().unwrap_or("there is an answer").to_string()
}

/// A queue with more initial operations than can be run one after the other.
const MANY_INITIAL: [&str; 10] = [
    "check",
    "examples/msn/msn_fenced.c",
    "--test",
    "e^255 ( e | d | e | d )",
    "--no-cache",
    "--jobs",
    "1",
    "--model",
    "sc",
    "--json",
];

#[test]
fn serial_executions_keep_the_time_limit() {
    let (text, status) = run(fencepost(&[&MANY_INITIAL[..], &["--time-limit", "1"]].concat()), 1.0);
    assert_eq!((reason(&text).as_str(), status), ("time", Some(3)));
}

#[test]
fn serial_executions_keep_the_memory_limit() {
    let limits = ["--memory-limit", "100", "--time-limit", "60"];
    let (text, status) = run(fencepost(&[&MANY_INITIAL[..], &limits].concat()), 60.0);
    assert_eq!((reason(&text).as_str(), status), ("memory", Some(3)));
}

/// Two threads, each of which loses a block at the end of a long loop.
const LONG_LEAK: &str = "
    #include <pthread.h>
    #include <stdlib.h>
    #include <stdatomic.h>
    atomic_int x;
    void *t(void *u) {
        for (int i = 0; i < 1200; i++) {
            int *p = malloc(4);
            *p = i;
            x += *p;
            if (i != 1199)
                free(p);
        }
        return 0;
    }
    int main(void) {
        pthread_t a, b;
        pthread_create(&a, 0, t, 0);
        pthread_create(&b, 0, t, 0);
        pthread_join(a, 0);
        pthread_join(b, 0);
        return 0;
    }
";

#[test]
fn a_long_execution_that_was_found_is_replayed_within_the_limit() {
    let (_folder, path) = file("leak.c", LONG_LEAK);
    let args = ["verify", &path, "--model", "sc", "--property", "leak", "--json"];
    let (text, status) = run(fencepost(&[&args[..], &["--time-limit", "1"]].concat()), 1.0);
    let document: serde_json::Value = serde_json::from_str(&text).expect("a JSON document");
    assert!(document["programs"][0].is_object(), "{text}");
    assert!(matches!(status, Some(1 | 3)), "{status:?}: {text}");
}

/// A model that orders the accesses of an execution in every possible way, several times.
const MANY_ORDERS: &str = r#""many orders"
with S from linearisations(M, po)
with T from linearisations(M, po)
with U from linearisations(M, po)
acyclic S | T | U | rf
"#;

#[test]
fn a_model_with_too_many_choices_is_refused_before_they_are_made() {
    let (_folder, model) = file("many.cat", MANY_ORDERS);
    let test = "corpus/litmus/X86/IRIW.litmus";
    let args = ["litmus", "--json", "--model", &model, "--memory-limit", "500", test];
    let (text, status) = run(fencepost(&args), 60.0);
    assert_eq!(status, Some(3), "{text}");
    assert!(text.contains("\"inconclusive\":\"there are too many choices\""), "{text}");
}

#[test]
fn a_litmus_test_keeps_its_limits_under_every_model() {
    // Few enough choices, and slow enough to evaluate.
    let slow = MANY_ORDERS.replace("with U from linearisations(M, po)\n", "").replace("| U", "");
    let (_folder, model) = file("slow.cat", &slow);
    let test = "corpus/litmus/X86/IRIW.litmus";
    let args = ["litmus", "--json", "--model", &model, "--model", "sc", "--time-limit", "1", test];
    let (text, status) = run(fencepost(&args), 2.0);
    let lines: Vec<serde_json::Value> =
        text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!((lines.len(), status), (2, Some(3)), "{text}");
    assert!(lines[0]["inconclusive"].is_string(), "{text}");
    assert_eq!(lines[1]["observation"], "Never", "the other model has its own time: {text}");
    let args = ["litmus", "--json", "--memory-limit", "1", test];
    let (text, status) = run(fencepost(&args), 10.0);
    assert_eq!(status, Some(3), "{text}");
    assert!(text.contains("\"inconclusive\":\"no answer within the memory limit\""), "{text}");
}

/// The clock is also polled while `main` is alone.
#[test]
fn a_main_that_takes_long_before_its_threads_keeps_the_time_limit() {
    let program = "#include <pthread.h>\nint n; void *t(void *u) { return u; }\n\
        int main(void) { for (int i = 0; i < 2000000000; i++) n = n * 3 + i; pthread_t p;\n\
        pthread_create(&p, 0, t, 0); pthread_join(p, 0); return 0; }\n";
    let (_folder, path) = file("long.c", program);
    let args = ["verify", &path, "--model", "sc", "--engine", "states", "--property", "assert"];
    let (text, status) = run(fencepost(&[&args[..], &["--time-limit", "1"]].concat()), 1.0);
    assert_eq!(status, Some(3), "{text}");
}

/// So is it while values are analysed, while a large `switch` is followed, and while a formula is
/// built and handed over.
#[test]
fn programs_that_are_too_large_keep_the_time_limit() {
    let adds = "#include <pthread.h>\n#include <stdatomic.h>\natomic_int c;\n\
        void *t(void *u) { for (int i = 0; i < 1500; i++) atomic_fetch_add(&c, 1); return u; }\n\
        int main(void) { pthread_t p; pthread_create(&p, 0, t, 0); t(0);\n\
        pthread_join(p, 0); return c != 3000; }\n";
    let case = |i: u32| format!("case {i}: x = {}; y += {i}; break;\n", i * 7 % 2000);
    let cases: String = (0..2000).map(case).collect();
    let switch = format!(
        "#include <pthread.h>\n#include <stdatomic.h>\natomic_int x, y;\n\
         void *t(void *u) {{ switch (x) {{ {cases} }} switch (x) {{ {cases} }} return u; }}\n\
         int main(void) {{ pthread_t p; pthread_create(&p, 0, t, 0); t(0);\n\
         pthread_join(p, 0); return y; }}\n"
    );
    for program in [adds, &switch] {
        let (_folder, path) = file("large.c", program);
        for model in ["rc11", "armv8"] {
            let args = ["verify", &path, "--model", model, "--property", "assert"];
            let (text, status) = run(fencepost(&[&args[..], &["--time-limit", "2"]].concat()), 2.0);
            assert_eq!(status, Some(3), "{model}: {text}");
        }
    }
}

/// Runs `fencepost verify` where there are two gigabytes of addresses.
#[cfg(target_os = "linux")]
fn verify_in_little_space(program: &str, args: &str) -> (String, Option<i32>) {
    let mut command = Command::new("sh");
    let fencepost = env!("CARGO_BIN_EXE_fencepost");
    let script = format!("ulimit -v 2097152; exec {fencepost} verify {program} {args}");
    command.args(["-c", &script]);
    run(command, 20.0)
}

#[test]
#[cfg(target_os = "linux")]
fn huge_objects_cost_what_is_written_of_them() {
    for engine in ["states", "sat"] {
        let args = format!("--memory-limit 1200 --model sc --engine {engine}");
        let (text, status) = verify_in_little_space("corpus/verify/memory/huge_objects.c", &args);
        assert_eq!(status, Some(0), "{engine}: {text}");
        let lost = "corpus/verify/memory/huge_blocks_lost.c";
        let (text, status) = verify_in_little_space(lost, &args);
        assert_eq!(status, Some(1), "{engine}: {text}");
        assert!(text.contains("leak        VIOLATED"), "{engine}: {text}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn an_object_that_is_written_everywhere_is_out_of_memory_and_not_an_abort() {
    let (_folder, path) = file(
        "fill.c",
        "#include <stdlib.h>\n#include <string.h>\n
         int main(void) {
             char *block = malloc(1000000000);
             memset(block, 1, 1000000000);
             free(block);
             return 0;
         }",
    );
    let args = "--memory-limit 200 --model sc --time-limit 20 --json";
    let (text, status) = verify_in_little_space(&path, args);
    let document: serde_json::Value = serde_json::from_str(&text).expect("a JSON document");
    assert!(document["programs"][0].is_object(), "{text}");
    assert_eq!(status, Some(3), "{text}");
}
