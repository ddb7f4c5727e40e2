//! Verdicts of `fencepost verify` that are easily missed: what an execution shows before it goes
//! wrong, what dependencies a compare-and-swap brings, what fails for no reason, what is lost in a
//! circle, which cases are reached, what an allocator does not have.

use std::path::Path;
use std::process::Command;

/// Verifies a program that stands in a folder; what is told on standard output, and the status.
fn verify_in(folder: &Path, program: &str, args: &[&str]) -> (String, i32) {
    std::fs::write(folder.join("program.c"), program).expect("written");
    let output = Command::new(env!("CARGO_BIN_EXE_fencepost"))
        .args(["verify", "program.c"])
        .args(args)
        .current_dir(folder)
        .output()
        .expect("the program starts");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    (text, output.status.code().expect("an exit status"))
}

fn verify(program: &str, args: &[&str]) -> (String, i32) {
    verify_in(tempfile::tempdir().expect("a folder").path(), program, args)
}

/// The verdict on a property of a program on a model.
fn verdict(program: &str, model: &str, property: &str, args: &[&str]) -> String {
    let all = [&["--model", model, "--property", property, "--json"], args].concat();
    let (text, _) = verify(program, &all);
    let document: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let answer = &document["programs"][0]["models"][0]["properties"][0];
    assert_eq!(answer["property"], property, "{text}");
    answer["verdict"].as_str().expect("a verdict").to_string()
}

/// Two threads write `p` without order; `main` ends with `end`.
fn racing(first: &str, second: &str, end: &str) -> String {
    format!(
        r#"
#include <assert.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
int p, big = INT_MAX;
void *left(void *unused) {{ {first} }}
void *right(void *unused) {{ {second} }}
int main(void) {{
    pthread_t a, b;
    pthread_create(&a, 0, left, 0);
    pthread_create(&b, 0, right, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    {end}
}}
"#
    )
}

#[test]
fn a_race_before_something_goes_wrong_is_one() {
    let (one, two) = ("p = 1; return 0;", "p = 2; return 0;");
    let programs = [
        ("an assertion", racing("p = 1; assert(0); return 0;", two, "return 0;")),
        ("an abort of main", racing(one, two, "abort();")),
        (
            "another thread's assertion",
            racing(one, "int *q = &p; p = 2; assert(!q); return 0;", "return 0;"),
        ),
        ("an overflow of main", racing(one, two, "return big + 1 == 0;")),
        ("an overflow", racing("p = 1; return (void *)(long)(big + 1);", two, "return 0;")),
        ("an access through null", racing("p = 1; *(int *)0 = 1; return 0;", two, "return 0;")),
        (
            "a division",
            racing("p = 1; return (void *)(long)(1 / (big - INT_MAX));", two, "return 0;"),
        ),
        (
            "an undefined value",
            racing("int u; int *r = &u; p = 1; if (*r) abort(); return 0;", two, "return 0;"),
        ),
    ];
    for (what, program) in &programs {
        for (model, args) in [("rc11", &[][..]), ("sc", &["--races", "plain"])] {
            let found = verdict(program, model, "race", args);
            assert_eq!(found, "violated", "before {what} on {model}");
            let all = [&["--model", model], args].concat();
            let (text, _) = verify(program, &all);
            let row = text.lines().find(|line| line.trim_start().starts_with("race"));
            assert!(row.is_some_and(|row| row.contains("VIOLATED")), "{what} on {model}: {text}");
        }
    }
}

#[test]
fn there_is_no_race_behind_what_is_wrong() {
    let behind = [
        "assert(0); p = 1; return 0;",
        "*(int *)0 = 1; p = 1; return 0;",
        "int u; int *r = &u; if (*r) p = 1; else p = 3; return 0;",
        "int *q = malloc(4); free(q); if (*q) p = 1; return 0;",
    ];
    for first in behind {
        let program = racing(first, "p = 2; return 0;", "return 0;");
        // Past a memory error or an undefined value nothing is known.
        let expected = if first.starts_with("assert") { "holds" } else { "inconclusive" };
        for (model, args) in [("rc11", &[][..]), ("sc", &["--races", "plain"])] {
            assert_eq!(verdict(&program, model, "race", args), expected, "`{first}` on {model}");
        }
    }
}

#[test]
fn what_always_goes_wrong_is_not_vacuous() {
    let program = "#include <stdlib.h>\nint main(void) { abort(); }";
    for (model, args) in [("rc11", &[][..]), ("sc", &["--races", "plain"])] {
        assert_eq!(verdict(program, model, "race", args), "holds", "{model}");
    }
    assert_eq!(verdict(program, "sc", "memory", &[]), "holds");
    let nothing = "void __VERIFIER_assume(int);\nint main(void) { __VERIFIER_assume(0); }";
    assert_eq!(verdict(nothing, "rc11", "race", &[]), "vacuous");
}

/// A compare-and-swap that succeeds, and a store; `main` reads both in the other order.
fn swapping(thread: &str) -> String {
    format!(
        r#"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int x, y;
void *swap(void *unused) {{
    int r = 0;
    {thread}
    return 0;
}}
int main(void) {{
    pthread_t p;
    pthread_create(&p, 0, swap, 0);
    int a = atomic_load_explicit(&y, memory_order_relaxed);
    int b = atomic_load_explicit(&x, memory_order_relaxed);
    assert(!(a == 1 && b == 0));
    pthread_join(p, 0);
    return 0;
}}
"#
    )
}

const SWAP: &str = "atomic_compare_exchange_strong_explicit(&x, &r, 1, memory_order_relaxed, memory_order_relaxed)";

#[test]
fn what_a_compare_and_swap_gives_is_data() {
    let programs = [
        format!("int ok = {SWAP}; atomic_store_explicit(&y, ok, memory_order_relaxed);"),
        format!("if ({SWAP}) atomic_store_explicit(&y, 1, memory_order_relaxed);"),
    ];
    for thread in &programs {
        for model in ["rmo", "alpha", "armv7", "power", "armv8", "riscv"] {
            let found = verdict(&swapping(thread), model, "assert", &[]);
            // The write of the compare-and-swap itself is not ordered everywhere.
            let expected = ["holds", "violated"].contains(&&*found);
            assert!(expected, "{found} on {model}: {thread}");
        }
        assert_eq!(verdict(&swapping(thread), "rmo", "assert", &[]), "holds", "{thread}");
    }
}

#[test]
fn outcomes_behind_a_compare_and_swap_are_confirmed() {
    let thread = format!("{SWAP}; atomic_store_explicit(&y, r + 1, memory_order_relaxed);");
    for model in ["rmo", "alpha", "armv7", "power", "armv8", "riscv", "c11", "rc11"] {
        let folder = tempfile::tempdir().expect("a folder");
        let args = ["--model", model, "--outcomes", "x, y", "--json"];
        let (text, status) = verify_in(folder.path(), &swapping(&thread), &args);
        assert_eq!(status, 0, "{model}: {text}");
        let args = ["--model", model, "--coverage", "--schedules", "found"];
        let (text, status) = verify_in(folder.path(), &swapping(&thread), &args);
        assert_eq!(status, 0, "{model}: {text}");
        for schedule in std::fs::read_dir(folder.path().join("found")).expect("schedules") {
            let path = schedule.expect("a file").path();
            // The list of the schedules, for people.
            if path.extension().is_some_and(|ending| ending == "txt") {
                continue;
            }
            let output = Command::new(env!("CARGO_BIN_EXE_fencepost"))
                .arg("replay")
                .arg(&path)
                .current_dir(folder.path())
                .output()
                .expect("the program starts");
            assert!(output.status.success(), "{model}: {output:?}");
        }
    }
}

#[test]
fn a_weak_compare_and_swap_may_fail_before_there_are_threads() {
    let program = r#"
#include <assert.h>
#include <stdatomic.h>
atomic_int x;
int main(void) {
    int old = 0;
    assert(atomic_compare_exchange_weak(&x, &old, 1));
    return 0;
}
"#;
    for model in ["sc", "tso", "pso", "armv8", "rc11"] {
        assert_eq!(verdict(program, model, "assert", &[]), "violated", "{model}");
    }
    for engine in ["sat", "states"] {
        assert_eq!(verdict(program, "sc", "assert", &["--engine", engine]), "violated");
    }
    let strong = program.replace("_weak", "_strong");
    assert_eq!(verdict(&strong, "sc", "assert", &[]), "holds");
}

#[test]
fn a_weak_compare_and_swap_may_fail_as_often_as_it_is_tried() {
    let program = |limit: &str| {
        format!(
            "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\natomic_int x;\n\
             void *once(void *unused) {{\n    int tries = 0, limit = {limit};\n    for (;;) {{\n        \
             int old = 0;\n        if (atomic_compare_exchange_weak(&x, &old, 1)) return unused;\n        \
             if (++tries >= limit) break;\n    }}\n    assert(0);\n}}\n\
             int main(void) {{ pthread_t p; pthread_create(&p, 0, once, 0); pthread_join(p, 0); }}\n"
        )
    };
    for limit in ["3", "x + 3", "__fp_choose(2, 3)"] {
        for (model, engine) in [("sc", "states"), ("sc", "sat"), ("armv8", "sat")] {
            let found = verdict(&program(limit), model, "assert", &["--engine", engine]);
            assert_eq!(found, "violated", "up to {limit} times on {model} by {engine}");
        }
    }
}

/// A program that makes two nodes, and does something with them.
fn nodes(body: &str) -> String {
    format!(
        "#include <stdlib.h>\nstruct node {{ struct node *next; long value; }};\n\
         struct node *root;\nlong any;\nlong __VERIFIER_nondet_long(void);\n\
         int main(void) {{\n    struct node *a = calloc(1, sizeof *a), *b = calloc(1, sizeof *b);\n\
         {body}\n    return 0;\n}}\n"
    )
}

#[test]
fn blocks_that_only_point_to_each_other_are_lost() {
    let lost = [
        "a->next = b; b->next = a;",
        "a->next = a; root = b;",
        "root = a; a->next = b; b->next = a; root = 0;",
        "a->next = b; b->next = a; any = __VERIFIER_nondet_long();",
        "root = a; a->next = b; free(a);",
    ];
    let kept = [
        "root = a; a->next = b; b->next = a;",
        "root = b; b->next = a;",
        "a->next = b; b->next = a; free(a); free(b);",
    ];
    for (bodies, expected) in [(&lost[..], "violated"), (&kept[..], "holds")] {
        for body in bodies {
            for (model, engine) in [("sc", "auto"), ("sc", "sat"), ("rc11", "sat")] {
                let found = verdict(&nodes(body), model, "leak", &["--engine", engine]);
                assert_eq!(found, expected, "`{body}` on {model} by {engine}");
            }
        }
    }
}

/// What is kept in halves, of which the other thread reads one.
#[test]
fn the_parts_of_a_pointer_together_keep_a_block() {
    let head = "#include <stdint.h>\n#include <pthread.h>\n#include <stdlib.h>\n\
        unsigned half[2], seen;\n\
        void *reader(void *unused) { seen = half[0] + half[1]; return unused; }\n";
    for (body, expected) in [
        ("half[0] = (uintptr_t)p; half[1] = (uintptr_t)p >> 32;", "holds"),
        ("int *q = malloc(4); half[0] = (uintptr_t)p; half[1] = (uintptr_t)q;", "violated"),
        ("half[0] = (uintptr_t)p; half[0] = 0;", "violated"),
    ] {
        let program = format!(
            "{head}void *writer(void *unused) {{ int *p = malloc(4); {body} return unused; }}\n\
             int main(void) {{\n    pthread_t a, b;\n    pthread_create(&a, 0, writer, 0);\n    \
             pthread_create(&b, 0, reader, 0);\n    pthread_join(a, 0);\n    pthread_join(b, 0);\n}}\n"
        );
        for (model, engine) in
            [("sc", "states"), ("tso", "states"), ("sc", "sat"), ("armv8", "sat")]
        {
            let found = verdict(&program, model, "leak", &["--engine", engine]);
            assert_eq!(found, expected, "`{body}` on {model} by {engine}");
        }
    }
}

#[test]
fn coverage_calls_cases_by_their_values() {
    let program = r#"
#include <checkfence.h>
int x;
int main(void) {
    switch (fp_choose(-1, 1)) {
    case -1: x = 1; break;
    case 1 ... 3: x = 2; break;
    case 7: x = 3; break;
    default: x = 4;
    }
    switch (x) {
    case 9: return 1;
    }
    return 0;
}
"#;
    let (text, status) = verify(program, &["--coverage", "--model", "sc"]);
    assert!(text.contains("case 1 ... 3, NEVER case 7, case -1, default"), "{text}");
    assert!(text.contains("NEVER case 9, default"), "{text}");
    assert_eq!(status, 0);
}

#[test]
fn an_allocation_of_more_than_there_is_gives_null() {
    let unchecked = "#include <stdlib.h>\nint main(void) { char *p = malloc(-1); p[0] = 1; }\n";
    let checked = "#include <stdlib.h>\nint main(void) {\n    char *p = malloc(2000000000);\n    if (p) p[0] = 1;\n}\n";
    for model in ["sc", "armv8"] {
        let args = ["--model", model, "--property", "memory", "--property", "leak"];
        let (text, status) = verify(unchecked, &args);
        assert!(text.contains("write to `p[0]` through a null pointer"), "{text}");
        assert_eq!(status, 1, "{text}");
        assert_eq!(verify(checked, &args).1, 0, "{text}");
    }
}

/// The outcomes of a program, by every engine that knows the model.
fn outcomes(program: &str, expressions: &str, model: &str) -> Vec<Vec<String>> {
    let engines: &[&str] =
        if ["sc", "tso"].contains(&model) { &["states", "sat"] } else { &["sat"] };
    let listed = |engine: &&str| {
        let args = ["--outcomes", expressions, "--model", model, "--engine", engine];
        let (text, _) = verify(program, &args);
        let lines = text.lines().filter(|line| line.starts_with("  "));
        lines.map(|line| line.trim().to_string()).collect()
    };
    engines.iter().map(listed).collect()
}

#[test]
fn whoever_ends_the_program_tells_its_outcome() {
    let threads = |thread: &str, main: &str| {
        format!(
            "#include <pthread.h>\n#include <stdatomic.h>\n#include <stdlib.h>\n\
             atomic_int x, y;\nvoid *f(void *u) {{ {thread} return u; }}\n\
             int main(void) {{ pthread_t t; pthread_create(&t, 0, f, 0); {main} return 0; }}\n"
        )
    };
    let cases: [(&str, &str, &[&str]); 8] = [
        // A thread waits for ever, or is always busy.
        ("while (!y) ;", "x = 1;", &["x=1 y=0"]),
        ("for (;;) x = !x;", "", &["x=0 y=0", "x=1 y=0"]),
        // It ends the program while it is awaited, and while it is not.
        ("x = 1; if (y) exit(0); x = 2;", "y = 1; pthread_join(t, 0);", &["x=1 y=1", "x=2 y=1"]),
        ("x = 1; exit(0);", "y = 1;", &["x=0 y=1", "x=1 y=0", "x=1 y=1"]),
        ("x = 1;", "pthread_join(t, 0); exit(3);", &["x=1 y=0"]),
        // It never comes to where it would be busy for ever, or goes wrong.
        ("x = 1; if (y) while (1) ;", "pthread_join(t, 0); y = 1;", &["x=1 y=1"]),
        ("x = 1; abort();", "y = 1;", &["x=0 y=1", "x=1 y=1"]),
        // Nobody ends it.
        ("x = 1;", "while (!y) ;", &["in no execution does `main` return or a thread call `exit`"]),
    ];
    for (thread, main, expected) in cases {
        for model in ["sc", "tso", "armv8", "rc11"] {
            for found in outcomes(&threads(thread, main), "x, y", model) {
                assert_eq!(found, expected, "{thread} / {main} on {model}");
            }
        }
    }
}

/// Executions in which the expressions themselves go wrong have no outcome; that is said.
#[test]
fn what_is_asked_for_may_go_wrong() {
    let program = "#include <pthread.h>\n#include <stdatomic.h>\natomic_int x, y;\n\
        void *f(void *u) { x = 1; return u; }\n\
        int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); y = x; return 0; }\n";
    let wrong = "or what `--outcomes` asks for goes wrong or does not end there";
    let some =
        "executions in which what `--outcomes` asks for goes wrong or does not end have none";
    for model in ["sc", "rc11"] {
        let all = |asked: &str| outcomes(program, asked, model).into_iter().next().expect("one");
        assert!(all("*(int *)0")[0].ends_with(wrong), "{:?}", all("*(int *)0"));
        assert_eq!(all("1 / y"), ["1 / y=1", some]);
        assert_eq!(all("x / 2, x && y"), ["x / 2=0 x && y=0", "x / 2=0 x && y=1"]);
    }
}

/// Two threads, each of which writes only if it reads what the other writes: allowed where a write
/// may come before the reads that control depends on, wherever the two words are.
#[test]
fn writes_that_only_each_other_lets_happen_are_seen() {
    const HEADERS: &str = "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n\
        #include <stdlib.h>\n#define R memory_order_relaxed\n\
        #define get(x) atomic_load_explicit(&(x), R)\n\
        #define set(x) atomic_store_explicit(&(x), 1, R)\n";
    let global = "atomic_int c, d;\n\
        void *a(void *u) { if (get(c)) set(d); return u; }\n\
        void *b(void *u) { if (get(d)) set(c); return u; }\n\
        int main(void) { pthread_t t, v; pthread_create(&t, 0, a, 0); pthread_create(&v, 0, b, 0);\n\
            pthread_join(t, 0); pthread_join(v, 0); assert(!get(c)); return 0; }\n";
    let argument = "struct words { atomic_int c, d; };\n\
        void *a(void *u) { struct words *w = u; if (get(w->c)) set(w->d); return u; }\n\
        void *b(void *u) { struct words *w = u; if (get(w->d)) set(w->c); return u; }\n\
        int main(void) { WORDS pthread_t t, v;\n\
            pthread_create(&t, 0, a, w); pthread_create(&v, 0, b, w);\n\
            pthread_join(t, 0); pthread_join(v, 0); assert(!get(w->c)); return 0; }\n";
    let local = argument.replace("WORDS", "struct words x = {0, 0}, *w = &x;");
    let block = argument.replace("WORDS", "struct words *w = calloc(1, sizeof *w);");
    let stored = argument
        .replace("WORDS", "struct words x = {0, 0}, *w = &x; kept = w;")
        .replace("*w = u;", "*w = kept;")
        .replace("void *a", "struct words *kept;\nvoid *a");
    let kept = |words: &str| {
        let text = argument.replace("WORDS", words).replace("*w = u;", "*w = kept;");
        text.replace("void *a", "struct words *kept;\nvoid *a").replace(", w)", ", 0)")
    };
    let kept_local = kept("struct words x = {0, 0}, *w = &x; kept = w;");
    let kept_block = kept("struct words *w = calloc(1, sizeof *w); kept = w;");
    // The address of what is read is known to others only if something else was read.
    let published = "atomic_int *_Atomic c; int seen;\n\
        void *a(void *u) { WORD if (get(d)) {\n\
            atomic_store_explicit(&c, &d, R); seen = 1; } return u; }\n\
        void *b(void *u) { atomic_int *d = get(c); if (d) set(*d); return u; }\n\
        int main(void) { pthread_t t, v; pthread_create(&t, 0, a, 0); pthread_create(&v, 0, b, 0);\n\
            pthread_join(t, 0); pthread_join(v, 0); assert(!seen); return 0; }\n";
    let own_local = published.replace("WORD", "atomic_int d = 0;");
    let own_copy = published.replace("WORD", "static _Thread_local atomic_int d;");
    let (kept, published) = ([kept_local, kept_block], [own_local, own_copy]);
    let more = kept.iter().chain(&published).map(String::as_str);
    for text in [global, &local, &block, &stored].into_iter().chain(more) {
        let program = format!("{HEADERS}{text}");
        for model in ["c11", "c11-simp", "relaxed"] {
            assert_eq!(verdict(&program, model, "assert", &[]), "violated", "{model}: {text}");
        }
        for model in ["sc", "tso", "rc11", "c11-no-thin-air", "imm", "armv8", "alpha"] {
            assert_eq!(verdict(&program, model, "assert", &[]), "holds", "{model}: {text}");
        }
    }
}

/// Store buffering, which `tso` lets end with two zeros.
const STORE_BUFFERING: &str = "#include <assert.h>\n#include <pthread.h>\nint x, y, a, b;\n\
    void *left(void *unused) { x = 1; a = y; return 0; }\n\
    void *right(void *unused) { y = 1; b = x; return 0; }\n\
    int main(void) { pthread_t p, q; pthread_create(&p, 0, left, 0);\n\
    pthread_create(&q, 0, right, 0); pthread_join(p, 0); pthread_join(q, 0);\n\
    assert(a || b); return 0; }\n";

#[test]
fn plain_conflicts_are_races_on_machines_if_somebody_asks() {
    let asked = ["--model", "tso", "--property", "race", "--races", "plain"];
    let (text, status) = verify(STORE_BUFFERING, &asked);
    assert!(text.contains("race        VIOLATED"), "{text}");
    assert_eq!(status, 1);
    let (text, _) = verify(STORE_BUFFERING, &asked[..4]);
    assert!(text.contains("race        -"), "{text}");
    let locked = STORE_BUFFERING
        .replace(
            "int x, y, a, b;",
            "int x, y, a, b; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;",
        )
        .replace(
            "{ x = 1; a = y;",
            "{ pthread_mutex_lock(&m); x = 1; a = y; pthread_mutex_unlock(&m);",
        )
        .replace(
            "{ y = 1; b = x;",
            "{ pthread_mutex_lock(&m); y = 1; b = x; pthread_mutex_unlock(&m);",
        );
    let (text, status) = verify(&locked, &asked);
    assert!(text.contains("race        holds"), "{text}");
    assert_eq!(status, 0);
}

/// Goals that interleavings come to, and one that only a reordering does.
#[test]
fn coverage_takes_from_interleavings_what_they_show_and_asks_the_solver_for_the_rest() {
    let program = STORE_BUFFERING.replace("assert(a || b);", "if (!a && !b) assert(x);");
    for (model, reached) in [("sc", "3 of 5"), ("relaxed", "5 of 5")] {
        let (text, status) = verify(&program, &["--model", model, "--coverage"]);
        assert!(text.contains(&format!("{model}: {reached} ")), "{text}");
        assert_eq!(status, 0, "{text}");
    }
}

/// A local that is declared again in a loop holds nothing, though others know it since the first
/// time.
#[test]
fn a_shared_local_is_undefined_when_it_is_declared_again() {
    let program = "#include <pthread.h>\n\
        void *f(void *u) { return (void *)(long)*(int *)u; }\n\
        int main(void) { pthread_t t; int sum = 0;\n\
            for (int i = 0; i < 2; i++) { int x; if (i == 0) { x = 1; pthread_create(&t, 0, f, &x); }\n\
                else if (x == 1) sum++; }\n\
            pthread_join(t, 0); return sum; }\n";
    for model in ["sc", "tso", "pso", "armv8", "rc11"] {
        assert_eq!(verdict(program, model, "memory", &[]), "violated", "{model}");
        let solver = ["--engine", "sat"];
        assert_ne!(verdict(program, model, "memory", &solver), "holds", "{model}");
    }
    assert_ne!(verdict(program, "relaxed", "memory", &["--engine", "sat"]), "holds");
}

/// Threads that start threads, of which each reads how far it has to go from its parent's stack: the
/// recursion has an end, and where it has none, that is said.
#[test]
fn threads_that_start_threads_come_to_an_end() {
    let program = |end: &str| {
        format!(
            "#include <assert.h>\n#include <pthread.h>\nint go_on = 1;\nstruct job {{ int n; }};\n\
             void *f(void *u) {{ struct job *job = u; if ({end}) return 0;\n\
                 struct job next = {{job->n / 2}}; pthread_t t, v;\n\
                 pthread_create(&t, 0, f, &next); pthread_create(&v, 0, f, &next);\n\
                 pthread_join(t, 0); pthread_join(v, 0); return 0; }}\n\
             int main(void) {{ struct job all = {{4}}; f(&all); go_on = 1; return 0; }}\n"
        )
    };
    for model in ["sc", "pso", "armv8", "rc11", "c11", "relaxed"] {
        let verdict = verdict(&program("job->n == 0"), model, "assert", &["--engine", "sat"]);
        assert_eq!(verdict, "holds", "{model}");
    }
    let endless = verdict(&program("!go_on"), "rc11", "assert", &["--engine", "sat"]);
    assert_eq!(endless, "holds-within-bounds");
}

/// Atomic sections do not race with each other, but with what is outside of them.
#[test]
fn what_is_in_an_atomic_section_is_not_plain() {
    let within = |text: &str| format!("__VERIFIER_atomic_begin(); {text} __VERIFIER_atomic_end();");
    let threads = |first: &str, second: &str| {
        format!(
            "#include <pthread.h>\nint x, y;\n\
             void *f(void *u) {{ {first} return u; }}\nvoid *g(void *u) {{ {second} return u; }}\n\
             int main(void) {{ pthread_t t, v; pthread_create(&t, 0, f, 0);\n\
             pthread_create(&v, 0, g, 0); pthread_join(t, 0); pthread_join(v, 0); return 0; }}\n"
        )
    };
    let one = threads(&within("x = x + 1; y = x;"), "x = 2;");
    let both = threads(&within("x = x + 1; y = x;"), &within("x = 2;"));
    for model in ["sc", "tso", "pso"] {
        assert_eq!(verdict(&one, model, "race", &["--races", "plain"]), "violated", "{model}");
        assert_eq!(verdict(&both, model, "race", &["--races", "plain"]), "holds", "{model}");
    }
    let by_states = ["--races", "plain", "--engine", "states"];
    for model in ["sc", "tso"] {
        assert_eq!(verdict(&one, model, "assert", &by_states), "holds", "{model}");
        assert_eq!(verdict(&one, model, "race", &by_states), "inconclusive", "{model}");
    }
}

/// Where an update is a pair of exclusives, its read goes wrong and the section goes on to the write.
#[test]
fn an_update_in_a_section_may_come_after_a_free() {
    let program = r#"
#include <pthread.h>
#include <stdlib.h>
void *await(void *argument) {
    int *marks = argument;
    __fp_atomic {
        int before = __atomic_fetch_and(marks, ~3, __ATOMIC_RELAXED);
        __fp_assume(before & 2);
    }
    return 0;
}
int main(void) {
    pthread_t thread;
    int *marks = malloc(sizeof *marks);
    *marks = 1;
    pthread_create(&thread, 0, await, marks);
    __atomic_fetch_or(marks, 2, __ATOMIC_RELAXED);
    free(marks);
    pthread_join(thread, 0);
}
"#;
    for model in ["sc", "relaxed", "armv8", "armv7", "power", "rc11"] {
        assert_eq!(verdict(program, model, "memory", &[]), "violated", "{model}");
    }
}

/// Arithmetic that overflows goes on, whether or not overflow is asked for.
#[test]
fn what_lies_past_an_overflow_is_seen() {
    let program = "#include <assert.h>\n#include <limits.h>\n#include <pthread.h>\n\
        int x = INT_MAX - 1; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n\
        void *f(void *u) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); return u; }\n\
        int main(void) { pthread_t t, v; pthread_create(&t, 0, f, 0); pthread_create(&v, 0, f, 0);\n\
        pthread_join(t, 0); pthread_join(v, 0); assert(x > 0); return 0; }\n";
    for model in ["sc", "tso", "pso", "armv8", "rc11"] {
        let args = ["--property", "overflow"];
        assert_eq!(verdict(program, model, "assert", &args), "violated", "{model}");
        assert_eq!(verdict(program, model, "assert", &[]), "violated", "{model}");
    }
}

/// A loop that nothing but choices repeats, in front of one that waits.
#[test]
fn loops_that_choices_repeat_come_to_an_end() {
    let threads = |thread: &str| {
        format!(
            "#include <pthread.h>\n#include <stdatomic.h>\n_Bool __VERIFIER_nondet_bool(void);\n\
             atomic_int go, n;\nvoid *f(void *u) {{ {thread} while (!go) ; return u; }}\n\
             void *g(void *u) {{ n++; go = 1; return u; }}\n\
             int main(void) {{ pthread_t t, v; pthread_create(&t, 0, f, 0);\n\
             pthread_create(&v, 0, g, 0); pthread_join(t, 0); pthread_join(v, 0); return 0; }}\n"
        )
    };
    let weak = "int e = 0; while (!atomic_compare_exchange_weak(&n, &e, e + 1)) ;";
    // The solver follows a loop of choices only as far as its bound.
    let chosen = ("while (__VERIFIER_nondet_bool()) ;", &["sc", "tso"][..]);
    for (thread, models) in [chosen, (weak, &["sc", "tso", "armv8"])] {
        for model in models {
            let args = ["--time-limit", "60"];
            let found = verdict(&threads(thread), model, "liveness", &args);
            assert_eq!(found, "holds", "{model}: {thread}");
        }
    }
}

/// A function that is called as one of another type is wrong, whichever engine finds it.
#[test]
fn types_of_called_functions_are_compared() {
    let program = |function: &str, pointer: &str, call: &str| {
        format!(
            "#include <pthread.h>\n#include <stdatomic.h>\nstatic {function}\n\
             struct job {{ {pointer}; }} job; atomic_int x, y;\n\
             static void *f(void *u) {{ x = 1; y = 1; return u; }}\n\
             static void *g(void *u) {{ struct job *j = u; if (y && x) {call}; return u; }}\n\
             int main(void) {{ pthread_t t, v; job.f = (void *)work; pthread_create(&t, 0, f, 0);\n\
             pthread_create(&v, 0, g, &job); pthread_join(t, 0); pthread_join(v, 0); return 0; }}\n"
        )
    };
    let cases = [
        ("int work(int *p) { return *p; }", "void *(*f)(void *)", "u = j->f(0)", "violated"),
        ("int work(char c) { return c; }", "int (*f)(long)", "j->f(1)", "violated"),
        ("int work(int a, int b) { return a + b; }", "int (*f)(int)", "j->f(1)", "violated"),
        ("int work(int a) { return a; }", "int (*f)(int)", "j->f(1)", "holds"),
    ];
    for (function, pointer, call, expected) in cases {
        let program = program(function, pointer, call);
        for (model, engine) in [("sc", "states"), ("sc", "sat"), ("pso", "sat"), ("rc11", "auto")] {
            let found = verdict(&program, model, "memory", &["--engine", engine]);
            assert_eq!(found, expected, "{model}, {engine}: {function}");
        }
    }
}

/// What is printed is no part of the execution: neither the number of characters nor the strings.
#[test]
fn a_failure_behind_a_message_is_replayed() {
    let program = r#"
        #include <pthread.h>
        #include <stdio.h>
        #include <stdlib.h>
        static char name[4] = "abc";
        static _Atomic int flag;
        static void *work(void *unused) { name[0] = 'x'; flag = 1; return unused; }
        int main(void) {
            pthread_t thread;
            pthread_create(&thread, 0, work, 0);
            if (!flag && fprintf(stderr, "%s\n", name) >= 0) abort();
            pthread_join(thread, 0);
            return 0;
        }
    "#;
    let (text, status) = verify(program, &["--model", "sc", "--property", "assert"]);
    assert!(text.contains("assert      VIOLATED"), "{text}");
    assert_eq!(status, 1);
}

/// An element of an array by an index that may be anything: its fields stay apart.
#[test]
fn structs_in_arrays_are_told_apart_by_their_size() {
    let program = |limit: u32| {
        format!(
            r#"
            #include <pthread.h>
            #include <assert.h>
            struct account {{ pthread_mutex_t lock; int balance; }};
            static struct account accounts[2];
            extern int __VERIFIER_nondet_int(void);
            static void *clerk(void *unused) {{
                int i = __VERIFIER_nondet_int();
                if (i < 0 || i > {limit}) return unused;
                pthread_mutex_lock(&accounts[i].lock);
                accounts[i].balance++;
                pthread_mutex_unlock(&accounts[i].lock);
                return unused;
            }}
            int main(void) {{
                pthread_t a, b;
                pthread_create(&a, 0, clerk, 0);
                pthread_create(&b, 0, clerk, 0);
                pthread_join(a, 0);
                pthread_join(b, 0);
                assert(accounts[0].balance + accounts[1].balance <= 2);
                return 0;
            }}"#
        )
    };
    let asked = ["--model", "sc", "--property", "memory", "--property", "assert"];
    let (text, status) = verify(&program(1), &asked);
    assert_eq!(status, 0, "{text}");
    let (text, status) = verify(&program(2), &asked);
    assert!(text.contains("memory      VIOLATED"), "{text}");
    assert_eq!(status, 1);
}

/// The thread that uses an undefined value is not followed any further: if nobody asks for that,
/// nothing is proved.
#[test]
fn nothing_holds_behind_an_undefined_value_that_nobody_asked_for() {
    let program = |first: &str| {
        let one = format!("int u; int *r = &u; {first} if (*r) p = 1; return 0;");
        racing(&one, "return 0;", "assert(p == 0); return 0;")
    };
    for (model, engine) in [("sc", "states"), ("sc", "sat"), ("pso", "auto"), ("rc11", "auto")] {
        let engine = ["--engine", engine];
        for property in ["assert", "deadlock"] {
            let unknown = verdict(&program(""), model, property, &engine);
            assert_eq!(unknown, "inconclusive", "{property} on {model}");
            assert_eq!(verdict(&program("u = 0;"), model, property, &engine), "holds");
        }
        assert_eq!(verdict(&program(""), model, "memory", &engine), "violated");
        assert_eq!(verdict(&program("u = 1;"), model, "assert", &engine), "violated");
    }
}

/// The read of an exchange is before its write in program order: the usual short text of sequential
/// consistency excludes other threads from what comes after it.
#[test]
fn a_model_without_an_architecture_orders_the_accesses_of_an_exchange() {
    let program = "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n\
        atomic_int taken; int n;\n\
        void *count(void *unused) {\n\
          if (atomic_exchange(&taken, 1) == 0) { int k = n; n = k + 1; assert(n == k + 1);\n\
            atomic_store(&taken, 0); }\n\
          return 0; }\n\
        int main(void) { pthread_t p, q; pthread_create(&p, 0, count, 0);\n\
          pthread_create(&q, 0, count, 0); pthread_join(p, 0); pthread_join(q, 0); return 0; }\n";
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("interleaved.cat");
    let short = "\"interleaved\"\nacyclic po | rf | co | fr as order\nempty rmw & (fre; coe)\n";
    std::fs::write(&path, short).unwrap();
    for model in ["sc", path.to_str().unwrap()] {
        assert_eq!(verdict(program, model, "assert", &[]), "holds", "{model}");
    }
    let without_po = short.replace("po | ", "po-loc | ");
    std::fs::write(&path, without_po).unwrap();
    assert_eq!(verdict(program, path.to_str().unwrap(), "assert", &[]), "violated");
}

/// IMM has no notion of a data race; conflicts of plain accesses are found if they are asked for.
#[test]
fn races_under_imm_are_a_matter_of_plain_accesses() {
    let program = racing("p = 1; return 0;", "p = 2; return 0;", "return 0;");
    assert_eq!(verdict(&program, "rc11", "race", &[]), "violated");
    assert_eq!(verdict(&program, "imm", "race", &["--races", "plain"]), "violated");
    let ordered = racing("return 0;", "p = 2; return 0;", "return p - 2;");
    assert_eq!(verdict(&ordered, "imm", "race", &["--races", "plain"]), "holds");
}
