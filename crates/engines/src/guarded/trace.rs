//! The way to a violation, executed once more.
//!
//! With symmetry, stored states are representatives; the way is found anew from a start state, each
//! step to a state whose representative is the stored one. Code without folds executes it, so what
//! is shown does not rest on them.

use super::symmetry::Symmetry;
use super::worker::{Event, Shared};
use super::{Step, Violation, Wrong};
use guarded::fault::Fault;
use guarded::instance::{Instance, Instances};
use guarded::machine::Machine;

/// The steps along these packed states, and what is wrong in the end.
///
/// # Panics
///
/// If the way cannot be found again, which would be a mistake in the search.
pub fn retrace(shared: &Shared<'_>, path: &[Vec<u64>], event: Event) -> Violation {
    let instances = Instances::plain(shared.model).expect("there are as many as before");
    let mut walk = Walk {
        shared,
        machine: Machine::new(shared.model),
        state: vec![0; shared.model.cells as usize],
        steps: Vec::new(),
    };
    for (number, packed) in path.iter().enumerate() {
        let from = if number == 0 { &instances.starts } else { &instances.rules };
        let mut all = from.iter();
        assert!(
            all.any(|instance| walk.leads_to(instance, packed)),
            "a step of a counterexample cannot be repeated"
        );
    }
    if let (Wrong::Fault(fault), 2) = (event.wrong, event.rank) {
        let from = if path.is_empty() { &instances.starts } else { &instances.rules };
        let mut all = from.iter();
        assert!(
            all.any(|instance| walk.fails(instance, fault)),
            "a fault of a counterexample cannot be repeated"
        );
    }
    Violation { wrong: event.wrong, steps: walk.steps }
}

struct Walk<'s, 'm> {
    shared: &'s Shared<'m>,
    machine: Machine<'m>,
    state: Vec<u32>,
    steps: Vec<Step>,
}

impl Walk<'_, '_> {
    /// Fires an instance in the present state, if it is enabled.
    fn fire(&mut self, instance: &Instance) -> Result<bool, Fault> {
        self.machine.state_mut().copy_from_slice(&self.state);
        if !instance.is_enabled(&mut self.machine)? {
            return Ok(false);
        }
        instance.execute(&mut self.machine)?;
        Ok(true)
    }

    fn push(&mut self, instance: &Instance, state: Option<Vec<u32>>) {
        let values = instance.slots.iter().map(|(_, value)| *value).collect();
        self.steps.push(Step { rule: instance.rule, values, state });
    }

    /// Goes on if the instance leads to a state that is stored as this one.
    fn leads_to(&mut self, instance: &Instance, packed: &[u64]) -> bool {
        if self.fire(instance) != Ok(true) {
            return false;
        }
        self.shared.packing.order_multisets(self.machine.state_mut());
        let reached = self.machine.state().to_vec();
        let mut representative = reached.clone();
        if let Some(symmetry) = self.shared.symmetry {
            let mut scratch = Symmetry::scratch(symmetry);
            symmetry.canonicalise(&mut representative, &mut scratch);
        }
        let mut words = vec![0; self.shared.packing.words()];
        self.shared.packing.pack(&representative, &mut words);
        if words != packed {
            return false;
        }
        self.state.clone_from(&reached);
        self.push(instance, Some(reached));
        true
    }

    /// Goes on if the instance fails in this way.
    fn fails(&mut self, instance: &Instance, fault: Fault) -> bool {
        let fails = self.fire(instance) == Err(fault);
        if fails {
            self.push(instance, None);
        }
        fails
    }
}
