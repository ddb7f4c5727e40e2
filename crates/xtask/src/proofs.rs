//! `xtask proofs`: what proofs for any number of threads cost, on the data types of the examples,
//! beside the times of D. Sethi, M. Talupur, D. Schwartz-Narbonne, S. Malik, "Parameterized model
//! checking of fine grained concurrency" (2013), whose lemmas were partly written by hand.

use crate::root;
use crate::variants::{self, Said, Truth, Variant};
use clap::Args;
use engines::views::Locks;
use fencepost::prove::answer::{Answer, Asking, Outcome, prove};
use fencepost::prove::plan::{Request, plan};
use sat::Interrupter;
use sat::cpu::Stopwatch;
use std::fmt::Write;
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
    /// those that are proved
    #[arg(long)]
    variants: bool,
}

/// A data type with what is bounded, and the seconds of the paper.
struct Row {
    file: &'static str,
    operations: &'static str,
    values: u32,
    size: Option<usize>,
    paper: Option<f64>,
}

const fn set(file: &'static str, items: u32, paper: Option<f64>) -> Row {
    Row { file, operations: "", values: items, size: None, paper }
}

const fn other(file: &'static str, operations: &'static str, values: u32, size: usize) -> Row {
    Row { file, operations, values, size: Some(size), paper: None }
}

const ROWS: [Row; 23] = [
    set("list-fine/list_fine.c", 1, Some(0.11)),
    set("list-fine/list_fine.c", 2, Some(3.73)),
    set("list-fine/list_fine.c", 3, None),
    set("list-fine/list_fine.c", 4, None),
    set("list-optimistic/list_optimistic.c", 1, Some(0.83)),
    set("list-optimistic/list_optimistic.c", 2, Some(114.0)),
    set("list-optimistic/list_optimistic.c", 3, None),
    set("list-optimistic/list_optimistic.c", 4, None),
    set("lazylist/lazylist.c", 1, Some(18.0)),
    set("lazylist/lazylist.c", 2, Some(29_554.0)),
    set("lazylist/lazylist.c", 3, None),
    set("list-lockfree/list_lockfree.c", 1, Some(1.62)),
    set("list-lockfree/list_lockfree.c", 2, Some(401.0)),
    set("list-lockfree/list_lockfree.c", 3, None),
    other("ms2/ms2.c", "", 2, 2),
    other("ms2/ms2.c", "", 2, 3),
    other("ms2/ms2.c", "", 3, 3),
    other("msn/msn.c", "", 2, 1),
    other("msn/msn.c", "", 2, 2),
    other("msn/msn.c", "", 2, 3),
    other("treiber/treiber.c", "", 2, 3),
    other("treiber/treiber.c", "", 3, 4),
    other("spinlock/spinlock.c", "x", 1, 1),
];

/// Measures and prints; whether everything was proved.
pub fn run(options: &Options) -> bool {
    if options.variants {
        return variants(options);
    }
    let mut table = String::from(
        "| Data type | model | values | size | views | memories | effects | seconds | locks | paper |\n\
         | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | --- | ---: |\n",
    );
    let mut all = true;
    for row in &ROWS {
        if options.only.as_ref().is_some_and(|only| !row.file.contains(only.as_str())) {
            continue;
        }
        for model in ["sc", "tso"] {
            match measure(row, model, options.limit) {
                Ok((line, proved)) => {
                    print!("{line}");
                    table += &line;
                    all &= proved;
                }
                Err(error) => {
                    eprintln!("{}: {error}", row.file);
                    return false;
                }
            }
        }
    }
    let most = peak().map_or(String::new(), |bytes| {
        format!("\nMemory of the whole process at its peak: {} MiB.\n", bytes >> 20)
    });
    print!("{most}");
    if options.write {
        let text = format!(
            "# Proofs for any number of threads\n\n\
             Written by `cargo run --release -p xtask -- proofs --write`: data types of `examples/`, \
             as they are, with any number of threads; processor seconds on one core, everything but \
             compiling the C file included. Values are those that an operation chooses from, the size \
             is the number of objects more than at first. Locks: *own* (a view knows its thread's own), \
             *all* (and which locks others hold), *inferred* (words that change like locks). Paper: \
             the seconds of Sethi, Talupur, Schwartz-Narbonne and Malik (2013) for the same set and \
             items under sc, with hand-written models and lemmas partly written by hand.\n\n\
             {table}{most}"
        );
        if let Err(error) = std::fs::write(root().join("benchmarks/proofs.md"), text) {
            eprintln!("benchmarks/proofs.md: {error}");
            return false;
        }
    }
    all
}

fn measure(row: &Row, model: &str, limit: u64) -> Result<(String, bool), String> {
    let operations = row.operations.split(',').filter(|name| !name.is_empty());
    let request = Request {
        file: root().join("examples").join(row.file),
        operations: operations.map(String::from).collect(),
        models: vec![model.to_string()],
        values: Some(row.values),
        size: row.size,
        time_limit: Some(Duration::from_secs(limit)),
        ..Request::default()
    };
    let subject = plan(&request).map_err(|rejected| rejected.to_string())?;
    let interrupter = Interrupter::default();
    let watch = Stopwatch::start();
    let asking = Asking { interrupter: &interrupter, progress: &|_| {} };
    let Answer { outcome, cost, rungs, .. } = prove(&subject, 0, asking);
    let seconds = watch.elapsed().as_secs_f64();
    let proved = matches!(outcome, Outcome::Proved(_));
    let said = match outcome {
        Outcome::Proved(_) => match rungs.last().map(|rung| rung.locks) {
            Some(Locks::Exact) if rungs.len() > 1 => "all",
            Some(Locks::Coarse) => "own",
            Some(Locks::Inferred) => "inferred",
            _ => "none",
        },
        Outcome::Limit(_) => "out of time",
        _ => "?",
    };
    let mut line = format!("| {} | {model} | {} |", row.file, row.values);
    let size = row.size.map_or(String::new(), |size| format!(" {size}"));
    let paper = row.paper.filter(|_| model == "sc").map_or(String::new(), |s| format!(" {s}"));
    let _ = writeln!(
        line,
        "{size} | {} | {} | {} | {seconds:.3} | {said} |{paper} |",
        cost.views, cost.shared, cost.effects
    );
    // What is out of time is a figure, not a failure.
    Ok((line, proved || said == "out of time"))
}

/// The most memory that the process has used (Linux).
fn peak() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
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
                    if variant.truth(model) == Truth::Right {
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
            Ok(Some(true)) => doubts.push(format!("{name} on {model}: check finds {test} violated")),
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
