//! Functions and procedures.

use super::scope::{Access, Symbol};
use super::{Checked, Checker, Param, Signature, Ty, Within, types};
use crate::ast;
use execution::diagnostic::Diagnostic;
use guarded::code::{Base, Expr};
use guarded::model::{Function, FunctionId, Type};

impl Checker {
    /// Declares a function and checks its body.
    pub fn function(&mut self, function: &ast::Function) -> Checked<()> {
        let result = match &function.result {
            Some(ty) => {
                let id = self.ty(ty)?;
                if !matches!(self.model.types.get(id), Type::Scalar(_)) {
                    let found = types::describe(&self.model, id);
                    let message =
                        format!("the result of a function is a simple value, not {found}");
                    return Err(Diagnostic::error(ty.span, message)
                        .note("use a procedure with a `var` parameter"));
                }
                Some(id)
            }
            None => None,
        };
        self.frame = 0;
        let id = self.model.functions.push(Function {
            name: function.name.text.clone(),
            span: function.name.span,
            frame: 0,
            body: Vec::new(),
            has_result: result.is_some(),
        });
        self.signatures.push(Signature { params: Vec::new(), result, has_effects: false });
        self.declare(&function.name, Symbol::Function(id))?;
        self.scopes.open();
        let checked = self.function_body(id, function, Within::Function(result));
        self.scopes.close();
        self.within = Within::Rule;
        checked
    }

    fn function_body(
        &mut self,
        id: FunctionId,
        function: &ast::Function,
        within: Within,
    ) -> Checked<()> {
        for param in &function.params {
            let ty = self.ty(&param.ty)?;
            let (slot, symbol) = self.param(param, ty);
            self.declare(&param.name, symbol)?;
            let param = Param { ty, by_reference: param.by_reference, slot };
            self.signatures[id].params.push(param);
        }
        // Local variables may have the names of parameters of others, not of its own.
        for decl in &function.decls {
            self.declaration(decl, false)?;
        }
        self.within = within;
        self.has_effects = false;
        let body = self.statements(&function.body)?;
        self.signatures[id].has_effects = self.has_effects;
        let lowered = &mut self.model.functions[id];
        (lowered.body, lowered.frame) = (body, self.frame);
        Ok(())
    }

    fn param(&mut self, param: &ast::Param, ty: guarded::model::TypeId) -> (u32, Symbol) {
        if param.by_reference {
            let slot = self.allocate(1);
            let place = types::place(Base::Reference(slot), 0);
            return (slot, Symbol::Place(place, ty, Access::Shared));
        }
        match self.type_of(ty) {
            Ty::Compound(_) => {
                let slot = self.allocate(self.model.types.size(ty));
                let access = Access::ReadOnly("a parameter without `var`");
                (slot, Symbol::Place(types::place(Base::Frame, slot), ty, access))
            }
            scalar => {
                let slot = self.allocate(1);
                let which = "a parameter without `var`";
                (slot, Symbol::Value(Expr::Slot(slot), scalar, which))
            }
        }
    }
}
