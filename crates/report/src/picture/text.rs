//! An execution as text: a column per thread, and a line per edge.

use super::{Edge, Kind, Picture, letter};
use crate::Style;
use crate::printable::painted;
use execution::event::EventId;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Draws an execution as text.
pub fn draw(picture: &Picture<'_>, style: Style) -> String {
    painted(style, |style| drawn(picture, style))
}

fn drawn(picture: &Picture<'_>, style: Style) -> String {
    let names = names(picture);
    let mut out = format!("{}\n", picture.title);
    columns(picture, &names, style, &mut out);
    edges(picture, &names, style, &mut out);
    if let Some(remark) = &picture.remark {
        let _ = writeln!(out, "  {remark}");
    }
    out
}

/// The letter of every event that is drawn, threads first.
pub fn names(picture: &Picture<'_>) -> BTreeMap<EventId, String> {
    let mut names = BTreeMap::new();
    for (_, events) in picture.threads() {
        for id in events {
            names.insert(id, letter(names.len()));
        }
    }
    for id in picture.initial() {
        names.insert(id, format!("init {}", picture.label(id)));
    }
    names
}

fn columns(
    picture: &Picture<'_>,
    names: &BTreeMap<EventId, String>,
    style: Style,
    out: &mut String,
) {
    let threads = picture.threads();
    let cell = |id: &EventId| format!("{}: {}", names[id], picture.label(*id));
    let width = |events: &[EventId]| {
        events.iter().map(|id| cell(id).chars().count()).max().unwrap_or(0).max(4) + 3
    };
    let widths: Vec<usize> = threads.iter().map(|(_, events)| width(events)).collect();
    let _ = write!(out, " ");
    for ((thread, _), width) in threads.iter().zip(&widths) {
        let _ = write!(out, " {:<width$}", thread.to_string());
    }
    trim_line(out);
    let rows = threads.iter().map(|(_, events)| events.len()).max().unwrap_or(0);
    for row in 0..rows {
        let _ = write!(out, " ");
        for ((_, events), width) in threads.iter().zip(&widths) {
            let text = events.get(row).map(cell).unwrap_or_default();
            let on_cycle = events.get(row).is_some_and(|id| picture.cycle.contains(id));
            let padding = width.saturating_sub(text.chars().count());
            let text = if on_cycle { paint(&text, style) } else { text };
            let _ = write!(out, " {text}{:padding$}", "");
        }
        trim_line(out);
    }
}

fn trim_line(out: &mut String) {
    out.truncate(out.trim_end_matches(' ').len());
    out.push('\n');
}

fn paint(text: &str, style: Style) -> String {
    match style {
        Style::Plain => text.to_string(),
        Style::Coloured => format!("\u{1b}[1;31m{text}\u{1b}[0m"),
    }
}

fn edges(picture: &Picture<'_>, names: &BTreeMap<EventId, String>, style: Style, out: &mut String) {
    let all = picture.edges();
    let shown = |edge: &&Edge| edge.kind != Kind::Po && !edge.on_cycle;
    let step = |edge: &Edge| format!("{} -> {}", names[&edge.from], names[&edge.to]);
    let mut lines: BTreeMap<Kind, Vec<String>> = BTreeMap::new();
    for edge in all.iter().filter(shown) {
        lines.entry(edge.kind).or_default().push(step(edge));
    }
    for (kind, list) in lines {
        let _ = writeln!(out, "  {:<5} {}", kind.name(), list.join(", "));
    }
    let Some(&first) = picture.cycle.first() else { return };
    let mut cycle = names.get(&first).cloned().unwrap_or_default();
    for (index, from) in picture.cycle.iter().enumerate() {
        let to = &picture.cycle[(index + 1) % picture.cycle.len()];
        let edge = all.iter().find(|e| e.on_cycle && e.from == *from && e.to == *to);
        let kind = edge.map_or(Kind::Derived, |edge| edge.kind);
        let _ = write!(cycle, " -{}-> {}", kind.name(), names.get(to).cloned().unwrap_or_default());
    }
    let _ = writeln!(out, "  {}", paint(&format!("cycle {cycle}"), style));
}
