//! Damaged litmus tests are refused or read, never a panic: our own corpus, with parts cut out,
//! repeated, exchanged, or replaced by parts that mean something elsewhere.

use execution::span::SourceMap;
use proptest::prelude::*;
use std::path::Path;
use std::sync::LazyLock;

static SEEDS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus");
    let mut seeds = Vec::new();
    let mut folders = vec![root.join("litmus"), root.join("litmus-bad")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "litmus") {
                seeds.push(std::fs::read_to_string(path).unwrap());
            }
        }
    }
    seeds.sort();
    seeds
});

const PIECES: [&str; 40] = [
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    ";",
    "|",
    ":",
    "=",
    ",",
    "*",
    "(*",
    "*)",
    "\"",
    "/\\",
    "\\/",
    "~",
    "not ",
    "exists",
    "forall",
    "P0",
    "P1:",
    "0:",
    "#",
    "$",
    "%",
    "-1",
    "0x",
    "99999999999999999999",
    "\u{e9}",
    "\0",
    "LSL #70",
    "rlwinm r1,r1,40,1,1",
    "x[4097]",
    "x[-1]",
    "if (",
    "while (x)",
    "int",
    "<<",
];

fn parse(text: &str) {
    let mut sources = SourceMap::new();
    let file = sources.add_file("damaged.litmus", text);
    if let Err(problem) = front_litmus::parse(&sources, file) {
        assert!(!problem.message.is_empty());
        if let Some(primary) = &problem.primary {
            sources.location(primary.span);
        }
    }
}

#[derive(Clone, Debug)]
enum Damage {
    Cut(usize, usize),
    Repeat(usize, usize),
    Insert(usize, usize),
    Splice(usize, usize, usize),
}

fn damage() -> impl Strategy<Value = Damage> {
    let at = 0..4000usize;
    prop_oneof![
        (at.clone(), 1..60usize).prop_map(|(at, length)| Damage::Cut(at, length)),
        (at.clone(), 1..60usize).prop_map(|(at, length)| Damage::Repeat(at, length)),
        (at.clone(), 0..PIECES.len()).prop_map(|(at, piece)| Damage::Insert(at, piece)),
        (at.clone(), 0..4000usize, at).prop_map(|(to, seed, from)| Damage::Splice(to, seed, from)),
    ]
}

fn apply(text: &mut Vec<char>, damage: &Damage) {
    let place = |at: usize, text: &[char]| at % (text.len() + 1);
    match *damage {
        Damage::Cut(at, length) => {
            let start = place(at, text);
            let end = (start + length).min(text.len());
            text.drain(start..end);
        }
        Damage::Repeat(at, length) => {
            let start = place(at, text);
            let end = (start + length).min(text.len());
            let piece: Vec<char> = text[start..end].to_vec();
            text.splice(end..end, piece);
        }
        Damage::Insert(at, piece) => {
            let start = place(at, text);
            text.splice(start..start, PIECES[piece].chars());
        }
        Damage::Splice(to, seed, from) => {
            let other: Vec<char> = SEEDS[seed % SEEDS.len()].chars().collect();
            let start = place(to, text);
            let from = place(from, &other);
            text.truncate(start);
            text.extend(&other[from..]);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn damaged_tests_do_not_panic(
        seed in 0..4000usize,
        damages in proptest::collection::vec(damage(), 1..6),
    ) {
        let mut text: Vec<char> = SEEDS[seed % SEEDS.len()].chars().collect();
        for damage in &damages {
            apply(&mut text, damage);
        }
        parse(&text.into_iter().collect::<String>());
    }

    #[test]
    fn pieces_in_any_order_do_not_panic(
        pieces in proptest::collection::vec(0..PIECES.len(), 0..40),
        arch in prop_oneof![
            Just("X86"), Just("X86_64"), Just("PPC"), Just("AArch64"), Just("RISCV"), Just("C")
        ],
    ) {
        let text: String = pieces.iter().map(|&piece| PIECES[piece]).collect();
        parse(&format!("{arch} test\n{{ }}\n{text}"));
    }
}

#[test]
fn deep_nesting_is_refused_without_overflow() {
    for (open, close) in [("(", ")"), ("not ", "")] {
        let deep = format!("{}true{}", open.repeat(100_000), close.repeat(100_000));
        parse(&format!("X86 t\n{{ }}\n P0 ;\n NOP ;\nexists {deep}\n"));
        let expr = format!("{}1{}", "(".repeat(100_000), ")".repeat(100_000));
        parse(&format!("C t\n{{ }}\nP0(int *x) {{ *x = {expr}; }}\nexists (x=1)\n"));
    }
    let blocks = format!("{}{}", "{".repeat(100_000), "}".repeat(100_000));
    parse(&format!("C t\n{{ }}\nP0(int *x) {{ {blocks} }}\nexists (x=1)\n"));
    let unary = format!("{}1", "-".repeat(100_000));
    parse(&format!("C t\n{{ }}\nP0(int *x) {{ *x = {unary}; }}\nexists (x=1)\n"));
}
