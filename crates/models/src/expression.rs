//! The values of expressions, while a model is being run; see [`elaborate`](crate::elaborate).

use crate::algebra::{Sort, Term, TermId};
use crate::ast::{Clause, ClausePattern, Condition, Expr, ExprKind, InfixOp, Pattern, UnaryOp};
use crate::builtin;
use crate::elaborate::{Elaborator, Run, Stop, error};
use crate::evaluate::{Evaluator, Shown};
use crate::model::Compiled;
use crate::value::{Builtin, Closure, Env, Value};
use crate::vocabulary;
use execution::diagnostic::Diagnostic;
use execution::event::Execution;
use execution::span::Span;
use std::rc::Rc;
use std::sync::Arc;

/// How often functions may call functions, in depth and in all.
const MAX_CALL_DEPTH: usize = 200;
const MAX_CALLS: usize = 1_000_000;

impl Elaborator<'_> {
    pub(crate) fn expr(&mut self, expr: &Expr, env: &Env) -> Run<Value> {
        let span = expr.span;
        Ok(match &expr.kind {
            ExprKind::Name(name) => self.name(name, env, span)?,
            ExprKind::Tag(tag) => {
                if !self.tags.contains(tag) {
                    return error(span, format!("no `enum` declares the tag `'{tag}`"));
                }
                Value::Tag(tag.clone())
            }
            ExprKind::Zero => Value::Relation(self.terms.empty(Sort::Relation)),
            ExprKind::Universe => Value::Set(self.terms.add(Term::Universe)),
            ExprKind::SetLiteral(elements) => {
                let mut set = Value::Nothing;
                for element in elements {
                    let value = self.expr(element, env)?;
                    set = self.add_element(value, set, element.span)?;
                }
                set
            }
            ExprKind::Tuple(parts) => {
                Value::Tuple(parts.iter().map(|part| self.expr(part, env)).collect::<Run<_>>()?)
            }
            ExprKind::Identity(set) => {
                let id = self.set(set, env)?;
                Value::Relation(self.terms.identity_on(id))
            }
            ExprKind::Unary(op, operand) => self.unary(*op, operand, env, span)?,
            ExprKind::Infix(op, operands) => self.infix(*op, operands, env, span)?,
            ExprKind::Apply(function, arguments) => {
                let mut value = self.expr(function, env)?;
                for argument in arguments {
                    let argument_value = self.expr(argument, env)?;
                    value = self.apply(value, argument_value, function.span.to(argument.span))?;
                }
                value
            }
            ExprKind::Function(parameter, body) => Value::Closure(Rc::new(Closure {
                parameter: parameter.clone(),
                more: Vec::new(),
                body: body.clone(),
                env: env.clone(),
            })),
            ExprKind::Let(bindings, body) => {
                let inner = self.bind(bindings, env)?;
                self.expr(body, &inner)?
            }
            ExprKind::Match(scrutinee, clauses) => {
                let value = self.expr(scrutinee, env)?;
                let (env, body) = self.matching(value, clauses, env, scrutinee.span)?;
                self.expr(body, &env)?
            }
            ExprKind::If(condition, yes, no) => {
                let chosen = if self.condition(condition, env)? { yes } else { no };
                self.expr(chosen, env)?
            }
            ExprKind::Try(wanted, otherwise) => match self.expr(wanted, env) {
                Err(Stop::Unknown(_)) => self.expr(otherwise, env)?,
                result => result?,
            },
        })
    }

    fn name(&mut self, name: &str, env: &Env, span: Span) -> Run<Value> {
        if let Some(value) = env.get(name) {
            return Ok(value.clone());
        }
        if let Some(builtin) = Builtin::named(name) {
            return Ok(Value::Builtin(builtin));
        }
        if let Some(value) = builtin::word(&mut self.terms, name) {
            return Ok(value);
        }
        if self.tags.iter().any(|tag| builtin::annotation_set(tag) == name) {
            let set = vocabulary::annotated(name);
            return Ok(Value::Set(self.terms.add(Term::Base(set.into(), Sort::Set))));
        }
        Err(Stop::Unknown(Box::new(vocabulary::unknown_name(name, span))))
    }

    fn set(&mut self, expr: &Expr, env: &Env) -> Run<TermId> {
        match self.expr(expr, env)? {
            Value::Set(id) => Ok(id),
            Value::Nothing => Ok(self.terms.empty(Sort::Set)),
            other => {
                error(expr.span, format!("expected a set of events, found {}", other.describe()))
            }
        }
    }

    pub(crate) fn relation_value(&mut self, value: Value, span: Span) -> Run<TermId> {
        match value {
            Value::Relation(id) => Ok(id),
            Value::Nothing => Ok(self.terms.empty(Sort::Relation)),
            other => error(span, format!("expected a relation, found {}", other.describe())),
        }
    }

    fn unary(&mut self, op: UnaryOp, operand: &Expr, env: &Env, span: Span) -> Run<Value> {
        let value = self.expr(operand, env)?;
        if op == UnaryOp::Complement {
            return match value {
                Value::Set(id) => Ok(Value::Set(self.negation(Term::Complement(id), span))),
                Value::Relation(id) => {
                    Ok(Value::Relation(self.negation(Term::Complement(id), span)))
                }
                other => error(span, format!("{} has no complement", other.describe())),
            };
        }
        let r = self.relation_value(value, operand.span)?;
        Ok(Value::Relation(match op {
            UnaryOp::Inverse => self.terms.inverse(r),
            UnaryOp::Optional => self.terms.optional(r),
            UnaryOp::Plus => self.terms.plus(r),
            UnaryOp::Star | UnaryOp::Complement => self.terms.star(r),
        }))
    }

    /// Adds a complement or difference and remembers where it stands.
    fn negation(&mut self, term: Term, span: Span) -> TermId {
        let id = match term {
            Term::Difference(a, b) => self.terms.difference(a, b),
            term => self.terms.add(term),
        };
        self.negations.entry(id).or_insert(span);
        id
    }

    fn infix(&mut self, op: InfixOp, operands: &[Expr], env: &Env, span: Span) -> Run<Value> {
        if op == InfixOp::Add {
            // `a ++ b ++ S` adds to the set on the right.
            let Some((last, elements)) = operands.split_last() else {
                return error(span, "`++` needs operands");
            };
            let mut set = self.expr(last, env)?;
            for element in elements.iter().rev() {
                let value = self.expr(element, env)?;
                set = self.add_element(value, set, element.span)?;
            }
            return Ok(set);
        }
        let mut values = operands.iter();
        let Some(first) = values.next() else { return error(span, "an operand is missing") };
        let mut result = self.expr(first, env)?;
        for operand in values {
            let value = self.expr(operand, env)?;
            let span = first.span.to(operand.span);
            result = self.combine(op, result, value, (first.span, operand.span, span))?;
        }
        Ok(result)
    }

    fn combine(
        &mut self,
        op: InfixOp,
        left: Value,
        right: Value,
        (left_span, right_span, span): (Span, Span, Span),
    ) -> Run<Value> {
        use Value::{Collection, Nothing, Relation, Set};
        Ok(match (op, left, right) {
            (InfixOp::Union, Nothing, other) | (InfixOp::Union, other, Nothing) => other,
            (InfixOp::Intersection | InfixOp::Difference, Nothing, _)
            | (InfixOp::Intersection, _, Nothing) => Nothing,
            (InfixOp::Difference, other, Nothing) => other,
            (InfixOp::Union, Set(a), Set(b)) => Set(self.terms.union(a, b)),
            (InfixOp::Union, Relation(a), Relation(b)) => Relation(self.terms.union(a, b)),
            (InfixOp::Intersection, Set(a), Set(b)) => Set(self.terms.intersection(a, b)),
            (InfixOp::Intersection, Relation(a), Relation(b)) => {
                Relation(self.terms.intersection(a, b))
            }
            (InfixOp::Difference, Set(a), Set(b)) => {
                Set(self.negation(Term::Difference(a, b), span))
            }
            (InfixOp::Difference, Relation(a), Relation(b)) => {
                Relation(self.negation(Term::Difference(a, b), span))
            }
            (InfixOp::Sequence, left, right) => {
                let a = self.relation_value(left, left_span)?;
                let b = self.relation_value(right, right_span)?;
                Relation(self.terms.sequence(a, b))
            }
            (InfixOp::Product, left @ (Set(_) | Nothing), right @ (Set(_) | Nothing)) => {
                let mut set = |value| match value {
                    Set(id) => id,
                    _ => self.terms.empty(Sort::Set),
                };
                let (a, b) = (set(left), set(right));
                Relation(self.terms.product(a, b))
            }
            (op, Collection(a), Collection(b)) if op != InfixOp::Product => {
                builtin::combine_collections(op, &a, &b)
            }
            (op, left, right) => {
                let (left, right) = (left.describe(), right.describe());
                let symbol = match op {
                    InfixOp::Union => "|",
                    InfixOp::Add => "++",
                    InfixOp::Sequence => ";",
                    InfixOp::Difference => "\\",
                    InfixOp::Intersection => "&",
                    InfixOp::Product => "*",
                };
                let message = format!("`{symbol}` does not combine {left} and {right}");
                return error(span, message);
            }
        })
    }

    fn add_element(&mut self, element: Value, set: Value, span: Span) -> Run<Value> {
        builtin::add_element(self, element, set, span)
    }

    /// Counts a call, and refuses recursion that goes too deep.
    pub(crate) fn call<T>(&mut self, span: Span, body: impl FnOnce(&mut Self) -> Run<T>) -> Run<T> {
        self.calls += 1;
        if self.depth == MAX_CALL_DEPTH || self.calls > MAX_CALLS {
            return error(span, "these calls do not seem to end");
        }
        self.depth += 1;
        let result = body(self);
        self.depth -= 1;
        result
    }

    pub(crate) fn apply(&mut self, function: Value, argument: Value, span: Span) -> Run<Value> {
        match function {
            Value::Closure(closure) => {
                let env = self.bind_pattern(&closure.parameter, argument, &closure.env, span)?;
                self.enter(&closure.more, &closure.body, env, span)
            }
            Value::Recursive(functions, index) => {
                let mut env = functions.env.clone();
                for (i, binding) in functions.bindings.iter().enumerate() {
                    if let Pattern::Name(name) = &binding.pattern {
                        env = env.with(&name.text, Value::Recursive(functions.clone(), i));
                    }
                }
                let binding = &functions.bindings[index];
                match (binding.parameters.split_first(), &binding.body.kind) {
                    (Some((first, more)), _) => {
                        let env = self.bind_pattern(first, argument, &env, span)?;
                        self.enter(more, &binding.body, env, span)
                    }
                    (None, ExprKind::Function(parameter, body)) => {
                        let env = self.bind_pattern(parameter, argument, &env, span)?;
                        self.enter(&[], body, env, span)
                    }
                    (None, _) => error(span, "this is not a function"),
                }
            }
            Value::Builtin(builtin) => builtin::apply(self, builtin, argument, span),
            Value::Mapper(function) => {
                let argument = Value::Tuple(vec![(*function).clone(), argument]);
                builtin::apply(self, Builtin::Map, argument, span)
            }
            other => error(span, format!("{} is not a function", other.describe())),
        }
    }

    /// Evaluates a function's body, or waits for the rest of its parameters.
    fn enter(&mut self, more: &[Pattern], body: &Arc<Expr>, env: Env, span: Span) -> Run<Value> {
        match more.split_first() {
            Some((first, more)) => Ok(Value::Closure(Rc::new(Closure {
                parameter: first.clone(),
                more: more.to_vec(),
                body: body.clone(),
                env,
            }))),
            None => self.call(span, |run| run.expr(body, &env)),
        }
    }

    pub(crate) fn condition(&mut self, condition: &Condition, env: &Env) -> Run<bool> {
        Ok(match condition {
            Condition::Variant(name) => self.variants.contains(&*name.text),
            Condition::Not(inner) => !self.condition(inner, env)?,
            Condition::And(parts) => {
                for part in parts {
                    if !self.condition(part, env)? {
                        return Ok(false);
                    }
                }
                true
            }
            Condition::Or(parts) => {
                for part in parts {
                    if self.condition(part, env)? {
                        return Ok(true);
                    }
                }
                false
            }
            Condition::Equal(left, right) => {
                let (a, b) = (self.expr(left, env)?, self.expr(right, env)?);
                if let Value::Tag(_) = a {
                    a.same(&b)
                } else {
                    let a = self.elements(a, left.span)?;
                    let b = self.elements(b, right.span)?;
                    Value::Collection(a.into()).same(&Value::Collection(b.into()))
                }
            }
        })
    }

    /// The first clause that matches, with the names it binds.
    pub(crate) fn matching<'c, T>(
        &mut self,
        value: Value,
        clauses: &'c [Clause<T>],
        env: &Env,
        span: Span,
    ) -> Run<(Env, &'c T)> {
        if let Value::Tag(tag) = &value {
            let matches = |clause: &&Clause<T>| match &clause.pattern {
                ClausePattern::Tag(name) => name.text == *tag,
                ClausePattern::Any => true,
                _ => false,
            };
            return match clauses.iter().find(matches) {
                Some(clause) => Ok((env.clone(), &clause.body)),
                None => error(span, format!("no clause matches `'{tag}`")),
            };
        }
        let mut elements = self.elements(value.clone(), span)?;
        for clause in clauses {
            match &clause.pattern {
                ClausePattern::Any => return Ok((env.clone(), &clause.body)),
                ClausePattern::Empty if elements.is_empty() => {
                    return Ok((env.clone(), &clause.body));
                }
                ClausePattern::Element(first, rest) if !elements.is_empty() => {
                    let element = elements.remove(0);
                    // What is left is a set of the same kind as the whole.
                    let mut others = match value {
                        Value::Set(_) => Value::Set(self.terms.empty(Sort::Set)),
                        Value::Relation(_) => Value::Relation(self.terms.empty(Sort::Relation)),
                        _ => Value::Nothing,
                    };
                    for other in elements.into_iter().rev() {
                        others = self.add_element(other, others, span)?;
                    }
                    let env = self.bind_pattern(first, element, env, span)?;
                    return Ok((self.bind_pattern(rest, others, &env, span)?, &clause.body));
                }
                _ => {}
            }
        }
        error(span, "no clause matches this set")
    }

    /// The members of a set, relation or collection.
    pub(crate) fn elements(&mut self, value: Value, span: Span) -> Run<Vec<Value>> {
        match value {
            Value::Nothing => Ok(Vec::new()),
            Value::Collection(elements) => Ok(elements.to_vec()),
            Value::Set(id) | Value::Relation(id) => Ok(match self.known(id, span)? {
                Shown::Set(set) => set.iter().map(Value::Event).collect(),
                Shown::Relation(r) => r.iter().map(|(a, b)| Value::Pair(a, b)).collect(),
            }),
            other => error(span, format!("expected a set, found {}", other.describe())),
        }
    }

    /// The bits of a term on the execution at hand.
    pub(crate) fn known(&mut self, id: TermId, span: Span) -> Run<Shown> {
        match &self.terms.node(id).term {
            Term::Events(set) => return Ok(Shown::Set(set.clone())),
            Term::Pairs(r) => return Ok(Shown::Relation(r.clone())),
            _ => {}
        }
        let Some(skeleton) = self.skeleton else { return Err(Stop::NeedsExecution) };
        let node = self.terms.node(id);
        if !node.dependence.is_static() || !node.open.is_empty() {
            let diagnostic = Diagnostic::error(span, "the members of this set are not known here")
                .label("depends on the choice of rf or co, or on a recursive definition")
                .note("a set can be split only if it follows from the program alone");
            return Err(Stop::Error(Box::new(diagnostic)));
        }
        let compiled = Compiled::new(self.terms.clone(), Vec::new());
        let evaluator = Evaluator::new(compiled.into(), skeleton, self.limits);
        evaluator.and_then(|mut evaluator| evaluator.static_value(id)).ok_or(Stop::GaveUp)
    }

    pub(crate) fn skeleton(&self) -> Run<&Execution> {
        self.skeleton.ok_or(Stop::NeedsExecution)
    }
}
