//! Runs many litmus tests at the same time, each within its limits, and says what came of each: its
//! answers under models, or how they compare with recorded ones.

use super::expect::{self, Row};
use super::tally::Tally;
use super::{Limits, Loaded, ModelAnswer, show, text};
use crate::files::{can_be_written, write_into};
use crate::guard::guarded;
use crate::names;
use crate::watch::{Abandoned, Voice, Watchdog};
use front_litmus::test::Test;
use models::Model;
use oracle::Problem;
use report::Style;
use report::diagnostics::render;
use report::printable::{painted, printable, printable_json, shown};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::time::Duration;

/// How often signals are asked for.
const TICK: Duration = Duration::from_millis(50);

/// What is to be run.
#[derive(Clone, Debug)]
pub struct Request {
    /// The files of the tests.
    pub files: Vec<PathBuf>,
    /// The models; none means the one that each test is meant for.
    pub models: Vec<Arc<Model>>,
    /// Recorded answers to compare with.
    pub expect: Option<PathBuf>,
    /// Where executions are drawn.
    pub pictures: Option<PathBuf>,
    /// Whether answers are lines of JSON.
    pub json: bool,
    /// How each test is run.
    pub limits: Limits,
    /// How messages look, and how results do.
    pub styles: (Style, Style),
}

/// Tests and all that is needed to run them.
pub struct Session {
    request: Request,
    /// Models of the library, by name.
    library: BTreeMap<&'static str, Arc<Model>>,
    /// The recorded answers to compare with, if any are.
    pub rows: Option<Vec<Row>>,
    watchdog: Watchdog,
    /// What the pictures of each file are called, if any are drawn: tests in different files may
    /// have the same name.
    pictures: BTreeMap<PathBuf, String>,
}

/// What is to be printed about one test, in printable text, and counted.
#[derive(Default)]
pub struct Page {
    /// For standard output.
    pub out: String,
    /// For standard error.
    pub err: String,
    /// What is counted.
    pub tally: Tally,
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

impl Session {
    /// Reads the recorded answers; the watchdog ends work early.
    pub fn new(request: Request, watchdog: Watchdog) -> Result<Self, String> {
        let rows = request.expect.as_ref().map(|path| expect::read_rows(path)).transpose()?;
        let library = models::library::ENTRIES
            .iter()
            .filter_map(|entry| Some((entry.name, Arc::new(Model::named(entry.name)?))))
            .collect();
        can_be_written(&request.pictures, None)?;
        let names = match &request.pictures {
            Some(_) => names::of_files(request.files.iter().map(PathBuf::as_path)),
            None => Vec::new(),
        };
        let pictures = request.files.iter().cloned().zip(names).collect();
        Ok(Self { request, library, rows, watchdog, pictures })
    }

    /// Runs all tests; `show` gets their pages in order, until it has enough. After a signal it gets
    /// those that are there, and the others are inconclusive.
    pub fn pages(&'static self, mut show: impl FnMut(Page) -> bool) {
        let interrupter = &self.watchdog.interrupter;
        let (send, receive) = channel();
        for (index, path) in self.request.files.iter().enumerate() {
            let send = send.clone();
            rayon::spawn(move || {
                // The receiver may have enough.
                let _ =
                    send.send((index, guarded(|| self.test(path)).unwrap_or_else(Page::of_bug)));
            });
        }
        let mut pages: Vec<Option<Page>> = self.request.files.iter().map(|_| None).collect();
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
        for (path, page) in self.request.files.iter().zip(pages).skip(next) {
            show(page.unwrap_or_else(|| self.interrupted(path)));
        }
    }

    /// What is to be said of a test that was not finished.
    fn interrupted(&self, path: &Path) -> Page {
        let mut page = Page::default();
        (page.tally.tests, page.tally.inconclusive) = (1, 1);
        page.err(&format!("Inconclusive {}: interrupted", shown(path)));
        if self.request.json && self.rows.is_none() {
            let file = path.display().to_string();
            let line = serde_json::json!({ "file": file, "inconclusive": "interrupted" });
            page.out += &printable_json(&format!("{line}\n"));
        }
        page
    }

    fn test(&self, path: &Path) -> Page {
        let mut page = Page::default();
        page.tally.tests = 1;
        let Loaded { sources, test, .. } = super::load(path);
        let test = match test {
            Ok(test) => test,
            Err(problem) => {
                page.tally.refused = 1;
                let shown =
                    painted(self.request.styles.0, |style| render(&problem, &sources, style));
                page.err = format!("{}\n", shown.trim_end_matches('\n'));
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
    fn run(&self, test: &Arc<Test>, models: &[Arc<Model>], witness: bool) -> Vec<ModelAnswer> {
        let watch =
            self.watchdog.watch(self.request.limits.time, self.request.limits.memory.clone());
        let mut outcomes: Vec<ModelAnswer> = Vec::new();
        while outcomes.len() < models.len() {
            let (test, rest) = (test.clone(), models[outcomes.len()..].to_vec());
            let limits = self.request.limits.clone();
            let work = move |voice: &Voice<Vec<ModelAnswer>>| {
                let mut known = Vec::new();
                super::run_each(&test, &rest, &limits, witness, &mut |outcome| {
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
                        outcomes.push(ModelAnswer { model, answer, fell_over: false, time: after });
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
        let default = self.library_model(super::default_model(test));
        let models = if self.request.models.is_empty() {
            default.into_iter().collect()
        } else {
            self.request.models.clone()
        };
        for outcome in self.run(test, &models, self.request.pictures.is_some()) {
            match &outcome.answer {
                Err(problem) => {
                    page.tally.inconclusive += 1;
                    page.err(&text::inconclusive(test, &outcome.model, problem));
                }
                Ok(answer) if answer.is_open() => {
                    page.tally.inconclusive += 1;
                    let problem = Problem::Unsupported(text::strays(answer));
                    page.err(&text::inconclusive(test, &outcome.model, &problem));
                }
                Ok(_) => {}
            }
            match self.request.json {
                true => page.out += &printable_json(&text::json(path, test, &outcome)),
                false => page.out += &printable(&text::text(test, &outcome, models.len() > 1)),
            }
            if let Some(folder) = &self.request.pictures {
                self.show((path, test), &outcome, folder, page);
            }
        }
    }

    /// Draws an execution that meets the condition.
    fn show(
        &self,
        (path, test): (&Path, &Test),
        outcome: &ModelAnswer,
        folder: &Path,
        page: &mut Page,
    ) {
        let Some(drawing) = show::draw(test, outcome, &self.request.limits, self.request.styles.1)
        else {
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
        if let Some(model) = self.request.models.iter().find(|model| model.name == row.model) {
            return Some(model.clone());
        }
        let ours = expect::our_model(&row.model)?;
        if self.request.models.is_empty()
            || self.request.models.iter().any(|model| model.name == ours)
        {
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

    fn compare_row(&self, test: &Test, row: &Row, outcome: &ModelAnswer, page: &mut Page) {
        let answer = match &outcome.answer {
            Ok(answer) => answer,
            Err(problem) => {
                page.tally.inconclusive += 1;
                let line = text::inconclusive(test, &outcome.model, problem);
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
            let line = text::inconclusive(
                test,
                &outcome.model,
                &Problem::Unsupported(text::strays(answer)),
            );
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
