//! Solver facade: formulas over literals, gates, and acyclicity of graphs whose edges are literals.
//!
//! ```
//! use sat::{Answer, BackendKind, Formula, order};
//! let mut formula = Formula::new(BackendKind::Cadical);
//! let (there, back) = (formula.fresh(), formula.fresh());
//! order::acyclic(&mut formula, 2, &[(0, 1, there), (1, 0, back)], order::Strategy::Chordal);
//! assert_eq!(formula.solve(&[there]), Answer::Sat);
//! assert!(!formula.value(back));
//! assert_eq!(formula.solve(&[there, back]), Answer::Unsat);
//! ```

mod backend;
mod cardinality;
mod cnf;
pub mod cpu;
mod formula;
mod gates;
mod journal;
mod lit;
pub mod order;
mod proof;
pub mod whole_file;

pub use backend::{Answer, Backend, BackendKind, Effort};
pub use cnf::Cnf;
pub use formula::{Formula, Stats};
pub use journal::Journal;
pub use limits::{Exceeded, Interrupter, Limits, MemoryLimit, Poll};
pub use lit::Lit;
pub use proof::{ProofError, ProofFormat};
