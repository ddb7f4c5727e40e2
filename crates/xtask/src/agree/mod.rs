//! Agreement: random small programs, whose outcomes the solver and the oracle must agree about.
//!
//! Each program is run under all models that have a meaning for it. The oracle enumerates
//! executions one by one; the solver enumerates outcomes of one formula, and every solution is
//! replayed. A program about which they differ is made small and printed.

mod compare;
mod generate;
pub mod programs;
pub(crate) mod random;
mod sketch;

pub use compare::Comparison;

use clap::Args;
use fencepost::compile::{Language, compile_text};
use generate::{FAMILIES, Family};
use models::Model;
use random::Random;
use sketch::Sketch;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// How many programs, and which.
#[derive(Args)]
pub struct AgreeOptions {
    /// The number of programs
    #[arg(long, default_value_t = 200)]
    pub count: u64,
    /// The seed of the first program; the others follow it
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Only families of models whose name contains this
    #[arg(long)]
    pub family: Option<String>,
    /// Seconds that the oracle, and the solver, may take for a program under a model
    #[arg(long, default_value_t = 5.0)]
    pub limit: f64,
    /// Print each program and what came of it
    #[arg(long)]
    pub verbose: bool,
}

/// How often it is said how far it is.
const PROGRESS: Duration = Duration::from_secs(20);

/// What was found.
#[derive(Default)]
pub struct Report {
    /// Programs that were generated.
    pub programs: u64,
    /// Programs under models about which both agree.
    pub agree: u64,
    /// By model, the number of those.
    pub by_model: BTreeMap<&'static str, u64>,
    /// Outcomes of those.
    pub outcomes: usize,
    /// Why programs were refused, and how often.
    pub refused: BTreeMap<String, u64>,
    /// Programs, made small, about which they differ.
    pub differ: Vec<String>,
}

/// Runs the programs and prints what came of it; whether all agree.
pub fn run(options: &AgreeOptions) -> bool {
    let start = Instant::now();
    let sum = |report: &Report| {
        format!(
            "{} programs, {} runs under models agree on {} outcomes, {} differ, {} refused; {:.0} s",
            report.programs,
            report.agree,
            report.outcomes,
            report.differ.len(),
            report.refused.values().sum::<u64>(),
            start.elapsed().as_secs_f64()
        )
    };
    let mut reported = Instant::now();
    let mut progress = |report: &Report| {
        if reported.elapsed() >= PROGRESS {
            eprintln!("so far: {}", sum(report));
            reported = Instant::now();
        }
    };
    let report = check(options, &mut |text| println!("{text}"), &mut progress);
    println!("{}", sum(&report));
    for (model, count) in &report.by_model {
        println!("  {model}: {count} agree");
    }
    for (why, count) in &report.refused {
        println!("  refused {count} times: {why}");
    }
    report.differ.is_empty()
}

/// Runs the programs; `tell` is called for single ones, `progress` what was found after each.
pub fn check(
    options: &AgreeOptions,
    tell: &mut dyn FnMut(&str),
    progress: &mut dyn FnMut(&Report),
) -> Report {
    let mut report = Report::default();
    let wanted = |family: &&Family| {
        options.family.as_ref().is_none_or(|part| family.name.contains(part.as_str()))
    };
    let families: Vec<&Family> = FAMILIES.iter().filter(wanted).collect();
    let limit = Duration::from_secs_f64(options.limit);
    for seed in options.seed..options.seed + options.count {
        let family = families[(seed % families.len() as u64) as usize];
        let sketch = generate::sketch(&mut Random::new(seed), family);
        for name in family.models {
            let Some(model) = Model::named(name) else { continue };
            let result = judge(&sketch, &model, limit);
            if options.verbose {
                tell(&format!("seed {seed} under {name}: {result:?}\n{}", sketch.text()));
            }
            match result {
                Comparison::Agree(outcomes) => {
                    report.agree += 1;
                    *report.by_model.entry(name).or_default() += 1;
                    report.outcomes += outcomes;
                }
                Comparison::Refused(why) => *report.refused.entry(why).or_default() += 1,
                Comparison::Differ(_) => {
                    let (small, what) = minimise(sketch.clone(), &model, limit);
                    let text = format!("seed {seed} under {name}:\n{what}\n{}", small.text());
                    tell(&text);
                    report.differ.push(text);
                }
            }
        }
        report.programs += 1;
        progress(&report);
    }
    report
}

fn judge(sketch: &Sketch, model: &Model, limit: Duration) -> Comparison {
    judge_text(&sketch.text(), model, limit)
}

/// Compares what solver and oracle say about a program in the text form.
pub fn judge_text(text: &str, model: &Model, limit: Duration) -> Comparison {
    match compile_text("sketch.fpir", text, Language::Fpir) {
        Ok(compiled) => compare::compare(&compiled.program, model, limit),
        Err(_) => Comparison::Differ("the text form does not parse".to_string()),
    }
}

/// Drops statements as long as the two still differ.
fn minimise(mut sketch: Sketch, model: &Model, limit: Duration) -> (Sketch, String) {
    let mut what = String::new();
    if let Comparison::Differ(text) = judge(&sketch, model, limit) {
        what = text;
    }
    'smaller: loop {
        for smaller in sketch.smaller() {
            if let Comparison::Differ(text) = judge(&smaller, model, limit) {
                (sketch, what) = (smaller, text);
                continue 'smaller;
            }
        }
        return (sketch, what);
    }
}
