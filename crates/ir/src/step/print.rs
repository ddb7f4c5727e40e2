//! What `printf` and its relatives write, character by character.

use super::memory::{Fault, Memory, ResolvedAccess, Stream};
use super::print_float::{self, Style};
use super::taint::{Dependencies, Taint};
use super::thread::{Code, Thread};
use crate::locks::Purpose;
use crate::op::{Conversion, Operand, PrintFormat, PrintPiece, PrintTarget};
use crate::order::Order;
use crate::program::{LocId, Width};
use crate::value::{Value, float};

/// More characters than this in one call are refused, so that a wrong width or a string without
/// an end cannot use up the machine's memory.
const LONGEST: usize = 1 << 20;

impl<T: Taint> Thread<T> {
    /// Prints, and gives the number of characters.
    pub(super) fn print<M: Memory<T>>(
        &self,
        code: &Code<'_>,
        memory: &mut M,
        place: Option<LocId>,
        target: &PrintTarget,
        pieces: &[PrintPiece],
    ) -> Result<u64, M::Stop> {
        let mut text = Vec::new();
        for piece in pieces {
            match piece {
                PrintPiece::Text(piece) => text.extend_from_slice(piece.as_bytes()),
                PrintPiece::Value { format, value } => {
                    self.print_value(code, memory, place, format, value, &mut text)?;
                }
            }
            if text.len() > LONGEST {
                return Err(memory.fault(self.site(code, place), Fault::TooLongToPrint));
            }
        }
        match target {
            PrintTarget::Stdout => memory.print(self.site(code, place), Stream::Stdout, &text)?,
            PrintTarget::Stderr => memory.print(self.site(code, place), Stream::Stderr, &text)?,
            PrintTarget::Buffer { address, size } => {
                let address = self.defined(code, memory, place, address, "an address")?;
                let size = self.defined(code, memory, place, size, "the size of a buffer")?;
                self.print_to_memory(code, memory, place, address, size.low(), &text)?;
            }
        }
        Ok(text.len() as u64)
    }

    fn print_to_memory<M: Memory<T>>(
        &self,
        code: &Code<'_>,
        memory: &mut M,
        place: Option<LocId>,
        address: Value,
        size: u64,
        text: &[u8],
    ) -> Result<(), M::Stop> {
        let Some(room) = size.checked_sub(1) else { return Ok(()) };
        let kept = text.len().min(usize::try_from(room).unwrap_or(usize::MAX));
        for (i, &byte) in text[..kept].iter().chain(&[0]).enumerate() {
            let access = byte_at(address.offset(i as i64));
            memory.store(
                self.site(code, place),
                access,
                Value::int(Width::I8, byte.into()),
                self.printing(),
            )?;
        }
        Ok(())
    }

    fn print_value<M: Memory<T>>(
        &self,
        code: &Code<'_>,
        memory: &mut M,
        place: Option<LocId>,
        format: &PrintFormat,
        value: &Operand,
        out: &mut Vec<u8>,
    ) -> Result<(), M::Stop> {
        let mut field = Field {
            left: format.left,
            width: 0,
            precision: None,
            zero: format.zero,
            sign: if format.plus { "+" } else { ["", " "][usize::from(format.space)] },
            alternate: format.alternate,
        };
        if let Some(width) = &format.width {
            let width = self.defined(code, memory, place, width, "a field width")?.as_signed();
            field.left |= width < 0;
            field.width = self.length(code, memory, place, width.unsigned_abs())?;
        }
        if let Some(precision) = &format.precision {
            let precision =
                self.defined(code, memory, place, precision, "a precision")?.as_signed();
            // A negative precision counts as none.
            field.precision = usize::try_from(precision).ok();
        }
        let value = self.defined(code, memory, place, value, "a printed value")?;
        if format.conversion == Conversion::String {
            let limit = field.precision.unwrap_or(usize::MAX);
            let text = self.read_string(code, memory, place, value, limit)?;
            field.pad("", &text, false, out);
            return Ok(());
        }
        if let Some(precision) = field.precision {
            self.length(code, memory, place, precision as u128)?;
        }
        field.number(format.conversion, value, out);
        Ok(())
    }

    fn length<M: Memory<T>>(
        &self,
        code: &Code<'_>,
        memory: &mut M,
        place: Option<LocId>,
        length: u128,
    ) -> Result<usize, M::Stop> {
        match usize::try_from(length) {
            Ok(length) if length <= LONGEST => Ok(length),
            _ => Err(memory.fault(self.site(code, place), Fault::TooLongToPrint)),
        }
    }

    /// The bytes at an address up to a zero, at most `limit` of them.
    fn read_string<M: Memory<T>>(
        &self,
        code: &Code<'_>,
        memory: &mut M,
        place: Option<LocId>,
        address: Value,
        limit: usize,
    ) -> Result<Vec<u8>, M::Stop> {
        let mut text = Vec::new();
        while text.len() < limit {
            let access = byte_at(address.offset(text.len() as i64));
            let loaded = memory.load(self.site(code, place), access, false, self.printing())?;
            let byte = loaded.value;
            if !byte.is_defined() {
                let (what, origin) = ("a printed character", memory.taint(loaded.event));
                return Err(memory.undefined(self.site(code, place), what, &origin));
            }
            if byte.bits == 0 {
                break;
            }
            if text.len() >= LONGEST {
                return Err(memory.fault(self.site(code, place), Fault::TooLongToPrint));
            }
            text.push(byte.bits as u8);
        }
        Ok(text)
    }

    fn printing(&self) -> Dependencies<T> {
        Dependencies { control: self.control.clone(), ..Dependencies::default() }
    }
}

fn byte_at(address: Value) -> ResolvedAccess<'static> {
    ResolvedAccess {
        address,
        width: Width::I8,
        align: 1,
        order: Order::NonAtomic,
        path: None,
        purpose: Purpose::Data,
        tags: &[],
    }
}

/// The layout of one conversion.
struct Field {
    left: bool,
    width: usize,
    precision: Option<usize>,
    zero: bool,
    sign: &'static str,
    alternate: bool,
}

impl Field {
    fn number(&self, conversion: Conversion, value: Value, out: &mut Vec<u8>) {
        let bits = value.bits;
        let mut float = |style, upper| {
            self.float(style, upper, float::number(&value), out);
        };
        let (mut prefix, mut digits) = match conversion {
            Conversion::Signed => {
                let number = value.as_signed();
                let sign = if number < 0 { "-" } else { self.sign };
                (sign, number.unsigned_abs().to_string())
            }
            Conversion::Unsigned => ("", bits.to_string()),
            Conversion::Octal => ("", format!("{bits:o}")),
            Conversion::Hex => ("0x", format!("{bits:x}")),
            Conversion::HexUpper => ("0X", format!("{bits:X}")),
            Conversion::Pointer if bits == 0 => return self.pad("", b"(nil)", false, out),
            Conversion::Pointer => ("0x", format!("{bits:x}")),
            Conversion::Char | Conversion::String => {
                return self.pad("", &[bits as u8], false, out);
            }
            Conversion::Fixed { upper } => return float(Style::Fixed, upper),
            Conversion::Exponent { upper } => return float(Style::Exponent, upper),
            Conversion::General { upper } => return float(Style::General, upper),
        };
        let hex = matches!(conversion, Conversion::Hex | Conversion::HexUpper);
        if hex && (!self.alternate || bits == 0) {
            prefix = "";
        }
        if let Some(precision) = self.precision {
            if bits == 0 {
                digits.clear();
            }
            digits.insert_str(0, &"0".repeat(precision.saturating_sub(digits.len())));
        }
        if conversion == Conversion::Octal && self.alternate && !digits.starts_with('0') {
            digits.insert(0, '0');
        }
        let zeros = self.zero && !self.left && self.precision.is_none();
        self.pad(prefix, digits.as_bytes(), zeros, out);
    }

    fn float(&self, style: Style, upper: bool, number: f64, out: &mut Vec<u8>) {
        let sign = if number.is_sign_negative() { "-" } else { self.sign };
        let mut digits = print_float::digits(style, number, self.precision, self.alternate);
        if upper {
            digits.make_ascii_uppercase();
        }
        self.pad(sign, digits.as_bytes(), self.zero && !self.left && number.is_finite(), out);
    }

    fn pad(&self, prefix: &str, text: &[u8], zeros: bool, out: &mut Vec<u8>) {
        let missing = self.width.saturating_sub(prefix.len() + text.len());
        let fill = |out: &mut Vec<u8>, byte| out.resize(out.len() + missing, byte);
        if !self.left && !zeros {
            fill(out, b' ');
        }
        out.extend_from_slice(prefix.as_bytes());
        if zeros {
            fill(out, b'0');
        }
        out.extend_from_slice(text);
        if self.left {
            fill(out, b' ');
        }
    }
}
