//! Random C programs with threads, loops, a mutex, waits, pointers and a heap: solver, oracle and
//! `fencepost verify` must agree about their outcomes and about every property.
//!
//! The programs are the sketches for C11, printed as C with POSIX threads.

mod properties;
mod text;

use super::compare::{self, Comparison};
use super::generate::{self, FAMILIES, Family};
use super::random::Random;
use super::sketch::Sketch;
use clap::Args;
use fencepost::compile::{Language, compile_text};
use models::Model;
use oracle::program::outcomes;
use report::Style;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The families of models: those with one order of memory, machines, and languages.
const GROUPS: [(&str, &[&str]); 3] = [
    ("orders", &["sc", "tso", "pso", "relaxed"]),
    ("machines", &["armv8", "riscv", "power"]),
    ("languages", &["rc11", "imm"]),
];
/// The family of sketches whose words C has.
const WORDS: &str = "c11";
const MOST_THREADS: usize = 3;

/// How many programs, and which.
#[derive(Args)]
pub struct Options {
    /// The number of programs
    #[arg(long, default_value_t = 200)]
    pub count: u64,
    /// The seed of the first program; the others follow it
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Only families of models whose name contains this: orders, machines, languages
    #[arg(long)]
    pub family: Option<String>,
    /// Seconds that the oracle, and the solver, may take for a program under a model
    #[arg(long, default_value_t = 2.0)]
    pub limit: f64,
}

/// What was found.
#[derive(Default)]
pub struct Report {
    /// By model, the number of programs about which all agree.
    pub agree: BTreeMap<&'static str, u64>,
    /// Why programs were refused, and how often.
    pub refused: BTreeMap<String, u64>,
    /// Programs, made small, about which they differ.
    pub differ: Vec<String>,
}

/// Runs the programs and prints what came of it; whether all agree.
pub fn run(options: &Options) -> bool {
    let start = Instant::now();
    let report = check(options, &mut |text| println!("{text}"));
    let seconds = start.elapsed().as_secs_f64();
    let (count, differ) = (options.count, report.differ.len());
    println!("{count} programs from seed {}, {differ} differ; {seconds:.0} s", options.seed);
    for (model, count) in &report.agree {
        println!("  {model}: {count} agree");
    }
    for (why, count) in &report.refused {
        println!("  refused {count} times: {why}");
    }
    report.differ.is_empty()
}

/// Runs the programs.
pub fn check(options: &Options, tell: &mut dyn FnMut(&str)) -> Report {
    let mut report = Report::default();
    let limit = Duration::from_secs_f64(options.limit);
    let wanted = |group: &str| options.family.as_ref().is_none_or(|part| group.contains(part));
    let groups = GROUPS.iter().filter(|(name, _)| wanted(name));
    let models: Vec<&'static str> = groups.flat_map(|(_, models)| models.iter().copied()).collect();
    for seed in options.seed..options.seed + options.count {
        let program = program(&mut Random::new(seed));
        for name in &models {
            let Ok(model) = fencepost::litmus::model(name) else { continue };
            match judge(&program.c_text(), &model, limit) {
                Comparison::Agree(_) => *report.agree.entry(name).or_default() += 1,
                Comparison::Refused(why) => {
                    *report.refused.entry(format!("{name}: {why}")).or_default() += 1;
                }
                Comparison::Differ(_) => {
                    let (small, what) = minimise(program.clone(), &model, limit);
                    let text = format!("seed {seed} under {name}:\n{what}\n{}", small.c_text());
                    tell(&text);
                    report.differ.push(text);
                }
            }
        }
    }
    report
}

/// A random program.
fn program(random: &mut Random) -> Sketch {
    let words = |family: &&Family| family.name == WORDS;
    let family = FAMILIES.iter().find(words).expect("there is such a family");
    let mut sketch = generate::sketch(random, family);
    sketch.threads.truncate(MOST_THREADS);
    sketch
}

/// What solver, oracle and `verify` say about a program.
fn judge(text: &str, model: &Arc<Model>, limit: Duration) -> Comparison {
    let source = match compile_text("program.c", text, Language::C) {
        Ok(compiled) => compiled.program,
        Err(rejected) => {
            let (all, map) = (&rejected.diagnostics, &rejected.sources);
            return Comparison::Differ(report::diagnostics::render_all(all, map, Style::Plain));
        }
    };
    let program = match fencepost::target::compile(&source, model) {
        Ok(program) => program,
        Err(unsupported) => return Comparison::Refused(format!("mapping: {}", unsupported.what)),
    };
    let same = match compare::compare(&program, model, limit) {
        Comparison::Agree(count) => count,
        other => return other,
    };
    let mut options = oracle::Options::for_program(model);
    options.deadline = Some(Instant::now() + limit);
    let differences = match outcomes(&program, model, &options) {
        Ok(outcomes) => properties::compare(&source, model, &outcomes, limit),
        Err(problem) => return Comparison::Refused(format!("oracle: {problem}")),
    };
    match differences.is_empty() {
        true => Comparison::Agree(same),
        false => Comparison::Differ(differences.join("\n")),
    }
}

/// Drops parts as long as they still differ.
fn minimise(mut program: Sketch, model: &Arc<Model>, limit: Duration) -> (Sketch, String) {
    let mut what = String::new();
    if let Comparison::Differ(text) = judge(&program.c_text(), model, limit) {
        what = text;
    }
    'smaller: loop {
        for smaller in program.smaller() {
            if let Comparison::Differ(text) = judge(&smaller.c_text(), model, limit) {
                (program, what) = (smaller, text);
                continue 'smaller;
            }
        }
        return (program, what);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_program_compiles() {
        for seed in 0..200 {
            let text = program(&mut Random::new(seed)).c_text();
            assert!(compile_text("program.c", &text, Language::C).is_ok(), "seed {seed}:\n{text}");
        }
    }
}
