//! What an engine answers: the types of [`execution::verdict`], with places of its program.

use execution::verdict;
use ir::program::LocId;

pub use execution::statistics::Statistics;
pub use execution::verdict::Unfinished;

/// An answer.
pub type Verdict = verdict::Verdict<LocId>;
/// How far a loop was unrolled, if it matters.
pub type Bound = verdict::Bound<LocId>;
/// How far a loop was unrolled, in all threads together.
pub type Followed = verdict::Followed<LocId>;
/// A question that was answered with no.
pub type Answered = verdict::Answered<LocId>;
/// What is known where there is no answer.
pub type Established = verdict::Established<LocId>;
/// Why there is no answer.
pub type Reason = verdict::Reason<LocId>;
/// A finding past which no execution goes on.
pub type Cut = verdict::Cut<LocId>;
/// An execution with which something is wrong.
pub type Counterexample = verdict::Counterexample<LocId>;
/// What is wrong with an execution.
pub type Violation = verdict::Violation<LocId>;
