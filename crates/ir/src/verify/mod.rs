//! The well-formedness checker. Its rules are the contract of the load-store language: what a
//! front end must deliver, and what every pass and engine may rely on.
//!
//! Programs as a whole:
//!
//! - **W1** Every id refers to something: registers, slots, blocks, globals, functions, layouts
//!   and places that are mentioned exist.
//! - **W2** Every function has a block, and every block can be reached from the first.
//! - **W3** No two functions have the same name, and no two globals.
//! - **W4** The parameters of a function are different registers.
//! - **W5** The alignment of an object is a power of two, and its size is at most 2^40 bytes.
//! - **W6** Layouts fit together: their alignment is a power of two; members and elements lie
//!   inside; the bits of a bit-field lie inside its storage unit; no layout contains itself,
//!   except through a pointer.
//! - **W7** The initial parts of a global stand in ascending order, do not overlap, and lie inside
//!   it. An address takes eight bytes.
//! - **W8** Functions that run as initial threads take no parameters; `main` alone may take
//!   `argc` (`i32`) and `argv` (`i64`).
//! - **W9** The inline stack of a place ends.
//!
//! Instructions:
//!
//! - **W10** Numbers fit their width. The operands of a pure operation and its result have one
//!   width, except that a comparison gives `i1` and that casts change the width in the direction
//!   they say. Bytes are swapped in whole bytes. Floating-point numbers are `i32` or `i64`.
//! - **W11** Conditions of branches, selections, assertions and assumptions are `i1`.
//! - **W12** Addresses and indices are `i64`. An access covers whole bytes, its alignment is a power of two,
//!   and what is read or written has its width. Success flags are `i1`. A multi-word compare-and-swap has a word.
//! - **W13** A load is not just release, nor a store just consume or acquire, unless it is
//!   exclusive; `acqrel` on either is RISC-V's `.aq.rl`. A failed compare-and-swap has no release
//!   order.
//! - **W14** A C11 fence has an atomic order that fences can have; a directed fence orders
//!   something; a named fence has a name.
//! - **W15** A direct call, or the start of a thread, gives a function as many arguments as it has
//!   parameters, of their widths, and takes a result only if there is one, of its width. A native
//!   function is called with what its signature says.
//!   Addresses of functions and handles of threads are `i64`.
//! - **W16** A function returns a value of its result's width, or none if it has no result. The
//!   status of an exit is `i32`.
//! - **W17** The cases of a switch fit the value's width, are not empty, and do not overlap.
//! - **W18** What is chosen from has the width of the result, and a set is not empty.
//! - **W19** Sizes and addresses of allocations are `i64`; an alignment that is a number is a
//!   power of two.
//! - **W20** Strings, pointers, buffers and floating-point numbers to print are `i64`; widths and
//!   precisions are `i32`.
//! - **W21** Flow is reducible: every cycle is a natural loop ([`crate::cfg::loops`]).
//! - **W22** Only the library says what is the word of a lock ([`crate::locks`]): an access to one
//!   is in the text of the library, as is a function that says what it makes of such words.
//!
//! What is *not* a rule: that registers are written before they are read (they read as
//! undefined), that atomic sections are balanced, that accesses are in bounds or atomic objects
//! accessed atomically. These are findings of an execution.

mod code;
mod objects;

use crate::layout::LayoutId;
use crate::program::{BlockId, FuncId, GlobalId, LocId, Program};
use crate::text::TextSpans;
use execution::diagnostic::Diagnostic;
use execution::ids::Id;
use execution::span::Span;
use std::fmt;

/// The number of a rule of the [module documentation](self): `Rule(7)` is W7.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Rule(pub u8);

impl Rule {
    /// How many rules there are.
    pub const COUNT: u8 = 22;
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "W{}", self.0)
    }
}

/// The part of a program that breaks a rule.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Part {
    /// The program as a whole.
    Program,
    /// A place.
    Place(LocId),
    /// A layout.
    Layout(LayoutId),
    /// A global.
    Global(GlobalId),
    /// A function as a whole.
    Function(FuncId),
    /// An instruction of a block, by its index; the terminator has the index past the last.
    Inst(FuncId, BlockId, usize),
}

/// A broken rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Violation {
    /// The rule.
    pub rule: Rule,
    /// What breaks it.
    pub part: Part,
    /// What is wrong, in a sentence without a full stop.
    pub message: String,
}

impl Violation {
    /// As a message about the text that the program was parsed from.
    pub fn diagnostic(&self, spans: &TextSpans) -> Diagnostic {
        let diagnostic = match spans.of(self.part) {
            Some(span) => Diagnostic::error(span, &self.message),
            None => Diagnostic::general(&self.message),
        };
        diagnostic.note(format!("this breaks rule {} of the load-store language", self.rule))
    }

    /// As a message about a program that was not parsed from text.
    pub fn describe(&self, program: &Program) -> String {
        let function = |id: FuncId| {
            program.functions.get(id).map_or(format!("{id}"), |f| format!("`{}`", f.name))
        };
        let part = match self.part {
            Part::Program => "the program".to_string(),
            Part::Place(place) => format!("{place}"),
            Part::Layout(layout) => format!("{layout}"),
            Part::Global(id) => {
                program.globals.get(id).map_or(format!("{id}"), |g| format!("`{}`", g.name))
            }
            Part::Function(id) => function(id),
            Part::Inst(id, block, index) => {
                format!("{}, {block}, instruction {index}", function(id))
            }
        };
        format!("{} in {part}: {}", self.rule, self.message)
    }
}

impl TextSpans {
    /// Where a part stands in the text.
    pub fn of(&self, part: Part) -> Option<Span> {
        match part {
            Part::Program => None,
            Part::Place(id) => self.places.get(&id).copied(),
            Part::Layout(id) => self.layouts.get(id).copied(),
            Part::Global(id) => self.globals.get(id).copied(),
            Part::Function(id) => self.functions.get(id).map(|function| function.name),
            Part::Inst(id, block, index) => {
                self.functions.get(id)?.blocks.get(block)?.get(index).copied()
            }
        }
    }
}

/// All broken rules of a program, in the order of the program; none if it is well formed.
pub fn verify(program: &Program) -> Vec<Violation> {
    let mut checker = Checker { program, violations: Vec::new() };
    checker.places();
    checker.layouts();
    checker.globals();
    checker.entry();
    checker.functions();
    checker.violations
}

/// Panics with the broken rules if there are any: between passes, a broken rule is our bug.
///
/// # Panics
/// If the program is not well formed.
pub fn assert_well_formed(program: &Program, after: &str) {
    let violations = verify(program);
    let lines: Vec<String> = violations.iter().map(|v| v.describe(program)).collect();
    assert!(lines.is_empty(), "not well formed after {after}:\n{}", lines.join("\n"));
}

/// A program under scrutiny.
struct Checker<'p> {
    program: &'p Program,
    violations: Vec<Violation>,
}

impl Checker<'_> {
    /// Notes a broken rule.
    fn broken(&mut self, rule: u8, part: Part, message: impl Into<String>) {
        self.violations.push(Violation { rule: Rule(rule), part, message: message.into() });
    }

    /// Notes a broken rule unless `holds`.
    fn require(&mut self, holds: bool, rule: u8, part: Part, message: &str) {
        if !holds {
            self.broken(rule, part, message);
        }
    }

    /// Checks that a place that a part mentions exists.
    fn place_exists(&mut self, place: Option<LocId>, part: Part) {
        if let Some(id) = place.filter(|&id| self.program.places.get(id).is_none()) {
            self.broken(1, part, format!("there is no place {}", id.index()));
        }
    }

    /// Checks that a layout that a part mentions exists, and says so.
    fn layout_exists(&mut self, layout: Option<LayoutId>, part: Part) -> bool {
        let missing = layout.filter(|&id| self.program.layouts.get(id).is_none());
        if let Some(id) = missing {
            self.broken(1, part, format!("there is no layout {}", id.index()));
        }
        missing.is_none()
    }

    /// Checks the size and alignment of an object.
    fn extent(&mut self, what: &str, size: u64, align: u64, part: Part) {
        if !align.is_power_of_two() {
            self.broken(5, part, format!("the alignment {align} of {what} is not a power of two"));
        }
        if size > MAX_SIZE {
            self.broken(5, part, format!("{what} is larger than 2^40 bytes"));
        }
    }
}

/// The largest object.
const MAX_SIZE: u64 = 1 << 40;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::{FunctionBuilder, ProgramBuilder};
    use crate::op::{Op, Operand, Terminator};
    use crate::program::{Reg, Width};

    fn of_one_instruction(op: Op) -> Vec<Violation> {
        let mut program = ProgramBuilder::new();
        let mut f = FunctionBuilder::new("f", None, None);
        f.reg(Width::I8, None);
        f.emit(op, None);
        f.terminate(Terminator::Return(None), None);
        let id = program.declare("f");
        program.define(id, f.finish());
        verify(&program.finish())
    }

    // The text form cannot say these two, so they have no file among the broken ones.

    #[test]
    fn w1_registers_exist() {
        let src = Operand::int(Width::I8, 0);
        let found = of_one_instruction(Op::Copy { dst: Reg::new(1), src });
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].rule, found[0].message.as_str()), (Rule(1), "there is no register 1"));
    }

    #[test]
    fn w10_numbers_fit_their_width() {
        let src = Operand::Int { width: Width::I8, bits: 256 };
        let found = of_one_instruction(Op::Copy { dst: Reg::new(0), src });
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].rule, Rule(10));
    }
}
