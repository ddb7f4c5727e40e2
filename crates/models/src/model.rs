//! A memory model: read from cat text, checked, and ready to be asked about executions.

use crate::algebra::{Dependence, Sort, Term, TermId, Terms};
use crate::ast::{Instruction, Role, Test};
use crate::check::{Asked, check};
use crate::elaborate::{Stop, elaborate};
use crate::evaluate::Evaluator;
use crate::library;
use crate::load::Loader;
use crate::registers;
use execution::diagnostic::Diagnostic;
use execution::event::Execution;
use execution::printable::shown;
use execution::span::{SourceMap, Span};
use limits::Limits;
use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

/// A model.
#[derive(Clone, Debug)]
pub struct Model {
    /// What it is called: its name in the library, or its file's name.
    pub name: String,
    /// The title its text gives itself.
    pub title: Option<String>,
    /// Whether it is one of the library's.
    in_library: bool,
    /// The library's model that it was made of, if it allows the same executions.
    made_of: Option<String>,
    program: Arc<[Instruction]>,
    variants: HashSet<String>,
    asked: Arc<Asked>,
    /// All files that were read for it.
    sources: Arc<SourceMap>,
    /// The algebra; `None` if it can be known only for a given execution.
    compiled: Option<Arc<Compiled>>,
}

/// A mistake in a model's text, with the text.
#[derive(Clone, Debug)]
pub struct ModelError {
    /// What is wrong.
    pub diagnostic: Diagnostic,
    /// The files that were read.
    pub sources: Arc<SourceMap>,
}

/// Why a model says nothing about an execution.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unevaluated {
    /// The model is wrong, which only this execution shows.
    Model(Box<Diagnostic>),
    /// A limit was reached.
    GaveUp,
}

impl Model {
    /// The model of this name in the library; `None` if there is none.
    pub fn named(name: &str) -> Option<Self> {
        let entry = library::find(name)?;
        let loader = Loader::new(None);
        let model = Self::read(entry.name.to_string(), loader, |loader| {
            loader.text(&format!("<{}.cat>", entry.name), entry.text)
        });
        let model = model.unwrap_or_else(|error| {
            panic!("the library's model {name} is wrong: {}", error.diagnostic.message)
        });
        Some(Self { in_library: true, ..model })
    }

    /// Its name, if it is one of the library's.
    pub fn library_name(&self) -> Option<&str> {
        self.in_library.then_some(&*self.name)
    }

    /// The library's model that allows the same executions, if one is known: itself, or one that
    /// flags less.
    pub fn same_executions_as(&self) -> Option<&str> {
        self.library_name().or(self.made_of.as_deref())
    }

    /// The model in a file of the user's; its includes are searched for next to it and then in the
    /// library.
    pub fn from_file(path: &Path) -> Result<Self, ModelError> {
        Self::from_file_with(path, &[])
    }

    /// The same with variants switched on: `if "name"` in its text asks for one.
    pub fn from_file_with(path: &Path, variants: &[String]) -> Result<Self, ModelError> {
        let name = shown(path.file_name().unwrap_or(path.as_os_str()).as_ref());
        let mut loader = Loader::new(path.parent().map(Path::to_path_buf));
        loader.variants.extend(variants.iter().cloned());
        Self::read(name, loader, |loader| loader.model_file(path))
    }

    /// The variants that its text asks about, in what its variants leave of it.
    pub fn variants_asked(&self) -> impl Iterator<Item = &str> {
        self.asked.variants.iter().map(|name| &**name)
    }

    /// The model in `text`, with includes from the library.
    pub fn from_text(name: &str, text: &str) -> Result<Self, ModelError> {
        Self::read(name.to_string(), Loader::new(None), |loader| loader.text(name, text))
    }

    /// Whether it flags anything, such as races.
    pub fn raises_flags(&self) -> bool {
        self.compiled().is_some_and(|it| it.worlds.iter().any(|world| !world.flags.is_empty()))
    }

    /// Whether its text implies that every part of an allowed execution is allowed, a part being
    /// closed under what is before each event by program order and reads-from (see `prefixes.rs`).
    pub fn is_closed_under_parts(&self) -> bool {
        self.compiled().is_some_and(crate::prefixes::are_closed)
    }

    /// The same model, which also flags conflicts of plain accesses (`plain-races.cat`); a model
    /// that flags something by itself stays as it is.
    pub fn with_plain_races(self) -> Result<Self, ModelError> {
        if self.raises_flags() {
            return Ok(self);
        }
        let made_of = self.same_executions_as().map(str::to_string);
        let mut loader = Loader::new(None);
        loader.sources = (*self.sources).clone();
        loader.variants = self.variants;
        let (title, program) = (self.title, self.program);
        let model = Self::read(self.name, loader, |loader| {
            let name = "plain-races.cat";
            let text = library::included(name).unwrap_or_default();
            let (_, more) = loader.read(&format!("<{name}>"), text)?;
            Ok((title, program.iter().cloned().chain(more).collect()))
        })?;
        Ok(Self { made_of, ..model })
    }

    fn read(
        name: String,
        mut loader: Loader,
        load: impl FnOnce(&mut Loader) -> Result<(Option<String>, Vec<Instruction>), Diagnostic>,
    ) -> Result<Self, ModelError> {
        let loaded = load(&mut loader);
        let (sources, variants) = (Arc::new(loader.sources), loader.variants);
        let fail = |diagnostic| ModelError { diagnostic, sources: sources.clone() };
        let (title, program) = loaded.map_err(fail)?;
        let asked = check(&program, &variants).map_err(fail)?;
        let compiled = match elaborate(&program, &variants, &sources, None, &Limits::default()) {
            Ok(compiled) => Some(compiled.into()),
            Err(Stop::NeedsExecution | Stop::GaveUp) => None,
            Err(Stop::Error(diagnostic) | Stop::Unknown(diagnostic)) => {
                return Err(fail(*diagnostic));
            }
        };
        Ok(Self {
            name,
            title,
            in_library: false,
            made_of: None,
            program: program.into(),
            variants,
            asked: asked.into(),
            sources,
            compiled,
        })
    }

    /// The files that the model was read from, for showing messages about it.
    pub fn sources(&self) -> &SourceMap {
        &self.sources
    }

    /// The model as relational algebra; `None` if that differs from execution to execution.
    pub fn compiled(&self) -> Option<&Compiled> {
        self.compiled.as_deref()
    }

    /// Makes ready for asking about executions that differ from `skeleton` (and from each other)
    /// only in `rf` and `co`. If the model uses values ([`Model::uses_values`]), those must
    /// be the same too.
    pub fn prepare(&self, skeleton: &Execution) -> Result<Evaluator, Diagnostic> {
        self.prepare_within(skeleton, &Limits::default()).map_err(|problem| match problem {
            Unevaluated::Model(diagnostic) => *diagnostic,
            Unevaluated::GaveUp => Diagnostic::general("the model takes too long to evaluate"),
        })
    }

    /// The same, unless a limit is reached; the evaluator keeps it, too ([`Evaluator::gave_up`]).
    pub fn prepare_within(
        &self,
        skeleton: &Execution,
        limits: &Limits,
    ) -> Result<Evaluator, Unevaluated> {
        if self.looks_at_registers() {
            let whole = registers::with_registers(skeleton);
            return Ok(self.prepare_as_is(&whole, limits)?.showing(skeleton.events.len()));
        }
        self.prepare_as_is(skeleton, limits)
    }

    /// Whether the model computes dependencies from register events (see the vocabulary).
    pub fn looks_at_registers(&self) -> bool {
        self.asked.registers
    }

    fn prepare_as_is(
        &self,
        skeleton: &Execution,
        limits: &Limits,
    ) -> Result<Evaluator, Unevaluated> {
        let compiled = match &self.compiled {
            Some(compiled) => compiled.clone(),
            None => {
                let (program, variants, sources) = (&self.program, &self.variants, &self.sources);
                match elaborate(program, variants, sources, Some(skeleton), limits) {
                    Ok(compiled) => compiled.into(),
                    Err(Stop::Error(diagnostic) | Stop::Unknown(diagnostic)) => {
                        return Err(Unevaluated::Model(diagnostic));
                    }
                    Err(Stop::NeedsExecution) => {
                        let message = "the model cannot be run on this execution";
                        return Err(Unevaluated::Model(Diagnostic::general(message).into()));
                    }
                    Err(Stop::GaveUp) => return Err(Unevaluated::GaveUp),
                }
            }
        };
        Evaluator::new(compiled, skeleton, limits).ok_or(Unevaluated::GaveUp)
    }

    /// The algebra; for a model that must see an execution first, the one for an empty execution.
    pub(crate) fn compiled_for_mentions(&self) -> Result<Arc<Compiled>, Diagnostic> {
        let empty = Execution::default();
        match &self.compiled {
            Some(compiled) => Ok(compiled.clone()),
            None => {
                let (program, variants, sources) = (&self.program, &self.variants, &self.sources);
                elaborate(program, variants, sources, Some(&empty), &Limits::default())
                    .map(Arc::from)
                    .map_err(|_| {
                        Diagnostic::general("the model cannot be run on an empty execution")
                    })
            }
        }
    }

    /// Whether values decide if an execution is allowed, not only which flags it raises.
    pub fn axioms_use_values(&self) -> bool {
        self.compiled.as_ref().is_none_or(|compiled| {
            let axioms = compiled.worlds.iter().flat_map(|world| &world.axioms);
            axioms.into_iter().any(|axiom| axiom.dependence.values)
        })
    }

    /// Whether the model compares values (`different-values`).
    pub fn uses_values(&self) -> bool {
        self.compiled.as_ref().is_none_or(|compiled| compiled.uses_values)
    }
}

/// A model as relational algebra.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// All terms.
    pub terms: Terms,
    /// The ways of choosing in `with x from S`; an execution is allowed if one of them allows it.
    /// Just one for a model without such choices.
    pub worlds: Vec<World>,
    /// The term `rf`, if the model mentions it.
    pub rf: Option<TermId>,
    /// The term `co`, if the model mentions it.
    pub co: Option<TermId>,
    /// The terms that are needed and depend on neither, in order.
    pub fixed: Arc<[TermId]>,
    /// Whether some term uses values.
    pub uses_values: bool,
}

impl Compiled {
    pub(crate) fn new(mut terms: Terms, worlds: Vec<World>) -> Self {
        let rf = Some(terms.add(Term::Base("rf".into(), Sort::Relation)));
        let co = Some(terms.add(Term::Base("co".into(), Sort::Relation)));
        let mut roots = Vec::new();
        for world in &worlds {
            roots.extend(world.axioms.iter().chain(&world.flags).map(|axiom| axiom.term));
            roots.extend(world.shows.iter().map(|(_, id, _)| *id));
        }
        let mut fixed = terms.reachable(&roots);
        fixed.retain(|&id| terms.node(id).is_fixed());
        let fixed = fixed.into();
        let uses_values = terms.any(|term| matches!(term, Term::DifferentValues(_)));
        Self { terms, worlds, rf, co, fixed, uses_values }
    }
}

/// What must hold, what is remarked and what is shown, for one way of choosing.
#[derive(Clone, Debug)]
pub struct World {
    /// The constraints, in the order of the text.
    pub axioms: Vec<Axiom>,
    /// Flags and the like.
    pub flags: Vec<Axiom>,
    /// What to show, under which name, and the terms to compute for it.
    pub shows: Vec<(Arc<str>, TermId, Arc<[TermId]>)>,
}

/// A check on a term.
#[derive(Clone, Debug)]
pub struct Axiom {
    /// Its name, or its text.
    pub name: Arc<str>,
    /// What it means if it fails.
    pub role: Role,
    /// Whether the test is negated.
    pub negated: bool,
    /// What is tested.
    pub test: Test,
    /// Of which term.
    pub term: TermId,
    /// Where it stands.
    pub span: Span,
    /// What it depends on.
    pub dependence: Dependence,
    /// Whether it fails for a whole choice of `rf` and `co` wherever it fails for a part of it.
    pub monotone: bool,
    /// The closed terms that depend on a choice and must be computed first, in order.
    pub schedule: Arc<[TermId]>,
}
