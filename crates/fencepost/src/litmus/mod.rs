//! Litmus tests: reads them, runs them under models, and compares with recorded answers.

pub mod expect;
pub mod files;
mod sat;
pub mod show;

use execution::diagnostic::Diagnostic;
use execution::span::SourceMap;
use front_litmus::test::{Arch, Dialect, Test};
use models::{Model, ModelError};
use oracle::litmus::{Answer, Prepared, language};
use oracle::{Options, Problem};
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
    let test = match std::fs::read(path) {
        Ok(bytes) => {
            let text = String::from_utf8_lossy(&bytes).into_owned();
            let file = sources.add_file(path.display().to_string(), text);
            front_litmus::parse(&sources, file)
        }
        Err(error) => {
            let message = format!("cannot read `{}`: {error}", path.display());
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
    /// How often a branch may be decided by what was read, in one thread.
    pub unroll: u32,
    /// Who answers.
    pub engine: Engine,
}

/// Who answers a test.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Engine {
    /// Enumerates and counts all executions, one by one.
    Oracle,
    /// Solves a formula; finds the same states, without counting executions.
    Sat,
}

/// What came of a test under one model.
pub struct Outcome {
    /// The model.
    pub model: Arc<Model>,
    /// The answer, or why there is none.
    pub answer: Result<Answer, Problem>,
    /// How long it took.
    pub time: Duration,
}

/// Runs a test under models; the threads are enumerated once for all of them.
pub fn run(test: &Test, models: &[Arc<Model>], limits: &Limits, witness: bool) -> Vec<Outcome> {
    if limits.engine == Engine::Sat {
        return models.iter().map(|model| solve(test, model, limits)).collect();
    }
    let start = Instant::now();
    let deadline = |start: Instant| limits.time.map(|time| start + time);
    let options = |deadline| {
        let mut options = Options::new(language(test));
        options.loop_bound = limits.unroll;
        options.deadline = deadline;
        options
    };
    let mut prepared = Prepared::new(test, options(deadline(start)));
    let mut spent = start.elapsed();
    let mut outcomes = Vec::new();
    for model in models {
        let start = Instant::now();
        let answer = match &mut prepared {
            Ok(prepared) => {
                prepared.set_deadline(deadline(start));
                prepared.ask(model, witness)
            }
            Err(problem) => Err(problem.clone()),
        };
        let time = start.elapsed() + std::mem::take(&mut spent);
        outcomes.push(Outcome { model: model.clone(), answer, time });
    }
    outcomes
}

fn solve(test: &Test, model: &Arc<Model>, limits: &Limits) -> Outcome {
    let start = Instant::now();
    let answer = sat::ask(test, model, limits);
    Outcome { model: model.clone(), answer, time: start.elapsed() }
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
