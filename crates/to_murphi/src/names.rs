//! Names and texts that Murphi accepts.

/// The negation of a condition.
pub fn negated(cond: &str) -> String {
    let swapped = |from: &str, to: &str| {
        let mut parts = cond.split(from);
        let parts = (parts.next(), parts.next(), parts.next());
        match parts {
            (Some(a), Some(b), None) if !cond.contains(['&', '|', '?']) => {
                Some(format!("{a}{to}{b}"))
            }
            _ => None,
        }
    };
    if let Some(rest) = cond.strip_prefix('!') {
        return rest.to_string();
    }
    let swapped = swapped(" != ", " = ").or_else(|| swapped(" = ", " != "));
    swapped.unwrap_or_else(|| format!("!{cond}"))
}

/// A text without the brackets around it.
pub fn bare(text: &str) -> &str {
    let Some(inner) = text.strip_prefix('(').and_then(|text| text.strip_suffix(')')) else {
        return text;
    };
    let mut depth = 0;
    for letter in inner.chars() {
        match letter {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth < 0 {
            return text;
        }
    }
    inner
}

/// A text that can stand between quotes.
pub fn quoted(text: &str) -> String {
    text.chars().map(|c| if c == '"' || c == '\\' || c.is_control() { '\'' } else { c }).collect()
}

/// A name that Murphi accepts.
pub fn identifier(name: &str) -> String {
    let mut out: String = name
        .trim_start_matches("__fp_")
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() || c == '_' { c } else { '_' })
        .collect();
    if !out.starts_with(|c: char| c.is_ascii_alphabetic()) {
        out.insert(0, 'v');
    }
    if RESERVED.contains(&out.to_ascii_lowercase().as_str()) {
        out.push('_');
    }
    out
}

/// The words of the language, and the names that models use for themselves.
const RESERVED: [&str; 106] = [
    "alias",
    "arg",
    "array",
    "assert",
    "assume",
    "begin",
    "boolean",
    "by",
    "case",
    "choose",
    "clear",
    "collect",
    "const",
    "could",
    "cover",
    "do",
    "effect",
    "effects",
    "else",
    "elsif",
    "end",
    "endalias",
    "endexists",
    "endfor",
    "endforall",
    "endfunction",
    "endif",
    "endprocedure",
    "endrecord",
    "endrule",
    "endruleset",
    "ends",
    "endstartstate",
    "endswitch",
    "endwhile",
    "enum",
    "error",
    "exists",
    "false",
    "fits",
    "for",
    "forall",
    "free",
    "from",
    "function",
    "heap",
    "idle",
    "if",
    "in",
    "interleaved",
    "invariant",
    "is",
    "ismember",
    "isundefined",
    "liveness",
    "multiset",
    "multisetadd",
    "multisetcount",
    "multisetremove",
    "multisetremovepred",
    "next",
    "node",
    "nothing",
    "null",
    "of",
    "old",
    "op",
    "other",
    "pc",
    "present",
    "procedure",
    "process",
    "program",
    "put",
    "r",
    "real",
    "record",
    "release",
    "released",
    "return",
    "room",
    "rule",
    "ruleset",
    "running",
    "s",
    "scalarset",
    "serial",
    "spare",
    "startstate",
    "state",
    "string",
    "switch",
    "t",
    "th",
    "then",
    "thread",
    "to",
    "true",
    "type",
    "undefine",
    "union",
    "unused",
    "var",
    "visit",
    "weight",
    "while",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_are_dropped_only_around_the_whole() {
        assert_eq!(bare("(a = b)"), "a = b");
        assert_eq!(bare("(a) | (b)"), "(a) | (b)");
        assert_eq!(bare("a"), "a");
    }

    #[test]
    fn a_condition_is_negated_in_its_text() {
        assert_eq!(negated("(top != null)"), "(top = null)");
        assert_eq!(negated("(top = null)"), "(top != null)");
        assert_eq!(negated("!marked"), "marked");
        assert_eq!(negated("marked"), "!marked");
        assert_eq!(negated("(a = b & c = d)"), "!(a = b & c = d)");
    }

    #[test]
    fn names_of_the_language_get_another_form() {
        assert_eq!(identifier("end"), "end_");
        assert_eq!(identifier("__fp_owner"), "owner");
        assert_eq!(identifier("q->tail"), "q__tail");
        assert_eq!(identifier("7"), "v7");
    }
}
