//! What the uses of the program's own macros stand for, as text: macros of the embedded headers and
//! predefined ones, such as `assert` and `__FILE__`, stay in it as they are written.

use super::{COptions, FileLoader, PpToken, Preprocessor};
use execution::span::{SourceMap, Span};
use std::path::Path;

/// A use of a macro that is not in another one.
#[derive(Clone, PartialEq, Debug)]
pub struct MacroUse {
    /// The use.
    pub span: Span,
    /// What it stands for.
    pub text: String,
}

/// The uses of macros of the program's own in a file and what it includes, but for those that stand
/// for nothing. The files are numbered as [`super::preprocess`] numbers them.
pub fn uses(
    path: &Path,
    options: &COptions,
    loader: &dyn FileLoader,
    map: &mut SourceMap,
) -> Vec<MacroUse> {
    let mut preprocessor = Preprocessor::new(options, loader, map);
    preprocessor.keeps_library = true;
    preprocessor.open_main(path);
    let mut uses: Vec<MacroUse> = Vec::new();
    loop {
        let token = preprocessor.next_expanded();
        if token.is_end() {
            return uses;
        }
        let Some(&outermost) = preprocessor.map.expansions_of(token.span).last() else { continue };
        let span = preprocessor.map.expansion(outermost).call_site;
        let spelling = preprocessor.spelling(token);
        match uses.last_mut().filter(|last| last.span == span) {
            Some(last) => append(&mut last.text, token, spelling),
            None => uses.push(MacroUse { span, text: spelling.to_string() }),
        }
    }
}

fn append(text: &mut String, token: PpToken, spelling: &str) {
    let (last, first) = (text.chars().next_back(), spelling.chars().next());
    let is_word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    let member = matches!(spelling, "->" | ".") || text.ends_with("->") || text.ends_with('.');
    let tight = member
        || matches!(first, Some(')' | ',' | ';' | ']' | '[' | '('))
        || matches!(last, Some('(' | '[' | '!' | '~'));
    if (token.space && !member) || (is_word(last) && is_word(first)) || !(tight || is_word(last)) {
        text.push(' ');
    }
    text.push_str(spelling);
}

#[cfg(test)]
mod tests {
    use super::uses;
    use crate::pp::{COptions, MemoryLoader};
    use execution::span::SourceMap;
    use std::path::Path;

    #[test]
    fn macros_of_the_headers_stay_as_they_are_written() {
        let text = "#include <assert.h>\n#define OF(p) (p)->x\n#define BIG(v) assert(OF(v) > 1)\n\
                    int f(struct s *q) { BIG(q + 1); return OF(q); }\n";
        let loader = MemoryLoader::new().with("a.c", text);
        let mut map = SourceMap::new();
        let uses = uses(Path::new("a.c"), &COptions::default(), &loader, &mut map);
        let texts: Vec<(&str, &str)> =
            uses.iter().map(|one| (map.text(one.span), one.text.as_str())).collect();
        assert_eq!(texts, [("BIG(q + 1)", "assert((q + 1)->x > 1)"), ("OF(q)", "(q)->x")]);
    }
}
