//! The embedded library for programs that declare its functions themselves.
//!
//! A preprocessed file carries the declarations of another C library (`extern int
//! pthread_mutex_lock(pthread_mutex_t *)` with that library's `pthread_mutex_t`), and some programs
//! declare by hand what they call. Such functions have no definition; ours are put before the
//! program then. What both name is renamed in ours, so that both sets of types can coexist,
//! and a use of a declared function without a definition is a use of ours (`sema::builtins::foreign`).
//! Objects that a program makes with its own types must be as large as ours, and all zero where
//! they are initialised statically: glibc's are.
//!
//! Soundness S-030 (run, check, verify; all; cries wolf): In a file that was preprocessed for a
//! 32-bit machine, a statically initialised recursive mutex is taken for a normal one, which
//! reports a deadlock. Test: untested.

use crate::ast::{self, Derivation};
use crate::headers::HEADERS;
use crate::parse::keyword;
use crate::pp::{self, COptions, MemoryLoader};
use crate::token::{Token, TokenKind};
use execution::span::{SourceMap, Span};
use std::collections::{BTreeSet, HashSet};
use std::path::Path;
use std::rc::Rc;

/// What is put before a name of ours that the program uses too.
pub use ir::program::LIBRARY as PREFIX;

/// Headers whose functions a program cannot mean by declaring them.
const DIALECTS: [&str; 5] = ["checkfence.h", "dat3m.h", "fencepost.h", "genmc.h", "lkmm.h"];

/// The tokens of a program with the library that it needs before them; `None` if it needs none.
pub fn complete(unit: &ast::Unit, tokens: &[Token], sources: &mut SourceMap) -> Option<Vec<Token>> {
    let headers = wanted(unit, tokens, sources);
    if headers.is_empty() {
        return None;
    }
    let loaded: HashSet<Rc<str>> = sources
        .files()
        .filter(|file| file.is_library())
        .map(|file| Rc::from(&*file.name))
        .collect();
    let (mut own, mut shared) = (HashSet::new(), HashSet::new());
    for token in tokens {
        let TokenKind::Ident(name) = &token.kind else { continue };
        let names = if is_embedded(token.span, sources) { &mut shared } else { &mut own };
        names.insert(name.clone());
    }
    let includes: String = headers.iter().map(|name| format!("#include <{name}>\n")).collect();
    let text = format!("{}{includes}", first_order(&own));
    let loader = MemoryLoader::new().with("<library>", text);
    let (library, _) =
        pp::preprocess(Path::new("<library>"), &COptions::default(), &loader, sources);
    // The headers that the program includes come first: the library is written over them.
    let from_header = |token: &&Token| is_embedded(token.span, sources);
    let mut all: Vec<Token> = tokens.iter().filter(from_header).cloned().collect();
    for token in library {
        if token.kind == TokenKind::End || loaded.contains(file_of(token.span, sources)) {
            continue;
        }
        let kind = match token.kind {
            TokenKind::Ident(name)
                if own.contains(&name) && !shared.contains(&name) && !is_reserved(&name) =>
            {
                TokenKind::Ident(format!("{PREFIX}{name}").into())
            }
            kind => kind,
        };
        all.push(Token { kind, ..token });
    }
    all.extend(tokens.iter().filter(|token| !from_header(token)).cloned());
    Some(all)
}

/// The header that says with which order of the Linux kernel the program's own enumeration of them
/// starts (for `<fencepost/lkmm_calls.h>`), by the names that it has there.
fn first_order(own: &HashSet<Rc<str>>) -> &'static str {
    match own.contains("__LKMM_once") {
        true => "#include <fencepost/lkmm_once_first.h>\n",
        false if own.contains("memory_order_once") => "#include <fencepost/lkmm_once_second.h>\n",
        false => "",
    }
}

/// The headers that define what the program declares or calls without defining it.
fn wanted(unit: &ast::Unit, tokens: &[Token], sources: &SourceMap) -> BTreeSet<&'static str> {
    let (mut declared, mut known) = (HashSet::new(), HashSet::new());
    for item in &unit.items {
        match item {
            ast::Item::Function(function) => known.extend(name_of(&function.declarator)),
            ast::Item::Declaration(declaration) => {
                for item in &declaration.declarators {
                    let is_function = matches!(
                        item.declarator.derivations.first(),
                        Some(Derivation::Function { .. })
                    );
                    let is_own = !is_embedded(declaration.span, sources);
                    let names = if is_function && is_own { &mut declared } else { &mut known };
                    names.extend(name_of(&item.declarator));
                }
            }
            _ => {}
        }
    }
    let called = tokens.windows(2).filter_map(|pair| match (&pair[0].kind, &pair[1].kind) {
        (TokenKind::Ident(name), TokenKind::Punct("(")) => Some(name.clone()),
        _ => None,
    });
    let names = called.filter(|name| !known.contains(name) && !is_reserved(name));
    names.chain(declared.difference(&known).cloned()).filter_map(|name| header_of(&name)).collect()
}

fn name_of(declarator: &ast::Declarator) -> Option<Rc<str>> {
    declarator.name.as_ref().map(|name| name.name.clone())
}

/// The embedded header that has the function.
fn header_of(name: &str) -> Option<&'static str> {
    let defines = |text: &str| text.lines().any(|line| is_head_of(line, name));
    let mut headers = HEADERS.iter().filter(|(header, _)| !DIALECTS.contains(header));
    headers.find(|(_, text)| defines(text)).map(|(header, _)| *header)
}

/// Whether a line of a header declares or starts to define the function. All of ours stand at the
/// start of a line.
fn is_head_of(line: &str, name: &str) -> bool {
    let starts_with_a_word = line.starts_with(|c: char| c.is_ascii_alphabetic());
    starts_with_a_word
        && !line.starts_with("typedef")
        && line.match_indices(name).any(|(at, _)| {
            line[..at].ends_with([' ', '*']) && line[at + name.len()..].starts_with('(')
        })
}

fn is_reserved(name: &str) -> bool {
    ["__fp_", "__atomic_", "__sync_", "__builtin_"].iter().any(|prefix| name.starts_with(prefix))
        || keyword::is_keyword(name)
}

/// Whether the program got this from an embedded header, not by using a macro of one.
fn is_embedded(span: Span, sources: &SourceMap) -> bool {
    sources.is_library(sources.call_site(span))
}

pub fn file_of(span: Span, sources: &SourceMap) -> &str {
    &sources.file(sources.call_site(span).file).name
}

#[cfg(test)]
mod tests {
    use super::header_of;

    #[test]
    fn every_function_is_found_in_its_header() {
        assert_eq!(header_of("pthread_mutex_lock"), Some("pthread.h"));
        assert_eq!(header_of("sem_wait"), Some("semaphore.h"));
        assert_eq!(header_of("memset"), Some("string.h"));
        assert_eq!(header_of("printf"), Some("stdio.h"));
        assert_eq!(header_of("usleep"), Some("unistd.h"));
        assert_eq!(header_of("lock"), None);
    }
}
