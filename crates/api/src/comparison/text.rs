//! The models and how they differ, as text.

use super::{Comparison, Separation, Table};
use execution::span::SourceFile;
use models::Model;
use models::library::ENTRIES;
use std::fmt::Write;

/// All models, with what they are directly stronger than.
pub fn list(table: &Table) -> String {
    let mut text = String::new();
    for (index, entry) in ENTRIES.iter().enumerate() {
        let _ = writeln!(text, "{:<16} {}", entry.name, entry.summary);
        let _ = writeln!(text, "{:<16} fences: {}", "", entry.fences);
        let weaker = table.next_weaker(index);
        if !weaker.is_empty() {
            let _ = writeln!(text, "{:<16} stronger than {}", "", weaker.join(", "));
        }
        let like = table.like(index);
        if !like.is_empty() {
            let _ = writeln!(text, "{:<16} not distinguished here from {}", "", like.join(", "));
        }
    }
    let tests = table.rows.len();
    let _ = writeln!(
        text,
        "\n`Stronger` is what was seen on the {tests} shapes of our litmus tests; see --compare."
    );
    text
}

/// What a model is for, and its text: that of its own file, without what it includes.
pub fn shown(model: &Model, name: &str) -> String {
    let mut text = String::new();
    if let Some(entry) = ENTRIES.iter().find(|entry| entry.name == name) {
        let _ = writeln!(text, "{}: {}", entry.name, entry.summary);
        let _ = writeln!(text, "fences: {}\n", entry.fences);
    }
    let own = |file: &&SourceFile| *file.name == *name || *file.name == *format!("<{name}.cat>");
    let files: Vec<&SourceFile> = model.sources().files().collect();
    let file = files.iter().copied().find(own).or(files.last().copied());
    text + file.map_or("", |file| &file.text)
}

/// The table of all shapes and models.
pub fn matrix(table: &Table) -> String {
    let mut text = format!("{:<22}", "");
    for name in &table.models {
        let _ = write!(text, " {name}");
    }
    text.push('\n');
    for (name, cells) in &table.rows {
        let _ = write!(text, "{name:<22}");
        for (model, cell) in table.models.iter().zip(cells) {
            let mark = match cell {
                Some(true) => "yes",
                Some(false) => "-",
                None => "",
            };
            let _ = write!(text, " {mark:<width$}", width = model.len());
        }
        text.truncate(text.trim_end().len());
        text.push('\n');
    }
    text
}

/// How two models differ, and the shortest test that shows it.
pub fn describe(first: &str, second: &str, comparison: &Comparison) -> String {
    let Comparison { tests, only_first, only_second } = comparison;
    let mut text = match (&only_first[..], &only_second[..]) {
        ([], []) => {
            format!("{first} and {second} allow the same on all {tests} litmus tests.\n")
        }
        ([], weak) => format!(
            "{first} is stronger than {second}: on {tests} litmus tests, {second} allows all that \
             {first} allows, and more on {}.\n",
            weak.len()
        ),
        (weak, []) => format!(
            "{first} is weaker than {second}: on {tests} litmus tests, {first} allows all that \
             {second} allows, and more on {}.\n",
            weak.len()
        ),
        (a, b) => format!(
            "Neither is stronger: of {tests} litmus tests, {first} allows something that {second} \
             forbids on {}, and {second} something that {first} forbids on {}.\n",
            a.len(),
            b.len()
        ),
    };
    for (allows, forbids, list) in [(first, second, only_first), (second, first, only_second)] {
        if let Some(separation) = list.first() {
            text.push_str(&show(allows, forbids, separation));
        }
    }
    text
}

fn show(allows: &str, forbids: &str, separation: &Separation) -> String {
    let name = separation.test.name;
    let mut text = format!("\n{allows} allows and {forbids} forbids {name}:\n\n");
    for line in separation.test.text.trim_end().lines() {
        let _ = writeln!(text, "    {line}");
    }
    if !separation.state.is_empty() {
        let _ = writeln!(text, "\nOnly {allows} allows the final state {}", separation.state);
    }
    if let Some((failure, execution)) = &separation.why {
        let events = super::events(execution, failure);
        let _ = writeln!(text, "In {forbids} that breaks `{}`: {events}", failure.axiom);
    }
    text
}
