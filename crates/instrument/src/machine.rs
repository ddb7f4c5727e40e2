//! The machines that models are: which models have one, and what theirs is.

/// A machine: one with store buffers, or one whose states are executions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Machine {
    /// Each thread has a buffer; stores leave it in their order.
    Tso,
    /// Stores of a thread to different addresses leave it in any order, but for store-store fences.
    Pso,
    /// Loads may be late; nothing that depends on them waits.
    Relaxed,
    /// Loads may be late; what depends on them waits.
    Rmo,
    /// Loads may be late, as on ARMv8: stores become visible to all other threads at once.
    Armv8,
    /// Loads may be late, and stores become visible to threads one after the other.
    Power,
}

/// The models that have an operational form.
pub const MODELS: [(&str, Machine); 6] = [
    ("tso", Machine::Tso),
    ("pso", Machine::Pso),
    ("relaxed", Machine::Relaxed),
    ("rmo", Machine::Rmo),
    ("armv8", Machine::Armv8),
    ("power", Machine::Power),
];

impl Machine {
    /// The machine of a model of the library.
    pub fn of_model(name: &str) -> Option<Machine> {
        MODELS.iter().find(|(known, _)| *known == name).map(|&(_, machine)| machine)
    }

    /// The name of the model.
    pub fn name(self) -> &'static str {
        let named = MODELS.iter().find(|(_, machine)| *machine == self);
        named.map_or("", |(name, _)| name)
    }

    /// Whether its states are executions, and not memory and buffers.
    pub fn keeps_executions(self) -> bool {
        !matches!(self, Machine::Tso | Machine::Pso)
    }
}

/// For which tool a program is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dialect {
    /// Fencepost.
    Fencepost,
    /// Verifiers that take the names of SV-COMP.
    Svcomp,
    /// CBMC.
    Cbmc,
    /// A compiler: the program chooses at random.
    Gcc,
}

impl Dialect {
    /// All, by the names that the command line has for them.
    pub const ALL: [(&str, Dialect); 4] = [
        ("fencepost", Dialect::Fencepost),
        ("svcomp", Dialect::Svcomp),
        ("cbmc", Dialect::Cbmc),
        ("gcc", Dialect::Gcc),
    ];
}
