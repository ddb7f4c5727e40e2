//! From source files to programs of the load-store language.

use crate::database;
use execution::diagnostic::Diagnostic;
use execution::input::read_text;
use execution::printable::shown;
use execution::span::{FileId, SourceMap};
use front_c::pp::{DiskLoader, FileLoader, MemoryLoader};
use ir::program::{Program, SourcePlace};
use ir::text::{Parsed, TextSpans};
use std::path::{Path, PathBuf};

pub use front_c::pp::COptions;

/// Files that are in memory; others are read from the disk.
#[derive(Clone, Debug, Default)]
pub struct Texts(Vec<(PathBuf, String)>);

impl Texts {
    /// The same with one more file.
    pub fn with(mut self, path: impl Into<PathBuf>, text: impl Into<String>) -> Self {
        self.0.push((path.into(), text.into()));
        self
    }

    /// The same with the files of another that it does not have.
    pub fn and(mut self, other: &Texts) -> Self {
        self.0.extend(other.0.iter().cloned());
        self
    }

    /// Whether a file is in memory.
    pub fn contains(&self, path: &Path) -> bool {
        self.get(path).is_some()
    }

    fn get(&self, path: &Path) -> Option<&str> {
        self.0.iter().find(|(own, _)| own == path).map(|(_, text)| text.as_str())
    }
}

impl FileLoader for Texts {
    fn load(&self, path: &Path) -> std::io::Result<Vec<u8>> {
        match self.get(path) {
            Some(text) => Ok(text.as_bytes().to_vec()),
            None => DiskLoader.load(path),
        }
    }

    fn identity(&self, path: &Path) -> PathBuf {
        match self.get(path) {
            Some(_) => path.to_path_buf(),
            None => DiskLoader.identity(path),
        }
    }
}

/// A program with the text it was made from.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// The program.
    pub program: Program,
    /// The text of all files that were read.
    pub sources: SourceMap,
    /// What the user will want to know although the input was accepted.
    pub warnings: Vec<Diagnostic>,
    /// Where the parts of the program stand in its own text, if that is what was compiled.
    pub spans: Option<TextSpans>,
}

impl Compiled {
    /// The program, in which instructions without a source place have their place in the
    /// program's own text: what to show when something is found in a program written by hand.
    pub fn with_text_places(mut self) -> Compiled {
        let Some(spans) = &self.spans else { return self };
        let Program { functions, places, .. } = &mut self.program;
        for (function, spans) in functions.iter_mut().zip(&spans.functions) {
            for (block, spans) in function.blocks.iter_mut().zip(&spans.blocks) {
                let insts = block.insts.iter_mut().map(|inst| &mut inst.place);
                for (place, &span) in insts.chain([&mut block.place]).zip(spans) {
                    if place.is_none() {
                        let location = self.sources.location(span);
                        let function = function.name.clone();
                        let here = SourcePlace { location, function, inlined_at: None };
                        *place = Some(places.push(here));
                    }
                }
            }
        }
        self
    }
}

/// Why a file was not accepted.
#[derive(Clone, Debug)]
pub struct Rejected {
    /// The text of all files that were read.
    pub sources: SourceMap,
    /// What is wrong; at least one error.
    pub diagnostics: Vec<Diagnostic>,
}

/// The language of a source file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    /// C.
    C,
    /// The text form of the load-store language.
    Fpir,
    /// A litmus test.
    Litmus,
}

impl Language {
    /// The language that a file's name tells.
    pub fn of(path: &Path) -> Option<Language> {
        match path.extension()?.to_str()? {
            "c" | "h" | "i" => Some(Language::C),
            "fpir" => Some(Language::Fpir),
            "litmus" => Some(Language::Litmus),
            _ => None,
        }
    }
}

impl std::fmt::Display for Rejected {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let style = report::Style::Plain;
        f.write_str(
            report::diagnostics::render_all(&self.diagnostics, &self.sources, style).trim_end(),
        )
    }
}

impl std::error::Error for Rejected {}

/// Compiles a file; its name tells the language.
pub fn compile_file(path: &Path, options: &COptions) -> Result<Compiled, Box<Rejected>> {
    compile_from(path, options, &Texts::default())
}

/// Compiles a file that may be in memory; its name tells the language.
pub fn compile_from(
    path: &Path,
    options: &COptions,
    texts: &Texts,
) -> Result<Compiled, Box<Rejected>> {
    let name = shown(path);
    match Language::of(path) {
        Some(Language::C) => compile_c(path, options, texts),
        Some(language) => match texts.get(path).map_or_else(|| read_text(path), |t| Ok(t.into())) {
            Ok(text) => compile_text(&path.display().to_string(), &text, language),
            Err(error) => Err(general(format!("cannot read `{name}`: {error}"))),
        },
        None => Err(general(format!("`{name}` is neither `.c`, `.i`, `.litmus` nor `.fpir`"))),
    }
}

/// Compiles a text; `name` is what messages call it.
pub fn compile_text(name: &str, text: &str, language: Language) -> Result<Compiled, Box<Rejected>> {
    match language {
        Language::C => {
            let loader = MemoryLoader::new().with(name, text);
            compile_c(Path::new(name), &COptions::default(), &loader)
        }
        Language::Fpir => {
            let mut sources = SourceMap::new();
            let file = sources.add_file(name, text);
            match parse_and_verify(file, text) {
                Ok(Parsed { program, spans }) => {
                    let warnings = Vec::new();
                    Ok(Compiled { program, sources, warnings, spans: Some(spans) })
                }
                Err(diagnostics) => Err(Box::new(Rejected { sources, diagnostics })),
            }
        }
        Language::Litmus => {
            let mut sources = SourceMap::new();
            let file = sources.add_file(name, text);
            match front_litmus::parse(&sources, file) {
                Ok(test) => {
                    let (program, warnings) = (ir::prepare::tidy(test.program), Vec::new());
                    Ok(Compiled { program, sources, warnings, spans: None })
                }
                Err(error) => Err(Box::new(Rejected { sources, diagnostics: vec![*error] })),
            }
        }
    }
}

/// A text by hand may break the rules of the language, and nothing else may be asked of it then.
fn parse_and_verify(file: FileId, text: &str) -> Result<Parsed, Vec<Diagnostic>> {
    let parsed = ir::text::parse(file, text)?;
    let violations = ir::verify::verify(&parsed.program);
    if violations.is_empty() {
        return Ok(parsed);
    }
    Err(violations.iter().map(|violation| violation.diagnostic(&parsed.spans)).collect())
}

/// Compiles a C file that a loader gives.
pub fn compile_c(
    path: &Path,
    options: &COptions,
    loader: &(dyn FileLoader + Sync),
) -> Result<Compiled, Box<Rejected>> {
    let mut sources = SourceMap::new();
    let files = std::iter::once(path).chain(options.with.iter().map(PathBuf::as_path));
    let files: Result<Vec<_>, String> =
        files.map(|file| Ok((file.to_path_buf(), database::options_for(file, options)?))).collect();
    match front_c::compile_all(&files.map_err(general)?, loader, &mut sources) {
        Ok((program, mut warnings)) => {
            warnings.retain(|_| !options.quiet);
            Ok(Compiled { program, sources, warnings, spans: None })
        }
        Err(diagnostics) => Err(Box::new(Rejected { sources, diagnostics })),
    }
}

fn general(message: String) -> Box<Rejected> {
    let diagnostics = vec![Diagnostic::general(message)];
    Box::new(Rejected { sources: SourceMap::new(), diagnostics })
}
