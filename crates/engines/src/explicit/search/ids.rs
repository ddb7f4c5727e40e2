//! The ids of a search: which of the states that were found.

execution::id! {
    /// A state of the program: its position in the order in which states were found.
    pub struct StateId("s");
}

impl StateId {
    /// The state in which the program begins.
    pub const FIRST: StateId = StateId(0);
}
