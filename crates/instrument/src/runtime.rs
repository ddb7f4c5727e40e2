//! The runtime of a rewritten program, as C: what it needs of the machine, for one tool.
//!
//! The text is in `runtime/*.c`. Lines that begin with `@TSO`, `@PSO` and the like are only for
//! these; a line that is a name after `@` begins a part that stands there if it is needed.

use crate::machine::{Dialect, Machine};
use crate::names::{Operation, Ordering, in_runtime, operation};
use crate::needs::Needs;
use std::collections::BTreeSet;
use std::fmt::Write;

/// How large things are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sizes {
    /// How many stores of a thread wait at most.
    pub buffer: u32,
    /// How many threads there are at most, `main` included.
    pub threads: u32,
}

/// The runtime.
pub fn runtime(machine: Machine, dialect: Dialect, needs: &Needs, sizes: Sizes) -> String {
    let keep = Keep { machine, dialect, frees: needs.frees };
    let c11_threads = needs.functions.iter().any(|name| name.starts_with("thrd_"));
    let mut text = format!(
        "{}#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n#include <stdlib.h>\n{}{}\n\
         /* How many stores of one thread can wait, and how many threads there can be. */\n\
         #ifndef WEAK_BUFFER\n#define WEAK_BUFFER {}\n#endif\n#define WEAK_THREADS {}\n\n",
        feature_macros(needs),
        if needs.frees && dialect == Dialect::Gcc { "#include <malloc.h>\n" } else { "" },
        if c11_threads { "#include <threads.h>\n" } else { "" },
        sizes.buffer,
        sizes.threads
    );
    text += &keep.lines(match dialect {
        Dialect::Fencepost => include_str!("runtime/head_fencepost.c"),
        Dialect::Svcomp => include_str!("runtime/head_svcomp.c"),
        Dialect::Cbmc => include_str!("runtime/head_cbmc.c"),
        Dialect::Gcc => include_str!("runtime/head_gcc.c"),
    });
    text.push('\n');
    let (fence, update) = match machine {
        Machine::Tso => (
            "stores take effect in their order anyway",
            "It is\n   locked: it waits until all earlier stores of its thread are in memory.",
        ),
        Machine::Pso => (
            "a store-store fence only separates\n   those stores that are older from those that are younger",
            "Its\n   store is in memory at once.",
        ),
    };
    let buffers = keep.lines(include_str!("runtime/buffers.c"));
    text += &buffers.replace("@FENCE", fence).replace("@UPDATE", update);
    let forms = parts(include_str!("runtime/forms.c"));
    let wanted = wanted_forms(needs);
    for (_, form) in forms.iter().filter(|(name, _)| wanted.contains(*name)) {
        let _ = write!(text, "\n{}\n", form.trim_end());
    }
    text += &operations(needs);
    text += &keep.main(needs);
    let functions = parts(include_str!("runtime/threads.c"));
    for (name, part) in functions {
        let needed = match name {
            "free" => needs.frees,
            name => needs.functions.contains(name),
        };
        if needed {
            let _ = write!(text, "\n{}\n", keep.lines(part).trim_end());
        }
    }
    if needs.mutexes {
        text.push('\n');
        text += &keep.lines(include_str!("runtime/mutex.c"));
    }
    text
}

/// What the program's text takes for granted and `-std=c11` does not give.
fn feature_macros(needs: &Needs) -> String {
    let mut text = String::new();
    if !needs.names_gnu_source {
        text += "#define _GNU_SOURCE\n";
    }
    if needs.writes_asm {
        text += "#define asm __asm__\n";
    }
    text
}

/// The forms that are needed, with those that they are made of.
fn wanted_forms(needs: &Needs) -> BTreeSet<&str> {
    let mut wanted: BTreeSet<&str> = needs.forms.iter().map(String::as_str).collect();
    for name in &needs.operations {
        wanted.insert(match operation(name) {
            Some((Operation::Load, _)) => "weak_load",
            Some((Operation::Store | Operation::Clear, _)) => "weak_store_explicit",
            Some((Operation::CompareExchange { .. }, _))
            | Some((Operation::CompareExchangeN | Operation::CompareSwap { .. }, _)) => "weak_cas",
            _ => "weak_modify",
        });
    }
    for (name, uses) in [
        ("weak_load_seq_cst", "weak_load"),
        ("weak_store", "weak_store_explicit"),
        ("weak_store_seq_cst", "weak_store_explicit"),
        ("weak_update", "weak_step"),
        ("weak_post_update", "weak_step"),
        ("weak_update_seq_cst", "weak_modify"),
        ("weak_post_update_seq_cst", "weak_modify"),
    ] {
        if wanted.contains(name) {
            wanted.insert(uses);
        }
    }
    wanted
}

/// The parts of a text by the names that they begin with.
fn parts(text: &str) -> Vec<(&str, &str)> {
    let starts: Vec<usize> = std::iter::once(0)
        .chain(text.match_indices("\n@").map(|(at, _)| at + 1))
        .filter(|&at| text[at..].starts_with('@') && !text[at..].starts_with("@TSO"))
        .filter(|&at| !text[at..].starts_with("@PSO"))
        .collect();
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    let part = |(start, end): (&usize, usize)| {
        let (name, body) = text[*start + 1..end].split_once('\n').unwrap_or_default();
        (name, body)
    };
    starts.iter().zip(ends).map(part).collect()
}

/// Which lines a text has.
struct Keep {
    machine: Machine,
    dialect: Dialect,
    frees: bool,
}

impl Keep {
    fn lines(&self, text: &str) -> String {
        let mut kept = String::new();
        for line in text.lines() {
            if let Some(line) = self.line(line) {
                kept.push_str(line);
                kept.push('\n');
            }
        }
        kept
    }

    fn line<'t>(&self, line: &'t str) -> Option<&'t str> {
        let runs = self.dialect == Dialect::Gcc;
        let marks = [
            ("@TSO", self.machine == Machine::Tso),
            ("@PSO", self.machine == Machine::Pso),
            ("@RUNS", runs),
            ("@ONCE", !runs),
            ("@SPINS", runs),
            ("@WAITS", !runs),
            ("@FREES", self.frees),
        ];
        for (mark, holds) in marks {
            if let Some(rest) = line.strip_prefix(mark) {
                return if holds { self.line(rest) } else { None };
            }
        }
        Some(line)
    }

    fn main(&self, needs: &Needs) -> String {
        let (parameters, arguments) = match needs.arguments {
            true => ("int argc, char **argv", "argc, argv"),
            false => ("void", ""),
        };
        let text = self.lines(include_str!("runtime/main.c"));
        let text = text.replace("@PARAMETERS", parameters).replace("@ARGUMENTS", arguments);
        format!("\n{text}")
    }
}

/// The atomic operations and fences that the program uses.
fn operations(needs: &Needs) -> String {
    let mut text = String::new();
    if !needs.operations.is_empty() {
        text += "\n/* The atomic operations of the program. */\n";
    }
    for name in &needs.operations {
        if let Some((operation, order)) = operation(name) {
            text += &defined(name, operation, order);
        }
    }
    if needs.thread_fences {
        text += "
/* atomic_thread_fence(order), and what else is a fence of C11 */
static inline void weak_thread_fence(int order) {
    int acquires = order == __ATOMIC_ACQUIRE || order == __ATOMIC_CONSUME ? WEAK_LOAD_LOAD | WEAK_LOAD_STORE : 0;
    int releases = weak_releases(order) ? WEAK_LOAD_STORE | WEAK_STORE_STORE : 0;
    int all = order == __ATOMIC_SEQ_CST ? WEAK_LOAD_LOAD | WEAK_STORE_LOAD : 0;
    weak_fence(acquires | releases | all);
}
";
    }
    text
}

fn defined(name: &str, operation: Operation, order: Ordering) -> String {
    let is_cas =
        matches!(operation, Operation::CompareExchange { .. } | Operation::CompareExchangeN);
    let (parameter, order) = match order {
        Ordering::Argument if is_cas => (", success, failure", "success, failure".to_string()),
        Ordering::Argument => (", order", "order".to_string()),
        Ordering::Fixed(order) if is_cas => ("", format!("{order}, {order}")),
        Ordering::Fixed(order) => ("", order.to_string()),
    };
    let (parameters, body) = match operation {
        Operation::Load => ("object", "weak_load(*(object))".to_string()),
        Operation::Store => {
            ("object, value", format!("weak_store_explicit(*(object), {order}, (value))"))
        }
        Operation::Clear if name.starts_with("__sync") => {
            ("object", format!("((void)weak_store_explicit(*(object), {order}, 0))"))
        }
        Operation::Clear => {
            ("object", format!("((void)weak_store_explicit(*(weak_bits8 *)(object), {order}, 0))"))
        }
        Operation::Exchange => (
            "object, value",
            format!("weak_modify(object, value, {order}, weak_operand, weak_old)"),
        ),
        Operation::TestAndSet => (
            "object",
            format!("weak_modify((weak_bits8 *)(object), 1, {order}, weak_operand, weak_old != 0)"),
        ),
        Operation::Modify { operator, gives_new } => {
            let result = if gives_new { "weak_new" } else { "weak_old" };
            let new = format!("weak_old {operator} weak_operand");
            ("object, value", format!("weak_modify(object, value, {order}, {new}, {result})"))
        }
        Operation::CompareExchange { weak } => {
            let weak = i32::from(weak);
            ("object, expected, desired", compare_exchange(&weak.to_string(), &order))
        }
        Operation::CompareExchangeN => {
            ("object, expected, desired, weak", compare_exchange("weak", &order))
        }
        Operation::CompareSwap { gives_old } => {
            let result = if gives_old { "weak_old" } else { "weak_same" };
            let order = format!("{order}, {order}");
            let rest = format!("0, {order}, (void)0, {result})");
            ("object, wanted, desired", format!("weak_cas(object, wanted, desired, {rest}"))
        }
    };
    let runtime = in_runtime(name);
    format!("#define {runtime}({parameters}{parameter}) \\\n    {body}\n")
}

fn compare_exchange(weak: &str, order: &str) -> String {
    format!(
        "({{ __auto_type weak_expected = (expected); \\\n    weak_cas(object, *weak_expected, desired, {weak}, {order}, \\\n             *weak_expected = weak_old, weak_same); }})"
    )
}
