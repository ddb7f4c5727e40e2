//! Declarations, and objects at file scope: linkage, storage, redeclaration.

pub mod attribute;
pub mod function;
pub mod initialiser;
pub mod local;
pub mod record;
pub mod resolve;
pub mod variable_length;

use crate::ast::{self, Ident, StorageClass, TypeSpecifier};
use crate::sema::declarations::attribute::Said;
use crate::sema::declarations::local::value_to_deduce_from;
use crate::sema::scope::Entity;
use crate::sema::tree::{Object, ObjectId, Role};
use crate::sema::types::{IntKind, QualType, Type};
use crate::sema::{Checked, Fail, Sema, fail};
use execution::diagnostic::Diagnostic;
use execution::span::Span;
use ir::locks::{LockView, Purpose};
use std::rc::Rc;

/// The specifiers of a declaration, resolved.
pub(crate) struct Specified {
    ty: QualType,
    said: Said,
    pub(crate) storage: Option<StorageClass>,
    pub(crate) thread_local: bool,
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
        let specified = match self.specified_or_poison(declaration) {
            Err(Fail::Refused(_)) if declares_only(declaration) => return Ok(()),
            other => other?,
        };
        for item in &declaration.declarators {
            let only_declares = matches!(
                (specified.storage, item.declarator.derivations.first()),
                (Some(StorageClass::Typedef | StorageClass::Extern), _)
                    | (_, Some(ast::Derivation::Function { .. }))
            );
            match self.file_declarator(&specified, declaration, item) {
                // What is only declared may never be used.
                Err(Fail::Refused(why)) if only_declares => {
                    self.poison(&item.declarator, Some(&why));
                }
                result => {
                    if self.report(result).is_none() {
                        self.poison(&item.declarator, None);
                    }
                }
            }
        }
        Ok(())
    }

    pub(crate) fn specified_or_poison(
        &mut self,
        declaration: &ast::Declaration,
    ) -> Checked<Specified> {
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
        let why = match &result {
            Ok(_) => return result,
            Err(Fail::Refused(why)) => Some(&**why),
            Err(_) => None,
        };
        for item in &declaration.declarators {
            self.poison(&item.declarator, why);
        }
        result
    }

    /// Makes later uses of a name quiet whose declaration was wrong, or not supported if it was not.
    pub fn poison(&mut self, declarator: &ast::Declarator, refused: Option<&Diagnostic>) {
        if let Some(name) = &declarator.name
            && self.scopes.find_here(&name.name).is_none()
        {
            let entity = match refused {
                Some(why) => Entity::Refused(Rc::new(why.clone())),
                None => Entity::Poisoned,
            };
            self.scopes.declare(name.name.clone(), entity);
        }
    }

    /// The name, type and attributes of one declarator.
    pub(crate) fn declared(
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
    pub(crate) fn named(
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
            transparent: specified.said.transparent || own.transparent,
            weak: specified.said.weak || own.weak,
            constructor: own.constructor.or(specified.said.constructor),
            destructor: own.destructor.or(specified.said.destructor),
            purpose: Purpose::Data,
            lock_view: LockView::default(),
            role: Role::default(),
        };
        Ok((name, said))
    }

    pub(crate) fn typedef(&mut self, name: Ident, ty: QualType, said: Said) -> Checked<()> {
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
            let record = &mut self.unit.types.records[id];
            record.alias.get_or_insert(name.name.clone());
            record.transparent |= said.transparent;
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
            let known = &mut self.unit.objects[id];
            let weak = std::mem::replace(&mut known.weak, said.weak);
            if known.init.is_some() && self.link.number > 0 && (said.weak || weak) {
                // Of several definitions, one that is not weak counts, and otherwise the first.
                known.weak &= weak;
                if said.weak {
                    return Ok(());
                }
            } else if known.init.is_some() {
                return fail(name.span, format!("`{}` is defined twice", name.name));
            }
            self.define_object(id, init)?;
        }
        Ok(())
    }

    /// Declares a global object, or finds it declared before.
    pub(crate) fn declare_object(
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
            // Each file has types of its own.
            let elsewhere = !self.is_visible(&name.name) && self.link.number > 0;
            let ty = match elsewhere && !matches!(ty.ty, Type::Array(_, None)) {
                true => ty,
                false => self.composite(&known.ty, &ty),
            };
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
            weak: false,
            external: specified.storage != Some(StorageClass::Static),
            defined: !only_declared,
            init: None,
            span: name.span,
        });
        self.objects.insert(name.name.clone(), id);
        self.scopes.declare(name.name.clone(), Entity::Object(id));
        Ok(id)
    }

    pub(crate) fn define_object(&mut self, id: ObjectId, init: &ast::Initializer) -> Checked<()> {
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
}

/// Whether a declaration makes neither an object nor a type that others build on.
fn declares_only(declaration: &ast::Declaration) -> bool {
    let specifiers = &declaration.specifiers;
    let is_function = |item: &ast::InitDeclarator| {
        matches!(item.declarator.derivations.first(), Some(ast::Derivation::Function { .. }))
    };
    let named = !declaration.declarators.is_empty();
    let storage = specifiers.storage.map(|(class, _)| class);
    let no_object = matches!(storage, Some(StorageClass::Typedef | StorageClass::Extern))
        || declaration.declarators.iter().all(is_function);
    let defines = matches!(specifiers.ty, TypeSpecifier::Record(_) | TypeSpecifier::Enum(_));
    named && no_object && !defines
}

/// Whether objects of this type are integers that keep their first value.
pub fn is_fixed(ty: &QualType) -> bool {
    ty.ty.is_integer() && ty.is_const() && !ty.quals.is_volatile && !ty.quals.is_atomic
}
