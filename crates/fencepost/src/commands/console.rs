//! The way out: results to standard output, messages to standard error, and nothing else prints.
//!
//! What cannot be written is remembered and decides the status in the end, so that a full disk or a
//! closed pipe is neither a panic nor a success. Text is made printable here: names and source lines
//! are written by others ([`report::printable`]). A command that is to print JSON prints a document
//! in any case: one of the errors, if it has not come to print another.

use super::exit;
use crate::cli::Colour;
use execution::diagnostic::Severity;
use report::Style;
use report::printable::{painted, printable, printable_json};
use serde::Serialize;
use std::io::{self, IsTerminal, Write};
use std::sync::Mutex;

/// Standard output and standard error.
pub struct Console {
    /// How messages look, and how results do.
    messages: Style,
    results: Style,
    lost: Mutex<Lost>,
    json: bool,
    /// What is wrong, for a command that prints JSON and has printed nothing yet.
    errors: Mutex<Option<Vec<String>>>,
}

/// What a command prints that failed before it had anything else to print.
#[derive(Serialize)]
struct Errors<'a> {
    fencepost: &'static str,
    errors: Vec<Error<'a>>,
}

#[derive(Serialize)]
struct Error<'a> {
    error: &'a str,
}

/// The first writes that failed.
#[derive(Default)]
struct Lost {
    results: Option<io::Error>,
    messages: Option<io::Error>,
}

impl Console {
    /// With colours or without, for a command that prints JSON or not.
    pub fn new(colour: Colour, json: bool) -> Self {
        let (messages, results) = (style(colour, &io::stderr()), style(colour, &io::stdout()));
        let errors = Mutex::new(json.then(Vec::new));
        Self { messages, results, lost: Mutex::default(), json, errors }
    }

    /// Whether the command prints JSON.
    pub fn prints_json(&self) -> bool {
        self.json
    }

    /// How messages look.
    pub fn messages(&self) -> Style {
        self.messages
    }

    /// How results look.
    pub fn results(&self) -> Style {
        self.results
    }

    /// Writes a part of the results.
    pub fn result(&self, text: &str) {
        self.write_result(printable(text).as_bytes());
    }

    /// Writes a part of the results that has colours.
    pub fn painted_result(&self, render: impl Fn(Style) -> String) {
        self.write_result(painted(self.results, render).as_bytes());
    }

    /// Writes text that others have made printable, or that must not be changed.
    pub fn write_result(&self, bytes: &[u8]) {
        self.take_errors();
        self.attempt(|lost| &mut lost.results, || io::stdout().write_all(bytes));
    }

    /// Lets the caller write a part of the results.
    pub fn attempt_result(&self, write: impl FnOnce() -> io::Result<()>) {
        self.take_errors();
        self.attempt(|lost| &mut lost.results, write);
    }

    /// Writes JSON.
    pub fn json(&self, json: &str) {
        self.write_result(printable_json(json).as_bytes());
    }

    /// Writes what is wrong with one of several inputs as a line of JSON.
    pub fn json_error(&self, error: &str) {
        self.json_line(&Error { error });
    }

    fn json_line(&self, value: &impl Serialize) {
        if let Ok(text) = serde_json::to_string(value) {
            self.json(&format!("{text}\n"));
        }
    }

    /// Writes a message: a line, or several.
    pub fn message(&self, text: &str) {
        self.write_message(format!("{}\n", printable(text)).as_bytes());
    }

    /// Writes a message that has colours, and a line end only if it has one.
    pub fn painted_message(&self, render: impl Fn(Style) -> String) {
        self.write_message(painted(self.messages, render).as_bytes());
    }

    /// Writes a message about something that is wrong.
    pub fn error(&self, text: &str) {
        let text = format!("error: {text}");
        self.message(&text);
        self.note_error(text);
    }

    /// Writes diagnostics, with an empty line after each.
    pub fn diagnostics(
        &self,
        diagnostics: &[execution::diagnostic::Diagnostic],
        sources: &execution::span::SourceMap,
    ) {
        self.painted_message(|style| report::diagnostics::render_all(diagnostics, sources, style));
        let errors = diagnostics.iter().filter(|one| one.severity == Severity::Error);
        for error in errors {
            let text = report::diagnostics::render(error, sources, Style::Plain);
            self.note_error(text.trim_end().to_string());
        }
    }

    fn note_error(&self, text: String) {
        if let Ok(mut errors) = self.errors.lock() {
            errors.iter_mut().for_each(|errors| errors.push(text.clone()));
        }
    }

    fn take_errors(&self) -> Vec<String> {
        self.errors.lock().ok().and_then(|mut errors| errors.take()).unwrap_or_default()
    }

    /// Writes text that others have made printable, or that must not be changed. What was written
    /// as a result before comes first.
    pub fn write_message(&self, bytes: &[u8]) {
        if bytes.is_empty() {
            return;
        }
        self.flush();
        self.attempt(|lost| &mut lost.messages, || io::stderr().write_all(bytes));
    }

    /// Everything written so far is on its way.
    pub fn flush(&self) {
        self.attempt(|lost| &mut lost.results, || io::stdout().flush());
    }

    /// Whether results can no longer be written.
    pub fn is_broken(&self) -> bool {
        self.lost.lock().is_ok_and(|lost| lost.results.is_some())
    }

    /// The status of a command that would end with this one: it did not do what was asked if
    /// results were lost.
    pub fn finish(&self, status: u8) -> u8 {
        let errors = self.take_errors();
        if status == exit::INPUT && !errors.is_empty() {
            let errors = errors.iter().map(|error| Error { error }).collect();
            self.json_line(&Errors { fencepost: env!("CARGO_PKG_VERSION"), errors });
        }
        self.flush();
        let Ok(Lost { results, messages }) =
            self.lost.lock().map(|mut lost| std::mem::take(&mut *lost))
        else {
            return exit::INTERNAL;
        };
        if let Some(problem) = results {
            self.error(&format!("cannot write to standard output: {problem}"));
            return exit::INPUT;
        }
        match messages {
            Some(_) if status == exit::HOLDS => exit::INPUT,
            _ => status,
        }
    }

    /// Writes, unless that failed before.
    fn attempt(
        &self,
        lost: impl Fn(&mut Lost) -> &mut Option<io::Error>,
        write: impl FnOnce() -> io::Result<()>,
    ) {
        let Ok(mut known) = self.lost.lock() else { return };
        let problem = lost(&mut known);
        if problem.is_none() {
            *problem = write().err();
        }
    }
}

/// Whether what is written there has colours.
fn style(colour: Colour, stream: &impl IsTerminal) -> Style {
    let coloured = match colour {
        Colour::Always => true,
        Colour::Never => false,
        Colour::Auto => {
            stream.is_terminal()
                && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
        }
    };
    if coloured { Style::Coloured } else { Style::Plain }
}
