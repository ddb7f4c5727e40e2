//! Declarations and function definitions: linkage, storage, redeclaration.

use super::attribute::Said;
use super::constant::Constant;
use super::scope::Entity;
use super::tree::{
    Body, Expr, Function, FunctionId, Local, LocalId, LocalInit, Object, ObjectId, Stmt, StmtKind,
};
use super::types::{FunctionType, IntKind, QualType, Type};
use super::{Checked, FunctionState, Sema, fail, foreign};
use crate::ast::{self, Derivation, Ident, StorageClass, TypeSpecifier};
use execution::diagnostic::Diagnostic;
use execution::ids::IdVec;
use execution::span::Span;
use std::collections::HashMap;
use std::rc::Rc;

/// The specifiers of a declaration, resolved.
struct Specified {
    ty: QualType,
    said: Said,
    storage: Option<StorageClass>,
    thread_local: bool,
}

impl Sema<'_> {
    fn specified(&mut self, declaration: &ast::Declaration) -> Checked<Specified> {
        let specifiers = &declaration.specifiers;
        if declaration.declarators.is_empty()
            && let TypeSpecifier::Record(record) = &specifiers.ty
        {
            self.forward_record(record);
        }
        Ok(Specified {
            ty: self.specifier_type(specifiers)?,
            said: self.specifier_attributes(specifiers)?,
            storage: specifiers.storage.map(|(class, _)| class),
            thread_local: specifiers.thread_local,
        })
    }

    /// A declaration at file scope.
    pub fn file_declaration(&mut self, declaration: &ast::Declaration) -> Checked<()> {
        let specified = self.specified_or_poison(declaration)?;
        for item in &declaration.declarators {
            let result = self.file_declarator(&specified, declaration, item);
            if self.report(result).is_none() {
                self.poison(&item.declarator);
            }
        }
        Ok(())
    }

    fn specified_or_poison(&mut self, declaration: &ast::Declaration) -> Checked<Specified> {
        let auto = matches!(declaration.specifiers.ty, TypeSpecifier::Auto);
        let result = if auto {
            Ok(Specified {
                ty: Type::Void.into(),
                said: self.specifier_attributes(&declaration.specifiers)?,
                storage: declaration.specifiers.storage.map(|(class, _)| class),
                thread_local: declaration.specifiers.thread_local,
            })
        } else {
            self.specified(declaration)
        };
        if result.is_err() {
            for item in &declaration.declarators {
                self.poison(&item.declarator);
            }
        }
        result
    }

    /// Makes later uses of a name quiet whose declaration was wrong.
    pub fn poison(&mut self, declarator: &ast::Declarator) {
        if let Some(name) = &declarator.name
            && self.scopes.find_here(&name.name).is_none()
        {
            self.scopes.declare(name.name.clone(), Entity::Poisoned);
        }
    }

    /// The name, type and attributes of one declarator.
    fn declared(
        &mut self,
        specified: &Specified,
        declaration: &ast::Declaration,
        item: &ast::InitDeclarator,
    ) -> Checked<(Ident, QualType, Said)> {
        let (name, said) = self.named(specified, declaration, item)?;
        let ty = if let TypeSpecifier::Auto = declaration.specifiers.ty {
            let value = value_to_deduce_from(item)?;
            let value = self.unevaluated(|sema| sema.value(value))?;
            self.deduced_type(&value, declaration)
        } else {
            self.derived_type(specified.ty.clone(), &item.declarator)?
        };
        let ty = match said.mode {
            Some(bits) => self.with_mode(ty, bits, name.span)?,
            None => ty,
        };
        Ok((name, ty, said))
    }

    /// `__attribute__((mode(…)))`: the same integer with another width.
    fn with_mode(&self, ty: QualType, bits: u32, span: Span) -> Checked<QualType> {
        let Some((_, signed)) = self.unit.types.integer(&ty.ty) else {
            return fail(span, "the attribute `mode` is only supported on integers");
        };
        let kind = match bits {
            8 => IntKind::SChar,
            16 => IntKind::Short,
            32 => IntKind::Int,
            64 => IntKind::Long,
            _ => IntKind::Int128,
        };
        let kind = if signed { kind } else { kind.to_unsigned() };
        Ok(QualType { ty: Type::Int(kind), ..ty })
    }

    /// The name and attributes of one declarator.
    fn named(
        &mut self,
        specified: &Specified,
        declaration: &ast::Declaration,
        item: &ast::InitDeclarator,
    ) -> Checked<(Ident, Said)> {
        let Some(name) = item.declarator.name.clone() else {
            return fail(item.declarator.span, "the name is missing");
        };
        let own = self.attributes(&item.declarator.attributes)?;
        let said = Said {
            packed: false,
            align: specified.said.align.max(own.align),
            noreturn: specified.said.noreturn || own.noreturn || declaration.specifiers.noreturn,
            mode: own.mode.or(specified.said.mode),
            gnu_inline: false,
            constructor: own.constructor.or(specified.said.constructor),
            destructor: own.destructor.or(specified.said.destructor),
        };
        Ok((name, said))
    }

    /// The type that `__auto_type` stands for.
    fn deduced_type(&self, value: &Expr, declaration: &ast::Declaration) -> QualType {
        let ty = match &value.ty.ty {
            Type::Bits { .. } => self.promoted(&value.ty.ty),
            other => other.clone(),
        };
        QualType::from(ty).with(declaration.specifiers.qualifiers)
    }

    /// A local with `__auto_type`. Its value is checked once only: such declarations nest, and
    /// twice at each level would be too often.
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
        let id = self.new_local(Some(&name), ty, said.align, name.span)?;
        let span = name.span.to(value.span);
        out.push(Stmt { kind: StmtKind::Local(id, Some(LocalInit::Value(value))), span });
        Ok(())
    }

    /// Refuses a name that the innermost block has already.
    fn check_new_here(&self, name: &Ident) -> Checked<()> {
        match self.scopes.find_here(&name.name) {
            None | Some(Entity::Poisoned) => Ok(()),
            Some(_) => {
                let message = format!("`{}` is declared twice in this block", name.name);
                self.declared_before(name, message)
            }
        }
    }

    fn typedef(&mut self, name: Ident, ty: QualType, said: Said) -> Checked<()> {
        let ty = QualType { align: said.align.or(ty.align), ..ty };
        if let Some(known) = self.scopes.find_here(&name.name) {
            match known {
                Entity::Typedef(old) if self.compatible(&old.ty, &ty.ty) => {}
                _ => {
                    return fail(
                        name.span,
                        format!("`{}` is already declared as something else", name.name),
                    );
                }
            }
        }
        if let Type::Record(id) = ty.ty {
            self.unit.types.records[id].alias.get_or_insert(name.name.clone());
        }
        self.scopes.declare(name.name, Entity::Typedef(ty));
        Ok(())
    }

    fn file_declarator(
        &mut self,
        specified: &Specified,
        declaration: &ast::Declaration,
        item: &ast::InitDeclarator,
    ) -> Checked<()> {
        let (name, ty, said) = self.declared(specified, declaration, item)?;
        if specified.storage == Some(StorageClass::Typedef) {
            return self.typedef(name, ty, said);
        }
        if let Type::Function(function) = &ty.ty {
            if item.init.is_some() {
                return fail(name.span, "a function cannot have an initialiser");
            }
            let internal = specified.storage == Some(StorageClass::Static);
            let id = self.declare_function(&name, function.clone(), internal, said.noreturn)?;
            return self.runs_around_main(id, &said, name.span);
        }
        if let Some(StorageClass::Auto | StorageClass::Register) = specified.storage {
            return fail(name.span, "this storage class is only allowed inside a function");
        }
        let is_extern = specified.storage == Some(StorageClass::Extern);
        if !is_extern {
            self.refuse_float(&ty, declaration.specifiers.span)?;
        }
        let id = self.declare_object(
            &name,
            ty.clone(),
            said,
            specified,
            is_extern && item.init.is_none(),
        )?;
        if let Some(init) = &item.init {
            if self.unit.objects[id].init.is_some() {
                return fail(name.span, format!("`{}` is defined twice", name.name));
            }
            self.define_object(id, init)?;
        }
        Ok(())
    }

    /// Declares a global object, or finds it declared before.
    fn declare_object(
        &mut self,
        name: &Ident,
        ty: QualType,
        said: Said,
        specified: &Specified,
        only_declared: bool,
    ) -> Checked<ObjectId> {
        if ty.ty == Type::Void {
            return fail(name.span, format!("`{}` cannot have type `void`", name.name));
        }
        if &*name.name == "main" {
            return fail(name.span, "`main` must be a function");
        }
        if self.functions.contains_key(&name.name) {
            return fail(name.span, format!("`{}` is already declared as a function", name.name));
        }
        if let Some(&id) = self.objects.get(&name.name) {
            let known = &self.unit.objects[id];
            let same = self.compatible(&known.ty.ty, &ty.ty)
                && known.ty.quals.is_atomic == ty.quals.is_atomic;
            if !same || known.thread_local != specified.thread_local {
                let old = self.unit.types.name(&known.ty);
                return Err(Diagnostic::error(
                    name.span,
                    format!("`{}` is declared with another type", name.name),
                )
                .also(known.span, format!("here it is `{old}`"))
                .into());
            }
            let ty = self.composite(&known.ty, &ty);
            let known = &mut self.unit.objects[id];
            known.ty = ty;
            known.defined |= !only_declared;
            known.align = known.align.max(said.align);
            self.scopes.declare(name.name.clone(), Entity::Object(id));
            return Ok(id);
        }
        if let Some(Entity::Typedef(_) | Entity::Constant(..)) = self.scopes.find_here(&name.name) {
            return fail(
                name.span,
                format!("`{}` is already declared as something else", name.name),
            );
        }
        let id = self.unit.objects.push(Object {
            name: name.name.clone(),
            ty,
            align: said.align,
            thread_local: specified.thread_local,
            is_string: false,
            external: specified.storage != Some(StorageClass::Static),
            defined: !only_declared,
            init: None,
            span: name.span,
        });
        self.objects.insert(name.name.clone(), id);
        self.scopes.declare(name.name.clone(), Entity::Object(id));
        Ok(id)
    }

    fn define_object(&mut self, id: ObjectId, init: &ast::Initializer) -> Checked<()> {
        let ty = self.unit.objects[id].ty.clone();
        let (ty, init) = self.static_initializer(&ty, init)?;
        let object = &mut self.unit.objects[id];
        object.ty = ty;
        object.init = Some(init);
        object.defined = true;
        Ok(())
    }

    /// Gives tentative definitions of unknown length their length, and refuses incomplete ones.
    pub fn complete_tentative(&mut self) {
        for id in self.unit.objects.ids() {
            let object = &self.unit.objects[id];
            if !object.defined {
                continue;
            }
            if let Type::Array(element, None) = &object.ty.ty {
                let ty = Type::Array(element.clone(), Some(1));
                self.unit.objects[id].ty.ty = ty;
            } else if self.unit.types.size_of(&object.ty.ty).is_none() {
                let name = self.unit.types.name(&object.ty);
                let text = format!("`{}` has the incomplete type `{name}`", object.name);
                self.errors.push(Diagnostic::error(object.span, text));
            }
        }
    }

    /// Notes a function that runs before or after `main`.
    fn runs_around_main(&mut self, id: FunctionId, said: &Said, span: Span) -> Checked<()> {
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

    fn declare_function(
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
                let known = &mut self.unit.functions[id];
                if known.ty.unprototyped {
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
        let result = self.function_definition(function);
        if result.is_err() {
            self.poison(&function.declarator);
        }
        result
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
        let known = &mut self.unit.functions[id];
        if known.defined && !replaces_embedded && !inlined {
            return Err(Diagnostic::error(name.span, format!("`{}` is defined twice", name.name))
                .also(known.span, "the first definition is here")
                .into());
        }
        known.defined = true;
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
            sizes: HashMap::new(),
        });
        self.scopes.open();
        let before = self.errors.len();
        let params = self.declare_params(ty, params);
        let mut params = self.report(params).unwrap_or_default();
        if ty.variadic {
            let rest = self.new_local(None, Type::void_pointer().into(), None, name.span)?;
            self.in_function(name.span)?.rest = Some(rest);
            params.push(rest);
        }
        let block = self.block_items(&function.body);
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
    ) -> Checked<Vec<LocalId>> {
        let mut ids = Vec::new();
        for (param, ty) in params.iter().zip(&ty.params) {
            let Some(name) = &param.declarator.name else {
                return fail(param.declarator.span, "the name of the parameter is missing");
            };
            if self.unit.types.size_of(&ty.ty).is_none() {
                let ty = self.unit.types.name(ty);
                return fail(name.span, format!("`{}` has the incomplete type `{ty}`", name.name));
            }
            if self.scopes.find_here(&name.name).is_some() {
                let message = format!("there are two parameters `{}`", name.name);
                return self.declared_before(name, message);
            }
            ids.push(self.new_local(Some(name), ty.clone(), None, name.span)?);
        }
        Ok(ids)
    }

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
            if self.report(result).is_none() {
                self.poison(&item.declarator);
            }
        }
        Ok(())
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
        let (name, ty, said) = self.declared(specified, declaration, item)?;
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
        self.automatic_local(&name, ty, said, item.init.as_ref(), out)
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
        let (name, ty, _) = self.declared(specified, declaration, item)?;
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
                let (ty, init) = self.local_initializer(&ty, init)?;
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
}

/// Whether objects of this type are integers that keep their first value.
pub fn is_fixed(ty: &QualType) -> bool {
    ty.ty.is_integer() && ty.is_const() && !ty.quals.is_volatile && !ty.quals.is_atomic
}

/// The value of a declarator with `__auto_type`.
fn value_to_deduce_from(item: &ast::InitDeclarator) -> Checked<&ast::Expr> {
    let Some(ast::Initializer::Expr(value)) = &item.init else {
        return fail(item.declarator.span, "`__auto_type` needs a value to take its type from");
    };
    if !item.declarator.derivations.is_empty() {
        return fail(item.declarator.span, "`__auto_type` stands for the whole type");
    }
    Ok(value)
}
