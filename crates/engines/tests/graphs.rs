//! Random programs: as many execution graphs as the oracle finds by brute force, and none twice.

use encoding::encode::EncodeOptions;
use engines::bounded::unrolling::CheckOptions;
use engines::graphs::count;
use execution::span::SourceMap;
use front_c::pp::{COptions, MemoryLoader};
use ir::{prepare, program::Program};
use models::Model;
use oracle::EnumerationOptions;
use oracle::program::witnesses;
use std::collections::BTreeSet;
use std::path::Path;

/// Random numbers (xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % bound
    }

    fn of<'t>(&mut self, list: &[&'t str]) -> &'t str {
        list[self.below(list.len() as u64) as usize]
    }
}

/// A statement of a thread; `r` is its register.
fn statement(random: &mut Random, value: u64) -> String {
    let cell = random.of(&["x", "y"]);
    let load = random.of(&["relaxed", "acquire", "seq_cst"]);
    let store = random.of(&["relaxed", "release", "seq_cst"]);
    let both = random.of(&["relaxed", "acq_rel", "seq_cst"]);
    let order = |order: &str| format!("memory_order_{order}");
    let (load, store, both) = (order(load), order(store), order(both));
    match random.below(12) {
        0..=3 => format!("r = atomic_load_explicit(&{cell}, {load});"),
        4..=6 => format!("atomic_store_explicit(&{cell}, {value}, {store});"),
        7 => format!("atomic_store_explicit(&{cell}, r + {value}, {store});"),
        8 => format!("r = atomic_fetch_add_explicit(&{cell}, {value}, {both});"),
        9 => {
            let failure = "memory_order_relaxed";
            format!(
                "{{ int e = r; atomic_compare_exchange_strong_explicit(&{cell}, &e, {value}, \
                 {both}, {failure}); r = e; }}"
            )
        }
        10 => format!("atomic_thread_fence({both});"),
        _ => format!("if (r == {value}) atomic_store_explicit(&{cell}, 7, {store});"),
    }
}

/// A critical section, or two accesses of a block.
fn block(random: &mut Random) -> String {
    match random.below(3) {
        0 => "pthread_mutex_lock(&m); z++; pthread_mutex_unlock(&m);".to_string(),
        1 => "if (!pthread_mutex_trylock(&m)) { z++; pthread_mutex_unlock(&m); }".to_string(),
        _ => "assume(atomic_load(&x) != 0);".to_string(),
    }
}

fn program(random: &mut Random) -> String {
    let threads = 2 + random.below(2);
    let most = if threads == 2 { 4 } else { 3 };
    let mut functions = String::new();
    let mut starts = String::new();
    let mut joins = String::new();
    for thread in 0..threads {
        let mut body = String::new();
        for number in 0..1 + random.below(most) {
            body += &match random.below(8) {
                0 => block(random),
                _ => statement(random, 1 + (thread + number) % 3),
            };
        }
        functions += &format!(
            "static void *f{thread}(void *unused) {{ int r = 0; {body} (void)r; return 0; }}\n"
        );
        starts += &format!("pthread_t t{thread}; pthread_create(&t{thread}, 0, f{thread}, 0);\n");
        joins += &format!("pthread_join(t{thread}, 0);\n");
    }
    let middle = if random.below(4) == 0 { "atomic_store(&x, 5);" } else { "" };
    format!(
        "#include <pthread.h>\n#include <stdatomic.h>\nvoid __VERIFIER_assume(int);\n\
         #define assume __VERIFIER_assume\natomic_int x, y; int z; \
         pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n{functions}\
         int main(void) {{ {starts} {middle} {joins} return 0; }}\n"
    )
}

fn compiled(code: &str, model: &Model) -> Program {
    let (loader, mut sources) = (MemoryLoader::new().with("a.c", code), SourceMap::new());
    let compiled = front_c::compile(Path::new("a.c"), &COptions::default(), &loader, &mut sources);
    let program = prepare::whole(compiled.expect("correct C").0, &Default::default());
    replay::target::compile(&program, model).expect("supported")
}

/// How many complete executions the oracle finds; `None` if that takes too long.
fn by_oracle(program: &Program, model: &Model) -> Option<u64> {
    let mut options = EnumerationOptions::for_program(model);
    options.max_steps = Some(200_000);
    let found = witnesses(program, model, &options, &mut |outcome| outcome.finding.is_none());
    let all: BTreeSet<String> =
        found.ok()?.iter().map(|(_, it)| format!("{:?} {:?}", it.threads, it.co)).collect();
    Some(all.len() as u64)
}

#[test]
fn as_many_graphs_are_visited_as_there_are_by_brute_force() {
    let wanted = std::env::var("FENCEPOST_RANDOM_GRAPHS").ok().and_then(|text| text.parse().ok());
    let wanted: u64 = wanted.unwrap_or(10);
    let names = ["sc", "tso", "pso", "rc11"];
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    let (mut compared, mut executions) = (0, 0);
    for _ in 0..wanted {
        let code = program(&mut random);
        for name in names {
            let model = Model::named(name).expect("a model of the library");
            let program = compiled(&code, &model);
            let Some(expected) = by_oracle(&program, &model) else { continue };
            let encoding = EncodeOptions::default();
            let options = CheckOptions { max_unroll: 8, encoding, progress: &|_| {} };
            let counted = count(&program, &model, &options);
            let counted = counted.unwrap_or_else(|refusal| panic!("{name}: {refusal:?}\n{code}"));
            let complete = counted.expect("no limit").complete;
            assert_eq!(complete, expected, "{name}:\n{code}");
            compared += 1;
            executions += complete;
        }
    }
    println!("{compared} comparisons, {executions} executions");
    assert!(compared >= 2 * wanted, "only {compared} of {wanted} programs were compared");
    assert!(executions > 5 * wanted, "only {executions} executions");
}
