//! The command `fencepost ir`, as users meet it.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn fencepost(args: &[&str], folder: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fencepost"));
    command.args(args).current_dir(folder).output().expect("the program starts")
}

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

const COUNTER: &str = "fpir 1\nentry main\n\nglobal @n: 4 align 4\n\nfn main() -> i32 {\n  \
    reg %old: i32\nb0:\n  %old = rmw.add.rlx i32 [@n \"n\"], 1\n  return %old\n}\n";

#[test]
fn the_printed_text_is_accepted_as_input() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("a.fpir"), COUNTER).expect("written");
    let printed = fencepost(&["ir", "a.fpir"], folder.path());
    assert_eq!(text(&printed.stdout), COUNTER);
    assert_eq!(printed.status.code(), Some(0));
}

#[test]
fn check_counts_what_there_is() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("a.fpir"), COUNTER).expect("written");
    let output = fencepost(&["ir", "--check", "a.fpir"], folder.path());
    let expected = "a.fpir: well formed: 1 function, 1 block, 2 instructions, 1 global\n";
    assert_eq!(text(&output.stdout), expected);
}

#[test]
fn a_broken_rule_is_shown_at_its_line() {
    let folder = repository().join("crates/ir/tests/broken");
    let output = fencepost(&["ir", "w13_store_acquire.fpir"], &folder);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(text(&output.stdout), "");
    insta::assert_snapshot!(text(&output.stderr));
}

#[test]
fn a_syntax_error_is_shown_at_its_token() {
    let folder = tempfile::tempdir().expect("a folder");
    let wrong = COUNTER.replace("rmw.add", "rmw.plus");
    std::fs::write(folder.path().join("a.fpir"), wrong).expect("written");
    let output = fencepost(&["ir", "a.fpir"], folder.path());
    assert_eq!(output.status.code(), Some(2));
    insta::assert_snapshot!(text(&output.stderr));
}

#[test]
fn a_missing_file_is_an_error_without_a_place() {
    let output = fencepost(&["ir", "nowhere.fpir"], &repository());
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).starts_with("error: cannot read `nowhere.fpir`"));
}

const PRINTS: &str = "#include <stdatomic.h>\n#include <stdio.h>\natomic_int x;\n\
    int main(int argc, char **argv) {\n  atomic_store_explicit(&x, argc, memory_order_release);\n  \
    printf(\"%d\\n\", atomic_load_explicit(&x, memory_order_acquire));\n  return 0;\n}\n";

#[test]
fn a_program_is_shown_as_it_is_verified() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("a.c"), PRINTS).expect("written");
    let shown = |args: &[&str]| {
        let output = fencepost(&[&["ir", "a.c"], args].concat(), folder.path());
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        text(&output.stdout)
    };
    assert!(shown(&[]).contains("print stdout"));
    insta::assert_snapshot!(shown(&["--prepared"]));
    insta::assert_snapshot!(shown(&["--prepared", "--model", "power"]));
}

#[test]
fn what_a_model_cannot_have_is_refused_where_it_would_be_shown() {
    let folder = tempfile::tempdir().expect("a folder");
    let fence = "#include <fencepost.h>\nint main(void) {\n  fp_fence(\"load-load\");\n}\n";
    std::fs::write(folder.path().join("a.c"), fence).expect("written");
    let output = fencepost(&["ir", "a.c", "--prepared", "--model", "rc11"], folder.path());
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("a directed fence under a model for C11"));
}
