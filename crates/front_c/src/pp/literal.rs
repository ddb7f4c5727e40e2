//! Character constants and string literals: prefixes, escapes, encodings.

use crate::token::Encoding;

/// A literal's value, or what is wrong with it.
pub struct Decoded {
    pub encoding: Encoding,
    /// The code units: bytes for plain and `u8` literals.
    pub units: Vec<u32>,
    /// What gcc would warn of.
    pub warnings: Vec<String>,
}

/// Decodes a literal with its prefix and its quotes.
pub fn decode(spelling: &str) -> Result<Decoded, String> {
    let (encoding, rest) = match spelling {
        s if s.starts_with("u8") => (Encoding::Utf8, &s[2..]),
        s if s.starts_with('u') => (Encoding::Utf16, &s[1..]),
        s if s.starts_with('U') => (Encoding::Utf32, &s[1..]),
        s if s.starts_with('L') => (Encoding::Wide, &s[1..]),
        s => (Encoding::Plain, s),
    };
    let quote = rest.chars().next().unwrap_or('"');
    let inner = rest.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote));
    let inner = inner.ok_or("the literal is not closed")?;
    let mut decoder = Decoder { rest: inner, encoding, units: Vec::new(), warnings: Vec::new() };
    while let Some(c) = decoder.next() {
        match c {
            '\\' => decoder.escape()?,
            c => decoder.push_char(c),
        }
    }
    Ok(Decoded { encoding, units: decoder.units, warnings: decoder.warnings })
}

/// The value of a character constant, as gcc gives it: several characters make one `int`, and a
/// plain `char` is signed.
pub fn char_value(literal: &Decoded) -> Result<i64, String> {
    let Some(&last) = literal.units.last() else {
        return Err("empty character constant".to_string());
    };
    match literal.encoding {
        Encoding::Plain if literal.units.len() == 1 => Ok(i64::from(last as u8 as i8)),
        Encoding::Plain => {
            let join = |value: u32, &unit: &u32| (value << 8) | (unit & 0xff);
            Ok(i64::from(literal.units.iter().fold(0, join) as i32))
        }
        _ if literal.units.len() > 1 => {
            Err("character constant is too long for its type".to_string())
        }
        Encoding::Wide => Ok(i64::from(last as i32)),
        _ => Ok(i64::from(last)),
    }
}

struct Decoder<'t> {
    rest: &'t str,
    encoding: Encoding,
    units: Vec<u32>,
    warnings: Vec<String>,
}

impl Decoder<'_> {
    fn next(&mut self) -> Option<char> {
        let c = self.rest.chars().next()?;
        self.rest = &self.rest[c.len_utf8()..];
        Some(c)
    }

    /// The largest code unit of the encoding.
    fn max_unit(&self) -> u32 {
        match self.encoding {
            Encoding::Plain | Encoding::Utf8 => 0xff,
            Encoding::Utf16 => 0xffff,
            Encoding::Utf32 | Encoding::Wide => u32::MAX,
        }
    }

    fn push_char(&mut self, c: char) {
        match self.encoding {
            Encoding::Plain | Encoding::Utf8 => {
                let mut bytes = [0; 4];
                self.units.extend(c.encode_utf8(&mut bytes).bytes().map(u32::from));
            }
            Encoding::Utf16 => {
                let mut units = [0; 2];
                self.units.extend(c.encode_utf16(&mut units).iter().map(|&unit| u32::from(unit)));
            }
            Encoding::Utf32 | Encoding::Wide => self.units.push(c as u32),
        }
    }

    fn escape(&mut self) -> Result<(), String> {
        let c = self.next().ok_or("the literal ends within an escape")?;
        let simple = match c {
            'n' => 10,
            't' => 9,
            'r' => 13,
            'a' => 7,
            'b' => 8,
            'f' => 12,
            'v' => 11,
            'e' | 'E' => 27,
            '\\' | '\'' | '"' | '?' => c as u32,
            'x' => return self.hexadecimal(),
            '0'..='7' => {
                let text = format!("{c}{}", self.digits(8, 2));
                return self.push_number(u32::from_str_radix(&text, 8).ok());
            }
            'u' => return self.universal(4),
            'U' => return self.universal(8),
            other => {
                self.warnings.push(format!("unknown escape `\\{other}` stands for `{other}`"));
                self.push_char(other);
                return Ok(());
            }
        };
        self.units.push(simple);
        Ok(())
    }

    fn digits(&mut self, radix: u32, most: usize) -> String {
        let digits =
            self.rest.chars().take(most).take_while(|c| c.is_digit(radix)).collect::<String>();
        self.rest = &self.rest[digits.len()..];
        digits
    }

    fn hexadecimal(&mut self) -> Result<(), String> {
        let digits = self.digits(16, usize::MAX);
        if digits.is_empty() {
            return Err("`\\x` needs hexadecimal digits".to_string());
        }
        self.push_number(u32::from_str_radix(&digits, 16).ok())
    }

    fn push_number(&mut self, value: Option<u32>) -> Result<(), String> {
        match value {
            Some(value) if value <= self.max_unit() => {
                self.units.push(value);
                Ok(())
            }
            _ => Err("escape is out of range for its character type".to_string()),
        }
    }

    fn universal(&mut self, count: usize) -> Result<(), String> {
        let digits = self.digits(16, count);
        let value = u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32);
        match value {
            Some(c) if digits.len() == count => {
                self.push_char(c);
                Ok(())
            }
            _ => Err("not a valid universal character name".to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn units(spelling: &str) -> Vec<u32> {
        decode(spelling).ok().unwrap().units
    }

    fn value(spelling: &str) -> Result<i64, String> {
        char_value(&decode(spelling)?)
    }

    #[test]
    fn escapes_are_resolved() {
        assert_eq!(units(r#""a\n\x41\101\0\e""#), [97, 10, 65, 65, 0, 27]);
        assert_eq!(units(r#""\1234""#), [0o123, u32::from(b'4')]);
    }

    #[test]
    fn encodings_choose_the_code_units() {
        assert_eq!(units("\"é\""), [0xc3, 0xa9]);
        assert_eq!(units("L\"é\""), [0xe9]);
        assert_eq!(units("u\"😀\""), [0xd83d, 0xde00]);
        assert_eq!(units(r#"U"\U0001F600""#), [0x1f600]);
    }

    #[test]
    fn characters_have_the_values_that_gcc_gives_them() {
        assert_eq!(value("'a'"), Ok(97));
        assert_eq!(value(r"'\377'"), Ok(-1));
        assert_eq!(value("'ab'"), Ok(0x6162));
        assert_eq!(value("L'é'"), Ok(0xe9));
        assert_eq!(value(r"L'\xffffffff'"), Ok(-1));
    }

    #[test]
    fn bad_literals_are_errors() {
        for bad in ["''", r"'\x'", r#""\xfff""#, r"'\400'", r#""\u12""#, r#""\ud800""#, "u'😀'"] {
            assert!(value(bad).is_err(), "{bad}");
        }
    }
}
