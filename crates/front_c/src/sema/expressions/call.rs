//! Calls of functions.

use crate::ast;
use crate::sema::expressions::is_builtin;
use crate::sema::scope::Entity;
use crate::sema::tree::{Callee, Expr, ExprKind, FunctionId, InitPart};
use crate::sema::types::{Field, FunctionType, QualType, Type};
use crate::sema::{Checked, Sema, fail, refusal};
use execution::diagnostic::{Diagnostic, Severity};
use execution::span::Span;
use std::rc::Rc;

impl Sema<'_> {
    /// `callee(args)`
    pub fn call(&mut self, callee: &ast::Expr, args: &[ast::Expr], span: Span) -> Checked<Expr> {
        if let ast::ExprKind::Ident(name) = &callee.kind
            && self.scopes.find(name).is_none()
        {
            return match self.builtin(name, callee.span, args, span)? {
                Some(result) => Ok(result),
                None => self.implicit_call(name, callee, args, span),
            };
        }
        if let ast::ExprKind::Ident(name) = &callee.kind
            && let Some(Entity::Function(id)) = self.scopes.find(name)
            && let Some(known) = self.known_call(*id, args, span)?
        {
            return Ok(known);
        }
        let callee = self.value(callee)?;
        let Some(Type::Function(ty)) = callee.ty.ty.pointee().map(|to| to.ty.clone()) else {
            let name = self.unit.types.name(&callee.ty);
            return fail(callee.span, format!("this is not a function but `{name}`"));
        };
        let result = ty.result.clone();
        if result.ty != Type::Void && self.unit.types.size_of(&result.ty).is_none() {
            return fail(span, "the result of this call has an incomplete type");
        }
        let direct = direct_callee(&callee);
        if let Some(id) = direct
            && let Some(known) = self.known_call(id, args, span)?
        {
            return Ok(known);
        }
        for ty in ty.params.iter().chain([&result]) {
            self.refuse_float(ty, span)?;
        }
        let args = self.arguments(&callee, &ty, args, span)?;
        let callee = match direct {
            Some(id) => Callee::Direct(id),
            None => Callee::Indirect(Box::new(callee), ty),
        };
        Ok(Expr { kind: ExprKind::Call { callee, args }, ty: result, span })
    }

    /// A call of a function that the program does not declare before: one of the library, or one
    /// that it defines further down. gcc takes both with a warning.
    fn implicit_call(
        &mut self,
        name: &str,
        callee: &ast::Expr,
        args: &[ast::Expr],
        span: Span,
    ) -> Checked<Expr> {
        let mut doubt = self.undeclared_function(name, callee.span);
        let name: Rc<str> = if let Some(id) = self.library_function(name) {
            self.unit.functions[id].name.clone()
        } else if self.own.contains(name) {
            doubt = doubt.note("it is taken to return `int`, as before C99");
            let ident = ast::Ident { name: name.into(), span: callee.span };
            self.declare_implicitly(&ident)?;
            ident.name
        } else {
            let refused = crate::hints::missing_function(name).is_some() || is_builtin(name);
            return Err(if refused { refusal(doubt) } else { doubt.into() });
        };
        doubt.severity = Severity::Warning;
        self.warnings.push(doubt);
        let callee = ast::Expr { kind: ast::ExprKind::Ident(name), span: callee.span };
        self.call(&callee, args, span)
    }

    fn undeclared_function(&self, name: &str, span: Span) -> Diagnostic {
        if let Some(why) = crate::hints::missing_function(name)
            && !self.own.contains(name)
        {
            return Diagnostic::error(span, format!("`{name}` is not supported")).note(why);
        }
        let mut diagnostic = self.undeclared(name, span);
        if diagnostic.message.ends_with("is not declared") {
            diagnostic.message = format!("the function `{name}` is not declared");
        }
        diagnostic
    }

    pub(crate) fn arguments(
        &mut self,
        callee: &Expr,
        ty: &Rc<FunctionType>,
        args: &[ast::Expr],
        span: Span,
    ) -> Checked<Vec<Expr>> {
        let name = self.callee_name(callee);
        let wanted = ty.params.len();
        let fits = ty.unprototyped || args.len() == wanted || (ty.variadic && args.len() > wanted);
        if !fits {
            let plural = if wanted == 1 { "" } else { "s" };
            let message =
                format!("{name} takes {wanted} argument{plural}, but {} given", count(args.len()));
            let mut message = Diagnostic::error(span, message);
            if let Some(id) = direct_callee(callee) {
                message = message.also(self.unit.functions[id].span, "it is declared here");
            }
            return Err(message.into());
        }
        let mut checked = Vec::new();
        for (index, arg) in args.iter().enumerate() {
            let value = self.value(arg)?;
            if value.ty.ty == Type::Void {
                return fail(arg.span, "this argument has no value");
            }
            let value = match ty.params.get(index) {
                Some(param) => {
                    let what = format!("argument {} of {name}", index + 1);
                    let param = param.clone();
                    match self.transparent(&value, &param)? {
                        Some(union) => union,
                        None => self.assign_to(value, &param, &what)?,
                    }
                }
                None if value.ty.ty.is_integer() => self.promote(value),
                None if value.ty.ty.is_float() => self.convert(value, &Type::DOUBLE),
                None => value,
            };
            checked.push(value);
        }
        Ok(checked)
    }

    /// An argument for a parameter of a transparent union: the union with the member that takes it.
    fn transparent(&mut self, value: &Expr, param: &QualType) -> Checked<Option<Expr>> {
        let Type::Record(id) = param.ty else { return Ok(None) };
        let record = &self.unit.types.records[id];
        let Some(body) = record.body.as_ref().filter(|_| record.transparent) else {
            return Ok(None);
        };
        let takes = |field: &&Field| match (&field.ty.ty, &value.ty.ty) {
            (Type::Pointer(to), Type::Pointer(from)) => {
                self.is_null(value)
                    || [&to.ty, &from.ty].contains(&&Type::Void)
                    || self.compatible(&to.ty, &from.ty)
            }
            (Type::Pointer(_), _) => self.is_null(value),
            (to, from) => self.compatible(to, from),
        };
        let Some(field) = body.fields.iter().find(takes) else { return Ok(None) };
        let (offset, ty) = (field.offset, field.ty.clone());
        let path = field.name.as_ref().map_or("".into(), |name| format!(".{name}").into());
        let span = value.span;
        let value = self.convert(value.clone(), &ty.ty);
        let part = InitPart { offset, bits: None, ty, value, path };
        let of: QualType = param.ty.clone().into();
        let local = self.new_local(None, of.clone(), None, span)?;
        self.in_function(span)?.locals[local].address_taken = true;
        let kind = ExprKind::Literal(local, Rc::new(vec![part]));
        let union = Expr { kind, ty: of.clone(), span };
        Ok(Some(Expr { kind: ExprKind::Load(Box::new(union)), ty: of, span }))
    }

    fn callee_name(&self, callee: &Expr) -> String {
        match direct_callee(callee) {
            Some(id) => format!("`{}`", self.unit.functions[id].name),
            None => "the function".into(),
        }
    }
}

/// The function that a callee is, where it is not computed.
pub(crate) fn direct_callee(callee: &Expr) -> Option<FunctionId> {
    match &callee.kind {
        ExprKind::AddressOf(inner) => match inner.kind {
            ExprKind::Function(id) => Some(id),
            _ => None,
        },
        _ => None,
    }
}

fn count(number: usize) -> String {
    match number {
        0 => "none is".into(),
        1 => "1 is".into(),
        n => format!("{n} are"),
    }
}
