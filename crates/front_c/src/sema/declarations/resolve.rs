//! From specifiers and declarators to types.

use crate::ast::{self, ArraySize, Derivation, Qualifiers, Sign, TypeSpecifier};
use crate::sema::declarations::variable_length::is_variable;
use crate::sema::scope::Entity;
use crate::sema::types::{FunctionType, IntKind, QualType, Type};
use crate::sema::{Checked, Fail, Sema, fail, refusal, refuse};
use execution::diagnostic::Diagnostic;
use execution::span::Span;
use std::rc::Rc;

/// The longest array we accept, in elements.
const MAX_LENGTH: i128 = 1 << 36;

impl Sema<'_> {
    /// The type that declaration specifiers name.
    pub fn specifier_type(&mut self, specifiers: &ast::Specifiers) -> Checked<QualType> {
        let span = specifiers.span;
        let base: QualType = match &specifiers.ty {
            TypeSpecifier::Void => Type::Void.into(),
            TypeSpecifier::Bool => Type::BOOL.into(),
            TypeSpecifier::Char(None) => Type::CHAR.into(),
            TypeSpecifier::Char(Some(sign)) => integer(*sign, IntKind::SChar),
            TypeSpecifier::Short(sign) => integer(*sign, IntKind::Short),
            TypeSpecifier::Int(sign) => integer(*sign, IntKind::Int),
            TypeSpecifier::Long(sign) => integer(*sign, IntKind::Long),
            TypeSpecifier::LongLong(sign) => integer(*sign, IntKind::LongLong),
            TypeSpecifier::Int128(sign) => integer(*sign, IntKind::Int128),
            TypeSpecifier::Float(name) => self.float_type(name, span)?.into(),
            TypeSpecifier::Typedef(ident) if &*ident.name == "__builtin_va_list" => {
                Type::void_pointer().into()
            }
            TypeSpecifier::Typedef(ident) => match self.scopes.find(&ident.name) {
                Some(Entity::Typedef(ty)) => ty.clone(),
                Some(Entity::Poisoned) => return Err(Fail::Reported),
                Some(Entity::Refused(why)) => return Err(refusal((**why).clone())),
                None if &*ident.name == "bool" => Type::BOOL.into(),
                None if &*ident.name == "nullptr_t" => Type::void_pointer().into(),
                _ => return fail(ident.span, format!("`{}` is not a type", ident.name)),
            },
            TypeSpecifier::Record(record) => Type::Record(self.record(record)?).into(),
            TypeSpecifier::Enum(specifier) => Type::Enum(self.enumeration(specifier)?).into(),
            TypeSpecifier::Atomic(name) => {
                let ty = self.type_name(name)?;
                self.atomic(ty, name.span)?
            }
            TypeSpecifier::TypeofExpr(expr) => {
                let expr = self.unevaluated(|sema| sema.expr(expr))?;
                QualType { align: None, ..expr.ty }
            }
            TypeSpecifier::TypeofType(name) => self.type_name(name)?,
            TypeSpecifier::Unqualified(ty) => {
                let inner =
                    ast::Specifiers { ty: (**ty).clone(), ..ast::Specifiers::missing(span) };
                self.specifier_type(&inner)?.ty.into()
            }
            TypeSpecifier::Auto => {
                return fail(span, "`auto` needs a declaration of one variable with a value");
            }
            TypeSpecifier::Missing => Type::INT.into(),
        };
        if specifiers.qualifiers.is_atomic {
            self.atomic(base.clone(), span)?;
        }
        Ok(base.with(specifiers.qualifiers))
    }

    /// The atomic version of a type.
    fn atomic(&self, ty: QualType, span: Span) -> Checked<QualType> {
        match &ty.ty {
            Type::Array(..) => fail(span, "an array cannot be atomic"),
            Type::Function(_) => fail(span, "a function cannot be atomic"),
            Type::Record(_) if self.unit.types.size_of(&ty.ty).is_none_or(|size| size > 16) => {
                refuse(span, "atomic objects larger than 16 bytes are not supported")
            }
            _ => Ok(ty.with(Qualifiers { is_atomic: true, ..Qualifiers::default() })),
        }
    }

    /// The type that a type name names.
    pub fn type_name(&mut self, name: &ast::TypeName) -> Checked<QualType> {
        let base = self.specifier_type(&name.specifiers)?;
        self.specifier_attributes(&name.specifiers)?;
        self.derived_type(base, &name.declarator)
    }

    /// Checks something without its effects, as `sizeof` does.
    pub fn unevaluated<T>(&mut self, check: impl FnOnce(&mut Self) -> Checked<T>) -> Checked<T> {
        self.unevaluated += 1;
        let result = check(self);
        self.unevaluated -= 1;
        result
    }

    /// The type that a declarator derives from the specifiers' type.
    pub fn derived_type(
        &mut self,
        base: QualType,
        declarator: &ast::Declarator,
    ) -> Checked<QualType> {
        let mut ty = base;
        for derivation in declarator.derivations.iter().rev() {
            ty = self.derive(ty, derivation, declarator.span)?;
        }
        Ok(ty)
    }

    fn derive(&mut self, ty: QualType, step: &Derivation, span: Span) -> Checked<QualType> {
        match step {
            Derivation::Pointer(quals, attributes) => {
                self.attributes(attributes)?;
                Ok(QualType::from(Type::pointer(ty)).with(*quals))
            }
            Derivation::Array { size, .. } => {
                if let Some(variable) = self.variable_row(&ty, size, span)? {
                    return Ok(variable);
                }
                let length = self.array_length(size, span)?;
                self.array_of(ty, length, span)
            }
            Derivation::Function { params, variadic, unprototyped } => {
                match ty.ty {
                    Type::Function(_) => return fail(span, "a function cannot return a function"),
                    Type::Array(..) => return fail(span, "a function cannot return an array"),
                    _ => {}
                }
                self.scopes.open();
                let all = params.iter().enumerate();
                let params: Checked<Vec<_>> =
                    all.map(|(index, param)| self.parameter(param, &params[..index])).collect();
                self.scopes.close();
                Ok(Type::Function(Rc::new(FunctionType {
                    // Qualifiers of a result mean nothing.
                    result: ty.ty.into(),
                    params: params?,
                    variadic: *variadic,
                    unprototyped: *unprototyped,
                }))
                .into())
            }
        }
    }

    /// An array of `length` elements.
    pub fn array_of(
        &self,
        element: QualType,
        length: Option<u64>,
        span: Span,
    ) -> Checked<QualType> {
        match &element.ty {
            Type::Function(_) => return fail(span, "an array cannot hold functions"),
            ty if self.unit.types.size_of(ty).is_none() => {
                let name = self.unit.types.name(&element);
                return fail(span, format!("the elements have the incomplete type `{name}`"));
            }
            _ => {}
        }
        let ty = Type::Array(Rc::new(element), length);
        if length.is_some() && self.unit.types.size_of(&ty).is_none() {
            return fail(span, "this array is too large");
        }
        Ok(ty.into())
    }

    fn array_length(&mut self, size: &ArraySize, span: Span) -> Checked<Option<u64>> {
        let expr = match size {
            ArraySize::Unknown => return Ok(None),
            ArraySize::Star => return vla(span),
            ArraySize::Expr(expr) => expr,
        };
        let value = self.value(expr)?;
        if !value.ty.ty.is_integer() {
            return fail(expr.span, "the length of an array must be an integer");
        }
        let Some(crate::sema::constants::Constant::Int(bits)) = self.constant(&value) else {
            return vla(expr.span);
        };
        let (width, is_signed) = self.scalar(&value.ty.ty).unwrap_or((32, true));
        let number = if is_signed {
            crate::sema::constants::arith::signed(bits, width)
        } else {
            bits as i128
        };
        match number {
            0..=MAX_LENGTH => Ok(Some(number as u64)),
            ..0 => fail(expr.span, "the length of an array must not be negative"),
            _ => fail(expr.span, "this array is too large"),
        }
    }

    /// The type of a parameter after others, adjusted: arrays and functions become pointers.
    fn parameter(
        &mut self,
        param: &ast::Parameter,
        earlier: &[ast::Parameter],
    ) -> Checked<QualType> {
        let mut ty = self.specifier_type(&param.specifiers)?;
        let mut steps = param.declarator.derivations.as_slice();
        let mut outer_array = None;
        // The length of the outermost array of a parameter means nothing, constant or not.
        if let [Derivation::Array { qualifiers, .. }, inner @ ..] = steps {
            outer_array = Some(*qualifiers);
            steps = inner;
        }
        let mut is_open = false;
        for step in steps.iter().rev() {
            // What calls it need not know the length; the function itself finds it out.
            let is_array = matches!(step, Derivation::Array { .. });
            is_open = is_array && (is_open || is_variable(step, earlier));
            if is_open {
                ty = Type::Array(Rc::new(ty), None).into();
                continue;
            }
            ty = self.derive(ty, step, param.declarator.span)?;
        }
        if let Some(quals) = outer_array {
            return Ok(QualType::from(Type::pointer(ty)).with(quals));
        }
        let span = param.declarator.span;
        match ty.ty {
            Type::Array(element, _) => Ok(Type::Pointer(element).into()),
            Type::Function(_) => Ok(Type::pointer(ty).into()),
            Type::Void => fail(span, "a parameter cannot have type `void`"),
            _ => Ok(ty),
        }
    }
}

fn integer(sign: Sign, kind: IntKind) -> QualType {
    Type::Int(match sign {
        Sign::Signed => kind,
        Sign::Unsigned => kind.to_unsigned(),
    })
    .into()
}

fn vla<T>(span: Span) -> Checked<T> {
    let message = Diagnostic::error(span, "this variable-length array is not supported");
    let message = message.label("this is not a constant");
    Err(refusal(message.note("only local variables and parameters have such lengths")))
}
