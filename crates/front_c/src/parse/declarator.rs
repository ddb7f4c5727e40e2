//! Declarators: `*(*name[3])(int)` read inside out into a list of derivations.

use super::keyword::Keyword;
use super::scope::Meaning;
use super::{Parse, Parser};
use crate::ast::{
    ArraySize, Declarator, Derivation, Parameter, Qualifiers, Specifiers, TypeName, TypeSpecifier,
};
use crate::token::TokenKind;
use execution::diagnostic::Diagnostic;
use execution::span::Span;

/// Whether a declarator has a name.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Naming {
    /// As in a declaration.
    Required,
    /// As in a parameter.
    Optional,
    /// As in a cast.
    Forbidden,
}

/// Derivations that one declarator may have.
const MAX_DERIVATIONS: usize = 64;

impl Parser<'_> {
    /// A declarator without what may stand after it.
    pub(super) fn declarator(&mut self, naming: Naming) -> Parse<Declarator> {
        self.nested(|parser| parser.declarator_here(naming))
    }

    fn declarator_here(&mut self, naming: Naming) -> Parse<Declarator> {
        let first = self.span();
        let start = self.pos;
        let mut pointers = Vec::new();
        while self.eat("*") {
            let (qualifiers, attributes) = self.pointer_qualifiers()?;
            pointers.push(Derivation::Pointer(qualifiers, attributes));
            if pointers.len() > MAX_DERIVATIONS {
                let message = "too many `*` in one declarator";
                return self.too_deep(message, MAX_DERIVATIONS, "derivations");
            }
        }
        let mut declarator = self.direct_declarator(naming)?;
        self.suffixes(&mut declarator.derivations)?;
        declarator.derivations.extend(pointers.into_iter().rev());
        if declarator.derivations.len() > MAX_DERIVATIONS {
            let message = "this declarator is too long";
            return self.too_deep(message, MAX_DERIVATIONS, "derivations");
        }
        let here = Declarator { span: first, ..declarator };
        Ok(if self.pos > start { Declarator { span: self.since(first), ..here } } else { here })
    }

    /// Qualifiers and attributes after a `*`.
    fn pointer_qualifiers(&mut self) -> Parse<(Qualifiers, Vec<crate::ast::Attribute>)> {
        let mut qualifiers = Qualifiers::default();
        let mut attributes = Vec::new();
        loop {
            if self.at_keyword(Keyword::Attribute) {
                attributes.extend(self.attributes()?);
            } else if !self.qualifier(&mut qualifiers) {
                return Ok((qualifiers, attributes));
            }
        }
    }

    /// Takes a type qualifier, if one is next.
    pub(super) fn qualifier(&mut self, qualifiers: &mut Qualifiers) -> bool {
        match self.keyword() {
            Some(Keyword::Const) => qualifiers.is_const = true,
            Some(Keyword::Volatile) => qualifiers.is_volatile = true,
            Some(Keyword::Restrict) => qualifiers.is_restrict = true,
            Some(Keyword::Atomic) => qualifiers.is_atomic = true,
            _ => return false,
        }
        self.bump();
        true
    }

    /// The name, or a declarator in parentheses, or nothing.
    fn direct_declarator(&mut self, naming: Naming) -> Parse<Declarator> {
        let span = self.span();
        let empty = Declarator {
            name: None,
            derivations: Vec::new(),
            attributes: Vec::new(),
            asm_label: None,
            span,
        };
        if naming != Naming::Forbidden && self.at_name() {
            let name = self.expect_name("a name")?;
            return Ok(Declarator { name: Some(name), ..empty });
        }
        if self.at("(") && (naming == Naming::Required || self.groups()) {
            self.bump();
            let attributes = self.attributes()?;
            let mut inner = self.declarator(naming)?;
            self.expect_close(")", span)?;
            inner.attributes.splice(0..0, attributes);
            return Ok(inner);
        }
        if naming == Naming::Required {
            return self.unexpected("a name to declare");
        }
        Ok(empty)
    }

    /// Whether a `(` where a name may be missing groups a declarator; otherwise it starts the
    /// parameters of an unnamed function.
    fn groups(&self) -> bool {
        let grouping = matches!(self.kind_after(1), TokenKind::Punct("*" | "(" | "["));
        let name = self.name_after(1).is_some_and(|name| !self.scope.is_typedef(name));
        grouping || name || self.keyword_after(1) == Some(Keyword::Attribute)
    }

    /// `[…]` and `(…)` after a declarator.
    fn suffixes(&mut self, derivations: &mut Vec<Derivation>) -> Parse<()> {
        loop {
            if self.at("[") {
                derivations.push(self.array_suffix()?);
            } else if self.at("(") {
                derivations.push(self.nested(Self::function_suffix)?);
            } else {
                return Ok(());
            }
            if derivations.len() > MAX_DERIVATIONS {
                let message = "this declarator is too long";
                return self.too_deep(message, MAX_DERIVATIONS, "derivations");
            }
        }
    }

    fn array_suffix(&mut self) -> Parse<Derivation> {
        let open = self.span();
        self.bump();
        let mut qualifiers = Qualifiers::default();
        while self.qualifier(&mut qualifiers) || self.eat_keyword(Keyword::Static) {}
        let size = if self.at("]") {
            ArraySize::Unknown
        } else if self.at("*") && self.at_after(1, "]") {
            self.bump();
            ArraySize::Star
        } else {
            ArraySize::Expr(Box::new(self.assignment()?))
        };
        self.expect_close("]", open)?;
        Ok(Derivation::Array { size, qualifiers })
    }

    fn function_suffix(&mut self) -> Parse<Derivation> {
        let open = self.span();
        self.bump();
        if self.eat(")") {
            return Ok(Derivation::Function {
                params: Vec::new(),
                variadic: false,
                unprototyped: true,
            });
        }
        if self.at_identifier_list() {
            return self.identifier_list(open);
        }
        self.scope.enter();
        let result = self.parameters(open);
        self.scope.leave();
        result
    }

    fn parameters(&mut self, open: execution::span::Span) -> Parse<Derivation> {
        let mut params = Vec::new();
        let mut variadic = false;
        loop {
            if self.at("...") {
                self.bump();
                variadic = true;
                break;
            }
            params.push(self.parameter()?);
            if !self.eat(",") {
                break;
            }
        }
        self.expect_close(")", open)?;
        if params.len() == 1 && !variadic && is_void(&params[0]) {
            params.clear();
        }
        Ok(Derivation::Function { params, variadic, unprototyped: false })
    }

    fn parameter(&mut self) -> Parse<Parameter> {
        self.refuse_unknown_type();
        let specifiers = self.specifiers("a parameter")?;
        let mut declarator = self.declarator(Naming::Optional)?;
        let mut attributes = std::mem::take(&mut declarator.attributes);
        declarator.asm_label = self.trailer(&mut attributes)?;
        declarator.attributes = attributes;
        if let Some(name) = &declarator.name {
            self.scope.declare(name.name.clone(), Meaning::Value);
        }
        Ok(Parameter { specifiers, declarator })
    }

    /// Whether this is the identifier list of an old-style definition, `f(a, b) int a, b; { … }`.
    fn at_identifier_list(&self) -> bool {
        let mut ahead = 0;
        while self.name_after(ahead).is_some_and(|name| !self.scope.is_typedef(name)) {
            if self.at_after(ahead + 1, ",") {
                ahead += 2;
                continue;
            }
            return self.at_after(ahead + 1, ")")
                && (self.at_after(ahead + 2, "{") || self.starts_type(ahead + 2));
        }
        false
    }

    /// The names; their types, `int` where nothing else is said, follow after the parenthesis.
    fn identifier_list(&mut self, open: Span) -> Parse<Derivation> {
        let mut params = Vec::new();
        while let Some(name) = self.next_name() {
            self.bump();
            params.push(Parameter {
                specifiers: Specifiers::missing(name.span),
                declarator: Declarator::named(name),
            });
            if !self.eat(",") {
                break;
            }
        }
        self.expect_close(")", open)?;
        Ok(Derivation::Function { params, variadic: false, unprototyped: false })
    }

    /// The declarations of the parameters of an old-style definition.
    pub(super) fn old_parameters(&mut self, declarator: &mut Declarator) -> Parse<()> {
        while self.starts_type(0) {
            let specifiers = self.specifiers("a parameter")?;
            loop {
                let typed = self.declarator(Naming::Required)?;
                let Some(Derivation::Function { params, .. }) = declarator.derivations.first_mut()
                else {
                    return self.expected("`;`", "after declaration");
                };
                let same = |param: &&mut Parameter| {
                    let name = |declarator: &Declarator| {
                        declarator.name.as_ref().map(|name| name.name.clone())
                    };
                    name(&param.declarator) == name(&typed)
                };
                match params.iter_mut().find(same) {
                    Some(param) => {
                        *param = Parameter { specifiers: specifiers.clone(), declarator: typed };
                    }
                    None => {
                        let message = "the function has no parameter of this name";
                        self.record(Diagnostic::error(typed.span, message));
                    }
                }
                if !self.eat(",") {
                    break;
                }
            }
            self.expect_semicolon("declaration")?;
        }
        Ok(())
    }

    /// A type name, as in a cast.
    pub(super) fn type_name(&mut self) -> Parse<TypeName> {
        let name = self.stored_type_name()?;
        self.refuse_storage(&name);
        Ok(name)
    }

    /// Says that a type name that is not that of a compound literal has a storage class.
    pub(super) fn refuse_storage(&mut self, name: &TypeName) {
        let specifiers = &name.specifiers;
        let thread_local = specifiers.thread_local.then_some(specifiers.span);
        if let Some(span) = specifiers.storage.map(|(_, span)| span).or(thread_local) {
            self.record(Diagnostic::error(span, "a storage class cannot be part of a type name"));
        }
    }

    /// A type name that may have a storage class, as that of a compound literal in C23.
    pub(super) fn stored_type_name(&mut self) -> Parse<TypeName> {
        let first = self.span();
        let specifiers = self.specifiers("a type")?;
        let mut declarator = self.declarator(Naming::Forbidden)?;
        declarator.attributes.extend(self.attributes()?);
        Ok(TypeName { specifiers, declarator, span: self.since(first) })
    }
}

/// `void`, alone and unqualified.
fn is_void(parameter: &Parameter) -> bool {
    matches!(parameter.specifiers.ty, TypeSpecifier::Void)
        && parameter.declarator.name.is_none()
        && parameter.declarator.derivations.is_empty()
}
