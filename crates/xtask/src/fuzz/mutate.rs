//! Changes an input at random: mostly so that it stays well-formed.

use super::tokens::{Kind, Token, tokens};
use crate::agree::random::Random;

/// Tokens that may stand for each other.
const CLASSES: &[&[&str]] = &[
    &["+", "-", "*", "&", "|", "^", "<<", ">>", "/", "%"],
    &["<", "<=", ">", ">=", "==", "!="],
    &["&&", "||"],
    &["++", "--"],
    &["=", "+=", "-=", "|=", "&=", "^=", "<<="],
    &["int", "long", "short", "char", "unsigned", "_Bool"],
    &["if", "while"],
    &["break", "continue"],
    &[
        "memory_order_relaxed",
        "memory_order_acquire",
        "memory_order_release",
        "memory_order_acq_rel",
        "memory_order_seq_cst",
    ],
    &["__ATOMIC_RELAXED", "__ATOMIC_ACQUIRE", "__ATOMIC_RELEASE", "__ATOMIC_SEQ_CST"],
    &[
        "po", "rf", "co", "fr", "rmw", "loc", "addr", "data", "ctrl", "rfe", "fre", "coe", "sm",
        "id",
    ],
    &["acyclic", "irreflexive", "empty"],
    &["R", "W", "M", "F", "A", "L", "IW", "X"],
    &["exists", "forall", "~exists"],
    &["i8", "i16", "i32", "i64", "i128", "i1"],
];

/// Numbers at which something may go wrong.
const NUMBERS: &[&str] = &[
    "0",
    "1",
    "2",
    "3",
    "7",
    "8",
    "16",
    "31",
    "32",
    "63",
    "64",
    "100",
    "255",
    "256",
    "1000",
    "4096",
    "65536",
    "1000000",
    "2147483647",
    "2147483648",
    "4294967295",
    "9223372036854775807",
    "18446744073709551615",
    "99999999999999999999",
];

/// A changed input. In three of four cases tokens and statements are changed, otherwise lines,
/// characters or bytes.
pub fn mutate(random: &mut Random, input: &[u8], is_c: bool) -> Vec<u8> {
    let text = match std::str::from_utf8(input) {
        Ok(text) if !random.one_in(8) => text,
        _ => return bytes(random, input),
    };
    let times = *random.pick(&[1, 1, 1, 2, 3]);
    if random.one_in(8) {
        return lines(random, text, times).into_bytes();
    }
    let mut all = tokens(text, is_c);
    for _ in 0..times {
        match random.below(10) {
            0..=2 => number(random, &mut all),
            3 if random.one_in(2) => word(random, &mut all),
            4 => statement(random, &mut all),
            5 if random.one_in(4) => anywhere(random, &mut all),
            _ => member_of_class(random, &mut all),
        }
    }
    all.into_iter().map(|token| token.text).collect::<String>().into_bytes()
}

fn indices(all: &[Token], wanted: impl Fn(&Token) -> bool) -> Vec<usize> {
    (0..all.len()).filter(|&index| wanted(&all[index])).collect()
}

/// Puts another token of its class in the place of one.
fn member_of_class(random: &mut Random, all: &mut [Token]) {
    let class = |token: &Token| CLASSES.iter().find(|class| class.contains(&token.text.as_str()));
    let at = indices(all, |token| class(token).is_some());
    if at.is_empty() {
        return;
    }
    let at = *random.pick(&at);
    if let Some(class) = class(&all[at]) {
        all[at].text = random.pick(class).to_string();
    }
}

fn number(random: &mut Random, all: &mut [Token]) {
    let at = indices(all, |token| token.kind == Kind::Number);
    if at.is_empty() {
        return;
    }
    // Small numbers stay in bounds more often.
    let most = if random.one_in(3) { NUMBERS.len() } else { 6 };
    all[*random.pick(&at)].text = NUMBERS[random.below(most)].to_string();
}

/// Puts another name of the text in the place of one.
fn word(random: &mut Random, all: &mut [Token]) {
    let at = indices(all, |token| token.kind == Kind::Word);
    if at.is_empty() {
        return;
    }
    let with = all[*random.pick(&at)].text.clone();
    all[*random.pick(&at)].text = with;
}

/// Drops a statement, repeats it, or puts it in another place.
fn statement(random: &mut Random, all: &mut Vec<Token>) {
    let is = |token: &Token, signs: &[&str]| signs.contains(&token.text.as_str());
    let ends = indices(all, |token| is(token, &[";"]));
    if ends.is_empty() {
        return;
    }
    let end = *random.pick(&ends);
    let start = all[..end].iter().rposition(|token| is(token, &[";", "{", "}"]));
    let range = start.map_or(0, |start| start + 1)..end + 1;
    let moved: Vec<Token> = all[range.clone()].to_vec();
    match random.below(3) {
        0 => drop(all.drain(range)),
        1 => drop(all.splice(end + 1..end + 1, moved)),
        _ => {
            let to = *random.pick(&ends);
            all.splice(to + 1..to + 1, moved);
            if to >= end {
                all.drain(range);
            }
        }
    }
}

/// Drops, repeats or moves any token.
fn anywhere(random: &mut Random, all: &mut Vec<Token>) {
    let at = indices(all, |token| token.kind != Kind::Blank);
    if at.is_empty() {
        return;
    }
    let (from, to) = (*random.pick(&at), *random.pick(&at));
    match random.below(3) {
        0 => drop(all.remove(from)),
        1 => all.insert(from, all[from].clone()),
        _ => all[to] = all[from].clone(),
    }
}

/// Drops, repeats or exchanges lines.
fn lines(random: &mut Random, text: &str, times: usize) -> String {
    let mut all: Vec<&str> = text.split_inclusive('\n').collect();
    for _ in 0..times {
        if all.is_empty() {
            break;
        }
        let (a, b) = (random.below(all.len()), random.below(all.len()));
        match random.below(3) {
            0 => drop(all.remove(a)),
            1 => all.insert(b, all[a]),
            _ => all.swap(a, b),
        }
    }
    all.concat()
}

/// Changes, drops, repeats bytes, or cuts the end off.
fn bytes(random: &mut Random, input: &[u8]) -> Vec<u8> {
    let mut all = input.to_vec();
    for _ in 0..1 + random.below(4) {
        if all.is_empty() {
            break;
        }
        let at = random.below(all.len());
        match random.below(5) {
            0 => all[at] ^= 1 << random.below(8),
            1 => all[at] = random.below(256) as u8,
            2 => drop(all.remove(at)),
            3 => {
                let part = all[at..all.len().min(at + 16)].repeat(1 + random.below(8));
                all.splice(at..at, part);
            }
            _ if random.one_in(4) => all.truncate(at),
            _ => {}
        }
    }
    all
}
