//! What is spent before the last round: the formula is built anew in each.

use super::table::Table;
use std::fmt::Write;

/// Tests that took fewer processor seconds than this are left out.
const LEAST: f64 = 0.5;

const HEAD: &str = "## Rounds

Each round unrolls the test and builds its formulas anew (why, is said in ARCHITECTURE.md). What
that costs, in processor seconds, for tests on `relaxed` that hold after more than one round and
take at least half a second: *building* is unrolling and encoding, *solving* the rest; *earlier*
is everything before the last round.

| Implementation | test | rounds | last: building | last: solving | earlier: building | earlier: solving | earlier of all |
| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |
";

/// The table.
pub fn markdown(tables: &[Table]) -> String {
    let mut text = HEAD.to_string();
    for (name, cell, measured) in tables.iter().flat_map(Table::cells) {
        let (solver, outside) = (measured.solver, measured.outside);
        let holds = matches!(measured.answer, super::cell::Answer::Holds);
        let long = solver + outside >= LEAST && measured.rounds > 1;
        if cell.model != "relaxed" || !holds || !long {
            continue;
        }
        let (earlier_solver, earlier_outside) = measured.earlier;
        let share = (earlier_solver + earlier_outside) / (solver + outside);
        let _ = writeln!(
            text,
            "| {name} ({}) | {} | {} | {:.2} | {:.2} | {earlier_outside:.2} | {earlier_solver:.2} \
             | {:.0} % |",
            cell.file,
            cell.test,
            measured.rounds,
            outside - earlier_outside,
            solver - earlier_solver,
            100.0 * share,
        );
    }
    text
}
