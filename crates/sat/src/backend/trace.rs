//! Writes the proof that CaDiCaL finds. Its own writer does not detect a full disk.

use crate::ProofFormat;
use crate::whole_file::WholeFile;
use cadical_sys::ProofTracer;
use std::io::{self, Write};

/// A proof that is being written.
pub(crate) struct Trace {
    out: WholeFile,
    format: ProofFormat,
    /// The first write that failed.
    problem: Option<io::Error>,
    /// The last clause, and those that were deleted after it: LRAT names them together.
    last: i64,
    deleted: Vec<i64>,
}

impl Trace {
    pub(crate) fn new(out: WholeFile, format: ProofFormat) -> Self {
        Self { out, format, problem: None, last: 0, deleted: Vec::new() }
    }

    pub(crate) fn format(&self) -> ProofFormat {
        self.format
    }

    /// The whole proof, if all of it could be written.
    pub(crate) fn finish(mut self) -> io::Result<WholeFile> {
        match self.problem {
            Some(problem) => Err(problem),
            None => self.out.flush().map(|()| self.out),
        }
    }

    fn line(&mut self, write: impl FnOnce(&mut WholeFile) -> io::Result<()>) {
        if self.problem.is_none() {
            self.problem = write(&mut self.out).and_then(|()| self.out.write_all(b"0\n")).err();
        }
    }
}

fn numbers<N: std::fmt::Display>(out: &mut WholeFile, numbers: &[N]) -> io::Result<()> {
    numbers.iter().try_for_each(|number| write!(out, "{number} "))
}

impl ProofTracer for Trace {
    fn begin_proof(&mut self, first_derived: i64) {
        self.last = first_derived;
    }

    fn add_derived_clause(&mut self, id: i64, _: bool, _: i32, clause: &[i32], from: &[i64]) {
        if self.format == ProofFormat::Drat {
            return self.line(|out| numbers(out, clause));
        }
        let (last, deleted) = (self.last, std::mem::take(&mut self.deleted));
        if !deleted.is_empty() {
            self.line(|out| write!(out, "{last} d ").and_then(|()| numbers(out, &deleted)));
        }
        self.last = id;
        self.line(|out| {
            write!(out, "{id} ")?;
            numbers(out, clause)?;
            out.write_all(b"0 ")?;
            numbers(out, from)
        });
    }

    fn delete_clause(&mut self, id: i64, _: bool, clause: &[i32]) {
        match self.format {
            ProofFormat::Drat => {
                self.line(|out| out.write_all(b"d ").and_then(|()| numbers(out, clause)))
            }
            ProofFormat::Lrat => self.deleted.push(id),
        }
    }

    fn add_original_clause(&mut self, _: i64, _: bool, _: &[i32], _: bool) {}
    fn weaken_minus(&mut self, _: i64, _: &[i32]) {}
    fn strengthen(&mut self, _: i64) {}
    fn finalize_clause(&mut self, _: i64, _: &[i32]) {}
    fn add_assumption(&mut self, _: i32) {}
    fn add_constraint(&mut self, _: &[i32]) {}
    fn reset_assumptions(&mut self) {}
    fn add_assumption_clause(&mut self, _: i64, _: &[i32], _: &[i64]) {}
    fn conclude_sat(&mut self, _: i32, _: &[i32]) {}
    fn conclude_unsat(&mut self, _: i32, _: &[i64]) {}
    fn conclude_unknown(&mut self, _: &[i32]) {}
}
