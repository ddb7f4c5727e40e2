//! Checks tests at the same time, and hands the rows of the table out in order.

use super::Session;
use crate::commands::{pool::Pool, progress};
use execution::verdict::Reason;
use fencepost::answer::{Doing, memory_limit};
use fencepost::check::cell::{Answer, Context, check};
use fencepost::check::plan::Subject;
use fencepost::check::{Row, save};
use fencepost::watch::{Notice, Voice};

/// A test and a model, by their positions.
#[derive(Clone, Copy)]
struct Task {
    test: usize,
    model: usize,
}

/// Checks all tests of a file; `finished` is told each row in order.
pub fn run(
    session: &Session<'_>,
    subject: &'static Subject,
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
        work: &|task: &Task, tell: &dyn Fn(Notice)| answer(session, subject, *task, tell),
        found: &|_| {},
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

/// Checks a test on a model; says why there is no answer if that does not keep its limits.
fn answer(
    session: &Session<'_>,
    subject: &'static Subject,
    task: Task,
    tell: &dyn Fn(Notice),
) -> Answer {
    let test = &subject.tests[task.test];
    let interrupter = session.watchdog.interrupter.clone();
    let evidence = session.evidence.clone();
    let cache = session.cache;
    let work = move |voice: &Voice<Answer>| {
        let model = &subject.models[task.model];
        let progress = |doing: Doing| {
            let what = progress::describe(doing);
            voice.tell(format!("{} on {}: {what}", test.title(), model.name));
        };
        let context = Context {
            cache,
            interrupter: &interrupter,
            evidence: &evidence,
            name: &save::name(subject, task.test, task.model),
            progress: &progress,
            publish: &|answer| voice.publish(answer),
        };
        check(subject, test, model, context)
    };
    let watch = session.watchdog.watch(test.time_limit, memory_limit(test.memory_limit));
    watch.run(tell, work).unwrap_or_else(|abandoned| {
        let seconds = abandoned.after.as_secs_f64();
        Answer::ended(abandoned.known, Reason::Limit(abandoned.why), seconds)
    })
}
