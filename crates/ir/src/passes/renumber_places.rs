//! Numbers the places of a program in the order in which its text mentions them.

use crate::program::{LocId, Program, SourcePlace};
use crate::text::places::{chain, visit_places};
use execution::ids::IdVec;
use std::collections::HashMap;

/// The program with its places in the order in which its text mentions them, each once, and
/// without those that nothing refers to: its text then needs no table of places.
///
/// # Panics
/// If a place's inline stack does not end, or mentions a place that does not exist.
pub(crate) fn renumber_places(mut program: Program) -> Program {
    let old = std::mem::take(&mut program.places);
    let lookup = Program { places: old, ..Program::default() };
    let mut places: IdVec<LocId, SourcePlace> = IdVec::new();
    let mut known: HashMap<SourcePlace, LocId> = HashMap::new();
    let mut renamed: HashMap<LocId, LocId> = HashMap::new();
    visit_places(&mut program, |id| {
        *id = *renamed.entry(*id).or_insert_with_key(|&id| {
            let chain = chain(&lookup, id).expect("a finite chain of existing places");
            let mut outer = None;
            for id in chain {
                let place = SourcePlace { inlined_at: outer, ..lookup.places[id].clone() };
                let id = known.entry(place).or_insert_with_key(|place| places.push(place.clone()));
                outer = Some(*id);
            }
            outer.expect("a chain holds at least the place itself")
        });
    });
    Program { places, ..program }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::{FunctionBuilder, ProgramBuilder};
    use crate::op::{Op, Terminator};
    use crate::text::places::in_text_order;
    use execution::span::{Location, Origin};

    fn place(line: u32, inlined_at: Option<LocId>) -> SourcePlace {
        let location =
            Location { file: "a.c".into(), origin: Origin::User, line, column: 1, end_column: 2 };
        SourcePlace { location, function: "f".to_string(), inlined_at }
    }

    #[test]
    fn renumbering_drops_unused_places_and_puts_callers_before_callees() {
        let mut program = ProgramBuilder::new();
        let _unused = program.place(place(1, None));
        let caller = program.place(place(3, None));
        let early = program.place(place(2, None));
        let inlined = program.place(place(9, Some(caller)));
        let mut f = FunctionBuilder::new("f", None, Some(early));
        f.emit(Op::Yield, Some(inlined));
        f.terminate(Terminator::Return(None), Some(caller));
        let id = program.declare("f");
        program.define(id, f.finish());
        let program = program.finish();
        assert!(!in_text_order(&program));
        let program = renumber_places(program);
        assert!(in_text_order(&program));
        let lines: Vec<u32> = program.places.iter().map(|place| place.location.line).collect();
        assert_eq!(lines, [2, 3, 9]);
    }
}
