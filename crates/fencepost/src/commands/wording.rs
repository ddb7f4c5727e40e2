//! Answers in words: in tables, and below them.

use super::exit;
use engines::inclusion::Progress;
use execution::span::Location;
use fencepost::check::cell::{Bound, BoundKind, Mistake, Outcome, Unfinished, Violated, Why};
use fencepost::check::established::{Established, Loop};

/// An answer in a table.
pub fn cell(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Holds => "holds",
        Outcome::HoldsWithinBounds(_) => "holds*",
        Outcome::Vacuous(..) => "! vacuous",
        Outcome::Violated(_) => "VIOLATED",
        Outcome::Inconclusive(why, _) => match why {
            Why::OutOfTime => "? time",
            Why::OutOfMemory => "? memory",
            Why::Interrupted => "? stopped",
            Why::Unsupported { .. } => "? cannot",
            Why::Cut { .. } => "? cut",
            Why::Input(_) => "! error",
            Why::Mismatch(_) | Why::Internal(_) => "? our bug",
        },
    }
}

/// An answer in data files.
pub fn verdict(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Holds => "holds",
        Outcome::HoldsWithinBounds(_) => "holds-within-bounds",
        Outcome::Vacuous(..) => "vacuous",
        Outcome::Violated(_) => "violated",
        Outcome::Inconclusive(Why::Input(_), _) => "error",
        Outcome::Inconclusive(..) => "inconclusive",
    }
}

/// What there is to say below the table.
pub fn remark(outcome: &Outcome) -> Option<String> {
    match outcome {
        Outcome::Holds | Outcome::Violated(_) => None,
        // An error is shown with its place in the source, see [`errors`].
        Outcome::Inconclusive(Why::Input(_), _) => None,
        Outcome::HoldsWithinBounds(bounds) => {
            let (blocks, loops): (Vec<&Bound>, Vec<&Bound>) =
                bounds.iter().partition(|bound| bound.kind == BoundKind::Allocation);
            let list =
                |bounds: Vec<&Bound>| bounds.into_iter().map(bound).collect::<Vec<_>>().join(", ");
            let go_on =
                format!("executions can go on in {}{}", list(loops.clone()), advice(&loops));
            let other = format!("executions can ask for other sizes in {}", list(blocks.clone()));
            Some(match (loops.is_empty(), blocks.is_empty()) {
                (_, true) => format!("* holds as far as loops were followed; {go_on}"),
                (true, false) => format!("* holds for the sizes that were looked at; {other}"),
                (false, false) => {
                    format!("* holds as far as loops were followed; {go_on}; {other}")
                }
            })
        }
        Outcome::Vacuous(bounds, unfinished) => Some(vacuous(bounds, unfinished)),
        Outcome::Inconclusive(why, established) => {
            Some(format!("{}{}", reason(why), self::established(established, why)))
        }
    }
}

/// The option that lets loops be followed further, if it can.
fn advice(bounds: &[&Bound]) -> &'static str {
    match bounds.iter().all(|bound| bound.is_fixed) {
        true => "",
        false => " (--max-unroll)",
    }
}

fn bound(bound: &Bound) -> String {
    let Bound { location, function, iterations, kind, .. } = bound.clone();
    followed(&Loop { location, function, iterations: (iterations, iterations), kind })
}

/// `the loop at f.c:31 in `f` (1 to 2 iterations)`.
fn followed(followed: &Loop) -> String {
    let Loop { location, function, iterations: (least, most), kind } = followed;
    let place = match location {
        Some(location) => format!("at {}:{}", location.file, location.line),
        None => "without a place in the source".to_string(),
    };
    let (what, time) = match kind {
        BoundKind::Recursion => ("recursion", "call"),
        BoundKind::Loop => ("loop", "iteration"),
        BoundKind::Allocation => ("allocation", "size"),
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
            format!(" while loops are followed only so far: {loops}{advice}")
        }
    };
    let why = match unfinished {
        Unfinished::NotTogether => {
            "each thread can come to its end, but not all of them in one execution".to_string()
        }
        Unfinished::Never(threads) => {
            let thread = |(number, operations): &(usize, Vec<String>)| {
                format!("thread {number} ({})", operations.join(" "))
            };
            let never = match threads.len() {
                1 => "never comes to its end",
                _ => "never come to their ends",
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
        "! this says nothing: no execution of the test comes to its end{within}; {why}. A prime \
         keeps retry loops to one iteration; without it they are followed"
    )
}

/// What is known where there is no answer, as the end of a sentence; nothing where nobody asked.
pub fn established(established: &Established, why: &Why) -> String {
    if matches!(
        why,
        Why::Unsupported { .. }
            | Why::Cut { .. }
            | Why::Input(_)
            | Why::Mismatch(_)
            | Why::Internal(_)
    ) {
        return String::new();
    }
    let Established { observations, states, answered, open, wanted, is_mining } = established;
    if *is_mining {
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
    // Questions with the same answer are told together.
    let mut told: Vec<(&[Loop], Vec<&str>)> = Vec::new();
    for (question, loops) in answered {
        match told.iter_mut().find(|(same, _)| *same == &loops[..]) {
            Some((_, questions)) => questions.push(answer(*question)),
            None => told.push((loops, vec![answer(*question)])),
        }
    }
    for (loops, answers) in told {
        let only_bounds = answers == [answer(Progress::Bounds)];
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
    let is_open = |question: &Progress| {
        let known = answered.iter().any(|(known, _)| known == question);
        *open == Some(*question) || !known && wanted.contains(question)
    };
    let rest: Vec<&str> = QUESTIONS.into_iter().filter(is_open).map(doubt).collect();
    format!(".\n  Established: {}.\n  Not answered: {}", known.join("; "), rest.join("; "))
}

/// All questions, in the order in which they are told.
const QUESTIONS: [Progress; 9] = [
    Progress::States,
    Progress::Findings,
    Progress::Observations,
    Progress::Bounds,
    Progress::Ends,
    Progress::Waiting,
    Progress::Leaks,
    Progress::Coverage,
    Progress::Outcomes,
];

/// The answer no to a question.
fn answer(question: Progress) -> &'static str {
    match question {
        Progress::States => "there are no other states",
        Progress::Findings => "nothing goes wrong",
        Progress::Observations => "clients see nothing that is not serial",
        Progress::Bounds => "no execution leaves the bounds",
        Progress::Ends => "no execution comes to its end",
        Progress::Waiting => "nothing waits for ever",
        Progress::Leaks => "nothing is lost",
        Progress::Coverage => "nothing else is reached",
        Progress::Outcomes => "there are no other outcomes",
    }
}

/// A question that is open.
fn doubt(question: Progress) -> &'static str {
    match question {
        Progress::States => "are there other states",
        Progress::Findings => "does something go wrong",
        Progress::Observations => "do clients see what is not serial",
        Progress::Bounds => "does an execution leave the bounds",
        Progress::Ends => "does an execution come to its end",
        Progress::Waiting => "does something wait for ever",
        Progress::Leaks => "is something lost",
        Progress::Coverage => "is something else reached",
        Progress::Outcomes => "are there other outcomes",
    }
}

/// Why there is no answer, in words.
pub fn reason(why: &Why) -> String {
    match why {
        Why::OutOfTime => "? no answer within --time-limit".to_string(),
        Why::OutOfMemory => "? no answer within --memory-limit".to_string(),
        Why::Interrupted => "? interrupted".to_string(),
        Why::Unsupported { what, location: Some(location) } => {
            format!("? not supported: {what}, at {}:{}", location.file, location.line)
        }
        Why::Unsupported { what, location: None } => format!("? not supported: {what}"),
        Why::Cut { what, location, every } => {
            let place = |at: &Location| format!(" at {}:{}", at.file, at.line);
            let place = location.as_ref().map(place).unwrap_or_default();
            let executions = match every {
                true => format!("every execution ends{place} ({what}) or before"),
                false => format!("some executions end{place} ({what})"),
            };
            format!("? what lies past a finding is not known: {executions}")
        }
        Why::Input(mistake) => format!("! error: {}", mistake.error.message),
        Why::Mismatch(what) => format!(
            "? MISTAKE IN FENCEPOST: an execution was found that its replay does not confirm \
             ({what}). Please report this, with the program and the test; the answer is unknown"
        ),
        Why::Internal(what) => format!(
            "? MISTAKE IN FENCEPOST: internal error ({what}). Please report this, with the program; \
             the answer is unknown"
        ),
    }
}

/// A violation in a line.
pub fn brief(violated: &Violated) -> String {
    use report::counterexample::{Problem, Shown};
    match &violated.story.problem {
        Problem::Observation { seen, .. } | Problem::CommitPoints { seen, .. } => {
            let one = |shown: &Shown| format!("{}: {}", shown.operation, shown.seen);
            seen.iter().map(one).collect::<Vec<_>>().join("; ")
        }
        Problem::Finding(finding) => report::finding::title(finding),
        Problem::Serial { finding, .. } => {
            format!("{}, already in a serial execution", report::finding::title(finding))
        }
        Problem::Flag { name, .. } | Problem::Reached(name) => name.clone(),
    }
}

/// The exit code of these answers together.
pub fn exit_code<'r>(outcomes: impl Iterator<Item = &'r Outcome>) -> u8 {
    let code = |outcome: &Outcome| match outcome {
        Outcome::Violated(_) => exit::VIOLATED,
        Outcome::Inconclusive(Why::Input(_), _) => exit::INPUT,
        Outcome::HoldsWithinBounds(_) | Outcome::Vacuous(..) | Outcome::Inconclusive(..) => {
            exit::INCONCLUSIVE
        }
        Outcome::Holds => exit::HOLDS,
    };
    let codes: Vec<u8> = outcomes.map(code).collect();
    let worst = [exit::INPUT, exit::VIOLATED, exit::INCONCLUSIVE];
    worst.into_iter().find(|code| codes.contains(code)).unwrap_or(exit::HOLDS)
}

/// Mistakes in the input that only execution shows; the same mistake is told once, with all the
/// places that it is about.
pub fn errors<'r>(answers: impl Iterator<Item = (String, &'r Outcome)>) -> Vec<Mistake> {
    let mut errors: Vec<(&Mistake, Vec<String>)> = Vec::new();
    for (place, outcome) in answers {
        let Outcome::Inconclusive(Why::Input(mistake), _) = outcome else { continue };
        match errors.iter_mut().find(|(known, _)| *known == &**mistake) {
            Some((_, places)) => places.push(place),
            None => errors.push((mistake, vec![place])),
        }
    }
    let told = |(mistake, places): (&Mistake, Vec<String>)| {
        let note = format!("without an answer: {}", places.join(", "));
        Mistake { error: mistake.error.clone().note(note), of_spec: mistake.of_spec }
    };
    errors.into_iter().map(told).collect()
}

/// Remarks about answers that are none, or not the last word; the same remark is made once, for
/// all the places that it is about.
pub fn footnotes<'r>(answers: impl Iterator<Item = (String, &'r Outcome)>) -> String {
    let mut remarks: Vec<(String, Vec<String>)> = Vec::new();
    for (place, outcome) in answers {
        let Some(remark) = remark(outcome) else { continue };
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
    use execution::span::{Location, Origin};

    fn at(line: u32, iterations: (u32, u32)) -> Loop {
        let location = Location {
            file: "queue.c".into(),
            origin: Origin::User,
            line,
            column: 5,
            end_column: 9,
        };
        let function = "enqueue".to_string();
        Loop { location: Some(location), function, iterations, kind: BoundKind::Loop }
    }

    #[test]
    fn a_recursion_is_no_loop() {
        let kind = BoundKind::Recursion;
        let text = followed(&Loop { kind, ..at(31, (1, 2)) });
        assert_eq!(text, "the recursion at queue.c:31 in `enqueue` (1 to 2 calls)");
    }

    #[test]
    fn no_answer_comes_with_what_is_known() {
        let small = vec![at(31, (1, 1))];
        let known = Established {
            observations: Some(12),
            answered: vec![
                (Progress::Findings, small.clone()),
                (Progress::Observations, small),
                (Progress::Bounds, vec![at(31, (1, 3))]),
            ],
            open: Some(Progress::Findings),
            ..Established::nothing()
        };
        insta::assert_snapshot!(remark(&Outcome::Inconclusive(Why::OutOfTime, known)).unwrap());
    }

    #[test]
    fn states_that_were_visited_are_known() {
        let wanted = vec![Progress::States];
        let open = Some(Progress::States);
        let known = Established { states: Some(12), wanted, open, ..Established::default() };
        insta::assert_snapshot!(remark(&Outcome::Inconclusive(Why::OutOfTime, known)).unwrap());
    }

    #[test]
    fn an_interrupt_at_the_beginning_leaves_nothing_known() {
        let known = Established { is_mining: true, ..Established::default() };
        let text = remark(&Outcome::Inconclusive(Why::Interrupted, known)).unwrap();
        assert_eq!(text, "? interrupted; nothing is known: operations were still run one by one");
    }

    #[test]
    fn a_test_without_executions_says_nothing() {
        let thread = (2, vec!["r'".to_string()]);
        let outcome = Outcome::Vacuous(Vec::new(), Unfinished::Never(vec![thread]));
        insta::assert_snapshot!(remark(&outcome).unwrap());
        assert_eq!(exit_code([&outcome].into_iter()), exit::INCONCLUSIVE);
    }

    #[test]
    fn an_error_is_told_once_and_counts_more_than_any_answer() {
        let error = Diagnostic::general("operation `f` does not end");
        let outcome = Outcome::unknown(Why::Input(Box::new(error.into())));
        let answers = || [("T0 on sc".to_string(), &outcome), ("T0 on tso".to_string(), &outcome)];
        let errors = errors(answers().into_iter());
        assert_eq!(errors.len(), 1);
        assert_eq!(errors[0].error.notes, ["without an answer: T0 on sc, T0 on tso"]);
        assert_eq!(footnotes(answers().into_iter()), "");
        let bounded = Outcome::HoldsWithinBounds(Vec::new());
        assert_eq!(exit_code([&bounded, &outcome].into_iter()), exit::INPUT);
    }
}
