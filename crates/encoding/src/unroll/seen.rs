//! Unrolls only what runs have shown: directions of branches, and entries of tables.
//!
//! What no run has shown is a bound at which its thread stops ([`Unseen`]). A direction that is the
//! only one there is counts as shown: nothing decides it. A native function of constants is called
//! at once.
//!
//! Soundness S-281 (verify; all; refuses): A native function takes and gives integers and floats of up
//! to 64 bits, and up to 256 bytes through each pointer; it is called only with `--engine explore` and
//! `--engine states`, by the former on models in which a store may come before a read that it does not
//! depend on only with arguments that are known beforehand. Test:
//! crates/fencepost/tests/native.rs::what_cannot_be_called_is_refused_at_its_line.
//!
//! Soundness S-282 (verify; all; refuses): A native function that crashes, hangs or gives another
//! answer to the same arguments ends its execution: what is not violated is `? cut`. Test:
//! crates/fencepost/tests/native.rs::what_goes_wrong_in_a_library_is_named_with_its_arguments.
//!
//! Soundness S-283 (verify; all; misses): That a native function depends on its arguments alone is the
//! user's word; each call is made twice, and only a difference between the two is noticed. Test:
//! crates/fencepost/tests/native.rs::what_goes_wrong_in_a_library_is_named_with_its_arguments.

use super::{Frame, Result, Sym, Unroller, unsupported};
use crate::bounded::{BoundHit, Goal, Unseen, Wrong};
use crate::guard::Guard;
use crate::known::{Known, is_costly, result};
use crate::term::TermId;
use execution::finding::FindingKind;
use execution::ids::Id;
use ir::native::NativeFunction;
use ir::op::{BinaryOp, Inst, Op, Operand};
use ir::program::{LocId, Reg, Width};
use ir::step::shown::{Computed, Direction, Place as Site};
use ir::value::Value;
use std::sync::Arc;

/// What distinguishes the bounds of this file from those of loops and calls.
const DIRECTION: u32 = 4;
const ENTRY: u32 = 5;

impl Unroller<'_> {
    /// The paths of `here`, one direction of a branch that is reached on those of `guard`, as far as
    /// a run has shown them.
    pub(super) fn as_far_as_shown(
        &mut self,
        frame: &Frame,
        (here, guard): (Guard, Guard),
        arm: usize,
        place: Option<LocId>,
    ) -> Guard {
        let Some(known) = &self.options.known else { return here };
        if here == guard || here == Guard::FALSE {
            return here;
        }
        let direction = direction(frame, arm);
        if known.has_taken(&direction) {
            return here;
        }
        let thread = self.running.thread.index() as u32;
        let key = [thread, DIRECTION].into_iter().chain(direction.iter().copied()).collect();
        self.stop_unseen(frame, here, (key, Unseen::Direction(direction)), place);
        Guard::FALSE
    }

    /// Threads stop on these paths, because nothing is known of what they do next.
    fn stop_unseen(
        &mut self,
        frame: &Frame,
        guard: Guard,
        (key, unseen): (Arc<[u32]>, Unseen),
        place: Option<LocId>,
    ) {
        let moment = self.moment(guard);
        let origin = frame.origin(place);
        let (unseen, section) = (Some(unseen), self.section_of(guard));
        let (last, size, counted) = (None, None, false);
        let hit = BoundHit {
            moment,
            key,
            last,
            size,
            origin,
            unseen,
            section,
            counted,
            counting: false,
            stores: None,
        };
        self.out.bounds.push(hit);
    }

    /// Whether the operation of the running instruction is a table for these operands.
    pub(super) fn is_tabled(&self, frame: &Frame, operands: [TermId; 2]) -> bool {
        let constant = operands.iter().all(|&term| self.out.terms.constant(term).is_some());
        let known = self.options.known.as_ref().filter(|_| !constant);
        known.is_some_and(|known| known.is_tabled(&site(frame)))
    }

    /// Remembers a result that may have to be a table.
    pub(super) fn note_costly(
        &mut self,
        frame: &Frame,
        op: BinaryOp,
        operands: [TermId; 2],
        result: TermId,
    ) {
        let Some(known) = &self.options.known else { return };
        let site = site(frame);
        let constants = operands.map(|term| self.out.terms.constant(term));
        let is_constant = self.out.terms.constant(result).is_some();
        if !is_constant && is_costly(op, constants) && known.may_be_table(&site) {
            self.out.costly.push((result, site));
        }
    }

    /// The operation of the running instruction as a table; gives the paths on which its operands
    /// are known.
    pub(super) fn look_up(
        &mut self,
        frame: &mut Frame,
        guard: Guard,
        inst: &Inst,
        [a, b]: [&Sym; 2],
    ) -> Guard {
        let Op::Binary { dst, op, checked, .. } = &inst.op else {
            unreachable!("only these are tables")
        };
        let table = Computed::Binary(*op, self.out.terms.width(a.term));
        let operands = [a.term, b.term];
        let Found { right, entries, value } =
            self.found_in(frame, (guard, *dst), (table, &operands), inst.place);
        if *checked && self.options.overflow && *op == BinaryOp::Mul {
            let fits = |values: &[Value]| Value::bool(product_fits(values[0], values[1]));
            let fits: Vec<(TermId, Value)> =
                entries.iter().map(|(here, values)| (*here, fits(values))).collect();
            let (_, fits) = self.one_of(&fits, Width::BOOL);
            if self.out.terms.truth(fits) != Guard::TRUE {
                let kind = FindingKind::Overflow("multiplication".into());
                self.check(frame, right, Wrong::Overflow(fits, operands), kind, inst.place);
            }
        }
        let value = a.joined(b, value, &mut self.out.terms);
        self.set(frame, right, *dst, value);
        right
    }

    /// A call of a function of a shared library; gives the paths on which its arguments are known.
    pub(super) fn call_native(
        &mut self,
        frame: &mut Frame,
        guard: Guard,
        (dst, function, args): (Reg, &NativeFunction, &[Operand]),
        place: Option<LocId>,
    ) -> Result<Guard> {
        let mut operands = Vec::with_capacity(args.len());
        for arg in args {
            let what = "an argument of a native function";
            operands.push(self.defined(frame, guard, arg, what, place)?);
        }
        let is_constant = |sym: &Sym| self.out.terms.constant(sym.term).is_some();
        // Where there is nothing to find out, no thread has to stop.
        let all_constant = operands.iter().all(is_constant);
        let known = self.options.known.as_ref();
        if !known.is_some_and(|known| all_constant || known.may_stop()) {
            let name = &function.name;
            let what = match known {
                None => format!("a call of the native function `{name}`"),
                Some(_) => format!(
                    "a call of the native function `{name}` on a model in which stores may come \
                     before reads that they do not depend on"
                ),
            };
            return unsupported(self.users_place(frame, place), what);
        }
        let terms: Vec<TermId> = operands.iter().map(|sym| sym.term).collect();
        let table = Computed::Native(Arc::new(function.clone()));
        let Found { right, value, .. } = self.found_in(frame, (guard, dst), (table, &terms), place);
        let mut value = Sym::from(value);
        for operand in &operands {
            value = value.joined(operand, value.term, &mut self.out.terms);
        }
        self.set(frame, right, dst, value);
        Ok(right)
    }

    /// What a table has for these operands; on other paths, threads stop.
    fn found_in(
        &mut self,
        frame: &Frame,
        (guard, dst): (Guard, Reg),
        (table, operands): (Computed, &[TermId]),
        place: Option<LocId>,
    ) -> Found {
        let known = self.options.known.clone().unwrap_or_default();
        let entries = self.entries(&known, &table, operands);
        let (mut results, mut failures) = (Vec::new(), Vec::new());
        for (here, values) in &entries {
            match result(&table, values, &self.program.natives) {
                Ok(value) => {
                    results.push((*here, value));
                    self.note_result(frame, (guard, *here), (&table, values, value), place);
                }
                Err(text) => failures.push((*here, text)),
            }
        }
        let (seen, value) = self.one_of(&results, self.width(frame, dst));
        let mut right = self.out.terms.truth(seen);
        let mut left = self.out.terms.guards.not(right);
        for (here, text) in failures {
            let here = self.out.terms.truth(here);
            let fails = self.out.terms.guards.and(guard, here);
            let kind = FindingKind::NotSupported(text);
            self.check(frame, fails, Wrong::Always, kind, place);
            let elsewhere = self.out.terms.guards.not(here);
            left = self.out.terms.guards.and(left, elsewhere);
        }
        let unseen = self.out.terms.guards.and(guard, left);
        right = self.out.terms.guards.and(guard, right);
        if unseen != Guard::FALSE {
            let key = frame.context.iter().copied().chain([ENTRY]).collect();
            let (site, operands) = (site(frame), operands.to_vec());
            let entry = Unseen::Entry { table, operands, site };
            self.stop_unseen(frame, unseen, (key, entry), place);
        }
        Found { right, entries, value }
    }

    /// An execution may have this result on the paths of `guard`, where a term is true.
    fn note_result(
        &mut self,
        frame: &Frame,
        (guard, here): (Guard, TermId),
        (table, operands, value): (&Computed, &[Value], Value),
        place: Option<LocId>,
    ) {
        let known = self.options.known.as_ref().filter(|_| self.options.results);
        let entry = known.and_then(|known| known.of(table).iter().position(|e| e == operands));
        let Some(entry) = entry else { return };
        let here = self.out.terms.truth(here);
        let guard = self.out.terms.guards.and(guard, here);
        let Site { function, block, index } = site(frame);
        let goal = Goal::Result { function, block, index, entry: entry as u32 };
        self.goal(guard, goal);
        let block = &self.program.functions[function].blocks[block];
        let what = table.shown(operands, value, block.insts[index as usize].op.is_signed());
        self.out.results.insert(goal, (what, place));
    }

    /// The entries of a table that fit constant operands, each with the condition that it is the one.
    fn entries(
        &mut self,
        known: &Known,
        table: &Computed,
        operands: &[TermId],
    ) -> Vec<(TermId, Vec<Value>)> {
        let constants: Vec<Option<Value>> =
            operands.iter().map(|&term| self.out.terms.constant(term)).collect();
        // What is known without a run: there is only one entry then.
        let all_constant: Option<Vec<Value>> = constants.iter().copied().collect();
        if let Some(values) = all_constant.filter(|all| all.iter().all(Value::is_defined)) {
            let always = self.out.terms.value(Value::bool(true));
            return vec![(always, values)];
        }
        let mut found = Vec::new();
        for values in known.of(table) {
            let mut here = None;
            let mut fits = true;
            for ((&term, &value), constant) in operands.iter().zip(values).zip(&constants) {
                if let Some(constant) = constant {
                    fits &= constant.bits == value.bits && constant.is_defined();
                    continue;
                }
                let value = self.out.terms.value(value);
                let equal = self.out.terms.binary(BinaryOp::Eq, term, value);
                here = Some(match here {
                    None => equal,
                    Some(other) => self.out.terms.binary(BinaryOp::And, other, equal),
                });
            }
            found.extend(here.filter(|_| fits).map(|here| (here, values.clone())));
        }
        found
    }

    /// Whether one of these conditions holds, and the value that belongs to it.
    fn one_of(&mut self, entries: &[(TermId, Value)], width: Width) -> (TermId, TermId) {
        match entries {
            [] => {
                let never = self.out.terms.value(Value::bool(false));
                (never, self.out.terms.value(Value::undef(width)))
            }
            &[(here, value)] => (here, self.out.terms.value(value)),
            _ => {
                let (left, right) = entries.split_at(entries.len() / 2);
                let (in_left, left) = self.one_of(left, width);
                let (in_right, right) = self.one_of(right, width);
                let terms = &mut self.out.terms;
                let value = terms.select(in_left, left, right);
                (terms.binary(BinaryOp::Or, in_left, in_right), value)
            }
        }
    }
}

/// What a table has.
struct Found {
    /// The paths on which it has something.
    right: Guard,
    /// Its entries, each with the condition that it is the one.
    entries: Vec<(TermId, Vec<Value>)>,
    /// The result.
    value: TermId,
}

/// Whether the signed product of two numbers is one of their width.
fn product_fits(a: Value, b: Value) -> bool {
    let product = a.as_signed().checked_mul(b.as_signed());
    product.is_some_and(|product| Value::signed(a.width, product).as_signed() == product)
}

/// The running instruction.
fn site(frame: &Frame) -> Site {
    Site { function: frame.function, block: frame.block, index: frame.next as u32 }
}

/// A direction of the branch at the end of the running block.
fn direction(frame: &Frame, arm: usize) -> Direction {
    let calls = frame.context[1..].chunks_exact(3).filter(|part| part[0] == 0);
    let functions = frame.calls.iter().map(|(function, _)| function.index() as u32);
    // Each call stands in the function before.
    let outer = functions.zip(calls).flat_map(|(function, part)| [function, part[1], part[2]]);
    let own = [frame.function.index(), frame.block.index(), arm].map(|n| n as u32);
    outer.chain(own).collect()
}
