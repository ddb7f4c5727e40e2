//! An execution as SVG: a column per thread, program order downwards, other edges as arcs.
//!
//! A layered layout with the layers given: threads are columns and program order is the vertical
//! axis, so nothing is left to choose but how arcs avoid each other. Arcs between columns leave
//! and enter boxes at the sides; several arcs between the same two boxes are fanned out; arcs
//! within a column bulge to one side, the further the longer they are. A label stands on its arc,
//! near the middle, at the first place where it covers neither a box nor another label.

use super::text::names;
use super::{Edge, Kind, Picture};
use crate::printable::printable;
use execution::event::EventId;
use std::collections::BTreeMap;
use std::fmt::Write;

const COLUMN: f64 = 250.0;
const ROW: f64 = 84.0;
const MARGIN: f64 = 90.0;
const TOP: f64 = 84.0;
const BOX_HEIGHT: f64 = 30.0;
/// The width of a character of the font, roughly.
const CHARACTER: f64 = 7.6;

#[derive(Clone, Copy)]
struct Node {
    x: f64,
    y: f64,
    width: f64,
}

/// Draws an execution as SVG.
pub fn draw(picture: &Picture<'_>) -> String {
    let names = names(picture);
    let nodes = place(picture, &names);
    let right = nodes.values().map(|node| node.x + node.width / 2.0).fold(300.0, f64::max);
    let bottom = nodes.values().map(|node| node.y + BOX_HEIGHT).fold(100.0, f64::max);
    let title_width = picture.title.chars().count() as f64 * 9.0;
    let (width, height) = ((right + MARGIN).max(title_width + 40.0), bottom + 70.0);
    let mut out = String::new();
    header(&mut out, width, height);
    let _ =
        writeln!(out, "<text x=\"20\" y=\"26\" class=\"title\">{}</text>", escape(&picture.title));
    let initial = picture.initial().len();
    let shift = if initial > 0 { ROW } else { 0.0 };
    for (index, (thread, _)) in picture.threads().iter().enumerate() {
        let (x, y) = (column(index), TOP + shift - 24.0);
        let _ = writeln!(out, "<text x=\"{x}\" y=\"{y}\" class=\"thread\">{thread}</text>");
    }
    let mut labels = Labels::beside(&nodes);
    let edges = picture.edges();
    for (index, edge) in edges.iter().enumerate() {
        let same = |e: &&Edge| {
            (e.from, e.to) == (edge.from, edge.to) || (e.from, e.to) == (edge.to, edge.from)
        };
        let before = edges[..index].iter().filter(same).count();
        let count = edges.iter().filter(same).count();
        arc(&mut out, &mut labels, &nodes, edge, before, count);
    }
    for (id, node) in &nodes {
        node_box(&mut out, picture, &names, *id, *node);
    }
    out.push_str(&labels.out);
    if let Some(remark) = &picture.remark {
        let y = height - 20.0;
        let _ =
            writeln!(out, "<text x=\"20\" y=\"{y}\" class=\"remark\">{}</text>", escape(remark));
    }
    out.push_str("</svg>\n");
    out
}

fn header(out: &mut String, width: f64, height: f64) {
    let _ = writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
         viewBox=\"0 0 {width:.0} {height:.0}\">"
    );
    out.push_str(
        "<style>text{font-family:'DejaVu Sans Mono',Menlo,Consolas,monospace;font-size:12px}\
         .title{font-size:15px;font-weight:bold}.thread{font-weight:bold;text-anchor:middle}\
         .event{text-anchor:middle}.remark{fill:#b00020}.edge{text-anchor:middle;font-size:11px}\
         path{fill:none}</style>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n<defs>\n",
    );
    for kind in KINDS {
        let (name, colour) = (kind.name(), colour(kind));
        let _ = writeln!(
            out,
            "<marker id=\"{name}\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" markerWidth=\"8\" \
             markerHeight=\"8\" markerUnits=\"userSpaceOnUse\" orient=\"auto\">\
             <path d=\"M0,1 L10,5 L0,9 z\" style=\"fill:{colour}\"/></marker>"
        );
    }
    out.push_str("</defs>\n");
}

const KINDS: [Kind; 9] = [
    Kind::Po,
    Kind::Addr,
    Kind::Data,
    Kind::Ctrl,
    Kind::Rmw,
    Kind::Rf,
    Kind::Co,
    Kind::Fr,
    Kind::Derived,
];

fn colour(kind: Kind) -> &'static str {
    match kind {
        Kind::Po => "#777777",
        Kind::Addr | Kind::Data | Kind::Ctrl => "#3b7d23",
        Kind::Rmw => "#7b3fa0",
        Kind::Rf => "#c62828",
        Kind::Co => "#8a5a00",
        Kind::Fr => "#e07000",
        Kind::Derived => "#1f4fa3",
    }
}

fn column(index: usize) -> f64 {
    MARGIN + 60.0 + index as f64 * COLUMN
}

fn place(picture: &Picture<'_>, names: &BTreeMap<EventId, String>) -> BTreeMap<EventId, Node> {
    let mut nodes = BTreeMap::new();
    let text_width = |id: EventId| caption(picture, names, id).chars().count() as f64 * CHARACTER;
    let threads = picture.threads();
    let edges = picture.edges();
    // Each initial write stands near the threads that it has to do with.
    let near = |id: &EventId| {
        let columns: Vec<usize> = edges
            .iter()
            .filter(|edge| edge.from == *id)
            .filter_map(|edge| threads.iter().position(|(_, events)| events.contains(&edge.to)))
            .collect();
        columns.iter().sum::<usize>() * 1000 / columns.len().max(1)
    };
    let mut initial = picture.initial();
    initial.sort_by_key(near);
    let mut free = 0.0;
    for &id in &initial {
        let width = text_width(id) + 16.0;
        let wanted = column(0) + near(&id) as f64 / 1000.0 * COLUMN + COLUMN * 0.42;
        let x = wanted.max(free + width / 2.0);
        free = x + width / 2.0 + 24.0;
        nodes.insert(id, Node { x, y: TOP - 22.0, width });
    }
    let shift = if initial.is_empty() { 0.0 } else { ROW };
    for (index, (_, events)) in threads.iter().enumerate() {
        for (row, &id) in events.iter().enumerate() {
            let (x, y) = (column(index), TOP + shift + row as f64 * ROW);
            nodes.insert(id, Node { x, y, width: text_width(id) + 18.0 });
        }
    }
    nodes
}

fn caption(picture: &Picture<'_>, names: &BTreeMap<EventId, String>, id: EventId) -> String {
    let label = picture.label(id);
    if picture.execution.events[id].thread.is_none() {
        return label;
    }
    format!("{}: {label}", names[&id])
}

fn node_box(
    out: &mut String,
    picture: &Picture<'_>,
    names: &BTreeMap<EventId, String>,
    id: EventId,
    node: Node,
) {
    let on_cycle = picture.cycle.contains(&id);
    let initial = picture.execution.events[id].thread.is_none();
    let stroke = if on_cycle { "#c62828" } else { "#444444" };
    let fill = if on_cycle {
        "#fdecea"
    } else if initial {
        "#f2f2f2"
    } else {
        "#ffffff"
    };
    let (x, y) = (node.x - node.width / 2.0, node.y);
    let _ = writeln!(
        out,
        "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{BOX_HEIGHT}\" rx=\"6\" \
         fill=\"{fill}\" stroke=\"{stroke}\" stroke-width=\"{}\"{}>",
        node.width,
        if on_cycle { 2 } else { 1 },
        match picture.notes.get(&id) {
            Some(note) => format!("><title>{}</title></rect", escape(note)),
            None => "/".to_string(),
        }
    );
    let _ = writeln!(
        out,
        "<text x=\"{:.1}\" y=\"{:.1}\" class=\"event\">{}</text>",
        node.x,
        node.y + BOX_HEIGHT / 2.0 + 4.0,
        escape(&caption(picture, names, id))
    );
}

/// Draws an edge; `before` of `count` edges between the same two boxes come before it.
fn arc(
    out: &mut String,
    labels: &mut Labels,
    nodes: &BTreeMap<EventId, Node>,
    edge: &Edge,
    before: usize,
    count: usize,
) {
    let (Some(&a), Some(&b)) = (nodes.get(&edge.from), nodes.get(&edge.to)) else { return };
    let fan = before as f64 - (count as f64 - 1.0) / 2.0;
    let same_column = (a.x - b.x).abs() < 1.0;
    let middle = |node: Node| node.y + BOX_HEIGHT / 2.0;
    let adjacent = same_column && (b.y - a.y - ROW).abs() < 1.0;
    let straight = adjacent && edge.kind == Kind::Po;
    let (start, control, end) = if straight {
        let (from, to) = ((a.x, a.y + BOX_HEIGHT), (b.x, b.y));
        (from, ((from.0 + to.0) / 2.0, (from.1 + to.1) / 2.0), to)
    } else if same_column {
        let local = matches!(edge.kind, Kind::Po | Kind::Addr | Kind::Data | Kind::Ctrl);
        let side = if local { 1.0 } else { -1.0 };
        let from = (a.x + side * a.width / 2.0, middle(a));
        let to = (b.x + side * b.width / 2.0, middle(b));
        let bulge = 34.0 + (a.y - b.y).abs() * 0.22 + before as f64 * 36.0;
        let out_most = if side < 0.0 { from.0.min(to.0) } else { from.0.max(to.0) };
        (from, (out_most + side * bulge, (from.1 + to.1) / 2.0), to)
    } else {
        let direction = (b.x - a.x).signum();
        let from = (a.x + direction * a.width / 2.0, middle(a) + fan * 7.0);
        let to = (b.x - direction * b.width / 2.0, middle(b) + fan * 7.0);
        // Between boxes of one row an arc rises above those that lie between.
        let apart = (b.x - a.x).abs() / COLUMN;
        let bend = if (a.y - b.y).abs() < 1.0 { 20.0 - 50.0 * apart } else { 0.0 };
        (from, ((from.0 + to.0) / 2.0, (from.1 + to.1) / 2.0 + bend + fan * 34.0), to)
    };
    let colour = colour(edge.kind);
    let width = if edge.on_cycle { 2.6 } else { 1.3 };
    let dash = if edge.kind == Kind::Derived { " stroke-dasharray=\"6 3\"" } else { "" };
    let _ = writeln!(
        out,
        "<path d=\"M{:.1},{:.1} Q{:.1},{:.1} {:.1},{:.1}\" stroke=\"{colour}\" \
         stroke-width=\"{width}\"{dash} marker-end=\"url(#{})\"/>",
        start.0,
        start.1,
        control.0,
        control.1,
        end.0,
        end.1,
        edge.kind.name()
    );
    // Off the middle, so that crossing arcs do not put their labels on top of each other.
    let preferred = if same_column { 0.5 } else { 0.36 };
    let along = |at: f64| {
        let point = |from: f64, control: f64, to: f64| {
            (1.0 - at) * (1.0 - at) * from + 2.0 * at * (1.0 - at) * control + at * at * to
        };
        let x = point(start.0, control.0, end.0);
        (if straight { x + 14.0 } else { x }, point(start.1, control.1, end.1))
    };
    labels.place(edge, preferred, along);
}

/// The labels of edges, and what they must not cover.
struct Labels {
    out: String,
    taken: Vec<Area>,
}

/// A rectangle: its left, upper, right and lower side.
#[derive(Clone, Copy)]
struct Area(f64, f64, f64, f64);

impl Area {
    /// How much of the two is common.
    fn common(self, other: Area) -> f64 {
        let width = self.2.min(other.2) - self.0.max(other.0);
        let height = self.3.min(other.3) - self.1.max(other.1);
        width.max(0.0) * height.max(0.0)
    }
}

impl Labels {
    fn beside(nodes: &BTreeMap<EventId, Node>) -> Self {
        let area = |node: &Node| {
            let half = node.width / 2.0;
            Area(node.x - half, node.y, node.x + half, node.y + BOX_HEIGHT)
        };
        Self { out: String::new(), taken: nodes.values().map(area).collect() }
    }

    /// Writes an edge's name on its arc, as near to the preferred place as there is room.
    fn place(&mut self, edge: &Edge, preferred: f64, along: impl Fn(f64) -> (f64, f64)) {
        let name = edge.kind.name();
        let half = name.len() as f64 * 3.6 + 2.0;
        let area = |(x, y): (f64, f64)| Area(x - half, y - 7.0, x + half, y + 7.0);
        let covered = |at: &f64| -> f64 {
            self.taken.iter().map(|taken| taken.common(area(along(*at)))).sum()
        };
        let steps = [0.0, 0.12, -0.12, 0.2, -0.2, 0.28, -0.28, 0.36, -0.3];
        let places = steps.map(|step| preferred + step);
        let free = places.iter().find(|at| covered(at) == 0.0).copied();
        let least = || places.iter().copied().min_by(|a, b| covered(a).total_cmp(&covered(b)));
        let (x, y) = along(free.or_else(least).unwrap_or(preferred));
        self.taken.push(area((x, y)));
        let _ = writeln!(
            self.out,
            "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"14\" fill=\"#fff\" \
             fill-opacity=\"0.85\"/><text x=\"{x:.1}\" y=\"{:.1}\" class=\"edge\" \
             fill=\"{}\"{}>{name}</text>",
            x - half,
            y - 7.0,
            2.0 * half,
            y + 4.0,
            colour(edge.kind),
            if edge.on_cycle { " font-weight=\"bold\"" } else { "" }
        );
    }
}

/// Text for HTML and SVG, between tags and in attributes.
pub fn escape(text: &str) -> String {
    let text = printable(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    text.replace('"', "&quot;").replace('\'', "&#39;")
}
