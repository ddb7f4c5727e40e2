//! Spellings as small numbers: every preprocessing token's text is stored once.

use std::collections::HashMap;
use std::rc::Rc;

/// A spelling known to an [`Interner`]. The spellings of [`KNOWN`] have the same number in every
/// interner, so they are compile-time constants ([`known`]).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Symbol(pub u32);

/// Spellings that the preprocessor itself looks for. The punctuators come first.
pub const KNOWN: &[&str] = &[
    "[",
    "]",
    "(",
    ")",
    "{",
    "}",
    ".",
    "->",
    "++",
    "--",
    "&",
    "*",
    "+",
    "-",
    "~",
    "!",
    "/",
    "%",
    "<<",
    ">>",
    "<",
    ">",
    "<=",
    ">=",
    "==",
    "!=",
    "^",
    "|",
    "&&",
    "||",
    "?",
    ":",
    ";",
    "...",
    "=",
    "*=",
    "/=",
    "%=",
    "+=",
    "-=",
    "<<=",
    ">>=",
    "&=",
    "^=",
    "|=",
    ",",
    "#",
    "##",
    "<:",
    ":>",
    "<%",
    "%>",
    "%:",
    "%:%:",
    "",
    "define",
    "undef",
    "include",
    "include_next",
    "if",
    "ifdef",
    "ifndef",
    "elif",
    "elifdef",
    "elifndef",
    "else",
    "endif",
    "error",
    "warning",
    "line",
    "pragma",
    "ident",
    "once",
    "defined",
    "__VA_ARGS__",
    "__VA_OPT__",
    "_Pragma",
    "__has_include",
    "__has_include_next",
    "__has_attribute",
    "__has_c_attribute",
    "__has_builtin",
    "__has_feature",
    "__has_extension",
    "push_macro",
    "pop_macro",
    "STDC",
];

/// How many of [`KNOWN`] are punctuators.
const PUNCTUATORS: usize = 54;

/// The symbol of a spelling in [`KNOWN`]; fails to compile for any other.
pub const fn known(spelling: &str) -> Symbol {
    let mut index = 0;
    while index < KNOWN.len() {
        if same(KNOWN[index].as_bytes(), spelling.as_bytes()) {
            return Symbol(index as u32);
        }
        index += 1;
    }
    panic!("not a known spelling")
}

const fn same(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let mut index = 0;
    while index < a.len() {
        if a[index] != b[index] {
            return false;
        }
        index += 1;
    }
    true
}

/// The standard spelling of a punctuator: digraphs give what they stand for.
pub fn punctuation(symbol: Symbol) -> Option<&'static str> {
    let spelling = *KNOWN[..PUNCTUATORS].get(symbol.0 as usize)?;
    Some(match spelling {
        "<:" => "[",
        ":>" => "]",
        "<%" => "{",
        "%>" => "}",
        "%:" => "#",
        "%:%:" => "##",
        other => other,
    })
}

/// The table of spellings.
pub struct Interner {
    symbols: HashMap<Rc<str>, Symbol>,
    spellings: Vec<Rc<str>>,
}

impl Interner {
    /// A table that holds [`KNOWN`].
    pub fn new() -> Self {
        let spellings: Vec<Rc<str>> = KNOWN.iter().map(|&spelling| Rc::from(spelling)).collect();
        let numbered = spellings.iter().enumerate();
        let symbols = numbered.map(|(i, spelling)| (spelling.clone(), Symbol(i as u32))).collect();
        Self { symbols, spellings }
    }

    /// The symbol of a spelling.
    pub fn intern(&mut self, spelling: &str) -> Symbol {
        if let Some(&symbol) = self.symbols.get(spelling) {
            return symbol;
        }
        let symbol = Symbol(self.spellings.len() as u32);
        let shared: Rc<str> = Rc::from(spelling);
        self.spellings.push(shared.clone());
        self.symbols.insert(shared, symbol);
        symbol
    }

    /// The spelling of a symbol.
    pub fn spelling(&self, symbol: Symbol) -> &Rc<str> {
        &self.spellings[symbol.0 as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_punctuators_come_first_and_digraphs_stand_for_others() {
        assert_eq!(KNOWN[PUNCTUATORS], "");
        assert_eq!(punctuation(known("<:")), Some("["));
        assert_eq!(punctuation(known("...")), Some("..."));
        assert_eq!(punctuation(known("define")), None);
    }

    #[test]
    fn known_spellings_keep_their_constants() {
        let mut interner = Interner::new();
        for spelling in ["##", "defined", "__VA_ARGS__"] {
            assert_eq!(&**interner.spelling(interner.symbols[spelling]), spelling);
        }
        assert_eq!(interner.intern("->"), known("->"));
        let fresh = interner.intern("fresh");
        assert_eq!(interner.intern("fresh"), fresh);
    }
}
