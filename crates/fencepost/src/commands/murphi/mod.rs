//! `fencepost murphi`: all states of a Murphi model.

mod any_number;

use super::console::Console;
use super::progress::Display;
use super::{exit, interrupter};
use crate::cli::{DeadlockArg, MurphiArgs, SwitchArg};
use fencepost::answer::memory_limit;
use fencepost::compile::Rejected;
use fencepost::murphi::{
    Answer, Counts, Deadlock, Options, Subject, Unknown, Verdict, check, json, text,
};
use fencepost::watch::{Abandoned, Notice, Voice, Watch, Watchdog};
use limits::{Exceeded, Limits};
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
        console.json(&json::document(&args.file, subject, &answer, seconds));
    } else {
        for note in &answer.notes {
            console.message(&format!("note: {note}"));
        }
        if let Some(violation) = violation {
            console.painted_result(|style| {
                let message =
                    report::diagnostics::render(&violation.diagnostic, &subject.sources, style);
                format!("{message}\n\n{}", text::steps(violation))
            });
        }
        console.result(&text::summary(&args.file, &answer, seconds));
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
    let tell = |notice: Notice| {
        if let Notice::Doing(what) = notice {
            display.borrow_mut().show(&[Mutex::new(Some(what))]);
        }
    };
    let done = watch.run(&tell, move |voice: &Voice<Answer>| {
        let voice = Mutex::new(voice.clone());
        let progress = |counts: Counts| {
            let Ok(voice) = voice.lock() else { return };
            voice.tell(text::counted(counts));
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
