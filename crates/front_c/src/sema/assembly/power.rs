//! Instructions of Power (Power ISA, book I and II 4.6): loads, stores, `lwarx` and `stwcx.`, and
//! what loops around them need.

use super::risc::{Access, Risc, Test, Value, parts};
use super::syntax::number_of;
use super::{Assembly, Sema};
use crate::ast::BinaryOp;
use crate::sema::Checked;
use crate::sema::tree::{Expr, Ordering};
use ir::machine::{Effect, power as machine};
use ir::order::Order;
use ir::tag::{Annotation, Tag};

const EXCLUSIVE: &[Tag] = &[Tag::Both(Annotation::X), Tag::Both(Annotation::Ex)];

/// Whether a mnemonic is only Power's.
pub(super) fn knows(mnemonic: &str) -> bool {
    const NAMES: [&str; 24] = [
        "lwarx", "ldarx", "lbarx", "lharx", "stwcx.", "stdcx.", "stbcx.", "sthcx.", "lwz", "std",
        "stw", "stb", "lbz", "cmpw", "cmpd", "cmpwi", "cmpdi", "bne-", "bne+", "beq-", "beq+",
        "subf", "mr", "lwzx",
    ];
    NAMES.contains(&mnemonic)
}

impl Sema<'_> {
    /// What an instruction does; `None` if it is not understood.
    pub(super) fn power(&mut self, at: &mut Assembly, text: &str) -> Checked<Option<Risc>> {
        let (mnemonic, args) = parts(text);
        let value = |index: usize| -> Option<Value> {
            at.risc_value(args.get(index)?, &[]).map(|(value, _)| value)
        };
        let label = |index: usize| args.get(index).map(|label| label.to_string());
        let tail = &args[args.len().min(1)..];
        if let Some(known) = machine::memory(&mnemonic) {
            let order = match known.does.exclusive {
                true => Ordering { order: Order::Relaxed, tags: EXCLUSIVE },
                false => Order::Relaxed.into(),
            };
            let size = known.does.width.map_or(8, |width| width.bytes());
            let kind = Access { size, order, exclusive: known.does.exclusive };
            let memory = self.power_address(at, tail).filter(|_| !known.updates);
            let (Some(first), Some(at)) = (value(0), memory) else { return Ok(None) };
            return Ok(match known.does.effect {
                Effect::Load { signed } => {
                    Some(Risc::Load { to: first, at, kind, extends: signed })
                }
                _ if kind.exclusive => {
                    Some(Risc::StoreExclusive { failed: None, value: first, at, kind })
                }
                _ => Some(Risc::Store { value: first, at, kind }),
            });
        }
        let compute = |op, a: Option<Value>, b: Option<Value>| match (value(0), a, b) {
            (Some(to), Some(a), Some(b)) => Some(Risc::Compute { op, to, a, b, size: 8 }),
            _ => None,
        };
        Ok(match (&*mnemonic, args.len()) {
            ("cmpw" | "cmpwi" | "cmpd" | "cmpdi", 2 | 3) => {
                // The first of three operands is the field of flags.
                let first = args.len() - 2;
                let size = if mnemonic.starts_with("cmpw") { 4 } else { 8 };
                match (value(first), value(first + 1)) {
                    (Some(a), Some(b)) if first == 0 || matches!(args[0], "0" | "cr0") => {
                        Some(Risc::Compare { a, b, size })
                    }
                    _ => None,
                }
            }
            ("bne" | "bne-" | "bne+" | "beq" | "beq-" | "beq+", 1 | 2) => {
                let equal = if mnemonic.starts_with("beq") { "e" } else { "ne" };
                let when = Some(Test::Flags(equal.to_string()));
                label(args.len() - 1).map(|label| Risc::Branch { when, label })
            }
            ("b", 1) => label(0).map(|label| Risc::Branch { when: None, label }),
            ("mr" | "li", 2) => match (value(0), value(1)) {
                (Some(to), Some(from)) => Some(Risc::Move { to, from, size: 8 }),
                _ => None,
            },
            ("add" | "addi" | "addic", 3) => compute(BinaryOp::Add, value(1), value(2)),
            ("subf", 3) => compute(BinaryOp::Sub, value(2), value(1)),
            ("and", 3) => compute(BinaryOp::BitAnd, value(1), value(2)),
            ("or" | "ori", 3) => compute(BinaryOp::BitOr, value(1), value(2)),
            ("xor", 3) => compute(BinaryOp::BitXor, value(1), value(2)),
            _ => None,
        })
    }

    /// `0,%1`, `8(%1)`, `%y1` of an operand in memory.
    fn power_address(&self, at: &Assembly, args: &[&str]) -> Option<Expr> {
        match args {
            ["0", base] => {
                let (base, _) = at.risc_value(base, &[])?;
                self.risc_at(at, &base, 0)
            }
            [text] => {
                let split = text.strip_suffix(')').and_then(|text| text.split_once('('));
                let Some((offset, base)) = split else { return at.risc_memory(text) };
                let (base, _) = at.risc_value(base.trim(), &[])?;
                self.risc_at(at, &base, number_of(offset.trim())?)
            }
            _ => None,
        }
    }
}
