//! Answers in words: in tables, and below them.

use crate::Style;
use crate::counterexample::{Counterexample, Problem, Shown};
use execution::finding::FindingKind;
use execution::question::Question;
use execution::span::Location;
use execution::statistics::Explored;
use execution::verdict::{
    Answered, Bound, Column, Construct, Cut, Established, Followed, Mistake, Reason, Site,
    Unfinished, Verdict,
};
use limits::Exceeded;

/// An answer in a table.
pub fn cell(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Holds => "holds",
        Verdict::HoldsWithinBounds(_) => "holds*",
        Verdict::Vacuous(..) => "! vacuous",
        Verdict::Violated(_) => "VIOLATED",
        Verdict::Inconclusive(reason, known) => match reason {
            // The star of `holds*`: nothing is wrong within bounds.
            Reason::Limit(Exceeded::Time) if known.is_right_within_bounds() => "? time *",
            Reason::Limit(Exceeded::Memory) if known.is_right_within_bounds() => "? memory *",
            Reason::Limit(Exceeded::Time) => "? time",
            Reason::Limit(Exceeded::Memory) => "? memory",
            Reason::Limit(Exceeded::Interrupted) => "? stopped",
            Reason::Unsupported { .. } => "? cannot",
            Reason::Cut(_) => "? cut",
            Reason::Input(_) => "! error",
            Reason::Mismatch(_) | Reason::Internal(_) => "? our bug",
        },
    }
}

/// The same in a column of this width: what is wrong in red, what is right in green, and the rest
/// in yellow.
pub fn painted_cell(verdict: &Verdict, width: usize, style: Style) -> String {
    let (word, code) = (
        cell(verdict),
        match verdict {
            Verdict::Holds | Verdict::HoldsWithinBounds(_) => "32",
            Verdict::Violated(_) | Verdict::Inconclusive(Reason::Input(_), _) => "1;31",
            Verdict::Vacuous(..) | Verdict::Inconclusive(..) => "33",
        },
    );
    let gap = " ".repeat(width.saturating_sub(word.chars().count()));
    match style {
        Style::Plain => format!("{word}{gap}"),
        Style::Coloured => format!("\x1b[{code}m{word}\x1b[0m{gap}"),
    }
}

/// An answer in data files.
pub fn name(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Holds => "holds",
        Verdict::HoldsWithinBounds(_) => "holds-within-bounds",
        Verdict::Vacuous(..) => "vacuous",
        Verdict::Violated(_) => "violated",
        Verdict::Inconclusive(Reason::Input(_), _) => "error",
        Verdict::Inconclusive(..) => "inconclusive",
    }
}

/// What there is to say below the table.
pub fn remark(verdict: &Verdict) -> Option<String> {
    match verdict {
        Verdict::Holds | Verdict::Violated(_) => None,
        // An error is shown with its place in the source, see [`errors`].
        Verdict::Inconclusive(Reason::Input(_), _) => None,
        Verdict::HoldsWithinBounds(bounds) => {
            let (blocks, loops): (Vec<&Bound>, Vec<&Bound>) =
                bounds.iter().partition(|bound| construct(&bound.place) == Construct::Allocation);
            let list =
                |bounds: Vec<&Bound>| bounds.into_iter().map(bound).collect::<Vec<_>>().join(", ");
            let go_on =
                format!("executions can leave them in {}{}", list(loops.clone()), advice(&loops));
            let other = format!("executions can ask for other sizes in {}", list(blocks.clone()));
            Some(match (loops.is_empty(), blocks.is_empty()) {
                (_, true) => format!("* holds within the bounds; {go_on}"),
                (true, false) => format!("* holds for the sizes that were checked; {other}"),
                (false, false) => {
                    format!("* holds within the bounds; {go_on}; {other}")
                }
            })
        }
        Verdict::Vacuous(bounds, unfinished) => Some(vacuous(bounds, unfinished)),
        Verdict::Inconclusive(why, known) => {
            Some(format!("{}{}", reason(why), established(known, why)))
        }
    }
}

/// The option that lets loops be followed further, if it can.
fn advice(bounds: &[&Bound]) -> &'static str {
    match bounds.iter().all(|bound| bound.fixed) {
        true => "",
        false => " (--max-unroll)",
    }
}

fn construct(place: &Option<Site>) -> Construct {
    place.as_ref().map_or(Construct::Loop, |site| site.construct)
}

fn bound(bound: &Bound) -> String {
    let Bound { place, iterations, stores, .. } = bound.clone();
    let looped = followed(&Followed { place, least: iterations, most: iterations });
    match stores {
        Some(Site { location, .. }) => {
            let (file, line) = (location.file, location.line);
            format!("{looped}, which do more than wait: they may store at {file}:{line}")
        }
        None => looped,
    }
}

/// `the loop at f.c:31 in `f` (1 to 2 iterations)`.
fn followed(followed: &Followed) -> String {
    let Followed { place: site, least, most } = followed;
    let place = match site {
        Some(Site { location, .. }) => format!("at {}:{}", location.file, location.line),
        None => "without a place in the source".to_string(),
    };
    let function = site.as_ref().map_or("", |site| site.function.as_str());
    let (what, time) = match construct(site) {
        Construct::Recursion => ("recursion", "call"),
        Construct::Loop => ("loop", "iteration"),
        Construct::Allocation => ("allocation", "size"),
    };
    let times = if *most == 1 { time.to_string() } else { format!("{time}s") };
    let count = if least == most { most.to_string() } else { format!("{least} to {most}") };
    match function.is_empty() {
        true => format!("the {what} {place} ({count} {times})"),
        false => format!("the {what} {place} in `{function}` ({count} {times})"),
    }
}

/// Why a test or a program holds only for want of executions.
pub fn vacuous(bounds: &[Bound], unfinished: &Unfinished) -> String {
    let within = match bounds.is_empty() {
        true => String::new(),
        false => {
            let loops: Vec<String> = bounds.iter().map(bound).collect();
            let (loops, advice) = (loops.join(", "), advice(&bounds.iter().collect::<Vec<_>>()));
            format!(" while loops are unrolled only to bounds: {loops}{advice}")
        }
    };
    let why = match unfinished {
        Unfinished::NotTogether => {
            "each thread can terminate, but not all of them in one execution".to_string()
        }
        Unfinished::Never(threads) => {
            let thread = |Column { number, operations }: &Column| {
                format!("thread {number} ({})", operations.join(" "))
            };
            let never = match threads.len() {
                1 => "never terminates",
                _ => "never terminate",
            };
            let threads: Vec<String> = threads.iter().map(thread).collect();
            format!("{} {never}, whatever the others do", threads.join(" and "))
        }
        Unfinished::Discarded => {
            let why = "assumptions fail in every execution of the program";
            return format!("! this says nothing: {why}");
        }
    };
    format!(
        "! this says nothing: no execution of the test terminates{within}; {why}. A prime \
         keeps retry loops to one iteration; without it they are unrolled"
    )
}

/// What is known where there is no answer, as the end of a sentence; nothing if it was not asked.
pub fn established(established: &Established, reason: &Reason) -> String {
    if !matches!(reason, Reason::Limit(_)) {
        return String::new();
    }
    let Established { observations, states, explored, answered, open, wanted, mining } =
        established;
    if *mining {
        return "; nothing is known: operations were still run one by one".to_string();
    }
    if wanted.is_empty() {
        return String::new();
    }
    let mut known: Vec<String> = Vec::new();
    match observations {
        Some(1) => known.push("serial executions show 1 observation".to_string()),
        Some(count) => known.push(format!("serial executions show {count} observations")),
        None => {}
    }
    match states {
        Some(1) => known.push("1 state was visited, and there is nothing else in it".to_string()),
        Some(count) => {
            known.push(format!("{count} states were visited, and there is nothing else in them"));
        }
        None => {}
    }
    if !explored.is_nothing() {
        let Explored { runs, behaviours, wrong, .. } = explored;
        let wrong = match wrong {
            0 => "nothing wrong in them".to_string(),
            some => format!("something wrong in {some} of them"),
        };
        known.push(format!("so far {runs} runs, {behaviours} behaviours, {wrong}"));
    }
    // Questions with the same answer are reported together.
    let mut groups: Vec<(&[Followed], Vec<&str>)> = Vec::new();
    for Answered { question, loops } in answered {
        match groups.iter_mut().find(|(same, _)| *same == &loops[..]) {
            Some((_, questions)) => questions.push(answer(*question)),
            None => groups.push((loops, vec![answer(*question)])),
        }
    }
    for (loops, answers) in groups {
        let only_bounds = answers == [answer(Question::Bounds)];
        let loops: Vec<String> = loops.iter().map(followed).collect();
        let answers = answers.join(" and ");
        known.push(match loops.is_empty() {
            true => format!("{answers}, in all executions"),
            false if only_bounds => format!("{answers}: {}", loops.join(", ")),
            false => format!("{answers}, within bounds: {}", loops.join(", ")),
        });
    }
    if known.is_empty() {
        known.push("nothing".to_string());
    }
    let is_open = |question: &Question| {
        let known = answered.iter().any(|known| known.question == *question);
        *open == Some(*question) || !known && wanted.contains(question)
    };
    let rest: Vec<&str> = Question::ALL.into_iter().filter(is_open).map(doubt).collect();
    format!(".\n  Established: {}.\n  Not answered: {}", known.join("; "), rest.join("; "))
}

/// The answer no to a question.
fn answer(question: Question) -> &'static str {
    match question {
        Question::States => "there are no other states",
        Question::Findings => "nothing goes wrong",
        Question::Observations => "clients see nothing that is not serial",
        Question::Bounds => "no execution leaves the bounds",
        Question::Ends => "no execution terminates",
        Question::Waiting => "nothing waits for ever",
        Question::Leaks => "nothing is lost",
        Question::Coverage => "nothing else is reached",
        Question::Outcomes => "there are no other outcomes",
    }
}

/// A question that is open.
fn doubt(question: Question) -> &'static str {
    match question {
        Question::States => "are there other states",
        Question::Findings => "does something go wrong",
        Question::Observations => "do clients see what is not serial",
        Question::Bounds => "does an execution leave the bounds",
        Question::Ends => "does an execution terminate",
        Question::Waiting => "does something wait for ever",
        Question::Leaks => "is something lost",
        Question::Coverage => "is something else reached",
        Question::Outcomes => "are there other outcomes",
    }
}

/// Why there is no answer, in words.
pub fn reason(reason: &Reason) -> String {
    match reason {
        Reason::Limit(Exceeded::Time) => "? no answer within --time-limit".to_string(),
        Reason::Limit(Exceeded::Memory) => "? no answer within --memory-limit".to_string(),
        Reason::Limit(Exceeded::Interrupted) => "? interrupted".to_string(),
        Reason::Unsupported { what, place } => {
            let place = place.as_ref().map(|site| format!(", at {}", line(&site.location)));
            format!("? not supported: {what}{}", place.unwrap_or_default())
        }
        Reason::Cut(Cut { kind, place, every }) => {
            let place = place.as_ref().map(|site| format!(" at {}", line(&site.location)));
            let place = place.unwrap_or_default();
            if let FindingKind::NotSupported(what) = kind {
                let some = if *every { "every execution" } else { "some executions" };
                let verb = if *every { "needs" } else { "need" };
                return format!("? {some} {verb} what is not supported{place}: {what}");
            }
            let what = kind.name().replace('-', " ");
            let executions = match every {
                true => format!("every execution ends{place} ({what}) or before"),
                false => format!("some executions end{place} ({what})"),
            };
            format!("? what lies past a finding is not known: {executions}")
        }
        Reason::Input(mistake) => format!("! error: {}", mistake.error.message),
        Reason::Mismatch(what) => format!(
            "? MISTAKE IN FENCEPOST: an execution was found that its replay does not confirm \
             ({what}). Please report this, with the program and the test; the answer is unknown"
        ),
        Reason::Internal(what) => format!(
            "? MISTAKE IN FENCEPOST: internal error ({what}). Please report this, with the program; \
             the answer is unknown"
        ),
    }
}

fn line(location: &Location) -> String {
    format!("{}:{}", location.file, location.line)
}

/// A violation in a line.
pub fn brief(story: &Counterexample) -> String {
    match &story.problem {
        Problem::Observation { seen, .. } | Problem::CommitPoints { seen, .. } => {
            let one = |shown: &Shown| format!("{}: {}", shown.operation, shown.seen);
            seen.iter().map(one).collect::<Vec<_>>().join("; ")
        }
        Problem::Finding(finding) => crate::finding::title(finding),
        Problem::Serial { finding, .. } => {
            format!("{}, already in a serial execution", crate::finding::title(finding))
        }
        Problem::Flag { name, .. } | Problem::Reached(name) => name.clone(),
    }
}

/// Mistakes in the input that only execution shows; the same mistake is reported once, with all the
/// places that it is about.
pub fn errors<'r>(answers: impl Iterator<Item = (String, &'r Verdict)>) -> Vec<Mistake> {
    let mut errors: Vec<(&Mistake, Vec<String>)> = Vec::new();
    for (place, verdict) in answers {
        let Verdict::Inconclusive(Reason::Input(mistake), _) = verdict else { continue };
        match errors.iter_mut().find(|(known, _)| *known == &**mistake) {
            Some((_, places)) => places.push(place),
            None => errors.push((mistake, vec![place])),
        }
    }
    let reported = |(mistake, places): (&Mistake, Vec<String>)| {
        let note = format!("without an answer: {}", places.join(", "));
        Mistake { error: mistake.error.clone().note(note), of_spec: mistake.of_spec }
    };
    errors.into_iter().map(reported).collect()
}

/// Remarks about answers that are none, or not the last word; the same remark is made once, for
/// all the places that it is about.
pub fn footnotes<'r>(answers: impl Iterator<Item = (String, &'r Verdict)>) -> String {
    let mut remarks: Vec<(String, Vec<String>)> = Vec::new();
    for (place, verdict) in answers {
        let Some(remark) = remark(verdict) else { continue };
        match remarks.iter_mut().find(|(known, _)| *known == remark) {
            Some((_, places)) => places.push(place),
            None => remarks.push((remark, vec![place])),
        }
    }
    remarks.iter().map(|(remark, places)| format!("\n{}: {remark}\n", places.join(", "))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use execution::diagnostic::Diagnostic;
    use execution::span::Origin;

    fn at(line: u32, (least, most): (u32, u32)) -> Followed {
        let location = Location {
            file: "queue.c".into(),
            origin: Origin::User,
            line,
            column: 5,
            end_column: 9,
        };
        let function = "enqueue".to_string();
        let place = Some(Site { location, function, construct: Construct::Loop });
        Followed { place, least, most }
    }

    #[test]
    fn a_recursion_is_not_a_loop() {
        let mut recursion = at(31, (1, 2));
        recursion.place.iter_mut().for_each(|site| site.construct = Construct::Recursion);
        let text = followed(&recursion);
        assert_eq!(text, "the recursion at queue.c:31 in `enqueue` (1 to 2 calls)");
    }

    #[test]
    fn no_answer_comes_with_what_is_known() {
        let small = vec![at(31, (1, 1))];
        let known = Established {
            observations: Some(12),
            answered: vec![
                Answered { question: Question::Findings, loops: small.clone() },
                Answered { question: Question::Observations, loops: small },
                Answered { question: Question::Bounds, loops: vec![at(31, (1, 3))] },
            ],
            open: Some(Question::Findings),
            ..Established::of_test()
        };
        insta::assert_snapshot!(
            remark(&Verdict::Inconclusive(Reason::Limit(Exceeded::Time), known)).unwrap()
        );
    }

    #[test]
    fn what_is_right_within_bounds_has_a_star_although_there_is_no_answer() {
        let answered = |question| Answered { question, loops: vec![at(31, (1, 1))] };
        let both = vec![answered(Question::Findings), answered(Question::Observations)];
        let known = Established { answered: both, ..Established::of_test() };
        let none = Established { answered: Vec::new(), ..known.clone() };
        let time = |known| Verdict::Inconclusive(Reason::Limit(Exceeded::Time), known);
        assert_eq!(cell(&time(known.clone())), "? time *");
        assert_eq!(cell(&time(none)), "? time");
        let painted = painted_cell(&time(known), 10, Style::Coloured);
        assert_eq!(painted, "\x1b[33m? time *\x1b[0m  ");
    }

    #[test]
    fn states_that_were_visited_are_known() {
        let wanted = vec![Question::States];
        let open = Some(Question::States);
        let known = Established { states: Some(12), wanted, open, ..Established::default() };
        insta::assert_snapshot!(
            remark(&Verdict::Inconclusive(Reason::Limit(Exceeded::Time), known)).unwrap()
        );
    }

    #[test]
    fn an_interrupt_at_the_start_leaves_nothing_known() {
        let known = Established::while_mining();
        let text =
            remark(&Verdict::Inconclusive(Reason::Limit(Exceeded::Interrupted), known)).unwrap();
        assert_eq!(text, "? interrupted; nothing is known: operations were still run one by one");
    }

    #[test]
    fn a_test_without_executions_says_nothing() {
        let thread = Column { number: 2, operations: vec!["r'".to_string()] };
        let outcome = Verdict::Vacuous(Vec::new(), Unfinished::Never(vec![thread]));
        insta::assert_snapshot!(remark(&outcome).unwrap());
    }

    #[test]
    fn an_error_is_reported_once_with_all_its_places() {
        let error = Diagnostic::general("operation `f` does not end");
        let outcome = Verdict::unknown(Reason::Input(Box::new(error.into())));
        let answers = || [("T0 on sc".to_string(), &outcome), ("T0 on tso".to_string(), &outcome)];
        let errors = errors(answers().into_iter());
        assert_eq!(errors.len(), 1);
        assert_eq!(errors[0].error.notes, ["without an answer: T0 on sc, T0 on tso"]);
        assert_eq!(footnotes(answers().into_iter()), "");
    }
}
