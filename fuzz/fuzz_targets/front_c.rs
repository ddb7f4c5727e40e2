//! The C front end on arbitrary bytes: it may refuse them, but not fall over them.

#![no_main]

use execution::diagnostic::Severity;
use execution::span::SourceMap;
use front_c::pp::{self, MemoryLoader};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    let loader = MemoryLoader::new().with("fuzz.c", input);
    let mut map = SourceMap::new();
    let (tokens, mut diagnostics) =
        pp::preprocess("fuzz.c".as_ref(), &pp::Options::default(), &loader, &mut map);
    if !diagnostics.iter().any(|d| d.severity == Severity::Error) {
        diagnostics.extend(front_c::parse::parse(tokens, &map).1);
    }
    report::diagnostics::render_all(&diagnostics, &map, report::Style::Plain);
});
