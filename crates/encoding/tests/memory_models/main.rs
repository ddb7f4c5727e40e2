//! The solutions of the encoding are exactly the executions that the evaluator allows.
//!
//! For random small graphs and every model of the library (and random models), all solutions are
//! enumerated, projected to what is executed, where, what is read and how writes are ordered, and
//! compared with all executions put to `models::check_execution`; then each flag is asked
//! for under each allowed execution.

mod random_model;
mod skeleton;

use encoding::memory::{self, Choices};
use execution::event::{EventId, EventKind};
use models::{Model, check_execution, library};
use proptest::prelude::*;
use sat::order::Strategy as Order;
use sat::{Answer, BackendKind, Formula, Lit};
use skeleton::{Place, Skeleton, Spec, When};
use std::collections::{BTreeMap, BTreeSet};

/// What tells executions apart.
type Projection = (Vec<bool>, BTreeSet<(EventId, EventId)>, BTreeSet<(EventId, EventId)>);

fn spec() -> impl Strategy<Value = Spec> {
    let kind = prop_oneof![
        4 => Just(EventKind::Read),
        4 => Just(EventKind::Write),
        2 => Just(EventKind::Fence),
        1 => Just(EventKind::Other),
    ];
    let place = prop_oneof![
        3 => Just(Place::Known(0)),
        2 => Just(Place::Known(1)),
        1 => Just(Place::Open),
    ];
    let when = prop_oneof![
        4 => Just(When::Always),
        2 => Just(When::If(true)),
        1 => Just(When::If(false)),
    ];
    (kind, place, when, prop::bool::weighted(0.2)).prop_map(
        |(kind, place, when, same_instruction)| Spec { kind, place, when, same_instruction },
    )
}

fn skeletons() -> impl Strategy<Value = Skeleton> {
    let thread = prop::collection::vec(spec(), 1..=4);
    (prop::collection::vec(thread, 1..=3), any::<u64>())
        .prop_map(|(threads, seed)| Skeleton { threads, seed })
}

/// Compares one model on one skeleton; `None` if there are too many executions, or the model
/// cannot be encoded.
fn compare(model: &Model, skeleton: &Skeleton, choices: Choices) -> Option<usize> {
    compare_up_to(3000, model, skeleton, choices)
}

/// The same, with so many executions at most.
fn compare_up_to(
    most: usize,
    model: &Model,
    skeleton: &Skeleton,
    choices: Choices,
) -> Option<usize> {
    let compiled = skeleton::compiled(model);
    let mut formula = Formula::new(BackendKind::Cadical);
    let built = skeleton.build(&mut formula, compiled);
    let mut allowed: BTreeMap<Projection, BTreeSet<String>> = BTreeMap::new();
    built.executions(most, |candidate| {
        let outcome = check_execution(model, &candidate.execution).expect("a compiled model");
        if outcome.allowed() {
            let flags = outcome.flags.iter().map(|flag| flag.name.to_string()).collect();
            let rf = candidate.rf.into_iter().collect();
            let co = candidate.co.into_iter().collect();
            allowed.insert((candidate.choices, rf, co), flags);
        }
    })?;
    let memory = match memory::encode(&mut formula, &built.graph, compiled, choices) {
        Ok(memory) => memory,
        Err(unsupported) => {
            assert!(unsupported.construct.contains("recursive"), "{unsupported:?}");
            return None;
        }
    };
    let context = || format!("{} on {skeleton:?}", model.name);

    // Every solution is an allowed execution, and there is one for each.
    let free = built.choices();
    let graph = &built.graph;
    let active = formula.fresh();
    let mut remaining = allowed.clone();
    while formula.solve(&[active]) == Answer::Sat {
        let value = |lit: Lit| formula.value(lit);
        let chosen = free.iter().map(|&lit| value(lit)).collect();
        let executed = |e: EventId| value(graph.nodes[e].exec);
        let rf = graph.rf.iter().filter(|(_, lit)| value(**lit)).map(|(&pair, _)| pair).collect();
        let co = memory
            .co
            .iter()
            .filter(|(pair, lit)| value(**lit) && executed(pair.0) && executed(pair.1));
        let projection = (chosen, rf, co.map(|(&pair, _)| pair).collect());
        assert!(remaining.remove(&projection).is_some(), "{}: {projection:?}", context());
        let known = free.iter().chain(graph.rf.values()).chain(memory.co.values());
        let mut clause = vec![!active];
        clause.extend(known.map(|&lit| if value(lit) { !lit } else { lit }));
        formula.clause(&clause);
    }
    assert!(remaining.is_empty(), "{}: lost {:?}", context(), remaining.keys().next());

    // A flag can be had exactly where it is raised.
    for ((chosen, rf, co), flags) in &allowed {
        let sign = |lit: Lit, positive: bool| if positive { lit } else { !lit };
        let mut assumed: Vec<Lit> =
            free.iter().zip(chosen).map(|(&lit, &positive)| sign(lit, positive)).collect();
        assumed.extend(graph.rf.iter().map(|(pair, &lit)| sign(lit, rf.contains(pair))));
        assumed.extend(memory.co.iter().filter(|e| co.contains(e.0)).map(|(_, &lit)| lit));
        let names: BTreeSet<&str> = memory.flags.iter().map(|flag| &*flag.name).collect();
        for name in names {
            let of_name = memory.flags.iter().filter(|flag| &*flag.name == name);
            let mut possible = false;
            for flag in of_name {
                assumed.push(flag.lit);
                if formula.solve(&assumed) == Answer::Sat {
                    possible = true;
                    let shown = flag.pairs.iter().any(|&(_, lit)| formula.value(lit));
                    assert!(shown || flag.pairs.is_empty(), "{}", context());
                }
                assumed.pop();
            }
            assert_eq!(possible, flags.contains(name), "{name} of {}", context());
        }
    }
    Some(allowed.len())
}

fn cases(default: u32) -> ProptestConfig {
    let cases = std::env::var("PROPTEST_CASES").ok().and_then(|n| n.parse().ok());
    ProptestConfig { max_shrink_iters: 60, ..ProptestConfig::with_cases(cases.unwrap_or(default)) }
}

proptest! {
    #![proptest_config(cases(12))]

    #[test]
    fn solutions_are_the_allowed_executions_of_every_library_model(skeleton in skeletons()) {
        for entry in library::ENTRIES {
            let model = Model::named(entry.name).expect("a model of the library");
            compare(&model, &skeleton, Order::Chordal.into());
        }
    }

    #[test]
    fn pruning_and_redundant_clauses_change_no_answer(skeleton in skeletons()) {
        let plain = Choices { strategy: Some(Order::Chordal), prune: false, redundant: false };
        for name in ["sc", "tso", "relaxed", "power", "rc11"] {
            let model = Model::named(name).expect("a model of the library");
            compare(&model, &skeleton, plain);
        }
    }
}

#[test]
fn a_recursive_name_that_nothing_uses_is_still_defined() {
    let text =
        r#""unused" let rec p = co | addr; p; rf and q = (po & addr) | (po \ addr) empty po \ q"#;
    let model = Model::from_text("unused", text).expect("a model");
    let read = |place| Spec {
        kind: EventKind::Read,
        place: Place::Known(place),
        when: When::Always,
        same_instruction: false,
    };
    for seed in 0..20 {
        let skeleton = Skeleton { threads: vec![vec![read(0), read(0), read(1)]], seed };
        assert!(compare(&model, &skeleton, Choices::default()).is_some_and(|allowed| allowed > 0));
    }
}

proptest! {
    #![proptest_config(cases(40))]

    // A random model allows almost everything, so that each of its executions is a solution, and is
    // asked for each flag: thousands of executions in one case would take minutes.
    #[test]
    fn solutions_are_the_allowed_executions_of_any_model(
        skeleton in skeletons(),
        seed in any::<u64>(),
    ) {
        let text = random_model::text(seed);
        let model = Model::from_text(&text, &text).expect("a model");
        compare_up_to(300, &model, &skeleton, Order::Chordal.into());
    }
}
