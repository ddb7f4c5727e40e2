//! `fencepost verify`: whole programs on memory models, as a table of properties.

use super::console::Console;
use super::pool::Pool;
use super::{exit, interrupter, progress, remove_stale, tell_files, write_results};
use crate::cli::{RacesArg, VerifyArgs};
use execution::verdict::Reason;
use fencepost::answer::{Confirmed, Doing, memory_limit};
use fencepost::compile::{self, Rejected};
use fencepost::evidence::Wanted;
use fencepost::files;
use fencepost::verify::cell::{Answer, Context, verify};
use fencepost::verify::json::{self, Refused};
use fencepost::verify::plan::{Request, Subject, plan, tell_apart};
use fencepost::verify::{Row, save, table};
use fencepost::watch::{Notice, Voice, Watchdog};
use report::Style;
use report::printable::shown;
use std::time::Duration;

/// What is said if none of the models knows what was asked for.
const UNASKED: &str = "note: nothing was looked at: data races are a matter of language models \
(`--model rc11`); `--races plain` looks for conflicts of plain accesses on the others";

/// Executes the command and gives its exit code.
pub fn execute(args: &VerifyArgs, console: &Console) -> u8 {
    let watchdog = Watchdog::new(interrupter());
    let mut request = request(args);
    let files = match args.link {
        true => {
            request.c.with.splice(0..0, args.files[1..].iter().cloned());
            &args.files[..1]
        }
        false => &args.files[..],
    };
    let (mut subjects, mut refused) = (Vec::new(), Vec::new());
    for file in files {
        match plan(file, &request) {
            Ok(subject) => subjects.push(subject),
            Err(rejected) => {
                let Rejected { sources, diagnostics } = &*rejected;
                console.diagnostics(diagnostics, sources);
                let text = report::diagnostics::render_all(diagnostics, sources, Style::Plain);
                refused.push(Refused { file: file.clone(), text });
            }
        }
    }
    if subjects.is_empty() && !args.json {
        return exit::INPUT;
    }
    tell_apart(&mut subjects);
    let folders = [&args.html, &args.save, &args.dimacs, &args.schedules].into_iter().flatten();
    // A document is printed in any case.
    if !args.json
        && let Err(message) = files::can_be_written(folders, args.proof.as_ref())
    {
        console.error(&message);
        return exit::INPUT;
    }
    let available = || std::thread::available_parallelism().map_or(1, usize::from);
    let jobs = args.jobs.map_or_else(available, usize::from);
    let answers: usize = subjects.iter().map(|subject| subject.models.len()).sum();
    let evidence =
        Wanted { dimacs: args.dimacs.clone(), proof: args.proof.clone(), several: answers > 1 };
    let session = Session { args, console, watchdog, evidence, jobs };
    let code = session.execute(Vec::leak(subjects), &refused);
    if refused.is_empty() { code } else { exit::INPUT }
}

fn request(args: &VerifyArgs) -> Request {
    Request {
        models: args.model.clone(),
        properties: args.properties(),
        outcomes: args.outcomes.clone(),
        observe: args.observe,
        // What schedules are named by.
        coverage: args.coverage || args.schedules.is_some(),
        results: args.schedules.is_some(),
        count: args.count,
        plain_races: args.races == Some(RacesArg::Plain),
        engine: args.engine(),
        mutexes: args.mutexes.into(),
        no_symmetry: args.no_symmetry,
        texts: compile::Texts::default(),
        c: compile::COptions { natives: args.native.clone(), ..args.c.options() },
        max_unroll: args.max_unroll,
        time_limit: args.time_limit.map(Duration::from_secs_f64),
        memory_limit: args.memory_limit.map(|mebibytes| mebibytes << 20),
    }
}

struct Session<'a> {
    args: &'a VerifyArgs,
    console: &'a Console,
    watchdog: Watchdog,
    evidence: Wanted,
    jobs: usize,
}

impl Session<'_> {
    /// The programs last as long as the process: work on them may have to be abandoned.
    fn execute(&self, subjects: &'static [Subject], refused: &[Refused]) -> u8 {
        let console = self.console;
        let mut rows: Vec<Row> = Vec::new();
        let names = subjects
            .iter()
            .flat_map(|subject| (0..subject.models.len()).map(|model| subject.names.model(model)));
        let mut unwritten = !remove_stale(console, &self.evidence, names);
        for (index, subject) in subjects.iter().enumerate() {
            console.diagnostics(&subject.warnings, &subject.sources);
            if index > 0 && !self.args.json {
                console.result("\n");
            }
            let mut row = self.subject(subject);
            for remark in subject.program.natives.remarks() {
                console.message(&format!("note: {remark}"));
            }
            if let Some(folder) = &self.args.schedules {
                match save::schedules(folder, subject, &row) {
                    Ok(count) => {
                        let folder = shown(folder);
                        console.message(&format!("written: {count} schedules in {folder}"));
                    }
                    Err(message) => {
                        console.error(&message);
                        unwritten = true;
                    }
                }
                if !self.args.coverage {
                    row.iter_mut().for_each(|answer| answer.without_coverage(&subject.request));
                }
            }
            if !self.args.json {
                console.painted_result(|style| table::table(subject, &row, style));
            }
            let folders = [(&self.args.html, true), (&self.args.save, false)];
            unwritten |= !write_results(console, folders, |folder, pages| {
                save::save(folder, pages, subject, &row)
            });
            for (model, answer) in subject.models.iter().zip(&row) {
                let place = format!("{} on {}", shown(&subject.path), model.name);
                unwritten |= !tell_files(console, &place, &answer.written);
            }
            rows.push(row);
        }
        if self.args.json {
            console.json(&json::document(subjects, &rows, refused));
        }
        let nothing = |answer: &Answer| answer.outcomes.is_empty() && !answer.about_behaviours;
        if !rows.is_empty() && rows.iter().flatten().all(nothing) {
            console.message(UNASKED);
            return if unwritten { exit::INPUT } else { exit::INCONCLUSIVE };
        }
        let outcomes = rows.iter().flatten().flat_map(|answer| {
            let properties = answer.outcomes.iter().map(|(_, outcome)| outcome);
            properties.chain(answer.about_behaviours.then_some(&answer.rest))
        });
        match unwritten {
            true => exit::INPUT,
            false => exit::of(outcomes.map(|outcome| &outcome.verdict)),
        }
    }

    /// Verifies a program on all models.
    fn subject(&self, subject: &'static Subject) -> Row {
        let tasks: Vec<usize> = (0..subject.models.len()).collect();
        let mut row: Vec<Option<Answer>> = tasks.iter().map(|_| None).collect();
        let pool = Pool {
            tasks: &tasks,
            jobs: self.jobs,
            work: &|&model: &usize, tell: &dyn Fn(Notice)| self.answer(subject, model, tell),
            found: &|line| self.console.message(line),
        };
        pool.run(|&model, answer, _| row[model] = Some(answer));
        row.into_iter().flatten().collect()
    }

    /// Verifies a program on one model; what is known if that does not keep its limits.
    fn answer(&self, subject: &'static Subject, model: usize, tell: &dyn Fn(Notice)) -> Answer {
        let interrupter = self.watchdog.interrupter.clone();
        let evidence = self.evidence.clone();
        let work = move |voice: &Voice<Answer>| {
            let name = subject.names.model(model);
            let model = &subject.models[model];
            let progress = |doing: Doing| {
                let found = matches!(doing, Doing::Found(_));
                let what = progress::describe(doing);
                let line = format!("{} on {}: {what}", shown(&subject.path), model.name);
                match found {
                    true => voice.tell_found(format!("found: {line}")),
                    false => voice.tell(line),
                }
            };
            let context = Context {
                interrupter: &interrupter,
                evidence: &evidence,
                name: &name,
                progress: &progress,
                publish: &|answer| voice.publish(answer),
            };
            verify(subject, model, context)
        };
        let request = &subject.request;
        let memory = memory_limit(request.memory_limit);
        let watch = self.watchdog.watch(request.time_limit, memory);
        watch.run(tell, work).unwrap_or_else(|abandoned| {
            let reason = Reason::Limit(abandoned.why);
            let nothing = || Answer::nothing(request, Confirmed::unknown(reason.clone()));
            let known = abandoned.known.unwrap_or_else(nothing);
            Answer { seconds: abandoned.after.as_secs_f64(), ..known.ended(&reason) }
        })
    }
}
