//! The litmus front end on arbitrary bytes: it may refuse them, but not fall over them.

#![no_main]

use execution::span::SourceMap;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    let mut map = SourceMap::new();
    let file = map.add_file("fuzz.litmus", String::from_utf8_lossy(input).into_owned());
    if let Err(problem) = front_litmus::parse(&map, file) {
        report::diagnostics::render(&problem, &map, report::Style::Plain);
    }
});
