//! Does tasks at the same time, with a line about what is being done.

use super::progress::Display;
use execution::diagnostic::Diagnostic;
use sat::Interrupter;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::Duration;

/// How often the progress is looked at.
const TICK: Duration = Duration::from_millis(200);

/// What a task comes to; the error is a mistake in the input that only execution shows.
type Done<R> = Result<R, Diagnostic>;

/// Does a task, and tells what it is doing.
type Work<'a, T, R> = &'a (dyn Fn(&T, &dyn Fn(String)) -> Done<R> + Sync);

/// Tasks that are done at the same time.
pub struct Pool<'a, T, R> {
    /// The tasks.
    pub tasks: &'a [T],
    /// How many are done at a time.
    pub jobs: usize,
    /// Stops everything when the input turns out to be wrong.
    pub interrupter: &'a Interrupter,
    /// Does a task, and tells what it is doing.
    pub work: Work<'a, T, R>,
}

/// What the workers share.
struct Shared {
    next: AtomicUsize,
    /// Set when the input turned out to be wrong.
    stop: AtomicBool,
    /// What each worker is doing.
    doing: Vec<Mutex<Option<String>>>,
}

impl<T: Sync, R: Send> Pool<'_, T, R> {
    /// Does all tasks; `finished` is told of each as it is done, and may print. The error is that
    /// of the first task that has one.
    pub fn run(&self, mut finished: impl FnMut(&T, R, &Display)) -> Result<(), Diagnostic> {
        let workers = self.jobs.clamp(1, self.tasks.len().max(1));
        let shared = Shared {
            next: AtomicUsize::new(0),
            stop: AtomicBool::new(false),
            doing: (0..workers).map(|_| Mutex::new(None)).collect(),
        };
        let mut error: Option<(usize, Diagnostic)> = None;
        let mut display = Display::new(self.tasks.len());
        std::thread::scope(|scope| {
            let (send, receive) = channel();
            for worker in 0..workers {
                let (shared, send) = (&shared, send.clone());
                scope.spawn(move || self.worker(shared, worker, &send));
            }
            drop(send);
            loop {
                match receive.recv_timeout(TICK) {
                    Ok((index, Ok(done))) => {
                        display.done();
                        if error.is_none() {
                            finished(&self.tasks[index], done, &display);
                        }
                    }
                    Ok((index, Err(diagnostic))) => {
                        if error.as_ref().is_none_or(|(first, _)| index < *first) {
                            error = Some((index, diagnostic));
                        }
                    }
                    Err(RecvTimeoutError::Timeout) => display.show(&shared.doing),
                    Err(RecvTimeoutError::Disconnected) => break,
                }
            }
        });
        display.end();
        error.map_or(Ok(()), |(_, diagnostic)| Err(diagnostic))
    }

    fn worker(&self, shared: &Shared, worker: usize, send: &Sender<(usize, Done<R>)>) {
        let tell = |what: Option<String>| {
            if let Ok(mut doing) = shared.doing[worker].lock() {
                *doing = what;
            }
        };
        while !shared.stop.load(Ordering::Relaxed) {
            let index = shared.next.fetch_add(1, Ordering::Relaxed);
            let Some(task) = self.tasks.get(index) else { break };
            let done = (self.work)(task, &|what| tell(Some(what)));
            if done.is_err() {
                shared.stop.store(true, Ordering::Relaxed);
                self.interrupter.interrupt();
            }
            // The receiver lives as long as the workers do.
            let _ = send.send((index, done));
        }
        tell(None);
    }
}
