//! `xtask bridge`: data types written as Murphi models, checked by Rumur, by `fencepost murphi` and
//! by our exploration of the C file, for one, two and three threads. All must say the same, and both
//! tools must visit the same number of states.

pub mod cases;

use crate::root;
use crate::rumur::{self, How};
use cases::{CASES, Case};
use clap::Args;
use engines::views::Explored;
use fencepost::murphi::{Deadlock, Options as Search, Subject, Verdict, check};
use fencepost::prove::emit::{emit, explore};
use sat::cpu::Stopwatch;
use sat::{Interrupter, Limits};
use std::fmt::Write;
use std::time::{Duration, Instant};

/// What to compare.
#[derive(Args)]
pub struct BridgeOptions {
    /// Only data types whose name contains this
    #[arg(long)]
    only: Option<String>,
    /// Up to this many threads
    #[arg(long, default_value_t = 3)]
    threads: u32,
    /// Seconds for each tool and model
    #[arg(long, default_value_t = 120)]
    limit: u64,
    /// Write the figures into benchmarks/bridge.md
    #[arg(long)]
    write: bool,
}

/// More states than this are not explored from the C file.
const MOST_EXPLORED: usize = 300_000;

/// These checkers are compiled to agree, not to be fast.
const HOW: How = How { symmetry: false, deadlock: "stuttering", optimise: "-O1" };

/// Compares and prints; whether all agree.
pub fn run(options: &BridgeOptions) -> bool {
    let mut table = String::from(
        "| Data type | threads | verdict | states | Rumur | murphi | C file | lines |\n\
         | --- | ---: | --- | ---: | ---: | ---: | --- | ---: |\n",
    );
    let mut same = true;
    for case in CASES {
        if options.only.as_ref().is_some_and(|only| !case.name.contains(only.as_str())) {
            continue;
        }
        for threads in 1..=options.threads {
            match row(case, threads, options) {
                Ok((row, agrees)) => {
                    print!("{row}");
                    table += &row;
                    same &= agrees;
                }
                Err(error) => {
                    eprintln!("{}, {threads} threads: {error}", case.name);
                    same = false;
                }
            }
        }
    }
    if options.write {
        let text = format!(
            "# Data types as Murphi models\n\n\
             Written by `cargo run --release -p xtask -- bridge --write`: each data type, as \
             `fencepost prove --emit-murphi` writes it, is checked by Rumur and by `fencepost murphi` \
             (seconds of processor time on one core, no symmetry; Rumur's checker is compiled with `cc -O1`), and the C file is explored with as \
             many threads (its states: nodes are numbered in one way there, too, but steps are larger). \
             Where something is wrong, the search ends, so states are compared only where nothing is. \
             Deadlocks count (`stuttering`).\n\n{table}"
        );
        if let Err(error) = std::fs::write(root().join("benchmarks/bridge.md"), text) {
            eprintln!("benchmarks/bridge.md: {error}");
            return false;
        }
    }
    same
}

fn row(case: &Case, threads: u32, options: &BridgeOptions) -> Result<(String, bool), String> {
    let subject = case.subject(&root());
    let text = emit(&subject, case.size(threads))
        .map_err(|rejected| format!("refused: {:?}", rejected.diagnostics))?
        .text;
    let checker = rumur::checker(&text, HOW)?;
    let theirs = checker.run(options.limit);
    let limit = Duration::from_secs(options.limit);
    let (holds, states, seconds) = ours(&text, limit)?;
    let explored = explore(&subject, threads as usize, MOST_EXPLORED, &Interrupter::default());
    let explored = explored.map_err(|rejected| format!("{:?}", rejected.diagnostics))?;
    let expected = case.holds(threads);
    let in_c = match explored {
        Explored::Right(states) => format!("right, {states}"),
        Explored::Wrong => "wrong".into(),
        Explored::Unknown => "too many".into(),
    };
    let mut agrees = match explored {
        Explored::Right(_) => expected,
        Explored::Wrong => !expected,
        Explored::Unknown => true,
    };
    agrees &= holds.is_none_or(|holds| holds == expected);
    let rumur = match &theirs {
        Ok(said) => {
            agrees &= said.holds == expected;
            agrees &= !said.holds || holds.is_none() || said.states == states;
            format!("{:.2}", said.seconds)
        }
        Err(why) => why.clone(),
    };
    let verdict = if expected { "right" } else { "wrong" };
    let remark = if agrees { "" } else { " DIFFERS" };
    let own = if holds.is_some() { format!("{seconds:.2}") } else { "?".into() };
    let mut out = String::new();
    let _ = writeln!(
        out,
        "| {} | {threads} | {verdict}{remark} | {states} | {rumur} | {own} | {in_c} | {} |",
        case.name,
        text.lines().count()
    );
    Ok((out, agrees))
}

/// What `fencepost murphi` says: whether the model is right, its states, and the time.
fn ours(text: &str, limit: Duration) -> Result<(Option<bool>, u64, f64), String> {
    let start = Stopwatch::start();
    let subject = Subject::of_text("model.m", text)
        .map_err(|rejected| format!("murphi refuses the model: {:?}", rejected.diagnostics))?;
    let limits = Limits { deadline: Some(Instant::now() + limit), ..Limits::default() };
    let options = Search { symmetry: false, deadlock: Deadlock::Stuttering, threads: 1, limits };
    let answer = check(&subject, &options, &|_| {});
    let holds = match answer.verdict {
        Verdict::Holds => Some(true),
        Verdict::Violated(_) => Some(false),
        Verdict::Unknown(_) => None,
    };
    Ok((holds, answer.counts.states, start.seconds()))
}
