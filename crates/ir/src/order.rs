//! Memory orders of accesses, and the kinds of fence.

/// The memory order of an access, as written in the source.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Order {
    /// An ordinary access: a data race with it is undefined behaviour in C11.
    NonAtomic,
    /// A `volatile` access that is not atomic.
    Volatile,
    /// `memory_order_relaxed`.
    Relaxed,
    /// `memory_order_consume`.
    Consume,
    /// `memory_order_acquire`.
    Acquire,
    /// Acquire that does not order after an earlier release store (RCpc: ARM's `LDAPR`).
    AcquirePc,
    /// `memory_order_release`.
    Release,
    /// `memory_order_acq_rel`.
    AcqRel,
    /// `memory_order_seq_cst`.
    SeqCst,
}

impl Order {
    /// All orders, weakest first.
    pub const ALL: [Order; 9] = [
        Order::NonAtomic,
        Order::Volatile,
        Order::Relaxed,
        Order::Consume,
        Order::Acquire,
        Order::AcquirePc,
        Order::Release,
        Order::AcqRel,
        Order::SeqCst,
    ];

    /// The name in the IR's text form.
    pub fn name(self) -> &'static str {
        match self {
            Order::NonAtomic => "na",
            Order::Volatile => "vol",
            Order::Relaxed => "rlx",
            Order::Consume => "con",
            Order::Acquire => "acq",
            Order::AcquirePc => "acqpc",
            Order::Release => "rel",
            Order::AcqRel => "acqrel",
            Order::SeqCst => "sc",
        }
    }

    /// Whether the access is atomic in the sense of C11.
    pub fn is_atomic(self) -> bool {
        !matches!(self, Order::NonAtomic | Order::Volatile)
    }
}

/// The pairs of accesses that a directed fence keeps in order (CheckFence, PLDI 2007).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Directions {
    /// Earlier loads before later loads.
    pub load_load: bool,
    /// Earlier loads before later stores.
    pub load_store: bool,
    /// Earlier stores before later loads.
    pub store_load: bool,
    /// Earlier stores before later stores.
    pub store_store: bool,
}

/// As in the program's text: `load-load, store-store`, or `none`.
impl std::fmt::Display for Directions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Directions { load_load, load_store, store_load, store_store } = *self;
        let all = [
            (load_load, "load-load"),
            (load_store, "load-store"),
            (store_load, "store-load"),
            (store_store, "store-store"),
        ];
        let words: Vec<&str> = all.iter().filter(|(on, _)| *on).map(|&(_, word)| word).collect();
        f.write_str(&if words.is_empty() { "none".to_string() } else { words.join(", ") })
    }
}

/// A fence.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Fence {
    /// One or several of the papers' four: `fence("load-load")`.
    Directed(Directions),
    /// `atomic_thread_fence(order)`.
    C11(Order),
    /// `atomic_signal_fence(order)` or an empty asm with a memory clobber: orders the compiler,
    /// not the machine.
    Compiler,
    /// An architecture's fence by the name that its manual and cat models use: `mfence`,
    /// `dmb.ish`, `lwsync`, `fence.r.rw`, `rcu-lock`.
    Named(String),
}
