//! The words of the text form for operations, conversions and flags, each table used both ways.

use crate::op::{BinaryOp, CastOp, Conversion, PrintFormat, RmwOp, UnaryOp};
use crate::order::Order;

/// Operations of one operand.
pub(super) const UNARY: &[(UnaryOp, &str)] = &[
    (UnaryOp::Neg, "neg"),
    (UnaryOp::Not, "not"),
    (UnaryOp::CountLeadingZeros, "clz"),
    (UnaryOp::CountTrailingZeros, "ctz"),
    (UnaryOp::PopCount, "popcount"),
    (UnaryOp::ByteSwap, "bswap"),
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
];

/// Changes of width.
pub(super) const CAST: &[(CastOp, &str)] =
    &[(CastOp::ZeroExtend, "zext"), (CastOp::SignExtend, "sext"), (CastOp::Truncate, "trunc")];

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
