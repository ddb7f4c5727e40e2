//! Broken models are refused with a place, and damaged ones are refused or read: never a panic.

use execution::diagnostic::Diagnostic;
use execution::span::SourceMap;
use proptest::prelude::*;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(name)
}

fn models(name: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder(name)).unwrap();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "m"));
    files.sort();
    files
}

fn errors(name: &str, text: &str) -> (SourceMap, Vec<Diagnostic>) {
    let mut sources = SourceMap::new();
    let file = sources.add_file(name, text);
    let errors = front_murphi::compile(&sources, file).err().unwrap_or_default();
    (sources, errors)
}

#[test]
fn broken_models_are_refused_at_their_places() {
    let files = models("corpus/murphi-bad");
    assert!(files.len() >= 70, "only {} broken models were found", files.len());
    let mut page = String::new();
    for path in files {
        let name = path.file_name().unwrap().to_str().unwrap().to_string();
        let (sources, errors) = errors(&name, &std::fs::read_to_string(&path).unwrap());
        assert!(!errors.is_empty(), "{name} is accepted");
        let placed = errors.iter().all(|error| error.primary.is_some());
        assert!(placed, "an error of {name} has no place");
        page += &report::diagnostics::render_all(&errors, &sources, report::Style::Plain);
    }
    insta::assert_snapshot!(page.trim_end());
}

#[test]
fn examples_are_accepted() {
    let files = models("examples/murphi");
    assert!(files.len() >= 6, "only {} examples were found", files.len());
    for path in files {
        let (_, errors) = errors("example.m", &std::fs::read_to_string(&path).unwrap());
        assert!(errors.is_empty(), "{}: {errors:#?}", path.display());
    }
}

#[test]
fn deep_nesting_is_refused() {
    let head = "var x: 0..1; startstate begin x := 0; end; rule ";
    let deep = [
        format!("{head}{}x = 0{} ==> end;", "(".repeat(100_000), ")".repeat(100_000)),
        format!("{head}{}true ==> end;", "!".repeat(100_000)),
        format!("{head}x = 0{} ==> end;", "+0".repeat(100_000)),
        format!("{head}true{} ==> end;", " -> true".repeat(100_000)),
        format!("{head}true ==> {}", "if true then ".repeat(100_000)),
        format!("var x: {} boolean;", "array [0..1] of ".repeat(100_000)),
        "ruleset i: 0..1 do ".repeat(100_000),
    ];
    for text in deep {
        let (_, errors) = errors("deep.m", &text);
        assert_eq!(errors.len(), 1);
        assert!(errors[0].message.contains("200"), "{}", errors[0].message);
    }
    // A long chain is not deep.
    let (_, errors) = errors("long.m", &format!("{head}true{} ==> end;", " & true".repeat(50_000)));
    assert!(errors.is_empty(), "{errors:#?}");
}

static SEEDS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let folders = ["corpus/murphi", "corpus/murphi-bad", "examples/murphi"];
    let files = folders.iter().flat_map(|folder| models(folder));
    files.map(|path| std::fs::read_to_string(path).unwrap()).collect()
});

/// Words with which seeds are damaged.
const PIECES: [&str; 24] = [
    "end",
    ";",
    "(",
    ")",
    "[",
    "]",
    "begin",
    "ruleset",
    "do",
    "scalarset(2)",
    ":=",
    "==>",
    "if",
    "then",
    "-- ",
    "/*",
    "\"",
    "forall i: 0..1 do",
    "..",
    "2147483647",
    "multisetadd(1, x)",
    "é",
    "undefine",
    "record",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn damaged_models_do_not_panic(
        seed in any::<prop::sample::Index>(),
        other in any::<prop::sample::Index>(),
        cuts in prop::collection::vec((any::<prop::sample::Index>(), 0..4usize, 0..24usize), 1..6),
    ) {
        let mut words: Vec<&str> = seed.get(&SEEDS).split_inclusive(' ').collect();
        let others: Vec<&str> = other.get(&SEEDS).split_inclusive(' ').collect();
        for (at, how, piece) in cuts {
            if words.is_empty() {
                break;
            }
            let place = at.index(words.len());
            match how {
                0 => {
                    words.remove(place);
                }
                1 => words.insert(place, PIECES[piece]),
                2 => words.insert(place, others[at.index(others.len())]),
                _ => {
                    let to = (place * 7 + piece) % words.len();
                    words.swap(place, to);
                }
            }
        }
        let (sources, errors) = errors("damaged.m", &words.concat());
        let text = report::diagnostics::render_all(&errors, &sources, report::Style::Plain);
        prop_assert_eq!(text.is_empty(), errors.is_empty());
    }

    #[test]
    fn any_text_is_read_or_refused(text in "\\PC*") {
        errors("any.m", &text);
    }
}
