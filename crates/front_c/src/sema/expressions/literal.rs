//! Literals: integer constants, characters, strings, and compound literals.

use crate::ast::{self, StringLiteral};
use crate::sema::tree::{Expr, ExprKind, Object, ObjectId, StaticData, StaticInit};
use crate::sema::types::{IntKind, QualType, Type};
use crate::sema::{Checked, Sema, fail};
use crate::token::Encoding;
use execution::span::Span;
use std::rc::Rc;

/// The bytes of a plain string literal as text.
pub fn text(literal: &StringLiteral) -> String {
    let bytes: Vec<u8> = literal.units.iter().map(|unit| *unit as u8).collect();
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The type of an integer constant: the first that can hold it.
pub fn integer_type(value: u128, decimal: bool, unsigned: bool, longs: u8) -> IntKind {
    use IntKind::*;
    let ladder = [(Int, UInt, 32, 0), (Long, ULong, 64, 1), (LongLong, ULongLong, 64, 2)];
    for (signed_kind, unsigned_kind, bits, rank) in ladder {
        if rank < longs {
            continue;
        }
        if !unsigned && value < 1 << (bits - 1) {
            return signed_kind;
        }
        if (unsigned || !decimal) && value < 1 << bits {
            return unsigned_kind;
        }
    }
    if unsigned { UInt128 } else { Int128 }
}

/// The type of the elements of a string or of a character constant with this prefix.
pub fn character_type(encoding: Encoding) -> IntKind {
    match encoding {
        Encoding::Plain | Encoding::Utf8 => IntKind::Char,
        Encoding::Utf16 => IntKind::UShort,
        Encoding::Utf32 => IntKind::UInt,
        Encoding::Wide => IntKind::Int,
    }
}

/// The bytes of a string of `length` elements, cut or filled with zeros.
pub fn string_bytes(units: &[u32], element: u64, length: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    for unit in units.iter().take(length as usize) {
        bytes.extend_from_slice(&unit.to_le_bytes()[..element as usize]);
    }
    bytes.resize((length * element) as usize, 0);
    bytes
}

impl Sema<'_> {
    /// A string literal: an array object that may not be written. Equal literals are one object.
    pub fn string(&mut self, literal: &StringLiteral) -> Expr {
        let kind = character_type(literal.encoding);
        let id = self.string_object(kind, &literal.units, literal.span);
        let ty = self.unit.objects[id].ty.clone();
        Expr { kind: ExprKind::Object(id), ty, span: literal.span }
    }

    /// The object of a string of these units.
    fn string_object(&mut self, kind: IntKind, units: &[u32], span: Span) -> ObjectId {
        let element = u64::from(kind.bits()) / 8;
        let key = (element, units.to_vec());
        if let Some(id) = self.strings.get(&key) {
            return *id;
        }
        let length = units.len() as u64 + 1;
        let data = StaticData::Bytes(string_bytes(units, element, length));
        let id = self.unit.objects.push(Object {
            name: "".into(),
            ty: Type::Array(Rc::new(Type::Int(kind).into()), Some(length)).into(),
            align: None,
            thread_local: false,
            is_string: true,
            weak: false,
            external: false,
            defined: true,
            init: Some(vec![StaticInit { offset: 0, data }]),
            span,
        });
        self.strings.insert(key, id);
        id
    }

    /// `__func__`
    pub fn own_name(&mut self, span: Span) -> Checked<Expr> {
        let state = self.in_function(span)?;
        let (name, known) = (state.name.clone(), state.own_name);
        let id = match known {
            Some(id) => id,
            None => {
                let units: Vec<u32> = name.bytes().map(u32::from).collect();
                let id = self.string_object(IntKind::Char, &units, span);
                self.in_function(span)?.own_name = Some(id);
                id
            }
        };
        let ty = self.unit.objects[id].ty.clone();
        let quals = ast::Qualifiers { is_const: true, ..ast::Qualifiers::default() };
        Ok(Expr { kind: ExprKind::Object(id), ty: ty.with(quals), span })
    }

    /// `(type){ … }`: a local object in a function, a static one at file scope or by its storage
    /// class.
    pub fn compound_literal(
        &mut self,
        name: &ast::TypeName,
        list: &ast::InitList,
        span: Span,
    ) -> Checked<Expr> {
        let ty = self.type_name(name)?;
        if matches!(ty.ty, Type::Function(_) | Type::Void) {
            return fail(span, "a compound literal must have an object type");
        }
        let thread_local = name.specifiers.thread_local;
        let is_static = matches!(name.specifiers.storage, Some((ast::StorageClass::Static, _)));
        if thread_local && !is_static && self.function.is_some() {
            return fail(span, "a thread-local literal in a function must be `static`");
        }
        if self.function.is_some() && !is_static {
            let (ty, parts) = self.literal_parts(&ty, list)?;
            let id = self.new_local(None, ty.clone(), None, span)?;
            // A literal is always used by its address or copied from memory.
            self.in_function(span)?.locals[id].address_taken = true;
            return Ok(Expr { kind: ExprKind::Literal(id, Rc::new(parts)), ty, span });
        }
        let (ty, init) = self.static_list(&ty, list)?;
        let id = self.unnamed_object(ty.clone(), init, span);
        self.unit.objects[id].thread_local = thread_local;
        Ok(Expr { kind: ExprKind::Object(id), ty, span })
    }

    fn unnamed_object(&mut self, ty: QualType, init: Vec<StaticInit>, span: Span) -> ObjectId {
        self.unit.objects.push(Object {
            name: "".into(),
            ty,
            align: None,
            thread_local: false,
            is_string: false,
            weak: false,
            external: false,
            defined: true,
            init: Some(init),
            span,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_integer_constant_has_the_first_type_that_holds_it() {
        assert_eq!(integer_type(0x7fff_ffff, true, false, 0), IntKind::Int);
        assert_eq!(integer_type(0x8000_0000, true, false, 0), IntKind::Long);
        assert_eq!(integer_type(0x8000_0000, false, false, 0), IntKind::UInt);
        assert_eq!(integer_type(1, true, true, 1), IntKind::ULong);
        assert_eq!(integer_type(1, true, false, 2), IntKind::LongLong);
        assert_eq!(integer_type(u128::from(u64::MAX), false, false, 0), IntKind::ULong);
    }
}
