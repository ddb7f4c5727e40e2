//! Cycles and fences as text.

use super::Answer;
use ::cycles::{Fence, Order, Point};

/// How many cycles are shown if all are not asked for.
pub const SHOWN: usize = 10;

/// What the analysis says, as text; `all` shows every cycle that was kept.
pub fn text(answer: &Answer, all: bool) -> String {
    let analysis = &answer.analysis;
    let mut lines = vec![headline(answer)];
    let shown = if all { analysis.cycles.len() } else { SHOWN };
    for (number, cycle) in analysis.cycles.iter().take(shown).enumerate() {
        lines.push(String::new());
        let uncut = if cycle.uncut { " (which no fence cuts)" } else { "" };
        lines.push(format!("cycle {}{uncut}:", number + 1));
        for (order, third) in &cycle.parts {
            lines.extend(pair(answer, order));
            lines.extend(third.iter().map(|point| format!("  {}", access(answer, point))));
        }
    }
    if analysis.count > shown.min(analysis.cycles.len()) {
        let more = analysis.count - shown.min(analysis.cycles.len());
        let how = if all { "" } else { "; --all shows them" };
        lines.push(format!("\nand {more} more{how}"));
    }
    if !analysis.longer.is_empty() {
        lines.push("\nmay be on longer cycles:".into());
        let shown = if all { analysis.longer.len() } else { SHOWN };
        for order in analysis.longer.iter().take(shown) {
            lines.extend(pair(answer, order));
        }
        if analysis.longer.len() > shown {
            lines.push(format!("  and {} more pairs", analysis.longer.len() - shown));
        }
    }
    if !analysis.fences.is_empty() {
        lines.push(format!("\nfences that cut all of them, each {}", answer.fence));
        lines.extend(analysis.fences.iter().map(|one| format!("  {}", fence(answer, one))));
    }
    if !analysis.hidden.is_empty() {
        lines.push("\nno place of the program's is between:".into());
        analysis.hidden.iter().for_each(|order| lines.extend(pair(answer, order)));
    }
    lines.join("\n") + "\n"
}

fn counted(count: usize, one: &str) -> String {
    match count {
        1 => format!("1 {one}"),
        count => format!("{count} {one}s"),
    }
}

fn headline(answer: &Answer) -> String {
    let analysis = &answer.analysis;
    let model = &answer.model;
    if answer.is_clean() {
        return format!("{model}: no critical cycle was found");
    }
    let cycles = match (analysis.count, analysis.longer.len()) {
        (0, _) => "no short critical cycle, but longer ones are not excluded".to_string(),
        (count, 0) => counted(count, "critical cycle"),
        (count, _) => {
            format!("{}, and longer ones are not excluded", counted(count, "critical cycle"))
        }
    };
    let (on, all) = (analysis.on_cycles, analysis.accesses);
    format!("{model}: {cycles}; {on} of the {all} accesses are on cycles")
}

/// The two accesses of a pair, a line each.
fn pair(answer: &Answer, order: &Order) -> [String; 2] {
    let mark = if order.relaxed { "  <- may be reordered with the one before" } else { "" };
    [
        format!("  {}", access(answer, &order.first)),
        format!("  {}{mark}", access(answer, &order.second)),
    ]
}

fn access(answer: &Answer, point: &Point) -> String {
    let place = match answer.location(point) {
        Some(at) => format!("{}:{}:{}", at.file, at.line, at.column),
        None => "?".to_string(),
    };
    format!("{place}: {} in {}", named(point), point.thread)
}

fn named(point: &Point) -> String {
    match &point.path {
        Some(path) => format!("{} of {path}", point.what),
        None => point.what.to_string(),
    }
}

fn fence(answer: &Answer, fence: &Fence) -> String {
    let side = if fence.place.before { "before" } else { "after" };
    format!("directly {side} {}", access(answer, &fence.point))
}
