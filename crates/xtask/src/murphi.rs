//! `xtask murphi`: Fencepost beside Rumur on the same models, one core each, in one run.
//!
//! Rumur writes a checker in C, which `cc -O3` compiles: its time has three parts. Both must report
//! the same number of states (and, without symmetry, of rules fired), or the run fails.

use crate::root;
use crate::rumur::{self, How};
use clap::Args;
use fencepost::murphi::{Deadlock, Options as Search, Subject, Verdict, check};
use sat::cpu::Stopwatch;
use std::fmt::Write;

/// What to measure.
#[derive(Args)]
pub struct Options {
    /// Only models whose name contains this
    #[arg(long)]
    only: Option<String>,
    /// Write the figures into benchmarks/murphi.md
    #[arg(long)]
    write: bool,
}

/// Models, with the constants that make them larger.
const MODELS: [(&str, &[(&str, &str)]); 12] = [
    ("corpus/murphi/german-3.m", &[]),
    ("examples/murphi/german.m", &[("CLIENTS: 3;", "CLIENTS: 4;")]),
    ("corpus/murphi/peterson-n-4.m", &[]),
    ("corpus/murphi/peterson-n-4.m", &[("N: 4;", "N: 5;")]),
    ("corpus/murphi/directory-mesi.m", &[("NODES: 3;", "NODES: 5;")]),
    ("corpus/murphi/philosophers-ordered.m", &[("N: 4;", "N: 9;")]),
    ("corpus/murphi/two-phase-commit.m", &[("N: 3;", "N: 5;")]),
    ("corpus/murphi/two-phase-commit.m", &[("N: 3;", "N: 6;")]),
    ("examples/murphi/set-fine.m", &[]),
    ("examples/murphi/set-optimistic.m", &[]),
    ("examples/murphi/set-lazy.m", &[]),
    ("examples/murphi/set-lockfree.m", &[]),
];

/// Times below this, in seconds, are not compared.
const SHORT: f64 = 0.02;
/// Rumur may run for this many seconds.
const LIMIT: u64 = 600;

/// What we found, and in how much processor time.
struct Measured {
    states: u64,
    rules: u64,
    seconds: f64,
}

/// Measures and prints; whether both found the same.
pub fn run(options: &Options) -> bool {
    let mut table = String::from(
        "| Model | symmetry | states | Rumur: run | generate and compile | Fencepost | factor |\n\
         | --- | --- | ---: | ---: | ---: | ---: | ---: |\n",
    );
    let mut same = true;
    for (file, changes) in MODELS {
        if options.only.as_ref().is_some_and(|only| !file.contains(only.as_str())) {
            continue;
        }
        for symmetry in [false, true] {
            match row(file, changes, symmetry) {
                Ok((row, agrees)) => {
                    print!("{row}");
                    table += &row;
                    same &= agrees;
                }
                Err(error) => {
                    eprintln!("{file}: {error}");
                    return false;
                }
            }
        }
    }
    if options.write {
        let text = format!(
            "# Murphi models: Fencepost and Rumur\n\n\
             Written by `cargo run --release -p xtask -- murphi --write`. One core each, the same \
             machine, one after the other; seconds of processor time (preparing: on the clock). Rumur's checker is compiled with `cc -O3`; with \
             symmetry it uses `--symmetry-reduction=exhaustive`, which visits as many states as \
             Fencepost does. The factor compares running alone: how often as long Rumur takes.\n\n{table}"
        );
        if let Err(error) = std::fs::write(root().join("benchmarks/murphi.md"), text) {
            eprintln!("benchmarks/murphi.md: {error}");
            return false;
        }
    }
    same
}

fn row(file: &str, changes: &[(&str, &str)], symmetry: bool) -> Result<(String, bool), String> {
    let path = root().join(file);
    let mut text = std::fs::read_to_string(&path).map_err(|error| error.to_string())?;
    let mut name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    for (from, to) in changes {
        if !text.contains(from) {
            return Err(format!("it does not contain `{from}`"));
        }
        text = text.replace(from, to);
        let _ = write!(name, ", {}", to.trim_end_matches(';'));
    }
    let ours = fencepost(&text, symmetry)?;
    let checker = rumur::checker(&text, How { symmetry, deadlock: "off", optimise: "-O3" })?;
    let (theirs, prepared) = (checker.run(LIMIT)?, checker.prepared);
    let agrees = ours.states == theirs.states && (symmetry || ours.rules == theirs.rules);
    let remark = if agrees { "" } else { " DIFFERS" };
    let factor = match ours.seconds.min(theirs.seconds) < SHORT {
        true => "–".into(),
        false => format!("{:.1}", theirs.seconds / ours.seconds),
    };
    let row = format!(
        "| {name} | {} | {}{remark} | {:.2} | {prepared:.2} | {:.2} | {factor} |\n",
        if symmetry { "on" } else { "off" },
        ours.states,
        theirs.seconds,
        ours.seconds
    );
    Ok((row, agrees))
}

fn fencepost(text: &str, symmetry: bool) -> Result<Measured, String> {
    let start = Stopwatch::start();
    let subject = Subject::of_text("model.m", text).map_err(|_| "it is refused".to_string())?;
    let options = Search { symmetry, deadlock: Deadlock::Off, threads: 1, ..Search::default() };
    let answer = check(&subject, &options, &|_| {});
    let seconds = start.seconds();
    match answer.verdict {
        Verdict::Holds => {
            Ok(Measured { states: answer.counts.states, rules: answer.counts.rules, seconds })
        }
        other => Err(format!("the verdict is {other:?}")),
    }
}
