//! Floating-point types: they may be named, so that headers which declare `double atof(…)` can be
//! read, but nothing can be computed with them.
//!
//! A floating-point type is a struct of its size with one member that has no name to reach it by.
//! So declarations, pointers, `sizeof` and the layout of structs around it are right, and whatever
//! wants a number from it is refused, as for any struct.

use super::types::{Field, IntKind, QualType, Record, RecordBody, Type};
use super::{Checked, Sema};
use crate::ast::RecordKind;
use execution::diagnostic::Diagnostic;
use execution::span::Span;
use std::rc::Rc;

impl Sema<'_> {
    /// The type that `name` (`double`, `_Float128`) stands for; refuses what has no such size.
    pub fn float_type(&mut self, name: &Rc<str>, span: Span) -> Checked<Type> {
        if let Some(&known) = self.floats.get(name) {
            return Ok(Type::Record(known));
        }
        let bits = match &**name {
            "_Float16" | "__fp16" | "__bf16" => IntKind::UShort,
            "float" | "_Float32" | "_Decimal32" => IntKind::UInt,
            "double" | "_Float64" | "_Float32x" | "_Decimal64" => IntKind::ULong,
            "long double" | "_Float64x" | "_Float128" | "__float128" | "__float80"
            | "_Decimal128" => IntKind::UInt128,
            _ => return Err(refusal(name, span).into()),
        };
        let size = u64::from(bits.bits()) / 8;
        let field = Field {
            name: Some("".into()),
            ty: Type::Int(bits).into(),
            offset: 0,
            bits: None,
            span,
        };
        let id = self.unit.types.records.push(Record {
            kind: RecordKind::Struct,
            tag: None,
            alias: Some(name.clone()),
            body: Some(RecordBody { fields: vec![field], size, align: size }),
            span,
        });
        self.floats.insert(name.clone(), id);
        Ok(Type::Record(id))
    }

    /// Refuses a floating-point type, or an array of it, where there would be a value.
    pub fn refuse_float(&self, ty: &QualType, span: Span) -> Checked<()> {
        match &ty.ty {
            Type::Array(element, _) => self.refuse_float(element, span),
            Type::Record(id) if self.floats.values().any(|float| float == id) => {
                Err(refusal(&self.unit.types.name_of(&ty.ty), span).into())
            }
            _ => Ok(()),
        }
    }
}

fn refusal(name: &str, span: Span) -> Diagnostic {
    Diagnostic::error(span, format!("`{name}` is not supported")).note(
        "Fencepost reasons about integers and pointers; floating-point types can only be declared",
    )
}
