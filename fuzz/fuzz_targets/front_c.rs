//! The C front end on arbitrary bytes: it may refuse them, but not fall over them.

#![no_main]

use execution::span::SourceMap;
use front_c::pp::{MemoryLoader, COptions};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    let loader = MemoryLoader::new().with("fuzz.c", input);
    let mut map = SourceMap::new();
    let result = front_c::compile("fuzz.c".as_ref(), &COptions::default(), &loader, &mut map);
    let diagnostics = result.map_or_else(|errors| errors, |(_, warnings)| warnings);
    report::diagnostics::render_all(&diagnostics, &map, report::Style::Plain);
});
