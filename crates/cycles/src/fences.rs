//! Where fences cut the pairs that a model relaxes: as few places as a greedy choice finds.
//!
//! A pair is cut by a fence directly after its first access or directly before its second one,
//! which every path between the two passes. Which places cut all pairs is a hitting set; the
//! greedy choice (the place that cuts most of what is left) is at most a logarithmic factor from the
//! smallest one (Chvátal, "A greedy heuristic for the set-covering problem", 1979).

use crate::flow::{Flow, StepId};
use crate::graph::Graph;
use crate::threads::Root;
use execution::ids::Id;
use ir::program::{LocId, Program};
use std::collections::{BTreeMap, BTreeSet};

/// A place for a fence.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Place {
    /// The access, or the call of a function of the library that makes it.
    pub at: LocId,
    /// Whether the fence is directly before it; otherwise, directly after it.
    pub before: bool,
}

/// The places that cut pairs, and the pairs that no place of the user's cuts: both accesses are
/// made by one call of the library.
pub fn places(
    program: &Program,
    graph: &Graph,
    roots: &[Root<'_>],
    pairs: &BTreeSet<usize>,
) -> (Vec<Place>, Vec<usize>) {
    let mut open: Vec<[Option<Place>; 2]> = Vec::new();
    let mut hidden = Vec::new();
    for &id in pairs {
        let pair = &graph.pairs[id];
        let flow = &roots[graph.classes[pair.first].root].flow;
        for &(first, second) in &pair.steps {
            let choice = candidates(program, flow, first, second);
            if choice.iter().all(Option::is_none) {
                hidden.push(id);
            } else if !open.contains(&choice) {
                open.push(choice);
            }
        }
    }
    hidden.dedup();
    let mut chosen = Vec::new();
    while !open.is_empty() {
        let mut cuts: BTreeMap<Place, usize> = BTreeMap::new();
        open.iter().flatten().flatten().for_each(|place| *cuts.entry(*place).or_default() += 1);
        // Of equals, the earliest in the text.
        let best = cuts.into_iter().max_by_key(|(place, count)| {
            (*count, place.before, std::cmp::Reverse(place.at.index()))
        });
        let Some((best, _)) = best else { break };
        chosen.push(best);
        open.retain(|choice| !choice.contains(&Some(best)));
    }
    chosen.sort();
    (chosen, hidden)
}

/// After the first access and before the second, where the user can write something.
fn candidates(
    program: &Program,
    flow: &Flow<'_>,
    first: StepId,
    second: StepId,
) -> [Option<Place>; 2] {
    let (after, before) = (flow.users_step(first), flow.users_step(second));
    // A call that makes both is passed between them only if it ends between them.
    if after == before && (first != after || second != before) {
        return [None, None];
    }
    let users = |step: StepId, before: bool| {
        let at = flow.steps[step].place?;
        (!program.places[at].location.is_library()).then_some(Place { at, before })
    };
    [users(after, false), users(before, true)]
}
