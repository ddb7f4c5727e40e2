//! The format strings of `printf`: text and conversions, with what each takes.

use ir::op::Conversion;
use std::ops::Range;

/// The widest field and the greatest precision that a format may ask for.
const MAX_FIELD: u32 = 65_535;

/// A part of a format.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Piece {
    /// Text to print as it is.
    Text(String),
    /// A conversion of an argument.
    Value(Directive),
}

/// One conversion.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Directive {
    /// Which bytes of the format it is, from `%` to its letter.
    pub bytes: Range<usize>,
    /// What it prints.
    pub conversion: Conversion,
    /// The argument that it takes, after those for `*`.
    pub argument: Argument,
    /// `-`
    pub left: bool,
    /// `+`
    pub plus: bool,
    /// A blank.
    pub space: bool,
    /// `#`
    pub alternate: bool,
    /// `0`
    pub zero: bool,
    /// The least number of characters.
    pub width: Option<Count>,
    /// After the point.
    pub precision: Option<Count>,
}

/// A width or precision.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Count {
    /// As written.
    Fixed(u32),
    /// `*`: an `int` argument before the converted one.
    Argument,
}

/// The type of argument that a conversion takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Argument {
    /// An integer, of which this many low bits are printed; narrower arguments were promoted.
    Integer {
        /// 8, 16, 32 or 64.
        bits: u32,
        /// Whether the bits are a signed number.
        signed: bool,
    },
    /// A `double`; a `float` was promoted.
    Float,
    /// A pointer to `char`.
    String,
    /// Any pointer to an object.
    Pointer,
}

/// What is wrong with a format, and which of its bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Wrong {
    /// The bytes.
    pub bytes: Range<usize>,
    /// One sentence.
    pub message: String,
}

/// Reads a format. It ends at the first zero byte, as for `printf`.
pub fn parse(format: &[u8]) -> Result<Vec<Piece>, Wrong> {
    let end = format.iter().position(|&byte| byte == 0).unwrap_or(format.len());
    let mut reader = Reader { format: &format[..end], at: 0 };
    let mut pieces = Vec::new();
    let mut text = Vec::new();
    while let Some(byte) = reader.next() {
        if byte != b'%' {
            text.push(byte);
        } else if reader.eat(b'%') {
            text.push(b'%');
        } else {
            let start = reader.at - 1;
            flush(&mut text, &mut pieces, start)?;
            pieces.push(Piece::Value(reader.directive(start)?));
        }
    }
    flush(&mut text, &mut pieces, end)?;
    Ok(pieces)
}

/// Makes a text part of what was collected so far, which ends before `end`.
fn flush(text: &mut Vec<u8>, pieces: &mut Vec<Piece>, end: usize) -> Result<(), Wrong> {
    if text.is_empty() {
        return Ok(());
    }
    let length = text.len();
    let text = String::from_utf8(std::mem::take(text)).map_err(|_| Wrong {
        bytes: end.saturating_sub(length)..end,
        message: "a format must be valid UTF-8".into(),
    })?;
    pieces.push(Piece::Text(text));
    Ok(())
}

struct Reader<'a> {
    format: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn next(&mut self) -> Option<u8> {
        let byte = *self.format.get(self.at)?;
        self.at += 1;
        Some(byte)
    }

    fn eat(&mut self, byte: u8) -> bool {
        let found = self.format.get(self.at) == Some(&byte);
        self.at += usize::from(found);
        found
    }

    fn wrong<T>(&self, start: usize, message: impl Into<String>) -> Result<T, Wrong> {
        let mut end = self.at;
        while end < self.format.len() && self.format[end] & 0xc0 == 0x80 {
            end += 1; // the whole of a character
        }
        Err(Wrong { bytes: start..end, message: message.into() })
    }

    /// A conversion, after its `%` at `start`.
    fn directive(&mut self, start: usize) -> Result<Directive, Wrong> {
        let (mut left, mut plus, mut space, mut alternate, mut zero) =
            (false, false, false, false, false);
        loop {
            match self.format.get(self.at) {
                Some(b'-') => left = true,
                Some(b'+') => plus = true,
                Some(b' ') => space = true,
                Some(b'#') => alternate = true,
                Some(b'0') => zero = true,
                _ => break,
            }
            self.at += 1;
        }
        let width = self.count(start)?;
        let precision = match self.eat(b'.') {
            true => Some(self.count(start)?.unwrap_or(Count::Fixed(0))),
            false => None,
        };
        let length = self.length();
        let (conversion, argument) = self.conversion(start, length)?;
        let bytes = start..self.at;
        Ok(Directive {
            bytes,
            conversion,
            argument,
            left,
            plus,
            space,
            alternate,
            zero,
            width,
            precision,
        })
    }

    /// Digits or `*`.
    fn count(&mut self, start: usize) -> Result<Option<Count>, Wrong> {
        if self.eat(b'*') {
            return Ok(Some(Count::Argument));
        }
        let mut value = None;
        while let Some(digit) = self.format.get(self.at).filter(|byte| byte.is_ascii_digit()) {
            let number = value.unwrap_or(0) * 10 + u32::from(digit - b'0');
            self.at += 1;
            if number > MAX_FIELD {
                return self.wrong(start, format!("a field may be {MAX_FIELD} characters wide"));
            }
            value = Some(number);
        }
        Ok(value.map(Count::Fixed))
    }

    /// A length modifier, as written.
    fn length(&mut self) -> &'static str {
        for modifier in ["hh", "h", "ll", "l", "z", "t", "j", "q", "L"] {
            if self.format[self.at..].starts_with(modifier.as_bytes()) {
                self.at += modifier.len();
                return modifier;
            }
        }
        ""
    }

    /// The letter of a conversion, with what it prints and takes.
    fn conversion(&mut self, start: usize, length: &str) -> Result<(Conversion, Argument), Wrong> {
        let Some(letter) = self.next() else {
            return self.wrong(start, "the format ends inside a conversion");
        };
        let conversion = match letter {
            b'd' | b'i' => Conversion::Signed,
            b'u' => Conversion::Unsigned,
            b'o' => Conversion::Octal,
            b'x' => Conversion::Hex,
            b'X' => Conversion::HexUpper,
            b'c' => Conversion::Char,
            b's' => Conversion::String,
            b'p' => Conversion::Pointer,
            b'f' | b'F' => Conversion::Fixed { upper: letter == b'F' },
            b'e' | b'E' => Conversion::Exponent { upper: letter == b'E' },
            b'g' | b'G' => Conversion::General { upper: letter == b'G' },
            b'a' | b'A' => {
                let name = char::from(letter);
                return self.wrong(start, format!("`%{name}` is not supported"));
            }
            b'n' => return self.wrong(start, "`%n` is not supported"),
            _ => return self.unknown(start),
        };
        let bits = match length {
            "hh" => 8,
            "h" => 16,
            "" => 32,
            "L" => 0,
            _ => 64,
        };
        let argument = match conversion {
            _ if conversion.is_float() => match length {
                "" | "l" => Argument::Float,
                "L" => return self.wrong(start, "`long double` is not supported"),
                _ => return self.clash(start, length, letter),
            },
            Conversion::Char if length.is_empty() => Argument::Integer { bits: 8, signed: false },
            Conversion::String if length.is_empty() => Argument::String,
            Conversion::Pointer if length.is_empty() => Argument::Pointer,
            Conversion::Char | Conversion::String if length == "l" => {
                return self.wrong(start, "wide characters are not supported in formats");
            }
            Conversion::Char | Conversion::String | Conversion::Pointer => {
                return self.clash(start, length, letter);
            }
            _ if bits == 0 => return self.clash(start, length, letter),
            Conversion::Signed => Argument::Integer { bits, signed: true },
            _ => Argument::Integer { bits, signed: false },
        };
        Ok((conversion, argument))
    }

    fn clash<T>(&self, start: usize, length: &str, letter: u8) -> Result<T, Wrong> {
        let letter = char::from(letter);
        self.wrong(start, format!("the length `{length}` does not go with `%{letter}`"))
    }

    fn unknown<T>(&self, start: usize) -> Result<T, Wrong> {
        let rest = String::from_utf8_lossy(&self.format[self.at - 1..]);
        let letter = rest.chars().next().unwrap_or('%');
        self.wrong(start, format!("`{letter}` is not a conversion of `printf`"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(format: &str) -> Directive {
        match parse(format.as_bytes()).as_deref() {
            Ok([Piece::Value(directive)]) => directive.clone(),
            other => panic!("{format}: {other:?}"),
        }
    }

    fn message(format: &str) -> (Range<usize>, String) {
        let wrong = parse(format.as_bytes()).expect_err(format);
        (wrong.bytes, wrong.message)
    }

    #[test]
    fn text_and_conversions_alternate() {
        let pieces = parse(b"x=%d, 100%%\n").expect("right");
        let [Piece::Text(before), Piece::Value(value), Piece::Text(after)] = &pieces[..] else {
            panic!("{pieces:?}");
        };
        assert_eq!((&**before, value.bytes.clone(), &**after), ("x=", 2..4, ", 100%\n"));
        assert_eq!(parse(b"").expect("right"), []);
        assert_eq!(parse(b"a\0%f").expect("right"), [Piece::Text("a".into())]);
    }

    #[test]
    fn lengths_give_the_argument_type() {
        let integer = |bits, signed| Argument::Integer { bits, signed };
        for (format, expected) in [
            ("%d", integer(32, true)),
            ("%i", integer(32, true)),
            ("%hhu", integer(8, false)),
            ("%hx", integer(16, false)),
            ("%lX", integer(64, false)),
            ("%lld", integer(64, true)),
            ("%zu", integer(64, false)),
            ("%td", integer(64, true)),
            ("%jo", integer(64, false)),
            ("%c", integer(8, false)),
            ("%s", Argument::String),
            ("%p", Argument::Pointer),
            ("%f", Argument::Float),
            ("%.3lf", Argument::Float),
            ("%G", Argument::Float),
        ] {
            assert_eq!(one(format).argument, expected, "{format}");
        }
    }

    #[test]
    fn flags_width_and_precision() {
        let directive = one("%-+ #08.3x");
        assert!(directive.left && directive.plus && directive.space);
        assert!(directive.alternate && directive.zero);
        assert_eq!(directive.width, Some(Count::Fixed(8)));
        assert_eq!(directive.precision, Some(Count::Fixed(3)));
        let directive = one("%*.*s");
        assert_eq!(directive.width, Some(Count::Argument));
        assert_eq!(directive.precision, Some(Count::Argument));
        assert_eq!(one("%.s").precision, Some(Count::Fixed(0)));
    }

    #[test]
    fn what_is_not_supported_is_pointed_at() {
        assert_eq!(message("a %5.2a"), (2..7, "`%a` is not supported".into()));
        assert_eq!(message("%Lf").1, "`long double` is not supported");
        assert_eq!(message("%hg").1, "the length `h` does not go with `%g`");
        assert_eq!(message("%n").1, "`%n` is not supported");
        assert_eq!(message("%ls").1, "wide characters are not supported in formats");
        assert_eq!(message("%hs").1, "the length `h` does not go with `%s`");
        assert_eq!(message("%Ld").1, "the length `L` does not go with `%d`");
        assert_eq!(message("%k"), (0..2, "`k` is not a conversion of `printf`".into()));
        assert_eq!(message("%é"), (0..3, "`é` is not a conversion of `printf`".into()));
        assert_eq!(message("50%"), (2..3, "the format ends inside a conversion".into()));
        assert_eq!(message("%99999999999d").0, 0..6);
    }
}
