//! Counterexamples of whole programs as files: what it takes to find the program and the model
//! again, and every decision of the execution.

use super::cell::{story, title};
use super::plan::{Request, Subject, plan};
use crate::check::cell::{Violated, model_text};
use crate::check::file::{Trouble, changed, rejected, resolve};
use crate::check::hash::hash;
use crate::check::recheck::{Problem, Under, confirm};
use crate::check::saved_path::SavedPath;
use crate::compile;
use crate::target::prepare;
use engines::verification::Property;
use execution::printable::shown;
use execution::witness::Witness;
use ir::program::Program;
use report::counterexample::Counterexample;
use sat::Limits;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// A counterexample in a file.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Saved {
    /// The version that found it.
    pub fencepost: String,
    /// The folder in which that was; paths are relative to it.
    pub folder: SavedPath,
    /// The program.
    pub program: SavedPath,
    /// Folders with headers.
    pub include: Vec<SavedPath>,
    /// Macros.
    pub define: Vec<String>,
    /// Macros that are not defined.
    pub undefine: Vec<String>,
    /// The property that is violated; none for a schedule.
    pub property: Option<Property>,
    /// The model, as it was named.
    pub model: String,
    /// Whether the model was asked for conflicts of plain accesses.
    #[serde(default)]
    pub plain_races: bool,
    /// Expressions that were asked for at the end of `main`: they are a part of the program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcomes: Option<String>,
    /// Whether what the program observes was asked for.
    #[serde(default)]
    pub observe: bool,
    /// The hash of the program.
    pub program_hash: String,
    /// The hash of the model's text.
    pub model_hash: String,
    /// What is wrong.
    pub problem: Problem,
    /// The execution.
    pub witness: Witness,
}

impl Saved {
    /// What there is to save of a violation on the model at this position.
    pub fn new(
        subject: &Subject,
        property: Property,
        model: usize,
        violated: &Violated,
    ) -> Option<Saved> {
        let (problem, witness) = (violated.problem.clone()?, violated.witness.clone()?);
        Some(Self::of(subject, Some(property), model, problem, witness))
    }

    /// An execution on the model at this position that comes to something.
    pub fn schedule(subject: &Subject, model: usize, what: String, witness: &Witness) -> Saved {
        Self::of(subject, None, model, Problem::Reached(what), witness.clone())
    }

    fn of(
        subject: &Subject,
        property: Option<Property>,
        model: usize,
        problem: Problem,
        witness: Witness,
    ) -> Saved {
        let c = &subject.request.c;
        Saved {
            fencepost: env!("CARGO_PKG_VERSION").to_string(),
            folder: SavedPath::new(std::env::current_dir().unwrap_or_default()),
            program: SavedPath::new(&subject.path),
            include: c.include_dirs.iter().map(SavedPath::new).collect(),
            define: c.defines.clone(),
            undefine: c.undefines.clone(),
            property,
            model: subject.model_names[model].clone(),
            plain_races: subject.request.plain_races,
            outcomes: subject.request.outcomes.clone(),
            observe: subject.request.observe,
            program_hash: program_hash(&subject.program),
            model_hash: hash([model_text(&subject.models[model]).as_str()]),
            problem,
            witness,
        }
    }

    /// Runs the counterexample again.
    pub fn replay(&self) -> Result<(Subject, Counterexample), Trouble> {
        let model = match self.model.ends_with(".cat") {
            true => resolve(&self.folder, Path::new(&self.model)).display().to_string(),
            false => self.model.clone(),
        };
        let request = Request {
            models: vec![model],
            c: compile::Options {
                include_dirs: self.include.iter().map(|p| resolve(&self.folder, p)).collect(),
                defines: self.define.clone(),
                undefines: self.undefine.clone(),
            },
            plain_races: self.plain_races,
            outcomes: self.outcomes.clone(),
            observe: self.observe,
            ..Request::default()
        };
        let subject = plan(&resolve(&self.folder, &self.program), &request)?;
        let model = &subject.models[0];
        if program_hash(&subject.program) != self.program_hash {
            return Err(changed(&subject.sources, &format!("`{}`", shown(&self.program))));
        }
        if hash([model_text(model).as_str()]) != self.model_hash {
            return Err(changed(&subject.sources, &format!("the model `{}`", self.model)));
        }
        let program = prepare(&subject.program, &subject.sources, model)
            .map_err(|error| rejected(&subject.sources, error))?;
        let under = Under { model, limits: &Limits::default() };
        let replayed = confirm(&program, under, &self.witness, &self.problem)?;
        let what = self.property.map_or("schedule", Property::name);
        let title = title(&subject, what, model);
        let story = story(title, &program, model, &self.problem, &replayed);
        Ok((subject, story))
    }
}

/// The hash of a program, which does not depend on the folder that its files are named from.
fn program_hash(program: &Program) -> String {
    let mut program = program.clone();
    for place in program.places.iter_mut() {
        let short = place.location.file.rsplit('/').next().unwrap_or_default();
        place.location.file = short.into();
    }
    hash([ir::text::print(&program).as_str()])
}
