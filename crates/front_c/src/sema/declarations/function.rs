//! Functions: their declarations, definitions and parameters, and which of them run around `main`.

use crate::ast::{self, Derivation, Ident, StorageClass};
use crate::sema::builtins::foreign;
use crate::sema::declarations::attribute::Said;
use crate::sema::declarations::variable_length::has_variable_rows;
use crate::sema::scope::Entity;
use crate::sema::tree::{Body, Function, FunctionId, LocalId, Role, Stmt};
use crate::sema::types::{FunctionType, Type};
use crate::sema::{Checked, Fail, FunctionState, Sema, fail};
use execution::diagnostic::Diagnostic;
use execution::ids::IdVec;
use execution::span::Span;
use ir::locks::LockView;
use std::collections::HashMap;
use std::rc::Rc;

impl Sema<'_> {
    /// Notes a function that runs before or after `main`.
    pub(crate) fn runs_around_main(
        &mut self,
        id: FunctionId,
        said: &Said,
        span: Span,
    ) -> Checked<()> {
        if said.constructor.or(said.destructor).is_none() {
            return Ok(());
        }
        if !self.unit.functions[id].ty.params.is_empty() {
            return fail(span, "a function that runs before or after `main` gets no arguments");
        }
        let unit = &mut self.unit;
        let lists = [(&mut unit.before, said.constructor), (&mut unit.after, said.destructor)];
        for (list, priority) in lists {
            if let Some(priority) = priority {
                list.retain(|(_, known)| *known != id);
                list.push((priority, id));
            }
        }
        Ok(())
    }

    pub(crate) fn declare_function(
        &mut self,
        name: &Ident,
        ty: Rc<FunctionType>,
        internal: bool,
        noreturn: bool,
    ) -> Checked<FunctionId> {
        if self.objects.contains_key(&name.name) {
            return fail(name.span, format!("`{}` is already declared as an object", name.name));
        }
        if let Some(Entity::Typedef(_) | Entity::Constant(..)) = self.scopes.find_here(&name.name) {
            return fail(
                name.span,
                format!("`{}` is already declared as something else", name.name),
            );
        }
        let id = match self.functions.get(&name.name) {
            Some(&id) => {
                let known = &self.unit.functions[id];
                let (old, new) = (Type::Function(known.ty.clone()), Type::Function(ty.clone()));
                if !self.compatible(&old, &new) {
                    let old = self.unit.types.name_of(&old);
                    return Err(Diagnostic::error(
                        name.span,
                        format!("`{}` is declared with another type", name.name),
                    )
                    .also(known.span, format!("here it is `{old}`"))
                    .into());
                }
                // Each file has types of its own.
                let elsewhere = !self.is_visible(&name.name) && self.link.number > 0;
                let known = &mut self.unit.functions[id];
                if known.ty.unprototyped || elsewhere && !ty.unprototyped {
                    known.ty = ty;
                }
                known.internal |= internal;
                known.noreturn |= noreturn;
                id
            }
            None => {
                let id = self.unit.functions.push(Function {
                    name: name.name.clone(),
                    ty,
                    internal,
                    noreturn,
                    body: None,
                    defined: false,
                    inlines: false,
                    weak: false,
                    lock_view: LockView::default(),
                    role: Role::default(),
                    span: name.span,
                });
                self.functions.insert(name.name.clone(), id);
                id
            }
        };
        self.scopes.declare(name.name.clone(), Entity::Function(id));
        Ok(id)
    }

    /// Declares `int name()`, which is what calling a function without a declaration means.
    pub fn declare_implicitly(&mut self, name: &Ident) -> Checked<FunctionId> {
        let result = Type::INT.into();
        let ty = FunctionType { result, params: Vec::new(), variadic: false, unprototyped: true };
        self.declare_function(name, Rc::new(ty), false, false)
    }

    /// A function with its body; if it is wrong, its uses are not reported again.
    pub fn function_or_poison(&mut self, function: &ast::FunctionDefinition) -> Checked<()> {
        match self.function_definition(function) {
            Err(Fail::Refused(why)) => {
                self.poison(&function.declarator, Some(&why));
                Ok(())
            }
            Err(other) => {
                self.poison(&function.declarator, None);
                Err(other)
            }
            Ok(()) => Ok(()),
        }
    }

    /// `main` takes nothing, or the arguments of the program, and gives its status.
    fn check_main(&self, name: &Ident, ty: &FunctionType) -> Checked<()> {
        let params: Vec<_> = ty.params.iter().map(|param| &param.ty).collect();
        let arguments = match params[..] {
            [] => true,
            [count, values] => *count == Type::INT && values.is_pointer(),
            _ => false,
        };
        if arguments && matches!(ty.result.ty, Type::INT | Type::Void) {
            return Ok(());
        }
        let message = "`main` must be `int main(void)` or `int main(int, char **)`";
        fail(name.span, message)
    }

    /// A function with its body.
    fn function_definition(&mut self, function: &ast::FunctionDefinition) -> Checked<()> {
        let Some(name) = &function.declarator.name else {
            return fail(function.span, "the name of the function is missing");
        };
        let base = self.specifier_type(&function.specifiers)?;
        let mut said = self.specifier_attributes(&function.specifiers)?;
        let own = self.attributes(&function.declarator.attributes)?;
        said.noreturn |= own.noreturn || function.specifiers.noreturn;
        said.gnu_inline |= own.gnu_inline;
        said.weak |= own.weak;
        said.constructor = own.constructor.or(said.constructor);
        said.destructor = own.destructor.or(said.destructor);
        let ty = self.derived_type(base, &function.declarator)?;
        let (Type::Function(ty), Some(Derivation::Function { params, .. })) =
            (ty.ty, function.declarator.derivations.first())
        else {
            return fail(function.span, format!("`{}` is not a function", name.name));
        };
        self.refuse_float(&ty.result, function.specifiers.span)?;
        for (param, ty) in params.iter().zip(&ty.params) {
            self.refuse_float(ty, param.specifiers.span)?;
        }
        if &*name.name == "main" {
            self.check_main(name, &ty)?;
        }
        let internal = matches!(function.specifiers.storage, Some((StorageClass::Static, _)));
        let id = self.declare_function(name, ty.clone(), internal, said.noreturn)?;
        self.runs_around_main(id, &said, name.span)?;
        let known = &self.unit.functions[id];
        let replaces_embedded = self.is_embedded(known.span) && !self.is_embedded(name.span);
        let inlined = known.inlines;
        let elsewhere =
            self.is_elsewhere(known.span, name.span) || known.weak && self.link.number > 0;
        // Of several definitions, one that is not weak counts, and otherwise the first.
        if known.defined && elsewhere && (said.weak || function.specifiers.inline) {
            return Ok(());
        }
        let inlined = inlined || elsewhere && known.weak;
        let known = &mut self.unit.functions[id];
        if known.defined && !replaces_embedded && !inlined {
            return Err(Diagnostic::error(name.span, format!("`{}` is defined twice", name.name))
                .also(known.span, "the first definition is here")
                .into());
        }
        known.defined = true;
        // A function that is `inline` in a header is defined in each file that includes it.
        known.weak = said.weak || function.specifiers.inline;
        known.lock_view = said.lock_view;
        known.role = said.role;
        known.inlines = said.gnu_inline
            && matches!(function.specifiers.storage, Some((StorageClass::Extern, _)));
        known.span = name.span;
        known.ty = ty.clone();
        if ty.result.ty != Type::Void && self.unit.types.size_of(&ty.result.ty).is_none() {
            return fail(function.span, "the result has an incomplete type");
        }
        self.function_body(id, function, name, &ty, params)
    }

    fn function_body(
        &mut self,
        id: FunctionId,
        function: &ast::FunctionDefinition,
        name: &Ident,
        ty: &FunctionType,
        params: &[ast::Parameter],
    ) -> Checked<()> {
        self.function = Some(FunctionState {
            name: name.name.clone(),
            result: ty.result.clone(),
            locals: IdVec::new(),
            labels: IdVec::new(),
            named: HashMap::new(),
            switches: Vec::new(),
            loops: 0,
            breakable: 0,
            own_name: None,
            rest: None,
            walks: false,
            dispatches: false,
            blocks: Vec::new(),
            cleanups: Vec::new(),
            sizes: HashMap::new(),
        });
        self.scopes.open();
        let before = self.errors.len();
        let params = self.declare_params(ty, params);
        let (mut params, sizes) = self.report(params).unwrap_or_default();
        if ty.variadic {
            let rest = self.new_local(None, Type::void_pointer().into(), None, name.span)?;
            self.in_function(name.span)?.rest = Some(rest);
            params.push(rest);
        }
        let mut block = self.block_items(&function.body);
        block.splice(0..0, sizes);
        let block = foreign::atomic_by_name(&name.name, block, function.body.span);
        let block = foreign::error_by_name(&name.name, block, function.body.span);
        self.scopes.close();
        let Some(state) = self.function.take() else { return Ok(()) };
        let missing = state.named.iter().filter(|(_, known)| known.defined.is_none());
        let mut missing: Vec<_> =
            missing.filter_map(|(name, known)| Some((known.used?, name))).collect();
        missing.sort_by_key(|(used, _)| (used.file, used.start));
        for (used, label) in missing {
            let message = format!("there is no label `{label}` in this function");
            self.errors.push(Diagnostic::error(used, message));
        }
        if self.errors.len() == before {
            let span = function.body.span;
            let end = Span { start: span.end.saturating_sub(1), ..span };
            self.unit.functions[id].body = Some(Body {
                params,
                locals: state.locals,
                labels: state.labels,
                walks: state.walks,
                dispatches: state.dispatches,
                blocks: state.blocks,
                block,
                end,
            });
        }
        Ok(())
    }

    fn declare_params(
        &mut self,
        ty: &FunctionType,
        params: &[ast::Parameter],
    ) -> Checked<(Vec<LocalId>, Vec<Stmt>)> {
        let (mut ids, mut sizes) = (Vec::new(), Vec::new());
        for (index, (param, ty)) in params.iter().zip(&ty.params).enumerate() {
            let Some(name) = &param.declarator.name else {
                let span = param.specifiers.span;
                if self.unit.types.size_of(&ty.ty).is_none() {
                    let ty = self.unit.types.name(ty);
                    return fail(span, format!("a parameter has the incomplete type `{ty}`"));
                }
                ids.push(self.new_local(None, ty.clone(), None, span)?);
                continue;
            };
            if self.unit.types.size_of(&ty.ty).is_none() {
                let ty = self.unit.types.name(ty);
                return fail(name.span, format!("`{}` has the incomplete type `{ty}`", name.name));
            }
            if self.scopes.find_here(&name.name).is_some() {
                let message = format!("there are two parameters `{}`", name.name);
                return self.declared_before(name, message);
            }
            let mut ty = ty.clone();
            if has_variable_rows(param, &params[..index]) {
                let made;
                (ty, made) = self.variable_parameter(param)?;
                sizes.extend(made);
            }
            ids.push(self.new_local(Some(name), ty, None, name.span)?);
        }
        Ok((ids, sizes))
    }
}
