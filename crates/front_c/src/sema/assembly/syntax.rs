//! How AT&T's syntax spells instructions, registers and numbers.

use crate::ast::BinaryOp;
use ir::op::RmwOp;

/// What computes a value of two.
pub(super) const ARITHMETIC: [(&str, RmwOp, BinaryOp); 5] = [
    ("add", RmwOp::Add, BinaryOp::Add),
    ("sub", RmwOp::Sub, BinaryOp::Sub),
    ("and", RmwOp::And, BinaryOp::BitAnd),
    ("or", RmwOp::Or, BinaryOp::BitOr),
    ("xor", RmwOp::Xor, BinaryOp::BitXor),
];

/// Operands, which commas separate that are not in parentheses.
pub(super) fn split(text: &str) -> Vec<&str> {
    let (mut depth, mut start, mut parts) = (0i32, 0, Vec::new());
    for (index, letter) in text.char_indices() {
        match letter {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(text[start..index].trim());
                start = index + 1;
            }
            _ => {}
        }
    }
    parts.push(text[start..].trim());
    parts.retain(|part| !part.is_empty());
    parts
}

/// An instruction's name without the letter for its size, and the size.
pub(super) fn named(mnemonic: &str) -> Option<(&str, Option<u64>)> {
    const NAMES: [&str; 15] = [
        "mov", "xchg", "xadd", "cmpxchg", "inc", "dec", "not", "neg", "cmp", "test", "bt", "bts",
        "btr", "btc", "sbb",
    ];
    let is_known =
        |name: &str| NAMES.contains(&name) || ARITHMETIC.iter().any(|(known, ..)| *known == name);
    if is_known(mnemonic) {
        return Some((mnemonic, None));
    }
    let size = match mnemonic.chars().last()? {
        'b' => 1,
        'w' => 2,
        'l' => 4,
        'q' => 8,
        _ => return None,
    };
    let name = &mnemonic[..mnemonic.len() - 1];
    is_known(name).then_some((name, Some(size)))
}

/// Whether a `mov` that widens keeps the sign and what it gives, and from what.
pub(super) fn widening(mnemonic: &str) -> Option<((bool, u64), u64)> {
    let (is_signed, sizes) = match mnemonic.split_at_checked(4)? {
        ("movz", sizes) => (false, sizes),
        ("movs", sizes) => (true, sizes),
        _ => return None,
    };
    let size = |letter| match letter {
        'b' => Some(1),
        'w' => Some(2),
        'l' => Some(4),
        'q' => Some(8),
        _ => None,
    };
    let mut letters = sizes.chars();
    let (from, to) = (size(letters.next()?)?, size(letters.next()?)?);
    (from < to && letters.next().is_none()).then_some(((is_signed, to), from))
}

/// The machine register of a name, by the letter of its constraint, and how many bytes of it.
pub(super) fn machine(name: &str) -> Option<(char, u64)> {
    Some(match name {
        "al" | "ax" | "eax" | "rax" => ('a', size_of_name(name)),
        "bl" | "bx" | "ebx" | "rbx" => ('b', size_of_name(name)),
        "cl" | "cx" | "ecx" | "rcx" => ('c', size_of_name(name)),
        "dl" | "dx" | "edx" | "rdx" => ('d', size_of_name(name)),
        "sil" | "si" | "esi" | "rsi" => ('S', size_of_name(name)),
        "dil" | "di" | "edi" | "rdi" => ('D', size_of_name(name)),
        _ => return None,
    })
}

fn size_of_name(name: &str) -> u64 {
    match (name.chars().next(), name.chars().last()) {
        (Some('r'), _) => 8,
        (Some('e'), _) => 4,
        (_, Some('l')) => 1,
        _ => 2,
    }
}

/// A number as assemblers read it.
pub(super) fn number_of(text: &str) -> Option<i128> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text),
    };
    let value = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(hex) => i128::from(u64::from_str_radix(hex, 16).ok()?),
        None if digits.len() > 1 && digits.starts_with('0') => {
            i128::from(u64::from_str_radix(digits, 8).ok()?)
        }
        None => i128::from(digits.parse::<u64>().ok()?),
    };
    Some(if negative { -value } else { value })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_end_with_the_size_where_they_are_not_names_already() {
        for (mnemonic, expected) in [
            ("sub", Some(("sub", None))),
            ("subb", Some(("sub", Some(1)))),
            ("xaddw", Some(("xadd", Some(2)))),
            ("btsl", Some(("bts", Some(4)))),
            ("movq", Some(("mov", Some(8)))),
            ("movd", None),
            ("jmp", None),
        ] {
            assert_eq!(named(mnemonic), expected, "{mnemonic}");
        }
        assert_eq!(widening("movzbl"), Some(((false, 4), 1)));
        assert_eq!(widening("movslq"), Some(((true, 8), 4)));
        assert_eq!(widening("movsb"), None);
    }

    #[test]
    fn operands_are_separated_by_commas_outside_of_parentheses() {
        assert_eq!(split("%1, 8(%2,%3)"), ["%1", "8(%2,%3)"]);
        assert_eq!(split(" %0 "), ["%0"]);
        assert_eq!(split(""), [""; 0]);
    }

    #[test]
    fn numbers_are_decimal_octal_or_hexadecimal() {
        assert_eq!(["12", "-1", "0x10", "010", "0"].map(number_of), [12, -1, 16, 8, 0].map(Some));
        assert_eq!(["", "x", "1f", "0x"].map(number_of), [None; 4]);
    }

    #[test]
    fn registers_have_the_size_of_their_names() {
        assert_eq!(machine("rax"), Some(('a', 8)));
        assert_eq!(machine("sil"), Some(('S', 1)));
        assert_eq!(machine("cl"), Some(('c', 1)));
        assert_eq!(machine("dx"), Some(('d', 2)));
        assert_eq!(machine("edi"), Some(('D', 4)));
        assert_eq!(machine("ah"), None);
    }
}
