//! The machines that models are: which models have one, and what theirs is.

/// A machine with store buffers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Machine {
    /// Each thread has a buffer; stores leave it in their order.
    Tso,
    /// Stores of a thread to different addresses leave it in any order, but for store-store fences.
    Pso,
}

/// The models that have an operational form.
pub const MODELS: [(&str, Machine); 2] = [("tso", Machine::Tso), ("pso", Machine::Pso)];

impl Machine {
    /// The machine of a model of the library.
    pub fn of_model(name: &str) -> Option<Machine> {
        MODELS.iter().find(|(known, _)| *known == name).map(|&(_, machine)| machine)
    }

    /// The name of the model.
    pub fn name(self) -> &'static str {
        match self {
            Machine::Tso => "tso",
            Machine::Pso => "pso",
        }
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
