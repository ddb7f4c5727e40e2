//! The file that results: the runtime, and the user's text with what it includes.

use crate::edit::{Edits, file_number};
use execution::span::{FileId, SourceMap};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// What a file is made of.
pub struct Parts<'a> {
    /// What stands in a comment at its top.
    pub comment: &'a str,
    /// The runtime; empty if the program needs none.
    pub runtime: &'a str,
    /// The changes of the user's text.
    pub edits: &'a Edits,
    /// The folders of `-I`.
    pub include_dirs: &'a [PathBuf],
    /// Macros of the command line, as `NAME` or `NAME=VALUE`.
    pub defines: &'a [String],
}

/// The file.
pub fn write(main: &Path, parts: &Parts<'_>, sources: &SourceMap) -> String {
    let mut text = String::from("/*\n");
    for line in parts.comment.lines() {
        let line = line.replace("*/", "* /");
        text += format!("   {line}").trim_end();
        text.push('\n');
    }
    text += "*/\n\n";
    text += parts.runtime;
    for define in parts.defines {
        let (name, value) = define.split_once('=').unwrap_or((define, "1"));
        text += &format!("#define {name} {value}\n");
    }
    let name = main.display().to_string();
    let Some(file) = file_number(sources, &name) else { return text };
    let mut inliner = Inliner { parts, sources, once: BTreeSet::new(), depth: 0 };
    text += &inliner.file(file);
    text
}

struct Inliner<'a> {
    parts: &'a Parts<'a>,
    sources: &'a SourceMap,
    /// Files that are only included once, and were.
    once: BTreeSet<String>,
    depth: u32,
}

impl Inliner<'_> {
    /// A file's text, with what it includes of the user's files in it.
    fn file(&mut self, file: FileId) -> String {
        let name = self.sources.file(file).name.to_string();
        let text = self.parts.edits.apply(file, self.sources);
        let mut result = format!("#line 1 {}\n", quoted(&name));
        for (number, line) in text.lines().enumerate() {
            if words(line).as_slice() == ["#pragma", "once"] {
                self.once.insert(name.clone());
                result.push('\n');
                continue;
            }
            match self.included(&name, line).filter(|_| self.depth < 200) {
                Some(included) => {
                    let known = self.once.contains(&*self.sources.file(included).name);
                    if !known {
                        self.depth += 1;
                        result += &self.file(included);
                        self.depth -= 1;
                    }
                    result += &format!("#line {} {}\n", number + 2, quoted(&name));
                }
                None => {
                    result.push_str(line);
                    result.push('\n');
                }
            }
        }
        result
    }

    /// The user's file that a line includes.
    fn included(&self, from: &str, line: &str) -> Option<FileId> {
        let rest = line.trim_start().strip_prefix('#')?.trim_start();
        let rest = rest.strip_prefix("include")?.trim_start();
        let quoted = rest.strip_prefix('"').and_then(|rest| rest.split_once('"'));
        let angled = rest.strip_prefix('<').and_then(|rest| rest.split_once('>'));
        let (name, _) = quoted.or(angled)?;
        let folder = Path::new(from).parent().map(Path::to_path_buf).filter(|_| quoted.is_some());
        let folders = folder.iter().chain(self.parts.include_dirs);
        let mut candidates = folders.map(|folder| folder.join(name).display().to_string());
        let file = candidates.find_map(|name| file_number(self.sources, &name))?;
        (!self.sources.file(file).is_library()).then_some(file)
    }
}

fn words(line: &str) -> Vec<&str> {
    line.split_whitespace().collect()
}

fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\""))
}
