//! Proofs of unsatisfiability that an independent checker reads.

use crate::backend::{cadical, trace::Trace};
use crate::whole_file::WholeFile;
use crate::{Answer, Cnf, Formula, Limits, Lit};
use std::fmt;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// How a proof is written, in both cases as text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProofFormat {
    /// Clauses that can be added or deleted; a checker finds out why.
    Drat,
    /// The same, each clause with the clauses it follows from.
    Lrat,
}

/// Why there is no proof: a file cannot be written.
#[derive(Debug, PartialEq, Eq)]
pub struct ProofError {
    /// The file.
    pub path: PathBuf,
    /// What the system says.
    pub reason: String,
}

impl ProofError {
    fn of(path: &Path) -> impl Fn(io::Error) -> Self + use<'_> {
        |error| Self { path: path.to_owned(), reason: error.to_string() }
    }
}

impl fmt::Display for ProofError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot write `{}`: {}", self.path.display(), self.reason)
    }
}

impl std::error::Error for ProofError {}

impl Formula {
    /// Asks a query again, by itself and of CaDiCaL, and writes it as a DIMACS file with a proof.
    ///
    /// If the answer is [`Answer::Unsat`], the two files are a certificate: assumptions are unit
    /// clauses and order constraints are clauses in the first, so that nothing has to be believed
    /// except that the formula says what was meant. Otherwise there are no files. Deadline and
    /// interrupter hold.
    pub fn certify(
        &self,
        assumptions: &[Lit],
        formula: &Path,
        proof: &Path,
        format: ProofFormat,
    ) -> Result<Answer, ProofError> {
        let mut cnf = self.whole_cnf();
        assumptions.iter().for_each(|&lit| cnf.clause(&[lit]));
        prove((&cnf, "a query"), formula, proof, format, self.limits())
    }
}

/// Writes a formula with a remark, and a proof that it has no solution, if it has none. Both files are there, and
/// whole, if the answer is [`Answer::Unsat`]; otherwise nothing has happened to either path.
pub(crate) fn prove(
    (cnf, remark): (&Cnf, &str),
    formula: &Path,
    proof: &Path,
    format: ProofFormat,
    limits: &Limits,
) -> Result<Answer, ProofError> {
    let (of_formula, of_proof) = (ProofError::of(formula), ProofError::of(proof));
    let mut written = WholeFile::create(formula).map_err(&of_formula)?;
    let steps = WholeFile::create(proof).map_err(&of_proof)?;
    writeln!(written, "c {remark}").map_err(&of_formula)?;
    cnf.write_dimacs(&mut written, &[]).and_then(|()| written.flush()).map_err(&of_formula)?;
    let readable = written.readable().map_err(&of_formula)?;
    let (answer, steps) = cadical::prove(readable.as_ref(), Trace::new(steps, format), limits)
        .map_err(&of_formula)?;
    let steps = steps.finish().map_err(&of_proof)?;
    if answer == Answer::Unsat {
        steps.commit().map_err(&of_proof)?;
        written.commit().map_err(&of_formula)?;
    }
    Ok(answer)
}
