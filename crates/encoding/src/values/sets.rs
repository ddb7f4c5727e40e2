//! What the analysis found: the values of terms and the places of accesses.

use super::places::{Addresses, Places};
use super::set::Set;
use crate::bounded::{ActionId, ActionKind, Bounded};
use crate::term::{Term, TermId};
use execution::ids::{Id, IdVec};
use std::borrow::Cow;

/// The values that each term may take, and where each access may go.
#[derive(Clone, Debug)]
pub struct Sets {
    terms: IdVec<TermId, Set>,
    places: IdVec<ActionId, Option<Places>>,
    /// Whether literals are given to values; otherwise only to bits.
    pub(super) tell_apart: bool,
}

impl Sets {
    pub(super) fn new(bounded: &Bounded, terms: IdVec<TermId, Set>, tell_apart: bool) -> Self {
        let places = bounded.actions.iter().map(|action| match &action.kind {
            ActionKind::Read { access, .. } => Some(Places::of(bounded, &terms, access, false)),
            ActionKind::Write { access, .. } => Some(Places::of(bounded, &terms, access, true)),
            _ => None,
        });
        Self { places: places.collect(), terms, tell_apart }
    }

    /// The values that a term may take. Constants may be younger than the analysis.
    pub fn of(&self, bounded: &Bounded, id: TermId) -> Cow<'_, Set> {
        match (self.terms.get(id), bounded.terms.term(id)) {
            (Some(set), _) => Cow::Borrowed(set),
            (None, Term::Const(value)) => Cow::Owned(Set::one(*value)),
            (None, term) => panic!("{id:?} ({term:?}) was made after the analysis"),
        }
    }

    /// The values of all terms.
    pub(super) fn terms(&self) -> &IdVec<TermId, Set> {
        &self.terms
    }

    /// Where an access may go; `None` for what is not an access.
    pub fn places(&self, action: ActionId) -> Option<&Places> {
        self.places.get(action)?.as_ref()
    }

    /// Drops the addresses of an access that are not among these.
    pub(super) fn keep_places(&mut self, action: ActionId, keep: impl Fn(u64) -> bool) {
        if let Some(Places { right: Addresses::These(list), .. }) = &mut self.places[action] {
            list.retain(|&address| keep(address));
        }
    }

    /// Whether two accesses may be to the same cell.
    pub fn may_alias(&self, bounded: &Bounded, a: ActionId, b: ActionId) -> bool {
        self.pair(a, b).is_some_and(|(a, b)| a.may_equal(bounded, b))
    }

    /// Whether two accesses are to the same cell whenever both are right.
    pub fn must_alias(&self, a: ActionId, b: ActionId) -> bool {
        self.pair(a, b).is_some_and(|(a, b)| a.must_equal(b))
    }

    /// Whether two accesses may be to cells that overlap and are not the same.
    pub fn may_overlap(&self, bounded: &Bounded, a: ActionId, b: ActionId) -> bool {
        self.pair(a, b).is_some_and(|(a, b)| a.may_overlap(bounded, b))
    }

    fn pair(&self, a: ActionId, b: ActionId) -> Option<(&Places, &Places)> {
        Some((self.places(a)?, self.places(b)?))
    }

    /// The size of the largest set that is listed.
    pub fn largest(&self) -> usize {
        self.terms.iter().filter_map(Set::few).map(<[_]>::len).max().unwrap_or(0)
    }

    /// How many terms have too many values to list.
    pub fn tops(&self) -> usize {
        self.terms.ids().filter(|id| self.terms.as_slice()[id.index()].few().is_none()).count()
    }
}
