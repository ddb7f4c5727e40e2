//! Heap blocks, local objects, sections and what can go wrong with them.

use crate::common::{allows, run, try_outcomes};

#[test]
fn a_block_is_published_before_it_is_initialised() {
    let text = |fence: &str| {
        format!(
            "#include <checkfence.h>
             #include <stdlib.h>
             typedef struct node {{ int value; }} node_t;
             node_t *shared;
             void *writer(void *arg) {{
                 node_t *n = malloc(sizeof(node_t));
                 n->value = 42;
                 {fence}
                 shared = n;
                 return 0;
             }}
             void *reader(void *arg) {{
                 node_t *n = shared;
                 if (n) {{ if (n->value == 42) fp_observe(\"v\", 42); }}
                 return 0;
             }}
             int main(void) {{
                 unsigned long a = __fp_spawn(writer, 0), b = __fp_spawn(reader, 0);
                 __fp_join(a);
                 __fp_join(b);
                 return 0;
             }}"
        )
    };
    let bare = text("");
    for name in ["relaxed", "pso", "armv8"] {
        assert!(allows(&bare, name, "undefined in thread 2 at line 14"), "{name}");
    }
    for name in ["sc", "tso"] {
        assert_eq!(run(&bare, name), ["shared=&node1; ", "shared=&node1; 2: v=42"], "{name}");
    }
    // The reader's address dependency orders its loads on ARM, and nothing does on Alpha.
    assert!(!allows(&text("fp_fence(\"dmb.ishst\");"), "armv8", "undefined"));
    assert!(allows(&text("fp_fence(\"store-store\");"), "alpha", "undefined"));
    assert!(allows(&text("fp_fence(\"store-store\");"), "relaxed", "undefined"));
}

#[test]
fn a_load_drifts_past_free() {
    let text = |fence: &str| {
        format!(
            "#include <checkfence.h>
             #include <stdlib.h>
             int *block; int done;
             void *user(void *arg) {{
                 int v = *block;
                 {fence}
                 done = 1;
                 fp_observe(\"v\", v);
                 return 0;
             }}
             void *owner(void *arg) {{
                 if (done) {{ {fence} free(block); }}
                 return 0;
             }}
             int main(void) {{
                 block = malloc(sizeof(int));
                 *block = 5;
                 unsigned long a = __fp_spawn(user, 0), b = __fp_spawn(owner, 0);
                 __fp_join(a);
                 __fp_join(b);
                 return 0;
             }}"
        )
    };
    let found = "use-after-free in thread 1 at line 5";
    assert!(allows(&text(""), "relaxed", found));
    assert!(allows(&text(""), "armv8", found));
    for name in ["sc", "tso", "pso"] {
        assert!(!allows(&text(""), name, "use-after-free"), "{name}");
    }
    assert!(!allows(&text("fp_fence(\"full\");"), "relaxed", "use-after-free"));
}

#[test]
fn writes_after_free_and_second_frees_are_found() {
    let text = |body: &str| {
        format!(
            "#include <stdlib.h>
             int *block;
             void *other(void *arg) {{ {body} return 0; }}
             int main(void) {{
                 block = malloc(sizeof(int));
                 unsigned long a = __fp_spawn(other, 0);
                 free(block);
                 __fp_join(a);
                 return 0;
             }}"
        )
    };
    let write = run(&text("*block = 1;"), "sc");
    assert!(write.contains(&"use-after-free in thread 1 at line 3".to_string()), "{write:?}");
    let free = run(&text("free(block);"), "sc");
    assert!(free.iter().any(|found| found.starts_with("double-free")), "{free:?}");
}

#[test]
fn findings_are_reported_although_other_threads_cannot_terminate() {
    let text = "#include <checkfence.h>
        int x;
        void *waiter(void *arg) { while (x != 2) {} return 0; }
        void *breaker(void *arg) { x = 1; fp_assert(x == 3); return 0; }
        int main(void) {
            unsigned long a = __fp_spawn(waiter, 0), b = __fp_spawn(breaker, 0);
            __fp_join(a);
            __fp_join(b);
            return 0;
        }";
    assert_eq!(run(text, "sc"), ["assertion in thread 2 at line 4"]);
}

#[test]
fn local_objects_are_shared_only_where_their_address_is() {
    let text = "#include <checkfence.h>
        void *child(void *arg) { int *p = arg; *p = *p + 1; return 0; }
        int main(void) {
            int mine[2] = {1, 2}, shared = 5;
            unsigned long a = __fp_spawn(child, &shared);
            mine[1] += mine[0];
            __fp_join(a);
            fp_observe(\"mine\", mine[1]);
            fp_observe(\"shared\", shared);
            return 0;
        }";
    for name in ["sc", "relaxed", "power"] {
        assert_eq!(run(text, name), ["0: mine=3 shared=6"], "{name}");
    }
}

const MUTEX: &str = "#include <checkfence.h>
    int locked, count;
    void take(void) { __fp_atomic { __fp_assume(!locked); locked = 1; } fp_fence(\"full\"); }
    void give(void) { fp_fence(\"full\"); __fp_atomic { locked = 0; } }
    void *work(void *arg) { take(); count++; give(); return 0; }
    int main(void) {
        unsigned long a = __fp_spawn(work, 0), b = __fp_spawn(work, 0);
        __fp_join(a);
        __fp_join(b);
        return 0;
    }";

#[test]
fn sections_make_a_mutex() {
    for name in ["sc", "tso", "pso", "rmo", "alpha", "relaxed"] {
        assert_eq!(run(MUTEX, name), ["locked=0; count=2; "].map(sorted), "{name}");
    }
}

/// Finals are sorted by name.
fn sorted(text: &str) -> String {
    let mut parts: Vec<&str> = text.split_inclusive("; ").collect();
    parts.sort();
    parts.concat()
}

#[test]
fn models_that_do_not_know_sections_refuse_them() {
    // A model for C11 would be refused for the directed fences already.
    let text = MUTEX.replace("fp_fence(\"full\");", "");
    for name in ["power", "rc11", "armv7"] {
        let problem = try_outcomes(&text, name).err().map(|problem| problem.to_string());
        assert!(problem.is_some_and(|text| text.contains("gives them no meaning")), "{name}");
    }
}

#[test]
fn a_lock_that_is_never_released_is_a_deadlock() {
    let text = MUTEX.replace("count++; give();", "count++;");
    assert_eq!(run(&text, "sc"), ["deadlock in thread 0"]);
}

/// A section of one exchange that must find the lock free, as `pthread_mutex_lock` is written.
#[test]
fn a_section_that_has_written_before_it_waits_has_not_been_entered() {
    let text = |unlock: &str| {
        format!(
            "#include <checkfence.h>
             int held, count;
             void *once(void *arg) {{
                 __fp_atomic {{ fp_assume(__atomic_exchange_n(&held, 1, __ATOMIC_ACQUIRE) == 0); }}
                 count++;
                 {unlock}
                 return 0;
             }}
             int main(void) {{
                 unsigned long a = __fp_spawn(once, 0), b = __fp_spawn(once, 0);
                 __fp_join(a);
                 __fp_join(b);
                 return 0;
             }}"
        )
    };
    assert_eq!(run(&text(""), "sc"), ["deadlock in thread 0"]);
    let right = text("__atomic_store_n(&held, 0, __ATOMIC_RELEASE);");
    assert!(!allows(&right, "sc", "deadlock"));
}

#[test]
fn two_words_are_swapped_at_once() {
    let text = "#include <checkfence.h>
        int x, y;
        void *swap(void *arg) {
            long by = (long)arg;
            fp_observe(\"done\", __fp_dcas(&x, &y, 0, 0, (int)by, (int)by));
            return 0;
        }
        void *look(void *arg) {
            __fp_atomic { fp_observe(\"same\", x == y); }
            return 0;
        }
        int main(void) {
            unsigned long a = __fp_spawn(swap, (void *)1), b = __fp_spawn(swap, (void *)2);
            unsigned long c = __fp_spawn(look, 0);
            __fp_join(a); __fp_join(b); __fp_join(c);
            return 0;
        }";
    for name in ["sc", "tso", "relaxed", "armv8"] {
        assert_eq!(
            run(text, name),
            [
                "x=1; y=1; 1: done=1; 2: done=0; 3: same=1",
                "x=2; y=2; 1: done=0; 2: done=1; 3: same=1"
            ],
            "{name}"
        );
    }
}

#[test]
fn functions_are_called_through_memory_and_operations_are_distinguished() {
    let text = "#include <checkfence.h>
        int x;
        static int one(void) { return 1; }
        static int two(void) { return 2; }
        int (*function)(void) = one;
        _Thread_local int mine = 3;
        void *t(void *arg) {
            __fp_op_begin(\"first\"); mine++; fp_observe(\"r\", function()); __fp_op_end();
            __fp_op_begin(\"second\"); fp_observe(\"m\", mine + fp_choose(0, 1)); __fp_op_end();
            return 0;
        }
        int main(void) {
            unsigned long a = __fp_spawn(t, 0);
            function = two;
            __fp_join(a);
            return 0;
        }";
    assert_eq!(
        run(text, "sc"),
        [
            "function=two; 1.0: r=1; 1.1: m=4",
            "function=two; 1.0: r=1; 1.1: m=5",
            "function=two; 1.0: r=2; 1.1: m=4",
            "function=two; 1.0: r=2; 1.1: m=5",
        ]
    );
}
