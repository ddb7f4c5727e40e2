//! What is to be proved: the data type, its operations and the models, read and composed.

use super::operations::operations;
use crate::check::plan::{self as tests, Subject as Test};
use crate::compile::{self, Compiled, Rejected, Texts, compile_from};
use engines::views::{Shape, shape_named};
use execution::diagnostic::Diagnostic;
use execution::printable::shown;
use execution::span::SourceMap;
use std::collections::HashSet;
use std::path::PathBuf;
use std::time::Duration;

/// What the user asks for.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// A C file.
    pub file: PathBuf,
    /// The operations; none means those that the file declares, or every function that can be one.
    pub operations: Vec<String>,
    /// Models, by name: sc and tso. None means sc.
    pub models: Vec<String>,
    /// How many values an operation may choose from, if that is not as the program says.
    pub values: Option<u32>,
    /// How many objects the type may have beyond those at first.
    pub size: Option<usize>,
    /// What is right: the name of an abstract type, or a C file. None means the type's own serial
    /// behaviour.
    pub spec: Option<String>,
    /// The function that shows the abstract state; without one, `fp_abstract` if there is one.
    pub abstraction: Option<String>,
    /// How C is to be read.
    pub c: compile::COptions,
    /// Files that are in memory.
    pub texts: Texts,
    /// How long the answer for one model may take.
    pub time_limit: Option<Duration>,
    /// How many bytes of memory may be used.
    pub memory_limit: Option<u64>,
}

/// A data type that is ready to be asked about.
pub struct Subject {
    /// What was asked.
    pub request: Request,
    /// Its operations, composed: each is a thread of a test. Models are in the order of the request.
    pub test: Test,
    /// The names of its operations.
    pub operations: Vec<String>,
    /// The abstract type that it has to be, if one is named.
    pub shape: Option<Shape>,
    /// The function that shows the abstract state, if there is one.
    pub abstraction: Option<String>,
}

/// The function that shows the abstract state, if no other one is named.
const ABSTRACTION: &str = "fp_abstract";

/// The models that threads have machines for.
const MODELS: [&str; 2] = ["sc", "tso"];

/// Reads everything that a request is about.
pub fn plan(request: &Request) -> Result<Subject, Box<Rejected>> {
    let models = models(request)?;
    let (shape, spec) = match request.spec.as_deref() {
        None => (None, None),
        Some(text) => match shape_named(text) {
            Some(shape) => (Some(shape), None),
            None if text.ends_with(".c") => (None, Some(PathBuf::from(text))),
            None => {
                let message = format!("there is no abstract type `{text}`");
                let error = Diagnostic::general(message)
                    .note("there are: set, queue, stack, deque; or a C file: --spec REF.c");
                return Err(general(error));
            }
        },
    };
    let mut names = HashSet::new();
    if let Some(name) = request.operations.iter().find(|name| !names.insert(*name)) {
        let error = Diagnostic::general(format!("the operation `{name}` is named twice"));
        let note = "any number of threads run each operation; it need be named only once";
        return Err(general(error.note(note)));
    }
    let compiled = compile_from(&request.file, &request.c, &request.texts)?;
    let abstraction = abstraction_of(request, &compiled)?;
    let mut operations = match request.operations.is_empty() {
        true => operations(&compiled)?,
        false => request.operations.clone(),
    };
    operations.retain(|name| Some(name) != abstraction.as_ref());
    if operations.is_empty() {
        let message = format!("`{}` has no operations", shown(&request.file));
        return Err(general(Diagnostic::general(message).note(
            "an operation is a function `void f(void)` that is not `static`; it chooses its \
             arguments with fp_choose and shows its result with fp_observe",
        )));
    }
    let columns: Vec<&str> = operations.iter().chain(&abstraction).map(String::as_str).collect();
    let test = tests::Request {
        file: request.file.clone(),
        tests: vec![format!("( {} )", columns.join(" | "))],
        models,
        spec,
        c: request.c.clone(),
        texts: request.texts.clone(),
        time_limit: request.time_limit,
        memory_limit: request.memory_limit,
        ..tests::Request::default()
    };
    let test = tests::plan(&test)?.pop().expect("a file gives one subject");
    Ok(Subject { request: request.clone(), test, operations, shape, abstraction })
}

/// The function that shows the abstract state: the one that is named, or the one with the name that
/// is meant for it.
fn abstraction_of(request: &Request, compiled: &Compiled) -> Result<Option<String>, Box<Rejected>> {
    let found = |name: &str| compiled.program.functions.iter().find(|f| f.name == name);
    let (name, function) = match &request.abstraction {
        None => (ABSTRACTION, found(ABSTRACTION)),
        Some(name) => (name.as_str(), found(name)),
    };
    let wrong = |what: String| {
        Err(general(Diagnostic::general(what).note(
            "the function that shows the abstract state is `void f(void)`: it reads the data type, \
             changes nothing, and shows with fp_observe what the data type contains",
        )))
    };
    match function {
        Some(f) if f.params.is_empty() && f.result.is_none() => Ok(Some(name.to_string())),
        Some(_) => wrong(format!("`{name}` cannot show the abstract state")),
        None if request.abstraction.is_some() => wrong(format!("there is no function `{name}`")),
        None => Ok(None),
    }
}

fn models(request: &Request) -> Result<Vec<String>, Box<Rejected>> {
    let mut models = request.models.clone();
    if models.is_empty() {
        models.push(MODELS[0].into());
    }
    let other = models.iter().find(|model| !MODELS.contains(&model.as_str()));
    let Some(other) = other else { return Ok(models) };
    let message = format!("there are no proofs for any number of threads on `{other}`");
    Err(general(
        Diagnostic::general(message).note(
            "there are on sc and tso; `fencepost check` answers on every model, test by test",
        ),
    ))
}

fn general(error: Diagnostic) -> Box<Rejected> {
    Box::new(Rejected { sources: SourceMap::new(), diagnostics: vec![error] })
}
