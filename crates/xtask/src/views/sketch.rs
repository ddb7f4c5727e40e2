//! Small programs of C11 atomics, from a short text, from a number, or by chance.
//!
//! `Wx.rel F.sc | Uy.acq Rx.rlx` is two threads; `W` stores, `R` loads, `U` adds, `F` is a fence.
//! Every store and addition has a value of its own.

use crate::agree::random::Random;
use std::fmt::Write;

/// What a thread does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Action {
    kind: char,
    place: char,
    order: &'static str,
}

/// The threads of a program.
pub type Sketch = Vec<Vec<Action>>;

const ORDERS: [(&str, &str); 7] = [
    ("na", ""),
    ("rlx", "__ATOMIC_RELAXED"),
    ("con", "__ATOMIC_CONSUME"),
    ("acq", "__ATOMIC_ACQUIRE"),
    ("rel", "__ATOMIC_RELEASE"),
    ("acqrel", "__ATOMIC_ACQ_REL"),
    ("sc", "__ATOMIC_SEQ_CST"),
];
const STORES: [&str; 2] = ["rlx", "rel"];
const LOADS: [&str; 2] = ["rlx", "acq"];
const UPDATES: [&str; 4] = ["rlx", "acq", "rel", "acqrel"];
const FENCES: [&str; 4] = ["acq", "rel", "acqrel", "sc"];
/// How many accesses of two places there are.
const ACCESSES: u64 = 2 * (STORES.len() + LOADS.len() + UPDATES.len()) as u64;

/// The program of a text.
pub fn parse(text: &str) -> Sketch {
    let action = |word: &str| {
        let (what, order) = word.split_once('.').expect("an order");
        let known = ORDERS.iter().find(|known| known.0 == order).expect("a known order");
        let mut letters = what.chars();
        let (kind, place) = (letters.next().expect("a letter"), letters.next().unwrap_or('-'));
        Action { kind, place, order: known.0 }
    };
    text.split('|').map(|thread| thread.split_whitespace().map(action).collect()).collect()
}

/// The text of a program.
pub fn text(sketch: &Sketch) -> String {
    let word = |action: &Action| match action.kind {
        'F' => format!("F.{}", action.order),
        kind => format!("{kind}{}.{}", action.place, action.order),
    };
    let thread = |thread: &Vec<Action>| thread.iter().map(word).collect::<Vec<_>>().join(" ");
    sketch.iter().map(thread).collect::<Vec<_>>().join(" | ")
}

fn access(number: u64) -> Action {
    let place = if number.is_multiple_of(2) { 'x' } else { 'y' };
    let number = (number / 2) as usize;
    let (kind, order) = match number {
        0..2 => ('W', STORES[number]),
        2..4 => ('R', LOADS[number - 2]),
        _ => ('U', UPDATES[number - 4]),
    };
    Action { kind, place, order }
}

/// The shapes of programs: for each thread, how many accesses it makes.
const SHAPES: [&[usize]; 6] = [&[2, 2], &[2, 1, 1], &[1, 3], &[1, 2], &[1, 1, 1], &[1, 1]];

/// How many numbers there are for a shape: an access each, and a fence or none between two of the
/// same thread.
fn size(shape: &[usize]) -> u64 {
    let accesses: usize = shape.iter().sum();
    let between: usize = shape.iter().map(|count| count - 1).sum();
    ACCESSES.pow(accesses as u32) * (FENCES.len() as u64 + 1).pow(between as u32)
}

/// How many programs there are.
pub fn all() -> u64 {
    SHAPES.iter().map(|shape| size(shape)).sum()
}

/// One of all programs; nothing if another one is the same with other names.
pub fn numbered(mut number: u64) -> Option<Sketch> {
    let shape = SHAPES.iter().find(|shape| match number.checked_sub(size(shape)) {
        Some(left) => {
            number = left;
            false
        }
        None => true,
    })?;
    let mut digit = |base: u64| {
        let digit = number % base;
        number /= base;
        digit
    };
    let mut sketch = Sketch::new();
    for &count in *shape {
        let mut thread = Vec::new();
        for index in 0..count {
            if index > 0
                && let Some(fence) = digit(FENCES.len() as u64 + 1).checked_sub(1)
            {
                let order = FENCES[fence as usize];
                thread.push(Action { kind: 'F', place: '-', order });
            }
            thread.push(access(digit(ACCESSES)));
        }
        sketch.push(thread);
    }
    is_first(&sketch).then_some(sketch)
}

/// Whether the place that is accessed first is `x`, threads of equal length are in order, and
/// something is written that another thread accesses.
fn is_first(sketch: &Sketch) -> bool {
    let words: Vec<String> = sketch.iter().map(|thread| text(&vec![thread.clone()])).collect();
    let sorted = words.windows(2).zip(sketch.windows(2));
    let sorted = sorted.clone().all(|(a, b)| b[0].len() != b[1].len() || a[0] <= a[1]);
    let first = sketch.iter().flatten().find(|action| action.kind != 'F');
    let meets = ['x', 'y'].into_iter().any(|place| {
        let touches = |thread: &&Vec<Action>| thread.iter().any(|it| it.place == place);
        let writes = sketch.iter().flatten().any(|it| it.place == place && it.kind != 'R');
        writes && sketch.iter().filter(touches).count() > 1
    });
    sorted && meets && first.is_some_and(|action| action.place == 'x')
}

/// A program by chance, of up to three threads with up to three accesses each; `any` with accesses
/// that are not atomic, and such that are sequentially consistent.
pub fn random(seed: u64, any: bool) -> Sketch {
    let mut random = Random::new(seed);
    let threads = 2 + random.below(2);
    let mut sketch = Sketch::new();
    for _ in 0..threads {
        let mut thread = Vec::new();
        for _ in 0..1 + random.below(4 - usize::from(threads == 3)) {
            if random.below(3) == 0 {
                let order = FENCES[random.below(4).max(random.below(4))];
                thread.push(Action { kind: 'F', place: '-', order });
            }
            let mut action = access(random.below(ACCESSES as usize) as u64);
            if any && random.below(3) == 0 {
                action.order = if random.below(2) == 0 && action.kind != 'U' { "na" } else { "sc" };
            }
            thread.push(action);
        }
        sketch.push(thread);
    }
    sketch
}

/// The program in C. All that is loaded is observed, and in the end what is stored.
pub fn program(sketch: &Sketch) -> String {
    let mut text = "#include <fencepost.h>\nstatic int x, y, z;\n".to_string();
    let mut next = 1;
    for (number, thread) in sketch.iter().enumerate() {
        let _ = writeln!(text, "static void *t{number}(void *unused) {{");
        let mut seen = String::new();
        for (index, Action { kind, place, order }) in thread.iter().enumerate() {
            let known = ORDERS.iter().find(|known| known.0 == *order).expect("a known order").1;
            let register = format!("r{number}_{index}");
            let _ = match (kind, *order) {
                ('F', _) => writeln!(text, "  __atomic_thread_fence({known});"),
                ('W', "na") => writeln!(text, "  {place} = {next};"),
                ('W', _) => writeln!(text, "  __atomic_store_n(&{place}, {next}, {known});"),
                ('R', "na") => writeln!(text, "  int {register} = {place};"),
                ('R', _) => {
                    writeln!(text, "  int {register} = __atomic_load_n(&{place}, {known});")
                }
                _ => writeln!(
                    text,
                    "  int {register} = __atomic_fetch_add(&{place}, {next}, {known});"
                ),
            };
            if matches!(kind, 'R' | 'U') {
                let _ = writeln!(seen, "  fp_observe(\"{register}\", {register});");
            }
            if matches!(kind, 'W' | 'U') {
                next *= 2;
            }
        }
        let _ = writeln!(text, "{seen}  return unused;\n}}");
    }
    let _ = writeln!(text, "int main(void) {{\n  unsigned long threads[{}];", sketch.len());
    for number in 0..sketch.len() {
        let _ = writeln!(text, "  threads[{number}] = __fp_spawn(t{number}, 0);");
    }
    for number in 0..sketch.len() {
        let _ = writeln!(text, "  __fp_join(threads[{number}]);");
    }
    text + "  fp_observe(\"x\", x);\n  fp_observe(\"y\", y);\n  fp_observe(\"z\", z);\n  return 0;\n}\n"
}
