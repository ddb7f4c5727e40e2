//! Which well-known abstract type a data type is: what its serial states do is compared with a set,
//! a queue, a stack and a deque, for every assignment of its operations to theirs.

use super::spec::{AbstractId, InvocationId, Next, OutcomeId, Spec};
use execution::ids::Id;
use hashbrown::HashMap;
use std::collections::VecDeque;
use std::fmt;

/// A well-known abstract type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// Values that are in it or not: add, remove, contains.
    Set,
    /// First in, first out.
    Queue,
    /// Last in, first out.
    Stack,
    /// Both ends.
    Deque,
}

impl Shape {
    const ALL: [Shape; 4] = [Shape::Set, Shape::Queue, Shape::Stack, Shape::Deque];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Shape::Set => "set",
            Shape::Queue => "queue",
            Shape::Stack => "stack",
            Shape::Deque => "deque",
        }
    }

    /// What its operations do.
    fn roles(self) -> &'static [Role] {
        match self {
            Shape::Set => &[Role::Add, Role::Remove, Role::Contains],
            Shape::Queue => &[Role::PutLast, Role::GetFirst],
            Shape::Stack => &[Role::PutFirst, Role::GetFirst],
            Shape::Deque => &[Role::PutFirst, Role::PutLast, Role::GetFirst, Role::GetLast],
        }
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The abstract type of this name.
pub fn shape_named(name: &str) -> Option<Shape> {
    Shape::ALL.into_iter().find(|shape| shape.name() == name)
}

/// What an operation does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Role {
    Add,
    Remove,
    Contains,
    PutFirst,
    PutLast,
    GetFirst,
    GetLast,
}

/// What an operation says: whether it changed or found something, or what it got.
type Answer = Option<usize>;

impl Role {
    fn takes_value(self) -> bool {
        !matches!(self, Role::GetFirst | Role::GetLast)
    }

    /// What the operation does with a value: in a set, values are in order.
    fn run(self, state: &[usize], value: usize) -> (Answer, Vec<usize>) {
        let mut next = state.to_vec();
        let found = state.iter().position(|&other| other == value);
        let answer = match (self, found) {
            (Role::Add, None) => {
                next.push(value);
                next.sort_unstable();
                Some(1)
            }
            (Role::Remove, Some(at)) => {
                next.remove(at);
                Some(1)
            }
            (Role::Contains, Some(_)) => Some(1),
            (Role::Add | Role::Remove | Role::Contains, _) => Some(0),
            (Role::PutFirst, _) => {
                next.insert(0, value);
                Some(0)
            }
            (Role::PutLast, _) => {
                next.push(value);
                Some(0)
            }
            (Role::GetFirst, _) => match next.is_empty() {
                true => None,
                false => Some(next.remove(0)),
            },
            (Role::GetLast, _) => next.pop(),
        };
        (answer, next)
    }
}

/// The well-known type that an abstract type is, within its bound.
pub(super) fn shape(spec: &Spec) -> Option<Shape> {
    Shape::ALL.into_iter().find(|shape| is_of(spec, *shape))
}

fn is_of(spec: &Spec, shape: Shape) -> bool {
    assignments(spec, shape).iter().any(|roles| differs(spec, roles).is_none())
}

fn assignments(spec: &Spec, shape: Shape) -> Vec<Vec<Role>> {
    let count = spec.invocations.iter().map(|(operation, _)| operation + 1).max().unwrap_or(0);
    let mut all = Vec::new();
    assign(shape.roles(), count, &mut Vec::new(), &mut all);
    all
}

/// Why an abstract type is not a well-known one.
pub(super) enum Difference {
    /// Its operations are not as many.
    Operations(usize),
    /// They do not choose from as many values as those of the type.
    Values,
    /// After these, the last one does otherwise, whichever operations of the type they are taken
    /// for.
    After(Vec<InvocationId>),
}

/// Why an abstract type is not a well-known one: where its operations are taken for those of the
/// type so that they do the same for longest.
pub(super) fn difference(spec: &Spec, shape: Shape) -> Difference {
    let all = assignments(spec, shape);
    if all.is_empty() {
        return Difference::Operations(shape.roles().len());
    }
    let paths = all.iter().filter_map(|roles| differs(spec, roles));
    match paths.max_by_key(Vec::len) {
        Some(path) if !path.is_empty() => Difference::After(path),
        _ => Difference::Values,
    }
}

/// All ways of giving each operation a role of its own; all roles are given.
fn assign(roles: &[Role], count: usize, given: &mut Vec<Role>, all: &mut Vec<Vec<Role>>) {
    if given.len() == count {
        if count == roles.len() {
            all.push(given.clone());
        }
        return;
    }
    for &role in roles {
        if !given.contains(&role) {
            given.push(role);
            assign(roles, count, given, all);
            given.pop();
        }
    }
}

/// Where the abstract states do otherwise than the type does with these roles, if anywhere: what an
/// operation shows tells what the type's operation answers, and the other way round. The sequence is
/// empty if the operations do not choose as those of the type.
fn differs(spec: &Spec, roles: &[Role]) -> Option<Vec<InvocationId>> {
    let mut values: Vec<usize> = vec![0; roles.len()];
    let value_of: Vec<usize> = spec
        .invocations
        .iter()
        .map(|&(operation, _)| {
            values[operation] += 1;
            values[operation] - 1
        })
        .collect();
    let most = |takes: bool| {
        let of = roles.iter().zip(&values).filter(|(role, _)| role.takes_value() == takes);
        of.map(|(_, count)| *count).collect::<Vec<_>>()
    };
    if most(false).iter().any(|&count| count != 1) || most(true).windows(2).any(|w| w[0] != w[1]) {
        return Some(Vec::new());
    }
    let mut paths: HashMap<AbstractId, Vec<InvocationId>> = HashMap::new();
    paths.insert(spec.initial, Vec::new());
    let mut states: HashMap<AbstractId, Vec<usize>> = HashMap::new();
    let mut shown: HashMap<(InvocationId, OutcomeId), Answer> = HashMap::new();
    let mut answered: HashMap<(InvocationId, Answer), OutcomeId> = HashMap::new();
    let mut open = VecDeque::from([spec.initial]);
    states.insert(spec.initial, Vec::new());
    while let Some(state) = open.pop_front() {
        if spec.past[state.index()] {
            continue;
        }
        let contents = states[&state].clone();
        for (at, &(operation, _)) in spec.invocations.iter().enumerate() {
            let invocation = InvocationId::new(at);
            let (answer, next) = roles[operation].run(&contents, value_of[at]);
            let Next::To(outcome, to) = spec.next(state, invocation) else { continue };
            let same = *shown.entry((invocation, outcome)).or_insert(answer) == answer
                && *answered.entry((invocation, answer)).or_insert(outcome) == outcome;
            let known = states.get(&to);
            let path = [paths[&state].as_slice(), &[invocation]].concat();
            if !same || known.is_some_and(|known| *known != next) {
                return Some(path);
            }
            if known.is_none() {
                if states.values().any(|other| *other == next) {
                    return Some(path);
                }
                paths.insert(to, path);
                states.insert(to, next);
                open.push_back(to);
            }
        }
    }
    None
}
