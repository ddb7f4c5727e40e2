//! One cell of the tables: one test of one implementation under one model, checked and measured.

use crate::root;
use encoding::encode;
use engines::bounded::commit_points;
use engines::bounded::inclusion;
use engines::serial::{self, Explored, Mined, Orders, SerialOptions};
use engines::test::compose::{Composed, Operations, compose};
use engines::test::parse::{Place, parse};
use engines::verdict::{Counterexample, Reason, Statistics, Verdict, Violation};
use fencepost::compile::{COptions, Compiled, compile_file};
use fencepost::target::prepare;
use ir::prepare::without_fence;
use ir::program::{LocId, Program};
use models::Model;
use report::Style;
use sat::cpu::Stopwatch;
use sat::{Interrupter, Limits};
use serde::{Deserialize, Serialize};

/// How many iterations a loop may have.
const MAX_UNROLL: u32 = 16;

/// What is checked.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Cell {
    /// The C file, below `examples/`.
    pub file: String,
    /// The test's name.
    pub test: String,
    /// The test.
    pub notation: String,
    /// The model's name.
    pub model: String,
    /// The directed fence of the program that is left out, by its number.
    pub without_fence: Option<usize>,
    /// Whether operations must take effect at their commit points.
    #[serde(default)]
    pub commit_points: bool,
}

/// What came of it, and what it cost.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Measured {
    /// The answer.
    pub answer: Answer,
    /// How many instructions the unrolled test has.
    #[serde(default)]
    pub instructions: usize,
    /// How many shared accesses there are, loads and stores.
    pub accesses: (usize, usize),
    /// Variables and clauses of the last formula.
    pub formula: (u64, u64),
    /// Conflicts in all rounds.
    pub conflicts: u64,
    /// How often the program was unrolled.
    pub rounds: u32,
    /// Serial observations.
    pub observations: usize,
    /// Processor seconds in the solver.
    pub solver: f64,
    /// Processor seconds in everything else that belongs to the check: mining, unrolling,
    /// encoding.
    pub outside: f64,
    /// Of both, what was spent before the last round.
    #[serde(default)]
    pub earlier: (f64, f64),
    /// The most memory that the process had, in MiB, if it was a process of its own.
    pub memory: Option<u64>,
}

/// An answer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Answer {
    /// It holds.
    Holds,
    /// It holds within these bounds of loops.
    HoldsWithinBounds(String),
    /// It does not; a replayed execution shows it.
    Violated {
        /// What sort of violation: `observation`, `flag`, or the name of a finding.
        kind: String,
        /// More about it.
        text: String,
    },
    /// The time was over.
    OutOfTime,
    /// Something in it is not supported.
    Unsupported(String),
    /// We are wrong: the execution that was found is none, or the check ended without an answer.
    Bug(String),
}

impl Answer {
    /// The answer in a word or two.
    pub fn short(&self) -> String {
        match self {
            Answer::Holds => "holds".to_string(),
            Answer::HoldsWithinBounds(_) => "holds within bounds".to_string(),
            Answer::Violated { kind, .. } => format!("**fails**: {kind}"),
            Answer::OutOfTime => "out of time".to_string(),
            Answer::Unsupported(what) => format!("unsupported: {what}"),
            Answer::Bug(what) => format!("OUR BUG: {what}"),
        }
    }

    /// Whether an execution with something wrong was found, and replayed.
    pub fn is_violated(&self) -> bool {
        matches!(self, Answer::Violated { .. })
    }
}

/// Compiles the implementation of a cell, and leaves the fence out.
pub fn program(file: &str, leave_out: Option<usize>) -> Result<Compiled, String> {
    let path = root().join("examples").join(file);
    let mut compiled = compile_file(&path, &COptions::default()).map_err(|rejected| {
        report::diagnostics::render_all(&rejected.diagnostics, &rejected.sources, Style::Plain)
    })?;
    if let Some(number) = leave_out {
        compiled.program = without_fence(compiled.program, number);
    }
    Ok(compiled)
}

/// Checks a cell. The interrupter ends it early.
pub fn check(cell: &Cell, interrupter: &Interrupter) -> Result<Measured, String> {
    let Compiled { program, mut sources, .. } = program(&cell.file, cell.without_fence)?;
    let model = Model::named(&cell.model).ok_or_else(|| format!("no model {}", cell.model))?;
    let file = sources.add_file("--test", cell.notation.as_str());
    let rejected = |error: execution::diagnostic::Diagnostic| {
        report::diagnostics::render_all(&[error], &sources, Style::Plain)
    };
    let test = parse(&cell.notation, Place { file, start: 0 }).map_err(rejected)?;
    let composed = compose(&program, &Operations::default(), &test, &sources).map_err(rejected)?;
    let watch = Stopwatch::start();
    let limits = Limits { interrupter: interrupter.clone(), ..Limits::default() };
    let options = SerialOptions { limits, ..Default::default() };
    let mined = serial::mine(&composed, &options);
    let mining = watch.seconds();
    let (answer, statistics) = match mined {
        Ok(Mined::Observations(set)) => {
            let initial_states = serial::initial_states(&composed, &options).unwrap_or_default();
            let mut encoding =
                encode::EncodeOptions { initial_states, ..encode::EncodeOptions::default() };
            encoding.limits.interrupter = interrupter.clone();
            let options =
                inclusion::CheckOptions { max_unroll: MAX_UNROLL, encoding, progress: &|_| () };
            let orders = cell.commit_points.then(|| orders(&composed)).transpose()?;
            let program = prepare(&composed.program, &sources, &model).map_err(rejected)?;
            let compiled = Composed { program, ..composed };
            let (verdict, statistics) = match orders {
                None => inclusion::check(&compiled, &set, &model, &options),
                Some(orders) => commit_points::check(&compiled, &orders, &model, &options),
            };
            (judge(&compiled, &model, verdict), statistics)
        }
        Ok(Mined::Violated(violation)) => {
            let kind = violation.finding.kind.name().to_string();
            let text = "already when operations run one after the other".to_string();
            (Answer::Violated { kind, text }, Statistics::default())
        }
        Err(serial::Failure::Interrupted(_)) => (Answer::OutOfTime, Statistics::default()),
        Err(serial::Failure::Input(error)) => return Err(rejected(error)),
    };
    Ok(measured(answer, &statistics, mining))
}

/// The serial executions of a test, which are known to be right.
fn orders(composed: &Composed) -> Result<Orders, String> {
    match serial::explore(composed, &SerialOptions::default()) {
        Ok(Explored::All { orders, .. }) => Ok(orders),
        other => Err(format!("the serial executions are not the same again: {other:?}")),
    }
}

fn measured(answer: Answer, statistics: &Statistics, mining: f64) -> Measured {
    Measured {
        answer,
        instructions: statistics.instructions,
        accesses: (statistics.loads, statistics.stores),
        formula: (statistics.variables, statistics.clauses),
        conflicts: statistics.conflicts,
        rounds: statistics.rounds,
        observations: statistics.observations,
        solver: statistics.solver_seconds,
        outside: statistics.encoding_seconds + mining,
        earlier: (statistics.earlier_solver_seconds, statistics.earlier_encoding_seconds),
        memory: None,
    }
}

/// The verdict for people; an execution that was found is run again first.
fn judge(composed: &Composed, model: &Model, verdict: Verdict) -> Answer {
    match verdict {
        Verdict::Holds => Answer::Holds,
        Verdict::HoldsWithinBounds(bounds) => {
            let loops = bounds.iter().map(|bound| {
                let place = line(&composed.program, bound.place);
                format!("{place}: {} iterations", bound.iterations)
            });
            Answer::HoldsWithinBounds(loops.collect::<Vec<_>>().join("; "))
        }
        Verdict::Vacuous(..) => Answer::Bug("no execution of the test terminates".into()),
        Verdict::Violated(counterexample) => violated(composed, model, &counterexample),
        Verdict::Inconclusive(Reason::Limit(_), _) => Answer::OutOfTime,
        Verdict::Inconclusive(Reason::Unsupported { what, place }, _) => {
            Answer::Unsupported(format!("{what} ({})", line(&composed.program, place)))
        }
        Verdict::Inconclusive(Reason::Cut(cut), _) => Answer::Unsupported(format!(
            "{} ({})",
            cut.kind.name(),
            line(&composed.program, cut.place)
        )),
        Verdict::Inconclusive(Reason::Input(mistake), _) => {
            Answer::Unsupported(mistake.error.message)
        }
        Verdict::Inconclusive(Reason::Mismatch(what) | Reason::Internal(what), _) => {
            Answer::Bug(what)
        }
    }
}

fn violated(composed: &Composed, model: &Model, found: &Counterexample) -> Answer {
    let Some(witness) = &found.witness else {
        return Answer::Bug("a violation without a witness".to_string());
    };
    let replayed = match replay::replay(&composed.program, model, witness) {
        Ok(replayed) => replayed,
        Err(mismatch) => return Answer::Bug(format!("the replay says: {mismatch}")),
    };
    let (kind, text) = match &found.violation {
        Violation::Observation { seen, .. } => ("observation".to_string(), show(composed, seen)),
        Violation::Finding { kind, place } => {
            if replayed.finding.is_none() {
                return Answer::Bug(format!("the replay does not find {}", kind.name()));
            }
            (kind.name().to_string(), line(&composed.program, *place))
        }
        Violation::Flag(flag) => ("flag".to_string(), flag.clone()),
        Violation::CommitPoints { seen, .. } => ("commit points".to_string(), show(composed, seen)),
        Violation::Serial | Violation::Reached(_) => ("serial".to_string(), String::new()),
    };
    Answer::Violated { kind, text }
}

/// An observation on one line.
fn show(composed: &Composed, seen: &serial::Observation) -> String {
    let operations = composed.instances.iter().zip(seen);
    let shown = operations.map(|(instance, seen)| {
        let values: Vec<String> = seen.iter().map(ToString::to_string).collect();
        format!("{}({})", instance.name, values.join(", "))
    });
    shown.collect::<Vec<_>>().join(" ")
}

/// A place as file and line.
pub fn line(program: &Program, place: Option<LocId>) -> String {
    let Some(place) = place else { return "unknown place".to_string() };
    let location = &program.places[place].location;
    let name = location.file.rsplit('/').next().unwrap_or_default();
    format!("{name}:{}", location.line)
}
