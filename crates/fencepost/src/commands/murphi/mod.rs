//! `fencepost murphi`: all states of a Murphi model.

mod any_number;

use super::console::Console;
use super::progress::Display;
use super::{exit, interrupter};
use crate::cli::{DeadlockArg, MurphiArgs, SwitchArg};
use fencepost::answer::memory_limit;
use fencepost::compile::Rejected;
use fencepost::murphi::{
    Answer, Counts, Deadlock, Options, Subject, Unknown, Verdict, Violation, check,
};
use fencepost::watch::{Abandoned, Voice, Watch, Watchdog};
use limits::{Exceeded, Limits};
use report::printable::shown;
use report::transitions::{Change, Transition};
use serde::Serialize;
use std::cell::RefCell;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Executes the command and gives its exit code.
pub fn execute(args: &MurphiArgs, console: &Console) -> u8 {
    if let Some(set) = &args.cmp {
        return any_number::execute(args, set, console);
    }
    let subject = match Subject::of_file(&args.file) {
        // It lasts as long as the process: work on it may have to be abandoned.
        Ok(subject) => &*Box::leak(Box::new(subject)),
        Err(rejected) => {
            let Rejected { sources, diagnostics } = &*rejected;
            console.diagnostics(diagnostics, sources);
            return exit::INPUT;
        }
    };
    let started = Instant::now();
    let answer = search(args, subject);
    let seconds = started.elapsed().as_secs_f64();
    let violation = match &answer.verdict {
        Verdict::Violated(violation) => Some(violation),
        Verdict::Unknown(Unknown::Endless(violation)) => Some(violation),
        _ => None,
    };
    if args.json {
        console.json(&document(args, subject, &answer, seconds));
    } else {
        for note in &answer.notes {
            console.message(&format!("note: {note}"));
        }
        if let Some(violation) = violation {
            console.painted_result(|style| {
                let message =
                    report::diagnostics::render(&violation.diagnostic, &subject.sources, style);
                format!("{message}\n\n{}", steps(violation))
            });
        }
        console.result(&summary(args, &answer, seconds));
    }
    match answer.verdict {
        Verdict::Holds => exit::HOLDS,
        Verdict::Violated(_) => exit::VIOLATED,
        Verdict::Unknown(_) => exit::INCONCLUSIVE,
    }
}

/// How to search, what ends the search, and how it is watched.
fn options(args: &MurphiArgs) -> (Options, Watch) {
    let watchdog = Watchdog::new(interrupter());
    let time = args.time_limit.map(Duration::from_secs_f64);
    let memory = memory_limit(args.memory_limit.map(|mebibytes| mebibytes << 20));
    let limits = Limits {
        deadline: time.map(|time| Instant::now() + time),
        memory: memory.clone(),
        interrupter: watchdog.interrupter.clone(),
        ..Limits::default()
    };
    let available = || std::thread::available_parallelism().map_or(1, usize::from);
    let options = Options {
        deadlock: match args.deadlock {
            DeadlockArg::Stuttering => Deadlock::Stuttering,
            DeadlockArg::Stuck => Deadlock::Stuck,
            DeadlockArg::Off => Deadlock::Off,
        },
        symmetry: args.symmetry == SwitchArg::On,
        threads: args.threads.map_or_else(available, usize::from),
        limits,
    };
    (options, watchdog.watch(time, memory))
}

fn search(args: &MurphiArgs, subject: &'static Subject) -> Answer {
    let (options, watch) = options(args);
    let display = RefCell::new(Display::new(1));
    let tell = |what: String| display.borrow_mut().show(&[Mutex::new(Some(what))]);
    let done = watch.run(&tell, move |voice: &Voice<Answer>| {
        let voice = Mutex::new(voice.clone());
        let progress = |counts: Counts| {
            let Ok(voice) = voice.lock() else { return };
            voice.tell(counted(counts));
            voice.publish(unfinished(counts, Exceeded::Interrupted));
        };
        check(subject, &options, &progress)
    });
    display.borrow().end();
    done.unwrap_or_else(|Abandoned { why, known, .. }| {
        unfinished(known.map(|known| known.counts).unwrap_or_default(), why)
    })
}

/// The answer if nothing more becomes known.
fn unfinished(counts: Counts, why: Exceeded) -> Answer {
    let verdict = Verdict::Unknown(Unknown::Limit(why));
    Answer { verdict, counts, symmetric: false, notes: Vec::new() }
}

fn counted(counts: Counts) -> String {
    let Counts { states, rules, depth } = counts;
    let plural = |count: u64| if count == 1 { "" } else { "s" };
    format!(
        "{states} state{}, {rules} rule{} fired, {depth} step{} deep",
        plural(states),
        plural(rules),
        plural(depth.into())
    )
}

fn steps(violation: &Violation) -> String {
    let head = match violation.steps.len() {
        0 => return String::new(),
        1 => "It is so in a start state:".to_string(),
        2 => "The shortest way to it, 1 step after a start state:".to_string(),
        count => format!("The shortest way to it, {} steps after a start state:", count - 1),
    };
    format!("{head}\n\n{}\n", report::transitions::render(&violation.steps))
}

/// Why there is no answer, in words.
fn reason(unknown: &Unknown) -> &'static str {
    match unknown {
        Unknown::Limit(Exceeded::Time) => "the time limit was reached",
        Unknown::Limit(Exceeded::Memory) => "the memory limit was reached",
        Unknown::Limit(Exceeded::Interrupted) => "interrupted",
        Unknown::Endless(_) => "a loop or recursion is longer than is executed",
        Unknown::TooManyInstances => "there are too many choices of parameters of rules",
        Unknown::Vacuous => "the assumptions leave no start state",
    }
}

fn summary(args: &MurphiArgs, answer: &Answer, seconds: f64) -> String {
    let file = shown(&args.file);
    let verdict = match &answer.verdict {
        Verdict::Holds => "holds".to_string(),
        Verdict::Violated(violation) => format!("VIOLATED ({})", violation.kind.name()),
        Verdict::Unknown(unknown) => format!("? ({})", reason(unknown)),
    };
    let symmetric = if answer.symmetric { ", up to symmetry" } else { "" };
    format!("{file}: {verdict}\n{}{symmetric}; {seconds:.2} s\n", counted(answer.counts))
}

#[derive(Serialize)]
struct Document<'a> {
    fencepost: &'static str,
    file: String,
    verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
    states: u64,
    rules: u64,
    depth: u32,
    symmetry: bool,
    seconds: f64,
    notes: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    steps: Vec<JsonStep<'a>>,
}

#[derive(Serialize)]
struct JsonStep<'a> {
    rule: &'a str,
    line: u32,
    fails: bool,
    changes: Vec<JsonChange<'a>>,
}

#[derive(Serialize)]
struct JsonChange<'a> {
    variable: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    before: Option<&'a str>,
    after: &'a str,
}

fn document(args: &MurphiArgs, subject: &Subject, answer: &Answer, seconds: f64) -> String {
    let (verdict, violation, reason) = match &answer.verdict {
        Verdict::Holds => ("holds", None, None),
        Verdict::Violated(violation) => ("violated", Some(violation), None),
        Verdict::Unknown(unknown) => {
            let violation = match unknown {
                Unknown::Endless(violation) => Some(violation),
                _ => None,
            };
            ("unknown", violation, Some(reason(unknown)))
        }
    };
    let style = report::Style::Plain;
    let message = violation
        .map(|found| report::diagnostics::render(&found.diagnostic, &subject.sources, style));
    let document = Document {
        fencepost: env!("CARGO_PKG_VERSION"),
        file: args.file.display().to_string(),
        verdict,
        kind: violation.map(|violation| violation.kind.name()),
        reason,
        states: answer.counts.states,
        rules: answer.counts.rules,
        depth: answer.counts.depth,
        symmetry: answer.symmetric,
        seconds,
        notes: &answer.notes,
        message,
        steps: violation.map(|violation| json_steps(violation)).unwrap_or_default(),
    };
    serde_json::to_string_pretty(&document).expect("plain data without maps") + "\n"
}

fn json_steps(violation: &Violation) -> Vec<JsonStep<'_>> {
    violation.steps.iter().map(JsonStep::of).collect()
}

impl<'a> JsonStep<'a> {
    fn of(step: &'a Transition) -> Self {
        let changes = step.changes.iter().map(JsonChange::of).collect();
        Self { rule: &step.rule, line: step.line, fails: step.fails, changes }
    }
}

impl<'a> JsonChange<'a> {
    fn of(change: &'a Change) -> Self {
        let before = change.before.as_deref();
        Self { variable: &change.name, before, after: &change.after }
    }
}
