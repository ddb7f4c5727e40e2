//! Sets of events and binary relations between them, as dense bit matrices.
//!
//! One execution has a fixed number of events, so a set is a row of bits and a relation a square
//! of them. Every operation is a few word-wide loops; nothing here knows what a memory model is.

use crate::event::EventId;
use crate::ids::Id;

const WORD: usize = u64::BITS as usize;

/// A set of events.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct EventSet {
    size: usize,
    words: Vec<u64>,
}

/// A binary relation between events.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Relation {
    size: usize,
    /// Words per row.
    stride: usize,
    words: Vec<u64>,
}

fn words_for(size: usize) -> usize {
    size.div_ceil(WORD)
}

/// The bits that are in use in the last word of a row of `size` bits.
fn last_word_mask(size: usize) -> u64 {
    match size % WORD {
        0 => u64::MAX,
        used => (1 << used) - 1,
    }
}

fn bits_of(words: &[u64]) -> impl Iterator<Item = EventId> + '_ {
    words.iter().enumerate().flat_map(|(index, &word)| {
        std::iter::successors((word != 0).then_some(word), |rest| {
            let rest = rest & (rest - 1);
            (rest != 0).then_some(rest)
        })
        .map(move |rest| EventId::new(index * WORD + rest.trailing_zeros() as usize))
    })
}

fn complement(words: &mut [u64], size: usize) {
    for word in words.iter_mut() {
        *word = !*word;
    }
    if let Some(last) = words.last_mut() {
        *last &= last_word_mask(size);
    }
}

impl EventSet {
    /// The empty set, in an execution of `size` events.
    pub fn empty(size: usize) -> Self {
        Self { size, words: vec![0; words_for(size)] }
    }

    /// All `size` events.
    pub fn full(size: usize) -> Self {
        let mut set = Self::empty(size);
        complement(&mut set.words, size);
        set
    }

    /// The number of events in the execution (not in this set).
    pub fn size(&self) -> usize {
        self.size
    }

    /// The bits, event 0 lowest in the first word.
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// The set with these bits.
    pub fn from_words(size: usize, words: &[u64]) -> Self {
        assert_eq!(words.len(), words_for(size));
        Self { size, words: words.to_vec() }
    }

    /// Adds an event.
    pub fn insert(&mut self, event: EventId) {
        self.words[event.index() / WORD] |= 1 << (event.index() % WORD);
    }

    /// Whether `event` is in the set.
    pub fn contains(&self, event: EventId) -> bool {
        self.words[event.index() / WORD] >> (event.index() % WORD) & 1 == 1
    }

    /// The events in the set, in order.
    pub fn iter(&self) -> impl Iterator<Item = EventId> + '_ {
        bits_of(&self.words)
    }

    /// How many events are in the set.
    pub fn count(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether no event is in the set.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }

    fn zip(&self, other: &Self, f: impl Fn(u64, u64) -> u64) -> Self {
        let words = self.words.iter().zip(&other.words).map(|(&a, &b)| f(a, b)).collect();
        Self { size: self.size, words }
    }

    /// `self ∪ other`.
    pub fn union(&self, other: &Self) -> Self {
        self.zip(other, |a, b| a | b)
    }

    /// `self ∩ other`.
    pub fn intersection(&self, other: &Self) -> Self {
        self.zip(other, |a, b| a & b)
    }

    /// `self \ other`.
    pub fn difference(&self, other: &Self) -> Self {
        self.zip(other, |a, b| a & !b)
    }

    /// All events that are not in `self`.
    pub fn complement(&self) -> Self {
        let mut set = self.clone();
        complement(&mut set.words, self.size);
        set
    }

    /// `self × other`.
    pub fn product(&self, other: &Self) -> Relation {
        let mut relation = Relation::empty(self.size);
        for event in self.iter() {
            relation.row_mut(event).copy_from_slice(&other.words);
        }
        relation
    }

    /// `[self]`: the identity on this set.
    pub fn identity(&self) -> Relation {
        let mut relation = Relation::empty(self.size);
        for event in self.iter() {
            relation.insert(event, event);
        }
        relation
    }
}

impl Relation {
    /// The empty relation, in an execution of `size` events.
    pub fn empty(size: usize) -> Self {
        let stride = words_for(size);
        Self { size, stride, words: vec![0; stride * size] }
    }

    /// All pairs.
    pub fn full(size: usize) -> Self {
        EventSet::full(size).product(&EventSet::full(size))
    }

    /// The identity.
    pub fn identity(size: usize) -> Self {
        EventSet::full(size).identity()
    }

    /// The number of events in the execution.
    pub fn size(&self) -> usize {
        self.size
    }

    /// The bits, row by row; every row has the layout of [`EventSet::words`].
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// The relation with these bits.
    pub fn from_words(size: usize, words: &[u64]) -> Self {
        let stride = words_for(size);
        assert_eq!(words.len(), stride * size);
        Self { size, stride, words: words.to_vec() }
    }

    fn row(&self, event: EventId) -> &[u64] {
        &self.words[event.index() * self.stride..(event.index() + 1) * self.stride]
    }

    fn row_mut(&mut self, event: EventId) -> &mut [u64] {
        &mut self.words[event.index() * self.stride..(event.index() + 1) * self.stride]
    }

    fn events(&self) -> impl DoubleEndedIterator<Item = EventId> + use<> {
        (0..self.size).map(EventId::new)
    }

    /// Adds a pair.
    pub fn insert(&mut self, from: EventId, to: EventId) {
        self.row_mut(from)[to.index() / WORD] |= 1 << (to.index() % WORD);
    }

    /// Relates `from` to all that `of` is related to.
    pub fn include_successors(&mut self, from: EventId, of: EventId) {
        let more = self.row(of).to_vec();
        self.row_mut(from).iter_mut().zip(more).for_each(|(word, add)| *word |= add);
    }

    /// Whether `from` is related to `to`.
    pub fn contains(&self, from: EventId, to: EventId) -> bool {
        self.row(from)[to.index() / WORD] >> (to.index() % WORD) & 1 == 1
    }

    /// The events that `from` is related to.
    pub fn successors(&self, from: EventId) -> impl Iterator<Item = EventId> + '_ {
        bits_of(self.row(from))
    }

    /// All pairs, in order.
    pub fn iter(&self) -> impl Iterator<Item = (EventId, EventId)> + '_ {
        self.events().flat_map(|from| self.successors(from).map(move |to| (from, to)))
    }

    /// How many pairs there are.
    pub fn count(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether there is no pair.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }

    fn zip(&self, other: &Self, f: impl Fn(u64, u64) -> u64) -> Self {
        let words = self.words.iter().zip(&other.words).map(|(&a, &b)| f(a, b)).collect();
        Self { words, ..*self }
    }

    /// `self ∪ other`.
    pub fn union(&self, other: &Self) -> Self {
        self.zip(other, |a, b| a | b)
    }

    /// `self ∩ other`.
    pub fn intersection(&self, other: &Self) -> Self {
        self.zip(other, |a, b| a & b)
    }

    /// `self \ other`.
    pub fn difference(&self, other: &Self) -> Self {
        self.zip(other, |a, b| a & !b)
    }

    /// All pairs that are not in `self`.
    pub fn complement(&self) -> Self {
        let mut relation = self.clone();
        for event in self.events() {
            complement(relation.row_mut(event), self.size);
        }
        relation
    }

    /// `self⁻¹`.
    pub fn inverse(&self) -> Self {
        let mut relation = Self::empty(self.size);
        for (from, to) in self.iter() {
            relation.insert(to, from);
        }
        relation
    }

    /// `self ; other`.
    pub fn compose(&self, other: &Self) -> Self {
        let mut relation = Self::empty(self.size);
        for from in self.events() {
            let start = from.index() * self.stride;
            for middle in self.successors(from) {
                let row = &mut relation.words[start..start + self.stride];
                for (word, &add) in row.iter_mut().zip(other.row(middle)) {
                    *word |= add;
                }
            }
        }
        relation
    }

    /// `self⁺`, by Warshall's algorithm on rows.
    pub fn transitive_closure(&self) -> Self {
        self.closure_unless(|| false).unwrap_or_else(|| self.clone())
    }

    /// The same, unless it is time to give up meanwhile.
    pub fn closure_unless(&self, give_up: impl Fn() -> bool) -> Option<Self> {
        let mut relation = self.clone();
        for middle in self.events() {
            if give_up() {
                return None;
            }
            let through = relation.row(middle).to_vec();
            for from in self.events() {
                if relation.contains(from, middle) {
                    for (word, &add) in relation.row_mut(from).iter_mut().zip(&through) {
                        *word |= add;
                    }
                }
            }
        }
        Some(relation)
    }

    /// `self?`: with the identity added.
    pub fn reflexive(&self) -> Self {
        let mut relation = self.clone();
        for event in self.events() {
            relation.insert(event, event);
        }
        relation
    }

    /// The events that are related to something.
    pub fn domain(&self) -> EventSet {
        let mut set = EventSet::empty(self.size);
        for event in self.events() {
            if self.row(event).iter().any(|&word| word != 0) {
                set.insert(event);
            }
        }
        set
    }

    /// The events that something is related to.
    pub fn range(&self) -> EventSet {
        let mut set = EventSet::empty(self.size);
        for event in self.events() {
            for (word, &add) in set.words.iter_mut().zip(self.row(event)) {
                *word |= add;
            }
        }
        set
    }

    /// Whether some event is related to itself.
    pub fn is_irreflexive(&self) -> bool {
        self.events().all(|event| !self.contains(event, event))
    }

    /// A shortest cycle, as the events along it; `None` if the relation is acyclic.
    pub fn cycle(&self) -> Option<Vec<EventId>> {
        if self.topological_order().is_some() {
            return None;
        }
        self.events().filter_map(|start| self.shortest_path(start, start)).min_by_key(Vec::len)
    }

    /// An order of all events that contains the relation, if it is acyclic.
    pub fn topological_order(&self) -> Option<Vec<EventId>> {
        let mut incoming = vec![0usize; self.size];
        for (_, to) in self.iter() {
            incoming[to.index()] += 1;
        }
        let mut order: Vec<EventId> =
            self.events().filter(|event| incoming[event.index()] == 0).collect();
        let mut done = 0;
        while let Some(&event) = order.get(done) {
            done += 1;
            for to in self.successors(event) {
                incoming[to.index()] -= 1;
                if incoming[to.index()] == 0 {
                    order.push(to);
                }
            }
        }
        (order.len() == self.size).then_some(order)
    }

    /// The events on a shortest path of at least one step, `from` first and `to` left out.
    fn shortest_path(&self, from: EventId, to: EventId) -> Option<Vec<EventId>> {
        let mut parent: Vec<Option<EventId>> = vec![None; self.size];
        let mut queue = std::collections::VecDeque::from([from]);
        while let Some(event) = queue.pop_front() {
            if self.contains(event, to) {
                let up =
                    |&event: &EventId| (event != from).then(|| parent[event.index()]).flatten();
                let mut path: Vec<_> = std::iter::successors(Some(event), up).collect();
                path.reverse();
                return Some(path);
            }
            for next in self.successors(event) {
                if next != from && parent[next.index()].is_none() {
                    parent[next.index()] = Some(event);
                    queue.push_back(next);
                }
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn relation(size: usize, pairs: &[(usize, usize)]) -> Relation {
        let mut relation = Relation::empty(size);
        for &(a, b) in pairs {
            relation.insert(EventId::new(a), EventId::new(b));
        }
        relation
    }

    #[test]
    fn closure_and_composition_follow_their_definitions() {
        let r = relation(4, &[(0, 1), (1, 2), (2, 3)]);
        assert_eq!(r.compose(&r), relation(4, &[(0, 2), (1, 3)]));
        let closed = relation(4, &[(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]);
        assert_eq!(r.transitive_closure(), closed);
    }

    #[test]
    fn the_shortest_cycle_is_found() {
        let r = relation(5, &[(0, 1), (1, 2), (2, 3), (3, 0), (2, 0), (4, 0)]);
        assert_eq!(r.cycle().map(|c| c.len()), Some(3));
        assert_eq!(relation(5, &[(0, 1), (1, 2), (4, 0)]).cycle(), None);
    }

    #[test]
    fn complement_stays_within_the_execution() {
        assert_eq!(EventSet::empty(70).complement().count(), 70);
        assert_eq!(Relation::empty(70).complement().count(), 70 * 70);
    }
}
