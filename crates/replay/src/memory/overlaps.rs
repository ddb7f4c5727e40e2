//! Accesses of several extents that overlap: which models give them a meaning.
//!
//! Soundness S-112 (check, verify, litmus; languages, power, armv7, alpha; refuses): Accesses of
//! several widths that overlap are refused on models that give them no meaning, at the lines of two
//! of them. Test:
//! crates/fencepost/tests/widths.rs::atomics_of_several_widths_are_refused_in_languages_at_their_lines,
//! crates/fencepost/tests/litmus_mixed.rs::a_model_that_gives_them_no_meaning_refuses_them_at_their_lines.

use crate::memory::world::World;
use ir::program::LocId;
use models::Model;

/// That accesses overlap without being equal is refused where the model gives it no meaning.
pub fn refuse(model: &Model, world: &World<'_>) -> Result<(), String> {
    let Some((a, b)) = world.overlap().filter(|_| !model.knows_mixed_sizes()) else {
        return Ok(());
    };
    let at = |place: Option<LocId>| {
        let place = place.map(|id| &world.program.places[id].location);
        place.map_or(String::new(), |location| format!(" at {location}"))
    };
    let (first, second) = (at(a.place), at(b.place));
    Err(format!(
        "accesses of `{}`{first} and `{}`{second} overlap without being equal, to which the model \
         {} gives no meaning",
        a.name, b.name, model.name
    ))
}
