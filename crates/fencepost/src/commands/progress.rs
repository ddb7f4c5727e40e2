//! What is being done and for how long, on a terminal, for whatever takes longer than two seconds.

use execution::question::Question;
use execution::statistics::Explored;
use fencepost::answer::Doing;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// A line that appears after two seconds. It is hidden where nobody looks.
pub struct Display {
    bar: ProgressBar,
    started: Instant,
    shown: bool,
}

impl Display {
    /// A line for so many tasks.
    pub fn new(tasks: usize) -> Self {
        let target = ProgressDrawTarget::hidden();
        let bar = ProgressBar::with_draw_target(Some(tasks as u64), target);
        if let Ok(style) = ProgressStyle::with_template("{elapsed} {pos}/{len} done; {wide_msg}") {
            bar.set_style(style);
        }
        Self { bar, started: Instant::now(), shown: false }
    }

    /// One task is done.
    pub fn done(&self) {
        self.bar.inc(1);
    }

    /// Shows what is being done.
    pub fn show(&mut self, doing: &[Mutex<Option<String>>]) {
        if !self.shown && self.started.elapsed() > Duration::from_secs(2) {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
            self.shown = true;
        }
        if self.shown {
            let now = doing.iter().filter_map(|what| what.lock().ok()?.clone());
            self.bar.set_message(now.collect::<Vec<_>>().join("; "));
            self.bar.tick();
        }
    }

    /// Whether the line has appeared.
    pub fn is_shown(&self) -> bool {
        self.shown
    }

    /// Prints something else meanwhile.
    pub fn aside(&self, print: impl FnOnce()) {
        self.bar.suspend(print);
    }

    /// Removes the line.
    pub fn end(&self) {
        self.bar.finish_and_clear();
    }
}

/// What is being done, in words.
pub fn describe(doing: Doing) -> String {
    match doing {
        Doing::Mining => "running the operations one after the other".into(),
        Doing::Checking(Question::States) => "visiting its states".into(),
        Doing::Checking(Question::Findings) => "looking for something that goes wrong".into(),
        Doing::Checking(Question::Observations) => "looking for what is not serial".into(),
        Doing::Checking(Question::Bounds) => "looking for longer loops".into(),
        Doing::Checking(Question::Ends) => "looking for an execution that terminates".into(),
        Doing::Checking(Question::Coverage) => "looking for what is reached".into(),
        Doing::Checking(Question::Outcomes) => "looking for other outcomes".into(),
        Doing::Checking(Question::Waiting) => "looking for threads that wait for ever".into(),
        Doing::Checking(Question::Leaks) => "looking for blocks that are lost".into(),
        Doing::Exploring(explored, violated) => exploring(explored, violated),
        Doing::Replaying => "running a counterexample again".into(),
        Doing::Found(what) => what,
    }
}

/// What runs have shown, in words.
fn exploring(explored: Explored, violated: usize) -> String {
    let Explored { runs, behaviours, directions, entries, .. } = explored;
    let known = match entries {
        0 => format!("{directions} directions known"),
        _ => format!("{directions} directions and {entries} results known"),
    };
    let wrong = match violated {
        0 => "nothing wrong".to_string(),
        1 => "1 property violated".to_string(),
        several => format!("{several} properties violated"),
    };
    format!("{runs} runs, {behaviours} new behaviours, {known}, {wrong}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_runs_have_shown_is_told() {
        let explored = Explored { runs: 12, behaviours: 3, directions: 9, ..Explored::default() };
        let text = describe(Doing::Exploring(explored, 0));
        assert_eq!(text, "12 runs, 3 new behaviours, 9 directions known, nothing wrong");
        let text = describe(Doing::Exploring(Explored { entries: 4, ..explored }, 1));
        let expected =
            "12 runs, 3 new behaviours, 9 directions and 4 results known, 1 property violated";
        assert_eq!(text, expected);
    }
}
