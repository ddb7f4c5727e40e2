//! Runs a counterexample again before anybody sees it: the stepper and the model's evaluator, which
//! share no code with what found it, must come to what the verdict says.

use engines::serial::{Observation, ObservationSet, Seen};
use engines::test::compose::{Composed, Instance};
use engines::verdict::Violation;
use execution::witness::Witness;
use models::Model;
use oracle::replay::{Replayed, replay};
use serde::{Deserialize, Serialize};

/// What is wrong with a concurrent execution.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Problem {
    /// The clients saw what no serial execution shows.
    Observation {
        /// What they saw.
        seen: Observation,
        /// What serial executions show that comes closest.
        nearest: Vec<Observation>,
    },
    /// Something went wrong: the name of the kind of finding.
    Finding(String),
    /// The model flags the execution.
    Flag(String),
}

impl Problem {
    /// What an engine says; `None` for a serial violation, which is no execution of threads.
    pub fn of(violation: &Violation) -> Option<Problem> {
        Some(match violation {
            Violation::Observation { seen, nearest } => {
                Problem::Observation { seen: seen.clone(), nearest: nearest.clone() }
            }
            Violation::Finding { kind, .. } => Problem::Finding(kind.name().to_string()),
            Violation::Flag(name) => Problem::Flag(name.clone()),
            Violation::Serial(_) => return None,
        })
    }
}

/// Runs a witness again. The error says how what happens differs from what the verdict says: a
/// mistake of ours.
pub fn recheck(
    composed: &Composed,
    set: &ObservationSet,
    model: &Model,
    witness: &Witness,
    problem: &Problem,
) -> Result<Replayed, String> {
    let replayed = replay(&composed.program, model, witness)
        .map_err(|mismatch| format!("the replay does not follow the witness: {mismatch}"))?;
    let found = replayed.finding.as_ref().map(|finding| finding.kind.name());
    match problem {
        Problem::Finding(kind) => match found {
            Some(found) if found == kind => {}
            Some(found) => {
                return Err(format!("the verdict says `{kind}`, the replay finds `{found}`"));
            }
            None => return Err(format!("the verdict says `{kind}`, the replay finds nothing")),
        },
        Problem::Flag(name) => {
            if !replayed.flags.iter().any(|flag| *flag.name == **name) {
                return Err(format!("the verdict says `{name}`, the replay raises no such flag"));
            }
        }
        Problem::Observation { seen, .. } => {
            if let Some(found) = found {
                return Err(format!(
                    "the verdict tells an observation, the replay finds `{found}`"
                ));
            }
            let replayed = observation(composed, &replayed)?;
            if replayed != *seen {
                let (told, shown) = (text(composed, seen), text(composed, &replayed));
                return Err(format!("the verdict says {told}, the replay shows {shown}"));
            }
            if set.contains(seen) {
                return Err(format!("a serial execution shows {}", text(composed, seen)));
            }
        }
    }
    Ok(replayed)
}

/// What the replay shows, in the order of the operations of the test.
fn observation(composed: &Composed, replayed: &Replayed) -> Result<Observation, String> {
    let of = |instance: &Instance| {
        let key = (instance.column as u32, Some(instance.index as u32));
        let Some(list) = replayed.observation.operations.get(&key) else { return Ok(Vec::new()) };
        let seen = |value: &oracle::program::Observed| {
            let label = value.label.clone();
            let number = signed(value.bits, value.width);
            if value.text.starts_with('&') {
                return Err(format!("`{}` observes the address {}", instance.name, value.text));
            }
            Ok(Seen { label, value: number })
        };
        list.iter().map(seen).collect()
    };
    composed.instances.iter().map(of).collect()
}

fn signed(bits: u128, width: u32) -> i128 {
    let unused = 128 - width.clamp(1, 128);
    ((bits << unused) as i128) >> unused
}

/// `e: value=0; d: taken=1`.
pub fn text(composed: &Composed, observation: &Observation) -> String {
    let one = |(instance, seen): (&Instance, &Vec<Seen>)| {
        let seen: String = seen.iter().map(|seen| format!(" {seen}")).collect();
        format!("{}:{seen}", instance.name)
    };
    let all: Vec<String> = composed.instances.iter().zip(observation).map(one).collect();
    all.join("; ")
}

#[cfg(test)]
mod tests {
    use super::signed;

    #[test]
    fn observed_bits_are_signed_numbers_of_their_width() {
        assert_eq!(signed(0xffff_ffff, 32), -1);
        assert_eq!(signed(0xffff_ffff, 64), 0xffff_ffff);
        assert_eq!(signed(1, 1), -1);
        assert_eq!(signed(u128::MAX, 128), -1);
    }
}
