//! Floating-point operations: which of them can be encoded.
//!
//! There are no circuits for floating point. An operation is a table over the values that its
//! operands may have, each entry computed by [`ir::value::float`], and so it is exact; where the
//! operands may have too many values, the program is refused at the operation's line. What nothing
//! depends on, such as a number that is only printed, may be anything.

use super::{Options, Sets, operands};
use crate::bounded::{ActionKind, Bounded, Wrong};
use crate::term::TermId;
use crate::unroll::Unsupported;
use std::collections::HashSet;

/// Tables of more entries than this are not written down.
const LARGEST_TABLE: usize = 4096;

/// Refuses a program in which something depends on an operation that would not be a table.
pub fn check(bounded: &Bounded, sets: &Sets, options: &Options) -> Result<(), Unsupported> {
    let known = |&(&id, _): &(&TermId, _)| !is_table(bounded, sets, options, id);
    let mut large = bounded.floats.iter().filter(known).peekable();
    if large.peek().is_none() {
        return Ok(());
    }
    let needed = needed(bounded);
    let Some((_, &place)) = large.find(|(id, _)| needed.contains(id)) else { return Ok(()) };
    let what = match options.value_sets {
        true => "floating-point arithmetic on values that are not known to be few",
        false => "floating-point arithmetic without value sets",
    };
    Err(Unsupported { what: what.to_string(), place })
}

fn is_table(bounded: &Bounded, sets: &Sets, options: &Options, id: TermId) -> bool {
    let size = |t: TermId| sets.of(bounded, t).few().map(<[_]>::len);
    let entries = operands(bounded, id).try_fold(1, |product, t| Some(product * size(t)?));
    options.value_sets && entries.is_some_and(|entries: usize| entries <= LARGEST_TABLE)
}

/// The terms that the executions of a program depend on.
fn needed(bounded: &Bounded) -> HashSet<TermId> {
    let mut stack = roots(bounded);
    let mut found = HashSet::new();
    while let Some(id) = stack.pop() {
        if found.insert(id) {
            stack.extend(operands(bounded, id));
        }
    }
    found
}

/// The terms that a program is made from.
fn roots(bounded: &Bounded) -> Vec<TermId> {
    let mut roots = bounded.terms.guards.conditions().to_vec();
    for action in bounded.actions.iter() {
        match &action.kind {
            ActionKind::Read { access, .. } => roots.push(access.address),
            ActionKind::Write { access, value, .. } => roots.extend([access.address, *value]),
            ActionKind::Free { address, .. } => roots.push(*address),
            ActionKind::Reuse { block, .. } => roots.push(*block),
            ActionKind::Fence(_)
            | ActionKind::End(_)
            | ActionKind::Spawn(_)
            | ActionKind::Join(_) => {}
        }
    }
    for check in &bounded.checks {
        match check.wrong {
            Wrong::Always => {}
            Wrong::Zero(term) | Wrong::Undefined(term) => roots.push(term),
            Wrong::Division(_, a, b) => roots.extend([a, b]),
            Wrong::Overflow(term, both) => roots.extend([term].into_iter().chain(both)),
        }
    }
    roots.extend(bounded.assumptions.iter().filter_map(|assumption| assumption.condition));
    roots.extend(bounded.observations.iter().map(|observation| observation.value));
    roots.extend(bounded.allocations.iter().filter_map(|one| one.choice).map(|(_, term)| term));
    roots.extend(bounded.own_cells.iter().map(|&(_, value)| value));
    roots.extend(bounded.initial.values().map(|cell| cell.value));
    roots
}
