//! A table of answers as a page for a browser, with what there is to say about them.

use crate::picture::svg::escape;
use crate::words;
use execution::verdict::Verdict;
use std::fmt::Write;

const STYLE: &str = "\
body{font:15px/1.5 system-ui,sans-serif;margin:2em auto;max-width:1100px;padding:0 1.5em;color:#222}\
h1{font-size:1.35em}table{border-collapse:collapse}th,td{padding:.25em 1.2em .25em 0;text-align:left}\
td.test,pre{font-family:'DejaVu Sans Mono',Menlo,Consolas,monospace;font-size:13px}\
pre{white-space:pre-wrap}.holds{color:#2e7d32}.violated,.violated a{color:#b00020;font-weight:bold}\
.open{color:#8a6d00}";

/// A line of the table.
pub struct Line<'a> {
    /// What stands in front.
    pub name: &'a str,
    /// The same in full, if that is something else.
    pub notation: &'a str,
    /// What remarks call it.
    pub title: String,
    /// By model: the answer, if there is one, and the page about a violation.
    pub answers: Vec<Option<(&'a Verdict, String)>>,
}

/// The page: a title, the table, and further text.
pub fn page(title: &str, models: &[&str], lines: &[Line<'_>], text: &str) -> String {
    let title = escape(title);
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>{title}</title>\n\
         <style>{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n<table>\n<tr><th></th><th></th>"
    );
    for model in models {
        let _ = write!(out, "<th>{}</th>", escape(model));
    }
    out.push_str("</tr>\n");
    let mut remarks = Vec::new();
    for Line { name, notation, title, answers } in lines {
        let (name, notation) = (escape(name), escape(notation));
        let _ = write!(out, "<tr><td>{name}</td><td class=\"test\">{notation}</td>");
        for (model, answer) in models.iter().zip(answers) {
            let Some((outcome, file)) = answer else {
                out.push_str("<td></td>");
                continue;
            };
            let word = escape(words::cell(outcome));
            let (class, word) = match outcome {
                Verdict::Holds => ("holds", word),
                Verdict::Violated(_) => {
                    ("violated", format!("<a href=\"{}.html\">{word}</a>", escape(file)))
                }
                _ => ("open", word),
            };
            let _ = write!(out, "<td class=\"{class}\">{word}</td>");
            remarks.push((format!("{title} on {model}"), *outcome));
        }
        out.push_str("</tr>\n");
    }
    let notes = words::footnotes(remarks.into_iter());
    out.push_str("</table>\n");
    for text in [notes.trim(), text.trim()].into_iter().filter(|text| !text.is_empty()) {
        let _ = writeln!(out, "<pre>{}</pre>", escape(text));
    }
    out.push_str("</body>\n</html>\n");
    out
}
