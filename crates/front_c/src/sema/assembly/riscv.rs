//! Instructions of RISC-V (the unprivileged ISA, chapters 2, 14 "A"): loads, stores, `lr` and `sc`,
//! `amo…`, and what loops around them need.

use super::risc::{Access, Risc, Test, Value, parts};
use super::syntax::number_of;
use super::{Assembly, Sema};
use crate::ast::BinaryOp;
use crate::sema::Checked;
use crate::sema::tree::{Expr, Ordering};
use ir::machine::{Effect, riscv as machine};
use ir::order::Order;
use ir::tag::Annotation::{Acq, AcqRel, Ex, Rel, X};
use ir::tag::Tag::{self, Both};

const ZEROS: [&str; 2] = ["zero", "x0"];

/// Whether a mnemonic is only RISC-V's.
pub(super) fn knows(mnemonic: &str) -> bool {
    const NAMES: [&str; 5] = ["bnez", "beqz", "mv", "li", "addi"];
    // Power has an `ld`, too.
    NAMES.contains(&mnemonic) || mnemonic != "ld" && machine::memory(mnemonic).is_some()
}

/// The annotations of an exclusive access: its order is part of it, not a fence next to it.
fn exclusive(order: Order) -> Ordering {
    let tags: &'static [Tag] = match order {
        Order::Acquire => &[Both(X), Both(Acq), Both(Ex)],
        Order::Release => &[Both(X), Both(Rel), Both(Ex)],
        Order::AcqRel => &[Both(X), Both(AcqRel), Both(Ex)],
        _ => &[Both(X), Both(Ex)],
    };
    Ordering { order: Order::Relaxed, tags }
}

impl Sema<'_> {
    /// What an instruction does; `None` if it is not understood.
    pub(super) fn riscv(&mut self, at: &mut Assembly, text: &str) -> Checked<Option<Risc>> {
        let (mnemonic, args) = parts(text);
        let value = |index: usize| -> Option<Value> {
            let arg = args.get(index)?;
            // `%z0` is the zero register if the operand is the constant zero.
            at.risc_value(arg, &ZEROS).map(|(value, _)| value)
        };
        let memory = |index: usize| args.get(index).and_then(|arg| self.riscv_address(at, arg));
        let label = |index: usize| args.get(index).map(|label| label.to_string());
        if let Some(known) = machine::memory(&mnemonic) {
            let order = match known.exclusive {
                true => exclusive(known.order(true)),
                false => known.order(true).into(),
            };
            let size = known.width.map_or(8, |width| width.bytes());
            let kind = Access { size, order, exclusive: known.exclusive };
            let place = args.len().checked_sub(1).and_then(memory);
            let (Some(first), Some(at)) = (value(0), place) else { return Ok(None) };
            return Ok(match (known.effect, value(1)) {
                (Effect::Load { signed }, _) => {
                    Some(Risc::Load { to: first, at, kind, extends: signed })
                }
                (Effect::Store, Some(value)) if known.exclusive => {
                    Some(Risc::StoreExclusive { failed: Some(first), value, at, kind })
                }
                (Effect::Store, _) => Some(Risc::Store { value: first, at, kind }),
                (Effect::CompareAndSwap, Some(desired)) => {
                    Some(Risc::CompareAndSwap { expected: first, desired, at, kind })
                }
                (Effect::Update { op, inverted }, Some(value)) => {
                    let old = matches!(first, Value::Register(_)).then_some(first);
                    Some(Risc::Update { op, old, value, inverted, at, kind })
                }
                (Effect::CompareAndSwap | Effect::Update { .. }, None) => None,
            });
        }
        let test = |op, b: Option<Value>, to| match (value(0), b, label(to)) {
            (Some(a), Some(b), Some(label)) => {
                Some(Risc::Branch { when: Some(Test::Values(op, a, b, 8)), label })
            }
            _ => None,
        };
        let zero = || at.risc_value("0", &[]).map(|(zero, _)| zero);
        Ok(match (&*mnemonic, args.len()) {
            ("bnez", 2) => test(BinaryOp::Ne, zero(), 1),
            ("beqz", 2) => test(BinaryOp::Eq, zero(), 1),
            ("bne", 3) => test(BinaryOp::Ne, value(1), 2),
            ("beq", 3) => test(BinaryOp::Eq, value(1), 2),
            ("j", 1) => label(0).map(|label| Risc::Branch { when: None, label }),
            ("mv" | "li", 2) => match (value(0), value(1)) {
                (Some(to), Some(from)) => Some(Risc::Move { to, from, size: 8 }),
                _ => None,
            },
            ("add" | "addi" | "sub" | "and" | "andi" | "or" | "ori" | "xor" | "xori", 3) => {
                let op = match mnemonic.trim_end_matches('i') {
                    "add" => BinaryOp::Add,
                    "sub" => BinaryOp::Sub,
                    "and" => BinaryOp::BitAnd,
                    "or" => BinaryOp::BitOr,
                    _ => BinaryOp::BitXor,
                };
                match (value(0), value(1), value(2)) {
                    (Some(to), Some(a), Some(b)) => Some(Risc::Compute { op, to, a, b, size: 8 }),
                    _ => None,
                }
            }
            _ => None,
        })
    }

    /// `(%1)`, `8(%1)`, `%1` of an operand in memory.
    fn riscv_address(&self, at: &Assembly, text: &str) -> Option<Expr> {
        let Some((offset, base)) = text.strip_suffix(')').and_then(|text| text.split_once('('))
        else {
            return at.risc_memory(text);
        };
        let offset = if offset.trim().is_empty() { 0 } else { number_of(offset.trim())? };
        let (base, _) = at.risc_value(base.trim(), &[])?;
        self.risc_at(at, &base, offset)
    }
}
