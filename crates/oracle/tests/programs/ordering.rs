//! The classic shapes as C.

use crate::common::{allows, run};

/// Two threads with these bodies, over `x`, `y`, `z`; the question is about what they observe.
fn plain(threads: &[&str]) -> String {
    threaded("int x, y, z;", threads)
}

fn atomic(threads: &[&str]) -> String {
    threaded("#include <stdatomic.h>\natomic_int x, y, z;", threads)
}

fn threaded(globals: &str, threads: &[&str]) -> String {
    let mut text = format!("#include <checkfence.h>\n{globals}\n");
    for (number, body) in threads.iter().enumerate() {
        text += &format!("void *t{number}(void *arg) {{ {body} return 0; }}\n");
    }
    text += "int main(void) {\n";
    for number in 0..threads.len() {
        text += &format!("unsigned long h{number} = __fp_spawn(t{number}, 0);\n");
    }
    for number in 0..threads.len() {
        text += &format!("__fp_join(h{number});\n");
    }
    text + "return 0; }\n"
}

fn allowed(text: &str, outcome: &str, models: &[&str]) -> Vec<String> {
    let models = models.iter().filter(|model| allows(text, model, outcome));
    models.map(|model| model.to_string()).collect()
}

const HARDWARE: [&str; 7] = ["sc", "tso", "pso", "relaxed", "armv8", "power", "riscv"];

#[test]
fn store_buffering() {
    let text = plain(&["x = 1; fp_observe(\"a\", y);", "y = 1; fp_observe(\"b\", x);"]);
    let both = "1: a=0; 2: b=0";
    assert_eq!(
        allowed(&text, both, &HARDWARE),
        ["tso", "pso", "relaxed", "armv8", "power", "riscv"]
    );
    assert_eq!(run(&text, "sc").len(), 3);
    let fence = "fp_fence(\"store-load\");";
    let text = plain(&[
        &format!("x = 1; {fence} fp_observe(\"a\", y);"),
        &format!("y = 1; {fence} fp_observe(\"b\", x);"),
    ]);
    assert!(allowed(&text, both, &["sc", "tso", "pso", "relaxed"]).is_empty());
}

#[test]
fn message_passing() {
    let text = plain(&["x = 1; y = 1;", "fp_observe(\"a\", y); fp_observe(\"b\", x);"]);
    let stale = "2: a=1 b=0";
    assert_eq!(allowed(&text, stale, &HARDWARE), ["pso", "relaxed", "armv8", "power", "riscv"]);
    for (name, fence) in
        [("power", "lwsync"), ("armv8", "dmb.ish"), ("riscv", "fence.rw.rw"), ("relaxed", "full")]
    {
        let text = plain(&[
            &format!("x = 1; fp_fence(\"{fence}\"); y = 1;"),
            &format!("fp_observe(\"a\", y); fp_fence(\"{fence}\"); fp_observe(\"b\", x);"),
        ]);
        assert!(!allows(&text, name, stale), "{name} with {fence}");
    }
}

#[test]
fn load_buffering() {
    let text = plain(&["fp_observe(\"a\", x); y = 1;", "fp_observe(\"b\", y); x = 1;"]);
    let late = "1: a=1; 2: b=1";
    assert_eq!(allowed(&text, late, &HARDWARE), ["relaxed", "armv8", "power", "riscv"]);
}

#[test]
fn independent_reads_of_independent_writes() {
    let readers = |fence: &str| {
        plain(&[
            "x = 1;",
            "y = 1;",
            &format!("fp_observe(\"a\", x); fp_fence(\"{fence}\"); fp_observe(\"b\", y);"),
            &format!("fp_observe(\"c\", y); fp_fence(\"{fence}\"); fp_observe(\"d\", x);"),
        ])
    };
    let split = "3: a=1 b=0; 4: c=1 d=0";
    assert!(!allows(&readers("load-load"), "relaxed", split));
    assert!(allows(&readers("lwsync"), "power", split));
    assert!(!allows(&readers("sync"), "power", split));
}

#[test]
fn two_reads_of_one_location() {
    let text = plain(&["x = 1;", "fp_observe(\"a\", x); fp_observe(\"b\", x);"]);
    assert_eq!(allowed(&text, "2: a=1 b=0", &HARDWARE), ["relaxed"]);
}

#[test]
fn c11_orders_are_understood() {
    let sb = |order: &str| {
        atomic(&[
            &format!(
                "atomic_store_explicit(&x, 1, {order});
                 fp_observe(\"a\", atomic_load_explicit(&y, {order}));"
            ),
            &format!(
                "atomic_store_explicit(&y, 1, {order});
                 fp_observe(\"b\", atomic_load_explicit(&x, {order}));"
            ),
        ])
    };
    let both = "1: a=0; 2: b=0";
    for name in ["rc11", "c11", "imm"] {
        assert!(allows(&sb("memory_order_relaxed"), name, both), "{name}");
        assert!(!allows(&sb("memory_order_seq_cst"), name, both), "{name}");
    }
    let mp = |store: &str, load: &str| {
        threaded(
            "#include <stdatomic.h>\nint x; atomic_int y;",
            &[
                &format!("x = 1; atomic_store_explicit(&y, 1, memory_order_{store});"),
                &format!(
                    "if (atomic_load_explicit(&y, memory_order_{load})) fp_observe(\"a\", x);"
                ),
            ],
        )
    };
    assert_eq!(run(&mp("release", "acquire"), "rc11"), ["x=1; y=1; ", "x=1; y=1; 2: a=1"]);
    let raced = run(&mp("relaxed", "relaxed"), "rc11");
    assert!(raced.contains(&"x=1; y=1; 2: a=0 (data-race)".to_string()), "{raced:?}");
}

#[test]
fn updates_are_atomic() {
    let text = atomic(&["atomic_fetch_add(&x, 1);", "atomic_fetch_add(&x, 1);"]);
    for name in ["sc", "tso", "relaxed", "rc11", "power"] {
        assert_eq!(run(&text, name), ["x=2; "], "{name}");
    }
    let text = plain(&["x++;", "x++;"]);
    assert_eq!(run(&text, "sc"), ["x=1; ", "x=2; "]);
}

#[test]
fn what_a_thread_leaves_is_seen_after_its_join() {
    let text = "#include <checkfence.h>
        int x;
        void *t(void *arg) { x = 1; return (void *)7; }
        int main(void) {
            unsigned long h = __fp_spawn(t, 0);
            void *r = __fp_join(h);
            fp_observe(\"x\", x);
            fp_observe(\"r\", (long)r);
            return 0;
        }";
    for name in ["sc", "tso", "relaxed", "armv8", "power", "riscv", "rc11", "alpha", "armv7"] {
        assert_eq!(run(text, name), ["x=1; 0: x=1 r=7"], "{name}");
    }
}

#[test]
fn a_value_may_justify_itself_only_where_dependencies_are_not_kept() {
    let text = plain(&["if (x == 1) y = 1;", "if (y == 1) x = 1;"]);
    let thin = "x=1; y=1";
    assert_eq!(allowed(&text, thin, &["sc", "tso", "relaxed", "armv8", "power"]), ["relaxed"]);
}

/// Two threads, each with its code.
fn mixed(first: &str, second: &str) -> String {
    format!(
        "#include <checkfence.h>
         int x, flag;
         void *first(void *arg) {{ {first} return 0; }}
         void *second(void *arg) {{ {second} return 0; }}
         int main(void) {{
             unsigned long a = __fp_spawn(first, 0), b = __fp_spawn(second, 0);
             __fp_join(a);
             __fp_join(b);
             return 0;
         }}"
    )
}

#[test]
fn plain_and_atomic_writes_of_one_location_follow_happens_before() {
    let store = |place: &str, value: u32, order: &str| {
        format!("__atomic_store_n(&{place}, {value}, __ATOMIC_{order});")
    };
    let seen = |place: &str, order: &str| {
        format!("fp_observe(\"{place}\", __atomic_load_n(&{place}, __ATOMIC_{order}));")
    };
    let own = mixed(&format!("{} x = 2;", store("x", 1, "RELAXED")), "");
    let stale = mixed(&format!("x = 1; {}", seen("x", "RELAXED")), "");
    let message = mixed(
        &format!("x = 1; {}", store("flag", 1, "RELEASE")),
        &format!("if (__atomic_load_n(&flag, __ATOMIC_ACQUIRE)) {{ {} }}", seen("x", "RELAXED")),
    );
    let handed_on = mixed(
        &format!("{} {}", store("x", 1, "RELAXED"), store("flag", 1, "RELEASE")),
        "if (__atomic_load_n(&flag, __ATOMIC_ACQUIRE)) x = 2;",
    );
    for name in ["c11", "c11-simp", "c11-no-thin-air", "rc11"] {
        assert_eq!(run(&own, name), ["x=2; "], "{name}");
        assert_eq!(run(&stale, name), ["x=1; 1: x=1"], "{name}");
        assert_eq!(run(&message, name), ["flag=1; x=1; ", "flag=1; x=1; 2: x=1"], "{name}");
        assert_eq!(run(&handed_on, name), ["flag=1; x=1; ", "flag=1; x=2; "], "{name}");
    }
}
