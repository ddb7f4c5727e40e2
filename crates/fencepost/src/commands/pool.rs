//! Does tasks at the same time, with a line about what is being done.

use super::progress::Display;
use fencepost::watch::Notice;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::Duration;

/// How often the progress is looked at.
const TICK: Duration = Duration::from_millis(200);

/// Does a task, and tells what it is doing.
type Work<'a, T, R> = &'a (dyn Fn(&T, &dyn Fn(Notice)) -> R + Sync);

/// Tasks that are done at the same time.
pub struct Pool<'a, T, R> {
    /// The tasks.
    pub tasks: &'a [T],
    /// How many are done at a time.
    pub jobs: usize,
    /// Does a task, and tells what it is doing.
    pub work: Work<'a, T, R>,
    /// Shows what was found while the work goes on.
    pub found: &'a (dyn Fn(&str) + Sync),
}

/// What the workers share.
struct Shared {
    next: AtomicUsize,
    /// What each worker is doing.
    doing: Vec<Mutex<Option<String>>>,
    /// What was found and is not shown yet.
    found: Mutex<Vec<String>>,
}

impl<T: Sync, R: Send> Pool<'_, T, R> {
    /// Does all tasks; `finished` is told of each as it is done, and may print.
    pub fn run(&self, mut finished: impl FnMut(&T, R, &Display)) {
        let workers = self.jobs.clamp(1, self.tasks.len().max(1));
        let shared = Shared {
            next: AtomicUsize::new(0),
            doing: (0..workers).map(|_| Mutex::new(None)).collect(),
            found: Mutex::default(),
        };
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
                    Ok((index, done)) => {
                        display.done();
                        finished(&self.tasks[index], done, &display);
                    }
                    Err(RecvTimeoutError::Timeout) => {
                        display.show(&shared.doing);
                        self.show_found(&shared, &display);
                    }
                    Err(RecvTimeoutError::Disconnected) => break,
                }
            }
        });
        display.end();
    }

    /// Shows what was found, if the search has lasted for so long that it is not shown at once.
    fn show_found(&self, shared: &Shared, display: &Display) {
        let Ok(mut found) = shared.found.lock() else { return };
        if display.is_shown() {
            display.aside(|| found.drain(..).for_each(|line| (self.found)(&line)));
        }
    }

    fn worker(&self, shared: &Shared, worker: usize, send: &Sender<(usize, R)>) {
        let tell = |what: Option<String>| {
            if let Ok(mut doing) = shared.doing[worker].lock() {
                *doing = what;
            }
        };
        loop {
            let index = shared.next.fetch_add(1, Ordering::Relaxed);
            let Some(task) = self.tasks.get(index) else { break };
            let done = (self.work)(task, &|notice| match notice {
                Notice::Doing(what) => tell(Some(what)),
                Notice::Found(line) => {
                    if let Ok(mut found) = shared.found.lock() {
                        found.push(line);
                    }
                }
            });
            // The receiver lives as long as the workers do.
            let _ = send.send((index, done));
        }
        tell(None);
    }
}
