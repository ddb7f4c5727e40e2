//! Which values the text stores in each object, if they are few.
//!
//! A flow-insensitive analysis of all threads: what a register can hold is computed from what its
//! operands can, what a load gives is what is stored in its objects or was there at first. Sets that
//! grow past [`MOST_VALUES`] are unknown.
//!
//! A value that is computed from others passes through each store at most as often as that is
//! executed. So where no loop stores, as many iterations as there are stores find everything, even if
//! one more would add to a set (`x = x + 1`).

use crate::access::Reader;
use crate::between::Steps;
use crate::flow::{Action, ActivationId, Known, StepId};
use crate::threads::{MANY, Root, concurrent};
use ir::op::{Callee, Choice, Inst, Op, Operand};
use ir::points_to::{Object, Objects, passed};
use ir::program::{InitData, Program, Reg, Width};
use ir::value::Value;
use std::collections::{BTreeMap, BTreeSet};

/// How many values a set has at most.
const MOST_VALUES: usize = 32;

/// Values, if they are known.
type Set = Option<BTreeSet<u128>>;

/// What is stored in each object, not counting what it holds at first.
#[derive(Default)]
pub struct Stored {
    objects: BTreeMap<Object, Set>,
    /// What is stored while several threads may run.
    concurrently: BTreeMap<Object, Set>,
    registers: BTreeMap<(usize, ActivationId, Reg), Set>,
    changed: bool,
}

/// Where a register is.
struct Place<'a, 'p> {
    program: &'a Program,
    root: usize,
    thread: &'a Root<'p>,
    step: StepId,
    reader: &'a Reader<'a>,
    /// Whether several threads may run.
    running: bool,
}

impl Stored {
    /// Of a program's threads.
    pub fn of(program: &Program, roots: &[Root<'_>], reader: &Reader<'_>) -> Self {
        let mut stored = Stored::default();
        let live: Vec<(usize, &Root<'_>)> =
            roots.iter().enumerate().filter(|(_, root)| root.count > 0).collect();
        let steps: Vec<Steps<'_, '_>> =
            live.iter().map(|(_, root)| Steps::of(&root.flow, reader)).collect();
        let running: Vec<BTreeSet<StepId>> = live
            .iter()
            .zip(&steps)
            .map(|((_, root), steps)| concurrent(root, roots, steps))
            .collect();
        let most = executions(&live, &steps);
        // Each iteration adds a value to some set, or gives one up.
        for iteration in 0.. {
            stored.changed = false;
            for ((&(root, thread), steps), running) in live.iter().zip(&steps).zip(&running) {
                for step in thread.flow.reached() {
                    let running = running.contains(&step);
                    let place = Place { program, root, thread, step, reader, running };
                    stored.step(&place, steps, roots);
                }
            }
            if !stored.changed || most.is_some_and(|most| iteration > most) {
                break;
            }
        }
        stored
    }

    /// What other threads may store in some of these objects later, if it is known.
    pub fn later_in(&self, objects: &Objects) -> Set {
        in_any(&self.concurrently, objects)
    }

    /// What may be stored in some of these objects, if it is known.
    fn in_any(&self, objects: &Objects) -> Set {
        in_any(&self.objects, objects)
    }

    fn step(&mut self, place: &Place<'_, '_>, steps: &Steps<'_, '_>, roots: &[Root<'_>]) {
        let at = &place.thread.flow.steps[place.step];
        match &at.action {
            Action::Decide(_) => {}
            Action::Pass(values) => {
                for (value, (activation, reg)) in values {
                    let set = self.operand(place, value);
                    self.set((place.root, *activation, *reg), set);
                }
            }
            Action::Inst(inst) => {
                self.instruction(place, inst, roots);
                self.store(place, inst, steps);
            }
        }
    }

    fn instruction(&mut self, place: &Place<'_, '_>, inst: &Inst, roots: &[Root<'_>]) {
        let at = &place.thread.flow.steps[place.step];
        let function = place.thread.flow.activations[at.activation].function;
        let width = |reg: &Reg| place.program.functions[function].regs[*reg].width;
        let results = inst.op.results();
        let set: Set = match &inst.op {
            Op::Copy { src, .. } => self.operand(place, src),
            Op::Unary { op, a, .. } => {
                let of = width_of(place, a);
                self.operand(place, a)
                    .map(|a| a.iter().map(|&a| Value::int(of, a).unary(*op).bits).collect())
            }
            Op::Cast { dst, op, a } => {
                let of = width_of(place, a);
                let to = width(dst);
                self.operand(place, a)
                    .map(|a| a.iter().map(|&a| Value::int(of, a).cast(*op, to).bits).collect())
            }
            Op::Binary { op, a, b, .. } => {
                let (left, right) = (self.operand(place, a), self.operand(place, b));
                let (wa, wb) = (width_of(place, a), width_of(place, b));
                left.zip(right).map(|(left, right)| {
                    let pairs = left.iter().flat_map(|&a| right.iter().map(move |&b| (a, b)));
                    // `x ^ x` is a common way to make a dependency.
                    let pairs = pairs.filter(|(x, y)| a != b || x == y);
                    let computed = pairs.filter_map(|(a, b)| {
                        Some(Value::int(wa, a).binary(*op, Value::int(wb, b)).ok()?.bits)
                    });
                    computed.collect()
                })
            }
            Op::Select { a, b, .. } => {
                let both = self.operand(place, a).zip(self.operand(place, b));
                both.map(|(a, b)| a.union(&b).copied().collect())
            }
            Op::Load { access, .. } | Op::Rmw { access, .. } | Op::Cas { access, .. } => {
                if let Op::Cas { success: Some(success), .. } = &inst.op {
                    let both = Some(BTreeSet::from([0, 1]));
                    self.set((place.root, at.activation, *success), both);
                }
                let objects = self.objects(place, &access.address);
                let set =
                    self.in_any(&objects).zip(initially(place.program, &objects, access.width));
                let set = set.map(|(a, b)| a.union(&b).copied().collect());
                let dst = match &inst.op {
                    Op::Load { dst, .. } => Some(*dst),
                    Op::Rmw { dst, .. } | Op::Cas { dst, .. } => *dst,
                    _ => None,
                };
                if let Some(dst) = dst {
                    self.set((place.root, at.activation, dst), set);
                }
                return;
            }
            Op::StoreExclusive { .. } => Some(BTreeSet::from([0, 1])),
            Op::Choose {
                from: Choice::Range(Operand::Int { bits: low, .. }, Operand::Int { bits: high, .. }),
                ..
            } if low <= high && high - low < MOST_VALUES as u128 => Some((*low..=*high).collect()),
            Op::Spawn { callee, args, .. } => {
                let callees = match callee {
                    Callee::Direct(function) => BTreeSet::from([*function]),
                    Callee::Indirect(_) => place.reader.known.callees(function, callee),
                };
                let started = roots.iter().enumerate();
                for (number, root) in started.filter(|(_, root)| callees.contains(&root.function)) {
                    let first = root.flow.steps[root.flow.start].activation;
                    let params = &place.program.functions[root.function].params;
                    for (arg, param) in args.iter().zip(params) {
                        let set = self.operand(place, arg);
                        self.set((number, first, *param), set);
                    }
                }
                None
            }
            _ => None,
        };
        for result in results {
            self.set((place.root, at.activation, result), set.clone());
        }
    }

    /// What an instruction writes.
    fn store(&mut self, place: &Place<'_, '_>, inst: &Inst, steps: &Steps<'_, '_>) {
        let set = match &inst.op {
            Op::Store { value, .. } | Op::StoreExclusive { value, .. } => {
                self.operand(place, value)
            }
            Op::Cas { desired, .. } => self.operand(place, desired),
            Op::Rmw { op, access, value, .. } => {
                let objects = self.objects(place, &access.address);
                let old =
                    self.in_any(&objects).zip(initially(place.program, &objects, access.width));
                let old = old.map(|(a, b)| a.union(&b).copied().collect::<BTreeSet<u128>>());
                let width = access.width;
                old.zip(self.operand(place, value)).map(|(old, new)| {
                    let pairs = old.iter().flat_map(|&a| new.iter().map(move |&b| (a, b)));
                    pairs
                        .map(|(a, b)| Value::int(width, a).rmw(*op, Value::int(width, b)).bits)
                        .collect()
                })
            }
            _ if steps.made.contains_key(&place.step) && !matches!(inst.op, Op::Load { .. }) => {
                None
            }
            _ => return,
        };
        let address = match &inst.op {
            Op::Store { access, .. }
            | Op::StoreExclusive { access, .. }
            | Op::Cas { access, .. }
            | Op::Rmw { access, .. } => self.objects(place, &access.address),
            _ => {
                let made = steps.made[&place.step].iter().filter(|made| made.deed.write.is_some());
                made.flat_map(|made| made.spot.objects.clone()).collect()
            }
        };
        for object in address {
            let known = self.objects.entry(object).or_insert_with(|| Some(BTreeSet::new()));
            self.changed |= merge(known, set.clone());
            if place.running {
                let known =
                    self.concurrently.entry(object).or_insert_with(|| Some(BTreeSet::new()));
                self.changed |= merge(known, set.clone());
            }
        }
    }

    fn objects(&self, place: &Place<'_, '_>, address: &Operand) -> Objects {
        let flow = &place.thread.flow;
        let at = &flow.steps[place.step];
        if let Some(Known::Address(object, _)) = flow.known(at.activation, address) {
            return Objects::from([object]);
        }
        let function = flow.activations[at.activation].function;
        passed(place.reader.known.objects(function, address))
    }

    fn operand(&self, place: &Place<'_, '_>, operand: &Operand) -> Set {
        let activation = place.thread.flow.steps[place.step].activation;
        match operand {
            Operand::Int { bits, .. } => Some(BTreeSet::from([*bits])),
            Operand::Reg(reg) => match self.registers.get(&(place.root, activation, *reg)) {
                Some(set) => set.clone(),
                None => Some(BTreeSet::new()),
            },
            _ => None,
        }
    }

    fn set(&mut self, register: (usize, ActivationId, Reg), set: Set) {
        let known = self.registers.entry(register).or_insert_with(|| Some(BTreeSet::new()));
        self.changed |= merge(known, set);
    }
}

fn in_any(stored: &BTreeMap<Object, Set>, objects: &Objects) -> Set {
    let mut found = BTreeSet::new();
    for object in objects {
        match stored.get(object) {
            None => {}
            Some(None) => return None,
            Some(Some(values)) => found.extend(values),
        }
    }
    Some(found)
}

/// How often the threads execute an instruction that writes, all together, if no loop has one.
fn executions(live: &[(usize, &Root<'_>)], steps: &[Steps<'_, '_>]) -> Option<u32> {
    let mut sum = 0u32;
    for ((_, root), steps) in live.iter().zip(steps) {
        for (&step, made) in &steps.made {
            let shared = |made: &crate::access::Made| !made.spot.objects.is_empty();
            if made.iter().any(|made| made.deed.write.is_some() && shared(made)) {
                if root.flow.after(step).contains(&step) || root.count >= MANY {
                    return None;
                }
                sum += root.count;
            }
        }
    }
    Some(sum)
}

/// Adds to a set; whether it changes.
fn merge(known: &mut Set, more: Set) -> bool {
    let Some(values) = known else { return false };
    let before = values.len();
    match more {
        Some(more) => values.extend(more),
        None => {
            *known = None;
            return true;
        }
    }
    let changed = values.len() > before;
    if values.len() > MOST_VALUES {
        *known = None;
    }
    changed
}

fn width_of(place: &Place<'_, '_>, operand: &Operand) -> Width {
    let flow = &place.thread.flow;
    let function = flow.activations[flow.steps[place.step].activation].function;
    match operand {
        Operand::Reg(reg) => place.program.functions[function].regs[*reg].width,
        Operand::Int { width, .. } | Operand::Undef(width) => *width,
        _ => Width::PTR,
    }
}

/// What objects hold at first, in parts of a width.
fn initially(program: &Program, objects: &Objects, width: Width) -> Set {
    let mut found = BTreeSet::new();
    for object in objects {
        let Object::Global(global) = object else {
            found.insert(0);
            continue;
        };
        let global = &program.globals[*global];
        let mut bytes = vec![0u8; global.size.min(4096) as usize];
        for init in &global.init {
            let InitData::Bytes(data) = &init.data else { return None };
            for (at, byte) in data.iter().enumerate() {
                *bytes.get_mut(init.offset as usize + at)? = *byte;
            }
        }
        for part in bytes.chunks(width.bytes() as usize) {
            let number = part.iter().rev().fold(0u128, |sum, byte| sum << 8 | u128::from(*byte));
            found.insert(number);
        }
    }
    Some(found)
}
