//! The attributes of C23, `[[name, prefix::name(…)]]`, as those of GNU: `__attribute__((name, …))`.
//!
//! Two opening brackets in a row are nothing else in C, wherever they stand, and where C23 allows an
//! attribute gcc's own may stand, too.

use crate::token::{Token, TokenKind};

/// Tokens in which the attributes of C23 are written as those of GNU.
pub(super) fn as_gnu(tokens: Vec<Token>) -> Vec<Token> {
    if !tokens.windows(2).any(|pair| is(&pair[0], "[") && is(&pair[1], "[")) {
        return tokens;
    }
    let mut out = Vec::with_capacity(tokens.len());
    let mut at = 0;
    while at < tokens.len() {
        let starts = is(&tokens[at], "[") && tokens.get(at + 1).is_some_and(|next| is(next, "["));
        match end_of_attribute(&tokens, at).filter(|_| starts) {
            Some(end) => {
                rewrite(&tokens[at..end], &mut out);
                at = end;
            }
            None => {
                out.push(tokens[at].clone());
                at += 1;
            }
        }
    }
    out
}

/// Where the attribute ends that starts with two brackets.
fn end_of_attribute(tokens: &[Token], start: usize) -> Option<usize> {
    let mut depth = 0usize;
    for (index, token) in tokens.iter().enumerate().skip(start) {
        match token.kind {
            TokenKind::Punct("[" | "(") => depth += 1,
            TokenKind::Punct("]" | ")") => depth = depth.checked_sub(1)?,
            TokenKind::End => return None,
            _ => {}
        }
        if depth == 0 {
            return Some(index + 1);
        }
    }
    None
}

fn rewrite(attribute: &[Token], out: &mut Vec<Token>) {
    let [open, inner, names @ .., close, last] = attribute else { return };
    let put = |out: &mut Vec<Token>, token: &Token, kind| {
        out.push(Token { kind, ..token.clone() });
    };
    put(out, open, TokenKind::Ident("__attribute__".into()));
    put(out, open, TokenKind::Punct("("));
    put(out, inner, TokenKind::Punct("("));
    for token in names {
        let colons = out.iter().rev().take_while(|before| is(before, ":")).count();
        if colons == 2 {
            // The prefix and the colons go.
            out.truncate(out.len() - 3);
        }
        out.push(token.clone());
    }
    put(out, close, TokenKind::Punct(")"));
    put(out, last, TokenKind::Punct(")"));
}

fn is(token: &Token, punct: &str) -> bool {
    matches!(token.kind, TokenKind::Punct(p) if p == punct)
}
