//! What the user can check an answer with: its queries as DIMACS files, and a proof.
//!
//! Soundness S-115 (check, verify; all; misses): A proof (`--proof`) is about the queries put to
//! the solver: questions that the analysis of values, paths and orders decides are not in the
//! formula, and a query takes for granted what the queries before it have shown; both are said in
//! the file. Test: crates/sat/tests/proofs.rs::a_certificate_says_what_was_decided_without_it,
//! crates/fencepost/tests/check.rs::an_answer_comes_with_its_queries_and_a_proof_if_it_holds.

use report::printable::shown;
use sat::{Answer, Journal, Limits, ProofFormat};
use std::path::{Path, PathBuf};

/// Which evidence is wanted.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    /// A folder for all queries.
    pub dimacs: Option<PathBuf>,
    /// A file for the proof of an answer that holds.
    pub proof: Option<PathBuf>,
    /// Whether there are several answers, so that the proof of each needs a name of its own.
    pub several: bool,
}

/// What came of it.
#[derive(Clone, Debug, Default)]
pub struct Written {
    /// The files that were written.
    pub files: Vec<PathBuf>,
    /// What there is to say about them.
    pub remark: Option<String>,
    /// Whether a file could not be written.
    pub failed: bool,
}

impl Written {
    /// Nothing was written, and this is why.
    pub fn failure(why: String) -> Self {
        Self { remark: Some(why), failed: true, ..Self::default() }
    }
}

impl Wanted {
    /// Whether there is anything to write.
    pub fn is_any(&self) -> bool {
        self.dimacs.is_some() || self.proof.is_some()
    }

    /// Removes the proofs that earlier runs left for these answers, and under the name that the user
    /// gives: whatever there is afterwards is about this run.
    pub fn remove_stale(&self, names: impl IntoIterator<Item = String>) -> Result<(), String> {
        let Some(proof) = &self.proof else { return Ok(()) };
        let proofs = names.into_iter().map(|name| self.proof_of(proof, &name));
        for proof in std::iter::once(proof.clone()).chain(proofs) {
            for path in [formula_of(&proof), proof] {
                let is_file =
                    path.symlink_metadata().is_ok_and(|data| data.is_file() || data.is_symlink());
                if is_file {
                    std::fs::remove_file(&path).map_err(|error| {
                        format!(
                            "cannot remove the proof of an earlier run `{}`: {error}",
                            shown(&path)
                        )
                    })?;
                }
            }
        }
        Ok(())
    }

    /// The file for the proof of an answer.
    fn proof_of(&self, proof: &Path, name: &str) -> PathBuf {
        if self.several { with_name(proof, name) } else { proof.to_path_buf() }
    }

    /// A journal for one answer, which is called `name`.
    pub fn journal(&self, name: &str) -> Result<Option<Journal>, String> {
        if !self.is_any() {
            return Ok(None);
        }
        let journal = Journal::default();
        if let Some(folder) = &self.dimacs {
            std::fs::create_dir_all(folder)
                .map_err(|error| format!("cannot make the folder `{}`: {error}", shown(folder)))?;
            journal.write_files(folder.join(name));
        }
        if self.proof.is_some() {
            journal.keep();
        }
        Ok(Some(journal))
    }

    /// Writes what is left to be written.
    pub fn finish(&self, journal: &Journal, name: &str, holds: bool, limits: &Limits) -> Written {
        let mut files = match journal.files() {
            Ok(files) => files,
            Err(error) => return Written::failure(format!("cannot write a query: {error}")),
        };
        let Some(proof) = &self.proof else { return Written { files, ..Written::default() } };
        if !holds {
            let remark = Some("there is no proof, because it is not proved to hold".to_string());
            return Written { files, remark, failed: false };
        }
        let proof = self.proof_of(proof, name);
        let formula = formula_of(&proof);
        let format = match proof.extension() {
            Some(extension) if extension == "lrat" => ProofFormat::Lrat,
            _ => ProofFormat::Drat,
        };
        let proved = journal.prove(&formula, &proof, format, limits);
        let is_written = matches!(proved, Ok(Answer::Unsat));
        let remark = match &proved {
            Ok(Answer::Unsat) if !journal.needed_solver() => Some(DECIDED.to_string()),
            Ok(Answer::Unsat) => None,
            Ok(Answer::Unknown) => Some("the limits were reached before the proof was written".into()),
            Ok(Answer::Sat) => Some(
                "asked again, the solver finds a solution: this is a mistake of Fencepost, and the \
                 answer must not be trusted"
                    .into(),
            ),
            Err(error) => Some(error.to_string()),
        };
        if is_written {
            files.extend([formula, proof]);
        }
        Written { files, remark, failed: proved.is_err() }
    }
}

/// What is said of a proof that is about nothing.
const DECIDED: &str = "the proof is just a contradiction: the analysis of the program has decided \
                       every question before a solver was asked, and that has to be believed";

/// The formula that a proof is about: `x.lrat` is about `x.cnf`. Another ending may be a part of the
/// name, such as a model, or that of the formula itself: then `x.rc11` is about `x.rc11.cnf`.
fn formula_of(proof: &Path) -> PathBuf {
    if proof.extension().is_some_and(|ending| ending == "lrat" || ending == "drat") {
        return proof.with_extension("cnf");
    }
    let mut file = proof.as_os_str().to_os_string();
    file.push(".cnf");
    file.into()
}

/// `proof.lrat` becomes `proof.NAME.lrat`.
fn with_name(path: &Path, name: &str) -> PathBuf {
    let mut file = path.file_stem().unwrap_or_default().to_os_string();
    file.push(format!(".{name}"));
    if let Some(extension) = path.extension() {
        file.push(".");
        file.push(extension);
    }
    path.with_file_name(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_of_several_proofs_has_a_name() {
        assert_eq!(with_name(Path::new("a/p.lrat"), "T0.sc"), Path::new("a/p.T0.sc.lrat"));
        assert_eq!(with_name(Path::new("p"), "T0.sc"), Path::new("p.T0.sc"));
    }

    #[test]
    fn no_formula_has_the_name_of_a_proof_or_of_another_formula() {
        let formula = |proof: &str| formula_of(Path::new(proof));
        assert_eq!(formula("p.T0.sc.lrat"), Path::new("p.T0.sc.cnf"));
        assert_ne!(formula("p.T0.sc"), formula("p.T0.tso"));
        assert_ne!(formula("p.cnf"), Path::new("p.cnf"));
    }
}
