//! Lvalues as the source spells them: `q->tail->next`.

use crate::sema::tree::{Atomic, Body, Callee, Expr, ExprKind, Unit};
use crate::sema::types::Type;
use ir::value::{Value, float};
use std::rc::Rc;

/// The longest path that is worth showing.
const MAX: usize = 80;

/// Renders the lvalue that an access goes to; `None` where it has no short spelling.
pub fn of(expr: &Expr, body: &Body, unit: &Unit) -> Option<String> {
    let text = Printer { body, unit }.place(expr)?;
    (text.len() <= MAX).then_some(text)
}

/// Renders what a pointer points to.
pub fn pointee(pointer: &Expr, body: &Body, unit: &Unit) -> Option<String> {
    let text = Printer { body, unit }.target(pointer)?;
    (text.len() <= MAX).then_some(text)
}

struct Printer<'a> {
    body: &'a Body,
    unit: &'a Unit,
}

impl Printer<'_> {
    fn place(&self, expr: &Expr) -> Option<String> {
        match &expr.kind {
            ExprKind::Local(id) => named(&self.body.locals[*id].name),
            ExprKind::Object(id) => named(&self.unit.objects[*id].name),
            ExprKind::Deref(pointer) => self.target(pointer),
            ExprKind::Index(pointer, index) => {
                let base = match &pointer.kind {
                    ExprKind::Decay(array) => self.place(array)?,
                    _ => self.operand(pointer)?,
                };
                Some(format!("{base}[{}]", self.value(index)?))
            }
            ExprKind::Member { base, name, .. } => match &base.kind {
                ExprKind::Deref(pointer) => match address_of(pointer) {
                    Some(place) => Some(format!("{}.{name}", self.place(place)?)),
                    None => Some(format!("{}->{name}", self.operand(pointer)?)),
                },
                ExprKind::Call { .. } | ExprKind::Load(_) => {
                    Some(format!("{}.{name}", self.operand(base)?))
                }
                _ => Some(format!("{}.{name}", self.place(base)?)),
            },
            _ => None,
        }
    }

    fn target(&self, pointer: &Expr) -> Option<String> {
        match address_of(pointer) {
            Some(place) => self.place(place),
            None => match &pointer.kind {
                ExprKind::Convert { value, .. } if value.ty.ty.is_pointer() => self.target(value),
                _ => Some(format!("*{}", self.operand(pointer)?)),
            },
        }
    }

    /// A value with parentheses where it needs them before a postfix.
    fn operand(&self, expr: &Expr) -> Option<String> {
        let text = self.value(expr)?;
        let simple = match &expr.kind {
            ExprKind::Load(_) | ExprKind::Const(_) | ExprKind::Call { .. } | ExprKind::Decay(_) => {
                true
            }
            ExprKind::Convert { value, written: false } => {
                matches!(value.kind, ExprKind::Load(_) | ExprKind::Const(_) | ExprKind::Call { .. })
            }
            _ => false,
        };
        Some(if simple && !text.starts_with('*') { text } else { format!("({text})") })
    }

    fn value(&self, expr: &Expr) -> Option<String> {
        match &expr.kind {
            ExprKind::Const(bits) => {
                if let Type::Float(kind) = expr.ty.ty {
                    return Some(float::text(&Value::int(kind.width(), *bits)));
                }
                let signed = self.unit.types.integer(&expr.ty.ty).filter(|(_, signed)| *signed);
                Some(match signed {
                    Some((width, _)) => {
                        crate::sema::constants::arith::signed(*bits, width).to_string()
                    }
                    None => bits.to_string(),
                })
            }
            ExprKind::Load(place) | ExprKind::Decay(place) => self.place(place),
            ExprKind::AddressOf(place) => Some(format!("&{}", self.place(place)?)),
            ExprKind::Function(id) => named(&self.unit.functions[*id].name),
            ExprKind::Convert { value, written: false } => self.value(value),
            ExprKind::Convert { value, written: true } => {
                Some(format!("({}){}", self.unit.types.name(&expr.ty), self.operand(value)?))
            }
            ExprKind::Negate(value) => Some(format!("-{}", self.operand(value)?)),
            ExprKind::BitNot(value) => Some(format!("~{}", self.operand(value)?)),
            ExprKind::Not(value) => Some(format!("!{}", self.operand(value)?)),
            ExprKind::Binary(op, a, b) => {
                Some(format!("{} {} {}", self.operand(a)?, op.symbol(), self.operand(b)?))
            }
            ExprKind::PointerAdd { pointer, index, minus } => {
                let sign = if *minus { '-' } else { '+' };
                Some(format!("{} {sign} {}", self.operand(pointer)?, self.operand(index)?))
            }
            ExprKind::Call { callee: Callee::Direct(id), args } => {
                let args: Option<Vec<String>> = args.iter().map(|arg| self.value(arg)).collect();
                Some(format!("{}({})", self.unit.functions[*id].name, args?.join(", ")))
            }
            ExprKind::Increment { target, down, postfix } => {
                let (sign, target) = (if *down { "--" } else { "++" }, self.place(target)?);
                Some(if *postfix { format!("{target}{sign}") } else { format!("{sign}{target}") })
            }
            ExprKind::Assign(target, _) => self.place(target),
            ExprKind::Atomic(atomic) => match &**atomic {
                Atomic::Load { pointer, .. } => self.target(pointer),
                _ => None,
            },
            _ => None,
        }
    }
}

/// The place whose address a pointer is, written as such.
fn address_of(pointer: &Expr) -> Option<&Expr> {
    match &pointer.kind {
        ExprKind::AddressOf(place) => Some(place),
        _ => None,
    }
}

fn named(name: &Rc<str>) -> Option<String> {
    (!name.is_empty()).then(|| name.to_string())
}
