//! Random programs with locks, in two ways that must give the same answers: with and without
//! what the solver is given about mutexes and about symmetric threads.

mod program;

use clap::Args;
use encoding::encode::Mutexes;
use engines::verification::{EngineChoice, Property};
use execution::verdict::{Reason, Verdict};
use fencepost::verify::cell::verify_quietly;
use fencepost::verify::plan::{Request, plan};
use report::Style;
use std::path::Path;
use std::time::Duration;

/// Which programs, and how.
#[derive(Args)]
pub struct WaysOptions {
    /// How many programs
    #[arg(long, default_value_t = 100)]
    pub count: u64,
    /// The seed of the first program; the others follow it
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
    /// The models
    #[arg(long = "model", default_values_t = ["relaxed", "armv8", "rc11", "pso"].map(String::from))]
    pub models: Vec<String>,
    /// Seconds for a program on a model
    #[arg(long, default_value_t = 10.0)]
    pub limit: f64,
    /// Print the program of the first seed, and nothing else
    #[arg(long)]
    pub print: bool,
}

/// What came of some comparisons.
#[derive(Debug, Default)]
pub struct Count {
    /// The number of equal answers.
    pub same: usize,
    /// How many of these are violations.
    pub violated: usize,
    /// How many are missing in one of the ways.
    pub unknown: usize,
    /// These differ.
    pub differ: Vec<String>,
}

/// Compares, and prints what differs; whether nothing does.
pub fn run(options: &WaysOptions) -> bool {
    if options.print {
        print!("{}", program::program(options.seed));
        return true;
    }
    let limit = Duration::from_secs_f64(options.limit);
    let seeds = options.seed..options.seed + options.count;
    let count = compare(seeds, &options.models, limit);
    count.differ.iter().for_each(|line| println!("{line}"));
    let Count { same, violated, unknown, differ } = count;
    println!(
        "{same} answers are the same, of which {violated} are violations; {} differ, {unknown} \
         are missing",
        differ.len()
    );
    differ.is_empty() && same > 0
}

/// Compares the answers about the programs of these seeds.
pub fn compare(seeds: std::ops::Range<u64>, models: &[String], limit: Duration) -> Count {
    let mut count = Count::default();
    let folder = std::env::temp_dir().join(format!("fencepost-ways-{}", std::process::id()));
    if let Err(error) = std::fs::create_dir_all(&folder) {
        count.differ.push(error.to_string());
        return count;
    }
    for seed in seeds {
        let file = folder.join(format!("{seed}.c"));
        if let Err(error) = std::fs::write(&file, program::program(seed)) {
            count.differ.push(error.to_string());
            continue;
        }
        for model in models {
            let ways = [(Mutexes::Direct, false), (Mutexes::Atomics, true)];
            let ways = ways.map(|(mutexes, no_symmetry)| Request {
                mutexes,
                no_symmetry,
                ..request(model, limit)
            });
            let [one, other] = ways.map(|request| answers(&file, &request));
            for (left, right) in one.into_iter().zip(other) {
                match (&left.1, &right.1) {
                    (None, _) | (_, None) => count.unknown += 1,
                    (a, b) if a == b => {
                        count.same += 1;
                        count.violated += usize::from(a.as_deref() == Some("violated"));
                    }
                    (a, b) => {
                        let what = format!("seed {seed} on {model}, {}: {a:?}, {b:?}", left.0);
                        count.differ.push(what);
                    }
                }
            }
        }
    }
    let _ = std::fs::remove_dir_all(&folder);
    count
}

fn request(model: &str, limit: Duration) -> Request {
    Request {
        models: vec![model.to_string()],
        properties: Property::ALL.to_vec(),
        outcomes: Some("x, y".to_string()),
        engine: EngineChoice::Solver,
        max_unroll: Some(4),
        time_limit: Some(limit),
        ..Request::default()
    }
}

/// All answers about a program, each with what it is about; `None` where there is no answer.
fn answers(file: &Path, request: &Request) -> Vec<(String, Option<String>)> {
    let subject = match plan(file, request) {
        Ok(subject) => subject,
        Err(rejected) => {
            let (all, sources) = (&rejected.diagnostics, &rejected.sources);
            let text = report::diagnostics::render_all(all, sources, Style::Plain);
            return vec![("-".to_string(), Some(text))];
        }
    };
    let answer = verify_quietly(&subject, &subject.models[0]);
    let mut all: Vec<(String, Option<String>)> = answer
        .outcomes
        .iter()
        .map(|(property, outcome)| (property.name().to_string(), word(&outcome.verdict)))
        .collect();
    let observed = answer.observed.as_ref().map(|observed| format!("{observed:?}"));
    all.push(("outcomes".to_string(), word(&answer.rest.verdict).and(observed)));
    all
}

fn word(outcome: &Verdict) -> Option<String> {
    let word = match outcome {
        Verdict::Holds => "holds",
        Verdict::HoldsWithinBounds(_) => "holds within bounds",
        Verdict::Violated(_) => "violated",
        Verdict::Vacuous(..) => "has no executions",
        Verdict::Inconclusive(Reason::Mismatch(what) | Reason::Internal(what), _) => {
            return Some(format!("our mistake: {what}"));
        }
        Verdict::Inconclusive(Reason::Unsupported { what, .. }, _) => {
            return Some(format!("refused: {what}"));
        }
        Verdict::Inconclusive(Reason::Cut(_), _) => "is cut",
        Verdict::Inconclusive(..) => return None,
    };
    Some(word.to_string())
}
