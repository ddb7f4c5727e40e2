//! What is to be verified: the programs and models of a request, read and compiled.

use crate::check::plan::{rejected, unknown_model};
use crate::compile::{self, Compiled, Rejected, Texts, compile_c, compile_from};
use crate::litmus::{NoModel, model};
use crate::names::{self, Names};
use crate::native;
use encoding::encode::Mutexes;
use engines::verification::outcomes::Asked;
use engines::verification::{EngineChoice, Interleavings, Property};
use execution::diagnostic::Diagnostic;
use execution::printable::shown;
use execution::span::SourceMap;
use front_c::pp::FileLoader;
use ir::op::{BinaryOp, Op, Operand};
use ir::prepare::{Observer, Preparation, whole};
use ir::program::Program;
use models::Model;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// The models on which a program is verified if nobody says which.
pub const DEFAULT_MODELS: [&str; 2] = ["sc", "tso"];
/// How often a loop is unrolled at most if nobody says so.
pub const DEFAULT_UNROLL: u32 = 16;

/// The file that holds what is added to a program, as messages call it.
const ADDED: &str = "--outcomes";
/// The function that observes the outcomes.
const OBSERVER: &str = "__fp_outcomes";

/// A program with a function that observes the values of expressions.
struct Added<'a> {
    text: String,
    texts: &'a Texts,
}

impl<'a> Added<'a> {
    /// The expressions are separated by commas, as in a call. The file is included, which not every
    /// name allows.
    fn new(file: &Path, expressions: &str, texts: &'a Texts) -> Result<Self, String> {
        let name = file.to_str().filter(|name| !name.contains(['"', '\n', '\r']));
        let Some(name) = name else {
            return Err(format!(
                "`--outcomes` needs a file whose name can be included, and `{}` cannot",
                shown(file)
            ));
        };
        // A file that is not there is not the fault of the include that the user does not see.
        if let Err(error) = texts.load(file) {
            return Err(format!("cannot read `{}`: {error}", shown(file)));
        }
        let mut text = format!("#include \"{name}\"\nvoid {OBSERVER}(void) {{\n");
        for expression in split(expressions) {
            let label = expression.replace('\\', "\\\\").replace('"', "\\\"");
            // On a line of its own: a message shows the user what the user wrote.
            text += &format!("__fp_observe(\"{label}\",\n{expression}\n);\n");
        }
        Ok(Self { text: text + "}\n", texts })
    }
}

impl FileLoader for Added<'_> {
    fn load(&self, path: &Path) -> std::io::Result<Vec<u8>> {
        match path == Path::new(ADDED) {
            true => Ok(self.text.clone().into_bytes()),
            false => self.texts.load(path),
        }
    }

    fn identity(&self, path: &Path) -> PathBuf {
        self.texts.identity(path)
    }
}

/// The parts between commas that are in no brackets.
fn split(expressions: &str) -> Vec<String> {
    let (mut parts, mut depth) = (vec![String::new()], 0);
    for c in expressions.chars() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            _ => {}
        }
        match (c, depth) {
            (',', 0) => parts.push(String::new()),
            _ => parts.last_mut().expect("there is one at first").push(c),
        }
    }
    parts.iter().map(|part| part.trim().to_string()).collect()
}

/// What is wrong with the expressions whose values are asked for, before they are compiled.
fn wrong_outcomes(text: &str) -> Option<String> {
    let parts = split(text);
    if parts.iter().all(String::is_empty) {
        return Some("`--outcomes` names no expression".to_string());
    }
    if parts.iter().any(String::is_empty) {
        return Some("in `--outcomes`, an expression is missing at a comma".to_string());
    }
    let part = parts.iter().find(|part| changes_something(part))?;
    Some(format!("`{part}` of `--outcomes` changes what it is to show; `==` compares"))
}

/// Whether an expression is an assignment, or steps a variable.
fn changes_something(expression: &str) -> bool {
    let tokens: String = expression.chars().filter(|c| !c.is_whitespace()).collect();
    let shifts = tokens.contains("<<=") || tokens.contains(">>=");
    let rest = ["==", "!=", "<=", ">="].iter().fold(tokens, |text, op| text.replace(op, ""));
    shifts || rest.contains('=') || expression.contains("++") || expression.contains("--")
}

/// What the user asks for.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// Models, by name or file. None means the usual ones.
    pub models: Vec<String>,
    /// What to look for, in order and without repetition.
    pub properties: Vec<Property>,
    /// Expressions whose values at the end of `main` are to be listed.
    pub outcomes: Option<String>,
    /// Whether what the program observes is to be listed.
    pub observe: bool,
    /// Whether to find out which branches and assertions are reached.
    pub coverage: bool,
    /// Whether executions are wanted for results of operations that are known from runs alone, too.
    pub results: bool,
    /// Whether executions are to be counted.
    pub count: bool,
    /// Whether models of machines look for conflicts of plain accesses.
    pub plain_races: bool,
    /// By which engine.
    pub engine: EngineChoice,
    /// How the solver looks at mutexes.
    pub mutexes: Mutexes,
    /// Whether the solver looks at all executions, also where threads are alike.
    pub no_symmetry: bool,
    /// How C is to be read.
    pub c: compile::COptions,
    /// Files that are in memory.
    pub texts: Texts,
    /// How often a loop is unrolled at most.
    pub max_unroll: Option<u32>,
    /// How long a program may take on one model.
    pub time_limit: Option<Duration>,
    /// How much memory the process may use, in bytes.
    pub memory_limit: Option<u64>,
}

impl Request {
    /// Whether what can be observed is to be listed.
    pub fn asks_for_outcomes(&self) -> bool {
        self.observations().is_some()
    }

    /// What of that.
    pub fn observations(&self) -> Asked {
        match &self.outcomes {
            _ if self.observe => Asked::All,
            Some(text) => Asked::AtTheEnd(split(text)),
            None => Asked::Nothing,
        }
    }
}

/// A program that is ready to be verified.
pub struct Subject {
    /// Its file, as it was named.
    pub path: PathBuf,
    /// What was asked about it.
    pub request: Request,
    /// All text that was read for it.
    pub sources: SourceMap,
    /// What the user will want to know about it.
    pub warnings: Vec<Diagnostic>,
    /// The program.
    pub program: Program,
    /// The models, in the order of the columns.
    pub models: Vec<Arc<Model>>,
    /// How each model was named.
    pub model_names: Vec<String>,
    /// What files about it are called.
    pub names: Names,
    /// What its first interleavings show, for all models.
    pub interleavings: Arc<Interleavings>,
}

impl Subject {
    /// A program that somebody has compiled, as it is verified on one model.
    pub fn new(program: Program, model: Arc<Model>, request: Request, how: &Preparation) -> Self {
        Self {
            path: PathBuf::from("program.c"),
            request,
            sources: SourceMap::default(),
            warnings: Vec::new(),
            program: whole(program, how),
            model_names: vec![model.name.clone()],
            models: vec![model],
            names: Names::default(),
            interleavings: Arc::default(),
        }
    }

    /// Whether the expressions of `--outcomes` do something that may go wrong, or may not end.
    pub fn asks_what_may_fail(&self) -> bool {
        let may_fail = |op: &Op| match op {
            Op::Binary { op, b, .. } => {
                let divides = [BinaryOp::UDiv, BinaryOp::SDiv, BinaryOp::URem, BinaryOp::SRem];
                divides.contains(op) && !matches!(b, Operand::Int { bits, .. } if *bits != 0)
            }
            Op::Load { access, .. } => !matches!(access.address, Operand::Global(..)),
            Op::Copy { .. }
            | Op::Unary { .. }
            | Op::Cast { .. }
            | Op::Select { .. }
            | Op::Observe { .. } => false,
            _ => true,
        };
        let observers = self.program.functions.iter().filter(|code| code.name == OBSERVER);
        let mut blocks = observers.flat_map(|code| code.blocks.enumerate());
        blocks.any(|(id, block)| {
            let goes_back = block.terminator.successors().iter().any(|&next| next <= id);
            goes_back || block.insts.iter().any(|inst| may_fail(&inst.op))
        })
    }
}

/// Gives several programs names for files that differ.
pub fn tell_apart(subjects: &mut [Subject]) {
    let names = names::of_files(subjects.iter().map(|subject| subject.path.as_path()));
    subjects.iter_mut().zip(names).for_each(|(subject, name)| subject.names.file = name);
}

/// Reads everything that a request is about.
pub fn plan(file: &Path, request: &Request) -> Result<Subject, Box<Rejected>> {
    let natives = native::Named::new(&request.c.natives)
        .map_err(|error| rejected(&SourceMap::default(), error))?;
    let mut request = request.clone();
    request.c.natives = natives.all();
    let request = &mut request;
    if let Some(message) = request.outcomes.as_deref().and_then(wrong_outcomes) {
        return Err(rejected(&SourceMap::default(), Diagnostic::general(message)));
    }
    let Compiled { mut program, sources, warnings, .. } = match &request.outcomes {
        Some(text) => {
            let added = Added::new(file, text, &request.texts)
                .map_err(|why| rejected(&SourceMap::default(), Diagnostic::general(why)))?;
            compile_c(Path::new(ADDED), &request.c, &added)?
        }
        None => compile_from(file, &request.c, &request.texts)?,
    };
    request.c.natives = natives.link(&mut program).map_err(|error| rejected(&sources, error))?;
    if program.entry.is_empty() {
        let message = format!("`{}` has no function `main`", shown(file));
        let error = Diagnostic::general(message);
        let error = error.note("`fencepost check` is for data types without one");
        return Err(rejected(&sources, error));
    }
    let model_names: Vec<String> = match request.models.is_empty() {
        true => DEFAULT_MODELS.iter().map(|name| name.to_string()).collect(),
        false => request.models.clone(),
    };
    let mut seen = HashSet::new();
    let model_names: Vec<String> =
        model_names.into_iter().filter(|name| seen.insert(name.clone())).collect();
    let mut models = Vec::new();
    for name in &model_names {
        models.push(match model(name) {
            Ok(model) if request.plain_races => match (*model).clone().with_plain_races() {
                Ok(model) => Arc::new(model),
                Err(error) => return Err(rejected(&error.sources, error.diagnostic)),
            },
            Ok(model) => model,
            Err(NoModel::Wrong(error)) => return Err(rejected(&error.sources, error.diagnostic)),
            Err(NoModel::Unknown(_)) => return Err(rejected(&sources, unknown_model(name, None))),
        });
    }
    let function = request.outcomes.as_ref().map(|_| OBSERVER.to_string());
    let observer = function.map(|function| Observer { function, others: request.observe });
    let program = whole(program, &Preparation { observer, ..Preparation::default() });
    let names = Names {
        file: names::of_files([file]).concat(),
        tests: Vec::new(),
        models: names::of_models(models.iter().map(|model| model.name.as_str())),
    };
    Ok(Subject {
        path: file.to_path_buf(),
        request: request.clone(),
        sources,
        warnings,
        program,
        models,
        model_names,
        names,
        interleavings: Arc::default(),
    })
}

#[cfg(test)]
mod tests {
    use super::{split, wrong_outcomes};

    #[test]
    fn expressions_are_split_at_commas_outside_of_brackets() {
        assert_eq!(split("a, f(b, c)[1,2] ,d"), ["a", "f(b, c)[1,2]", "d"]);
        assert_eq!(split("a,,b"), ["a", "", "b"]);
    }

    #[test]
    fn what_is_asked_for_changes_nothing() {
        for wrong in ["", "a,,b", "a=5", "a, b += 1", "x++", "x <<= 1"] {
            assert!(wrong_outcomes(wrong).is_some(), "{wrong}");
        }
        for right in ["a", "a == 5, b <= c", "p->x != q[1]", "a >= b"] {
            assert_eq!(wrong_outcomes(right), None, "{right}");
        }
    }
}
