//! The stages of an encoding, in their one order.
//!
//! A stage is a function. It writes to the [`Clauses`] and takes what earlier stages gave as
//! parameters, so that what must come before it is in its signature:
//!
//! | Stage | Needs | Gives |
//! | --- | --- | --- |
//! | [`Unrolled::new`](super::Unrolled::new) | program, model | the unrolled program: events without literals |
//! | [`initial_states::restrict`] | – | – |
//! | [`threads::lives`] | – | [`Lives`](threads::Lives): how far threads come, which actions take place |
//! | [`events::events`] | lives | [`Events`](events::Events): the graph, with reads-from |
//! | [`thin_air::undefined_from_something`] | events | – |
//! | [`commits::commits`] | lives, events | [`Commits`](commits::Commits) |
//! | [`memory::encode_ordered`] | the graph, edges between commits | coherence, flags, orders of memory |
//! | [`Commits::follow`](commits::Commits::follow) | coherence, reads-from | – |
//! | [`lifetimes::overwritten`] | lives, [`Coherent`]: events with coherence | – |
//! | [`findings::hide_broken_sections`] | events; all findings of accesses | – |
//! | [`stuck::stuck`] | lives, `Coherent` | – |
//! | [`symmetry::classes`] | events | classes of symmetric threads |
//! | [`symmetry::in_order_of_numbers`] | classes, lives, `Coherent` | – |
//! | [`ends::bound_hits`] | lives | a literal for each bound |
//! | [`ends::one_unfinished_operation`] | bounds; all findings | – |
//! | [`ends::completeness`] | lives, bounds; all findings | the literal of complete executions |
//!
//! What may be wrong ([`Clauses::findings`]) is the one thing that grows from stage to stage: only
//! `lives` and `overwritten` add to it, and the stages that need all of it come after both.

use super::clauses::Clauses;
use super::program::unrolled::{Unrolled, compiled};
use super::questions::{commits, findings, stuck, thin_air};
use super::reductions::{initial_states, symmetry};
use super::structure::events::Coherent;
use super::structure::{ends, events, lifetimes, threads};
use super::{EncodeOptions, Encoding};
use crate::memory::{self, Memory};
use crate::unroll::{Unsupported, in_time};
use ir::program::Program;
use models::Model;
use std::sync::Arc;

/// Encodes an unrolled program.
pub(super) fn encode<'p>(
    program: &'p Program,
    unrolled: Arc<Unrolled>,
    model: &Model,
    options: &EncodeOptions,
) -> Result<Encoding<'p>, Unsupported> {
    let mut clauses = Clauses::new(unrolled, model, options);
    initial_states::restrict(&mut clauses, &options.initial_states);
    let lives = threads::lives(&mut clauses)?;
    let events = events::events(&mut clauses, &lives, model)?;
    thin_air::undefined_from_something(&mut clauses, &events, model);
    let mut commits = commits::commits(&mut clauses, &lives, &events);
    let Memory { co, flags, orders, .. } = memory::encode_ordered(
        &mut clauses.formula,
        &events.graph,
        compiled(model)?,
        options.strategy,
        &commits.edges,
    )
    .map_err(|problem| Unsupported::new(problem.construct, None))?;
    commits.orders = orders;
    commits.follow(&mut clauses.formula, &co);
    commits.follow(&mut clauses.formula, &events.graph.rf);
    in_time(&options.limits)?;
    let coherent = Coherent { events: &events, co: &co };
    lifetimes::overwritten(&mut clauses, &lives, coherent)?;
    findings::hide_broken_sections(&mut clauses, &events);
    stuck::stuck(&mut clauses, &lives, coherent);
    in_time(&options.limits)?;
    let classes = match options.symmetry {
        true => symmetry::classes(&clauses, &events),
        false => Vec::new(),
    };
    symmetry::in_order_of_numbers(&mut clauses, &classes, &lives, coherent);
    let bounds = ends::bound_hits(&mut clauses, &lives);
    ends::one_unfinished_operation(&mut clauses, &bounds);
    let complete = ends::completeness(&mut clauses, &lives, &bounds);
    let Clauses { scope, unrolled, bounded, formula, values, findings, .. } = clauses;
    Ok(Encoding {
        scope,
        program,
        unrolled,
        bounded,
        formula,
        values,
        events,
        co,
        lives,
        commits,
        findings,
        bounds,
        complete,
        flags,
        symmetric: symmetry::others(&classes),
    })
}
