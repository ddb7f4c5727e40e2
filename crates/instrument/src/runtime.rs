//! The runtime of a rewritten program, as C: what it needs of the machine, for one tool.
//!
//! The text is in `runtime/*.c`. Lines that begin with `@TSO`, `@PSO` and the like are only for
//! these ([`Keep`]); a line that is another name after `@` begins a part that stands there if it is
//! needed.

use crate::machine::{Dialect, Machine};
use crate::names::{Operation, Ordering, in_runtime, operation};
use crate::needs::Needs;
use crate::table::{Place, most_values, table};
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

/// How many events an execution has at most: a set of events is a number of 64 bits, two of which
/// have other meanings.
pub const MOST_EVENTS: u32 = 62;

/// The runtime. `places` are those in the text, for machines that need them.
pub fn runtime(
    (machine, dialect): (Machine, Dialect),
    needs: &Needs,
    sizes: Sizes,
    places: &[Place],
) -> String {
    let keep = Keep { machine, dialect, frees: needs.frees };
    let c11_threads = needs.functions.iter().any(|name| name.starts_with("thrd_"));
    let mut text = format!(
        "{}#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n#include <stdlib.h>\n{}{}\n{}",
        feature_macros(needs),
        if needs.frees && dialect == Dialect::Gcc { "#include <malloc.h>\n" } else { "" },
        if c11_threads { "#include <threads.h>\n" } else { "" },
        keep.sizes(sizes)
    );
    text += &keep.lines(match dialect {
        Dialect::Fencepost => include_str!("runtime/head_fencepost.c"),
        Dialect::Svcomp => include_str!("runtime/head_svcomp.c"),
        Dialect::Cbmc => include_str!("runtime/head_cbmc.c"),
        Dialect::Gcc => include_str!("runtime/head_gcc.c"),
    });
    text.push('\n');
    text += &keep.machine(places);
    let forms = keep.lines(include_str!("runtime/forms.c"));
    let forms = parts(&forms);
    let wanted = wanted_forms(needs, machine);
    for (_, form) in forms.iter().filter(|(name, _)| wanted.contains(*name)) {
        let _ = write!(text, "\n{}\n", form.trim_end());
    }
    text += &operations(needs, machine);
    text += &keep.main(needs);
    let functions = keep.lines(include_str!("runtime/threads.c"));
    for (name, part) in parts(&functions) {
        let needed = match name {
            "free" => needs.frees,
            name => needs.functions.contains(name),
        };
        if needed && !part.trim().is_empty() {
            let _ = write!(text, "\n{}\n", part.trim_end());
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
fn wanted_forms(needs: &Needs, machine: Machine) -> BTreeSet<&str> {
    let mut wanted: BTreeSet<&str> = needs.forms.iter().map(String::as_str).collect();
    let load = if machine.keeps_executions() { "weak_load_explicit" } else { "weak_load" };
    for name in &needs.operations {
        wanted.insert(match operation(name) {
            Some((Operation::Load, _)) => load,
            Some((Operation::Store | Operation::Clear, _)) => "weak_store_explicit",
            Some((Operation::CompareExchange { .. }, _))
            | Some((Operation::CompareExchangeN | Operation::CompareSwap { .. }, _)) => "weak_cas",
            _ => "weak_modify",
        });
    }
    for (name, uses) in [
        ("weak_load_seq_cst", load),
        ("weak_load", load),
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
        .filter(|&at| text[at..].starts_with('@'))
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
        let executions = self.machine.keeps_executions();
        let unordered_loads = matches!(self.machine, Machine::Relaxed | Machine::Rmo);
        let marks = [
            ("@TSO", self.machine == Machine::Tso),
            ("@PSO", self.machine == Machine::Pso),
            ("@RELAXED", self.machine == Machine::Relaxed),
            ("@RMO", self.machine == Machine::Rmo),
            ("@ARMV8", self.machine == Machine::Armv8),
            ("@POWER", self.machine == Machine::Power),
            ("@BUFFERS", !executions),
            ("@GRAPH", executions),
            ("@UNORDERED_LOADS", unordered_loads),
            ("@POINTS", unordered_loads),
            ("@TWO", !unordered_loads),
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

    /// How large things are.
    fn sizes(&self, Sizes { buffer, threads }: Sizes) -> String {
        let (what, name) = match self.machine.keeps_executions() {
            true => ("How many accesses one thread can make", "WEAK_EVENTS"),
            false => ("How many stores of one thread can wait", "WEAK_BUFFER"),
        };
        format!(
            "/* {what}, and how many threads there can be. */\n\
             #ifndef {name}\n#define {name} {buffer}\n#endif\n#define WEAK_THREADS {threads}\n\n"
        )
    }

    /// The machine itself.
    fn machine(&self, places: &[Place]) -> String {
        if !self.machine.keeps_executions() {
            let (fence, update) = match self.machine {
                Machine::Tso => (
                    "stores take effect in their order anyway",
                    "It is\n   locked: it waits until all earlier stores of its thread are in memory.",
                ),
                _ => (
                    "a store-store fence only separates\n   those stores that are older from those that are younger",
                    "Its\n   store is in memory at once.",
                ),
            };
            let text = self.lines(include_str!("runtime/memory.c"))
                + &self.lines(include_str!("runtime/buffers.c"));
            return text.replace("@FENCE", fence).replace("@UPDATE", update);
        }
        let directed =
            (include_str!("runtime/communicate.c"), include_str!("runtime/kept_directed.c"));
        let (second, third) = match self.machine {
            Machine::Armv8 => (directed.0, include_str!("runtime/kept_armv8.c")),
            Machine::Power => {
                (include_str!("runtime/kept_power.c"), include_str!("runtime/propagation.c"))
            }
            _ => directed,
        };
        let also = match self.machine {
            Machine::Rmo => " What\n   depends on a load comes after it.",
            _ => "",
        };
        let texts = [
            include_str!("runtime/memory.c"),
            include_str!("runtime/graph.c"),
            include_str!("runtime/order.c"),
            second,
            third,
            include_str!("runtime/graph_accesses.c"),
        ];
        let text: String = texts.iter().map(|text| self.lines(text)).collect();
        let text = text.replace("@VALUES", &most_values(places).to_string());
        text.replace("@SITES", table(places).trim_end()).replace("@ALSO", also)
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
fn operations(needs: &Needs, machine: Machine) -> String {
    let mut text = String::new();
    if !needs.operations.is_empty() {
        text += "\n/* The atomic operations of the program. */\n";
    }
    for name in &needs.operations {
        if let Some((operation, order)) = operation(name) {
            text += &defined(name, operation, order, machine);
        }
    }
    if needs.thread_fences {
        text += "\n/* atomic_thread_fence(order), and what else is a fence of C11 */\n";
        text += match machine.keeps_executions() {
            true => "#define weak_thread_fence(order) weak_fence(weak_fence_of(order))\n",
            false => include_str!("runtime/thread_fence.c"),
        };
    }
    text
}

fn defined(name: &str, operation: Operation, order: Ordering, machine: Machine) -> String {
    let executions = machine.keeps_executions();
    let does = |what: &str| if executions { format!("WEAK_{what}, ") } else { String::new() };
    let is_cas =
        matches!(operation, Operation::CompareExchange { .. } | Operation::CompareExchangeN);
    let (parameter, order) = match order {
        Ordering::Argument if is_cas => (", success, failure", "success, failure".to_string()),
        Ordering::Argument => (", order", "order".to_string()),
        Ordering::Fixed(order) if is_cas => ("", format!("{order}, {order}")),
        Ordering::Fixed(order) => ("", order.to_string()),
    };
    let (parameters, body) = match operation {
        Operation::Load if executions => {
            ("object", format!("weak_load_explicit({order}, *(object))"))
        }
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
            format!(
                "weak_modify(object, value, {order}, {}weak_operand, weak_old)",
                does("REPLACES")
            ),
        ),
        Operation::TestAndSet => (
            "object",
            format!(
                "weak_modify((weak_bits8 *)(object), 1, {order}, {}weak_operand, weak_old != 0)",
                does("REPLACES")
            ),
        ),
        Operation::Modify { operator, gives_new } => {
            let result = if gives_new { "weak_new" } else { "weak_old" };
            let new = format!("weak_old {operator} weak_operand");
            let does = does("COMPUTES");
            ("object, value", format!("weak_modify(object, value, {order}, {does}{new}, {result})"))
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
