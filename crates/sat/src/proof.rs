//! Proofs of unsatisfiability that an independent checker reads.

use crate::backend::cadical;
use crate::{Answer, Formula, Lit};
use std::fmt;
use std::fs::File;
use std::path::{Path, PathBuf};

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
            Self::Unwritable(path) => write!(f, "cannot write {}", path.display()),
        }
    }
}

impl std::error::Error for ProofError {}

impl Formula {
    /// Asks a query again, by itself and of CaDiCaL, and writes it as a DIMACS file with a proof.
    ///
    /// If the answer is [`Answer::Unsat`], the two files are a certificate: assumptions are unit
    /// clauses and order constraints are clauses in the first, so that nothing has to be believed
    /// except that the formula says what was meant. Deadline and interrupter hold.
    pub fn certify(
        &self,
        assumptions: &[Lit],
        formula: &Path,
        proof: &Path,
        format: ProofFormat,
    ) -> Result<Answer, ProofError> {
        File::create(formula)
            .and_then(|mut file| self.write_dimacs(&mut file, assumptions))
            .map_err(|_| ProofError::Unwritable(formula.to_owned()))?;
        cadical::prove(formula, proof, format, self.limits())
    }
}
