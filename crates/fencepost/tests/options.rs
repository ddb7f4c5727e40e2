//! What the command line says of options that nobody can mean, and what it does with doubled ones.

use std::process::Command;

/// Runs `fencepost verify` on a program; gives all that it says, and its status.
fn verify(program: &str, args: &[&str]) -> (String, Option<i32>) {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("p.c"), program).expect("the program is written");
    let output = Command::new(env!("CARGO_BIN_EXE_fencepost"))
        .args(["verify", "p.c"])
        .args(args)
        .current_dir(folder.path())
        .output()
        .expect("fencepost starts");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout) + &text(&output.stderr), output.status.code())
}

const NOTHING: &str = "int main(void) { return 0; }";

#[test]
fn a_model_under_another_name_is_suggested() {
    for (name, meant) in [("SC", "sc"), ("TSO", "tso"), ("x86", "tso"), ("arm", "armv8")] {
        let (text, status) = verify(NOTHING, &["--model", name]);
        assert_eq!(status, Some(2), "{text}");
        assert!(text.contains(&format!("there is no model `{name}`")), "{text}");
        assert!(text.contains(&format!("did you mean `{meant}`?")), "{text}");
    }
    let (text, _) = verify(NOTHING, &["--model", "vax"]);
    assert!(text.contains("the library has serial, sc,"), "{text}");
}

#[test]
fn a_model_that_is_named_twice_is_checked_once() {
    let (text, status) = verify(NOTHING, &["--model", "sc", "--model", "tso", "--model", "sc"]);
    assert_eq!(status, Some(0), "{text}");
    let head: Vec<&str> = text.lines().nth(1).unwrap_or_default().split_whitespace().collect();
    assert_eq!(head, ["sc", "tso"], "{text}");
}

#[test]
fn a_time_limit_is_more_than_nothing() {
    for wrong in ["0", "-0.0"] {
        let (text, status) = verify(NOTHING, &[&format!("--time-limit={wrong}")]);
        assert_eq!(status, Some(2), "{text}");
        assert!(text.contains("expected more than 0 seconds"), "{text}");
    }
    let (text, _) = verify(NOTHING, &["--time-limit", "soon"]);
    assert!(text.contains("expected a number of seconds"), "{text}");
}

#[test]
fn it_is_said_what_to_observe_of_arrays_and_structs() {
    let program = "struct s { int a, b; } g; int v[3], m[2][2]; int main(void) { return 0; }";
    for (asked, part) in [("v", "v[0]"), ("m", "m[0][0]"), ("g", "g.a")] {
        let (text, status) = verify(program, &["--outcomes", asked]);
        assert_eq!(status, Some(2), "{text}");
        assert!(text.contains("must be a number or a pointer"), "{text}");
        assert!(text.contains(&format!("can be observed, as `{part}`")), "{text}");
        let (text, status) = verify(program, &["--outcomes", part]);
        assert_eq!(status, Some(0), "{text}");
        assert!(text.contains(&format!("{part}=0")), "{text}");
    }
}

#[test]
fn own_objects_are_known_under_a_model_that_speaks_of_mfence_only() {
    let model = "\"x\"\ninclude \"cos.cat\"\nacyclic po-loc | rf | co | fr\nempty rmw & (fre;coe)\n\
        acyclic (po \\ (W*R)) | fencerel(MFENCE) | rfe | co | fr\n";
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("x86.cat");
    std::fs::write(&path, model).expect("the model is written");
    let program = "#include <assert.h>\n#include <pthread.h>\n
        static void *f(void *x) { return x; }
        int main(void) {
            pthread_t a;
            pthread_create(&a, 0, f, 0);
            pthread_join(a, 0);
            union { int i; unsigned char c[4]; } u;
            u.i = 258;
            assert(u.c[0] == 2 && u.c[1] == 1);
            return 0;
        }";
    let (text, status) = verify(program, &["--model", &path.display().to_string()]);
    assert_eq!(status, Some(0), "{text}");
}
