//! Instructions of RISC-V (the unprivileged ISA, chapters 2, 14 "A"): loads, stores, `lr` and `sc`,
//! `amo…`, and what loops around them need.

use super::risc::{Access, Risc, Test, Value, parts};
use super::syntax::number_of;
use super::{Assembly, Sema};
use crate::ast::BinaryOp;
use crate::sema::Checked;
use crate::sema::tree::{Expr, Ordering};
use ir::op::RmwOp;
use ir::order::Order;
use ir::tag::Annotation::{Acq, AcqRel, Ex, Rel, X};
use ir::tag::Tag::{self, Both};

const ZEROS: [&str; 2] = ["zero", "x0"];

/// Whether a mnemonic is only RISC-V's.
pub(super) fn knows(mnemonic: &str) -> bool {
    const NAMES: [&str; 15] = [
        "lw", "sw", "sd", "lb", "sb", "lh", "sh", "lbu", "lhu", "lwu", "bnez", "beqz", "mv", "li",
        "addi",
    ];
    NAMES.contains(&mnemonic) || ["lr.", "sc.", "amo"].iter().any(|head| mnemonic.starts_with(head))
}

/// The size and the order of `lr.w.aq` and the like, after their first word.
fn suffixes(rest: &str) -> Option<(u64, Order)> {
    let (size, order) = rest.split_once('.').unwrap_or((rest, ""));
    let size = match size {
        "w" => 4,
        "d" => 8,
        _ => return None,
    };
    let order = match order {
        "" => Order::Relaxed,
        "aq" => Order::Acquire,
        "rl" => Order::Release,
        "aqrl" => Order::AcqRel,
        _ => return None,
    };
    Some((size, order))
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
        if let Some((size, order)) = mnemonic.strip_prefix("lr.").and_then(suffixes) {
            let (Some(to), Some(pointer)) = (value(0), memory(1)) else { return Ok(None) };
            let kind = Access { size, order: exclusive(order), exclusive: true };
            return Ok(Some(Risc::Load { to, at: pointer, kind, extends: true }));
        }
        if let Some((size, order)) = mnemonic.strip_prefix("sc.").and_then(suffixes) {
            let (Some(failed), Some(value), Some(pointer)) = (value(0), value(1), memory(2)) else {
                return Ok(None);
            };
            let kind = Access { size, order: exclusive(order), exclusive: true };
            let failed = Some(failed);
            return Ok(Some(Risc::StoreExclusive { failed, value, at: pointer, kind }));
        }
        if let Some(rest) = mnemonic.strip_prefix("amo") {
            let Some((name, rest)) = rest.split_once('.') else { return Ok(None) };
            let op = match name {
                "swap" => RmwOp::Exchange,
                "add" => RmwOp::Add,
                "and" => RmwOp::And,
                "or" => RmwOp::Or,
                "xor" => RmwOp::Xor,
                _ => return Ok(None),
            };
            let (Some((size, order)), Some(to), Some(value), Some(pointer)) =
                (suffixes(rest), value(0), value(1), memory(2))
            else {
                return Ok(None);
            };
            let old = matches!(to, Value::Register(_)).then_some(to);
            let kind = Access { size, order: order.into(), exclusive: false };
            return Ok(Some(Risc::Update { op, old, value, inverted: false, at: pointer, kind }));
        }
        let plain = |size| Access { size, order: Order::Relaxed.into(), exclusive: false };
        let load = |size, extends| match (value(0), memory(1)) {
            (Some(to), Some(pointer)) => {
                Some(Risc::Load { to, at: pointer, kind: plain(size), extends })
            }
            _ => None,
        };
        let store = |size| match (value(0), memory(1)) {
            (Some(value), Some(pointer)) => {
                Some(Risc::Store { value, at: pointer, kind: plain(size) })
            }
            _ => None,
        };
        let test = |op, b: Option<Value>, to| match (value(0), b, label(to)) {
            (Some(a), Some(b), Some(label)) => {
                Some(Risc::Branch { when: Some(Test::Values(op, a, b, 8)), label })
            }
            _ => None,
        };
        let zero = || at.risc_value("0", &[]).map(|(zero, _)| zero);
        Ok(match (&*mnemonic, args.len()) {
            ("lb", 2) => load(1, true),
            ("lh", 2) => load(2, true),
            ("lw", 2) => load(4, true),
            ("lbu", 2) => load(1, false),
            ("lhu", 2) => load(2, false),
            ("lwu", 2) => load(4, false),
            ("ld", 2) => load(8, false),
            ("sb", 2) => store(1),
            ("sh", 2) => store(2),
            ("sw", 2) => store(4),
            ("sd", 2) => store(8),
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
