//! `#pragma pack`, the only pragma that the preprocessor leaves to the parser.

use crate::token::{Token, TokenKind};
use execution::diagnostic::Diagnostic;

/// The packing in force from each token index on.
type Packs = Vec<(usize, Option<u64>)>;

/// Takes the pragmas out of the tokens.
pub(super) fn separate(all: Vec<Token>, diagnostics: &mut Vec<Diagnostic>) -> (Vec<Token>, Packs) {
    let mut tokens = Vec::with_capacity(all.len());
    let mut packs = Vec::new();
    let mut packing = Packing::default();
    for token in all {
        let TokenKind::Pragma(text) = &token.kind else {
            tokens.push(token);
            continue;
        };
        if let Some(rest) = text.strip_prefix("pack") {
            match packing.apply(rest) {
                Ok(()) => packs.push((tokens.len(), packing.now)),
                Err(message) => diagnostics.push(Diagnostic::error(token.span, message)),
            }
        }
    }
    (tokens, packs)
}

/// The state of `#pragma pack`.
#[derive(Default)]
struct Packing {
    now: Option<u64>,
    stack: Vec<Option<u64>>,
}

impl Packing {
    /// Obeys what stands after `pack`: `(push, 4)`, `(pop)`, `(1)`, `()`.
    fn apply(&mut self, rest: &str) -> Result<(), String> {
        let inner = rest
            .trim()
            .strip_prefix('(')
            .and_then(|rest| rest.strip_suffix(')'))
            .ok_or("expected `(…)` after `#pragma pack`")?;
        let mut words = inner.split(',').map(str::trim).filter(|word| !word.is_empty()).peekable();
        match words.peek() {
            None => self.now = None,
            Some(&"push") => {
                words.next();
                self.stack.push(self.now);
            }
            Some(&"pop") => {
                words.next();
                self.now = self.stack.pop().ok_or("`#pragma pack(pop)` without an earlier push")?;
            }
            Some(_) => {}
        }
        if let Some(word) = words.next() {
            self.now = match word.parse() {
                Ok(0) => None,
                Ok(bytes @ (1 | 2 | 4 | 8 | 16)) => Some(bytes),
                _ => return Err(format!("`{word}` is not an alignment that can be packed to")),
            };
        }
        match words.next() {
            Some(word) => Err(format!("unexpected `{word}` in `#pragma pack`")),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pack_keeps_a_stack() {
        let mut packing = Packing::default();
        let mut seen = Vec::new();
        for text in ["(push, 1)", "(push)", "(4)", "(pop)", "(pop)", "(2)", "()"] {
            packing.apply(text).expect(text);
            seen.push(packing.now);
        }
        assert_eq!(seen, [Some(1), Some(1), Some(4), Some(1), None, Some(2), None]);
        assert!(packing.apply("(pop)").is_err());
        assert!(packing.apply("(3)").is_err());
        assert!(packing.apply("1").is_err());
    }
}
