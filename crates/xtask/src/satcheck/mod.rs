//! The five programs of the SATCheck evaluation with growing N: processor time, conflicts and size
//! of the formula, and how fast they grow.
//!
//! `cargo run --release -p xtask -- satcheck` writes `benchmarks/satcheck.md` and plots for each
//! program. N grows until a run needs more than the limit.

mod cell;
mod plot;
mod write;

pub use cell::child;

use cell::{Cell, Measured, measure};
use clap::{Args, ValueEnum};

/// The programs.
const PROGRAMS: [&str; 5] = ["spinlock", "queue", "rwlock", "dekker", "seqlock"];
/// The values of N that are tried one after the other.
const SIZES: [u32; 20] =
    [1, 2, 3, 4, 6, 8, 10, 12, 16, 20, 24, 30, 40, 60, 80, 120, 160, 200, 300, 500];

/// The sizes that we want to reach on sc and tso: with an assertion, and for coverage. The seeded
/// bug is to be found at both.
const GOALS: [(&str, u32, u32); 5] = [
    ("spinlock", 40, 500),
    ("queue", 20, 26),
    ("rwlock", 24, 40),
    ("dekker", 30, 80),
    ("seqlock", 40, 120),
];
/// Processor seconds for each of them.
const GOAL_LIMIT: u64 = 60;

/// What to measure.
#[derive(Args)]
pub struct SatcheckOptions {
    /// Only programs whose name contains this
    filter: Option<String>,
    /// The models
    #[arg(long = "model", default_values_t = ["sc", "tso", "relaxed", "armv8", "rc11"].map(String::from))]
    models: Vec<String>,
    /// Processor seconds for each run
    #[arg(long, default_value_t = 60)]
    limit: u64,
    /// Only this form: asserted, coverage or bug
    #[arg(long, value_enum)]
    form: Option<Form>,
    /// Print the figures, and leave benchmarks/ as it is
    #[arg(long)]
    dry: bool,
}

/// The forms of a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Form {
    /// With its safety property asserted.
    Asserted,
    /// As it is: which branches are taken in some execution, and which in none.
    Coverage,
    /// Asserted, and with the seeded bug.
    Bug,
}

impl Form {
    const ALL: [Form; 3] = [Form::Asserted, Form::Coverage, Form::Bug];

    fn defines(self) -> &'static [&'static str] {
        match self {
            Form::Asserted => &["ASSERTED"],
            Form::Coverage => &[],
            Form::Bug => &["ASSERTED", "BUG"],
        }
    }

    fn name(self) -> &'static str {
        match self {
            Form::Asserted => "asserted",
            Form::Coverage => "coverage",
            Form::Bug => "seeded bug",
        }
    }

    /// The smallest N at which that can be said: some bugs need a second round.
    fn least(self) -> u32 {
        match self {
            Form::Asserted | Form::Coverage => 1,
            Form::Bug => 2,
        }
    }

    /// What must be said of it.
    fn expected(self) -> &'static str {
        match self {
            Form::Asserted => "holds",
            Form::Coverage => "complete",
            Form::Bug => "violated",
        }
    }
}

/// The figures of a program in a form on a model, for growing N.
struct Series {
    program: &'static str,
    form: Form,
    model: String,
    /// Answers that are as they must be.
    points: Vec<(u32, Measured)>,
    /// Why it ends.
    end: Option<(u32, String)>,
}

/// A size that we want to reach, and what came of it; on sc first, then on tso.
struct Goal {
    program: &'static str,
    form: Form,
    n: u32,
    measured: Measured,
}

/// Measures everything; says whether no answer was wrong.
pub fn run(options: &SatcheckOptions) -> bool {
    let wanted = |name: &&str| options.filter.as_ref().is_none_or(|part| name.contains(part));
    let mut all = Vec::new();
    for program in PROGRAMS.into_iter().filter(|name| wanted(name)) {
        let forms = Form::ALL.into_iter();
        for form in forms.filter(|form| options.form.is_none_or(|wanted| wanted == *form)) {
            for model in &options.models {
                all.push(series(program, form, model, options.limit));
            }
        }
    }
    let right = |series: &Series| match &series.end {
        Some((_, why)) => !why.starts_with("WRONG"),
        None => true,
    };
    let good = all.iter().all(right) && !all.is_empty();
    let goals = goals(options);
    if options.dry {
        return good;
    }
    match write::write(&all, &goals, options.limit) {
        Ok(()) => good,
        Err(error) => {
            eprintln!("{error}");
            false
        }
    }
}

/// Measures at the sizes that we want to reach.
fn goals(options: &SatcheckOptions) -> Vec<Goal> {
    let mut all = Vec::new();
    let models = ["sc", "tso"];
    if !models.iter().all(|model| options.models.iter().any(|asked| asked == model)) {
        return all;
    }
    let wanted = |name: &str| options.filter.as_ref().is_none_or(|part| name.contains(part));
    for (program, asserted, coverage) in GOALS.into_iter().filter(|(name, ..)| wanted(name)) {
        let sizes = [
            (Form::Asserted, asserted),
            (Form::Coverage, coverage),
            (Form::Bug, asserted),
            (Form::Bug, coverage),
        ];
        for (form, n) in sizes {
            for model in models {
                if options.form.is_none_or(|form_wanted| form_wanted == form) {
                    let measured = measure(&cell(program, form, n, model), GOAL_LIMIT);
                    let Measured { verdict, seconds, .. } = &measured;
                    let form_name = form.name();
                    eprintln!(
                        "goal: {program} ({form_name}) on {model}, N = {n}: {verdict}, {seconds:.2} s"
                    );
                    all.push(Goal { program, form, n, measured });
                }
            }
        }
    }
    all
}

fn cell(program: &str, form: Form, n: u32, model: &str) -> Cell {
    Cell {
        program: program.to_string(),
        defines: form.defines().iter().map(|name| name.to_string()).collect(),
        coverage: form == Form::Coverage,
        n,
        model: model.to_string(),
    }
}

fn series(program: &'static str, form: Form, model: &str, limit: u64) -> Series {
    let mut series =
        Series { program, form, model: model.to_string(), points: Vec::new(), end: None };
    for n in SIZES.into_iter().filter(|n| *n >= form.least()) {
        let measured = measure(&cell(program, form, n, model), limit);
        let Measured { verdict, seconds, conflicts, clauses, .. } = &measured;
        eprintln!(
            "{program} ({}) on {model}, N = {n}: {verdict}, {seconds:.2} s, {conflicts} conflicts, \
             {clauses} clauses",
            form.name()
        );
        if verdict != form.expected() {
            let wrong = matches!(verdict.as_str(), "holds" | "violated" | "holds within bounds");
            let why = if wrong { format!("WRONG: {verdict}") } else { verdict.clone() };
            series.end = Some((n, why));
            break;
        }
        series.points.push((n, measured));
    }
    series
}
