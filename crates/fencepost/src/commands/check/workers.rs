//! Checks tests at the same time, and hands the rows of the table out in order.

use super::progress::Display;
use super::{Row, Session};
use crate::check::cell::{Answer, Context, Doing, check};
use crate::check::plan::Subject;
use execution::diagnostic::Diagnostic;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::Duration;

/// How often the progress is looked at.
const TICK: Duration = Duration::from_millis(200);

/// A test and a model, by their positions.
#[derive(Clone, Copy)]
struct Task {
    test: usize,
    model: usize,
}

struct Pool<'a> {
    session: &'a Session<'a>,
    subject: &'a Subject,
    tasks: Vec<Task>,
    next: AtomicUsize,
    /// Set when the input turned out to be wrong.
    stop: AtomicBool,
    /// What each worker is doing.
    doing: Vec<Mutex<Option<String>>>,
}

/// Checks all tests of a file; `finished` is told each row in order. The error is a mistake in the
/// input that only execution shows.
pub fn run(
    session: &Session<'_>,
    subject: &Subject,
    mut finished: impl FnMut(usize, &Row),
) -> Result<Vec<Row>, Diagnostic> {
    let tests = subject.tests.iter().enumerate();
    let tasks: Vec<Task> = tests
        .flat_map(|(test, t)| t.models.iter().map(move |&model| Task { test, model }))
        .collect();
    let mut missing: Vec<usize> = subject.tests.iter().map(|test| test.models.len()).collect();
    let workers = session.jobs.clamp(1, tasks.len().max(1));
    let pool = Pool {
        session,
        subject,
        next: AtomicUsize::new(0),
        stop: AtomicBool::new(false),
        doing: (0..workers).map(|_| Mutex::new(None)).collect(),
        tasks,
    };
    let mut rows: Vec<Row> =
        subject.tests.iter().map(|_| subject.models.iter().map(|_| None).collect()).collect();
    let mut error: Option<(usize, Diagnostic)> = None;
    let mut display = Display::new(pool.tasks.len());
    let mut printed = 0;
    std::thread::scope(|scope| {
        let (send, receive) = channel();
        for worker in 0..workers {
            let (pool, send) = (&pool, send.clone());
            scope.spawn(move || pool.work(worker, &send));
        }
        drop(send);
        loop {
            match receive.recv_timeout(TICK) {
                Ok((task, Ok(answer))) => {
                    display.done();
                    rows[task.test][task.model] = Some(answer);
                    missing[task.test] -= 1;
                    while printed < rows.len() && missing[printed] == 0 && error.is_none() {
                        display.aside(|| finished(printed, &rows[printed]));
                        printed += 1;
                    }
                }
                Ok((task, Err(diagnostic))) => {
                    if error.as_ref().is_none_or(|(test, _)| task.test < *test) {
                        error = Some((task.test, diagnostic));
                    }
                }
                Err(RecvTimeoutError::Timeout) => display.show(&pool.doing),
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
    });
    display.end();
    match error {
        Some((_, diagnostic)) => Err(diagnostic),
        None => Ok(rows),
    }
}

impl Pool<'_> {
    fn work(&self, worker: usize, send: &Sender<(Task, Result<Answer, Diagnostic>)>) {
        while !self.stop.load(Ordering::Relaxed) {
            let Some(&task) = self.tasks.get(self.next.fetch_add(1, Ordering::Relaxed)) else {
                break;
            };
            let answer = self.task(worker, task);
            if answer.is_err() {
                self.stop.store(true, Ordering::Relaxed);
                self.session.interrupter.interrupt();
            }
            // The receiver lives as long as the workers do.
            let _ = send.send((task, answer));
        }
        self.tell(worker, None);
    }

    fn task(&self, worker: usize, task: Task) -> Result<Answer, Diagnostic> {
        let test = &self.subject.tests[task.test];
        let model = &self.subject.models[task.model];
        let progress = |doing: Doing| {
            let what = super::progress::describe(doing);
            self.tell(worker, Some(format!("{} on {}: {what}", test.title(), model.name)));
        };
        let context = Context {
            cache: self.session.cache.as_ref(),
            interrupter: &self.session.interrupter,
            evidence: &self.session.evidence,
            progress: &progress,
        };
        check(self.subject, test, model, context)
    }

    fn tell(&self, worker: usize, what: Option<String>) {
        if let Ok(mut doing) = self.doing[worker].lock() {
            *doing = what;
        }
    }
}
