//! The states of a program and the solver say the same, on models that a machine stands for.

mod busy;
mod programs;

use engines::bounded::unrolling::CheckOptions;
use engines::engine::Behaviours;
use engines::explicit::{Machine, Visited, Wanted, knows, visit};
use engines::verdict::{Reason, Verdict, Violation};
use engines::verification::outcomes::{Asked, Observed};
use engines::verification::{EngineChoice, Portfolio, Property, Questions, Report};
use fencepost::compile::{Language, compile_text};
use fencepost::litmus::model;
use fencepost::target;
use ir::prepare::{Preparation, whole};
use ir::program::Program;
use models::Model;
use programs::PROGRAMS;
use replay::{Expected, replay_expecting};
use sat::Limits;
use std::sync::Arc;

const HEADERS: &str = "#include <assert.h>\n#include <checkfence.h>\n#include <pthread.h>\n\
    #include <stdatomic.h>\n#include <stdlib.h>\n";
const MAIN: &str = "int main(void) {\n  pthread_t p, q;\n  pthread_create(&p, NULL, a, NULL);\n  \
    pthread_create(&q, NULL, b, NULL);\n  pthread_join(p, NULL);\n  pthread_join(q, NULL);\n  \
    return 0;\n}\n";

/// Threads `a` and `b` with `main`, around a program's own text, unless it has a `main`.
fn two_threads(text: &str) -> String {
    let main = if text.contains("int main") { "" } else { MAIN };
    format!("{HEADERS}{text}\n{main}")
}

fn asked(program: &Program, model: &Model, questions: &Questions, engine: EngineChoice) -> Report {
    let encoding = Default::default();
    let options = CheckOptions { max_unroll: 8, encoding, progress: &|_| {} };
    Portfolio::from(engine).verify_confirmed_by(program, model, questions, &options, &|_| false)
}

fn verdict(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Holds | Verdict::HoldsWithinBounds(_) => "holds",
        Verdict::Violated(_) => "violated",
        Verdict::Inconclusive(..) | Verdict::Vacuous(..) => "inconclusive",
    }
}

fn compiled(text: &str, model: &Model) -> Program {
    let compiled = compile_text("program.c", text, Language::C);
    let compiled = compiled.unwrap_or_else(|rejected| panic!("{:?}", rejected.diagnostics));
    let program = whole(compiled.program, &Preparation::default());
    target::compile(&program, model).expect("a program for the model")
}

fn machines() -> [Arc<Model>; 2] {
    ["sc", "tso"].map(|name| model(name).unwrap_or_else(|_| panic!("a model")))
}

/// Runs every execution that was found again.
fn replayed(name: &str, program: &Program, model: &Model, report: &Report) {
    for (property, verdict) in &report.verdicts {
        let Verdict::Violated(found) = verdict else { continue };
        let witness = found.witness.as_ref().expect("a witness");
        let class = match &found.violation {
            Violation::Finding { kind, .. } => Some(kind.class()),
            _ => None,
        };
        let expected = Expected { class, ..Expected::default() };
        let replayed = replay_expecting(program, model, witness, expected);
        let replayed = replayed.unwrap_or_else(|m| panic!("{name}, {property}: {m}"));
        let kind = replayed.finding.and_then(|finding| Property::of(&finding.kind));
        // Who waits for a lock for ever may do so because its holder is in a loop.
        let loops = *property == Property::Deadlock && kind == Some(Property::Liveness);
        assert!(loops || kind == Some(*property), "{name}, {property} on {}: {kind:?}", model.name);
    }
    for (observed, witness) in report.behaviours.outcomes.iter().flatten() {
        let replayed = replay_expecting(program, model, witness, Expected::default());
        assert!(replayed.is_ok(), "{name} on {}, {observed:?}: {:?}", model.name, replayed.err());
    }
    if let Some(coverage) = &report.behaviours.coverage {
        let expected = Expected { unfinished: true, ..Expected::default() };
        for witness in &coverage.witnesses {
            let replayed = replay_expecting(program, model, witness, expected.clone());
            assert!(replayed.is_ok(), "{name} on {}: {:?}", model.name, replayed.err());
        }
    }
}

#[test]
fn states_and_solver_give_the_same_verdicts() {
    let properties: Vec<Property> = Property::ALL.into_iter().filter(|&p| knows(p)).collect();
    let questions = Questions { properties, ..Questions::default() };
    let mut compared = 0;
    for (name, text) in PROGRAMS {
        for model in machines() {
            let program = compiled(&two_threads(text), &model);
            let states = asked(&program, &model, &questions, EngineChoice::States);
            if let Verdict::Inconclusive(reason, _) = &states.rest {
                // With store buffers, nobody here knows what a `free` is.
                assert!(format!("{reason:?}").contains("`free`"), "{name}: {reason:?}");
                continue;
            }
            let solver = asked(&program, &model, &questions, EngineChoice::Solver);
            if let Verdict::Inconclusive(reason, _) = &solver.rest {
                println!("{name} on {}: the solver refuses: {reason:?}", model.name);
                replayed(name, &program, &model, &states);
                continue;
            }
            compared += 1;
            for (property, told) in &states.verdicts {
                let other = &solver.verdicts[property];
                assert_eq!(verdict(told), verdict(other), "{name}, {property} on {}", model.name);
            }
            replayed(name, &program, &model, &states);
            replayed(name, &program, &model, &solver);
        }
    }
    assert!(compared > 30, "{compared} were compared");
}

#[test]
fn a_lock_that_main_takes_before_the_threads_start_may_be_left_held() {
    let held = [
        ("a lock that main takes and nobody gives back", true),
        ("a lock that main takes and one path gives back", true),
        ("a lock that main takes, beside what others use", true),
        ("a lock that main takes and gives back before others use what is beside it", false),
        ("a lock that main takes in a block that it frees", false),
        ("a lock on the stack of main that a thread leaves held", true),
    ];
    let questions = Questions { properties: vec![Property::Deadlock], ..Questions::default() };
    let sc = &machines()[0];
    for (name, held) in held {
        let (_, text) = PROGRAMS.iter().find(|(other, _)| *other == name).expect("a program");
        let program = compiled(&two_threads(text), sc);
        for engine in [EngineChoice::States, EngineChoice::Solver] {
            let report = asked(&program, sc, &questions, engine);
            let told = verdict(&report.verdicts[&Property::Deadlock]);
            assert_eq!(told, if held { "violated" } else { "holds" }, "{name}");
        }
    }
}

/// An address with so many values is no list to the solver.
#[test]
fn one_of_many_locks_may_be_left_held() {
    let text = "pthread_mutex_t all[300]; atomic_int y;
        void *a(void *u) { int i = fp_choose(1, 299); pthread_mutex_lock(&all[i]); if (y) pthread_mutex_unlock(&all[i]); return u; }
        int main(void) { pthread_t p; y = 1; pthread_create(&p, 0, a, 0); y = 0; pthread_mutex_lock(&all[0]); y = 1; pthread_mutex_unlock(&all[0]); pthread_join(p, 0); return 0; }";
    let questions = Questions { properties: vec![Property::Deadlock], ..Questions::default() };
    let sc = &machines()[0];
    let program = compiled(&two_threads(text), sc);
    let report = asked(&program, sc, &questions, EngineChoice::Solver);
    assert_eq!(verdict(&report.verdicts[&Property::Deadlock]), "violated");
    replayed("many locks", &program, sc, &report);
}

#[test]
fn states_and_solver_see_the_same_outcomes_and_cover_the_same_branches() {
    let questions = Questions { outcomes: Asked::All, coverage: true, ..Questions::default() };
    let mut compared = 0;
    for (name, text) in PROGRAMS {
        for model in machines() {
            let program = compiled(&two_threads(text), &model);
            let states = asked(&program, &model, &questions, EngineChoice::States);
            if let Verdict::Inconclusive(..) = &states.rest {
                continue;
            }
            let solver = asked(&program, &model, &questions, EngineChoice::Solver);
            if let Verdict::Inconclusive(..) = &solver.rest {
                continue;
            }
            compared += 1;
            let outcomes = |report: &Report| -> Vec<Observed> {
                report.behaviours.outcomes.iter().flatten().map(|(seen, _)| seen.clone()).collect()
            };
            assert_eq!(outcomes(&states), outcomes(&solver), "{name} on {}", model.name);
            let covered = |report: &Report| {
                let coverage = report.behaviours.coverage.as_ref().expect("it was asked");
                coverage.reached.keys().copied().collect::<Vec<_>>()
            };
            assert_eq!(covered(&states), covered(&solver), "{name} on {}", model.name);
            replayed(name, &program, &model, &states);
        }
    }
    assert!(compared > 30, "{compared} were compared");
}

/// What was found, as a report.
fn report(visited: Visited) -> Report {
    let Visited { violations, coverage, outcomes, .. } = visited;
    let violated = violations.into_iter().map(|(p, found)| (p, Verdict::Violated(Box::new(found))));
    Report {
        answered_by: Default::default(),
        verdicts: violated.collect(),
        behaviours: Behaviours { outcomes: Some(outcomes), coverage: Some(coverage) },
        rest: Verdict::Holds,
        cut: None,
        explored: Default::default(),
        statistics: Default::default(),
    }
}

/// Whatever shortcuts are taken, what is found is the same.
#[test]
fn threads_can_be_looked_at_together_and_told_apart() {
    let properties: Vec<Property> = Property::ALL.into_iter().filter(|&p| knows(p)).collect();
    let (mut compared, mut fewer) = (0, [0; 2]);
    for (name, text) in PROGRAMS {
        for model in machines() {
            let program = compiled(&two_threads(text), &model);
            let machine = Machine::of(&model).expect("a machine");
            let questions = [
                Wanted { properties: properties.clone(), ..Wanted::default() },
                Wanted { outcomes: Asked::All, ..Wanted::default() },
                Wanted { coverage: true, ..Wanted::default() },
            ];
            for wanted in questions {
                let visited = |together, no_symmetry| {
                    let wanted = Wanted { together, no_symmetry, ..wanted.clone() };
                    visit(&program, machine, &wanted, &Limits::default(), 20_000)
                };
                let plain = visited(true, true);
                let others = [visited(false, true), visited(true, false), visited(false, false)];
                let Ok(plain) = plain else {
                    assert!(others.iter().all(Result::is_err), "{name}");
                    continue;
                };
                if plain.many {
                    continue;
                }
                let said = |visited: &Visited| {
                    let violated: Vec<Property> = visited.violations.keys().copied().collect();
                    let reached: Vec<_> = visited.coverage.reached.keys().copied().collect();
                    let outcomes: Vec<Observed> = visited.outcomes.keys().cloned().collect();
                    (visited.all, violated, reached, outcomes)
                };
                for (number, other) in others.into_iter().enumerate() {
                    let other = other.unwrap_or_else(|e| panic!("{name}, {}: {e:?}", model.name));
                    compared += 1;
                    if let Some(fewer) = fewer.get_mut(number) {
                        *fewer += usize::from(other.states < plain.states);
                    }
                    assert_eq!(said(&other), said(&plain), "{name} on {}", model.name);
                    if number == 2 {
                        replayed(name, &program, &model, &report(other));
                    }
                }
            }
        }
    }
    assert!(compared > 400 && fewer.iter().all(|&fewer| fewer > 10), "{compared}, {fewer:?}");
}

#[test]
fn a_local_that_is_returned_in_the_upper_half_of_a_number_is_not_used_again() {
    let text = "typedef unsigned __int128 both;
         int x;
         both f(void) {
           int y = 5; volatile int *p = &y; *p = 6;
           return (both)(unsigned long)p << 64 | (unsigned long)&x;
         }
         int g(both v) { int z = 9; volatile int *p = &z; *p = 9; return *(int *)(unsigned long)(v >> 64); }
         int main(void) { both v = f(); int r = g(v); assert(r == 9); return 0; }";
    let questions = Questions { properties: vec![Property::Memory], ..Questions::default() };
    for model in machines() {
        let program = compiled(&two_threads(text), &model);
        let report = asked(&program, &model, &questions, EngineChoice::default());
        assert_eq!(verdict(&report.verdicts[&Property::Memory]), "violated", "{}", model.name);
    }
}

#[test]
fn outcomes_are_what_there_is_when_main_comes_to_its_end() {
    let questions = Questions { outcomes: Asked::All, ..Questions::default() };
    let (_, text) = PROGRAMS.iter().find(|(name, _)| *name == "a thread ends the program").unwrap();
    for model in machines() {
        let program = compiled(&two_threads(text), &model);
        for engine in [EngineChoice::States, EngineChoice::Solver] {
            let report = asked(&program, &model, &questions, engine);
            let outcomes = report.behaviours.outcomes.expect("they were asked");
            // Nobody sees the end of an execution in which the thread has ended the program.
            assert!(outcomes.keys().all(|seen| seen[&1].len() == 2), "{engine:?}: {outcomes:?}");
            assert_eq!(outcomes.len(), 2);
        }
    }
}

/// POSIX leaves open what happens then.
#[test]
fn two_threads_that_wait_for_the_same_thread_are_refused() {
    let text = two_threads(
        "void *a(void *u) { return u; }
         void *b(void *u) { pthread_join((pthread_t)u, NULL); return NULL; }
         int main(void) { pthread_t p, q; pthread_create(&p, NULL, a, NULL); pthread_create(&q, NULL, b, (void *)p); pthread_join(p, NULL); pthread_join(q, NULL); return 0; }",
    );
    let questions = Questions { properties: vec![Property::Assert], ..Questions::default() };
    for model in machines() {
        let program = compiled(&text, &model);
        for engine in [EngineChoice::States, EngineChoice::Solver] {
            let report = asked(&program, &model, &questions, engine);
            let Verdict::Inconclusive(reason, _) = &report.rest else { panic!("{engine:?}") };
            let Reason::Unsupported { place: Some(place), .. } = reason else {
                panic!("{reason:?}")
            };
            assert_eq!(&*program.places[*place].location.file, "program.c", "{engine:?}");
        }
    }
}

#[test]
fn a_thread_that_nobody_notices_costs_little() {
    let text = two_threads(
        "atomic_int x;
         void *a(void *u) { for (int i = 0; i < 30; i++) x = i; return u; }
         void *b(void *u) { int last = 0; for (int i = 0; i < 5; i++) { int now = x; assert(now >= last); last = now; } return u; }",
    );
    let [sc, _] = machines();
    let program = compiled(&text, &sc);
    let questions = Questions { properties: vec![Property::Assert], ..Questions::default() };
    let one = asked(&program, &sc, &questions, EngineChoice::States);
    assert_eq!(verdict(&one.rest), "holds");
    let more = text.replace(
        "pthread_create(&q, NULL, b, NULL);",
        "pthread_create(&q, NULL, b, NULL); pthread_t r; pthread_create(&r, NULL, b, NULL);",
    );
    let two = asked(&compiled(&more, &sc), &sc, &questions, EngineChoice::States);
    assert!(two.statistics.states < 3 * one.statistics.states, "{two:?}");
}

/// Locks that only one thread takes, one of many for each: nobody notices when.
#[test]
fn locks_of_one_thread_each_cost_nothing() {
    let text = |threads: usize, step: usize| {
        format!(
            "#include <assert.h>\n#include <pthread.h>\n
             enum {{ THREADS = {threads}, SLOTS = 64 }};
             static pthread_mutex_t lock[SLOTS]; static int slot[SLOTS];
             static void *f(void *u) {{
                 for (int i = 0; i < 3; i++) {{
                     int at = ({step} * (int)(long)u + i) % SLOTS;
                     pthread_mutex_lock(&lock[at]); slot[at]++; assert(slot[at] == 1);
                     pthread_mutex_unlock(&lock[at]); }}
                 return 0; }}
             int main(void) {{
                 pthread_t t[THREADS];
                 for (int i = 0; i < SLOTS; i++) pthread_mutex_init(&lock[i], 0);
                 for (int i = 0; i < THREADS; i++) pthread_create(&t[i], 0, f, (void *)(long)i);
                 for (int i = 0; i < THREADS; i++) pthread_join(t[i], 0);
                 for (int i = 0; i < SLOTS; i++) pthread_mutex_destroy(&lock[i]);
                 return 0; }}\n"
        )
    };
    let properties = vec![Property::Assert, Property::Deadlock, Property::Liveness];
    let questions = Questions { properties, ..Questions::default() };
    for model in machines() {
        let apart = compiled(&text(12, 3), &model);
        let report = asked(&apart, &model, &questions, EngineChoice::States);
        assert!(report.verdicts.values().all(|found| verdict(found) == "holds"), "{report:?}");
        assert!(report.statistics.states < 100, "{report:?}");
        // Neighbours meet in one slot.
        let meet = compiled(&text(3, 2), &model);
        let report = asked(&meet, &model, &questions, EngineChoice::States);
        assert_eq!(verdict(&report.verdicts[&Property::Assert]), "violated", "{report:?}");
    }
}

/// Each thread has an element of its own, whatever its width.
#[test]
fn elements_of_one_thread_each_cost_nothing() {
    let text = |element: &str, last: usize| {
        format!(
            "#include <assert.h>\n#include <pthread.h>\n
             static {element} cell[12];
             static void *f(void *u) {{ int i = (int)(long)u; cell[i] = 1; cell[i]++; return 0; }}
             int main(void) {{
                 pthread_t t[12];
                 for (int i = 0; i < 12; i++)
                     pthread_create(&t[i], 0, f, (void *)(long)(i < {last} ? i : {last}));
                 for (int i = 0; i < 12; i++) pthread_join(t[i], 0);
                 for (int i = 0; i < {last}; i++) assert(cell[i] == 2);
                 return 0; }}\n"
        )
    };
    let questions = Questions { properties: vec![Property::Assert], ..Questions::default() };
    for model in machines() {
        for element in ["char", "short", "int", "long"] {
            let apart = compiled(&text(element, 11), &model);
            let report = asked(&apart, &model, &questions, EngineChoice::States);
            assert_eq!(verdict(&report.verdicts[&Property::Assert]), "holds", "{report:?}");
            assert!(report.statistics.states < 100, "{element}: {}", report.statistics.states);
            // Two threads have the same element.
            let meet = compiled(&text(element, 10).replace("i < 10; i++", "i < 11; i++"), &model);
            let report = asked(&meet, &model, &questions, EngineChoice::States);
            assert_eq!(verdict(&report.verdicts[&Property::Assert]), "violated", "{report:?}");
        }
    }
}

#[test]
fn a_thread_that_yields_while_it_waits_is_not_run_for_ever() {
    let text = two_threads(
        "#include <sched.h>
         volatile int ready, data;
         void *a(void *u) { data = 1; ready = 1; return u; }
         void *b(void *u) { while (!ready) sched_yield(); assert(data == 1); return u; }",
    );
    let questions = Questions { properties: vec![Property::Assert], ..Questions::default() };
    for model in machines() {
        let report = asked(&compiled(&text, &model), &model, &questions, EngineChoice::States);
        assert!(matches!(report.verdicts[&Property::Assert], Verdict::Holds), "{report:?}");
    }
}

#[test]
fn loops_need_no_bounds() {
    let text = two_threads(
        "atomic_int flag; int data;
         void *a(void *u) { data = 1; flag = 1; return u; }
         void *b(void *u) { while (!flag) {} assert(data == 1); return u; }",
    );
    let questions = Questions { properties: vec![Property::Assert], ..Questions::default() };
    for model in machines() {
        assert!(Machine::of(&model).is_some());
        let program = compiled(&text, &model);
        let report = asked(&program, &model, &questions, EngineChoice::States);
        assert!(matches!(report.verdicts[&Property::Assert], Verdict::Holds), "{report:?}");
    }
}

/// The solver refuses such accesses, and no witness can tell of them; but the violation that there
/// is must not be overlooked.
#[test]
fn a_part_of_what_is_shared_waits_in_the_buffer_too() {
    let text = two_threads(
        "union { long whole; struct { int low, high; }; } s; int y, z, seen;
         void *a(void *u) { s.whole = 1; s.high = 5; int v = y; atomic_thread_fence(memory_order_seq_cst); if (v == 0 && s.high == 5) z = 1; return u; }
         void *b(void *u) { y = 1; atomic_thread_fence(memory_order_seq_cst); seen = s.low; return u; }
         int main(void) { pthread_t p, q; pthread_create(&p, NULL, a, NULL); pthread_create(&q, NULL, b, NULL); pthread_join(p, NULL); pthread_join(q, NULL); assert(!z || seen); return 0; }",
    );
    let questions = Questions { properties: vec![Property::Assert], ..Questions::default() };
    let [sc, tso] = machines();
    let on =
        |model: &Model| asked(&compiled(&text, model), model, &questions, EngineChoice::States);
    assert_eq!(verdict(&on(&sc).verdicts[&Property::Assert]), "holds");
    assert_ne!(verdict(&on(&tso).verdicts[&Property::Assert]), "holds");
}

#[test]
fn a_thread_has_one_number_in_all_outcomes() {
    let text = two_threads(
        "atomic_int x;
         void *c(void *u) { fp_observe(\"c\", x); return u; }
         void *a(void *u) { pthread_t p; pthread_create(&p, NULL, c, NULL); pthread_join(p, NULL); return u; }
         void *b(void *u) { x = 1; fp_observe(\"b\", x); return u; }",
    );
    let questions = Questions { outcomes: Asked::All, ..Questions::default() };
    for model in machines() {
        let program = compiled(&text, &model);
        let seen = |engine| {
            let outcomes = asked(&program, &model, &questions, engine).behaviours.outcomes;
            outcomes.expect("it was asked").into_keys().collect::<Vec<_>>()
        };
        assert_eq!(seen(EngineChoice::Either), seen(EngineChoice::Solver), "{}", model.name);
    }
}

#[test]
fn a_model_of_the_user_has_no_machine() {
    let own = Model::from_text("sc", "let order = po | rf | co | fr\nacyclic order as sc").unwrap();
    assert_eq!(Machine::of(&own), None);
}

#[test]
fn what_is_found_before_there_are_too_many_states_stays() {
    let text = two_threads(
        "atomic_int x, y;
         void *a(void *u) { x = 1; assert(0); return u; }
         void *b(void *u) { for (int i = 0; i < 100; i++) { x = i; y = i; } return u; }",
    );
    let [sc, _] = machines();
    let properties = vec![Property::Assert, Property::Memory];
    let wanted = Wanted { properties, ..Wanted::default() };
    let program = compiled(&text, &sc);
    let limits = Default::default();
    let visited = visit(&program, Machine::Interleaving, &wanted, &limits, 60);
    let visited = visited.unwrap_or_else(|reason| panic!("{reason:?}"));
    assert!(visited.many && !visited.all);
    assert_eq!(visited.violations.into_keys().collect::<Vec<_>>(), [Property::Assert]);
}

#[test]
fn a_loop_that_writes_the_same_for_ever_is_confirmed_and_ends_where_the_bound_says() {
    let text = two_threads(
        "int x;
         void *a(void *u) { while (1) x = 1; return u; }
         int main(void) { pthread_t p; pthread_create(&p, 0, a, 0); x = 2; pthread_join(p, 0); return 0; }",
    );
    let [sc, _] = machines();
    let program = compiled(&text, &sc);
    let questions = Questions { properties: vec![Property::Liveness], ..Questions::default() };
    let states = asked(&program, &sc, &questions, EngineChoice::States);
    assert_eq!(verdict(&states.verdicts[&Property::Liveness]), "violated");
    replayed("the same for ever", &program, &sc, &states);
    let questions = Questions { properties: vec![Property::Assert], ..Questions::default() };
    let solver = asked(&program, &sc, &questions, EngineChoice::Solver);
    let Verdict::HoldsWithinBounds(bounds) = &solver.verdicts[&Property::Assert] else {
        panic!("{:?}", solver.verdicts);
    };
    assert_eq!(bounds.iter().map(|bound| bound.iterations).collect::<Vec<_>>(), [8]);
}

/// Four threads lose updates, which shows at the end of a program with very many states.
const FAR_AWAY: &str = "int x; void *a(void *u) { for (int i = 0; i < 10; i++) x++; return u; }
    int main(void) { pthread_t t[4]; for (int i = 0; i < 4; i++) pthread_create(&t[i], 0, a, 0);
        for (int i = 0; i < 4; i++) pthread_join(t[i], 0); assert(x == 40); return 0; }";

#[test]
fn what_is_wrong_at_the_end_is_found_before_all_states_are_visited() {
    let [model, _] = machines();
    let program = compiled(&two_threads(FAR_AWAY), &model);
    let wanted = Wanted { properties: vec![Property::Assert, Property::Leak], ..Wanted::default() };
    let visited = visit(&program, Machine::Interleaving, &wanted, &Limits::default(), 150_000);
    let visited = visited.expect("a supported program");
    assert!(visited.many && visited.violations.contains_key(&Property::Assert));
}

#[test]
fn choices_of_one_thread_are_left_to_the_solver_early() {
    let choices: String = (0..18)
        .map(|i| format!("  if (fp_choose(0, 1)) {{ x[{i}] = 1; k++; }} else x[{i}] = 2;\n"))
        .collect();
    let text = format!(
        "{HEADERS}int x[18];\nvoid *a(void *_) {{\n  int k = 0;\n{choices}  assert(k <= 18);\n  \
         return NULL;\n}}\nint main(void) {{\n  pthread_t p;\n  \
         pthread_create(&p, NULL, a, NULL);\n  pthread_join(p, NULL);\n  return 0;\n}}\n"
    );
    let questions = Questions { properties: vec![Property::Assert], ..Questions::default() };
    let model = &machines()[0];
    let report = asked(&compiled(&text, model), model, &questions, EngineChoice::Either);
    assert_eq!(verdict(&report.verdicts[&Property::Assert]), "holds");
    assert!(report.statistics.states < 200_000, "{}", report.statistics.states);
}

#[test]
fn what_the_last_thread_does_costs_no_states() {
    let text = |rounds: u32| {
        format!(
            "{HEADERS}int x;\nvoid *f(void *u) {{ x++; return u; }}\nint main(void) {{\n  \
             pthread_t p, q;\n  pthread_create(&p, 0, f, 0);\n  pthread_create(&q, 0, f, 0);\n  \
             pthread_join(p, 0);\n  pthread_join(q, 0);\n  \
             for (int i = 0; i < {rounds}; i++) x++;\n  assert(x <= {rounds} + 2);\n  \
             return 0;\n}}\n"
        )
    };
    for (model, machine) in machines().iter().zip([Machine::Interleaving, Machine::StoreBuffers]) {
        let wanted = Wanted { properties: vec![Property::Assert], ..Wanted::default() };
        let [few, many] = [1, 1000].map(|rounds| {
            let program = compiled(&text(rounds), model);
            let visited = visit(&program, machine, &wanted, &Limits::default(), 1_000_000);
            let visited = visited.unwrap_or_else(|reason| panic!("{reason:?}"));
            assert!(visited.all && visited.violations.is_empty());
            visited.states
        });
        assert_eq!(few, many);
    }
}
