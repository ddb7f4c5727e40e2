//! Finds and reads the files of a model: the text itself, its includes and the standard library.
//!
//! Includes are searched for next to the user's file and then in our library. The files that choose
//! coherence (`cos.cat` and its kin) and the kernel's `lock.cat` always come from the library:
//! executions arrive with `co` chosen, locks included, so published ways of enumerating
//! it have nothing left to do.

use crate::ast::{Instruction, InstructionKind, Name};
use crate::library;
use crate::parser::parse;
use execution::diagnostic::Diagnostic;
use execution::input::read_text;
use execution::printable::shown;
use execution::span::SourceMap;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// How deeply files may include each other.
const MAX_INCLUDES: usize = 30;

/// Files that are ours even if the user has one of that name.
const ALWAYS_OURS: &[&str] = &[
    "stdlib.cat",
    "cos.cat",
    "cos-opt.cat",
    "cos-no-opt.cat",
    "cross.cat",
    "c11_cos.cat",
    "lock.cat",
];

type Loaded = Result<(Option<String>, Vec<Instruction>), Diagnostic>;

/// Reads files.
#[derive(Debug, Default)]
pub(crate) struct Loader {
    /// What was read.
    pub(crate) sources: SourceMap,
    /// The variants asked for; what an `if` leaves out is not read.
    pub(crate) variants: HashSet<String>,
    directory: Option<PathBuf>,
    depth: usize,
}

impl Loader {
    /// A loader that looks for includes in `directory` first.
    pub(crate) fn new(directory: Option<PathBuf>) -> Self {
        Self { directory, ..Self::default() }
    }

    /// A model given as text, after the standard library.
    pub(crate) fn text(&mut self, name: &str, text: &str) -> Loaded {
        let mut program = self.standard_library()?;
        let (title, instructions) = self.read(name, text)?;
        program.extend(instructions);
        Ok((title, program))
    }

    /// A model in a file, after the standard library and after the bell file of the same name if
    /// there is one next to it (which herd takes from a separate configuration file).
    pub(crate) fn model_file(&mut self, path: &Path) -> Loaded {
        let mut program = self.standard_library()?;
        let bell = path.with_extension("bell");
        if bell != path && bell.exists() {
            program.extend(self.file(&bell)?.1);
        }
        let (title, instructions) = self.file(path)?;
        if !has_checks(&instructions) {
            return Err(no_checks(path));
        }
        let words = self.tool_words();
        program.extend(self.read("<tool-words.cat>", &words)?.1);
        program.extend(instructions);
        Ok((title, program))
    }

    /// What other tools know by a name, of the names that the user's files mention: which sets a
    /// model speaks of says what programs it is for.
    fn tool_words(&self) -> String {
        let users = self.sources.files().filter(|file| !file.name.starts_with('<'));
        let texts: Vec<&str> = users.map(|file| &*file.text).collect();
        let is_part = |c: char| c.is_ascii_alphanumeric() || "_-.".contains(c);
        let mentions = |name: &str| {
            texts.iter().any(|text| text.split(|c| !is_part(c)).any(|word| word == name))
        };
        let text = library::included("tool-words.cat").unwrap_or_default();
        let wanted = |line: &&str| {
            let name = line.strip_prefix("let ").and_then(|rest| rest.split(' ').next());
            name.is_some_and(mentions)
        };
        text.lines().filter(wanted).fold(String::new(), |all, line| all + line + "\n")
    }

    fn standard_library(&mut self) -> Result<Vec<Instruction>, Diagnostic> {
        let text = library::included("stdlib.cat").unwrap_or_default();
        Ok(self.read("<stdlib.cat>", text)?.1)
    }

    fn file(&mut self, path: &Path) -> Loaded {
        let name = path.to_string_lossy();
        match read_text(path) {
            Ok(text) => self.read(&name, &text),
            Err(error) => Err(Diagnostic::general(format!("cannot read {}: {error}", shown(path)))),
        }
    }

    pub(crate) fn read(&mut self, name: &str, text: &str) -> Loaded {
        let file = self.sources.add_file(name, text);
        let parsed = parse(file, text)?;
        let mut instructions = parsed.instructions;
        self.depth += 1;
        self.expand(&mut instructions)?;
        self.depth -= 1;
        Ok((parsed.title, instructions))
    }

    /// Reads the files that these instructions include.
    fn expand(&mut self, instructions: &mut [Instruction]) -> Result<(), Diagnostic> {
        for instruction in instructions {
            match &mut instruction.kind {
                InstructionKind::Include(name, contents) => *contents = self.include(name)?,
                InstructionKind::If(condition, yes, no) => {
                    let answer = condition.decided(&self.variants);
                    if answer != Some(false) {
                        self.expand(yes)?;
                    }
                    if answer != Some(true) {
                        self.expand(no)?;
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn include(&mut self, name: &Name) -> Result<Vec<Instruction>, Diagnostic> {
        if self.depth > MAX_INCLUDES {
            let message = format!("`{}` includes itself", name.text);
            return Err(Diagnostic::error(name.span, message));
        }
        let users = self
            .directory
            .as_ref()
            .map(|directory| directory.join(&*name.text))
            .filter(|path| !ALWAYS_OURS.contains(&&*name.text) && path.is_file());
        if let Some(path) = users {
            return Ok(self.file(&path)?.1);
        }
        if let Some(text) = library::included(&name.text) {
            return Ok(self.read(&format!("<{}>", name.text), text)?.1);
        }
        let mut diagnostic =
            Diagnostic::error(name.span, format!("there is no file `{}`", name.text));
        diagnostic = diagnostic.note(match &self.directory {
            Some(directory) if directory.as_os_str().is_empty() => {
                "looked next to the model and in the library".to_string()
            }
            Some(directory) => {
                format!("looked in {} and in the library", shown(directory))
            }
            None => "looked in the library".to_string(),
        });
        Err(diagnostic)
    }
}

/// Whether there is any constraint or flag.
fn has_checks(program: &[Instruction]) -> bool {
    program.iter().any(|instruction| match &instruction.kind {
        InstructionKind::Check(_) => true,
        InstructionKind::Include(_, more) | InstructionKind::ForAll(_, _, more) => has_checks(more),
        InstructionKind::Procedure(_, _, more) => has_checks(more),
        InstructionKind::If(_, yes, no) => has_checks(yes) || has_checks(no),
        InstructionKind::Match(_, clauses) => clauses.iter().any(|c| has_checks(&c.body)),
        _ => false,
    })
}

/// What to say of a file without any: a name alone, or an empty file, is hardly meant as a model
/// that allows everything.
fn no_checks(path: &Path) -> Diagnostic {
    let message =
        format!("`{}` is not a model: it has neither a constraint nor a flag", shown(path));
    Diagnostic::general(message)
        .note("a constraint is written `acyclic po | rf | co | fr as sc`, or with `irreflexive` or `empty`")
        .note("a model that allows every execution is written `empty 0 as everything`")
}
