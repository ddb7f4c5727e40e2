//! Programs of the shapes that ours have: a linked queue, a lock that is only tried, random code.

use super::events::{Events, constant, equal};
use sat::Lit;

const HEAD: u32 = 0;
const TAIL: u32 = 1;

fn fixed(location: u32) -> Vec<(u32, Lit)> {
    vec![(location, Lit::TRUE)]
}

/// The queue of Michael and Scott, every operation tried once: each enqueuer adds `n` numbers, one
/// thread takes `n`. Gives the literal that numbers arrive that were never written, or in an order
/// other than that in which they were sent.
pub fn queue(events: &mut Events, enqueuers: usize, n: usize) -> Lit {
    let nodes = enqueuers * n + 2; // Null and the first, empty one.
    let next = |pointer: &[Lit]| {
        (1..nodes).map(|p| (2 + p as u32, pointer[p])).collect::<Vec<(u32, Lit)>>()
    };
    let number = |pointer: &[Lit]| {
        (1..nodes).map(|p| ((2 + nodes + p) as u32, pointer[p])).collect::<Vec<(u32, Lit)>>()
    };
    let null = constant(0, nodes);
    events.initial.extend([(HEAD, 1), (TAIL, 1)]);
    for enqueuer in 0..enqueuers {
        for i in 0..n {
            let node = constant(2 + enqueuer * n + i, nodes);
            let thread = 1 + enqueuer;
            events.store(thread, Lit::TRUE, &number(&node), node.clone());
            events.store(thread, Lit::TRUE, &next(&node), null.clone());
            let tail = events.load(thread, Lit::TRUE, &fixed(TAIL), nodes);
            let after = events.load(thread, Lit::TRUE, &next(&tail), nodes);
            let linked = events.cas(thread, after[0], &next(&tail), [&null, &node]);
            events.cas(thread, linked, &fixed(TAIL), [&tail, &node]);
            events.cas(thread, !after[0], &fixed(TAIL), [&tail, &after]);
        }
    }
    let taken: Vec<Vec<Lit>> = (0..n)
        .map(|_| {
            let head = events.load(0, Lit::TRUE, &fixed(HEAD), nodes);
            let tail = events.load(0, Lit::TRUE, &fixed(TAIL), nodes);
            let after = events.load(0, Lit::TRUE, &next(&head), nodes);
            let empty = equal(events.formula, &head, &tail);
            let lagging = events.formula.and(&[empty, !after[0]]);
            events.cas(0, lagging, &fixed(TAIL), [&tail, &after]);
            let some = events.formula.and(&[!empty, !after[0]]);
            let value = events.load(0, some, &number(&after), nodes);
            let done = events.cas(0, some, &fixed(HEAD), [&head, &after]);
            value.iter().map(|&lit| events.formula.and(&[done, lit])).collect()
        })
        .collect();
    let mut wrong: Vec<Lit> = taken.iter().flat_map(|value| value[..2].to_vec()).collect();
    for (j, later) in taken.iter().enumerate() {
        for earlier in &taken[..j] {
            for (v, &small) in later.iter().enumerate().skip(2) {
                let end = 2 + ((v - 2) / n + 1) * n;
                for &large in &earlier[v..end] {
                    wrong.push(events.formula.and(&[large, small]));
                }
            }
        }
    }
    events.formula.or(&wrong)
}

/// Each thread tries a lock `n` times, writes its number to the owner word if it has it, and
/// unlocks. Gives the literal that a thread which has the lock sees another owner.
pub fn trylock(events: &mut Events, threads: usize, n: usize) -> Lit {
    let (lock, owner) = (fixed(0), fixed(1));
    let size = threads + 1;
    let mut wrong = Vec::new();
    for thread in 0..threads {
        for _ in 0..n {
            let taken = events.cas(thread, Lit::TRUE, &lock, [&constant(0, 2), &constant(1, 2)]);
            events.store(thread, taken, &owner, constant(thread + 1, size));
            let seen = events.load(thread, taken, &owner, size);
            wrong.push(events.formula.and(&[taken, !seen[thread + 1]]));
            events.store(thread, taken, &lock, constant(0, 2));
        }
    }
    events.formula.or(&wrong)
}

/// Loads and stores of few locations; every load sees some value that another thread wrote.
pub fn random(events: &mut Events, threads: usize, n: usize) -> Lit {
    let mut state = 1u64;
    let mut draw = |below: u64| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let size = threads + 1;
    let mut foreign = Vec::new();
    for thread in 0..threads {
        for _ in 0..n {
            let location = fixed(draw(8) as u32);
            if draw(2) == 0 {
                events.store(thread, Lit::TRUE, &location, constant(thread + 1, size));
            } else {
                let value = events.load(thread, Lit::TRUE, &location, size);
                if draw(4) == 0 {
                    foreign.push(!value[thread + 1]);
                }
            }
        }
    }
    events.formula.and(&foreign)
}
