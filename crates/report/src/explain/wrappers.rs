//! Which functions only wrap one access for their callers, as `ck_pr_load_int(&x)` does.
//!
//! Such a function is recognised by what it does in the execution: all that happens in it, or in
//! what it calls, happens at one place of it. What is of interest then is the line of the caller.

use crate::finding::user_place;
use execution::event::EventId;
use execution::finding::StackEntry;
use execution::ids::IdVec;
use execution::span::Location;
use replay::{Detail, Replayed};
use std::collections::{HashMap, HashSet};

/// The functions that wrap one access.
pub struct Wrappers(HashSet<String>);

/// The entries of a call stack that are in the user's files.
fn users(stack: &[StackEntry]) -> Vec<(&str, &Location)> {
    let entry = |entry: &'_ StackEntry| entry.location.is_some();
    let all = stack.iter().filter(|it| entry(it));
    let own = all.filter_map(|it| Some((&*it.function, it.location.as_ref()?)));
    own.filter(|(_, location)| !location.is_library()).collect()
}

impl Wrappers {
    /// Those of an execution.
    pub fn of(replayed: &Replayed) -> Self {
        let details: &IdVec<EventId, Detail> = &replayed.details;
        let mut places: HashMap<&str, HashSet<(u32, u32)>> = HashMap::new();
        let mut roots: HashSet<&str> = HashSet::new();
        for detail in details.iter() {
            let stack = users(&detail.stack);
            // The outermost call is a thread, or an operation of a test.
            roots.extend(stack.last().map(|(function, _)| *function));
            roots.extend(detail.operation.iter().map(|(_, name)| &**name));
            for (function, location) in stack {
                places.entry(function).or_default().insert((location.line, location.column));
            }
        }
        let one = places.into_iter().filter(|(name, at)| at.len() == 1 && !roots.contains(name));
        Self(one.map(|(name, _)| name.to_string()).collect())
    }

    /// The place that is of interest, and that in the innermost wrapper if it is another one.
    pub fn places(&self, stack: &[StackEntry]) -> (Option<Location>, Option<Location>) {
        let all = users(stack);
        let caller = all.iter().position(|(function, _)| !self.0.contains(*function));
        match caller {
            Some(0) | None => (user_place(stack).cloned(), None),
            Some(caller) => (Some(all[caller].1.clone()), Some(all[0].1.clone())),
        }
    }
}
