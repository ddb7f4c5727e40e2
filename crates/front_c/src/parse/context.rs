//! Words that C23 made keywords, in texts that may be older: each is one unless the program uses it
//! as a name of its own somewhere.
//!
//! `bool`, `true`, `false`, `nullptr` and `nullptr_t` need no keywords: they are what a declaration
//! has not made of them.

use super::keyword::Keyword;
use crate::token::{Token, TokenKind};

const WORDS: [(&str, Keyword); 6] = [
    ("alignas", Keyword::Alignas),
    ("alignof", Keyword::Alignof),
    ("constexpr", Keyword::Constexpr),
    ("static_assert", Keyword::StaticAssert),
    ("thread_local", Keyword::ThreadLocal),
    ("typeof_unqual", Keyword::TypeofUnqual),
];

/// Adds to the keywords of the tokens those of C23.
pub(super) fn add_words(tokens: &[Token], keywords: &mut [Option<Keyword>]) {
    for (word, keyword) in WORDS {
        let is_word =
            |token: &Token| matches!(&token.kind, TokenKind::Ident(name) if **name == *word);
        let places: Vec<usize> = (0..tokens.len()).filter(|&at| is_word(&tokens[at])).collect();
        if places.iter().all(|&at| fits(keyword, at, tokens, keywords)) {
            for at in places {
                keywords[at] = Some(keyword);
            }
        }
    }
}

/// Whether the keyword can stand at this place.
fn fits(keyword: Keyword, at: usize, tokens: &[Token], keywords: &[Option<Keyword>]) -> bool {
    let kind = |at: usize| tokens.get(at).map_or(&TokenKind::End, |token| &token.kind);
    let before = at.checked_sub(1).map(kind);
    if let Some(TokenKind::Punct("." | "->")) = before {
        return false;
    }
    let in_parentheses = matches!(kind(at + 1), TokenKind::Punct("("));
    let after_type = || {
        let keyword = at.checked_sub(1).and_then(|before| keywords[before]);
        let is_word = matches!(before, Some(TokenKind::Ident(_)));
        is_word && keyword.is_none_or(Keyword::starts_specifiers)
    };
    match keyword {
        Keyword::Alignof | Keyword::StaticAssert => in_parentheses && !after_type(),
        Keyword::Constexpr | Keyword::ThreadLocal => matches!(kind(at + 1), TokenKind::Ident(_)),
        _ => in_parentheses,
    }
}
