//! The Murphi type of a register or word of memory, by the values that it holds.

use crate::value::{Abs, Meaning, Set};
use ir::program::Width;
use std::collections::BTreeSet;
use std::fmt::Write;

/// A number past this, either way, is given a name: only its order matters.
const LARGE: i128 = 1 << 20;

/// How values are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// There is one value, or none: no variable is needed.
    Unit,
    /// `boolean`
    Bool,
    /// A range of numbers.
    Num(i128, i128),
    /// The number of a node, 0 for none; the offset within it is known.
    Ref(u64),
    /// The number of a node times the factor, plus an offset or tag bits.
    Link,
    /// The number of a thread, or 0.
    Owner,
}

impl Shape {
    /// The shape that both have, if variables of both may share a name.
    pub fn joined(self, other: Shape) -> Option<Shape> {
        match (self, other) {
            (Shape::Num(a, b), Shape::Num(c, d)) => Some(Shape::Num(a.min(c), b.max(d))),
            (Shape::Ref(_), Shape::Ref(_)) => Some(self),
            (a, b) => (a == b).then_some(a),
        }
    }
}

/// Whether a set is of truth values.
pub fn is_truth(set: &Set) -> bool {
    !set.is_empty() && set.iter().all(|value| matches!(value, Abs::Int(0 | 1)))
}

/// The offsets of the addresses in a set, if it holds addresses of nodes: of null, 0.
pub fn lows(set: &Set) -> Meaning<BTreeSet<u64>> {
    let low = |value: &Abs| match value {
        Abs::Node(low) => Ok(*low),
        Abs::Int(number @ 0..4096) => Ok(*number as u64),
        Abs::Int(_) => Err("a number that is used as an address".to_string()),
        _ => Err("an address of a node or of something else".to_string()),
    };
    set.iter().filter(|value| **value != Abs::Undef).map(low).collect()
}

/// The shape of a set of values of this width; those of one byte can be truth values.
pub fn shape(set: &Set, width: Width) -> Meaning<Shape> {
    let mut values = set.iter().filter(|value| **value != Abs::Undef);
    let first = values.clone().next();
    if values.clone().count() <= 1 && !matches!(first, Some(Abs::Node(_) | Abs::Me)) {
        return Ok(Shape::Unit);
    }
    if set.contains(&Abs::Me) {
        return match values.all(|value| matches!(value, Abs::Me | Abs::Int(0))) {
            true => Ok(Shape::Owner),
            false => Err("a thread's number or something else".into()),
        };
    }
    if set.iter().any(|value| matches!(value, Abs::At(..))) {
        return Err("a pointer to several objects".into());
    }
    if set.iter().any(|value| matches!(value, Abs::Node(_))) {
        let lows = lows(set)?;
        return Ok(match lows.len() {
            1 => Shape::Ref(*lows.first().expect("one")),
            _ => Shape::Link,
        });
    }
    let defined: Set = values.copied().collect();
    if is_truth(&defined) && width <= Width::I8 {
        return Ok(Shape::Bool);
    }
    let numbers = defined.iter().map(|value| match value {
        Abs::Int(number) => *number,
        _ => unreachable!("all others are handled"),
    });
    let (low, high) = (numbers.clone().min(), numbers.max());
    Ok(Shape::Num(low.unwrap_or(0), high.unwrap_or(0)))
}

/// How numbers are written: the large ones by names, in their order.
#[derive(Clone, Debug, Default)]
pub struct Numbers {
    low: i128,
    high: i128,
    large: BTreeSet<i128>,
}

impl Numbers {
    /// A number occurs.
    pub fn meet(&mut self, number: i128) {
        match number.abs() >= LARGE {
            true => {
                self.large.insert(number);
            }
            false => {
                self.low = self.low.min(number);
                self.high = self.high.max(number);
            }
        }
    }

    /// A number as text.
    pub fn text(&self, number: i128) -> String {
        match number.abs() >= LARGE {
            true => name(number),
            false => number.to_string(),
        }
    }

    /// The definitions of the names.
    pub fn constants(&self) -> String {
        let below: Vec<i128> = self.large.iter().copied().filter(|n| *n < 0).rev().collect();
        let above = self.large.iter().copied().filter(|n| *n > 0);
        let low = below.into_iter().zip(1..).map(|(number, by)| (number, self.low - by));
        let high = above.zip(1..).map(|(number, by)| (number, self.high + by));
        let mut all: Vec<(i128, i128)> = low.chain(high).collect();
        all.sort_unstable();
        let mut out = String::new();
        for (number, stands) in all {
            let _ = writeln!(
                out,
                "  {}: {stands};  -- for {number}: only its order matters",
                name(number)
            );
        }
        out
    }
}

/// Whether only the order of a number matters.
pub fn is_large(number: i128) -> bool {
    number.abs() >= LARGE
}

fn name(number: i128) -> String {
    match number {
        n if n == i32::MIN.into() => "INT_MIN".into(),
        n if n == i32::MAX.into() => "INT_MAX".into(),
        n if n == i64::MIN.into() => "LONG_MIN".into(),
        n if n == i64::MAX.into() => "LONG_MAX".into(),
        n if n == u32::MAX.into() => "UINT_MAX".into(),
        n if n < 0 => format!("MINUS_{}", -n),
        n => format!("NUMBER_{n}"),
    }
}

/// The factor of links: a power of two past all offsets that occur in them.
pub fn factor<'s>(sets: impl Iterator<Item = &'s Set>) -> u64 {
    let links = sets
        .filter(|set| shape(set, Width::PTR) == Ok(Shape::Link))
        .filter_map(|set| lows(set).ok());
    let most = links.filter_map(|lows| lows.last().copied()).max().unwrap_or(0);
    (most + 1).next_power_of_two()
}
