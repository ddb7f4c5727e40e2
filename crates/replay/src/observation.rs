//! What the client of a data type sees of an execution.

use crate::memory::world::World;
use crate::thread::state::Seen;
use std::collections::BTreeMap;

/// What was observed, by thread and operation of the thread (both from zero; `None` outside
/// operations), in order.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Observation {
    /// The observed values.
    pub operations: BTreeMap<(u32, Option<u32>), Vec<Observed>>,
}

/// An observed value.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Observed {
    /// The label.
    pub label: String,
    /// The bits.
    pub bits: u128,
    /// How many bits.
    pub width: u32,
    /// The value for people: a signed number, or what it points to.
    pub text: String,
}

impl Observation {
    /// What threads observed, by their numbers.
    pub fn new<'s>(world: &World<'_>, threads: impl Iterator<Item = (u32, &'s [Seen])>) -> Self {
        let mut observation = Self::default();
        for (thread, seen) in threads {
            for Seen { operation, label, value } in seen {
                let text = world.objects().describe(world.program, *value);
                let (bits, width) = (value.bits, value.width.bits());
                let observed = Observed { label: label.clone(), bits, width, text };
                let list = observation.operations.entry((thread, *operation)).or_default();
                list.push(observed);
            }
        }
        observation
    }
}

impl std::fmt::Display for Observation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (index, ((thread, operation), list)) in self.operations.iter().enumerate() {
            let separator = if index == 0 { "" } else { "; " };
            match operation {
                Some(operation) => write!(f, "{separator}{thread}.{operation}:")?,
                None => write!(f, "{separator}{thread}:")?,
            }
            for Observed { label, text, .. } in list {
                write!(f, " {label}={text}")?;
            }
        }
        Ok(())
    }
}
