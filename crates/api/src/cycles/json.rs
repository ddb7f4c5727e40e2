//! Cycles and fences as one JSON document.

use super::Answer;
use crate::verify::plan::Subject;
use ::cycles::{Cycle, Fence, Order, Point};
use serde::Serialize;

#[derive(Serialize)]
struct Document {
    fencepost: &'static str,
    file: String,
    results: Vec<Found>,
}

#[derive(Serialize)]
struct Found {
    model: String,
    /// Whether there is no cycle at all.
    none: bool,
    count: usize,
    accesses: usize,
    on_cycles: usize,
    cycles: Vec<Ring>,
    /// Pairs that may be on longer cycles.
    longer: Vec<Pair>,
    fence: &'static str,
    fences: Vec<At>,
    /// Pairs between which the program has no place for a fence.
    hidden: Vec<Pair>,
}

#[derive(Serialize)]
struct Ring {
    parts: Vec<Pair>,
    uncut: bool,
}

#[derive(Serialize)]
struct Pair {
    first: Access,
    second: Access,
    relaxed: bool,
    /// The access of a third thread through which the second communicates with the next pair.
    #[serde(skip_serializing_if = "Option::is_none")]
    through: Option<Access>,
}

#[derive(Serialize)]
struct Access {
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<u32>,
    what: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<String>,
    thread: String,
}

#[derive(Serialize)]
struct At {
    side: &'static str,
    access: Access,
}

/// The document.
pub fn document(subject: &Subject, answers: &[Answer]) -> String {
    let document = Document {
        fencepost: env!("CARGO_PKG_VERSION"),
        file: subject.path.display().to_string(),
        results: answers.iter().map(found).collect(),
    };
    serde_json::to_string_pretty(&document).expect("plain data without maps") + "\n"
}

fn found(answer: &Answer) -> Found {
    let analysis = &answer.analysis;
    let pair = |order: &Order| pair(answer, order, None);
    Found {
        model: answer.model.clone(),
        none: answer.is_clean(),
        count: analysis.count,
        accesses: analysis.accesses,
        on_cycles: analysis.on_cycles,
        cycles: analysis.cycles.iter().map(|cycle| ring(answer, cycle)).collect(),
        longer: analysis.longer.iter().map(pair).collect(),
        fence: answer.fence,
        fences: analysis.fences.iter().map(|fence| at(answer, fence)).collect(),
        hidden: analysis.hidden.iter().map(pair).collect(),
    }
}

fn ring(answer: &Answer, cycle: &Cycle) -> Ring {
    let parts = cycle.parts.iter().map(|(order, third)| pair(answer, order, third.as_ref()));
    Ring { parts: parts.collect(), uncut: cycle.uncut }
}

fn pair(answer: &Answer, order: &Order, third: Option<&Point>) -> Pair {
    Pair {
        first: access(answer, &order.first),
        second: access(answer, &order.second),
        relaxed: order.relaxed,
        through: third.map(|point| access(answer, point)),
    }
}

fn at(answer: &Answer, fence: &Fence) -> At {
    let side = if fence.place.before { "before" } else { "after" };
    At { side, access: access(answer, &fence.point) }
}

fn access(answer: &Answer, point: &Point) -> Access {
    let location = answer.location(point);
    Access {
        file: location.map(|at| at.file.to_string()),
        line: location.map(|at| at.line),
        column: location.map(|at| at.column),
        what: point.what,
        path: point.path.clone(),
        thread: point.thread.clone(),
    }
}
