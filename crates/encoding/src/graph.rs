//! The graph of events: what the threads may do, as plain data, for the memory model to constrain.
//!
//! This is the seam between the two halves of the encoding. The side that knows the program fills a
//! [`Graph`]; [`memory`](crate::memory) reads it and knows no program. Words are those of
//! [`models::vocabulary`], and an execution is what that file says: the graph with the events that
//! are not executed left out.

use execution::event::{EventId, EventKind, ThreadId};
use execution::ids::IdVec;
use execution::relation::Relation;
use sat::Lit;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Pairs of events, each with the literal that says whether it is related, *given that both are
/// executed*; if one is not, the literal means nothing. A pair that is not here is not related.
/// Ordered, so that equal graphs give equal formulas.
pub type Edges = BTreeMap<(EventId, EventId), Lit>;

/// Events, each with the literal that says whether it is a member, given that it is executed.
pub type Members = BTreeMap<EventId, Lit>;

/// An event that may be executed.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    /// Its thread; `None` for an initial write.
    pub thread: Option<ThreadId>,
    /// What it does.
    pub kind: EventKind,
    /// Which instruction of the thread it belongs to.
    pub instruction: u32,
    /// Whether it is executed.
    pub exec: Lit,
}

/// Everything that may happen.
#[derive(Clone, Debug)]
pub struct Graph {
    /// The events.
    pub nodes: IdVec<EventId, Node>,
    /// (a, b): whenever a is executed, so is b. Reflexive; may leave pairs out.
    pub implies: Relation,
    /// (a, b): the two are never both executed. Symmetric; may leave pairs out.
    pub excludes: Relation,
    /// Base sets by their names in cat.
    pub sets: BTreeMap<Arc<str>, Members>,
    /// Base relations by their names in cat, except `rf`, `co` and `loc`. `po` is transitive.
    pub relations: BTreeMap<Arc<str>, Edges>,
    /// Accesses of the same location, initial writes among them; symmetric. Events need not be
    /// related to themselves here.
    pub loc: Edges,
    /// From writes to the reads that may see them. A literal that is true implies that both are
    /// executed, at one location, with one value; each executed read has exactly one.
    pub rf: Edges,
    /// Reads and writes between which nothing comes, as if they were a read-modify-write: if both
    /// are executed, the write is the first after the one that the read sees, in coherence order.
    /// This follows from the model and the other parts of the graph, if it is said.
    pub next: Vec<(EventId, EventId)>,
    /// Pairs with different values. Needed only if the model compares values
    /// ([`models::Model::uses_values`]).
    pub differ: Edges,
}
