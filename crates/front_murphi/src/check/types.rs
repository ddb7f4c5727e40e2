//! Declarations of constants, types and variables.

use super::scope::{Access, Symbol};
use super::{Checked, Checker, Ty};
use crate::ast::{Decl, Expr as Tree, Name, TypeExpr, TypeKind};
use execution::diagnostic::Diagnostic;
use execution::span::Span;
use guarded::code::{Base, Place};
use guarded::model::{Field, Model, Scalar, ScalarId, ScalarKind, Type, TypeId, Variable};
use std::sync::Arc;

/// How many members a scalarset or an enumeration may have, or slots a multiset.
const MOST_MEMBERS: i64 = 1 << 16;

/// Adds the type of Booleans.
pub fn boolean(model: &mut Model) -> (ScalarId, TypeId) {
    let boolean = Scalar {
        name: Some("boolean".into()),
        kind: ScalarKind::Boolean,
        low: 0,
        high: 1,
        hidden: 0,
    };
    let boolean = model.types.scalars.push(boolean);
    (boolean, model.types.intern(Type::Scalar(boolean)).expect("one cell"))
}

/// A scalar type in words.
pub fn describe_scalar(model: &Model, scalar: ScalarId) -> String {
    let scalar = &model.types.scalars[scalar];
    let name = scalar.name.as_deref();
    match (&scalar.kind, name) {
        (ScalarKind::Boolean, _) => "a Boolean".to_string(),
        (ScalarKind::Range, _) => format!("a number from {} to {}", scalar.low, scalar.high),
        (ScalarKind::Enum(_), Some(name)) => format!("a member of the enumeration `{name}`"),
        (ScalarKind::Enum(_), None) => "a member of an enumeration".to_string(),
        (ScalarKind::Scalarset, Some(name)) => format!("a member of the scalarset `{name}`"),
        (ScalarKind::Scalarset, None) => "a member of a scalarset".to_string(),
        (ScalarKind::Union(_), Some(name)) => format!("a member of the union `{name}`"),
        (ScalarKind::Union(_), None) => "a member of a union".to_string(),
        (ScalarKind::Position, _) => "a position in a multiset".to_string(),
    }
}

/// A type in words.
pub fn describe(model: &Model, ty: TypeId) -> String {
    match model.types.get(ty) {
        Type::Scalar(scalar) => describe_scalar(model, *scalar),
        Type::Array { .. } => "an array".to_string(),
        Type::Record(fields) => {
            let names: Vec<String> = fields.iter().map(|f| format!("`{}`", f.name)).collect();
            format!("a record with {}", names.join(", "))
        }
        Type::Multiset { .. } => "a multiset".to_string(),
    }
}

impl Checker {
    /// Declares what a declaration declares; variables of the state, or of the present frame.
    pub fn declaration(&mut self, decl: &Decl, global: bool) -> Checked<()> {
        match decl {
            Decl::Const(name, value) => {
                let (value, ty) = self.constant_value(value)?;
                self.declare(name, Symbol::Constant(value, ty))
            }
            Decl::Type(name, ty) => {
                let ty = self.named_type(ty, Some(&name.text))?;
                self.declare(name, Symbol::Type(ty))
            }
            Decl::Var(names, ty) => {
                let span = ty.span;
                let ty = self.ty(ty)?;
                for name in names {
                    let size = self.model.types.size(ty);
                    let symbol = match global {
                        true => self.global(name, ty, size, span)?,
                        false => {
                            let offset = self.allocate(size);
                            Symbol::Place(place(Base::Frame, offset), ty, Access::Local)
                        }
                    };
                    self.declare(name, symbol)?;
                }
                Ok(())
            }
        }
    }

    fn global(&mut self, name: &Name, ty: TypeId, size: u32, span: Span) -> Checked<Symbol> {
        let cell = self.model.cells;
        self.model.cells += size;
        if self.model.cells > 1 << 24 {
            return Err(Diagnostic::error(span, "the state is too large: more than 2^24 scalars"));
        }
        self.model.variables.push(Variable { name: name.text.clone(), ty, cell });
        Ok(Symbol::Place(place(Base::State, cell), ty, Access::Shared))
    }

    /// The type that is written somewhere.
    pub fn ty(&mut self, ty: &TypeExpr) -> Checked<TypeId> {
        self.named_type(ty, None)
    }

    fn named_type(&mut self, ty: &TypeExpr, name: Option<&Arc<str>>) -> Checked<TypeId> {
        let ty_span = ty.span;
        let ty = match &ty.kind {
            TypeKind::Name(found) => return self.type_named(found, ty_span),
            TypeKind::Range(low, high) => {
                let (low, high) = (self.number_constant(low)?, self.number_constant(high)?);
                if high < low {
                    let message = format!("this range is empty: {low} is greater than {high}");
                    return Err(Diagnostic::error(ty_span, message));
                }
                if high - low >= i64::from(i32::MAX) {
                    return Err(Diagnostic::error(ty_span, "this range has too many values"));
                }
                self.scalar(name, ScalarKind::Range, low, high)
            }
            TypeKind::Enum(members) => self.enumeration(members, name)?,
            TypeKind::Scalarset(size) => {
                let size = match &self.resized {
                    Some((resized, size)) if name.is_some_and(|name| **name == **resized) => *size,
                    _ => self.size(size, "a scalarset")?,
                };
                let low = self.members(size, ty_span)?;
                self.scalar(name, ScalarKind::Scalarset, low, low + size - 1)
            }
            TypeKind::Union(parts) => self.union(parts, name)?,
            TypeKind::Array(index, element) => {
                let index = self.index_type(index)?;
                Type::Array { index, element: self.ty(element)? }
            }
            TypeKind::Record(fields) => self.record(fields)?,
            TypeKind::Multiset(capacity, element) => {
                let capacity = self.size(capacity, "a multiset")? as u32;
                Type::Multiset { capacity, element: self.ty(element)? }
            }
        };
        let too_large = "a value of this type is too large: more than 2^24 scalars";
        self.model.types.intern(ty).ok_or_else(|| Diagnostic::error(ty_span, too_large))
    }

    fn type_named(&self, name: &Arc<str>, span: Span) -> Checked<TypeId> {
        match self.scopes.find(name) {
            Some(Symbol::Type(ty)) => Ok(*ty),
            Some(_) => Err(Diagnostic::error(span, format!("`{name}` is not a type"))),
            None => Err(self.unknown("type", name, span)),
        }
    }

    /// A name that is not declared.
    pub fn unknown(&self, what: &str, name: &str, span: Span) -> Diagnostic {
        let error = Diagnostic::error(span, format!("there is no {what} `{name}` here"));
        match self.scopes.similar(name) {
            Some(similar) => error.note(format!("did you mean `{similar}`?")),
            None => error.note("names must be declared before they are used"),
        }
    }

    /// A scalar type; equal ranges, and equal unions, are the same one.
    fn scalar(&mut self, name: Option<&Arc<str>>, kind: ScalarKind, low: i64, high: i64) -> Type {
        let scalars = &mut self.model.types.scalars;
        let shared =
            matches!(kind, ScalarKind::Range | ScalarKind::Union(_) | ScalarKind::Position);
        let same = |known: &Scalar| known.kind == kind && known.low == low && known.high == high;
        let known = scalars.enumerate().find(|(_, known)| shared && same(known));
        if let Some((known, _)) = known {
            return Type::Scalar(known);
        }
        Type::Scalar(scalars.push(Scalar { name: name.cloned(), kind, low, high, hidden: 0 }))
    }

    /// The type of positions in a multiset with so many slots.
    pub fn position(&mut self, capacity: u32) -> ScalarId {
        match self.scalar(None, ScalarKind::Position, 0, i64::from(capacity) - 1) {
            Type::Scalar(scalar) => scalar,
            _ => unreachable!("a scalar was made"),
        }
    }

    /// The value of the first of so many new members.
    fn members(&mut self, count: i64, span: Span) -> Checked<i64> {
        let first = self.next_member;
        self.next_member += count;
        match i32::try_from(self.next_member) {
            Ok(_) => Ok(first),
            Err(_) => Err(Diagnostic::error(span, "there are too many members")),
        }
    }

    fn enumeration(&mut self, members: &[Name], name: Option<&Arc<str>>) -> Checked<Type> {
        let first = self.members(members.len() as i64, members[0].span)?;
        let names = members.iter().map(|member| member.text.clone()).collect();
        let last = first + members.len() as i64 - 1;
        let ty = self.scalar(name, ScalarKind::Enum(names), first, last);
        let Type::Scalar(scalar) = ty else { unreachable!("a scalar was made") };
        for (position, member) in members.iter().enumerate() {
            let value = first + position as i64;
            self.declare(member, Symbol::Constant(value, Ty::Scalar(scalar)))?;
        }
        Ok(ty)
    }

    fn union(&mut self, parts: &[TypeExpr], name: Option<&Arc<str>>) -> Checked<Type> {
        let mut scalars = Vec::new();
        for part in parts {
            let ty = self.ty(part)?;
            match *self.model.types.get(ty) {
                Type::Scalar(scalar)
                    if matches!(
                        self.model.types.scalars[scalar].kind,
                        ScalarKind::Enum(_) | ScalarKind::Scalarset
                    ) =>
                {
                    if scalars.contains(&scalar) {
                        let message = "this type is already a part of the union";
                        return Err(Diagnostic::error(part.span, message));
                    }
                    scalars.push(scalar);
                }
                _ => {
                    let found = describe(&self.model, ty);
                    let message =
                        format!("a part of a union is a scalarset or an enumeration, not {found}");
                    return Err(Diagnostic::error(part.span, message));
                }
            }
        }
        let all = &self.model.types.scalars;
        let low = scalars.iter().map(|part| all[*part].low).min().unwrap_or(0);
        let high = scalars.iter().map(|part| all[*part].high).max().unwrap_or(0);
        Ok(self.scalar(name, ScalarKind::Union(scalars), low, high))
    }

    fn index_type(&mut self, ty: &TypeExpr) -> Checked<ScalarId> {
        let index = self.ty(ty)?;
        match self.model.types.get(index) {
            Type::Scalar(scalar) => Ok(*scalar),
            _ => {
                let found = describe(&self.model, index);
                let message = format!("an array is indexed by a simple type, not by {found}");
                Err(Diagnostic::error(ty.span, message))
            }
        }
    }

    fn record(&mut self, fields: &[(Vec<Name>, TypeExpr)]) -> Checked<Type> {
        let mut all: Vec<(Field, Span)> = Vec::new();
        let mut offset = 0u32;
        for (names, ty) in fields {
            let id = self.ty(ty)?;
            for name in names {
                if let Some((_, earlier)) = all.iter().find(|(field, _)| field.name == name.text) {
                    let message = format!("the field `{}` is declared twice", name.text);
                    return Err(Diagnostic::error(name.span, message)
                        .also(*earlier, "it is declared here, too"));
                }
                all.push((Field { name: name.text.clone(), ty: id, offset }, name.span));
                offset = offset.saturating_add(self.model.types.size(id));
            }
        }
        Ok(Type::Record(all.into_iter().map(|(field, _)| field).collect()))
    }

    fn size(&mut self, size: &Tree, what: &str) -> Checked<i64> {
        let value = self.number_constant(size)?;
        if !(1..=MOST_MEMBERS).contains(&value) {
            let message = format!("the size of {what} is from 1 to {MOST_MEMBERS}, not {value}");
            return Err(Diagnostic::error(size.span, message));
        }
        Ok(value)
    }

    /// The value of a constant number.
    pub fn number_constant(&mut self, expr: &Tree) -> Checked<i64> {
        let (value, ty) = self.constant_value(expr)?;
        match ty {
            Ty::Number => Ok(value),
            ty => {
                let message = format!("expected a number, found {}", self.describe(ty));
                Err(Diagnostic::error(expr.span, message))
            }
        }
    }

    fn constant_value(&mut self, expr: &Tree) -> Checked<(i64, Ty)> {
        let typed = self.value(expr)?;
        if let Some(value) = self.constant(&typed.expr) {
            if i32::try_from(value).is_err() {
                let message =
                    format!("the value {value} is too large; the largest is {}", i32::MAX);
                return Err(Diagnostic::error(expr.span, message));
            }
            return Ok((value, typed.ty));
        }
        if let Some(error) = self.constant_division(&typed.expr) {
            return Err(Diagnostic::error(expr.span, error));
        }
        let message = "this must be a constant: its value may not depend on variables";
        Err(Diagnostic::error(expr.span, message))
    }

    /// Whether an expression divides by a constant zero.
    fn constant_division(&self, expr: &guarded::code::Expr) -> Option<&'static str> {
        use guarded::code::{Arithmetic, Expr};
        match expr {
            Expr::Arithmetic(operation, both, _) => {
                let divides = matches!(operation, Arithmetic::Divide | Arithmetic::Remainder);
                if divides && self.constant(&both.1) == Some(0) {
                    return Some("this divides by zero");
                }
                self.constant_division(&both.0).or_else(|| self.constant_division(&both.1))
            }
            _ => None,
        }
    }
}

/// A place without steps.
pub fn place(base: Base, offset: u32) -> Place {
    Place { base, offset, subscripts: Vec::new() }
}
