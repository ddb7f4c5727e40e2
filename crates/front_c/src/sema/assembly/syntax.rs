//! How AT&T's syntax spells instructions, registers and numbers.

use ir::machine::x86::{self, Operation};

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

/// What an instruction does whose operands are followed, and how many bytes its name says.
pub(super) fn named(mnemonic: &str) -> Option<(Operation, Option<u64>)> {
    let followed = |name: &str| x86::operation(name).filter(|operation| is_followed(*operation));
    let (name, size) = x86::without_size(mnemonic, |name| followed(name).is_some())?;
    Some((followed(name)?, size.map(|width| width.bytes())))
}

fn is_followed(operation: Operation) -> bool {
    match operation {
        Operation::Move
        | Operation::Exchange
        | Operation::ExchangeAdd
        | Operation::CompareExchange
        | Operation::Compute(_)
        | Operation::Count(_)
        | Operation::Not
        | Operation::Negate
        | Operation::Compare
        | Operation::Test
        | Operation::Bit(_)
        | Operation::SubtractWithCarry => true,
        Operation::MoveNonTemporal
        | Operation::Extend { .. }
        | Operation::CompareExchangeHalves(_)
        | Operation::Arithmetic(_)
        | Operation::Address
        | Operation::Fence(_)
        | Operation::Pause
        | Operation::Nothing
        | Operation::Return => false,
    }
}

/// Whether a `mov` that widens keeps the sign and what it gives, and from what.
pub(super) fn widening(mnemonic: &str) -> Option<((bool, u64), u64)> {
    let (is_signed, from, to) = x86::extension(mnemonic)?;
    Some(((is_signed, to?.bytes()), from.bytes()))
}

/// The machine register of a name, by the letter of its constraint, and how many bytes of it.
pub(super) fn machine(name: &str) -> Option<(char, u64)> {
    let register = x86::register(name).filter(|register| !register.high)?;
    let letter = match &*register.name {
        "rax" => 'a',
        "rbx" => 'b',
        "rcx" => 'c',
        "rdx" => 'd',
        "rsi" => 'S',
        "rdi" => 'D',
        _ => return None,
    };
    Some((letter, register.width.bytes()))
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
    fn names_say_what_is_followed_and_how_many_bytes() {
        let size = |mnemonic| named(mnemonic).map(|(_, size)| size);
        for (mnemonic, expected) in [
            ("sub", Some(None)),
            ("subb", Some(Some(1))),
            ("xaddw", Some(Some(2))),
            ("btsl", Some(Some(4))),
            ("movq", Some(Some(8))),
            ("movd", None),
            ("movnti", None),
            ("mfence", None),
            ("jmp", None),
        ] {
            assert_eq!(size(mnemonic), expected, "{mnemonic}");
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
