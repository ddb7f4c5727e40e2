//! Rules, start states and properties, under their parameters and aliases.

use super::scope::Symbol;
use super::{Checked, Checker, Ty, Within};
use crate::ast::{self, Alias, Code, Expr as Tree, Name, Numbers, Quantifier, QuantifierDomain};
use execution::diagnostic::Diagnostic;
use execution::span::Span;
use guarded::code::{Block, Expr};
use guarded::model::{Parameter, ParameterDomain, Property, PropertyKind, Rule};
use std::sync::Arc;

/// What rules stand under, the outermost first.
#[derive(Clone, Copy)]
enum Under<'t> {
    Parameter(&'t Quantifier),
    Alias(&'t Alias),
    Choose(&'t Name, &'t Tree),
}

impl Checker {
    /// Lowers a rule, or those in a ruleset.
    pub fn rules(&mut self, rule: &ast::Rule) -> Checked<()> {
        self.rules_under(rule, &mut Vec::new())
    }

    fn rules_under<'t>(&mut self, rule: &'t ast::Rule, under: &mut Vec<Under<'t>>) -> Checked<()> {
        let outer = under.len();
        let inner = match rule {
            ast::Rule::Set(parameters, rules) => {
                under.extend(parameters.iter().map(Under::Parameter));
                rules
            }
            ast::Rule::Alias(aliases, rules) => {
                under.extend(aliases.iter().map(Under::Alias));
                rules
            }
            ast::Rule::Choose(name, multiset, rules) => {
                under.push(Under::Choose(name, multiset));
                rules
            }
            leaf => {
                let depth = self.scopes.depth();
                let lowered = self.leaf(leaf, under);
                self.scopes.close_to(depth);
                self.within = Within::Rule;
                return lowered;
            }
        };
        let lowered = inner.iter().try_for_each(|rule| self.rules_under(rule, under));
        under.truncate(outer);
        lowered
    }

    fn leaf(&mut self, rule: &ast::Rule, under: &[Under<'_>]) -> Checked<()> {
        self.frame = 0;
        match rule {
            ast::Rule::Simple { name, span, guard, code } => {
                let (parameters, slots) = self.parameters(under)?;
                self.within = Within::Condition;
                let guard = match guard {
                    Some(guard) => self.condition(guard, "the guard")?,
                    None => Expr::Constant(1),
                };
                let body = self.body(under, &slots, code)?;
                let number = self.model.rules.len() + 1;
                let rule = self.finish(name, "rule", number, *span, (parameters, guard, body));
                self.model.rules.push(rule);
            }
            ast::Rule::Start { name, span, code } => {
                let (parameters, slots) = self.parameters(under)?;
                let body = self.body(under, &slots, code)?;
                let number = self.model.starts.len() + 1;
                let guard = Expr::Constant(1);
                let start =
                    self.finish(name, "start state", number, *span, (parameters, guard, body));
                self.model.starts.push(start);
            }
            ast::Rule::Property { kind, name, span, condition } => {
                let (parameters, _) = self.parameters(under)?;
                self.within = Within::Condition;
                let condition = self.condition(condition, "a property")?;
                let kind = match kind {
                    ast::Property::Invariant => PropertyKind::Invariant,
                    ast::Property::Assume => PropertyKind::Assume,
                    ast::Property::Cover => PropertyKind::Cover,
                };
                let (name, span, frame) = (name.clone(), *span, self.frame);
                let property = Property { kind, name, span, parameters, condition, frame };
                self.model.properties.push(property);
            }
            ast::Rule::Set(..) | ast::Rule::Alias(..) | ast::Rule::Choose(..) => {
                unreachable!("only leaves are lowered")
            }
        }
        Ok(())
    }

    fn finish(
        &self,
        name: &Option<Arc<str>>,
        what: &str,
        number: usize,
        span: Span,
        (parameters, guard, body): (Vec<Parameter>, Expr, Block),
    ) -> Rule {
        let name = name.clone().unwrap_or_else(|| format!("{what} {number}").into());
        Rule { name, span, parameters, guard, body, frame: self.frame }
    }

    /// Opens a scope and declares what a guard or a property stands under; the slots of parameters.
    fn parameters(&mut self, under: &[Under<'_>]) -> Checked<(Vec<Parameter>, Vec<u32>)> {
        self.scopes.open();
        self.within = Within::Condition;
        let mut parameters = Vec::new();
        for one in under {
            // An inner name may be the same as an outer one.
            self.scopes.open();
            match one {
                Under::Parameter(quantifier) => parameters.push(self.parameter(quantifier)?),
                Under::Alias(alias) => self.substitute(alias)?,
                Under::Choose(name, multiset) => parameters.push(self.choice(name, multiset)?),
            }
        }
        let slots = parameters.iter().map(|parameter| parameter.slot).collect();
        Ok((parameters, slots))
    }

    fn parameter(&mut self, quantifier: &Quantifier) -> Checked<Parameter> {
        let (domain, ty) = match &quantifier.domain {
            QuantifierDomain::Type(ty) => {
                let scalar = self.quantified_type(ty)?;
                (ParameterDomain::Scalar(scalar), self.scalar_type(scalar))
            }
            QuantifierDomain::Numbers(numbers) => {
                let Numbers { from, to, by } = &**numbers;
                let (from, to) = (self.number_constant(from)?, self.number_constant(to)?);
                let step = by.as_ref().map_or(Ok(1), |by| self.number_constant(by))?;
                if step == 0 {
                    let span = by.as_ref().map_or(quantifier.name.span, |by| by.span);
                    return Err(Diagnostic::error(span, "a step of zero has no end"));
                }
                (ParameterDomain::Numbers { from, to, step }, Ty::Number)
            }
        };
        let slot = self.allocate(1);
        self.declare_parameter(&quantifier.name, slot, ty)?;
        Ok(Parameter { name: quantifier.name.text.clone(), slot, domain })
    }

    fn declare_parameter(&mut self, name: &Name, slot: u32, ty: Ty) -> Checked<()> {
        let symbol = Symbol::Value(Expr::Slot(slot), ty, "a parameter of the rule");
        self.declare(name, symbol)
    }

    fn choice(&mut self, name: &Name, multiset: &Tree) -> Checked<Parameter> {
        let multiset = self.multiset(multiset, None)?;
        let position = self.position(multiset.capacity);
        let slot = self.allocate(1);
        self.declare_parameter(name, slot, Ty::Scalar(position))?;
        let domain = ParameterDomain::Multiset {
            place: Box::new(multiset.designator.place),
            capacity: multiset.capacity,
            stride: self.model.slot_size(multiset.element),
            position,
        };
        Ok(Parameter { name: name.text.clone(), slot, domain })
    }

    /// The body of a rule: aliases are found before its first statement.
    fn body(&mut self, under: &[Under<'_>], slots: &[u32], code: &Code) -> Checked<Block> {
        self.within = Within::Rule;
        let mut block = Vec::new();
        let mut slots = slots.iter();
        for one in under {
            self.scopes.open();
            match one {
                Under::Alias(alias) => self.bind(alias, &mut block)?,
                Under::Parameter(quantifier) => {
                    let slot = *slots.next().expect("each parameter has a slot");
                    let ty = match &quantifier.domain {
                        QuantifierDomain::Type(ty) => {
                            let scalar = self.quantified_type(ty)?;
                            self.scalar_type(scalar)
                        }
                        QuantifierDomain::Numbers(_) => Ty::Number,
                    };
                    self.declare_parameter(&quantifier.name, slot, ty)?;
                }
                Under::Choose(name, multiset) => {
                    let slot = *slots.next().expect("each parameter has a slot");
                    let capacity = self.multiset(multiset, None)?.capacity;
                    let position = self.position(capacity);
                    self.declare_parameter(name, slot, Ty::Scalar(position))?;
                }
            }
        }
        self.scopes.open();
        for decl in &code.decls {
            self.declaration(decl, false)?;
        }
        block.extend(self.statements(&code.body)?);
        Ok(block)
    }
}
