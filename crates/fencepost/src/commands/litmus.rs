//! `fencepost litmus`: runs litmus tests under memory models.

use super::console::{Console, printable_json};
use super::files::{can_be_written, write_into};
use super::watch::{Abandoned, Voice, Watchdog};
use super::{exit, interrupter};
use crate::cli::LitmusArgs;
use fencepost::answer::memory_limit;
use fencepost::check::plan::meant;
use fencepost::guard::guarded;
use fencepost::litmus::expect::{self, Row};
use fencepost::litmus::{self, Limits, Loaded, NoModel, Outcome, files, show};
use fencepost::names;
use front_litmus::test::{Quantifier, Test};
use models::Model;
use oracle::Problem;
use oracle::litmus::Answer;
use report::Style;
use report::diagnostics::render;
use report::printable::{painted, printable, shown};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::time::Duration;

/// How often signals are asked for.
const TICK: Duration = Duration::from_millis(50);

/// Executes the command and gives its exit code.
pub fn execute(args: &LitmusArgs, console: &Console) -> u8 {
    match prepare(args, console) {
        // It lasts as long as the process: work may have to be abandoned.
        Ok(session) => Box::leak(Box::new(session)).execute(console),
        Err(message) => {
            console.error(&message);
            exit::INPUT
        }
    }
}

struct Session {
    args: LitmusArgs,
    /// How messages look, and how results do.
    styles: (Style, Style),
    files: Vec<PathBuf>,
    /// The models that the user asked for.
    asked: Vec<Arc<Model>>,
    /// Models of the library that have been needed so far, by name.
    library: BTreeMap<&'static str, Arc<Model>>,
    rows: Option<Vec<Row>>,
    limits: Limits,
    watchdog: Watchdog,
    /// What the pictures of each file are called, if any are drawn: tests in different files may
    /// have the same name.
    pictures: BTreeMap<PathBuf, String>,
}

fn prepare(args: &LitmusArgs, console: &Console) -> Result<Session, String> {
    let files = files::collect(&args.paths)?;
    if files.is_empty() {
        return Err("there are no litmus tests there".to_string());
    }
    let mut seen = HashSet::new();
    let names = args.model.iter().filter(|name| seen.insert(*name));
    let asked = names.map(|name| model(name, &args.variant, console));
    let asked: Vec<Arc<Model>> = asked.collect::<Result<_, _>>()?;
    check_variants(&args.variant, &asked)?;
    let rows = args.expect.as_ref().map(|path| expect::read_rows(path)).transpose()?;
    if let Some(jobs) = args.jobs {
        // Fails only where the pool exists already, and then its size is what it is.
        let _ = rayon::ThreadPoolBuilder::new().num_threads(jobs).build_global();
    }
    let time = args.time_limit.map(Duration::from_secs_f64);
    let memory = memory_limit(args.memory_limit.map(|mebibytes| mebibytes << 20));
    let limits = Limits { time, memory, unroll: args.unroll, engine: args.engine.into() };
    let library = models::library::ENTRIES
        .iter()
        .filter_map(|entry| Some((entry.name, Arc::new(Model::named(entry.name)?))))
        .collect();
    let watchdog = Watchdog::new(interrupter());
    can_be_written(&args.show, None)?;
    let names = match &args.show {
        Some(_) => names::of_files(files.iter().map(PathBuf::as_path)),
        None => Vec::new(),
    };
    let pictures = files.iter().cloned().zip(names).collect();
    let (args, styles) = (args.clone(), (console.messages(), console.results()));
    Ok(Session { args, styles, files, asked, library, rows, limits, watchdog, pictures })
}

/// The model of a name, or what to say if there is none; mistakes in its text are printed.
pub(super) fn model(
    name: &str,
    variants: &[String],
    console: &Console,
) -> Result<Arc<Model>, String> {
    litmus::model_with(name, variants).map_err(|problem| match problem {
        NoModel::Unknown(name) => {
            let known: Vec<&str> = models::library::ENTRIES.iter().map(|e| e.name).collect();
            match meant(&name) {
                Some(meant) => format!("there is no model `{name}`; did you mean `{meant}`?"),
                None => format!("there is no model `{name}`; the library has {}", known.join(", ")),
            }
        }
        NoModel::Wrong(error) => {
            console.diagnostics(std::slice::from_ref(&error.diagnostic), &error.sources);
            format!("model `{name}` cannot be used")
        }
    })
}

/// A variant that no model asks about is a mistake.
fn check_variants(variants: &[String], models: &[Arc<Model>]) -> Result<(), String> {
    let known: BTreeSet<&str> = models.iter().flat_map(|model| model.variants_asked()).collect();
    let Some(unknown) = variants.iter().find(|variant| !known.contains(variant.as_str())) else {
        return Ok(());
    };
    let known: Vec<&str> = known.into_iter().collect();
    Err(match known.as_slice() {
        [] => format!("no model given with --model asks about variant `{unknown}` or any other"),
        list => format!("no model asks about variant `{unknown}`, only about {}", list.join(", ")),
    })
}

/// What is to be printed about one test, in printable text, and counted.
#[derive(Default)]
struct Page {
    out: String,
    err: String,
    tally: Tally,
}

impl Page {
    /// A test that could not be run, by a mistake of ours.
    fn of_bug(what: String) -> Self {
        let mut page = Self::default();
        (page.tally.tests, page.tally.panicked) = (1, 1);
        page.err(&format!("internal error: this is a mistake of Fencepost\n{what}"));
        page
    }

    /// Adds lines to what goes to standard output.
    fn out(&mut self, text: &str) {
        self.out += &printable(text);
        self.out.push('\n');
    }

    /// Adds lines to what goes to standard error.
    fn err(&mut self, text: &str) {
        self.err += &printable(text);
        self.err.push('\n');
    }
}

/// What the summary counts.
#[derive(Clone, Default)]
struct Tally {
    tests: usize,
    refused: usize,
    inconclusive: usize,
    /// Tests that could not be run, by mistakes of ours.
    panicked: usize,
    /// Pictures that could not be written.
    unwritten: usize,
    /// Rows that are inconclusive because loops were cut off at their bound.
    bounded: usize,
    /// By model: rows that were not compared.
    skipped: BTreeMap<String, usize>,
    /// By model: rows that agree, and rows that were compared.
    compared: BTreeMap<String, (usize, usize)>,
}

impl Session {
    fn execute(&'static self, console: &Console) -> u8 {
        let mut tally = Tally::default();
        self.pages(|page| {
            console.write_result(page.out.as_bytes());
            console.write_message(page.err.as_bytes());
            tally.add(&page.tally);
            !console.is_broken()
        });
        if let Some(rows) = &self.rows {
            console.result(&format!("{}\n", self.summary(&tally, rows.len())));
        }
        if tally.panicked > 0 {
            return exit::INTERNAL;
        }
        let disagree = tally.compared.values().any(|(agree, all)| agree < all);
        if disagree {
            exit::VIOLATED
        } else if tally.unwritten > 0 || tally.refused > 0 && self.rows.is_none() {
            exit::INPUT
        } else if tally.inconclusive + tally.bounded > 0 {
            exit::INCONCLUSIVE
        } else {
            exit::HOLDS
        }
    }

    /// Runs all tests; `show` gets their pages in order, until it has enough. After a signal it gets
    /// those that are there, and the others are inconclusive.
    fn pages(&'static self, mut show: impl FnMut(Page) -> bool) {
        let interrupter = &self.watchdog.interrupter;
        let (send, receive) = channel();
        for (index, path) in self.files.iter().enumerate() {
            let send = send.clone();
            rayon::spawn(move || {
                // The receiver may have enough.
                let _ =
                    send.send((index, guarded(|| self.test(path)).unwrap_or_else(Page::of_bug)));
            });
        }
        let mut pages: Vec<Option<Page>> = self.files.iter().map(|_| None).collect();
        let mut next = 0;
        while next < pages.len() && !interrupter.is_interrupted() {
            if let Ok((index, page)) = receive.recv_timeout(TICK) {
                pages[index] = Some(page);
            }
            while let Some(page) = pages.get_mut(next).and_then(Option::take) {
                next += 1;
                if !show(page) {
                    return;
                }
            }
        }
        receive.try_iter().for_each(|(index, page)| pages[index] = Some(page));
        for (path, page) in self.files.iter().zip(pages).skip(next) {
            show(page.unwrap_or_else(|| self.interrupted(path)));
        }
    }

    /// What is to be said of a test that was not finished.
    fn interrupted(&self, path: &Path) -> Page {
        let mut page = Page::default();
        (page.tally.tests, page.tally.inconclusive) = (1, 1);
        page.err(&format!("Inconclusive {}: interrupted", shown(path)));
        if self.args.json && self.rows.is_none() {
            let file = path.display().to_string();
            let line = serde_json::json!({ "file": file, "inconclusive": "interrupted" });
            page.out += &printable_json(&format!("{line}\n"));
        }
        page
    }

    fn test(&self, path: &Path) -> Page {
        let mut page = Page::default();
        page.tally.tests = 1;
        let Loaded { sources, test, .. } = litmus::load(path);
        let test = match test {
            Ok(test) => test,
            Err(problem) => {
                page.tally.refused = 1;
                let text = painted(self.styles.0, |style| render(&problem, &sources, style));
                page.err = format!("{}\n", text.trim_end_matches('\n'));
                return page;
            }
        };
        match &self.rows {
            None => self.answer(path, &Arc::new(test), &mut page),
            Some(rows) => self.compare(path, &Arc::new(test), rows, &mut page),
        }
        page
    }

    /// Runs a test under models. Each of them has its own time; what does not keep it has no answer.
    fn run(&self, test: &Arc<Test>, models: &[Arc<Model>], witness: bool) -> Vec<Outcome> {
        let watch = self.watchdog.watch(self.limits.time, self.limits.memory.clone());
        let mut outcomes: Vec<Outcome> = Vec::new();
        while outcomes.len() < models.len() {
            let (test, rest) = (test.clone(), models[outcomes.len()..].to_vec());
            let limits = self.limits.clone();
            let work = move |voice: &Voice<Vec<Outcome>>| {
                let mut known = Vec::new();
                litmus::run_each(&test, &rest, &limits, witness, &mut |outcome| {
                    known.push(outcome);
                    voice.publish_part(known.clone());
                });
                known
            };
            match watch.run(&|_| {}, work) {
                Ok(rest) => outcomes.extend(rest),
                Err(Abandoned { why, known, after }) => {
                    outcomes.extend(known.unwrap_or_default());
                    if let Some(model) = models.get(outcomes.len()).cloned() {
                        let answer = Err(Problem::from(why));
                        outcomes.push(Outcome { model, answer, fell_over: false, time: after });
                    }
                }
            }
        }
        outcomes
    }

    fn library_model(&self, name: &str) -> Option<Arc<Model>> {
        self.library.get(name).cloned()
    }

    fn answer(&self, path: &Path, test: &Arc<Test>, page: &mut Page) {
        let default = self.library_model(litmus::default_model(test));
        let models =
            if self.asked.is_empty() { default.into_iter().collect() } else { self.asked.clone() };
        for outcome in self.run(test, &models, self.args.show.is_some()) {
            match &outcome.answer {
                Err(problem) => {
                    page.tally.inconclusive += 1;
                    page.err(&inconclusive(test, &outcome.model, problem));
                }
                Ok(answer) if answer.is_open() => {
                    page.tally.inconclusive += 1;
                    let problem = Problem::Unsupported(strays(answer));
                    page.err(&inconclusive(test, &outcome.model, &problem));
                }
                Ok(_) => {}
            }
            match self.args.json {
                true => page.out += &printable_json(&json(path, test, &outcome)),
                false => page.out += &printable(&text(test, &outcome, models.len() > 1)),
            }
            if let Some(folder) = &self.args.show {
                self.show((path, test), &outcome, folder, page);
            }
        }
    }

    /// Draws an execution that meets the condition.
    fn show(
        &self,
        (path, test): (&Path, &Test),
        outcome: &Outcome,
        folder: &Path,
        page: &mut Page,
    ) {
        let Some(drawing) = show::draw(test, outcome, &self.limits, self.styles.1) else {
            page.out(&format!("No execution of {} meets its condition\n", test.name));
            return;
        };
        let plain = |c: char| if c.is_alphanumeric() || "+-._".contains(c) { c } else { '_' };
        let name = self.pictures.get(path).unwrap_or(&test.name);
        let name = format!("{name}.{}.svg", outcome.model.name).replace(|c| plain(c) != c, "_");
        page.out += &drawing.text;
        page.out.push('\n');
        if let Err(message) = write_into(folder, &name, drawing.svg) {
            page.tally.unwritten += 1;
            page.err(&format!("error: {message}"));
        }
    }

    /// The model that a recorded row is compared with: one that the user gave under that name, or
    /// ours that answers for it. With `--model`, other models are left out.
    fn model_for(&self, row: &Row) -> Option<Arc<Model>> {
        if let Some(model) = self.asked.iter().find(|model| model.name == row.model) {
            return Some(model.clone());
        }
        let ours = expect::our_model(&row.model)?;
        if self.asked.is_empty() || self.asked.iter().any(|model| model.name == ours) {
            return self.library_model(ours);
        }
        None
    }

    fn compare(&self, path: &Path, test: &Arc<Test>, rows: &[Row], page: &mut Page) {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
        let mut wanted: Vec<(&Row, Arc<Model>)> = Vec::new();
        for row in rows
            .iter()
            .filter(|row| Some(&row.file) == name.as_ref() || path.ends_with(Path::new(&row.file)))
        {
            match self.model_for(row) {
                Some(model) => wanted.push((row, model)),
                None => *page.tally.skipped.entry(row.model.clone()).or_default() += 1,
            }
        }
        let mut models: Vec<Arc<Model>> = Vec::new();
        for (_, model) in &wanted {
            if !models.iter().any(|known| Arc::ptr_eq(known, model)) {
                models.push(model.clone());
            }
        }
        let outcomes = self.run(test, &models, false);
        for (row, model) in wanted {
            let Some(outcome) = outcomes.iter().find(|o| Arc::ptr_eq(&o.model, &model)) else {
                continue;
            };
            self.compare_row(test, row, outcome, page);
        }
    }

    fn compare_row(&self, test: &Test, row: &Row, outcome: &Outcome, page: &mut Page) {
        let answer = match &outcome.answer {
            Ok(answer) => answer,
            Err(problem) => {
                page.tally.inconclusive += 1;
                let line = inconclusive(test, &outcome.model, problem);
                page.out(&format!("{} ({}): {line}", row.file, row.model));
                return;
            }
        };
        if answer.bounded && !expect::contradicts(row, answer) {
            page.tally.bounded += 1;
            let why = "loops were cut off (--unroll)";
            page.out(&format!("{} ({}): Inconclusive: {why}", row.file, row.model));
            return;
        }
        if answer.is_open() && !expect::contradicts(row, answer) {
            page.tally.inconclusive += 1;
            let line = inconclusive(test, &outcome.model, &Problem::Unsupported(strays(answer)));
            page.out(&format!("{} ({}): {line}", row.file, row.model));
            return;
        }
        let differences = expect::differences(row, answer);
        let entry = page.tally.compared.entry(row.model.clone()).or_default();
        entry.1 += 1;
        if differences.is_empty() {
            entry.0 += 1;
        } else {
            let model = &outcome.model.name;
            let list = differences.join("; ");
            page.out(&format!("{} ({} as {model}): {list}", row.file, row.model));
        }
    }
}

fn inconclusive(test: &Test, model: &Model, problem: &Problem) -> String {
    format!("Inconclusive {} under {}: {problem}", test.name, model.name)
}

impl Tally {
    fn add(&mut self, other: &Tally) {
        self.tests += other.tests;
        self.refused += other.refused;
        self.inconclusive += other.inconclusive;
        self.bounded += other.bounded;
        self.unwritten += other.unwritten;
        self.panicked += other.panicked;
        for (model, rows) in &other.skipped {
            *self.skipped.entry(model.clone()).or_default() += rows;
        }
        for (model, (agree, all)) in &other.compared {
            let entry = self.compared.entry(model.clone()).or_default();
            entry.0 += agree;
            entry.1 += all;
        }
    }
}

impl Session {
    /// What was compared, of this many recorded rows.
    fn summary(&self, tally: &Tally, rows: usize) -> String {
        let inconclusive = tally.inconclusive + tally.bounded;
        let mut text = format!(
            "{} tests, {} refused, {inconclusive} rows inconclusive\n",
            tally.tests, tally.refused
        );
        if tally.bounded > 0 {
            let bounded = tally.bounded;
            let _ = writeln!(text, "{bounded} of these because loops were cut off (--unroll)");
        }
        let compared: usize = tally.compared.values().map(|(_, all)| all).sum();
        let skipped: usize = tally.skipped.values().sum();
        let lost = rows.saturating_sub(compared + inconclusive + skipped);
        if lost > 0 {
            let _ = writeln!(text, "{lost} rows of tests that were refused or not given");
        }
        for (model, rows) in &tally.skipped {
            let why = match expect::our_model(model) {
                Some(ours) => format!("neither it nor {ours} is given with --model"),
                None if self.asked.is_empty() => "the library has no model for it".to_string(),
                None => "it is not given with --model".to_string(),
            };
            let _ = writeln!(text, "{model}: {rows} rows not compared: {why}");
        }
        for (model, (agree, all)) in &tally.compared {
            let given = self.asked.iter().any(|asked| asked.name == *model);
            let ours = expect::our_model(model).filter(|_| !given);
            let ours = ours.map_or(String::new(), |name| format!(" as {name}"));
            let _ = writeln!(text, "{model}{ours}: {agree} of {all} agree");
        }
        text.truncate(text.trim_end().len());
        text
    }
}

/// What to say of executions that were left out because they access what is no address, or not
/// aligned.
fn strays(answer: &Answer) -> String {
    let executions = match answer.strays {
        _ if !answer.counted => "some executions access".to_string(),
        1 => "one execution accesses".to_string(),
        many => format!("{many} executions access"),
    };
    format!("{executions} something that is not an address, or is not aligned; left out")
}

/// What herd prints.
fn text(test: &Test, outcome: &Outcome, name_model: bool) -> String {
    let mut out = String::new();
    let quantifier = test.question.as_ref().map(|question| question.quantifier);
    let kind = match quantifier {
        Some(Quantifier::Exists) => "Allowed",
        Some(Quantifier::NotExists) => "Forbidden",
        Some(Quantifier::ForAll) | None => "Required",
    };
    let _ = writeln!(out, "Test {} {kind}", test.name);
    if name_model {
        let _ = writeln!(out, "Model {}", outcome.model.name);
    }
    let answer = match &outcome.answer {
        Ok(answer) => answer,
        Err(problem) => {
            let _ = writeln!(out, "Inconclusive ({problem})\n");
            return out;
        }
    };
    let _ = writeln!(out, "States {}", answer.states.len());
    for state in &answer.states {
        let _ = writeln!(out, "{}", state.text);
    }
    let _ = writeln!(out, "{}", result_word(test, answer));
    if answer.counted {
        let (for_it, against) = witnesses(test, answer);
        let _ = writeln!(out, "Witnesses\nPositive: {for_it} Negative: {against}");
    }
    if outcome.fell_over {
        let _ = writeln!(out, "Note: too many executions to count; the solver found the states");
    }
    for flag in &answer.flags {
        let _ = writeln!(out, "Flag {flag}");
    }
    if answer.bounded {
        let _ = writeln!(out, "Warning: executions with more rounds of a loop were left out");
    }
    if answer.strays > 0 {
        let _ = writeln!(out, "Warning: {}", strays(answer));
    }
    for register in &answer.hidden {
        let _ = writeln!(
            out,
            "Warning: the upper half of {register} is not shown: declare `uint64_t {register};`"
        );
    }
    let _ = writeln!(out, "Condition {}", condition(test));
    let word = answer.observation();
    let _ = match answer.counted {
        true => writeln!(
            out,
            "Observation {} {word} {} {}",
            test.name, answer.positive, answer.negative
        ),
        false => writeln!(out, "Observation {} {word}", test.name),
    };
    let _ = writeln!(out, "Time {} {:.2}\n", test.name, outcome.time.as_secs_f64());
    out
}

fn condition(test: &Test) -> String {
    match &test.question {
        Some(question) => format!("{} ({})", question.quantifier.name(), question.prop),
        None => "forall (true)".to_string(),
    }
}

/// Executions that speak for and against the answer yes.
fn witnesses(test: &Test, answer: &Answer) -> (u64, u64) {
    match &test.question {
        Some(question) if question.quantifier == Quantifier::NotExists => {
            (answer.negative, answer.positive)
        }
        _ => (answer.positive, answer.negative),
    }
}

fn result_word(test: &Test, answer: &Answer) -> &'static str {
    let quantifier = test.question.as_ref().map_or(Quantifier::ForAll, |q| q.quantifier);
    if answer.undefined {
        return "Undef";
    }
    if answer.holds(quantifier) { "Ok" } else { "No" }
}

/// One line of JSON.
fn json(path: &Path, test: &Test, outcome: &Outcome) -> String {
    let mut object = serde_json::json!({
        "file": path.display().to_string(),
        "test": test.name,
        "arch": test.arch.name(),
        "model": outcome.model.name,
        "condition": condition(test),
        "seconds": outcome.time.as_secs_f64(),
    });
    match &outcome.answer {
        Ok(answer) => {
            let states: Vec<_> = answer
                .states
                .iter()
                .map(|state| {
                    let mut object = serde_json::json!({
                        "state": state.text,
                        "satisfies": state.satisfies,
                    });
                    if answer.counted {
                        object["executions"] = state.count.into();
                    }
                    object
                })
                .collect();
            object["result"] = result_word(test, answer).into();
            object["observation"] = answer.observation().to_string().into();
            if answer.counted {
                object["positive"] = answer.positive.into();
                object["negative"] = answer.negative.into();
            }
            object["flags"] = answer.flags.iter().map(|flag| flag.to_string()).collect();
            object["bounded"] = answer.bounded.into();
            object["strays"] = answer.strays.into();
            if !answer.hidden.is_empty() {
                object["hidden"] = answer.hidden.iter().cloned().collect();
            }
            object["counted"] = answer.counted.into();
            object["states"] = states.into();
        }
        Err(problem) => object["inconclusive"] = problem.to_string().into(),
    }
    format!("{object}\n")
}
