//! `xtask proofs`: what proofs for any number of threads cost, on the data types of the examples,
//! beside the times of D. Sethi, M. Talupur, D. Schwartz-Narbonne, S. Malik, "Parameterized model
//! checking of fine grained concurrency" (2013), whose lemmas were partly written by hand.
//!
//! Each proof has a process of its own, so that its memory can be measured: bytes per view are the
//! growth of the resident set, from before the search to its peak, divided by the number of views.

use crate::root;
use crate::variants::{self, Said, Truth, Variant};
use clap::Args;
use engines::views::Locks;
use fencepost::prove::answer::{Answer, Asking, Outcome, prove};
use fencepost::prove::plan::{Request, plan};
use sat::Interrupter;
use sat::cpu::Stopwatch;
use serde::{Deserialize, Serialize};
use std::fmt::Write;
use std::process::Command;
use std::time::Duration;

/// What to measure.
#[derive(Args)]
pub struct Options {
    /// Only data types whose file contains this
    #[arg(long)]
    only: Option<String>,
    /// Seconds for each proof
    #[arg(long, default_value_t = 60)]
    limit: u64,
    /// Write the figures into benchmarks/proofs.md
    #[arg(long)]
    write: bool,
    /// Ask about the variants of corpus/prove instead, and ask everything else that can answer about
    /// those that are right
    #[arg(long)]
    variants: bool,
    /// Ask only `prove` about the variants
    #[arg(long, requires = "variants")]
    answers: bool,
    /// Measure one row on one model, and print it as JSON
    #[arg(long, hide = true, value_names = ["ROW", "MODEL"], num_args = 2)]
    row: Vec<String>,
}

/// A data type with what is bounded, and the seconds of the paper.
struct Row {
    file: &'static str,
    values: u32,
    size: Option<usize>,
    paper: Option<f64>,
}

const fn set(file: &'static str, items: u32, paper: Option<f64>) -> Row {
    Row { file, values: items, size: None, paper }
}

const fn other(file: &'static str, values: u32, size: usize) -> Row {
    Row { file, values, size: Some(size), paper: None }
}

const fn lock(file: &'static str) -> Row {
    Row { file, values: 1, size: None, paper: None }
}

const FINE: &str = "list-fine/list_fine.c";
const OPTIMISTIC: &str = "list-optimistic/list_optimistic.c";
const LAZY: &str = "lazylist/lazylist.c";
const LOCK_FREE: &str = "list-lockfree/list_lockfree.c";

const ROWS: [Row; 33] = [
    set(FINE, 1, Some(0.11)),
    set(FINE, 2, Some(3.73)),
    set(FINE, 3, None),
    set(FINE, 4, None),
    set(FINE, 5, None),
    set(OPTIMISTIC, 1, Some(0.83)),
    set(OPTIMISTIC, 2, Some(114.0)),
    set(OPTIMISTIC, 3, None),
    set(OPTIMISTIC, 4, None),
    set(LAZY, 1, Some(18.0)),
    set(LAZY, 2, Some(29_554.0)),
    set(LAZY, 3, None),
    set(LAZY, 4, None),
    set(LOCK_FREE, 1, Some(1.62)),
    set(LOCK_FREE, 2, Some(401.0)),
    set(LOCK_FREE, 3, None),
    set(LOCK_FREE, 4, None),
    set("harris/harris.c", 2, None),
    set("harris/harris.c", 3, None),
    other("ms2/ms2.c", 2, 2),
    other("ms2/ms2.c", 2, 3),
    other("ms2/ms2.c", 3, 3),
    other("msn/msn.c", 2, 1),
    other("msn/msn.c", 2, 2),
    other("msn/msn.c", 2, 3),
    other("msn/msn.c", 3, 3),
    other("treiber/treiber.c", 2, 3),
    other("treiber/treiber.c", 3, 4),
    lock("spinlock/spinlock.c"),
    lock("checkfence-lock/lock_fenced.c"),
    lock("ticket-lock/ticket_lock.c"),
    lock("mcs-lock/mcs_lock.c"),
    lock("clh-lock/clh_lock.c"),
];

/// What one proof cost.
#[derive(Serialize, Deserialize)]
struct Figures {
    proved: bool,
    /// What had to be known of locks, or why there is no proof.
    said: String,
    views: usize,
    memories: usize,
    effects: usize,
    seconds: f64,
    /// The growth of the resident set, where the system reports it.
    bytes: Option<u64>,
}

/// Measures and prints; whether nothing was violated and no row of the paper is open.
pub fn run(options: &Options) -> bool {
    if let [row, model] = options.row.as_slice() {
        return child(row, model, options.limit);
    }
    if options.variants {
        return variants(options);
    }
    let mut table = String::from(
        "| Data type | model | values | size | views | memories | effects | seconds | views/s | bytes/view \
         | locks | paper |\n\
         | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- | ---: |\n",
    );
    let (mut all, mut ratios) = (true, Vec::new());
    for (index, row) in ROWS.iter().enumerate() {
        if options.only.as_ref().is_some_and(|only| !row.file.contains(only.as_str())) {
            continue;
        }
        let mut views = Vec::new();
        for model in variants::MODELS {
            match measured(index, model, options.limit) {
                Ok(figures) => {
                    let line = line(row, model, &figures);
                    print!("{line}");
                    table += &line;
                    all &= figures.proved || row.paper.is_none();
                    views.extend(figures.proved.then_some(figures.views));
                }
                Err(error) => {
                    eprintln!("{}: {error}", row.file);
                    return false;
                }
            }
        }
        if let [sc, tso] = views.as_slice() {
            ratios.push((row.file, *tso as f64 / *sc as f64));
        }
    }
    let took = took(&ratios);
    println!("{took}");
    if options.write {
        let text = format!("{HEAD}{table}\n{took}\n{NOTES}");
        if let Err(error) = std::fs::write(root().join("benchmarks/proofs.md"), text) {
            eprintln!("benchmarks/proofs.md: {error}");
            return false;
        }
    }
    all
}

const HEAD: &str = "# Proofs for any number of threads\n\n\
    Written by `cargo run --release -p xtask -- proofs --write`: data types of `examples/`, as they \
    are, with any number of threads; processor seconds on one core, everything but compiling the C \
    file included, and all rungs of the ladder that were tried. Values are those that an operation \
    chooses from, the size is the number of objects more than at first. Views, memories (shared \
    parts of views) and effects are those of the last rung; bytes per view are the growth of the \
    resident set to its peak, divided by the views (small searches disappear in the allocator's \
    pages). Locks: *own* (a view knows its thread's own), *all* (and which locks others hold), \
    *inferred* (words that change like locks), *none* (there are none). Paper: the seconds of Sethi, \
    Talupur, Schwartz-Narbonne and Malik (2013) for the same set and items under sc, with \
    hand-written models and lemmas partly written by hand.\n\n";

const NOTES: &str = include_str!("proofs_notes.md");

/// One row on one model, in a process of its own.
fn measured(row: usize, model: &str, limit: u64) -> Result<Figures, String> {
    let executable = std::env::current_exe().map_err(|error| error.to_string())?;
    let output = Command::new(executable)
        .args(["proofs", "--limit", &limit.to_string(), "--row", &row.to_string(), model])
        .output()
        .map_err(|error| error.to_string())?;
    serde_json::from_slice(&output.stdout)
        .map_err(|error| format!("{error}: {}", String::from_utf8_lossy(&output.stderr)))
}

fn child(row: &str, model: &str, limit: u64) -> bool {
    let found = row.parse().ok().and_then(|row: usize| ROWS.get(row));
    let Some(row) = found else { return false };
    match measure(row, model, limit) {
        Ok(figures) => println!("{}", serde_json::to_string(&figures).expect("plain data")),
        Err(error) => eprintln!("{error}"),
    }
    true
}

fn measure(row: &Row, model: &str, limit: u64) -> Result<Figures, String> {
    let request = Request {
        file: root().join("examples").join(row.file),
        models: vec![model.to_string()],
        values: Some(row.values),
        size: row.size,
        time_limit: Some(Duration::from_secs(limit)),
        ..Request::default()
    };
    let subject = plan(&request).map_err(|rejected| rejected.to_string())?;
    let interrupter = Interrupter::default();
    let before = resident("VmRSS:");
    let watch = Stopwatch::start();
    let asking = Asking { interrupter: &interrupter, progress: &|_| {} };
    let Answer { outcome, cost, rungs, .. } = prove(&subject, 0, asking);
    let seconds = watch.elapsed().as_secs_f64();
    let peak = resident("VmHWM:");
    let bytes = before.zip(peak).map(|(before, peak)| peak.saturating_sub(before));
    let said = match &outcome {
        Outcome::Proved(_) => match rungs.last().map(|rung| rung.locks) {
            Some(Locks::Exact) if rungs.len() > 1 => "all".into(),
            Some(Locks::Coarse) => "own".into(),
            Some(Locks::Inferred) => "inferred".into(),
            _ => "none".into(),
        },
        Outcome::Limit(_) => "?: out of time".to_string(),
        Outcome::Violated(_) => "VIOLATED".into(),
        Outcome::Open(open) => format!("?: {}", fencepost::prove::text::doubt(&open.doubt)),
        Outcome::Refused { what, .. } => format!("?: {what}"),
    };
    Ok(Figures {
        proved: matches!(outcome, Outcome::Proved(_)),
        said,
        views: cost.views,
        memories: cost.shared,
        effects: cost.effects,
        seconds,
        bytes,
    })
}

fn line(row: &Row, model: &str, figures: &Figures) -> String {
    let Figures { said, views, memories, effects, seconds, .. } = figures;
    let blank = |text: Option<String>| text.map_or(String::new(), |text| format!(" {text}"));
    let size = blank(row.size.map(|size| size.to_string()));
    let paper = blank(row.paper.filter(|_| model == "sc").map(|s| s.to_string()));
    let rate = blank((*seconds > 0.005).then(|| format!("{:.0}", *views as f64 / seconds)));
    let bytes = figures.bytes.filter(|_| *views > 1000).map(|bytes| bytes / *views as u64);
    let bytes = blank(bytes.map(|bytes| bytes.to_string()));
    let values = row.values;
    format!(
        "| {} | {model} | {values} |{size} | {views} | {memories} | {effects} | {seconds:.3} |{rate} \
         |{bytes} | {said} |{paper} |\n",
        row.file
    )
}

/// What tso took, by how the number of views grows.
fn took(ratios: &[(&str, f64)]) -> String {
    let mut text = String::from(
        "What tso took: each view has the store buffer of its thread, what leaves it is a step of its \
         own, an object escapes and a lock is free when the store that says so is visible, and an \
         operation has ended when its buffer is empty. No data type needed another rung of the ladder \
         than on sc; the views are, as a multiple of those on sc:",
    );
    let mut files: Vec<&str> = ratios.iter().map(|(file, _)| *file).collect();
    files.dedup();
    for file in files {
        let of = ratios.iter().filter(|(other, _)| *other == file).map(|(_, ratio)| *ratio);
        let most = of.fold(0.0, f64::max);
        let name = file.split('/').next().unwrap_or(file);
        let _ = write!(text, " {name} {most:.2},");
    }
    text.pop();
    text.push_str(".\n");
    text
}

/// A figure of the memory of this process, in bytes (Linux).
fn resident(name: &str) -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes << 10)
}

/// Asks about the variants, prints what is said of each, and compares; whether all is as recorded.
fn variants(options: &Options) -> bool {
    let all = match variants::all() {
        Ok(all) => all,
        Err(error) => {
            eprintln!("{error}");
            return false;
        }
    };
    let limit = Duration::from_secs(options.limit);
    let wanted = |name: &str| options.only.as_ref().is_none_or(|only| name.contains(only.as_str()));
    let (mut good, mut count, mut open) = (true, 0, 0);
    for variant in all.iter().filter(|variant| wanted(&variant.name)) {
        for model in variants::MODELS {
            let watch = Stopwatch::start();
            let said = variant.proof(model, limit);
            let seconds = watch.elapsed().as_secs_f64();
            let mut wrong = Vec::new();
            match &said {
                Err(error) => wrong.push(error.clone()),
                Ok(said) => {
                    println!("{} on {model}: {said} ({seconds:.2} s)", variant.name);
                    match variant.judge(model, said) {
                        Ok(true) => {}
                        Ok(false) => wrong.push(format!("{} on {model} is open", variant.name)),
                        Err(error) => wrong.push(error),
                    }
                    open += usize::from(matches!(said, Said::Open(_)));
                    if variant.truth(model) == Truth::Right && !options.answers {
                        wrong.extend(doubts(variant, model, limit));
                    }
                }
            }
            wrong.iter().for_each(|what| println!("WRONG: {what}"));
            good &= wrong.is_empty();
            count += 1;
        }
    }
    println!("{count} answers, {open} of them open");
    good
}

/// What speaks against a variant's being right: tests that `check` finds violated, and states of two
/// and three threads.
fn doubts(variant: &Variant, model: &str, limit: Duration) -> Vec<String> {
    let mut doubts = Vec::new();
    let name = &variant.name;
    let (mut answered, mut all) = (0, 0);
    for test in variant.small_tests().unwrap_or_default() {
        all += 1;
        match variant.check(&test, model, limit) {
            Ok(Some(true)) => {
                doubts.push(format!("{name} on {model}: check finds {test} violated"))
            }
            Ok(answer) => answered += usize::from(answer.is_some()),
            Err(error) => doubts.push(error),
        }
    }
    let mut explored = Vec::new();
    for threads in [2, 3] {
        match variant.explored(threads, model, limit) {
            Ok(Some(false)) => {
                doubts.push(format!("{name} on {model}: a state of {threads} threads is wrong"));
            }
            Ok(Some(true)) => explored.push(threads),
            Ok(None) => {}
            Err(error) => doubts.push(error),
        }
    }
    println!("    {answered} of {all} tests hold; all states of {explored:?} threads are right");
    doubts
}
