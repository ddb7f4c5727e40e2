//! Observation sets that are mined by executing serial interleavings equal those that the solver
//! enumerates under the model `serial`, as the paper did it (CheckFence, section 3.2).

use encoding::encode;
use engines::serial::{Mined, ObservationSet, Options, mine};
use engines::test::compose::{Composed, Operations, compose};
use engines::test::parse::{Place, parse};
use engines::test::suite::Suite;
use engines::{inclusion, mining};
use execution::span::SourceMap;
use front_c::pp::{DiskLoader, Options as COptions};
use std::path::PathBuf;

/// A test of a suite of the examples.
fn composed(folder: &str, file: &str, test: &str) -> Composed {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(folder);
    let text = std::fs::read_to_string(folder.join("check.toml")).unwrap();
    let mut sources = SourceMap::new();
    let suite_file = sources.add_file("check.toml", text.as_str());
    let suite = Suite::parse(&text, suite_file).unwrap();
    let path = folder.join(file);
    let (program, _) =
        front_c::compile(&path, &COptions::default(), &DiskLoader, &mut sources).unwrap();
    let test = &suite.test(test).expect("a test of the suite").test;
    compose(&program, &suite.operations, test, &sources).unwrap()
}

fn by_execution(composed: &Composed) -> ObservationSet {
    match mine(composed, &Options::default()) {
        Ok(Mined::Observations(set)) => set,
        other => panic!("{other:#?}"),
    }
}

fn by_solver(composed: &Composed) -> ObservationSet {
    let options = inclusion::Options {
        max_unroll: 8,
        encoding: encode::Options::default(),
        progress: &|_| {},
    };
    mining::mine(composed, &options).unwrap_or_else(|verdict| panic!("{verdict:#?}"))
}

#[test]
fn the_solver_mines_what_execution_mines() {
    let tests = [
        ("msn", "msn_fenced.c", "T0"),
        ("msn", "msn_fenced.c", "Ti2"),
        ("ms2", "ms2_fenced.c", "T0"),
        ("ms2", "ms2_fenced.c", "Ti2"),
        ("lazylist", "lazylist_fenced.c", "Sac"),
        ("harris", "harris_fenced.c", "Sar"),
    ];
    for (folder, file, test) in tests {
        let composed = composed(folder, file, test);
        let executed = by_execution(&composed);
        assert!(executed.len() > 1, "{file}, {test}");
        assert_eq!(by_solver(&composed), executed, "{file}, {test}");
    }
}

/// A prime restricts loops that retry, not loops that search: `contains` goes through the list.
#[test]
fn primed_operations_still_search() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples/lazylist");
    let mut sources = SourceMap::new();
    let path = folder.join("lazylist_fenced.c");
    let (program, _) =
        front_c::compile(&path, &COptions::default(), &DiskLoader, &mut sources).unwrap();
    let file = sources.add_file("--test", "( a' | c' )");
    let test = parse("( a' | c' )", Place { file, start: 0 }).unwrap();
    let composed = compose(&program, &Operations::default(), &test, &sources).unwrap();
    assert_eq!(by_solver(&composed), by_execution(&composed));
}
