//! Accesses of several widths to the same bytes: what they show on machines, and that languages give
//! those of atomics no meaning.

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
    assert_eq!(status, 0, "{text}");
    let (text, status) = verify(&["--model=power", "--property=assert", "-DEND=-1"]);
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

/// Verifies a program that is written down for that.
fn verify_text(text: &str, args: &[&str]) -> (String, i32) {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("program.c"), text).expect("written");
    fencepost(folder.path(), &[&["verify", "program.c"], args].concat())
}

/// An atomic word whose halves two threads write.
const ATOMIC_HALVES: &str = r#"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
union { _Atomic unsigned word; _Atomic unsigned short half[2]; } both;
void *low(void *unused) { both.half[0] = 1; return unused; }
void *high(void *unused) { both.half[1] = 1; return unused; }
int main(void) {
    pthread_t p, q;
    pthread_create(&p, 0, low, 0);
    pthread_create(&q, 0, high, 0);
    assert(both.word != SEEN);
    pthread_join(p, 0);
    pthread_join(q, 0);
    return 0;
}
"#;

/// What is found with atomics of several widths can be run again, by whichever engine it was found.
#[test]
fn atomics_of_several_widths_are_answered_on_machines() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("program.c"), ATOMIC_HALVES).expect("written");
    let run = |args: &[&str]| fencepost(folder.path(), args);
    for model in ["sc", "tso", "pso", "rmo", "relaxed", "armv8", "riscv"] {
        for engine in ["auto", "sat"] {
            let options = ["--property=assert", "--save=found", "--engine", engine];
            let args = [&["verify", "program.c", "--model", model][..], &options].concat();
            let (text, status) = run(&[&args[..], &["-DSEEN=0x10001"]].concat());
            assert_eq!(status, 1, "{text}");
            assert!(text.contains("both.word (bytes 2 to 3) = 1"), "{text}");
            let (again, status) = run(&["replay", &format!("found/program.assert.{model}.json")]);
            assert_eq!(status, 1, "{again}");
            assert!(again.contains("assertion failed"), "{again}");
            let (text, status) = run(&[&args[..], &["-DSEEN=2"]].concat());
            assert_eq!(status, 0, "{text}");
        }
    }
}

#[test]
fn atomics_of_several_widths_are_refused_in_languages_at_their_lines() {
    for model in ["rc11", "c11", "imm", "power"] {
        let (text, status) = verify_text(ATOMIC_HALVES, &["--model", model, "-DSEEN=0x10001"]);
        assert_eq!(status, 3, "{model}: {text}");
        assert!(text.contains("an access to a part of what another one accesses"), "{text}");
        assert!(text.contains("program.c:6") && text.contains("program.c:12"), "{text}");
        let advice =
            "sc, tso, pso, rmo, relaxed, armv8, riscv define this; elsewhere, load and store";
        assert!(text.contains(advice), "{text}");
    }
    let text = "#include <lkmm.h>\n#include <assert.h>\n#include <pthread.h>\n\
        union { unsigned word; unsigned short half[2]; } both;\n\
        void *high(void *unused) { WRITE_ONCE(both.half[1], 1); return unused; }\n\
        int main(void) {\n pthread_t p;\n pthread_create(&p, 0, high, 0);\n\
        assert(READ_ONCE(both.word) != 2);\n pthread_join(p, 0);\n return 0;\n}\n";
    let (text, status) = verify_text(text, &["--model=lkmm"]);
    assert_eq!(status, 3, "{text}");
    assert!(text.contains("an access to a part of what another one accesses"), "{text}");
}

/// Checks a data type on models, which all must find right.
fn check_holds(text: &str, test: &str, models: &[&str]) {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("type.c"), text).expect("written");
    for model in models {
        let args = ["check", "type.c", "--test", test, "--model", model];
        let (text, status) = fencepost(folder.path(), &args);
        assert_eq!(status, 0, "{model}: {text}");
        assert!(text.contains("holds"), "{model}: {text}");
    }
}

/// The counted pointer against ABA: a swap of 16 bytes, of which the halves are read singly.
#[test]
fn a_swap_of_two_words_is_checked_with_reads_of_its_halves() {
    let text = r#"
#include <fencepost.h>
#include <stdint.h>
static struct dw { void *p; uintptr_t g; } __attribute__((aligned(16))) top;
static int x;
void init(void) {}
void push(void) {
    struct dw o, n;
    do {
        o.g = *(volatile uintptr_t *)&top.g;
        o.p = *(void *volatile *)&top.p;
        n.p = &x;
        n.g = o.g + 1;
    } while (!__atomic_compare_exchange(&top, &o, &n, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
}
void get(void) { fp_observe("g", *(volatile uintptr_t *)&top.g); }
"#;
    check_holds(text, "( push | get )", &["sc", "tso", "relaxed", "armv8", "riscv"]);
}

/// Where `n` is the list's own node, no item is read around it.
#[test]
fn an_address_that_no_path_leads_to_is_no_access_of_another_width() {
    let text = r#"
#include <fencepost.h>
#include <stddef.h>
struct node { struct node *next; };
static struct { struct node *volatile head; struct node *volatile tail; struct node dummy; } q;
static struct item { int value; struct node node; } item;
void init(void) { q.head = &q.dummy; q.tail = &q.dummy; }
void e(void) {
    item.value = 1;
    __atomic_store_n(&q.tail, &item.node, __ATOMIC_RELEASE);
    __atomic_store_n(&q.head, &item.node, __ATOMIC_RELEASE);
}
static struct node *take(void) {
    struct node *n = __atomic_load_n(&q.head, __ATOMIC_ACQUIRE);
    return n == &q.dummy ? NULL : n;
}
void d(void) {
    struct node *n = take();
    fp_observe("taken",
               n ? ((struct item *)((char *)n - offsetof(struct item, node)))->value : -1);
}
"#;
    check_holds(text, "( e | d )", &["sc", "armv8", "power", "rc11"]);
}
