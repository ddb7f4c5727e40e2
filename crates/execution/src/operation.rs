//! The operations of a test of a data type, and serial executions of them.

use crate::finding::Finding;
use crate::id;
use crate::ids::IdVec;
use crate::observation::Seen;
use crate::span::Span;

id! {
    /// An operation of a composed test; numbered column by column.
    pub struct InstanceId("op");
}

/// One operation of a composed test.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Instance {
    /// What distinguishes it from the others: `d`, or `e#2` for the second of several `e`. It is the
    /// name of its `operation begin`.
    pub name: String,
    /// The operation's name in the test.
    pub operation: String,
    /// The column: 0 for the initial sequence. This is the number of its thread.
    pub column: usize,
    /// Its number in the column, from 0.
    pub index: usize,
    /// Whether it was primed: only executions in which its loops run at most once count.
    pub restricted: bool,
    /// Where it stands in the test.
    pub span: Span,
}

/// The operations of a test. A whole program has none.
pub type Instances = IdVec<InstanceId, Instance>;

/// A serial execution in which something is wrong.
#[derive(Clone, Debug)]
pub struct SerialViolation {
    /// What is wrong.
    pub finding: Finding,
    /// The operation in which it is; none in `init`, in a deadlock, and of what is left in the end.
    pub operation: Option<InstanceId>,
    /// The operations that ran before, in order.
    pub before: Vec<SerialStep>,
    /// What the operation itself had shown.
    pub seen: Vec<Seen>,
}

/// An operation of a serial execution.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SerialStep {
    /// The operation.
    pub operation: InstanceId,
    /// What it showed.
    pub seen: Vec<Seen>,
}
