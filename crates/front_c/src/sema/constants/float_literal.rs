//! Floating constants: decimal and hexadecimal, rounded to nearest in their own format.

use crate::sema::types::FloatKind;

/// The bits and type of a constant; otherwise the suffix that is none, empty if the rest is wrong.
pub fn read(text: &str) -> Result<(u128, FloatKind), &str> {
    let lower = text.to_ascii_lowercase();
    let hexadecimal = lower.strip_prefix("0x");
    let suffix_at = suffix_at(&lower, hexadecimal.is_some());
    let kind = match &lower[suffix_at..] {
        "" => FloatKind::Double,
        "f" => FloatKind::Float,
        _ => return Err(&text[suffix_at..]),
    };
    let digits = &lower[..suffix_at];
    let bits = match hexadecimal {
        Some(_) => hexadecimal_bits(&digits[2..], kind),
        None if kind == FloatKind::Float => {
            digits.parse().ok().map(|number: f32| number.to_bits().into())
        }
        None => digits.parse().ok().map(|number: f64| number.to_bits().into()),
    };
    bits.map(|bits| (bits, kind)).ok_or("")
}

/// Where the suffix of a lower-case constant begins: after the digits of the exponent, if there
/// is one.
fn suffix_at(lower: &str, hexadecimal: bool) -> usize {
    let is_digit = |c: char| c.is_ascii_digit() || c == '.';
    let (from, end) = match hexadecimal {
        true => (2, lower.find('p')),
        false => (0, lower.find('e')),
    };
    let after = match end {
        Some(at) => at + 1 + usize::from(lower[at + 1..].starts_with(['+', '-'])),
        None => from,
    };
    lower[after..].find(|c| !is_digit(c)).map_or(lower.len(), |length| after + length)
}

/// The number of `1.8p3`, of which the exponent is a must.
fn hexadecimal_bits(digits: &str, kind: FloatKind) -> Option<u128> {
    let (digits, exponent) = digits.split_once('p')?;
    // More than this is infinite, whatever the digits.
    let exponent = exponent.parse::<i64>().ok()?.clamp(-1_000_000, 1_000_000);
    let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
    if whole.is_empty() && part.is_empty() {
        return None;
    }
    let (mut mantissa, mut sticky, mut scale) = (0u128, false, exponent);
    for digit in whole.chars().chain(part.chars()) {
        let digit = digit.to_digit(16)?;
        if mantissa >> 120 == 0 {
            mantissa = mantissa << 4 | u128::from(digit);
        } else {
            sticky |= digit != 0;
            scale += 4;
        }
    }
    scale -= 4 * part.len() as i64;
    Some(match kind {
        FloatKind::Float => (rounded(mantissa, sticky, scale, 24, -149) as f32).to_bits().into(),
        FloatKind::Double => rounded(mantissa, sticky, scale, 53, -1074).to_bits().into(),
    })
}

/// `mantissa * 2^scale`, and a little more if `sticky`, rounded to this many bits, none of which
/// stands for less than `2^least`; ties to even.
fn rounded(mantissa: u128, sticky: bool, scale: i64, bits: i64, least: i64) -> f64 {
    let length = i64::from(128 - mantissa.leading_zeros());
    let drop = (length - bits).max(least - scale).max(0);
    let (mut kept, mut scale) = (mantissa, scale);
    if drop > 0 {
        let half = 1u128.checked_shl((drop - 1) as u32).unwrap_or(0);
        kept = mantissa.checked_shr(drop as u32).unwrap_or(0);
        let rest = if drop < 128 { mantissa & ((1 << drop) - 1) } else { mantissa };
        let up = half != 0 && (rest > half || rest == half && (sticky || kept & 1 == 1));
        kept += u128::from(up);
        scale += drop;
    }
    match kept {
        0 => 0.0,
        _ if scale > 1023 => f64::INFINITY,
        _ => kept as f64 * power_of_two(scale),
    }
}

/// `2^exponent`, which is a number.
fn power_of_two(exponent: i64) -> f64 {
    match exponent {
        -1022.. => f64::from_bits(((exponent + 1023) as u64) << 52),
        _ => f64::from_bits(1 << (exponent + 1074)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn double(text: &str) -> f64 {
        match read(text) {
            Ok((bits, FloatKind::Double)) => f64::from_bits(bits as u64),
            other => panic!("{text}: {other:?}"),
        }
    }

    fn single(text: &str) -> f32 {
        match read(text) {
            Ok((bits, FloatKind::Float)) => f32::from_bits(bits as u32),
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn decimal_constants_are_the_nearest_numbers_of_their_type() {
        assert_eq!(double("1.5"), 1.5);
        assert_eq!(double(".5"), 0.5);
        assert_eq!(double("1."), 1.0);
        assert_eq!(double("1e3"), 1000.0);
        assert_eq!(double("1E-3"), 0.001);
        assert_eq!(double("08.5"), 8.5);
        assert_eq!(double("1e400"), f64::INFINITY);
        assert_eq!(single("0.1f"), 0.1f32);
        assert_eq!(single("1e+2F"), 100.0);
    }

    #[test]
    fn hexadecimal_constants_are_rounded_once() {
        assert_eq!(double("0x1p3"), 8.0);
        assert_eq!(double("0x1.8p0"), 1.5);
        assert_eq!(double("0x.8p1"), 1.0);
        assert_eq!(double("0x1p-1074"), 5e-324);
        assert_eq!(double("0x1p-1075"), 0.0, "a tie, and zero is even");
        assert_eq!(double("0x1.8p-1075"), 5e-324);
        assert_eq!(double("0x1.fffffffffffffp1023"), f64::MAX);
        assert_eq!(double("0x1p1024"), f64::INFINITY);
        assert_eq!(double("0x1.00000000000008p0"), 1.0, "a tie, and 1 is even");
        assert_eq!(double("0x1.000000000000080000000000000000000001p0"), 1.0 + f64::EPSILON);
        assert_eq!(single("0x1.000001p0f"), 1.0);
        assert_eq!(single("0x1.000003p0f"), 1.0 + 2.0 * f32::EPSILON);
        assert_eq!(single("0x1p-149f"), f32::from_bits(1));
        assert_eq!(double("0x0p0"), 0.0);
    }

    #[test]
    fn malformed_constants_are_refused() {
        assert_eq!(read("1.0L"), Err("L"));
        assert_eq!(read("1.0q"), Err("q"));
        assert_eq!(read("1.0fx"), Err("fx"));
        for text in ["0x1.8", "1e", "1.2.3", "0x.p1", "1e+", "0xp1", "."] {
            assert_eq!(read(text), Err(""), "{text}");
        }
    }
}
