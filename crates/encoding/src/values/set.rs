//! What a term may be: a few values, one by one, or too many, of which only the shape is known.

use super::shape::Shape;
use ir::value::Value;
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
        values.sort_unstable_by_key(key);
        values.dedup();
        match Shape::of_values(&values) {
            Some(shape) if values.len() > limit => Set::Many(shape).settled(),
            _ => Set::Few(values.into()),
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
            (Set::Few(a), Set::Few(b)) => {
                Set::of(a.iter().chain(b.iter()).copied().collect(), limit)
            }
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

/// Shapes of no more values than this are written out.
const SMALL: usize = 8;
