//! What a run shows of a program: the directions that its branches take, and the operands of its
//! costly operations.

use super::memory::{Site, Stream};
use super::world::Output;
use crate::native::NativeFunction;
use crate::op::{BinaryOp, FloatBinary};
use crate::program::{BlockId, FuncId, Width};
use crate::value::{Value, float};
use execution::ids::Id;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::Arc;

/// A direction of a branch: the calls that lead to it, outermost first (function, block and number
/// of the instruction), then function, block and number of the direction. Iterations and threads are
/// not told apart: what one has shown is known of all.
pub type Direction = Vec<u32>;

/// Of one instruction, this many pairs of operands are remembered.
const MOST_OPERANDS: usize = 1024;

/// An instruction.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Place {
    /// The function that it is in.
    pub function: FuncId,
    /// The block.
    pub block: BlockId,
    /// Its number in the block.
    pub index: u32,
}

/// Something costly that is computed.
#[derive(Clone, Copy, Debug)]
pub enum Costly<'a> {
    /// A product, quotient, remainder or floating-point result.
    Binary(BinaryOp),
    /// What a function of a shared library gives.
    Native(&'a NativeFunction),
}

/// What a table is of: all instructions that compute the same share one.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Computed {
    /// An operation on operands of this width.
    Binary(BinaryOp, Width),
    /// A function of a shared library.
    Native(Arc<NativeFunction>),
}

impl Computed {
    /// An entry of its table, as a person writes it: `6 * 7 = 42`; whether a product is one of `signed`
    /// numbers, only the instruction says.
    pub fn shown(&self, operands: &[Value], result: Value, signed: bool) -> String {
        match self {
            Computed::Binary(op, _) => {
                let number = |value: &Value| match op {
                    BinaryOp::Float(_) => float::text(value),
                    BinaryOp::UDiv | BinaryOp::URem => value.low().to_string(),
                    BinaryOp::Mul if !signed => value.low().to_string(),
                    _ => value.as_signed().to_string(),
                };
                let sign = match op {
                    BinaryOp::Mul | BinaryOp::Float(FloatBinary::Mul) => " * ",
                    BinaryOp::UDiv | BinaryOp::SDiv | BinaryOp::Float(FloatBinary::Div) => " / ",
                    BinaryOp::URem | BinaryOp::SRem | BinaryOp::Float(FloatBinary::Rem) => " % ",
                    BinaryOp::Float(FloatBinary::Add) => " + ",
                    BinaryOp::Float(FloatBinary::Sub) => " - ",
                    _ => ", ",
                };
                let all: Vec<String> = operands.iter().map(number).collect();
                format!("{} = {}", all.join(sign), number(&result))
            }
            Computed::Native(function) => {
                let all = function.parameters.iter().zip(operands);
                let all: Vec<String> = all.map(|(scalar, value)| scalar.shown(value)).collect();
                let result = function.result.shown(&result);
                format!("{}({}) = {result}", function.name, all.join(", "))
            }
        }
    }
}

/// What runs have shown.
#[derive(Clone, Debug, Default)]
pub struct Shown {
    /// The directions of branches.
    pub directions: HashSet<Direction>,
    /// The operands of what is costly.
    pub operands: BTreeMap<Place, (Computed, Vec<Vec<Value>>)>,
    /// The assertions that are reached.
    pub assertions: BTreeSet<Place>,
}

impl Shown {
    /// A branch goes this way.
    pub fn goes(&mut self, site: Site<'_>, arm: usize) {
        let direction = direction(site, arm);
        if !self.directions.contains(&direction) {
            self.directions.insert(direction);
        }
    }

    /// An assertion is reached: the instruction of this number.
    pub fn asserts(&mut self, site: Site<'_>, index: u32) {
        self.assertions.insert(Place { function: site.function, block: site.block, index });
    }

    /// Something costly is computed.
    pub fn computes(&mut self, site: Site<'_>, what: Costly<'_>, operands: &[Value]) {
        let (Some(frame), Some(first)) = (site.frames.last(), operands.first()) else { return };
        let place = Place { function: site.function, block: site.block, index: frame.next };
        let computed = || match what {
            Costly::Binary(op) => Computed::Binary(op, first.width),
            Costly::Native(function) => Computed::Native(Arc::new(function.clone())),
        };
        let (_, all) = self.operands.entry(place).or_insert_with(|| (computed(), Vec::new()));
        if all.len() < MOST_OPERANDS && !all.iter().any(|known| known == operands) {
            all.push(operands.to_vec());
        }
    }
}

/// What a program prints is dropped.
impl Output for Shown {
    fn watches_arithmetic(&self) -> bool {
        true
    }

    fn write(&mut self, _: Stream, _: &[u8]) {}

    fn goes(&mut self, site: Site<'_>, arm: usize) {
        Shown::goes(self, site, arm);
    }

    fn computes(&mut self, site: Site<'_>, what: Costly<'_>, operands: &[Value]) {
        Shown::computes(self, site, what, operands);
    }
}

/// A direction of the branch at the end of the block that a thread is in.
fn direction(site: Site<'_>, arm: usize) -> Direction {
    let outer = &site.frames[..site.frames.len().saturating_sub(1)];
    // A caller is past the call.
    let calls = outer.iter().flat_map(|call| {
        [call.function.index(), call.block.index(), call.next as usize - 1].map(|n| n as u32)
    });
    let own = [site.function.index(), site.block.index(), arm].map(|n| n as u32);
    calls.chain(own).collect()
}
