//! Shapes: which bits may be one, which may be undefined, and which objects may be meant.
//!
//! The abstraction for terms with too many values to list: known bits, as in compilers, with the
//! same for undefined bits and the finite set of provenances. Every rule here errs towards
//! more values than there are; [`ir::value`] has the exact rules that it follows.

use ir::program::Width;
use ir::value::{RegionId, Value};

/// Which objects a value may be made from.
pub type Provenances = Vec<Option<RegionId>>;

/// What is known of a set of values of one width.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shape {
    /// The width.
    pub width: Width,
    /// The bits that may be one.
    pub ones: u128,
    /// The bits that always are.
    pub fixed: u128,
    /// The bits that may be undefined.
    pub undef: u128,
    /// The provenances that it may have, sorted.
    pub provenance: Provenances,
    /// The same for the upper half.
    pub high: Provenances,
}

impl Shape {
    /// Any defined number.
    pub fn any(width: Width) -> Shape {
        Shape::number(width, width.mask())
    }

    /// Defined numbers of these bits.
    pub fn number(width: Width, ones: u128) -> Shape {
        let (provenance, high) = (vec![None], vec![None]);
        Shape { width, ones: ones & width.mask(), fixed: 0, undef: 0, provenance, high }
    }

    /// The shape of one value.
    pub fn of_value(value: &Value) -> Shape {
        Shape {
            width: value.width,
            ones: value.bits,
            fixed: value.bits,
            undef: value.undef,
            provenance: vec![value.provenance],
            high: vec![value.high],
        }
    }

    /// The shape of some values; `None` if there is none.
    pub fn of_values(values: &[Value]) -> Option<Shape> {
        let (first, rest) = values.split_first()?;
        let mut shape = Shape::of_value(first);
        for value in rest {
            shape.ones |= value.bits;
            shape.fixed &= value.bits;
            shape.undef |= value.undef;
            shape.provenance.push(value.provenance);
            shape.high.push(value.high);
        }
        Some(shape.sorted())
    }

    /// Either.
    pub fn join(&self, other: &Shape) -> Shape {
        Shape {
            width: self.width,
            ones: self.ones | other.ones,
            fixed: self.fixed & other.fixed,
            undef: self.undef | other.undef,
            provenance: self.provenance.iter().chain(&other.provenance).copied().collect(),
            high: self.high.iter().chain(&other.high).copied().collect(),
        }
        .sorted()
    }

    /// With provenances in order, each once.
    pub fn sorted(mut self) -> Shape {
        for list in [&mut self.provenance, &mut self.high] {
            list.sort_unstable();
            list.dedup();
        }
        self
    }

    /// Whether all values are defined numbers that are made of no pointer.
    pub fn is_number(&self) -> bool {
        let none = |all: &Provenances| all.iter().all(Option::is_none);
        self.undef == 0 && none(&self.provenance) && none(&self.high)
    }

    /// Whether a value has this shape.
    pub fn contains(&self, value: &Value) -> bool {
        value.bits & !self.ones == 0
            && self.fixed & !value.bits == 0
            && value.undef & !self.undef == 0
            && self.provenance.contains(&value.provenance)
            && self.high.contains(&value.high)
    }

    /// The bit that all values have at a place, if they agree in a defined one.
    pub fn bit(&self, place: u32) -> Option<bool> {
        let bit = 1u128 << place;
        match (self.undef & bit != 0, self.ones & bit != 0, self.fixed & bit != 0) {
            (true, ..) => None,
            (_, false, _) => Some(false),
            (_, _, true) => Some(true),
            _ => None,
        }
    }

    /// The one value that this is, if there is only one.
    pub fn constant(&self) -> Option<Value> {
        match self.values(1)?[..] {
            [value] => Some(value),
            _ => None,
        }
    }

    /// All values of this shape, unless they are more than `limit`.
    pub fn values(&self, limit: usize) -> Option<Vec<Value>> {
        let mut values = vec![Value::int(self.width, 0)];
        let extend = |values: &mut Vec<Value>, options: &[Value]| {
            *values = values
                .iter()
                .flat_map(|v| {
                    options.iter().map(move |o| Value {
                        bits: v.bits | o.bits,
                        undef: v.undef | o.undef,
                        provenance: v.provenance.or(o.provenance),
                        high: v.high.or(o.high),
                        width: v.width,
                    })
                })
                .collect();
            values.len() <= limit
        };
        let zero = Value::int(self.width, 0);
        for place in 0..self.width.bits() {
            let bit = 1u128 << place;
            let mut options = Vec::new();
            if self.fixed & bit == 0 {
                options.push(zero);
            }
            if self.ones & bit != 0 {
                options.push(Value { bits: bit, ..zero });
            }
            if self.undef & bit != 0 {
                options.push(Value { undef: bit, ..zero });
            }
            if !extend(&mut values, &options) {
                return None;
            }
        }
        let low: Vec<Value> =
            self.provenance.iter().map(|&p| Value { provenance: p, ..zero }).collect();
        let high: Vec<Value> = self.high.iter().map(|&p| Value { high: p, ..zero }).collect();
        (extend(&mut values, &low) && extend(&mut values, &high)).then_some(values)
    }
}
