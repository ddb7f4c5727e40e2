//! Fig. 5 of CAV 2006: the two-lock queue with its fences, by commit points on `relaxed`.

use super::PapersOptions;
use super::cell::{Answer, Cell, Measured};
use super::plan::IMPLEMENTATIONS;
use super::runner::Runner;
use std::fmt::Write;

const FOLDER: &str = "ms2";
const FILE: &str = "ms2_fenced.c";
/// The tests of the figure.
const TESTS: [&str; 12] =
    ["T0", "T1", "T53", "T54", "T55", "T56", "Tpc2", "Tpc3", "Tpc4", "Tpc5", "Tpc6", "Tpc7"];

const HEAD: &str = "## Fig. 5 of CAV 2006

The tests of the figure on our two-lock queue with its fences, on `relaxed`, by the method of that
paper (commit points). The paper has the same columns for its own code; its figures were not at
hand (of the paper, only the abstract could be looked up), so there are none to compare with ours.
*Instructions* are those of the unrolled test, all threads together, in the load-store language.

| Test | verdict | instructions | loads | stores | variables | clauses | MiB | seconds | in the paper |
| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |
";

/// Measures; says also whether all that finished hold.
pub fn figure(runner: &Runner, options: &PapersOptions) -> Result<(String, bool), String> {
    let all = IMPLEMENTATIONS.iter().find(|implementation| implementation.folder == FOLDER);
    let queue = all.ok_or("there is no two-lock queue")?;
    let tests = queue.tests()?;
    let wanted = |test: &&(String, String, usize)| {
        TESTS.contains(&&*test.0) && options.wants(FOLDER, FILE, &test.0, "relaxed")
    };
    let cell = |test| Cell { commit_points: true, ..queue.cell(FILE, test, "relaxed") };
    let mut cells: Vec<Cell> = tests.iter().filter(wanted).map(cell).collect();
    cells.sort_by_key(|cell| TESTS.iter().position(|test| *test == cell.test));
    let measured = runner.all(&cells);
    let mut text = HEAD.to_string();
    for (cell, measured) in cells.iter().zip(&measured) {
        text += &row(&cell.test, measured);
    }
    let good = measured.iter().all(|one| matches!(one.answer, Answer::Holds | Answer::OutOfTime));
    Ok((text, good))
}

fn row(test: &str, measured: &Measured) -> String {
    let Measured { answer, instructions, accesses, formula, memory, .. } = measured;
    let mut text = format!("| {test} | {} | {instructions} ", answer.short());
    for number in [accesses.0 as u64, accesses.1 as u64, formula.0, formula.1] {
        let _ = write!(text, "| {number} ");
    }
    let memory = memory.map_or_else(|| "–".to_string(), |memory| memory.to_string());
    let seconds = measured.solver + measured.outside;
    let _ = writeln!(text, "| {memory} | {seconds:.2} | not at hand |");
    text
}
