//! Threads that wait for ever: deadlocks, and loops that wait for what does not come.

use super::Property;
use crate::unrolling::{Progress, SIMPLER, Unrolling, solve};
use crate::verdict::{Counterexample, Reason, Violation};
use encoding::encode::{Encoding, Stuck};
use ir::step::finding::FindingKind;
use sat::Lit;

/// Asks whether all threads that have not ended can wait for ever.
pub(crate) fn stuck(
    unrolling: &Unrolling<'_>,
    encoding: &mut Encoding<'_>,
    properties: &[Property],
    found: &mut Vec<(Property, Counterexample)>,
) -> Result<(), Reason> {
    unrolling.doing(Progress::Waiting);
    let all = encoding.stuck();
    let over = encoding.over();
    for &property in properties {
        if let Some(chosen) = ask(encoding, &all, over, property)? {
            let spins = |stuck: &&Stuck| is_loop(stuck) && encoding.formula.value(stuck.lit);
            let kind = match all.iter().find(spins) {
                Some(_) => FindingKind::Livelock,
                None => FindingKind::Deadlock,
            };
            let violation = Violation::Finding { kind, place: chosen.origin.place };
            let witness = Some(encoding.witness());
            found.push((property, Counterexample { violation, witness }));
        }
    }
    Ok(())
}

fn is_loop(stuck: &Stuck) -> bool {
    stuck.waits.is_some_and(|waits| waits.spins)
}

/// Looks for an execution in which a thread waits for ever; gives where it does. A thread that
/// only awaits one that loops is not in a deadlock.
fn ask<'s>(
    encoding: &mut Encoding<'_>,
    all: &'s [Stuck],
    over: Lit,
    property: Property,
) -> Result<Option<&'s Stuck>, Reason> {
    let loops: Vec<&Stuck> = all.iter().filter(|stuck| is_loop(stuck)).collect();
    let locks: Vec<&Stuck> = all.iter().filter(|stuck| !is_loop(stuck)).collect();
    let sections: Vec<&Stuck> =
        locks.iter().copied().filter(|stuck| stuck.waits.is_some()).collect();
    let nobody_loops: Vec<Lit> = loops.iter().map(|stuck| !stuck.lit).collect();
    let questions = match property {
        Property::Liveness => vec![(loops, Vec::new())],
        _ => vec![(locks, nobody_loops), (sections, Vec::new())],
    };
    for (wanted, also) in questions {
        let lits: Vec<Lit> = wanted.iter().map(|stuck| stuck.lit).collect();
        let any = encoding.formula.or(&lits);
        if any == Lit::FALSE {
            continue;
        }
        let mut assumptions = vec![any, !over];
        assumptions.extend(also);
        if solve(encoding, &assumptions)? {
            encoding.simplify_waiting(&assumptions, SIMPLER);
            let happens = |stuck: &&&Stuck| encoding.formula.value(stuck.lit);
            return Ok(wanted.iter().find(happens).copied());
        }
    }
    Ok(None)
}
