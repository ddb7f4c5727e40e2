//! Counterexamples as files: what it takes to find the program, the question and the model again,
//! and every decision of the execution. There is one format for all commands.
//!
//! Soundness S-164 (replay; all; refuses): A saved counterexample is replayed only if neither the
//! program nor the text of the model, comments included, has changed; a schedule, if the model has
//! not. Test:
//! crates/fencepost/tests/check.rs::a_counterexample_can_be_saved_and_replayed_until_the_program_changes.

use crate::check::cell::{model_text, program_text, threads};
use crate::check::plan::{self as tests, Prepared};
use crate::check::recheck::{Serial, recheck};
use crate::check::serial::mine;
use crate::compile::{self, Rejected};
use crate::hash::hash;
use crate::saved_path::SavedPath;
use crate::target::{dialect, prepare};
use crate::verify::cell::{story as story_of_program, title};
use crate::verify::plan as programs;
use crate::verify::schedule::Shows;
use engines::serial::{Failure, Mined};
use engines::test::compose::Composed;
use engines::verification::Property;
use execution::diagnostic::{Diagnostic, in_words};
use execution::input::read_text;
use execution::printable::shown;
use execution::span::SourceMap;
use execution::verdict::{Counterexample, Violation};
use execution::witness::Witness;
use ir::program::Program;
use models::Model;
use replay::{Unconfirmed, Under, confirm};
use report::counterexample::Counterexample as Story;
use report::explain::story::{self, Title};
use sat::Limits;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// The number of the format; files of earlier formats are refused, as their executions would not be
/// followed by this version.
const FORMAT: u32 = 2;

/// A counterexample in a file.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Saved {
    /// The version that found it.
    pub fencepost: String,
    /// The number of the format.
    pub format: u32,
    /// The folder in which that was; paths are relative to it.
    pub folder: SavedPath,
    /// Folders with headers.
    pub include: Vec<SavedPath>,
    /// Macros.
    pub define: Vec<String>,
    /// Macros that are not defined.
    pub undefine: Vec<String>,
    /// Files that come before the program.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub included: Vec<SavedPath>,
    /// Files that are linked with the program.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub with: Vec<SavedPath>,
    /// Whether accesses to volatile objects are relaxed atomic ones.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub volatile_is_relaxed: bool,
    /// What says how each file is compiled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub database: Option<SavedPath>,
    /// Functions of shared libraries.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub native: Vec<String>,
    /// What was asked.
    pub question: Asked,
    /// The model, as it was named.
    pub model: String,
    /// The hash of the program.
    pub program_hash: String,
    /// The hash of the model's text.
    pub model_hash: String,
    /// What is wrong.
    pub violation: Violation,
    /// The execution; nothing here if it is a serial one.
    pub witness: Option<Witness>,
    /// What a schedule shows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shows: Option<Shows>,
}

/// What is saved of a schedule.
pub struct Reached<'a> {
    /// What it shows, for people.
    pub what: String,
    /// The same, to be found again.
    pub shows: Shows,
    /// The execution.
    pub witness: &'a Witness,
}

/// What was asked.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Asked {
    /// A test of a data type.
    Test(AskedTest),
    /// A whole program.
    Program(AskedProgram),
}

/// A test of a data type.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct AskedTest {
    /// The data type.
    pub file: SavedPath,
    /// The suite, if there is one.
    pub suite: Option<SavedPath>,
    /// The reference implementation, if one was given.
    pub spec: Option<SavedPath>,
    /// The test: its name in the suite, or its notation.
    pub test: String,
    /// Whether freed blocks may be used again.
    pub reuse_memory: bool,
}

/// A whole program.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct AskedProgram {
    /// The program.
    pub file: SavedPath,
    /// The property that is violated; none for a schedule.
    pub property: Option<Property>,
    /// Whether the model was asked for conflicts of plain accesses.
    pub plain_races: bool,
    /// Expressions that were asked for at the end of `main`: they are a part of the program.
    pub outcomes: Option<String>,
    /// Whether what the program observes was asked for.
    pub observe: bool,
}

impl Saved {
    /// What there is to save of a violation of a test on the model at this position.
    pub fn test(
        subject: &tests::Subject,
        test: &Prepared,
        model: usize,
        counterexample: &Counterexample,
    ) -> Saved {
        let tests::Request { file, suite, spec, c, .. } = &subject.request;
        let question = Asked::Test(AskedTest {
            file: SavedPath::new(file),
            suite: suite.as_ref().map(SavedPath::new),
            spec: spec.as_ref().map(SavedPath::new),
            test: test.title().to_string(),
            reuse_memory: test.reuse_memory,
        });
        let model = (&*subject.models[model], subject.model_names[model].as_str());
        Self::of(question, c, model, hash_of_test(&test.composed), counterexample.clone())
    }

    /// What there is to save of a violation by a program on the model at this position.
    pub fn program(
        subject: &programs::Subject,
        property: Property,
        model: usize,
        counterexample: &Counterexample,
    ) -> Saved {
        Self::of_program(subject, Some(property), model, counterexample.clone())
    }

    /// An execution on the model at this position that reaches something.
    pub fn schedule(
        subject: &programs::Subject,
        model: usize,
        Reached { what, shows, witness }: Reached<'_>,
    ) -> Saved {
        let (violation, witness) = (Violation::Reached(what), Some(witness.clone()));
        let counterexample = Counterexample { violation, witness };
        Saved { shows: Some(shows), ..Self::of_program(subject, None, model, counterexample) }
    }

    fn of_program(
        subject: &programs::Subject,
        property: Option<Property>,
        model: usize,
        counterexample: Counterexample,
    ) -> Saved {
        let request = &subject.request;
        let question = Asked::Program(AskedProgram {
            file: SavedPath::new(&subject.path),
            property,
            plain_races: request.plain_races,
            outcomes: request.outcomes.clone(),
            observe: request.observe,
        });
        let model = (&*subject.models[model], subject.model_names[model].as_str());
        Self::of(question, &request.c, model, hash_of_program(&subject.program), counterexample)
    }

    fn of(
        question: Asked,
        c: &compile::COptions,
        (model, model_name): (&Model, &str),
        program_hash: String,
        Counterexample { violation, witness }: Counterexample,
    ) -> Saved {
        Saved {
            fencepost: env!("CARGO_PKG_VERSION").to_string(),
            format: FORMAT,
            folder: SavedPath::new(std::env::current_dir().unwrap_or_default()),
            include: c.include_dirs.iter().map(SavedPath::new).collect(),
            included: c.included.iter().map(SavedPath::new).collect(),
            with: c.with.iter().map(SavedPath::new).collect(),
            database: c.database.as_ref().map(SavedPath::new),
            volatile_is_relaxed: c.volatile_is_relaxed,
            define: c.defines.clone(),
            undefine: c.undefines.clone(),
            native: c.natives.clone(),
            question,
            model: model_name.to_string(),
            program_hash,
            model_hash: hash([model_text(model).as_str()]),
            violation,
            witness,
            shows: None,
        }
    }

    /// The file's text.
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).expect("plain data")
    }

    /// A path that the file names, which was found in its folder.
    fn resolve(&self, path: &Path) -> PathBuf {
        if path.exists() { path.to_path_buf() } else { self.folder.join(path) }
    }

    fn c(&self) -> compile::COptions {
        compile::COptions {
            include_dirs: self.include.iter().map(|path| self.resolve(path)).collect(),
            defines: self.define.clone(),
            undefines: self.undefine.clone(),
            included: self.included.iter().map(|path| self.resolve(path)).collect(),
            with: self.with.iter().map(|path| self.resolve(path)).collect(),
            database: self.database.as_ref().map(|path| self.resolve(path)),
            quiet: true,
            volatile_is_relaxed: self.volatile_is_relaxed,
            natives: self.native.clone(),
        }
    }

    fn models(&self) -> Vec<String> {
        let path = Path::new(&self.model);
        vec![match self.model.ends_with(".cat") {
            true => self.resolve(path).display().to_string(),
            false => self.model.clone(),
        }]
    }

    /// An error if what the file names is not what it was.
    fn unchanged(
        &self,
        sources: &SourceMap,
        (program, what): (String, String),
        model: &Model,
    ) -> Result<(), Trouble> {
        if program != self.program_hash {
            return Err(changed(sources, &what));
        }
        match hash([model_text(model).as_str()]) == self.model_hash {
            true => Ok(()),
            false => Err(changed(sources, &format!("the model `{}`", self.model))),
        }
    }

    fn replay(&self) -> Result<(SourceMap, Story), Trouble> {
        match &self.question {
            Asked::Test(test) => self.replay_test(test),
            Asked::Program(program) => self.replay_program(program),
        }
    }

    fn replay_test(&self, asked: &AskedTest) -> Result<(SourceMap, Story), Trouble> {
        let resolve = |path: &SavedPath| self.resolve(path);
        let request = tests::Request {
            file: resolve(&asked.file),
            suite: asked.suite.as_ref().map(resolve),
            tests: vec![asked.test.clone()],
            models: self.models(),
            spec: asked.spec.as_ref().map(resolve),
            c: self.c(),
            reuse_memory: asked.reuse_memory,
            ..tests::Request::default()
        };
        let subject = tests::plan(&request)?.pop().expect("a file gives one subject");
        let (test, model) = (&subject.tests[0], &subject.models[0]);
        let what = format!("`{}` or its test", shown(&asked.file));
        let hash = hash_of_test(&test.composed);
        self.unchanged(&subject.sources, (hash, what), model)?;
        let notation = match &test.name {
            Some(name) => format!("{name} {}", test.notation),
            None => test.notation.clone(),
        };
        let dialect = dialect(&test.composed.program);
        let (file, model_name) = (shown(&asked.file), model.name.clone());
        let title = Title { file, test: notation, model: model_name, dialect };
        let reference = test.reference();
        let limits = Limits::default();
        let mined = mine(reference, test.reuse_memory, None, &limits);
        let story = match (mined, &self.witness) {
            (Err(Failure::Input(error)), _) => return Err(rejected(&subject.sources, error)),
            (Err(Failure::Interrupted(_)), _) => {
                return Err(Trouble::Mismatch("the serial executions were interrupted".into()));
            }
            (Ok(Mined::Violated(violation)), None) if self.violation == Violation::Serial => {
                story::serial(title, &reference.instances, &violation)
            }
            (Ok(Mined::Violated(_)), _) => {
                return Err(Trouble::Mismatch("a serial execution is already wrong".into()));
            }
            (Ok(Mined::Observations(set)), Some(witness)) => {
                let program = prepare(&test.composed.program, &subject.sources, model)
                    .map_err(|error| rejected(&subject.sources, error))?;
                let compiled = Composed { program, ..test.composed.clone() };
                let serial = Serial { reference, reuse: test.reuse_memory, set: &set };
                let under = Under { model, limits: &limits };
                let replayed = recheck(&compiled, serial, under, witness, &self.violation)?;
                story::story(title, threads(&compiled), &set, model, &self.violation, &replayed)
            }
            (Ok(Mined::Observations(_)), None) => {
                return Err(Trouble::Mismatch("no serial execution is wrong".into()));
            }
        };
        Ok((subject.sources, story))
    }

    fn replay_program(&self, asked: &AskedProgram) -> Result<(SourceMap, Story), Trouble> {
        let request = programs::Request {
            models: self.models(),
            c: self.c(),
            plain_races: asked.plain_races,
            outcomes: asked.outcomes.clone(),
            observe: asked.observe,
            ..programs::Request::default()
        };
        let subject = programs::plan(&self.resolve(&asked.file), &request)?;
        let model = &subject.models[0];
        let what = format!("`{}`", shown(&asked.file));
        // A schedule is a test of the program as it is now: whether it still fits is what is asked.
        let hash = match asked.property {
            Some(_) => hash_of_program(&subject.program),
            None => self.program_hash.clone(),
        };
        self.unchanged(&subject.sources, (hash, what), model)?;
        let Some(witness) = &self.witness else {
            return Err(Trouble::Mismatch("the file has no execution".into()));
        };
        let is_asked = match (&self.violation, asked.property) {
            (Violation::Reached(_), None) | (Violation::Flag(_), Some(Property::Race)) => true,
            (Violation::Finding { kind, .. }, Some(property)) => {
                Property::of(kind) == Some(property)
            }
            _ => false,
        };
        if !is_asked {
            let what = "what the file says of the execution is not what was asked";
            return Err(Trouble::Mismatch(what.into()));
        }
        let program = prepare(&subject.program, &subject.sources, model)
            .map_err(|error| rejected(&subject.sources, error))?;
        let under = Under { model, limits: &Limits::default() };
        let replayed = confirm(&program, under, witness, &self.violation)?;
        let at_the_end = subject.request.observations().is_at_the_end();
        let is_shown =
            |shows: &Shows| shows.is_shown(&program, under, (witness, &replayed), at_the_end);
        if !self.shows.as_ref().is_none_or(is_shown) {
            let what = "the program can still be executed in this way, but does not show this then";
            return Err(Trouble::Mismatch(what.into()));
        }
        let what = asked.property.map_or("schedule", Property::name);
        let title = title(&subject, what, model);
        let story = story_of_program(title, model, &self.violation, &replayed);
        Ok((subject.sources, story))
    }
}

/// Why a counterexample cannot be shown again.
#[derive(Debug)]
pub enum Trouble {
    /// The file, or the program that it names, is not as it should be.
    Input(Box<Rejected>),
    /// The replay does something else: a mistake of ours.
    Mismatch(String),
}

impl std::fmt::Display for Trouble {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Trouble::Input(rejected) => rejected.fmt(f),
            Trouble::Mismatch(what) => write!(f, "the counterexample is not confirmed: {what}"),
        }
    }
}

impl std::error::Error for Trouble {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Trouble::Input(rejected) => Some(&**rejected),
            Trouble::Mismatch(_) => None,
        }
    }
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
pub fn replay(path: &Path) -> Result<(SourceMap, Story), Trouble> {
    let name = shown(path);
    let text = read_text(path)
        .map_err(|error| input(Diagnostic::general(format!("cannot read `{name}`: {error}"))))?;
    let wrong = |error: serde_json::Error| {
        let what = in_words(&error.to_string());
        input(Diagnostic::general(format!("`{name}` is not a counterexample: {what}")))
    };
    // What a file of another format says of itself.
    #[derive(Deserialize)]
    struct Head {
        folder: Option<SavedPath>,
        format: Option<u32>,
    }
    let head: Head = serde_json::from_str(&text).map_err(wrong)?;
    if head.folder.is_some() && head.format != Some(FORMAT) {
        let message = format!("`{name}` was saved by another version of Fencepost");
        let note = "check the program again: this version may not follow the old execution";
        return Err(input(Diagnostic::general(message).note(note)));
    }
    let saved: Saved = serde_json::from_str(&text).map_err(wrong)?;
    saved.replay()
}

fn hash_of_test(composed: &Composed) -> String {
    let program = without_folders(&composed.program);
    hash([program_text(&Composed { program, ..composed.clone() }).as_str()])
}

fn hash_of_program(program: &Program) -> String {
    hash([ir::text::print(&without_folders(program)).as_str()])
}

/// The same program, which does not depend on the folder that its files are named from.
fn without_folders(program: &Program) -> Program {
    let mut program = program.clone();
    for place in program.places.iter_mut() {
        let short = place.location.file.rsplit('/').next().unwrap_or_default();
        place.location.file = short.into();
    }
    program
}

fn input(error: Diagnostic) -> Trouble {
    let sources = Default::default();
    Trouble::Input(Box::new(Rejected { sources, diagnostics: vec![error] }))
}

fn rejected(sources: &SourceMap, error: Diagnostic) -> Trouble {
    let sources = sources.clone();
    Trouble::Input(Box::new(Rejected { sources, diagnostics: vec![error] }))
}

fn changed(sources: &SourceMap, what: &str) -> Trouble {
    let message = format!("{what} has changed since this counterexample was found");
    let error = Diagnostic::general(message).note("check it again: the old execution says nothing");
    rejected(sources, error)
}
