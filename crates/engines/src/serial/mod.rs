//! What a data type does when its operations run one after the other: the set of all observations
//! of serial executions, which is the specification of the data type (Burckhardt, Alur, Martin,
//! *CheckFence*, PLDI 2007; there it is enumerated by a solver, here it is executed).
//!
//! - [`initial_states`]: choices of the initial sequence that lead to different states.
//! - [`observation`]: what clients saw, and sets of it.
//! - [`mine`]: all serial executions of a composed test.
//! - [`orders`]: what operations show in each serial order.
//! - [`automaton`]: an observation set as a small automaton, for encodings.

pub mod automaton;
mod explain;
mod initial_states;
pub mod mine;
pub mod observation;
pub mod orders;
mod run;

pub use automaton::Automaton;
pub use execution::observation::{Observation, ObservationSet, Seen};
pub use initial_states::initial_states;
pub use mine::{Explored, Failure, Mined, SerialOptions, explore, mine};
pub use observation::observed;
pub use orders::Orders;
