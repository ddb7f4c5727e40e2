//! How fast the stepper and the C front end are, in processor time on one core.

use crate::root;
use fencepost::compile::{COptions, Compiled, compile_file};
use fencepost::run::{Code, Machine, Quiet, RunEnd, RunOptions};
use report::Style;
use sat::cpu::Stopwatch;
use std::path::Path;
use std::time::Duration;

/// The programs whose execution is measured.
const PROGRAMS: [&str; 4] = ["arithmetic.c", "sieve.c", "list.c", "threads.c"];
/// How many lines the file has whose compilation is measured.
const LINES: usize = 2000;
/// The fastest of this many repetitions counts.
const REPEAT: usize = 5;

/// Measures and prints; says whether everything could be measured.
pub fn run() -> bool {
    println!("{:<34} {:>12} {:>10} {:>10}", "stepper", "instructions", "ms", "million/s");
    let stepped = PROGRAMS.iter().all(|name| stepper(&root().join("benchmarks").join(name)));
    println!("\n{:<34} {:>12} {:>10}", "C to IR", "lines", "ms");
    let generated = std::env::temp_dir().join("fencepost-bench.c");
    let written = std::fs::write(&generated, generated_source(LINES)).is_ok();
    let compiled = written && compiler(&generated, "generated");
    let _ = std::fs::remove_file(&generated);
    stepped && compiled
}

fn stepper(path: &Path) -> bool {
    let Some(compiled) = compile(path) else { return false };
    let code = Code::new(&compiled.program);
    let options = RunOptions { max_steps: u64::MAX, ..RunOptions::default() };
    let mut best: Option<(Duration, u64)> = None;
    for _ in 0..REPEAT {
        let mut machine = Machine::new(&code, &options, Quiet);
        let watch = Stopwatch::start();
        let outcome = machine.run();
        let time = watch.elapsed();
        if outcome != RunEnd::Exited(0) {
            println!("{}: {outcome:?}", path.display());
            return false;
        }
        if best.is_none_or(|(fastest, _)| time < fastest) {
            best = Some((time, machine.executed()));
        }
    }
    if let Some((time, executed)) = best {
        let rate = executed as f64 / time.as_secs_f64() / 1e6;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        println!("{name:<34} {executed:>12} {:>10.1} {rate:>10.1}", milliseconds(time));
    }
    true
}

fn compiler(path: &Path, name: &str) -> bool {
    let lines = std::fs::read_to_string(path).map_or(0, |text| text.lines().count());
    let mut best = Duration::MAX;
    for _ in 0..REPEAT {
        let watch = Stopwatch::start();
        if compile(path).is_none() {
            return false;
        }
        best = best.min(watch.elapsed());
    }
    println!("{name:<34} {lines:>12} {:>10.1}", milliseconds(best));
    true
}

fn compile(path: &Path) -> Option<Compiled> {
    match compile_file(path, &COptions::default()) {
        Ok(compiled) => Some(compiled),
        Err(rejected) => {
            let (all, map) = (&rejected.diagnostics, &rejected.sources);
            print!("{}", report::diagnostics::render_all(all, map, Style::Plain));
            None
        }
    }
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// A C file of at least this many lines of the kind that is checked: lists, locks, atomics, loops.
fn generated_source(lines: usize) -> String {
    let mut source = String::from(
        "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n#include <stdlib.h>\n",
    );
    let mut units = 0;
    while source.lines().count() < lines - 10 {
        source += &UNIT.replace("NN", &units.to_string());
        units += 1;
    }
    source += "\nint main(void) {\n    int sum = 0;\n";
    for unit in 0..units {
        source += &format!("    sum += test_{unit}({unit});\n");
    }
    source + "    return sum == 0;\n}\n"
}

const UNIT: &str = "
struct node_NN {
    int key;
    _Atomic(struct node_NN *) next;
    unsigned marked : 1, height : 7;
};

static struct list_NN {
    pthread_mutex_t lock;
    struct node_NN *head;
    atomic_int size;
} list_NN = {PTHREAD_MUTEX_INITIALIZER, 0, 0};

static struct node_NN *find_NN(int key, struct node_NN **before) {
    struct node_NN *n = list_NN.head;
    *before = 0;
    while (n && n->key < key) {
        *before = n;
        n = atomic_load_explicit(&n->next, memory_order_acquire);
    }
    return n;
}

static int insert_NN(int key) {
    struct node_NN *before, *n, *fresh = malloc(sizeof *fresh);
    if (!fresh)
        return -1;
    fresh->key = key;
    fresh->marked = 0;
    fresh->height = key & 0x7f;
    pthread_mutex_lock(&list_NN.lock);
    n = find_NN(key, &before);
    if (n && n->key == key) {
        pthread_mutex_unlock(&list_NN.lock);
        free(fresh);
        return 0;
    }
    atomic_init(&fresh->next, n);
    if (before)
        atomic_store_explicit(&before->next, fresh, memory_order_release);
    else
        list_NN.head = fresh;
    atomic_fetch_add(&list_NN.size, 1);
    pthread_mutex_unlock(&list_NN.lock);
    return 1;
}

static int weight_NN(int x) {
    switch (x % 5) {
    case 0: return x * 3 + (x >> 2);
    case 1: return x ^ 0x55;
    case 2 ... 3: return -x;
    default: break;
    }
    for (int i = 0; i < 4; i++)
        x += i * (x & 1 ? 2 : 1);
    return x;
}

static int test_NN(int seed) {
    int sum = 0;
    for (int i = 0; i < 8; i++)
        sum += insert_NN(weight_NN(seed + i));
    assert(sum == atomic_load(&list_NN.size));
    return sum;
}
";
