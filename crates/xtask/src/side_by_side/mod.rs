//! Every engine of `verify` on programs that grow: processor time, growth, and how far `auto` is from
//! the engine that answers first.
//!
//! `cargo run --release -p xtask -- engines` writes `benchmarks/engines.md`. An answer is one that is
//! whole: a verdict within bounds is none.

mod table;

use crate::root;
use crate::timing::children_seconds;
use clap::Args;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// The programs in `benchmarks/`, what N is called there, and its values.
const PROGRAMS: [(&str, &str, [u32; 3]); 21] = [
    ("engines/barrier", "N", [2, 4, 6]),
    ("engines/coarse-tree", "N", [2, 3, 4]),
    ("engines/counter", "N", [4, 8, 16]),
    ("engines/fine-list", "N", [2, 3, 4]),
    ("engines/own-rows", "N", [3, 6, 9]),
    ("engines/parallel-length", "N", [3, 5, 7]),
    ("engines/pipeline", "N", [4, 8, 12]),
    ("engines/pool", "N", [2, 3, 4]),
    ("engines/queue", "N", [1, 2, 3]),
    ("engines/seqlock", "N", [2, 4, 8]),
    ("engines/spinlock", "N", [2, 4, 8]),
    ("engines/stack", "N", [2, 3, 4]),
    ("engines/table-of-locks", "N", [2, 4, 8]),
    ("engines/ticket", "N", [2, 4, 8]),
    ("engines/ttas", "N", [3, 6, 12]),
    ("file_system", "THREADS", [4, 8, 12]),
    ("satcheck/dekker", "N", [4, 10, 20]),
    ("satcheck/queue", "N", [3, 6, 12]),
    ("satcheck/rwlock", "N", [4, 10, 20]),
    ("satcheck/seqlock", "N", [3, 6, 12]),
    ("satcheck/spinlock", "N", [4, 10, 20]),
];

/// The engines, as `--engine` names them.
pub(crate) const ENGINES: [&str; 5] = ["auto", "states", "graphs", "sat", "explore"];

/// What to measure.
#[derive(Args)]
pub struct EnginesOptions {
    /// Only programs whose name contains this
    filter: Option<String>,
    /// The models
    #[arg(long = "model", default_values_t = ["sc", "tso", "rc11", "armv8"].map(String::from))]
    models: Vec<String>,
    /// Processor seconds for each run
    #[arg(long, default_value_t = 60)]
    limit: u64,
    /// The binary to measure; the one beside this one if there is none
    #[arg(long)]
    fencepost: Option<PathBuf>,
    /// Print the figures, and leave benchmarks/ as it is
    #[arg(long)]
    dry: bool,
}

/// What an engine said of a program, and what it took.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Measured {
    pub seconds: f64,
    /// The verdicts, if there is one for every property; nothing if something is open.
    pub said: Option<String>,
}

/// A program of a size on a model.
pub(crate) struct Row {
    pub program: &'static str,
    pub n: u32,
    pub model: String,
    pub engines: BTreeMap<&'static str, Measured>,
}

/// Measures everything; says whether no two engines contradict each other.
pub fn run(options: &EnginesOptions) -> bool {
    let beside = || Some(std::env::current_exe().ok()?.with_file_name("fencepost"));
    let Some(binary) = options.fencepost.clone().or_else(beside).filter(|path| path.exists())
    else {
        eprintln!("there is no binary to measure: name one with --fencepost");
        return false;
    };
    let wanted = |name: &str| options.filter.as_ref().is_none_or(|part| name.contains(part));
    let mut rows = Vec::new();
    for (program, parameter, sizes) in PROGRAMS.into_iter().filter(|it| wanted(it.0)) {
        for model in &options.models {
            for n in sizes {
                let define = format!("{parameter}={n}");
                let measure = |engine: &&'static str| {
                    let asked = Asked { program, define: &define, model, engine };
                    (*engine, measure(&binary, &asked, options.limit))
                };
                let engines = ENGINES.iter().map(measure).collect();
                let row = Row { program, n, model: model.clone(), engines };
                println!("{}", table::line(&row));
                rows.push(row);
            }
        }
    }
    let contradictions: Vec<String> = rows.iter().filter_map(contradiction).collect();
    contradictions.iter().for_each(|line| println!("{line}"));
    let summary = table::summary(&rows);
    println!("\n{summary}");
    if !options.dry && !rows.is_empty() {
        let page = table::page(&rows, &summary, options.limit);
        std::fs::write(root().join("benchmarks/engines.md"), page).expect("benchmarks is writable");
    }
    contradictions.is_empty() && !rows.is_empty()
}

struct Asked<'a> {
    program: &'a str,
    define: &'a str,
    model: &'a str,
    engine: &'a str,
}

fn measure(binary: &PathBuf, asked: &Asked<'_>, limit: u64) -> Measured {
    let file = root().join("benchmarks").join(format!("{}.c", asked.program));
    let before = children_seconds();
    // The limit is one of processor time, which the shell sets.
    let mut command = Command::new("sh");
    command.args(["-c", &format!("ulimit -t {limit}; exec \"$@\""), "sh"]).arg(binary);
    command.arg("verify").arg(file).args(["-D", asked.define, "-D", "ASSERTED", "--json"]);
    command.args(["--model", asked.model, "--engine", asked.engine]);
    command.args(["--property", "assert", "--property", "memory"]);
    let output = command.stderr(Stdio::null()).output();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    let seconds = children_seconds() - before;
    Measured { seconds, said: said(&text.unwrap_or_default()) }
}

/// The verdicts of an answer, if it is one.
fn said(json: &str) -> Option<String> {
    let document: serde_json::Value = serde_json::from_str(json).ok()?;
    let properties = document["programs"][0]["models"][0]["properties"].as_array()?;
    let verdicts: Option<Vec<&str>> =
        properties.iter().map(|property| property["verdict"].as_str()).collect();
    let verdicts = verdicts.filter(|all| !all.is_empty())?;
    verdicts.iter().all(|it| ["holds", "violated"].contains(it)).then(|| verdicts.join(" "))
}

/// Two engines that say different things.
fn contradiction(row: &Row) -> Option<String> {
    let mut said = row.engines.iter().filter_map(|it| Some((it.0, it.1.said.as_ref()?)));
    let (first, one) = said.next()?;
    let (second, other) = said.find(|it| it.1 != one)?;
    let Row { program, n, model, .. } = row;
    Some(format!("{program}, N = {n}, {model}: {first} says {one}, {second} says {other}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_open_or_bounded_is_no_answer() {
        let json = |verdict: &str| {
            format!(
                r#"{{"programs":[{{"models":[{{"properties":[{{"verdict":"holds"}},
                    {{"verdict":"{verdict}"}}]}}]}}]}}"#
            )
        };
        assert_eq!(said(&json("violated")).as_deref(), Some("holds violated"));
        assert_eq!(said(&json("holds_within_bounds")), None);
        assert_eq!(said(&json("inconclusive")), None);
        assert_eq!(said(""), None);
    }

    #[test]
    fn every_program_is_there() {
        for (program, parameter, _) in PROGRAMS {
            let file = root().join("benchmarks").join(format!("{program}.c"));
            let text = std::fs::read_to_string(file).expect("a program");
            assert!(text.contains(&format!("#ifndef {parameter}")), "{program}");
        }
    }
}
