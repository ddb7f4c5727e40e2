//! What becomes of single instructions.

use super::*;
use crate::text;
use execution::ids::Id;
use execution::span::FileId;

/// The instructions that these become for a target.
fn try_compile(instructions: &str, target: Target) -> Result<Vec<String>, String> {
    let text = format!(
        "fpir 1\nentry main\n\nglobal @x: 4 align 4\n\nfn main() {{\n  reg %r: i32\n  \
         reg %ok: i1\nb0:\n  {}\n  return\n}}\n",
        instructions.replace("; ", "\n  ")
    );
    let parsed = text::parse(FileId::new(0), &text).expect("a program");
    let compiled = compile_for(&parsed.program, target).map_err(|problem| problem.what)?;
    let printed = text::print(&compiled);
    let body = printed.lines().skip_while(|line| !line.starts_with("b0:")).skip(1);
    Ok(body.map(|line| line.trim().to_string()).take_while(|line| line != "return").collect())
}

fn compile(instructions: &str, target: Target) -> String {
    try_compile(instructions, target).expect("it is supported").join("; ")
}

const DIRECTED: Target = Target::Directed { coherent_loads: true };

#[test]
fn loads() {
    let load = |order: &str, target| compile(&format!("%r = load.{order} i32 [@x]"), target);
    assert_eq!(load("sc", Target::X86), "%r = load.rlx i32 [@x] tags(P)");
    assert_eq!(load("acq", Target::Armv8), "%r = load.rlx i32 [@x] tags(A)");
    assert_eq!(load("acqpc", Target::Armv8), "%r = load.rlx i32 [@x] tags(Q)");
    assert_eq!(load("con", Target::Armv7), "%r = load.rlx i32 [@x]; fence \"DMB\"");
    assert_eq!(
        load("sc", Target::RiscV),
        "fence \"Fence.rw.rw\"; %r = load.rlx i32 [@x]; fence \"Fence.r.rw\""
    );
    assert_eq!(load("acq", DIRECTED), "%r = load.rlx i32 [@x]; fence load-load, load-store");
    assert_eq!(load("rlx", DIRECTED), "%r = load.rlx i32 [@x]");
    let incoherent = Target::Directed { coherent_loads: false };
    assert_eq!(load("rlx", incoherent), "%r = load.rlx i32 [@x]; fence load-load");
    assert_eq!(compile("%r = load i32 [@x]", incoherent), "%r = load i32 [@x]");
    assert_eq!(load("acq", Target::C11), "%r = load.acq i32 [@x]");
}

#[test]
fn an_acquire_load_on_power_is_followed_by_a_branch_on_it_and_isync() {
    assert_eq!(
        compile("%r = load.sc i32 [@x]", Target::Power),
        "fence \"SYNC\"; %r = load.rlx i32 [@x]; %2 = and i32 %r, 0; %3 = eq i32 %2, 0; \
         assume %3; fence \"ISYNC\""
    );
}

#[test]
fn stores() {
    let store = |order: &str, target| compile(&format!("store.{order} i32 [@x], 1"), target);
    assert_eq!(store("rel", Target::X86), "store.rlx i32 [@x] tags(P), 1");
    assert_eq!(store("sc", Target::X86), "store.rlx i32 [@x] tags(P), 1; fence \"MFENCE\"");
    assert_eq!(store("rel", Target::Power), "fence \"LWSYNC\"; store.rlx i32 [@x], 1");
    assert_eq!(store("sc", Target::Armv8), "store.rlx i32 [@x] tags(L), 1");
    assert_eq!(store("sc", Target::Armv7), "fence \"DMB\"; store.rlx i32 [@x], 1; fence \"DMB\"");
    assert_eq!(store("sc", Target::RiscV), "fence \"Fence.rw.w\"; store.rlx i32 [@x], 1");
    assert_eq!(
        store("sc", DIRECTED),
        "fence load-store, store-store; store.rlx i32 [@x], 1; fence store-load"
    );
    for target in [Target::Power, Target::Armv7, Target::Armv8, Target::RiscV, DIRECTED] {
        assert_eq!(store("rlx", target), "store.rlx i32 [@x], 1");
        assert_eq!(compile("store i32 [@x], 1", target), "store i32 [@x], 1");
    }
}

#[test]
fn single_instructions_carry_their_annotations() {
    let add = |target| compile("%r = rmw.add.acqrel i32 [@x], 1", target);
    assert_eq!(add(Target::X86), "%r = rmw.add.rlx i32 [@x] tags(A, X), 1");
    assert_eq!(add(Target::Armv8), "%r = rmw.add.rlx i32 [@x] tags(R.A, W.L), 1");
    assert_eq!(add(Target::RiscV), "%r = rmw.add.rlx i32 [@x] tags(X, AcqRel), 1");
}

#[test]
fn where_there_are_only_exclusives_a_pair_of_them_does_it() {
    assert_eq!(
        compile("%r = rmw.add.rel i32 [@x], %r", Target::Armv7),
        "fence \"DMB\"; %2 = loadx.rlx i32 [@x] tags(X, EX); %3 = and i32 %2, 0; %4 = eq i32 %3, 0; \
         assume %4; %5 = add i32 %2, %r; %6 = storex.rlx i32 [@x] tags(X, EX), %5; \
         %7 = eq i32 %6, 0; assume %7; %r = copy %2"
    );
}

#[test]
fn a_compare_and_swap_that_fails_relaxed_skips_the_fence_after_it() {
    assert_eq!(
        compile("%r, %ok = cas.acq.rlx i32 [@x], 0, 1", Target::Armv7),
        "%2 = loadx.rlx i32 [@x] tags(X, EX); %3 = eq i32 %2, 0; branch %3, b1, b2; b1:; \
         %5 = storex.rlx i32 [@x] tags(X, EX), 1; %6 = eq i32 %5, 0; assume %6; fence \"DMB\"; \
         %4 = copy i1 1; jump b3; b2:; %4 = copy i1 0; jump b3; b3:; %r = copy %2; \
         %ok = copy %4"
    );
}

#[test]
fn a_compare_and_swap_is_as_strong_as_its_stronger_order() {
    let cas = |orders: &str, target| compile(&format!("cas.{orders} i32 [@x], 0, 1"), target);
    assert_eq!(cas("rel.acq", Target::Armv8), "cas.rlx.rlx i32 [@x] tags(R.A, W.L), 0, 1");
    assert!(cas("rlx.sc", Target::RiscV).contains("loadx.rlx i32 [@x] tags(X, AcqRel, EX)"));
}

#[test]
fn fences() {
    let fence = |order: &str, target| compile(&format!("fence.{order}"), target);
    assert_eq!(fence("acqrel", Target::X86), "");
    assert_eq!(fence("sc", Target::X86), "fence \"MFENCE\"");
    assert_eq!(fence("acq", Target::Power), "fence \"LWSYNC\"");
    assert_eq!(fence("acq", Target::Armv8), "fence \"DMB.ISHLD\"");
    assert_eq!(fence("rel", Target::Armv8), "fence \"DMB.ISH\"");
    assert_eq!(fence("acqrel", Target::RiscV), "fence \"Fence.tso\"");
    assert_eq!(fence("acqrel", DIRECTED), "fence load-load, load-store, store-store");
    assert_eq!(fence("sc", Target::C11), "fence.sc");
    assert_eq!(fence("rlx", Target::Power), "");
    assert_eq!(fence("rlx", Target::C11), "fence compiler");
}

#[test]
fn directed_fences_become_the_weakest_that_do() {
    let fence = |kinds: &str, target| compile(&format!("fence {kinds}"), target);
    for (kinds, power, armv7, armv8, riscv) in [
        ("load-load", "LWSYNC", "DMB", "DMB.ISHLD", "Fence.r.r"),
        ("load-store", "LWSYNC", "DMB", "DMB.ISHLD", "Fence.r.w"),
        ("store-load", "SYNC", "DMB", "DMB.ISH", "Fence.w.r"),
        ("store-store", "EIEIO", "DMB.ST", "DMB.ISHST", "Fence.w.w"),
        ("load-load, load-store", "LWSYNC", "DMB", "DMB.ISHLD", "Fence.r.rw"),
    ] {
        for (target, name) in [
            (Target::Power, power),
            (Target::Armv7, armv7),
            (Target::Armv8, armv8),
            (Target::RiscV, riscv),
        ] {
            assert_eq!(fence(kinds, target), format!("fence \"{name}\""), "{kinds}");
        }
    }
    assert_eq!(
        fence("load-load, store-store", Target::Armv8),
        "fence \"DMB.ISHLD\"; fence \"DMB.ISHST\""
    );
    assert_eq!(
        fence("load-store, store-load", Target::RiscV),
        "fence \"Fence.r.w\"; fence \"Fence.w.r\""
    );
    assert_eq!(fence("load-load, store-store", Target::X86), "");
}

#[test]
fn an_architectures_own_fences_stay_and_others_are_refused() {
    assert_eq!(compile("fence \"lwsync\"", Target::Power), "fence \"LWSYNC\"");
    assert_eq!(compile("fence \"dmb.ish\"", Target::Armv7), "fence \"DMB.ISH\"");
    assert_eq!(compile("fence \"mfence\"", DIRECTED), "fence \"MFENCE\"");
    for (fence, target, message) in [
        ("fence \"mfence\"", Target::Power, "the fence `mfence` of x86 under a model for Power"),
        ("fence \"dmb.ld\"", Target::Armv7, "the fence `dmb.ld` of ARMv8 under a model for ARMv7"),
        ("fence \"sync\"", Target::C11, "the fence `sync` of Power under a model for C11"),
    ] {
        assert_eq!(try_compile(fence, target), Err(message.to_string()));
    }
    assert!(try_compile("fence load-load", Target::C11).is_err());
    assert!(try_compile("%r = load.acq i32 [@x]", Target::Linux).is_err());
}

#[test]
fn accesses_of_the_kernel_keep_their_annotations_for_its_model_and_their_orders_for_others() {
    let load = "%r = load.acq i32 [@x] tags(Acquire)";
    assert_eq!(compile(load, Target::Linux), "%r = load.rlx i32 [@x] tags(Acquire)");
    assert_eq!(compile(load, Target::C11), "%r = load.acq i32 [@x]");
    assert_eq!(compile(load, Target::Armv8), "%r = load.rlx i32 [@x] tags(A)");
    let full = "rmw.add.rlx i32 [@x] tags(F.Mb, Once, N.RMW), 1";
    assert_eq!(compile(full, Target::Linux), full);
    assert_eq!(compile(full, Target::C11), "fence.sc; rmw.add.acqrel i32 [@x], 1; fence.sc");
    assert_eq!(
        compile(full, Target::X86),
        "fence \"MFENCE\"; rmw.add.rlx i32 [@x] tags(A, X), 1; fence \"MFENCE\""
    );
    let volatile = "store.vol i32 [@x], 1";
    assert_eq!(compile(volatile, Target::Linux), "store.rlx i32 [@x] tags(Once), 1");
    assert_eq!(compile(volatile, Target::C11), volatile);
    let plain = "store i32 [@x], 1";
    assert_eq!(compile(plain, Target::Linux), plain);
}

#[test]
fn fences_of_the_kernel_have_their_meaning_everywhere_but_those_of_rcu() {
    for (name, linux, power, c11) in [
        ("mb", "Mb", "fence \"SYNC\"", Some("fence.sc")),
        ("after-spinlock", "After-spinlock", "fence \"SYNC\"", Some("fence.sc")),
        ("rmb", "Rmb", "fence \"LWSYNC\"", None),
        ("wmb", "Wmb", "fence \"EIEIO\"", None),
        ("barrier", "Barrier", "fence compiler", Some("fence compiler")),
    ] {
        let fence = format!("fence \"{name}\"");
        assert_eq!(compile(&fence, Target::Linux), format!("fence \"{linux}\""));
        assert_eq!(compile(&fence, Target::Power), power);
        assert_eq!(try_compile(&fence, Target::C11).ok(), c11.map(|fence| vec![fence.into()]));
    }
    assert_eq!(compile("fence compiler", Target::Linux), "fence \"Barrier\"");
    for name in ["rcu-begin", "rcu-lock", "sync-rcu"] {
        let refused = try_compile(&format!("fence \"{name}\""), DIRECTED);
        assert_eq!(refused, Err("RCU under another model than the Linux kernel's".to_string()));
    }
    assert_eq!(compile("fence \"rcu-begin\"", Target::Linux), "fence \"Rcu-lock+Library\"");
}
