//! Litmus tests: reads them, runs them under models, and compares with recorded answers.

pub mod compiled;
pub mod expect;
pub mod files;
mod sat;
pub mod session;
pub mod show;
pub mod tally;
pub mod text;

use crate::check::plan::meant;
use compiled::{Compiled, for_model};
use execution::diagnostic::Diagnostic;
use execution::printable::shown;
use execution::span::SourceMap;
use front_litmus::test::{Arch, Dialect, Test};
use limits::MemoryLimit;
use models::{Model, ModelError};
use oracle::Problem;
use oracle::litmus::{Answer, Prepared};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A test that was read, or why it was not.
pub struct Loaded {
    /// The file.
    pub path: PathBuf,
    /// Its text.
    pub sources: SourceMap,
    /// The test.
    pub test: Result<Test, Box<Diagnostic>>,
}

/// Reads a test.
pub fn load(path: &Path) -> Loaded {
    let mut sources = SourceMap::new();
    let test = match execution::input::read(path) {
        Ok(bytes) => {
            let text = String::from_utf8_lossy(&bytes).into_owned();
            let file = sources.add_file(path.display().to_string(), text);
            front_litmus::parse(&sources, file)
        }
        Err(error) => {
            let message = format!("cannot read `{}`: {error}", shown(path));
            Err(Box::new(Diagnostic::general(message)))
        }
    };
    Loaded { path: path.to_path_buf(), sources, test }
}

/// How to run tests.
#[derive(Clone, Debug)]
pub struct Limits {
    /// How long one test may take under one model.
    pub time: Option<Duration>,
    /// How much memory the process may use.
    pub memory: Option<MemoryLimit>,
    /// How often a branch may be decided by what was read, in one thread.
    pub unroll: u32,
    /// Who answers.
    pub engine: Engine,
}

impl Default for Limits {
    fn default() -> Self {
        Self { time: None, memory: None, unroll: 2, engine: Engine::Auto }
    }
}

impl Limits {
    /// When to give up a test that was begun then.
    fn since(&self, start: Instant) -> limits::Limits {
        limits::Limits {
            deadline: self.time.map(|time| start + time),
            memory: self.memory.clone(),
            ..limits::Limits::default()
        }
    }
}

/// Who answers a test.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Engine {
    /// The oracle; the solver where there are too many executions for the oracle.
    Auto,
    /// Enumerates and counts all executions, one by one.
    Oracle,
    /// Solves a formula; finds the same states, without counting executions.
    Sat,
}

/// The steps after which the oracle leaves a test to the solver: a few seconds of work, and far
/// more than nearly all tests need.
const MAX_STEPS: u64 = 500_000;

/// What came of a test under one model.
#[derive(Clone)]
pub struct ModelAnswer {
    /// The model.
    pub model: Arc<Model>,
    /// The answer, or why there is none.
    pub answer: Result<Answer, Problem>,
    /// Whether the solver answered because there were too many executions.
    pub fell_over: bool,
    /// How long it took.
    pub time: Duration,
}

/// Runs a test under models; the threads are enumerated once for all models that see the same. An
/// execution that satisfies the proposition, if `witness` asks for one, comes from the oracle alone.
pub fn run(test: &Test, models: &[Arc<Model>], limits: &Limits, witness: bool) -> Vec<ModelAnswer> {
    let mut outcomes = Vec::new();
    run_each(test, models, limits, witness, &mut |outcome| outcomes.push(outcome));
    outcomes
}

/// The same; `done` is told of each outcome as it becomes known, in the order of the models.
pub fn run_each(
    test: &Test,
    models: &[Arc<Model>],
    limits: &Limits,
    witness: bool,
    done: &mut dyn FnMut(ModelAnswer),
) {
    let compiled: Vec<_> = models.iter().map(|model| for_model(test, model)).collect();
    let mut seen: Vec<Enumerated<'_>> = Vec::new();
    for (model, compiled) in models.iter().zip(&compiled) {
        let start = Instant::now();
        let own = limits.since(start);
        let (answer, fell_over) = match compiled {
            Err(problem) => (Err(Problem::clone(problem)), false),
            Ok(compiled) if limits.engine == Engine::Sat => {
                (sat::ask(compiled, model, limits.unroll, own), false)
            }
            Ok(compiled) => enumerated(&mut seen, compiled, limits, witness, &own).ask(model, own),
        };
        done(ModelAnswer { model: model.clone(), answer, fell_over, time: start.elapsed() });
    }
}

/// A test whose threads have been enumerated, for the models that see it so.
struct Enumerated<'t> {
    compiled: &'t Compiled<'t>,
    limits: &'t Limits,
    witness: bool,
    prepared: Result<Prepared<'t>, Problem>,
}

/// The enumeration of a test as it is compiled, which may be there already.
fn enumerated<'s, 't>(
    seen: &'s mut Vec<Enumerated<'t>>,
    compiled: &'t Compiled<'t>,
    limits: &'t Limits,
    witness: bool,
    own: &limits::Limits,
) -> &'s mut Enumerated<'t> {
    let same = |other: &Compiled<'_>| {
        (other.target, other.language) == (compiled.target, compiled.language)
    };
    let position = seen.iter().position(|known| same(known.compiled)).unwrap_or_else(|| {
        let max_steps = max_steps(limits, witness);
        let prepared = enumerate(compiled, limits.unroll, own.clone(), max_steps);
        seen.push(Enumerated { compiled, limits, witness, prepared });
        seen.len() - 1
    });
    &mut seen[position]
}

impl Enumerated<'_> {
    /// Asks a model within limits, and says whether the solver had to answer.
    fn ask(&mut self, model: &Model, own: limits::Limits) -> (Result<Answer, Problem>, bool) {
        let (unroll, max_steps) = (self.limits.unroll, max_steps(self.limits, self.witness));
        let answer = match &mut self.prepared {
            Ok(prepared) => {
                prepared.set_limits(own.clone(), max_steps);
                prepared.ask(model, self.witness)
            }
            Err(problem) => Err(problem.clone()),
        };
        if !matches!((&answer, max_steps), (Err(Problem::TooLarge(_)), Some(_))) {
            return (answer, false);
        }
        match sat::ask(self.compiled, model, unroll, own.clone()) {
            Ok(solved) => (Ok(solved), true),
            // What the solver does not know is left to the patience of the user.
            Err(_) => {
                let prepared = enumerate(self.compiled, unroll, own, None);
                (prepared.and_then(|prepared| prepared.ask(model, self.witness)), false)
            }
        }
    }
}

/// The steps after which the solver is to answer, if it may.
fn max_steps(limits: &Limits, witness: bool) -> Option<u64> {
    (limits.engine == Engine::Auto && !witness).then_some(MAX_STEPS)
}

/// Enumerates the threads of a test.
fn enumerate<'t>(
    compiled: &'t Compiled<'t>,
    unroll: u32,
    limits: limits::Limits,
    max_steps: Option<u64>,
) -> Result<Prepared<'t>, Problem> {
    let mut options = compiled.options();
    options.loop_bound = unroll;
    options.limits = limits;
    options.max_steps = max_steps;
    Prepared::new(&compiled.test, options)
}

/// The model that a test is meant for.
pub fn default_model(test: &Test) -> &'static str {
    match (test.arch, test.dialect) {
        (Arch::X86 | Arch::X86_64, _) => "tso",
        (Arch::Ppc, _) => "power",
        (Arch::AArch64, _) => "armv8",
        (Arch::RiscV, _) => "riscv",
        (Arch::C, Some(Dialect::Kernel)) => "lkmm",
        (Arch::C, _) => "rc11",
    }
}

/// Why a model cannot be had.
#[derive(Debug)]
pub enum NoModel {
    /// There is neither a file nor a model of the library of this name.
    Unknown(String),
    /// Its text is wrong.
    Wrong(Box<ModelError>),
}

impl NoModel {
    /// What to say to the user who gave this name.
    pub fn message(&self, name: &str) -> String {
        match self {
            NoModel::Unknown(name) => {
                let known: Vec<&str> = models::library::ENTRIES.iter().map(|e| e.name).collect();
                let known = known.join(", ");
                match meant(name) {
                    Some(meant) => format!("there is no model `{name}`; did you mean `{meant}`?"),
                    None => format!("there is no model `{name}`; the library has {known}"),
                }
            }
            NoModel::Wrong(_) => format!("model `{name}` cannot be used"),
        }
    }
}

/// A variant that no model asks about is a mistake.
pub fn check_variants(variants: &[String], models: &[Arc<Model>]) -> Result<(), String> {
    let known: BTreeSet<&str> = models.iter().flat_map(|model| model.variants_asked()).collect();
    let Some(unknown) = variants.iter().find(|variant| !known.contains(variant.as_str())) else {
        return Ok(());
    };
    let known: Vec<&str> = known.into_iter().collect();
    Err(match known.as_slice() {
        [] => format!("no model given with --model asks about variant `{unknown}` or any other"),
        list => format!("no model asks about variant `{unknown}`, only about {}", list.join(", ")),
    })
}

/// The model of a name in the library, or in a file.
pub fn model(name: &str) -> Result<Arc<Model>, NoModel> {
    model_with(name, &[])
}

/// The same, where variants of a model in a file are switched on.
pub fn model_with(name: &str, variants: &[String]) -> Result<Arc<Model>, NoModel> {
    if !name.ends_with(".cat")
        && let Some(model) = Model::named(name)
    {
        return Ok(Arc::new(model));
    }
    let path = Path::new(name);
    if !path.exists() {
        return Err(NoModel::Unknown(name.to_string()));
    }
    Model::from_file_with(path, variants)
        .map(Arc::new)
        .map_err(|error| NoModel::Wrong(Box::new(error)))
}
