//! Locals that are declared again and again and handed to threads: what `fencepost verify` finds is
//! confirmed by its replay.

use std::process::Command;

const HEADERS: &str = "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n\
    #include <string.h>\n";

/// The verdict on the property `assert`: `holds`, `VIOLATED`, or another word.
fn verdict(program: &str, model: &str) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("program.c"), format!("{HEADERS}{program}"))
        .expect("written");
    let mut command = Command::new(env!("CARGO_BIN_EXE_fencepost"));
    let command = command.args(["verify", "program.c", "--model", model]);
    let output = command.current_dir(folder.path()).output().expect("the program starts");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(!text.contains("our bug"), "{model}: {text}\n{program}");
    let line = text.lines().find(|line| line.starts_with("assert "));
    line.and_then(|line| line.split_whitespace().nth(1)).unwrap_or("nothing").to_string()
}

fn expect(program: &str, expected: &str) {
    for model in ["sc", "tso", "rc11", "armv8"] {
        assert_eq!(verdict(program, model), expected, "{model}\n{program}");
    }
}

#[test]
fn one_that_is_filled_at_once_may_be_handed_to_threads_that_run_at_the_same_time() {
    let program = "void *t(void *p) { assert(*(int *)p != WRONG); return 0; }
        int main(void) { pthread_t a[2];
        for (int i = 0; i < 2; i++) { int x = 5; pthread_create(&a[i], 0, t, &x); }
        for (int i = 0; i < 2; i++) pthread_join(a[i], 0); return 0; }";
    expect(&program.replace("WRONG", "5"), "VIOLATED");
    expect(&program.replace("WRONG", "6"), "holds");
}

#[test]
fn one_that_is_updated_while_a_thread_reads_it_is_the_same_for_everybody() {
    let program =
        "void *t(void *p) { int r = *(atomic_int *)p; assert(r == 5 || r == 6); return 0; }
        int main(void) { pthread_t a[2];
        for (int i = 0; i < 2; i++) { atomic_int x = 5; pthread_create(&a[i], 0, t, &x); x = 6; }
        for (int i = 0; i < 2; i++) pthread_join(a[i], 0); return 0; }";
    expect(program, "holds");
    expect(&program.replace(" || r == 6", ""), "VIOLATED");
}

#[test]
fn one_that_a_thread_is_awaited_for_starts_again() {
    let program = "struct job { char c; int a, b; };
        atomic_int z; void *t(void *p) { z += ((struct job *)p)->a; assert(z != WRONG); return 0; }
        int main(void) { for (int i = 0; i < 2; i++) { FILL; pthread_t a;
        pthread_create(&a, 0, t, &x); pthread_join(a, 0); } return 0; }";
    for fill in ["struct job x = { 'c', 5, i }", "struct job x; x.a = 5; x.b = i; x.c = 0"] {
        let program = program.replace("FILL", fill);
        expect(&program.replace("WRONG", "10"), "VIOLATED");
        expect(&program.replace("WRONG", "15"), "holds");
    }
}

/// What is not filled at once starts with undefined values.
#[test]
fn one_that_is_filled_on_several_paths_starts_again_in_the_replay_too() {
    let program = "atomic_int z; void *t(void *p) { z += *(int *)p; assert(z != 3); return 0; }
        int main(void) { for (int i = 0; i < 2; i++) { int x; if (z) x = 2; else x = 1;
        pthread_t a; pthread_create(&a, 0, t, &x); pthread_join(a, 0); } return 0; }";
    for model in ["sc", "tso"] {
        assert_eq!(verdict(program, model), "VIOLATED", "{model}");
        assert_eq!(verdict(&program.replace("z != 3", "z < 4"), model), "holds", "{model}");
    }
}
