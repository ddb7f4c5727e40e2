//! Writes the figures: tables and growth rates to `benchmarks/satcheck.md`, a plot for each program
//! next to the programs.

use super::plot::{Line, svg};
use super::{Form, GOAL_LIMIT, Goal, PROGRAMS, Series};
use crate::root;
use std::fmt::Write;
use std::path::Path;
use std::process::Command;

/// Writes everything.
pub fn write(all: &[Series], goals: &[Goal], limit: u64) -> Result<(), String> {
    let folder = root().join("benchmarks");
    let mut text = format!(
        "# The five programs of the SATCheck evaluation\n\n    cargo run --release -p xtask -- \
         satcheck\n\nwrites this page. The programs are in [satcheck/](satcheck/); N is how often \
         each thread does its work. The asserted form must hold (`--property assert`, all loops \
         covered), the seeded bug must be found and replayed. The coverage form \
         has no assertion: for each branch direction an execution is found that comes to it, or \
         shown that there is none (`--coverage`), which is complete if no loop is cut off. N grows until a run needs more than \
         {limit} processor seconds, everything included. The growth rate is the slope of the last \
         three points with both axes logarithmic: the time grows about as N to this power. \
         Where the states of a program are visited, no formula is made, and the figures of \
         the solver are 0.\n\n{}\n",
        machine()
    );
    text += &wanted(goals);
    text += &summary(all);
    for program in PROGRAMS {
        let own: Vec<&Series> = all.iter().filter(|series| series.program == program).collect();
        if own.is_empty() {
            continue;
        }
        text += &table(program, &own);
        for form in [Form::Asserted, Form::Coverage] {
            let lines = lines(&own, form);
            if lines.is_empty() {
                continue;
            }
            let (picture, title) = match form {
                Form::Asserted => (format!("satcheck/{program}.svg"), "asserted"),
                _ => (format!("satcheck/{program}-coverage.svg"), "coverage"),
            };
            let _ = write!(text, "\n![{title}: seconds over N]({picture})\n");
            save(&folder.join(picture), &svg(&format!("{program}, {title}"), &lines))?;
        }
    }
    save(&folder.join("satcheck.md"), &text)
}

fn save(path: &Path, text: &str) -> Result<(), String> {
    std::fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}

/// When and of what the figures are.
fn machine() -> String {
    let first_line = |program: &str, arguments: &[&str]| {
        let output = Command::new(program).args(arguments).current_dir(root()).output();
        let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
        text.unwrap_or_default().trim().to_string()
    };
    let date = first_line("date", &["+%-d %B %Y"]);
    let commit = first_line("git", &["rev-parse", "--short", "HEAD"]);
    format!("Measured on {date}, at {commit}, on a shared 2-core virtual machine.\n")
}

/// What came of the sizes that we want to reach.
fn wanted(goals: &[Goal]) -> String {
    if goals.is_empty() {
        return String::new();
    }
    let mut out = format!(
        "## The sizes that we want to reach\n\nWithin {GOAL_LIMIT} processor seconds, and a seeded \
         bug within one; s.\n\n| Program | Form | N | sc | tso |\n| --- | --- | ---: | ---: | ---: \
         |\n"
    );
    for pair in goals.chunks(2) {
        let shown = |goal: &Goal| match goal.measured.verdict == goal.form.expected() {
            true => format!("{:.2}", goal.measured.seconds),
            false => goal.measured.verdict.clone(),
        };
        let row: Vec<String> = pair.iter().map(shown).collect();
        let Goal { program, form, n, .. } = &pair[0];
        let _ = writeln!(out, "| {program} | {} | {n} | {} |", form.name(), row.join(" | "));
    }
    out + "\n"
}

/// The largest N for each program, form and model.
fn summary(all: &[Series]) -> String {
    let mut models: Vec<&str> = Vec::new();
    for series in all {
        if !models.contains(&series.model.as_str()) {
            models.push(&series.model);
        }
    }
    let mut out = format!("## The largest N\n\n| Program | Form | {} |\n", models.join(" | "));
    let _ = writeln!(out, "| --- | --- |{}", " ---: |".repeat(models.len()));
    for program in PROGRAMS {
        for form in Form::ALL {
            let of = |model: &&str| {
                let mine = |series: &&Series| {
                    series.program == program && series.form == form && series.model == *model
                };
                all.iter().find(mine)
            };
            let row: Vec<String> = models.iter().filter_map(|m| Some(largest(of(m)?))).collect();
            if !row.is_empty() {
                let _ = writeln!(out, "| {program} | {} | {} |", form.name(), row.join(" | "));
            }
        }
    }
    out
}

fn largest(series: &Series) -> String {
    let n = series.points.last().map_or("–".to_string(), |(n, _)| n.to_string());
    match &series.end {
        Some(_) => n,
        None => format!("≥ {n}"),
    }
}

fn table(program: &str, own: &[&Series]) -> String {
    let mut out = format!("\n## {program}\n");
    for series in own {
        let _ = write!(
            out,
            "\n**{} on {}**{}\n\n| N | s | states | conflicts | variables | clauses | accesses |\n| \
             ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n",
            series.form.name(),
            series.model,
            growth(series).map_or(String::new(), |rate| format!(": grows as N^{rate:.1}"))
        );
        for (n, m) in &series.points {
            let _ = writeln!(
                out,
                "| {n} | {:.2} | {} | {} | {} | {} | {} |",
                m.seconds, m.states, m.conflicts, m.variables, m.clauses, m.accesses
            );
        }
        if let Some((n, why)) = &series.end {
            let _ = writeln!(out, "\nN = {n}: {why}.");
        }
    }
    out
}

/// The slope of the last three points, with both axes logarithmic (least squares).
fn growth(series: &Series) -> Option<f64> {
    let last = series.points.iter().rev().take(3);
    let points: Vec<(f64, f64)> =
        last.map(|(n, m)| (f64::from(*n).ln(), m.seconds.max(0.01).ln())).collect();
    slope(&points)
}

fn slope(points: &[(f64, f64)]) -> Option<f64> {
    if points.len() < 3 {
        return None;
    }
    let count = points.len() as f64;
    let mean_x = points.iter().map(|(x, _)| x).sum::<f64>() / count;
    let mean_y = points.iter().map(|(_, y)| y).sum::<f64>() / count;
    let above: f64 = points.iter().map(|(x, y)| (x - mean_x) * (y - mean_y)).sum();
    let below: f64 = points.iter().map(|(x, _)| (x - mean_x) * (x - mean_x)).sum();
    Some(above / below)
}

fn lines(own: &[&Series], form: Form) -> Vec<Line> {
    own.iter()
        .filter(|series| series.form == form && !series.points.is_empty())
        .map(|series| Line {
            label: series.model.clone(),
            points: series.points.iter().map(|(n, m)| (f64::from(*n), m.seconds)).collect(),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slope_of_a_cube_is_three() {
        let points = [1.0f64, 2.0, 4.0].map(|n| (n.ln(), (n * n * n).ln()));
        assert!((slope(&points).unwrap() - 3.0).abs() < 1e-9);
        assert_eq!(slope(&points[..2]), None);
    }
}
