//! The serial executions of a test, run once for all the models that it is checked on: no model
//! changes them.
//!
//! Three things are asked of them: what their clients see, in which orders of the operations they see
//! it (for commit points), and which choices lead to which initial states. Each is found out by the
//! first column that asks, within the limits of that column. A part that was cut short by a limit is
//! not kept, since another column may have more time, or find more memory free; but a column that
//! has no more time than was too little before gives up at once.

use super::cache::Cache;
use super::cell::program_text;
use super::plan::Prepared;
use engines::serial::{self, Explored, Failure, Mined, Orders, SerialOptions};
use engines::test::compose::Composed;
use engines::test::suite::Method;
use ir::value::Value;
use sat::{Exceeded, Limits};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// What is known of the serial executions of one test.
#[derive(Default)]
pub struct SerialExecutions {
    mined: Kept<Mined>,
    explored: Kept<Explored>,
    initial_states: Kept<Vec<Vec<Value>>>,
}

impl SerialExecutions {
    /// What their clients see.
    pub fn mined(
        &self,
        test: &Prepared,
        cache: Option<&Cache>,
        limits: &Limits,
    ) -> Result<Arc<Mined>, Failure> {
        let (reference, reuse) = (test.reference(), test.reuse_memory);
        self.mined.or_compute(limits, || match test.method {
            Method::Observations => mine(reference, reuse, cache, limits),
            // Their orders will be asked for, too.
            Method::CommitPoints => cached(reference, reuse, cache, || {
                Ok(match &*self.explored(test, limits)? {
                    Explored::All { observations, .. } => Mined::Observations(observations.clone()),
                    Explored::Violated(violation) => Mined::Violated(violation.clone()),
                })
            }),
        })
    }

    /// The orders of their operations; none if one of the executions is wrong.
    pub fn orders<T>(
        &self,
        test: &Prepared,
        limits: &Limits,
        use_them: impl FnOnce(Option<&Orders>) -> T,
    ) -> Result<T, Failure> {
        Ok(use_them(match &*self.explored(test, limits)? {
            Explored::All { orders, .. } => Some(orders),
            Explored::Violated(_) => None,
        }))
    }

    fn explored(&self, test: &Prepared, limits: &Limits) -> Result<Arc<Explored>, Failure> {
        let options = SerialOptions {
            reuse: test.reuse_memory,
            limits: limits.clone(),
            ..SerialOptions::default()
        };
        self.explored.or_compute(limits, || serial::explore(test.reference(), &options))
    }

    /// What is chosen on the way to each initial state; nothing if all choices are to be tried.
    pub fn initial_states(&self, test: &Prepared, limits: &Limits) -> Vec<Vec<Value>> {
        // A reference may tell states apart that are the same to the program, and which blocks are
        // used again may depend on how they came about.
        if test.spec.is_some() || test.reuse_memory {
            return Vec::new();
        }
        let options = SerialOptions { limits: limits.clone(), ..SerialOptions::default() };
        let found = self.initial_states.or_compute(limits, || {
            match serial::initial_states(&test.composed, &options) {
                None if limits.expired() => Err(Failure::at(limits)),
                found => Ok(found.unwrap_or_default()),
            }
        });
        found.map(|found| found.to_vec()).unwrap_or_default()
    }
}

/// The observations of the serial executions of a test, in which allocations may give freed blocks
/// again if `reuse`.
pub fn mine(
    composed: &Composed,
    reuse: bool,
    cache: Option<&Cache>,
    limits: &Limits,
) -> Result<Mined, Failure> {
    cached(composed, reuse, cache, || {
        let options = SerialOptions { reuse, limits: limits.clone(), ..SerialOptions::default() };
        serial::mine(composed, &options)
    })
}

/// The observations in the cache; if there are none, those that are computed now.
fn cached(
    composed: &Composed,
    reuse: bool,
    cache: Option<&Cache>,
    compute: impl FnOnce() -> Result<Mined, Failure>,
) -> Result<Mined, Failure> {
    let how = if reuse { "serial, with reuse" } else { "serial" };
    let key = cache.map(|cache| cache.key([how, &program_text(composed)]));
    if let (Some(cache), Some(key)) = (cache, &key)
        && let Some(set) = cache.get(key)
    {
        return Ok(Mined::Observations(set));
    }
    let mined = compute();
    if let (Some(cache), Some(key), Ok(Mined::Observations(set))) = (cache, &key, &mined) {
        cache.put(key, set);
    }
    mined
}

/// Something that is computed once. Who asks while it is being computed waits.
struct Kept<T>(Mutex<State<T>>);

/// What is known of it.
enum State<T> {
    /// It, or the mistake in the input that every model would find.
    Known(Result<Arc<T>, Failure>),
    /// Nothing, and what the last attempt lacked, if there was one.
    Unknown(Option<Attempt>),
}

/// An attempt that a limit has ended.
#[derive(Clone, Copy)]
struct Attempt {
    limit: Exceeded,
    /// With so much time it is not worth trying again.
    too_little: Duration,
}

impl<T> Default for Kept<T> {
    fn default() -> Self {
        Self(Mutex::new(State::Unknown(None)))
    }
}

impl<T> Kept<T> {
    /// What was computed before, or what is computed now, within limits.
    fn or_compute(
        &self,
        limits: &Limits,
        compute: impl FnOnce() -> Result<T, Failure>,
    ) -> Result<Arc<T>, Failure> {
        // A computation that panicked has left what was known before it.
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let left = limits.deadline.map(|end| end.saturating_duration_since(Instant::now()));
        match &*state {
            State::Known(known) => return known.clone(),
            State::Unknown(Some(tried)) if left.is_some_and(|left| left <= tried.too_little) => {
                return Err(Failure::Interrupted(tried.limit));
            }
            State::Unknown(_) => {}
        }
        let computed = compute().map(Arc::new);
        *state = match &computed {
            &Err(Failure::Interrupted(limit)) => {
                let too_little = match limit {
                    // A little more time would not do, either.
                    Exceeded::Time => left.map(|left| left + left / 10),
                    // Who has waited until there is no time left has waited for this attempt.
                    Exceeded::Memory => Some(Duration::ZERO),
                    Exceeded::Interrupted => None,
                };
                State::Unknown(too_little.map(|too_little| Attempt { limit, too_little }))
            }
            computed => State::Known(computed.clone()),
        };
        computed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn within(time: Duration) -> Limits {
        Limits { deadline: Some(Instant::now() + time), ..Limits::default() }
    }

    #[test]
    fn what_is_known_is_not_computed_again() {
        let kept = Kept::default();
        assert_eq!(*kept.or_compute(&Limits::default(), || Ok(1)).expect("known"), 1);
        assert_eq!(*kept.or_compute(&Limits::default(), || panic!("again")).expect("known"), 1);
    }

    #[test]
    fn a_deadline_of_one_column_is_not_that_of_another() {
        let kept: Kept<u32> = Kept::default();
        let late = within(Duration::ZERO);
        assert!(kept.or_compute(&late, || Err(Failure::at(&late))).is_err());
        assert!(kept.or_compute(&late, || panic!("there is no more time")).is_err());
        let later = within(Duration::from_secs(60));
        assert_eq!(*kept.or_compute(&later, || Ok(1)).expect("known"), 1);
    }

    #[test]
    fn who_waits_in_vain_for_what_lacks_memory_is_told_so() {
        let kept: Kept<u32> = Kept::default();
        let lacks = |limits: &Limits, compute: &dyn Fn() -> Result<u32, Failure>| match kept
            .or_compute(limits, compute)
        {
            Err(Failure::Interrupted(limit)) => limit,
            other => panic!("{other:?}"),
        };
        let memory = || Err(Failure::Interrupted(Exceeded::Memory));
        assert_eq!(lacks(&within(Duration::from_secs(60)), &memory), Exceeded::Memory);
        assert_eq!(lacks(&within(Duration::ZERO), &memory), Exceeded::Memory);
        // There may be more memory now.
        let later = within(Duration::from_secs(60));
        assert_eq!(*kept.or_compute(&later, || Ok(1)).expect("known"), 1);
    }

    #[test]
    fn a_panic_leaves_nothing_behind() {
        let kept: Kept<u32> = Kept::default();
        let panics = || kept.or_compute(&Limits::default(), || panic!("a mistake of ours"));
        let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(panics));
        assert!(caught.is_err());
        assert_eq!(*kept.or_compute(&Limits::default(), || Ok(1)).expect("known"), 1);
    }
}
