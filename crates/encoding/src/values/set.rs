//! What a term may be: a few values, one by one, or too many, of which only the shape is known.

use super::shape::Shape;
use ir::value::Value;
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// The values that a term may take.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Set {
    /// These, in the order of [`key`], each once. None at all where the term is never computed.
    Few(Arc<[Value]>),
    /// Top: any value of this shape.
    Many(Shape),
}

/// What values are sorted by.
pub fn key(value: &Value) -> (u128, u128, Option<usize>, Option<usize>) {
    use execution::ids::Id;
    (value.bits, value.undef, value.provenance.map(Id::index), value.high.map(Id::index))
}

impl Set {
    /// No value.
    pub fn empty() -> Set {
        Set::Few(Arc::new([]))
    }

    /// One value.
    pub fn one(value: Value) -> Set {
        Set::Few(Arc::new([value]))
    }

    /// These values; their shape if there are more than `limit`.
    pub fn of(mut values: Vec<Value>, limit: usize) -> Set {
        if values.len() > MANY {
            // Most are repeated, and to sort them is what the analysis takes longest for.
            let mut seen = FxHashSet::default();
            values.retain(|&value| seen.insert(value));
        }
        values.sort_unstable_by_key(key);
        values.dedup();
        Set::of_sorted(values, limit)
    }

    /// These values, which are in order, each once.
    fn of_sorted(values: Vec<Value>, limit: usize) -> Set {
        let too_many = values.len() > limit;
        match too_many.then(|| Shape::of_values(&values)).flatten() {
            Some(shape) => Set::Many(shape).settled(),
            None => Set::Few(values.into()),
        }
    }

    /// The values, if they are few.
    pub fn few(&self) -> Option<&[Value]> {
        match self {
            Set::Few(values) => Some(values),
            Set::Many(_) => None,
        }
    }

    /// Whether there is no value.
    pub fn is_empty(&self) -> bool {
        self.few().is_some_and(<[_]>::is_empty)
    }

    /// Whether a value is in it.
    pub fn contains(&self, value: &Value) -> bool {
        match self {
            Set::Few(values) => values.binary_search_by_key(&key(value), key).is_ok(),
            Set::Many(shape) => shape.contains(value),
        }
    }

    /// The shape of the values; `None` if there is none.
    pub fn shape(&self) -> Option<Shape> {
        match self {
            Set::Few(values) => Shape::of_values(values),
            Set::Many(shape) => Some(shape.clone()),
        }
    }

    /// Either.
    pub fn union(&self, other: &Set, limit: usize) -> Set {
        if self == other || other.is_empty() {
            return self.clone();
        }
        if self.is_empty() {
            return other.clone();
        }
        match (self, other) {
            (Set::Few(a), Set::Few(b)) => match merged(a, b) {
                values if values.len() == a.len() && a.len() <= limit => self.clone(),
                values if values.len() == b.len() && b.len() <= limit => other.clone(),
                values => Set::of_sorted(values, limit),
            },
            _ => match (self.shape(), other.shape()) {
                (Some(a), Some(b)) => Set::Many(a.join(&b)).settled(),
                _ => unreachable!("neither is empty"),
            },
        }
    }

    /// The same set, value by value if the shape leaves only a handful.
    pub fn settled(self) -> Set {
        match &self {
            Set::Many(shape) => match shape.values(SMALL) {
                Some(values) => Set::of(values, usize::MAX),
                None => self,
            },
            Set::Few(_) => self,
        }
    }

    /// The set as seen where values are not distinguished: a constant, one bit, or a shape without
    /// known bits. Nothing that comes from outside is constant then.
    pub fn blurred(self, outside: bool) -> Set {
        let constant = self.few().is_some_and(|values| values.len() <= 1) && !outside;
        match self.shape() {
            Some(shape) if !constant => {
                let ones = shape.width.mask();
                Set::Many(Shape { ones, fixed: 0, ..shape }).settled()
            }
            _ => self,
        }
    }
}

/// From this length on, lists are rid of repetitions before they are sorted: found by profiling a
/// table of 26 slots under locks, which is searched by 12 threads.
const MANY: usize = 64;

/// The values of two lists that are in order, in order and each once.
fn merged(a: &[Value], b: &[Value]) -> Vec<Value> {
    let mut all = Vec::with_capacity(a.len() + b.len());
    let (mut a, mut b) = (a.iter().peekable(), b.iter().peekable());
    while let (Some(x), Some(y)) = (a.peek(), b.peek()) {
        let order = key(x).cmp(&key(y));
        all.extend(if order.is_le() { a.next() } else { b.next() });
        if order.is_eq() {
            b.next();
        }
    }
    all.extend(a.chain(b));
    all
}

/// Shapes of no more values than this are written out.
const SMALL: usize = 8;
