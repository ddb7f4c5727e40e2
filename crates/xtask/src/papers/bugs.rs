//! The bugs that the papers found, found again, each by the test that shows it.

use super::PapersOptions;
use super::cell::{Answer, Cell, Measured};
use super::runner::Runner;
use std::fmt::Write;

/// A bug, or the absence of one.
pub struct Claim {
    /// What it is.
    pub what: &'static str,
    /// The C file, below `examples/`.
    pub file: &'static str,
    /// The name of the test, and the test.
    pub test: (&'static str, &'static str),
    /// The model.
    pub model: &'static str,
    /// What is wrong: `observation`, `commit points`, or the name of a finding; nothing, if it
    /// holds.
    pub wrong: Option<&'static str>,
    /// Whether it takes a few seconds at most, in a debug build too.
    pub quick: bool,
    /// Whether the method is that of commit points.
    pub commit_points: bool,
}

const D0: (&str, &str) = ("D0", "( al rr | ar rl )");
const DQ7: (&str, &str) = ("Dq7", "( al' | al' | ar' | rr' | rr' | rl' | rl' )");
const DQ: (&str, &str) = ("Dq", "( al' | al' | ar' | ar' | rl' | rl' | rr' | rr' )");
const T0: (&str, &str) = ("T0", "( e | d )");
const SAC: (&str, &str) = ("Sac", "( a | c )");
/// Two threads take what is there: the smallest tests in which unlocking matters.
const ONE: (&str, &str) = ("one", "e ( d | d )");
const TWO: (&str, &str) = ("two", "e e ( d | d )");

const fn claim(
    what: &'static str,
    file: &'static str,
    test: (&'static str, &'static str),
    model: &'static str,
    wrong: Option<&'static str>,
) -> Claim {
    Claim { what, file, test, model, wrong, quick: true, commit_points: false }
}

const fn slow(claim: Claim) -> Claim {
    Claim { quick: false, ..claim }
}

const fn by_commit_points(claim: Claim) -> Claim {
    Claim { commit_points: true, ..claim }
}

/// All of them. Which fence prevents what is in the table of fences.
pub const CLAIMS: [Claim; 21] = [
    claim(
        "Snark's first bug: a pop says \"empty\" about a deque that never was",
        "snark/snark_published.c",
        D0,
        "sc",
        Some("observation"),
    ),
    claim("… corrected", "snark/snark_first_corrected.c", D0, "sc", None),
    slow(claim(
        "Snark's second bug: one value is popped twice",
        "snark/snark_first_corrected.c",
        DQ7,
        "sc",
        Some("observation"),
    )),
    slow(claim(
        "… by the test of the paper",
        "snark/snark_first_corrected.c",
        DQ,
        "sc",
        Some("observation"),
    )),
    slow(claim("… corrected", "snark/snark_corrected.c", DQ7, "sc", None)),
    claim(
        "The lazy list's `marked` is not initialised",
        "lazylist/lazylist_published.c",
        SAC,
        "sc",
        Some("undefined"),
    ),
    claim("… corrected", "lazylist/lazylist_fenced.c", SAC, "sc", None),
    claim(
        "Two-lock queue without fences: a node is read before it is complete",
        "ms2/ms2_unfenced.c",
        T0,
        "relaxed",
        Some("undefined"),
    ),
    claim("… on tso", "ms2/ms2_unfenced.c", T0, "tso", None),
    claim(
        "The fences of unlock stand after its store",
        "ms2/ms2_late_unlock.c",
        ONE,
        "relaxed",
        Some("use-after-free"),
    ),
    claim("… on sc", "ms2/ms2_late_unlock.c", ONE, "sc", None),
    claim("… in their place", "ms2/ms2_fenced.c", ONE, "relaxed", None),
    claim(
        "A load drifts past the unlocking, and past the next dequeuer's `free`",
        "ms2/ms2_weak_unlock.c",
        TWO,
        "relaxed",
        Some("use-after-free"),
    ),
    claim("… on sc", "ms2/ms2_weak_unlock.c", TWO, "sc", None),
    claim("… with the load-store fence", "ms2/ms2_fenced.c", TWO, "relaxed", None),
    claim(
        "Incomplete initialisation: a node is linked before it is filled",
        "msn/msn_incomplete_node.c",
        T0,
        "relaxed",
        Some("undefined"),
    ),
    claim(
        "Loads that depend on the value of another are not in its order",
        "ms2/ms2_dependent_loads.c",
        T0,
        "relaxed",
        Some("undefined"),
    ),
    claim(
        "Compare-and-swaps change places",
        "msn/msn_reordered_cas.c",
        T0,
        "relaxed",
        Some("null"),
    ),
    claim(
        "A sequence of loads is not in its order",
        "msn/msn_load_sequence.c",
        T0,
        "relaxed",
        Some("null"),
    ),
    by_commit_points(claim(
        "The commit point of a dequeue is guessed one load too early (line 31)",
        "ms2/ms2_commit_at_head.c",
        T0,
        "sc",
        Some("commit points"),
    )),
    by_commit_points(claim("… in its place (line 32)", "ms2/ms2_fenced.c", T0, "sc", None)),
];

impl Claim {
    /// What is checked.
    pub fn cell(&self) -> Cell {
        Cell {
            file: self.file.to_string(),
            test: self.test.0.to_string(),
            notation: self.test.1.to_string(),
            model: self.model.to_string(),
            without_fence: None,
            commit_points: self.commit_points,
        }
    }

    /// Whether this is the answer.
    pub fn agrees(&self, answer: &Answer) -> bool {
        match (self.wrong, answer) {
            (None, Answer::Holds) => true,
            (Some(wrong), Answer::Violated { kind, .. }) => wrong == kind,
            _ => false,
        }
    }
}

/// Measures; says also whether all that finished is as expected.
pub fn bugs(runner: &Runner, options: &PapersOptions) -> (String, bool) {
    let wanted = |claim: &&Claim| {
        let folder = claim.file.split('/').next().unwrap_or_default();
        let name = claim.file.rsplit('/').next().unwrap_or_default();
        (claim.quick || !options.quick) && options.names(&[folder, name, claim.test.0, claim.model])
    };
    let claims: Vec<&Claim> = CLAIMS.iter().filter(wanted).collect();
    let cells: Vec<Cell> = claims.iter().map(|claim| claim.cell()).collect();
    let measured = runner.all(&cells);
    let mut text = String::from(
        "| What | file | test | model | verdict | what is seen, or where | s |\n\
         | --- | --- | --- | --- | --- | --- | ---: |\n",
    );
    let mut good = true;
    for (claim, Measured { answer, solver, outside, .. }) in claims.iter().zip(&measured) {
        let as_expected = claim.agrees(answer) || *answer == Answer::OutOfTime;
        good &= as_expected;
        let Claim { what, file, test: (name, notation), model, .. } = claim;
        let detail = match answer {
            Answer::Violated { text, .. } | Answer::HoldsWithinBounds(text) => text,
            _ => "",
        };
        let verdict = answer.short();
        let mark = if as_expected { "" } else { " (NOT AS EXPECTED)" };
        let seconds = solver + outside;
        let _ = writeln!(
            text,
            "| {what} | `{file}` | {name} `{}` | {model} | {verdict}{mark} | {detail} | \
             {seconds:.1} |",
            notation.replace('|', "\\|"),
        );
    }
    (text, good)
}
