//! A counterexample as a page for a browser, complete in itself: nothing is loaded from anywhere.

use super::text::{
    SHOWN_NEAREST, advised, already, explain, flagged, line, omitted, serial_order, unseen, why,
};
use super::timeline::{self, hover};
use super::{Counterexample, Problem};
use crate::picture::Picture;
use crate::picture::svg::{self, escape};
use crate::{Style, finding};
use execution::span::SourceMap;
use std::fmt::Write;

const STYLE: &str = "\
body{font:15px/1.5 system-ui,sans-serif;margin:2em auto;max-width:1500px;padding:0 1.5em;color:#222}\
h1{font-size:1.35em;margin-bottom:0}h2{font-size:1.1em;margin-top:2em}\
.under{color:#555;margin-top:.2em}pre,table,.timeline text{font-family:'DejaVu Sans Mono',Menlo,\
Consolas,monospace;font-size:13px}pre{background:#f6f6f6;padding:1em;overflow-x:auto;\
border-radius:6px}table{border-collapse:collapse}td{padding:.2em 1.2em .2em 0}\
.seen{color:#b00020;font-weight:bold}.picture{overflow-x:auto;padding-left:3em}.picture svg{overflow:visible}\
.timeline text{font-size:12px}.timeline .head{font-weight:bold;text-anchor:middle;font-size:14px}\
.timeline .name{font-weight:bold;fill:#1a4f8b}.timeline .number{text-anchor:end;fill:#888}\
.operation{fill:#eef4fb;stroke:#9dbbdd}.step rect{fill:#fff;stroke:#ddd}\
.step:hover rect{fill:#fff7d6;stroke:#b58900}.marked rect{stroke:#c62828;stroke-width:1.6}\
.marked text{fill:#b00020}.marked .number{font-weight:bold}\
path.rf{fill:none;stroke:#2e7d32;stroke-width:1.2;opacity:.75}\
path.po{fill:none;stroke:#c62828;stroke-width:1.8;stroke-dasharray:5 3}\
.key{color:#555;font-size:13px}.rf-key{color:#2e7d32}.po-key{color:#c62828}";

/// The page.
pub fn page(counterexample: &Counterexample, sources: &SourceMap) -> String {
    let Counterexample { file, test, model, reordered, .. } = counterexample;
    let title = format!("{test} on {model}");
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <title>{0}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<h1>{0}</h1>\n\
         <p class=\"under\">{1}</p>\n",
        escape(&title),
        escape(file),
    );
    problem(&mut out, counterexample, sources);
    if !counterexample.steps.is_empty() {
        let down = match counterexample.is_in_order {
            true => "time goes down, in an order in which the accesses take effect",
            false => {
                "each thread is in program order (no order of all accesses was found that the \
                 model allows one by one)"
            }
        };
        let _ = writeln!(
            out,
            "<h2>What happens</h2>\n<p class=\"key\">Each line is one access; {down}. <span class=\"rf-key\">Green</span>: \
             which store a load sees. <span class=\"po-key\">Red, dashed</span>: program order \
             that was not kept. Point at a line to see its source.</p>\n<div class=\"picture\">",
        );
        out.push_str(&timeline::draw(counterexample, sources));
        out.push_str("</div>\n");
        for pair in reordered {
            let _ = writeln!(out, "<p>{}</p>", escape(&explain(counterexample, *pair)));
        }
        for text in [unseen(counterexample), advised(counterexample)].into_iter().flatten() {
            let _ = writeln!(out, "<p>{}</p>", escape(&text));
        }
        if let Some(text) = omitted(counterexample) {
            let _ = writeln!(out, "<p class=\"key\">{}</p>", escape(&text));
        }
    }
    if !counterexample.steps.is_empty() && !counterexample.execution.events.is_empty() {
        out.push_str(
            "<h2>Communication between threads (rf, co, fr)</h2>\n<p class=\"key\">The accesses through which threads communicate. \
             Program order goes down; rf: reads from, co: coherence, fr: reads before a write.</p>\n\
             <div class=\"picture\">\n",
        );
        out.push_str(&graph(counterexample, sources));
        out.push_str("</div>\n");
    }
    out.push_str("</body>\n</html>\n");
    out
}

fn problem(out: &mut String, counterexample: &Counterexample, sources: &SourceMap) {
    let message = |found| escape(&finding::message(found).render(sources, Style::Plain));
    match &counterexample.problem {
        Problem::Observation { seen, nearest, impossible } => {
            let _ = writeln!(
                out,
                "<p>The clients see what no serial execution shows:</p>\n<table>\n\
                 <tr><td>seen</td><td class=\"seen\">{}</td></tr>",
                escape(&line(seen))
            );
            for observation in nearest.iter().take(SHOWN_NEAREST) {
                let row = escape(&line(observation));
                let _ = writeln!(out, "<tr><td>serial</td><td>{row}</td></tr>");
            }
            let _ = writeln!(out, "</table>\n<p>{}</p>", escape(&why(seen, nearest)));
            if let Some(text) = already(seen, impossible) {
                let _ = writeln!(out, "<p>{}</p>", escape(&text));
            }
        }
        Problem::CommitPoints { seen, order, serial } => {
            let _ = writeln!(
                out,
                "<p>The operations do not take effect at their commit points: {}</p>\n<p>{}</p>",
                escape(&line(seen)),
                escape(&serial_order(order.as_deref(), serial.as_deref()))
            );
        }
        Problem::Finding(found) => {
            let _ = writeln!(out, "<pre>{}</pre>", message(found));
        }
        Problem::Serial { finding: found, operations } => {
            let _ = writeln!(out, "<pre>{}</pre>", message(found));
            let _ = writeln!(
                out,
                "<p>The operations ran one after the other: {}</p>",
                escape(&line(operations))
            );
        }
        Problem::Reached(what) => {
            let _ = writeln!(out, "<p>An execution that reaches {}.</p>", escape(what));
        }
        Problem::Flag { name, steps } => {
            let text = flagged(name, steps, &counterexample.steps);
            let _ = writeln!(out, "<p>{}</p>", escape(&text));
        }
    }
}

/// The accesses through which threads communicate, as a picture.
pub fn graph(counterexample: &Counterexample, sources: &SourceMap) -> String {
    let steps = counterexample.steps.iter();
    let notes = steps.filter_map(|step| Some((step.event?, hover(step, sources)))).collect();
    svg::draw(&Picture {
        title: String::new(),
        execution: &counterexample.execution,
        cycle: Vec::new(),
        remark: None,
        notes,
    })
}
