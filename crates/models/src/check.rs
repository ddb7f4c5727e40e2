//! Checks that every name in a cat program is defined where it is used, also in functions and
//! procedures that are never called. What `if "variant"` leaves out and what `try` forgives is
//! not checked; sorts, tags and monotonicity are checked when the program is run.

use crate::ast::{
    Bindings, Clause, ClausePattern, Condition, Expr, ExprKind, Instruction, InstructionKind,
    Pattern,
};
use crate::builtin::annotation_set;
use crate::registers;
use crate::value::Builtin;
use crate::vocabulary;
use execution::diagnostic::Diagnostic;
use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

type Checked = Result<(), Diagnostic>;

/// What a program asks of its surroundings.
#[derive(Debug, Default)]
pub(crate) struct Asked {
    /// The variants that conditions ask about.
    pub(crate) variants: BTreeSet<Arc<str>>,
    /// Whether it refers to registers.
    pub(crate) registers: bool,
}

/// Checks the names of `program`; gives what it asks about.
pub(crate) fn check(
    program: &[Instruction],
    variants: &HashSet<String>,
) -> Result<Asked, Diagnostic> {
    let mut checker = Checker { names: Vec::new(), variants, asked: Asked::default() };
    checker.instructions(program)?;
    Ok(checker.asked)
}

struct Checker<'a> {
    /// The names in scope, innermost last.
    names: Vec<Arc<str>>,
    variants: &'a HashSet<String>,
    asked: Asked,
}

impl Checker<'_> {
    fn instructions(&mut self, list: &[Instruction]) -> Checked {
        list.iter().try_for_each(|instruction| self.instruction(instruction))
    }

    /// Runs `body` and forgets the names it defined.
    fn scoped(&mut self, body: impl FnOnce(&mut Self) -> Checked) -> Checked {
        let before = self.names.len();
        let result = body(self);
        self.names.truncate(before);
        result
    }

    fn instruction(&mut self, instruction: &Instruction) -> Checked {
        match &instruction.kind {
            InstructionKind::Let(bindings) => self.bindings(bindings),
            InstructionKind::Check(check) => self.expr(&check.expr),
            // Published files ask to show what exists for other architectures or editions only.
            InstructionKind::Show(_) | InstructionKind::Unshow(_) => Ok(()),
            InstructionKind::Include(_, list) => self.instructions(list),
            InstructionKind::Procedure(name, parameter, body) => {
                self.scoped(|check| {
                    check.pattern(parameter);
                    check.names.push(name.text.clone());
                    check.instructions(body)
                })?;
                self.names.push(name.text.clone());
                Ok(())
            }
            InstructionKind::Call(name, argument, _) => {
                if !self.names.contains(&name.text) {
                    let message = format!("there is no procedure `{}`", name.text);
                    return Err(Diagnostic::error(name.span, message));
                }
                self.expr(argument)
            }
            InstructionKind::Enum(name, tags) => {
                self.names.push(name.text.clone());
                self.names.extend(tags.iter().map(|tag| annotation_set(&tag.text).into()));
                Ok(())
            }
            InstructionKind::Annotations(_, allowed) => {
                allowed.iter().try_for_each(|expr| self.expr(expr))
            }
            InstructionKind::ForAll(name, set, body) => {
                self.expr(set)?;
                self.scoped(|check| {
                    check.names.push(name.text.clone());
                    check.instructions(body)
                })
            }
            InstructionKind::With(name, set) => {
                self.expr(set)?;
                self.names.push(name.text.clone());
                Ok(())
            }
            InstructionKind::Match(scrutinee, clauses) => {
                self.expr(scrutinee)?;
                self.clauses(clauses, |check, body| check.instructions(body))
            }
            InstructionKind::If(condition, yes, no) => {
                self.condition(condition)?;
                match condition.decided(self.variants) {
                    Some(true) => self.instructions(yes),
                    Some(false) => self.instructions(no),
                    None => {
                        self.scoped(|check| check.instructions(yes))?;
                        self.scoped(|check| check.instructions(no))
                    }
                }
            }
        }
    }

    fn bindings(&mut self, bindings: &Bindings) -> Checked {
        let before = self.names.len();
        if bindings.recursive {
            bindings.list.iter().for_each(|binding| self.pattern(&binding.pattern));
        }
        for binding in &bindings.list {
            self.scoped(|check| {
                binding.parameters.iter().for_each(|parameter| check.pattern(parameter));
                check.expr(&binding.body)
            })?;
        }
        self.names.truncate(before);
        bindings.list.iter().for_each(|binding| self.pattern(&binding.pattern));
        Ok(())
    }

    fn pattern(&mut self, pattern: &Pattern) {
        match pattern {
            Pattern::Name(name) => self.names.push(name.text.clone()),
            Pattern::Ignore => {}
            Pattern::Tuple(parts) => parts.iter().for_each(|part| self.pattern(part)),
        }
    }

    fn clauses<T>(
        &mut self,
        clauses: &[Clause<T>],
        body: impl Fn(&mut Self, &T) -> Checked,
    ) -> Checked {
        clauses.iter().try_for_each(|clause| {
            self.scoped(|check| {
                if let ClausePattern::Element(first, rest) = &clause.pattern {
                    check.pattern(first);
                    check.pattern(rest);
                }
                body(check, &clause.body)
            })
        })
    }

    fn expr(&mut self, expr: &Expr) -> Checked {
        match &expr.kind {
            ExprKind::Name(name) => {
                let defined = self.names.contains(name);
                self.asked.registers |= !defined && registers::WORDS.contains(&&**name);
                let known =
                    defined || Builtin::named(name).is_some() || vocabulary::lookup(name).is_some();
                if known { Ok(()) } else { Err(vocabulary::unknown_name(name, expr.span)) }
            }
            ExprKind::Tag(_) | ExprKind::Zero | ExprKind::Universe => Ok(()),
            ExprKind::SetLiteral(list) | ExprKind::Tuple(list) | ExprKind::Infix(_, list) => {
                list.iter().try_for_each(|part| self.expr(part))
            }
            ExprKind::Identity(inner) | ExprKind::Unary(_, inner) => self.expr(inner),
            ExprKind::Apply(function, arguments) => {
                self.expr(function)?;
                arguments.iter().try_for_each(|argument| self.expr(argument))
            }
            ExprKind::Function(parameter, body) => self.scoped(|check| {
                check.pattern(parameter);
                check.expr(body)
            }),
            ExprKind::Let(bindings, body) => self.scoped(|check| {
                check.bindings(bindings)?;
                check.expr(body)
            }),
            ExprKind::Match(scrutinee, clauses) => {
                self.expr(scrutinee)?;
                self.clauses(clauses, Self::expr)
            }
            ExprKind::If(condition, yes, no) => {
                self.condition(condition)?;
                match condition.decided(self.variants) {
                    Some(true) => self.expr(yes),
                    Some(false) => self.expr(no),
                    None => {
                        self.expr(yes)?;
                        self.expr(no)
                    }
                }
            }
            ExprKind::Try(_, otherwise) => self.expr(otherwise),
        }
    }

    fn condition(&mut self, condition: &Condition) -> Checked {
        match condition {
            Condition::Variant(name) => {
                self.asked.variants.insert(name.text.clone());
                Ok(())
            }
            Condition::Not(inner) => self.condition(inner),
            Condition::And(parts) | Condition::Or(parts) => {
                parts.iter().try_for_each(|part| self.condition(part))
            }
            Condition::Equal(left, right) => {
                self.expr(left)?;
                self.expr(right)
            }
        }
    }
}
