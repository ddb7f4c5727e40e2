//! The library: our models and the files they include, as cat text.
//!
//! Soundness S-156 (all; all; misses, cries wolf): An error in our reading of a source is an error
//! of the model; docs/models.md says with which recorded verdicts each model is compared, and where
//! they differ. Test:
//! crates/fencepost/tests/models.rs::classical_tests_have_their_published_verdicts,
//! crates/fencepost/tests/models.rs::models_in_the_style_of_published_ones_mean_the_same.

/// A model of the library.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// Its name.
    pub name: &'static str,
    /// One line about it.
    pub summary: &'static str,
    /// The fences it knows, for people.
    pub fences: &'static str,
    /// The published cat files it answers for, by their file names.
    pub published: &'static [&'static str],
    /// Its text.
    pub text: &'static str,
}

const ANY_FENCE: &str = "the full and directed fences of every architecture";

macro_rules! entry {
    ($name:literal, $summary:expr, $fences:expr, $published:expr) => {
        Entry {
            name: $name,
            summary: $summary,
            fences: $fences,
            published: &$published,
            text: include_str!(concat!("../library/", $name, ".cat")),
        }
    };
}

/// All models, strongest first as far as they can be ordered.
pub const ENTRIES: &[Entry] = &[
    entry!("serial", "operations of a data type as atomic units", "none needed", []),
    entry!(
        "sc",
        "sequential consistency, RMWs atomic",
        "none needed",
        ["sc-rmw.cat", "sc-lkmm.cat"]
    ),
    entry!(
        "sc-literal",
        "the common text of SC, which leaves an RMW's read and write unordered",
        "none needed",
        ["sc.cat"]
    ),
    entry!(
        "tso",
        "x86 and SPARC total store order, RISC-V Ztso",
        ANY_FENCE,
        ["x86tso.cat", "x86tso-mixed.cat", "riscv-tso.cat"]
    ),
    entry!("pso", "SPARC partial store order", ANY_FENCE, ["pso.cat"]),
    entry!("rmo", "SPARC relaxed memory order", ANY_FENCE, ["rmo.cat"]),
    entry!("alpha", "Alpha: no dependency between loads is kept", ANY_FENCE, []),
    entry!("relaxed", "the model of the CheckFence papers, with atomic sections", ANY_FENCE, []),
    entry!("power", "Power", "sync, lwsync, eieio, isync", ["ppc.cat"]),
    entry!("armv7", "ARMv7", "DMB, DSB and their ST forms, ISB", []),
    entry!(
        "armv8",
        "ARMv8 AArch64, user level",
        "DMB, DSB and their LD and ST forms, ISB; acquire, release",
        ["aarch64.cat"]
    ),
    entry!(
        "armv8-simple",
        "ARMv8 AArch64 in short, as published in 2018",
        "as armv8",
        ["aarch64-simple.cat"]
    ),
    entry!(
        "riscv",
        "RISC-V RVWMO",
        "fence with any sets of reads and writes, fence.tso; .aq, .rl",
        ["riscv.cat"]
    ),
    entry!("rc11", "repaired C11", "atomic_thread_fence; memory orders", ["rc11.cat"]),
    entry!(
        "c11",
        "C11 with a partial SC order, thin-air values possible",
        "atomic_thread_fence; memory orders",
        ["c11_partialSC.cat"]
    ),
    entry!(
        "c11-no-thin-air",
        "C11 with a partial SC order, thin-air values excluded",
        "atomic_thread_fence; memory orders",
        []
    ),
    entry!(
        "c11-simp",
        "C11 with the simplified SC axiom",
        "atomic_thread_fence; memory orders",
        ["c11_simp.cat"]
    ),
    entry!("imm", "the intermediate memory model", "atomic_thread_fence; memory orders", []),
    entry!(
        "lkmm",
        "the Linux-kernel memory model, with RCU, SRCU and locks",
        "smp_mb, smp_rmb, smp_wmb and the special ones; acquire, release; RCU",
        ["linux-kernel.cat"]
    ),
];

/// The model of this name; a published file's name finds the model that answers for it.
pub fn find(name: &str) -> Option<&'static Entry> {
    ENTRIES.iter().find(|entry| entry.name == name || entry.published.contains(&name))
}

/// What people call a model that has another name here.
const OTHER_NAMES: &[(&str, &str)] = &[
    ("x86", "tso"),
    ("x86-tso", "tso"),
    ("x86tso", "tso"),
    ("x86_64", "tso"),
    ("ztso", "tso"),
    ("sparc", "tso"),
    ("arm", "armv8"),
    ("arm64", "armv8"),
    ("aarch64", "armv8"),
    ("arm32", "armv7"),
    ("aarch32", "armv7"),
    ("ppc", "power"),
    ("powerpc", "power"),
    ("risc-v", "riscv"),
    ("rvwmo", "riscv"),
    ("linux", "lkmm"),
    ("kernel", "lkmm"),
    ("linux-kernel", "lkmm"),
    ("c", "rc11"),
    ("c20", "rc11"),
    ("c++11", "rc11"),
    ("c++20", "rc11"),
];

/// The model that was probably meant by a name that none has: another case, or another word for
/// it.
pub fn meant(name: &str) -> Option<&'static str> {
    let lower = name.to_lowercase();
    let same = ENTRIES.iter().map(|entry| entry.name).find(|known| *known == lower);
    same.or_else(|| OTHER_NAMES.iter().find(|(other, _)| *other == lower).map(|(_, name)| *name))
}

macro_rules! files {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../library/lib/", $name)))),*]
    };
}

const FILES: &[(&str, &str)] = files![
    "aarch64bbm.cat",
    "aarch64deps.cat",
    "aarch64fences.cat",
    "aarch64loc.cat",
    "aarch64memattrs.cat",
    "aarch64show.cat",
    "aarch64util.cat",
    "armfences.cat",
    "atomic-sections.cat",
    "c11-base.cat",
    "c11_cos.cat",
    "cos-no-opt.cat",
    "cos-opt.cat",
    "cos.cat",
    "cross.cat",
    "directed-fences.cat",
    "fences.cat",
    "filters.cat",
    "lkmm-words.cat",
    "lock.cat",
    "plain-races.cat",
    "ppcfences.cat",
    "propagation.cat",
    "riscvfences.cat",
    "stdlib.cat",
    "tool-words.cat",
    "transactions.cat",
    "x86fences.cat",
];

/// The text of a file that models may include: one of the supporting files, or a model.
pub fn included(name: &str) -> Option<&'static str> {
    let file = FILES.iter().find(|(file, _)| *file == name).map(|(_, text)| *text);
    let model = || {
        let model = name.strip_suffix(".cat")?;
        ENTRIES.iter().find(|entry| entry.name == model).map(|entry| entry.text)
    };
    file.or_else(model)
}

#[cfg(test)]
mod tests {
    #[test]
    fn other_words_for_models_are_known() {
        for (other, name) in super::OTHER_NAMES {
            assert!(super::find(name).is_some() && super::find(other).is_none(), "{other}");
        }
        assert_eq!(super::meant("SC"), Some("sc"));
        assert_eq!(super::meant("x86"), Some("tso"));
        assert_eq!(super::meant("vax"), None);
    }

    use super::*;
    use crate::Model;

    #[test]
    fn every_model_can_be_read() {
        for entry in ENTRIES {
            let model = Model::from_text(entry.name, entry.text)
                .unwrap_or_else(|error| panic!("{}: {:?}", entry.name, error.diagnostic));
            assert!(model.title.is_some(), "{} has no title", entry.name);
            assert!(model.compiled().is_some(), "{} needs an execution", entry.name);
        }
    }

    #[test]
    fn every_supporting_file_can_be_included() {
        for (name, _) in FILES {
            let text = format!("include {name:?}");
            // These expect names that their includer defines.
            if *name == "propagation.cat" {
                continue;
            }
            let result = Model::from_text("t", &text);
            assert!(result.is_ok(), "{name}: {:?}", result.err().map(|e| e.diagnostic));
        }
    }
}
