//! Declarators: `*(*name[3])(int)` read inside out into a list of derivations.

use super::keyword::Keyword;
use super::scope::Meaning;
use super::{Parse, Parser};
use crate::ast::{
    ArraySize, Declarator, Derivation, Parameter, Qualifiers, TypeName, TypeSpecifier,
};
use crate::token::TokenKind;
use execution::diagnostic::Diagnostic;

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
    /// A declarator without what may stand behind it.
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

    /// Qualifiers and attributes behind a `*`.
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

    /// `[…]` and `(…)` behind a declarator.
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
        self.refuse_identifier_list()?;
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
                if params.is_empty() {
                    return self.unexpected("a parameter before `...`");
                }
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

    /// Refuses the identifier list of an old-style definition, `f(a, b) int a, b; { … }`.
    fn refuse_identifier_list(&mut self) -> Parse<()> {
        let mut ahead = 0;
        while self.name_after(ahead).is_some_and(|name| !self.scope.is_typedef(name)) {
            if self.at_after(ahead + 1, ",") {
                ahead += 2;
                continue;
            }
            let old_style = self.at_after(ahead + 1, ")")
                && (self.at_after(ahead + 2, "{")
                    || self.keyword_after(ahead + 2).is_some_and(Keyword::starts_specifiers)
                    || self.name_after(ahead + 2).is_some());
            if !old_style {
                break;
            }
            let diagnostic =
                Diagnostic::error(self.span(), "old-style function definition is not supported")
                    .label("a parameter without a type")
                    .note("write the type of each parameter inside the parentheses");
            return self.report(diagnostic);
        }
        Ok(())
    }

    /// A type name, as in a cast.
    pub(super) fn type_name(&mut self) -> Parse<TypeName> {
        let first = self.span();
        let specifiers = self.specifiers("a type")?;
        if let Some((_, span)) = specifiers.storage {
            self.record(Diagnostic::error(span, "a storage class cannot be part of a type name"));
        }
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
