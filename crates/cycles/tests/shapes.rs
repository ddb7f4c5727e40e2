//! The classical shapes: which of the programs of `corpus/verify/litmus` have a critical cycle on
//! which model, and where fences cut it.

use cycles::{Analysis, analyse};
use execution::span::SourceMap;
use front_c::pp::{COptions, MemoryLoader};
use ir::prepare::{Preparation, whole};
use ir::program::Program;
use limits::Limits;
use models::Model;
use replay::target::compile;
use std::path::{Path, PathBuf};

fn program(text: &str) -> Program {
    let loader = MemoryLoader::new().with("test.c", text);
    let files = vec![(PathBuf::from("test.c"), COptions::default())];
    let (program, _) = front_c::compile_all(&files, &loader, &mut SourceMap::new())
        .unwrap_or_else(|errors| panic!("{errors:?}"));
    whole(program, &Preparation::default())
}

fn analysed(text: &str, model: &str) -> (Program, Analysis) {
    let model = Model::named(model).expect("in the library");
    let compiled = compile(&program(text), &model).unwrap_or_else(|why| panic!("{why:?}"));
    let analysis = analyse(&compiled, &model, &Limits::default());
    let analysis = analysis.unwrap_or_else(|why| panic!("{why:?}"));
    (compiled, analysis)
}

fn litmus(name: &str) -> String {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/verify/litmus");
    std::fs::read_to_string(corpus.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn is_clean(analysis: &Analysis) -> bool {
    analysis.cycles.is_empty() && analysis.longer.is_empty()
}

/// Each program, the models on which it has a cycle, and those on which it has none.
const SHAPES: [(&str, &[&str], &[&str]); 22] = [
    ("sb_relaxed.c", &["tso", "pso", "relaxed", "armv8", "power", "rc11"], &["sc"]),
    ("sb_fences.c", &[], &["sc", "tso", "pso", "rmo", "relaxed", "armv7", "armv8", "power"]),
    ("sb_seq_cst.c", &[], &["sc", "tso", "pso", "armv8", "power"]),
    ("sb_one_fence.c", &["tso", "armv8", "power"], &["sc"]),
    ("sb_exchange.c", &[], &["sc", "tso"]),
    ("sb_release_acquire.c", &["tso", "power"], &["sc", "armv8"]),
    ("sb_three_relaxed.c", &["tso", "armv8", "power"], &["sc"]),
    ("mp_relaxed.c", &["pso", "relaxed", "armv8", "power", "rc11"], &["sc", "tso"]),
    ("mp_release_acquire.c", &[], &["sc", "tso", "pso", "armv7", "armv8", "power", "rc11"]),
    ("mp_fences.c", &[], &["sc", "tso", "pso", "armv8", "power"]),
    ("mp_relaxed_reader.c", &["armv8", "power"], &["sc", "tso"]),
    ("mp_relaxed_writer.c", &["pso", "armv8", "power"], &["sc", "tso"]),
    ("mp_address_dependency.c", &[], &["sc", "tso", "armv8", "power"]),
    ("lb_relaxed.c", &["armv8", "power", "relaxed"], &["sc", "tso", "pso"]),
    ("2_plus_2w_relaxed.c", &["pso", "armv8", "power"], &["sc", "tso"]),
    ("2_plus_2w_release.c", &["rc11"], &["sc", "tso", "pso", "armv8", "power"]),
    ("iriw_relaxed.c", &["armv8", "power"], &["sc", "tso", "pso"]),
    ("iriw_acquire.c", &["power"], &["sc", "tso", "armv8"]),
    ("wrc_relaxed.c", &["armv8", "power"], &["sc", "tso", "pso"]),
    ("wrc_release_acquire.c", &[], &["sc", "tso", "armv8", "power"]),
    ("isa2_release_acquire.c", &[], &["sc", "tso", "armv8", "power"]),
    ("corr_relaxed.c", &[], &["sc", "tso", "pso", "armv8", "power"]),
];

#[test]
fn classical_shapes_have_cycles_where_models_allow_them() {
    let mut wrong = Vec::new();
    for (name, weak, strong) in SHAPES {
        let text = litmus(name);
        let expected = weak.iter().map(|m| (m, false)).chain(strong.iter().map(|m| (m, true)));
        for (model, clean) in expected {
            if is_clean(&analysed(&text, model).1) != clean {
                wrong.push(format!("{name} on {model}: clean should be {clean}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// The lines of the places of fences, and whether each is before its line.
fn fences(text: &str, model: &str) -> Vec<(u32, bool)> {
    let (compiled, analysis) = analysed(text, model);
    assert!(!is_clean(&analysis) && analysis.hidden.is_empty());
    let line = |place: cycles::Place| compiled.places[place.at].location.line;
    analysis.fences.iter().map(|fence| (line(fence.place), fence.place.before)).collect()
}

/// The program with full fences on lines of their own.
fn with_fences(text: &str, fences: &[(u32, bool)]) -> String {
    let mut lines = String::from("#include <stdatomic.h>\n");
    let fence = "atomic_thread_fence(memory_order_seq_cst);\n";
    for (number, line) in (1..).zip(text.lines()) {
        if fences.contains(&(number, true)) {
            lines += fence;
        }
        lines += line;
        lines += "\n";
        if fences.contains(&(number, false)) {
            lines += fence;
        }
    }
    lines
}

#[test]
fn the_fences_that_are_suggested_cut_every_cycle() {
    let mut applied = 0;
    for (name, weak, _) in SHAPES {
        let text = litmus(name);
        for model in weak {
            let fenced = with_fences(&text, &fences(&text, model));
            let (_, analysis) = analysed(&fenced, model);
            assert!(is_clean(&analysis), "{name} on {model}:\n{fenced}\n{analysis:?}");
            applied += 1;
        }
    }
    assert!(applied >= 30, "{applied}");
}

#[test]
fn store_buffering_needs_a_fence_in_each_thread() {
    assert_eq!(fences(&litmus("sb_relaxed.c"), "tso").len(), 2);
    assert_eq!(fences(&litmus("sb_one_fence.c"), "tso").len(), 1);
    assert_eq!(fences(&litmus("sb_three_relaxed.c"), "tso").len(), 3);
}

const LOCKED: &str = "#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x, y;
void *left(void *p) { pthread_mutex_lock(&m); x = 1; int r = y; pthread_mutex_unlock(&m); y = r; return p; }
void *right(void *p) { pthread_mutex_lock(&m); y = 1; int r = x; pthread_mutex_unlock(&m); x = r; return p; }
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, left, 0);
    pthread_create(&b, 0, right, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
";

#[test]
fn what_a_lock_protects_may_still_be_reported() {
    assert!(!is_clean(&analysed(LOCKED, "tso").1));
}

/// Where an access is made by a function that several threads call, with pointers to different
/// objects, each call counts by itself.
const CALLED: &str = "#include <pthread.h>
#include <stdatomic.h>
atomic_int x, y;
static int swap(atomic_int *mine, atomic_int *other) {
    atomic_store_explicit(mine, 1, memory_order_relaxed);
    return atomic_load_explicit(other, memory_order_relaxed);
}
void *left(void *p) { swap(&x, &y); return p; }
void *right(void *p) { swap(&y, &x); return p; }
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, left, 0);
    pthread_create(&b, 0, right, 0);
    return 0;
}
";

#[test]
fn calls_are_followed_and_pointers_that_are_passed_are_known() {
    assert_eq!(fences(CALLED, "tso").len(), 1, "one place, in the function that both call");
    assert!(is_clean(&analysed(&CALLED.replace("swap(&y, &x)", "swap(&x, &x)"), "tso").1));
}

#[test]
fn threads_that_a_loop_starts_may_be_any_number() {
    let text = CALLED.replace(
        "pthread_create(&b, 0, right, 0);",
        "for (int i = 0; i < 9; i++) pthread_create(&b, 0, right, 0);",
    );
    let (_, analysis) = analysed(&text, "tso");
    assert!(analysis.threads.contains(&("right".to_string(), None)), "{:?}", analysis.threads);
    assert!(analysis.threads.contains(&("left".to_string(), Some(1))));
    assert!(!is_clean(&analysis));
}

#[test]
fn parts_of_a_word_are_places_of_their_own() {
    let text = litmus("../widths/forwarding_from_half.c");
    assert!(!is_clean(&analysed(&text, "tso").1));
}

#[test]
fn a_thread_alone_has_no_cycle() {
    let text = "int x, y; int main(void) { x = 1; int r = y; y = 1; return r + x; }\n";
    assert!(is_clean(&analysed(text, "relaxed").1));
}
