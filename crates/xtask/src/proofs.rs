//! `xtask proofs`: what proofs for any number of threads cost, on the data types of the examples,
//! beside the times of D. Sethi, M. Talupur, D. Schwartz-Narbonne, S. Malik, "Parameterized model
//! checking of fine grained concurrency" (2013), whose lemmas were partly written by hand.

use crate::root;
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
        Outcome::Limit => "out of time",
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
