//! Unrolls only what runs have shown: directions of branches, and entries of tables.
//!
//! What no run has shown is a bound at which its thread stops ([`Unseen`]). A direction that is the
//! only one there is counts as shown: nothing decides it.

use super::{Frame, Result, Sym, Unroller};
use crate::bounded::{BoundHit, Unseen, Wrong};
use crate::guard::Guard;
use crate::known::{Function, Known, is_costly};
use crate::term::TermId;
use execution::finding::FindingKind;
use execution::ids::Id;
use ir::op::{BinaryOp, Inst, Op};
use ir::program::{LocId, Width};
use ir::step::shown::{Direction, Place as Site};
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
        let unseen = Some(unseen);
        self.out.bounds.push(BoundHit { moment, key, last: None, size: None, origin, unseen });
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
    ) -> Result<Guard> {
        let Op::Binary { dst, op, checked, .. } = &inst.op else {
            unreachable!("only these are tables")
        };
        let width = self.out.terms.width(a.term);
        let table = Function::of(&inst.op, width).expect("an operation of two operands");
        let known = self.options.known.clone().unwrap_or_default();
        let operands = [a.term, b.term];
        let entries = self.entries(&known, table, operands);
        let results: Vec<(TermId, Value)> =
            entries.iter().map(|&(here, values)| (here, table.result(values))).collect();
        let (seen, value) = self.one_of(&results, self.width(frame, *dst));
        let seen = self.out.terms.truth(seen);
        let unseen = self.out.terms.guards.not(seen);
        let unseen = self.out.terms.guards.and(guard, unseen);
        let right = self.out.terms.guards.and(guard, seen);
        if unseen != Guard::FALSE {
            let key = frame.context.iter().copied().chain([ENTRY]).collect();
            let (site, operands) = (site(frame), operands.to_vec());
            let entry = Unseen::Entry { table, operands, site };
            self.stop_unseen(frame, unseen, (key, entry), inst.place);
        }
        if *checked && self.options.overflow && *op == BinaryOp::Mul {
            let fits = |values| Value::bool(product_fits(values));
            let fits: Vec<(TermId, Value)> =
                entries.iter().map(|&(here, values)| (here, fits(values))).collect();
            let (_, fits) = self.one_of(&fits, Width::BOOL);
            if self.out.terms.truth(fits) != Guard::TRUE {
                let kind = FindingKind::Overflow("multiplication".into());
                self.check(frame, right, Wrong::Overflow(fits, operands), kind, inst.place);
            }
        }
        let value = a.joined(b, value, &mut self.out.terms);
        self.set(frame, right, *dst, value);
        Ok(right)
    }

    /// The entries of a table that fit constant operands, each with the condition that it is the one.
    fn entries(
        &mut self,
        known: &Known,
        table: Function,
        operands: [TermId; 2],
    ) -> Vec<(TermId, [Value; 2])> {
        let constants = operands.map(|term| self.out.terms.constant(term));
        let mut found = Vec::new();
        for &values in known.of(table) {
            let mut here = None;
            let mut fits = true;
            for ((term, value), constant) in operands.into_iter().zip(values).zip(constants) {
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
            found.extend(here.filter(|_| fits).map(|here| (here, values)));
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

/// Whether the signed product of two numbers is one of their width.
fn product_fits([a, b]: [Value; 2]) -> bool {
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
