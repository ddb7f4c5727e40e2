//! What a program can do: outcomes, and which branches and assertions are reached.

use super::Row;
use crate::verify::cell::{Answer, Covered};
use crate::verify::plan::Subject;
use encoding::bounded::Goal;
use engines::verification::outcomes::Observed;
use execution::printable::one_line;
use execution::span::Location;
use execution::statistics::Graphs;
use execution::verdict::{Reason, Verdict};
use report::words;
use std::collections::BTreeMap;
use std::fmt::Write;

/// So much of a source line is shown.
const SHOWN: usize = 48;

/// Everything about the behaviours of a program.
pub fn render(subject: &Subject, row: &Row) -> String {
    let mut out = String::new();
    for (model, answer) in subject.models.iter().zip(row) {
        let _ = write!(out, "{}", one(subject, &model.name, answer));
    }
    // Where properties are asked, too, their remarks say the same, but for mistakes of ours.
    let alone = subject.request.properties.is_empty();
    let told = |answer: &Answer| {
        let mistake =
            matches!(answer.rest.reason(), Some(Reason::Mismatch(_) | Reason::Internal(_)));
        alone || answer.about_behaviours && mistake
    };
    let rests = subject.models.iter().zip(row).filter(|(_, answer)| told(answer));
    out + &words::footnotes(rests.map(|(model, answer)| (model.name.clone(), &answer.rest.verdict)))
}

fn one(subject: &Subject, model: &str, answer: &Answer) -> String {
    let mut out = String::new();
    let more = match answer.rest.verdict {
        Verdict::Holds => "",
        _ => ", perhaps not all",
    };
    if subject.request.count {
        out += &executions(model, answer, more);
    }
    if let Some(observed) = &answer.observed {
        let count = match observed.len() {
            1 => "1 outcome".to_string(),
            count => format!("{count} outcomes"),
        };
        let _ = writeln!(out, "\n{model}: {count}{more}");
        for outcome in observed {
            let _ = writeln!(out, "  {}", line(outcome));
        }
        out += &left_out(subject, answer, observed.is_empty());
    }
    if let Some(covered) = &answer.covered {
        let reached = covered.iter().filter(|goal| goal.witness.is_some()).count();
        let all = covered.len();
        let _ = writeln!(
            out,
            "\n{model}: {reached} of {all} branch directions and assertions are reached{more}"
        );
        out += &coverage(subject, covered, &answer.rest.verdict);
    }
    out
}

/// How many executions there are.
fn executions(model: &str, answer: &Answer, more: &str) -> String {
    let Graphs { complete, blocked } = answer.statistics.graphs;
    let plural = if complete == 1 { "" } else { "s" };
    let blocked = match blocked {
        0 => String::new(),
        blocked => format!(", {blocked} blocked"),
    };
    format!("\n{model}: {complete} complete execution{plural}{blocked}{more}\n")
}

/// What is said of executions that have no outcome.
fn left_out(subject: &Subject, answer: &Answer, all: bool) -> String {
    // Where there is no answer, the reason is told elsewhere.
    if all && answer.rest.reason().is_some() {
        return String::new();
    }
    // Where what is asked for may fail, that is the more likely reason.
    let violated = answer.goes_wrong && !subject.asks_what_may_fail()
        || answer.outcomes.iter().any(|(_, outcome)| outcome.violation().is_some());
    let at_the_end = subject.request.observations().is_at_the_end();
    let mut text = match (all, violated, at_the_end) {
        (true, _, true) if subject.asks_what_may_fail() => {
            return "  in no execution does `main` return or a thread call `exit`, or what \
                    `--outcomes` asks for goes wrong or does not end there\n"
                .to_string();
        }
        (true, true, true) => {
            "  no execution has one: something goes wrong, or neither does `main` return nor a thread \
             call `exit`\n"
        }
        (true, false, true) => "  in no execution does `main` return or a thread call `exit`\n",
        (true, _, false) => {
            "  no execution has one: something goes wrong, a thread never ends, or one calls exit\n"
        }
        (false, true, true) => "  executions in which something goes wrong have none\n",
        (false, true, false) => {
            "  executions in which something goes wrong, or a thread never ends, have none\n"
        }
        (false, false, _) => "",
    }
    .to_string();
    if !violated && subject.asks_what_may_fail() {
        text += "  executions in which what `--outcomes` asks for goes wrong or does not end have \
                 none\n";
    }
    text
}

/// `x=1 y=0`; with several threads, `0: x=1; 2: y=0`.
pub fn line(observed: &Observed) -> String {
    let list = |list: &[(String, i128)]| {
        list.iter()
            .map(|(label, value)| format!("{}={value}", one_line(label)))
            .collect::<Vec<_>>()
            .join(" ")
    };
    match observed.iter().next() {
        Some((0, own)) if observed.len() == 1 => list(own),
        None => "nothing".to_string(),
        Some(_) => {
            let one = |(thread, own): (&usize, &Vec<_>)| format!("thread {thread}: {}", list(own));
            observed.iter().map(one).collect::<Vec<_>>().join("; ")
        }
    }
}

/// A line for each place in the source.
fn coverage(subject: &Subject, covered: &[Covered], rest: &Verdict) -> String {
    let mut places: BTreeMap<(&Location, bool, usize), Vec<&Covered>> = BTreeMap::new();
    for goal in covered {
        let (assertion, block) = match goal.goal {
            Goal::Branch { block, .. } => (false, execution::ids::Id::index(block)),
            Goal::Assertion { block, .. } | Goal::Result { block, .. } => {
                (true, execution::ids::Id::index(block))
            }
        };
        places.entry((&goal.location, assertion, block)).or_default().push(goal);
    }
    let never = match rest {
        Verdict::Holds => "never",
        _ => "not found",
    };
    let mut out = String::new();
    for ((location, ..), goals) in places {
        let words: Vec<String> = goals.iter().map(|goal| word(goal, never)).collect();
        let text = source_line(subject, location);
        let place = format!("{}:{}", location.line, location.column);
        let _ = writeln!(out, "  {place:<8}{text:<width$}  {}", words.join(", "), width = SHOWN);
    }
    out
}

fn word(covered: &Covered, never: &str) -> String {
    match covered.witness {
        Some(_) => covered.direction.clone(),
        None => format!("{} {}", never.to_uppercase(), covered.direction),
    }
}

/// The line of the source, as far as it fits; of a long one the part that begins where it matters.
fn source_line(subject: &Subject, location: &Location) -> String {
    let file = subject.sources.files().find(|file| *file.name == *location.file);
    let line = file.and_then(|file| file.text.lines().nth(location.line as usize - 1));
    shown(line.unwrap_or_default(), location.column as usize)
}

fn shown(line: &str, column: usize) -> String {
    let text = line.trim();
    let indent = line.chars().take_while(|c| c.is_whitespace()).count();
    let at = column.saturating_sub(indent + 1);
    if text.chars().count() <= SHOWN || at < SHOWN / 2 {
        return text.chars().take(SHOWN).collect();
    }
    "…".chars().chain(text.chars().skip(at).take(SHOWN - 1)).collect()
}

#[cfg(test)]
mod tests {
    use super::shown;

    #[test]
    fn of_a_long_line_the_part_at_the_column_is_shown() {
        assert_eq!(shown("    if (x) y = 1;", 9), "if (x) y = 1;");
        let long = "    if (first) one = 1; else if (second) two = 2; else if (third) three = 3;";
        assert_eq!(shown(long, 9), "if (first) one = 1; else if (second) two = 2; el");
        assert_eq!(shown(long, 59), "…(third) three = 3;");
    }
}
