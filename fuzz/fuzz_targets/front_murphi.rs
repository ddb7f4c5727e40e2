//! The Murphi front end on arbitrary bytes: it may refuse them, but not fall over them.

#![no_main]

use execution::span::SourceMap;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    let mut map = SourceMap::new();
    let file = map.add_file("fuzz.m", String::from_utf8_lossy(input).into_owned());
    if let Err(problems) = front_murphi::compile(&map, file) {
        report::diagnostics::render_all(&problems, &map, report::Style::Plain);
    }
});
