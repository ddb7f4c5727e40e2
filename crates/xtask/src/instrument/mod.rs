//! Programs that `fencepost instrument` rewrites for a model: under sequential consistency they must
//! do what the programs do under the model, property by property, and in what their variables are in
//! the end.
//!
//! What decides is the model's text in cat: both sides are answered by `verify`.

mod shapes;

use crate::agree::programs::{random_text, small_text};
use crate::verify_corpus::programs;
use clap::Args;
use engines::verification::Property;
use execution::verdict::Verdict;
use fencepost::compile::Texts;
use fencepost::instrument::{NotInstrumented, Settings, instrument};
use fencepost::verify::cell::verify_quietly;
use fencepost::verify::plan::{Request, plan};
use limits::Limits;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Duration;

/// Which programs, and how.
#[derive(Args, Clone)]
pub struct InstrumentOptions {
    /// The number of random programs
    #[arg(long, default_value_t = 200)]
    pub count: u64,
    /// The seed of the first; the others follow it
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Only random programs without the library
    #[arg(long)]
    pub plain: bool,
    /// The programs of corpus/verify whose names contain this, too (an empty text for all)
    #[arg(long)]
    pub corpus: Option<String>,
    /// The published shapes of litmus tests whose names contain this, too (an empty text for all)
    #[arg(long)]
    pub shapes: Option<String>,
    /// So many random litmus tests, too
    #[arg(long, default_value_t = 0)]
    pub litmus: u64,
    /// Only these models
    #[arg(long = "model", default_values = ["tso", "pso"])]
    pub models: Vec<String>,
    /// Seconds for a question about a program
    #[arg(long, default_value_t = 10.0)]
    pub limit: f64,
    /// Rewrite all accesses to what threads share
    #[arg(long)]
    pub all_accesses: bool,
    /// Hide all cycles, which must show
    #[arg(long, hide = true)]
    pub hidden: bool,
    /// Print what is not the same
    #[arg(long)]
    pub verbose: bool,
}

impl Default for InstrumentOptions {
    fn default() -> Self {
        InstrumentOptions {
            count: 0,
            seed: 1,
            plain: true,
            corpus: None,
            shapes: None,
            litmus: 0,
            models: vec!["tso".into(), "pso".into()],
            limit: 10.0,
            all_accesses: false,
            hidden: false,
            verbose: false,
        }
    }
}

/// What was found.
#[derive(Default, Debug)]
pub struct Report {
    /// Programs and models with the same verdicts and outcomes.
    pub same: u64,
    /// Those of which the program does more on the model than under sequential consistency.
    pub weak: u64,
    /// Those for which some answer is bounded or missing, and no other differs.
    pub open: u64,
    /// Those of these in which a buffer would have to be larger.
    pub bounded: u64,
    /// Why programs were refused, and how often.
    pub refused: BTreeMap<String, u64>,
    /// What differs.
    pub differ: Vec<String>,
}

/// Runs everything and prints what came of it; whether all is the same.
pub fn run(options: &InstrumentOptions) -> bool {
    let report = check(options, &mut |text| println!("{text}"));
    println!(
        "{} the same, {} of them weaker than sc; {} open, {} of them by the buffer; {} refused, {} differ",
        report.same,
        report.weak,
        report.open,
        report.bounded,
        report.refused.values().sum::<u64>(),
        report.differ.len()
    );
    for (why, count) in &report.refused {
        println!("  refused {count} times: {why}");
    }
    report.differ.is_empty()
}

/// Runs everything; `tell` is called with what differs, and with more if that is wanted.
pub fn check(options: &InstrumentOptions, tell: &mut dyn FnMut(&str)) -> Report {
    let mut subjects: Vec<(String, String)> = Vec::new();
    if let Some(part) = &options.corpus {
        for program in programs().unwrap_or_default() {
            if program.name.contains(part)
                && let Ok(text) = std::fs::read_to_string(&program.path)
            {
                subjects.push((program.path.display().to_string(), text));
            }
        }
    }
    for seed in options.seed..options.seed + options.count {
        let text = if options.plain { small_text(seed) } else { random_text(seed) };
        let text = with_posix_threads(&text);
        subjects.push((format!("seed{seed}.c"), text));
    }
    if let Some(part) = &options.shapes {
        let all = shapes::published().into_iter();
        subjects.extend(
            all.filter(|(name, _)| name.contains(part))
                .map(|(name, text)| (format!("{name}.c"), text)),
        );
    }
    for seed in options.seed..options.seed + options.litmus {
        subjects.push((format!("litmus{seed}.c"), shapes::random(seed)));
    }
    let mut report = Report::default();
    for (name, text) in &subjects {
        for model in &options.models {
            compare(&mut report, (name, text), model, options, tell);
        }
    }
    report
}

/// A random program that starts and awaits its threads as POSIX has it.
fn with_posix_threads(text: &str) -> String {
    let mut result = String::new();
    for line in text.lines() {
        let started = line.split_once(" = __fp_spawn(").filter(|_| line.ends_with(");"));
        match started {
            Some((handle, rest)) => {
                let indent = handle.len() - handle.trim_start().len();
                let (indent, handle) = handle.split_at(indent);
                result += &format!("{indent}pthread_create(&{handle}, NULL, {rest}");
            }
            None => match line
                .split_once("__fp_join(")
                .filter(|_| line.trim_start().starts_with("__fp_join("))
            {
                Some((indent, rest)) => {
                    result +=
                        &format!("{indent}pthread_join({}", rest.replacen(");", ", NULL);", 1));
                }
                None => result += line,
            },
        }
        result.push('\n');
    }
    result
}

/// What `verify` says: for each property whether it is violated, if that is known, and all outcomes.
struct Said {
    violated: Vec<Option<bool>>,
    outcomes: Option<BTreeSet<String>>,
    bounded: bool,
}

const PROPERTIES: [Property; 2] = [Property::Assert, Property::Memory];

fn compare(
    report: &mut Report,
    (name, text): (&str, &str),
    model: &str,
    options: &InstrumentOptions,
    tell: &mut dyn FnMut(&str),
) {
    let texts = Texts::default().with(name, text);
    let request = Request { models: vec![model.to_string()], texts, ..Request::default() };
    let (all_accesses, hidden) = (options.all_accesses, options.hidden);
    let settings = Settings { all_accesses, hidden, ..Settings::default() };
    let result = match instrument(Path::new(name), &request, &settings, &Limits::default()) {
        Ok(result) => result,
        Err(NotInstrumented::GaveUp) => return,
        Err(NotInstrumented::Rejected(rejected)) => {
            let why = rejected.diagnostics.iter().map(|d| d.message.clone()).next();
            let why = why.unwrap_or_default();
            let why = why.split(" (").next().unwrap_or_default().to_string();
            if options.verbose {
                tell(&format!("{name} on {model} is refused: {why}"));
            }
            *report.refused.entry(why).or_default() += 1;
            return;
        }
    };
    let expressions = result.integers.join(", ");
    let limit = Duration::from_secs_f64(options.limit);
    let ask = |text: &str, model: &str| said((name, text), model, &expressions, limit);
    let (on_model, rewritten) = (ask(text, model), ask(&result.text, "sc"));
    let differs = on_model
        .violated
        .iter()
        .zip(&rewritten.violated)
        .any(|pair| matches!(pair, (Some(a), Some(b)) if a != b));
    let outcomes = match (&on_model.outcomes, &rewritten.outcomes) {
        (Some(a), Some(b)) => Some(a == b),
        _ => None,
    };
    if differs || outcomes == Some(false) {
        let text = format!(
            "{name} on {model} differs: {}\nrewritten, on sc: {}\n{}",
            on_model.words(),
            rewritten.words(),
            if options.verbose { &result.text } else { "" }
        );
        tell(&text);
        report.differ.push(text);
        return;
    }
    let known = on_model.violated.iter().chain(&rewritten.violated).all(|known| known.is_some());
    if known && outcomes.is_some() {
        report.same += 1;
        let on_sc = ask(text, "sc");
        let is_weak = on_sc.outcomes != on_model.outcomes || on_sc.violated != on_model.violated;
        report.weak += u64::from(is_weak);
    } else {
        report.open += 1;
        report.bounded += u64::from(rewritten.bounded);
        if options.verbose {
            let (a, b) = (on_model.words(), rewritten.words());
            tell(&format!("{name} on {model} is open: {a}; rewritten, on sc: {b}"));
        }
    }
}

impl Said {
    fn words(&self) -> String {
        let word = |known: &Option<bool>| match known {
            Some(true) => "violated",
            Some(false) => "holds",
            None => "?",
        };
        let verdicts: Vec<&str> = self.violated.iter().map(word).collect();
        let outcomes = match &self.outcomes {
            Some(outcomes) => {
                let all: Vec<&str> = outcomes.iter().map(String::as_str).collect();
                all.join("; ")
            }
            None => "outcomes unknown".to_string(),
        };
        format!("{}, {outcomes}", verdicts.join(", "))
    }
}

fn said((name, text): (&str, &str), model: &str, expressions: &str, limit: Duration) -> Said {
    let request = Request {
        models: vec![model.to_string()],
        texts: Texts::default().with(name, text),
        time_limit: Some(limit),
        ..Request::default()
    };
    let mut said = Said { violated: vec![None; 2], outcomes: None, bounded: false };
    let properties = Request { properties: PROPERTIES.to_vec(), ..request.clone() };
    if let Ok(subject) = plan(Path::new(name), &properties) {
        let answer = verify_quietly(&subject, &subject.models[0]);
        for (slot, property) in said.violated.iter_mut().zip(PROPERTIES) {
            *slot = match answer.outcome(property).map(|confirmed| &confirmed.verdict) {
                Some(Verdict::Violated(_)) => Some(true),
                Some(Verdict::Holds) => Some(false),
                Some(other) => {
                    said.bounded |= format!("{other:?}").contains("provided for");
                    None
                }
                None => None,
            };
        }
    }
    let outcomes = Some(expressions.to_string()).filter(|text| !text.is_empty());
    let observe = text.contains("fp_observe");
    if outcomes.is_none() && !observe {
        said.outcomes = Some(BTreeSet::new());
    } else if let Ok(subject) = plan(Path::new(name), &Request { outcomes, observe, ..request }) {
        let answer = verify_quietly(&subject, &subject.models[0]);
        if answer.rest.verdict == Verdict::Holds {
            let observed = answer.observed.unwrap_or_default();
            // An execution that `main` does not end has nothing to show.
            let shown = observed.iter().filter(|one| one.values().any(|said| !said.is_empty()));
            said.outcomes = Some(shown.map(|one| format!("{one:?}")).collect());
        }
    }
    said
}
