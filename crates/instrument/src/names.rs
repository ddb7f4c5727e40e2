//! The atomic operations of C11 and gcc by their names, and what the runtime has instead of them.

/// What an operation does, with the parts of its name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operation {
    /// Reads.
    Load,
    /// Writes.
    Store,
    /// Writes zero.
    Clear,
    /// Exchanges.
    Exchange,
    /// Sets to one and says whether it was set.
    TestAndSet,
    /// Reads, computes with this operator and writes; the result is the new value or the old one.
    Modify { operator: &'static str, gives_new: bool },
    /// Compares and swaps; results in success, and may fail without a reason.
    CompareExchange { weak: bool },
    /// The same; whether it is weak is an argument.
    CompareExchangeN,
    /// Compares with a value and swaps; results in success or in the value found.
    CompareSwap { gives_old: bool },
}

/// How the order of an operation is given.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ordering {
    /// Its last argument; for a compare-and-swap, the last two.
    Argument,
    /// It is always this.
    Fixed(&'static str),
}

/// What a name stands for.
pub fn operation(name: &str) -> Option<(Operation, Ordering)> {
    if let Some(rest) = name.strip_prefix("atomic_") {
        let (rest, order) = match rest.strip_suffix("_explicit") {
            Some(rest) => (rest, Ordering::Argument),
            None => (rest, Ordering::Fixed("__ATOMIC_SEQ_CST")),
        };
        let operation = match rest {
            "load" => Operation::Load,
            "store" => Operation::Store,
            "init" => return Some((Operation::Store, Ordering::Fixed("__ATOMIC_RELAXED"))),
            "exchange" => Operation::Exchange,
            "flag_test_and_set" => Operation::TestAndSet,
            "flag_clear" => Operation::Clear,
            "compare_exchange_strong" => Operation::CompareExchange { weak: false },
            "compare_exchange_weak" => Operation::CompareExchange { weak: true },
            _ => modify(rest.strip_prefix("fetch_")?, false)?,
        };
        return Some((operation, order));
    }
    if let Some(rest) = name.strip_prefix("__atomic_") {
        let operation = match rest {
            "load_n" => Operation::Load,
            "store_n" => Operation::Store,
            "exchange_n" => Operation::Exchange,
            "test_and_set" => Operation::TestAndSet,
            "clear" => Operation::Clear,
            "compare_exchange_n" => Operation::CompareExchangeN,
            _ => match rest.strip_prefix("fetch_") {
                Some(operator) => modify(operator, false)?,
                None => modify(rest.strip_suffix("_fetch")?, true)?,
            },
        };
        return Some((operation, Ordering::Argument));
    }
    let rest = name.strip_prefix("__sync_")?;
    let (operation, order) = match rest {
        "bool_compare_and_swap" => (Operation::CompareSwap { gives_old: false }, "SEQ_CST"),
        "val_compare_and_swap" => (Operation::CompareSwap { gives_old: true }, "SEQ_CST"),
        "lock_test_and_set" => (Operation::Exchange, "ACQUIRE"),
        "lock_release" => (Operation::Clear, "RELEASE"),
        _ => match rest.strip_prefix("fetch_and_") {
            Some(operator) => (modify(operator, false)?, "SEQ_CST"),
            None => (modify(rest.strip_suffix("_and_fetch")?, true)?, "SEQ_CST"),
        },
    };
    Some((operation, Ordering::Fixed(constant(order))))
}

fn constant(order: &str) -> &'static str {
    match order {
        "ACQUIRE" => "__ATOMIC_ACQUIRE",
        "RELEASE" => "__ATOMIC_RELEASE",
        _ => "__ATOMIC_SEQ_CST",
    }
}

fn modify(operator: &str, gives_new: bool) -> Option<Operation> {
    let operator = match operator {
        "add" => "+",
        "sub" => "-",
        "or" => "|",
        "xor" => "^",
        "and" => "&",
        _ => return None,
    };
    Some(Operation::Modify { operator, gives_new })
}

/// What the runtime calls its form of an operation.
pub fn in_runtime(name: &str) -> String {
    format!("weak_{}", name.trim_start_matches('_'))
}
