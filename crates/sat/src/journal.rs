//! Keeps the queries that are put to a solver: as DIMACS files, and for one proof of them all.

use crate::proof::prove;
use crate::whole_file::WholeFile;
use crate::{Answer, Cnf, Formula, Limits, Lit, ProofError, ProofFormat};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// The queries of several formulas ([`Formula::set_journal`]). Its clones are one journal.
#[derive(Clone, Debug, Default)]
pub struct Journal(Rc<RefCell<Entries>>);

#[derive(Debug, Default)]
struct Entries {
    /// What is being asked, for the names of files.
    question: String,
    /// The prefix of the names of DIMACS files, if they are wanted.
    files: Option<PathBuf>,
    written: Vec<PathBuf>,
    problem: Option<io::Error>,
    /// Whether queries without a solution are kept.
    keeps: bool,
    kept: Vec<Cnf>,
    /// What was asked since queries were forgotten, and whether a solver was needed for it.
    questions: BTreeMap<String, bool>,
}

impl Journal {
    /// Writes every query to a file of its own, `PREFIX.N-QUESTION.cnf`.
    pub fn write_files(&self, prefix: PathBuf) {
        self.0.borrow_mut().files = Some(prefix);
    }

    /// Keeps the queries that have no solution, for [`Journal::prove`].
    pub fn keep(&self) {
        self.0.borrow_mut().keeps = true;
    }

    /// Says what will be asked next.
    pub fn about(&self, question: &str) {
        let mut entries = self.0.borrow_mut();
        entries.question = question.to_string();
        entries.questions.entry(question.to_string()).or_default();
    }

    /// Forgets the queries that were kept: the answer will not rest on them.
    pub fn forget(&self) {
        let mut entries = self.0.borrow_mut();
        entries.kept.clear();
        entries.questions.clear();
    }

    /// The questions that needed no solver: the formula was contradictory as it stood, or it was
    /// known before that there was nothing to ask. Of these, a proof says nothing.
    pub fn decided_without_solver(&self) -> Vec<String> {
        let entries = self.0.borrow();
        let without = entries.questions.iter().filter(|(_, needed)| !**needed);
        without.map(|(question, _)| question.clone()).collect()
    }

    /// Whether a solver was needed for one of the queries that were kept.
    pub fn needed_solver(&self) -> bool {
        self.0.borrow().kept.iter().any(|cnf| !cnf.is_contradictory())
    }

    /// The files that were written.
    pub fn files(&self) -> io::Result<Vec<PathBuf>> {
        let mut entries = self.0.borrow_mut();
        match entries.problem.take() {
            Some(problem) => Err(problem),
            None => Ok(entries.written.clone()),
        }
    }

    pub(crate) fn note(&self, formula: &Formula, assumptions: &[Lit], answer: Answer) {
        let mut entries = self.0.borrow_mut();
        let keeps = entries.keeps && answer == Answer::Unsat;
        if answer != Answer::Unsat {
            let question = entries.question.clone();
            entries.questions.insert(question, true);
        }
        if !keeps && entries.files.is_none() {
            return;
        }
        let mut cnf = formula.whole_cnf();
        assumptions.iter().for_each(|&lit| cnf.clause(&[lit]));
        if let Err(problem) = entries.write(&cnf, answer) {
            entries.problem.get_or_insert(problem);
        }
        if !cnf.is_contradictory() {
            let question = entries.question.clone();
            entries.questions.insert(question, true);
        }
        if keeps {
            entries.kept.push(cnf);
        }
    }

    /// Writes one formula that says that one of the queries that were kept has a solution, and a
    /// proof that it has none. If the answer is [`Answer::Unsat`], the two files are a certificate;
    /// otherwise they are not written.
    pub fn prove(
        &self,
        formula: &Path,
        proof: &Path,
        format: ProofFormat,
        limits: &Limits,
    ) -> Result<Answer, ProofError> {
        let cnf = Cnf::any(&self.0.borrow().kept);
        prove((&cnf, &self.remark()), formula, proof, format, limits)
    }

    /// What has to be known of the formula, in a line.
    fn remark(&self) -> String {
        let decided = self.decided_without_solver().join(", ");
        match (self.needed_solver(), decided.as_str()) {
            (true, "") => "what was asked has no solution".to_string(),
            (true, _) => format!("decided before a solver was asked, and not in here: {decided}"),
            (false, "") => "nothing was left for a solver".to_string(),
            (false, _) => format!("all was decided before a solver was asked: {decided}"),
        }
    }
}

impl Entries {
    fn write(&mut self, cnf: &Cnf, answer: Answer) -> io::Result<()> {
        let Some(prefix) = &self.files else { return Ok(()) };
        let mut name = prefix.clone().into_os_string();
        let number = self.written.len() + 1;
        name.push(format!(".{number}-{}.cnf", self.question));
        let path = PathBuf::from(name);
        let mut file = WholeFile::create(&path)?;
        let answer = match answer {
            Answer::Sat => "satisfiable",
            Answer::Unsat => "unsatisfiable",
            Answer::Unknown => "not known",
        };
        writeln!(file, "c {}: {answer}", self.question)?;
        cnf.write_dimacs(&mut file, &[])?;
        file.commit()?;
        self.written.push(path);
        Ok(())
    }
}
