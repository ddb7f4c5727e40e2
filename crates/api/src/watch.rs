//! Ends work that does not keep its limits.
//!
//! Every long loop polls its limits ([`limits::Limits`]), but no polling is ever complete. So work
//! runs on a thread of its own, and its caller waits only until its limits and a little more have
//! passed. What it has published by then is the answer; the thread is left alone, and ends with the
//! process. That is why work owns what it needs, or borrows it for as long as the process runs.

use crate::guard::guarded;
use limits::{Exceeded, Interrupter, MemoryLimit};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

/// How often limits are checked.
const TICK: Duration = Duration::from_millis(50);

/// How long work may go on after a limit was reached, at least; after a limit of time, a sixteenth of
/// it if that is longer. Less than a second and a tenth, since the answer must be printed, too.
const GRACE: Duration = Duration::from_millis(600);

/// The same where so much memory is used that all of it may be gone by then.
const SHORT_GRACE: Duration = Duration::from_millis(150);

/// What each thread has for its stack: recursion in a program is followed by recursion.
const STACK: usize = 64 << 20;

/// Watches all work of a command.
#[derive(Clone, Debug, Default)]
pub struct Watchdog {
    /// Ends all work early.
    pub interrupter: Interrupter,
    /// Whether work was abandoned that keeps the memory that it has: nothing can be begun any more.
    exhausted: Arc<AtomicBool>,
}

impl Watchdog {
    /// A watchdog for work that this interrupter ends.
    pub fn new(interrupter: Interrupter) -> Self {
        Self { interrupter, ..Self::default() }
    }

    /// A watch for work that may take so much time, while the process uses so much memory.
    pub fn watch(&self, time: Option<Duration>, memory: Option<MemoryLimit>) -> Watch {
        Watch { time, memory, dog: self.clone() }
    }
}

/// When work is ended.
#[derive(Clone, Debug)]
pub struct Watch {
    time: Option<Duration>,
    memory: Option<MemoryLimit>,
    dog: Watchdog,
}

/// What is passed on while work runs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Notice {
    /// What is being done now.
    Doing(String),
    /// What was found, to be shown once.
    Found(String),
}

/// What work says while it runs.
enum Said<R> {
    Doing(Notice),
    Published(R),
    /// The same, where a part of the work is done.
    Part(R),
    Done(R),
    Panicked(String),
}

/// How work says what it does and what it knows.
pub struct Voice<R>(Sender<Said<R>>);

/// One for each thread of the work.
impl<R> Clone for Voice<R> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<R> Voice<R> {
    /// Says what is being done.
    pub fn tell(&self, what: String) {
        // After the work was abandoned, there is no listener.
        let _ = self.0.send(Said::Doing(Notice::Doing(what)));
    }

    /// Says what was found while the work goes on.
    pub fn tell_found(&self, what: String) {
        let _ = self.0.send(Said::Doing(Notice::Found(what)));
    }

    /// Says what the answer is if nothing more becomes known in time.
    pub fn publish(&self, known: R) {
        let _ = self.0.send(Said::Published(known));
    }

    /// The same after one of several parts of the work, each of which may take the whole time.
    pub fn publish_part(&self, known: R) {
        let _ = self.0.send(Said::Part(known));
    }
}

/// Work that was ended.
pub struct Abandoned<R> {
    /// Which of its limits it did not keep.
    pub why: Exceeded,
    /// What it published last.
    pub known: Option<R>,
    /// How long the work, or the last part of it, had taken.
    pub after: Duration,
}

impl Watch {
    /// Does some work on another thread, passes on what it says about it, and gives its result. A
    /// panic of the work goes on here.
    pub fn run<R: Send + 'static>(
        &self,
        tell: &dyn Fn(Notice),
        work: impl FnOnce(&Voice<R>) -> R + Send + 'static,
    ) -> Result<R, Abandoned<R>> {
        if self.dog.exhausted.load(Ordering::Relaxed) {
            let (why, known, after) = (Exceeded::Memory, None, Duration::ZERO);
            return Err(Abandoned { why, known, after });
        }
        let (send, receive) = channel();
        let voice = Voice(send);
        let work = move || {
            let said = match guarded(|| work(&voice)) {
                Ok(done) => Said::Done(done),
                Err(what) => Said::Panicked(what),
            };
            let _ = voice.0.send(said);
        };
        let thread = std::thread::Builder::new().stack_size(STACK);
        thread.spawn(work).expect("a thread can be started");
        self.wait(&receive, tell)
    }

    fn wait<R>(
        &self,
        receive: &Receiver<Said<R>>,
        tell: &dyn Fn(Notice),
    ) -> Result<R, Abandoned<R>> {
        let mut heard = Heard { known: None, started: Instant::now() };
        // The first limit that was seen to be reached, and when.
        let mut reached: Option<(Exceeded, Instant)> = None;
        loop {
            match receive.recv_timeout(TICK) {
                Ok(said) => {
                    if let Some(done) = heard.hear(said, tell) {
                        return Ok(done);
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => panic!("the work ended without a word"),
            }
            let now = self.reached(heard.started);
            reached = reached.filter(|_| now.is_some()).or(now.map(|why| (why, Instant::now())));
            let Some((why, since)) = reached else { continue };
            if since.elapsed() < self.grace(why) {
                continue;
            }
            // It may have ended meanwhile.
            while let Ok(said) = receive.try_recv() {
                if let Some(done) = heard.hear(said, tell) {
                    return Ok(done);
                }
            }
            if why == Exceeded::Memory {
                self.dog.exhausted.store(true, Ordering::Relaxed);
            }
            return Err(Abandoned { why, known: heard.known, after: heard.started.elapsed() });
        }
    }

    fn reached(&self, started: Instant) -> Option<Exceeded> {
        if self.dog.interrupter.is_interrupted() {
            return Some(Exceeded::Interrupted);
        }
        if self.memory.as_ref().is_some_and(|memory| !memory.has_room(0)) {
            return Some(Exceeded::Memory);
        }
        let late = self.time.is_some_and(|limit| started.elapsed() >= limit);
        late.then_some(Exceeded::Time)
    }

    fn grace(&self, why: Exceeded) -> Duration {
        match (why, self.time) {
            (Exceeded::Time, Some(limit)) => GRACE.max(limit / 16),
            (Exceeded::Memory, _) if self.is_far_exceeded() => SHORT_GRACE,
            _ => GRACE,
        }
    }

    fn is_far_exceeded(&self) -> bool {
        self.memory.as_ref().is_some_and(MemoryLimit::is_far_exceeded)
    }
}

/// What was heard of work.
struct Heard<R> {
    /// What it published last.
    known: Option<R>,
    /// When it, or its present part, was begun.
    started: Instant,
}

impl<R> Heard<R> {
    /// The result, if this is it.
    fn hear(&mut self, said: Said<R>, tell: &dyn Fn(Notice)) -> Option<R> {
        match said {
            Said::Doing(what) => tell(what),
            Said::Published(known) => self.known = Some(known),
            Said::Part(known) => {
                *self = Self { known: Some(known), started: Instant::now() };
            }
            Said::Done(done) => return Some(done),
            Said::Panicked(what) => panic!("{what}"),
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn watch(time: Option<Duration>, memory: Option<u64>) -> Watch {
        Watchdog::default().watch(time, memory.map(MemoryLimit::new))
    }

    /// Work that keeps no limit.
    fn stubborn(voice: &Voice<u32>) -> u32 {
        voice.publish(1);
        voice.publish(2);
        loop {
            std::thread::park();
        }
    }

    #[test]
    fn work_that_is_done_gives_its_result_and_says_what_it_does() {
        let heard = std::cell::RefCell::new(Vec::new());
        let done = watch(None, None).run(&|what| heard.borrow_mut().push(what), |voice| {
            voice.tell("thinking".to_string());
            voice.tell_found("a thought".to_string());
            voice.publish(1);
            7
        });
        assert_eq!(done.ok(), Some(7));
        let expected =
            [Notice::Doing("thinking".to_string()), Notice::Found("a thought".to_string())];
        assert_eq!(heard.into_inner(), expected);
    }

    #[test]
    fn work_that_keeps_no_limit_is_ended_with_what_it_published() {
        let time = watch(Some(Duration::from_millis(1)), None);
        let memory = watch(None, Some(1));
        let interrupted = watch(None, None);
        interrupted.dog.interrupter.interrupt();
        let all = [
            (time, Exceeded::Time),
            (memory, Exceeded::Memory),
            (interrupted, Exceeded::Interrupted),
        ];
        for (watch, why) in all {
            let Err(abandoned) = watch.run(&|_| {}, stubborn) else { panic!("it has no end") };
            assert_eq!((abandoned.why, abandoned.known), (why, Some(2)));
        }
    }

    #[test]
    fn nothing_is_begun_where_abandoned_work_has_the_memory() {
        let watch = watch(None, Some(1));
        assert!(watch.run(&|_| {}, stubborn).is_err());
        let next = watch.dog.watch(None, None).run(&|_| {}, |_: &Voice<u32>| panic!("it runs"));
        assert!(next.is_err_and(|abandoned| abandoned.why == Exceeded::Memory));
    }

    #[test]
    #[should_panic(expected = "in the middle")]
    fn a_panic_of_the_work_goes_on() {
        let _ = watch(None, None).run(&|_| {}, |_: &Voice<u32>| panic!("in the middle"));
    }
}
