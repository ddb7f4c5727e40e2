//! Random small data types: cells that are published, taken out, changed, put back and freed,
//! numbers that are changed by read-modify-writes and loops around them, and locks, of the library
//! and made by hand.

use std::fmt::Write;

/// A generator of numbers (xorshift).
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        let mut random = Self((seed + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        random.below(2);
        random
    }

    fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % end
    }

    fn pick<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.below(all.len() as u64) as usize]
    }
}

/// What all types have: two places for cells, a number, a mutex, and the word of a spin lock.
const HEAD: &str = "
#include <fencepost.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct cell { atomic_int value; _Atomic(struct cell *) link; pthread_mutex_t lock; };
static _Atomic(struct cell *) p, q;
static atomic_int n, word;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static struct cell *made(int value) {
    struct cell *c = malloc(sizeof *c);
    atomic_init(&c->value, value);
    atomic_init(&c->link, NULL);
    pthread_mutex_init(&c->lock, NULL);
    return c;
}
static void spin(void) {
    int free = 0;
    while (!atomic_compare_exchange_strong(&word, &free, 1)) {
        free = 0;
        fp_assume(atomic_load(&word) == 0);
    }
}
";

/// What an operation does with a number.
const NUMBERS: [&str; 6] = [
    "x = atomic_load(&n);",
    "atomic_store(&n, K);",
    "x = atomic_exchange(&n, K);",
    "x = K; atomic_compare_exchange_strong(&n, &x, K);",
    "x = atomic_load(&n); while (!atomic_compare_exchange_strong(&n, &x, (x + 1) % 3)) {}",
    "if (atomic_load(&n) == K) atomic_store(&n, K);",
];

/// How it comes by a cell; `P` is one of the two places, `c` a cell or nothing.
const FINDS: [&str; 6] = [
    "c = atomic_load(&P);",
    "c = atomic_exchange(&P, NULL);",
    "c = atomic_load(&P); if (c && !atomic_compare_exchange_strong(&P, &c, NULL)) c = NULL;",
    "c = atomic_load(&P); if (c && (d = atomic_load(&c->link))) c = d;",
    "c = atomic_exchange(&P, made(K));",
    "c = made(K); d = NULL; if (!atomic_compare_exchange_strong(&P, &d, c)) { free(c); c = d; }",
];

/// What it does with cells.
const CELLS: [&str; 12] = [
    "if (c) x = atomic_load(&c->value);",
    "if (c) x = atomic_load(&c->value);",
    "if (c) atomic_store(&c->value, K);",
    "if (c) { atomic_store(&c->value, K); atomic_store(&c->value, 0); }",
    "if (c) atomic_fetch_xor(&c->value, 1);",
    "if (c) atomic_store(&P, c);",
    "if (c) { d = atomic_load(&c->link); if (d) x = atomic_load(&d->value); }",
    "d = atomic_exchange(&P, NULL); if (c && d && c != d) atomic_store(&c->link, d);",
    "atomic_store(&P, NULL);",
    "if (c) atomic_store(&c->link, NULL);",
    "if (c) { pthread_mutex_lock(&c->lock); x = atomic_load(&c->value); \
     atomic_store(&c->value, K); pthread_mutex_unlock(&c->lock); }",
    "if (c && (d = atomic_load(&c->link))) atomic_store(&P, d);",
];

/// What it does in a critical section; some free what they take out.
const SECTIONS: [&str; 5] = [
    "c = atomic_load(&P); if (c) x = atomic_load(&c->value);",
    "c = atomic_load(&P); atomic_store(&P, NULL); if (c) free(c); c = NULL;",
    "c = atomic_load(&P); atomic_store(&P, made(K)); if (c) free(c); c = NULL;",
    "x = atomic_load(&n); atomic_store(&n, (x + 1) % 3);",
    "if (!atomic_load(&P)) atomic_store(&P, made(K));",
];

/// How cells are used: if they are freed, then only in critical sections.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    /// Without locks; nothing is freed that others know.
    Free,
    /// Under the mutex.
    Mutex,
    /// Under a spin lock made by hand.
    Spin,
    /// Numbers only.
    Numbers,
}

/// The data type of a seed, and the test with its operations.
pub fn data_type(seed: u64) -> (String, String) {
    let mut random = Random::new(seed);
    let style = match seed % 5 {
        0 => Style::Mutex,
        1 => Style::Spin,
        2 => Style::Numbers,
        _ => Style::Free,
    };
    let mut text = HEAD.to_string();
    let first = random.pick(&["made(0)", "NULL", "made(1)"]);
    let _ = writeln!(
        text,
        "void init(void) {{ atomic_init(&p, {first}); atomic_init(&q, NULL); \
         atomic_init(&n, 0); atomic_init(&word, 0); pthread_mutex_init(&m, NULL); }}"
    );
    let names = ["f", "g", "h"];
    let count = 2 + random.below(2) as usize;
    for name in &names[..count] {
        let _ = writeln!(
            text,
            "void {name}(void) {{\n    int x = 0;\n    struct cell *c = NULL, *d = NULL;"
        );
        if style == Style::Free {
            let _ = writeln!(text, "    {}", filled(&mut random, &FINDS, ("", "")));
        }
        for _ in 0..1 + random.below(3) {
            let _ = writeln!(text, "    {}", statement(&mut random, style));
        }
        let _ = writeln!(text, "    (void)c, (void)d;\n    fp_observe(\"x\", x);\n}}");
    }
    (text, format!("( {} )", names[..count].join(" | ")))
}

fn statement(random: &mut Random, style: Style) -> String {
    match style {
        Style::Free if random.below(4) > 0 => filled(random, &CELLS, ("", "")),
        Style::Free | Style::Numbers => filled(random, &NUMBERS, ("", "")),
        Style::Mutex => {
            filled(random, &SECTIONS, ("pthread_mutex_lock(&m); ", " pthread_mutex_unlock(&m);"))
        }
        Style::Spin => filled(random, &SECTIONS, ("spin(); ", " atomic_store(&word, 0);")),
    }
}

/// One of these, with a place and numbers filled in.
fn filled(random: &mut Random, all: &[&str], (before, after): (&str, &str)) -> String {
    let mut text = format!("{before}{}{after}", random.pick(all));
    let place = random.pick(&["p", "p", "q"]);
    text = text.replace("&P", &format!("&{place}"));
    while let Some(at) = text.find('K') {
        text.replace_range(at..at + 1, random.pick(&["0", "1", "2"]));
    }
    text
}
