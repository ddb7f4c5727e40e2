//! What cat text cannot define: derived words, primitive functions, and sets of sets.

use crate::algebra::{Sort, Term, TermId, Terms};
use crate::ast::{Binding, Expr, ExprKind, InfixOp, Pattern, UnaryOp};
use crate::elaborate::{Elaborator, Run, error};
use crate::evaluate::Shown;
use crate::value::{Builtin, Env, Value};
use crate::vocabulary::{self, Provider};
use execution::event::EventId;
use execution::relation::{EventSet, Relation};
use execution::span::Span;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

/// How many orders or combinations a primitive may produce.
const MAX_COLLECTION: usize = 20_000;

/// The value of a word of the vocabulary.
pub(crate) fn word(terms: &mut Terms, name: &str) -> Option<Value> {
    let word = vocabulary::lookup(name)?;
    let id = match word.provider {
        Provider::Derived => derived(terms, name),
        Provider::System => terms.empty(word.sort),
        _ => terms.add(Term::Base(name.into(), word.sort)),
    };
    Some(match word.sort {
        Sort::Set => Value::Set(id),
        Sort::Relation => Value::Relation(id),
    })
}

/// A derived word in terms of the base.
fn derived(terms: &mut Terms, name: &str) -> TermId {
    let base_set = |terms: &mut Terms, name: &str| terms.add(Term::Base(name.into(), Sort::Set));
    let base = |terms: &mut Terms, name: &str| terms.add(Term::Base(name.into(), Sort::Relation));
    // `rfe` is `rf & ext` and so on.
    let part = |terms: &mut Terms, whole: &str, side: &str| {
        let whole = if whole == "fr" { derived(terms, "fr") } else { base(terms, whole) };
        let side = derived(terms, side);
        terms.intersection(whole, side)
    };
    match name {
        "_" | "Exp" => terms.add(Term::Universe),
        "M" => {
            let (r, w) = (base_set(terms, "R"), base_set(terms, "W"));
            terms.union(r, w)
        }
        "I" => base_set(terms, "IW"),
        "FW" => {
            let (w, co) = (base_set(terms, "W"), base(terms, "co"));
            let overwritten = terms.domain(co);
            terms.difference(w, overwritten)
        }
        "id" => terms.add(Term::Identity),
        "sm" => {
            let parts = base(terms, "same-access");
            terms.optional(parts)
        }
        "loc" | "same-loc" => base(terms, "loc"),
        "int" => base(terms, "int"),
        "ext" => {
            let int = base(terms, "int");
            terms.add(Term::Complement(int))
        }
        "same-instr" | "same-instance" | "si" => base(terms, "same-instr"),
        "lxsx" => {
            let (rmw, amo) = (base(terms, "rmw"), base(terms, "amo"));
            terms.difference(rmw, amo)
        }
        "fr" => {
            let (rf, co) = (base(terms, "rf"), base(terms, "co"));
            let back = terms.inverse(rf);
            terms.sequence(back, co)
        }
        "rfi" => part(terms, "rf", "int"),
        "rfe" => part(terms, "rf", "ext"),
        "coi" => part(terms, "co", "int"),
        "coe" => part(terms, "co", "ext"),
        "fri" => part(terms, "fr", "int"),
        "fre" => part(terms, "fr", "ext"),
        "po-loc" => part(terms, "po", "loc"),
        "co0" => {
            let (iw, w) = (base_set(terms, "IW"), base_set(terms, "W"));
            let later = terms.difference(w, iw);
            let pairs = terms.product(iw, later);
            let loc = base(terms, "loc");
            terms.intersection(loc, pairs)
        }
        _ => terms.empty(vocabulary::lookup(name).map_or(Sort::Set, |word| word.sort)),
    }
}

/// The set of events that carry an annotation: `'rcu-lock` is `Rcu-lock`.
pub(crate) fn annotation_set(tag: &str) -> String {
    let mut name = tag.to_string();
    if let Some(first) = name.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    name
}

/// Applies a primitive function.
pub(crate) fn apply(
    run: &mut Elaborator<'_>,
    function: Builtin,
    argument: Value,
    span: Span,
) -> Run<Value> {
    match function {
        Builtin::Domain | Builtin::Range => {
            let r = run.relation_value(argument, span)?;
            Ok(Value::Set(if function == Builtin::Domain {
                run.terms.domain(r)
            } else {
                run.terms.range(r)
            }))
        }
        Builtin::DifferentValues => {
            let r = run.relation_value(argument, span)?;
            Ok(Value::Relation(run.terms.add(Term::DifferentValues(r))))
        }
        Builtin::ClassesLoc => classes_loc(run, argument, span),
        Builtin::Linearisations => linearisations(run, argument, span),
        Builtin::Cross => cross(run, argument, span),
        Builtin::Map => match argument {
            // `map f S` and `map f` both occur; the second waits for its set.
            Value::Tuple(mut parts) if parts.len() == 2 => {
                let (set, function) = (parts.remove(1), parts.remove(0));
                let mut result = Value::Nothing;
                for element in run.elements(set, span)?.into_iter().rev() {
                    let image = run.apply(function.clone(), element, span)?;
                    result = add_element(run, image, result, span)?;
                }
                Ok(result)
            }
            function => Ok(Value::Mapper(Rc::new(function))),
        },
        Builtin::TagToEvents => match argument {
            Value::Tag(tag) => {
                let name = annotation_set(&tag);
                let set = vocabulary::annotated(&name);
                Ok(Value::Set(run.terms.add(Term::Base(set.into(), Sort::Set))))
            }
            other => error(span, format!("expected a tag, found {}", other.describe())),
        },
        Builtin::NoRelation => Ok(Value::Relation(run.terms.empty(Sort::Relation))),
        Builtin::NoSet => Ok(Value::Set(run.terms.empty(Sort::Set))),
    }
}

fn set_of(run: &mut Elaborator<'_>, value: Value, span: Span) -> Run<Vec<EventId>> {
    let elements = run.elements(value, span)?;
    let mut events = Vec::new();
    for element in elements {
        let Value::Event(event) = element else {
            return error(span, "expected a set of events");
        };
        events.push(event);
    }
    Ok(events)
}

fn classes_loc(run: &mut Elaborator<'_>, argument: Value, span: Span) -> Run<Value> {
    let events = set_of(run, argument, span)?;
    let skeleton = run.skeleton()?;
    let mut classes: Vec<(Option<Arc<str>>, EventSet)> = Vec::new();
    for event in events {
        let location = skeleton.events[event].location.clone();
        let known = location.is_some();
        match classes.iter_mut().find(|(l, _)| known && *l == location) {
            Some((_, class)) => class.insert(event),
            None => {
                let mut class = EventSet::empty(skeleton.events.len());
                class.insert(event);
                classes.push((location, class));
            }
        }
    }
    let sets = classes.into_iter().map(|(_, set)| Value::Set(run.terms.add(Term::Events(set))));
    Ok(Value::Collection(Rc::new(sets.collect())))
}

fn linearisations(run: &mut Elaborator<'_>, argument: Value, span: Span) -> Run<Value> {
    let Value::Tuple(mut parts) = argument else {
        return error(span, "`linearisations` takes a set and a relation");
    };
    let (Some(order), Some(set), true) = (parts.pop(), parts.pop(), parts.is_empty()) else {
        return error(span, "`linearisations` takes a set and a relation");
    };
    let events = set_of(run, set, span)?;
    let order = run.relation_value(order, span)?;
    let Shown::Relation(order) = run.known(order, span)? else {
        return error(span, "expected a relation");
    };
    let order = order.transitive_closure();
    let mut found = Vec::new();
    let mut chosen = Vec::new();
    extend_orders(run, &order, &events, &mut chosen, &mut found)?;
    if found.len() > MAX_COLLECTION {
        return error(span, "there are too many orders");
    }
    let relation = |sequence: &Vec<EventId>| {
        let mut r = Relation::empty(order.size());
        for (i, &a) in sequence.iter().enumerate() {
            sequence[i + 1..].iter().for_each(|&b| r.insert(a, b));
        }
        r
    };
    let relations: Vec<Relation> = found.iter().map(relation).collect();
    let values = relations.into_iter().map(|r| Value::Relation(run.terms.add(Term::Pairs(r))));
    Ok(Value::Collection(Rc::new(values.collect())))
}

/// Adds to `found` every order of `events` that starts with `chosen` and respects `order`, but
/// stops soon after there are too many.
fn extend_orders(
    run: &Elaborator<'_>,
    order: &Relation,
    events: &[EventId],
    chosen: &mut Vec<EventId>,
    found: &mut Vec<Vec<EventId>>,
) -> Run<()> {
    if found.len() > MAX_COLLECTION {
        return Ok(());
    }
    if chosen.len() == events.len() {
        run.poll()?;
        found.push(chosen.clone());
        return Ok(());
    }
    for &next in events {
        let waits = |&other: &EventId| !chosen.contains(&other) && order.contains(other, next);
        if !chosen.contains(&next) && !events.iter().any(waits) {
            chosen.push(next);
            extend_orders(run, order, events, chosen, found)?;
            chosen.pop();
        }
    }
    Ok(())
}

fn cross(run: &mut Elaborator<'_>, argument: Value, span: Span) -> Run<Value> {
    let mut unions = vec![run.terms.empty(Sort::Relation)];
    for member in run.elements(argument, span)? {
        let mut next = Vec::new();
        for alternative in run.elements(member, span)? {
            let r = match alternative {
                Value::Pair(a, b) => pair(run, a, b)?,
                other => run.relation_value(other, span)?,
            };
            for &union in &unions {
                next.push(run.terms.union(union, r));
            }
        }
        if next.len() > MAX_COLLECTION {
            return error(span, "there are too many combinations");
        }
        unions = next;
    }
    Ok(Value::Collection(Rc::new(unions.into_iter().map(Value::Relation).collect())))
}

fn pair(run: &mut Elaborator<'_>, a: EventId, b: EventId) -> Run<TermId> {
    let mut r = Relation::empty(run.skeleton()?.events.len());
    r.insert(a, b);
    Ok(run.terms.add(Term::Pairs(r)))
}

/// `element ++ set`
pub(crate) fn add_element(
    run: &mut Elaborator<'_>,
    element: Value,
    set: Value,
    span: Span,
) -> Run<Value> {
    match (element, set) {
        (Value::Event(event), set @ (Value::Set(_) | Value::Nothing)) => {
            let mut one = EventSet::empty(run.skeleton()?.events.len());
            one.insert(event);
            if let Value::Set(rest) = set
                && let Term::Events(known) = &run.terms.node(rest).term
            {
                one = one.union(known);
                return Ok(Value::Set(run.terms.add(Term::Events(one))));
            }
            let one = run.terms.add(Term::Events(one));
            Ok(Value::Set(match set {
                Value::Set(rest) => run.terms.union(one, rest),
                _ => one,
            }))
        }
        (Value::Pair(a, b), set @ (Value::Relation(_) | Value::Nothing)) => {
            let one = pair(run, a, b)?;
            Ok(Value::Relation(match set {
                Value::Relation(rest) => run.terms.union(one, rest),
                _ => one,
            }))
        }
        (Value::Tuple(parts), set @ (Value::Relation(_) | Value::Nothing)) if parts.len() == 2 => {
            match (&parts[0], &parts[1]) {
                (&Value::Event(a), &Value::Event(b)) => {
                    add_element(run, Value::Pair(a, b), set, span)
                }
                _ => error(span, "expected a pair of events"),
            }
        }
        (element, Value::Nothing) => Ok(Value::Collection(Rc::new(vec![element]))),
        (element, Value::Collection(rest)) => {
            if rest.iter().any(|other| other.same(&element)) {
                return Ok(Value::Collection(rest));
            }
            let mut elements = vec![element];
            elements.extend(rest.iter().cloned());
            Ok(Value::Collection(Rc::new(elements)))
        }
        (element, set) => {
            let (element, set) = (element.describe(), set.describe());
            error(span, format!("{element} cannot be a member of {set}"))
        }
    }
}

/// `|`, `&` and `\` on sets of sets or tags.
pub(crate) fn combine_collections(op: InfixOp, a: &[Value], b: &[Value]) -> Value {
    let has = |set: &[Value], value: &Value| set.iter().any(|other| other.same(value));
    let mut result: Vec<Value> = a
        .iter()
        .filter(|value| match op {
            InfixOp::Intersection => has(b, value),
            InfixOp::Difference => !has(b, value),
            _ => true,
        })
        .cloned()
        .collect();
    if op == InfixOp::Union {
        result.extend(b.iter().filter(|value| !has(a, value)).cloned());
    }
    if result.is_empty() { Value::Nothing } else { Value::Collection(Rc::new(result)) }
}

/// The sorts of mutually recursive sets and relations, from how they are built; where that
/// leaves it open, a relation.
pub(crate) fn recursive_sorts(list: &[Binding], env: &Env, run: &mut Elaborator<'_>) -> Vec<Sort> {
    let mut known: HashMap<Arc<str>, Sort> = HashMap::new();
    for _ in 0..=list.len() {
        for binding in list {
            if let Pattern::Name(name) = &binding.pattern
                && let Some(sort) = sort_of(&binding.body, list, &known, env, run)
            {
                known.insert(name.text.clone(), sort);
            }
        }
    }
    let sort = |binding: &Binding| match &binding.pattern {
        Pattern::Name(name) => known.get(&name.text).copied().unwrap_or(Sort::Relation),
        _ => Sort::Relation,
    };
    list.iter().map(sort).collect()
}

fn sort_of(
    expr: &Expr,
    list: &[Binding],
    known: &HashMap<Arc<str>, Sort>,
    env: &Env,
    run: &mut Elaborator<'_>,
) -> Option<Sort> {
    match &expr.kind {
        ExprKind::Zero | ExprKind::Identity(_) => Some(Sort::Relation),
        ExprKind::Universe => Some(Sort::Set),
        ExprKind::Unary(UnaryOp::Complement, inner) => sort_of(inner, list, known, env, run),
        ExprKind::Unary(..) | ExprKind::Infix(InfixOp::Sequence | InfixOp::Product, _) => {
            Some(Sort::Relation)
        }
        ExprKind::Infix(_, operands) => {
            operands.iter().find_map(|operand| sort_of(operand, list, known, env, run))
        }
        ExprKind::Name(name) => {
            let recursive = |binding: &Binding| matches!(&binding.pattern, Pattern::Name(bound) if bound.text == *name);
            if list.iter().any(recursive) {
                return known.get(name).copied();
            }
            let value = match env.get(name) {
                Some(value) => value.clone(),
                None => word(&mut run.terms, name)?,
            };
            match value {
                Value::Set(_) => Some(Sort::Set),
                Value::Relation(_) => Some(Sort::Relation),
                _ => None,
            }
        }
        ExprKind::Apply(function, _) => match &function.kind {
            ExprKind::Name(name) if matches!(&**name, "domain" | "range") => Some(Sort::Set),
            _ => None,
        },
        ExprKind::Let(_, body) => sort_of(body, list, known, env, run),
        ExprKind::If(_, yes, no) => {
            sort_of(yes, list, known, env, run).or_else(|| sort_of(no, list, known, env, run))
        }
        ExprKind::Try(wanted, otherwise) => sort_of(wanted, list, known, env, run)
            .or_else(|| sort_of(otherwise, list, known, env, run)),
        _ => None,
    }
}
