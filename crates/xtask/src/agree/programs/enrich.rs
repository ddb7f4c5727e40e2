//! Puts into a sketch what only C programs do: two locks, locks that are tried or kept, lost
//! blocks, overflow, updates of what is a thread's own, a shared `float`.

use crate::agree::random::Random;
use crate::agree::sketch::{Library, REGISTERS, Sketch, Statement};

/// Changes some threads of a sketch.
pub(super) fn enrich(random: &mut Random, sketch: &mut Sketch) {
    // Half of the programs are about one or two things of the library, in several threads.
    if random.one_in(2) {
        return;
    }
    let wanted = [choice(random), choice(random)];
    for thread in &mut sketch.threads {
        if random.one_in(3) {
            continue;
        }
        let what = match *random.pick(&wanted) {
            Library::BothLocks { .. } => Library::BothLocks { other_first: random.one_in(2) },
            what => what,
        };
        let at = random.below(thread.len() + 1);
        // It goes before, around or in place of a statement.
        let body = match (random.below(3), at < thread.len()) {
            (0, _) | (_, false) => Vec::new(),
            (1, true) => vec![thread.remove(at)],
            (_, true) => {
                thread.remove(at);
                Vec::new()
            }
        };
        thread.insert(at, Statement::Library(what, body));
    }
}

/// Lets some threads of one program in eight compute with a shared `float`.
pub(super) fn add_floats(random: &mut Random, sketch: &mut Sketch) {
    if !random.one_in(8) {
        return;
    }
    for thread in &mut sketch.threads {
        if random.one_in(4) {
            continue;
        }
        let what = Library::Float(random.below(REGISTERS), random.below(REGISTERS));
        let at = random.below(thread.len() + 1);
        thread.insert(at, Statement::Library(what, Vec::new()));
    }
}

fn choice(random: &mut Random) -> Library {
    let (register, by) = (random.below(REGISTERS), random.below(REGISTERS));
    *random.pick(&[
        Library::TryLock,
        Library::SpinLock,
        Library::OtherLock,
        Library::BothLocks { other_first: true },
        Library::KeepLock,
        Library::OwnUpdate,
        Library::OwnUpdate,
        Library::Allocate,
        Library::Grow(register, by),
    ])
}
