//! The named fences of each architecture, as cat models spell them.

/// Whose fences they are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Family {
    X86,
    Power,
    /// Both ARMv7 and AArch64 have it.
    Arm,
    /// Only AArch64 has it: barriers for loads.
    Armv8,
    /// Only ARMv7 has it: barriers without a domain.
    Armv7,
    RiscV,
    Linux,
}

impl Family {
    pub(super) fn name(self) -> &'static str {
        match self {
            Family::X86 => "x86",
            Family::Power => "Power",
            Family::Arm => "Arm",
            Family::Armv8 => "ARMv8",
            Family::Armv7 => "ARMv7",
            Family::RiscV => "RISC-V",
            Family::Linux => "the Linux kernel",
        }
    }
}

const FENCES: &[(Family, &[&str])] = &[
    (Family::X86, &["MFENCE", "SFENCE", "LFENCE"]),
    (Family::Power, &["SYNC", "LWSYNC", "EIEIO", "ISYNC"]),
    (
        Family::Arm,
        &[
            "DMB.SY",
            "DMB.ST",
            "DMB.ISH",
            "DMB.ISHST",
            "DMB.OSH",
            "DMB.OSHST",
            "DMB.NSH",
            "DMB.NSHST",
            "DSB.SY",
            "DSB.ST",
            "DSB.ISH",
            "DSB.ISHST",
            "DSB.OSH",
            "DSB.OSHST",
            "DSB.NSH",
            "DSB.NSHST",
            "ISB",
        ],
    ),
    (
        Family::Armv8,
        &[
            "DMB.LD",
            "DMB.ISHLD",
            "DMB.OSHLD",
            "DMB.NSHLD",
            "DSB.LD",
            "DSB.ISHLD",
            "DSB.OSHLD",
            "DSB.NSHLD",
        ],
    ),
    (Family::Armv7, &["DMB", "DSB"]),
    (
        Family::RiscV,
        &[
            "Fence.r.r",
            "Fence.r.w",
            "Fence.r.rw",
            "Fence.w.r",
            "Fence.w.w",
            "Fence.w.rw",
            "Fence.rw.r",
            "Fence.rw.w",
            "Fence.rw.rw",
            "Fence.tso",
            "Fence.i",
        ],
    ),
    (
        Family::Linux,
        &[
            "Mb",
            "Rmb",
            "Wmb",
            "Barrier",
            "Before-atomic",
            "After-atomic",
            "After-spinlock",
            "After-unlock-lock",
            "After-srcu-read-unlock",
            "Rcu-lock",
            "Rcu-unlock",
            "Rcu-begin",
            "Rcu-end",
            "Sync-rcu",
        ],
    ),
];

/// Whose fence this is, and how cat models spell it.
pub(super) fn known(name: &str) -> Option<(Family, &'static str)> {
    FENCES.iter().find_map(|(family, names)| {
        let spelled = names.iter().find(|cat| cat.eq_ignore_ascii_case(name))?;
        Some((*family, *spelled))
    })
}
