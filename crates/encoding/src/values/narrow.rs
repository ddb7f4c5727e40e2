//! Drops addresses of accesses that no path leads to: what is read may decide the address and the
//! path, as in `if (n != &dummy) … container_of(n)->value`.
//!
//! For each value that a read may return, the conditions on the way to an access are computed, and
//! its address. Whatever else they depend on may be anything, so an address is dropped only if the
//! access is never there.
//!
//! Soundness S-104 (check, verify; languages; refuses): An access seems to overlap another one
//! although a condition on its path excludes that, if the condition takes two reads to evaluate;
//! the program is refused then. Test:
//! crates/fencepost/tests/widths.rs::an_address_that_no_path_leads_to_is_no_access_of_another_width.

use super::evaluate::{self, Limits};
use super::places::Addresses;
use super::set::Set;
use super::{Sets, operands};
use crate::bounded::{ActionId, ActionKind, Bounded};
use crate::guard::Guard;
use crate::term::{Term, TermId};
use std::collections::{BTreeSet, HashMap};

/// Reads that may return more values than this are not looked at one by one.
const MOST_VALUES: usize = 16;
/// How many reads are examined for each access.
const MOST_INPUTS: usize = 4;
/// Terms that are computed in all.
const MOST_TERMS: usize = 200_000;
const LIMITS: Limits = Limits { values: 64, pairs: 1024 };

impl Sets {
    /// Drops such addresses.
    pub(crate) fn narrow(&mut self, bounded: &Bounded) {
        let mut left = MOST_TERMS;
        for id in bounded.actions.ids() {
            let list = match self.places(id).map(|places| &places.right) {
                Some(Addresses::These(list)) if !list.is_empty() => list.clone(),
                _ => continue,
            };
            if self.is_never(bounded, id, &mut left) {
                self.keep_places(id, |_| false);
                continue;
            }
            if list.len() == 1 {
                continue;
            }
            let (ActionKind::Read { access, .. } | ActionKind::Write { access, .. }) =
                &bounded.actions[id].kind
            else {
                continue;
            };
            for input in self.inputs(bounded, access.address) {
                if let Some(found) = self.reached(bounded, id, access.address, input, &mut left)
                    && list.iter().any(|address| !found.contains(address))
                {
                    self.keep_places(id, |address| found.contains(&address));
                }
            }
        }
    }

    /// Whether the conditions on the way to an access exclude each other, whatever reads return.
    fn is_never(&self, bounded: &Bounded, action: ActionId, left: &mut usize) -> bool {
        let (terms, guards) = (HashMap::new(), HashMap::new());
        let mut given = Given { bounded, sets: self, terms, guards, left };
        given.may(bounded.actions[action].guard, true) == Some(false)
    }

    /// The inputs with few values that a term is computed from.
    fn inputs(&self, bounded: &Bounded, term: TermId) -> Vec<TermId> {
        let (mut open, mut known) = (vec![term], BTreeSet::new());
        while let Some(term) = open.pop() {
            if known.insert(term) {
                open.extend(operands(bounded, term));
            }
        }
        let few = |id: &TermId| {
            let set = self.of(bounded, *id);
            matches!(bounded.terms.term(*id), Term::Input(_))
                && set.few().is_some_and(|values| (2..=MOST_VALUES).contains(&values.len()))
        };
        known.into_iter().filter(few).take(MOST_INPUTS).collect()
    }

    /// The addresses at which an access may be, if an input takes its values one by one; `None` if
    /// that is not known.
    fn reached(
        &self,
        bounded: &Bounded,
        action: ActionId,
        address: TermId,
        input: TermId,
        left: &mut usize,
    ) -> Option<BTreeSet<u64>> {
        let mut found = BTreeSet::new();
        for &value in self.of(bounded, input).few()? {
            let terms = HashMap::from([(input, Set::one(value))]);
            let mut given = Given { bounded, sets: self, terms, guards: HashMap::new(), left };
            if given.may(bounded.actions[action].guard, true)? {
                given.compute(address)?;
                found.extend(given.terms[&address].few()?.iter().map(|value| value.low()));
            }
        }
        Some(found)
    }
}

/// The values of terms, given that of an input.
struct Given<'a> {
    bounded: &'a Bounded,
    sets: &'a Sets,
    terms: HashMap<TermId, Set>,
    guards: HashMap<(Guard, bool), bool>,
    left: &'a mut usize,
}

impl Given<'_> {
    /// Computes the values of a term; `None` if that takes too long.
    fn compute(&mut self, id: TermId) -> Option<()> {
        if self.terms.contains_key(&id) {
            return Some(());
        }
        *self.left = self.left.checked_sub(1)?;
        let set = match *self.bounded.terms.term(id) {
            Term::Input(_) | Term::Const(_) => self.sets.of(self.bounded, id).into_owned(),
            Term::Ite(guard, a, b) => {
                let mut set = Set::empty();
                for (term, wanted) in [(a, true), (b, false)] {
                    if self.may(guard, wanted)? {
                        self.compute(term)?;
                        set = set.union(&self.terms[&term], LIMITS.values);
                    }
                }
                set
            }
            ref term => {
                for operand in operands(self.bounded, id) {
                    self.compute(operand)?;
                }
                evaluate::term(term, |operand| &self.terms[&operand], LIMITS)
            }
        };
        self.terms.insert(id, set);
        Some(())
    }

    /// Whether a guard may be so.
    fn may(&mut self, guard: Guard, wanted: bool) -> Option<bool> {
        if let Some(&known) = self.guards.get(&(guard, wanted)) {
            return Some(known);
        }
        let Some(decision) = self.bounded.terms.guards.decision(guard) else {
            return Some((guard == Guard::TRUE) == wanted);
        };
        self.compute(decision.condition)?;
        let condition = self.terms[&decision.condition].clone();
        let may_be = |value: bool| match condition.few() {
            Some(values) => values.iter().any(|v| !v.is_defined() || (v.bits != 0) == value),
            None => true,
        };
        let answer = may_be(true) && self.may(decision.high, wanted)?
            || may_be(false) && self.may(decision.low, wanted)?;
        self.guards.insert((guard, wanted), answer);
        Some(answer)
    }
}
