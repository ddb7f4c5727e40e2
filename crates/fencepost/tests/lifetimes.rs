//! Stack and thread-local objects that others access before and after their ends: states, solver,
//! oracle and the stepper under random schedules say the same.

use engines::bounded::unrolling::CheckOptions;
use engines::verdict::{Verdict, Violation};
use engines::verification::{EngineChoice, Portfolio, Property, Questions};
use fencepost::compile::{Language, compile_text};
use fencepost::litmus::model;
use fencepost::target;
use ir::prepare::{Preparation, whole};
use ir::program::Program;
use ir::step::machine::{self, Machine};
use ir::step::thread::Code;
use models::Model;
use replay::{Expected, replay_expecting};

const HEADERS: &str = "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n\
    #include <stdlib.h>\n";
const MAIN: &str = "int main(void) {\n  pthread_t p, q;\n  pthread_create(&p, 0, a, 0);\n  \
    pthread_create(&q, 0, b, 0);\n  pthread_join(p, 0);\n  pthread_join(q, 0);\n  return 0;\n}\n";

/// A program, and how an access to something that is gone is called, if there is one: on all models,
/// or only on weaker ones than `tso`.
struct Case {
    name: &'static str,
    text: &'static str,
    found: Found,
}

enum Found {
    Nothing,
    Everywhere(&'static str),
    OnWeak(&'static str),
}
use Found::{Everywhere, Nothing, OnWeak};

const RETURNED: Found = Everywhere("use-after-return");

const CASES: &[Case] = &[
    Case {
        name: "a thread returns the address of its local",
        text: "void *t(void *u) { int x = 5; return &x; }
               int main(void) { pthread_t p; void *r; pthread_create(&p, 0, t, 0);
                   pthread_join(p, &r); return *(int *)r; }",
        found: RETURNED,
    },
    Case {
        name: "a thread exits with the address of its local",
        text: "void g(void) { int x; pthread_exit(&x); }
               void *t(void *u) { g(); return 0; }
               int main(void) { pthread_t p; void *r; pthread_create(&p, 0, t, 0);
                   pthread_join(p, &r); *(int *)r = 1; return 0; }",
        found: RETURNED,
    },
    Case {
        name: "a reader may come too late",
        text: "int *_Atomic gp;
               void *a(void *u) { int x = 5; gp = &x; return 0; }
               void *b(void *u) { int *p = gp; if (p) { int v = *p; (void)v; } return 0; }",
        found: RETURNED,
    },
    Case {
        name: "what is read too late goes where another thread was",
        text: "int d;
               void *t(void *u) { int x = 5; d = 1; return &x; }
               int main(void) { pthread_t p; void *r; pthread_create(&p, 0, t, 0);
                   pthread_join(p, &r); d = *(int *)r; return 0; }",
        found: RETURNED,
    },
    Case {
        name: "a writer may come too late",
        text: "int *_Atomic gp;
               void *a(void *u) { int x = 5; gp = &x; return 0; }
               void *b(void *u) { int *p = gp; if (p) *p = 6; return 0; }",
        found: RETURNED,
    },
    Case {
        name: "an update may come too late",
        text: "atomic_int *_Atomic gp;
               void *a(void *u) { atomic_int x = 5; gp = &x; return 0; }
               void *b(void *u) { atomic_int *p = gp; if (p) atomic_fetch_add(p, 1); return 0; }",
        found: RETURNED,
    },
    Case {
        name: "a call that returns on one path only",
        text: "int *_Atomic gp; atomic_int go;
               void g(void) { int x = 5; gp = &x; if (go) return; pthread_exit(0); }
               void *a(void *u) { g(); return 0; }
               void *b(void *u) { go = 1; int *p = gp; if (p) *p = 6; return 0; }",
        found: RETURNED,
    },
    Case {
        name: "a thread-local object is written after its thread",
        text: "_Thread_local int own = 3; int *gp;
               void *t(void *u) { gp = &own; return 0; }
               int main(void) { pthread_t p; pthread_create(&p, 0, t, 0); pthread_join(p, 0);
                   *gp = 4; return 0; }",
        found: Everywhere("use-after-thread"),
    },
    Case {
        name: "a thread-local object that nobody writes is read after its thread",
        text: "_Thread_local int own = 3, other = 4;
               void *t(void *u) { if (other == 5) return &other; return &own; }
               int main(void) { pthread_t p; void *r; pthread_create(&p, 0, t, 0);
                   pthread_join(p, &r); return *(int *)r; }",
        found: Everywhere("use-after-thread"),
    },
    Case {
        name: "the locals of main are there for threads that outlast it",
        text: "void *t(void *u) { *(int *)u = 6; return 0; }
               int main(void) { int x = 5; pthread_t p; pthread_create(&p, 0, t, &x); return 0; }",
        found: Nothing,
    },
    Case {
        name: "the locals of main are gone when it ends its own thread",
        text: "void *t(void *u) { *(int *)u = 6; return 0; }
               int main(void) { int x = 5; pthread_t p; pthread_create(&p, 0, t, &x);
                   pthread_exit(0); }",
        found: RETURNED,
    },
    Case {
        name: "exit ends no object",
        text: "int *_Atomic gp;
               void *a(void *u) { int x = 5; gp = &x; exit(0); }
               void *b(void *u) { int *p = gp; if (p) *p = 6; return 0; }",
        found: Nothing,
    },
    Case {
        name: "a call returns before the thread that it started reads",
        text: "void *t(void *u) { int v = *(int *)u; (void)v; return 0; }
               pthread_t start(void) { int x = 5; pthread_t p; pthread_create(&p, 0, t, &x);
                   return p; }
               int main(void) { pthread_join(start(), 0); return 0; }",
        found: RETURNED,
    },
    Case {
        name: "a call awaits the thread that it started",
        text: "void *t(void *u) { *(int *)u = 6; return 0; }
               int start(void) { int x = 5; pthread_t p; pthread_create(&p, 0, t, &x);
                   pthread_join(p, 0); return x; }
               int main(void) { return start() - 6; }",
        found: Nothing,
    },
    Case {
        name: "a call awaits a thread that awaits another",
        text: "void *v(void *u) { *(int *)u = 6; return 0; }
               void *t(void *u) { pthread_t p; pthread_create(&p, 0, v, u); pthread_join(p, 0);
                   return 0; }
               int start(void) { int x = 5; pthread_t p; pthread_create(&p, 0, t, &x);
                   pthread_join(p, 0); return x; }
               int main(void) { return start() - 6; }",
        found: Nothing,
    },
    Case {
        name: "a thread that awaits no other one returns too early for that",
        text: "void *v(void *u) { *(int *)u = 6; return 0; }
               void *t(void *u) { pthread_t p; pthread_create(&p, 0, v, u); return 0; }
               int start(void) { int x = 5; pthread_t p; pthread_create(&p, 0, t, &x);
                   pthread_join(p, 0); return 0; }
               volatile int last;
               int main(void) { last = start(); return 0; }",
        found: RETURNED,
    },
    Case {
        name: "a thread waits until its reader is done",
        text: "int *_Atomic gp; atomic_int done;
               void *a(void *u) { int x = 5; gp = &x; while (!done) { } return 0; }
               void *b(void *u) { int *p = gp; if (p) *p = 6; done = 1; return 0; }",
        found: Nothing,
    },
    Case {
        name: "a thread waits, but its reader may read after it has said that it is done",
        text: "int *_Atomic gp; atomic_int done;
               void *a(void *u) { int x = 5; gp = &x;
                   while (!atomic_load_explicit(&done, memory_order_relaxed)) { } return 0; }
               void *b(void *u) { int *p = gp; if (p) { int v = *p; (void)v; }
                   atomic_store_explicit(&done, 1, memory_order_relaxed); return 0; }",
        found: OnWeak("use-after-return"),
    },
    Case {
        name: "the last access is the one that lets the owner go on",
        text: "struct node { atomic_int ready; }; struct node *_Atomic gp;
               void *a(void *u) { struct node n; atomic_init(&n.ready, 0); gp = &n;
                   while (!n.ready) { } return 0; }
               void *b(void *u) { struct node *p; while (!(p = gp)) { } p->ready = 1; return 0; }",
        found: Nothing,
    },
    Case {
        name: "one access more than the one that lets the owner go on",
        text: "struct node { atomic_int ready, more; }; struct node *_Atomic gp;
               void *a(void *u) { struct node n; atomic_init(&n.ready, 0);
                   atomic_init(&n.more, 0); gp = &n; while (!n.ready) { } return 0; }
               void *b(void *u) { struct node *p; while (!(p = gp)) { } p->ready = 1; p->more = 1;
                   return 0; }",
        found: RETURNED,
    },
    Case {
        name: "a thread uses its own local after the call, and others may know it",
        text: "int *gp;
               void g(void) { int x = 5; gp = &x; }
               void *a(void *u) { g(); *gp = 6; return 0; }
               void *b(void *u) { return 0; }",
        found: RETURNED,
    },
    Case {
        name: "a thread uses its own local after the call, and nobody else knows it",
        text: "int *g(int *p) { int x = 5; return p ? p : &x; }
               void *a(void *u) { int *p = g(0); return (void *)(long)*p; }
               void *b(void *u) { return 0; }",
        found: RETURNED,
    },
    Case {
        name: "a local was gone before there were threads",
        text: "int *gp;
               void g(void) { int x = 5; gp = &x; }
               void *t(void *u) { int v = *gp; (void)v; return 0; }
               int main(void) { pthread_t p; g(); pthread_create(&p, 0, t, 0); pthread_join(p, 0);
                   return 0; }",
        found: RETURNED,
    },
    Case {
        name: "a call of the same function has another local",
        text: "int *_Atomic gp; atomic_int done;
               void g(int last) { int x = 5; gp = &x; if (last) while (!done) { } gp = 0; }
               void *a(void *u) { g(1); return 0; }
               void *b(void *u) { int *p = gp; if (p) *p = 6; done = 1; return 0; }",
        found: Nothing,
    },
    Case {
        name: "a mutex on the stack of a thread that returns while it is held",
        text: "pthread_mutex_t *_Atomic gp;
               void *a(void *u) { pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; gp = &m;
                   pthread_mutex_lock(&m); pthread_mutex_unlock(&m); return 0; }
               void *b(void *u) { pthread_mutex_t *m = gp;
                   if (m) { pthread_mutex_lock(m); pthread_mutex_unlock(m); } return 0; }",
        found: RETURNED,
    },
];

fn compiled(case: &Case, model: &Model) -> Program {
    let main = if case.text.contains("int main") { "" } else { MAIN };
    ready(&format!("{HEADERS}{}\n{main}", case.text), model)
}

fn ready(text: &str, model: &Model) -> Program {
    let compiled = compile_text("program.c", text, Language::C);
    let compiled = compiled.unwrap_or_else(|rejected| panic!("{:?}", rejected.diagnostics));
    let program = whole(compiled.program, &Preparation::default());
    target::compile(&program, model).expect("a program for the model")
}

/// What is found, after it was run again; why not, if the engine refuses.
fn asked(
    program: &Program,
    model: &Model,
    property: Property,
    engine: EngineChoice,
) -> Result<Option<String>, String> {
    let questions = Questions { properties: vec![property], ..Questions::default() };
    let options = CheckOptions { max_unroll: 8, encoding: Default::default(), progress: &|_| {} };
    let portfolio = Portfolio::from(engine);
    let report = portfolio.verify_confirmed_by(program, model, &questions, &options, &|_| false);
    match report.verdicts.get(&property).unwrap_or(&report.rest) {
        Verdict::Holds => Ok(None),
        Verdict::Violated(found) => {
            let Violation::Finding { kind, .. } = &found.violation else { panic!("a finding") };
            let (class, kind) = (kind.class(), kind.name().to_string());
            let witness = found.witness.as_ref().expect("a witness");
            let expected = Expected { class: Some(class), ..Expected::default() };
            let replayed = replay_expecting(program, model, witness, expected);
            let replayed = replayed.map_err(|mismatch| mismatch.to_string())?;
            let told = replayed.finding.map(|finding| finding.kind.name().to_string());
            assert_eq!(told.as_ref(), Some(&kind));
            Ok(Some(kind))
        }
        other => Err(format!("{other:?}")),
    }
}

/// The same for a case on a model.
fn found(case: &Case, name: &str, engine: EngineChoice) -> Option<String> {
    let model = model(name).unwrap_or_else(|_| panic!("a model"));
    let found = asked(&compiled(case, &model), &model, Property::Memory, engine);
    found.unwrap_or_else(|reason| panic!("{} on {name}: {reason}", case.name))
}

fn expected(case: &Case, weak: bool) -> Option<String> {
    match case.found {
        Nothing => None,
        OnWeak(_) if !weak => None,
        Everywhere(kind) | OnWeak(kind) => Some(kind.to_string()),
    }
}

#[test]
fn the_solver_finds_what_is_gone_on_every_model() {
    for case in CASES {
        for (name, weak) in
            [("sc", false), ("tso", false), ("pso", false), ("armv8", true), ("power", true)]
        {
            let told = found(case, name, EngineChoice::Solver);
            assert_eq!(told, expected(case, weak), "{} on {name}", case.name);
        }
        // These forbid cycles of program order and reads-from.
        let told = found(case, "rc11", EngineChoice::Solver);
        assert_eq!(told, expected(case, false), "{} on rc11", case.name);
    }
}

#[test]
fn states_find_what_is_gone() {
    for case in CASES {
        for name in ["sc", "tso"] {
            let told = found(case, name, EngineChoice::States);
            assert_eq!(told, expected(case, false), "{} on {name}", case.name);
        }
    }
}

/// The kinds of accesses to something that is gone.
fn is_gone(kind: &str) -> bool {
    kind.starts_with("use-after")
}

#[test]
fn the_oracle_finds_what_is_gone() {
    let mut compared = 0;
    // Loops that wait, and those of locks, have too many executions.
    let waits = |case: &&Case| case.text.contains("while") || case.text.contains("mutex");
    for case in CASES.iter().filter(|case| !waits(case)) {
        for (name, weak) in [("sc", false), ("tso", false), ("armv8", true)] {
            let model = model(name).unwrap_or_else(|_| panic!("a model"));
            let program = compiled(case, &model);
            let mut options = oracle::EnumerationOptions::for_program(&model);
            options.max_steps = Some(2_000);
            let Ok(outcomes) = oracle::program::outcomes(&program, &model, &options) else {
                println!("{} on {name}: refused", case.name);
                continue;
            };
            compared += 1;
            let findings = outcomes.all.into_iter().filter_map(|outcome| outcome.finding);
            let mut kinds = findings.map(|finding| finding.kind.name().to_string());
            assert_eq!(
                kinds.find(|kind| is_gone(kind)),
                expected(case, weak),
                "{} on {name}",
                case.name
            );
        }
    }
    assert!(compared > 30, "only {compared} were compared");
}

#[test]
fn some_schedule_finds_what_is_gone() {
    let sc = model("sc").unwrap_or_else(|_| panic!("a model"));
    for case in CASES {
        let program = compiled(case, &sc);
        let code = Code::new(&program);
        let kinds = (0..1000).filter_map(|seed| {
            let options = machine::RunOptions { seed, ..machine::RunOptions::default() };
            match Machine::new(&code, &options, Vec::new()).run() {
                machine::RunEnd::Violated(finding) => Some(finding.kind.name().to_string()),
                _ => None,
            }
        });
        let mut kinds = kinds.filter(|kind| is_gone(kind));
        assert_eq!(kinds.next(), expected(case, false), "{}", case.name);
    }
}

/// Numbers that are computed from addresses outlive the objects: no engine gives an address twice.
const NUMBERS: &[(&str, &str)] = &[
    (
        "a1 != a2",
        "void f(uintptr_t *r) { int x = 5; volatile int *p = &x; *r = (uintptr_t)p / 4; }
         uintptr_t a1, a2; void both(void) { f(&a1); f(&a2); }",
    ),
    (
        "a1 != a2",
        "uintptr_t a1, a2;
         uintptr_t f(void) { int x = 5; volatile int *p = &x; return (uintptr_t)p * 3; }
         uintptr_t g(void) { int y = 6; volatile int *p = &y; return (uintptr_t)p * 3; }
         void both(void) { a1 = f(); a2 = g(); }",
    ),
    (
        "a1 == a2",
        "uintptr_t a1, a2;
         uintptr_t f(void) { char x[8]; char *volatile p = x + 5; return p - x; }
         void both(void) { a1 = f(); a2 = f(); }",
    ),
];

#[test]
fn numbers_computed_from_addresses_are_not_used_again() {
    for (holds, text) in NUMBERS {
        let fails = if *holds == "a1 != a2" { "a1 == a2" } else { "a1 != a2" };
        for (assertion, expected) in [(*holds, false), (fails, true)] {
            let main = format!("int main(void) {{ both(); assert({assertion}); return 0; }}");
            let text = format!("#include <stdint.h>\n{HEADERS}{text}\n{main}");
            for engine in [EngineChoice::States, EngineChoice::Solver] {
                let sc = model("sc").unwrap_or_else(|_| panic!("a model"));
                let program = ready(&text, &sc);
                let told = asked(&program, &sc, Property::Assert, engine);
                let told = told.unwrap_or_else(|reason| panic!("{text}: {reason}"));
                assert_eq!(told.is_some(), expected, "{text}");
            }
        }
    }
}
