//! One thread's part of a level: fires all rules in some states and hands on what it finds.

use super::store::{Found, Origin, Store, hash};
use super::symmetry::{Scratch, Symmetry};
use super::{Deadlock, Wrong};
use guarded::fault::{Fault, FaultKind};
use guarded::instance::{Claim, Instance, Instances};
use guarded::machine::Machine;
use guarded::model::{Model, PropertyKind};
use guarded::pack::Packing;
use std::sync::atomic::{AtomicBool, Ordering};

/// Found states are put into a shard so many at a time.
const BATCH: usize = 256;

/// Everything that all workers share.
pub struct Shared<'m> {
    pub model: &'m Model,
    pub instances: &'m Instances,
    pub packing: &'m Packing,
    pub symmetry: Option<&'m Symmetry>,
    pub store: &'m Store,
    pub deadlock: Deadlock,
    /// Which claims that are to be covered were.
    pub covered: &'m [AtomicBool],
}

/// Something wrong. The least is reported: what is wrong with a state comes before what is wrong
/// with a step from it, and earlier states before later ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Event {
    pub rank: u8,
    pub origin: Origin,
    pub wrong: Wrong,
}

impl Event {
    pub fn key(&self) -> (u8, Origin) {
        (self.rank, self.origin)
    }
}

/// A worker.
pub struct Worker<'s, 'm> {
    shared: &'s Shared<'m>,
    machine: Machine<'m>,
    scratch: Option<Scratch>,
    current: Vec<u32>,
    enabled: Vec<usize>,
    packed: Vec<u64>,
    batches: Vec<(Vec<Found>, Vec<u64>)>,
    /// How many rules it fired, and how many states it added.
    pub rules: u64,
    pub added: u64,
    pub event: Option<Event>,
    /// Whether a loop depends on the order of members that symmetry permutes.
    pub depends_on_order: bool,
}

impl<'s, 'm> Worker<'s, 'm> {
    pub fn new(shared: &'s Shared<'m>) -> Self {
        let mut machine = Machine::new(shared.model);
        machine.tries_orders = shared.symmetry.is_some();
        Self {
            shared,
            machine,
            scratch: shared.symmetry.map(Symmetry::scratch),
            current: vec![0; shared.model.cells as usize],
            enabled: Vec::new(),
            packed: vec![0; shared.packing.words()],
            batches: (0..shared.store.shards()).map(|_| Default::default()).collect(),
            rules: 0,
            added: 0,
            event: None,
            depends_on_order: false,
        }
    }

    fn report(&mut self, rank: u8, origin: Origin, wrong: Wrong) {
        let event = Event { rank, origin, wrong };
        if self.event.is_none_or(|known| event.key() < known.key()) {
            self.event = Some(event);
        }
    }

    /// Executes the start states.
    pub fn start(&mut self) {
        let starts = &self.shared.instances.starts;
        for (number, start) in starts.iter().enumerate() {
            self.machine.state_mut().fill(0);
            let origin = Origin::new(0, number);
            match start.execute(&mut self.machine) {
                Ok(()) => self.found(origin),
                Err(fault) => self.fault(origin, fault),
            }
        }
        self.flush();
    }

    /// Checks a state and fires all rules in it.
    pub fn visit(&mut self, position: u64, words: &[u64]) {
        self.shared.packing.unpack(words, &mut self.current);
        self.machine.state_mut().copy_from_slice(&self.current);
        self.claims(position);
        let rules: &'m [Instance] = &self.shared.instances.rules;
        self.enabled.clear();
        let mut progress = false;
        for (number, rule) in rules.iter().enumerate() {
            match rule.is_enabled(&mut self.machine) {
                Ok(true) => self.enabled.push(number),
                Ok(false) => {}
                Err(fault) => {
                    // Whether it is enabled is not known, so this is not a deadlock.
                    progress = true;
                    self.fault(Origin::new(position, number), fault);
                }
            }
        }
        self.rules += self.enabled.len() as u64;
        let enabled = std::mem::take(&mut self.enabled);
        for number in &enabled {
            self.machine.state_mut().copy_from_slice(&self.current);
            let origin = Origin::new(position, *number);
            match rules[*number].execute(&mut self.machine) {
                Ok(()) => {
                    self.shared.packing.order_multisets(self.machine.state_mut());
                    if self.machine.state() != self.current {
                        progress = true;
                        self.found(origin);
                    }
                }
                Err(fault) => {
                    progress = true;
                    self.fault(origin, fault);
                }
            }
        }
        let is_deadlock = match self.shared.deadlock {
            Deadlock::Stuttering => !progress,
            Deadlock::Stuck => enabled.is_empty() && !progress,
            Deadlock::Off => false,
        };
        if is_deadlock {
            self.report(1, Origin::new(position, 0), Wrong::Deadlock);
        }
        self.enabled = enabled;
    }

    fn fault(&mut self, origin: Origin, fault: Fault) {
        match fault.kind {
            FaultKind::Assumption => {}
            FaultKind::Order => self.depends_on_order = true,
            _ => self.report(2, origin, Wrong::Fault(fault)),
        }
    }

    /// Checks what is claimed of the machine's state.
    fn claims(&mut self, position: u64) {
        let origin = Origin::new(position, 0);
        let claims: &'m [Claim] = &self.shared.instances.claims;
        for (number, claim) in claims.iter().enumerate() {
            let kind = self.shared.model.properties[claim.property].kind;
            if kind == PropertyKind::Assume
                || (kind == PropertyKind::Cover
                    && self.shared.covered[number].load(Ordering::Relaxed))
            {
                continue;
            }
            match (kind, claim.is_true(&mut self.machine)) {
                (PropertyKind::Cover, Ok(true)) => {
                    self.shared.covered[number].store(true, Ordering::Relaxed);
                }
                (PropertyKind::Invariant, Ok(false)) => {
                    self.report(0, origin, Wrong::Invariant(claim.property));
                }
                (_, Ok(_)) => {}
                (_, Err(Fault { kind: FaultKind::Order, .. })) => self.depends_on_order = true,
                (_, Err(fault)) => self.report(0, origin, Wrong::Fault(fault)),
            }
        }
    }

    /// Whether the machine's state satisfies the assumptions.
    fn is_assumed(&mut self, origin: Origin) -> bool {
        let claims: &'m [Claim] = &self.shared.instances.claims;
        for claim in claims {
            if self.shared.model.properties[claim.property].kind != PropertyKind::Assume {
                continue;
            }
            match claim.is_true(&mut self.machine) {
                Ok(true) => {}
                Ok(false) => return false,
                Err(fault) => {
                    self.fault(origin, fault);
                    return false;
                }
            }
        }
        true
    }

    /// The machine's state was reached.
    fn found(&mut self, origin: Origin) {
        if !self.is_assumed(origin) {
            return;
        }
        let shared = self.shared;
        match (shared.symmetry, &mut self.scratch) {
            (Some(symmetry), Some(scratch)) => {
                symmetry.canonicalise(self.machine.state_mut(), scratch);
            }
            _ => shared.packing.order_multisets(self.machine.state_mut()),
        }
        shared.packing.pack(self.machine.state(), &mut self.packed);
        let hash = hash(&self.packed);
        let shard = shared.store.shard_of(hash);
        let (found, words) = &mut self.batches[shard];
        found.push(Found { hash, origin });
        words.extend_from_slice(&self.packed);
        if found.len() >= BATCH {
            self.added += shared.store.insert(shard, found, words);
            found.clear();
            words.clear();
        }
    }

    /// Hands on everything that was found.
    pub fn flush(&mut self) {
        for (shard, (found, words)) in self.batches.iter_mut().enumerate() {
            if !found.is_empty() {
                self.added += self.shared.store.insert(shard, found, words);
                found.clear();
                words.clear();
            }
        }
    }
}
