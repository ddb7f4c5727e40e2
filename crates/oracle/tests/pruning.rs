//! Dropping partial choices early changes no answer, nor does asking only once about choices that
//! have the same cycles: with and without, every test of our own corpus has the same final states,
//! as often, under every model that reads them.

use execution::span::SourceMap;
use models::Model;
use oracle::EnumerationOptions;
use oracle::litmus::{Answer, Prepared, language};
use std::path::{Path, PathBuf};

fn tests_of(folder: &str) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/litmus").join(folder);
    let mut paths: Vec<PathBuf> = std::fs::read_dir(root)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "litmus"))
        .collect();
    paths.sort();
    assert!(!paths.is_empty(), "{folder} has no tests");
    paths
}

fn compare(folder: &str, names: &[&str]) {
    let models: Vec<Model> = names.iter().map(|name| Model::named(name).unwrap()).collect();
    for path in tests_of(folder) {
        let mut sources = SourceMap::new();
        let text = std::fs::read_to_string(&path).unwrap();
        let file = sources.add_file(path.display().to_string(), text);
        let test = front_litmus::parse(&sources, file).unwrap();
        let mut options = EnumerationOptions::new(language(&test));
        let quick = Prepared::new(&test, options.clone()).unwrap();
        options.many_choices = 0;
        let by_cycles = Prepared::new(&test, options.clone()).unwrap();
        options.prune = false;
        let full = Prepared::new(&test, options).unwrap();
        for model in &models {
            let summary = |answer: Answer| (answer.states, answer.positive, answer.flags);
            let quick = summary(quick.ask(model, false).unwrap());
            let full = summary(full.ask(model, false).unwrap());
            assert_eq!(quick, full, "{} under {}", path.display(), model.name);
            let by_cycles = summary(by_cycles.ask(model, false).unwrap());
            assert_eq!(by_cycles, full, "{} under {}", path.display(), model.name);
        }
    }
}

#[test]
fn x86_tests_have_the_same_answers_without_pruning() {
    compare("X86", &["sc", "tso", "pso", "rmo"]);
}

#[test]
fn power_tests_have_the_same_answers_without_pruning() {
    compare("PPC", &["sc", "power", "rmo", "alpha"]);
}

#[test]
fn arm_tests_have_the_same_answers_without_pruning() {
    compare("AArch64", &["sc", "armv8"]);
}

#[test]
fn risc_v_tests_have_the_same_answers_without_pruning() {
    compare("RISCV", &["tso", "riscv"]);
}

#[test]
fn c11_tests_have_the_same_answers_without_pruning() {
    compare("C11", &["sc", "rc11", "c11", "imm"]);
}

#[test]
fn kernel_tests_have_the_same_answers_without_pruning() {
    compare("LKMM", &["sc", "lkmm"]);
}

/// A ring of threads, each of which reads from the one before it and writes for the next: `R` in
/// an RCU critical section, `G` with a grace period between the two.
fn ring(threads: &str) -> String {
    let mut text = "C ring\n{}\n".to_string();
    let count = threads.len();
    for (i, kind) in threads.chars().enumerate() {
        let next = (i + 1) % count;
        let (before, between, after) = match kind {
            'R' => ("rcu_read_lock();", "", "rcu_read_unlock();"),
            _ => ("", "synchronize_rcu();", ""),
        };
        text.push_str(&format!(
            "P{i}(int *x{i}, int *x{next}) {{ {before} int r1 = READ_ONCE(*x{i}); {between} \
             WRITE_ONCE(*x{next}, 1); {after} }}\n"
        ));
    }
    let all: Vec<String> = (0..count).map(|i| format!("{i}:r1=1")).collect();
    format!("{text}exists ({})\n", all.join(" /\\ "))
}

#[test]
fn long_rings_of_critical_sections_and_grace_periods_have_an_answer() {
    let lkmm = Model::named("lkmm").unwrap();
    // At least as many grace periods as critical sections forbid the cycle.
    for (threads, cycles) in [("RRRRRRRRGGGGG", 1), ("RGRGRGRGRGRG", 0)] {
        let mut sources = SourceMap::new();
        let file = sources.add_file("ring.litmus", ring(threads));
        let test = front_litmus::parse(&sources, file).unwrap();
        let prepared = Prepared::new(&test, EnumerationOptions::new(language(&test))).unwrap();
        let answer = prepared.ask(&lkmm, false).unwrap();
        let others = (1 << threads.len()) - 1;
        assert_eq!((answer.states.len(), answer.positive), (others + cycles, cycles as u64));
    }
}

#[test]
fn tests_of_several_sizes_have_the_same_answers_without_pruning() {
    compare("../litmus-mixed", &["sc", "tso", "riscv", "armv8"]);
}
