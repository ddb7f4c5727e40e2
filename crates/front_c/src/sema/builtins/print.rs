//! `snprintf` and `sprintf`: calls of the embedded library, once their formats have been read.
//!
//! What is printed into memory is written byte by byte by the library's own C, so that every engine
//! and every model knows what that means. Formats with floating-point numbers remain one
//! instruction, which only those engines carry out that run programs.

use crate::ast::{self, StringLiteral};
use crate::sema::tree::{Callee, Expr, ExprKind, FunctionId, Intrinsic, Piece, PrintTo};
use crate::sema::types::Type;
use crate::sema::{Checked, Sema};
use crate::token::Encoding;
use execution::span::Span;
use ir::op::{Conversion, PrintFormat};

impl Sema<'_> {
    /// Prints the arguments, which are those of `snprintf`, into memory; `id` is `snprintf`, or
    /// `sprintf`, which has no use for the size.
    pub(crate) fn print_to_memory(
        &mut self,
        id: FunctionId,
        args: &[ast::Expr],
        limited: bool,
        span: Span,
    ) -> Checked<Option<Expr>> {
        let Some(printed) = self.fencepost_builtin("snprint", args, span)? else { return Ok(None) };
        let ExprKind::Intrinsic(intrinsic) = &printed.kind else { return Ok(Some(printed)) };
        let Intrinsic::Print(PrintTo::Buffer(buffer, size), pieces) = &**intrinsic else {
            return Ok(Some(printed));
        };
        let is_float = |piece: &Piece| match piece {
            Piece::Text(_) => false,
            Piece::Value { format, .. } => format.conversion.is_float(),
        };
        if pieces.iter().any(is_float) {
            return Ok(Some(printed));
        }
        let (id, ty) = self.from_library(id, span)?;
        let fixed = if limited { vec![buffer, size] } else { vec![buffer] };
        let mut fixed: Vec<Expr> = fixed.into_iter().cloned().collect();
        fixed.push(self.literal(format_of(pieces), span)?);
        let types = ty.params.iter();
        let fixed = fixed.into_iter().zip(types).map(|(arg, ty)| self.convert(arg, &ty.ty));
        let mut args: Vec<Expr> = fixed.collect();
        for piece in pieces {
            let Piece::Value { width, precision, value, .. } = piece else { continue };
            args.extend([width, precision].into_iter().flatten().cloned());
            args.push(match value.ty.ty.is_integer() {
                true => self.promote(value.clone()),
                false => value.clone(),
            });
        }
        let kind = ExprKind::Call { callee: Callee::Direct(id), args };
        Ok(Some(Expr { kind, ty: Type::INT.into(), span }))
    }

    fn literal(&mut self, text: String, span: Span) -> Checked<Expr> {
        let units = text.bytes().map(u32::from).collect();
        let literal = StringLiteral { encoding: Encoding::Plain, units, span };
        self.value(&ast::Expr { kind: ast::ExprKind::String(literal), span })
    }
}

/// The format that prints these parts, with widths and precisions among the arguments.
fn format_of(pieces: &[Piece]) -> String {
    let mut text = String::new();
    for piece in pieces {
        match piece {
            Piece::Text(plain) => text += &plain.replace('%', "%%"),
            Piece::Value { format, width, precision, value } => {
                text += "%";
                text += &flags(format);
                text += if width.is_some() { "*" } else { "" };
                text += if precision.is_some() { ".*" } else { "" };
                let long = matches!(&value.ty.ty, Type::Int(kind) if kind.bits() == 64);
                text += if long { "l" } else { "" };
                text.push(letter(format.conversion));
            }
        }
    }
    text
}

fn flags(format: &PrintFormat) -> String {
    let PrintFormat { left, plus, space, alternate, zero, .. } = *format;
    let flags = [(left, '-'), (plus, '+'), (space, ' '), (alternate, '#'), (zero, '0')];
    flags.into_iter().filter(|(set, _)| *set).map(|(_, flag)| flag).collect()
}

fn letter(conversion: Conversion) -> char {
    match conversion {
        Conversion::Signed => 'd',
        Conversion::Unsigned => 'u',
        Conversion::Octal => 'o',
        Conversion::Hex => 'x',
        Conversion::HexUpper => 'X',
        Conversion::Char => 'c',
        Conversion::String => 's',
        Conversion::Pointer => 'p',
        Conversion::Fixed { upper: false } => 'f',
        Conversion::Fixed { upper: true } => 'F',
        Conversion::Exponent { upper: false } => 'e',
        Conversion::Exponent { upper: true } => 'E',
        Conversion::General { upper: false } => 'g',
        Conversion::General { upper: true } => 'G',
    }
}
