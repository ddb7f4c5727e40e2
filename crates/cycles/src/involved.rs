//! Which accesses of the text must be made as a model makes them, so that all others may be made as
//! under sequential consistency.
//!
//! **Idea.** A set of accesses is enough if every cycle of the abstract event graph, allowed by the
//! model or not, lies inside of it or outside of it. Take an execution in which the accesses inside
//! are made as the model makes them and the others at once, in program order. A cycle of its program
//! order and communication is a cycle of the graph. If it is inside, the model allows it, for there
//! all of it is as the model says. If it is outside, it would be a cycle of accesses that are made
//! at once, in program order, and there is none. So nothing happens that the model forbids; and
//! nothing is lost, because every cycle that the model allows is inside.
//!
//! The set is the smallest one with the cycles that the model allows that is closed in three ways.
//! Cycles: strongly connected components of the graph. Objects: an access of an object that is
//! accessed inside is inside, too, because what a thread has stored and others do not see yet, the
//! thread itself must see. Places: what stands at one place of the text is rewritten as one.
//!
//! Accesses of the initial thread that no other thread can run concurrently with (S-342) are outside
//! if no other access stands at their place: starting, awaiting and ending threads order everything.

use crate::access::{Reader, Spot};
use crate::between::Steps;
use crate::flow::Action;
use crate::graph::Graph;
use crate::search::{Search, search};
use crate::shape::Judge;
use crate::threads::{Root, concurrent, roots};
use crate::{Analysis, Failed, View};
use ir::op::{Inst, Op};
use ir::points_to::{Object, PointsTo};
use ir::program::{LocId, Program};
use limits::Limits;
use models::Model;
use replay::language::language_of;
use std::collections::{BTreeMap, BTreeSet};

/// The accesses that must be made as a model makes them.
#[derive(Clone, Debug)]
pub struct Involved {
    /// The cycles of the program.
    pub analysis: Analysis,
    /// The places of these accesses, in the user's text.
    pub places: BTreeMap<LocId, Touch>,
    /// At how many places shared objects are accessed while several threads run.
    pub shared: usize,
}

/// What is accessed at a place.
#[derive(Clone, Debug, Default)]
pub struct Touch {
    /// Whether something is read.
    pub reads: bool,
    /// Whether something is written.
    pub writes: bool,
    /// What the source calls it.
    pub path: Option<String>,
    /// Whether it may be a local of a call that may return while other threads run.
    pub is_local: bool,
}

/// An access of the text.
struct Site {
    place: LocId,
    spot: Spot,
    touch: Touch,
    /// Whether other threads may run.
    concurrent: bool,
}

/// Finds them. `everything` takes all accesses of shared objects instead of those on cycles.
pub fn involved(
    program: &Program,
    model: &Model,
    everything: bool,
    limits: &Limits,
) -> Result<Involved, Failed> {
    let known = PointsTo::of(program);
    let roots = roots(program, &known);
    let reader =
        Reader { known: &known, shared: known.shared(false), language: language_of(model) };
    let mut judge = Judge::new(model, limits.clone());
    let graph = Graph::of(&roots, &reader, &mut judge);
    let found = search(&graph, &mut judge)?;
    let view = View { program, graph: &graph, roots: &roots };
    let analysis = view.analysis(&found);
    let sites = sites(program, &roots, &reader);
    let mut inside = match everything {
        true => (0..graph.classes.len()).collect(),
        false => on_cycles(&graph, &found),
    };
    let places = close(&graph, &sites, &mut inside);
    let shared: BTreeSet<LocId> =
        sites.iter().filter(|site| site.concurrent).map(|site| site.place).collect();
    Ok(Involved { analysis, places, shared: shared.len() })
}

/// The classes on the cycles that the model allows.
fn on_cycles(graph: &Graph, found: &Search) -> BTreeSet<usize> {
    let pairs = found.seen.iter().flatten().chain(&found.longer);
    pairs.flat_map(|&pair| [graph.pairs[pair].first, graph.pairs[pair].second]).collect()
}

/// All accesses of objects that threads share, by the steps that make them.
fn sites(program: &Program, roots: &[Root<'_>], reader: &Reader<'_>) -> Vec<Site> {
    let mut sites = Vec::new();
    for root in roots.iter().filter(|root| root.count > 0) {
        let steps = Steps::of(&root.flow, reader);
        let running = concurrent(root, roots, &steps);
        for (&step, made) in &steps.made {
            // A new object has no history.
            let Action::Inst(Inst { op, .. }) = &root.flow.steps[step].action else { continue };
            if matches!(op, Op::Alloc { .. } | Op::Enter { .. }) {
                continue;
            }
            let users = root.flow.users_step(step);
            let Some(place) = root.flow.steps[users].place else { continue };
            for made in made.iter().filter(|made| !made.spot.objects.is_empty()) {
                let touch = Touch {
                    reads: made.deed.read.is_some(),
                    writes: made.deed.write.is_some(),
                    path: made.path.clone(),
                    is_local: made.spot.objects.iter().any(|object| ends_early(program, object)),
                };
                let concurrent = running.contains(&step);
                sites.push(Site { place, spot: made.spot.clone(), touch, concurrent });
            }
        }
    }
    sites
}

/// Whether an object may end while other threads run.
fn ends_early(program: &Program, object: &Object) -> bool {
    match object {
        Object::Slot(function, _) | Object::Here(function, _) => !program.entry.contains(function),
        _ => false,
    }
}

/// Makes a set of classes closed, and says at which places there are accesses of it.
fn close(graph: &Graph, sites: &[Site], inside: &mut BTreeSet<usize>) -> BTreeMap<LocId, Touch> {
    let components = components(graph);
    let mut places: BTreeMap<LocId, Touch> = BTreeMap::new();
    loop {
        let before = (inside.len(), places.len());
        let cyclic: BTreeSet<usize> =
            inside.iter().flat_map(|class| components.of[class].clone()).collect();
        inside.extend(cyclic.iter().flat_map(|number| &components.members[number]));
        let mut spots: BTreeSet<&Spot> =
            inside.iter().map(|&class| &graph.classes[class].spot).collect();
        for site in sites {
            let here = places.contains_key(&site.place);
            let meets = || spots.iter().any(|spot| spot.meets(&site.spot));
            if !here && (!site.concurrent || !meets()) {
                continue;
            }
            let touch = places.entry(site.place).or_default();
            touch.reads |= site.touch.reads;
            touch.writes |= site.touch.writes;
            touch.is_local |= site.touch.is_local;
            touch.path = touch.path.take().or_else(|| site.touch.path.clone());
        }
        spots.extend(sites.iter().filter(|s| places.contains_key(&s.place)).map(|s| &s.spot));
        let classes = graph.classes.iter().enumerate();
        let met = classes.filter(|(_, class)| spots.iter().any(|spot| spot.meets(&class.spot)));
        inside.extend(met.map(|(id, _)| id).collect::<Vec<_>>());
        if before == (inside.len(), places.len()) {
            return places;
        }
    }
}

/// The strongly connected components with cycles.
struct Components {
    /// Those that each class is in.
    of: BTreeMap<usize, BTreeSet<usize>>,
    /// The classes of each.
    members: BTreeMap<usize, BTreeSet<usize>>,
}

/// A node of the graph in which program order and communication alternate: a class, and whether the
/// next edge of a cycle is communication.
type Node = (usize, bool);

fn components(graph: &Graph) -> Components {
    let mut next: BTreeMap<Node, BTreeSet<Node>> = BTreeMap::new();
    for pair in &graph.pairs {
        next.entry((pair.first, false)).or_default().insert((pair.second, true));
    }
    for (from, ways) in graph.ways.iter().enumerate() {
        next.entry((from, true)).or_default().extend(ways.iter().map(|&(_, to)| (to, false)));
    }
    let number = numbered(&next);
    let mut components = Components { of: BTreeMap::new(), members: BTreeMap::new() };
    let mut add = |class: usize, component: usize| {
        components.of.entry(class).or_default().insert(component);
        components.members.entry(component).or_default().insert(class);
    };
    for (&from, tos) in &next {
        for &to in tos.iter().filter(|to| number[&from] == number[*to]) {
            add(from.0, number[&from]);
            add(to.0, number[&from]);
        }
    }
    for (from, ways) in graph.ways.iter().enumerate() {
        for &(single, to) in ways {
            let both = (number.get(&(from, true)), number.get(&(to, false)));
            if let (Some(single), (Some(here), Some(there))) = (single, both)
                && here == there
            {
                add(single, *here);
            }
        }
    }
    for class in 0..graph.classes.len() {
        components.of.entry(class).or_default();
    }
    components
}

/// The strongly connected components of a graph, numbered (Kosaraju and Sharir).
fn numbered(next: &BTreeMap<Node, BTreeSet<Node>>) -> BTreeMap<Node, usize> {
    let mut back: BTreeMap<Node, BTreeSet<Node>> = BTreeMap::new();
    for (&from, tos) in next {
        back.entry(from).or_default();
        tos.iter().for_each(|&to| {
            back.entry(to).or_default().insert(from);
        });
    }
    let none = BTreeSet::new();
    let (mut finished, mut seen) = (Vec::new(), BTreeSet::new());
    for &start in back.keys() {
        let mut open = vec![(start, false)];
        while let Some((node, done)) = open.pop() {
            if done {
                finished.push(node);
            } else if seen.insert(node) {
                open.push((node, true));
                open.extend(next.get(&node).unwrap_or(&none).iter().map(|&to| (to, false)));
            }
        }
    }
    let mut number: BTreeMap<Node, usize> = BTreeMap::new();
    for (fresh, &start) in finished.iter().rev().enumerate() {
        let mut open = vec![start];
        while let Some(node) = open.pop() {
            if number.contains_key(&node) {
                continue;
            }
            number.insert(node, fresh);
            open.extend(&back[&node]);
        }
    }
    number
}
