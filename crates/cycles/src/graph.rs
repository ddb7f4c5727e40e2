//! The abstract event graph: classes of accesses, pairs in program order, and which accesses of
//! different threads compete.

use crate::access::{Deed, Reader, Spot};
use crate::between::Steps;
use crate::flow::StepId;
use crate::shape::{Judge, PairShape};
use crate::threads::{Root, concurrent};
use std::collections::BTreeMap;

/// Accesses of a kind of thread that differ in their places in the text only.
#[derive(Clone, Debug)]
pub struct Class {
    /// The number of the kind of thread.
    pub root: usize,
    /// What they do.
    pub deed: Deed,
    /// The same, as the judge numbers it.
    pub shape: usize,
    /// Where.
    pub spot: Spot,
    /// What the source calls the place, in one of them.
    pub path: Option<String>,
    /// The steps.
    pub steps: Vec<StepId>,
}

/// Pairs of accesses in program order that a model cannot tell apart.
#[derive(Clone, Debug)]
pub struct Pair {
    /// The class of the first.
    pub first: usize,
    /// The class of the second.
    pub second: usize,
    /// How the judge numbers it.
    pub shape: usize,
    /// The pairs of steps.
    pub steps: Vec<(StepId, StepId)>,
}

/// The way from one access to one of another thread: directly, or through an access of a third.
pub type Way = (Option<usize>, usize);

/// The graph.
pub struct Graph {
    /// The accesses that compete with another.
    pub classes: Vec<Class>,
    /// Program order.
    pub pairs: Vec<Pair>,
    /// How many threads there may be of each kind.
    pub counts: Vec<u32>,
    /// From each class, the ways to classes of other threads.
    pub ways: Vec<Vec<Way>>,
    /// The pairs that begin with each class.
    pub pairs_from: Vec<Vec<usize>>,
    /// How many accesses of the text the threads make, of any objects.
    pub accesses: usize,
}

impl Graph {
    /// Of a program's threads.
    pub fn of(roots: &[Root<'_>], reader: &Reader<'_>, judge: &mut Judge<'_>) -> Self {
        let all: Vec<Steps<'_, '_>> =
            roots.iter().map(|root| Steps::of(&root.flow, reader)).collect();
        let (classes, accesses) = classes(roots, &all, judge);
        let counts: Vec<u32> = roots.iter().map(|root| root.count).collect();
        let mut graph = Graph {
            ways: vec![Vec::new(); classes.len()],
            pairs_from: vec![Vec::new(); classes.len()],
            classes,
            pairs: Vec::new(),
            counts,
            accesses,
        };
        graph.keep_competing();
        graph.find_pairs(&all, judge);
        graph.find_ways();
        graph
    }

    /// Whether accesses of two classes may be of different threads, at one place, and one of them
    /// writes.
    pub fn compete(&self, a: usize, b: usize) -> bool {
        let (first, second) = (&self.classes[a], &self.classes[b]);
        let apart = first.root != second.root || self.counts[first.root] > 1;
        let writes = first.deed.write.is_some() || second.deed.write.is_some();
        apart && writes && first.spot.meets(&second.spot)
    }

    fn keep_competing(&mut self) {
        let all = 0..self.classes.len();
        let competing: Vec<bool> =
            all.clone().map(|a| all.clone().any(|b| self.compete(a, b))).collect();
        let mut keep = competing.into_iter();
        self.classes.retain(|_| keep.next() == Some(true));
    }

    fn find_pairs(&mut self, all: &[Steps<'_, '_>], judge: &mut Judge<'_>) {
        let mut at: BTreeMap<(usize, StepId), Vec<usize>> = BTreeMap::new();
        for (id, class) in self.classes.iter().enumerate() {
            for &step in &class.steps {
                at.entry((class.root, step)).or_default().push(id);
            }
        }
        let mut known: BTreeMap<(usize, usize, usize), usize> = BTreeMap::new();
        for (&(root, first), firsts) in &at {
            let steps = &all[root];
            for (second, certain) in steps.from(first) {
                let Some(seconds) = at.get(&(root, second)) else { continue };
                for (&a, &b) in firsts.iter().flat_map(|a| seconds.iter().map(move |b| (a, b))) {
                    let deed = &self.classes[b].deed;
                    let made = steps.made[&second].iter().find(|made| made.deed == *deed);
                    let depends = made.map(|made| certain.depends(steps.flow, second, made));
                    let shape = judge.pair(PairShape {
                        first: self.classes[a].deed.clone(),
                        second: deed.clone(),
                        between: certain.between.clone(),
                        depends: depends.unwrap_or_default(),
                    });
                    let fresh = self.pairs.len();
                    let id = *known.entry((a, b, shape)).or_insert(fresh);
                    if id == fresh {
                        self.pairs.push(Pair { first: a, second: b, shape, steps: Vec::new() });
                    }
                    self.pairs[id].steps.push((first, second));
                }
            }
        }
        self.pairs_from = vec![Vec::new(); self.classes.len()];
        for (id, pair) in self.pairs.iter().enumerate() {
            self.pairs_from[pair.first].push(id);
        }
    }

    fn find_ways(&mut self) {
        let count = self.classes.len();
        self.ways = vec![Vec::new(); count];
        for from in 0..count {
            for to in 0..count {
                if self.compete(from, to) {
                    self.ways[from].push((None, to));
                }
                let singles = self.singles(from, to);
                self.ways[from].extend(singles.into_iter().map(|single| (Some(single), to)));
            }
        }
    }

    /// The writes through which an access communicates with a read of another thread, one for each
    /// kind that a model may tell from the others. What ends in a write is connected directly.
    pub fn singles(&self, from: usize, to: usize) -> Vec<usize> {
        if self.classes[to].deed.read.is_none() {
            return Vec::new();
        }
        let mut singles: BTreeMap<(usize, usize), usize> = BTreeMap::new();
        for (id, single) in self.classes.iter().enumerate() {
            let passes = single.deed.write.is_some();
            if passes && self.compete(from, id) && self.compete(id, to) {
                singles.entry((single.root, single.shape)).or_insert(id);
            }
        }
        singles.into_values().collect()
    }
}

/// The classes of all accesses that are made while several threads may run.
fn classes(
    roots: &[Root<'_>],
    all: &[Steps<'_, '_>],
    judge: &mut Judge<'_>,
) -> (Vec<Class>, usize) {
    let mut classes: BTreeMap<(usize, Deed, Spot), Class> = BTreeMap::new();
    let mut accesses = 0;
    for (root, steps) in all.iter().enumerate() {
        if roots[root].count == 0 {
            continue;
        }
        accesses += steps.made.len();
        let running = concurrent(&roots[root], roots, steps);
        for (&step, made) in &steps.made {
            if !running.contains(&step) {
                continue;
            }
            for made in made.iter().filter(|made| !made.spot.objects.is_empty()) {
                let key = (root, made.deed.clone(), made.spot.clone());
                let class = classes.entry(key).or_insert_with(|| Class {
                    root,
                    deed: made.deed.clone(),
                    shape: judge.deed(&made.deed),
                    spot: made.spot.clone(),
                    path: made.path.clone(),
                    steps: Vec::new(),
                });
                if class.steps.last() != Some(&step) {
                    class.steps.push(step);
                }
            }
        }
    }
    (classes.into_values().collect(), accesses)
}
