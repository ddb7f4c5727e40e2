//! Accesses of several widths to the same bytes. `common::run` replays all that is found.

use crate::common::{allows, compiled, model, run, try_outcomes};
use execution::witness::PartRead;
use oracle::EnumerationOptions;
use oracle::program::witnesses;
use replay::{Mismatch, replay};

/// A program of two threads concurrently with `main`, which share a word, its halves and its bytes.
fn program(first: &str, second: &str) -> String {
    format!(
        "#include <checkfence.h>
        union {{ unsigned word; unsigned short half[2]; unsigned char byte[4]; }} u;
        void *first(void *arg) {{ {first} return 0; }}
        void *second(void *arg) {{ {second} return 0; }}
        int main(void) {{
            unsigned long a = __fp_spawn(first, 0), b = __fp_spawn(second, 0);
            __fp_join(a); __fp_join(b);
            fp_observe(\"end\", u.word);
            return 0;
        }}"
    )
}

/// The models that give overlapping accesses a meaning and do without compilation.
const MODELS: [&str; 7] = ["sc", "tso", "pso", "rmo", "relaxed", "armv8", "riscv"];

#[test]
fn the_last_of_overlapping_stores_has_its_bytes() {
    let text = program("u.word = 0x04030201;", "u.byte[1] = 7;");
    for name in MODELS {
        let ends: Vec<bool> = [0x0403_0201, 0x0403_0701]
            .iter()
            .map(|end| allows(&text, name, &format!("end={end}")))
            .collect();
        assert_eq!(ends, [true, true], "{name}");
        assert_eq!(run(&text, name).len(), 2, "{name}");
    }
}

#[test]
fn an_access_is_not_torn() {
    let text = program("u.word = 0x00010001;", "fp_observe(\"r\", u.word); u.half[1] = 2;");
    for name in MODELS {
        let found = run(&text, name);
        // It sees all of the word or nothing; the half is written before or after the word.
        for (seen, end) in [(0, 0x0001_0001), (0, 0x0002_0001), (0x0001_0001, 0x0002_0001)] {
            let text = format!("0: end={end}; 2: r={seen}");
            assert!(found.iter().any(|outcome| outcome.contains(&text)), "{name}: {found:?}");
        }
        assert_eq!(found.len(), 3, "{name}: {found:?}");
    }
}

#[test]
fn a_read_takes_bytes_from_the_own_buffer_and_from_memory() {
    let text = program(
        "u.half[0] = 1; fp_observe(\"r\", u.word);",
        "u.half[1] = 1; fp_observe(\"r\", u.word);",
    );
    let both_early = "1: r=1; 2: r=65536";
    assert!(!allows(&text, "sc", both_early));
    for name in ["tso", "pso", "rmo", "relaxed", "armv8", "riscv"] {
        assert!(allows(&text, name, both_early), "{name}");
    }
    for name in MODELS {
        assert!(allows(&text, name, "1: r=65537; 2: r=65537"), "{name}");
        assert!(!allows(&text, name, "1: r=0"), "{name}: it has written that itself");
    }
}

#[test]
fn an_update_of_a_part_is_not_lost_in_one_of_the_whole() {
    let text = program(
        "__atomic_fetch_add(&u.word, 0x10000, __ATOMIC_SEQ_CST);",
        "__atomic_fetch_add(&u.half[0], 1, __ATOMIC_SEQ_CST);",
    );
    for name in MODELS {
        let found = run(&text, name);
        assert_eq!(found.len(), 1, "{name}: {found:?}");
        assert!(found[0].contains("end=65537"), "{name}: {found:?}");
    }
}

#[test]
fn languages_give_overlapping_accesses_no_meaning() {
    let text = program("u.word = 1;", "u.byte[1] = 1;");
    for name in ["rc11", "c11", "imm", "lkmm", "power"] {
        let problem = try_outcomes(&text, name).err().map(|problem| problem.to_string());
        let problem = problem.unwrap_or_else(|| panic!("{name} answers"));
        assert!(problem.contains("overlap") && problem.contains("test.c:3"), "{problem}");
    }
}

#[test]
fn what_is_said_of_the_bytes_of_a_read_is_checked() {
    let text = program("u.half[0] = 1;", "u.half[1] = 1; fp_observe(\"r\", u.word);");
    let model = model("sc");
    let program = compiled(&text, &model);
    let options = EnumerationOptions::for_program(&model);
    let seen = |text: String| text.contains("2: r=65537");
    let found = witnesses(&program, &model, &options, &mut |outcome| seen(outcome.to_string()));
    let (_, witness) = found.expect("enumerated").pop().expect("an execution");
    let (reader, part) = witness
        .threads
        .iter()
        .enumerate()
        .find_map(|(thread, told)| Some((thread, *told.parts.first()?)))
        .expect("a read from two writes");
    assert_eq!((part.read, part.byte), (0, 2));
    assert!(replay(&program, &model, &witness).is_ok());
    let refused = |parts: Vec<PartRead>| {
        let mut witness = witness.clone();
        witness.threads[reader].parts = parts;
        match replay(&program, &model, &witness) {
            Err(Mismatch::ReadsFrom { what, .. }) => what,
            other => panic!("{other:?}"),
        }
    };
    assert!(refused(Vec::new()).contains("does not write to"));
    assert!(refused(vec![PartRead { from: None, ..part }]).contains("was written"));
    assert!(refused(vec![part, PartRead { byte: 4, ..part }]).contains("nothing can be said"));
    assert!(refused(vec![part, PartRead { read: 9, ..part }]).contains("nothing can be said"));
    assert!(refused(vec![part, part]).contains("nothing can be said"));
}
