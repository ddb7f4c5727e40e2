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
            let why = "? not known past what `--property memory` shows: every execution ends at \
                       program.c:6 (undefined) or before";
            assert!(text.contains(why), "{text}");
            assert_eq!(status, if asked.len() == 2 { 3 } else { 1 });
        }
        let (text, _) = verify(program, engine, &["--property", "assert", "--json"]);
        assert!(text.contains("\"kind\": \"cut\""), "{text}");
    }
}

#[test]
fn what_holds_of_complete_executions_holds_although_others_are_cut() {
    let program = "#include <assert.h>\nint __VERIFIER_nondet_int(void);\nint x, *p;\n\
                   int main(void) { if (__VERIFIER_nondet_int()) *p = 1; x = 1; assert(x == 1);\n\
                   return 0; }\n";
    for engine in ENGINES {
        let (text, _) = verify(program, engine, &[]);
        assert_eq!(cell(&text, "memory"), "VIOLATED", "{text}");
        assert_eq!(cell(&text, "assert"), "holds", "{text}");
    }
}
