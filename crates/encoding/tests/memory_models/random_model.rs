//! Random cat models: every operator of the algebra, nested, recursive, and tested in every way.

use crate::skeleton::Dice;

const BASE: &[&str] = &["po", "rf", "co", "fr", "loc", "int", "ext", "addr", "id"];
const WORDS: &[&str] = &["po", "rf", "co", "fr", "loc", "int", "ext", "addr", "id", "p", "q"];

/// The text of a model.
pub fn text(seed: u64) -> String {
    let mut dice = Dice(seed);
    let mut text = String::from("\"random\"\n");
    if dice.roll(2) == 0 {
        let (p, q) = (recursive(&mut dice), recursive(&mut dice));
        text += &format!("let rec p = {p}\nand q = {q}\n");
    } else {
        let p = relation_over(&mut dice, 2, BASE);
        let q = relation_over(&mut dice, 2, BASE);
        text += &format!("let p = {p}\nlet q = {q}\n");
    }
    for index in 0..1 + dice.roll(3) {
        let role = ["", "", "flag ", "undefined_unless ", "assert "][dice.roll(5) as usize];
        let negated = if dice.roll(3) == 0 { "~" } else { "" };
        let test = ["acyclic", "irreflexive", "empty"][dice.roll(3) as usize];
        let tested = relation(&mut dice, 3);
        text += &format!("{role}{negated}{test} {tested} as check{index}\n");
    }
    text
}

fn pick(dice: &mut Dice, words: &[&str]) -> String {
    words[dice.roll(words.len() as u64) as usize].to_string()
}

/// A definition in which `p` and `q` occur below no negation.
fn recursive(dice: &mut Dice) -> String {
    let base = relation_over(dice, 2, &["po", "rf", "co", "addr", "loc"]);
    let step =
        pick(dice, &["p; q", "q; p", "p; p", "addr; p; rf", "(p & loc); q", "q^-1", "[W]; q?"]);
    let more = pick(dice, &["0", "po & q; co", "(p; [R]; q)+", "[domain(p)]; rf", "rf^-1; p"]);
    format!("{base} | {step} | {more}")
}

fn relation(dice: &mut Dice, depth: u64) -> String {
    relation_over(dice, depth, WORDS)
}

fn relation_over(dice: &mut Dice, depth: u64, words: &[&str]) -> String {
    if depth == 0 {
        return pick(dice, words);
    }
    let r = |dice: &mut Dice| relation_over(dice, depth - 1, words);
    match dice.roll(14) {
        0 | 1 => format!("({} | {})", r(dice), r(dice)),
        2 => format!("({} & {})", r(dice), r(dice)),
        3 | 4 => format!("({} \\ {})", r(dice), r(dice)),
        5..=7 => format!("({}; {})", r(dice), r(dice)),
        8 => format!("(~{})", r(dice)),
        9 => format!("({}^-1)", r(dice)),
        10 => format!("({}?)", r(dice)),
        11 => format!("({}+)", r(dice)),
        12 => format!("([{}]; {})", set(dice, depth - 1, words), r(dice)),
        _ => format!("({} & ({} * {}))", r(dice), set(dice, 0, words), set(dice, 0, words)),
    }
}

fn set(dice: &mut Dice, depth: u64, words: &[&str]) -> String {
    if depth == 0 {
        return pick(dice, &["R", "W", "F", "IW", "A", "_"]);
    }
    let s = |dice: &mut Dice| set(dice, depth - 1, words);
    match dice.roll(6) {
        0 => format!("({} | {})", s(dice), s(dice)),
        1 => format!("({} \\ {})", s(dice), s(dice)),
        2 => format!("(~{})", s(dice)),
        3 => format!("domain({})", relation_over(dice, depth - 1, words)),
        4 => format!("range({})", relation_over(dice, depth - 1, words)),
        _ => s(dice),
    }
}
