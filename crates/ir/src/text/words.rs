//! The words of the text form for operations, conversions and flags, each table used both ways.

use crate::op::{
    BinaryOp, CastOp, Conversion, FloatBinary, FloatCast, FloatUnary, PrintFormat, RmwOp, UnaryOp,
};
use crate::order::Order;

/// Operations of one operand.
pub(super) const UNARY: &[(UnaryOp, &str)] = &[
    (UnaryOp::Neg, "neg"),
    (UnaryOp::Not, "not"),
    (UnaryOp::CountLeadingZeros, "clz"),
    (UnaryOp::CountTrailingZeros, "ctz"),
    (UnaryOp::PopCount, "popcount"),
    (UnaryOp::ByteSwap, "bswap"),
    (UnaryOp::DefinedOrZero, "defined"),
    (UnaryOp::Members, "members"),
    (UnaryOp::Float(FloatUnary::Sqrt), "fsqrt"),
    (UnaryOp::Float(FloatUnary::Floor), "ffloor"),
    (UnaryOp::Float(FloatUnary::Ceil), "fceil"),
    (UnaryOp::Float(FloatUnary::Round), "fround"),
    (UnaryOp::Float(FloatUnary::RoundEven), "froundeven"),
    (UnaryOp::Float(FloatUnary::Trunc), "ftrunc"),
];

/// Operations of two operands.
pub(super) const BINARY: &[(BinaryOp, &str)] = &[
    (BinaryOp::Add, "add"),
    (BinaryOp::Sub, "sub"),
    (BinaryOp::Mul, "mul"),
    (BinaryOp::UDiv, "udiv"),
    (BinaryOp::SDiv, "sdiv"),
    (BinaryOp::URem, "urem"),
    (BinaryOp::SRem, "srem"),
    (BinaryOp::And, "and"),
    (BinaryOp::Or, "or"),
    (BinaryOp::Xor, "xor"),
    (BinaryOp::Shl, "shl"),
    (BinaryOp::LShr, "lshr"),
    (BinaryOp::AShr, "ashr"),
    (BinaryOp::Eq, "eq"),
    (BinaryOp::Ne, "ne"),
    (BinaryOp::Ult, "ult"),
    (BinaryOp::Ule, "ule"),
    (BinaryOp::Slt, "slt"),
    (BinaryOp::Sle, "sle"),
    (BinaryOp::Float(FloatBinary::Add), "fadd"),
    (BinaryOp::Float(FloatBinary::Sub), "fsub"),
    (BinaryOp::Float(FloatBinary::Mul), "fmul"),
    (BinaryOp::Float(FloatBinary::Div), "fdiv"),
    (BinaryOp::Float(FloatBinary::Rem), "frem"),
    (BinaryOp::Float(FloatBinary::Eq), "feq"),
    (BinaryOp::Float(FloatBinary::Lt), "flt"),
    (BinaryOp::Float(FloatBinary::Le), "fle"),
];

/// Changes of width.
pub(super) const CAST: &[(CastOp, &str)] = &[
    (CastOp::ZeroExtend, "zext"),
    (CastOp::SignExtend, "sext"),
    (CastOp::Truncate, "trunc"),
    (CastOp::Float(FloatCast::FromSigned), "sitof"),
    (CastOp::Float(FloatCast::FromUnsigned), "uitof"),
    (CastOp::Float(FloatCast::ToSigned), "ftosi"),
    (CastOp::Float(FloatCast::ToUnsigned), "ftoui"),
    (CastOp::Float(FloatCast::Resize), "fresize"),
];

/// Read-modify-writes.
pub(super) const RMW: &[(RmwOp, &str)] = &[
    (RmwOp::Exchange, "xchg"),
    (RmwOp::Add, "add"),
    (RmwOp::Sub, "sub"),
    (RmwOp::And, "and"),
    (RmwOp::Or, "or"),
    (RmwOp::Xor, "xor"),
    (RmwOp::Nand, "nand"),
    (RmwOp::Max, "max"),
    (RmwOp::Min, "min"),
    (RmwOp::UMax, "umax"),
    (RmwOp::UMin, "umin"),
];

/// Formats of printed values.
pub(super) const CONVERSION: &[(Conversion, &str)] = &[
    (Conversion::Signed, "dec"),
    (Conversion::Unsigned, "udec"),
    (Conversion::Octal, "oct"),
    (Conversion::Hex, "hex"),
    (Conversion::HexUpper, "HEX"),
    (Conversion::Char, "char"),
    (Conversion::String, "str"),
    (Conversion::Pointer, "ptr"),
    (Conversion::Fixed { upper: false }, "fixed"),
    (Conversion::Fixed { upper: true }, "FIXED"),
    (Conversion::Exponent { upper: false }, "exp"),
    (Conversion::Exponent { upper: true }, "EXP"),
    (Conversion::General { upper: false }, "general"),
    (Conversion::General { upper: true }, "GENERAL"),
];

/// Memory orders, by their names.
pub(super) fn order(word: &str) -> Option<Order> {
    Order::ALL.into_iter().find(|order| order.name() == word)
}

/// The flags of a format, with their words.
pub(super) fn flags(format: &mut PrintFormat) -> [(&mut bool, &'static str); 5] {
    [
        (&mut format.left, "left"),
        (&mut format.plus, "plus"),
        (&mut format.space, "space"),
        (&mut format.alternate, "alt"),
        (&mut format.zero, "zero"),
    ]
}

/// The word of an item of a table.
pub(super) fn word_of<T: PartialEq>(table: &[(T, &'static str)], item: &T) -> &'static str {
    table.iter().find(|(known, _)| known == item).map_or("?", |&(_, word)| word)
}

/// The item of a word of a table.
pub(super) fn item_of<T: Copy>(table: &[(T, &'static str)], word: &str) -> Option<T> {
    table.iter().find(|&&(_, known)| known == word).map(|&(item, _)| item)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_word_stands_for_two_instructions() {
        let words = UNARY.iter().map(|&(_, word)| word);
        let words = words.chain(BINARY.iter().map(|&(_, word)| word));
        let mut words: Vec<&str> = words.chain(CAST.iter().map(|&(_, word)| word)).collect();
        let count = words.len();
        words.sort_unstable();
        words.dedup();
        assert_eq!(words.len(), count);
    }
}
