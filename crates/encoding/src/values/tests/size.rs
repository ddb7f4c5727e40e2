//! How large formulas become: a list that several threads push to and walk.

use super::random::Builder;
use crate::bounded::{ActionId, ActionKind, Alternatives, Bounded};
use crate::guard::Guard;
use crate::term::TermId;
use crate::values::{Sets, ValueOptions, Values, analyse};
use ir::op::BinaryOp;
use ir::program::Width;
use sat::{BackendKind, Formula};
use std::sync::Arc;
use std::time::Instant;

/// Ten threads; each allocates a node with a value, hangs it before the list (reading the head,
/// writing `next` and the head), then walks the list, looking at the values of nodes.
fn list(threads: usize, steps: usize) -> Bounded {
    let mut builder = Builder::new(2 * threads + 1);
    let (head, eight) = (builder.pointer(0, 0), builder.number(Width::I64, 8));
    for thread in 0..threads {
        builder.thread();
        let node = builder.pointer(2 * thread + 2, 0);
        let next = builder.pointer(2 * thread + 2, 8);
        let value = builder.choice(Width::I64, Alternatives::Range(0, 1));
        builder.write(node, value, Guard::TRUE);
        let old = builder.read(head, Guard::TRUE);
        builder.write(next, old, Guard::TRUE);
        builder.write(head, node, Guard::TRUE);
        let (mut at, mut guard) = (builder.read(head, Guard::TRUE), Guard::TRUE);
        let null = builder.number(Width::I64, 0);
        let mut sum = value;
        for _ in 0..steps {
            let there = builder.bounded.terms.binary(BinaryOp::Ne, at, null);
            let there = builder.bounded.terms.truth(there);
            guard = builder.bounded.terms.guards.and(guard, there);
            let found = builder.read(at, guard);
            let more = builder.bounded.terms.binary(BinaryOp::Add, sum, found);
            sum = builder.bounded.terms.ite(guard, more, sum);
            let address = builder.bounded.terms.binary(BinaryOp::Add, at, eight);
            at = builder.read(address, guard);
        }
    }
    builder.bounded
}

/// Address, value and guard of every access.
fn accesses(bounded: &Bounded) -> Vec<(ActionId, bool, TermId, TermId)> {
    let inputs: Vec<TermId> = bounded
        .terms
        .ids()
        .filter(|&t| matches!(bounded.terms.term(t), crate::term::Term::Input(_)))
        .collect();
    let accesses = bounded.actions.enumerate().filter_map(|(id, action)| match &action.kind {
        ActionKind::Read { access, into, .. } => {
            use execution::ids::Id;
            Some((id, false, access.address, inputs[into.index()]))
        }
        ActionKind::Write { access, value, .. } => Some((id, true, access.address, *value)),
        _ => None,
    });
    accesses.collect()
}

/// Everything that a memory model asks for: guards, equal addresses of all pairs that may be at
/// one place, and the values of all reads that may see a write.
fn encode(bounded: &Arc<Bounded>, sets: Sets) -> (Formula, usize, usize) {
    let mut f = Formula::new(BackendKind::Cadical);
    let all = accesses(bounded);
    let mut values = Values::new(bounded.clone(), sets.clone());
    let (mut pairs, mut reads_from) = (0, 0);
    for (id, ..) in &all {
        values.guard(&mut f, bounded.actions[*id].guard);
    }
    for (a, a_writes, x, v) in &all {
        for (b, b_writes, y, w) in &all {
            if a >= b || !(*a_writes || *b_writes) || !sets.may_alias(bounded, *a, *b) {
                continue;
            }
            pairs += 1;
            values.same_address(&mut f, *x, *y);
            if a_writes != b_writes {
                reads_from += 1;
                let rf = f.fresh();
                values.equal_if(&mut f, rf, *v, *w);
            }
        }
    }
    (f, pairs, reads_from)
}

/// Clauses per pair of accesses.
fn measure(options: ValueOptions) -> u64 {
    let bounded = Arc::new(list(10, 13));
    assert!(bounded.actions.len() >= 300);
    let start = Instant::now();
    let sets = analyse(&bounded, &options);
    let analysed = start.elapsed();
    let (largest, tops) = (sets.largest(), sets.tops());
    let (f, pairs, reads_from) = encode(&bounded, sets);
    let stats = f.stats();
    println!(
        "{} accesses, {} terms, largest set {largest}, {tops} tops; analysis {analysed:?}, \
         encoding {:?}; {pairs} pairs, {reads_from} rf; {} variables, {} clauses",
        bounded.actions.len(),
        bounded.terms.len(),
        start.elapsed() - analysed,
        stats.variables,
        stats.clauses,
    );
    stats.clauses / (pairs + reads_from) as u64
}

#[test]
fn three_hundred_accesses_take_a_few_clauses_per_pair() {
    assert!(measure(ValueOptions::default()) < 10);
}

#[test]
fn without_value_sets_they_take_a_few_hundred() {
    assert!(measure(ValueOptions { value_sets: false, ..ValueOptions::default() }) < 500);
}
