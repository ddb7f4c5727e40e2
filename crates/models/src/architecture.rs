//! Which architecture or language a model is for, by the fences and annotations that it mentions.
//!
//! The compiled form of a program for a model, and the strongest fence that its threads can be
//! separated by, depend on this. Models are not known by name: a user's text says what it is for
//! by the words of the [vocabulary](crate::vocabulary) that its axioms speak of.

use crate::algebra::Term;
use crate::model::Model;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::OnceLock;

/// What a model is for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Architecture {
    /// The load-store language itself, with directed fences (and those of every architecture).
    CheckFence,
    /// x86 and x86-64.
    X86,
    /// Power.
    Power,
    /// ARMv7, whose full barrier is plain `DMB`.
    Armv7,
    /// AArch64.
    Arm,
    /// RISC-V.
    RiscV,
    /// C11.
    C11,
    /// Linux-kernel C.
    Linux,
    /// No fences are mentioned, so none are needed: sequential consistency and the like.
    None,
}

/// The words that say what a model is for. The first architecture of the list of which one word is
/// mentioned is it: a model with directed fences knows those of all others, too, and language
/// models come before machines because `A` and the like are words of several.
const SIGNS: &[(Architecture, &[&str])] = &[
    (Architecture::CheckFence, &["LoadLoad", "LoadStore", "StoreLoad", "StoreStore"]),
    (Architecture::Linux, &["Mb", "Rmb", "Wmb", "Once", "Rcu-lock", "Sync-rcu"]),
    (Architecture::C11, &["RLX", "ACQ", "REL", "ACQ_REL", "SC", "NA"]),
    (Architecture::RiscV, &["Fence.rw.rw", "Fence.r.r", "Fence.w.w", "Fence.tso"]),
    (Architecture::Power, &["SYNC", "LWSYNC", "EIEIO", "ISYNC"]),
    (Architecture::Armv7, &["DMB", "DSB"]),
    (Architecture::Arm, &["DMB.SY", "DMB.ISH", "DSB.SY", "DSB.ISH", "ISB", "L", "Q"]),
    (Architecture::X86, &["MFENCE", "LFENCE", "SFENCE"]),
];

impl Model {
    /// The words of the vocabulary that the model's axioms and flags speak of, directly or through
    /// what they are defined by.
    pub fn mentions(&self) -> BTreeSet<Arc<str>> {
        let Ok(compiled) = self.compiled_for_mentions() else { return BTreeSet::new() };
        let checks = compiled.worlds.iter().flat_map(|w| w.axioms.iter().chain(&w.flags));
        let roots: Vec<_> = checks.map(|axiom| axiom.term).collect();
        let words = compiled.terms.reachable(&roots).into_iter();
        words
            .filter_map(|id| match &compiled.terms.node(id).term {
                Term::Base(name, _) => Some(name.clone()),
                _ => None,
            })
            .collect()
    }

    /// Whether it is a model of a language, not of a machine.
    pub fn is_of_language(&self) -> bool {
        matches!(self.architecture(), Architecture::C11 | Architecture::Linux)
    }

    /// What the model is for.
    pub fn architecture(&self) -> Architecture {
        let mentioned = self.mentions();
        let is_for = |(_, signs): &&(Architecture, &[&str])| {
            signs.iter().any(|&sign| mentioned.contains(sign))
        };
        SIGNS.iter().find(is_for).map_or(Architecture::None, |(architecture, _)| *architecture)
    }

    /// The strongest fence that the model knows, as the sets of events that it is in; empty where
    /// none is needed.
    pub fn full_fence(&self) -> &'static [&'static str] {
        match self.architecture() {
            Architecture::CheckFence => &["LoadLoad", "LoadStore", "StoreLoad", "StoreStore"],
            Architecture::X86 => &["MFENCE"],
            Architecture::Power => &["SYNC"],
            Architecture::Armv7 => &["DMB"],
            Architecture::Arm => &["DMB.SY"],
            Architecture::RiscV => &["Fence.rw.rw"],
            Architecture::C11 => &["SC"],
            Architecture::Linux => &["Mb"],
            Architecture::None => &[],
        }
    }

    /// Whether the model gives atomic sections (and compare-and-swaps of several words) a meaning.
    pub fn knows_atomic_sections(&self) -> bool {
        self.mentions().contains("same-atomic")
    }

    /// Whether the model gives accesses of several sizes that overlap a meaning: whether it speaks
    /// of their parts.
    pub fn knows_mixed_sizes(&self) -> bool {
        let mentioned = self.mentions();
        ["same-access", "same-instr"].iter().any(|&word| mentioned.contains(word))
    }

    /// Whether the model knows operations of a data type as a whole.
    pub fn knows_operations(&self) -> bool {
        self.mentions().contains("same-op")
    }
}

/// The models of the library that give accesses of several sizes a meaning, but for variants.
pub fn with_mixed_sizes() -> &'static [&'static str] {
    static NAMES: OnceLock<Vec<&str>> = OnceLock::new();
    let knows = |name: &&str| {
        let known = |model: Model| model.knows_mixed_sizes() && !model.knows_operations();
        !name.contains('-') && Model::named(name).is_some_and(known)
    };
    let names = || crate::library::ENTRIES.iter().map(|entry| entry.name).filter(knows).collect();
    NAMES.get_or_init(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fence_of(name: &str) -> (Architecture, &'static [&'static str]) {
        let model = Model::named(name).expect("in the library");
        (model.architecture(), model.full_fence())
    }

    #[test]
    fn every_model_of_the_library_says_what_it_is_for() {
        let directed: &[&str] = &["LoadLoad", "LoadStore", "StoreLoad", "StoreStore"];
        for name in ["tso", "pso", "rmo", "alpha", "relaxed"] {
            assert_eq!(fence_of(name), (Architecture::CheckFence, directed), "{name}");
        }
        for name in ["sc", "serial"] {
            assert_eq!(fence_of(name), (Architecture::None, &[][..]), "{name}");
        }
        for name in ["rc11", "c11", "c11-no-thin-air", "imm"] {
            assert_eq!(fence_of(name), (Architecture::C11, &["SC"][..]), "{name}");
        }
        assert_eq!(fence_of("power"), (Architecture::Power, &["SYNC"][..]));
        assert_eq!(fence_of("armv7"), (Architecture::Armv7, &["DMB"][..]));
        assert_eq!(fence_of("armv8"), (Architecture::Arm, &["DMB.SY"][..]));
        assert_eq!(fence_of("riscv"), (Architecture::RiscV, &["Fence.rw.rw"][..]));
        assert_eq!(fence_of("lkmm"), (Architecture::Linux, &["Mb"][..]));
    }

    #[test]
    fn models_without_a_published_meaning_of_mixed_sizes_give_them_none() {
        let knows = |entry: &&crate::library::Entry| {
            Model::named(entry.name).expect("in the library").knows_mixed_sizes()
        };
        let known: Vec<&str> =
            crate::library::ENTRIES.iter().filter(knows).map(|entry| entry.name).collect();
        let expected = [
            "serial",
            "sc",
            "sc-literal",
            "tso",
            "pso",
            "rmo",
            "relaxed",
            "armv8",
            "armv8-simple",
            "riscv",
        ];
        assert_eq!(known, expected);
        assert_eq!(with_mixed_sizes(), ["sc", "tso", "pso", "rmo", "relaxed", "armv8", "riscv"]);
    }

    #[test]
    fn a_users_model_is_known_by_its_fences() {
        let text = "let f = fencerel(MFENCE)\nacyclic po & (W * W) | f | rf | co as order";
        let model = Model::from_text("mine", text).expect("it is right");
        assert_eq!(model.architecture(), Architecture::X86);
        assert_eq!(model.full_fence(), ["MFENCE"]);
        assert!(!model.knows_atomic_sections());
    }

    #[test]
    fn what_is_defined_but_not_used_says_nothing() {
        let text = "include \"fences.cat\"\nacyclic po | rf | co as order";
        let model = Model::from_text("mine", text).expect("it is right");
        assert_eq!(model.architecture(), Architecture::None);
    }
}
