//! Observation sets that are mined by executing serial interleavings equal those that the solver
//! enumerates under the model `serial`, as the paper did it (CheckFence, section 3.2).

use encoding::encode;
use engines::bounded::{inclusion, mining};
use engines::serial::{Mined, ObservationSet, SerialOptions, mine};
use engines::test::compose::{Composed, Operations, compose};
use engines::test::parse::{Place, parse};
use engines::test::suite::Suite;
use execution::span::SourceMap;
use front_c::pp::{COptions, DiskLoader, MemoryLoader};
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
    match mine(composed, &SerialOptions::default()) {
        Ok(Mined::Observations(set)) => set,
        other => panic!("{other:#?}"),
    }
}

fn by_solver(composed: &Composed) -> ObservationSet {
    let options = inclusion::CheckOptions {
        max_unroll: 8,
        encoding: encode::EncodeOptions::default(),
        progress: &|_| {},
    };
    mining::mine(composed, &options).unwrap_or_else(|verdict| panic!("{verdict:#?}"))
}

/// A test of C text.
fn of_text(code: &str, test: &str) -> Composed {
    let mut sources = SourceMap::new();
    let loader = MemoryLoader::new().with("type.c", code);
    let path = std::path::Path::new("type.c");
    let (program, _) = front_c::compile(path, &COptions::default(), &loader, &mut sources).unwrap();
    let file = sources.add_file("--test", test);
    let test = parse(test, Place { file, start: 0 }).unwrap();
    compose(&program, &Operations::default(), &test, &sources).unwrap()
}

#[test]
fn each_weak_exchange_fails_for_both() {
    let code = "
        #include <stdatomic.h>
        static atomic_int n;
        void init(void) { n = 0; }
        static int one(void) { int old = 0; return atomic_compare_exchange_weak(&n, &old, 0); }
        int two(void) { int first = one(); return 2 * first + one(); }
        int adds(void) { int old = n; while (!atomic_compare_exchange_weak(&n, &old, old + 1)); return old; }";
    for (test, sets) in [("( two )", 4), ("( two | two )", 16), ("( adds | adds | two )", 0)] {
        let composed = of_text(code, test);
        let executed = by_execution(&composed);
        assert!(sets == 0 || executed.len() == sets, "{test}: {executed}");
        assert_eq!(by_solver(&composed), executed, "{test}");
    }
}

#[test]
fn blocks_are_given_again_for_both() {
    let code = "
        #include <stdlib.h>
        static int *p;
        void init(void) { p = malloc(4); *p = 0; }
        int m(void) { int *o = p; free(o); p = malloc(4); *p = 1; return p == o; }
        int c(void) { int *o = p; free(o); p = calloc(1, 4); *p = 1; return p == o; }
        void f(void) { free(p); }
        int a(void) { int *n = malloc(4); *n = 2; return n == p; }";
    for test in ["( m )", "( c )", "( m m )", "( f a | a )"] {
        let composed = of_text(code, test);
        let executed =
            match mine(&composed, &SerialOptions { reuse: true, ..SerialOptions::default() }) {
                Ok(Mined::Observations(set)) => set,
                other => panic!("{other:#?}"),
            };
        let mut encoding = encode::EncodeOptions::default();
        encoding.unroll.reuse_blocks = true;
        let options = inclusion::CheckOptions { max_unroll: 8, encoding, progress: &|_| {} };
        let solved = mining::mine(&composed, &options);
        let solved = solved.unwrap_or_else(|verdict| panic!("{verdict:#?}"));
        assert_eq!(solved, executed, "{test}");
    }
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
