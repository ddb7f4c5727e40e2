//! The reserved words of C11 and GNU C, alternate spellings folded together.

use crate::token::TokenKind;

/// A reserved word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Keyword {
    Alignas,
    Alignof,
    Asm,
    Atomic,
    Attribute,
    Auto,
    AutoType,
    /// `_BitInt`, which is refused.
    BitInt,
    Bool,
    Break,
    Case,
    Char,
    ChooseExpr,
    Complex,
    Const,
    Constexpr,
    Continue,
    Default,
    Do,
    Double,
    Else,
    Enum,
    Extension,
    Extern,
    Float,
    For,
    /// `__fp_atomic`, our atomic statement.
    FpAtomic,
    Generic,
    Goto,
    If,
    Inline,
    Int,
    Int128,
    Int128Typedef,
    Uint128Typedef,
    LocalLabel,
    Long,
    Noreturn,
    Offsetof,
    /// `__real__` and `__imag__`.
    PartOfComplex,
    Register,
    Restrict,
    Return,
    Short,
    Signed,
    Sizeof,
    Static,
    StaticAssert,
    Struct,
    Switch,
    ThreadLocal,
    Typedef,
    Typeof,
    TypeofUnqual,
    TypesCompatible,
    Union,
    Unsigned,
    VaArg,
    Void,
    Volatile,
    While,
}

/// The keyword that a token is.
/// Whether a word is reserved.
pub fn is_keyword(word: &str) -> bool {
    of(&TokenKind::Ident(word.into())).is_some()
}

pub(super) fn of(kind: &TokenKind) -> Option<Keyword> {
    let TokenKind::Ident(name) = kind else { return None };
    Some(match &**name {
        "_Alignas" => Keyword::Alignas,
        "_Alignof" | "__alignof" | "__alignof__" => Keyword::Alignof,
        "asm" | "__asm" | "__asm__" => Keyword::Asm,
        "_Atomic" => Keyword::Atomic,
        "__attribute" | "__attribute__" => Keyword::Attribute,
        "auto" => Keyword::Auto,
        "__auto_type" => Keyword::AutoType,
        "_BitInt" => Keyword::BitInt,
        "_Bool" | "__CPROVER_bool" => Keyword::Bool,
        "break" => Keyword::Break,
        "case" => Keyword::Case,
        "char" => Keyword::Char,
        "__builtin_choose_expr" => Keyword::ChooseExpr,
        "_Complex" | "__complex" | "__complex__" | "_Imaginary" => Keyword::Complex,
        "const" | "__const" | "__const__" => Keyword::Const,
        "continue" => Keyword::Continue,
        "default" => Keyword::Default,
        "do" => Keyword::Do,
        "double" => Keyword::Double,
        "else" => Keyword::Else,
        "enum" => Keyword::Enum,
        "__extension__" => Keyword::Extension,
        "extern" => Keyword::Extern,
        "float" | "_Float16" | "_Float32" | "_Float64" | "_Float128" | "_Float32x"
        | "_Float64x" | "__float128" | "__float80" | "__fp16" | "__bf16" | "_Decimal32"
        | "_Decimal64" | "_Decimal128" => Keyword::Float,
        "for" => Keyword::For,
        "__fp_atomic" => Keyword::FpAtomic,
        "_Generic" => Keyword::Generic,
        "goto" => Keyword::Goto,
        "if" => Keyword::If,
        "inline" | "__inline" | "__inline__" => Keyword::Inline,
        "int" => Keyword::Int,
        "__int128" => Keyword::Int128,
        "__int128_t" => Keyword::Int128Typedef,
        "__uint128_t" => Keyword::Uint128Typedef,
        "__label__" => Keyword::LocalLabel,
        "long" => Keyword::Long,
        "_Noreturn" => Keyword::Noreturn,
        "__builtin_offsetof" => Keyword::Offsetof,
        "__real" | "__real__" | "__imag" | "__imag__" => Keyword::PartOfComplex,
        "register" => Keyword::Register,
        "restrict" | "__restrict" | "__restrict__" => Keyword::Restrict,
        "return" => Keyword::Return,
        "short" => Keyword::Short,
        "signed" | "__signed" | "__signed__" => Keyword::Signed,
        "sizeof" => Keyword::Sizeof,
        "static" => Keyword::Static,
        "_Static_assert" => Keyword::StaticAssert,
        "struct" => Keyword::Struct,
        "switch" => Keyword::Switch,
        "_Thread_local" | "__thread" | "__CPROVER_thread_local" => Keyword::ThreadLocal,
        "typedef" => Keyword::Typedef,
        "__typeof_unqual" | "__typeof_unqual__" => Keyword::TypeofUnqual,
        "typeof" | "__typeof" | "__typeof__" => Keyword::Typeof,
        "__builtin_types_compatible_p" => Keyword::TypesCompatible,
        "union" => Keyword::Union,
        "unsigned" => Keyword::Unsigned,
        "__builtin_va_arg" => Keyword::VaArg,
        "void" => Keyword::Void,
        "volatile" | "__volatile" | "__volatile__" => Keyword::Volatile,
        "while" => Keyword::While,
        _ => return None,
    })
}

impl Keyword {
    /// Whether a declaration can start with it. (`__extension__` and `__attribute__` can also
    /// start other things and are not counted.)
    pub(super) fn starts_specifiers(self) -> bool {
        use Keyword::*;
        matches!(
            self,
            Alignas
                | Atomic
                | Auto
                | AutoType
                | BitInt
                | Bool
                | Char
                | Complex
                | Const
                | Constexpr
                | Double
                | Enum
                | Extern
                | Float
                | Inline
                | Int
                | Int128
                | Int128Typedef
                | Uint128Typedef
                | Long
                | Noreturn
                | Register
                | Restrict
                | Short
                | Signed
                | Static
                | Struct
                | ThreadLocal
                | Typedef
                | Typeof
                | TypeofUnqual
                | Union
                | Unsigned
                | Void
                | Volatile
        )
    }

    /// Whether a statement that is not an expression starts with it.
    pub(super) fn starts_statement(self) -> bool {
        use Keyword::*;
        matches!(
            self,
            Asm | Break
                | Case
                | Continue
                | Default
                | Do
                | Else
                | For
                | FpAtomic
                | Goto
                | If
                | Return
                | Switch
                | While
        )
    }
}
