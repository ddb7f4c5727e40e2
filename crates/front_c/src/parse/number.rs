//! Numbers: integer constants in all bases and suffixes; floats only as far as distinguishing them.

use crate::ast::ExprKind;

/// What is wrong with a number: which bytes of it, and why.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Wrong {
    pub(super) bytes: std::ops::Range<usize>,
    pub(super) message: String,
}

/// Reads a preprocessing number.
pub(super) fn number(text: &str) -> Result<ExprKind, Wrong> {
    let lower = text.to_ascii_lowercase();
    let (base, digits_at) = match lower.as_bytes() {
        [b'0', b'x', ..] => (16, 2),
        [b'0', b'b', ..] => (2, 2),
        [b'0', b'0'..=b'9', ..] => (8, 1),
        _ => (10, 0),
    };
    if is_float(&lower, base) {
        return Ok(ExprKind::Float(text.into()));
    }
    let body = &lower[digits_at..];
    let length = body.find(|c: char| !c.is_digit(base.max(10))).unwrap_or(body.len());
    let suffix_at = digits_at + length;
    let digits = &lower[digits_at..suffix_at];
    if digits.is_empty() {
        let name = if base == 16 { "hexadecimal" } else { "binary" };
        return Err(wrong(0..text.len(), format!("{name} constant without digits")));
    }
    if let Some(at) = digits.find(|c: char| !c.is_digit(base)) {
        let digit = &digits[at..=at];
        let name = if base == 8 { "octal" } else { "binary" };
        let at = digits_at + at;
        return Err(wrong(at..at + 1, format!("invalid digit `{digit}` in {name} constant")));
    }
    let (unsigned, longs) = suffix(&text[suffix_at..]).ok_or_else(|| {
        let suffix = &text[suffix_at..];
        wrong(suffix_at..text.len(), format!("invalid suffix `{suffix}` on integer constant"))
    })?;
    let value = u64::from_str_radix(digits, base)
        .map_err(|_| wrong(0..text.len(), "integer constant does not fit in 64 bits".into()))?;
    Ok(ExprKind::Int { value: value.into(), decimal: base == 10, unsigned, longs })
}

fn wrong(bytes: std::ops::Range<usize>, message: String) -> Wrong {
    Wrong { bytes, message }
}

/// Whether a lower-case number has a point or an exponent; `08.5` is one in spite of its zero.
fn is_float(lower: &str, base: u32) -> bool {
    match base {
        16 => lower.contains(['.', 'p']),
        2 => false,
        _ => lower.contains(['.', 'e']),
    }
}

/// Unsigned, and how many `l`s; `lL` is not a suffix.
fn suffix(text: &str) -> Option<(bool, u8)> {
    let (rest, unsigned) = match text.strip_prefix(['u', 'U']) {
        Some(rest) => (rest, true),
        None => match text.strip_suffix(['u', 'U']) {
            Some(rest) => (rest, true),
            None => (text, false),
        },
    };
    match rest {
        "" => Some((unsigned, 0)),
        "l" | "L" => Some((unsigned, 1)),
        "ll" | "LL" => Some((unsigned, 2)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn int(text: &str) -> (u128, bool, bool, u8) {
        match number(text) {
            Ok(ExprKind::Int { value, decimal, unsigned, longs }) => {
                (value, decimal, unsigned, longs)
            }
            other => panic!("{text}: {other:?}"),
        }
    }

    fn message(text: &str) -> String {
        number(text).expect_err(text).message
    }

    #[test]
    fn integers_come_in_four_bases() {
        assert_eq!(int("0"), (0, true, false, 0));
        assert_eq!(int("42"), (42, true, false, 0));
        assert_eq!(int("0x2A"), (42, false, false, 0));
        assert_eq!(int("052"), (42, false, false, 0));
        assert_eq!(int("0b101010"), (42, false, false, 0));
        assert_eq!(int("18446744073709551615u"), (u64::MAX.into(), true, true, 0));
    }

    #[test]
    fn suffixes_come_in_any_order_and_case() {
        for text in ["1ull", "1ULL", "1llu", "1LLU", "1uLL", "1LLu"] {
            assert_eq!(int(text), (1, true, true, 2), "{text}");
        }
        assert_eq!(int("0xfful"), (255, false, true, 1));
        assert_eq!(message("1lL"), "invalid suffix `lL` on integer constant");
        assert_eq!(message("1ulu"), "invalid suffix `ulu` on integer constant");
        assert_eq!(message("12abc"), "invalid suffix `abc` on integer constant");
    }

    #[test]
    fn wrong_digits_are_pointed_at() {
        assert_eq!(number("0189").expect_err("octal").bytes, 2..3);
        assert_eq!(message("0b12"), "invalid digit `2` in binary constant");
        assert_eq!(message("0x"), "hexadecimal constant without digits");
        assert_eq!(message("18446744073709551616"), "integer constant does not fit in 64 bits");
    }

    #[test]
    fn floats_are_distinguished_from_integers() {
        for text in ["1.0", "1e3", ".5", "0x1p3", "0x1.8p0f", "1.", "08.5", "1e-3f"] {
            assert!(matches!(number(text), Ok(ExprKind::Float(_))), "{text}");
        }
        assert_eq!(int("0xe"), (14, false, false, 0));
    }
}
