//! Plain accesses of several widths to the same bytes: what they show, on machines and in languages.

use std::path::Path;
use std::process::Command;

/// Runs the command in a folder; what it prints, and its status.
fn fencepost(folder: &Path, args: &[&str]) -> (String, i32) {
    let output = Command::new(env!("CARGO_BIN_EXE_fencepost"))
        .args(args)
        .current_dir(folder)
        .output()
        .expect("the program starts");
    let both = [&output.stdout[..], &output.stderr[..]].concat();
    (String::from_utf8(both).expect("UTF-8"), output.status.code().expect("an exit status"))
}

/// Verifies the program below.
fn verify(args: &[&str]) -> (String, i32) {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("program.c"), HALVES).expect("written");
    fencepost(folder.path(), &[&["verify", "program.c"], args].concat())
}

/// A number, its halves, and threads that access one or the other without order.
const HALVES: &str = r#"
#include <assert.h>
#include <pthread.h>
union { long number; struct { int low, high; } half; } both;
void *writer(void *unused) { both.number = -1; return unused; }
int main(void) {
    pthread_t p;
    pthread_create(&p, 0, writer, 0);
    long seen = both.number;
    assert(seen == 0 || seen == -1);
    pthread_join(p, 0);
    assert(both.half.low == END);
    return 0;
}
"#;

/// Machines do not tear what is aligned: that pieces of plain accesses show it is no answer there.
#[test]
fn plain_accesses_in_pieces_are_torn_by_races_only() {
    let models = ["--model=sc", "--model=tso", "--property=assert", "-DEND=-1"];
    let (text, status) = verify(&models);
    assert_eq!(status, 0, "{text}");
    let (text, status) = verify(&["--model=armv8", "--property=assert", "-DEND=-1"]);
    assert!(text.contains("an access to a part of what another one accesses as a whole"), "{text}");
    assert_eq!(status, 3, "{text}");
    let (text, status) = verify(&["--model=rc11", "--property=race", "-DEND=-1"]);
    assert!(text.contains("race        VIOLATED"), "{text}");
    assert_eq!(status, 1, "{text}");
}

/// What is wrong although nobody comes between the pieces of an access is wrong on machines, too,
/// and can be run again.
#[test]
fn what_is_wrong_with_whole_accesses_is_found_in_pieces() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("program.c"), HALVES).expect("written");
    let run = |args: &[&str]| fencepost(folder.path(), args);
    for model in ["sc", "tso", "armv8", "power", "rc11"] {
        let options = ["--property", "assert", "--save", "found", "-DEND=0"];
        let args = [&["verify", "program.c", "--model", model][..], &options].concat();
        let (text, status) = run(&args);
        assert_eq!(status, 1, "{text}");
        assert!(text.contains("both.number (bytes 4 to 7)"), "{text}");
        let (again, status) = run(&["replay", &format!("found/program.assert.{model}.json")]);
        assert_eq!(status, 1, "{again}");
        assert!(again.contains("assertion failed"), "{again}");
    }
}
