//! How `printf` writes floating-point numbers: `%f`, `%e` and `%g` (C11 7.21.6.1).

/// After this many digits every number has nothing but zeros.
const DIGITS: usize = 1100;

/// How digits are laid out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Style {
    /// `12.500000`
    Fixed,
    /// `1.250000e+01`
    Exponent,
    /// Whichever is shorter, without zeros at the end.
    General,
}

/// The digits of a number without its sign; `point`: with a decimal point in any case, and with all
/// zeros at the end.
pub(super) fn digits(style: Style, number: f64, precision: Option<usize>, point: bool) -> String {
    let number = number.abs();
    if number.is_nan() {
        return "nan".to_string();
    }
    if number.is_infinite() {
        return "inf".to_string();
    }
    let precision = precision.unwrap_or(6);
    match style {
        Style::Fixed => fixed(number, precision, point),
        Style::Exponent => exponent(number, precision, point),
        Style::General => general(number, precision.max(1), point),
    }
}

fn fixed(number: f64, precision: usize, point: bool) -> String {
    let text = format!("{number:.*}", precision.min(DIGITS));
    with_zeros(text, precision, point)
}

fn exponent(number: f64, precision: usize, point: bool) -> String {
    let (digits, exponent) = scientific(number, precision);
    let digits = with_zeros(digits, precision, point);
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{digits}e{sign}{:02}", exponent.unsigned_abs())
}

fn general(number: f64, precision: usize, point: bool) -> String {
    let (_, scale) = scientific(number, precision - 1);
    let plain = -4 <= scale && i64::from(scale) < precision as i64;
    let text = match plain {
        true => fixed(number, (precision as i64 - 1 - i64::from(scale)) as usize, point),
        false => exponent(number, precision - 1, point),
    };
    if point {
        return text;
    }
    let (digits, power) = match text.find('e') {
        Some(at) => text.split_at(at),
        None => (&*text, ""),
    };
    let digits = match digits.contains('.') {
        true => digits.trim_end_matches('0').trim_end_matches('.'),
        false => digits,
    };
    format!("{digits}{power}")
}

/// One digit, a point, more digits, and the power of ten.
fn scientific(number: f64, precision: usize) -> (String, i32) {
    let text = format!("{number:.*e}", precision.min(DIGITS));
    let (digits, power) = text.split_once('e').unwrap_or((&text, "0"));
    (digits.to_string(), power.parse().unwrap_or(0))
}

fn with_zeros(mut text: String, precision: usize, point: bool) -> String {
    if precision == 0 && point {
        text.push('.');
    }
    text.push_str(&"0".repeat(precision.saturating_sub(DIGITS)));
    text
}

#[cfg(test)]
mod tests {
    use super::Style::*;
    use super::*;

    #[test]
    fn numbers_look_as_glibc_prints_them() {
        for (style, number, precision, expected) in [
            (Fixed, 3.25, None, "3.250000"),
            (Fixed, 0.125, Some(2), "0.12"),
            (Fixed, 0.375, Some(2), "0.38"),
            (Fixed, 2.5, Some(0), "2"),
            (Fixed, 0.5, Some(0), "0"),
            (Fixed, 1e22, Some(1), "10000000000000000000000.0"),
            (Fixed, 0.1, Some(20), "0.10000000000000000555"),
            (Exponent, 123456.0, None, "1.234560e+05"),
            (Exponent, 0.0, Some(2), "0.00e+00"),
            (Exponent, 9.996e-101, Some(2), "1.00e-100"),
            (General, 100000.0, None, "100000"),
            (General, 1000000.0, None, "1e+06"),
            (General, 0.0001, None, "0.0001"),
            (General, 0.00001, None, "1e-05"),
            (General, 0.1 + 0.2, Some(17), "0.30000000000000004"),
            (General, 99999.96, Some(6), "100000"),
            (General, 0.0, None, "0"),
            (General, 1.5, Some(0), "2"),
            (General, f64::INFINITY, None, "inf"),
            (Fixed, f64::NAN, None, "nan"),
        ] {
            assert_eq!(digits(style, number, precision, false), expected, "{number} {precision:?}");
        }
    }

    #[test]
    fn the_alternate_form_keeps_the_point_and_the_zeros() {
        assert_eq!(digits(Fixed, 2.0, Some(0), true), "2.");
        assert_eq!(digits(Exponent, 2.0, Some(0), true), "2.e+00");
        assert_eq!(digits(General, 1.5, None, true), "1.50000");
    }

    #[test]
    fn more_digits_than_there_are_are_zeros() {
        let text = digits(Fixed, 5e-324, Some(70_000), false);
        assert_eq!(text.len(), 70_002);
        assert!(text.ends_with("00"));
    }
}
