//! Confirms or rejects a counterexample: the replay of its witness must show what the verdict says.

use crate::{Expected, Mismatch, Replayed, replay_within};
use execution::finding::FindingClass;
use execution::verdict::Violation;
use execution::witness::Witness;
use ir::program::Program;
use limits::Limits;
use models::Model;

/// The model under which an execution is run again, and when to give up.
#[derive(Clone, Copy)]
pub struct Under<'a> {
    /// The model.
    pub model: &'a Model,
    /// When to give up.
    pub limits: &'a Limits,
}

/// Why an execution is not confirmed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unconfirmed {
    /// How what happens differs from what the verdict says: a mistake of ours.
    Mismatch(String),
    /// A limit was reached, which says nothing about the execution.
    GaveUp,
}

impl From<String> for Unconfirmed {
    fn from(mismatch: String) -> Self {
        Unconfirmed::Mismatch(mismatch)
    }
}

/// Runs a witness again, and looks for the finding or flag that it is said to have.
pub fn confirm<P>(
    program: &Program,
    Under { model, limits }: Under<'_>,
    witness: &Witness,
    violation: &Violation<P>,
) -> Result<Replayed, Unconfirmed> {
    if matches!(violation, Violation::Serial) {
        return Err(Unconfirmed::Mismatch("a serial execution has no witness".to_string()));
    }
    let class = match violation {
        Violation::Finding { kind, .. } => Some(kind.class()),
        _ => None,
    };
    let unfinished = matches!(violation, Violation::Reached(_));
    let again =
        |class| replay_within(program, model, witness, Expected { class, unfinished }, limits);
    let mut result = again(class);
    // A witness that is about no finding does not say whether overflow, too, stops a thread.
    if result.is_err() && matches!(violation, Violation::Flag(_) | Violation::Reached(_)) {
        result = again(Some(FindingClass::Overflow)).or(result);
    }
    let replayed = result.map_err(|mismatch| match mismatch {
        Mismatch::GaveUp => Unconfirmed::GaveUp,
        mismatch => format!("the replay does not follow the witness: {mismatch}").into(),
    })?;
    let found = replayed.finding.as_ref().map(|finding| finding.kind.class());
    match (violation, found) {
        (Violation::Finding { kind, .. }, Some(found)) if found != kind.class() => {
            Err(format!("the verdict says `{}`, the replay finds `{found}`", kind.class()).into())
        }
        (Violation::Finding { kind, .. }, None) => {
            Err(format!("the verdict says `{}`, the replay finds nothing", kind.class()).into())
        }
        (Violation::Flag(name), _) if !replayed.flags.iter().any(|flag| *flag.name == **name) => {
            Err(format!("the verdict says `{name}`, the replay raises no such flag").into())
        }
        _ => Ok(replayed),
    }
}
