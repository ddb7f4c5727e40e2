//! How large the encoding of each memory model is on a synthetic graph of events.
//!
//! `cargo run --release -p encoding --example model_sizes -- [EVENTS [THREADS [MODEL…]]]`
//!
//! The graph looks like unrolled operations of a linked data type: a tenth of the accesses may be
//! at one of several locations, a third is guarded, every eighth event is a fence, there are
//! dependencies and some read-modify-writes. Nothing in it is meant to be a program.

use encoding::graph::{Edges, Graph, Members, Node};
use encoding::memory::{self, Choices};
use execution::event::{EventId, EventKind, ThreadId};
use execution::ids::{Id, IdVec};
use execution::relation::Relation;
use models::Model;
use models::algebra::{Sort, Term, TermId};
use sat::order::Strategy;
use sat::{BackendKind, Formula, Lit};
use std::collections::BTreeMap;
use std::time::Instant;

/// Numbers that look random.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % sides
    }
}

const LOCATIONS: usize = 12;

/// An event while the graph is made: the locations it may access, with their literals.
struct Draft {
    node: Node,
    places: Vec<(usize, Lit)>,
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |i: usize, default: usize| {
        arguments.get(i).and_then(|text| text.parse().ok()).unwrap_or(default)
    };
    let (events, threads) = (number(0, 200), number(1, 2));
    let named: Vec<&str> = arguments.iter().skip(2).map(String::as_str).collect();
    let all = ["sc", "tso", "relaxed", "rmo", "armv8", "riscv", "power", "rc11", "imm", "c11"];
    let names = if named.is_empty() { all.to_vec() } else { named };
    println!("{events} events in {threads} threads");
    println!("model        rf     co pruned variables  clauses  program seconds");
    for name in names {
        let Some(model) = Model::named(name) else {
            println!("{name}: not in the library");
            continue;
        };
        measure(&model, events, threads);
    }
}

fn measure(model: &Model, events: usize, threads: usize) {
    let Some(compiled) = model.compiled() else { return };
    let mut formula = Formula::new(BackendKind::Cadical);
    let graph = graph(&mut formula, compiled, events, threads);
    let before = formula.stats().clauses;
    let start = Instant::now();
    let choices = Choices::from(Strategy::Chordal);
    match memory::encode(&mut formula, &graph, compiled, choices) {
        Ok(memory) => {
            let sizes = memory.sizes;
            println!(
                "{:8} {:6} {:6} {:6} {:9} {:8} {before:8} {:7.3}",
                model.name,
                sizes.rf,
                sizes.co,
                sizes.pruned,
                sizes.variables,
                sizes.clauses,
                start.elapsed().as_secs_f64()
            );
        }
        Err(unsupported) => println!("{:8} unsupported: {}", model.name, unsupported.construct),
    }
}

fn graph(
    formula: &mut Formula,
    compiled: &models::Compiled,
    events: usize,
    threads: usize,
) -> Graph {
    let mut dice = Dice(7);
    let mut drafts: Vec<Draft> = (0..LOCATIONS)
        .map(|place| Draft {
            node: Node { thread: None, kind: EventKind::Write, instruction: 0, exec: Lit::TRUE },
            places: vec![(place, Lit::TRUE)],
        })
        .collect();
    for thread in 0..threads {
        let mut guard = Lit::TRUE;
        for index in 0..events / threads {
            if index % 6 == 0 {
                guard = if dice.roll(3) == 0 { formula.fresh() } else { Lit::TRUE };
            }
            drafts.push(draft(formula, &mut dice, thread, index, guard));
        }
    }
    let size = drafts.len();
    let mut graph = Graph {
        nodes: drafts.iter().map(|draft| draft.node).collect::<IdVec<EventId, Node>>(),
        implies: Relation::identity(size),
        excludes: Relation::empty(size),
        sets: BTreeMap::new(),
        relations: BTreeMap::new(),
        loc: Edges::new(),
        rf: Edges::new(),
        next: Vec::new(),
        differ: Edges::new(),
    };
    locations(formula, &mut graph, &drafts);
    reads_from(formula, &mut graph);
    for index in 0..compiled.terms.len() {
        if let Term::Base(name, sort) = &compiled.terms.node(TermId::new(index)).term {
            match sort {
                Sort::Set => {
                    let members = members(&graph, name);
                    graph.sets.insert(name.clone(), members);
                }
                Sort::Relation => {
                    let edges = edges(&graph, name);
                    graph.relations.insert(name.clone(), edges);
                }
            }
        }
    }
    graph
}

fn draft(formula: &mut Formula, dice: &mut Dice, thread: usize, index: usize, guard: Lit) -> Draft {
    let kind = match (index % 8, dice.roll(5)) {
        (7, _) => EventKind::Fence,
        (_, 0..3) => EventKind::Read,
        _ => EventKind::Write,
    };
    let first = dice.roll(LOCATIONS);
    let places = match kind {
        EventKind::Fence => Vec::new(),
        _ if dice.roll(10) == 0 => {
            let chosen = formula.fresh();
            vec![(first, chosen), ((first + 1) % LOCATIONS, !chosen)]
        }
        _ => vec![(first, Lit::TRUE)],
    };
    let thread = Some(ThreadId::new(thread));
    Draft { node: Node { thread, kind, instruction: index as u32, exec: guard }, places }
}

fn locations(formula: &mut Formula, graph: &mut Graph, drafts: &[Draft]) {
    for (a, first) in drafts.iter().enumerate() {
        for (b, second) in drafts.iter().enumerate().filter(|&(b, _)| b != a) {
            let mut ways = Vec::new();
            for &(place, here) in &first.places {
                for &(_, there) in second.places.iter().filter(|other| other.0 == place) {
                    ways.push(formula.and(&[here, there]));
                }
            }
            let same = formula.or(&ways);
            if same != Lit::FALSE {
                graph.loc.insert((EventId::new(a), EventId::new(b)), same);
            }
        }
    }
}

fn reads_from(formula: &mut Formula, graph: &mut Graph) {
    for (read, node) in graph.nodes.enumerate().filter(|(_, node)| node.kind == EventKind::Read) {
        let mut sources = vec![!node.exec];
        for (write, source) in graph.nodes.enumerate() {
            let Some(&loc) = graph.loc.get(&(write, read)) else { continue };
            if source.kind == EventKind::Write {
                let lit = formula.fresh();
                for needed in [loc, source.exec, node.exec] {
                    formula.clause(&[!lit, needed]);
                }
                graph.rf.insert((write, read), lit);
                sources.push(lit);
            }
        }
        formula.exactly_one(&sources);
    }
}

/// Every kind of fence is the kind that the model knows; accesses take all memory orders in turn.
fn members(graph: &Graph, name: &str) -> Members {
    let strong = ["MFENCE", "SYNC", "DMB.SY", "DMB", "Fence.rw.rw", "SC"];
    let weak = ["LWSYNC", "DMB.LD", "Fence.r.rw", "ACQ_REL", "LoadLoad", "StoreStore", "ISYNC"];
    let belongs = |event: EventId, node: &Node| {
        let fence = node.kind == EventKind::Fence;
        let turn = event.index() % 3;
        match name {
            "R" => node.kind == EventKind::Read,
            "W" => node.kind == EventKind::Write,
            "F" => fence,
            "IW" => node.thread.is_none(),
            "A" => node.thread.is_some() && !fence && turn != 2,
            "NA" => !fence && turn == 2,
            "RLX" => !fence && turn == 0,
            "ACQ" => node.kind == EventKind::Read && turn == 1,
            "REL" => node.kind == EventKind::Write && turn == 1,
            _ if fence && strong.contains(&name) => (event.index() / 8).is_multiple_of(2),
            _ if fence && weak.contains(&name) => event.index() / 8 % 2 == 1,
            _ => false,
        }
    };
    graph.nodes.enumerate().filter(|&(e, n)| belongs(e, n)).map(|(e, _)| (e, Lit::TRUE)).collect()
}

fn edges(graph: &Graph, name: &str) -> Edges {
    let mut edges = Edges::new();
    for (a, first) in graph.nodes.enumerate() {
        for (b, second) in graph.nodes.enumerate() {
            if first.thread.is_none() || first.thread != second.thread || a >= b {
                continue;
            }
            let near = b.index() - a.index();
            let read = first.kind == EventKind::Read;
            let there = match name {
                "po" => true,
                "addr" => read && near == 2 && second.kind != EventKind::Fence,
                "data" => read && near == 3 && second.kind == EventKind::Write,
                "ctrl" => read && a.index() % 4 == 0,
                "rmw" => read && near == 1 && second.kind == EventKind::Write && a.index() % 5 == 0,
                _ => false,
            };
            if there {
                edges.insert((a, b), Lit::TRUE);
            }
        }
    }
    edges
}
