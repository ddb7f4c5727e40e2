//! What the first thread chooses, if only some of its choices are to be looked at.

use crate::bounded::{Bounded, Input};
use crate::encode::clauses::Clauses;
use crate::guard::Guard;
use crate::term::{InputId, Term, TermId};
use execution::ids::Id;
use ir::value::Value;
use sat::Lit;
use std::collections::HashMap;

/// Leaves only these lists of choices to the first thread. Where they do not fit, because it
/// does not always make the same choices, everything is left to it.
pub(crate) fn restrict(clauses: &mut Clauses, states: &[Vec<Value>]) {
    let unrolled = clauses.unrolled.clone();
    let Some(choices) = &unrolled.choices else { return };
    let fit = |list: &Vec<Value>| list.len() == choices.len();
    if states.is_empty() || !states.iter().all(fit) {
        return;
    }
    let mut all = Vec::new();
    for list in states {
        let is: Vec<Lit> = choices.iter().zip(list).map(|(&t, v)| clauses.is(t, v)).collect();
        if is.contains(&Lit::FALSE) {
            return;
        }
        all.push(clauses.formula.and(&is));
    }
    clauses.formula.clause(&all);
}

/// The choices of the first thread in order, if it makes each of them on every path that does not
/// leave a bound before, and leaves nothing else open.
pub(crate) fn choices(bounded: &mut Bounded) -> Option<Vec<TermId>> {
    let term = |id| match bounded.terms.term(id) {
        Term::Input(input) => Some((*input, id)),
        _ => None,
    };
    let terms: HashMap<InputId, TermId> = bounded.terms.ids().filter_map(term).collect();
    let mut beyond = Guard::FALSE;
    for hit in bounded.bounds.iter().filter(|hit| hit.moment.thread.index() == 0) {
        beyond = bounded.terms.guards.or(beyond, hit.moment.guard);
    }
    let mut choices = Vec::new();
    for (id, input) in bounded.inputs.enumerate() {
        let moment = match input {
            Input::Read(_) => continue,
            Input::Choice { moment, .. }
            | Input::Spurious { moment, .. }
            | Input::Exclusive { moment }
            | Input::Stays { moment } => moment,
        };
        if moment.thread.index() > 0 {
            continue;
        }
        let always = bounded.terms.guards.or(beyond, moment.guard) == Guard::TRUE;
        if !matches!(input, Input::Choice { .. }) || !always {
            return None;
        }
        choices.push((moment.sequence, *terms.get(&id)?));
    }
    choices.sort_unstable();
    Some(choices.into_iter().map(|(_, term)| term).collect())
}
