//! The rules of the machine with views, of which tests switch off one at a time.

/// Which rules the machine follows. Tests switch single ones off, to see that this is noticed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rules {
    /// Acquiring reads see what releasing writes saw.
    pub synchronise: bool,
    /// Read-modify-writes go on with the release sequence of what they read.
    pub sequences: bool,
    /// Later writes of the same thread go on with one.
    pub own_sequences: bool,
    /// Nothing comes between the halves of a read-modify-write.
    pub whole: bool,
    /// Release fences matter.
    pub release_fences: bool,
    /// Acquire fences matter.
    pub acquire_fences: bool,
    /// SC fences are ordered.
    pub sc_fences: bool,
    /// Reads and writes do not go back in coherence order.
    pub coherent: bool,
    /// Stores may precede, in coherence order, what other threads have stored already.
    pub between: bool,
    /// Reads may see what is not the latest.
    pub stale: bool,
    /// Steps that commute are taken in one order, and what no thread can observe is forgotten.
    pub reduce: bool,
    /// This many states are visited first without reductions, to learn who accesses what.
    pub training: usize,
    /// Cells without atomic accesses need no lists where no threads race for them.
    pub data: bool,
    /// Where all atomic accesses are SC and there are no races, all is sequentially consistent.
    pub sequential: bool,
    /// Chains of reads between SC fences are noticed.
    pub chains: bool,
    /// Accesses have to come after the allocation of their memory.
    pub allocations: bool,
}

impl Default for Rules {
    fn default() -> Self {
        Rules {
            synchronise: true,
            sequences: true,
            own_sequences: true,
            whole: true,
            release_fences: true,
            acquire_fences: true,
            sc_fences: true,
            coherent: true,
            between: true,
            stale: true,
            chains: true,
            allocations: true,
            reduce: true,
            data: true,
            sequential: true,
            training: 2_000,
        }
    }
}

impl Rules {
    /// For each rule of atomic accesses and fences, its name and all others.
    pub fn without_one() -> Vec<(&'static str, Rules)> {
        let all = Rules::default();
        vec![
            ("synchronise", Rules { synchronise: false, ..all }),
            ("sequences", Rules { sequences: false, ..all }),
            ("own_sequences", Rules { own_sequences: false, ..all }),
            ("whole", Rules { whole: false, ..all }),
            ("release_fences", Rules { release_fences: false, ..all }),
            ("acquire_fences", Rules { acquire_fences: false, ..all }),
            ("sc_fences", Rules { sc_fences: false, ..all }),
            ("coherent", Rules { coherent: false, ..all }),
            ("between", Rules { between: false, ..all }),
            ("stale", Rules { stale: false, ..all }),
            ("chains", Rules { chains: false, ..all }),
        ]
    }
}
