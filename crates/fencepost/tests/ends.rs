//! How `fencepost verify` words what the end of an execution hides.

use std::process::Command;

/// Verifies a program by the engine of this name; what is printed, and the status.
fn verify(program: &str, engine: &str, args: &[&str]) -> (String, i32) {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("program.c"), program).expect("written");
    let output = Command::new(env!("CARGO_BIN_EXE_fencepost"))
        .args(["verify", "program.c", "--model", "sc", "--engine", engine])
        .args(args)
        .current_dir(folder.path())
        .output()
        .expect("the program starts");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    (text, output.status.code().expect("an exit status"))
}

/// The cell of a property in the table.
fn cell<'t>(text: &'t str, property: &str) -> &'t str {
    let line = text.lines().find(|line| line.split(' ').next() == Some(property));
    line.and_then(|line| line.strip_prefix(property)).map_or("nothing", str::trim)
}

const ENGINES: [&str; 2] = ["states", "sat"];

#[test]
fn arithmetic_that_overflows_goes_on() {
    let program = "#include <assert.h>\n\
                   int main(void) { unsigned flag = 1 << 31; assert(flag == 0); return 0; }\n";
    for engine in ENGINES {
        let (text, status) = verify(program, engine, &[]);
        assert_eq!(cell(&text, "overflow"), "VIOLATED", "{text}");
        assert_eq!(cell(&text, "assert"), "VIOLATED", "{text}");
        assert_eq!(cell(&text, "leak"), "holds", "{text}");
        assert_eq!(status, 1);
    }
}

#[test]
fn nothing_holds_where_every_execution_ends_at_a_memory_error() {
    let program = "#include <assert.h>\n#include <stdlib.h>\nint x;\nint main(void) {\n\
                   int *flag = malloc(sizeof *flag);\nif (*flag)\nx = 1;\nassert(x == 2);\n\
                   return 0; }\n";
    for engine in ENGINES {
        for asked in
            [&["--property", "assert"][..], &["--property", "assert", "--property", "memory"][..]]
        {
            let (text, status) = verify(program, engine, asked);
            assert_eq!(cell(&text, "assert"), "? cut", "{text}");
            let why = "? what lies past a finding is not known: every execution ends at \
                       program.c:6 (undefined) or before";
            assert!(text.contains(why), "{text}");
            assert_eq!(status, if asked.len() == 2 { 3 } else { 1 });
        }
        let (text, _) = verify(program, engine, &["--property", "assert", "--json"]);
        assert!(text.contains("\"kind\": \"cut\""), "{text}");
    }
}

#[test]
fn what_some_executions_hide_past_a_memory_error_does_not_hold() {
    let program = "#include <assert.h>\nint __VERIFIER_nondet_int(void);\nint x, *p;\n\
                   int main(void) { if (__VERIFIER_nondet_int())\n{ *p = 1; x = 2; }\n\
                   assert(x == 0); return 0; }\n";
    for engine in ENGINES {
        let (text, status) = verify(program, engine, &[]);
        assert_eq!(cell(&text, "memory"), "VIOLATED", "{text}");
        assert_eq!(cell(&text, "assert"), "? cut", "{text}");
        assert!(text.contains("some executions end at program.c:5 (null)"), "{text}");
        assert_eq!(status, 1);
    }
}

#[test]
fn a_quotient_that_does_not_fit_hides_what_follows_on_some_machines_only() {
    let program = "#include <assert.h>\n#include <limits.h>\n_Bool __VERIFIER_nondet_bool(void);\n\
                   int main(void) { int v = __VERIFIER_nondet_bool() ? -1 : 1;\n\
                   int q = INT_MIN / v; assert(v != -1 || q == 0); return 0; }\n";
    for engine in ENGINES {
        for asked in [&[][..], &["--property", "assert"]] {
            let (text, _) = verify(program, engine, asked);
            assert_eq!(cell(&text, "assert"), "? cut", "{text}");
        }
    }
}

#[test]
fn a_memory_error_leaves_the_rest_open_whether_or_not_it_is_asked_for() {
    let program = "#include <assert.h>\nint __VERIFIER_nondet_int(void);\nint x, *p;\n\
                   int main(void) { if (__VERIFIER_nondet_int())\n{ *p = 1; x = 2; }\n\
                   assert(x == 0); return 0; }\n";
    for engine in ENGINES {
        let (text, status) = verify(program, engine, &["--property", "assert"]);
        assert_eq!(cell(&text, "assert"), "? cut", "{text}");
        assert_eq!(status, 3);
    }
}

#[test]
fn a_broken_rule_leaves_the_rest_open_whether_or_not_it_is_asked_for() {
    let unlock = "#include <assert.h>\n#include <pthread.h>\n#include <stdlib.h>\nint x, *p;\n\
                  pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n_Bool __VERIFIER_nondet_bool(void);\n\
                  int main(void) { if (__VERIFIER_nondet_bool())\n{ BREAKS; *p = 1; }\n\
                  return 0; }\n";
    for breaks in ["pthread_mutex_unlock(&m)", "__builtin_unreachable()", "x = 1 / x"] {
        let program = &unlock.replace("BREAKS", breaks);
        for engine in ENGINES {
            let (text, status) = verify(program, engine, &[]);
            assert_eq!(cell(&text, "assert"), "VIOLATED", "{text}");
            assert_eq!(cell(&text, "memory"), "? cut", "{text}");
            assert!(text.contains("some executions end at program.c:8 ("), "{text}");
            assert_eq!(status, 1);
            let (text, status) = verify(program, engine, &["--property", "memory"]);
            assert_eq!(cell(&text, "memory"), "? cut", "{text}");
            assert_eq!(status, 3);
        }
        // Where it does not happen, nothing is hidden.
        let program = &program.replace("__VERIFIER_nondet_bool()", "x");
        for engine in ENGINES {
            for asked in [&[][..], &["--property", "memory"]] {
                let (text, status) = verify(program, engine, asked);
                assert_eq!(cell(&text, "memory"), "holds", "{text}");
                assert_eq!(status, 0);
            }
        }
    }
}

#[test]
fn a_failed_assertion_beside_a_broken_rule_hides_nothing_less() {
    let program = "#include <assert.h>\n_Bool __VERIFIER_nondet_bool(void);\nint x, *p;\n\
                   int main(void) { assert(!__VERIFIER_nondet_bool());\n\
                   if (__VERIFIER_nondet_bool()) {\n__builtin_unreachable(); *p = 1; }\n\
                   return 0; }\n";
    for engine in ENGINES {
        let (text, _) = verify(program, engine, &[]);
        assert_eq!(cell(&text, "assert"), "VIOLATED", "{text}");
        assert_eq!(cell(&text, "memory"), "? cut", "{text}");
    }
}

/// Memory goes back and forth, and a thread looks at the wrong moments.
const OSCILLATES: &str = "#include <pthread.h>
#include <stdatomic.h>
atomic_int x, y;
void *oscillates(void *unused) { while (y != 1) { x = 1; x = 2; } return unused; }
void *waits(void *unused) { while (x != 2) ; y = 1; return unused; }
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, oscillates, 0);
    pthread_create(&b, 0, waits, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
";

#[test]
fn what_is_repeated_for_ever_can_be_replayed() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("program.c"), OSCILLATES).expect("written");
    let run = |args: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_fencepost"));
        let output = command.args(args).current_dir(folder.path()).output().expect("it starts");
        let text = [&output.stdout[..], &output.stderr[..]].concat();
        (String::from_utf8(text).expect("UTF-8"), output.status.code())
    };
    for model in ["sc", "tso", "power"] {
        let asked = ["verify", "program.c", "--property", "liveness", "--model", model];
        let (text, status) = run(&[&asked[..], &["--save", "found"]].concat());
        assert_eq!(status, Some(1), "{text}");
        assert!(text.contains("waits in a loop, and reads x = 1 for ever"), "{text}");
        let file = format!("found/program.liveness.{model}.json");
        let (text, status) = run(&["replay", &file]);
        assert_eq!(status, Some(1), "{text}");
        // The replay believes none of what it is told about the round.
        let path = folder.path().join(&file);
        let saved = std::fs::read_to_string(&path).expect("saved");
        let mut json: serde_json::Value = serde_json::from_str(&saved).expect("JSON");
        for key in ["since", "until"] {
            let told = json.clone();
            let threads = json["witness"]["threads"].as_array_mut().expect("threads");
            let repeats = threads.iter_mut().find_map(|thread| thread["end"].get_mut("Repeats"));
            let number = &mut repeats.expect("a thread that repeats")[key];
            *number = (number.as_u64().expect("a number") - 1).into();
            std::fs::write(&path, json.to_string()).expect("written");
            let (text, status) = run(&["replay", &file]);
            assert_ne!(status, Some(1), "{model}: {key}: {text}");
            json = told;
        }
    }
}

#[test]
fn a_thread_that_main_does_not_await_has_to_end() {
    let program = "#include <pthread.h>\n#include <stdatomic.h>\n#include <stdlib.h>\n\
                   atomic_int x;\nvoid *spin(void *u) { while (!x) ; return u; }\n\
                   int main(void) { pthread_t a; pthread_create(&a, 0, spin, 0); END }\n";
    for engine in ENGINES {
        let (text, _) = verify(&program.replace("END", "return 0;"), engine, &[]);
        assert_eq!(cell(&text, "liveness"), "VIOLATED", "{text}");
        for end in ["exit(0);", "pthread_detach(a); return 0;"] {
            let (text, _) = verify(&program.replace("END", end), engine, &[]);
            assert_eq!(cell(&text, "liveness"), "holds", "{text}");
        }
        let (text, _) =
            verify(&program.replace("END", "pthread_detach(a); pthread_exit(0);"), engine, &[]);
        assert_eq!(cell(&text, "liveness"), "VIOLATED", "{text}");
    }
}

#[test]
fn the_cells_of_a_block_are_freed_at_once() {
    let programs = [
        include_str!("../../../corpus/verify/pthreads/freed_while_locked.c"),
        include_str!("../../../corpus/verify/memory/polls_what_is_freed.c"),
    ];
    for (program, engine) in programs.iter().flat_map(|it| ENGINES.map(|engine| (it, engine))) {
        let (text, _) = verify(program, engine, &[]);
        assert_eq!(cell(&text, "memory"), "VIOLATED", "{text}");
    }
}

#[test]
fn what_may_end_at_an_error_that_is_not_confirmed_does_not_hold() {
    let program = "#include <pthread.h>
        #include <stdlib.h>
        struct s { int a, b; struct s *next; } *s;
        void *writes(void *u) { struct s *t = s; t->a = 1; return u; }
        void *moves(void *u) { s = realloc(s, 2 * sizeof *s); return u; }
        int main(void) {
            pthread_t p, q;
            s = malloc(sizeof *s);
            s->a = s->b = 0;
            s->next = 0;
            pthread_create(&p, 0, writes, 0);
            pthread_create(&q, 0, moves, 0);
            pthread_join(p, 0);
            pthread_join(q, 0);
            return 0;
        }";
    for engine in ENGINES {
        let (text, _) = verify(program, engine, &[]);
        assert_ne!(cell(&text, "memory"), "holds", "{text}");
        assert_eq!(cell(&text, "deadlock"), "? cut", "{text}");
    }
}
