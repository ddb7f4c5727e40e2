//! Fuzzing on stable Rust: mutated programs never make the front end panic, hang, overflow its
//! stack or exhaust memory.
//!
//! The test runs itself as a second process with limits on memory, because a stack overflow or
//! an allocation failure cannot be caught, and points at the input that brought it down. Inputs
//! depend on their number only, so a failure can be repeated. A few seconds by default; more with
//! `FENCEPOST_FUZZ_SECONDS=600`, other inputs with `FENCEPOST_FUZZ_START=1000000`.
//! `fuzz/` holds the coverage-guided twin for cargo-fuzz.

mod mutate;

use execution::span::SourceMap;
use front_c::pp::{COptions, MemoryLoader};
use mutate::Mutator;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// One input may take this much computing, in an unoptimised build.
const INPUT_LIMIT: Duration = Duration::from_secs(5);
/// The worker hangs if it is this late.
const PATIENCE: Duration = Duration::from_secs(120);
/// The worker may use this much address space.
const MEMORY_LIMIT_KIB: u64 = 3 << 20;

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(default)
}

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Every C file that the repository holds.
fn seeds() -> Vec<Vec<u8>> {
    let roots = ["corpus/bad", "corpus/c", "examples", "crates/front_c/headers"];
    let mut folders: Vec<_> = roots.iter().map(|root| repository().join(root)).collect();
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "c" || e == "h") {
                files.push(path);
            }
        }
    }
    files.sort();
    files.iter().map(|file| std::fs::read(file).expect("a readable seed")).collect()
}

/// The whole front end on one input; what it says is rendered too.
fn front_end(input: &[u8]) {
    let loader = MemoryLoader::new().with("fuzz.c", input);
    let mut map = SourceMap::new();
    let result = front_c::compile("fuzz.c".as_ref(), &COptions::default(), &loader, &mut map);
    let diagnostics = result.map_or_else(|errors| errors, |(_, warnings)| warnings);
    report::diagnostics::render_all(&diagnostics, &map, report::Style::Plain);
}

/// How long this thread has computed, where the system says so; else how long ago `begun` is. A
/// busy machine must not look like a slow front end.
fn time_used(begun: Instant) -> Duration {
    let statistics = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let first = statistics.as_deref().and_then(|text| text.split(' ').next());
    match first.and_then(|nanoseconds| nanoseconds.parse().ok()) {
        Some(nanoseconds) => Duration::from_nanos(nanoseconds),
        None => begun.elapsed(),
    }
}

/// The second process: works through inputs, each written down before it is tried.
#[test]
#[ignore = "started by the test below, in a process of its own"]
fn worker() {
    let Ok(current) = std::env::var("FENCEPOST_FUZZ_CURRENT") else { return };
    let seconds = setting("FENCEPOST_FUZZ_SECONDS", 5);
    let start = setting("FENCEPOST_FUZZ_START", 0);
    let mutator = Mutator::new(seeds());
    let begun = Instant::now();
    let mut tried = 0;
    while begun.elapsed() < Duration::from_secs(seconds) {
        let input = mutator.input(start + tried);
        std::fs::write(&current, &input).expect("a writable folder");
        let before = time_used(begun);
        front_end(&input);
        let took = time_used(begun).saturating_sub(before);
        assert!(took < INPUT_LIMIT, "too slow: {took:?}");
        tried += 1;
    }
    println!("{tried} inputs");
}

/// Starts the worker, with a limit on memory where the shell can set one.
fn start_worker(current: &Path) -> Child {
    let program = std::env::current_exe().expect("this program");
    let limited = format!("ulimit -v {MEMORY_LIMIT_KIB} 2>/dev/null; exec \"$0\" \"$@\"");
    Command::new("sh")
        .args(["-c", &limited])
        .arg(program)
        .args(["worker", "--exact", "--ignored", "--nocapture", "--test-threads=1"])
        .env("FENCEPOST_FUZZ_CURRENT", current)
        .stdout(Stdio::inherit())
        .stderr(Stdio::inherit())
        .spawn()
        .expect("a shell")
}

#[test]
fn mutated_programs_never_bring_the_front_end_down() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let current = folder.path().join("input.c");
    let mut child = start_worker(&current);
    let seconds = setting("FENCEPOST_FUZZ_SECONDS", 5);
    let deadline = Instant::now() + Duration::from_secs(seconds) + PATIENCE;
    let status = loop {
        if let Some(status) = child.try_wait().expect("a child") {
            break Some(status);
        }
        if Instant::now() > deadline {
            child.kill().expect("a running child");
            child.wait().expect("a killed child");
            break None;
        }
        std::thread::sleep(Duration::from_millis(50));
    };
    if !status.is_some_and(|status| status.success()) {
        let kept = std::env::temp_dir().join("fencepost-fuzz-failure.c");
        std::fs::copy(&current, &kept).expect("the last input");
        panic!("{} brought the front end down ({status:?})", kept.display());
    }
}
