//! Observation sets that are mined by executing serial interleavings equal those that the solver
//! enumerates under the model `serial`, as the paper did it (CheckFence, section 3.2).

use encoding::encode::{self, Encoding, Enumeration};
use engines::serial::{Mined, Observation, ObservationSet, Options, Seen, mine};
use engines::test::compose::{Composed, compose};
use engines::test::suite::Suite;
use execution::span::SourceMap;
use front_c::pp::{DiskLoader, Options as COptions};
use models::Model;
use sat::{Answer, Lit};
use std::collections::HashSet;
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
    let model = Model::named("serial").unwrap();
    let mut options = encode::Options::default();
    options.unroll.default_bound = 3;
    let mut encoding = Encoding::new(&composed.program, &model, &options).unwrap();
    let threads = encoding.bounded.threads.ids().collect();
    let beyond = encoding.beyond_others(&threads, &HashSet::new());
    assert!(beyond == Lit::FALSE || encoding.solve(&[beyond]) == Answer::Unsat, "longer loops");
    let outcomes = Enumeration::new(&mut encoding, &[], &[]).all(&mut encoding).unwrap();
    let observation = |outcome: &encode::Outcome| -> Observation {
        let of = |name: &str| {
            let here = |seen: &&encode::Seen| {
                let operation = seen.operation.expect("all is seen in operations") as usize;
                *encoding.bounded.operations[operation].name == *name
            };
            let seen = outcome.seen.iter().filter(here);
            let signed = |seen: &encode::Seen| Seen {
                label: seen.label.to_string(),
                value: seen.value.as_signed(),
            };
            seen.map(signed).collect()
        };
        composed.instances.iter().map(|instance| of(&instance.name)).collect()
    };
    let names = composed.instances.iter().map(|instance| instance.name.clone()).collect();
    ObservationSet::new(names, outcomes.iter().map(observation))
}

#[test]
fn the_solver_mines_what_execution_mines() {
    for (folder, file) in [("msn", "msn_fenced.c"), ("ms2", "ms2_fenced.c")] {
        for test in ["T0", "Ti2"] {
            let composed = composed(folder, file, test);
            let executed = by_execution(&composed);
            assert!(executed.len() > 1, "{file}, {test}");
            assert_eq!(by_solver(&composed), executed, "{file}, {test}");
        }
    }
}
