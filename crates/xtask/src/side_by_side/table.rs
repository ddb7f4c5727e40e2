//! The figures of all engines as tables.

use super::{ENGINES, Measured, Row};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// Runs that are shorter than this are the same.
const SAME: f64 = 0.1;

/// What came of a program, on one line.
pub fn line(row: &Row) -> String {
    let Row { program, n, model, engines } = row;
    let cell = |engine: &&str| match engines.get(*engine) {
        Some(Measured { seconds, said: Some(_) }) => format!("{seconds:.2}"),
        Some(Measured { seconds, said: None }) => format!("> {seconds:.2}"),
        None => String::new(),
    };
    let cells: Vec<String> = ENGINES.iter().map(cell).collect();
    format!("| `{program}` | {n} | {model} | {} |", cells.join(" | "))
}

/// How often `auto` takes as long as the engine that answers first, and how far off it is at most.
pub fn summary(rows: &[Row]) -> String {
    let ratio = |row: &Row| -> Option<Result<f64, String>> {
        let (own, others) = row.engines.iter().partition::<Vec<_>, _>(|it| *it.0 == "auto");
        let best = others.iter().filter(|it| it.1.said.is_some());
        let best = best.map(|it| it.1.seconds.max(SAME)).min_by(f64::total_cmp)?;
        let own = own.first()?.1;
        let name = || format!("`{}`, N = {}, {}", row.program, row.n, row.model);
        Some(own.said.as_ref().map(|_| own.seconds.max(SAME) / best).ok_or_else(name))
    };
    let all: Vec<Result<f64, String>> = rows.iter().filter_map(ratio).collect();
    let ratios: Vec<f64> = all.iter().filter_map(|it| it.as_ref().ok()).copied().collect();
    let near = ratios.iter().filter(|&&ratio| ratio <= 1.5).count();
    let most = ratios.iter().copied().max_by(f64::total_cmp).unwrap_or_default();
    let missed: Vec<&String> = all.iter().filter_map(|it| it.as_ref().err()).collect();
    let mut text = format!(
        "{} programs on models, of which some engine answers {}. `auto` takes at most 1.5 times as \
         long as the first of them on {near} (runs of less than {SAME} s count as {SAME} s), and \
         {most:.1} times as long at most.",
        rows.len(),
        all.len()
    );
    if !missed.is_empty() {
        let missed: Vec<&str> = missed.iter().map(|name| name.as_str()).collect();
        let _ = write!(text, " It answers none of these: {}.", missed.join("; "));
    }
    text
}

/// The page.
pub fn page(rows: &[Row], summary: &str, limit: u64) -> String {
    let mut out = format!(
        "# Engines next to each other\n\n`cargo run --release -p xtask -- engines` measures `fencepost \
         verify benchmarks/FILE.c -D N --property assert --property memory --engine E --model M`: \
         processor seconds, all threads together, with a limit of {limit} s; `>` says that there was \
         no answer (the limit, a refusal, or a verdict within bounds) after so many seconds.\n\n\
         {summary}\n\n| Program | N | Model | {} |\n| --- | ---: | --- |{}\n",
        ENGINES.join(" | "),
        " ---: |".repeat(ENGINES.len())
    );
    for row in rows {
        let _ = writeln!(out, "{}", line(row));
    }
    let _ = write!(
        out,
        "\n## Growth\n\nSeconds grow like this power of N between the last two sizes with an answer of \
         more than {SAME} s.\n\n| Program | Model | {} |\n| --- | --- |{}\n",
        ENGINES.join(" | "),
        " ---: |".repeat(ENGINES.len())
    );
    let series: BTreeSet<(&str, &str)> =
        rows.iter().map(|row| (row.program, row.model.as_str())).collect();
    for (program, model) in series {
        let grown: BTreeMap<&str, f64> = ENGINES
            .iter()
            .filter_map(|&engine| Some((engine, exponent(rows, (program, model), engine)?)))
            .collect();
        if grown.is_empty() {
            continue;
        }
        let cell =
            |engine: &&str| grown.get(*engine).map_or(String::new(), |it| format!("{it:.1}"));
        let cells: Vec<String> = ENGINES.iter().map(cell).collect();
        let _ = writeln!(out, "| `{program}` | {model} | {} |", cells.join(" | "));
    }
    out
}

/// How fast the time of an engine grows.
fn exponent(rows: &[Row], (program, model): (&str, &str), engine: &str) -> Option<f64> {
    let points: Vec<(f64, f64)> = rows
        .iter()
        .filter(|row| (row.program, row.model.as_str()) == (program, model))
        .filter_map(|row| {
            let measured = row.engines.get(engine)?;
            let is_long = measured.said.is_some() && measured.seconds >= SAME;
            is_long.then_some((f64::from(row.n), measured.seconds))
        })
        .collect();
    let [.., (n, before), (m, after)] = points[..] else { return None };
    Some((after / before).ln() / (m / n).ln())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(n: u32, figures: &[(&'static str, f64, bool)]) -> Row {
        let one = |&(engine, seconds, answered): &(&'static str, f64, bool)| {
            (engine, Measured { seconds, said: answered.then(|| "holds".to_string()) })
        };
        let engines = figures.iter().map(one).collect();
        Row { program: "p", n, model: "sc".to_string(), engines }
    }

    #[test]
    fn auto_is_compared_with_the_first_that_answers() {
        let rows = [
            row(1, &[("auto", 0.05, true), ("states", 0.01, true), ("sat", 3.0, false)]),
            row(2, &[("auto", 4.0, true), ("states", 1.0, true), ("sat", 0.2, false)]),
            row(3, &[("auto", 9.0, false), ("sat", 8.0, true)]),
            row(4, &[("auto", 9.0, false), ("sat", 8.0, false)]),
        ];
        let text = summary(&rows);
        assert!(
            text.starts_with("4 programs on models, of which some engine answers 3."),
            "{text}"
        );
        assert!(text.contains("on 1 (") && text.contains("4.0 times as long at most"), "{text}");
        assert!(text.ends_with("`p`, N = 3, sc."), "{text}");
    }

    #[test]
    fn growth_is_that_of_the_last_two_answers() {
        let sizes = [(2, 0.5), (4, 1.0), (8, 8.0)];
        let rows: Vec<Row> = sizes.iter().map(|&(n, s)| row(n, &[("sat", s, true)])).collect();
        assert_eq!(exponent(&rows, ("p", "sc"), "sat").map(f64::round), Some(3.0));
        assert_eq!(exponent(&rows[..1], ("p", "sc"), "sat"), None);
    }
}
