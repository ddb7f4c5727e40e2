//! Accesses of several sizes that overlap, as executions, against the library. The locations `lo` and
//! `hi` are the halves of a word.

use crate::common::{Op, relate, skeleton};
use execution::event::{EventId, Execution};
use execution::ids::Id;
use models::{Model, check_execution};

fn id(index: usize) -> EventId {
    EventId::new(index)
}

fn read(x: &'static str) -> Op {
    Op::Read(x, vec![])
}

fn write(x: &'static str) -> Op {
    Op::Write(x, vec![])
}

fn wide_read() -> Op {
    Op::WideRead(vec!["lo", "hi"])
}

fn wide_write() -> Op {
    Op::WideWrite(vec!["lo", "hi"])
}

/// The threads with these reads-from and coherence edges; events 0 and 1 are the initial writes.
fn execution(threads: &[Vec<Op>], rf: &[(usize, usize)], co: &[(usize, usize)]) -> Execution {
    let mut execution = skeleton(&["lo", "hi"], threads);
    let pairs = |list: &[(usize, usize)]| -> Vec<(EventId, EventId)> {
        list.iter().map(|&(a, b)| (id(a), id(b))).collect()
    };
    relate(&mut execution, "rf", &pairs(rf));
    relate(&mut execution, "co", &pairs(co));
    execution
}

const ALL: [&str; 9] =
    ["sc", "sc-literal", "serial", "tso", "pso", "rmo", "relaxed", "armv8", "armv8-simple"];
const WEAK: [&str; 7] = ["tso", "pso", "rmo", "relaxed", "armv8", "armv8-simple", "riscv"];

#[track_caller]
fn verdicts(execution: &Execution, names: &[&str], expected: bool) {
    for name in names {
        let model = Model::named(name).unwrap();
        let outcome = check_execution(&model, execution).unwrap();
        assert_eq!(outcome.allowed(), expected, "{name}: {outcome:?}");
    }
}

#[test]
fn an_access_is_not_torn() {
    let threads = [vec![wide_write()], vec![wide_read()]];
    let co = [(0, 2), (1, 3)];
    for (low, high, allowed) in [(0, 1, true), (2, 3, true), (0, 3, false), (2, 1, false)] {
        let execution = execution(&threads, &[(low, 4), (high, 5)], &co);
        verdicts(&execution, &ALL, allowed);
        verdicts(&execution, &["riscv"], allowed);
    }
}

#[test]
fn wide_writes_have_one_order() {
    let threads = [vec![wide_write()], vec![wide_write()]];
    let same = execution(&threads, &[], &[(0, 2), (0, 4), (2, 4), (1, 3), (1, 5), (3, 5)]);
    let crossed = execution(&threads, &[], &[(0, 2), (0, 4), (2, 4), (1, 3), (1, 5), (5, 3)]);
    for (execution, allowed) in [(same, true), (crossed, false)] {
        verdicts(&execution, &ALL, allowed);
        verdicts(&execution, &["riscv"], allowed);
    }
}

/// A word is written, and then its lower half; another thread sees the half, but not the word.
#[test]
fn a_write_to_a_part_stays_after_the_whole() {
    let threads = [vec![wide_write(), write("lo")], vec![wide_read()]];
    let co = [(0, 2), (0, 4), (2, 4), (1, 3)];
    let execution = execution(&threads, &[(4, 5), (1, 6)], &co);
    verdicts(&execution, &ALL, false);
    verdicts(&execution, &["riscv"], false);
}

/// Each thread writes its half and then reads the word, of which it sees the own half only: each
/// takes it early from its own write.
#[test]
fn a_wide_read_may_take_a_part_from_an_own_write() {
    let threads = [vec![write("lo"), wide_read()], vec![write("hi"), wide_read()]];
    let co = [(0, 2), (1, 5)];
    let execution = execution(&threads, &[(2, 3), (1, 4), (0, 6), (5, 7)], &co);
    verdicts(&execution, &WEAK, true);
    verdicts(&execution, &["sc", "sc-literal", "serial"], false);
}

/// Two wide exchanges of one word, both of which read its initial value in one half.
#[test]
fn a_wide_read_modify_write_is_atomic() {
    let exchange = || Op::WideExchange(vec!["lo", "hi"]);
    let threads = [vec![exchange()], vec![exchange()]];
    let co = [(0, 4), (0, 8), (4, 8), (1, 5), (1, 9), (5, 9)];
    let right = execution(&threads, &[(0, 2), (1, 3), (4, 6), (5, 7)], &co);
    let torn = execution(&threads, &[(0, 2), (1, 3), (4, 6), (1, 7)], &co);
    for (execution, allowed) in [(right, true), (torn, false)] {
        verdicts(&execution, &ALL, allowed);
        verdicts(&execution, &["riscv"], allowed);
    }
}

/// Where loads are ordered, so are reads of a word and of its part, and only in the part that they
/// share where they are not.
#[test]
fn reads_of_different_sizes_are_coherent_where_they_overlap() {
    let threads = [vec![wide_write()], vec![wide_read(), read("lo")]];
    let co = [(0, 2), (1, 3)];
    let backwards = execution(&threads, &[(2, 4), (3, 5), (0, 6)], &co);
    verdicts(&backwards, &["sc", "tso", "pso", "armv8", "armv8-simple", "riscv"], false);
    verdicts(&backwards, &["rmo", "relaxed"], true);
}
