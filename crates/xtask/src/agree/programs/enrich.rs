//! Puts into a sketch what only C programs do: two locks, locks that are tried or kept, lost
//! blocks, overflow, updates of what is a thread's own, a shared `float`.

use super::text::{HOOKS, PARTS};
use crate::agree::random::Random;
use crate::agree::sketch::{
    Access, Arithmetic, Library, Narrow, Place, REGISTERS, Sketch, Statement, Value,
};

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

/// Lets threads access parts of what others access as a whole.
pub(super) fn add_parts(random: &mut Random, sketch: &mut Sketch) {
    // Programs that say more have too many executions for brute force.
    sketch.threads.truncate(2);
    for thread in &mut sketch.threads {
        thread.truncate(2);
        for _ in 0..=random.below(2) {
            let kinds = [Narrow::Load, Narrow::Load, Narrow::Store, Narrow::Add, Narrow::Swap];
            let kind = *random.pick(&kinds);
            let part = random.below(PARTS.len());
            let what = Library::Part(kind, part, random.below(REGISTERS));
            let at = random.below(thread.len() + 1);
            thread.insert(at, Statement::Library(what, Vec::new()));
        }
    }
    let [_, meanwhile, after] = &mut sketch.main;
    meanwhile.truncate(1);
    after.extend([0, 1].map(|global| Statement::Load(global, plain(global))));
}

/// Lets executions go on where they once ended, or not end: arithmetic that overflows before
/// something else goes wrong, threads that are not awaited, and threads that wait while others go on
/// writing.
pub(super) fn add_ends(random: &mut Random, sketch: &mut Sketch) {
    // Programs that say more have too many executions for brute force.
    sketch.threads.truncate(2);
    sketch.threads.iter_mut().for_each(|thread| thread.truncate(2));
    sketch.nested = false;
    sketch.unjoined = random.one_in(2);
    sketch.detached = sketch.unjoined && random.one_in(2);
    let (waiter, global) = (random.below(sketch.threads.len()), random.below(2));
    let toggles = random.one_in(3);
    let count = sketch.threads.len();
    for (index, thread) in sketch.threads.iter_mut().enumerate() {
        let register = random.below(REGISTERS);
        if random.one_in(3) {
            let compute = Library::Compute(Arithmetic::Always, register, random.below(REGISTERS));
            thread.insert(0, Statement::Library(compute, Vec::new()));
        }
        if random.one_in(2) {
            let number = random.below(3) as i32;
            thread.push(Statement::Load(register, plain(random.below(2))));
            thread.push(Statement::Assert(register, number));
        }
        let at = random.below(thread.len() + 1);
        let part = match index == waiter {
            true if toggles || random.one_in(2) => {
                let number = 1 + random.below(2) as i32;
                let tell = Statement::Store(plain(2), Value::Number(1));
                let wait = Statement::Await(register, number, plain(global));
                vec![wait, sometimes(random, tell)]
            }
            false if toggles && count > 1 => {
                vec![Statement::Library(Library::Toggle(global, 2), Vec::new())]
            }
            true => Vec::new(),
            false => set(random, &plain(global)),
        };
        thread.splice(at..at, part);
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
        Library::Release,
        Library::OwnUpdate,
        Library::OwnUpdate,
        Library::Allocate,
        Library::Compute(Arithmetic::Sum, register, by),
    ])
}

/// Situations that a program's own statements rarely reach.
#[derive(Clone, Copy)]
enum Topic {
    Overflow,
    Leak,
    Waiting,
    Polling,
    Locks,
    Calls,
    Sections,
}

/// Makes one program in three about overflow, blocks that may get lost, flags that are awaited (by
/// polling with a lock, too) and set or not, locks that are given back or not, functions that are
/// called through memory, or sections that discard executions, depending on what its threads read.
pub(super) fn add_topics(random: &mut Random, sketch: &mut Sketch) {
    if !random.one_in(3) {
        return;
    }
    let topic = *random.pick(&[
        Topic::Overflow,
        Topic::Leak,
        Topic::Waiting,
        Topic::Polling,
        Topic::Locks,
        Topic::Calls,
        Topic::Calls,
        Topic::Sections,
    ]);
    let global = random.below(2);
    let flag = plain(global);
    let waiter = random.below(sketch.threads.len());
    for (index, thread) in sketch.threads.iter_mut().enumerate() {
        // Programs that say more have too many executions for brute force.
        thread.truncate(3);
        let part = match topic {
            Topic::Overflow if random.one_in(2) => overflow(random),
            Topic::Leak => leak(random),
            Topic::Waiting if index == waiter => {
                vec![Statement::Await(random.below(REGISTERS), 1, flag.clone())]
            }
            Topic::Polling if index == waiter => {
                let poll = Library::Poll(random.below(REGISTERS), global);
                vec![Statement::Library(poll, Vec::new())]
            }
            Topic::Polling if random.one_in(4) => set(random, &flag),
            Topic::Polling => vec![Statement::Library(Library::OtherLock, set(random, &flag))],
            Topic::Waiting => set(random, &flag),
            Topic::Locks => vec![locked(random)],
            Topic::Calls => call(random),
            Topic::Sections if random.one_in(2) => {
                let number = random.below(3) as i32;
                vec![Statement::Library(Library::Discard(number), Vec::new())]
            }
            Topic::Overflow | Topic::Sections => Vec::new(),
        };
        let at = random.below(thread.len() + 1);
        thread.splice(at..at, part);
    }
}

/// A relaxed access of a global, which no model has to take for a race.
fn plain(global: usize) -> Access {
    Access { place: Place::Global(global), order: ".rlx", tags: "" }
}

fn overflow(random: &mut Random) -> Vec<Statement> {
    let kinds = [Arithmetic::Sum, Arithmetic::Product, Arithmetic::Shift, Arithmetic::Quotient];
    let (register, by) = (random.below(REGISTERS), random.below(REGISTERS));
    let compute = Library::Compute(*random.pick(&kinds), register, by);
    let read = Statement::Load(by, plain(random.below(2)));
    vec![read, Statement::Library(compute, Vec::new())]
}

/// A block that is kept, freed or lost, always or if a register says so.
fn leak(random: &mut Random) -> Vec<Statement> {
    let allocate = Statement::Library(Library::Allocate, Vec::new());
    let keep = Statement::Library(Library::Keep, Vec::new());
    let last = if random.one_in(3) { Statement::Free } else { keep };
    let last = sometimes(random, last);
    vec![allocate, last]
}

/// Sets a flag that is awaited: perhaps only if a register says so, perhaps to something else
/// afterwards.
fn set(random: &mut Random, flag: &Access) -> Vec<Statement> {
    let store = |number| Statement::Store(flag.clone(), Value::Number(number));
    match random.below(4) {
        0 => vec![store(1), store(2)],
        1 => vec![store(2)],
        _ => vec![sometimes(random, store(1))],
    }
}

/// Sets the pointer to a function, perhaps only if a register says so; or calls what it points to.
fn call(random: &mut Random) -> Vec<Statement> {
    let hook = Statement::Library(Library::Hook(random.below(HOOKS.len())), Vec::new());
    let call = Statement::Library(Library::Call(random.below(REGISTERS)), Vec::new());
    match random.below(4) {
        0 => vec![hook, call],
        1 => vec![sometimes(random, hook)],
        _ => vec![call],
    }
}

fn locked(random: &mut Random) -> Statement {
    let register = random.below(REGISTERS);
    let body = vec![Statement::Load(register, plain(random.below(2)))];
    let what = match random.below(4) {
        0 => Library::TryLock,
        1 => Library::SpinLock,
        _ => Library::MayKeepLock(register),
    };
    Statement::Library(what, body)
}

fn sometimes(random: &mut Random, statement: Statement) -> Statement {
    match random.one_in(2) {
        true => Statement::If(random.below(REGISTERS), 0, vec![statement], Vec::new()),
        false => statement,
    }
}
