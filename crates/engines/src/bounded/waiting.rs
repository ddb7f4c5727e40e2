//! Threads that wait for ever: deadlocks, and loops that wait for what does not come.
//!
//! A whole program is asked about deadlocks and about loops separately. For the operations of a data
//! type a loop that waits for ever is a deadlock too: it may be a lock that the data type makes
//! itself.
//!
//! Soundness S-122 (verify; all; misses): Threads that never terminate are not reported in
//! executions in which a thread calls `exit`, `_exit` or `quick_exit`, nor detached ones in
//! executions in which `main` returns. Test:
//! corpus/verify/deadlock/unjoined_waits_until_exit.c,
//! corpus/verify/liveness/unjoined_spins_until_exit.c,
//! corpus/verify/deadlock/detached_waits_for_a_condition.c.

use crate::bounded::unrolling::{SIMPLER, Unrolling, solve};
use crate::verdict::{Counterexample, Reason, Violation};
use crate::verification::Property;
use encoding::encode::{Encoding, Stuck};
use execution::finding::FindingKind;
use execution::question::Question;
use sat::Lit;

/// Asks whether all threads that have not ended can wait for ever.
pub(crate) fn stuck(
    unrolling: &Unrolling<'_>,
    encoding: &mut Encoding<'_>,
    properties: &[Property],
    found: &mut Vec<(Property, Counterexample)>,
) -> Result<(), Reason> {
    unrolling.doing(Question::Waiting);
    let all = encoding.stuck();
    let over = encoding.exits_by_design(&all);
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

/// Asks whether all operations that have not ended can wait for ever, in sections or in loops; at
/// least one does.
pub(crate) fn deadlock(
    unrolling: &Unrolling<'_>,
    encoding: &mut Encoding<'_>,
) -> Result<Option<Counterexample>, Reason> {
    unrolling.doing(Question::Waiting);
    let all = encoding.stuck();
    let wanted: Vec<&Stuck> = all.iter().filter(|stuck| stuck.waits.is_some()).collect();
    let over = encoding.exits_by_design(&all);
    let Some(chosen) = among(encoding, &wanted, &[!over])? else {
        unrolling.settled(Question::Waiting, encoding);
        return Ok(None);
    };
    let place = chosen.origin.place;
    let violation = Violation::Finding { kind: FindingKind::Deadlock, place };
    Ok(Some(Counterexample { violation, witness: Some(encoding.witness()) }))
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
    let none_loops: Vec<Lit> = loops.iter().map(|stuck| !stuck.lit).collect();
    let questions = match property {
        Property::Liveness => vec![(loops, Vec::new())],
        _ => vec![(locks, none_loops), (sections, Vec::new())],
    };
    for (wanted, mut also) in questions {
        also.push(!over);
        if let Some(chosen) = among(encoding, &wanted, &also)? {
            return Ok(Some(chosen));
        }
    }
    Ok(None)
}

/// Looks for an execution in which one of these threads waits for ever; gives which.
fn among<'s>(
    encoding: &mut Encoding<'_>,
    wanted: &[&'s Stuck],
    also: &[Lit],
) -> Result<Option<&'s Stuck>, Reason> {
    let lits: Vec<Lit> = wanted.iter().map(|stuck| stuck.lit).collect();
    let any = encoding.formula.or(&lits);
    let assumptions: Vec<Lit> = also.iter().copied().chain([any]).collect();
    if any == Lit::FALSE || !solve(encoding, &assumptions)? {
        return Ok(None);
    }
    encoding.simplify_waiting(&assumptions, SIMPLER);
    Ok(wanted.iter().find(|stuck| encoding.formula.value(stuck.lit)).copied())
}
