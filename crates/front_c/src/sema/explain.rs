//! Words for messages: what the user wrote, where a name was declared first, what was meant.

use super::scope::Entity;
use super::{Checked, Sema};
use crate::ast::Ident;
use crate::sema::types::RecordId;
use execution::diagnostic::Diagnostic;
use execution::span::Span;
use std::ops::Range;

/// The longest source text that is quoted inside a sentence.
const LONGEST_QUOTE: usize = 30;

impl Sema<'_> {
    /// The source text at a place in quotes, or "this" where it is long or made by a macro.
    pub fn quoted(&self, span: Span) -> String {
        let text = self.sources.text(span);
        let fits = !text.is_empty() && text.len() <= LONGEST_QUOTE && !text.contains('\n');
        if fits && span.expansion.is_none() { format!("`{text}`") } else { "this".into() }
    }

    /// Fails because `name` is declared already, and shows where.
    pub fn declared_before<T>(&self, name: &Ident, message: String) -> Checked<T> {
        let diagnostic = Diagnostic::error(name.span, message);
        Err(match self.scopes.find_here(&name.name).and_then(|first| self.place_of(first)) {
            Some(first) => diagnostic.also(first, "the first declaration is here").into(),
            None => diagnostic.into(),
        })
    }

    /// Where something was declared.
    fn place_of(&self, entity: &Entity) -> Option<Span> {
        match entity {
            Entity::Local(id) => Some(self.function.as_ref()?.locals[*id].span),
            Entity::Object(id) => Some(self.unit.objects[*id].span),
            Entity::Function(id) => Some(self.unit.functions[*id].span),
            Entity::Typedef(_) | Entity::Constant(..) | Entity::Poisoned | Entity::Refused(_) => {
                None
            }
        }
    }

    /// Fails because a struct or union has no such member.
    pub fn no_member<T>(&self, id: RecordId, name: &Ident) -> Checked<T> {
        let ty = self.unit.types.name_of(&crate::sema::types::Type::Record(id));
        let message = format!("`{ty}` has no member `{}`", name.name);
        let diagnostic = Diagnostic::error(name.span, message);
        let body = self.unit.types.records[id].body.as_ref();
        let fields = body.into_iter().flat_map(|body| &body.fields);
        let names = fields.filter_map(|field| field.name.as_deref());
        Err(match crate::hints::similar(&name.name, names) {
            Some(similar) => diagnostic.note(format!("did you mean `{similar}`?")).into(),
            None => diagnostic.into(),
        })
    }

    /// The place of some units inside a string literal: exact for a single plain literal, the
    /// whole literal otherwise.
    pub fn inside_literal(&self, literal: Span, units: Range<usize>) -> Span {
        let text = self.sources.text(literal);
        let Some(offsets) = unit_offsets(text) else { return literal };
        match (offsets.get(units.start), offsets.get(units.end)) {
            (Some(start), Some(end)) => {
                Span { start: literal.start + start, end: literal.start + end, ..literal }
            }
            _ => literal,
        }
    }
}

/// Where each byte of a plain string literal is written, and where its closing quote is.
fn unit_offsets(text: &str) -> Option<Vec<u32>> {
    let inner = text.strip_prefix('"')?.strip_suffix('"')?.as_bytes();
    let mut offsets = Vec::new();
    let mut at = 0;
    while at < inner.len() {
        offsets.push(at as u32 + 1);
        at += match inner[at] {
            b'"' | b'\n' => return None,
            b'\\' => escape_length(&inner[at + 1..])? + 1,
            _ => 1,
        };
    }
    offsets.push(at as u32 + 1);
    Some(offsets)
}

/// How long an escape is after its backslash; `None` for those that make several bytes.
fn escape_length(rest: &[u8]) -> Option<usize> {
    let run = |digit: fn(&u8) -> bool| rest.iter().skip(1).take_while(|byte| digit(byte)).count();
    match rest.first()? {
        b'u' | b'U' | b'\n' => None,
        b'x' => Some(1 + run(u8::is_ascii_hexdigit)),
        b'0'..=b'7' => Some(1 + run(|byte| (b'0'..=b'7').contains(byte)).min(2)),
        _ => Some(1),
    }
}

#[cfg(test)]
mod tests {
    use super::unit_offsets;

    #[test]
    fn every_byte_of_a_literal_has_its_place() {
        assert_eq!(unit_offsets(r#""ab""#), Some(vec![1, 2, 3]));
        assert_eq!(unit_offsets(r#""\n%d""#), Some(vec![1, 3, 4, 5]));
        assert_eq!(unit_offsets(r#""\x41\1234""#), Some(vec![1, 5, 9, 10]));
        assert_eq!(unit_offsets(r#""a" "b""#), None);
        assert_eq!(unit_offsets(r#""\u00e9""#), None);
        assert_eq!(unit_offsets("L\"a\""), None);
    }
}
