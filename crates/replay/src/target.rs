//! What a program is compiled to before a model is asked about it.
//!
//! Everything that puts a program and a model together (oracle, encoding, replay) must be given
//! what [`compile`] gives, so that all of them see the same accesses and fences.

use execution::event::{Event, EventId, EventKind, Execution, ThreadId};
use execution::ids::Id;
use execution::relation::{EventSet, Relation};
use ir::passes::mapping::{Target, Unsupported};
use ir::prepare;
use ir::program::Program;
use models::{Architecture, Model, check_execution};

/// The program as it is compiled for a model.
pub fn compile(program: &Program, model: &Model) -> Result<Program, Unsupported> {
    prepare::for_target(program, target_of(model))
}

/// What to compile for, to ask a model about a program.
pub fn target_of(model: &Model) -> Target {
    match model.architecture() {
        Architecture::C11 => Target::C11,
        Architecture::Linux => Target::Linux,
        Architecture::X86 => Target::X86,
        Architecture::Power => Target::Power,
        Architecture::Armv7 => Target::Armv7,
        Architecture::Arm => Target::Armv8,
        Architecture::RiscV => Target::RiscV,
        Architecture::CheckFence | Architecture::None => {
            Target::Directed { coherent_loads: keeps_loads_of_one_location_in_order(model) }
        }
    }
}

/// Whether a thread cannot see a write by its first load of a location and not by its second.
fn keeps_loads_of_one_location_in_order(model: &Model) -> bool {
    let event = |thread: Option<usize>, kind, value: &str, instruction| Event {
        thread: thread.map(ThreadId::new),
        kind,
        location: Some("x".into()),
        value: Some(value.into()),
        label: String::new(),
        instruction,
        source: None,
    };
    let events = [
        event(None, EventKind::Write, "0", 0),
        event(Some(0), EventKind::Write, "1", 1),
        event(Some(1), EventKind::Read, "1", 1),
        event(Some(1), EventKind::Read, "0", 2),
    ];
    let [initial, write, first, second] = [0, 1, 2, 3].map(EventId::new);
    let set = |members: &[EventId]| {
        let mut set = EventSet::empty(events.len());
        members.iter().for_each(|event| set.insert(*event));
        set
    };
    let relation = |pairs: &[(EventId, EventId)]| {
        let mut relation = Relation::empty(events.len());
        pairs.iter().for_each(|(from, to)| relation.insert(*from, *to));
        relation
    };
    let sets =
        [("R", set(&[first, second])), ("W", set(&[initial, write])), ("IW", set(&[initial]))];
    let relations = [
        ("po", relation(&[(first, second)])),
        ("rf", relation(&[(write, first), (initial, second)])),
        ("co", relation(&[(initial, write)])),
    ];
    let swapped = Execution {
        events: events.into_iter().collect(),
        sets: sets.into_iter().map(|(name, set)| (name.into(), set)).collect(),
        relations: relations.into_iter().map(|(name, pairs)| (name.into(), pairs)).collect(),
    };
    // An invalid model is reported where the program is checked on it.
    check_execution(model, &swapped).map_or(true, |outcome| !outcome.allowed())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn model(name: &str) -> Model {
        Model::named(name).expect("in the library")
    }

    #[test]
    fn every_model_has_its_target() {
        let directed = |coherent_loads| Target::Directed { coherent_loads };
        for (names, target) in [
            (&["sc", "serial", "tso", "pso", "alpha"][..], directed(true)),
            (&["relaxed", "rmo"], directed(false)),
            (&["power"], Target::Power),
            (&["armv7"], Target::Armv7),
            (&["armv8"], Target::Armv8),
            (&["riscv"], Target::RiscV),
            (&["rc11", "imm", "c11"], Target::C11),
            (&["lkmm"], Target::Linux),
        ] {
            for name in names {
                assert_eq!(target_of(&model(name)), target, "{name}");
            }
        }
    }
}
