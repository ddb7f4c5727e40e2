//! The CMP method: proofs for any number of members, by data type reduction and lemmas.
//!
//! The idea: in the abstract model some members are tracked, and all others are Other, whose steps
//! are restricted by lemmas ([`guarded::reduction`], [`step`]). Lemmas are assumed of Other, and
//! checked for the tracked members in the same exploration ([`explore`]). This is not circular: let
//! all lemmas hold for all members up to step `n` of an execution. Then step `n` of it is a step of
//! the abstract model for each choice of tracked members, because the members of which it depends
//! satisfy the lemmas before it, and so the state after it is reached by the abstract model, in
//! which each lemma is checked for that choice: the lemmas hold up to step `n + 1`. Chou, Mannava,
//! Park: "A simple method for parameterized verification of cache coherence protocols", FMCAD 2004,
//! gave the method its argument; Sethi, Talupur, Schwartz-Narbonne, Malik: "Parameterized model
//! checking of fine grained concurrency", 2013, used it for the sets of `examples/murphi`.
//!
//! The papers' users write the lemmas. Here they are mined from small instances ([`samples`],
//! [`templates`], [`mine`]), in rounds, until the abstract model refutes none of them; what was mined
//! is then checked by an exploration that knows nothing but the lemmas, and those that are not
//! needed are dropped. An error in the mining can lose a proof, but not make a wrong one; an error
//! in [`step`], [`explore`] or [`guarded::reduction`] would miss a violation.
//!
//! Soundness S-272 (murphi; all; misses): As S-205: proofs by lemmas are about invariants,
//! assertions and failures of code for at least as many members as are tracked; smaller numbers,
//! deadlocks and cover properties are checked for the explicit sizes only. Test:
//! crates/engines/tests/murphi_cmp.rs::small_numbers_are_not_part_of_a_proof.
//!
//! Soundness S-273 (murphi; all; refuses): Lemmas speak of as many members as are tracked, and are
//! limited to the templates; what they cannot exclude is `?`, with the abstract execution. Test:
//! crates/engines/tests/murphi_cmp.rs::what_lemmas_cannot_exclude_is_no_violation.

pub mod explore;
pub mod lemma;
mod mine;
mod samples;
pub mod show;
pub mod step;
mod summary;
pub mod templates;
mod tuple;
mod written;

use explore::{Ended, Explored, Suspicion, explore};
use guarded::model::{Model, PropertyId, RuleId, ScalarId};
use guarded::modular::Refusal;
use guarded::reduction::Reduction;
use lemma::{Lemma, Lemmas};
use limits::{Exceeded, Limits};
use mine::Miner;
use samples::Samples;
use std::cell::Cell;
use templates::Columns;
use written::Written;

/// More rounds of mining than this are not begun.
const MOST_ROUNDS: u32 = 60;

/// Lemmas are dropped until this many times the states of the first check were explored, and
/// [`MINIMISING_AT_LEAST`] more. In states, so that the result does not depend on the
/// load of the machine.
const MINIMISING: usize = 40;

/// See [`MINIMISING`].
const MINIMISING_AT_LEAST: usize = 50_000;

/// Where lemmas are from.
#[derive(Clone, Debug)]
pub enum LemmaSource {
    /// None are used.
    None,
    /// Small instances.
    Mined,
    /// These invariants of the model.
    Written(Vec<PropertyId>),
}

/// How far a proof is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CmpEffort {
    /// How many members are tracked.
    pub tracked: usize,
    /// On how many others a step can depend.
    pub witnesses: usize,
    /// States of small instances, as the tracked members see them.
    pub samples: usize,
    /// Rounds of mining.
    pub rounds: u32,
    /// Lemmas that were mined.
    pub mined: usize,
    /// Those that the abstract model did not refute.
    pub kept: usize,
    /// Abstract states of the exploration that ended last.
    pub states: usize,
}

/// What lemmas prove.
#[derive(Debug)]
pub enum CmpVerdict {
    /// Invariants hold, and no code fails, for any number from the tracked one on.
    Proved(Proof),
    /// What the abstract model cannot exclude.
    Suspicion(Box<Suspicion>),
    /// The model cannot be abstracted.
    Refused(Refusal),
    /// A limit was reached.
    Limit(Exceeded),
}

/// A proof.
#[derive(Debug)]
pub struct Proof {
    /// The lemmas that are needed.
    pub needed: Vec<Lemma>,
    /// Whether the proof fails without any one of them; otherwise it was not found out for all.
    pub is_minimal: bool,
    /// The lemmas as Murphi invariants.
    pub text: Vec<String>,
    /// A file with them.
    pub file: String,
    /// The abstract states.
    pub explored: Explored,
}

/// An answer.
#[derive(Debug)]
pub struct CmpAnswer {
    /// What was found.
    pub verdict: CmpVerdict,
    /// What it took.
    pub effort: CmpEffort,
}

/// What a proof is asked with.
pub struct CmpTask<'t> {
    /// Where lemmas are from.
    pub source: LemmaSource,
    /// When to give up.
    pub limits: &'t Limits,
    /// Hears how far it is.
    pub progress: &'t dyn Fn(CmpEffort),
}

/// Tries to prove a model for any number of members of a scalarset. The model has `tracked +
/// witnesses` members; see [`guarded::reduction::needs`].
pub fn prove(
    model: &Model,
    set: ScalarId,
    (tracked, witnesses): (usize, usize),
    task: &CmpTask<'_>,
) -> CmpAnswer {
    let mut effort = CmpEffort { tracked, witnesses, ..CmpEffort::default() };
    let reduction = match Reduction::new(model, set, tracked, witnesses) {
        Ok(reduction) => reduction,
        Err(refusal) => return CmpAnswer { verdict: CmpVerdict::Refused(refusal), effort },
    };
    let columns = Columns::new(&reduction);
    let prover = Prover { reduction: &reduction, columns: &columns, task, visited: Cell::new(0) };
    let verdict = prover.prove(&mut effort);
    CmpAnswer { verdict, effort }
}

struct Prover<'p> {
    reduction: &'p Reduction,
    columns: &'p Columns,
    task: &'p CmpTask<'p>,
    /// How many states all checks have explored.
    visited: Cell<usize>,
}

impl Prover<'_> {
    fn prove(&self, effort: &mut CmpEffort) -> CmpVerdict {
        let lemmas = match &self.task.source {
            LemmaSource::None => Vec::new(),
            LemmaSource::Written(lemmas) => return self.prove_with(lemmas, effort),
            LemmaSource::Mined => match self.mine(effort) {
                Ok(lemmas) => lemmas,
                Err(verdict) => return verdict,
            },
        };
        let (explored, mut used) = match self.check(lemmas, effort) {
            Ok(found) => found,
            Err(ended) => return self.failed(ended),
        };
        effort.states = explored.states.len();
        let is_minimal = self.minimise(&mut used, explored.states.len());
        // The lemmas that are printed are those of the proof that is counted.
        let (explored, needed) = match self.check(used.clone(), effort) {
            Ok((explored, _)) => (explored, used),
            Err(ended) => return self.failed(ended),
        };
        effort.states = explored.states.len();
        let mut writer = show::Writer::new(self.reduction, self.columns, &explored.states);
        let text = needed.iter().map(|lemma| writer.lemma(lemma)).collect();
        let file = writer.file(&needed);
        CmpVerdict::Proved(Proof { needed, is_minimal, text, file, explored })
    }

    /// A proof with lemmas that are invariants of the model.
    fn prove_with(&self, lemmas: &[PropertyId], effort: &mut CmpEffort) -> CmpVerdict {
        let mut written = Written::new(self.reduction, lemmas);
        let before = *effort;
        let mut progress = |states: usize| (self.task.progress)(CmpEffort { states, ..before });
        let (explored, ended) =
            explore(self.reduction, &mut written, self.task.limits, &mut progress);
        effort.states = explored.states.len();
        match ended {
            Ended::Done => CmpVerdict::Proved(Proof {
                needed: Vec::new(),
                is_minimal: false,
                text: Vec::new(),
                file: String::new(),
                explored,
            }),
            ended => self.failed(ended),
        }
    }

    fn failed(&self, ended: Ended) -> CmpVerdict {
        match ended {
            Ended::Suspicion(suspicion) => CmpVerdict::Suspicion(suspicion),
            Ended::Limit(exceeded) => CmpVerdict::Limit(exceeded),
            Ended::TooManyWitnesses(rule) => CmpVerdict::Refused(self.too_many(rule)),
            Ended::Done | Ended::Refuted => CmpVerdict::Refused(Refusal {
                what: "the lemmas that were mined do not hold in the abstract model",
                span: None,
            }),
        }
    }

    fn too_many(&self, rule: Option<RuleId>) -> Refusal {
        let span = rule.map(|rule| self.reduction.model().rules[rule].span);
        Refusal { what: "a step depends on too many members", span }
    }

    /// Explores the abstract model with lemmas and nothing else; the states, and the lemmas that
    /// excluded something.
    fn check(
        &self,
        lemmas: Vec<Lemma>,
        effort: &CmpEffort,
    ) -> Result<(Explored, Vec<Lemma>), Ended> {
        let mut lemmas = Lemmas::of(self.reduction, self.columns, lemmas);
        let effort = *effort;
        let mut progress = |states: usize| (self.task.progress)(CmpEffort { states, ..effort });
        let (explored, ended) =
            explore(self.reduction, &mut lemmas, self.task.limits, &mut progress);
        self.visited.set(self.visited.get() + explored.states.len());
        match ended {
            Ended::Done => Ok((explored, lemmas.used())),
            ended => Err(ended),
        }
    }

    /// Mines lemmas until the abstract model refutes none.
    fn mine(&self, effort: &mut CmpEffort) -> Result<Vec<Lemma>, CmpVerdict> {
        let mut samples = Samples::new(self.reduction, self.columns);
        samples.add_instance(1, self.task.limits);
        let lemmas = Lemmas::new(self.reduction, self.columns);
        let mut miner = Miner::new(self.reduction, samples, lemmas);
        for round in 1..=MOST_ROUNDS {
            miner.is_dirty = false;
            effort.rounds = round;
            let before = *effort;
            let mut progress = |states: usize| (self.task.progress)(CmpEffort { states, ..before });
            let (explored, ended) =
                explore(self.reduction, &mut miner, self.task.limits, &mut progress);
            let (mined, kept) = miner.lemmas.counts();
            *effort = CmpEffort {
                samples: miner.samples.len(),
                mined,
                kept,
                states: explored.states.len(),
                ..*effort
            };
            (self.task.progress)(*effort);
            match ended {
                Ended::Done if !miner.is_dirty => return Ok(miner.lemmas.kept()),
                Ended::Done | Ended::Refuted => {}
                other => return Err(self.failed(other)),
            }
        }
        let what = "lemmas were still refuted after the last round of mining";
        Err(CmpVerdict::Refused(Refusal { what, span: None }))
    }

    /// Drops lemmas that are not needed, as far as time allows; whether all of them were tried.
    fn minimise(&self, lemmas: &mut Vec<Lemma>, states: usize) -> bool {
        let most = self.visited.get() + states * MINIMISING + MINIMISING_AT_LEAST;
        // The least used ones are at the end.
        let mut at = lemmas.len();
        let mut size = lemmas.len().div_ceil(4).max(1);
        while !lemmas.is_empty() {
            if at == 0 {
                if size == 1 {
                    return true;
                }
                size = size.div_ceil(2);
                at = lemmas.len();
            }
            if self.visited.get() > most || self.task.limits.expired() {
                return false;
            }
            let from = at.saturating_sub(size);
            let mut fewer = lemmas.clone();
            fewer.drain(from..at);
            if self.check(fewer.clone(), &CmpEffort::default()).is_ok() {
                *lemmas = fewer;
            }
            at = from;
        }
        true
    }
}
