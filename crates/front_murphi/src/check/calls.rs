//! Calls of functions and procedures.

use super::scope::{Access, Symbol};
use super::{Checked, Checker, Ty, Within};
use crate::ast::{Expr as Tree, Name};
use execution::diagnostic::Diagnostic;
use execution::span::Span;
use guarded::code::{Argument, Expr, Stmt, Target};
use guarded::model::{FunctionId, Type, TypeId};

impl Checker {
    fn callee(&self, name: &Name) -> Checked<FunctionId> {
        match self.scopes.find(&name.text) {
            Some(Symbol::Function(function)) => Ok(*function),
            Some(_) => {
                let message = format!("`{}` is not a function", name.text);
                Err(Diagnostic::error(name.span, message))
            }
            None => Err(self.unknown("function", &name.text, name.span)),
        }
    }

    /// A call in an expression.
    pub fn call_for_value(
        &mut self,
        name: &Name,
        arguments: &[Tree],
        span: Span,
    ) -> Checked<(Expr, Ty)> {
        let function = self.callee(name)?;
        let Some(result) = self.signatures[function].result else {
            let message = format!("`{}` is a procedure, which has no value", name.text);
            return Err(self.declared(message, name, function));
        };
        if self.signatures[function].has_effects {
            if self.within == Within::Condition {
                let message =
                    format!("`{}` changes variables, which a condition must not do", name.text);
                return Err(self.declared(message, name, function));
            }
            self.has_effects = true;
        }
        let arguments = self.arguments(name, function, arguments)?;
        let site = self.site(span);
        Ok((Expr::Call(function, arguments, site), self.type_of(result)))
    }

    /// A call as a statement.
    pub fn call_statement(
        &mut self,
        name: &Name,
        arguments: Option<&[Tree]>,
        span: Span,
    ) -> Checked<Stmt> {
        if arguments.is_none() && self.scopes.find(&name.text).is_none() {
            return Err(self.unknown("procedure", &name.text, name.span));
        }
        let function = self.callee(name)?;
        if self.signatures[function].result.is_some() {
            let message = format!("the value of `{}` is not used", name.text);
            let error = self.declared(message, name, function);
            return Err(error.note("a function is called in an expression; a procedure is not"));
        }
        self.has_effects |= self.signatures[function].has_effects;
        let arguments = self.arguments(name, function, arguments.unwrap_or_default())?;
        let site = self.site(span);
        Ok(Stmt::Call(function, arguments, site))
    }

    fn declared(&self, message: String, name: &Name, function: FunctionId) -> Diagnostic {
        let place = self.model.functions[function].span;
        Diagnostic::error(name.span, message).also(place, "it is declared here")
    }

    fn arguments(
        &mut self,
        name: &Name,
        function: FunctionId,
        trees: &[Tree],
    ) -> Checked<Vec<Argument>> {
        let params: Vec<(TypeId, bool, u32)> = self.signatures[function]
            .params
            .iter()
            .map(|param| (param.ty, param.by_reference, param.slot))
            .collect();
        if params.len() != trees.len() {
            let message = format!(
                "`{}` has {} and is called with {}",
                name.text,
                counted(params.len(), "parameter"),
                counted(trees.len(), "argument")
            );
            return Err(self.declared(message, name, function));
        }
        let mut arguments = Vec::new();
        for ((ty, by_reference, slot), tree) in params.into_iter().zip(trees) {
            let argument = match by_reference {
                true => self.reference(ty, slot, tree)?,
                false => self.by_value(ty, slot, tree)?,
            };
            arguments.push(argument);
        }
        Ok(arguments)
    }

    fn reference(&mut self, ty: TypeId, slot: u32, tree: &Tree) -> Checked<Argument> {
        let Some(found) = self.designator(tree)? else {
            let message = "a `var` parameter needs a variable, which may be changed";
            return Err(Diagnostic::error(tree.span, message));
        };
        match found.access {
            Access::ReadOnly(why) => {
                let message = format!("{why} cannot be handed to a `var` parameter");
                return Err(Diagnostic::error(tree.span, message));
            }
            // Whether it is changed is known only for procedures that are checked before.
            Access::Shared if self.within != Within::Condition => self.has_effects = true,
            Access::Shared | Access::Local => {}
        }
        if found.ty != ty {
            let message = format!(
                "the argument must be {}, not {}",
                super::types::describe(&self.model, ty),
                super::types::describe(&self.model, found.ty)
            );
            return Err(Diagnostic::error(tree.span, message));
        }
        Ok(Argument::Reference(slot, found.place))
    }

    fn by_value(&mut self, ty: TypeId, slot: u32, tree: &Tree) -> Checked<Argument> {
        let value = self.value(tree)?;
        if let Type::Scalar(scalar) = *self.model.types.get(ty) {
            self.expect_scalar(&value, scalar, "the argument")?;
            let site = self.site(tree.span);
            let this = &self.model.types.scalars[scalar];
            let target = Target { low: this.low, high: this.high, site };
            return Ok(Argument::Value(slot, Expr::Checked(Box::new(value.expr), target)));
        }
        match value.place {
            Some(found) if found.ty == ty => {
                Ok(Argument::Copy(slot, found.place, self.model.types.size(ty)))
            }
            _ => {
                let (expected, found) = (self.describe(Ty::Compound(ty)), self.describe(value.ty));
                let message = format!("the argument must be {expected}, not {found}");
                Err(Diagnostic::error(tree.span, message))
            }
        }
    }
}

fn counted(count: usize, what: &str) -> String {
    match count {
        0 => format!("no {what}s"),
        1 => format!("1 {what}"),
        _ => format!("{count} {what}s"),
    }
}
