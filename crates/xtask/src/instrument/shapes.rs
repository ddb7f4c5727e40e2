//! Litmus tests as C programs: the published shapes in several variants, and random ones.

use crate::agree::random::Random;
use std::fmt::Write;

/// An access of a test.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Access {
    Read(char),
    Write(char, u32),
    /// An exchange.
    Swap(char, u32),
    /// A fetch-and-add.
    Add(char, u32),
    /// A compare-and-swap of zero.
    Cas(char, u32),
}

/// What is between an access and the one before it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Link {
    Nothing,
    Fence(&'static str),
    /// The address depends on the last read.
    Address,
    /// What is written depends on the last read.
    Data,
    /// A branch on the last read.
    Control,
}

/// A step of a thread.
#[derive(Clone, Copy, Debug)]
struct Step {
    link: Link,
    access: Access,
    order: &'static str,
}

/// The published shapes: accesses by thread, reads in lower case.
const SHAPES: [(&str, &str); 10] = [
    ("SB", "X y|Y x"),
    ("MP", "X Y|y x"),
    ("LB", "x Y|y X"),
    ("S", "X2 Y|y X"),
    ("R", "X Y|Y2 x"),
    ("2+2W", "X Y2|Y X2"),
    ("WRC", "X|x Y|y x"),
    ("IRIW", "X|Y|x y|y x"),
    ("ISA2", "X Y|y Z|z x"),
    ("RWC", "X|x y|Y x"),
];

/// The variants of a shape: what is between two accesses, and the orders of reads and writes.
const VARIANTS: [(&str, Link, &str, &str); 8] = [
    ("relaxed", Link::Nothing, "relaxed", "relaxed"),
    ("fences", Link::Fence("seq_cst"), "relaxed", "relaxed"),
    ("light fences", Link::Fence("acq_rel"), "relaxed", "relaxed"),
    ("release and acquire", Link::Nothing, "acquire", "release"),
    ("seq_cst", Link::Nothing, "seq_cst", "seq_cst"),
    ("addresses", Link::Address, "relaxed", "relaxed"),
    ("data", Link::Data, "relaxed", "relaxed"),
    ("control", Link::Control, "relaxed", "relaxed"),
];

/// The memory orders of fences.
const FENCES: [&str; 4] = ["seq_cst", "acq_rel", "acquire", "release"];

/// The shapes in all variants, with their names.
pub fn published() -> Vec<(String, String)> {
    let mut all = Vec::new();
    for (name, shape) in SHAPES {
        for (variant, link, reads, writes) in VARIANTS {
            let thread = |accesses: &str| {
                let step = |(number, access): (usize, &str)| {
                    let access = access_of(access);
                    let is_read = matches!(access, Access::Read(_));
                    let link = if number == 0 { Link::Nothing } else { link };
                    Step { link, access, order: if is_read { reads } else { writes } }
                };
                accesses.split(' ').enumerate().map(step).collect()
            };
            let threads: Vec<Vec<Step>> = shape.split('|').map(thread).collect();
            all.push((format!("{name} with {variant}"), text(&threads)));
        }
    }
    all
}

fn access_of(word: &str) -> Access {
    let letter = word.chars().next().unwrap_or('x');
    match letter.is_uppercase() {
        true => Access::Write(letter.to_ascii_lowercase(), word[1..].parse().unwrap_or(1)),
        false => Access::Read(letter),
    }
}

/// A random test of two or three threads.
pub fn random(seed: u64) -> String {
    let random = &mut Random::new(seed);
    let threads = if random.one_in(3) { 3 } else { 2 };
    let places: &[char] = if random.one_in(4) { &['x', 'y', 'z'] } else { &['x', 'y'] };
    let mut value = 0;
    let thread = |random: &mut Random, value: &mut u32| {
        let count = if threads == 3 { 2 } else { 2 + random.below(2) };
        let mut steps: Vec<Step> = Vec::new();
        for number in 0..count {
            let place = *random.pick(places);
            *value += 1;
            let access = match random.below(12) {
                0..5 => Access::Read(place),
                5..9 => Access::Write(place, *value),
                9 => Access::Swap(place, *value),
                10 => Access::Add(place, *value),
                _ => Access::Cas(place, *value),
            };
            let link = match random.below(8) {
                _ if number == 0 => Link::Nothing,
                0..3 => Link::Nothing,
                3 => Link::Fence(FENCES[random.below(FENCES.len())]),
                4 => Link::Address,
                5 => Link::Data,
                _ => Link::Control,
            };
            let order = match (random.below(6), access) {
                (0, Access::Read(_)) => "acquire",
                (0, Access::Write(..)) => "release",
                (0, _) => *random.pick(&["acquire", "release", "acq_rel"]),
                (1, _) => "seq_cst",
                _ => "relaxed",
            };
            steps.push(Step { link, access, order });
        }
        steps
    };
    let threads: Vec<Vec<Step>> = (0..threads).map(|_| thread(random, &mut value)).collect();
    text(&threads)
}

/// A test as a program. What is read is kept in globals.
fn text(threads: &[Vec<Step>]) -> String {
    let mut text =
        String::from("#include <pthread.h>\n#include <stdatomic.h>\nstatic atomic_int x, y, z;\n");
    for (number, steps) in threads.iter().enumerate() {
        let seen: Vec<String> =
            (0..steps.len()).map(|step| format!("seen{number}{step}")).collect();
        let _ = writeln!(text, "static int {};", seen.join(", "));
        let _ = writeln!(text, "static void *t{number}(void *u) {{");
        let _ = writeln!(text, "    int before = 0;\n    (void)before;");
        for (index, step) in steps.iter().enumerate() {
            statement(&mut text, step, &seen[index]);
        }
        text += "    return u;\n}\n";
    }
    text += "int main(void) {\n";
    let _ = writeln!(text, "    pthread_t t[{}];", threads.len());
    for number in 0..threads.len() {
        let _ = writeln!(text, "    pthread_create(&t[{number}], 0, t{number}, 0);");
    }
    for number in 0..threads.len() {
        let _ = writeln!(text, "    pthread_join(t[{number}], 0);");
    }
    text + "    return 0;\n}\n"
}

fn statement(text: &mut String, step: &Step, seen: &str) {
    let Step { link, access, order } = *step;
    let place = match access {
        Access::Read(place) | Access::Write(place, _) | Access::Swap(place, _) => place,
        Access::Add(place, _) | Access::Cas(place, _) => place,
    };
    let address = match link {
        Link::Address => format!("(&{place} + (before ^ before))"),
        _ => format!("&{place}"),
    };
    let written = |value: u32| match link {
        Link::Data => format!("(before ^ before) + {value}"),
        _ => value.to_string(),
    };
    match link {
        Link::Fence(order) => {
            let _ = writeln!(text, "    atomic_thread_fence(memory_order_{order});");
        }
        Link::Control => *text += "    if (before != 7)\n    ",
        _ => {}
    }
    let order = format!("memory_order_{order}");
    let operation = |name: &str, value: u32| {
        format!("atomic_{name}_explicit({address}, {}, {order})", written(value))
    };
    let read = match access {
        Access::Write(_, value) => {
            let _ = writeln!(text, "    {};", operation("store", value));
            return;
        }
        Access::Read(_) => format!("atomic_load_explicit({address}, {order})"),
        Access::Swap(_, value) => operation("exchange", value),
        Access::Add(_, value) => operation("fetch_add", value),
        Access::Cas(_, value) => {
            let value = written(value);
            let line = format!(
                "    {{ int e = 0; {seen} = 10 * atomic_compare_exchange_strong_explicit({address}, &e, {value}, {order}, memory_order_relaxed); before = e; {seen} += e; }}"
            );
            let _ = writeln!(text, "{line}");
            return;
        }
    };
    let _ = writeln!(text, "    before = {read}, {seen} = before;");
}
