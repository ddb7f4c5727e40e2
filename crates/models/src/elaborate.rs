//! Runs the functional part of a cat program, which leaves relational algebra.
//!
//! Functions are applied, names resolved, conditions decided and procedures called; what remains
//! is, for each way of choosing in `with x from S`, a list of checks on [`Terms`]. Nearly
//! every model can be run once, before any execution is known. Constructs that enumerate the
//! members of a set (`match S with e ++ S`, `forall`, `linearisations`) need the events of an
//! execution: the first of them ends the run with [`Stop::NeedsExecution`], and the model is run
//! again for each skeleton.

use crate::algebra::{Sort, Term, TermId, Terms};
use crate::ast::{
    Binding, Bindings, Check, ExprKind, Instruction, InstructionKind, Name, Pattern, Role, Test,
};
use crate::builtin;
use crate::model::{Axiom, Compiled, World};
use crate::monotone;
use crate::value::{Closure, Env, Procedure, RecursiveFunctions, Value};
use execution::diagnostic::Diagnostic;
use execution::event::Execution;
use execution::span::{SourceMap, Span};
use limits::Limits;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

/// Why a run ended early.
#[derive(Debug)]
pub(crate) enum Stop {
    /// The model is wrong.
    Error(Box<Diagnostic>),
    /// A name does not exist, which `try` forgives.
    Unknown(Box<Diagnostic>),
    /// The events of an execution are needed.
    NeedsExecution,
    /// A limit was reached.
    GaveUp,
}

pub(crate) type Run<T> = Result<T, Stop>;

pub(crate) fn error<T>(span: Span, message: impl Into<String>) -> Run<T> {
    Err(Stop::Error(Box::new(Diagnostic::error(span, message))))
}

/// How many choices `with` may leave open.
const MAX_WORLDS: usize = 20_000;

/// Runs `program`.
pub(crate) fn elaborate(
    program: &[Instruction],
    variants: &HashSet<String>,
    sources: &SourceMap,
    skeleton: Option<&Execution>,
    limits: &Limits,
) -> Run<Compiled> {
    let mut run = Elaborator {
        terms: Terms::default(),
        variants,
        sources,
        skeleton,
        limits,
        tags: HashSet::new(),
        negations: HashMap::new(),
        depth: 0,
        calls: 0,
    };
    let states = run.instructions(program, vec![State::default()])?;
    let mut worlds: Vec<World> = Vec::with_capacity(states.len());
    for state in states {
        run.poll()?;
        worlds.push(state.finish(&run.terms));
    }
    Ok(Compiled::new(run.terms, worlds))
}

/// One way of choosing, so far.
#[derive(Clone, Debug, Default)]
struct State {
    env: Env,
    axioms: Vec<Axiom>,
    shows: Vec<(Arc<str>, TermId)>,
}

impl State {
    fn finish(self, terms: &Terms) -> World {
        let schedule = |id: TermId| -> Arc<[TermId]> {
            let mut schedule = terms.reachable(&[id]);
            schedule.retain(|&id| terms.node(id).is_chosen());
            schedule.into()
        };
        let (axioms, flags) = self
            .axioms
            .into_iter()
            .map(|axiom| Axiom { schedule: schedule(axiom.term), ..axiom })
            .partition(|axiom: &Axiom| axiom.role == Role::Axiom);
        let shows = self.shows.into_iter().map(|(name, id)| (name, id, schedule(id))).collect();
        World { axioms, flags, shows }
    }
}

pub(crate) struct Elaborator<'a> {
    pub(crate) terms: Terms,
    pub(crate) variants: &'a HashSet<String>,
    sources: &'a SourceMap,
    pub(crate) skeleton: Option<&'a Execution>,
    pub(crate) limits: &'a Limits,
    /// Tags declared by `enum`.
    pub(crate) tags: HashSet<Arc<str>>,
    /// Where each complement and difference was first written.
    pub(crate) negations: HashMap<TermId, Span>,
    pub(crate) depth: usize,
    pub(crate) calls: usize,
}

// Instructions.
impl Elaborator<'_> {
    fn instructions(&mut self, list: &[Instruction], states: Vec<State>) -> Run<Vec<State>> {
        list.iter().try_fold(states, |states, instruction| {
            let mut after = Vec::with_capacity(states.len());
            for state in states {
                self.poll()?;
                self.instruction(instruction, state, &mut after)?;
                // Each state may choose among many, so this is not left to the last of them.
                if after.len() > MAX_WORLDS {
                    return error(instruction.span, "there are too many choices");
                }
            }
            Ok(after)
        })
    }

    /// Ends the run if a limit is reached.
    pub(crate) fn poll(&self) -> Run<()> {
        if self.limits.expired() { Err(Stop::GaveUp) } else { Ok(()) }
    }

    /// Runs one instruction and adds the states it leads to.
    fn instruction(
        &mut self,
        instruction: &Instruction,
        mut state: State,
        after: &mut Vec<State>,
    ) -> Run<()> {
        let span = instruction.span;
        match &instruction.kind {
            InstructionKind::Let(bindings) => state.env = self.bind(bindings, &state.env)?,
            InstructionKind::Check(check) => {
                let axiom = self.check(check, &state.env, span)?;
                state.axioms.push(axiom);
            }
            InstructionKind::Show(shown) => {
                for (expr, name) in shown {
                    let value = match self.expr(expr, &state.env) {
                        Err(Stop::Unknown(_)) => continue,
                        value => value?,
                    };
                    match value {
                        Value::Set(id) | Value::Relation(id) => {
                            state.shows.retain(|(shown, _)| *shown != name.text);
                            state.shows.push((name.text.clone(), id));
                        }
                        Value::Nothing => {}
                        other => {
                            let message = format!("{} cannot be shown", other.describe());
                            return error(expr.span, message);
                        }
                    }
                }
            }
            InstructionKind::Unshow(names) => {
                state.shows.retain(|(shown, _)| !names.iter().any(|name| name.text == *shown));
            }
            InstructionKind::Include(_, list) => {
                after.extend(self.instructions(list, vec![state])?);
                return Ok(());
            }
            InstructionKind::Procedure(name, parameter, body) => {
                let env = state.env.clone();
                let procedure = Procedure { parameter: parameter.clone(), body: body.clone(), env };
                state.env = state.env.with(&name.text, Value::Procedure(procedure.into()));
            }
            InstructionKind::Call(name, argument, _) => {
                let Some(Value::Procedure(procedure)) = state.env.get(&name.text).cloned() else {
                    return error(name.span, format!("there is no procedure `{}`", name.text));
                };
                let argument = self.expr(argument, &state.env)?;
                let outer = state.env.clone();
                // A name that meant nothing before is the procedure itself (`procedure rec`).
                let inner = match procedure.env.get(&name.text) {
                    Some(_) => procedure.env.clone(),
                    None => procedure.env.with(&name.text, Value::Procedure(procedure.clone())),
                };
                state.env = self.bind_pattern(&procedure.parameter, argument, &inner, span)?;
                self.call(span, |run| {
                    after.extend(run.scoped(&procedure.body, state, &outer)?);
                    Ok(())
                })?;
                return Ok(());
            }
            InstructionKind::Enum(name, tags) => {
                self.tags.extend(tags.iter().map(|tag| tag.text.clone()));
                let tags = tags.iter().map(|tag| Value::Tag(tag.text.clone())).collect();
                state.env = state.env.with(&name.text, Value::Collection(Rc::new(tags)));
            }
            InstructionKind::Annotations(_, allowed) => {
                for expr in allowed {
                    let value = self.expr(expr, &state.env)?;
                    if !matches!(value, Value::Collection(_) | Value::Nothing) {
                        return error(expr.span, "expected a set of tags");
                    }
                }
            }
            InstructionKind::ForAll(name, set, body) => {
                let set_value = self.expr(set, &state.env)?;
                let outer = state.env.clone();
                let mut states = vec![state];
                for element in self.elements(set_value, set.span)? {
                    let mut next = Vec::new();
                    for mut state in states {
                        state.env = outer.with(&name.text, element.clone());
                        next.extend(self.scoped(body, state, &outer)?);
                    }
                    states = next;
                }
                after.extend(states);
                return Ok(());
            }
            InstructionKind::With(name, set) => {
                let value = self.expr(set, &state.env)?;
                for element in self.elements(value, set.span)? {
                    let mut chosen = state.clone();
                    chosen.env = state.env.with(&name.text, element);
                    after.push(chosen);
                }
                return Ok(());
            }
            InstructionKind::Match(scrutinee, clauses) => {
                let value = self.expr(scrutinee, &state.env)?;
                let outer = state.env.clone();
                let (env, body) = self.matching(value, clauses, &outer, scrutinee.span)?;
                state.env = env;
                after.extend(self.scoped(body, state, &outer)?);
                return Ok(());
            }
            InstructionKind::If(condition, yes, no) => {
                let list = if self.condition(condition, &state.env)? { yes } else { no };
                after.extend(self.instructions(list, vec![state])?);
                return Ok(());
            }
        }
        after.push(state);
        Ok(())
    }

    /// Runs a body whose names are not seen outside it.
    fn scoped(&mut self, body: &[Instruction], state: State, outer: &Env) -> Run<Vec<State>> {
        let mut states = self.instructions(body, vec![state])?;
        for state in &mut states {
            state.env = outer.clone();
        }
        Ok(states)
    }

    fn check(&mut self, check: &Check, env: &Env, span: Span) -> Run<Axiom> {
        let value = self.expr(&check.expr, env)?;
        let mut test = check.test;
        let mut term = match (test, value) {
            (_, Value::Relation(id)) | (Test::Empty, Value::Set(id)) => id,
            (_, Value::Nothing) => self.terms.empty(Sort::Relation),
            (_, other) => {
                return error(check.expr.span, format!("{} cannot be tested", other.describe()));
            }
        };
        // Searching a cycle is cheaper than closing the relation.
        if let (Test::Acyclic | Test::Irreflexive, &Term::Plus(inner)) =
            (test, &self.terms.node(term).term)
        {
            (test, term) = (Test::Acyclic, inner);
        }
        let name = match &check.name {
            Some(name) => name.text.clone(),
            None => self.sources.text(span).split_whitespace().collect::<Vec<_>>().join(" ").into(),
        };
        Ok(Axiom {
            name,
            role: check.role,
            negated: check.negated,
            test,
            term,
            span,
            dependence: self.terms.node(term).dependence,
            monotone: !check.negated && monotone::grows_with_choices(&self.terms, term),
            schedule: Arc::new([]),
        })
    }
}

// Definitions.
impl Elaborator<'_> {
    pub(crate) fn bind(&mut self, bindings: &Bindings, env: &Env) -> Run<Env> {
        if bindings.recursive {
            return self.bind_recursive(&bindings.list, env);
        }
        bindings.list.iter().try_fold(env.clone(), |extended, binding| {
            let value = match binding.parameters.split_first() {
                Some((first, more)) => Value::Closure(Rc::new(Closure {
                    parameter: first.clone(),
                    more: more.to_vec(),
                    body: binding.body.clone(),
                    env: env.clone(),
                })),
                None => self.expr(&binding.body, env)?,
            };
            self.bind_pattern(&binding.pattern, value, &extended, binding.span)
        })
    }

    pub(crate) fn bind_pattern(
        &self,
        pattern: &Pattern,
        value: Value,
        env: &Env,
        span: Span,
    ) -> Run<Env> {
        match (pattern, value) {
            (Pattern::Ignore, _) => Ok(env.clone()),
            (Pattern::Name(name), value) => Ok(env.with(&name.text, value)),
            (Pattern::Tuple(parts), Value::Tuple(values)) if parts.len() == values.len() => {
                parts.iter().zip(values).try_fold(env.clone(), |env, (part, value)| {
                    self.bind_pattern(part, value, &env, span)
                })
            }
            (Pattern::Tuple(parts), Value::Pair(a, b)) if parts.len() == 2 => {
                let env = self.bind_pattern(&parts[0], Value::Event(a), env, span)?;
                self.bind_pattern(&parts[1], Value::Event(b), &env, span)
            }
            (Pattern::Tuple(parts), other) => {
                let message =
                    format!("expected {} values here, found {}", parts.len(), other.describe());
                error(span, message)
            }
        }
    }

    fn bind_recursive(&mut self, list: &[Binding], env: &Env) -> Run<Env> {
        let is_function = |binding: &Binding| {
            !binding.parameters.is_empty() || matches!(binding.body.kind, ExprKind::Function(..))
        };
        let mut names = Vec::new();
        for binding in list {
            let Pattern::Name(name) = &binding.pattern else {
                return error(binding.span, "a recursive definition must define a name");
            };
            names.push(name);
        }
        if list.iter().all(is_function) {
            let functions =
                Rc::new(RecursiveFunctions { bindings: list.to_vec(), env: env.clone() });
            let define = |env: Env, (i, name): (usize, &&Name)| {
                env.with(&name.text, Value::Recursive(functions.clone(), i))
            };
            return Ok(names.iter().enumerate().fold(env.clone(), define));
        }
        if let Some(function) = list.iter().find(|binding| is_function(binding)) {
            let message = "functions and relations cannot be defined by one `let rec`";
            return error(function.span, message);
        }
        let sorts = builtin::recursive_sorts(list, env, self);
        let (group, variables) = self.terms.open_group(sorts.clone());
        let value = |sort: Sort, id: TermId| match sort {
            Sort::Set => Value::Set(id),
            Sort::Relation => Value::Relation(id),
        };
        let mut inside = env.clone();
        for ((name, &sort), &variable) in names.iter().zip(&sorts).zip(&variables) {
            inside = inside.with(&name.text, value(sort, variable));
        }
        let mut bodies = Vec::new();
        for (binding, &sort) in list.iter().zip(&sorts) {
            let body = match (self.expr(&binding.body, &inside)?, sort) {
                (Value::Set(id), Sort::Set) | (Value::Relation(id), Sort::Relation) => id,
                (Value::Nothing, sort) => self.terms.empty(sort),
                (other, sort) => {
                    let wanted = match sort {
                        Sort::Set => "a set of events",
                        Sort::Relation => "a relation",
                    };
                    let found = other.describe();
                    return error(binding.span, format!("this is used as {wanted} but is {found}"));
                }
            };
            bodies.push(body);
        }
        let fixpoints = match self.as_closure(&bodies, &variables) {
            Some(plus) => vec![plus],
            None => {
                match monotone::inflationary(&self.terms, group, &bodies) {
                    Ok(growing) => self.terms.set_inflationary(group, growing),
                    Err(found) => return self.not_monotone(&list[found.definition], found.at),
                }
                self.terms.close_group(group, bodies)
            }
        };
        let mut outside = env.clone();
        for ((name, &sort), &fixpoint) in names.iter().zip(&sorts).zip(&fixpoints) {
            outside = outside.with(&name.text, value(sort, fixpoint));
        }
        Ok(outside)
    }

    /// `let rec r = a | b | r;r`, which models use a lot, is `(a | b)+`.
    fn as_closure(&mut self, bodies: &[TermId], variables: &[TermId]) -> Option<TermId> {
        let (&[body], &[variable]) = (bodies, variables) else { return None };
        let square = Term::Sequence(variable, variable);
        let (squares, rest): (Vec<_>, Vec<_>) = self
            .terms
            .union_operands(body)
            .into_iter()
            .partition(|&id| self.terms.node(id).term == square);
        let Term::Variable(group, _) = self.terms.node(variable).term else { return None };
        let closed = |id: &TermId| !self.terms.node(*id).open.contains(&group);
        if squares.is_empty() || !rest.iter().all(closed) {
            return None;
        }
        let empty = self.terms.empty(Sort::Relation);
        let union = rest.into_iter().fold(empty, |sum, id| self.terms.union(sum, id));
        Some(self.terms.plus(union))
    }

    fn not_monotone<T>(&self, binding: &Binding, at: TermId) -> Run<T> {
        let span = self.negations.get(&at).copied().unwrap_or(binding.span);
        let diagnostic = Diagnostic::error(span, "this recursive definition is not monotone")
            .label("the definition depends on itself through this")
            .also(binding.span, "in this definition")
            .note("a recursive definition may not remove what it has itself added");
        Err(Stop::Error(Box::new(diagnostic)))
    }
}
