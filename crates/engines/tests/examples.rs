//! The studied implementations under `examples/`: every test of their suites composes, and when
//! operations run one after the other, they do what plain sequential code does.

use engines::serial::{
    Automaton, Mined, Observation, ObservationSet, SerialOptions, mine, observed,
};
use engines::test::compose::{Composed, compose};
use engines::test::suite::Suite;
use execution::finding::FindingKind;
use execution::span::SourceMap;
use front_c::pp::{COptions, DiskLoader};
use ir::program::Program;
use ir::step::machine::{Machine, RunEnd, RunOptions};
use ir::step::thread::Code;
use std::path::PathBuf;

fn examples() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples")
}

/// A suite of the examples, and its folder's C files.
struct Folder {
    name: &'static str,
    suite: Suite,
    sources: SourceMap,
}

impl Folder {
    fn new(name: &'static str) -> Folder {
        let path = examples().join(name).join("check.toml");
        let text = std::fs::read_to_string(&path).unwrap();
        let mut sources = SourceMap::new();
        let file = sources.add_file(format!("{name}/check.toml"), text.as_str());
        match Suite::parse(&text, file) {
            Ok(suite) => Folder { name, suite, sources },
            Err(error) => {
                panic!("{}", report::diagnostics::render(&error, &sources, report::Style::Plain))
            }
        }
    }

    fn compile(&mut self, file: &str) -> Program {
        let path = examples().join(self.name).join(file);
        let options = COptions::default();
        match front_c::compile(&path, &options, &DiskLoader, &mut self.sources) {
            Ok((program, _)) => program,
            Err(errors) => {
                let style = report::Style::Plain;
                panic!("{}", report::diagnostics::render_all(&errors, &self.sources, style))
            }
        }
    }

    fn composed(&self, program: &Program, test: &str) -> Composed {
        let test = &self.suite.test(test).expect("a test of the suite").test;
        compose(program, &self.suite.operations, test, &self.sources).unwrap_or_else(|error| {
            panic!("{}", report::diagnostics::render(&error, &self.sources, report::Style::Plain))
        })
    }
}

fn mined(composed: &Composed) -> ObservationSet {
    match mine(composed, &SerialOptions::default()) {
        Ok(Mined::Observations(set)) => set,
        other => panic!("{other:#?}"),
    }
}

/// All tests of a folder, for some of its files: what they show, which is what the reference
/// shows. Gives the sizes.
fn same_as_reference(folder: &'static str, files: &[&str], reference: &str) -> String {
    let mut folder = Folder::new(folder);
    let reference = folder.compile(&format!("../reference/{reference}"));
    let programs: Vec<Program> = files.iter().map(|file| folder.compile(file)).collect();
    let mut sizes = String::new();
    for test in &folder.suite.tests {
        let expected = mined(&folder.composed(&reference, &test.name));
        for (program, file) in programs.iter().zip(files) {
            let composed = folder.composed(program, &test.name);
            assert_eq!(mined(&composed), expected, "{file}, {}", test.name);
        }
        let automaton = Automaton::new(&expected);
        let (states, edges) = (automaton.states.len(), automaton.edge_count());
        let (name, size) = (&test.name, expected.len());
        sizes += &format!("{name}: {size} observations, {states} states, {edges} edges\n");
    }
    sizes
}

#[test]
fn queues_are_queues() {
    let two_lock =
        ["ms2_fenced.c", "ms2_unfenced.c", "ms2.c", "ms2_weak_unlock.c", "ms2_commit_at_head.c"];
    let sizes = same_as_reference("ms2", &two_lock, "queue.c");
    let non_blocking = ["msn_fenced.c", "msn_unfenced.c", "msn.c", "msn_commit_at_tail.c"];
    assert_eq!(sizes, same_as_reference("msn", &non_blocking, "queue.c"));
    insta::assert_snapshot!(sizes);
}

#[test]
fn sets_are_sets() {
    let lazy = ["lazylist_fenced.c", "lazylist_unfenced.c", "lazylist.c"];
    let sizes = same_as_reference("lazylist", &lazy, "set.c");
    let harris = ["harris_fenced.c", "harris_unfenced.c", "harris.c"];
    assert_eq!(sizes, same_as_reference("harris", &harris, "set.c"));
    insta::assert_snapshot!(sizes);
}

#[test]
fn deques_are_deques() {
    let files =
        ["snark_published.c", "snark_unfenced.c", "snark_first_corrected.c", "snark_corrected.c"];
    insta::assert_snapshot!(same_as_reference("snark", &files, "deque.c"));
}

/// An observation of the interleavings with the first `seeds` seeds that no serial execution has.
fn not_serial(composed: &Composed, seeds: u64) -> Option<Observation> {
    let set = mined(composed);
    let code = Code::new(&composed.program);
    let observation = |seed| {
        let options = RunOptions { seed, ..RunOptions::default() };
        let mut machine = Machine::new(&code, &options, Vec::new());
        assert_eq!(machine.run(), RunEnd::Exited(0), "seed {seed}");
        observed(composed, &machine.world().records)
    };
    (0..seeds).map(observation).find(|observation| !set.contains(observation))
}

#[test]
fn interleavings_of_right_implementations_look_serial() {
    let files = [
        ("ms2", "ms2_unfenced.c"),
        ("msn", "msn_unfenced.c"),
        ("lazylist", "lazylist_unfenced.c"),
        ("harris", "harris_unfenced.c"),
        ("snark", "snark_corrected.c"),
        ("checkfence-lock", "lock_unfenced.c"),
    ];
    for (folder, file) in files {
        let mut folder = Folder::new(folder);
        let program = folder.compile(file);
        for test in &folder.suite.tests {
            let composed = folder.composed(&program, &test.name);
            assert_eq!(not_serial(&composed, 300), None, "{file}, {}", test.name);
        }
    }
}

#[test]
fn the_first_bug_of_snark_shows_in_an_interleaving() {
    let mut folder = Folder::new("snark");
    let published = folder.compile("snark_published.c");
    assert!(not_serial(&folder.composed(&published, "D0"), 20_000).is_some());
    let corrected = folder.compile("snark_first_corrected.c");
    assert_eq!(not_serial(&folder.composed(&corrected, "D0"), 20_000), None);
}

/// The first thread sees 0, and so on.
#[test]
fn a_lock_loses_no_increment() {
    let mut folder = Folder::new("checkfence-lock");
    for file in ["lock_fenced.c", "lock_unfenced.c"] {
        let program = folder.compile(file);
        assert_eq!(mined(&folder.composed(&program, "L1")).len(), 2);
        assert_eq!(mined(&folder.composed(&program, "L2")).len(), 6);
    }
}

/// CheckFence found this one: the published pseudocode of the lazy list does not initialise
/// `marked`.
#[test]
fn the_published_lazy_list_is_wrong_even_serially() {
    let mut folder = Folder::new("lazylist");
    let program = folder.compile("lazylist_published.c");
    let composed = folder.composed(&program, "Sac");
    let Ok(Mined::Violated(violation)) = mine(&composed, &SerialOptions::default()) else {
        panic!("it is wrong")
    };
    assert!(matches!(violation.finding.kind, FindingKind::UndefinedUse(_)));
    let read = violation.finding.undefined_read.expect("a read of undefined memory");
    assert_eq!(read.access.path.as_deref(), Some("curr->marked"));
    assert_eq!(violation.before.len(), 1, "an add before it");
}

#[test]
fn the_suites_name_files_that_exist() {
    for name in ["ms2", "msn", "lazylist", "harris", "snark", "checkfence-lock"] {
        let folder = Folder::new(name);
        for file in &folder.suite.files {
            assert!(examples().join(name).join(&file.text).exists(), "{name}/{}", file.text);
        }
    }
}
