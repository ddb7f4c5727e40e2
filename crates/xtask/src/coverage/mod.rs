//! `fencepost verify --coverage` compared with brute force: the stepper under every schedule for
//! `sc`, the oracle's executions for other models, and for `sc` where there are too many schedules.
//! The programs record what they reach ([`instrument`]). With `--explore`, the engine that explores runs
//! must name the same ones as the usual engines, too.
//!
//! Where brute force terminates both must name the same branches and assertions; where it
//! does not, what it has seen must be covered.

mod explore;
mod instrument;

use crate::agree::programs::random_text;
use crate::root;
use crate::verify_corpus::expectation;
use clap::Args;
use encoding::bounded::Goal;
use engines::verification::EngineChoice;
use engines::verification::coverage::name;
use execution::verdict::Verdict;
use fencepost::compile::{Language, compile_text};
use fencepost::verify::cell::verify_quietly;
use fencepost::verify::plan::{Request, Subject, plan};
use ir::op::Op;
use ir::prepare::Preparation;
use ir::program::Program;
use models::Model;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::{Duration, Instant};

/// Which programs, and how.
#[derive(Args)]
pub struct CoverageOptions {
    /// Only programs whose name contains this
    pub filter: Option<String>,
    /// The models
    #[arg(long = "model", default_values_t = ["sc", "tso"].map(String::from))]
    pub models: Vec<String>,
    /// Seconds for brute force, and for verify, about a program on a model
    #[arg(long, default_value_t = 10.0)]
    pub limit: f64,
    /// The number of random programs, instead of the corpus
    #[arg(long)]
    pub random: Option<u64>,
    /// The seed of the first random program; the others follow it
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Ask the engine that explores runs, and compare it with the usual engines too
    #[arg(long)]
    pub explore: bool,
    /// Print every comparison
    #[arg(long)]
    pub verbose: bool,
}

/// How coverage compares with brute force.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Comparison {
    /// Both say the same about all goals; how many goals are reached and how many are not.
    Same(usize, usize),
    /// Brute force did not terminate; what it has seen is covered.
    Within(usize),
    /// One of the two has no answer; why.
    Unknown(String),
    /// They differ; how.
    Different(String),
}

/// Compares all programs of `corpus/verify`, or random ones, and prints what came of it; whether
/// none differs.
pub fn run(options: &CoverageOptions) -> bool {
    let limit = Duration::from_secs_f64(options.limit);
    let engine = match options.explore {
        true => EngineChoice::Explore,
        false => EngineChoice::Either,
    };
    let mut counts = Counts::new();
    if let Some(count) = options.random {
        for seed in options.seed..options.seed + count {
            let text = random_text(seed);
            for model in &options.models {
                let comparison = compare_text(&text, model, (engine, limit));
                if let Comparison::Different(_) = comparison {
                    println!("{text}");
                }
                note(&mut counts, options, (&format!("seed {seed}"), model), &comparison);
            }
        }
        return sum(&counts);
    }
    let programs = match expectation::programs(&root().join("corpus/verify")) {
        Ok(programs) => programs,
        Err(error) => {
            eprintln!("{error}");
            return false;
        }
    };
    let wanted = |name: &str| options.filter.as_ref().is_none_or(|part| name.contains(part));
    for program in programs.iter().filter(|program| wanted(&program.name)) {
        for model in &options.models {
            let comparison = compare(&program.path, model, (engine, limit));
            note(&mut counts, options, (&program.name, model), &comparison);
        }
    }
    sum(&counts)
}

/// How often there was which result, by model.
type Counts<'o> = BTreeMap<(&'o str, &'static str), usize>;

fn note<'o>(
    counts: &mut Counts<'o>,
    options: &CoverageOptions,
    (name, model): (&str, &'o str),
    comparison: &Comparison,
) {
    let (kind, loud) = match comparison {
        Comparison::Same(..) => (SAME, false),
        Comparison::Within(_) => ("brute force unfinished, nothing missed", false),
        Comparison::Unknown(_) => ("no answer", false),
        Comparison::Different(_) => (DIFFERENT, true),
    };
    *counts.entry((model, kind)).or_default() += 1;
    if loud || options.verbose {
        println!("{name} on {model}: {comparison:?}");
    }
}

const DIFFERENT: &str = "DIFFERENT";
const SAME: &str = "the same";

fn sum(counts: &Counts<'_>) -> bool {
    for ((model, kind), count) in counts {
        println!("{model}: {count} programs: {kind}");
    }
    is_enough(counts) && counts.keys().all(|(_, kind)| *kind != DIFFERENT)
}

/// Of a whole corpus, one program in this many must be compared in both directions: giving up shows
/// nothing.
const LEAST: usize = 5;

fn is_enough(counts: &Counts<'_>) -> bool {
    let all: usize = counts.values().sum();
    let same = counts.iter().filter(|((_, kind), _)| *kind == SAME);
    let same: usize = same.map(|(_, count)| count).sum();
    let enough = same > 0 && (all < 4 * LEAST || same >= all / LEAST);
    if !enough {
        println!("only {same} of {all} were compared in both directions");
    }
    enough
}

/// Compares coverage of a program on a model with brute force.
pub fn compare(path: &Path, model: &str, (engine, limit): (EngineChoice, Duration)) -> Comparison {
    let request = Request {
        models: vec![model.to_string()],
        coverage: true,
        engine,
        time_limit: Some(limit),
        ..Request::default()
    };
    match plan(path, &request) {
        Ok(subject) => compare_subject(subject, limit),
        Err(_) => Comparison::Different("it does not compile".to_string()),
    }
}

/// The same for the text of a program.
pub fn compare_text(
    text: &str,
    name: &str,
    (engine, limit): (EngineChoice, Duration),
) -> Comparison {
    let Ok(compiled) = compile_text("program.c", text, Language::C) else {
        return Comparison::Different("it does not compile".to_string());
    };
    let Ok(model) = fencepost::litmus::model(name) else {
        return Comparison::Unknown(format!("there is no model {name}"));
    };
    let request = Request { coverage: true, engine, time_limit: Some(limit), ..Request::default() };
    let subject = Subject::new(compiled.program, model, request, &Preparation::default());
    compare_subject(subject, limit)
}

fn compare_subject(mut subject: Subject, limit: Duration) -> Comparison {
    let model = &subject.models[0].clone();
    let program = match fencepost::target::compile(&subject.program, model) {
        Ok(program) => program,
        Err(unsupported) => return Comparison::Unknown(unsupported.what),
    };
    let goals = instrument::goals(&program);
    let covered = match covered(&subject, model, &goals) {
        Ok(covered) => covered,
        Err(why) => return Comparison::Unknown(why),
    };
    if subject.request.engine != EngineChoice::Either {
        subject.request.engine = EngineChoice::Either;
        if let Ok(usual) = self::covered(&subject, model, &goals)
            && usual != covered
        {
            let named = |goal: &Goal| name(&program, *goal);
            let own: Vec<String> = covered.symmetric_difference(&usual).map(named).collect();
            return Comparison::Different(format!("one engine alone covers: {own:?}"));
        }
    }
    let telling = instrument::telling(program.clone(), &goals);
    let (seen, all) = match brute_force(&telling, model, Instant::now() + limit) {
        Ok(found) => found,
        Err(why) => return Comparison::Unknown(why),
    };
    let named = |goals: &BTreeSet<Goal>| -> BTreeSet<String> {
        goals.iter().map(|&goal| name(&program, goal)).collect()
    };
    let covered = named(&covered);
    let missed: Vec<&String> = seen.difference(&covered).collect();
    let invented: Vec<&String> = covered.difference(&seen).collect();
    match (missed.is_empty(), all) {
        (false, _) => Comparison::Different(format!("not covered: {missed:?}")),
        (true, false) => Comparison::Within(seen.len()),
        (true, true) if invented.is_empty() => {
            Comparison::Same(seen.len(), goals.len() - seen.len())
        }
        (true, true) => Comparison::Different(format!("never reached: {invented:?}")),
    }
}

/// The goals that `verify --coverage` says are reached.
fn covered(
    subject: &Subject,
    model: &Model,
    goals: &BTreeSet<Goal>,
) -> Result<BTreeSet<Goal>, String> {
    let answer = verify_quietly(subject, model);
    match (answer.covered, answer.rest.verdict) {
        (Some(covered), Verdict::Holds | Verdict::HoldsWithinBounds(_)) => {
            let reached = covered.iter().filter(|goal| goal.witness.is_some());
            Ok(reached.map(|goal| goal.goal).filter(|goal| goals.contains(goal)).collect())
        }
        _ => Err("coverage has no answer".to_string()),
    }
}

/// Fences mean nothing under sequential consistency, and are steps at which threads are switched.
fn without_fences(mut program: Program) -> Program {
    for function in program.functions.iter_mut() {
        for block in function.blocks.iter_mut() {
            block.insts.retain(|inst| !matches!(inst.op, Op::Fence(_)));
        }
    }
    program
}

/// What runs observe, and whether that is all that can be observed.
fn brute_force(
    program: &Program,
    model: &Model,
    deadline: Instant,
) -> Result<(BTreeSet<String>, bool), String> {
    let start = Instant::now();
    let mut seen = BTreeSet::new();
    if model.name == "sc" {
        let explored = explore::explore(&without_fences(program.clone()), deadline);
        if explored.all {
            return Ok((explored.seen, true));
        }
        seen = explored.seen;
    }
    let mut options = oracle::EnumerationOptions::for_program(model);
    options.limits.deadline = Some(Instant::now() + (deadline - start));
    let outcomes = match oracle::program::outcomes(program, model, &options) {
        Ok(outcomes) => outcomes,
        Err(_) if !seen.is_empty() => return Ok((seen, false)),
        Err(problem) => return Err(problem.to_string()),
    };
    let observed = outcomes.all.iter().flat_map(|outcome| outcome.observation.operations.values());
    seen.extend(observed.flatten().map(|observed| observed.label.clone()));
    // An execution with a finding does not report what it reached before, and one that an
    // assumption ends is not reported at all.
    let flawed = outcomes.all.iter().any(|outcome| outcome.finding.is_some());
    let complete = !outcomes.bounded && !flawed && !assumes(program);
    Ok((seen, complete && !outcomes.all.is_empty()))
}

/// Headers in which a thread waits where an assumption fails.
const WAITING: [&str; 4] = ["<pthread.h>", "<threads.h>", "<semaphore.h>", "<checkfence.h>"];

/// Whether an assumption may end executions of a program.
fn assumes(program: &Program) -> bool {
    let blocks = program.functions.iter().flat_map(|function| function.blocks.iter());
    let mut insts = blocks.flat_map(|block| &block.insts);
    insts.any(|inst| {
        let file = inst.place.map(|place| &*program.places[place].location.file);
        matches!(inst.op, Op::Assume { .. }) && !file.is_some_and(|file| WAITING.contains(&file))
    })
}
