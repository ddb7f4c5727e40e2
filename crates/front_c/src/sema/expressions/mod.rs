//! Expressions: names, members, indices, addresses, sizes, and the way to all the others.

pub mod assign;
pub mod call;
pub mod convert;
pub mod literal;
pub mod operator;
pub mod variadic;

use crate::ast::{self, Designator};
use crate::sema::scope::Entity;
use crate::sema::tree::{Expr, ExprKind, Role};
use crate::sema::types::{QualType, Type};
use crate::sema::{Checked, Fail, Sema, WORK_LIMIT, fail, refusal, refuse};
use execution::diagnostic::Diagnostic;
use execution::span::Span;
use std::rc::Rc;

impl Sema<'_> {
    /// Checks an expression and takes its value.
    pub fn value(&mut self, expr: &ast::Expr) -> Checked<Expr> {
        let expr = self.expr(expr)?;
        self.rvalue(expr)
    }

    /// Checks a condition.
    pub fn truth_of(&mut self, expr: &ast::Expr, what: &str) -> Checked<Expr> {
        let value = self.scalar_value(expr, what)?;
        Ok(self.truth(value))
    }

    /// Checks an expression that must be a number or pointer.
    pub fn scalar_value(&mut self, expr: &ast::Expr, what: &str) -> Checked<Expr> {
        let value = self.value(expr)?;
        self.must_be_scalar(&value, what)?;
        Ok(value)
    }

    /// Refuses what is neither a number nor a pointer.
    pub fn must_be_scalar(&self, value: &Expr, what: &str) -> Checked<()> {
        if value.ty.ty.is_scalar() {
            return Ok(());
        }
        let name = self.unit.types.name(&value.ty);
        fail(value.span, format!("{what} must be a number or a pointer, not `{name}`"))
    }

    /// Checks an expression; an lvalue stays one.
    pub fn expr(&mut self, expr: &ast::Expr) -> Checked<Expr> {
        use ast::ExprKind as A;
        let span = expr.span;
        self.work += 1;
        if self.work > WORK_LIMIT {
            return fail(span, "this program takes too much work to check");
        }
        match &expr.kind {
            A::Ident(name) => self.identifier(name, span),
            A::Int { value, decimal, unsigned, longs } => {
                let kind = literal::integer_type(*value, *decimal, *unsigned, *longs);
                Ok(Expr::constant(*value, Type::Int(kind), span))
            }
            A::Float(text) => self.float_constant(text, span),
            A::Char { encoding, value } => {
                use crate::token::Encoding;
                let kind = match encoding {
                    Encoding::Plain => crate::sema::types::IntKind::Int,
                    other => literal::character_type(*other),
                };
                Ok(Expr::constant(
                    *value as u128 & crate::sema::constants::arith::mask(kind.bits()),
                    Type::Int(kind),
                    span,
                ))
            }
            A::String(string) => Ok(self.string(string)),
            A::Generic { value, arms } => self.generic(value, arms),
            A::Index(array, index) => self.index(array, index, span),
            A::Call { callee, args } => self.call(callee, args, span),
            A::Member(base, name) => self.member(base, name, span),
            A::Arrow(base, name) => self.arrow(base, name, span),
            A::PostIncrement(target) => self.increment(target, false, true, span),
            A::PostDecrement(target) => self.increment(target, true, true, span),
            A::PreIncrement(target) => self.increment(target, false, false, span),
            A::PreDecrement(target) => self.increment(target, true, false, span),
            A::AddressOf(inner) => self.address_of(inner, span),
            A::Deref(inner) => self.dereference(inner, span),
            A::Unary(op, inner) => self.unary(*op, inner, span),
            A::Extension(inner) => self.expr(inner),
            A::SizeofExpr(_) | A::SizeofType(_) | A::AlignofType(_) | A::AlignofExpr(_) => {
                self.size_or_alignment(expr)
            }
            A::Offsetof { ty, path } => self.offset_of(ty, path, span),
            A::Cast(name, inner) => self.cast(name, inner, span),
            A::CompoundLiteral(name, list) => self.compound_literal(name, list, span),
            A::Binary(op, a, b) => self.binary(*op, a, b, span),
            A::LogicalAnd(a, b) => self.logical(a, b, true, span),
            A::LogicalOr(a, b) => self.logical(a, b, false, span),
            A::Conditional { cond, then, otherwise } => {
                self.conditional(cond, then.as_deref(), otherwise, span)
            }
            A::Assign(target, value) => self.assign(target, value, span),
            A::CompoundAssign(op, target, value) => self.compound_assign(*op, target, value, span),
            A::Comma(a, b) => {
                let a = self.value(a)?;
                let b = self.value(b)?;
                let ty = b.ty.clone();
                Ok(Expr { kind: ExprKind::Comma(Box::new(a), Box::new(b)), ty, span })
            }
            A::Statement(block) => self.statement_expression(block, span),
            A::TypesCompatible(a, b) => {
                let (a, b) = (self.type_name(a)?, self.type_name(b)?);
                let same = self.compatible(&a.ty, &b.ty)
                    && !matches!(
                        (&a.ty, &b.ty),
                        (Type::Enum(_), Type::Int(_)) | (Type::Int(_), Type::Enum(_))
                    );
                Ok(Expr::constant(u128::from(same), Type::INT, span))
            }
            A::ChooseExpr(cond, then, otherwise) => {
                let (bits, _) =
                    self.integer_constant(cond, "the condition of `__builtin_choose_expr`")?;
                self.expr(if bits != 0 { then } else { otherwise })
            }
            A::VaArg(list, name) => self.va_arg(list, name, span),
            A::LabelAddress(name) => self.label_address(name, span),
        }
    }

    fn identifier(&mut self, name: &Rc<str>, span: Span) -> Checked<Expr> {
        let place = |kind, ty| Ok(Expr { kind, ty, span });
        match self.scopes.find(name).cloned() {
            Some(Entity::Local(id)) => {
                let ty = self.in_function(span)?.locals[id].ty.clone();
                place(ExprKind::Local(id), ty)
            }
            Some(Entity::Object(id)) if self.is_stream(id) => self.stream(id, span),
            Some(Entity::Object(id)) => {
                place(ExprKind::Object(id), self.unit.objects[id].ty.clone())
            }
            Some(Entity::Function(id)) => {
                let (found, ty) = self.from_library(id, span)?;
                self.unit.at_exit |= self.unit.functions[found].role == Role::RegistersAtExit;
                place(ExprKind::Function(found), Type::Function(ty).into())
            }
            Some(Entity::Constant(bits, ty)) => Ok(Expr::constant(bits, ty, span)),
            Some(Entity::Typedef(_)) => fail(span, format!("`{name}` is a type, not a value")),
            Some(Entity::Poisoned) => Err(Fail::Reported),
            Some(Entity::Refused(why)) => Err(refusal((*why).clone())),
            None => match &**name {
                "__func__" | "__FUNCTION__" | "__PRETTY_FUNCTION__" => self.own_name(span),
                "true" | "false" => {
                    Ok(Expr::constant(u128::from(&**name == "true"), Type::BOOL, span))
                }
                "nullptr" => Ok(Expr::constant(0, Type::void_pointer(), span)),
                _ => Err(self.undeclared_name(name, span)),
            },
        }
    }

    /// A name that was never declared: a mistake, or a built-in function that is not supported.
    fn undeclared_name(&self, name: &str, span: Span) -> Fail {
        let diagnostic = self.undeclared(name, span);
        if is_builtin(name) { refusal(diagnostic) } else { diagnostic.into() }
    }

    /// The message about a name that was never declared.
    pub fn undeclared(&self, name: &str, span: Span) -> Diagnostic {
        let message = Diagnostic::error(span, format!("`{name}` is not declared"));
        if is_builtin(name) {
            let message = format!("the builtin `{name}` is not supported");
            return Diagnostic::error(span, message);
        }
        match crate::hints::header_of(name) {
            Some(header) => {
                message.note(format!("`{name}` is in <{header}>: add `#include <{header}>`"))
            }
            None if let Some(bare) = crate::hints::without_prefix(name) => message
                .note(format!("<checkfence.h> calls it `{bare}`, as the papers do: no prefix")),
            None => match crate::hints::similar(name, self.scopes.names().map(|known| &**known)) {
                Some(similar) => message.note(format!("did you mean `{similar}`?")),
                None => message,
            },
        }
    }

    fn generic(
        &mut self,
        value: &ast::Expr,
        arms: &[(Option<ast::TypeName>, ast::Expr)],
    ) -> Checked<Expr> {
        let control = self.unevaluated(|sema| sema.value(value))?;
        let control_type = match control.ty.ty {
            Type::Bits { .. } => self.promoted(&control.ty.ty),
            other => other,
        };
        let mut default = None;
        let mut chosen = None;
        for (name, arm) in arms {
            match name {
                None => default = Some(arm),
                Some(name) => {
                    let ty = self.type_name(name)?;
                    let plain = !ty.quals.is_const && !ty.quals.is_volatile && !ty.quals.is_atomic;
                    if chosen.is_none() && plain && self.compatible(&ty.ty, &control_type) {
                        chosen = Some(arm);
                    }
                }
            }
        }
        match chosen.or(default) {
            Some(arm) => self.expr(arm),
            None => {
                let name = self.unit.types.name_of(&control_type);
                fail(value.span, format!("no association of `_Generic` fits the type `{name}`"))
            }
        }
    }

    fn index(&mut self, array: &ast::Expr, index: &ast::Expr, span: Span) -> Checked<Expr> {
        let array = self.value(array)?;
        let index = self.value(index)?;
        let (pointer, index) = match (&array.ty.ty, &index.ty.ty) {
            (Type::Pointer(_), ty) if ty.is_integer() => (array, index),
            (ty, Type::Pointer(_)) if ty.is_integer() => (index, array),
            _ => return fail(span, "only an array or a pointer can be indexed, by an integer"),
        };
        let ty = self.pointed_to(&pointer)?;
        if let Type::Variable(..) = ty.ty {
            let row = self.pointer_add(pointer, index, false, span)?;
            return Ok(Expr { kind: ExprKind::Deref(Box::new(row)), ty, span });
        }
        let index = self.promote(index);
        Ok(Expr { kind: ExprKind::Index(Box::new(pointer), Box::new(index)), ty, span })
    }

    /// What a pointer points to, which must be a complete type.
    fn pointed_to(&self, pointer: &Expr) -> Checked<QualType> {
        match pointer.ty.ty.pointee() {
            Some(to)
                if self.pointee_size(&pointer.ty.ty).is_some()
                    || matches!(to.ty, Type::Array(_, None) | Type::Variable(..)) =>
            {
                Ok(to.clone())
            }
            Some(to) => {
                let name = self.unit.types.name(to);
                fail(pointer.span, format!("this points to the incomplete type `{name}`"))
            }
            None => {
                let name = self.unit.types.name(&pointer.ty);
                fail(pointer.span, format!("this is not a pointer but `{name}`"))
            }
        }
    }

    fn dereference(&mut self, inner: &ast::Expr, span: Span) -> Checked<Expr> {
        let pointer = self.value(inner)?;
        let ty = match pointer.ty.ty.pointee() {
            Some(to) => to.clone(),
            None => return self.pointed_to(&pointer).map(|_| pointer),
        };
        Ok(Expr { kind: ExprKind::Deref(Box::new(pointer)), ty, span })
    }

    fn member(&mut self, base: &ast::Expr, name: &ast::Ident, span: Span) -> Checked<Expr> {
        let base = self.expr(base)?;
        if base.ty.ty.is_pointer() {
            return Err(Diagnostic::error(span, "this is a pointer to a struct, not a struct")
                .note(format!("write `->{}`", name.name))
                .into());
        }
        self.member_of(base, name, span)
    }

    fn arrow(&mut self, base: &ast::Expr, name: &ast::Ident, span: Span) -> Checked<Expr> {
        let pointer = self.value(base)?;
        let Some(to) = pointer.ty.ty.pointee().cloned() else {
            if pointer.ty.ty.is_record() {
                return Err(Diagnostic::error(span, "this is a struct, not a pointer to one")
                    .note(format!("write `.{}`", name.name))
                    .into());
            }
            return self.pointed_to(&pointer).map(|_| pointer);
        };
        let object = Expr { ty: to, span: pointer.span, kind: ExprKind::Deref(Box::new(pointer)) };
        self.member_of(object, name, span)
    }

    fn member_of(&mut self, base: Expr, name: &ast::Ident, span: Span) -> Checked<Expr> {
        let Type::Record(id) = base.ty.ty else {
            let ty = self.unit.types.name(&base.ty);
            return fail(name.span, format!("`{ty}` has no members"));
        };
        if self.unit.types.records[id].body.is_none() {
            let ty = self.unit.types.name(&base.ty);
            return fail(name.span, format!("`{ty}` is an incomplete type"));
        }
        let Some(found) = self.unit.types.field(id, &name.name) else {
            return self.no_member(id, name);
        };
        if base.ty.quals.is_atomic && self.unevaluated == 0 {
            let ty = self.unit.types.name_of(&base.ty.ty);
            let message = format!("a member of an atomic `{ty}` cannot be accessed");
            return Err(Diagnostic::error(span, message)
                .note(format!("C11 leaves it undefined; copy the whole `{ty}` first"))
                .into());
        }
        let quals = ast::Qualifiers { is_atomic: false, is_restrict: false, ..base.ty.quals };
        let ty = found.ty.with(quals);
        let kind = ExprKind::Member {
            base: Box::new(base),
            name: name.name.clone(),
            offset: found.offset,
            bits: found.bits,
            purpose: found.purpose,
        };
        Ok(Expr { kind, ty, span })
    }

    fn address_of(&mut self, inner: &ast::Expr, span: Span) -> Checked<Expr> {
        let inner = self.expr(inner)?;
        if let ExprKind::Member { bits: Some(_), .. } = inner.kind {
            return fail(span, "a bit-field has no address");
        }
        if self.variable_size(&inner, span).is_some() {
            return refuse(span, "the address of a variable-length array is not supported");
        }
        let ty = QualType::from(Type::pointer(inner.ty.clone()));
        match inner.kind {
            ExprKind::Function(_) => {}
            ExprKind::Deref(pointer) => {
                return Ok(Expr { span, ty: pointer.ty.clone(), kind: pointer.kind });
            }
            _ if inner.is_lvalue() => self.mark_address_taken(&inner),
            _ => return fail(span, "this is a value without an address"),
        }
        Ok(Expr { kind: ExprKind::AddressOf(Box::new(inner)), ty, span })
    }

    fn size_or_alignment(&mut self, expr: &ast::Expr) -> Checked<Expr> {
        use ast::ExprKind as A;
        let span = expr.span;
        if let A::SizeofType(name) = &expr.kind
            && let Some(size) = self.variable_type_size(name, span)?
        {
            return Ok(size);
        }
        let (ty, align, bits) = match &expr.kind {
            A::SizeofType(name) => (self.type_name(name)?, false, false),
            A::AlignofType(name) => (self.type_name(name)?, true, false),
            A::SizeofExpr(inner) | A::AlignofExpr(inner) => {
                let of = self.unevaluated(|sema| sema.expr(inner))?;
                let bits = matches!(of.kind, ExprKind::Member { bits: Some(_), .. });
                let align = matches!(expr.kind, A::AlignofExpr(_));
                let row = match of.ty.ty {
                    Type::Variable(_, size) => Some(self.local_value(size, span)),
                    _ => self.variable_size(&of, span),
                };
                if let Some(size) = row.filter(|_| !align) {
                    return Ok(size);
                }
                let own = if align { self.object_alignment(&of) } else { None };
                if let Some(align) = own {
                    return Ok(Expr::constant(u128::from(align), Type::SIZE, span));
                }
                (of.ty, align, bits)
            }
            _ => return fail(span, "this has no size"),
        };
        if bits {
            return fail(span, "a bit-field has no size or alignment in bytes");
        }
        let number = match &ty.ty {
            Type::Void | Type::Function(_) => 1,
            _ if align => self.unit.types.align_of(&ty),
            other => match self.unit.types.size_of(other) {
                Some(size) => size,
                None => {
                    let name = self.unit.types.name(&ty);
                    return fail(span, format!("`{name}` is an incomplete type and has no size"));
                }
            },
        };
        Ok(Expr::constant(u128::from(number), Type::SIZE, span))
    }

    /// The alignment that a declaration gave to an object.
    fn object_alignment(&mut self, expr: &Expr) -> Option<u64> {
        let (declared, ty) = match &expr.kind {
            ExprKind::Local(id) => {
                let local = &self.function.as_ref()?.locals[*id];
                (local.align?, &local.ty)
            }
            ExprKind::Object(id) => (self.unit.objects[*id].align?, &self.unit.objects[*id].ty),
            _ => return None,
        };
        Some(declared.max(self.unit.types.align_of(ty)))
    }

    fn offset_of(
        &mut self,
        name: &ast::TypeName,
        path: &[Designator],
        span: Span,
    ) -> Checked<Expr> {
        let ty = self.type_name(name)?;
        // The offset is the address of the member of an object at address zero.
        let null = Expr::constant(0, Type::pointer(ty.clone()), span);
        let mut place = Expr { kind: ExprKind::Deref(Box::new(null)), ty, span };
        for step in path {
            place = match step {
                Designator::Field(field) => self.member_of(place, field, span)?,
                Designator::Index(index) => {
                    let pointer = self.rvalue(place)?;
                    let index = self.value(index)?;
                    let ty = self.pointed_to(&pointer)?;
                    Expr { kind: ExprKind::Index(Box::new(pointer), Box::new(index)), ty, span }
                }
                Designator::Range(..) => return fail(span, "`offsetof` takes no ranges"),
            };
        }
        if let ExprKind::Member { bits: Some(_), .. } = place.kind {
            return fail(span, "a bit-field has no offset in bytes");
        }
        let ty = Type::pointer(place.ty.clone()).into();
        let address = Expr { kind: ExprKind::AddressOf(Box::new(place)), ty, span };
        match self.constant(&address) {
            Some(crate::sema::constants::Constant::Int(bits)) => {
                Ok(Expr::constant(bits, Type::SIZE, span))
            }
            _ => Ok(self.convert(address, &Type::SIZE)),
        }
    }
}

/// Whether a name is one that gcc keeps for its built-in functions.
pub(crate) fn is_builtin(name: &str) -> bool {
    ["__builtin_", "__atomic_", "__sync_"].iter().any(|prefix| name.starts_with(prefix))
}
