//! The best-known litmus tests, as executions, against the library: what each model says of the
//! one reads-from and coherence that the test is about.

use crate::common::{Op, relate, skeleton};
use execution::event::{EventId, Execution};
use execution::ids::Id;
use models::{Model, check_execution};

fn id(index: usize) -> EventId {
    EventId::new(index)
}

fn read(x: &'static str) -> Op {
    Op::Read(x, vec!["RLX", "A", "Once"])
}

fn write(x: &'static str) -> Op {
    Op::Write(x, vec!["RLX", "A", "Once"])
}

/// Store buffering; both reads see the initial values.
fn sb(fence: Option<&'static str>) -> Execution {
    let thread = |a, b| {
        let mut ops = vec![write(a), read(b)];
        if let Some(fence) = fence {
            ops.insert(1, Op::Fence(fence));
        }
        ops
    };
    let mut e = skeleton(&["x", "y"], &[thread("x", "y"), thread("y", "x")]);
    let (w0, w1, r0, r1) = match fence {
        None => (id(2), id(4), id(3), id(5)),
        Some(_) => (id(2), id(5), id(4), id(7)),
    };
    relate(&mut e, "rf", &[(id(1), r0), (id(0), r1)]);
    relate(&mut e, "co", &[(id(0), w0), (id(1), w1)]);
    e
}

/// Message passing; the flag is seen, the data is not.
fn mp(writer: Option<&'static str>, reader: Option<&'static str>) -> Execution {
    let with = |first, fence: Option<&'static str>, second| {
        let mut ops = vec![first, second];
        if let Some(fence) = fence {
            ops.insert(1, Op::Fence(fence));
        }
        ops
    };
    let threads = [with(write("x"), writer, write("y")), with(read("y"), reader, read("x"))];
    let mut e = skeleton(&["x", "y"], &threads);
    let (wx, wy) = (2, if writer.is_some() { 4 } else { 3 });
    let (ry, rx) = (wy + 1, if reader.is_some() { wy + 3 } else { wy + 2 });
    relate(&mut e, "rf", &[(id(wy), id(ry)), (id(0), id(rx))]);
    relate(&mut e, "co", &[(id(0), id(wx)), (id(1), id(wy))]);
    e
}

#[track_caller]
fn verdicts(execution: &Execution, allowed_on: &[&str], forbidden_on: &[&str]) {
    for (names, expected) in [(allowed_on, true), (forbidden_on, false)] {
        for name in names {
            let model = Model::named(name).unwrap();
            let mut execution = execution.clone();
            // The set `A` means something else on each architecture.
            if !["rc11", "c11", "c11-simp", "imm"].contains(name) {
                execution.sets.remove("A");
            }
            let outcome = check_execution(&model, &execution).unwrap();
            assert_eq!(outcome.allowed(), expected, "{name}: {outcome:?}");
        }
    }
}

#[test]
fn store_buffering_needs_a_store_load_fence() {
    let weak = [
        "tso", "pso", "rmo", "alpha", "relaxed", "power", "armv7", "armv8", "riscv", "rc11", "c11",
        "imm",
    ];
    verdicts(&sb(None), &weak, &["sc"]);
    verdicts(&sb(Some("MFENCE")), &[], &["tso", "pso", "rmo", "alpha", "relaxed"]);
    verdicts(&sb(Some("StoreLoad")), &[], &["relaxed", "tso"]);
    verdicts(&sb(Some("StoreStore")), &["relaxed", "tso"], &[]);
    verdicts(&sb(Some("SYNC")), &[], &["power"]);
    verdicts(&sb(Some("LWSYNC")), &["power"], &[]);
    verdicts(&sb(Some("DMB.SY")), &[], &["armv7", "armv8"]);
    verdicts(&sb(Some("Fence.rw.rw")), &[], &["riscv", "tso"]);
    verdicts(&sb(Some("Fence.tso")), &["riscv", "tso"], &[]);
    verdicts(&sb(Some("SC")), &[], &["rc11", "c11", "c11-simp", "imm"]);
    verdicts(&sb(Some("ACQ_REL")), &["rc11", "c11", "imm"], &[]);
    verdicts(&sb(Some("Mb")), &[], &["lkmm"]);
}

#[test]
fn message_passing_needs_order_on_both_sides() {
    let weak = [
        "pso", "rmo", "alpha", "relaxed", "power", "armv7", "armv8", "riscv", "rc11", "c11", "imm",
    ];
    verdicts(&mp(None, None), &weak, &["sc", "tso"]);
    verdicts(&mp(Some("StoreStore"), None), &["relaxed", "rmo"], &["pso", "tso"]);
    verdicts(&mp(Some("StoreStore"), Some("LoadLoad")), &[], &["relaxed", "rmo", "alpha"]);
    verdicts(&mp(Some("LWSYNC"), Some("LWSYNC")), &[], &["power"]);
    verdicts(&mp(Some("DMB.ST"), Some("DMB.LD")), &[], &["armv8"]);
    verdicts(&mp(Some("DMB.ST"), None), &["armv8", "armv7"], &[]);
    verdicts(&mp(Some("Fence.w.w"), Some("Fence.r.r")), &[], &["riscv"]);
    verdicts(&mp(Some("REL"), Some("ACQ")), &[], &["rc11", "c11", "imm"]);
    verdicts(&mp(Some("REL"), None), &["rc11", "c11", "imm"], &[]);
}

/// CheckFence's compare-and-swap is an atomic section, and SPARC's a transaction, which nothing
/// interrupts: where loads are ordered, so are whole compare-and-swaps. Alpha promises that for one
/// location only.
#[test]
fn a_load_load_fence_orders_read_modify_writes_that_are_points() {
    let exchanges = |fence: Option<&'static str>| {
        let mut ops = vec![Op::Exchange("x"), Op::Exchange("y")];
        ops.splice(1..1, fence.map(Op::Fence));
        let reader = vec![read("y"), Op::Fence("LoadLoad"), read("x")];
        let mut e = skeleton(&["x", "y"], &[ops, reader]);
        let second = if fence.is_some() { 5 } else { 4 };
        let [ry, wy, seen, missed] = [0, 1, 2, 4].map(|n| id(second + n));
        relate(&mut e, "rf", &[(id(0), id(2)), (id(1), ry), (wy, seen), (id(0), missed)]);
        relate(&mut e, "co", &[(id(0), id(3)), (id(1), wy)]);
        e
    };
    verdicts(&exchanges(None), &["relaxed"], &["tso"]);
    verdicts(&exchanges(Some("LoadLoad")), &["alpha"], &["rmo", "relaxed"]);
    verdicts(&exchanges(Some("StoreStore")), &[], &["alpha", "rmo", "relaxed"]);
    verdicts(&exchanges(Some("LoadStore")), &[], &["rmo", "relaxed"]);
}

#[test]
fn a_forbidden_execution_names_the_axiom_and_the_cycle() {
    let model = Model::named("sc").unwrap();
    let failure = check_execution(&model, &sb(None)).unwrap().failed.unwrap();
    assert_eq!(&*failure.axiom, "sc");
    assert_eq!(failure.events.len(), 4);
}
