//! The views of two and three threads are in the fixpoint: for the data types of the examples, and
//! for random ones.

use super::concrete::Explorer;
use super::heap::{Body, Life, Object, Own, Shared, TOKEN, canonical};
use super::ladder::{Options, Verdict, prove};
use super::machine::{Facts, Locks, Machine, Prepared, Rung};
use super::search::{Assumptions, Ended, Search, Tracked};
use super::several::State;
use super::spec::{self, Spec};
use super::trace::steps;
use super::world::{Company, World};
use crate::fixture::Fixture;
use crate::test::compose::{Composed, Operations, compose};
use crate::test::parse::{Place, parse};
use execution::span::SourceMap;
use ir::step::sc::contents::Contents;
use ir::value::Value;
use sat::Limits;
use std::path::PathBuf;

mod random;

/// What the whole ladder says of a data type.
fn proof(text: &str, test: &str, buffers: bool) -> Verdict {
    let composed = Fixture::new(text, &Operations::default(), test).right();
    prove(&composed, None, &Options { buffers, ..Options::default() }, &|_| {}).verdict
}

/// While a thread is between a lock that it has released and its next access, others may acquire
/// the lock.
#[test]
fn a_release_ends_a_step() {
    let text = "
        #include <fencepost.h>
        #include <pthread.h>
        #include <stdatomic.h>
        static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
        static atomic_int place;
        void init(void) { pthread_mutex_init(&m, NULL); }
        void w(void) {
            pthread_mutex_lock(&m);
            atomic_store(&place, 1);
            atomic_store(&place, 0);
            pthread_mutex_unlock(&m);
        }
        void r(void) {
            pthread_mutex_lock(&m);
            pthread_mutex_unlock(&m);
            fp_observe(\"place\", atomic_load(&place));
        }
    ";
    for buffers in [false, true] {
        let Verdict::Open(open) = proof(text, "( w | r )", buffers) else {
            panic!("{buffers}: it is not right");
        };
        assert!(!open.tests.is_empty(), "an execution shows it");
    }
}

/// A store that waits in the buffer may become visible before the next access of its thread, and an
/// operation that only stores does not end before.
#[test]
fn what_enters_the_store_buffer_ends_a_step() {
    let text = "
        #include <fencepost.h>
        #include <pthread.h>
        #include <stdatomic.h>
        static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
        static pthread_mutex_t o = PTHREAD_MUTEX_INITIALIZER;
        static atomic_int left, right;
        void init(void) { pthread_mutex_init(&m, NULL); pthread_mutex_init(&o, NULL); }
        void l(void) {
            pthread_mutex_lock(&m);
            atomic_store_explicit(&left, 1, memory_order_relaxed);
            int seen = atomic_load_explicit(&right, memory_order_relaxed);
            pthread_mutex_unlock(&m);
            fp_assert(!seen);
        }
        void r(void) {
            pthread_mutex_lock(&o);
            atomic_store_explicit(&right, 1, memory_order_relaxed);
            int seen = atomic_load_explicit(&left, memory_order_relaxed);
            pthread_mutex_unlock(&o);
            if (seen) atomic_store(&right, 0);
        }
    ";
    assert!(matches!(proof(text, "( l | r )", true), Verdict::Open(_)));
    let stores = "
        #include <fencepost.h>
        #include <pthread.h>
        static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
        static int place;
        void init(void) { pthread_mutex_init(&m, NULL); }
        void w(void) { pthread_mutex_lock(&m); place = 1; pthread_mutex_unlock(&m); }
        void r(void) { pthread_mutex_lock(&m); fp_assert(!place); pthread_mutex_unlock(&m); }
    ";
    assert!(matches!(proof(stores, "( w | r )", true), Verdict::Open(_)));
}

/// An example with the operations of a test.
pub(super) fn example(file: &str, operations: &str) -> Composed {
    in_file(&format!("examples/{file}"), operations)
}

/// A data type in a file of the repository, with the operations of a test.
fn in_file(file: &str, operations: &str) -> Composed {
    let path = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join(file);
    let mut sources = SourceMap::new();
    let loader = front_c::pp::DiskLoader;
    let (program, _) = front_c::compile(&path, &Default::default(), &loader, &mut sources)
        .unwrap_or_else(|errors| panic!("{errors:#?}"));
    let name = sources.add_file("--test", operations);
    let test = parse(operations, Place { file: name, start: 0 }).expect("a test");
    compose(&program, &Operations::default(), &test, &sources).expect("operations")
}

/// What is asked about a data type.
#[derive(Clone, Copy)]
struct Question {
    buffers: bool,
    values: Option<u32>,
    size: Option<usize>,
    locks: Locks,
    /// Whether operations have to be those of the serial executions.
    checked: bool,
    common_objects: bool,
    threads: usize,
    /// The most states that are visited.
    most: usize,
    /// The most views that there may be.
    most_views: usize,
}

impl Question {
    fn of(values: u32, threads: usize) -> Self {
        Self {
            buffers: false,
            values: Some(values),
            size: Some(2),
            locks: Locks::Coarse,
            checked: true,
            common_objects: true,
            threads,
            most: 4000,
            most_views: 100_000,
        }
    }
}

/// How many views of states were compared, and whether all of them are known; the error is why the
/// search did not end with a proof.
fn compare(composed: &Composed, question: &Question) -> Result<(usize, bool), String> {
    let prepared = Prepared::new(composed, None);
    let limits = Limits::default();
    let settings = (question.buffers, question.values);
    let mut facts = Facts::default();
    loop {
        facts.begin();
        let rung = Rung::new(question.locks, 2);
        let machine = Machine::new(&prepared, rung, settings, facts);
        if let Some((what, _)) = machine.refusal() {
            return Err(what);
        }
        let initial = spec::initial(&machine).map_err(|failure| format!("{failure:?}"))?;
        let spec = match question.checked {
            true => Spec::of(&machine, &initial, question.size, &limits),
            false => Spec::of_anything(&machine, &initial),
        };
        let spec = spec.map_err(|failure| format!("{failure:?}"))?;
        machine.facts.borrow_mut().begin();
        let assumptions = Assumptions { common_objects: question.common_objects };
        let mut search = Search::new(&machine, &spec, &limits, assumptions);
        let stop = |views: usize| {
            if views > question.most_views {
                limits.interrupter.interrupt();
            }
        };
        match search.run(&initial, &stop) {
            Ended::Proved => {}
            Ended::Learnt => {
                drop(search);
                facts = machine.facts.take();
                continue;
            }
            Ended::Alarm(alarm) => {
                let steps = steps(&search, &machine, &alarm);
                return Err(format!("{:?} after {steps:#?}", alarm.what));
            }
            Ended::Refused { what, .. } => return Err(what),
            Ended::Limit => return Err("too many views".into()),
        }
        let exact = Rung::new(question.locks.max(Locks::Exact), usize::MAX);
        let known = machine.facts.borrow().clone();
        let concrete = Machine::new(&prepared, exact, settings, known);
        let mut explorer = Explorer::new(&concrete, &spec);
        explorer.run(&initial, question.threads, question.most, &limits);
        assert_eq!(explorer.wrong, [], "what was proved is wrong");
        assert!(!concrete.facts.borrow().grown, "the search has learnt everything");
        let mut count = 0;
        for state in &explorer.states {
            for thread in 0..question.threads {
                count += 1;
                let (shared, tracked) = view(&machine, state, thread);
                if !is_known(&machine, &search, &shared, &tracked) {
                    return Ok((count, false));
                }
            }
        }
        return Ok((count, true));
    }
}

/// Whether a view is known, or one that says less: one in which objects of the thread are cut off
/// (they were too far away once).
pub(super) fn is_known(
    machine: &Machine<'_>,
    search: &Search<'_, '_>,
    shared: &Shared,
    tracked: &Tracked,
) -> bool {
    let count = tracked.own.objects.len().min(6);
    (0..1 << count).any(|cut: u32| {
        let mut own = tracked.own.clone();
        for number in (0..count).filter(|number| cut & 1 << number != 0) {
            let body = own.objects[number].body().clone();
            let (life, contents) = (Life::Cut, Contents::default());
            let body = Body { life, contents, ..body };
            own.objects[number] = Object::new(&machine.regions, body).expect("no pointers");
        }
        let depth = machine.rung.depth;
        let formed = canonical(&machine.regions, shared.clone(), own, depth);
        let (shared, own) = formed.expect("ordinary pointers");
        search.contains(&shared, &Tracked { own, running: tracked.running.clone() })
    })
}

/// What one thread knows of a state.
pub(super) fn view(machine: &Machine<'_>, state: &State, thread: usize) -> (Shared, Tracked) {
    let own = Own { objects: state.private.clone(), ..state.threads[thread].clone() };
    let mut world = World::new(machine, Company::Others, &state.shared, &own);
    if machine.rung.locks == Locks::Coarse {
        // The words of locks say nothing.
        let held = state.threads.iter().flat_map(|own| &own.mine);
        for &(region, offset) in held.filter(|(_, offset)| offset & TOKEN == 0) {
            let clear = |body: &mut Body| {
                let width = body.contents.len().min(8) as u64;
                let width = ir::program::Width::from_bytes(width).expect("a width");
                body.contents.write(offset as usize, Value::int(width, 0));
            };
            world.change(region, clear).expect("an object");
        }
    }
    let (objects, private) = world.objects.split_at(world.shared);
    let shared = Shared { globals: world.globals.clone(), objects: objects.to_vec() };
    let own = Own { objects: private.to_vec(), ..own };
    let regions = &machine.regions;
    let (shared, own) = canonical(regions, shared, own, usize::MAX).expect("ordinary pointers");
    // What it does not lead to is gone now.
    let formed = canonical(regions, shared, own, machine.rung.depth);
    let (shared, own) = formed.expect("ordinary pointers");
    (shared, Tracked { own, running: state.running[thread].clone() })
}

const SETS: [&str; 4] = [
    "list-lockfree/list_lockfree.c",
    "list-fine/list_fine.c",
    "list-optimistic/list_optimistic.c",
    "lazylist/lazylist.c",
];

#[test]
fn the_views_of_two_and_three_threads_with_a_set_are_in_the_fixpoint() {
    for file in SETS {
        let composed = example(file, "( a | c | r )");
        for (values, threads, locks) in [
            (1, 2, Locks::Coarse),
            (2, 2, Locks::Coarse),
            (1, 3, Locks::Coarse),
            (1, 2, Locks::Exact),
        ] {
            let question = Question { locks, ..Question::of(values, threads) };
            let (count, all) = compare(&composed, &question).expect("a proof");
            assert!(all && count > 100, "{file} {values} {threads} {locks:?}");
        }
    }
}

#[test]
fn the_views_of_threads_with_store_buffers_are_in_the_fixpoint() {
    for file in SETS {
        let composed = example(file, "( a | c | r )");
        let question = Question { buffers: true, ..Question::of(1, 2) };
        let (count, all) = compare(&composed, &question).expect("a proof");
        assert!(all && count > 100, "{file}");
    }
}

#[test]
fn the_views_of_threads_with_a_queue_or_a_stack_are_in_the_fixpoint() {
    for (file, operations, locks) in [
        ("msn/msn.c", "( e | d )", Locks::Exact),
        ("ms2/ms2.c", "( e | d )", Locks::Exact),
        ("treiber/treiber.c", "( u | o )", Locks::Exact),
    ] {
        let composed = example(file, operations);
        let question = Question { locks, size: Some(1), ..Question::of(1, 2) };
        let (count, all) = compare(&composed, &question).expect("a proof");
        assert!(all && count > 100, "{file}");
    }
}

#[test]
fn a_lock_that_is_inferred_is_held_by_one_thread() {
    let composed = example("spinlock/spinlock.c", "( x )");
    let question = Question { locks: Locks::Inferred, ..Question::of(1, 3) };
    let (count, all) = compare(&composed, &question).expect("a proof");
    assert!(all && count > 20);
}

/// A cell that an operation takes out, writes and puts back, while another may still know it.
pub(super) const CELL: &str = "
    #include <stdatomic.h>
    #include <stdlib.h>
    #include <fencepost.h>
    struct cell { atomic_int value; };
    static _Atomic(struct cell *) place;
    void init(void) {
        struct cell *made = malloc(sizeof *made);
        atomic_init(&made->value, 0);
        atomic_init(&place, made);
    }
    void w(void) {
        struct cell *taken = atomic_exchange(&place, NULL);
        if (!taken) return;
        atomic_store(&taken->value, 7);
        atomic_store(&taken->value, 0);
        atomic_store(&place, taken);
    }
    void r(void) {
        struct cell *known = atomic_load(&place);
        if (known) fp_observe(\"value\", atomic_load(&known->value));
    }
";

/// Two threads may know an object that no other thread can find.
#[test]
fn without_common_objects_views_are_missing() {
    let composed = Fixture::new(CELL, &Operations::default(), "( w | r )").right();
    let with = Question { checked: false, ..Question::of(1, 2) };
    let without = Question { common_objects: false, ..with };
    let all = |question| compare(&composed, question).map(|(_, all)| all);
    assert_eq!(all(&with), Ok(true));
    assert_eq!(all(&without), Ok(false));
}

/// The small data types of the corpus: under locks of the library, and with a flag for each thread.
#[test]
fn the_views_of_threads_with_small_types_are_in_the_fixpoint() {
    for (file, operations, locks) in [
        ("corpus/prove/counter.c", "( up | look )", Locks::Coarse),
        ("corpus/prove/message.c", "( send | receive )", Locks::Exact),
        ("examples/checkfence-lock/lock_fenced.c", "( x )", Locks::Inferred),
    ] {
        let composed = in_file(file, operations);
        for (buffers, threads) in [(false, 3), (true, 2), (true, 3)] {
            let question = Question { locks, buffers, ..Question::of(2, threads) };
            let (count, all) = compare(&composed, &question).expect("a proof");
            assert!(all && count > 20, "{file} {buffers} {threads}");
        }
    }
}

/// What is asked about a random data type: the rungs, both models, two and three threads in turn.
fn about(seed: u64) -> Question {
    let threads = if seed % 7 == 6 { 3 } else { 2 };
    Question {
        buffers: seed % 3 == 1,
        locks: [Locks::Coarse, Locks::Exact, Locks::Inferred][(seed / 5 % 3) as usize],
        checked: false,
        most: 400,
        most_views: 2000,
        ..Question::of(2, threads)
    }
}

/// The random data type of a seed.
fn random_type(seed: u64) -> (String, Composed) {
    let (text, test) = random::data_type(seed);
    let composed = Fixture::new(&text, &Operations::default(), &test).right();
    (text, composed)
}

/// `FENCEPOST_RANDOM_TYPES=20000 cargo test --release -p engines views` asks about more.
#[test]
fn the_views_of_threads_with_random_types_are_in_the_fixpoint() {
    let most = std::env::var("FENCEPOST_RANDOM_TYPES").ok();
    let most = most.map_or(260, |text| text.parse().expect("a number"));
    let (mut compared, mut views) = (0, 0);
    for seed in 0..most {
        let (text, composed) = random_type(seed);
        if let Ok((count, all)) = compare(&composed, &about(seed)) {
            assert!(all, "seed {seed}: a view of a state is missing\n{text}");
            compared += 1;
            views += count as u64;
        }
    }
    println!("{compared} of {most} types, {views} views of states");
    assert!(compared * 10 > most * 7 && views > 100 * compared, "{compared}, {views}");
}

/// How many of the random data types need it that two threads may know an object that no other
/// thread can find.
#[test]
fn without_common_objects_views_of_random_types_are_missing() {
    let missing = |&seed: &u64| {
        let question = Question { common_objects: false, ..about(seed) };
        compare(&random_type(seed).1, &question).is_ok_and(|(_, all)| !all)
    };
    let count = (0..100).filter(missing).count();
    assert!(count >= 5, "{count}");
}
