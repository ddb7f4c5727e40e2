//! Every strategy on every backend against brute force, on random small graphs.

use proptest::prelude::*;
use sat::{Answer, BackendKind, Formula, Lit, order};

/// What an edge's literal is: a constant, or a variable or its negation.
#[derive(Clone, Copy, Debug)]
enum Label {
    Always,
    Never,
    If(usize, bool),
}

/// A graph whose edges depend on a few variables, with clauses over these.
#[derive(Clone, Debug)]
struct Instance {
    nodes: usize,
    variables: usize,
    edges: Vec<(u32, u32, Label)>,
    more_edges: Vec<(u32, u32, Label)>,
    clauses: Vec<Vec<(usize, bool)>>,
}

const BACKENDS: [BackendKind; 2] = [BackendKind::Cadical, BackendKind::Batsat];
const STRATEGIES: [order::Strategy; 5] = [
    order::Strategy::BySize,
    order::Strategy::AllPairs,
    order::Strategy::Chordal,
    order::Strategy::Theory,
    order::Strategy::Lazy,
];

fn instance() -> impl Strategy<Value = Instance> {
    (2usize..8, 1usize..9).prop_flat_map(|(nodes, variables)| {
        let label = prop_oneof![
            2 => Just(Label::Always),
            1 => Just(Label::Never),
            12 => (0..variables, any::<bool>()).prop_map(|(v, sign)| Label::If(v, sign)),
        ];
        let edge = (0..nodes as u32, 0..nodes as u32, label);
        let clause = prop::collection::vec((0..variables, any::<bool>()), 1..4);
        (
            prop::collection::vec(edge.clone(), 0..16),
            prop::collection::vec(edge, 0..6),
            prop::collection::vec(clause, 0..8),
        )
            .prop_map(move |(edges, more_edges, clauses)| Instance {
                nodes,
                variables,
                edges,
                more_edges,
                clauses,
            })
    })
}

/// Whether the edges that hold have no cycle: nodes without a way in can be taken away.
fn is_acyclic(nodes: usize, edges: &[(u32, u32, Label)], holds: &dyn Fn(Label) -> bool) -> bool {
    let mut left: Vec<u32> = (0..nodes as u32).collect();
    loop {
        let entered =
            |node: u32| edges.iter().any(|&(a, b, l)| b == node && left.contains(&a) && holds(l));
        let rest: Vec<u32> = left.iter().copied().filter(|&node| entered(node)).collect();
        if rest.len() == left.len() {
            return rest.is_empty();
        }
        left = rest;
    }
}

fn label_holds(label: Label, bits: u32) -> bool {
    match label {
        Label::Always => true,
        Label::Never => false,
        Label::If(variable, sign) => (bits >> variable & 1 == 1) == sign,
    }
}

impl Instance {
    fn all_edges(&self) -> Vec<(u32, u32, Label)> {
        self.edges.iter().chain(&self.more_edges).copied().collect()
    }

    fn satisfies(&self, edges: &[(u32, u32, Label)], bits: u32) -> bool {
        let clauses =
            self.clauses.iter().all(|c| c.iter().any(|&(v, s)| (bits >> v & 1 == 1) == s));
        clauses && is_acyclic(self.nodes, edges, &|label| label_holds(label, bits))
    }

    fn models(&self, edges: &[(u32, u32, Label)]) -> Vec<u32> {
        (0..1 << self.variables).filter(|&bits| self.satisfies(edges, bits)).collect()
    }
}

fn literals(variables: &[Lit], edges: &[(u32, u32, Label)]) -> Vec<(u32, u32, Lit)> {
    let literal = |label| match label {
        Label::Always => Lit::TRUE,
        Label::Never => Lit::FALSE,
        Label::If(v, true) => variables[v],
        Label::If(v, false) => !variables[v],
    };
    edges.iter().map(|&(a, b, label)| (a, b, literal(label))).collect()
}

/// All models over these variables, by blocking one after the other under an activation literal.
fn enumerate(formula: &mut Formula, variables: &[Lit]) -> Vec<u32> {
    let active = formula.fresh();
    let mut models = Vec::new();
    while formula.solve(&[active]) == Answer::Sat {
        let bits = (0..variables.len()).map(|i| u32::from(formula.value(variables[i])) << i).sum();
        models.push(bits);
        let mut block: Vec<Lit> =
            variables.iter().map(|&v| if formula.value(v) { !v } else { v }).collect();
        block.push(!active);
        formula.clause(&block);
    }
    models.sort_unstable();
    models
}

/// Compares all models, then again after more edges were added to the solver that has run.
fn check(instance: &Instance, kind: BackendKind, strategy: order::Strategy) {
    let mut formula = Formula::new(kind);
    let variables: Vec<Lit> = (0..instance.variables).map(|_| formula.fresh()).collect();
    for clause in &instance.clauses {
        let clause: Vec<Lit> =
            clause.iter().map(|&(v, s)| if s { variables[v] } else { !variables[v] }).collect();
        formula.clause(&clause);
    }
    order::acyclic(&mut formula, instance.nodes, &literals(&variables, &instance.edges), strategy);
    assert_eq!(enumerate(&mut formula, &variables), instance.models(&instance.edges));
    let all = instance.all_edges();
    order::acyclic(&mut formula, instance.nodes, &literals(&variables, &all), strategy);
    assert_eq!(enumerate(&mut formula, &variables), instance.models(&all));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(400) })]

    #[test]
    fn every_strategy_and_backend_has_exactly_the_acyclic_models(instance in instance()) {
        for kind in BACKENDS {
            for strategy in STRATEGIES {
                check(&instance, kind, strategy);
            }
        }
    }
}
