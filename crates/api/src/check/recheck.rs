//! Runs a counterexample again before anybody sees it: the stepper and the model's evaluator, which
//! share no code with what found it, must come to what the verdict says.

use engines::serial::{self, Explored, Failure, Observation, ObservationSet, Seen, SerialOptions};
use engines::test::compose::{Composed, Instance, InstanceId};
use execution::event::{EventId, Execution};
use execution::finding::FindingKind;
use execution::ids::Id;
use execution::relation::Relation;
use execution::verdict::Violation;
use execution::witness::{End, ThreadWitness, Witness};
use models::Model;
use replay::{Replayed, Unconfirmed, Under, confirm};
use report::explain::relevance::operation;
use sat::Limits;

/// What is right.
#[derive(Clone, Copy)]
pub struct Serial<'a> {
    /// The program whose serial executions say so.
    pub reference: &'a Composed,
    /// Whether freed blocks may be given again in them.
    pub reuse: bool,
    /// What they show.
    pub set: &'a ObservationSet,
}

/// The same, and looks at what the clients see in a test of a data type.
pub fn recheck(
    composed: &Composed,
    serial: Serial<'_>,
    under: Under<'_>,
    witness: &Witness,
    violation: &Violation,
) -> Result<Replayed, Unconfirmed> {
    let replayed = match is_in_loops(witness, violation) {
        true => waits_in_loops(composed, under, witness)?,
        false => confirm(&composed.program, under, witness, violation)?,
    };
    let found = replayed.finding.as_ref().map(|finding| finding.kind.name());
    match violation {
        Violation::Finding { .. } | Violation::Flag(_) => {}
        Violation::Reached(_) => {
            return Err("no test asks what an execution reaches".to_string().into());
        }
        Violation::Serial => return Err("a serial execution has no witness".to_string().into()),
        Violation::Observation { .. } | Violation::CommitPoints { .. } if found.is_some() => {
            let found = found.unwrap_or_default();
            let what = format!("the verdict tells an observation, the replay finds `{found}`");
            return Err(what.into());
        }
        Violation::Observation { seen, .. } => {
            same_observation(composed, &replayed, seen)?;
            if serial.set.contains(seen) {
                return Err(format!("a serial execution shows {}", text(composed, seen)).into());
            }
        }
        Violation::CommitPoints { seen, order, serial: told } => {
            same_observation(composed, &replayed, seen)?;
            let order: Option<Vec<InstanceId>> =
                order.as_ref().map(|order| order.iter().map(|&id| InstanceId::new(id)).collect());
            if let Some(order) = order {
                commits_in_order(composed, under.model, &replayed, &order)?;
                in_this_order((serial, under.limits), &order, seen, told.as_ref())?;
            }
        }
    }
    Ok(replayed)
}

/// Whether a deadlock is one of loops, among other things.
fn is_in_loops(witness: &Witness, violation: &Violation) -> bool {
    let spins = |thread: &ThreadWitness| thread.end == End::Spins;
    matches!(violation, Violation::Finding { kind: FindingKind::Deadlock, .. })
        && witness.threads.iter().any(spins)
}

/// Runs again what a replay knows as a loop that waits for ever. Of the operations of a data type
/// that is a deadlock like any other.
fn waits_in_loops(
    composed: &Composed,
    under: Under<'_>,
    witness: &Witness,
) -> Result<Replayed, Unconfirmed> {
    let violation: Violation = Violation::Finding { kind: FindingKind::Livelock, place: None };
    let mut replayed = confirm(&composed.program, under, witness, &violation)?;
    if let Some(finding) = &mut replayed.finding {
        finding.kind = FindingKind::Deadlock;
    }
    Ok(replayed)
}

/// The replay shows the clients what the verdict says.
fn same_observation(
    composed: &Composed,
    replayed: &Replayed,
    seen: &Observation,
) -> Result<(), String> {
    let replayed = observation(composed, replayed)?;
    if replayed != *seen {
        let (told, shown) = (text(composed, seen), text(composed, &replayed));
        return Err(format!("the verdict says {told}, the replay shows {shown}"));
    }
    Ok(())
}

/// Each operation of a thread takes effect somewhere in the replay, and neither what is read or
/// written where one does nor the model's orders of memory contradict this order.
fn commits_in_order(
    composed: &Composed,
    model: &Model,
    replayed: &Replayed,
    order: &[InstanceId],
) -> Result<(), String> {
    let mut commits = Vec::new();
    for &id in order.iter().filter(|id| id.index() < composed.instances.len()) {
        let Instance { name, column, index, .. } = &composed.instances[id];
        let own = Some((*column, *index));
        let mut events = replayed.execution.events.ids();
        match events.find(|&e| replayed.details[e].commits && operation(replayed, e) == own) {
            Some(event) => commits.push((name, event)),
            // The initial sequence is over before there are any events.
            None if *column == 0 => {}
            None => return Err(format!("in the replay `{name}` takes effect nowhere")),
        }
    }
    for (position, (first, a)) in commits.iter().enumerate() {
        for (second, b) in &commits[position + 1..] {
            let against = ["rf", "co"].iter().any(|name| {
                replayed.execution.relations.get(*name).is_some_and(|r| r.contains(*b, *a))
            });
            if against {
                return Err(format!("in the replay `{second}` takes effect before `{first}`"));
            }
        }
    }
    let commits: Vec<EventId> = commits.into_iter().map(|(_, event)| event).collect();
    in_line(model, &replayed.execution, &commits)
}

/// Events of different threads can come in this order although the model orders memory.
fn in_line(model: &Model, execution: &Execution, order: &[EventId]) -> Result<(), String> {
    let wrong = |_| "the model cannot be asked about the replay".to_string();
    let mut evaluator = model.prepare(execution).map_err(wrong)?;
    let none = Relation::empty(execution.events.len());
    evaluator.set_rf(execution.relations.get("rf").unwrap_or(&none));
    evaluator.set_co(execution.relations.get("co").unwrap_or(&none));
    let event = |id: EventId| &execution.events[id];
    let mut further = none.clone();
    for (position, &first) in order.iter().enumerate() {
        let others = order[position + 1..].iter();
        for &second in others.filter(|&&second| event(second).thread != event(first).thread) {
            further.insert(first, second);
        }
    }
    // Relations of events of one location order no memory.
    let is_local = |order: &Relation| {
        order.iter().all(|(a, b)| {
            let (a, b) = (&event(a).location, &event(b).location);
            a.is_some() && a == b
        })
    };
    let mut orders = evaluator.orders();
    orders.retain(|order| !is_local(order));
    match orders.iter().any(|order| order.union(&further).cycle().is_some()) {
        true => Err("the model orders the commit accesses in another way".to_string()),
        false => Ok(()),
    }
}

/// The operations, one after the other in this order, do not show what was seen, but what the
/// verdict says.
fn in_this_order(
    (serial, limits): (Serial<'_>, &Limits),
    order: &[InstanceId],
    seen: &Observation,
    told: Option<&Observation>,
) -> Result<(), Unconfirmed> {
    let Serial { reference, reuse, .. } = serial;
    let options = SerialOptions { reuse, limits: limits.clone(), ..Default::default() };
    let wrong = |what: &str| Err(Unconfirmed::Mismatch(what.to_string()));
    let orders = match serial::explore(reference, &options) {
        Ok(Explored::All { orders, .. }) => orders,
        Err(Failure::Interrupted(_)) => return Err(Unconfirmed::GaveUp),
        _ => return wrong("the serial executions are not the same when they are run again"),
    };
    let all = reference.instances.len();
    if order.len() != all || order.iter().any(|id| id.index() >= all) || seen.len() != all {
        return wrong("the order is not one of the operations of the test");
    }
    let shown = orders.in_order(order, seen);
    if shown.as_ref() == Some(seen) {
        return wrong(&format!("the serial execution shows the same: {}", text(reference, seen)));
    }
    match shown.as_ref() == told {
        true => Ok(()),
        false => wrong("the serial execution shows something else than the verdict says"),
    }
}

/// What the replay shows, in the order of the operations of the test.
fn observation(composed: &Composed, replayed: &Replayed) -> Result<Observation, String> {
    let of = |instance: &Instance| {
        let key = (instance.column as u32, Some(instance.index as u32));
        let Some(list) = replayed.observation.operations.get(&key) else { return Ok(Vec::new()) };
        let seen = |value: &replay::observation::Observed| {
            let label = value.label.clone();
            let number = signed(value.bits, value.width);
            if value.text.starts_with('&') {
                return Err(format!("`{}` observes the address {}", instance.name, value.text));
            }
            Ok(Seen { label, value: number })
        };
        list.iter().map(seen).collect()
    };
    composed.instances.iter().map(of).collect()
}

pub(crate) fn signed(bits: u128, width: u32) -> i128 {
    let unused = 128 - width.clamp(1, 128);
    ((bits << unused) as i128) >> unused
}

/// `e: value=0; d: taken=1`.
pub fn text(composed: &Composed, observation: &Observation) -> String {
    let one = |(instance, seen): (&Instance, &Vec<Seen>)| {
        let seen: String = seen.iter().map(|seen| format!(" {seen}")).collect();
        format!("{}:{seen}", instance.name)
    };
    let all: Vec<String> = composed.instances.iter().zip(observation).map(one).collect();
    all.join("; ")
}

#[cfg(test)]
mod tests {
    use super::signed;

    #[test]
    fn observed_bits_are_signed_numbers_of_their_width() {
        assert_eq!(signed(0xffff_ffff, 32), -1);
        assert_eq!(signed(0xffff_ffff, 64), 0xffff_ffff);
        assert_eq!(signed(1, 1), -1);
        assert_eq!(signed(u128::MAX, 128), -1);
    }
}
