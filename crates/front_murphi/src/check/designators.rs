//! Variables and parts of them.

use super::scope::{Access, Symbol};
use super::{Checked, Checker, Ty, types};
use crate::ast::{Expr as Tree, ExprKind, Name};
use execution::diagnostic::Diagnostic;
use guarded::code::{Place, Subscript};
use guarded::model::{ScalarKind, Type, TypeId};

/// A place with its type.
#[derive(Clone)]
pub struct Designator {
    pub place: Place,
    pub ty: TypeId,
    pub access: Access,
}

impl Checker {
    /// The place that an expression names, if it names one.
    pub fn designator(&mut self, tree: &Tree) -> Checked<Option<Designator>> {
        match &tree.kind {
            ExprKind::Name(name) => Ok(match self.scopes.find(name) {
                Some(Symbol::Place(place, ty, access)) => {
                    Some(Designator { place: place.clone(), ty: *ty, access: *access })
                }
                _ => None,
            }),
            ExprKind::Field(whole, field) => {
                let whole = self.whole(whole)?;
                self.field(whole, field).map(Some)
            }
            ExprKind::Index(whole, index) => {
                let array = self.whole(whole)?;
                self.element(array, whole, index).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// What a step is made into.
    fn whole(&mut self, tree: &Tree) -> Checked<Designator> {
        match self.designator(tree)? {
            Some(designator) => Ok(designator),
            None => {
                let ty = self.value(tree)?.ty;
                let message = format!("this is {}, which has no parts", self.describe(ty));
                Err(Diagnostic::error(tree.span, message))
            }
        }
    }

    fn field(&mut self, mut whole: Designator, name: &Name) -> Checked<Designator> {
        let Type::Record(fields) = self.model.types.get(whole.ty) else {
            let found = types::describe(&self.model, whole.ty);
            let message = format!("only a record has fields, and this is {found}");
            return Err(Diagnostic::error(name.span, message));
        };
        let Some(field) = fields.iter().find(|field| field.name == name.text) else {
            let found = types::describe(&self.model, whole.ty);
            let message = format!("there is no field `{}` in {found}", name.text);
            return Err(Diagnostic::error(name.span, message));
        };
        whole.place.offset += field.offset;
        whole.ty = field.ty;
        Ok(whole)
    }

    fn element(
        &mut self,
        mut array: Designator,
        whole: &Tree,
        index: &Tree,
    ) -> Checked<Designator> {
        let site = self.site(index.span);
        let value = self.value(index)?;
        match *self.model.types.get(array.ty) {
            Type::Array { index: scalar, element } => {
                self.expect_scalar(&value, scalar, "the index")?;
                let this = &self.model.types.scalars[scalar];
                let (low, count) = (this.low, this.span());
                if let Some(found) = self.constant(&value.expr)
                    && !(low..low + i64::from(count)).contains(&found)
                    && this.kind == ScalarKind::Range
                {
                    let high = low + i64::from(count) - 1;
                    let message = format!("the index {found} is outside of {low}..{high}");
                    return Err(Diagnostic::error(index.span, message));
                }
                let stride = self.model.types.size(element);
                let value = value.expr;
                array.place.subscripts.push(Subscript { value, low, count, stride, site });
                array.ty = element;
                Ok(array)
            }
            Type::Multiset { capacity, element } => {
                let position = self.position(capacity);
                self.expect_position(&value, position)?;
                let stride = self.model.slot_size(element);
                let (value, low, count) = (value.expr, 0, capacity);
                array.place.subscripts.push(Subscript { value, low, count, stride, site });
                // After the cell that says whether the slot is in use.
                array.place.offset += 1;
                array.ty = element;
                Ok(array)
            }
            _ => {
                let found = types::describe(&self.model, array.ty);
                let message =
                    format!("only an array or a multiset has an index, and this is {found}");
                Err(Diagnostic::error(whole.span, message))
            }
        }
    }

    /// A place that is about to be changed.
    pub fn target(&mut self, tree: &Tree, what: &str) -> Checked<Designator> {
        let Some(target) = self.designator(tree)? else {
            return Err(self.not_a_variable(tree, what));
        };
        match target.access {
            Access::ReadOnly(why) => {
                let message = format!("{why} cannot be {what}");
                return Err(Diagnostic::error(tree.span, message));
            }
            Access::Shared => self.has_effects = true,
            Access::Local => {}
        }
        Ok(target)
    }

    fn not_a_variable(&mut self, tree: &Tree, what: &str) -> Diagnostic {
        let ExprKind::Name(name) = &tree.kind else {
            return Diagnostic::error(tree.span, format!("only a variable can be {what}"));
        };
        let message = match self.scopes.find(name) {
            Some(Symbol::Constant(..)) => format!("`{name}` is a constant and cannot be {what}"),
            Some(Symbol::Value(_, _, which)) => format!("`{name}` is {which} and cannot be {what}"),
            Some(Symbol::Function(_)) => format!("`{name}` is a function and cannot be {what}"),
            Some(Symbol::Type(_)) => format!("`{name}` is a type and cannot be {what}"),
            _ => return self.unknown("variable", name, tree.span),
        };
        Diagnostic::error(tree.span, message)
    }

    /// The type of a place as the type of an expression.
    pub fn type_of(&self, ty: TypeId) -> Ty {
        match self.model.types.get(ty) {
            Type::Scalar(scalar) => match self.model.types.scalars[*scalar].kind {
                ScalarKind::Range => Ty::Number,
                _ => Ty::Scalar(*scalar),
            },
            _ => Ty::Compound(ty),
        }
    }
}
