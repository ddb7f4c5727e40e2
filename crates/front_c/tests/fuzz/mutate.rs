//! A small deterministic mutator: bytes, tokens, lines and nests of the seed programs.

/// Text that is likely to matter to some stage.
const DICTIONARY: &[&str] = &[
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    ";",
    ",",
    ":",
    "?",
    "...",
    "##",
    "#",
    "->",
    "*",
    "&&",
    "=",
    "\\\n",
    "\"",
    "'",
    "/*",
    "*/",
    "//",
    "\n#define A A B\n",
    "\n#define F(x,...) x##x #x __VA_ARGS__\n",
    "\n#include <pthread.h>\n",
    "\n#include \"fuzz.c\"\n",
    "\n#if 1\n",
    "\n#else\n",
    "\n#endif\n",
    "\n#pragma pack(1)\n",
    "\n#undef F\n",
    "F(",
    "F(F)(1)",
    "defined(",
    "_Pragma(\"pack(2)\")",
    "int",
    "char",
    "long",
    "unsigned",
    "short",
    "_Bool",
    "void",
    "struct",
    "union",
    "enum",
    "typedef",
    "static",
    "extern",
    "const",
    "volatile",
    "_Atomic",
    "_Atomic(",
    "_Thread_local",
    "_Alignas(",
    "_Alignof(",
    "sizeof",
    "_Generic(",
    "_Static_assert(",
    "__typeof__(",
    "__auto_type",
    "__attribute__((packed))",
    "__attribute__((aligned(16)))",
    "__int128",
    "float",
    "asm(\"\" ::: \"memory\")",
    "__label__ l;",
    "goto l;",
    "l:",
    "&&l",
    "goto *",
    "case 1:",
    "case 1 ... 3:",
    "default:",
    "switch(",
    "while(",
    "for(;;)",
    "do",
    "if(",
    "else",
    "break;",
    "continue;",
    "return",
    "({",
    "})",
    "(int){1}",
    "{0}",
    "[1 ... 3] =",
    ".x =",
    "x:",
    "0",
    "1",
    "-1",
    "0x7fffffffffffffff",
    "18446744073709551615u",
    "1.5",
    "09",
    "1e999",
    "'a'",
    "\"s\"",
    "L\"w\"",
    "'\\x'",
    "main",
    "x",
    "__func__",
    "__fp_atomic",
    "__fp_assume(",
    "__atomic_load_n(",
    "__builtin_offsetof(",
    "__builtin_choose_expr(",
    "__sync_fetch_and_add(",
    "printf(\"%d\"",
    "memory_order_seq_cst",
    "__COUNTER__",
    "__LINE__",
    "__VA_ARGS__",
    "\u{e9}",
    "\0",
    "\u{feff}",
];

/// Pairs that nest: each is opened and closed many times.
const NESTS: &[(&str, &str)] = &[
    ("({ __auto_type x = ", "; x; })"),
    ("malloc(sizeof(", "))"),
    ("({ int x = ", "; x; })"),
    ("__atomic_fetch_add(&x, ", ", 5)"),
    ("(", ")"),
    ("{", "}"),
    ("[", "]"),
    ("({", ";})"),
    ("f(", ")"),
    ("(int)", ""),
    ("-", ""),
    ("*", ""),
    ("struct{", "}x;"),
    ("if(1)", ""),
    ("1+", ""),
    ("a?", ":b"),
    ("a=", ""),
    ("sizeof ", ""),
    ("_Atomic(", ")"),
    ("{.x=", "}"),
    ("int(", ")"),
    ("case 1:", ""),
    ("F(", ")"),
    ("\n#if 1\n", "\n#endif\n"),
    ("__typeof__(", ")"),
    ("for(;;)", ""),
    ("!", ""),
];

/// Words that can often replace each other in a program that stays grammatical.
const WORDS: &[&[&str]] = &[
    &[
        "int",
        "char",
        "short",
        "long",
        "unsigned",
        "_Bool",
        "void",
        "__int128",
        "signed char",
        "unsigned long",
        "float",
        "double",
        "long double",
        "_Atomic float",
        "struct s",
        "int *",
        "void *",
        "_Atomic int",
        "const int",
        "volatile int",
        "__typeof__(x)",
        "int[3]",
        "int (*)(void)",
    ],
    &[
        "0",
        "1",
        "-1",
        "2",
        "7",
        "31",
        "32",
        "63",
        "64",
        "127",
        "255",
        "65536",
        "2147483647",
        "2147483648",
        "4294967295u",
        "9223372036854775807",
        "18446744073709551615u",
        "1ull << 63",
        "0.5",
        "-0.0f",
        "1e300",
        "0x1p-1074",
        "(1 << 28)",
        "'\\n'",
        "\"s\"",
        "1.0",
        "sizeof(int)",
        "(char)200",
        "(void *)0",
        "x",
        "&x",
        "*x",
    ],
    &[
        "+", "-", "*", "/", "%", "<<", ">>", "<", ">", "<=", ">=", "==", "!=", "&", "^", "|", "&&",
        "||", "=", "+=", "-=", "<<=", ">>=", ",", ".", "->", "?:",
    ],
    &[
        "if (x)",
        "while (x)",
        "do",
        "for (;;)",
        "switch (x)",
        "case 1:",
        "default:",
        "break;",
        "continue;",
        "return;",
        "return x;",
        "goto l;",
        "l:",
        "{",
        "}",
        ";",
        "else",
    ],
];

/// Makes inputs from seeds.
pub struct Mutator {
    seeds: Vec<Vec<u8>>,
}

impl Mutator {
    pub fn new(seeds: Vec<Vec<u8>>) -> Self {
        assert!(!seeds.is_empty(), "there are seeds");
        Self { seeds }
    }

    /// The input of this number.
    pub fn input(&self, number: u64) -> Vec<u8> {
        let mut random = Random(number.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5bf0_3635);
        let mut text = self.seed(&mut random).to_vec();
        // Mostly few changes, so that many inputs reach the later stages.
        let changes = [1, 1, 2, 2, 3, 6][random.below(6)];
        for _ in 0..changes {
            self.mutate(&mut text, &mut random);
        }
        text.truncate(200_000);
        text
    }

    fn seed(&self, random: &mut Random) -> &[u8] {
        &self.seeds[random.below(self.seeds.len())]
    }

    /// Replaces a token by another of the same kind from the same text.
    fn replace_same_kind(&self, text: &mut Vec<u8>, random: &mut Random) {
        let kind = |byte: Option<&u8>| match byte {
            Some(byte) if byte.is_ascii_digit() => 0,
            Some(byte) if byte.is_ascii_alphabetic() || *byte == b'_' => 1,
            _ => 2,
        };
        let (from, to) = token(text, random);
        for _ in 0..20 {
            let (first, last) = token(text, random);
            if kind(text.get(from)) == kind(text.get(first)) && text[from..to] != text[first..last]
            {
                let other = text[first..last].to_vec();
                text.splice(from..to, other);
                return;
            }
        }
    }

    fn mutate(&self, text: &mut Vec<u8>, random: &mut Random) {
        match random.below(18) {
            0 if !text.is_empty() => {
                let at = random.below(text.len());
                text[at] ^= 1 << random.below(8);
            }
            1 => {
                let word = DICTIONARY[random.below(DICTIONARY.len())];
                insert(text, random, format!(" {word} ").as_bytes());
            }
            2 => {
                let (from, to) = token(text, random);
                text.drain(from..to);
            }
            3 => {
                let (from, to) = token(text, random);
                let word = DICTIONARY[random.below(DICTIONARY.len())];
                text.splice(from..to, word.bytes());
            }
            4 => {
                let (from, to) = token(text, random);
                let (first, last) = token(text, random);
                let other = text[first..last].to_vec();
                text.splice(from..to, other);
            }
            5 => {
                let (from, to) = range(text, random, 200);
                let piece = text[from..to].repeat(1 + random.below(3));
                insert(text, random, &piece);
            }
            6 => {
                let (from, to) = range(text, random, 200);
                text.drain(from..to);
            }
            7 => {
                let other = self.seed(random).to_vec();
                let (from, to) = range(&other, random, 400);
                insert(text, random, &other[from..to]);
            }
            8..=11 => self.replace_same_kind(text, random),
            12..=14 => {
                let (from, to) = token(text, random);
                let words = WORDS[random.below(WORDS.len())];
                let word = words[random.below(words.len())];
                text.splice(from..to, word.bytes());
            }
            15..=16 => lines(text, random),
            _ => {
                let (open, close) = NESTS[random.below(NESTS.len())];
                let count = [3, 40, 300, 5000][random.below(4)];
                insert(text, random, close.repeat(count).as_bytes());
                insert(text, random, open.repeat(count).as_bytes());
            }
        }
    }
}

/// Deletes, repeats or exchanges lines.
fn lines(text: &mut Vec<u8>, random: &mut Random) {
    let mut lines: Vec<&[u8]> = text.split_inclusive(|&byte| byte == b'\n').collect();
    if lines.is_empty() {
        return;
    }
    let (a, b) = (random.below(lines.len()), random.below(lines.len()));
    match random.below(3) {
        0 => {
            lines.remove(a);
        }
        1 => lines.insert(b, lines[a]),
        _ => lines.swap(a, b),
    }
    *text = lines.concat();
}

/// Puts `piece` at some place, mostly between tokens.
fn insert(text: &mut Vec<u8>, random: &mut Random, piece: &[u8]) {
    let at = token(text, random).0;
    text.splice(at..at, piece.iter().copied());
}

/// Some stretch of at most `longest` bytes.
fn range(text: &[u8], random: &mut Random, longest: usize) -> (usize, usize) {
    let from = random.below(text.len() + 1);
    let length = random.below(longest.min(text.len() - from) + 1);
    (from, from + length)
}

/// A word, number or single character at some place.
fn token(text: &[u8], random: &mut Random) -> (usize, usize) {
    if text.is_empty() {
        return (0, 0);
    }
    let word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let at = random.below(text.len());
    if !word(&text[at]) {
        return (at, at + 1);
    }
    let from = text[..at].iter().rposition(|byte| !word(byte)).map_or(0, |before| before + 1);
    let to = text[at..].iter().position(|byte| !word(byte)).map_or(text.len(), |n| at + n);
    (from, to)
}

/// SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Some number smaller than `bound`, which is not zero.
    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }
}
