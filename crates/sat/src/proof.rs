//! Proofs of unsatisfiability that an independent checker reads.

use std::fmt;
use std::path::PathBuf;

/// How a proof is written, in both cases as text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProofFormat {
    /// Clauses that can be added or deleted; a checker finds out why.
    Drat,
    /// The same, each clause with the clauses it follows from.
    Lrat,
}

/// Why there is no proof.
#[derive(Debug, PartialEq, Eq)]
pub enum ProofError {
    /// The backend writes none.
    Unsupported,
    /// The solver has already been asked.
    TooLate,
    /// The file cannot be written.
    Unwritable(PathBuf),
}

impl fmt::Display for ProofError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unsupported => write!(f, "this solver does not write proofs"),
            Self::TooLate => write!(f, "a proof has to be started before the first query"),
            Self::Unwritable(path) => write!(f, "cannot write the proof to {}", path.display()),
        }
    }
}

impl std::error::Error for ProofError {}
