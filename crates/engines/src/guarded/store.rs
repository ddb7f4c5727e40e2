//! The states that were reached: packed, in shards that threads fill at the same time.

use hashbrown::HashTable;
use std::sync::{Mutex, MutexGuard};

/// A reached state: its shard, and its position there.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct StateRef(u64);

/// How a state was reached: from which state of the level before, and by which instance of a rule.
/// The least origin of a state is kept, so that traces do not depend on the order of threads.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Origin(u64);

/// Instances are numbered below 2^20 ([`guarded::instance::MOST_INSTANCES`]).
const INSTANCE_BITS: u32 = 20;

impl Origin {
    /// From a position and an instance.
    pub fn new(from: u64, instance: usize) -> Self {
        Self(from << INSTANCE_BITS | instance as u64)
    }

    /// The position, in the level before or among all states.
    pub fn from(self) -> u64 {
        self.0 >> INSTANCE_BITS
    }

    /// The instance.
    pub fn instance(self) -> usize {
        (self.0 & ((1 << INSTANCE_BITS) - 1)) as usize
    }
}

#[derive(Default)]
struct Shard {
    table: HashTable<u32>,
    words: Vec<u64>,
    origins: Vec<u64>,
    /// The first state of the present level.
    level: usize,
}

/// A state that was found, to be put into a shard.
pub struct Found {
    /// The hash of the words.
    pub hash: u64,
    /// How it was reached.
    pub origin: Origin,
}

/// All states.
pub struct Store {
    shards: Vec<Mutex<Shard>>,
    words: usize,
}

impl Store {
    /// An empty store of states with so many words.
    pub fn new(words: usize, shards: usize) -> Self {
        Self { shards: (0..shards).map(|_| Mutex::default()).collect(), words }
    }

    /// How many shards there are.
    pub fn shards(&self) -> usize {
        self.shards.len()
    }

    /// The shard of a state with this hash.
    pub fn shard_of(&self, hash: u64) -> usize {
        ((hash >> 40) % self.shards.len() as u64) as usize
    }

    fn shard(&self, shard: usize) -> MutexGuard<'_, Shard> {
        self.shards[shard].lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Adds states to a shard, whose words follow each other; how many are new.
    pub fn insert(&self, shard: usize, found: &[Found], words: &[u64]) -> u64 {
        let mut shard = self.shard(shard);
        let Shard { table, words: all, origins, level } = &mut *shard;
        let size = self.words;
        let mut added = 0;
        for (found, words) in found.iter().zip(words.chunks_exact(size)) {
            let is_same = |at: &u32| &all[*at as usize * size..(*at as usize + 1) * size] == words;
            if let Some(at) = table.find(found.hash, is_same) {
                let at = *at as usize;
                if at >= *level && found.origin.0 < origins[at] {
                    origins[at] = found.origin.0;
                }
                continue;
            }
            let at = origins.len() as u32;
            all.extend_from_slice(words);
            origins.push(found.origin.0);
            let rehash = |at: &u32| hash(&all[*at as usize * size..(*at as usize + 1) * size]);
            table.insert_unique(found.hash, at, rehash);
            added += 1;
        }
        added
    }

    /// Ends a level: its states in the order of their origins, with their words. `before` is the
    /// level before, to which origins refer.
    pub fn end_level(&self, before: &[StateRef]) -> (Vec<StateRef>, Vec<u64>) {
        let count = self.shards.len() as u64;
        let mut all: Vec<(u64, StateRef)> = Vec::new();
        for number in 0..self.shards.len() {
            let shard = self.shard(number);
            let level = shard.origins[shard.level..].iter().enumerate();
            all.extend(level.map(|(at, origin)| {
                (*origin, StateRef((shard.level + at) as u64 * count + number as u64))
            }));
        }
        all.sort_unstable();
        let mut words = Vec::with_capacity(all.len() * self.words);
        let guards: Vec<_> = (0..self.shards.len()).map(|number| self.shard(number)).collect();
        for (_, state) in &all {
            let shard = &guards[(state.0 % count) as usize];
            let at = (state.0 / count) as usize * self.words;
            words.extend_from_slice(&shard.words[at..at + self.words]);
        }
        for mut shard in guards {
            let level = shard.level;
            for origin in &mut shard.origins[level..] {
                let old = Origin(*origin);
                if let Some(from) = before.get(old.from() as usize) {
                    *origin = Origin::new(from.0, old.instance()).0;
                }
            }
            shard.level = shard.origins.len();
        }
        (all.into_iter().map(|(_, state)| state).collect(), words)
    }

    /// A state's words and how it was reached, for states of levels that ended.
    pub fn get(&self, state: StateRef) -> (Vec<u64>, Origin) {
        let count = self.shards.len() as u64;
        let shard = self.shard((state.0 % count) as usize);
        let at = (state.0 / count) as usize;
        let words = shard.words[at * self.words..(at + 1) * self.words].to_vec();
        (words, Origin(shard.origins[at]))
    }

    /// The state that an origin refers to.
    pub fn origin_state(origin: Origin) -> StateRef {
        StateRef(origin.from())
    }
}

/// The hash of a packed state.
pub fn hash(words: &[u64]) -> u64 {
    let mut hash = 0x243f_6a88_85a3_08d3u64;
    for word in words {
        hash = (hash ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        hash ^= hash >> 32;
    }
    hash = hash.wrapping_mul(0xbf58_476d_1ce4_e5b9);
    hash ^ (hash >> 31)
}
