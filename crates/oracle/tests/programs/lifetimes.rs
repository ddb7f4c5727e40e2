//! Stack and thread-local objects that other threads access before and after their ends.

use crate::common::{allows, run};

/// A program with these functions, whose `main` does this.
fn program(before: &str, main: &str) -> String {
    format!("#include <checkfence.h>\n{before}\nint main(void) {{ {main} }}")
}

#[test]
fn the_result_of_a_thread_points_to_its_local() {
    for end in ["return &x", "__fp_thread_exit(&x)"] {
        let thread = format!("void *t(void *u) {{ int x = 5; {end}; }}");
        let main = "unsigned long a = __fp_spawn(t, 0); int *r = __fp_join(a); return *r - 5;";
        for model in ["sc", "tso", "relaxed", "armv8", "rc11"] {
            let found = run(&program(&thread, main), model);
            assert_eq!(found, ["use-after-return in thread 0 at line 3"], "{end} on {model}");
        }
    }
}

#[test]
fn a_thread_may_be_gone_when_its_local_is_read() {
    let thread = "int *volatile gp; volatile int flag;
        void *t(void *u) { int x = 5; gp = &x; flag = 1; return 0; }";
    let main = "unsigned long a = __fp_spawn(t, 0);
        if (flag) { fp_observe(\"v\", *gp); }
        __fp_join(a); return 0;";
    for model in ["sc", "tso", "relaxed", "armv8"] {
        let text = program(thread, main);
        assert!(allows(&text, model, "use-after-return in thread 0 at line 5"), "{model}");
        assert!(allows(&text, model, "0: v=5"), "{model}");
    }
}

#[test]
fn a_thread_that_waits_for_its_readers_keeps_its_locals() {
    let thread = "int *volatile gp; volatile int done;
        void *t(void *u) { int x = 5; gp = &x; fp_assume(done); return 0; }";
    let main = "unsigned long a = __fp_spawn(t, 0);
        int *p = gp;
        if (p) { int v = *p; FENCE done = 1; fp_observe(\"v\", v); }
        __fp_join(a); return 0;";
    let plain = program(thread, &main.replace("FENCE", ""));
    for model in ["sc", "tso", "pso"] {
        assert!(!allows(&plain, model, "use-after"), "{model}");
        assert!(allows(&plain, model, "0: v=5"), "{model}");
    }
    // The read of `x` may take place after the store that says that it is done.
    assert!(allows(&plain, "armv8", "use-after-return in thread 0 at line 6"));
    let fenced = program(thread, &main.replace("FENCE", "fp_fence(\"dmb.ish\");"));
    assert!(!allows(&fenced, "armv8", "use-after"));
}

#[test]
fn a_thread_local_object_is_gone_with_its_thread() {
    let thread = "_Thread_local int own = 3; int *gp;
        void *t(void *u) { gp = &own; return 0; }";
    let main = "unsigned long a = __fp_spawn(t, 0); __fp_join(a); *gp = 4; return 0;";
    for model in ["sc", "relaxed", "armv8"] {
        let found = run(&program(thread, main), model);
        assert_eq!(found, ["use-after-thread in thread 0 at line 4"], "{model}");
    }
}

#[test]
fn the_locals_of_main_outlast_its_return_but_not_its_exit() {
    let thread = "void *t(void *u) { fp_observe(\"v\", *(int *)u); return 0; }";
    let main = |end: &str| format!("int x = 5; __fp_spawn(t, &x); {end};");
    assert_eq!(run(&program(thread, &main("return 0")), "sc"), ["1: v=5"]);
    assert_eq!(
        run(&program(thread, &main("__fp_thread_exit(0)")), "sc"),
        ["1: v=5", "use-after-return in thread 1 at line 2"]
    );
}

#[test]
fn a_thread_uses_its_own_local_after_the_call_although_others_know_it() {
    let thread = "int *gp;
        void call(void) { int x = 5; gp = &x; }
        void *t(void *u) { call(); *gp = 6; return 0; }";
    let main = "unsigned long a = __fp_spawn(t, 0); __fp_join(a); return 0;";
    for model in ["sc", "relaxed"] {
        let found = run(&program(thread, main), model);
        assert_eq!(found, ["use-after-return in thread 1 at line 4"], "{model}");
    }
}
