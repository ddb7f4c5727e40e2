//! What `fencepost verify` answers without effort: a `main` that does much before it starts threads,
//! and numbers that are small by the way they are made.

use std::process::Command;

/// Verifies a program that stands in a file of its own.
fn verify(program: &str, args: &[&str]) -> (String, i32) {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("program.c"), program).expect("written");
    let mut command = Command::new(env!("CARGO_BIN_EXE_fencepost"));
    let output = command.args(["verify", "program.c"]).args(args).current_dir(folder.path());
    let output = output.output().expect("the program starts");
    let text = String::from_utf8([output.stdout, output.stderr].concat()).expect("UTF-8");
    (text, output.status.code().expect("an exit status"))
}

/// What `main` does before it starts threads costs as much as it writes, with every engine.
#[test]
fn a_large_array_can_be_filled_before_the_threads_start() {
    let program = "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n\
        int a[30000]; atomic_int s; void *t(void *u) { s += a[2]; return u; }\n\
        int main(void) { for (int i = 0; i < 30000; i++) a[i] = i; pthread_t p, q;\n\
        pthread_create(&p, 0, t, 0); pthread_create(&q, 0, t, 0);\n\
        pthread_join(p, 0); pthread_join(q, 0); assert(s == 4); return 0; }\n";
    for engine in ["states", "sat"] {
        let (text, status) = verify(program, &["--model", "sc", "--engine", engine]);
        assert_eq!(status, 0, "{engine}: {text}");
    }
}

#[test]
fn narrow_factors_have_products_that_fit() {
    let program = "extern short __VERIFIER_nondet_short(void); extern int __VERIFIER_nondet_int(void);\n\
        int main(void) { short s = __VERIFIER_nondet_short(); unsigned char c = s; int i = s * s;\n\
        long l = (long)__VERIFIER_nondet_int() * s; int k = c << 22; return (i ^ k ^ (int)l) & 1; }\n";
    let args = ["--model", "sc", "--engine", "sat", "--property", "overflow", "--time-limit", "20"];
    let (text, status) = verify(program, &args);
    assert_eq!(status, 0, "{text}");
    let (text, status) = verify(&program.replace("<< 22", "<< 24"), &args);
    assert_eq!(status, 1, "{text}");
    let (text, status) =
        verify(&program.replace("int i = s * s", "int i = s * (c + 1) * 257"), &args);
    assert_eq!(status, 1, "{text}");
}

/// Who counts how often it looks waits all the same.
#[test]
fn a_loop_that_waits_may_count_its_attempts() {
    let program = "#include <pthread.h>\n#include <stdatomic.h>\n#include <assert.h>\n\
        atomic_int f, g; unsigned tries;\n\
        void *t(void *u) { unsigned n = 0; while (!f) { n++; } tries = n; return u; }\n\
        void *w(void *u) { SET return u; }\n\
        int main(void) { pthread_t p, q; pthread_create(&p, 0, t, 0); pthread_create(&q, 0, w, 0);\n\
        pthread_join(p, 0); pthread_join(q, 0); assert(tries < 2); return 0; }\n";
    let liveness = |set: &str, model: &str| {
        let args = ["--model", model, "--engine", "sat", "--property", "liveness"];
        let (text, status) = verify(&program.replace("SET", set), &args);
        assert!(text.contains("liveness"), "{set} on {model}: {text}");
        status
    };
    for model in ["sc", "rc11", "armv8"] {
        // Nobody sets the flag; somebody does; somebody takes it back; perhaps too early.
        assert_eq!(liveness("g = 1;", model), 1);
        assert_ne!(liveness("f = 1;", model), 1);
        assert_eq!(liveness("f = 1; f = 0;", model), 1);
        assert_eq!(liveness("if (!g) f = 0; else f = 1;", model), 1);
    }
    // What was counted is kept.
    let args = ["--model", "sc", "--engine", "sat", "--property", "assert"];
    let (text, status) = verify(&program.replace("SET", "f = 1;"), &args);
    assert_eq!(status, 1, "{text}");
}

/// A thread that waits as `WAIT` says for another one, which sets a flag as `SET` says, and what is
/// asserted of what it has counted.
const COUNTING: &str = "#include <pthread.h>\n#include <stdatomic.h>\n#include <assert.h>\n\
    atomic_int f; int d; unsigned tries; struct stats { long spins; unsigned pause; } own = { 0, 1 };\n\
    int a[4];\n\
    static void pause_for(unsigned *n) { volatile unsigned i; for (i = 0; i < *n; i++) ; *n *= 2; }\n\
    void *t(void *u) { unsigned n = 0, p = 1; struct stats *s = &own; (void)p; (void)s; WAIT\n\
    tries = n; assert(d == 1); return u; }\n\
    void *w(void *u) { d = 1; SET return u; }\n\
    int main(void) { pthread_t p, q; pthread_create(&p, 0, t, 0); pthread_create(&q, 0, w, 0);\n\
    pthread_join(p, 0); pthread_join(q, 0); assert(CLAIM); return own.spins + tries > 9; }\n";

/// Loops that wait, and count or pause longer while they do.
const WAITS: [&str; 6] = [
    "while (!f) n++;",
    "while (!f) s->spins++;",
    "while (!f) { for (unsigned i = 0; i < p; i++) atomic_signal_fence(memory_order_seq_cst); p *= 2; }",
    "while (!f) { pause_for(&p); n++; }",
    "while (!f) pause_for(&s->pause);",
    "for (int old = 0; !atomic_compare_exchange_weak(&f, &old, 2); old = 1) n += 3;",
];

fn counting(wait: &str, set: &str, claim: &str) -> String {
    let wait =
        if wait.contains("int old") { wait.replace("old = 0", "old = 1") } else { wait.into() };
    COUNTING.replace("WAIT", &wait).replace("SET", set).replace("CLAIM", claim)
}

#[test]
fn what_is_counted_while_waiting_is_any_number() {
    for (wait, model) in WAITS.iter().zip(["sc", "tso", "armv8", "rc11", "power", "sc"]) {
        let program = counting(wait, "f = 1;", "d == 1");
        let asked = ["assert", "memory", "deadlock", "liveness"];
        let mut args = vec!["--model", model, "--engine", "sat", "--time-limit", "60"];
        // That a loop with a volatile counter ends is not known.
        let left = if wait.contains("pause_for") { 1 } else { 0 };
        asked.iter().take(asked.len() - left).for_each(|it| args.extend(["--property", it]));
        let (text, status) = verify(&program, &args);
        assert_eq!(status, 0, "{wait}: {text}");
        assert!(!text.contains("holds*"), "{wait}: {text}");
    }
}

#[test]
fn a_count_that_goes_wrong_is_found() {
    let claims = ["tries != 3", "tries == 0 || a[tries - 1 < 4 ? 0 : 4] == 0"];
    let of = |wait: &str, set: &str, claim: &str, property: &str| {
        let args =
            ["--model", "sc", "--engine", "sat", "--property", property, "--time-limit", "60"];
        verify(&counting(wait, set, claim), &args)
    };
    for (claim, property) in claims.iter().zip(["assert", "memory"]) {
        let (text, status) = of(WAITS[0], "f = 1;", claim, property);
        assert_eq!(status, 1, "{claim}: {text}");
    }
    // Nothing sets the flag: the thread waits for ever, whatever it counts, but not if it gives up.
    let (text, status) = of(WAITS[0], "", "1", "liveness");
    assert_eq!(status, 1, "{text}");
    let (text, status) = of("while (!f && n < 3) n++; f = 1;", "", "1", "liveness");
    assert_eq!(status, 0, "{text}");
    // No execution ends in which it has counted this, so nothing is known to hold.
    let (text, _) = of("while (!f) n += 2; if (n % 2 == 0) while (1);", "f = 1;", "1", "assert");
    assert!(!text.contains("holds\n"), "{text}");
}

/// Who keeps what it has read in a variable waits as long as it reads the same again, whatever the
/// condition asks about the variable.
#[test]
fn a_loop_that_waits_may_keep_what_it_reads() {
    let program = "#include <pthread.h>\n#include <stdatomic.h>\n#include <assert.h>\n\
        typedef TYPE number; _Atomic number f; int d;\n\
        void *t(void *u) { f = 2; d = 1; f = SET; return u; }\n\
        int main(void) { pthread_t p; pthread_create(&p, 0, t, 0);\n\
        WAIT\n assert(d == 1); pthread_join(p, 0); return 0; }\n";
    let waits = [
        "number v = f; while (v != 5) v = f;",
        "number v = f; while (v < 5) v = f;",
        "number v = f & 7, w = v; while (v < 4) { v = f & 7; if (v != w) w = v; }",
        "number e = 5; while (!atomic_compare_exchange_strong(&f, &e, 6)) e = 5;",
        "number v = f; while (1) { if (v != 5) { v = f; continue; }
            if (atomic_compare_exchange_weak(&f, &v, 6)) break; }",
    ];
    for (model, type_name) in [("armv8", "unsigned char"), ("rc11", "int"), ("relaxed", "long")] {
        for wait in waits {
            let with = |set: &str| {
                let program = program.replace("SET", set).replace("WAIT", wait);
                let args = ["--model", model, "--engine", "sat", "--time-limit", "60"];
                verify(&program.replace("TYPE", type_name), &args)
            };
            let (text, status) = with("5");
            assert_eq!(status, 0, "{wait} on {model}: {text}");
            assert!(!text.contains("holds*"), "{wait} on {model}: {text}");
            let (text, status) = with("3");
            assert_eq!(status, 1, "{wait} on {model}: {text}");
            assert!(text.contains("liveness    VIOLATED"), "{wait} on {model}: {text}");
        }
    }
}

/// Like a loop that nothing decides, recursion that nothing decides is followed to its end.
#[test]
fn recursion_of_a_known_depth_needs_no_bound() {
    let program = "#include <assert.h>\n#include <pthread.h>\n\
        static int depth(int n) { return n == 0 ? 0 : 1 + depth(n - 1); }\n\
        static int tree(int n) { return n < 2 ? n : tree(n - 1) + tree(n - 2); }\n\
        static void *t(void *u) { assert(depth(200) == 200 && tree(10) == 55); return u; }\n\
        int main(void) { pthread_t p; pthread_create(&p, 0, t, 0); t(0); pthread_join(p, 0); }\n";
    for model in ["rc11", "armv8"] {
        let (text, status) = verify(program, &["--model", model]);
        assert_eq!(status, 0, "{model}: {text}");
    }
    // What memory decides has a bound, as before.
    let program = "#include <pthread.h>\n#include <stdatomic.h>\nstatic atomic_int x;\n\
        static int depth(int n) { return atomic_load(&x) == n ? n : depth(n + 1); }\n\
        static void *t(void *u) { x = 300; return u; }\n\
        int main(void) { pthread_t p; pthread_create(&p, 0, t, 0); depth(1); pthread_join(p, 0); }\n";
    let args = ["--model", "rc11", "--property", "assert", "--max-unroll", "3"];
    let (text, _) = verify(program, &args);
    assert!(text.contains("holds*"), "{text}");
}
