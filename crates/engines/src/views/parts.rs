//! The parts of views, each kept once: most of a view is what others have, too.

use super::heap::{Frozen, Object, Own, Quick};
use execution::finding::Verb;
use hashbrown::HashSet;
use ir::program::LocId;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// An access of a step, for people.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Seen {
    pub verb: Verb,
    pub path: Option<String>,
    pub place: Option<LocId>,
}

impl Hash for Seen {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (&self.path, self.place).hash(state);
    }
}

/// The parts of views, each kept once.
#[derive(Default)]
pub(super) struct Parts {
    threads: HashSet<Arc<Frozen>, Quick>,
    objects: HashSet<Arc<Object>, Quick>,
    seen: HashSet<Arc<[Seen]>, Quick>,
}

impl Parts {
    /// Replaces the parts of a thread by those that are equal and known already.
    pub fn share(&mut self, own: &mut Own) {
        if let Some(thread) = &mut own.thread {
            *thread = self.threads.get_or_insert(thread.clone()).clone();
        }
        for object in &mut own.objects {
            *object = self.objects.get_or_insert(object.clone()).clone();
        }
        own.objects.shrink_to_fit();
        own.mine.shrink_to_fit();
    }

    /// What a step has done.
    pub fn seen(&mut self, seen: &[Seen]) -> Arc<[Seen]> {
        if let Some(known) = self.seen.get(seen) {
            return known.clone();
        }
        let seen: Arc<[Seen]> = seen.into();
        self.seen.insert(seen.clone());
        seen
    }
}
