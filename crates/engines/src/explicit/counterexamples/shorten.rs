//! Executions that show the same with fewer threads.
//!
//! What was found by chance is long: threads run in it that have nothing to do with what is wrong.
//! Groups of threads are left out, smaller and smaller ones, as long as the rest still comes to the
//! same (A. Zeller, R. Hildebrandt, "Simplifying and isolating failure-inducing input", IEEE
//! Transactions on Software Engineering 28, 2002).

use crate::explicit::search::ids::StateId;
use crate::explicit::search::{FLUSH, Search, Stopped, Way, at};
use crate::verdict::Violation;
use crate::verification::Property;
use execution::event::ThreadId;
use execution::finding::FindingKind;
use std::collections::BTreeSet;

/// Everything together may take so many times as long as the execution, and so many steps more.
const TIMES: usize = 20;
const STEPS: usize = 1000;

impl Search<'_> {
    /// Looks for shorter executions for all violations but those of some properties.
    pub(crate) fn shorten(&mut self, but: &[Property]) -> Result<(), Stopped> {
        let new: Vec<Property> =
            self.violations.keys().copied().filter(|property| !but.contains(property)).collect();
        for property in new {
            let Some(known) = self.violations.get(&property).cloned() else { continue };
            let (Violation::Finding { kind, .. }, way) = &known else { continue };
            use FindingKind::{Deadlock, Leak, LockHeld};
            // There, nobody can be left out.
            if matches!(kind, Deadlock | Leak | LockHeld) {
                continue;
            }
            let mut path = self.path(way.from);
            path.push(*way);
            let shorter = self.with_fewer_threads(property, &known.0, path)?;
            self.violations.insert(property, (known.0, shorter.unwrap_or(known.1)));
        }
        Ok(())
    }

    fn with_fewer_threads(
        &mut self,
        property: Property,
        violation: &Violation,
        mut path: Vec<Way>,
    ) -> Result<Option<Way>, Stopped> {
        let mut shorter = None;
        let mut steps = TIMES * path.len() + STEPS;
        let Some(last) = path.last().map(|last| last.thread()) else { return Ok(None) };
        let others: BTreeSet<ThreadId> = path
            .iter()
            .map(|way| way.thread())
            .filter(|&t| t != last && t != ThreadId::MAIN)
            .collect();
        let mut others: Vec<ThreadId> = others.into_iter().collect();
        let mut size = others.len();
        while size > 0 {
            let mut first = 0;
            while first < others.len() {
                let left_out = &others[first..others.len().min(first + size)];
                let rest: Vec<Way> =
                    path.iter().copied().filter(|way| !left_out.contains(&way.thread())).collect();
                let Some(left) = steps.checked_sub(rest.len()) else { return Ok(shorter) };
                steps = left;
                match self.comes_to(property, violation, &rest)? {
                    Some(way) => {
                        (path, shorter) = (rest, Some(way));
                        others.drain(first..others.len().min(first + size));
                    }
                    None => first += size,
                }
            }
            size /= 2;
        }
        Ok(shorter)
    }

    /// The last step of a path, if it shows a violation. Threads that cannot go on stay where they
    /// are.
    fn comes_to(
        &mut self,
        property: Property,
        violation: &Violation,
        path: &[Way],
    ) -> Result<Option<Way>, Stopped> {
        self.violations.remove(&property);
        let mut state = StateId::FIRST;
        for (index, way) in path.iter().enumerate() {
            let (list, thread) = (self.list(state).to_vec(), way.thread());
            if at(thread) >= list.len() {
                return Ok(None);
            }
            let steps = self.steps(thread, list[at(thread)], list[0])?.len();
            let pending = !self.shareds.get(list[0]).buffers[thread].is_empty();
            let step = if way.step == FLUSH { steps } else { way.step as usize };
            if steps == 0 && !(way.step == FLUSH && pending) {
                continue;
            }
            if step > steps || step == steps && !(way.step == FLUSH && pending) {
                return Ok(None);
            }
            match self.go(state, &list, thread, step)? {
                Some(to) => state = to,
                None => {
                    let found = self.violations.get(&property);
                    let same = found.filter(|(found, _)| is_same(found, violation));
                    return Ok(same.filter(|_| index + 1 == path.len()).map(|(_, way)| *way));
                }
            }
            if self.layout.sharing.borrow().learnt {
                return Err(Stopped::Learnt);
            }
        }
        Ok(None)
    }
}

/// Whether the same is wrong at the same place.
fn is_same(one: &Violation, other: &Violation) -> bool {
    let what = |violation: &Violation| match violation {
        Violation::Finding { kind, place } => Some((kind.clone(), *place)),
        _ => None,
    };
    what(one) == what(other)
}
