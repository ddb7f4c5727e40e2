//! Programs rewritten so that they do under sequential consistency what they do on a weak model.
//!
//! [`instrument()`] finds what must be rewritten (`cycles::involved`), replaces macros of the
//! program's own that are in the way, rewrites, and writes the file that results.

use crate::compile::{COptions, Rejected, Texts};
use crate::cycles::Answer;
use crate::target::prepare;
use crate::verify::plan::{Request, Subject, plan};
use ::cycles::{Failed, Involved, Sources, involved, sources};
use ::instrument::expand::expand;
use ::instrument::output::{Parts, write};
use ::instrument::runtime::{MOST_EVENTS, Sizes, runtime};
use ::instrument::sites::{Found, Wanted, find, integers};
use ::instrument::table::{Depends, Loads, Place};
use execution::diagnostic::Diagnostic;
use execution::span::{Location, SourceMap};
use limits::Limits;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

pub use ::instrument::machine::{Dialect, MODELS, Machine};

/// How many times macros are replaced before that is given up.
const MOST_ROUNDS: usize = 16;
/// How many threads are provided for if the text does not say how many there are.
const MANY_THREADS: u32 = 8;
/// How many cycles the comment of the result lists.
const CYCLES_IN_COMMENT: usize = 3;
/// How many stores of a thread wait at most, if nothing is said about that.
const BUFFER: u32 = 5;
/// How many places can have numbers: sets of them are numbers of 64 bits.
const MOST_PLACES: usize = 63;

/// What is asked for.
#[derive(Clone, Debug)]
pub struct Settings {
    /// For which tool.
    pub dialect: Dialect,
    /// Whether all accesses of shared objects are rewritten, not only those on cycles.
    pub all_accesses: bool,
    /// How many stores of a thread wait at most, or how many accesses it makes at most, where the
    /// machine keeps them; as the machine needs it without.
    pub buffer: Option<u32>,
    /// Whether the analysis is taken to have found no cycle, which a test must notice.
    pub hidden: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { dialect: Dialect::Fencepost, all_accesses: false, buffer: None, hidden: false }
    }
}

/// A program that was rewritten.
#[derive(Clone, Debug)]
pub struct Instrumented {
    /// The file.
    pub text: String,
    /// The cycles of the program.
    pub cycles: Answer,
    /// The integers at file scope, by which what the program does can be compared.
    pub integers: Vec<String>,
    /// At how many places accesses were rewritten.
    pub rewritten: usize,
    /// At how many places shared objects are accessed while several threads run.
    pub shared: usize,
}

/// Why there is none.
#[derive(Debug)]
pub enum NotInstrumented {
    /// The program, or something in it, is not accepted.
    Rejected(Box<Rejected>),
    /// A limit was reached.
    GaveUp,
}

impl From<Box<Rejected>> for NotInstrumented {
    fn from(rejected: Box<Rejected>) -> Self {
        NotInstrumented::Rejected(rejected)
    }
}

/// Rewrites a program for a model.
pub fn instrument(
    file: &Path,
    request: &Request,
    settings: &Settings,
    limits: &Limits,
) -> Result<Instrumented, NotInstrumented> {
    let mut changed: BTreeMap<PathBuf, String> = BTreeMap::new();
    for _ in 0..MOST_ROUNDS {
        let texts = changed
            .iter()
            .fold(Texts::default(), |texts, (path, text)| texts.with(path.clone(), text.clone()));
        let texts = texts.and(&request.texts);
        let subject = plan(file, &Request { texts: texts.clone(), ..request.clone() })?;
        let machine = machine(&subject)?;
        let found = involve(&subject, settings, limits)?;
        let mut wanted = wanted(&found);
        if machine.keeps_executions() {
            wanted.values_mut().for_each(|wanted| wanted.number = Some(0));
        }
        let (rewriting, sources) = search(&subject, &texts, &wanted)?;
        if !rewriting.expand.is_empty() {
            let before = changed.clone();
            replace_macros(&subject, &texts, &rewriting, &mut changed)?;
            if changed == before {
                return Err(rejected(sources, "a macro could not be replaced by what it is"));
            }
            continue;
        }
        if !rewriting.refused.is_empty() {
            let diagnostics = rewriting.refused;
            return Err(Box::new(Rejected { sources, diagnostics }).into());
        }
        if !machine.keeps_executions() {
            let result =
                Rewritten { found, rewriting, places: Vec::new(), most: None, sources: &sources };
            return written(&subject, machine, settings, result);
        }
        let (places, most) = numbered(&subject, &found, &mut wanted)?;
        let (rewriting, sources) = search(&subject, &texts, &wanted)?;
        let result = Rewritten { found, rewriting, places, most, sources: &sources };
        return written(&subject, machine, settings, result);
    }
    Err(rejected(SourceMap::new(), "macros expand to macros without an end"))
}

/// The machine of the only model.
fn machine(subject: &Subject) -> Result<Machine, NotInstrumented> {
    let name = &subject.model_names[0];
    Machine::of_model(name).ok_or_else(|| {
        let known: Vec<&str> = MODELS.iter().map(|(name, _)| *name).collect();
        let message =
            format!("`{name}` has no operational form that programs can be rewritten for");
        let error = Diagnostic::general(message)
            .note(format!("these models have one: {}", known.join(", ")));
        Box::new(Rejected { sources: SourceMap::new(), diagnostics: vec![error] }).into()
    })
}

fn involve(
    subject: &Subject,
    settings: &Settings,
    limits: &Limits,
) -> Result<(Involved, ir::program::Program), NotInstrumented> {
    let model = &subject.models[0];
    let diagnosed = |diagnostic: Diagnostic| {
        let sources = subject.sources.clone();
        Box::new(Rejected { sources, diagnostics: vec![diagnostic] })
    };
    if !subject.request.c.with.is_empty() {
        return Err(rejected(SourceMap::new(), "a program of several files cannot be rewritten"));
    }
    let program = prepare(&subject.program, &subject.sources, model).map_err(diagnosed)?;
    match involved(&program, model, settings.all_accesses, limits) {
        Ok(mut involved) => {
            if settings.hidden {
                involved.places.clear();
            }
            Ok((involved, program))
        }
        Err(Failed::Model(diagnostic)) => Err(diagnosed(*diagnostic).into()),
        Err(Failed::GaveUp) => Err(NotInstrumented::GaveUp),
    }
}

/// What must be rewritten, by the place in the text.
fn wanted((involved, program): &(Involved, ir::program::Program)) -> BTreeMap<Location, Wanted> {
    let mut wanted: BTreeMap<Location, Wanted> = BTreeMap::new();
    for (&place, touch) in &involved.places {
        let entry = wanted.entry(program.places[place].location.clone()).or_default();
        entry.reads |= touch.reads;
        entry.writes |= touch.writes;
        entry.is_local |= touch.is_local && touch.writes;
        entry.path = entry.path.take().or_else(|| touch.path.clone());
    }
    wanted
}

/// Numbers the places, and says what the accesses there depend on.
fn numbered(
    subject: &Subject,
    (involved, program): &(Involved, ir::program::Program),
    wanted: &mut BTreeMap<Location, Wanted>,
) -> Result<(Vec<Place>, Option<u32>), NotInstrumented> {
    let places = involved.places.keys().copied().collect();
    let at = |place: ir::program::LocId| program.places[place].location.clone();
    let rejected = |diagnostics| {
        let sources = subject.sources.clone();
        NotInstrumented::Rejected(Box::new(Rejected { sources, diagnostics }))
    };
    let diagnosed = |location: &Location, message: String| match subject.sources.span_of(location) {
        Some(span) => Diagnostic::error(span, message),
        None => Diagnostic::general(format!("{message}: {location}")),
    };
    let ::cycles::Known { facts, most } =
        sources(program, &subject.models[0], &places).map_err(|unclear| {
            let one = |unclear: &::cycles::Unclear| {
                let message =
                    "`fencepost instrument` cannot rewrite an access for this model of which it \
                 depends on the path what it depends on"
                        .to_string();
                diagnosed(&at(unclear.place), message)
                    .note(format!("it may depend on the load at {}", at(unclear.load)))
            };
            rejected(unclear.iter().map(one).collect())
        })?;
    if wanted.len() > MOST_PLACES {
        let message =
            format!("more than {MOST_PLACES} places to rewrite are too many for this model");
        return Err(rejected(vec![Diagnostic::general(message)]));
    }
    let numbers: BTreeMap<Location, usize> = wanted.keys().cloned().zip(1..).collect();
    let loads = |places: &::cycles::Places| {
        let numbered = |set: &std::collections::BTreeSet<ir::program::LocId>| {
            set.iter().map(|&place| numbers[&at(place)]).collect()
        };
        Loads { last: numbered(&places.last), older: numbered(&places.older) }
    };
    let depends = |sources: &Sources| Depends {
        address: loads(&sources.address),
        data: loads(&sources.data),
        control: loads(&sources.control),
        compared: loads(&sources.compared),
    };
    let mut table: Vec<Place> =
        numbers.keys().map(|at| Place { line: at.to_string(), ..Place::default() }).collect();
    for (place, facts) in &facts {
        let location = at(*place);
        let number = numbers[&location];
        if let Some(wanted) = wanted.get_mut(&location) {
            wanted.number = Some(number);
        }
        let Some(late) = &facts.late else {
            let message =
                "`fencepost instrument` cannot rewrite a load for this model that may find \
                 any of many values that are stored later"
                    .to_string();
            return Err(rejected(vec![diagnosed(&location, message)]));
        };
        let entry = &mut table[number - 1];
        entry.late = late.iter().copied().collect();
        entry.load = depends(&facts.load);
        entry.store = depends(&facts.store);
    }
    Ok((table, most))
}

fn files(subject: &Subject) -> Vec<(PathBuf, COptions)> {
    vec![(subject.path.clone(), subject.request.c.clone())]
}

fn search(
    subject: &Subject,
    texts: &Texts,
    wanted: &BTreeMap<Location, Wanted>,
) -> Result<(Found, SourceMap), NotInstrumented> {
    let mut sources = SourceMap::new();
    if wanted.is_empty() {
        let add = |unit: &_, sources: &SourceMap| Found {
            integers: integers(unit, sources),
            ..Found::default()
        };
        let found = front_c::with_checked(&files(subject), texts, &mut sources, add);
        return Ok((found.unwrap_or_default(), sources));
    }
    let search = |unit: &_, sources: &SourceMap| find(unit, sources, wanted);
    match front_c::with_checked(&files(subject), texts, &mut sources, search) {
        Ok(found) => Ok((found, sources)),
        Err(diagnostics) => Err(Box::new(Rejected { sources, diagnostics }).into()),
    }
}

/// Replaces the uses of macros in which there is something to rewrite.
fn replace_macros(
    subject: &Subject,
    texts: &Texts,
    found: &Found,
    changed: &mut BTreeMap<PathBuf, String>,
) -> Result<(), NotInstrumented> {
    let mut sources = SourceMap::new();
    let uses = match front_c::macro_uses(&subject.path, &subject.request.c, texts, &mut sources) {
        Ok(uses) => uses,
        Err(diagnostics) => return Err(Box::new(Rejected { sources, diagnostics }).into()),
    };
    let edits = expand(&found.expand, &uses, &sources);
    for file in edits.files() {
        let name = PathBuf::from(&*sources.file(file).name);
        changed.insert(name, edits.apply(file, &sources));
    }
    Ok(())
}

fn rejected(sources: SourceMap, message: &str) -> NotInstrumented {
    let diagnostics = vec![Diagnostic::general(message)];
    Box::new(Rejected { sources, diagnostics }).into()
}

/// A program whose text was rewritten.
struct Rewritten<'a> {
    found: (Involved, ir::program::Program),
    rewriting: Found,
    places: Vec<Place>,
    /// How many accesses a thread makes at most, if that is known.
    most: Option<u32>,
    sources: &'a SourceMap,
}

fn written(
    subject: &Subject,
    machine: Machine,
    settings: &Settings,
    Rewritten { found: (involved, program), rewriting: found, places, most, sources }: Rewritten<
        '_,
    >,
) -> Result<Instrumented, NotInstrumented> {
    let (rewritten, shared) = (involved.places.len(), involved.shared);
    let counts: Option<u32> = involved.analysis.threads.iter().map(|(_, count)| *count).sum();
    let threads = counts.unwrap_or(MANY_THREADS);
    let buffer = match machine.keeps_executions() {
        true => {
            let wanted = settings.buffer.or(most).unwrap_or(u32::MAX);
            wanted.max(1).min(MOST_EVENTS / threads)
        }
        false => settings.buffer.unwrap_or(BUFFER),
    };
    if buffer == 0 {
        let message =
            format!("the program has {threads} threads, which are too many for this model");
        return Err(rejected(SourceMap::new(), &message));
    }
    let sizes = Sizes { buffer, threads };
    let needed = rewritten > 0;
    let machine = (machine, settings.dialect);
    let runtime = match needed {
        true => runtime(machine, &found.needs, sizes, &places),
        false => String::new(),
    };
    let cycles = Answer {
        model: subject.model_names[0].clone(),
        analysis: involved.analysis,
        program,
        fence: "atomic_thread_fence(memory_order_seq_cst);",
    };
    let comment = comment(subject, &cycles, (rewritten, shared));
    let parts = Parts {
        comment: &comment,
        runtime: &runtime,
        edits: &found.edits,
        include_dirs: &subject.request.c.include_dirs,
        defines: &subject.request.c.defines,
    };
    let text = write(&subject.path, &parts, sources);
    Ok(Instrumented { text, cycles, integers: found.integers, rewritten, shared })
}

/// What the result says about itself.
fn comment(subject: &Subject, cycles: &Answer, (rewritten, shared): (usize, usize)) -> String {
    let (model, file) = (&cycles.model, subject.path.display());
    let mut text = format!(
        "Under sequential consistency, this program does what {file} does on {model}.\n\
         Rewritten by `fencepost instrument`: {}\n",
        tally(rewritten, shared)
    );
    let analysis = &cycles.analysis;
    for cycle in analysis.cycles.iter().take(CYCLES_IN_COMMENT) {
        let points = cycle.parts.iter().flat_map(|(order, _)| [&order.first, &order.second]);
        let words: Vec<String> = points
            .map(|point| {
                let line =
                    cycles.location(point).map_or(String::new(), |at| format!(":{}", at.line));
                let path = point.path.as_deref().unwrap_or("memory");
                format!("{} of {path}{line}", point.what)
            })
            .collect();
        text += &format!("\ncycle: {}", words.join(", "));
    }
    if analysis.count > CYCLES_IN_COMMENT {
        text += &format!("\nand {} more", analysis.count - CYCLES_IN_COMMENT);
    }
    text
}

/// How much was rewritten.
pub fn tally(rewritten: usize, shared: usize) -> String {
    format!(
        "accesses at {rewritten} of the {shared} places at which threads access what they share"
    )
}
