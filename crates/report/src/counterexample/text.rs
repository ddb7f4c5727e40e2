//! A counterexample for a terminal: one column for each thread, one line for each access.

use super::{Change, Column, Counterexample, Fence, Problem, Reordered, Shown, Source, Step};
use crate::{Style, finding};
use execution::event::EventKind;
use execution::span::{Location, SourceMap};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Columns side by side are at most this wide together; wider ones are shown as a list.
const WIDEST: usize = 132;

/// How many of the nearest serial observations are shown.
pub(super) const SHOWN_NEAREST: usize = 4;

/// A counterexample as text, with a line end after it.
pub fn render(counterexample: &Counterexample, sources: &SourceMap, style: Style) -> String {
    let Counterexample { file, test, model, problem, .. } = counterexample;
    let paint = Paint(style);
    let mut out = String::new();
    let title = paint.bold(&format!("{file}: {test} on {model}"));
    let _ = writeln!(out, "{title}");
    match problem {
        Problem::Observation { seen, nearest, impossible } => {
            observation(&mut out, seen, nearest, paint);
            out.extend(already(seen, impossible).map(|text| text + "\n"));
        }
        Problem::CommitPoints { seen, order, serial } => {
            let _ = writeln!(out, "The operations do not take effect at their commit points:");
            let _ = writeln!(out, "  {}", paint.red(&line(seen)));
            let _ = writeln!(out, "{}", serial_order(order.as_deref(), serial.as_deref()));
        }
        Problem::Finding(found) => {
            let _ = writeln!(out, "{}", finding::message(found).render(sources, style));
        }
        Problem::Reached(what) => {
            let _ = writeln!(out, "An execution that reaches {what}.");
        }
        Problem::Flag { name, steps } => {
            let _ = writeln!(out, "{}", flagged(name, steps, &counterexample.steps));
        }
        Problem::Serial { finding: found, operations } => {
            let _ = writeln!(out, "{}", finding::message(found).render(sources, style));
            let _ = writeln!(out, "The operations ran one after the other:");
            for Shown { operation, seen } in operations {
                let _ = writeln!(out, "  {operation} {seen}");
            }
        }
    }
    if !counterexample.steps.is_empty() {
        steps(&mut out, counterexample, paint);
    }
    out
}

/// That a model flags an execution, and between which steps.
pub(super) fn flagged(name: &str, steps: &[usize], all: &[Step]) -> String {
    let allocates = |step: &usize| all.get(*step).is_some_and(|step| step.allocates);
    let why = match steps.iter().any(allocates) {
        true => " The allocation does not happen before the access.",
        false => "",
    };
    let mut steps = steps.to_vec();
    steps.sort_unstable();
    let steps: Vec<String> = steps.iter().map(|step| (step + 1).to_string()).collect();
    let between = match steps.is_empty() {
        true => String::new(),
        false => format!(", between steps {}", steps.join(" and ")),
    };
    format!("The model flags this execution: {name}{between}.{why}")
}

fn observation(out: &mut String, seen: &[Shown], nearest: &[Vec<Shown>], paint: Paint) {
    let _ = writeln!(out, "The clients see what no serial execution shows:");
    let _ = writeln!(out, "  {}", paint.red(&line(seen)));
    if !nearest.is_empty() {
        let _ = writeln!(out, "Serial executions that come closest:");
        for observation in nearest.iter().take(SHOWN_NEAREST) {
            let _ = writeln!(out, "  {}", line(observation));
        }
        if nearest.len() > SHOWN_NEAREST {
            let _ = writeln!(out, "  and {} more", nearest.len() - SHOWN_NEAREST);
        }
    }
    let _ = writeln!(out, "{}", why(seen, nearest));
}

/// `e: value=1; d: taken=0`.
pub(super) fn line(observation: &[Shown]) -> String {
    let one = |shown: &Shown| format!("{}: {}", shown.operation, shown.seen);
    observation.iter().map(one).collect::<Vec<_>>().join("; ")
}

/// What the operations do one after the other, in the order of their commit points.
pub(super) fn serial_order(order: Option<&[Shown]>, serial: Option<&[Shown]>) -> String {
    let Some(order) = order else {
        return "No order of whole operations follows the commit points and keeps the order of \
                each thread."
            .to_string();
    };
    match serial {
        Some(serial) => format!(
            "One after the other, in the order of their commit points, they show:\n  {}",
            line(serial)
        ),
        None => {
            let names: Vec<&str> = order.iter().map(|shown| shown.operation.as_str()).collect();
            format!(
                "One after the other, in the order of their commit points, they cannot run: {}.",
                names.join(", ")
            )
        }
    }
}

/// One sentence on why no serial order explains what was seen.
pub(super) fn why(seen: &[Shown], nearest: &[Vec<Shown>]) -> String {
    let differing = |other: &Vec<Shown>| -> Vec<usize> {
        (0..seen.len()).filter(|&i| other.get(i) != Some(&seen[i])).collect()
    };
    let Some(first) = nearest.first() else {
        return "There is no serial execution at all.".to_string();
    };
    if differing(first).len() != 1 {
        let names: Vec<&str> =
            differing(first).iter().map(|&i| seen[i].operation.as_str()).collect();
        return format!(
            "No order of the operations explains this: at least {} of them ({}, for instance) \
             would have to show something else.",
            names.len(),
            names.join(" and ")
        );
    }
    let mut others: BTreeMap<usize, Vec<&str>> = BTreeMap::new();
    for observation in nearest {
        for index in differing(observation) {
            others.entry(index).or_default().push(&observation[index].seen);
        }
    }
    let clauses = others.iter().map(|(&index, shown)| {
        let Shown { operation, seen } = &seen[index];
        let more = if shown.len() > SHOWN_NEAREST { " or others" } else { "" };
        let shown = &shown[..shown.len().min(SHOWN_NEAREST)];
        format!("`{operation}` shows {}{more}, not {seen}", shown.join(" or "))
    });
    let clauses: Vec<String> = clauses.collect();
    format!(
        "In every order of the operations in which the others show this, {}.",
        clauses.join("; or ")
    )
}

/// Which of the operations show what is impossible, if not all of them are needed for that.
pub(super) fn already(seen: &[Shown], impossible: &[usize]) -> Option<String> {
    let some: Vec<Shown> = impossible.iter().filter_map(|&i| seen.get(i).cloned()).collect();
    let fewer = some.len() < seen.len() && !some.is_empty();
    fewer.then(|| format!("Already this is impossible, whatever the others show: {}.", line(&some)))
}

fn steps(out: &mut String, counterexample: &Counterexample, paint: Paint) {
    let Counterexample { columns, steps, reordered, .. } = counterexample;
    let main = main_file(steps);
    let wrapped = match steps.iter().any(|step| step.wrapper.is_some()) {
        true => ", after > of what is called there",
        false => "",
    };
    let lines = match &main {
        Some(file) => format!("; numbers in front are lines of {file}{wrapped}"),
        None => String::new(),
    };
    let _ = writeln!(out, "\n{}{lines}:\n", listed(counterexample));
    let cells: Vec<String> = steps.iter().map(|step| cell(step, main.as_deref())).collect();
    let is_pair = |step: usize| reordered.iter().any(|p| p.first == step || p.second == step);
    let marked = |step: usize| steps[step].fails || is_pair(step);
    let layout = Layout::new(columns, steps, &cells);
    layout.head(out, columns, paint);
    let mut current: Vec<Option<usize>> = vec![None; columns.len()];
    for (index, step) in steps.iter().enumerate() {
        if step.operation != current[step.column] {
            current[step.column] = step.operation;
            if let Some(shown) = step.operation.and_then(|o| columns[step.column].operations.get(o))
            {
                let heading = heading(shown);
                layout.line(out, None, step.column, &heading, |text| paint.bold(text));
            }
        }
        let text = match is_pair(index) {
            true => format!("{} !", cells[index]),
            false => cells[index].clone(),
        };
        let colour = |text: &str| if marked(index) { paint.red(text) } else { text.to_string() };
        layout.line(out, Some(index), step.column, &text, colour);
    }
    for pair in reordered {
        let _ = writeln!(out, "\n! {}", explain(counterexample, *pair));
    }
    out.extend(unseen(counterexample).map(|text| format!("\n! {text}\n")));
    out.extend(advised(counterexample).map(|text| format!("\n{text}\n")));
    out.extend(omitted(counterexample).map(|text| format!("\n{text}\n")));
}

/// What the list of steps says of their order.
pub(super) fn listed(counterexample: &Counterexample) -> &'static str {
    match counterexample.is_in_order {
        true => "What happens, in an order in which it takes effect",
        false => {
            "What happens, thread by thread, each in program order (no order of all steps was \
                 found that the model allows event by event)"
        }
    }
}

/// The weakest change that was found.
pub(super) fn advised(counterexample: &Counterexample) -> Option<String> {
    let Counterexample { steps, advice, model, .. } = counterexample;
    let changes = &advice.as_ref()?.changes;
    let main = main_file(steps);
    let change = |change: &Change| {
        let step = named(&steps[change.step], main.as_deref());
        let number = change.step + 1;
        match change.after {
            true => format!("put {} after step {number}, {step}", change.words),
            false => format!("make step {number} {}: {step}", change.words),
        }
    };
    let changes: Vec<String> = changes.iter().map(change).collect();
    Some(format!(
        "The weakest change found after which {model} forbids this execution:\n  {}.",
        changes.join(", and\n  ")
    ))
}

/// What to say of an execution that is no interleaving although no access is out of order.
pub(super) fn unseen(counterexample: &Counterexample) -> Option<String> {
    let Counterexample { steps, reordered, model, .. } = counterexample;
    let mut missing = steps.iter().enumerate().filter_map(|(at, step)| Some((at, step.unseen?)));
    let (at, from) = missing.next().filter(|_| reordered.is_empty())?;
    let main = main_file(steps);
    let (verb, why) = match steps[at].kind {
        EventKind::Write => {
            ("is overwritten by", format!("Nothing that {model} keeps orders the two stores."))
        }
        _ => (
            "does not see",
            format!("Nothing that {model} keeps makes the store visible to this load."),
        ),
    };
    Some(format!(
        "Step {} {verb} step {}, although that comes first: {} and {}.\n  {why}",
        at + 1,
        from + 1,
        named(&steps[at], main.as_deref()),
        named(&steps[from], main.as_deref()),
    ))
}

/// Which operations are left out.
pub(super) fn omitted(counterexample: &Counterexample) -> Option<String> {
    let names = counterexample.left_out.join(", ");
    (!names.is_empty()).then(|| format!("Omitted, because it does not matter here: {names}."))
}

/// What a reordered pair means.
pub(super) fn explain(counterexample: &Counterexample, pair: Reordered) -> String {
    let steps = &counterexample.steps;
    let main = main_file(steps);
    let kind = counterexample.kind(pair);
    let model = &counterexample.model;
    let fence = match pair.fence {
        _ if counterexample.advice.is_some() => String::new(),
        Fence::Forbids => format!("; with a full fence between the two, {model} forbids this"),
        Fence::NotAlone => format!("; no single fence makes {model} forbid this, in any thread"),
        Fence::Together(other) => format!(
            "; {model} forbids this with two full fences, one between the two, and one after \
             step {}, {}",
            other + 1,
            named(&steps[other], main.as_deref())
        ),
        Fence::Unknown => String::new(),
    };
    format!(
        "Step {} takes effect before step {}, against program order: {} before {}.\n  \
         This is a {kind} pair{fence}.",
        pair.second + 1,
        pair.first + 1,
        named(&steps[pair.second], main.as_deref()),
        named(&steps[pair.first], main.as_deref()),
    )
}

pub(super) fn heading(Shown { operation, seen }: &Shown) -> String {
    match seen.is_empty() {
        true => format!("-- {operation} --"),
        false => format!("-- {operation} -- {seen}"),
    }
}

/// The file in which most steps are.
pub(super) fn main_file(steps: &[Step]) -> Option<String> {
    let mut count: BTreeMap<&str, usize> = BTreeMap::new();
    for location in steps.iter().filter_map(|step| step.source.as_ref()) {
        *count.entry(&location.file).or_default() += 1;
    }
    count.into_iter().max_by_key(|(_, count)| *count).map(|(file, _)| file.to_string())
}

/// `45` in the main file, `lock.h:12` elsewhere.
fn place(step: &Step, main: Option<&str>) -> String {
    let Some(location) = &step.source else { return String::new() };
    let at = |location: &Location, within: Option<&str>| match Some(&*location.file) == within {
        true => location.line.to_string(),
        false => {
            let short = location.file.rsplit('/').next().unwrap_or(&location.file);
            format!("{short}:{}", location.line)
        }
    };
    let outer = at(location, main);
    match &step.wrapper {
        Some(wrapper) => format!("{outer}>{}", at(wrapper, Some(&location.file))),
        None => outer,
    }
}

pub(super) fn named(step: &Step, main: Option<&str>) -> String {
    let verb = verb(step);
    match (&step.source, place(step, main)) {
        (Some(_), place) => format!("{verb} {} (line {place})", step.place),
        (None, _) => format!("{verb} {}", step.place),
    }
}

pub(super) fn verb(step: &Step) -> &'static str {
    match step.kind {
        _ if step.allocates => "allocate",
        EventKind::Read => "load",
        EventKind::Write => "store",
        EventKind::Fence => "fence",
        EventKind::Branch | EventKind::Other => "mark",
    }
}

pub(super) fn cell(step: &Step, main: Option<&str>) -> String {
    let place = place(step, main);
    if step.fails {
        return format!("{place:>4} {} <- fails", step.place);
    }
    let mut text = format!("{place:>4} {} {}", verb(step), step.place);
    if let Some(value) = &step.value {
        text += &format!(" = {value}");
    }
    let unseen = step.unseen.map_or(String::new(), |from| format!(", not yet {}", from + 1));
    match step.from {
        Some(Source::Initial) => text += &format!("  (initial{unseen})"),
        Some(Source::Step(from)) => text += &format!("  (from {}{unseen})", from + 1),
        None if step.unseen.is_some() => {
            text += &format!("  (overwritten by {})", step.unseen.map_or(0, |by| by + 1));
        }
        None => {}
    }
    if step.commits {
        text += "  <- takes effect";
    }
    text
}

/// Where the columns stand.
enum Layout {
    /// Side by side: where each begins.
    Columns(Vec<usize>),
    /// Below each other: the widest name of a thread.
    List(Vec<String>, usize),
}

impl Layout {
    fn new(columns: &[Column], steps: &[Step], cells: &[String]) -> Self {
        let mut starts = Vec::new();
        let mut start = 6;
        for (index, column) in columns.iter().enumerate() {
            starts.push(start);
            let own = steps.iter().zip(cells).filter(|(step, _)| step.column == index);
            let widest = own.map(|(_, cell)| cell.chars().count() + 2);
            let titles = column.operations.iter().map(|shown| heading(shown).chars().count());
            start += widest.chain(titles).chain([column.title.len()]).max().unwrap_or(0) + 3;
        }
        if start <= WIDEST {
            return Layout::Columns(starts);
        }
        let widest = columns.iter().map(|column| column.title.len()).max().unwrap_or(0);
        Layout::List(columns.iter().map(|column| column.title.clone()).collect(), widest)
    }

    fn head(&self, out: &mut String, columns: &[Column], paint: Paint) {
        let Layout::Columns(starts) = self else { return };
        let mut line = String::new();
        for (column, start) in columns.iter().zip(starts) {
            line += &" ".repeat(start.saturating_sub(line.chars().count()));
            line += &column.title;
        }
        let _ = writeln!(out, "{}", paint.bold(&line));
    }

    fn line(
        &self,
        out: &mut String,
        number: Option<usize>,
        column: usize,
        text: &str,
        colour: impl Fn(&str) -> String,
    ) {
        let number = number.map_or(String::new(), |number| (number + 1).to_string());
        let indent = match self {
            Layout::Columns(starts) => " ".repeat(starts[column] - 4),
            Layout::List(titles, widest) => format!("  {:<widest$}  ", titles[column]),
        };
        let line = format!("{number:>4}{indent}{}", colour(text));
        let _ = writeln!(out, "{}", line.trim_end());
    }
}

/// Colours, where there are any.
#[derive(Clone, Copy)]
struct Paint(Style);

impl Paint {
    fn with(self, code: &str, text: &str) -> String {
        match self.0 {
            Style::Plain => text.to_string(),
            Style::Coloured => format!("\x1b[{code}m{text}\x1b[0m"),
        }
    }

    fn bold(self, text: &str) -> String {
        self.with("1", text)
    }

    fn red(self, text: &str) -> String {
        self.with("1;31", text)
    }
}
