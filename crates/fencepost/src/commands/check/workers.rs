//! Checks tests at the same time, and hands the rows of the table out in order.

use super::{Row, Session, save};
use crate::check::cell::{Context, Doing, check};
use crate::check::plan::Subject;
use crate::commands::{pool::Pool, progress};

/// A test and a model, by their positions.
#[derive(Clone, Copy)]
struct Task {
    test: usize,
    model: usize,
}

/// Checks all tests of a file; `finished` is told each row in order.
pub fn run(
    session: &Session<'_>,
    subject: &Subject,
    mut finished: impl FnMut(usize, &Row),
) -> Vec<Row> {
    let tests = subject.tests.iter().enumerate();
    let tasks: Vec<Task> = tests
        .flat_map(|(test, t)| t.models.iter().map(move |&model| Task { test, model }))
        .collect();
    let mut missing: Vec<usize> = subject.tests.iter().map(|test| test.models.len()).collect();
    let mut rows: Vec<Row> =
        subject.tests.iter().map(|_| subject.models.iter().map(|_| None).collect()).collect();
    let mut printed = 0;
    let pool = Pool {
        tasks: &tasks,
        jobs: session.jobs,
        work: &|task: &Task, tell: &dyn Fn(String)| {
            let test = &subject.tests[task.test];
            let model = &subject.models[task.model];
            let progress = |doing: Doing| {
                let what = progress::describe(doing);
                tell(format!("{} on {}: {what}", test.title(), model.name));
            };
            let context = Context {
                cache: session.cache.as_ref(),
                interrupter: &session.interrupter,
                evidence: &session.evidence,
                name: &save::name(subject, task.test, task.model),
                progress: &progress,
            };
            check(subject, test, model, context)
        },
    };
    pool.run(|task, answer, display| {
        rows[task.test][task.model] = Some(answer);
        missing[task.test] -= 1;
        while printed < rows.len() && missing[printed] == 0 {
            display.aside(|| finished(printed, &rows[printed]));
            printed += 1;
        }
    });
    rows
}
