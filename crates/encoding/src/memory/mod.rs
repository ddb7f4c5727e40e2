//! The memory model over the graph of events, from its cat text, as clauses.
//!
//! [`bounds`] says what is known of every relation, [`prune`] what the axioms rule out at once,
//! [`need`] which literals the checks ask for; [`relate`] makes them, [`acyclic`] and [`check`]
//! state the axioms. `co` is chosen here ([`coherence`]); everything else that is chosen comes with
//! the graph. No model is known by name.
//!
//! Solutions are executions that [`models::check_execution`] allows, and every such execution has a
//! solution; the tests compare the two.

mod acyclic;
mod base;
mod bounds;
mod check;
mod coherence;
mod local;
mod matrix;
mod path;
mod plan;
mod polarity;
mod prune;
mod relate;
mod rewrite;
mod strict;
mod support;
mod way;

use crate::graph::{Edges, Graph};
use base::Base;
use bounds::Bounds;
use check::Check;
use coherence::Coherence;
use execution::event::EventId;
use execution::span::Span;
use models::algebra::{Sort, Term, TermId, Terms};
use models::ast::Role;
use models::{Compiled, Model, World};
use plan::Plan;
use polarity::Needs;
use prune::Forbidden;
use relate::Relate;
use rewrite::{Rewritten, rewrite};
use sat::order::Strategy;
use sat::{Formula, Limits, Lit};
use std::sync::Arc;

/// A model that cannot be encoded, and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unsupported {
    /// The construct.
    pub construct: String,
    /// The check that needs it, and where it stands in the model's text.
    pub check: Option<(Arc<str>, Span)>,
}

impl Unsupported {
    fn new(construct: &str) -> Self {
        Self { construct: construct.to_string(), check: None }
    }
}

pub(crate) type Result<T> = std::result::Result<T, Unsupported>;

/// An error if it is time to give up.
fn in_time(limits: &Limits) -> Result<()> {
    match limits.expired() {
        true => Err(Unsupported::new("a program that is not encoded when a limit is reached")),
        false => Ok(()),
    }
}

/// What may be turned off to measure what it brings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Choices {
    /// How acyclicity is demanded; if not given, as suits the size of each graph.
    pub strategy: Option<Strategy>,
    /// Whether pairs that the axioms rule out are looked for beforehand.
    pub prune: bool,
    /// Whether clauses are added that follow from the others but let the solver see sooner what
    /// a choice of `rf` means for `co`.
    pub redundant: bool,
}

impl Default for Choices {
    fn default() -> Self {
        Self { strategy: None, prune: true, redundant: true }
    }
}

impl From<Option<Strategy>> for Choices {
    fn from(strategy: Option<Strategy>) -> Self {
        Self { strategy, ..Self::default() }
    }
}

impl From<Strategy> for Choices {
    fn from(strategy: Strategy) -> Self {
        Some(strategy).into()
    }
}

/// What the model adds to the graph.
#[derive(Clone, Debug)]
pub struct Memory {
    /// The order of the writes to each location, given that both are executed.
    pub co: Edges,
    /// The flags that the model may raise.
    pub flags: Vec<Flag>,
    /// The model's orders of memory: a further order is in line with one if its literal is true.
    pub orders: Vec<Lit>,
    /// How large the encoding is.
    pub sizes: Sizes,
}

/// A remark that the model may make about an execution.
#[derive(Clone, Debug)]
pub struct Flag {
    /// Its name.
    pub name: Arc<str>,
    /// What it means.
    pub role: Role,
    /// If true, the flag is raised. (It may be false although the flag is raised: assume it to
    /// ask for executions that raise it.)
    pub lit: Lit,
    /// The pairs that can raise it (an event of a set with itself), each with a literal that, if
    /// true together with `lit`, says that this one does. Empty if it is raised by the absence
    /// of something.
    pub pairs: Vec<((EventId, EventId), Lit)>,
}

/// Sizes of what was encoded.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Sizes {
    /// Pairs that may be in `rf`, after pruning.
    pub rf: usize,
    /// Pairs that may be in `co`, after pruning.
    pub co: usize,
    /// Pairs that pruning took from `rf` and `co`.
    pub pruned: usize,
    /// Variables made.
    pub variables: u64,
    /// Clauses added.
    pub clauses: u64,
}

/// The algebra of a model, if it is the same for all executions.
pub fn compiled(model: &Model) -> Result<&Compiled> {
    model.compiled().ok_or_else(|| {
        Unsupported::new(
            "a definition that takes sets of events apart (`match`, `forall`, `linearisations`, \
             `with … from`), which differs from execution to execution",
        )
    })
}

/// Adds the model to the formula: solutions are the executions of the graph that it allows.
pub fn encode(
    formula: &mut Formula,
    graph: &Graph,
    compiled: &Compiled,
    choices: impl Into<Choices>,
) -> Result<Memory> {
    encode_ordered(formula, graph, compiled, choices, &Edges::new())
}

/// The same, with a further order of events: it is in line with the model's orders of memory, that
/// is, with every relation that the model wants acyclic and that is about more than one location
/// (if there is none, with every one that it wants acyclic), as far as [`Memory::orders`] are
/// assumed. A literal of `further` that is true implies that both events are executed.
pub fn encode_ordered(
    formula: &mut Formula,
    graph: &Graph,
    compiled: &Compiled,
    choices: impl Into<Choices>,
    further: &Edges,
) -> Result<Memory> {
    let choices = choices.into();
    let [world] = &compiled.worlds[..] else {
        return Err(Unsupported::new("a choice among several relations (`with … from`)"));
    };
    let before = formula.stats();
    let Rewritten { terms, world, co: order } = rewrite(compiled, world);
    let (terms, world) = (&terms, &world);
    let needed = needed(terms, world, order);
    let frame = base::frame(graph);
    let mut base = Base::new(graph, &frame);
    let limits = formula.limits().clone();
    while choices.prune && prune_once(&mut base, &frame, terms, world, &needed, &limits)? {}
    let bounds = Bounds::new(terms, &frame, &base, &needed, &limits)?;
    in_time(&limits)?;
    let forbidden = match choices.prune {
        true => Forbidden::new(terms, &bounds, &frame, world, &needed),
        false => Forbidden::nothing(terms),
    };
    for (write, read) in base.not_rf.iter() {
        formula.clause(&[!graph.rf[&(write, read)]]);
    }
    let co_bound = base.bound("co", Sort::Relation);
    let co = Coherence::new(formula, graph, &co_bound);
    in_time(&limits)?;

    let check = |axiom| Check::new(axiom, terms, &bounds, &frame);
    let mut axioms: Vec<Check<'_>> = world.axioms.iter().map(check).collect();
    let orders = match further.is_empty() {
        true => Vec::new(),
        false => order_further(formula, &mut axioms, terms, further),
    };
    let flags: Vec<Check<'_>> = world.flags.iter().map(check).collect();
    let order = order.map(|co| Plan::new(terms, &bounds, &frame, co));
    let mut needs = Needs::new(terms, &bounds, &frame);
    for check in axioms.iter().chain(&flags) {
        check.need(&bounds, &mut needs);
    }
    if let Some(order) = &order {
        order.need(&bounds, &mut needs);
    }
    in_time(&limits)?;
    needs.propagate(&needed);
    in_time(&limits)?;
    let strict = strict::strict(terms, &bounds, &needed);
    let mut relate = Relate::new(
        formula,
        graph,
        (&frame, terms),
        (&base, &co),
        (&bounds, &needs),
        (&forbidden, &strict),
    );
    let demanded = axioms.iter().filter(|check| check.is_order());
    relate.acyclic = demanded.map(|check| check.axiom.term).collect();
    relate.all(&needed)?;
    demand_axioms(&mut relate, &axioms, order.as_ref(), choices.strategy)?;
    let flags = flags.iter().map(|check| raise(&mut relate, check, choices.strategy)).collect();
    let support = std::mem::take(&mut relate.support);
    support.finish(relate.formula, choices.strategy);
    in_time(&limits)?;
    coherence::next(formula, graph, &base.bound("rf", Sort::Relation), &co);
    if choices.redundant {
        coherence::redundant(formula, graph, &base.bound("rf", Sort::Relation), &co);
    }
    let after = formula.stats();
    let sizes = Sizes {
        rf: base.bound("rf", Sort::Relation).may.count(),
        co: co_bound.may.count(),
        pruned: base.not_rf.count() + base.not_co.count(),
        variables: after.variables - before.variables,
        clauses: after.clauses - before.clauses,
    };
    Ok(Memory { co: co.into_edges(), flags, orders, sizes })
}

/// Adds a further order to the axioms that order memory; gives a literal for each that says
/// whether it counts.
fn order_further(
    formula: &mut Formula,
    axioms: &mut [Check<'_>],
    terms: &Terms,
    further: &Edges,
) -> Vec<Lit> {
    let is_global = |check: &Check<'_>| !local::is_local(terms, check.axiom.term);
    let any = axioms.iter().any(|check| check.is_order() && is_global(check));
    let is_one = |check: &Check<'_>| check.is_order() && (!any || is_global(check));
    let alone = axioms.iter().filter(|check| is_one(check)).count() == 1;
    let mut orders = Vec::new();
    for check in axioms.iter_mut().filter(|check| is_one(check)) {
        let counts = if alone { Lit::TRUE } else { formula.fresh() };
        let mut own = Edges::new();
        for (&pair, &lit) in further {
            own.insert(pair, formula.and(&[lit, counts]));
        }
        check.plan.add(&own);
        orders.push(counts);
    }
    orders
}

/// The terms that the checks are made of, in order, with the names of all recursive definitions:
/// one that no definition uses is not found otherwise.
fn needed(terms: &Terms, world: &World, co: Option<TermId>) -> Vec<TermId> {
    let checks = world.axioms.iter().chain(&world.flags);
    let mut roots: Vec<TermId> = checks.map(|axiom| axiom.term).chain(co).collect();
    for id in terms.reachable(&roots) {
        if let Term::Fixpoint(group, _) = terms.node(id).term {
            roots.extend(&terms.group(group).variables);
        }
    }
    terms.reachable(&roots)
}

/// Looks for pairs of `rf` and `co` that the axioms rule out; whether there are new ones.
fn prune_once(
    base: &mut Base<'_>,
    frame: &bounds::Frame,
    terms: &Terms,
    world: &World,
    needed: &[TermId],
    limits: &Limits,
) -> Result<bool> {
    let bounds = Bounds::new(terms, frame, base, needed, limits)?;
    let forbidden = Forbidden::new(terms, &bounds, frame, world, needed);
    in_time(limits)?;
    let mut found = [None, None];
    for &id in needed {
        match &terms.node(id).term {
            Term::Base(name, Sort::Relation) if &**name == "rf" => found[0] = forbidden.of(id),
            Term::Base(name, Sort::Relation) if &**name == "co" => found[1] = forbidden.of(id),
            _ => {}
        }
    }
    let [rf, co] = found.map(|pairs| pairs.cloned());
    let grown = rf.is_some() || co.is_some();
    if let Some(pairs) = rf {
        base.not_rf = base.not_rf.union(&pairs);
    }
    if let Some(pairs) = co {
        base.not_co = base.not_co.union(&pairs);
    }
    Ok(grown)
}

/// States the axioms. Of acyclic relations, one that is contained in another needs no mention.
fn demand_axioms(
    relate: &mut Relate<'_>,
    axioms: &[Check<'_>],
    order: Option<&Plan>,
    strategy: Option<Strategy>,
) -> Result<()> {
    for check in axioms.iter().filter(|check| !check.is_order()) {
        check.demand(relate, Lit::TRUE, strategy);
    }
    let plans =
        axioms.iter().filter(|check| check.is_order()).map(|check| &check.plan).chain(order);
    let mut all: Vec<_> = plans.flat_map(|plan| plan.edges(relate)).collect();
    let mut index = 0;
    while index < all.len() {
        let (before, rest) = all.split_at(index);
        let others = before.iter().chain(&rest[1..]);
        if others.into_iter().any(|other| other.contains(&rest[0])) {
            all.remove(index);
        } else {
            index += 1;
        }
    }
    for edges in all {
        in_time(relate.formula.limits())?;
        edges.demand(relate, Lit::TRUE, strategy);
    }
    Ok(())
}

/// The literal that raises a flag.
fn raise(relate: &mut Relate<'_>, check: &Check<'_>, strategy: Option<Strategy>) -> Flag {
    let lit = relate.formula.fresh();
    let pairs = check.demand(relate, lit, strategy);
    Flag { name: check.axiom.name.clone(), role: check.axiom.role, lit, pairs }
}
