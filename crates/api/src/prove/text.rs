//! What `fencepost prove` prints: a table of properties and models, and what there is to say about
//! each answer.

use super::answer::{Answer, Outcome, Reply, Violated};
use super::plan::Subject;
use engines::views::{Deadlock, Doubt, Locks, Open, Proved, TestShape, TraceStep, Who, Witness};
use execution::diagnostic::Diagnostic;
use execution::finding::{FindingKind, Verb};
use execution::verdict::{Site, Violation};
use ir::program::{LocId, Program};
use limits::Exceeded;
use report::Style;
use report::counterexample::Problem;
use report::counterexample::text::render;
use report::diagnostics;
use report::finding::title_of;
use report::printable::shown;
use std::fmt::Write;

/// What is proved, a row each.
const ROWS: [&str; 3] = ["linearizable", "assertions and memory", "no deadlock"];
/// How wide the first column is, and each other one.
const NAMES: usize = 24;
const CELL: usize = 11;

/// The answers, in short.
pub fn table(subject: &Subject, replies: &[Reply]) -> String {
    let operations = subject.operations.join(", ");
    let mut out =
        format!("{}: any number of threads run {operations}\n", shown(&subject.test.path));
    let models = subject.test.models.iter().map(|model| model.name.as_str());
    let head: String = models.map(|name| format!("{name:<CELL$}")).collect();
    let _ = writeln!(out, "{:NAMES$}{}", "", head.trim_end());
    for (row, name) in ROWS.iter().enumerate() {
        let cells: String =
            replies.iter().map(|reply| format!("{:<CELL$}", cell(reply, row))).collect();
        let _ = writeln!(out, "{name:<NAMES$}{}", cells.trim_end());
    }
    out
}

/// One entry of the table.
pub fn cell(reply: &Reply, row: usize) -> &'static str {
    match reply {
        Ok(Answer { outcome: Outcome::Proved(proved), .. }) => match (row, proved.deadlock) {
            (2, deadlock) if deadlock.is_open() => "?",
            (2, Deadlock::NoLocks) => "-",
            _ => "proved",
        },
        Ok(Answer { outcome: Outcome::Violated(violated), .. }) => {
            match violated_row(violated) == row {
                true => "VIOLATED",
                false => "?",
            }
        }
        _ => "?",
    }
}

/// The property that a counterexample is about.
fn violated_row(violated: &Violated) -> usize {
    use execution::finding::FindingClass::{Deadlock, Livelock, LockHeld};
    let Some((found, story)) = violated.answer.outcome.violation() else { return 0 };
    let row = |kind: &FindingKind| match kind.class() {
        Deadlock | Livelock | LockHeld => 2,
        _ => 1,
    };
    match (&found.violation, &story.problem) {
        (Violation::Finding { kind, .. }, _) => row(kind),
        (Violation::Serial, Problem::Serial { finding, .. }) => row(&finding.kind),
        (Violation::Serial, _) => 1,
        _ => 0,
    }
}

/// What there is to say about an answer.
pub fn remarks(subject: &Subject, model: &str, reply: &Reply, style: Style) -> String {
    let answer = match reply {
        Ok(answer) => answer,
        Err(why) => return format!("\n{model}: ? {}\n", limit(*why)),
    };
    match &answer.outcome {
        Outcome::Proved(proved) => of_proof(model, answer, proved),
        Outcome::Violated(violated) => of_violation(subject, model, violated, style),
        Outcome::Open(open) => of_open(model, answer, open),
        Outcome::Refused { what, place } => {
            of_refusal(subject, model, answer, (what, *place), style)
        }
        Outcome::Limit(why) => format!("\n{model}: ? {} after {}\n", limit(*why), cost(answer)),
    }
}

/// Which limit was reached.
pub fn limit(why: Exceeded) -> &'static str {
    match why {
        Exceeded::Time => "time",
        Exceeded::Memory => "memory",
        Exceeded::Interrupted => "interrupted",
    }
}

fn of_proof(model: &str, answer: &Answer, proved: &Proved) -> String {
    let kind = match proved.shape {
        Some(shape) => format!("It is a {shape}. "),
        None => String::new(),
    };
    let mut out = format!(
        "\n{model}: proved for any number of threads, for {}.\n    {kind}{} The abstract type has {}.\n    \
         {}",
        bounds(proved),
        rung(model, answer),
        counted(proved.states, "state"),
        cost(answer),
    );
    let mutual = mutual_exclusion(answer, proved);
    let _ = match proved.deadlock {
        Deadlock::NoLocks => writeln!(out, "."),
        Deadlock::OneAtATime => {
            writeln!(out, ".\n    No thread waits for a lock while it holds another one.")
        }
        Deadlock::Ordered => writeln!(out, ".\n    All threads acquire locks in one order."),
        Deadlock::Awaited => writeln!(
            out,
            ".\n    A thread that waits in a loop waits for another one, of which some can go on."
        ),
        Deadlock::Unknown(place) => writeln!(
            out,
            ".\n    ? A deadlock could not be excluded: a thread may wait{}.",
            at(&answer.program, place)
        ),
        Deadlock::Spins(place) => writeln!(
            out,
            ".\n    ? A deadlock could not be excluded: a thread waits in a loop{} for what is not known \
             to be a lock.\n    The small tests that were answered in time show none.",
            at(&answer.program, place)
        ),
    };
    out + &mutual
}

/// What the proof of a lock says, whose operations are critical sections.
fn mutual_exclusion(answer: &Answer, proved: &Proved) -> String {
    if !proved.silent || proved.assertions.is_empty() {
        return String::new();
    }
    let site = |place: &LocId| at(&answer.program, Some(*place));
    let mut places: Vec<String> = proved.assertions.iter().map(site).collect();
    places.dedup();
    format!(
        "    Operations show nothing, like critical sections: mutual exclusion is what they \
         assert{}.\n",
        places.join(" and")
    )
}

/// What a proof is bounded by.
pub fn bounds(proved: &Proved) -> String {
    let values = match proved.values {
        0 | 1 => "operations that choose nothing, or from one value".to_string(),
        values => format!("operations that choose from {values} values"),
    };
    let size = match proved.size {
        Some(1) => ", at most one object more than at first".to_string(),
        Some(size) => format!(", at most {size} objects more than at first"),
        None => String::new(),
    };
    let frees = if proved.frees { ", freed blocks that are not given again" } else { "" };
    format!("{values}{size}{frees}")
}

/// The abstraction that proved it, in sentences.
pub fn rung(model: &str, answer: &Answer) -> String {
    let Some(rung) = answer.rungs.last() else { return String::new() };
    let mut all = vec![match rung.locks {
        Locks::Coarse => "Enough was known of locks by knowing the thread's own.".to_string(),
        Locks::Exact if answer.rungs.len() == 1 => "No locks had to be known.".to_string(),
        Locks::Exact if rung.tracked > 1 => {
            "Two threads had to be tracked at a time, each step being checked with a third one."
                .to_string()
        }
        Locks::Exact => "It had to be known which locks other threads hold.".to_string(),
        Locks::Inferred => {
            "Words that change like locks were taken for locks, each with its owner.".to_string()
        }
    }];
    if rung.locks == Locks::Inferred && rung.tracked > 1 {
        all.push("Two threads had to be tracked at a time.".to_string());
    }
    let nearer =
        |other: &engines::views::Rung| other.tracked == rung.tracked && other.depth < rung.depth;
    if answer.rungs.iter().any(nearer) {
        let depth = rung.depth;
        all.push(format!("Objects had to be known up to {depth} pointers away from a thread."));
    }
    match rung.witness {
        Witness::Observers => {}
        Witness::Remembered => {
            let what = "The abstract state was found only where no lock was held by the thread \
                        that changed something.";
            all.push(what.to_string());
        }
        Witness::Function => {
            all.push("The abstract state is what the function for it shows.".to_string());
        }
        Witness::CommitPoints => {
            all.push("Operations take effect at their commit points.".to_string());
        }
    }
    if let Some(descriptor) = rung.makers {
        let place = at(&answer.program, descriptor.place());
        all.push(format!(
            "What an operation makes{place} shows whether it goes on, and which one was before it."
        ));
    }
    if let Some(descriptor) = rung.helping {
        let place = at(&answer.program, descriptor.place());
        all.push(format!("Operations are completed by other threads: descriptors{place}."));
    }
    if model == "tso" {
        all.push(match answer.cost.waiting {
            0 => "No store ever waited in a store buffer.".to_string(),
            1 => "At most one store of a thread waited in its buffer.".to_string(),
            most => format!("At most {most} stores of a thread waited in its buffer."),
        });
    }
    all.join(" ")
}

fn counted(count: usize, what: &str) -> String {
    match count {
        1 => format!("1 {what}"),
        _ => format!("{count} {what}s"),
    }
}

fn cost(answer: &Answer) -> String {
    let cost = answer.cost;
    if answer.rungs.last().is_some_and(|rung| rung.tracked > 1) {
        return format!(
            "{} pairs of threads in {} memories, {} steps of a third thread, {:.2} s",
            cost.views, cost.shared, cost.applied, answer.seconds
        );
    }
    format!(
        "{} views of {} memories, {} effects, {:.2} s",
        cost.views, cost.shared, cost.effects, answer.seconds
    )
}

fn of_violation(subject: &Subject, model: &str, violated: &Violated, style: Style) -> String {
    let Some((_, story)) = violated.answer.outcome.violation() else { return String::new() };
    let story = render(story, &violated.test.sources, style);
    let file = shown(&subject.test.path);
    let notation = &violated.notation;
    format!(
        "\n{story}\nThe test that shows it: fencepost check {file} --test '{notation}' --model {model}\n"
    )
}

/// What has no meaning for any number of threads, with the place in the source.
fn of_refusal(
    subject: &Subject,
    model: &str,
    answer: &Answer,
    (what, place): (&str, Option<LocId>),
    style: Style,
) -> String {
    let site = place.map(|place| ir::site(&answer.program, place));
    let sources = &subject.test.sources;
    let span = site.as_ref().and_then(|site| sources.span_of(&site.location));
    let (Some(site), Some(span)) = (&site, span) else {
        return format!(
            "\n{model}: ? not supported by proofs: {what}{}\n",
            at(&answer.program, place)
        );
    };
    let label = match site.function.is_empty() {
        true => "declared here".to_string(),
        false => format!("in `{}`", site.function),
    };
    let error = Diagnostic::error(span, what)
        .label(label)
        .note("`fencepost check` answers for tests with a few threads");
    let shown = diagnostics::render(&error, sources, style);
    format!("\n{model}: ? not supported by proofs\n{shown}")
}

fn of_open(model: &str, answer: &Answer, open: &Open) -> String {
    let mut out = format!(
        "\n{model}: ? not proved: {}{}\n",
        reason(answer, open),
        at(&answer.program, open.place)
    );
    let _ = match (open.tests.len(), open.explored) {
        (0, 0) if open.doubt == Doubt::TooManyStates => Ok(()),
        (0, 0) => writeln!(out, "    Executions of two threads are too many to explore."),
        (0, threads) => {
            writeln!(out, "    Nothing is wrong in any execution of {threads} threads.")
        }
        (..) => writeln!(
            out,
            "    The same happens in executions of a few threads, in which clients see nothing \
             wrong, or which could not be decided: {}",
            some(&open.tests)
        ),
    };
    if !open.trace.is_empty() {
        let two = open.trace.iter().any(|step| step.who == Who::Second);
        let threads = if two { "T and U are two threads" } else { "T is one thread" };
        let _ = writeln!(out, "    What could not be excluded; {threads}, O any other:");
    }
    for (number, step) in open.trace.iter().enumerate() {
        let _ = writeln!(out, "{:>6} {}", number + 1, told(&answer.program, step));
    }
    out
}

/// The first ones of some tests, and how many more there are.
fn some(tests: &[TestShape]) -> String {
    const SHOWN: usize = 3;
    let mut all: Vec<String> = tests.iter().take(SHOWN).map(|test| format!("'{test}'")).collect();
    if tests.len() > SHOWN {
        all.push(format!("and {} more", tests.len() - SHOWN));
    }
    all.join(", ")
}

/// What could not be excluded, and what is not supported that may be the reason.
pub fn reason(answer: &Answer, open: &Open) -> String {
    let mut reason = doubt(&open.doubt);
    // One tracked thread was too few, with and without operations that other threads complete.
    let is_paired = answer.rungs.iter().any(|rung| rung.helping.is_some() || rung.tracked > 1);
    if is_paired && matches!(open.doubt, Doubt::WrongChange | Doubt::WrongResult(_)) {
        reason += "; where two threads have to be tracked at a time, operations that other threads \
                   complete are not supported";
    }
    reason
}

/// What is wrong with a step, perhaps.
pub fn doubt(doubt: &Doubt) -> String {
    match doubt {
        Doubt::Finding(kind) => title_of(kind, None, false),
        Doubt::NoAbstractState => {
            "the memory shows no state of the abstract type (operations that run alone from there \
             wait, or show what no serial execution shows; a function `fp_abstract` or fp_commit can \
             say what the state is)"
                .to_string()
        }
        Doubt::WrongChange => {
            "a step changes the abstract state otherwise than its own operation does, once, and \
             completes no operation whose descriptor is known (of operations that other threads \
             complete, those are supported whose descriptor is an object that they make)"
                .to_string()
        }
        Doubt::WrongResult(observed) => {
            let shown: Vec<String> = observed
                .iter()
                .map(|(label, value)| format!("{label} = {}", value.as_signed()))
                .collect();
            format!("an operation shows {} at no moment while it runs", shown.join(", "))
        }
        Doubt::Far => "it depends on objects far away from the thread".to_string(),
        Doubt::TooManyStates => {
            "more serial states than can be visited (with a reference, its memory counts, too: it \
             must not grow while the data type does not)"
                .to_string()
        }
    }
}

/// A step of an abstract execution.
fn told(program: &Program, step: &TraceStep) -> String {
    let who = match step.who {
        Who::First => "T",
        Who::Second => "U",
        Who::Other => "O",
    };
    let mut accesses: Vec<String> = Vec::new();
    for access in &step.accesses {
        let site = access.place.map(|place| ir::site(program, place));
        if let Some(site) = site.as_ref().filter(|site| site.location.is_library()) {
            // What a library does to its locks is known from the name of its function.
            if accesses.last() != Some(&site.function) {
                accesses.push(site.function.clone());
            }
            continue;
        }
        let verb = match access.verb {
            Verb::Read => "load",
            Verb::Write => "store",
            Verb::Update => "update",
            Verb::Free => "free",
            Verb::Resize => "resize",
            Verb::Call => "call",
        };
        let line = site.map_or(String::new(), |site| format!("{} ", site.location.line));
        accesses.push(format!("{line}{verb} {}", access.path.as_deref().unwrap_or("memory")));
    }
    format!("{who} in {}: {}", step.operation, accesses.join("; "))
}

/// Where something is, for people.
pub fn at(program: &Program, place: Option<LocId>) -> String {
    let Some(place) = place else { return String::new() };
    let Site { location, function, .. } = ir::site(program, place);
    match function.is_empty() {
        true => format!(" at {}:{}", location.file, location.line),
        false => format!(" at {}:{} in `{function}`", location.file, location.line),
    }
}
