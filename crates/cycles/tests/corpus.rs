//! The programs of `corpus/verify`: what is expected to break on a model and not on sc has a
//! critical cycle there.

use cycles::analyse;
use execution::span::SourceMap;
use front_c::pp::{COptions, DiskLoader};
use ir::prepare::{Preparation, whole};
use limits::Limits;
use models::Model;
use replay::target::compile;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What `all` stands for in an expectation.
const ALL: [&str; 8] = ["sc", "tso", "pso", "relaxed", "armv8", "power", "riscv", "rc11"];

/// The files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut all = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        match path.is_dir() {
            true => all.extend(files(&path)),
            false => all.extend(Some(path).filter(|path| path.extension() == Some("c".as_ref()))),
        }
    }
    all.sort();
    all
}

/// What is expected on each model: lines `//@ MODEL…: VERDICT, …: REASON`, the last one counts.
fn expected(text: &str) -> BTreeMap<String, String> {
    let mut expected = BTreeMap::new();
    for line in text.lines().filter_map(|line| line.strip_prefix("//@ ")) {
        let mut parts = line.split(": ");
        let (Some(names), Some(verdicts)) = (parts.next(), parts.next()) else { continue };
        for name in names.split_whitespace() {
            let named = if name == "all" { ALL.to_vec() } else { vec![name] };
            named.iter().for_each(|name| {
                expected.insert(name.to_string(), verdicts.to_string());
            });
        }
    }
    expected
}

/// Whether an assertion fails or memory is accessed wrongly.
fn breaks(verdicts: &str) -> bool {
    verdicts.contains("assert fails") || verdicts.contains("memory fails")
}

#[test]
fn what_breaks_by_weak_memory_has_a_cycle() {
    have_cycles("litmus", 80);
    have_cycles("widths", 5);
}

/// What the analysis is known to miss: the end of a local that another thread uses too late (S-345).
const MISSED: [(&str, [&str; 3]); 1] =
    [("memory/local_acknowledged_early.c", ["armv8", "relaxed", "riscv"])];

/// The whole corpus: `cargo test -p cycles --test corpus -- --ignored`.
#[test]
#[ignore = "75 s of processor time: CONTRIBUTING.md lists it among the long checks"]
fn what_breaks_by_weak_memory_anywhere_in_the_corpus_has_a_cycle() {
    have_cycles(".", 250);
}

/// Checks the programs of a folder of the corpus, of which at least `least` break on models.
fn have_cycles(folder: &str, least: usize) {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/verify").join(folder);
    let (mut broken, mut missed) = (0, Vec::new());
    for path in files(&corpus) {
        let expected = expected(&std::fs::read_to_string(&path).expect("a program"));
        let strong = expected.get("sc").is_some_and(|sc| sc == "holds" || sc == "leak fails");
        let weak: Vec<&String> = expected
            .iter()
            .filter(|(_, verdicts)| breaks(verdicts))
            .map(|(name, _)| name)
            .collect();
        if !strong || weak.is_empty() {
            continue;
        }
        let sources = &mut SourceMap::new();
        let program =
            front_c::compile_all(&[(path.clone(), COptions::default())], &DiskLoader, sources);
        let (program, _) = program.unwrap_or_else(|errors| panic!("{path:?}: {errors:?}"));
        let program = whole(program, &Preparation::default());
        for name in weak {
            let model = Model::named(name).expect("in the library");
            let Ok(compiled) = compile(&program, &model) else { continue };
            let analysis = analyse(&compiled, &model, &Limits::default());
            let analysis = analysis.unwrap_or_else(|why| panic!("{path:?}: {why:?}"));
            broken += 1;
            let known = MISSED
                .iter()
                .any(|(file, models)| path.ends_with(file) && models.contains(&name.as_str()));
            let has_cycle = !analysis.cycles.is_empty() || !analysis.longer.is_empty();
            assert!(!known || !has_cycle, "{path:?} on {name} is no longer missed");
            if !has_cycle && !known {
                missed.push(format!("{} on {name}", path.display()));
            }
        }
    }
    assert!(missed.is_empty(), "of {broken}, no cycle is found: {missed:#?}");
    assert!(broken >= least, "only {broken} programs on models");
}
