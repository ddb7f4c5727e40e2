//! Definitions of structs, unions and enumerations.

use crate::ast::{self, EnumSpecifier, Ident, Member, RecordKind, RecordSpecifier};
use crate::sema::constants::arith;
use crate::sema::scope::{Entity, Tag};
use crate::sema::types::layout::{PlainField, RecordOptions};
use crate::sema::types::{Enum, EnumId, Field, IntKind, QualType, Record, RecordId, Type};
use crate::sema::{Checked, Sema, fail};
use execution::diagnostic::Diagnostic;
use execution::span::Span;
use ir::locks::Purpose;
use std::collections::HashMap;
use std::rc::Rc;

impl Sema<'_> {
    /// The struct or union that a specifier names or defines.
    pub fn record(&mut self, specifier: &RecordSpecifier) -> Checked<RecordId> {
        let defines = specifier.members.is_some();
        let id = match &specifier.tag {
            None => self.new_record(specifier),
            Some(tag) => match self.scopes.known_tag(&tag.name, defines) {
                Some(Tag::Record(id)) if self.unit.types.records[id].kind == specifier.kind => id,
                Some(known) => return self.wrong_tag(tag, known),
                None => {
                    let id = self.new_record(specifier);
                    self.scopes.declare_tag(tag.name.clone(), Tag::Record(id));
                    id
                }
            },
        };
        if let Some(members) = &specifier.members {
            let record = &self.unit.types.records[id];
            if record.body.is_some() {
                let name = self.unit.types.name_of(&Type::Record(id));
                return Err(Diagnostic::error(
                    specifier.span,
                    format!("`{name}` is defined twice"),
                )
                .also(record.span, "the first definition is here")
                .into());
            }
            self.unit.types.records[id].span = specifier.span;
            self.define_record(id, specifier, members)?;
        }
        Ok(id)
    }

    /// Declares a tag in the innermost scope: `struct node;`.
    pub fn forward_record(&mut self, specifier: &RecordSpecifier) {
        if let (Some(tag), None) = (&specifier.tag, &specifier.members)
            && self.scopes.find_tag_here(&tag.name).is_none()
        {
            let id = self.new_record(specifier);
            self.scopes.declare_tag(tag.name.clone(), Tag::Record(id));
        }
    }

    fn new_record(&mut self, specifier: &RecordSpecifier) -> RecordId {
        self.unit.types.records.push(Record {
            kind: specifier.kind,
            tag: specifier.tag.as_ref().map(|tag| tag.name.clone()),
            alias: None,
            transparent: false,
            body: None,
            span: specifier.span,
        })
    }

    fn wrong_tag<T>(&self, tag: &Ident, known: Tag) -> Checked<T> {
        let (what, span) = match known {
            Tag::Record(id) => {
                let record = &self.unit.types.records[id];
                let what = match record.kind {
                    RecordKind::Struct => "a struct",
                    RecordKind::Union => "a union",
                };
                (what, record.span)
            }
            Tag::Enum(id) => ("an enum", self.unit.types.enums[id].span),
        };
        Err(Diagnostic::error(tag.span, format!("`{}` is the tag of {what}", tag.name))
            .also(span, "it is declared here")
            .into())
    }

    fn define_record(
        &mut self,
        id: RecordId,
        specifier: &RecordSpecifier,
        members: &[Member],
    ) -> Checked<()> {
        let said = self.attributes(&specifier.attributes)?;
        let mut plain = Vec::new();
        for (index, member) in members.iter().enumerate() {
            let last = index + 1 == members.len();
            match member {
                Member::StaticAssert(assert) => self.static_assert(assert)?,
                Member::Fields { specifiers, declarators } => {
                    self.fields(specifier.kind, specifiers, declarators, last, &mut plain)?;
                }
            }
        }
        let mut seen = HashMap::new();
        self.check_duplicates(
            &plain.iter().map(|field| &field.field).collect::<Vec<_>>(),
            &mut seen,
        )?;
        self.unit.types.records[id].transparent |= said.transparent;
        let options =
            RecordOptions { packed: said.packed, align: said.align, pack: specifier.pack };
        match self.unit.types.lay_out(specifier.kind, plain, options) {
            Some(body) => {
                self.unit.types.records[id].body = Some(body);
                Ok(())
            }
            None => fail(specifier.span, "this type is too large"),
        }
    }

    fn check_duplicates(
        &self,
        fields: &[&Field],
        seen: &mut HashMap<Rc<str>, Span>,
    ) -> Checked<()> {
        for field in fields {
            match (&field.name, &field.ty.ty) {
                (Some(name), _) => {
                    if let Some(first) = seen.insert(name.clone(), field.span) {
                        return Err(Diagnostic::error(
                            field.span,
                            format!("there are two members `{name}`"),
                        )
                        .also(first, "the first one is here")
                        .into());
                    }
                }
                (None, Type::Record(inner)) => {
                    if let Some(body) = &self.unit.types.records[*inner].body {
                        self.check_duplicates(&body.fields.iter().collect::<Vec<_>>(), seen)?;
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn fields(
        &mut self,
        kind: RecordKind,
        specifiers: &ast::Specifiers,
        declarators: &[ast::FieldDeclarator],
        last: bool,
        plain: &mut Vec<PlainField>,
    ) -> Checked<()> {
        let base = self.specifier_type(specifiers)?;
        let common = self.specifier_attributes(specifiers)?;
        if declarators.is_empty() {
            // An anonymous struct or union; anything else without a declarator declares nothing.
            if let (Type::Record(id), ast::TypeSpecifier::Record(inner)) =
                (&base.ty, &specifiers.ty)
                && inner.tag.is_none()
            {
                let span = self.unit.types.records[*id].span;
                plain.push(PlainField {
                    field: Field {
                        name: None,
                        ty: base,
                        offset: 0,
                        bits: None,
                        purpose: common.purpose,
                        span,
                    },
                    named: true,
                    width: None,
                    packed: common.packed,
                    align: common.align,
                });
            }
            return Ok(());
        }
        for (index, item) in declarators.iter().enumerate() {
            let last = last && index + 1 == declarators.len();
            let mut said = common;
            let (name, ty) = match &item.declarator {
                None => (None, base.clone()),
                Some(declarator) => {
                    let own = self.attributes(&declarator.attributes)?;
                    said.packed |= own.packed;
                    said.align = said.align.max(own.align);
                    if own.purpose != Purpose::Data {
                        said.purpose = own.purpose;
                    }
                    let ty = self.derived_type(base.clone(), declarator)?;
                    (declarator.name.clone(), ty)
                }
            };
            let width = match &item.bits {
                None => None,
                Some(bits) => Some(self.bit_width(bits, &ty, name.is_some())?),
            };
            if width.is_none() {
                self.check_member(kind, &ty, last, plain.is_empty(), item.span)?;
            }
            plain.push(PlainField {
                named: name.is_some(),
                field: Field {
                    name: name.as_ref().map(|name| name.name.clone()),
                    ty,
                    offset: 0,
                    bits: None,
                    purpose: said.purpose,
                    span: name.as_ref().map_or(item.span, |name| name.span),
                },
                width,
                packed: said.packed,
                align: said.align,
            });
        }
        Ok(())
    }

    fn check_member(
        &self,
        kind: RecordKind,
        ty: &QualType,
        last: bool,
        first: bool,
        span: Span,
    ) -> Checked<()> {
        match &ty.ty {
            Type::Function(_) => fail(span, "a member cannot be a function"),
            Type::Array(_, None) if kind == RecordKind::Struct && !last => {
                fail(span, "only the last member can be an array without a length")
            }
            Type::Array(_, None) if kind == RecordKind::Struct && first => {
                fail(span, "a flexible array member needs another member before it")
            }
            Type::Array(_, None) => Ok(()),
            other if self.unit.types.size_of(other).is_none() => {
                let name = self.unit.types.name(ty);
                fail(span, format!("the member has the incomplete type `{name}`"))
            }
            _ => Ok(()),
        }
    }

    fn bit_width(&mut self, bits: &ast::Expr, ty: &QualType, named: bool) -> Checked<u32> {
        let Some((declared, _)) = self.unit.types.integer(&ty.ty) else {
            return fail(bits.span, "a bit-field must have an integer type");
        };
        if ty.quals.is_atomic {
            return fail(bits.span, "a bit-field cannot be atomic");
        }
        let declared = if ty.ty == Type::BOOL { 1 } else { declared };
        let width = self.integer_number(bits, "the width of a bit-field")?;
        match width {
            ..0 => fail(bits.span, "the width of a bit-field must not be negative"),
            0 if named => fail(bits.span, "a bit-field with a name needs at least one bit"),
            _ if width > i128::from(declared) => {
                fail(bits.span, "the bit-field is wider than its type")
            }
            _ => Ok(width as u32),
        }
    }

    /// The enumeration that a specifier names or defines.
    pub fn enumeration(&mut self, specifier: &EnumSpecifier) -> Checked<EnumId> {
        let defines = specifier.enumerators.is_some();
        let fixed = specifier.fixed.as_deref().map(|ty| self.fixed_type(ty)).transpose()?;
        let id = match &specifier.tag {
            None => self.new_enum(specifier),
            Some(tag) => match self.scopes.known_tag(&tag.name, defines || fixed.is_some()) {
                Some(Tag::Enum(id)) => id,
                Some(known) => return self.wrong_tag(tag, known),
                None => {
                    let id = self.new_enum(specifier);
                    self.scopes.declare_tag(tag.name.clone(), Tag::Enum(id));
                    id
                }
            },
        };
        let known = &mut self.unit.types.enums[id];
        let new = known.underlying.is_none();
        if fixed.is_some() && new {
            known.underlying = fixed;
            known.fixed = true;
        } else if !new && (fixed.is_some() || defines && known.fixed) {
            let same = known.fixed && known.underlying == fixed;
            let twice = known.defined && defines;
            if !same && !twice {
                let message = "this enum was declared with another underlying type";
                return Err(Diagnostic::error(specifier.span, message)
                    .also(known.span, "the first declaration is here")
                    .into());
            }
        }
        if let Some(enumerators) = &specifier.enumerators {
            if self.unit.types.enums[id].defined {
                return Err(Diagnostic::error(specifier.span, "this enum is defined twice")
                    .also(self.unit.types.enums[id].span, "the first definition is here")
                    .into());
            }
            let said = self.attributes(&specifier.attributes)?;
            self.unit.types.enums[id].purpose = said.purpose;
            self.define_enum(id, enumerators, said.packed)?;
        }
        Ok(id)
    }

    fn new_enum(&mut self, specifier: &EnumSpecifier) -> EnumId {
        let tag = specifier.tag.as_ref().map(|tag| tag.name.clone());
        self.unit.types.enums.push(Enum {
            tag,
            underlying: None,
            fixed: false,
            defined: false,
            purpose: Purpose::Data,
            span: specifier.span,
        })
    }

    /// The integer type that an enum is declared with.
    fn fixed_type(&mut self, specifiers: &ast::Specifiers) -> Checked<IntKind> {
        if specifiers.storage.is_some() || specifiers.thread_local {
            return fail(specifiers.span, "a storage class cannot be part of an underlying type");
        }
        match self.specifier_type(specifiers)?.ty {
            Type::Int(IntKind::Bool) => fail(specifiers.span, "an enum of `bool` is not supported"),
            Type::Int(kind) => Ok(kind),
            _ => fail(specifiers.span, "the underlying type of an enum must be an integer type"),
        }
    }

    fn define_enum(
        &mut self,
        id: EnumId,
        enumerators: &[(Ident, Option<ast::Expr>)],
        packed: bool,
    ) -> Checked<()> {
        let known = &self.unit.types.enums[id];
        let fixed = known.underlying.filter(|_| known.fixed);
        let mut next: i128 = 0;
        let mut values = Vec::new();
        for (name, value) in enumerators {
            if let Some(expr) = value {
                next = self.integer_number(expr, "an enumeration constant")?;
            }
            if self.scopes.find_here(&name.name).is_some() {
                return fail(name.span, format!("`{}` is declared twice", name.name));
            }
            if let Some(kind) = fixed {
                if !holds(kind, next) {
                    let message = format!("{next} does not fit `{}`", kind.name());
                    return fail(value.as_ref().map_or(name.span, |value| value.span), message);
                }
                self.declare_enumerator(name, next, (kind, Type::Enum(id)));
            } else {
                let kind = if i32::try_from(next).is_ok() { IntKind::Int } else { IntKind::Long };
                self.declare_enumerator(name, next, (kind, Type::Int(kind)));
            }
            values.push((name, next));
            next += 1;
        }
        self.unit.types.enums[id].defined = true;
        if fixed.is_some() {
            return Ok(());
        }
        let (low, high) = values
            .iter()
            .fold((0, 0), |(low, high), (_, value)| (low.min(*value), high.max(*value)));
        let Some(underlying) = enum_type(low, high, packed) else {
            return fail(enumerators[0].0.span, "the constants of this enum do not fit one type");
        };
        for (name, value) in values {
            if i32::try_from(value).is_err() {
                self.declare_enumerator(name, value, (underlying, Type::Int(underlying)));
            }
        }
        self.unit.types.enums[id].underlying = Some(underlying);
        Ok(())
    }

    fn declare_enumerator(&mut self, name: &Ident, value: i128, (kind, ty): (IntKind, Type)) {
        let bits = value as u128 & arith::mask(kind.bits());
        self.scopes.declare(name.name.clone(), Entity::Constant(bits, ty));
    }
}

/// Whether a type has a value; larger ones than a constant can have do not count.
fn holds(kind: IntKind, value: i128) -> bool {
    match (kind.bits(), kind.is_signed()) {
        (128, true) => true,
        (128, false) => value >= 0,
        (bits, true) => (-(1i128 << (bits - 1))..1i128 << (bits - 1)).contains(&value),
        (bits, false) => (0..1i128 << bits).contains(&value),
    }
}

/// The integer type of an enumeration whose constants lie between two values.
fn enum_type(low: i128, high: i128, packed: bool) -> Option<IntKind> {
    use IntKind::*;
    let signed = [(SChar, 8), (Short, 16), (Int, 32), (Long, 64)];
    let unsigned = [(UChar, 8), (UShort, 16), (UInt, 32), (ULong, 64)];
    let candidates = if low < 0 { signed } else { unsigned };
    let first = if packed { 0 } else { 2 };
    candidates[first..]
        .iter()
        .find(|(kind, bits)| {
            let value_bits = if kind.is_signed() { bits - 1 } else { *bits };
            high < 1i128 << value_bits && low >= -(1i128 << (bits - 1))
        })
        .map(|(kind, _)| *kind)
}
