//! What `__has_attribute` and `__has_builtin` say yes to.

/// Attributes that the front end acts upon, or that change nothing it models.
const ATTRIBUTES: &[&str] = &[
    "packed",
    "aligned",
    "unused",
    "used",
    "noinline",
    "always_inline",
    "noreturn",
    "const",
    "pure",
    "hot",
    "cold",
    "malloc",
    "nonnull",
    "returns_nonnull",
    "warn_unused_result",
    "format",
    "deprecated",
    "fallthrough",
    "may_alias",
    "visibility",
    "weak",
    "alloc_size",
    "leaf",
    "nothrow",
    "gnu_inline",
    "artificial",
    "noclone",
    "flatten",
    "assume_aligned",
    "sentinel",
    "transparent_union",
    "tls_model",
    "section",
];

/// Builtins outside the families `__atomic_…` and `__sync_…`.
const BUILTINS: &[&str] = &[
    "expect",
    "unreachable",
    "trap",
    "constant_p",
    "offsetof",
    "types_compatible_p",
    "choose_expr",
    "clz",
    "clzl",
    "clzll",
    "ctz",
    "ctzl",
    "ctzll",
    "popcount",
    "popcountl",
    "popcountll",
    "ffs",
    "ffsl",
    "ffsll",
    "parity",
    "parityl",
    "parityll",
    "bswap16",
    "bswap32",
    "bswap64",
    "add_overflow",
    "sub_overflow",
    "mul_overflow",
    "sadd_overflow",
    "saddl_overflow",
    "saddll_overflow",
    "ssub_overflow",
    "ssubl_overflow",
    "ssubll_overflow",
    "smul_overflow",
    "smull_overflow",
    "smulll_overflow",
    "uadd_overflow",
    "uaddl_overflow",
    "uaddll_overflow",
    "usub_overflow",
    "usubl_overflow",
    "usubll_overflow",
    "umul_overflow",
    "umull_overflow",
    "umulll_overflow",
    "prefetch",
    "memcpy",
    "memset",
    "memmove",
    "memcmp",
    "strlen",
    "strcmp",
    "assume_aligned",
    "abort",
    "exit",
];

/// Whether an attribute (with or without its underscores) is accepted.
pub fn has_attribute(name: &str) -> bool {
    let bare = name.strip_prefix("__").and_then(|name| name.strip_suffix("__")).unwrap_or(name);
    ATTRIBUTES.contains(&bare)
}

/// Whether a builtin function exists.
pub fn has_builtin(name: &str) -> bool {
    name.starts_with("__atomic_")
        || name.starts_with("__sync_")
        || name.strip_prefix("__builtin_").is_some_and(|name| BUILTINS.contains(&name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_are_known_in_both_spellings() {
        assert!(has_attribute("packed") && has_attribute("__packed__"));
        assert!(!has_attribute("vector_size"));
    }

    #[test]
    fn alloca_is_refused_so_it_is_not_claimed() {
        assert!(has_builtin("__builtin_expect") && has_builtin("__atomic_load_n"));
        assert!(!has_builtin("__builtin_alloca"));
    }
}
