//! What is to be checked: the files, tests and models of a request, read, compiled and composed.
//!
//! Everything that can be wrong with the input and needs no execution to be seen is found here.

use super::serial::SerialExecutions;
use crate::compile::{self, Compiled, Rejected, Texts, compile_from};
use crate::litmus::{NoModel, model};
use crate::names::{self, Names};
use crate::target;
use engines::bounded::wanted::Wanted;
use engines::test::compose::{Composed, compose};
use engines::test::parse::{Place, parse};
use engines::test::suite::{Method, NamedTest, Settings, Suite, Text};
use execution::diagnostic::Diagnostic;
use execution::input::read_text;
use execution::printable::shown;
use execution::span::{SourceMap, Span};
use execution::verdict::Mistake;
use ir::prepare::reusing_memory;
use models::Model;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// The name of the suite that is looked for beside a file.
pub const SUITE_NAME: &str = "check.toml";
/// How often a loop is unrolled at most if nobody says so.
pub const DEFAULT_UNROLL: u32 = 16;

/// What the user asks for.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// A C file, or a suite.
    pub file: PathBuf,
    /// The suite, if it is given apart from the file.
    pub suite: Option<PathBuf>,
    /// Tests: names of tests of the suite, or in the notation of tests. None means all.
    pub tests: Vec<String>,
    /// Models, by name or file. None means those of the suite.
    pub models: Vec<String>,
    /// A file whose serial executions say what is right.
    pub spec: Option<PathBuf>,
    /// How C is to be read.
    pub c: compile::COptions,
    /// Files that are in memory.
    pub texts: Texts,
    /// How to decide what is right. None means as the suite says.
    pub method: Option<Method>,
    /// What to look for.
    pub wanted: Wanted,
    /// How often a loop is unrolled at most.
    pub max_unroll: Option<u32>,
    /// Without sets of values.
    pub no_value_sets: bool,
    /// Whether freed blocks may be used again, also where the suite does not say so.
    pub reuse_memory: bool,
    /// How long one test may take on one model.
    pub time_limit: Option<Duration>,
    /// How many bytes of memory may be used.
    pub memory_limit: Option<u64>,
}

/// A data type with its tests.
pub struct Subject {
    /// Its file, as it was named.
    pub path: PathBuf,
    /// What was asked about it: the request, with this file and the suite that was found.
    pub request: Request,
    /// All text that was read for it.
    pub sources: SourceMap,
    /// The file whose serial executions say what is right, if it is another one, and all text that
    /// was read for it.
    pub spec: Option<(PathBuf, SourceMap)>,
    /// What the user will want to know about it.
    pub warnings: Vec<Diagnostic>,
    /// The models of all tests, in the order of the columns.
    pub models: Vec<Arc<Model>>,
    /// How each model was named.
    pub model_names: Vec<String>,
    /// The tests, smallest first.
    pub tests: Vec<Prepared>,
    /// What files about it are called.
    pub names: Names,
}

/// A test that is ready to be checked.
pub struct Prepared {
    /// Its name, if it has one.
    pub name: Option<String>,
    /// Its notation.
    pub notation: String,
    /// The program.
    pub composed: Composed,
    /// The program whose serial executions say what is right, if it is another one.
    pub spec: Option<Composed>,
    /// How to decide what is right.
    pub method: Method,
    /// What to look for.
    pub wanted: Wanted,
    /// How often a loop is unrolled at most.
    pub max_unroll: u32,
    /// Whether sets of values are used.
    pub value_sets: bool,
    /// Whether freed blocks may be used again.
    pub reuse_memory: bool,
    /// How long it may take on one model.
    pub time_limit: Option<Duration>,
    /// How many bytes of memory may be used.
    pub memory_limit: Option<u64>,
    /// The models to check it on: positions in [`Subject::models`].
    pub models: Vec<usize>,
    /// Its serial executions, once they are known.
    pub serial: SerialExecutions,
}

impl Subject {
    /// The text that a mistake is in.
    pub fn sources_of(&self, mistake: &Mistake) -> &SourceMap {
        let spec = self.spec.as_ref().filter(|_| mistake.of_spec);
        spec.map_or(&self.sources, |(_, sources)| sources)
    }
}

impl Prepared {
    /// The program whose serial executions say what is right.
    pub fn reference(&self) -> &Composed {
        self.spec.as_ref().unwrap_or(&self.composed)
    }

    /// What it is called.
    pub fn title(&self) -> &str {
        self.name.as_deref().unwrap_or(&self.notation)
    }
}

/// Reads everything that a request is about.
pub fn plan(request: &Request) -> Result<Vec<Subject>, Box<Rejected>> {
    let suite = suite_of(request)?;
    let files = match &suite {
        Some(suite) if suite.is_the_file => suite.files()?,
        _ => vec![request.file.clone()],
    };
    let mut subjects: Vec<Subject> = files
        .iter()
        .map(|file| subject(request, file, suite.as_ref()))
        .collect::<Result<_, _>>()?;
    let names = names::of_files(files.iter().map(PathBuf::as_path));
    subjects.iter_mut().zip(names).for_each(|(subject, name)| subject.names.file = name);
    Ok(subjects)
}

/// A suite as text; it is parsed anew for each file, whose sources it then belongs to.
struct SuiteText {
    path: PathBuf,
    text: String,
    /// Whether the request names the suite in place of a C file.
    is_the_file: bool,
}

impl SuiteText {
    fn read(path: &Path, is_the_file: bool) -> Result<Self, Box<Rejected>> {
        let text = read_text(path)
            .map_err(|error| general(format!("cannot read `{}`: {error}", shown(path))))?;
        Ok(Self { path: path.to_path_buf(), text, is_the_file })
    }

    fn parse(&self, sources: &mut SourceMap) -> Result<Suite, Diagnostic> {
        let file = sources.add_file(self.path.display().to_string(), self.text.as_str());
        Suite::parse(&self.text, file)
    }

    /// A path that the suite names.
    fn beside(&self, path: &str) -> PathBuf {
        self.path.parent().unwrap_or(Path::new("")).join(path)
    }

    /// The files that it names.
    fn files(&self) -> Result<Vec<PathBuf>, Box<Rejected>> {
        let mut sources = SourceMap::new();
        let suite = self.parse(&mut sources).map_err(|error| rejected(&sources, error))?;
        if suite.files.is_empty() {
            let message = format!("the suite `{}` names no files", shown(&self.path));
            let error = Diagnostic::general(message)
                .note("name them in the suite: `files = [\"queue.c\"]`")
                .note("or on the command line: fencepost check queue.c --suite check.toml");
            return Err(rejected(&sources, error));
        }
        let file = |text: &Text| self.existing(text).map_err(|error| rejected(&sources, error));
        suite.files.iter().map(file).collect()
    }

    /// A file that the suite names, and that must exist.
    fn existing(&self, text: &Text) -> Result<PathBuf, Diagnostic> {
        let path = self.beside(&text.text);
        if path.is_file() {
            return Ok(path);
        }
        Err(Diagnostic::error(text.span, format!("there is no file `{}`", shown(&path))))
    }
}

/// The suite of a request: the one that is given, or one beside the file that names the file.
fn suite_of(request: &Request) -> Result<Option<SuiteText>, Box<Rejected>> {
    let file = &request.file;
    let is_suite = file.extension().is_some_and(|extension| extension == "toml");
    match (&request.suite, is_suite) {
        (Some(_), true) => {
            let message = format!("`{}` is a suite, and --suite names another", shown(file));
            Err(general(message))
        }
        (Some(path), false) => SuiteText::read(path, false).map(Some),
        (None, true) => SuiteText::read(file, true).map(Some),
        (None, false) => {
            let beside = file.with_file_name(SUITE_NAME);
            // A text in memory is not a part of what lies on the disk.
            if !beside.is_file() || request.texts.contains(&request.file) {
                return Ok(None);
            }
            let suite = SuiteText::read(&beside, false)?;
            let mut sources = SourceMap::new();
            let parsed = suite.parse(&mut sources).map_err(|error| rejected(&sources, error))?;
            let names_it = |text: &Text| file.file_name() == Path::new(&text.text).file_name();
            Ok(parsed.files.iter().any(names_it).then_some(suite))
        }
    }
}

/// Compiles a file and composes its tests.
fn subject(
    request: &Request,
    file: &Path,
    suite_text: Option<&SuiteText>,
) -> Result<Subject, Box<Rejected>> {
    let mut sources = SourceMap::new();
    let suite = match suite_text {
        Some(text) => Some(text.parse(&mut sources).map_err(|error| rejected(&sources, error))?),
        None => None,
    };
    let mut c = request.c.clone();
    if let (Some(text), Some(suite)) = (suite_text, &suite) {
        c.include_dirs.extend(suite.include.iter().map(|folder| text.beside(&folder.text)));
        // What stands on the command line counts.
        let own: HashSet<&str> = request.c.defines.iter().map(|text| macro_name(text)).collect();
        let defines = suite.define.iter().filter(|text| !own.contains(macro_name(&text.text)));
        c.defines.extend(defines.map(|text| text.text.clone()));
    }
    let spec = match (&request.spec, suite_text, suite.as_ref().and_then(|s| s.spec.as_ref())) {
        (Some(path), _, _) => Some(path.clone()),
        (None, Some(text), Some(spec)) => {
            Some(text.existing(spec).map_err(|error| rejected(&sources, error))?)
        }
        _ => None,
    };
    let compiled = compile_from(file, &c, &request.texts)?;
    let spec = match spec {
        Some(path) => Some((compile_from(&path, &c, &request.texts)?, path)),
        None => None,
    };
    let implementation = Program::new(compiled, request, suite_text)?;
    let reference = match spec {
        Some((spec, path)) => Some((path, Program::new(spec, request, suite_text)?)),
        None => None,
    };
    Planner { request, suite_text, implementation, reference, models: Vec::new() }.subject(file)
}

/// The name in `NAME`, `NAME=VALUE` or `NAME(PARAMETERS)=VALUE`.
fn macro_name(define: &str) -> &str {
    define.split(['=', '(']).next().unwrap_or(define).trim()
}

/// A compiled file with the tests, which are part of its sources.
struct Program {
    compiled: Compiled,
    suite: Option<Suite>,
    tests: Vec<NamedOrNot>,
}

struct NamedOrNot {
    name: Option<String>,
    test: engines::test::Test,
    settings: Settings,
}

impl From<&NamedTest> for NamedOrNot {
    fn from(named: &NamedTest) -> Self {
        let NamedTest { name, test, settings, .. } = named.clone();
        Self { name: Some(name), test, settings }
    }
}

impl Program {
    fn new(
        mut compiled: Compiled,
        request: &Request,
        suite_text: Option<&SuiteText>,
    ) -> Result<Self, Box<Rejected>> {
        let sources = &mut compiled.sources;
        let read = |sources: &mut SourceMap| {
            let suite = suite_text.map(|text| text.parse(sources)).transpose()?;
            let tests = tests(request, suite.as_ref(), sources)?;
            Ok((suite, tests))
        };
        let (suite, tests) = read(sources).map_err(|error| rejected(sources, error))?;
        Ok(Self { compiled, suite, tests })
    }

    fn compose(&self, test: &NamedOrNot) -> Result<Composed, Box<Rejected>> {
        let operations = self.suite.as_ref().map(|suite| suite.operations.clone());
        let Compiled { program, sources, .. } = &self.compiled;
        compose(program, &operations.unwrap_or_default(), &test.test, sources)
            .map_err(|error| rejected(sources, error))
    }
}

/// The tests of a request, smallest first.
fn tests(
    request: &Request,
    suite: Option<&Suite>,
    sources: &mut SourceMap,
) -> Result<Vec<NamedOrNot>, Diagnostic> {
    let mut tests: Vec<NamedOrNot> = match (request.tests.is_empty(), suite) {
        (false, _) => {
            request.tests.iter().map(|text| test(text, suite, sources)).collect::<Result<_, _>>()?
        }
        (true, Some(suite)) => suite.tests.iter().map(NamedOrNot::from).collect(),
        (true, None) => {
            return Err(Diagnostic::general("there is nothing to check: no test is given")
                .note("give one with --test '( e | d )', for operations `e` and `d`")
                .note(format!("or tests in a suite: --suite FILE.toml, or a file {SUITE_NAME} next to the C file that names it under `files`")));
        }
    };
    tests.sort_by_key(|test| (test.test.len(), test.test.threads.len()));
    Ok(tests)
}

/// A test from the command line: the name of one in the suite, or its notation.
fn test(
    text: &str,
    suite: Option<&Suite>,
    sources: &mut SourceMap,
) -> Result<NamedOrNot, Diagnostic> {
    if let Some(named) = suite.and_then(|suite| suite.test(text)) {
        return Ok(named.into());
    }
    let file = sources.add_file("--test", text);
    if !text.contains(['(', '|', ')']) {
        let whole = Span::new(file, 0, text.len());
        let error = Diagnostic::error(whole, format!("there is no test `{text}`"));
        return Err(match suite {
            Some(suite) => {
                let names: Vec<&str> = suite.tests.iter().map(|test| test.name.as_str()).collect();
                error.note(format!("the suite has {}", names.join(", ")))
            }
            None => error
                .note(format!("no suite is given, and no {SUITE_NAME} next to the file names it"))
                .note("a test is written as in '( e | d )'"),
        });
    }
    let test = parse(text, Place { file, start: 0 })?;
    let settings = suite.map(|suite| suite.defaults.clone()).unwrap_or_default();
    Ok(NamedOrNot { name: None, test, settings })
}

struct Planner<'a> {
    request: &'a Request,
    suite_text: Option<&'a SuiteText>,
    implementation: Program,
    /// The specification: its file, and what is in it.
    reference: Option<(PathBuf, Program)>,
    models: Vec<(String, Arc<Model>)>,
}

impl Planner<'_> {
    fn subject(mut self, path: &Path) -> Result<Subject, Box<Rejected>> {
        let mut tests = Vec::new();
        let all = std::mem::take(&mut self.implementation.tests);
        for (index, test) in all.iter().enumerate() {
            let mut composed = self.implementation.compose(test)?;
            let reuse_memory =
                self.request.reuse_memory || test.settings.reuse_memory == Some(true);
            if reuse_memory {
                composed.program = reusing_memory(composed.program);
            }
            let spec = match &self.reference {
                Some((path, reference)) => {
                    let composed = reference.compose(&reference.tests[index]);
                    Some(composed.map_err(|rejected| about_spec(rejected, path))?)
                }
                None => None,
            };
            let settings = &test.settings;
            let max_unroll = self.request.max_unroll.or(settings.max_unroll);
            tests.push(Prepared {
                name: test.name.clone(),
                notation: test.test.to_string(),
                composed,
                spec,
                method: self.request.method.or(settings.method).unwrap_or(Method::Observations),
                wanted: self.request.wanted.clone(),
                max_unroll: max_unroll.unwrap_or(DEFAULT_UNROLL),
                value_sets: !self.request.no_value_sets,
                reuse_memory,
                time_limit: self.request.time_limit.or(settings.time_limit),
                memory_limit: self.request.memory_limit,
                models: self.models(settings)?,
                serial: SerialExecutions::default(),
            });
        }
        self.arrange(&mut tests);
        let Compiled { sources, warnings, .. } = self.implementation.compiled;
        let (model_names, models): (_, Vec<_>) = self.models.into_iter().unzip();
        let suite = self.suite_text.map(|suite| suite.path.clone());
        let path = path.to_path_buf();
        let request = Request { file: path.clone(), suite, ..self.request.clone() };
        let names = Names {
            file: names::of_files([path.as_path()]).concat(),
            tests: names::of_tests(tests.iter().map(Prepared::title)),
            models: names::of_models(models.iter().map(|model| model.name.as_str())),
        };
        let spec = self.reference.map(|(path, reference)| (path, reference.compiled.sources));
        Ok(Subject { path, request, sources, spec, warnings, models, model_names, tests, names })
    }

    /// Puts the columns into the order in which the suite names the models, first for all tests and
    /// then for single ones, although small tests come first.
    fn arrange(&mut self, tests: &mut [Prepared]) {
        let Some(suite) = &self.implementation.suite else { return };
        if !self.request.models.is_empty() {
            return;
        }
        let settings = [&suite.defaults].into_iter().chain(suite.tests.iter().map(|t| &t.settings));
        let named = settings.filter_map(|settings| settings.models.as_ref()).flatten();
        let names: Vec<String> = named.map(|text| self.name_of(&text.text)).collect();
        let rank = |&position: &usize| {
            let name = &self.models[position].0;
            names.iter().position(|known| known == name).unwrap_or(usize::MAX)
        };
        let mut order: Vec<usize> = (0..self.models.len()).collect();
        order.sort_by_key(rank);
        let new = |old: usize| order.iter().position(|&position| position == old).unwrap_or(old);
        for test in tests {
            test.models.iter_mut().for_each(|model| *model = new(*model));
        }
        self.models = order.iter().map(|&position| self.models[position].clone()).collect();
    }

    /// What a model is called that the suite names.
    fn name_of(&self, text: &str) -> String {
        let beside = self.suite_text.filter(|_| text.ends_with(".cat"));
        beside.map_or_else(|| text.to_string(), |suite| suite.beside(text).display().to_string())
    }

    fn rejected(&self, error: Diagnostic) -> Box<Rejected> {
        rejected(&self.implementation.compiled.sources, error)
    }

    /// The models of a test, as positions in the list of all, each once.
    fn models(&mut self, settings: &Settings) -> Result<Vec<usize>, Box<Rejected>> {
        let mut positions = self.named_models(settings)?;
        let mut known = HashSet::new();
        positions.retain(|&position| known.insert(position));
        Ok(positions)
    }

    fn named_models(&mut self, settings: &Settings) -> Result<Vec<usize>, Box<Rejected>> {
        if !self.request.models.is_empty() {
            let request = self.request;
            return request.models.iter().map(|name| self.model(name, name, None)).collect();
        }
        match &settings.models {
            Some(models) => {
                let mut positions = Vec::new();
                for Text { text, span } in models {
                    let name = self.name_of(text);
                    positions.push(self.model(text, &name, Some(*span))?);
                }
                Ok(positions)
            }
            None => {
                let names = target::default_models(&self.implementation.compiled.program);
                names.iter().map(|name| self.model(name, name, None)).collect()
            }
        }
    }

    /// A model that is called `text` where it is named, at `span`.
    fn model(
        &mut self,
        text: &str,
        name: &str,
        span: Option<Span>,
    ) -> Result<usize, Box<Rejected>> {
        if let Some(known) = self.models.iter().position(|(known, _)| known == name) {
            return Ok(known);
        }
        match model(name) {
            Ok(model) => {
                self.models.push((name.to_string(), model));
                Ok(self.models.len() - 1)
            }
            Err(NoModel::Wrong(error)) => Err(rejected(&error.sources, error.diagnostic)),
            Err(NoModel::Unknown(_)) => Err(self.rejected(unknown_model(text, span))),
        }
    }
}

/// The model that was probably meant by a name that none has.
pub fn meant(text: &str) -> Option<&'static str> {
    let known = || models::library::ENTRIES.iter().map(|entry| entry.name);
    models::library::meant(text).or_else(|| front_c::hints::similar(text, known()))
}

/// What to say of a model that does not exist.
pub fn unknown_model(text: &str, span: Option<Span>) -> Diagnostic {
    let message = format!("there is no model `{text}`");
    let error = match span {
        Some(span) => Diagnostic::error(span, message),
        None => Diagnostic::general(message),
    };
    let known: Vec<&str> = models::library::ENTRIES.iter().map(|e| e.name).collect();
    match meant(text) {
        Some(name) => error.note(format!("did you mean `{name}`?")),
        None => error.note(format!("the library has {}", known.join(", "))),
    }
}

pub(crate) fn rejected(sources: &SourceMap, error: Diagnostic) -> Box<Rejected> {
    Box::new(Rejected { sources: sources.clone(), diagnostics: vec![error] })
}

/// What is wrong is wrong with the specification.
fn about_spec(mut rejected: Box<Rejected>, path: &Path) -> Box<Rejected> {
    let told = |error: Diagnostic| error.note(of_spec(path));
    rejected.diagnostics = rejected.diagnostics.into_iter().map(told).collect();
    rejected
}

/// That something is about the specification.
pub fn of_spec(path: &Path) -> String {
    format!("this is about the specification `{}`, which has its own operations", shown(path))
}

fn general(message: String) -> Box<Rejected> {
    rejected(&SourceMap::new(), Diagnostic::general(message))
}
