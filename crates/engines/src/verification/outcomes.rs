//! All that can be observed of a program, by enumeration: each solution leaves out what is known.
//!
//! The final values of a program are observed by the thread that terminates it: `main` when it
//! returns, or a thread that calls `exit`. How far the other threads are does not matter then.
//!
//! Soundness S-123 (verify; all; cries wolf): Where other threads still run when the program ends,
//! the expressions of `--outcomes` are read one after the other and need not have held at one
//! moment. Test: crates/fencepost/tests/verdicts.rs::whoever_ends_the_program_tells_its_outcome.
//!
//! Soundness S-124 (verify; all; misses): Lists of outcomes leave out executions that end at a
//! finding. Test:
//! crates/fencepost/tests/verify.rs::it_is_told_that_executions_that_go_wrong_have_no_outcome.

use crate::bounded::unrolling::{Unrolling, solve};
use crate::verdict::Reason;
use encoding::encode::{Encoding, Enumeration, FinalObservations, Seen, Unknown};
use execution::event::ThreadId;
use execution::ids::Id;
use execution::question::Question;
use execution::witness::Witness;
use sat::Lit;
use std::collections::BTreeMap;

/// Which observations are to be found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Asked {
    /// None.
    #[default]
    Nothing,
    /// Those of the thread that terminates the program, which then makes observations with these
    /// labels; there are no others ([`Observer`](ir::prepare::Observer)).
    AtTheEnd(Vec<String>),
    /// Those of all threads in executions that are complete.
    All,
}

impl Asked {
    /// Whether any are.
    pub fn is_some(&self) -> bool {
        *self != Asked::Nothing
    }

    /// Whether those at the end of the program are.
    pub fn is_at_the_end(&self) -> bool {
        matches!(self, Asked::AtTheEnd(_))
    }
}

/// What can be observed in one execution: labels and values in order, thread by thread, in the
/// order of [`Witness::ranks`]. What is observed at the end of the program is that of thread 0,
/// whichever thread ends it.
pub type Observed = BTreeMap<usize, Vec<(String, i128)>>;

/// Finds all outcomes of the complete executions of an encoding, each with an execution.
pub(crate) fn enumerate(
    unrolling: &Unrolling<'_>,
    encoding: &mut Encoding<'_>,
    found: &mut BTreeMap<Observed, Witness>,
) -> Result<(), Reason> {
    unrolling.doing(Question::Outcomes);
    // If a thread ends the program, a thread that joins it does not terminate.
    let cut_off = encoding.awaits_in_vain();
    let mut search = Enumeration::new(encoding, &[], &[!cut_off]);
    loop {
        match search.next(encoding) {
            Err(Unknown) => return Err(Reason::limit(encoding.formula.limits())),
            Ok(None) => return Ok(()),
            Ok(Some(outcome)) => {
                let witness = encoding.witness();
                found.entry(observed(&outcome.seen, &witness.ranks())).or_insert(witness);
                search.exclude(encoding, &outcome);
            }
        }
    }
}

/// Finds what the thread that terminates the program observes, each with an execution, if not all
/// of it shows in complete ones; gives whether that is so.
pub(crate) fn at_the_end(
    unrolling: &Unrolling<'_>,
    encoding: &mut Encoding<'_>,
    labels: &[String],
    found: &mut BTreeMap<Observed, Witness>,
) -> Result<bool, Reason> {
    unrolling.doing(Question::Outcomes);
    let all = encoding.final_observations(labels);
    let main = ThreadId::new(0);
    if all.iter().all(|words| words.thread == main) {
        let said: Vec<Lit> = all.iter().map(|words| words.made).collect();
        let mut unfinished = right(encoding, main);
        unfinished.extend([encoding.formula.or(&said), !encoding.complete()]);
        if !solve(encoding, &unfinished)? {
            return Ok(false);
        }
    }
    for words in all {
        // Under this assumption, what is known is left out.
        let others = encoding.formula.fresh();
        let exclude = |encoding: &mut Encoding<'_>, observed: &Observed| {
            let values: Vec<i128> = observed[&0].iter().map(|(_, value)| *value).collect();
            let same = encoding.final_values_are(&words, &values);
            encoding.formula.clause(&[!others, !same]);
        };
        found.keys().for_each(|observed| exclude(encoding, observed));
        let mut assumptions = right(encoding, words.thread);
        assumptions.extend([words.made, others]);
        while solve(encoding, &assumptions)? {
            let observed = Observed::from([(0, said(encoding, &words))]);
            let witness = encoding.witness();
            exclude(encoding, &observed);
            found.insert(observed, witness);
        }
    }
    Ok(true)
}

/// That a thread has no finding. Others may have one, which stops them; no thread continues after
/// an undetected error.
fn right(encoding: &mut Encoding<'_>, thread: ThreadId) -> Vec<Lit> {
    let stopped = !encoding.unnoticed();
    let own = encoding.findings().iter().filter(|finding| finding.thread == thread);
    own.map(|finding| !finding.wrong).chain([stopped]).collect()
}

fn said(encoding: &Encoding<'_>, words: &FinalObservations) -> Vec<(String, i128)> {
    let said = encoding.final_values(words).into_iter();
    said.map(|(label, value)| (label.to_string(), value.as_signed())).collect()
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
