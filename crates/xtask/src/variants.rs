//! Variants of data types with one thing changed, each wrong or perhaps right: what `prove` says of
//! them, against what is recorded in `corpus/prove`, and against everything else that can answer.
//!
//! A proof of a variant that is wrong would be the worst of bugs, so what is proved is asked again:
//! `check` answers all small tests of the operations, and all states of two and three threads are
//! visited without any abstraction. `check` shares nothing with the proofs but the front end.

use crate::root;
use engines::views::{Options, explore};
use execution::verdict::Verdict;
use fencepost::check::cell::{self, Context};
use fencepost::check::plan as tests;
use fencepost::compile::Texts;
use fencepost::evidence::Wanted;
use fencepost::prove::answer::{Answer, Asking, Outcome, prove};
use fencepost::prove::plan::{Request, Subject, plan};
use fencepost::prove::text;
use fencepost::target;
use sat::{Interrupter, Limits};
use serde::Deserialize;
use std::collections::BTreeSet;
use std::fmt;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// The models on which there are proofs.
pub const MODELS: [&str; 2] = ["sc", "tso"];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    variant: Vec<Variant>,
}

/// A data type with something changed.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Variant {
    /// Its name.
    pub name: String,
    /// The file that is changed, from the root of the repository.
    pub file: String,
    /// What is replaced by what; each must stand in the file exactly once.
    #[serde(default)]
    pub change: Vec<[String; 2]>,
    /// The operations, if not all.
    #[serde(default)]
    pub operations: Vec<String>,
    /// A file whose serial executions say what is right.
    pub spec: Option<String>,
    /// How many values an operation chooses from.
    pub values: Option<u32>,
    /// How many objects there may be more than at first.
    pub max_size: Option<usize>,
    /// What is right on each model.
    pub sc: Truth,
    /// The same for tso.
    pub tso: Truth,
    /// The models on which there may be no answer.
    #[serde(default)]
    pub open: Vec<String>,
    /// Whether an answer takes long.
    #[serde(default)]
    pub slow: bool,
    /// Why it is right, or why there is no answer.
    pub why: Option<String>,
}

/// Whether a data type is right.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Truth {
    /// Some execution is wrong.
    Wrong,
    /// Every execution is right.
    Right,
}

/// What `prove` says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Said {
    /// It is right for any number of threads.
    Proved,
    /// This test shows what is wrong, in an execution that was replayed, with this many threads.
    Violated {
        /// The test.
        test: String,
        /// How many threads run concurrently in it.
        threads: usize,
    },
    /// There is no answer.
    Open(String),
}

impl fmt::Display for Said {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Said::Proved => f.write_str("proved"),
            Said::Violated { test, .. } => write!(f, "violated by {test}"),
            Said::Open(why) => write!(f, "open: {why}"),
        }
    }
}

/// All variants; the error says what is wrong with the files.
pub fn all() -> Result<Vec<Variant>, String> {
    let folder = root().join("corpus/prove");
    let entries = std::fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "toml"));
    files.sort();
    let mut variants: Vec<Variant> = Vec::new();
    for file in files {
        let text =
            std::fs::read_to_string(&file).map_err(|e| format!("{}: {e}", file.display()))?;
        let read: File = toml::from_str(&text).map_err(|e| format!("{}: {e}", file.display()))?;
        variants.extend(read.variant);
    }
    let mut names = BTreeSet::new();
    for variant in &variants {
        let explained = variant.why.as_ref().is_some_and(|why| why.len() > 20);
        let right = [variant.sc, variant.tso].contains(&Truth::Right);
        if !names.insert(&variant.name) {
            return Err(format!("there are two variants `{}`", variant.name));
        }
        if (right || !variant.open.is_empty()) && !explained {
            return Err(format!("`{}` does not say why", variant.name));
        }
        variant.text()?;
    }
    Ok(variants)
}

/// Of the tests in which something seems wrong, how many are checked.
const MOST_TESTS: usize = 8;

impl Variant {
    /// What is right on a model.
    pub fn truth(&self, model: &str) -> Truth {
        if model == "tso" { self.tso } else { self.sc }
    }

    /// The changed text.
    pub fn text(&self) -> Result<String, String> {
        let path = root().join(&self.file);
        let mut text =
            std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        for [from, to] in &self.change {
            match text.matches(from.as_str()).count() {
                1 => text = text.replacen(from.as_str(), to, 1),
                count => {
                    return Err(format!("{}: {count} places read\n{from}", self.name));
                }
            }
        }
        Ok(text)
    }

    fn subject(&self, model: &str, limit: Duration) -> Result<Subject, String> {
        // It stands where the file that it is made from stands, so that it includes the same.
        let file = root().join(&self.file).with_file_name(format!("{}.c", self.name));
        let request = Request {
            texts: Texts::default().with(&file, self.text()?),
            file,
            operations: self.operations.clone(),
            models: vec![model.to_string()],
            values: self.values,
            size: self.max_size,
            spec: self.spec.as_ref().map(|spec| root().join(spec).display().to_string()),
            time_limit: Some(limit),
            ..Request::default()
        };
        plan(&request).map_err(|rejected| format!("{}: {rejected}", self.name))
    }

    /// What `prove` says of it on a model.
    pub fn proof(&self, model: &str, limit: Duration) -> Result<Said, String> {
        let subject = self.subject(model, limit)?;
        let interrupter = Interrupter::default();
        let asking = Asking { interrupter: &interrupter, progress: &|_| {} };
        let Answer { outcome, program, .. } = prove(&subject, 0, asking);
        Ok(match outcome {
            Outcome::Proved(proved) => match proved.deadlock.is_open() {
                true => Said::Open("a deadlock".into()),
                false => Said::Proved,
            },
            Outcome::Violated(violated) => {
                let test = violated.notation;
                let threads = test.matches('|').count() + 1;
                Said::Violated { test, threads }
            }
            Outcome::Open(open) => {
                let place = text::at(&program, open.place);
                Said::Open(format!("{}{place}", text::doubt(&open.doubt)))
            }
            Outcome::Refused { what, place } => {
                Said::Open(format!("{what}{}", text::at(&program, place)))
            }
            Outcome::Limit(why) => Said::Open(text::limit(why).into()),
        })
    }

    /// What is wrong with an answer, if something is: `Err` is a wrong answer, `Ok(false)` none
    /// where there should be one.
    pub fn judge(&self, model: &str, said: &Said) -> Result<bool, String> {
        let open = self.open.iter().any(|other| other == model);
        match (self.truth(model), said) {
            (Truth::Right, Said::Proved) => Ok(true),
            (Truth::Wrong, Said::Violated { threads, .. }) if *threads <= 3 => Ok(true),
            (_, Said::Open(_)) => Ok(open),
            _ => Err(format!("{} on {model} is {said}", self.name)),
        }
    }

    /// The small tests of its operations: two threads with at most two operations each, after none
    /// or one, and three threads with one each.
    pub fn small_tests(&self) -> Result<Vec<String>, String> {
        let operations = self.subject("sc", Duration::from_secs(1))?.operations;
        let mut all = BTreeSet::new();
        for (at, a) in operations.iter().enumerate() {
            for b in &operations[at..] {
                all.insert((2, format!("( {a} | {b} )")));
            }
            for (next, b) in operations.iter().enumerate() {
                for c in &operations[next..] {
                    all.insert((3, format!("{a} ( {b} | {c} )")));
                    if next >= at {
                        all.insert((3, format!("( {a} | {b} | {c} )")));
                    }
                }
                for c in &operations {
                    all.insert((3, format!("( {a} {b} | {c} )")));
                }
            }
        }
        Ok(all.into_iter().map(|(_, test)| test).collect())
    }

    /// Whether `check` finds a test violated; nothing if it has no answer in time.
    pub fn check(&self, test: &str, model: &str, limit: Duration) -> Result<Option<bool>, String> {
        let subject = self.subject(model, limit)?;
        let request = tests::Request {
            tests: vec![test.to_string()],
            time_limit: Some(limit),
            ..subject.test.request.clone()
        };
        let planned = tests::plan(&request).map_err(|error| error.to_string())?;
        let subject = planned.into_iter().next().ok_or("a file gives one subject")?;
        let interrupter = Interrupter::default();
        let context = Context {
            cache: None,
            interrupter: &interrupter,
            evidence: &Wanted::default(),
            name: "",
            progress: &|_| {},
            publish: &|_| {},
        };
        let answer = cell::check(&subject, &subject.tests[0], &subject.models[0], context);
        Ok(match answer.outcome.verdict {
            Verdict::Violated(_) => Some(true),
            Verdict::Inconclusive(..) => None,
            _ => Some(false),
        })
    }

    /// Whether all states of this many threads are right; nothing if there are too many, if there is
    /// no abstract type, or if clients see nothing of what seems wrong.
    pub fn explored(
        &self,
        threads: usize,
        model: &str,
        limit: Duration,
    ) -> Result<Option<bool>, String> {
        let subject = self.subject(model, limit)?;
        let test = &subject.test.tests[0];
        let compiled = |composed: &engines::test::compose::Composed| {
            let program = target::compile(&composed.program, &subject.test.models[0]);
            let program = program.map_err(|refused| refused.what)?;
            Ok::<_, String>(engines::test::compose::Composed { program, ..composed.clone() })
        };
        let reference = test.spec.as_ref().map(compiled).transpose()?;
        let options = Options {
            buffers: model == "tso",
            values: self.values,
            size: self.max_size,
            limits: Limits { deadline: Some(Instant::now() + limit), ..Limits::default() },
            ..Options::default()
        };
        let found = explore(&compiled(&test.composed)?, reference.as_ref(), &options, threads);
        let Some(found) = found else { return Ok(None) };
        if found.wrong.is_empty() {
            return Ok(found.complete.then_some(true));
        }
        // What observers show at no moment may be right all the same: clients decide.
        for test in found.tests.iter().take(MOST_TESTS) {
            if self.check(&test.to_string(), model, limit)? == Some(true) {
                return Ok(Some(false));
            }
        }
        Ok(None)
    }
}
