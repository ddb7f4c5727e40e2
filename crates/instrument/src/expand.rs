//! Replaces uses of the program's own macros by what they stand for, where accesses in them must be
//! rewritten.

use crate::edit::Edits;
use execution::ids::Id;
use execution::span::{FileId, SourceMap};
use front_c::pp::MacroUse;
use std::collections::BTreeSet;

/// The changes that replace uses at given places, each a file, a start and an end. Lines keep their
/// numbers.
pub fn expand(
    wanted: &BTreeSet<(usize, u32, u32)>,
    uses: &[MacroUse],
    sources: &SourceMap,
) -> Edits {
    let mut edits = Edits::default();
    let mut done = BTreeSet::new();
    for one in uses {
        let span = one.span;
        let place = (span.file.index(), span.start, span.end);
        if wanted.contains(&place) && done.insert(place) {
            let lines = sources.text(span).matches('\n').count();
            let text = one.text.clone() + &"\n".repeat(lines);
            let range = (span.start as usize, span.end as usize);
            edits.replace(FileId::new(span.file.index()), range, &text);
        }
    }
    edits
}
