//! One representative for all states that permutations of scalarsets turn into each other.
//!
//! The idea: a permutation of a scalarset moves the cells that it indexes and renames the cells that
//! hold its members. The representative is the least state over all permutations; to try few of
//! them, members are ordered by a signature that no permutation changes, and only members with equal
//! signatures are permuted, save those whose exchange leaves the state as it is. Ip and Dill,
//! "Better verification through symmetry" (FMSD 1996). The representative is exact: two states
//! have the same one if and only if a permutation turns one into the other. An error in it would
//! leave out states (miss a violation); the corpus compares counts of orbits with known ones.

use execution::ids::{Id, IdVec};
use guarded::model::{Model, ScalarId, ScalarKind, Type, TypeId};
use guarded::pack::Packing;
use std::cmp::Ordering;

/// A step of a cell's place by which a permutation moves it.
#[derive(Clone, Copy, Debug)]
struct Step {
    set: usize,
    member: u32,
    stride: u32,
}

/// How permutations act on one cell.
#[derive(Clone, Debug, Default)]
struct Shape {
    steps: Vec<Step>,
    /// The sets whose members it can hold, with the code of the first.
    holds: Vec<(usize, u32)>,
    /// The cell that it is moved to if each of its steps is to the first member; positions in
    /// multisets count as steps.
    kind: u32,
}

/// The permutations of a model's scalarsets.
#[derive(Clone, Debug)]
pub struct Symmetry {
    sizes: Vec<u32>,
    shapes: Vec<Shape>,
    /// All steps are without multisets.
    packing: Option<Packing>,
}

impl Symmetry {
    /// The permutations of these scalarsets; `None` if there is none but the identity.
    pub fn new(model: &Model, sets: &[ScalarId]) -> Option<Self> {
        let scalars = &model.types.scalars;
        let sets: Vec<ScalarId> =
            sets.iter().copied().filter(|set| scalars[*set].span() > 1).collect();
        if sets.is_empty() {
            return None;
        }
        let sizes = sets.iter().map(|set| scalars[*set].span()).collect();
        let mut positions: IdVec<ScalarId, Option<usize>> = scalars.iter().map(|_| None).collect();
        for (position, set) in sets.iter().enumerate() {
            positions[*set] = Some(position);
        }
        let mut walk = Walk { model, positions, shapes: Vec::new() };
        for variable in &model.variables {
            walk.value(variable.ty, &mut Vec::new(), variable.cell);
        }
        let packing = Some(Packing::new(model)).filter(Packing::has_multisets);
        Some(Self { sizes, shapes: walk.shapes, packing })
    }
}

struct Walk<'m> {
    model: &'m Model,
    positions: IdVec<ScalarId, Option<usize>>,
    shapes: Vec<Shape>,
}

impl Walk<'_> {
    fn value(&mut self, ty: TypeId, steps: &mut Vec<Step>, kind: u32) {
        let types = &self.model.types;
        match types.get(ty) {
            Type::Scalar(scalar) => {
                let holds = self.members(*scalar).into_iter().map(|(set, at)| (set, at + 1));
                let holds = holds.collect();
                self.shapes.push(Shape { steps: steps.clone(), holds, kind });
            }
            Type::Array { index, element } => {
                let stride = types.size(*element);
                let members = self.members(*index);
                for at in 0..types.scalars[*index].span() {
                    let of = |(set, first): &(usize, u32)| {
                        let size = types.scalars[self.set(*set)].span();
                        (*first..first + size).contains(&at).then(|| (*set, at - first))
                    };
                    let step = members.iter().find_map(of);
                    match step {
                        Some((set, member)) => {
                            steps.push(Step { set, member, stride });
                            let first = kind + (at - member) * stride;
                            self.value(*element, steps, first);
                            steps.pop();
                        }
                        None => self.value(*element, steps, kind + at * stride),
                    }
                }
            }
            Type::Record(fields) => {
                for field in fields.clone() {
                    self.value(field.ty, steps, kind + field.offset);
                }
            }
            Type::Multiset { capacity, element } => {
                for _ in 0..*capacity {
                    self.shapes.push(Shape { steps: steps.clone(), holds: Vec::new(), kind });
                    self.value(*element, steps, kind + 1);
                }
            }
        }
    }

    fn set(&self, position: usize) -> ScalarId {
        let found = self.positions.enumerate().find(|(_, at)| **at == Some(position));
        found.map_or_else(|| ScalarId::new(0), |(id, _)| id)
    }

    /// The sets that are parts of a scalar, with the distance of their first member.
    fn members(&self, scalar: ScalarId) -> Vec<(usize, u32)> {
        let scalars = &self.model.types.scalars;
        let distance = |part: ScalarId| (scalars[part].low - scalars[scalar].low) as u32;
        match &scalars[scalar].kind {
            ScalarKind::Union(parts) => {
                let of = |part: &ScalarId| Some((self.positions[*part]?, distance(*part)));
                parts.iter().filter_map(of).collect()
            }
            _ => self.positions[scalar].map(|set| (set, 0)).into_iter().collect(),
        }
    }
}

/// Memory for finding representatives.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    signatures: Vec<Vec<u64>>,
    /// Where each member goes, and which goes to each place.
    to: Vec<Vec<u32>>,
    from: Vec<Vec<u32>>,
    candidate: Vec<u32>,
    best: Vec<u32>,
    has_best: bool,
}

/// Members of a set with equal signatures: the first place they share, and classes of those that
/// can be exchanged without effect.
struct Tie {
    set: usize,
    first: u32,
    classes: Vec<Vec<u32>>,
}

impl Symmetry {
    /// Memory for this.
    pub fn scratch(&self) -> Scratch {
        let vectors =
            || -> Vec<Vec<u32>> { self.sizes.iter().map(|size| (0..*size).collect()).collect() };
        Scratch {
            signatures: self.sizes.iter().map(|size| vec![0; *size as usize]).collect(),
            to: vectors(),
            from: vectors(),
            candidate: vec![0; self.shapes.len()],
            best: vec![0; self.shapes.len()],
            has_best: false,
        }
    }

    /// Replaces a state by its representative.
    pub fn canonicalise(&self, state: &mut [u32], scratch: &mut Scratch) {
        self.sign(state, scratch);
        let ties = self.arrange(state, scratch);
        scratch.has_best = false;
        self.try_ties(&ties, state, scratch);
        state.copy_from_slice(&scratch.best);
    }

    /// Computes the signatures: sums over cells that a member indexes or is held by.
    fn sign(&self, state: &[u32], scratch: &mut Scratch) {
        scratch.signatures.iter_mut().for_each(|set| set.fill(0));
        for (shape, code) in self.shapes.iter().zip(state) {
            let held = shape.held(*code, &self.sizes);
            for (nth, step) in shape.steps.iter().enumerate() {
                let content = match held {
                    None => u64::from(*code),
                    Some((set, member)) => {
                        let own = set == step.set && member == step.member;
                        (1 << 40) + u64::from(own)
                    }
                };
                let mixed = mix((u64::from(shape.kind) << 8 | nth as u64) ^ mix(content));
                let signature = &mut scratch.signatures[step.set][step.member as usize];
                *signature = signature.wrapping_add(mixed);
            }
            if let Some((set, member)) = held {
                let signature = &mut scratch.signatures[set][member as usize];
                *signature = signature.wrapping_add(mix(u64::from(shape.kind) << 8 | 0xff));
            }
        }
    }

    /// Orders members by signature; those with equal ones, where the order matters.
    fn arrange(&self, state: &[u32], scratch: &mut Scratch) -> Vec<Tie> {
        let mut ties = Vec::new();
        for set in 0..self.sizes.len() {
            let mut order: Vec<u32> = (0..self.sizes[set]).collect();
            order.sort_by_key(|member| scratch.signatures[set][*member as usize]);
            for (place, member) in order.iter().enumerate() {
                scratch.to[set][*member as usize] = place as u32;
                scratch.from[set][place] = *member;
            }
            let mut first = 0;
            let same = |a: &u32, b: &u32| {
                scratch.signatures[set][*a as usize] == scratch.signatures[set][*b as usize]
            };
            for group in order.chunk_by(same) {
                if group.len() > 1 {
                    let classes = self.classes(set, group, state);
                    if classes.len() > 1 {
                        ties.push(Tie { set, first, classes });
                    }
                }
                first += group.len() as u32;
            }
        }
        ties
    }

    /// Divides members into classes of those whose exchange leaves the state as it is.
    fn classes(&self, set: usize, group: &[u32], state: &[u32]) -> Vec<Vec<u32>> {
        let mut classes: Vec<Vec<u32>> = Vec::new();
        for member in group {
            let class = classes
                .iter_mut()
                .find(|class| self.exchange_is_identity(set, class[0], *member, state));
            match class {
                Some(class) => class.push(*member),
                None => classes.push(vec![*member]),
            }
        }
        classes
    }

    fn exchange_is_identity(&self, set: usize, a: u32, b: u32, state: &[u32]) -> bool {
        // Elements of multisets would have to be ordered; asking more permutations is right, too.
        if self.packing.is_some() {
            return false;
        }
        let other = |member: u32| match member {
            _ if member == a => b,
            _ if member == b => a,
            _ => member,
        };
        self.shapes.iter().enumerate().all(|(cell, shape)| {
            let mut from = cell as i64;
            for step in shape.steps.iter().filter(|step| step.set == set) {
                let moved = i64::from(other(step.member)) - i64::from(step.member);
                from += moved * i64::from(step.stride);
            }
            let found = state[from as usize];
            let renamed = match shape.held(found, &self.sizes) {
                Some((held, member)) if held == set => found - member + other(member),
                _ => found,
            };
            renamed == state[cell]
        })
    }

    /// Tries every arrangement of the classes of these ties.
    fn try_ties(&self, ties: &[Tie], state: &[u32], scratch: &mut Scratch) {
        let Some((tie, rest)) = ties.split_first() else {
            self.try_one(state, scratch);
            return;
        };
        let mut used = vec![0; tie.classes.len()];
        self.try_classes(tie, rest, 0, &mut used, (state, scratch));
    }

    fn try_classes(
        &self,
        tie: &Tie,
        rest: &[Tie],
        placed: u32,
        used: &mut [usize],
        (state, scratch): (&[u32], &mut Scratch),
    ) {
        let mut done = true;
        for class in 0..used.len() {
            let Some(member) = tie.classes[class].get(used[class]).copied() else { continue };
            done = false;
            used[class] += 1;
            let place = tie.first + placed;
            scratch.to[tie.set][member as usize] = place;
            scratch.from[tie.set][place as usize] = member;
            self.try_classes(tie, rest, placed + 1, used, (state, &mut *scratch));
            used[class] -= 1;
        }
        if done {
            self.try_ties(rest, state, scratch);
        }
    }

    /// Applies a permutation and keeps the state that it gives if it is the least so far.
    fn try_one(&self, state: &[u32], scratch: &mut Scratch) {
        let Scratch { to, from, candidate, best, has_best, .. } = scratch;
        let compare = *has_best && self.packing.is_none();
        let mut order = Ordering::Equal;
        for (cell, shape) in self.shapes.iter().enumerate() {
            let mut source = cell as i64;
            for step in &shape.steps {
                let moved =
                    i64::from(from[step.set][step.member as usize]) - i64::from(step.member);
                source += moved * i64::from(step.stride);
            }
            let found = state[source as usize];
            let code = match shape.held(found, &self.sizes) {
                Some((set, member)) => found - member + to[set][member as usize],
                None => found,
            };
            candidate[cell] = code;
            if compare && order == Ordering::Equal {
                order = code.cmp(&best[cell]);
                if order == Ordering::Greater {
                    return;
                }
            }
        }
        if let Some(packing) = &self.packing {
            packing.order_multisets(candidate);
            order = candidate.cmp(&best);
        }
        if !*has_best || order == Ordering::Less {
            best.copy_from_slice(candidate);
            *has_best = true;
        }
    }
}

impl Shape {
    /// The set and the member that a code of this cell stands for, if it stands for one.
    #[inline]
    fn held(&self, code: u32, sizes: &[u32]) -> Option<(usize, u32)> {
        let of = |(set, first): &(usize, u32)| {
            let member = code.wrapping_sub(*first);
            (code > 0 && member < sizes[*set]).then_some((*set, member))
        };
        self.holds.iter().find_map(of)
    }
}

fn mix(value: u64) -> u64 {
    let value = (value ^ 0x9e37_79b9_7f4a_7c15).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ (value >> 29)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 32)
}
