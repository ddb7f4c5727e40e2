//! Random C programs with threads, loops, mutexes, waits, pointers and a heap: solver, oracle and
//! `fencepost verify`, by each of its engines, must agree about their outcomes and about every
//! property.
//!
//! The programs are the sketches for C11, printed as C with POSIX threads; for the model of the
//! Linux kernel, in its words.

mod enrich;
mod kernel;
mod properties;
mod text;

use super::compare::{self, Comparison};
use super::generate::{self, FAMILIES, Family};
use super::random::Random;
use super::sketch::Sketch;
use clap::Args;
use fencepost::compile::{Language, compile_text};
use fencepost::target;
use ir::prepare::{Preparation, whole};
use ir::program::Program;
use models::{Architecture, Model};
use oracle::program::outcomes;
use properties::{Asked, Verified};
use report::Style;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The families of models: those with one order of memory, machines, languages, and those
/// used less often.
const GROUPS: [(&str, &[&str]); 5] = [
    ("orders", &["sc", "tso", "pso", "relaxed"]),
    ("machines", &["armv8", "riscv", "power"]),
    ("languages", &["rc11", "imm"]),
    ("others", &["rmo", "alpha", "armv7", "c11"]),
    ("kernel", &["lkmm"]),
];
/// The family of sketches whose words C has.
const WORDS: &str = "c11";
const MOST_THREADS: usize = 3;

/// How many programs, and which.
#[derive(Args)]
pub struct ProgramsOptions {
    /// The number of programs
    #[arg(long, default_value_t = 200)]
    pub count: u64,
    /// The seed of the first program; the others follow it
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Only families of models whose name contains this: orders, machines, languages, others,
    /// kernel
    #[arg(long)]
    pub family: Option<String>,
    /// Seconds that the oracle, and the solver, may take for a program under a model
    #[arg(long, default_value_t = 2.0)]
    pub limit: f64,
    /// Only what the load-store language has words for: one mutex, nothing of the library
    #[arg(long)]
    pub plain: bool,
    /// Only programs that access parts of what they also access as a whole
    #[arg(long)]
    pub parts: bool,
    /// Only programs that go on where they once ended: that overflow before something else goes
    /// wrong, leave threads behind, or write while they wait
    #[arg(long)]
    pub ends: bool,
    /// Print each program and what came of it
    #[arg(long)]
    pub verbose: bool,
}

/// How often it is said how far it is.
const PROGRESS: Duration = Duration::from_secs(60);

/// What was found.
#[derive(Default)]
pub struct Report {
    /// Programs that were generated.
    pub programs: u64,
    /// By model, the number of programs about which all agree.
    pub agree: BTreeMap<&'static str, u64>,
    /// By model, the number of those about which three agree: states, solver and oracle.
    pub three: BTreeMap<&'static str, u64>,
    /// Why programs were refused, and how often.
    pub refused: BTreeMap<String, u64>,
    /// Why single answers of `verify` are missing, and how often.
    pub open: BTreeMap<String, u64>,
    /// How often each property was found to be violated, or to hold.
    pub verdicts: BTreeMap<String, u64>,
    /// Programs, made small, about which they differ.
    pub differ: Vec<String>,
}

/// Runs the programs and prints what came of it; whether all agree.
pub fn run(options: &ProgramsOptions) -> bool {
    let start = Instant::now();
    let sum = |report: &Report| {
        format!(
            "{} programs from seed {}, {} comparisons agree, {} with three answers, {} refused, \
             {} differ; {:.0} s",
            report.programs,
            options.seed,
            report.agree.values().sum::<u64>(),
            report.three.values().sum::<u64>(),
            report.refused.values().sum::<u64>(),
            report.differ.len(),
            start.elapsed().as_secs_f64()
        )
    };
    let mut reported = Instant::now();
    let mut progress = |report: &Report| {
        if reported.elapsed() >= PROGRESS {
            println!("so far: {}", sum(report));
            reported = Instant::now();
        }
    };
    let report = check(options, &mut |text| println!("{text}"), &mut progress);
    println!("{}", sum(&report));
    for (model, count) in &report.agree {
        let three = report.three.get(model).map(|count| format!(", {count} of them three answers"));
        println!("  {model}: {count} agree{}", three.unwrap_or_default());
    }
    let lists = [("refused", &report.refused), ("open", &report.open), ("", &report.verdicts)];
    for (word, list) in lists {
        for (what, count) in list {
            println!("  {word} {count} times: {what}");
        }
    }
    report.differ.is_empty()
}

/// Runs the programs; `tell` is called for single ones, `progress` what was found after each.
pub fn check(
    options: &ProgramsOptions,
    tell: &mut dyn FnMut(&str),
    progress: &mut dyn FnMut(&Report),
) -> Report {
    let mut report = Report::default();
    let limit = Duration::from_secs_f64(options.limit);
    let wanted = |group: &str| options.family.as_ref().is_none_or(|part| group.contains(part));
    let groups = GROUPS.iter().filter(|(name, _)| wanted(name));
    let models: Vec<&'static str> = groups.flat_map(|(_, models)| models.iter().copied()).collect();
    for seed in options.seed..options.seed + options.count {
        let program = program(&mut Random::new(seed), options.into());
        for name in &models {
            let Ok(model) = fencepost::litmus::model(name) else { continue };
            let (comparison, asked) = judge(&program.c_text(), &model, limit);
            if options.verbose {
                tell(&format!("seed {seed} under {name}: {comparison:?}\n{}", program.c_text()));
            }
            report.add(name, &asked);
            match comparison {
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
        report.programs += 1;
        progress(&report);
    }
    report
}

impl Report {
    fn add(&mut self, model: &'static str, asked: &Asked) {
        if asked.three {
            *self.three.entry(model).or_default() += 1;
        }
        for why in &asked.open {
            *self.open.entry(format!("{model}: {why}")).or_default() += 1;
        }
        for verdict in &asked.verdicts {
            *self.verdicts.entry(verdict.clone()).or_default() += 1;
        }
    }
}

/// The text of a random program.
pub fn random_text(seed: u64) -> String {
    let kind = Kind { plain: false, parts: seed % 4 == 1, ends: seed % 4 == 3 };
    program(&mut Random::new(seed), kind).c_text()
}

/// The text of a random program without the library, which has few executions; every fourth
/// accesses parts of what it also accesses as a whole.
pub fn small_text(seed: u64) -> String {
    let kind = Kind { plain: true, parts: seed % 4 == 1, ends: false };
    program(&mut Random::new(seed), kind).c_text()
}

/// What random programs are about.
#[derive(Clone, Copy, Default)]
struct Kind {
    plain: bool,
    parts: bool,
    ends: bool,
}

impl From<&ProgramsOptions> for Kind {
    fn from(&ProgramsOptions { plain, parts, ends, .. }: &ProgramsOptions) -> Self {
        Self { plain, parts, ends }
    }
}

/// A random program.
fn program(random: &mut Random, Kind { plain, parts, ends }: Kind) -> Sketch {
    let words = |family: &&Family| family.name == WORDS;
    let family = FAMILIES.iter().find(words).expect("there is such a family");
    let mut sketch = generate::sketch(random, family);
    sketch.threads.truncate(MOST_THREADS);
    sketch.unjoined = false;
    if !plain {
        enrich::enrich(random, &mut sketch);
        sketch.nested = random.one_in(6);
        enrich::add_floats(random, &mut sketch);
        enrich::add_topics(random, &mut sketch);
    }
    if parts {
        enrich::add_parts(random, &mut sketch);
    }
    if ends {
        enrich::add_ends(random, &mut sketch);
    }
    sketch
}

/// What solver, oracle and `verify` say about a program, and what `verify` was asked.
fn judge(text: &str, model: &Arc<Model>, limit: Duration) -> (Comparison, Asked) {
    let mut asked = Asked::default();
    let text = match model.architecture() {
        Architecture::Linux => kernel::in_its_words(text),
        _ => text.to_string(),
    };
    let comparison = judged(&text, model, limit, &mut asked);
    (comparison, asked)
}

/// What solver and oracle say about a hand-written program.
pub fn judge_text(text: &str, model: &Model, limit: Duration) -> Comparison {
    match compiled(text, model) {
        Ok(program) => compare::compare(&program.verified, model, limit),
        Err(comparison) => comparison,
    }
}

/// A program, and what becomes of it for a model.
struct Compiled {
    source: Program,
    /// Compiled for the model, and nothing else. What the oracle says of it holds of the next as
    /// well, or a pass is wrong.
    written: Program,
    /// As users' programs are verified.
    verified: Program,
}

fn compiled(text: &str, model: &Model) -> Result<Compiled, Comparison> {
    let source = match compile_text("program.c", text, Language::C) {
        Ok(compiled) => compiled.program,
        Err(rejected) => {
            let (all, map) = (&rejected.diagnostics, &rejected.sources);
            let text = report::diagnostics::render_all(all, map, Style::Plain);
            return Err(Comparison::Differ(text));
        }
    };
    let whole = whole(source.clone(), &Preparation::default());
    let [written, verified] = [&source, &whole].map(|program| target::compile(program, model));
    match (written, verified) {
        (Ok(written), Ok(verified)) => Ok(Compiled { source, written, verified }),
        (Err(refused), _) | (_, Err(refused)) => {
            Err(Comparison::Refused(format!("mapping: {}", refused.what)))
        }
    }
}

fn judged(text: &str, model: &Arc<Model>, limit: Duration, asked: &mut Asked) -> Comparison {
    let Compiled { source, written, verified: program } = match compiled(text, model) {
        Ok(compiled) => compiled,
        Err(comparison) => return comparison,
    };
    // What the engines of `verify` say of each other needs no oracle.
    let verified = Verified::new(&source, model, limit, asked);
    if !verified.differences.is_empty() {
        return Comparison::Differ(verified.differences.join("\n"));
    }
    let ask = |overflow| {
        let mut options = oracle::EnumerationOptions::for_program(model);
        options.limits.deadline = Some(Instant::now() + limit);
        (options.endings, options.overflow) = (true, overflow);
        outcomes(&written, model, &options)
    };
    // Where nothing overflows, it is the same whether overflow is wrong.
    let both = ask(true).and_then(|checked| match checked.overflows {
        true => Ok((checked, ask(false)?)),
        false => Ok((checked.clone(), checked)),
    });
    let (checked, wrapped) = match both {
        Ok(both) => both,
        Err(problem) => return Comparison::Refused(format!("oracle: {problem}")),
    };
    // An answer within bounds can be compared only with one within the same bounds.
    let comparison = match wrapped.bounded {
        true => compare::compare(&program, model, limit),
        false => compare::compare_with(&wrapped, &program, model, limit),
    };
    let same = match comparison {
        Comparison::Agree(count) => count,
        other => return other,
    };
    let all_awaited = !text.contains(text::NOT_AWAITED);
    let differences = verified.compare(&checked, &wrapped, all_awaited, asked);
    asked.three = verified.answers() >= 3;
    match differences.is_empty() {
        true => Comparison::Agree(same),
        false => Comparison::Differ(differences.join("\n")),
    }
}

/// Drops parts as long as they still differ.
fn minimise(mut program: Sketch, model: &Arc<Model>, limit: Duration) -> (Sketch, String) {
    let mut what = String::new();
    if let (Comparison::Differ(text), _) = judge(&program.c_text(), model, limit) {
        what = text;
    }
    'smaller: loop {
        for smaller in program.smaller() {
            if let (Comparison::Differ(text), _) = judge(&smaller.c_text(), model, limit) {
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
            let kind = Kind { plain: seed % 2 == 0, parts: seed % 4 == 1, ends: seed % 8 > 5 };
            let text = program(&mut Random::new(seed), kind).c_text();
            for text in [kernel::in_its_words(&text), text] {
                let compiled = compile_text("program.c", &text, Language::C);
                assert!(compiled.is_ok(), "seed {seed}:\n{text}");
            }
        }
    }
}
