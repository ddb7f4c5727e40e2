//! GNU attributes and assembler names after declarators.

use super::keyword::Keyword;
use super::{Parse, Parser};
use crate::ast::{Attribute, Expr, Ident, StringLiteral};
use crate::token::TokenKind;

impl Parser<'_> {
    /// Any number of `__attribute__((…))`.
    pub(super) fn attributes(&mut self) -> Parse<Vec<Attribute>> {
        let mut attributes = Vec::new();
        while self.at_keyword(Keyword::Attribute) {
            self.attribute_list(&mut attributes)?;
        }
        Ok(attributes)
    }

    fn attribute_list(&mut self, attributes: &mut Vec<Attribute>) -> Parse<()> {
        self.bump();
        let outer = self.expect("(", "after `__attribute__`")?;
        let inner = self.expect("(", "after `__attribute__(`")?;
        while !self.at(")") {
            if self.eat(",") {
                continue;
            }
            attributes.push(self.attribute()?);
            if !self.at(",") && !self.at(")") {
                self.expect_close(")", inner)?;
            }
        }
        self.expect_close(")", inner)?;
        self.expect_close(")", outer)?;
        Ok(())
    }

    /// `name` or `name(arguments)`; the name may be a keyword, as in `const`.
    fn attribute(&mut self) -> Parse<Attribute> {
        let TokenKind::Ident(name) = self.kind() else {
            return self.unexpected("the name of an attribute");
        };
        let bare = name.strip_prefix("__").and_then(|name| name.strip_suffix("__"));
        let name = Ident { name: bare.unwrap_or(name).into(), span: self.span() };
        self.bump();
        let mut args = Vec::new();
        if self.at("(") {
            let open = self.span();
            self.bump();
            while !self.at(")") {
                args.push(self.attribute_argument()?);
                if !self.eat(",") {
                    break;
                }
            }
            self.expect_close(")", open)?;
        }
        Ok(Attribute { name, args })
    }

    fn attribute_argument(&mut self) -> Parse<Expr> {
        if self.starts_type(0) {
            return self.unexpected("an expression as the argument of an attribute");
        }
        self.assignment()
    }

    /// What may stand after a declarator: attributes, and `asm("name")` among them.
    pub(super) fn trailer(
        &mut self,
        attributes: &mut Vec<Attribute>,
    ) -> Parse<Option<StringLiteral>> {
        attributes.extend(self.attributes()?);
        let mut label = None;
        if self.at_keyword(Keyword::Asm) {
            self.bump();
            let open = self.expect("(", "after `asm`")?;
            label = Some(self.string_literal("the assembler name, a string")?);
            self.expect_close(")", open)?;
            attributes.extend(self.attributes()?);
        }
        Ok(label)
    }
}
