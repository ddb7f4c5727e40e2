//! Finds the cycles that a model allows: short ones one by one, long ones by the pairs that may be
//! on one.

use crate::access::{Deed, Spot};
use crate::between::Depends;
use crate::graph::Graph;
use crate::shape::{CycleShape, Judge, PairShape, Unasked};
use std::collections::{BTreeMap, BTreeSet};

/// Cycles of up to this many pairs are enumerated.
pub const LONGEST: usize = 4;
/// How many steps the enumeration of cycles of each length may take.
const MOST_STEPS: u64 = 60_000;
/// How many cycles are kept to be shown.
const MOST_SHOWN: usize = 1000;

/// A cycle that the model allows.
#[derive(Clone, Debug)]
pub struct Found {
    /// Its pairs, each with the class through which it communicates with the next.
    pub parts: Vec<(usize, Option<usize>)>,
    /// Which of them the model must be kept from relaxing, by position.
    pub relaxed: Vec<usize>,
    /// Whether the model allows it whatever fences there are.
    pub uncut: bool,
}

/// What was found.
#[derive(Clone, Debug, Default)]
pub struct Search {
    /// Cycles, shortest first.
    pub cycles: Vec<Found>,
    /// The pairs of each of them, of those that are not kept, too.
    pub seen: BTreeSet<Vec<usize>>,
    /// The pairs that need a fence, by number.
    pub relaxed: BTreeSet<usize>,
    /// The pairs that may be on longer cycles and may need one for that.
    pub longer: BTreeSet<usize>,
}

/// Searches a graph.
pub fn search(graph: &Graph, judge: &mut Judge<'_>) -> Result<Search, Unasked> {
    let mut search = Search::default();
    let mut complete = true;
    for length in 1..=LONGEST {
        let mut visit = Visit { graph, judge, length, steps: 0, search: &mut search };
        complete &= visit.all()?;
    }
    if !complete || may_be_longer(graph) {
        longer(graph, judge, &mut search)?;
    }
    Ok(search)
}

/// Whether there are threads and places for longer cycles: each pair of a cycle needs a thread of
/// its own, and no place occurs twice.
fn may_be_longer(graph: &Graph) -> bool {
    let roots: BTreeSet<usize> =
        graph.pairs.iter().map(|pair| graph.classes[pair.first].root).collect();
    let threads: u32 = roots.iter().map(|&root| graph.counts[root]).sum();
    let spots: BTreeSet<_> = graph.classes.iter().map(|class| &class.spot).collect();
    let alone = |spot: &Spot| spots.iter().all(|other| *other == spot || !other.meets(spot));
    let known = spots.iter().all(|spot| spot.is(spot) && alone(spot));
    threads as usize > LONGEST && (!known || spots.len() > LONGEST)
}

/// The enumeration of the cycles of one length.
struct Visit<'v, 'm> {
    graph: &'v Graph,
    judge: &'v mut Judge<'m>,
    length: usize,
    steps: u64,
    search: &'v mut Search,
}

impl Visit<'_, '_> {
    /// All cycles; says whether there was time for all of them.
    fn all(&mut self) -> Result<bool, Unasked> {
        for first in 0..self.graph.pairs.len() {
            let mut parts = Vec::new();
            let mut used = vec![0; self.graph.counts.len()];
            if !self.extend(first, first, &mut parts, &mut used)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Extends a path by a pair. The first pair of a cycle is its least.
    fn extend(
        &mut self,
        first: usize,
        pair: usize,
        parts: &mut Vec<(usize, Option<usize>)>,
        used: &mut [u32],
    ) -> Result<bool, Unasked> {
        self.steps += 1;
        if self.steps > MOST_STEPS {
            return Ok(false);
        }
        let graph = self.graph;
        let root = graph.classes[graph.pairs[pair].first].root;
        if used[root] >= graph.counts[root] {
            return Ok(true);
        }
        used[root] += 1;
        let from = graph.pairs[pair].second;
        let last = parts.len() + 1 == self.length;
        let mut go_on = true;
        let alone;
        let ways = match self.length {
            // Around one pair, whose accesses are of one thread.
            1 => {
                alone = self.back(pair);
                &alone
            }
            _ => &graph.ways[from],
        };
        for &(single, to) in ways {
            let third = single.map(|single| graph.classes[single].root);
            if third.is_some_and(|root| used[root] >= graph.counts[root]) {
                continue;
            }
            third.iter().for_each(|&root| used[root] += 1);
            parts.push((pair, single));
            if last {
                if to == graph.pairs[first].first && self.distinct(parts) {
                    self.close(parts)?;
                }
            } else {
                for &next in graph.pairs_from[to].iter().filter(|&&next| next >= first) {
                    go_on = go_on && self.extend(first, next, parts, used)?;
                }
            }
            parts.pop();
            third.iter().for_each(|&root| used[root] -= 1);
            if !go_on {
                break;
            }
        }
        used[root] -= 1;
        Ok(go_on)
    }

    /// From the second access of a pair to its first through another thread, all at one place.
    fn back(&self, pair: usize) -> Vec<(Option<usize>, usize)> {
        let graph = self.graph;
        let (first, second) = (graph.pairs[pair].first, graph.pairs[pair].second);
        let all = 0..graph.classes.len();
        let passes =
            all.filter(|&single| graph.compete(second, single) && graph.compete(single, first));
        passes.map(|single| (Some(single), first)).collect()
    }

    /// Whether no two connections of a cycle are certainly at one place: there is a shorter one if
    /// they are. A connection of accesses of several widths is at no one place.
    fn distinct(&self, parts: &[(usize, Option<usize>)]) -> bool {
        let graph = self.graph;
        let spots: Vec<Option<&Spot>> = parts
            .iter()
            .enumerate()
            .map(|(position, (pair, single))| {
                let (next, _) = parts[(position + 1) % parts.len()];
                let spot = &graph.classes[graph.pairs[*pair].second].spot;
                let others = single.iter().chain([&graph.pairs[next].first]);
                let mut others = others.map(|&class| &graph.classes[class].spot);
                others.all(|other| other.is(spot)).then_some(spot)
            })
            .collect();
        spots.iter().enumerate().all(|(position, spot)| {
            spot.is_none_or(|spot| !spots[position + 1..].contains(&Some(spot)))
        })
    }

    /// Whether a cycle is of one pair whose accesses are not certainly at one place.
    fn is_of_parts(&self, parts: &[(usize, Option<usize>)]) -> bool {
        let &[(pair, _)] = parts else { return false };
        let (graph, pair) = (self.graph, &self.graph.pairs[pair]);
        !graph.classes[pair.first].spot.is(&graph.classes[pair.second].spot)
    }

    fn shape(&self, parts: &[(usize, Option<usize>)]) -> CycleShape {
        let part = |&(pair, single): &(usize, Option<usize>)| {
            (self.graph.pairs[pair].shape, single.map(|single| self.graph.classes[single].shape))
        };
        CycleShape(parts.iter().map(part).collect())
    }

    /// A cycle is closed: it counts if the model allows it.
    fn close(&mut self, parts: &[(usize, Option<usize>)]) -> Result<(), Unasked> {
        let shape = self.shape(parts);
        let (relaxed, uncut) = match self.judge.allows(&shape)? {
            true => self.relaxed(&shape)?,
            // Two parts of what another thread accesses as a whole are not one place: they are
            // ordered if they are where everything else is.
            false if self.is_of_parts(parts) && is_relaxed(self.judge, shape.0[0].0)? => {
                (vec![0], false)
            }
            false => return Ok(()),
        };
        self.search.relaxed.extend(relaxed.iter().map(|&position| parts[position].0));
        if !self.search.seen.insert(parts.iter().map(|(pair, _)| *pair).collect()) {
            return Ok(());
        }
        if self.search.cycles.len() < MOST_SHOWN {
            self.search.cycles.push(Found { parts: parts.to_vec(), relaxed, uncut });
        }
        Ok(())
    }

    /// The pairs of a cycle that must be fenced: those without which fences everywhere else are not
    /// enough, and all others if these are not enough. Also, whether all together are not.
    fn relaxed(&mut self, shape: &CycleShape) -> Result<(Vec<usize>, bool), Unasked> {
        let fenced = |judge: &mut Judge<'_>, which: &dyn Fn(usize) -> bool| {
            let parts = shape.0.iter().enumerate().map(|(position, &(pair, single))| {
                (if which(position) { judge.fenced(pair) } else { pair }, single)
            });
            let shape = CycleShape(parts.collect());
            judge.allows(&shape)
        };
        let mut needed = Vec::new();
        for position in 0..shape.0.len() {
            if fenced(self.judge, &|other| other != position)? {
                needed.push(position);
            }
        }
        if fenced(self.judge, &|_| true)? {
            return Ok(((0..shape.0.len()).collect(), true));
        }
        for position in 0..shape.0.len() {
            if !fenced(self.judge, &|other| needed.contains(&other))? {
                break;
            }
            if !needed.contains(&position) {
                needed.push(position);
            }
        }
        Ok((needed, false))
    }
}

/// The pairs that may be on cycles that were not enumerated, and are not kept in order everywhere.
fn longer(graph: &Graph, judge: &mut Judge<'_>, search: &mut Search) -> Result<(), Unasked> {
    let at_once = sees_writes_at_once(judge)?;
    let mut loose: BTreeMap<usize, bool> = BTreeMap::new();
    for (id, pair) in graph.pairs.iter().enumerate() {
        let is_loose = match loose.get(&pair.shape) {
            Some(&known) => known,
            None if at_once => is_relaxed(judge, pair.shape)?,
            None => !judge.is_fenced(pair.shape),
        };
        loose.insert(pair.shape, is_loose);
        if is_loose && !search.relaxed.contains(&id) && on_cycle(graph, id) {
            search.longer.insert(id);
        }
    }
    Ok(())
}

/// Whether the threads agree on the order of writes, so that a cycle is allowed only if some pair
/// on it is relaxed by itself: asked of independent reads of independent writes whose reads depend
/// on each other in every way.
fn sees_writes_at_once(judge: &mut Judge<'_>) -> Result<bool, Unasked> {
    let read = Deed { read: Some(BTreeSet::new()), ..Deed::default() };
    let write = Deed { write: Some(BTreeSet::new()), ..Deed::default() };
    let depends = Depends { address: true, data: true, control: true };
    let pair = PairShape { first: read.clone(), second: read, between: Vec::new(), depends };
    let (pair, single) = (judge.pair(pair), judge.deed(&write));
    Ok(!judge.allows(&CycleShape(vec![(pair, Some(single)), (pair, Some(single))]))?)
}

/// Whether a model relaxes a pair where everything else is kept in order.
fn is_relaxed(judge: &mut Judge<'_>, pair: usize) -> Result<bool, Unasked> {
    let read = Deed { read: Some(BTreeSet::new()), ..Deed::default() };
    let write = Deed { write: Some(BTreeSet::new()), ..Deed::default() };
    let single = judge.deed(&write);
    for first in [&read, &write] {
        for second in [&read, &write] {
            let other = PairShape {
                first: first.clone(),
                second: second.clone(),
                between: Vec::new(),
                depends: Depends::default(),
            };
            let other = judge.pair(other);
            let other = judge.fenced(other);
            for (there, back) in [
                (None, None),
                (Some(single), None),
                (None, Some(single)),
                (Some(single), Some(single)),
            ] {
                let shape = CycleShape(vec![(pair, there), (other, back)]);
                if judge.communicates(&shape) && judge.allows(&shape)? {
                    return Ok(true);
                }
            }
        }
    }
    Ok(false)
}

/// Whether the graph leads from a pair back to it.
fn on_cycle(graph: &Graph, pair: usize) -> bool {
    let mut seen = BTreeSet::new();
    let mut open = vec![pair];
    while let Some(at) = open.pop() {
        for (_, to) in &graph.ways[graph.pairs[at].second] {
            for &next in &graph.pairs_from[*to] {
                if next == pair {
                    return true;
                }
                if seen.insert(next) {
                    open.push(next);
                }
            }
        }
    }
    false
}
