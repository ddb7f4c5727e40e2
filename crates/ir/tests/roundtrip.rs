//! Properties of the text form over random programs and random damage to their texts.

mod generate;

use execution::ids::Id;
use execution::span::FileId;
use generate::Random;
use ir::prepare::tidy;
use ir::text::{parse, print};
use ir::verify::verify;
use proptest::prelude::*;

fn parsed(text: &str) -> ir::program::Program {
    match parse(FileId::new(0), text) {
        Ok(parsed) => parsed.program,
        Err(errors) => panic!("{errors:#?}\nin\n{text}"),
    }
}

/// Damages a text: cuts, doubles or replaces a part of it.
fn mutate(text: &str, random: &mut Random) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    for _ in 0..1 + random.below(4) {
        if chars.is_empty() {
            break;
        }
        let start = random.below(chars.len());
        let end = (start + random.below(12)).min(chars.len());
        let piece: Vec<char> = chars[start..end].to_vec();
        match random.below(3) {
            0 => drop(chars.drain(start..end)),
            1 => drop(chars.splice(start..start, piece)),
            _ => {
                let odd =
                    ["\"", "\\x", "%", "99999999999999999999", "{", "}", "é", "\n", "!#", "i0"];
                let odd: Vec<char> = random.pick(&odd).chars().collect();
                drop(chars.splice(start..end, odd));
            }
        }
    }
    chars.into_iter().collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_programs_are_well_formed_and_parse_back_to_themselves(seed: u64) {
        let program = generate::program(seed);
        let broken: Vec<String> = verify(&program).iter().map(|v| v.describe(&program)).collect();
        prop_assert!(broken.is_empty(), "{broken:#?}\n{}", print(&program));
        let text = print(&program);
        prop_assert_eq!(&parsed(&text), &program, "{}", text);
    }

    #[test]
    fn tidy_programs_need_no_table_of_places(seed: u64) {
        let program = tidy(generate::program(seed));
        let text = print(&program);
        prop_assert!(!text.lines().any(|line| line.starts_with("place #")), "{}", text);
        prop_assert_eq!(&parsed(&text), &program);
        prop_assert_eq!(&tidy(program.clone()), &program);
    }

    #[test]
    fn damaged_texts_never_panic_and_what_parses_prints_back(seed: u64, damage: u64) {
        let text = mutate(&print(&generate::program(seed)), &mut Random(damage));
        match parse(FileId::new(0), &text) {
            Err(errors) => prop_assert!(!errors.is_empty()),
            Ok(damaged) => {
                let text = print(&damaged.program);
                if verify(&damaged.program).is_empty() {
                    prop_assert_eq!(&parsed(&text), &damaged.program);
                }
            }
        }
    }

    #[test]
    fn any_text_is_parsed_without_panic(text: String) {
        let _ = parse(FileId::new(0), &text);
        let _ = parse(FileId::new(0), &format!("fpir 1\n{text}"));
    }
}

#[test]
fn the_generator_makes_what_the_properties_are_about() {
    let programs: Vec<_> = (0..500).map(generate::program).collect();
    let text: String = programs.iter().map(print).collect();
    let wanted = [
        "layout ",
        "record ",
        "array ",
        "bits ",
        "global ",
        "thread_local ",
        "constant ",
        "slot ",
        "place #",
        " at ",
        "loop header, depth 2",
        "mcas ",
        "storex",
        "loadx",
        "switch",
        "alloc ",
        "spawn ",
        "buffer(",
        ".chk",
        "fence load-load, ",
        "choose ",
        "op_begin ",
        "undef",
        "entry ",
    ];
    for word in wanted {
        assert!(text.contains(word), "no random program has {word:?}");
    }
}
