//! The integer constant expressions of `#if`, in `intmax_t` and `uintmax_t`.

use super::intern::{Symbol, known};
use super::lexer::Kind;
use super::{PpToken, Preprocessor, features};
use execution::diagnostic::Diagnostic;
use execution::span::Span;

/// How deep parentheses and unary operators may nest.
const MAX_DEPTH: usize = 256;

/// A 64-bit value: its bits, and whether they are unsigned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Value {
    bits: u64,
    unsigned: bool,
}

impl Value {
    fn signed(value: i64) -> Self {
        Self { bits: value as u64, unsigned: false }
    }

    fn truth(value: bool) -> Self {
        Self::signed(i64::from(value))
    }

    fn is_true(self) -> bool {
        self.bits != 0
    }
}

impl Preprocessor<'_> {
    /// Whether the expanded tokens of an `#if` line are true.
    pub fn evaluate(&mut self, tokens: &[PpToken], directive: Span) -> Result<bool, Diagnostic> {
        if tokens.is_empty() {
            return Err(Diagnostic::error(directive, "the condition is empty"));
        }
        let mut evaluator = Evaluator { pp: self, tokens, position: 0, depth: 0, directive };
        let value = evaluator.comma(true)?;
        match evaluator.peek() {
            Some(extra) => {
                let message = format!("unexpected `{}` in the condition", self.spelling(extra));
                Err(Diagnostic::error(extra.span, message))
            }
            None => Ok(value.is_true()),
        }
    }
}

/// A recursive-descent evaluator. With `live` false an operand is only parsed: it stands after
/// a `&&`, `||` or `?:` that does not need it, so division by zero there is not an error.
struct Evaluator<'e, 'p> {
    pp: &'e mut Preprocessor<'p>,
    tokens: &'e [PpToken],
    position: usize,
    depth: usize,
    directive: Span,
}

type Result<T, E = Diagnostic> = std::result::Result<T, E>;

impl Evaluator<'_, '_> {
    fn peek(&self) -> Option<PpToken> {
        self.tokens.get(self.position).copied()
    }

    fn next(&mut self) -> Option<PpToken> {
        let token = self.peek()?;
        self.position += 1;
        Some(token)
    }

    fn accept(&mut self, symbol: Symbol) -> bool {
        let found = self.peek().is_some_and(|token| token.is(symbol));
        self.position += usize::from(found);
        found
    }

    fn end_span(&self) -> Span {
        self.tokens.last().map_or(self.directive, |token| token.span)
    }

    fn expect(&mut self, symbol: Symbol, spelling: &str) -> Result<()> {
        if self.accept(symbol) {
            return Ok(());
        }
        let place = self.peek().map_or(self.end_span(), |token| token.span);
        Err(Diagnostic::error(place, format!("expected `{spelling}` in the condition")))
    }

    fn comma(&mut self, live: bool) -> Result<Value> {
        let mut value = self.conditional(live)?;
        while self.accept(known(",")) {
            value = self.conditional(live)?;
        }
        Ok(value)
    }

    fn conditional(&mut self, live: bool) -> Result<Value> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(Diagnostic::error(self.directive, "the condition nests too deep"));
        }
        let condition = self.binary(1, live)?;
        let value = if self.accept(known("?")) {
            let holds = condition.is_true();
            let first = self.comma(live && holds)?;
            self.expect(known(":"), ":")?;
            let second = self.conditional(live && !holds)?;
            let chosen = if holds { first } else { second };
            Value { unsigned: first.unsigned || second.unsigned, ..chosen }
        } else {
            condition
        };
        self.depth -= 1;
        Ok(value)
    }

    /// Binary operators of at least `precedence`, all of which group to the left.
    fn binary(&mut self, precedence: u8, live: bool) -> Result<Value> {
        let mut left = self.unary(live)?;
        while let Some(operator) = self.peek()
            && let Some(binds) = precedence_of(operator)
            && binds >= precedence
        {
            self.position += 1;
            let needed = match operator.symbol {
                s if s == known("&&") => left.is_true(),
                s if s == known("||") => !left.is_true(),
                _ => true,
            };
            let right = self.binary(binds + 1, live && needed)?;
            left = match apply(operator.symbol, left, right) {
                Some(value) => value,
                None if live => {
                    return Err(Diagnostic::error(operator.span, "division by zero in `#if`"));
                }
                None => Value { bits: 0, unsigned: left.unsigned || right.unsigned },
            };
        }
        Ok(left)
    }

    fn unary(&mut self, live: bool) -> Result<Value> {
        let Some(token) = self.next() else {
            return Err(Diagnostic::error(self.end_span(), "the condition ends too early"));
        };
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(Diagnostic::error(self.directive, "the condition nests too deep"));
        }
        let value = match token.symbol {
            _ if token.kind != Kind::Punct => self.primary(token)?,
            s if s == known("(") => {
                let value = self.comma(live)?;
                self.expect(known(")"), ")")?;
                value
            }
            s if s == known("!") => Value::truth(!self.unary(live)?.is_true()),
            s if s == known("~") => {
                let value = self.unary(live)?;
                Value { bits: !value.bits, ..value }
            }
            s if s == known("-") => {
                let value = self.unary(live)?;
                Value { bits: value.bits.wrapping_neg(), ..value }
            }
            s if s == known("+") => self.unary(live)?,
            _ => {
                let message = format!("unexpected `{}` in the condition", self.pp.spelling(token));
                return Err(Diagnostic::error(token.span, message));
            }
        };
        self.depth -= 1;
        Ok(value)
    }

    fn primary(&mut self, token: PpToken) -> Result<Value> {
        let bad = |problem: String| Diagnostic::error(token.span, problem);
        match token.kind {
            Kind::Number => number(self.pp.spelling(token)).map_err(bad),
            Kind::Char => Ok(Value::signed(self.pp.char_constant(token).map_err(bad)?)),
            Kind::Ident if token.is(known("defined")) => self.defined(token),
            Kind::Ident if self.pp.spelling(token).starts_with("__has_") => self.has(token),
            // C23; before, it was 0 like every other name, which is never what was meant.
            Kind::Ident => Ok(Value::truth(self.pp.spelling(token) == "true")),
            Kind::String => Err(bad("a string cannot stand in a condition".to_string())),
            _ => Err(bad(format!("unexpected `{}` in the condition", self.pp.spelling(token)))),
        }
    }

    fn defined(&mut self, operator: PpToken) -> Result<Value> {
        let parenthesised = self.accept(known("("));
        let name = self.next().filter(|name| name.kind == Kind::Ident);
        let Some(name) = name else {
            return Err(Diagnostic::error(operator.span, "`defined` needs a macro name"));
        };
        if parenthesised {
            self.expect(known(")"), ")")?;
        }
        Ok(Value::truth(self.pp.is_defined(name.symbol)))
    }

    /// `__has_include(…)` and its relatives.
    fn has(&mut self, operator: PpToken) -> Result<Value> {
        let name = self.pp.spelling(operator).to_string();
        if !self.accept(known("(")) {
            if self.pp.is_operator(operator) {
                let message = format!("`{name}` needs an operand in parentheses");
                return Err(Diagnostic::error(operator.span, message));
            }
            return Ok(Value::signed(0));
        }
        let start = self.position;
        let mut depth = 1;
        while depth > 0 {
            let Some(token) = self.next() else {
                return Err(Diagnostic::error(operator.span, format!("unterminated `{name}(`")));
            };
            depth += i32::from(token.is(known("("))) - i32::from(token.is(known(")")));
        }
        let operand = &self.tokens[start..self.position - 1];
        let text = self.pp.spell(operand);
        let holds = match name.as_str() {
            "__has_include" | "__has_include_next" => {
                let Some(header) = self.pp.header_from_tokens(operand) else {
                    let message = format!("`{name}` needs a header name");
                    return Err(Diagnostic::error(operator.span, message));
                };
                self.pp.has_include(&header, name == "__has_include_next")
            }
            "__has_attribute" => features::has_attribute(&text),
            "__has_builtin" => features::has_builtin(&text),
            _ => false,
        };
        Ok(Value::truth(holds))
    }
}

fn precedence_of(token: PpToken) -> Option<u8> {
    const LEVELS: &[(Symbol, u8)] = &[
        (known("||"), 1),
        (known("&&"), 2),
        (known("|"), 3),
        (known("^"), 4),
        (known("&"), 5),
        (known("=="), 6),
        (known("!="), 6),
        (known("<"), 7),
        (known(">"), 7),
        (known("<="), 7),
        (known(">="), 7),
        (known("<<"), 8),
        (known(">>"), 8),
        (known("+"), 9),
        (known("-"), 9),
        (known("*"), 10),
        (known("/"), 10),
        (known("%"), 10),
    ];
    LEVELS.iter().find(|(symbol, _)| token.is(*symbol)).map(|&(_, level)| level)
}

/// The value of a binary operator; `None` for a division by zero.
fn apply(operator: Symbol, left: Value, right: Value) -> Option<Value> {
    let unsigned = left.unsigned || right.unsigned;
    let (a, b) = (left.bits, right.bits);
    let (x, y) = (a as i64, b as i64);
    let arithmetic = |bits: u64| Value { bits, unsigned };
    let compare = |holds_unsigned: bool, holds_signed: bool| {
        Value::truth(if unsigned { holds_unsigned } else { holds_signed })
    };
    Some(match operator {
        s if s == known("||") => Value::truth(a != 0 || b != 0),
        s if s == known("&&") => Value::truth(a != 0 && b != 0),
        s if s == known("|") => arithmetic(a | b),
        s if s == known("^") => arithmetic(a ^ b),
        s if s == known("&") => arithmetic(a & b),
        s if s == known("==") => Value::truth(a == b),
        s if s == known("!=") => Value::truth(a != b),
        s if s == known("<") => compare(a < b, x < y),
        s if s == known(">") => compare(a > b, x > y),
        s if s == known("<=") => compare(a <= b, x <= y),
        s if s == known(">=") => compare(a >= b, x >= y),
        s if s == known("<<") => shift(left, right, true),
        s if s == known(">>") => shift(left, right, false),
        s if s == known("+") => arithmetic(a.wrapping_add(b)),
        s if s == known("-") => arithmetic(a.wrapping_sub(b)),
        s if s == known("*") => arithmetic(a.wrapping_mul(b)),
        s if s == known("/") && unsigned => arithmetic(a.checked_div(b)?),
        s if s == known("%") && unsigned => arithmetic(a.checked_rem(b)?),
        _ if b == 0 => return None,
        s if s == known("/") => arithmetic(x.wrapping_div(y) as u64),
        _ => arithmetic(x.wrapping_rem(y) as u64),
    })
}

/// A shift as gcc does it: the result has the left operand's type, a negative count shifts the
/// other way, and shifting everything out leaves zero or the sign.
fn shift(left: Value, right: Value, is_left: bool) -> Value {
    let backwards = !right.unsigned && (right.bits as i64) < 0;
    let count = if backwards { right.bits.wrapping_neg() } else { right.bits };
    let count = u32::try_from(count.min(64)).unwrap_or(64);
    let bits = match (is_left != backwards, left.unsigned) {
        (true, _) => left.bits.checked_shl(count).unwrap_or(0),
        (false, true) => left.bits.checked_shr(count).unwrap_or(0),
        (false, false) => ((left.bits as i64) >> count.min(63)) as u64,
    };
    Value { bits, ..left }
}

/// An integer constant.
fn number(spelling: &str) -> Result<Value, String> {
    let lower = spelling.to_ascii_lowercase().replace('\'', "");
    let (radix, digits) = match lower.as_bytes() {
        [b'0', b'x', ..] => (16, &lower[2..]),
        [b'0', b'b', ..] => (2, &lower[2..]),
        [b'0', _, ..] => (8, &lower[1..]),
        _ => (10, &lower[..]),
    };
    let end = digits.find(|c: char| !c.is_digit(radix.max(10))).unwrap_or(digits.len());
    let (digits, suffix) = digits.split_at(end);
    if suffix.starts_with(['.', 'e', 'p']) && radix != 16 || suffix.starts_with(['.', 'p']) {
        return Err("a floating constant cannot stand in a condition".to_string());
    }
    let unsigned_suffix = match suffix {
        "" | "l" | "ll" => false,
        "u" | "ul" | "ull" | "lu" | "llu" => true,
        _ => return Err(format!("bad suffix `{suffix}` of an integer constant")),
    };
    let digits = if digits.is_empty() && radix == 8 { "0" } else { digits };
    if digits.is_empty() || !digits.chars().all(|c| c.is_digit(radix)) {
        return Err(format!("`{spelling}` is not an integer constant"));
    }
    let bits = u64::from_str_radix(digits, radix)
        .map_err(|_| "the constant does not fit in 64 bits".to_string())?;
    Ok(Value { bits, unsigned: unsigned_suffix || bits > i64::MAX as u64 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_have_the_type_of_their_value_and_suffix() {
        let value = |text| number(text).unwrap();
        assert_eq!(value("0x7fffffffffffffff"), Value { bits: i64::MAX as u64, unsigned: false });
        assert!(value("0xffffffffffffffff").unsigned);
        assert!(value("0u").unsigned);
        assert_eq!(value("0"), Value::signed(0));
        assert_eq!(value("0L"), Value::signed(0));
        assert_eq!(value("017"), Value::signed(15));
        assert_eq!(value("0b101"), Value::signed(5));
        assert_eq!(value("201112L"), Value::signed(201_112));
        for bad in ["1.0", "1e3", "08", "1x", "0x", "99999999999999999999", "0x1p3", "1uu"] {
            assert!(number(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn shifts_saturate_and_turn_round() {
        let shifted = |left: i64, right: i64, is_left| {
            shift(Value::signed(left), Value::signed(right), is_left).bits as i64
        };
        assert_eq!(shifted(1, 4, true), 16);
        assert_eq!(shifted(16, -4, true), 1);
        assert_eq!(shifted(-1, 200, false), -1);
        assert_eq!(shifted(1, 64, true), 0);
    }
}
