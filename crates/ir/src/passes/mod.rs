//! Passes: functions from IR to IR, and the one list that says in which order they run.
//!
//! None of them folds or simplifies arithmetic: address, data and control dependencies are those
//! of the program as written.

mod allocator;
mod fences;
mod filled;
mod in_pieces;
pub mod mapping;
mod one_entry;
mod promote;
mod prune;
mod silent;
mod simplify_cfg;

use crate::program::{Function, Program};
use crate::text::renumber_places;
use crate::verify::assert_well_formed;

pub use allocator::allocator_order;
pub use fences::{DirectedFence, directed_fences, without_fence};
pub use filled::filled_at_once;
pub use in_pieces::{in_pieces, in_pieces_at_once};
pub use one_entry::one_entry;
pub use promote::promote;
pub use prune::prune;
pub use silent::silent;
pub use simplify_cfg::{reachable_only, simplify_cfg};

/// A pass and its name.
type Pass = (&'static str, fn(Program) -> Program);

/// What is done to every program that a front end delivers.
const TIDY: [Pass; 2] = [
    ("simplify_cfg", |program| map_functions(program, simplify_cfg)),
    ("renumber_places", renumber_places),
];

/// Brings a front end's program into its simplest form: control flow simplified, places numbered
/// in the order of the text form.
///
/// The program must be well formed, except that it may have unreachable blocks; what comes out is
/// well formed. Debug builds check this after every pass.
pub fn tidy(program: Program) -> Program {
    TIDY.iter().fold(program, |program, (name, pass)| {
        let program = pass(program);
        if cfg!(debug_assertions) {
            assert_well_formed(&program, name);
        }
        program
    })
}

fn map_functions(program: Program, pass: impl Fn(&Function) -> Function) -> Program {
    let functions = program.functions.iter().map(pass).collect();
    Program { functions, ..program }
}
