//! What reductions and the lowering rest on does not hang on names: with every member, parameter and
//! function of the embedded headers' locks called something else, the facts in the program, the
//! answers and the effort they take are the same, and so is the program if functions that end threads
//! or register something for the end are.

use encoding::encode;
use engines::bounded::unrolling::CheckOptions;
use engines::explicit::{Machine, Wanted, visit};
use engines::verdict::{Statistics, Verdict};
use engines::verification::{EngineChoice, Portfolio, Property, Questions, Report};
use execution::span::SourceMap;
use fencepost::litmus::model;
use fencepost::target;
use front_c::pp::{MemoryLoader, preprocess};
use front_c::token::{Token, TokenKind};
use ir::locks::{LockView, Purpose};
use ir::prepare::{Preparation, tidy, whole};
use ir::program::Program;
use std::collections::BTreeMap;
use std::path::Path;

/// The models that programs are checked on.
const MODELS: [&str; 4] = ["sc", "relaxed", "armv8", "rc11"];

/// Every lock of the embedded headers, and a thread that polls under one.
const PROGRAMS: &[(&str, &str)] = &[
    (
        "a mutex is polled",
        "#include <assert.h>\n#include <pthread.h>
         pthread_mutex_t m; int ready, x;
         void *a(void *u) { pthread_mutex_lock(&m); x = 1; ready = 1; pthread_mutex_unlock(&m); return u; }
         void *b(void *u) {
             for (int done = 0; !done;) { pthread_mutex_lock(&m); done = ready; pthread_mutex_unlock(&m); }
             assert(x == 1); return u; }",
    ),
    (
        "a spinlock is polled",
        "#include <assert.h>\n#include <pthread.h>
         pthread_spinlock_t s; int ready, x;
         void *a(void *u) { pthread_spin_lock(&s); x = 1; ready = 1; pthread_spin_unlock(&s); return u; }
         void *b(void *u) {
             for (int done = 0; !done;) { pthread_spin_lock(&s); done = ready; pthread_spin_unlock(&s); }
             assert(x == 1); return u; }",
    ),
    (
        "two mutexes in two orders",
        "#include <pthread.h>
         struct box { int full; pthread_mutex_t inner; } p, q;
         void *a(void *u) { pthread_mutex_lock(&p.inner); pthread_mutex_lock(&q.inner);
             pthread_mutex_unlock(&q.inner); pthread_mutex_unlock(&p.inner); return u; }
         void *b(void *u) { pthread_mutex_lock(&q.inner); pthread_mutex_lock(&p.inner);
             pthread_mutex_unlock(&p.inner); pthread_mutex_unlock(&q.inner); return u; }",
    ),
    (
        "a lock of readers and writers, left held",
        "#include <assert.h>\n#include <pthread.h>
         pthread_rwlock_t r; int x;
         void *a(void *u) { pthread_rwlock_wrlock(&r); x = 1; return u; }
         void *b(void *u) { if (pthread_rwlock_tryrdlock(&r) == 0) assert(x == 0); return u; }",
    ),
    (
        "a lock of CheckFence",
        "#include <checkfence.h>\n#include <assert.h>\n#include <pthread.h>
         lock_t l; int x;
         void *a(void *u) { lock(&l); x++; unlock(&l); return u; }
         void *b(void *u) { lock(&l); x++; assert(x > 0); unlock(&l); return u; }",
    ),
];

const MAIN: &str = "\nint main(void) { pthread_t p, q; pthread_create(&p, 0, a, 0); \
    pthread_create(&q, 0, b, 0); pthread_join(p, 0); pthread_join(q, 0); return 0; }\n";

/// The names of members and parameters that the headers' locks are made of, and of functions of
/// theirs that no program calls.
const INNER: [&str; 9] = [
    "__fp_owner",
    "__fp_state",
    "__fp_writer",
    "__fp_depth",
    "__fp_type",
    "__fp_cond_start",
    "__fp_is_writer",
    "mutex",
    "lock",
];

/// The functions of locks that programs call are renamed in the program, too.
const FAMILIES: [&str; 3] = ["pthread_mutex_", "pthread_spin_", "pthread_rwlock_"];

/// Functions of the headers that mean more to their callers than their bodies say, in a program that
/// calls each of them: one ends the thread and with it the blocks of its callers, one makes a key
/// with a destructor, one registers what runs at the end.
const ROLES: &[(&str, &str)] = &[
    (
        "a thread ends inside a function that it has called",
        "#include <pthread.h>
         int *shared;
         void leave(void) { int local = 1; shared = &local; pthread_exit(0); }
         void *a(void *u) { int outer = 2; leave(); return &outer; }
         void *b(void *u) { return u; }",
    ),
    (
        "a C11 thread ends inside a function that it has called",
        "#include <threads.h>\n#include <pthread.h>
         int *shared;
         void leave(void) { int local = 1; shared = &local; thrd_exit(0); }
         void *a(void *u) { leave(); return u; }
         void *b(void *u) { return u; }",
    ),
    (
        "keys have destructors",
        "#include <pthread.h>\n#include <threads.h>
         pthread_key_t k; tss_t l; int destroyed;
         void destroy(void *value) { destroyed++; }
         void *a(void *u) { pthread_key_create(&k, destroy); pthread_setspecific(k, &k); return u; }
         void *b(void *u) { tss_create(&l, destroy); tss_set(l, &l); return u; }",
    ),
    (
        "a function is registered for the end",
        "#include <stdlib.h>\n#include <pthread.h>
         int ended;
         void last(void) { ended = 1; }
         void *a(void *u) { atexit(last); return u; }
         void *b(void *u) { return u; }",
    ),
];

/// What the functions of [`ROLES`] are called.
const CALLED: [&str; 6] =
    ["pthread_exit", "thrd_exit", "pthread_key_create", "tss_create", "atexit", "__fp_run_at_exit"];

/// Puts something before the names of functions with a role, in the headers and in the program.
fn with_other_roles(mut tokens: Vec<Token>, _: &SourceMap) -> Vec<Token> {
    for token in &mut tokens {
        let TokenKind::Ident(name) = &token.kind else { continue };
        if CALLED.contains(&&**name) {
            token.kind = TokenKind::Ident(format!("{OTHER}{name}").into());
        }
    }
    tokens
}

/// What is put before.
const OTHER: &str = "other_";

/// Calls everything about locks something else.
fn renamed(mut tokens: Vec<Token>, sources: &SourceMap) -> Vec<Token> {
    let calls: Vec<bool> = (0..tokens.len()).map(|i| is_open(tokens.get(i + 1))).collect();
    for (token, called) in tokens.iter_mut().zip(calls) {
        let TokenKind::Ident(name) = &token.kind else { continue };
        // `lock` is a parameter and a function of <checkfence.h>, which the program calls.
        let inner = INNER.contains(&&**name) && sources.is_library(token.span);
        let inner = inner && !(called && &**name == "lock");
        if inner || FAMILIES.iter().any(|family| name.starts_with(family)) {
            token.kind = TokenKind::Ident(format!("other_{}", name.trim_start_matches('_')).into());
        }
    }
    tokens
}

fn is_open(token: Option<&Token>) -> bool {
    token.is_some_and(|token| matches!(&token.kind, TokenKind::Punct("(")))
}

/// The program, with the names of the headers' locks or with others.
fn compiled(text: &str, rename: bool) -> Program {
    compiled_from(text, |tokens, sources| if rename { renamed(tokens, sources) } else { tokens })
}

/// The program that is made of changed tokens.
fn compiled_from(text: &str, change: impl Fn(Vec<Token>, &SourceMap) -> Vec<Token>) -> Program {
    let loader = MemoryLoader::new().with("a.c", format!("{text}{MAIN}"));
    let mut sources = SourceMap::new();
    let (tokens, told) = preprocess(Path::new("a.c"), &Default::default(), &loader, &mut sources);
    assert_eq!(told, []);
    let tokens = change(tokens, &sources);
    let (unit, told) = front_c::parse::parse(tokens, &sources);
    assert_eq!(told, []);
    let (unit, _) = front_c::sema::check(&[unit], &sources);
    let unit = unit.unwrap_or_else(|told| panic!("{told:?}"));
    let program =
        front_c::lower::lower(&unit, &sources, &[]).unwrap_or_else(|told| panic!("{told:?}"));
    whole(tidy(program), &Preparation::default())
}

/// What the accesses are for, in order, and the number of functions that recognise their own thread
/// only.
fn facts(program: &Program) -> (Vec<Purpose>, usize) {
    let insts = program.functions.iter().flat_map(|function| function.blocks.iter());
    let insts = insts.flat_map(|block| &block.insts);
    let purposes = insts.flat_map(|inst| inst.op.accesses()).map(|access| access.purpose);
    let views = program.functions.iter().filter(|f| f.lock_view == LockView::OwnHolderOnly);
    (purposes.collect(), views.count())
}

/// What the solver answers, and what it costs.
#[derive(PartialEq, Debug)]
struct Solved {
    /// The sort of verdict on each property.
    verdicts: BTreeMap<Property, String>,
    variables: u64,
    clauses: u64,
    conflicts: u64,
    rounds: u32,
}

fn solved(program: &Program, name: &str, mutexes: encode::Mutexes) -> Solved {
    let model = model(name).unwrap_or_else(|_| panic!("there is no model {name}"));
    let program = target::compile(program, &model).expect("it can be compiled for the model");
    let properties = vec![Property::Assert, Property::Deadlock];
    let questions = Questions { properties, ..Questions::default() };
    let encoding = encode::EncodeOptions { mutexes, ..Default::default() };
    let options = CheckOptions { max_unroll: 4, encoding, progress: &|_| () };
    let Report { verdicts, statistics, .. } = Portfolio::from(EngineChoice::Solver)
        .verify_confirmed_by(&program, &model, &questions, &options, &|_| false);
    let sort = |verdict: &Verdict| {
        let text = format!("{verdict:?}");
        text.split(['(', ' ']).next().unwrap_or_default().to_string()
    };
    let verdicts = verdicts.iter().map(|(&property, verdict)| (property, sort(verdict))).collect();
    let Statistics { variables, clauses, conflicts, rounds, .. } = statistics;
    Solved { verdicts, variables, clauses, conflicts, rounds }
}

/// How many states there are, and what is violated in them.
fn visited(program: &Program, machine: Machine) -> (usize, Vec<Property>) {
    let properties = vec![Property::Assert, Property::Deadlock];
    let wanted = Wanted { properties, ..Wanted::default() };
    let visited = visit(program, machine, &wanted, &Default::default(), usize::MAX);
    let visited = visited.unwrap_or_else(|reason| panic!("{reason:?}"));
    (visited.states, visited.violations.into_keys().collect())
}

#[test]
fn nothing_hangs_on_what_the_headers_call_their_locks() {
    for (name, text) in PROGRAMS {
        let [own, other] = [false, true].map(|rename| compiled(text, rename));
        let printed = ir::text::print(&other);
        assert!(INNER[..7].iter().all(|inner| !printed.contains(inner)), "{name}: {printed}");
        assert!(facts(&own).0.iter().any(|purpose| purpose.is_lock_word()), "{name}");
        assert_eq!(facts(&own), facts(&other), "{name}");
        // Fences of CheckFence have no meaning in C11.
        let is_of_models = |on: &&str| *on != "rc11" || !text.contains("checkfence");
        for on in MODELS.into_iter().filter(is_of_models) {
            let answers = [&own, &other].map(|p| solved(p, on, encode::Mutexes::Direct));
            assert_eq!(answers[0], answers[1], "{name} on {on}");
        }
        for machine in [Machine::Interleaving, Machine::StoreBuffers] {
            assert_eq!(visited(&own, machine), visited(&other, machine), "{name}: {machine:?}");
        }
    }
}

#[test]
fn nothing_hangs_on_what_the_headers_call_functions_with_a_role() {
    for (name, text) in ROLES {
        let own = code(&compiled_from(text, |tokens, _| tokens));
        let other = code(&compiled_from(text, with_other_roles));
        assert!(other.contains(OTHER), "{name}: {other}");
        assert_eq!(own, other.replace(OTHER, ""), "{name}");
    }
}

/// A program's own function is not what the headers' function of the same name is.
#[test]
fn a_function_of_the_program_has_no_role() {
    let text = "#include <pthread.h>\nvoid end(void *result);
        void *a(void *u) { int local; end(&local); return u; }
        void *b(void *u) { return u; }
        void end(void *result) { }";
    let named = text.replace("end(", "thrd_exit(");
    let [plain, named] = [text, &named].map(|text| code(&compiled_from(text, |tokens, _| tokens)));
    assert_eq!(plain, named.replace("thrd_exit", "end"));
}

/// What a program does, without places and columns.
fn code(program: &Program) -> String {
    let text = ir::text::print(program);
    let lines = text.lines().filter(|line| !line.starts_with('!'));
    let lines = lines.map(|line| line.split(" !").next().unwrap_or_default());
    lines.map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ") + "\n").collect()
}

/// The facts are what the reductions rest on: without them there are none.
#[test]
fn without_the_facts_there_is_no_reduction() {
    let (_, text) = PROGRAMS[0];
    let own = compiled(text, false);
    let asked = |program: &Program| solved(program, "relaxed", encode::Mutexes::Direct);
    let said = |program: &Program| asked(program).verdicts[&Property::Assert].clone();
    assert_eq!(said(&own), "Holds");
    let mut without = own.clone();
    for function in without.functions.iter_mut() {
        function.lock_view = LockView::Exact;
    }
    assert_eq!(said(&without), "HoldsWithinBounds", "an iteration that polls counts");
    for inst in without.functions.iter_mut().flat_map(|f| f.blocks.iter_mut()) {
        for access in inst.insts.iter_mut().flat_map(|inst| inst.op.accesses_mut()) {
            access.purpose = Purpose::Data;
        }
    }
    let atomics = solved(&without, "relaxed", encode::Mutexes::Atomics);
    assert_eq!(asked(&without), atomics, "mutexes are memory like any other");
}
