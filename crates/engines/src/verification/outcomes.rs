//! All that can be observed of a program, by enumeration: each solution leaves out what is known.

use crate::unrolling::{Progress, Unrolling};
use crate::verdict::Reason;
use encoding::encode::{Encoding, Enumeration, Seen, Unknown};
use execution::ids::Id;
use execution::witness::Witness;
use std::collections::BTreeMap;

/// What can be observed in one execution: labels and values in order, thread by thread, in the
/// order of [`Witness::ranks`].
pub type Observed = BTreeMap<usize, Vec<(String, i128)>>;

/// Finds all outcomes of the complete executions of an encoding, each with an execution.
pub(super) fn enumerate(
    unrolling: &Unrolling<'_>,
    encoding: &mut Encoding<'_>,
    found: &mut BTreeMap<Observed, Witness>,
) -> Result<(), Reason> {
    unrolling.doing(Progress::Outcomes);
    // If a thread ends the program, whoever awaits it does not come to its end.
    let cut_off = encoding.awaits_in_vain();
    let mut search = Enumeration::new(encoding, &[], &[!cut_off]);
    loop {
        match search.next(encoding) {
            Err(Unknown) => return Err(Reason::OutOfTime),
            Ok(None) => return Ok(()),
            Ok(Some(outcome)) => {
                let witness = encoding.witness();
                found.entry(observed(&outcome.seen, &witness.ranks())).or_insert(witness);
                search.exclude(encoding, &outcome);
            }
        }
    }
}

fn observed(seen: &[Seen], ranks: &[Option<usize>]) -> Observed {
    let mut observed = Observed::new();
    for seen in seen {
        let value = (seen.label.to_string(), seen.value.as_signed());
        let number = seen.thread.index();
        let rank = ranks.get(number).copied().flatten().unwrap_or(number);
        observed.entry(rank).or_default().push(value);
    }
    observed
}
