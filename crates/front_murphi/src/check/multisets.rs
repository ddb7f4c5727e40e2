//! Multisets and unions.

use super::designators::Designator;
use super::expressions::Typed;
use super::scope::Symbol;
use super::{Checked, Checker, Ty};
use crate::ast::{Expr as Tree, Name};
use execution::diagnostic::Diagnostic;
use guarded::code::{Element, Elements, Expr, Stmt, Subscript, Target};
use guarded::model::{ScalarId, ScalarKind, Type, TypeId};

/// A multiset, how many slots it has, and its elements' type.
pub struct Multiset {
    pub designator: Designator,
    pub capacity: u32,
    pub element: TypeId,
}

impl Checker {
    /// A multiset that is named somewhere; changed, if `what` says how.
    pub fn multiset(&mut self, tree: &Tree, what: Option<&str>) -> Checked<Multiset> {
        let designator = match what {
            Some(what) => Some(self.target(tree, what)?),
            None => self.designator(tree)?,
        };
        let found = match designator {
            Some(designator) => match *self.model.types.get(designator.ty) {
                Type::Multiset { capacity, element } => {
                    return Ok(Multiset { designator, capacity, element });
                }
                _ => self.describe(self.type_of(designator.ty)),
            },
            None => {
                let ty = self.value(tree)?.ty;
                self.describe(ty)
            }
        };
        Err(Diagnostic::error(tree.span, format!("expected a multiset, found {found}")))
    }

    /// The elements of a multiset that satisfy a condition.
    pub fn elements(
        &mut self,
        name: &Name,
        multiset: &Tree,
        condition: &Tree,
    ) -> Checked<Elements> {
        let multiset = self.multiset(multiset, None)?;
        self.scopes.open();
        let slot = self.allocate(1);
        let position = self.position(multiset.capacity);
        let symbol = Symbol::Value(Expr::Slot(slot), Ty::Scalar(position), "a position");
        let condition = self
            .declare(name, symbol)
            .and_then(|()| self.condition(condition, "the condition on elements"));
        self.scopes.close();
        let stride = self.model.slot_size(multiset.element);
        let (place, capacity) = (multiset.designator.place, multiset.capacity);
        Ok(Elements { place, capacity, stride, slot, condition: condition? })
    }

    pub fn expect_position(&self, value: &Typed, position: ScalarId) -> Checked<()> {
        if value.ty == Ty::Scalar(position) {
            return Ok(());
        }
        let message =
            format!("expected a position in the multiset, found {}", self.describe(value.ty));
        Err(Diagnostic::error(value.span, message)
            .note("`choose`, `multisetcount` and `multisetremovepred` give positions"))
    }

    /// `multisetadd(element, multiset)`
    pub fn multiset_add(&mut self, element: &Tree, multiset: &Tree) -> Checked<Stmt> {
        let site = self.site(multiset.span);
        let Multiset { designator, capacity, element: ty } =
            self.multiset(multiset, Some("changed"))?;
        let value = self.value(element)?;
        let element = match *self.model.types.get(ty) {
            Type::Scalar(scalar) => {
                self.expect_scalar(&value, scalar, "the element")?;
                let this = &self.model.types.scalars[scalar];
                let (low, high) = (this.low, this.high);
                Element::Value(value.expr, Target { low, high, site: self.site(value.span) })
            }
            _ => match value.place {
                Some(found) if found.ty == ty => Element::Cells(found.place),
                _ => {
                    let (expected, found) =
                        (self.describe(Ty::Compound(ty)), self.describe(value.ty));
                    let message = format!("the element must be {expected}, not {found}");
                    return Err(Diagnostic::error(value.span, message));
                }
            },
        };
        let stride = self.model.slot_size(ty);
        Ok(Stmt::Add { to: designator.place, capacity, stride, element, site })
    }

    /// `multisetremove(position, multiset)`
    pub fn multiset_remove(&mut self, position: &Tree, multiset: &Tree) -> Checked<Stmt> {
        let Multiset { designator, capacity, element } =
            self.multiset(multiset, Some("changed"))?;
        let site = self.site(position.span);
        let value = self.value(position)?;
        let scalar = self.position(capacity);
        self.expect_position(&value, scalar)?;
        let stride = self.model.slot_size(element);
        let subscript = Subscript { value: value.expr, low: 0, count: capacity, stride, site };
        Ok(Stmt::Remove(designator.place, subscript))
    }

    /// `multisetremovepred(name: multiset, condition)`
    pub fn multiset_remove_all(
        &mut self,
        name: &Name,
        multiset: &Tree,
        condition: &Tree,
    ) -> Checked<Stmt> {
        self.multiset(multiset, Some("changed"))?;
        Ok(Stmt::RemoveAll(Box::new(self.elements(name, multiset, condition)?)))
    }

    /// Whether a multiset is a part of a type.
    pub fn holds_multiset(&self, ty: TypeId) -> bool {
        match self.model.types.get(ty) {
            Type::Scalar(_) => false,
            Type::Array { element, .. } => self.holds_multiset(*element),
            Type::Record(fields) => fields.iter().any(|field| self.holds_multiset(field.ty)),
            Type::Multiset { .. } => true,
        }
    }

    /// The values of a part of a union's type.
    pub fn member_ranges(&mut self, value: &Typed, name: &Name) -> Checked<Vec<(i64, i64)>> {
        let ty = match self.scopes.find(&name.text) {
            Some(Symbol::Type(ty)) => *ty,
            Some(_) => {
                let message = format!("`{}` is not a type", name.text);
                return Err(Diagnostic::error(name.span, message));
            }
            None => return Err(self.unknown("type", &name.text, name.span)),
        };
        let part = match self.model.types.get(ty) {
            Type::Scalar(scalar) => Some(*scalar),
            _ => None,
        };
        let is_part = |parts: &[ScalarId]| part.is_some_and(|part| parts.contains(&part));
        match value.ty {
            Ty::Scalar(union) => match &self.model.types.scalars[union].kind {
                ScalarKind::Union(parts) if is_part(parts) => {}
                _ if Some(union) == part => {}
                _ => {
                    let found = self.describe(value.ty);
                    let message = format!("`{}` is not a part of the type of {found}", name.text);
                    return Err(Diagnostic::error(name.span, message));
                }
            },
            _ => {
                let message =
                    format!("expected a member of a union, found {}", self.describe(value.ty));
                return Err(Diagnostic::error(value.span, message));
            }
        }
        Ok(part.map(|part| self.model.types.ranges(part)).unwrap_or_default())
    }
}
