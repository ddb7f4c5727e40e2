//! The table of a check as a page for a browser, with what there is to say about its answers.

use super::{Row, save};
use crate::check::cell::Outcome;
use crate::check::plan::Subject;
use crate::commands::wording;
use report::picture::svg::escape;
use std::fmt::Write;

const STYLE: &str = "\
body{font:15px/1.5 system-ui,sans-serif;margin:2em auto;max-width:1100px;padding:0 1.5em;color:#222}\
h1{font-size:1.35em}table{border-collapse:collapse}th,td{padding:.25em 1.2em .25em 0;text-align:left}\
td.test,pre{font-family:'DejaVu Sans Mono',Menlo,Consolas,monospace;font-size:13px}\
pre{white-space:pre-wrap}.holds{color:#2e7d32}.violated,.violated a{color:#b00020;font-weight:bold}\
.open{color:#8a6d00}";

/// The page.
pub fn page(subject: &Subject, rows: &[Row]) -> String {
    let title = escape(&subject.path.display().to_string());
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>{title}</title>\n\
         <style>{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n<table>\n<tr><th></th><th></th>"
    );
    for model in &subject.models {
        let _ = write!(out, "<th>{}</th>", escape(&model.name));
    }
    out.push_str("</tr>\n");
    let mut remarks = Vec::new();
    for (index, (test, row)) in subject.tests.iter().zip(rows).enumerate() {
        let name = escape(test.name.as_deref().unwrap_or(""));
        let notation = escape(&test.notation);
        let _ = write!(out, "<tr><td>{name}</td><td class=\"test\">{notation}</td>");
        for (model, answer) in row.iter().enumerate() {
            let Some(answer) = answer else {
                out.push_str("<td></td>");
                continue;
            };
            let word = escape(wording::cell(&answer.outcome));
            let (class, word) = match &answer.outcome {
                Outcome::Holds => ("holds", word),
                Outcome::Violated(_) => {
                    let file = escape(&save::name(subject, index, model));
                    ("violated", format!("<a href=\"{file}.html\">{word}</a>"))
                }
                _ => ("open", word),
            };
            let _ = write!(out, "<td class=\"{class}\">{word}</td>");
            let place = format!("{} on {}", test.title(), subject.models[model].name);
            remarks.push((place, &answer.outcome));
        }
        out.push_str("</tr>\n");
    }
    let notes = wording::footnotes(remarks.into_iter());
    out.push_str("</table>\n");
    if !notes.is_empty() {
        let _ = writeln!(out, "<pre>{}</pre>", escape(notes.trim()));
    }
    out.push_str("</body>\n</html>\n");
    out
}
