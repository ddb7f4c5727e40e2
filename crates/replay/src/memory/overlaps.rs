//! Accesses of several extents that overlap: which models give them a meaning.

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
