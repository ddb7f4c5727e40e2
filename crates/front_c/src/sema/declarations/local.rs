//! Declarations inside of functions: locals, and statics that only their block can name.

use crate::ast::{self, Ident, StorageClass, TypeSpecifier};
use crate::sema::constants::Constant;
use crate::sema::declarations::attribute::Said;
use crate::sema::declarations::{Specified, is_fixed};
use crate::sema::scope::Entity;
use crate::sema::statement::refused;
use crate::sema::tree::{Expr, Local, LocalId, LocalInit, Object, Stmt, StmtKind};
use crate::sema::types::{QualType, Type};
use crate::sema::{Checked, Fail, Sema, fail};
use execution::span::Span;
use std::rc::Rc;

impl Sema<'_> {
    /// Makes a local; declares its name if it has one.
    pub fn new_local(
        &mut self,
        name: Option<&Ident>,
        ty: QualType,
        align: Option<u64>,
        span: Span,
    ) -> Checked<LocalId> {
        let text: Rc<str> = name.map_or_else(|| "".into(), |name| name.name.clone());
        let state = self.in_function(span)?;
        let id = state.locals.push(Local {
            name: text,
            ty,
            align,
            address_taken: false,
            known: None,
            span,
        });
        if let Some(name) = name {
            self.scopes.declare(name.name.clone(), Entity::Local(id));
        }
        Ok(id)
    }

    /// A declaration inside a function.
    pub fn block_declaration(
        &mut self,
        declaration: &ast::Declaration,
        out: &mut Vec<Stmt>,
    ) -> Checked<()> {
        let specified = self.specified_or_poison(declaration)?;
        for item in &declaration.declarators {
            let result = self.block_declarator(&specified, declaration, item, out);
            self.settle(result, &item.declarator, out);
        }
        Ok(())
    }

    /// Reports a mistake in a declaration; to reach one that is not supported is a finding. Makes
    /// later uses of the name quiet, or not supported either.
    fn settle(&mut self, result: Checked<()>, declarator: &ast::Declarator, out: &mut Vec<Stmt>) {
        let span = declarator.span;
        match result {
            Err(Fail::Refused(why)) if self.unevaluated == 0 => {
                self.poison(declarator, Some(&why));
                out.push(refused(*why, span));
            }
            other => {
                if self.report(other).is_none() {
                    self.poison(declarator, None);
                }
            }
        }
    }

    fn block_declarator(
        &mut self,
        specified: &Specified,
        declaration: &ast::Declaration,
        item: &ast::InitDeclarator,
        out: &mut Vec<Stmt>,
    ) -> Checked<()> {
        let automatic =
            matches!(specified.storage, None | Some(StorageClass::Auto | StorageClass::Register));
        let deduced = matches!(declaration.specifiers.ty, TypeSpecifier::Auto);
        if deduced && automatic && !specified.thread_local {
            return self.deduced_local(specified, declaration, item, out);
        }
        let variable = if automatic { self.variable_length(item)? } else { None };
        if let Some((length, pointer)) = variable {
            return self.variable_local(specified, declaration, &pointer, length, out);
        }
        let declared = |sema: &mut Self| sema.declared(specified, declaration, item);
        let ((name, ty, said), sizes) = match automatic {
            true => self.with_variable_arrays(declared)?,
            false => (declared(self)?, Vec::new()),
        };
        out.extend(sizes);
        if specified.storage == Some(StorageClass::Typedef) {
            return self.typedef(name, ty, said);
        }
        if let Type::Function(function) = &ty.ty {
            self.declare_function(&name, function.clone(), false, said.noreturn)?;
            return Ok(());
        }
        let is_extern = specified.storage == Some(StorageClass::Extern);
        if !is_extern {
            self.refuse_float(&ty, declaration.specifiers.span)?;
            self.check_new_here(&name)?;
        }
        if is_extern {
            if item.init.is_some() {
                return fail(
                    name.span,
                    "an `extern` declaration in a function cannot have a value",
                );
            }
            self.declare_object(&name, ty, said, specified, true)?;
            return Ok(());
        }
        if specified.storage == Some(StorageClass::Static) {
            return self.static_local(&name, ty, said, specified, item.init.as_ref());
        }
        if specified.thread_local {
            return fail(
                name.span,
                "a thread-local variable in a function must be `static` or `extern`",
            );
        }
        self.automatic_local(&name, ty, said, item.init.as_ref(), out)?;
        if let Some(call) = self.cleanup(&name, declaration, item)? {
            let from = out.len();
            self.in_function(name.span)?.cleanups.push((from, call));
        }
        Ok(())
    }

    /// A variable-length array; `item` declares its name as a pointer.
    fn variable_local(
        &mut self,
        specified: &Specified,
        declaration: &ast::Declaration,
        item: &ast::InitDeclarator,
        length: Expr,
        out: &mut Vec<Stmt>,
    ) -> Checked<()> {
        let ((name, ty, _), sizes) =
            self.with_variable_arrays(|sema| sema.declared(specified, declaration, item))?;
        out.extend(sizes);
        if item.init.is_some() {
            return fail(name.span, "a variable-length array cannot have a value at first");
        }
        self.refuse_float(&ty, declaration.specifiers.span)?;
        self.check_new_here(&name)?;
        let id = self.new_local(Some(&name), ty.clone(), None, name.span)?;
        self.variable_array((id, &ty), length, name.span, out)
    }

    fn static_local(
        &mut self,
        name: &Ident,
        ty: QualType,
        said: Said,
        specified: &Specified,
        init: Option<&ast::Initializer>,
    ) -> Checked<()> {
        let id = self.unit.objects.push(Object {
            name: name.name.clone(),
            ty,
            align: said.align,
            thread_local: specified.thread_local,
            is_string: false,
            weak: false,
            external: false,
            defined: true,
            init: None,
            span: name.span,
        });
        self.scopes.declare(name.name.clone(), Entity::Object(id));
        match init {
            Some(init) => self.define_object(id, init),
            None => self.check_complete(&self.unit.objects[id].ty.clone(), name),
        }
    }

    fn check_complete(&self, ty: &QualType, name: &Ident) -> Checked<()> {
        if self.unit.types.size_of(&ty.ty).is_none() {
            let ty = self.unit.types.name(ty);
            return fail(name.span, format!("`{}` has the incomplete type `{ty}`", name.name));
        }
        Ok(())
    }

    fn automatic_local(
        &mut self,
        name: &Ident,
        ty: QualType,
        said: Said,
        init: Option<&ast::Initializer>,
        out: &mut Vec<Stmt>,
    ) -> Checked<()> {
        let unknown_length = matches!(ty.ty, Type::Array(_, None)) && init.is_some();
        if !unknown_length {
            self.check_complete(&ty, name)?;
        }
        let id = self.new_local(Some(name), ty.clone(), said.align, name.span)?;
        let init = match init {
            None => None,
            Some(init) => {
                let (ty, init) = match self.local_initializer(&ty, init) {
                    Err(Fail::Refused(why)) if !unknown_length && self.unevaluated == 0 => {
                        out.push(refused(*why, name.span));
                        out.push(Stmt { kind: StmtKind::Local(id, None), span: name.span });
                        return Ok(());
                    }
                    other => other?,
                };
                self.in_function(name.span)?.locals[id].ty = ty;
                Some(init)
            }
        };
        if let Some(LocalInit::Value(value)) = &init
            && is_fixed(&ty)
        {
            let known = match self.constant(value) {
                Some(Constant::Int(bits)) => Some(bits),
                _ => None,
            };
            self.in_function(name.span)?.locals[id].known = known;
        }
        let span = match &init {
            Some(LocalInit::Value(value)) => name.span.to(value.span),
            _ => name.span,
        };
        out.push(Stmt { kind: StmtKind::Local(id, init), span });
        Ok(())
    }

    /// The type that `auto` or `__auto_type` stands for.
    pub(crate) fn deduced_type(&self, value: &Expr, declaration: &ast::Declaration) -> QualType {
        let ty = match &value.ty.ty {
            Type::Bits { .. } => self.promoted(&value.ty.ty),
            other => other.clone(),
        };
        QualType::from(ty).with(declaration.specifiers.qualifiers)
    }

    /// A local with `auto` or `__auto_type`. Its value is checked once only: such declarations
    /// nest, and twice at each level would be too often.
    fn deduced_local(
        &mut self,
        specified: &Specified,
        declaration: &ast::Declaration,
        item: &ast::InitDeclarator,
        out: &mut Vec<Stmt>,
    ) -> Checked<()> {
        let (name, said) = self.named(specified, declaration, item)?;
        self.check_new_here(&name)?;
        let value = self.value(value_to_deduce_from(item)?)?;
        let ty = self.deduced_type(&value, declaration);
        self.check_complete(&ty, &name)?;
        let value = self.assign_to(value, &ty.ty.clone().into(), "the variable")?;
        let fixed = if is_fixed(&ty) { self.constant(&value) } else { None };
        let id = self.new_local(Some(&name), ty, said.align, name.span)?;
        if let Some(Constant::Int(bits)) = fixed {
            self.in_function(name.span)?.locals[id].known = Some(bits);
        }
        let span = name.span.to(value.span);
        out.push(Stmt { kind: StmtKind::Local(id, Some(LocalInit::Value(value))), span });
        Ok(())
    }

    /// Refuses a name that the innermost block has already.
    fn check_new_here(&self, name: &Ident) -> Checked<()> {
        match self.scopes.find_here(&name.name) {
            None | Some(Entity::Poisoned | Entity::Refused(_)) => Ok(()),
            Some(_) => {
                let message = format!("`{}` is declared twice in this block", name.name);
                self.declared_before(name, message)
            }
        }
    }
}

/// The value of a declarator with `auto` or `__auto_type`.
pub(crate) fn value_to_deduce_from(item: &ast::InitDeclarator) -> Checked<&ast::Expr> {
    let Some(ast::Initializer::Expr(value)) = &item.init else {
        return fail(item.declarator.span, "`auto` needs a value to take its type from");
    };
    if !item.declarator.derivations.is_empty() {
        return fail(item.declarator.span, "`auto` stands for the whole type");
    }
    Ok(value)
}
