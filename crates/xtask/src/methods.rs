//! Method against method on the data types of the papers: observation sets that are mined by
//! execution against those that the solver enumerates, and the verdicts of observations against
//! those of commit points.

use crate::root;
use clap::Args;
use encoding::encode;
use engines::bounded::inclusion::{self, CheckOptions};
use engines::bounded::{commit_points, mining};
use engines::serial::{Explored, Mined, ObservationSet, explore, mine};
use engines::test::compose::{Composed, compose};
use engines::test::suite::Suite;
use engines::verdict::{Reason, Verdict};
use execution::span::SourceMap;
use fencepost::compile::{COptions, compile_file};
use fencepost::target::compile;
use models::Model;
use sat::Limits;
use std::time::{Duration, Instant};

/// Which tests, and for how long.
#[derive(Args)]
pub struct MethodsOptions {
    /// Seconds that one answer may take
    #[arg(long, default_value_t = 60.0)]
    pub limit: f64,
    /// Only tests whose file or name contains this
    filter: Option<String>,
}

/// The data types: folder, file, and whether operations have commit points.
const TYPES: &[(&str, &str, bool)] = &[
    ("msn", "msn_fenced.c", true),
    ("msn", "msn_unfenced.c", true),
    ("ms2", "ms2_fenced.c", true),
    ("ms2", "ms2_unfenced.c", true),
    ("lazylist", "lazylist_fenced.c", false),
    ("harris", "harris_fenced.c", false),
    ("snark", "snark_corrected.c", false),
];

/// The models under which the verdicts are compared.
const MODELS: &[&str] = &["sc", "relaxed"];

/// How many iterations a loop may have.
const MAX_UNROLL: u32 = 16;

/// How often there was which answer.
#[derive(Default)]
struct Count {
    agree: u32,
    differ: u32,
    unknown: u32,
}

impl Count {
    fn add(&mut self, what: &str, agree: Option<bool>, text: &str) {
        let (count, word) = match agree {
            Some(true) => (&mut self.agree, "agree"),
            Some(false) => (&mut self.differ, "DIFFER"),
            None => (&mut self.unknown, "unknown"),
        };
        *count += 1;
        println!("{what}: {word}: {text}");
    }
}

/// Compares and prints; whether nothing differs.
pub fn run(options: &MethodsOptions) -> bool {
    let mut count = Count::default();
    for &(folder, file, commits) in TYPES {
        if let Err(problem) = compare(options, (folder, file), commits, &mut count) {
            println!("{file}: {problem}");
            count.differ += 1;
        }
    }
    let Count { agree, differ, unknown } = count;
    println!("{agree} agree, {differ} differ, {unknown} have no answer within the limit");
    differ == 0
}

fn compare(
    options: &MethodsOptions,
    (folder, file): (&str, &str),
    commits: bool,
    count: &mut Count,
) -> Result<(), String> {
    let folder = root().join("examples").join(folder);
    let text = std::fs::read_to_string(folder.join("check.toml")).map_err(|e| e.to_string())?;
    let mut sources = SourceMap::new();
    let suite_file = sources.add_file("check.toml", text.as_str());
    let suite = Suite::parse(&text, suite_file).map_err(|e| format!("{e:?}"))?;
    let compiled = compile_file(&folder.join(file), &COptions::default())
        .map_err(|rejected| format!("{:?}", rejected.diagnostics))?;
    for test in &suite.tests {
        let name = format!("{file} {}", test.name);
        if options.filter.as_ref().is_some_and(|part| !name.contains(part.as_str())) {
            continue;
        }
        let composed = compose(&compiled.program, &suite.operations, &test.test, &sources)
            .map_err(|e| format!("{e:?}"))?;
        let Ok(Mined::Observations(set)) = mine(&composed, &Default::default()) else {
            count.add(&name, None, "its serial executions are wrong");
            continue;
        };
        mined(options, &name, &composed, &set, count);
        for model in MODELS.iter().filter(|_| commits) {
            let model = Model::named(model).ok_or("no such model")?;
            verdicts(options, &name, &composed, (&set, &model), count);
        }
    }
    Ok(())
}

fn check_options(options: &MethodsOptions) -> CheckOptions<'static> {
    let deadline = Some(Instant::now() + Duration::from_secs_f64(options.limit));
    let limits = Limits { deadline, ..Limits::default() };
    CheckOptions {
        max_unroll: MAX_UNROLL,
        encoding: encode::EncodeOptions { limits, ..encode::EncodeOptions::default() },
        progress: &|_| {},
    }
}

/// Compares the observation sets.
fn mined(
    options: &MethodsOptions,
    name: &str,
    composed: &Composed,
    executed: &ObservationSet,
    count: &mut Count,
) {
    let name = format!("{name}, observation set");
    match mining::mine(composed, &check_options(options)) {
        Ok(solved) => {
            let text = format!("{} executed, {} by the solver", executed.len(), solved.len());
            count.add(&name, Some(solved == *executed), &text);
        }
        Err(verdict) if matches!(*verdict, Verdict::Inconclusive(Reason::Limit(_), _)) => {
            count.add(&name, None, "no answer by the solver within the limit");
        }
        Err(verdict) => count.add(&name, Some(false), &format!("by the solver: {verdict:?}")),
    }
}

/// Compares the verdicts of observations and commit points.
fn verdicts(
    options: &MethodsOptions,
    name: &str,
    composed: &Composed,
    (set, model): (&ObservationSet, &Model),
    count: &mut Count,
) {
    let name = format!("{name} on {}, verdict", model.name);
    let Ok(program) = compile(&composed.program, model) else {
        return count.add(&name, None, "not supported");
    };
    let composed = Composed { program, ..composed.clone() };
    let orders = match explore(&composed, &Default::default()) {
        Ok(Explored::All { orders, .. }) => orders,
        _ => return count.add(&name, Some(false), "its serial executions have no orders"),
    };
    let observed = inclusion::check(&composed, set, model, &check_options(options)).0;
    let committed = commit_points::check(&composed, &orders, model, &check_options(options)).0;
    let words = [word(&observed), word(&committed)];
    let text = format!("observations: {}, commit points: {}", words[0], words[1]);
    let unknown = [observed, committed].iter().any(|v| matches!(v, Verdict::Inconclusive(..)));
    count.add(&name, (!unknown).then_some(words[0] == words[1]), &text);
}

fn word(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Holds => "holds",
        Verdict::HoldsWithinBounds(_) => "holds within bounds",
        Verdict::Vacuous(..) => "has no executions",
        Verdict::Violated(_) => "violated",
        Verdict::Inconclusive(..) => "no answer",
    }
}
