//! The reader of cat models on arbitrary text: it may refuse it, but not fall over it.

#![no_main]

use libfuzzer_sys::fuzz_target;
use models::Model;

fuzz_target!(|text: &str| {
    if let Err(error) = Model::from_text("fuzz.cat", text) {
        let style = report::Style::Plain;
        report::diagnostics::render(&error.diagnostic, &error.sources, style);
    }
});
