//! Declaration specifiers: storage, qualifiers, attributes, and the words that make up a type.

use super::keyword::Keyword;
use super::{Parse, Parser};
use crate::ast::{AlignAs, Attribute, Qualifiers, Sign, Specifiers, StorageClass, TypeSpecifier};
use crate::token::TokenKind;
use execution::diagnostic::Diagnostic;
use execution::span::Span;
use std::rc::Rc;

/// The words of an arithmetic type, counted as they come.
#[derive(Default)]
struct Words {
    sign: Option<Sign>,
    longs: u8,
    short: bool,
    complex: bool,
    /// `char`, `int`, `double` …
    base: Option<(Keyword, Rc<str>)>,
    span: Option<Span>,
}

impl Words {
    fn is_empty(&self) -> bool {
        self.span.is_none()
    }

    /// The type that the words name together.
    fn resolve(self) -> Result<TypeSpecifier, &'static str> {
        let sign = self.sign.unwrap_or(Sign::Signed);
        let plain = self.sign.is_none() && self.longs == 0 && !self.short;
        if self.complex {
            return Ok(TypeSpecifier::Float("_Complex".into()));
        }
        let Some((base, name)) = self.base.clone() else {
            return Ok(self.int(sign));
        };
        match base {
            Keyword::Int => Ok(self.int(sign)),
            Keyword::Char if self.longs == 0 && !self.short => Ok(TypeSpecifier::Char(self.sign)),
            Keyword::Int128 if self.longs == 0 && !self.short => Ok(TypeSpecifier::Int128(sign)),
            Keyword::Int128Typedef if plain => Ok(TypeSpecifier::Int128(Sign::Signed)),
            Keyword::Uint128Typedef if plain => Ok(TypeSpecifier::Int128(Sign::Unsigned)),
            Keyword::Void if plain => Ok(TypeSpecifier::Void),
            Keyword::Bool if plain => Ok(TypeSpecifier::Bool),
            Keyword::Float if plain => Ok(TypeSpecifier::Float(name)),
            Keyword::Double if plain => Ok(TypeSpecifier::Float(name)),
            Keyword::Double if self.longs == 1 && self.sign.is_none() && !self.short => {
                Ok(TypeSpecifier::Float("long double".into()))
            }
            _ => Err("these words do not make a type together"),
        }
    }

    fn int(&self, sign: Sign) -> TypeSpecifier {
        match (self.short, self.longs) {
            (true, _) => TypeSpecifier::Short(sign),
            (_, 0) => TypeSpecifier::Int(sign),
            (_, 1) => TypeSpecifier::Long(sign),
            _ => TypeSpecifier::LongLong(sign),
        }
    }
}

/// Specifiers while they are being collected.
#[derive(Default)]
struct Collected {
    storage: Option<(StorageClass, Span)>,
    /// `auto`: a storage class if there is a type, otherwise in place of one (C23).
    auto: Option<Span>,
    constexpr: Option<Span>,
    thread_local: bool,
    inline: bool,
    noreturn: bool,
    qualifiers: Qualifiers,
    alignas: Vec<AlignAs>,
    attributes: Vec<Attribute>,
    words: Words,
    /// A type that is not made of words, and where it stands.
    ty: Option<(TypeSpecifier, Span)>,
}

impl Collected {
    fn has_type(&self) -> bool {
        self.ty.is_some() || !self.words.is_empty()
    }
}

impl Parser<'_> {
    /// Whether a type or declaration starts `n` tokens ahead.
    pub(super) fn starts_type(&self, n: usize) -> bool {
        match self.keyword_after(n) {
            Some(Keyword::Extension | Keyword::Attribute) => self.starts_type_after(n),
            Some(keyword) => keyword.starts_specifiers(),
            None => self.name_after(n).is_some_and(|name| self.scope.is_typedef(name)),
        }
    }

    /// Looks past `__extension__` and `__attribute__((…))` for a type.
    fn starts_type_after(&self, n: usize) -> bool {
        let mut at = n;
        loop {
            match self.keyword_after(at) {
                Some(Keyword::Extension) => at += 1,
                Some(Keyword::Attribute) => at = self.after_brackets(at + 1),
                Some(keyword) => return keyword.starts_specifiers(),
                None => return self.name_after(at).is_some_and(|name| self.scope.is_typedef(name)),
            }
        }
    }

    /// How far ahead the token after a bracketed group is; the group starts `n` ahead.
    pub(super) fn after_brackets(&self, n: usize) -> usize {
        let mut depth = 0usize;
        let mut at = n;
        loop {
            match self.kind_after(at) {
                TokenKind::Punct("(") => depth += 1,
                TokenKind::Punct(")") => depth = depth.saturating_sub(1),
                TokenKind::End => return at,
                _ => {}
            }
            at += 1;
            if depth == 0 {
                return at;
            }
        }
    }

    /// One or more specifiers with a type among them; `what` they belong to, for messages.
    pub(super) fn specifiers(&mut self, what: &str) -> Parse<Specifiers> {
        let first = self.span();
        let mut collected = Collected::default();
        while self.specifier(&mut collected)? {}
        if let Some(span) = collected.auto {
            self.auto(span, &mut collected)?;
        }
        if let Some(span) = collected.constexpr {
            collected.qualifiers.is_const = true;
            if self.scope.is_file_scope() {
                collected.storage.get_or_insert((StorageClass::Static, span));
            }
        }
        if !collected.has_type() && self.means_int(what, &collected) {
            let diagnostic = Diagnostic::warning(self.span(), format!("{what} without a type"))
                .note("it is taken to be `int`, as before C99");
            self.record(diagnostic);
            collected.ty = Some((TypeSpecifier::Int(Sign::Signed), first));
        }
        if !collected.has_type() {
            collected.ty = Some(self.missing_type(what)?);
        }
        let span = self.since(first);
        let ty = match collected.ty {
            Some((ty, _)) => ty,
            None => match collected.words.resolve() {
                Ok(ty) => ty,
                Err(message) => return self.report(Diagnostic::error(span, message)),
            },
        };
        let attribute = collected.attributes.iter().any(|a| &*a.name.name == "noreturn");
        Ok(Specifiers {
            storage: collected.storage,
            thread_local: collected.thread_local,
            inline: collected.inline,
            noreturn: collected.noreturn || attribute,
            qualifiers: collected.qualifiers,
            ty,
            alignas: collected.alignas,
            attributes: collected.attributes,
            span,
        })
    }

    /// Whether a missing type can only be the `int` of old C: `main() {` or `static counter;`.
    fn means_int(&self, what: &str, collected: &Collected) -> bool {
        if what != "a declaration" || !self.at_name() || self.looks_like_unknown_type() {
            return false;
        }
        if self.at_after(1, "(") {
            let after = self.after_brackets(1);
            let declares = collected.storage.is_some() && self.at_after(after, ";");
            return self.scope.is_file_scope()
                && (matches!(self.kind_after(after), TokenKind::Punct("{"))
                    || declares
                    || self.starts_type(after));
        }
        let ends = matches!(self.kind_after(1), TokenKind::Punct(";" | "=" | "," | "["));
        ends && (collected.storage.is_some() || collected.qualifiers != Qualifiers::default())
    }

    /// Explains that a type is missing; an unknown name in its place is taken as the type.
    fn missing_type(&mut self, what: &str) -> Parse<(TypeSpecifier, Span)> {
        if let (Some(name), true) = (self.next_name(), self.looks_like_unknown_type()) {
            self.unknown_type(&name);
            self.bump();
            let span = name.span;
            return Ok((TypeSpecifier::Typedef(name), span));
        }
        if self.starts_simple_statement() && self.is_declared() {
            let message = "expected a declaration, found a statement";
            let diagnostic = Diagnostic::error(self.span(), message)
                .note("statements belong in the body of a function");
            return self.report(diagnostic);
        }
        if self.at_name() {
            let diagnostic = Diagnostic::error(self.span(), format!("{what} needs a type"))
                .note("C11 has no implicit `int`");
            return self.report(diagnostic);
        }
        self.unexpected("a type")
    }

    /// Takes one specifier; false if the next token is none.
    fn specifier(&mut self, to: &mut Collected) -> Parse<bool> {
        let Some(keyword) = self.keyword() else { return self.typedef_specifier(to) };
        match keyword {
            Keyword::Typedef => self.storage(StorageClass::Typedef, to)?,
            Keyword::Extern => self.storage(StorageClass::Extern, to)?,
            Keyword::Static => self.storage(StorageClass::Static, to)?,
            Keyword::Auto => {
                if let Some(earlier) = to.auto.replace(self.span()) {
                    return self.second_storage(self.span(), earlier);
                }
                self.bump();
            }
            Keyword::Register => self.storage(StorageClass::Register, to)?,
            Keyword::Constexpr => {
                to.constexpr = Some(self.span());
                self.bump();
            }
            Keyword::BitInt => {
                let message = "`_BitInt` is not supported";
                return self.report(Diagnostic::error(self.span(), message));
            }
            Keyword::ThreadLocal => {
                to.thread_local = true;
                self.bump();
            }
            Keyword::Inline => {
                to.inline = true;
                self.bump();
            }
            Keyword::Noreturn => {
                to.noreturn = true;
                self.bump();
            }
            Keyword::Extension => self.bump(),
            Keyword::Attribute => to.attributes.extend(self.attributes()?),
            Keyword::Alignas => to.alignas.push(self.alignas()?),
            Keyword::Atomic if self.at_after(1, "(") => self.whole_type(to, Self::atomic_type)?,
            Keyword::Struct | Keyword::Union => self.whole_type(to, Self::record_specifier)?,
            Keyword::Enum => self.whole_type(to, Self::enumeration)?,
            Keyword::Typeof | Keyword::TypeofUnqual => self.whole_type(to, Self::typeof_type)?,
            Keyword::AutoType => self.whole_type(to, |parser| {
                parser.bump();
                Ok(TypeSpecifier::Auto)
            })?,
            _ if self.qualifier(&mut to.qualifiers) => {}
            _ => return self.type_word(keyword, to),
        }
        Ok(true)
    }

    fn storage(&mut self, class: StorageClass, to: &mut Collected) -> Parse<()> {
        let span = self.span();
        if let Some((_, earlier)) = to.storage {
            return self.second_storage(span, earlier);
        }
        to.storage = Some((class, span));
        self.bump();
        Ok(())
    }

    fn second_storage<T>(&mut self, span: Span, earlier: Span) -> Parse<T> {
        let diagnostic = Diagnostic::error(span, "more than one storage class")
            .also(earlier, "the first is here");
        self.report(diagnostic)
    }

    /// Decides what an `auto` among complete specifiers is: in `auto x = 4L;` it stands for the
    /// type of the value, in `auto int x;` and in the `auto x;` of old C it is a storage class.
    fn auto(&mut self, span: Span, to: &mut Collected) -> Parse<()> {
        let typedef = matches!(to.storage, Some((StorageClass::Typedef, _)));
        let value = self.at("*") || self.at_name() && self.at_value(1);
        if !to.has_type() && !typedef && value {
            to.ty = Some((TypeSpecifier::Auto, span));
            return Ok(());
        }
        if let Some((_, earlier)) = to.storage {
            return self.second_storage(span, earlier);
        }
        to.storage = Some((StorageClass::Auto, span));
        Ok(())
    }

    /// Whether `n` tokens ahead, after attributes, an initial value follows.
    fn at_value(&self, n: usize) -> bool {
        let mut at = n;
        while let Some(Keyword::Attribute | Keyword::Asm) = self.keyword_after(at) {
            at = self.after_brackets(at + 1);
        }
        self.at_after(at, "=")
    }

    /// A typedef name counts as the type only where no type was written yet.
    fn typedef_specifier(&mut self, to: &mut Collected) -> Parse<bool> {
        if to.has_type() || !self.starts_type(0) {
            return Ok(false);
        }
        self.whole_type(to, |parser| Ok(TypeSpecifier::Typedef(parser.expect_name("a type")?)))?;
        Ok(true)
    }

    /// Takes a type that stands for itself: it must be the only one.
    fn whole_type(
        &mut self,
        to: &mut Collected,
        parse: fn(&mut Self) -> Parse<TypeSpecifier>,
    ) -> Parse<()> {
        let span = self.span();
        self.refuse_second_type(to)?;
        if !to.words.is_empty() {
            return self.report(Diagnostic::error(span, "two types in one declaration"));
        }
        let ty = self.nested(parse)?;
        to.ty = Some((ty, self.since(span)));
        Ok(())
    }

    /// Fails if the type is complete already; after a closing brace a `;` was forgotten.
    fn refuse_second_type(&mut self, to: &Collected) -> Parse<()> {
        let Some((ty, span)) = &to.ty else { return Ok(()) };
        let defines = match ty {
            TypeSpecifier::Record(record) => record.members.is_some(),
            TypeSpecifier::Enum(specifier) => specifier.enumerators.is_some(),
            _ => false,
        };
        if defines {
            return self.expected("`;`", "after the definition of a type");
        }
        let diagnostic = Diagnostic::error(self.span(), "two types in one declaration")
            .also(*span, "the first is here");
        self.report(diagnostic)
    }

    /// Takes one of the words that make up an arithmetic type.
    fn type_word(&mut self, keyword: Keyword, to: &mut Collected) -> Parse<bool> {
        let sign = match keyword {
            Keyword::Signed => Some(Sign::Signed),
            Keyword::Unsigned => Some(Sign::Unsigned),
            _ => None,
        };
        let base = matches!(
            keyword,
            Keyword::Int
                | Keyword::Char
                | Keyword::Int128
                | Keyword::Int128Typedef
                | Keyword::Uint128Typedef
                | Keyword::Void
                | Keyword::Bool
                | Keyword::Float
                | Keyword::Double
        );
        let modifier = matches!(keyword, Keyword::Long | Keyword::Short | Keyword::Complex);
        if sign.is_none() && !base && !modifier {
            return Ok(false);
        }
        self.refuse_second_type(to)?;
        let TokenKind::Ident(name) = self.kind() else { return Ok(false) };
        let name = name.clone();
        let is_typedef = matches!(to.storage, Some((StorageClass::Typedef, _)));
        let words = &mut to.words;
        let clash = match keyword {
            Keyword::Signed | Keyword::Unsigned => words.sign.is_some() && words.sign != sign,
            Keyword::Long => words.longs == 2 || words.short,
            Keyword::Short => words.short || words.longs > 0,
            _ => base && words.base.is_some(),
        };
        if clash && name.starts_with("_Float") && is_typedef {
            // Old C libraries declare what newer compilers know: `typedef float _Float32;`.
            self.bump();
            return Ok(true);
        }
        if clash {
            let earlier = words.span.unwrap_or(self.span());
            let message = format!("`{name}` does not go with the type before it");
            return self
                .report(Diagnostic::error(self.span(), message).also(earlier, "the type so far"));
        }
        words.sign = sign.or(words.sign);
        words.longs += u8::from(keyword == Keyword::Long);
        words.short |= keyword == Keyword::Short;
        words.complex |= keyword == Keyword::Complex;
        if base {
            words.base = Some((keyword, name));
        }
        let here = self.tokens[self.pos].span;
        words.span = Some(words.span.map_or(here, |first| first.to(here)));
        self.bump();
        Ok(true)
    }

    fn alignas(&mut self) -> Parse<AlignAs> {
        self.bump();
        let open = self.expect("(", "after `_Alignas`")?;
        let alignas = if self.starts_type(0) {
            AlignAs::Type(self.type_name()?)
        } else {
            AlignAs::Expr(self.conditional_expression()?)
        };
        self.expect_close(")", open)?;
        Ok(alignas)
    }

    /// `_Atomic(type)`.
    fn atomic_type(&mut self) -> Parse<TypeSpecifier> {
        self.bump();
        let open = self.expect("(", "after `_Atomic`")?;
        let ty = self.type_name_or_unknown()?;
        self.expect_close(")", open)?;
        Ok(TypeSpecifier::Atomic(Box::new(ty)))
    }

    /// A type name where nothing else can stand, so that an unknown name is surely one.
    pub(super) fn type_name_or_unknown(&mut self) -> Parse<crate::ast::TypeName> {
        self.refuse_unknown_type();
        self.type_name()
    }

    /// `typeof(type)` or `typeof(expression)`, or `typeof_unqual` of them.
    fn typeof_type(&mut self) -> Parse<TypeSpecifier> {
        let unqualified = self.at_keyword(Keyword::TypeofUnqual);
        self.bump();
        let open = self.expect("(", "after `typeof`")?;
        let ty = if self.starts_type(0) {
            TypeSpecifier::TypeofType(Box::new(self.type_name()?))
        } else {
            TypeSpecifier::TypeofExpr(Box::new(self.expression()?))
        };
        self.expect_close(")", open)?;
        Ok(if unqualified { TypeSpecifier::Unqualified(Box::new(ty)) } else { ty })
    }
}
