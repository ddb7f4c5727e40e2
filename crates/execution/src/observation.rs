//! Observations: what the clients of a data type saw in an execution, operation by operation.
//!
//! An observation is a list of labelled values for each operation of a test, in the order in
//! which the operation showed them. Values are numbers. An address cannot be observed: it would
//! mean something else in every execution; what it points to, or whether it is null, can be.

use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// A value that an operation showed to its client.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Seen {
    /// What the program calls it.
    pub label: String,
    /// The value, as a signed number of its width.
    pub value: i128,
}

impl fmt::Display for Seen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.label, self.value)
    }
}

/// What each operation of a test showed, in the order of the instances of the composed test.
pub type Observation = Vec<Vec<Seen>>;

/// A set of observations of one test, sorted, without repetitions.
///
/// Equal lists of values are stored once: [`rows`](Self::rows) refers to them by position.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct ObservationSet {
    /// The names of the operations.
    operations: Vec<String>,
    /// The lists that occur, sorted.
    lists: Vec<Vec<Seen>>,
    /// The observations, sorted: for each operation, the position of its list.
    rows: Vec<Vec<u32>>,
}

impl ObservationSet {
    /// The set of these observations of these operations. Every observation has a list for each
    /// operation.
    pub fn new(
        operations: Vec<String>,
        observations: impl IntoIterator<Item = Observation>,
    ) -> Self {
        let all: BTreeSet<Observation> = observations.into_iter().collect();
        let lists: BTreeSet<&Vec<Seen>> = all.iter().flatten().collect();
        let lists: Vec<Vec<Seen>> = lists.into_iter().cloned().collect();
        let number: BTreeMap<&Vec<Seen>, u32> = lists.iter().zip(0..).collect();
        let row = |observation: &Observation| observation.iter().map(|list| number[list]).collect();
        let rows = all.iter().map(row).collect();
        Self { operations, rows, lists }
    }

    /// The set of observations that are given as positions in a pool of lists.
    pub fn from_pool(
        operations: Vec<String>,
        pool: &[Vec<Seen>],
        rows: impl IntoIterator<Item = Vec<u32>>,
    ) -> Self {
        let mut rows: Vec<Vec<u32>> = rows.into_iter().collect();
        let used: BTreeSet<&Vec<Seen>> =
            rows.iter().flatten().map(|&list| &pool[list as usize]).collect();
        let lists: Vec<Vec<Seen>> = used.into_iter().cloned().collect();
        let position = |list: &Vec<Seen>| lists.binary_search(list).map_or(u32::MAX, |p| p as u32);
        let renumbered: Vec<u32> = pool.iter().map(position).collect();
        for list in rows.iter_mut().flatten() {
            *list = renumbered[*list as usize];
        }
        rows.sort_unstable();
        rows.dedup();
        Self { operations, lists, rows }
    }

    /// The names of the operations.
    pub fn operations(&self) -> &[String] {
        &self.operations
    }

    /// The lists that occur in some observation, sorted.
    pub fn lists(&self) -> &[Vec<Seen>] {
        &self.lists
    }

    /// The observations, sorted: for each operation, the position of its list in
    /// [`lists`](Self::lists).
    pub fn rows(&self) -> &[Vec<u32>] {
        &self.rows
    }

    /// How many observations there are.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The observations.
    pub fn iter(&self) -> impl Iterator<Item = Observation> {
        self.rows.iter().map(|row| self.observation(row))
    }

    fn observation(&self, row: &[u32]) -> Observation {
        row.iter().map(|&list| self.lists[list as usize].clone()).collect()
    }

    /// Whether an observation is in the set.
    pub fn contains(&self, observation: &[Vec<Seen>]) -> bool {
        let number = |list: &Vec<Seen>| self.lists.binary_search(list).ok().map(|n| n as u32);
        let row: Option<Vec<u32>> = observation.iter().map(number).collect();
        row.is_some_and(|row| self.rows.binary_search(&row).is_ok())
    }

    /// The observations that differ from this one in the fewest operations, at most `most`.
    pub fn nearest(&self, observation: &[Vec<Seen>], most: usize) -> Vec<Observation> {
        let distance = |row: &[u32]| {
            let same = |(list, seen): &(&u32, &Vec<Seen>)| self.lists[**list as usize] == **seen;
            row.len() - row.iter().zip(observation).filter(same).count()
        };
        let Some(least) = self.rows.iter().map(|row| distance(row)).min() else {
            return Vec::new();
        };
        let nearest = self.rows.iter().filter(|row| distance(row) == least);
        nearest.take(most).map(|row| self.observation(row)).collect()
    }

    /// The observations of this set that are not in another one of the same operations.
    pub fn difference(&self, other: &ObservationSet) -> Vec<Observation> {
        self.iter().filter(|observation| !other.contains(observation)).collect()
    }
}

/// One line for each observation: `e: value=0; d: taken=-1`.
impl fmt::Display for ObservationSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in &self.rows {
            for (i, (operation, &list)) in self.operations.iter().zip(row).enumerate() {
                write!(f, "{}{operation}:", if i == 0 { "" } else { "; " })?;
                for seen in &self.lists[list as usize] {
                    write!(f, " {seen}")?;
                }
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(label: &str, value: i128) -> Vec<Seen> {
        vec![Seen { label: label.into(), value }]
    }

    fn set(values: &[(i128, i128)]) -> ObservationSet {
        let observation = |&(a, b): &(i128, i128)| vec![one("in", a), one("out", b)];
        ObservationSet::new(vec!["e".into(), "d".into()], values.iter().map(observation))
    }

    #[test]
    fn a_set_does_not_depend_on_the_order_in_which_it_was_found() {
        let a = set(&[(0, 0), (1, 1), (0, -1)]);
        assert_eq!(a, set(&[(1, 1), (0, -1), (0, 0), (1, 1)]));
        assert_eq!(a.len(), 3);
        let pool = [one("out", 0), one("in", 1), one("out", 1), one("in", 0), one("out", -1)];
        let rows = [vec![1, 2], vec![3, 4], vec![3, 0], vec![3, 0]];
        assert_eq!(a, ObservationSet::from_pool(a.operations.clone(), &pool, rows));
    }

    #[test]
    fn a_set_can_be_stored() {
        let widest = i128::from(u64::MAX) << 40;
        let set = set(&[(0, 0), (i128::from(i64::MIN), widest)]);
        let text = serde_json::to_string(&set).unwrap();
        assert_eq!(serde_json::from_str::<ObservationSet>(&text).unwrap(), set);
    }

    #[test]
    fn membership_and_neighbours() {
        let a = set(&[(0, 0), (1, 1), (0, -1)]);
        assert!(a.contains(&[one("in", 0), one("out", -1)]));
        assert!(!a.contains(&[one("in", 1), one("out", -1)]));
        assert!(!a.contains(&[one("in", 2), one("out", -1)]));
        let near = a.nearest(&[one("in", 1), one("out", -1)], 9);
        assert_eq!(near, [vec![one("in", 0), one("out", -1)], vec![one("in", 1), one("out", 1)]]);
        assert_eq!(a.difference(&set(&[(0, 0), (1, 1)])), [vec![one("in", 0), one("out", -1)]]);
    }
}
