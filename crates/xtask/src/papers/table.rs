//! The main table: every test of every variant under sc and relaxed.

use super::PapersOptions;
use super::cell::{Answer, Cell, Measured};
use super::plan::{Expected, IMPLEMENTATIONS, Implementation, MODELS, as_expected};
use super::runner::Runner;
use std::fmt::Write;

/// The figures of one implementation.
pub struct Table {
    name: &'static str,
    columns: Vec<Column>,
}

impl Table {
    /// All figures, with the name of the implementation.
    pub fn cells(&self) -> impl Iterator<Item = (&'static str, &Cell, &Measured)> {
        let cells = self.columns.iter().flat_map(|column| &column.cells);
        cells.map(|(cell, measured)| (self.name, cell, measured))
    }
}

/// The figures of one variant under one model.
struct Column {
    variant: &'static str,
    model: &'static str,
    good: bool,
    cells: Vec<(Cell, Measured)>,
}

/// Measures; says also whether all is as expected.
pub fn tables(runner: &Runner, options: &PapersOptions) -> Result<(Vec<Table>, bool), String> {
    let mut tables = Vec::new();
    for implementation in &IMPLEMENTATIONS {
        let columns = columns(runner, options, implementation)?;
        if !columns.is_empty() {
            tables.push(Table { name: implementation.name, columns });
        }
    }
    let good = tables.iter().flat_map(|table| &table.columns).all(|column| column.good);
    Ok((tables, good))
}

fn columns(
    runner: &Runner,
    options: &PapersOptions,
    implementation: &Implementation,
) -> Result<Vec<Column>, String> {
    let tests = implementation.tests()?;
    let mut columns = Vec::new();
    for variant in implementation.variants {
        for (model, expected) in MODELS.into_iter().zip(variant.expected) {
            let wanted = |test: &&(String, String, usize)| {
                options.wants(implementation.folder, variant.file, &test.0, model)
            };
            let cell = |test| implementation.cell(variant.file, test, model);
            let cells: Vec<Cell> = tests.iter().filter(wanted).map(cell).collect();
            if cells.is_empty() {
                continue;
            }
            let measured = runner.all(&cells);
            // Some of the tests cannot decide whether one of all tests fails.
            let some = expected == Expected::SomeFail && cells.len() < tests.len();
            let good = some || as_expected(expected, &measured);
            let cells = cells.into_iter().zip(measured).collect();
            columns.push(Column { variant: variant.name, model, good, cells });
        }
    }
    Ok(columns)
}

/// All figures.
pub fn markdown(tables: &[Table]) -> String {
    let mut text = String::new();
    for table in tables {
        let _ = writeln!(text, "### {}\n", capital(table.name));
        text += "| Test | variant | model | verdict | loads | stores | variables | clauses | \
                 conflicts | rounds | solver s | outside s | MiB |\n";
        text += "| --- | --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: \
                 | ---: |\n";
        for column in &table.columns {
            for (cell, measured) in &column.cells {
                text += &row(column, cell, measured);
            }
        }
        text += "\n";
    }
    text
}

fn row(column: &Column, cell: &Cell, measured: &Measured) -> String {
    let Measured { answer, accesses, formula, conflicts, rounds, solver, outside, memory, .. } =
        measured;
    let Column { variant, model, .. } = column;
    let answer = answer.short();
    let memory = memory.map_or_else(|| "–".to_string(), |memory| memory.to_string());
    let test = &cell.test;
    format!(
        "| {test} | {variant} | {model} | {answer} | {} | {} | {} | {} | {conflicts} | {rounds} | \
         {solver:.2} | {outside:.2} | {memory} |\n",
        accesses.0, accesses.1, formula.0, formula.1,
    )
}

/// One line for each variant.
pub fn short(tables: &[Table]) -> String {
    let mut text = String::from(
        "| Implementation | variant | model | hold | fail | out of time | slowest that ended |\n\
         | --- | --- | --- | ---: | --- | --- | --- |\n",
    );
    for table in tables {
        for column in &table.columns {
            let names = |wanted: &dyn Fn(&Answer) -> bool| {
                let fit = column.cells.iter().filter(|(_, measured)| wanted(&measured.answer));
                let names: Vec<&str> = fit.map(|(cell, _)| cell.test.as_str()).collect();
                if names.is_empty() { "–".to_string() } else { names.join(" ") }
            };
            let hold =
                |answer: &Answer| matches!(answer, Answer::Holds | Answer::HoldsWithinBounds(_));
            let holding = column.cells.iter().filter(|(_, m)| hold(&m.answer)).count();
            let fail = names(&Answer::is_violated);
            let open = names(&|answer| *answer == Answer::OutOfTime);
            let _ = writeln!(
                text,
                "| {} | {} | {} | {holding} of {} | {fail} | {open} | {} |",
                table.name,
                column.variant,
                column.model,
                column.cells.len(),
                slowest(column),
            );
        }
    }
    text
}

fn slowest(column: &Column) -> String {
    let time = |measured: &Measured| measured.solver + measured.outside;
    let ended = column.cells.iter().filter(|(_, m)| m.answer != Answer::OutOfTime);
    match ended.max_by(|a, b| time(&a.1).total_cmp(&time(&b.1))) {
        Some((cell, measured)) => format!("{}: {:.1} s", cell.test, time(measured)),
        None => "–".to_string(),
    }
}

fn capital(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect()
}
