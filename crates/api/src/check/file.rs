//! Counterexamples as files: what it takes to find the program, the test and the model again, and
//! every decision of the execution.

use super::cell::{Violated, model_text, program_text};
use super::hash::hash;
use super::plan::{Prepared, Request, Subject, plan};
use super::recheck::{Problem, Serial, Unconfirmed, Under, recheck};
use super::saved_path::SavedPath;
use super::serial::mine;
use super::story::{self, Title};
use crate::compile::{self, Rejected};
use crate::target::prepare;
use crate::verify;
use engines::serial::{Failure, Mined};
use engines::test::compose::Composed;
use execution::diagnostic::{Diagnostic, in_words};
use execution::input::read_text;
use execution::printable::shown;
use execution::span::SourceMap;
use execution::witness::Witness;
use report::counterexample::Counterexample;
use sat::Limits;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// A counterexample in a file.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Saved {
    /// The version that found it.
    pub fencepost: String,
    /// The folder in which that was; paths are relative to it.
    pub folder: SavedPath,
    /// The data type.
    pub file: SavedPath,
    /// The suite, if there is one.
    pub suite: Option<SavedPath>,
    /// The reference implementation, if one was given.
    pub spec: Option<SavedPath>,
    /// Folders with headers.
    pub include: Vec<SavedPath>,
    /// Macros.
    pub define: Vec<String>,
    /// Macros that are not defined.
    pub undefine: Vec<String>,
    /// Whether freed blocks may be used again.
    #[serde(default)]
    pub reuse_memory: bool,
    /// The test: its name in the suite, or its notation.
    pub test: String,
    /// The model, as it was named.
    pub model: String,
    /// The hash of the program that the file and the test make.
    pub program_hash: String,
    /// The hash of the model's text.
    pub model_hash: String,
    /// What is wrong; nothing here if it is a serial execution.
    pub problem: Option<Problem>,
    /// The execution; nothing here if it is a serial one.
    pub witness: Option<Witness>,
}

impl Saved {
    /// What there is to save of a violation of a test on the model at this position.
    pub fn new(subject: &Subject, test: &Prepared, model: usize, violated: &Violated) -> Saved {
        let Request { file, suite, spec, c, .. } = &subject.request;
        Saved {
            fencepost: env!("CARGO_PKG_VERSION").to_string(),
            folder: SavedPath::new(std::env::current_dir().unwrap_or_default()),
            file: SavedPath::new(file),
            suite: suite.as_ref().map(SavedPath::new),
            spec: spec.as_ref().map(SavedPath::new),
            include: c.include_dirs.iter().map(SavedPath::new).collect(),
            define: c.defines.clone(),
            undefine: c.undefines.clone(),
            reuse_memory: test.reuse_memory,
            test: test.title().to_string(),
            model: subject.model_names[model].clone(),
            program_hash: program_hash(&test.composed),
            model_hash: hash([model_text(&subject.models[model]).as_str()]),
            problem: violated.problem.clone(),
            witness: violated.witness.clone(),
        }
    }

    /// The request that finds the program, the test and the model again.
    fn request(&self) -> Request {
        let resolve = |path: &SavedPath| resolve(&self.folder, path);
        let model = match self.model.ends_with(".cat") {
            true => resolve(&SavedPath::new(&self.model)).display().to_string(),
            false => self.model.clone(),
        };
        Request {
            file: resolve(&self.file),
            suite: self.suite.as_ref().map(resolve),
            tests: vec![self.test.clone()],
            models: vec![model],
            spec: self.spec.as_ref().map(resolve),
            c: compile::Options {
                include_dirs: self.include.iter().map(resolve).collect(),
                defines: self.define.clone(),
                undefines: self.undefine.clone(),
            },
            reuse_memory: self.reuse_memory,
            ..Request::default()
        }
    }
}

/// A path that a counterexample names, which was found in this folder.
pub(crate) fn resolve(folder: &Path, path: &Path) -> PathBuf {
    if path.exists() { path.to_path_buf() } else { folder.join(path) }
}

/// Why a counterexample cannot be shown again.
pub enum Trouble {
    /// The file, or the program that it names, is not as it should be.
    Input(Box<Rejected>),
    /// The replay comes to something else: a mistake of ours.
    Mismatch(String),
}

impl From<Unconfirmed> for Trouble {
    fn from(unconfirmed: Unconfirmed) -> Self {
        Trouble::Mismatch(match unconfirmed {
            Unconfirmed::Mismatch(what) => what,
            Unconfirmed::GaveUp => "a limit was reached".to_string(),
        })
    }
}

impl From<Box<Rejected>> for Trouble {
    fn from(rejected: Box<Rejected>) -> Self {
        Trouble::Input(rejected)
    }
}

/// Runs the counterexample in a file again.
pub fn replay(path: &Path) -> Result<(SourceMap, Counterexample), Trouble> {
    let name = shown(path);
    let text = read_text(path)
        .map_err(|error| input(Diagnostic::general(format!("cannot read `{name}`: {error}"))))?;
    let wrong = |error: serde_json::Error| {
        let what = in_words(&error.to_string());
        input(Diagnostic::general(format!("`{name}` is not a counterexample: {what}")))
    };
    // A `Value` has no numbers of 128 bits, so the text is read again.
    let value: serde_json::Value = serde_json::from_str(&text).map_err(wrong)?;
    if value.get("property").is_some() {
        let saved: verify::file::Saved = serde_json::from_str(&text).map_err(wrong)?;
        let (subject, story) = saved.replay()?;
        return Ok((subject.sources, story));
    }
    let saved: Saved = serde_json::from_str(&text).map_err(wrong)?;
    saved.replay()
}

impl Saved {
    fn replay(&self) -> Result<(SourceMap, Counterexample), Trouble> {
        let saved = self;
        let subject = plan(&saved.request())?.pop().expect("a file gives one subject");
        let (test, model) = (&subject.tests[0], &subject.models[0]);
        if program_hash(&test.composed) != saved.program_hash {
            return Err(changed(
                &subject.sources,
                &format!("`{}` or its test", shown(&saved.file)),
            ));
        }
        if hash([model_text(model).as_str()]) != saved.model_hash {
            return Err(changed(&subject.sources, &format!("the model `{}`", saved.model)));
        }
        let notation = match &test.name {
            Some(name) => format!("{name} {}", test.notation),
            None => test.notation.clone(),
        };
        let title = Title { file: shown(&saved.file), test: notation, model: model.name.clone() };
        let reference = test.reference();
        let limits = Limits::default();
        let mined = mine(reference, test.reuse_memory, None, &limits);
        let story = match (mined, &saved.problem, &saved.witness) {
            (Err(Failure::Input(error)), _, _) => return Err(rejected(&subject.sources, error)),
            (Err(Failure::Interrupted), _, _) => {
                return Err(Trouble::Mismatch("the serial executions were interrupted".into()));
            }
            (Ok(Mined::Violated(violation)), ..) => story::serial(title, reference, &violation),
            (Ok(Mined::Observations(set)), Some(problem), Some(witness)) => {
                let program = prepare(&test.composed.program, &subject.sources, model)
                    .map_err(|error| rejected(&subject.sources, error))?;
                let compiled = Composed { program, ..test.composed.clone() };
                let serial = Serial { reference, reuse: test.reuse_memory, set: &set };
                let under = Under { model, limits: &limits };
                let replayed = recheck(&compiled, serial, under, witness, problem)?;
                story::story(title, &compiled, &set, model, problem, &replayed)
            }
            (Ok(Mined::Observations(_)), ..) => {
                return Err(Trouble::Mismatch("no serial execution is wrong".into()));
            }
        };
        Ok((subject.sources, story))
    }
}

/// The hash of a program, which does not depend on the folder that its files are named from.
fn program_hash(composed: &Composed) -> String {
    let mut composed = composed.clone();
    for place in composed.program.places.iter_mut() {
        let short = place.location.file.rsplit('/').next().unwrap_or_default();
        place.location.file = short.into();
    }
    hash([program_text(&composed).as_str()])
}

fn input(error: Diagnostic) -> Trouble {
    let sources = Default::default();
    Trouble::Input(Box::new(Rejected { sources, diagnostics: vec![error] }))
}

pub(crate) fn rejected(sources: &SourceMap, error: Diagnostic) -> Trouble {
    let sources = sources.clone();
    Trouble::Input(Box::new(Rejected { sources, diagnostics: vec![error] }))
}

pub(crate) fn changed(sources: &SourceMap, what: &str) -> Trouble {
    let message = format!("{what} has changed since this counterexample was found");
    let error = Diagnostic::general(message).note("check it again: the old execution says nothing");
    rejected(sources, error)
}
