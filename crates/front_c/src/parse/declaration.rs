//! Declarations and function definitions, at file scope and in blocks.

use super::declarator::Naming;
use super::keyword::Keyword;
use super::scope::Meaning;
use super::{Parse, Parser};
use crate::ast::{
    Declaration, Declarator, Derivation, FunctionDefinition, InitDeclarator, Item, Specifiers,
    StaticAssert, StorageClass, TypeSpecifier, Unit,
};
use crate::token::TokenKind;
use execution::diagnostic::Diagnostic;
use execution::span::Span;

/// A declaration, or a definition with a body.
pub(super) enum Declared {
    Declaration(Declaration),
    Function(FunctionDefinition),
}

impl Parser<'_> {
    /// A whole file.
    pub(super) fn unit(&mut self) -> Unit {
        let mut unit = Unit::default();
        while !self.at_end() {
            let start = self.pos;
            match self.item() {
                Ok(Some(item)) => unit.items.push(item),
                Ok(None) => {}
                Err(_) => {
                    self.skip_item();
                    if self.at("{") {
                        self.skip_item(); // the body that belongs to a broken head
                    } else if self.pos == start {
                        self.bump();
                    }
                }
            }
        }
        unit
    }

    /// Something at file scope; nothing for a stray `;`.
    fn item(&mut self) -> Parse<Option<Item>> {
        if self.eat(";") {
            return Ok(None);
        }
        if self.at("}") {
            let message = "unexpected closing brace `}` outside any function";
            return self.report(Diagnostic::error(self.span(), message));
        }
        match self.keyword() {
            Some(Keyword::StaticAssert) => {
                return Ok(Some(Item::StaticAssert(self.static_assert()?)));
            }
            Some(Keyword::Asm) => {
                let asm = self.asm()?;
                self.expect_semicolon("assembly")?;
                return Ok(Some(Item::Asm(asm)));
            }
            Some(keyword) if keyword.starts_statement() => {
                let message = format!("{} outside any function", self.describe());
                let diagnostic = Diagnostic::error(self.span(), message)
                    .note("statements belong in the body of a function");
                return self.report(diagnostic);
            }
            _ => {}
        }
        if !self.starts_type(0) && !self.at_name() {
            return self.unexpected("a declaration");
        }
        Ok(Some(match self.declaration()? {
            Declared::Declaration(declaration) => Item::Declaration(declaration),
            Declared::Function(function) => Item::Function(function),
        }))
    }

    /// A declaration with its `;`, or a function with its body.
    pub(super) fn declaration(&mut self) -> Parse<Declared> {
        let first = self.span();
        let specifiers = self.specifiers("a declaration")?;
        let mut declarators = Vec::new();
        if self.eat(";") {
            let span = self.since(first);
            return Ok(Declared::Declaration(Declaration { specifiers, declarators, span }));
        }
        loop {
            let before = self.attributes()?;
            let mut declarator = self.declarator(Naming::Required)?;
            declarator.attributes.splice(0..0, before);
            let mut attributes = std::mem::take(&mut declarator.attributes);
            declarator.asm_label = self.trailer(&mut attributes)?;
            declarator.attributes = attributes;
            self.declare(&specifiers, &declarator);
            if declarators.is_empty() && self.at_old_parameters(&declarator) {
                self.old_parameters(&mut declarator)?;
            }
            if self.at("{") && declarators.is_empty() {
                let function = self.function(specifiers, declarator, first)?;
                return Ok(Declared::Function(function));
            }
            let init = if self.eat("=") { Some(self.initializer()?) } else { None };
            declarators.push(InitDeclarator { declarator, init });
            if !self.eat(",") {
                break;
            }
        }
        self.end_of_declaration(&declarators)?;
        let span = self.since(first);
        Ok(Declared::Declaration(Declaration { specifiers, declarators, span }))
    }

    /// Whether the types of an old-style definition's parameters follow: nothing else can stand
    /// between the head of a function and its body.
    fn at_old_parameters(&self, declarator: &Declarator) -> bool {
        let Some(Derivation::Function { params, .. }) = declarator.derivations.first() else {
            return false;
        };
        let untyped = |ty: &TypeSpecifier| matches!(ty, TypeSpecifier::Missing);
        params.iter().any(|param| untyped(&param.specifiers.ty)) && self.starts_type(0)
    }

    /// The `;` of a declaration.
    fn end_of_declaration(&mut self, declarators: &[InitDeclarator]) -> Parse<()> {
        if self.at(";") {
            self.bump();
            return Ok(());
        }
        if let [InitDeclarator { declarator, init: None }] = declarators
            && matches!(declarator.derivations.first(), Some(Derivation::Function { .. }))
            && self.keyword().is_some_and(Keyword::starts_specifiers)
        {
            return self.expected("`;` or `{`", "after the function's head");
        }
        self.expect_semicolon("declaration")
    }

    /// Makes a declarator's name known.
    fn declare(&mut self, specifiers: &Specifiers, declarator: &Declarator) {
        let typedef = matches!(specifiers.storage, Some((StorageClass::Typedef, _)));
        let meaning = if typedef { Meaning::Typedef } else { Meaning::Value };
        if let Some(name) = &declarator.name {
            self.scope.declare(name.name.clone(), meaning);
        }
    }

    /// The body of a function whose head was just parsed.
    fn function(
        &mut self,
        specifiers: Specifiers,
        declarator: Declarator,
        first: Span,
    ) -> Parse<FunctionDefinition> {
        let span = self.since(first);
        let Some(Derivation::Function { params, .. }) = declarator.derivations.first() else {
            return self.expected("`=` or `;`", "after declarator");
        };
        self.scope.enter();
        for parameter in params {
            if let Some(name) = &parameter.declarator.name {
                self.scope.declare(name.name.clone(), Meaning::Value);
            }
        }
        let body = self.block_in_scope();
        self.scope.leave();
        Ok(FunctionDefinition { specifiers, declarator, body: body?, span })
    }

    /// `_Static_assert(condition, "message");`
    pub(super) fn static_assert(&mut self) -> Parse<StaticAssert> {
        let first = self.span();
        self.bump();
        let open = self.expect("(", "after `_Static_assert`")?;
        let condition = self.conditional_expression()?;
        let mut message = None;
        if self.eat(",") {
            message = Some(self.string_literal("the message, a string")?);
        }
        self.expect_close(")", open)?;
        let span = self.since(first);
        self.expect_semicolon("static assertion")?;
        Ok(StaticAssert { condition, message, span })
    }

    /// Whether the next token is a string literal.
    pub(super) fn at_string(&self) -> bool {
        matches!(self.kind(), TokenKind::String { .. })
    }
}
