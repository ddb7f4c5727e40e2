//! Statements.

use super::scope::{Access, Symbol};
use super::{Checked, Checker, Ty, Within};
use crate::ast::{Alias, Expr as Tree, Quantifier, Stmt as TreeStmt, StmtKind};
use execution::diagnostic::Diagnostic;
use guarded::code::{Base, Block, Expr, Place, Stmt, Target};
use guarded::model::{ScalarKind, Type, TypeId};

impl Checker {
    /// Statements, one after the other.
    pub fn statements(&mut self, trees: &[TreeStmt]) -> Checked<Block> {
        let mut block = Vec::new();
        for tree in trees {
            self.statement(tree, &mut block)?;
        }
        Ok(block)
    }

    fn statement(&mut self, tree: &TreeStmt, block: &mut Block) -> Checked<()> {
        let stmt = match &tree.kind {
            StmtKind::Assign(to, value) => self.assign(to, value)?,
            StmtKind::If(branches, otherwise) => {
                let mut lowered = Vec::new();
                for (condition, body) in branches {
                    let condition = self.condition(condition, "the condition of `if`")?;
                    lowered.push((condition, self.statements(body)?));
                }
                Stmt::If(lowered, self.statements(otherwise)?)
            }
            StmtKind::Switch(value, cases, otherwise) => self.switch(value, cases, otherwise)?,
            StmtKind::For(variable, body) => {
                self.scopes.open();
                let checked = self.for_loop(variable, body);
                self.scopes.close();
                checked?
            }
            StmtKind::While(condition, body) => {
                let site = self.site(tree.span);
                let condition = self.condition(condition, "the condition of `while`")?;
                Stmt::While(condition, self.statements(body)?, site)
            }
            StmtKind::Alias(aliases, body) => {
                self.scopes.open();
                let checked = self.aliased(aliases, body, block);
                self.scopes.close();
                return checked;
            }
            StmtKind::Call(name, arguments) => {
                self.call_statement(name, arguments.as_deref(), tree.span)?
            }
            StmtKind::Clear(place) => self.clear(place)?,
            StmtKind::Undefine(place) => {
                let target = self.target(place, "undefined")?;
                let cells = self.model.types.size(target.ty) as usize;
                Stmt::Fill(target.place, vec![0; cells])
            }
            StmtKind::Assert(condition, text) => {
                let site = self.site_with(tree.span, text);
                Stmt::Assert(self.condition(condition, "what is asserted")?, site)
            }
            StmtKind::Assume(condition) => {
                let site = self.site(tree.span);
                Stmt::Assume(self.condition(condition, "what is assumed")?, site)
            }
            StmtKind::Error(text) => Stmt::Error(self.site_with(tree.span, text)),
            StmtKind::Put(value) => {
                // Output does not change what is reachable.
                if let Some(value) = value {
                    self.value(value)?;
                }
                return Ok(());
            }
            StmtKind::Return(value) => self.returned(value.as_ref(), tree)?,
            StmtKind::MultisetAdd(element, multiset) => self.multiset_add(element, multiset)?,
            StmtKind::MultisetRemove(position, multiset) => {
                self.multiset_remove(position, multiset)?
            }
            StmtKind::MultisetRemovePred(name, multiset, condition) => {
                self.multiset_remove_all(name, multiset, condition)?
            }
        };
        block.push(stmt);
        Ok(())
    }

    fn assign(&mut self, to: &Tree, value: &Tree) -> Checked<Stmt> {
        let target = self.target(to, "assigned")?;
        let typed = self.value(value)?;
        let Type::Scalar(scalar) = *self.model.types.get(target.ty) else {
            let Some(from) = typed.place.filter(|from| from.ty == target.ty) else {
                let (expected, found) =
                    (self.describe(Ty::Compound(target.ty)), self.describe(typed.ty));
                let message = format!("the value must be {expected}, not {found}");
                return Err(Diagnostic::error(value.span, message));
            };
            let cells = self.model.types.size(target.ty);
            return Ok(Stmt::Copy { to: target.place, from: from.place, cells });
        };
        self.expect_scalar(&typed, scalar, "the value")?;
        let this = &self.model.types.scalars[scalar];
        let (low, high) = (this.low, this.high);
        if let Some(found) = self.constant(&typed.expr)
            && this.kind == ScalarKind::Range
            && !(low..=high).contains(&found)
        {
            let message = format!("the value {found} is outside of {low}..{high}");
            return Err(Diagnostic::error(value.span, message));
        }
        let site = self.site(value.span);
        Ok(Stmt::Assign(target.place, typed.expr, Target { low, high, site }))
    }

    fn switch(
        &mut self,
        value: &Tree,
        cases: &[(Vec<Tree>, Vec<TreeStmt>)],
        otherwise: &[TreeStmt],
    ) -> Checked<Stmt> {
        let value = self.value(value)?;
        let mut lowered = Vec::new();
        for (values, body) in cases {
            let mut exprs = Vec::new();
            for case in values {
                let typed = self.value(case)?;
                if self.common(value.ty, typed.ty).is_none() || matches!(typed.ty, Ty::Compound(_))
                {
                    let message = format!(
                        "this case is {}, and the value is {}",
                        self.describe(typed.ty),
                        self.describe(value.ty)
                    );
                    return Err(Diagnostic::error(case.span, message).also(value.span, "the value"));
                }
                exprs.push(typed.expr);
            }
            lowered.push((exprs, self.statements(body)?));
        }
        Ok(Stmt::Switch(value.expr, lowered, self.statements(otherwise)?))
    }

    fn for_loop(&mut self, variable: &Quantifier, body: &[TreeStmt]) -> Checked<Stmt> {
        let (slot, domain) = self.quantifier(variable)?;
        Ok(Stmt::For(slot, domain, self.statements(body)?))
    }

    fn aliased(&mut self, aliases: &[Alias], body: &[TreeStmt], block: &mut Block) -> Checked<()> {
        for alias in aliases {
            self.bind(alias, block)?;
        }
        block.extend(self.statements(body)?);
        Ok(())
    }

    /// Declares an alias, whose place or value is found now.
    pub fn bind(&mut self, alias: &Alias, block: &mut Block) -> Checked<()> {
        let symbol = match self.designator(&alias.expr)? {
            Some(found) => {
                let place = match found.place.subscripts.is_empty() {
                    true => found.place,
                    false => {
                        let slot = self.allocate(1);
                        block.push(Stmt::Bind(slot, found.place));
                        Place { base: Base::Reference(slot), offset: 0, subscripts: Vec::new() }
                    }
                };
                Symbol::Place(place, found.ty, found.access)
            }
            None => {
                let value = self.value(&alias.expr)?;
                let slot = self.allocate(1);
                block.push(Stmt::Let(slot, value.expr));
                Symbol::Value(Expr::Slot(slot), value.ty, "an alias of a value")
            }
        };
        self.declare(&alias.name, symbol)
    }

    /// Declares an alias, whose place or value is found at each use.
    pub fn substitute(&mut self, alias: &Alias) -> Checked<()> {
        let symbol = match self.designator(&alias.expr)? {
            Some(found) => {
                let access = match found.access {
                    Access::Shared | Access::Local => Access::ReadOnly("an alias in a guard"),
                    access => access,
                };
                Symbol::Place(found.place, found.ty, access)
            }
            None => {
                let value = self.value(&alias.expr)?;
                Symbol::Value(value.expr, value.ty, "an alias of a value")
            }
        };
        self.declare(&alias.name, symbol)
    }

    fn clear(&mut self, place: &Tree) -> Checked<Stmt> {
        let target = self.target(place, "cleared")?;
        let mut codes = Vec::new();
        if !self.lowest(target.ty, &mut codes) {
            let message = "`clear` would choose a member of a scalarset, and none is the lowest";
            return Err(Diagnostic::error(place.span, message).note("use `undefine`"));
        }
        Ok(Stmt::Fill(target.place, codes))
    }

    /// The codes of the lowest value; whether there is one.
    fn lowest(&self, ty: TypeId, codes: &mut Vec<u32>) -> bool {
        let types = &self.model.types;
        match types.get(ty) {
            Type::Scalar(scalar) => {
                codes.push(1);
                let kind = &types.scalars[*scalar].kind;
                !matches!(kind, ScalarKind::Scalarset | ScalarKind::Union(_))
            }
            Type::Array { index, element } => {
                (0..types.scalars[*index].span()).all(|_| self.lowest(*element, codes))
            }
            Type::Record(fields) => fields.iter().all(|field| self.lowest(field.ty, codes)),
            Type::Multiset { .. } => {
                codes.extend((0..types.size(ty)).map(|_| 0));
                true
            }
        }
    }

    fn returned(&mut self, value: Option<&Tree>, tree: &TreeStmt) -> Checked<Stmt> {
        match (self.within, value) {
            (Within::Function(None), None) => Ok(Stmt::Return(None)),
            (Within::Function(Some(ty)), Some(value)) => {
                let typed = self.value(value)?;
                let Type::Scalar(scalar) = *self.model.types.get(ty) else {
                    unreachable!("results are simple");
                };
                self.expect_scalar(&typed, scalar, "the result")?;
                let this = &self.model.types.scalars[scalar];
                let (low, high) = (this.low, this.high);
                let target = Target { low, high, site: self.site(value.span) };
                Ok(Stmt::Return(Some(Expr::Checked(Box::new(typed.expr), target))))
            }
            (Within::Function(None), Some(value)) => {
                Err(Diagnostic::error(value.span, "a procedure returns no value"))
            }
            (Within::Function(Some(_)), None) => {
                Err(Diagnostic::error(tree.span, "a function returns a value"))
            }
            (Within::Rule | Within::Condition, _) => {
                let message = "`return` ends a function or a procedure, and this is a rule";
                Err(Diagnostic::error(tree.span, message))
            }
        }
    }
}
