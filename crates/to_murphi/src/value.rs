//! What registers and words of memory can hold: small sets of values, and what pure operations make
//! of them.

use ir::op::{BinaryOp, CastOp, UnaryOp};
use ir::program::{GlobalId, Width};
use ir::value::Value;
use std::collections::BTreeSet;

/// Where a word of memory is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Home {
    /// In a heap block: in any, at an offset.
    Heap,
    /// In a global.
    Global(GlobalId),
}

/// A word of memory; for heap blocks, of every block.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Word {
    /// Where.
    pub home: Home,
    /// Its first byte.
    pub offset: u64,
    /// How wide it is.
    pub width: Width,
}

/// One value, or all addresses at an offset in any heap block.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Abs {
    /// Undefined.
    Undef,
    /// A number: as a signed one, except a single bit.
    Int(i128),
    /// The address of some heap block plus a number of bytes, or with such tag bits.
    Node(u64),
    /// The address of a global plus a number of bytes.
    At(GlobalId, i64),
    /// The number of some thread.
    Me,
}

/// A set of values.
pub type Set = BTreeSet<Abs>;

/// A set with more values than this is too large.
pub const MOST_VALUES: usize = 64;
/// The blocks of the heap start at multiples of this.
const ALIGN: u64 = 16;
/// The low bits of a heap block's address, which are zero.
const LOW: u64 = ALIGN - 1;
/// Blocks are smaller than this.
const LARGEST: u64 = 1 << 16;

/// A number as sets hold it.
pub fn number(value: Value) -> i128 {
    match value.width == Width::BOOL {
        true => value.bits as i128,
        false => value.as_signed(),
    }
}

/// A set of one number.
pub fn int(width: Width, bits: u128) -> Set {
    Set::from([Abs::Int(number(Value::int(width, bits)))])
}

/// Whether something has no meaning in a model, and what.
pub type Meaning<T> = Result<T, String>;

fn bit(holds: bool) -> Vec<Abs> {
    vec![Abs::Int(i128::from(holds))]
}

/// What an operation on values of this width gives.
pub fn binary(op: BinaryOp, width: Width, a: &Set, b: &Set) -> Meaning<Set> {
    let mut all = Set::new();
    for &x in a {
        for &y in b {
            all.extend(one(op, width, x, y)?);
        }
        if all.len() > MOST_VALUES {
            return Err(format!("a number with more than {MOST_VALUES} values"));
        }
    }
    Ok(all)
}

fn one(op: BinaryOp, width: Width, a: Abs, b: Abs) -> Meaning<Vec<Abs>> {
    use Abs::{At, Int, Me, Node, Undef};
    let either = || vec![Int(0), Int(1)];
    let odd = || Err(format!("`{}` of an address", format!("{op:?}").to_lowercase()));
    Ok(match (op, a, b) {
        (_, Undef, _) | (_, _, Undef) => vec![Undef],
        (_, Int(x), Int(y)) => {
            let (x, y) = (Value::signed(width, x), Value::signed(width, y));
            match x.binary(op, y) {
                Ok(value) if value.is_defined() => vec![Int(number(value))],
                _ => return Err("a division by zero, or a shift too far".into()),
            }
        }
        (BinaryOp::Eq | BinaryOp::Ne, a, b) => {
            let same = match (a, b) {
                (Node(x), Node(y)) if x == y => None,
                (Me, Me) => None,
                (Me, Int(0)) | (Int(0), Me) => Some(false),
                (Me, _) | (_, Me) => return Err("a comparison of a thread's number".into()),
                (At(x, p), At(y, q)) => Some(x == y && p == q),
                _ => Some(false),
            };
            match same {
                None => either(),
                Some(same) => bit(same == (op == BinaryOp::Eq)),
            }
        }
        (BinaryOp::Add, Node(at), Int(by)) | (BinaryOp::Add, Int(by), Node(at)) => {
            vec![Node(moved(at, by)?)]
        }
        (BinaryOp::Sub, Node(at), Int(by)) => vec![Node(moved(at, -by)?)],
        (BinaryOp::Add, At(global, at), Int(by)) | (BinaryOp::Add, Int(by), At(global, at)) => {
            vec![At(global, at + by as i64)]
        }
        (BinaryOp::Sub, At(global, at), Int(by)) => vec![At(global, at - by as i64)],
        (BinaryOp::And, Node(at), Int(mask)) | (BinaryOp::And, Int(mask), Node(at)) => {
            let mask = mask as u64;
            match (mask <= LOW, mask >= !LOW) {
                (true, _) => vec![Int((at & mask).into())],
                (_, true) => vec![Node(at & mask)],
                _ => return odd(),
            }
        }
        (BinaryOp::Or, Node(at), Int(tag)) | (BinaryOp::Or, Int(tag), Node(at))
            if tag as u64 <= LOW =>
        {
            vec![Node(at | tag as u64)]
        }
        (BinaryOp::Xor, Node(at), Int(tag)) | (BinaryOp::Xor, Int(tag), Node(at))
            if tag as u64 <= LOW =>
        {
            vec![Node(at ^ tag as u64)]
        }
        _ => return odd(),
    })
}

fn moved(at: u64, by: i128) -> Meaning<u64> {
    let to = i128::from(at) + by;
    match u64::try_from(to) {
        Ok(to) if to < LARGEST => Ok(to),
        _ => Err("an address outside of its block".into()),
    }
}

/// What an operation on values of this width gives.
pub fn unary(op: UnaryOp, width: Width, a: &Set) -> Meaning<Set> {
    let one = |x: &Abs| match (op, x) {
        (UnaryOp::DefinedOrZero, Abs::Undef) => Ok(Abs::Int(0)),
        (UnaryOp::DefinedOrZero, defined) => Ok(*defined),
        (_, Abs::Undef) => Ok(Abs::Undef),
        (_, Abs::Int(x)) => Ok(Abs::Int(number(Value::signed(width, *x).unary(op)))),
        _ => Err(format!("`{}` of an address", format!("{op:?}").to_lowercase())),
    };
    a.iter().map(one).collect()
}

/// What a change of width gives.
pub fn cast(op: CastOp, from: Width, to: Width, a: &Set) -> Meaning<Set> {
    let one = |x: &Abs| match (op, x) {
        (CastOp::Float(_), _) => Err("a floating-point number".to_string()),
        (_, Abs::Undef) => Ok(Abs::Undef),
        (_, Abs::Int(x)) => Ok(Abs::Int(number(Value::signed(from, *x).cast(op, to)))),
        (_, Abs::Me) if to >= Width::I32 => Ok(Abs::Me),
        (_, pointer) if from == to => Ok(*pointer),
        _ => Err("a part of an address".to_string()),
    };
    a.iter().map(one).collect()
}
