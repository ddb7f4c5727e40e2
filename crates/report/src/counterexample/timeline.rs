//! The steps of a counterexample as SVG: time goes down, threads stand side by side.

use super::text::{cell, heading, main_file};
use super::{Counterexample, Source, Step};
use crate::picture::svg::escape;
use execution::span::SourceMap;
use std::fmt::Write;

const ROW: f64 = 26.0;
const TOP: f64 = 40.0;
const GUTTER: f64 = 44.0;
/// Between two columns, where arrows run.
const GAP: f64 = 90.0;
/// The width of a character of the font, roughly.
const CHARACTER: f64 = 7.4;

/// Where things stand.
struct Layout {
    /// The left edge and the width of each column.
    columns: Vec<(f64, f64)>,
    /// The line of each step: headings of operations take lines too.
    lines: Vec<usize>,
    /// The headings: column, line, text, and the line after the last step of the operation's part.
    headings: Vec<(usize, usize, String, usize)>,
    height: f64,
    width: f64,
}

/// Draws the steps.
pub fn draw(counterexample: &Counterexample, sources: &SourceMap) -> String {
    let main = main_file(&counterexample.steps);
    let cells: Vec<String> =
        counterexample.steps.iter().map(|step| cell(step, main.as_deref())).collect();
    let layout = Layout::new(counterexample, &cells);
    let (width, height) = (layout.width, layout.height);
    let mut out = format!(
        "<svg class=\"timeline\" xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" \
         height=\"{height:.0}\" viewBox=\"0 0 {width:.0} {height:.0}\">\n{MARKERS}"
    );
    for (column, (x, width)) in counterexample.columns.iter().zip(&layout.columns) {
        let _ = writeln!(
            out,
            "<text x=\"{:.0}\" y=\"22\" class=\"head\">{}</text>",
            x + width / 2.0,
            escape(&column.title)
        );
    }
    for (column, line, text, end) in &layout.headings {
        layout.operation(&mut out, *column, *line, text, *end);
    }
    for (index, step) in counterexample.steps.iter().enumerate() {
        let marked =
            counterexample.reordered.iter().any(|pair| pair.first == index || pair.second == index);
        layout.step(&mut out, index, step, &cells[index], marked, sources);
    }
    for (index, step) in counterexample.steps.iter().enumerate() {
        if let Some(Source::Step(from)) = step.from {
            let columns = (counterexample.steps[from].column, step.column);
            layout.arrow(&mut out, (from, columns.0), (index, columns.1), "rf");
        }
    }
    for pair in &counterexample.reordered {
        let column = counterexample.steps[pair.first].column;
        layout.arrow(&mut out, (pair.first, column), (pair.second, column), "po");
    }
    out.push_str("</svg>\n");
    out
}

/// The other picture of a page has markers and a style sheet too, which apply to the whole page: so
/// these have names of their own, and say their colours themselves.
const MARKERS: &str = "<defs>\
<marker id=\"steps-rf\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"8\" \
markerHeight=\"8\" markerUnits=\"userSpaceOnUse\" orient=\"auto\">\
<path d=\"M0 0 8 4 0 8z\" style=\"fill:#2e7d32\"/></marker>\
<marker id=\"steps-po\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"8\" \
markerHeight=\"8\" markerUnits=\"userSpaceOnUse\" orient=\"auto\">\
<path d=\"M0 0 8 4 0 8z\" style=\"fill:#c62828\"/></marker></defs>\n";

impl Layout {
    fn new(counterexample: &Counterexample, cells: &[String]) -> Self {
        let mut lines = Vec::new();
        let mut headings: Vec<(usize, usize, String, usize)> = Vec::new();
        let mut current: Vec<Option<usize>> = vec![None; counterexample.columns.len()];
        let mut open: Vec<Option<usize>> = vec![None; counterexample.columns.len()];
        let mut line = 0;
        for step in &counterexample.steps {
            let column = &counterexample.columns[step.column];
            if current[step.column] != step.operation {
                current[step.column] = step.operation;
                open[step.column] = None;
                if let Some(shown) = step.operation.and_then(|o| column.operations.get(o)) {
                    open[step.column] = Some(headings.len());
                    headings.push((step.column, line, heading(shown), line + 1));
                    line += 1;
                }
            }
            lines.push(line);
            line += 1;
            if let Some(heading) = open[step.column] {
                headings[heading].3 = line;
            }
        }
        let mut columns = Vec::new();
        let mut x = GUTTER + GAP / 2.0;
        for column in 0..counterexample.columns.len() {
            let own = counterexample.steps.iter().zip(cells);
            let own = own.filter(|(step, _)| step.column == column).map(|(_, cell)| cell.as_str());
            let heads = headings.iter().filter(|h| h.0 == column).map(|h| h.2.as_str());
            let widest = own.chain(heads).map(|text| text.chars().count()).max().unwrap_or(8);
            let width = widest as f64 * CHARACTER + 24.0;
            columns.push((x, width));
            x += width + GAP;
        }
        let height = TOP + line as f64 * ROW + 16.0;
        Self { columns, lines, headings, height, width: x }
    }

    fn y(line: usize) -> f64 {
        TOP + line as f64 * ROW
    }

    fn operation(&self, out: &mut String, column: usize, line: usize, text: &str, end: usize) {
        let (x, width) = self.columns[column];
        let (top, bottom) = (Self::y(line), Self::y(end));
        let _ = writeln!(
            out,
            "<rect class=\"operation\" x=\"{:.0}\" y=\"{top:.0}\" width=\"{:.0}\" \
             height=\"{:.0}\" rx=\"6\"/><text x=\"{:.0}\" y=\"{:.0}\" class=\"name\">{}</text>",
            x - 6.0,
            width + 12.0,
            bottom - top,
            x + 4.0,
            top + 17.0,
            escape(text.trim_start_matches("-- ")).replace(" --", ""),
        );
    }

    fn step(
        &self,
        out: &mut String,
        index: usize,
        step: &Step,
        cell: &str,
        marked: bool,
        sources: &SourceMap,
    ) {
        let (x, width) = self.columns[step.column];
        let y = Self::y(self.lines[index]);
        let class = if marked { "step marked" } else { "step" };
        let _ = writeln!(
            out,
            "<g class=\"{class}\"><title>{}</title><rect x=\"{x:.0}\" y=\"{:.0}\" \
             width=\"{width:.0}\" height=\"{:.0}\" rx=\"4\"/><text x=\"{:.0}\" y=\"{:.0}\" \
             xml:space=\"preserve\">{}</text><text x=\"{:.0}\" y=\"{:.0}\" \
             class=\"number\">{}</text></g>",
            escape(&hover(step, sources)),
            y + 2.0,
            ROW - 4.0,
            x + 8.0,
            y + 17.0,
            escape(cell),
            GUTTER - 8.0,
            y + 17.0,
            index + 1,
        );
    }

    /// An arrow from step to step, each with its column.
    fn arrow(&self, out: &mut String, from: (usize, usize), to: (usize, usize), class: &str) {
        let y = |step: usize| Self::y(self.lines[step]) + ROW / 2.0;
        let (y1, y2) = (y(from.0), y(to.0));
        let (left, right) = (self.columns[from.1], self.columns[to.1]);
        let (x1, x2, c1, c2) = if from.1 == to.1 {
            let bulge = (14.0 + (y2 - y1).abs() / 10.0).min(GAP - 10.0);
            match class {
                "po" => (left.0, left.0, left.0 - bulge, left.0 - bulge),
                _ => {
                    let edge = left.0 + left.1;
                    (edge, edge, edge + bulge, edge + bulge)
                }
            }
        } else if from.1 < to.1 {
            let (x1, x2) = (left.0 + left.1, right.0);
            (x1, x2, x1 + GAP / 2.0, x2 - GAP / 2.0)
        } else {
            let (x1, x2) = (left.0, right.0 + right.1);
            (x1, x2, x1 - GAP / 2.0, x2 + GAP / 2.0)
        };
        let _ = writeln!(
            out,
            "<path class=\"{class}\" marker-end=\"url(#steps-{class})\" \
             d=\"M{x1:.0} {y1:.0} C{c1:.0} {y1:.0} {c2:.0} {y2:.0} {x2:.0} {y2:.0}\"/>"
        );
    }
}

/// What is shown of a step when one points at it.
pub fn hover(step: &Step, sources: &SourceMap) -> String {
    let mut text = String::new();
    if let Some(location) = &step.source {
        let file = sources.file_named(&location.file).map(|id| sources.file(id));
        let line = file.and_then(|file| file.line(location.line)).unwrap_or_default();
        let _ = write!(text, "{}:{}\n{}", location.file, location.line, line.trim());
    }
    if let Some(location) = &step.location {
        let _ = write!(text, "\n{location}");
    }
    text.trim_start_matches('\n').to_string()
}
