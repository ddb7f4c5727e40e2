//! Structs, unions and enums.

use super::declarator::Naming;
use super::keyword::Keyword;
use super::scope::Meaning;
use super::{Parse, Parser};
use crate::ast::{
    EnumSpecifier, Expr, FieldDeclarator, Ident, Member, RecordKind, RecordSpecifier, TypeSpecifier,
};
use execution::diagnostic::Diagnostic;

impl Parser<'_> {
    /// `struct` or `union`.
    pub(super) fn record_specifier(&mut self) -> Parse<TypeSpecifier> {
        let first = self.span();
        let (kind, keyword) = match self.keyword() {
            Some(Keyword::Union) => (RecordKind::Union, "union"),
            _ => (RecordKind::Struct, "struct"),
        };
        self.bump();
        let mut attributes = self.attributes()?;
        let tag = self.tag(keyword)?;
        let span = self.since(first);
        let mut members = None;
        if self.at("{") {
            members = Some(self.members()?);
            attributes.extend(self.attributes()?);
        } else if tag.is_none() {
            return self.unexpected(&format!("a tag or `{{` after `{keyword}`"));
        }
        let pack = self.pack_here();
        Ok(TypeSpecifier::Record(RecordSpecifier { kind, tag, members, attributes, pack, span }))
    }

    fn tag(&mut self, keyword: &'static str) -> Parse<Option<Ident>> {
        if !self.at_name() {
            return Ok(None);
        }
        let tag = self.expect_name("a tag")?;
        self.scope.add_tag(tag.name.clone(), keyword);
        Ok(Some(tag))
    }

    /// The packing in force at the last token that was taken.
    fn pack_here(&self) -> Option<u64> {
        let changes = self.packs.partition_point(|&(at, _)| at < self.pos);
        changes.checked_sub(1).and_then(|last| self.packs[last].1)
    }

    /// `{ members }`; a wrong member does not hide errors in the next.
    fn members(&mut self) -> Parse<Vec<Member>> {
        let open = self.span();
        self.bump();
        let mut members = Vec::new();
        loop {
            if self.eat("}") {
                return Ok(members);
            }
            if self.at_end() {
                return self.unclosed_brace(open, None);
            }
            if self.eat(";") {
                continue;
            }
            match self.member() {
                Ok(member) => members.push(member),
                Err(failed) if self.stopped => return Err(failed),
                Err(_) => self.skip_item(),
            }
        }
    }

    fn member(&mut self) -> Parse<Member> {
        if self.at_keyword(Keyword::StaticAssert) {
            return Ok(Member::StaticAssert(self.static_assert()?));
        }
        if !self.at_after(1, ";") {
            self.refuse_unknown_type();
        }
        let specifiers = self.specifiers("a member")?;
        if let Some((_, span)) = specifiers.storage {
            self.record(Diagnostic::error(span, "a member cannot have a storage class"));
        }
        let mut declarators = Vec::new();
        while !self.at(";") && !self.at("}") {
            declarators.push(self.field()?);
            if !self.eat(",") {
                break;
            }
        }
        self.expect_semicolon("member")?;
        Ok(Member::Fields { specifiers, declarators })
    }

    fn field(&mut self) -> Parse<FieldDeclarator> {
        let first = self.span();
        let before = self.attributes()?;
        let mut declarator = match self.at(":") {
            true => None,
            false => Some(self.declarator(Naming::Required)?),
        };
        let mut bits = None;
        if self.eat(":") {
            bits = Some(self.conditional_expression()?);
        }
        let span = self.since(first);
        let after = self.attributes()?;
        match &mut declarator {
            Some(declarator) => {
                declarator.attributes.splice(0..0, before);
                declarator.attributes.extend(after);
            }
            None => {
                if let Some(attribute) = before.first().or(after.first()) {
                    let message = "attributes of an unnamed bit-field are not supported";
                    return self.report(Diagnostic::error(attribute.name.span, message));
                }
            }
        }
        Ok(FieldDeclarator { declarator, bits, span })
    }

    /// `enum`.
    pub(super) fn enumeration(&mut self) -> Parse<TypeSpecifier> {
        let first = self.span();
        self.bump();
        let mut attributes = self.attributes()?;
        let tag = self.tag("enum")?;
        let span = self.since(first);
        // Otherwise the colon is that of a bit-field.
        let mut fixed = None;
        if self.at(":") && self.starts_type(1) {
            self.bump();
            fixed = Some(Box::new(self.specifiers("an enum's underlying type")?));
        }
        let mut enumerators = None;
        if self.at("{") {
            enumerators = Some(self.enumerators()?);
            attributes.extend(self.attributes()?);
        } else if tag.is_none() {
            return self.unexpected("a tag or `{` after `enum`");
        }
        Ok(TypeSpecifier::Enum(EnumSpecifier { tag, fixed, enumerators, attributes, span }))
    }

    fn enumerators(&mut self) -> Parse<Vec<(Ident, Option<Expr>)>> {
        let open = self.span();
        self.bump();
        let mut enumerators = Vec::new();
        while !self.at("}") {
            let name = self.expect_name("the name of an enumerator")?;
            self.attributes()?;
            let value = if self.eat("=") { Some(self.conditional_expression()?) } else { None };
            self.scope.declare(name.name.clone(), Meaning::Value);
            enumerators.push((name, value));
            if !self.eat(",") {
                break;
            }
        }
        if enumerators.is_empty() {
            return self.unexpected("at least one enumerator");
        }
        self.expect_close("}", open)?;
        Ok(enumerators)
    }
}
