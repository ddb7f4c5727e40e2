//! Data types as Murphi models: what `fencepost murphi` says about the model is what the exploration
//! of a number of threads says about the C file.
//!
//! `cargo run --release -p xtask -- bridge` asks Rumur, too.

use engines::views::Explored;
use fencepost::compile::Texts;
use fencepost::murphi::{self, Deadlock, Verdict};
use fencepost::prove::emit::{Emitted, Size, emit, explore};
use fencepost::prove::plan::{Request, plan};
use std::num::NonZeroU32;
use xtask::bridge::cases::{CASES, Case};
use xtask::root;

/// Whether `fencepost murphi` and the exploration find a case right, with a number of threads.
fn verdicts(case: &Case, threads: u32) -> (bool, Explored) {
    let subject = case.subject(&root());
    let text = emit(&subject, case.size(threads)).unwrap_or_else(|rejected| {
        panic!("{}: {:?}", case.name, rejected.diagnostics);
    });
    let holds = holds(&text.text);
    let explored = explore(&subject, threads as usize, 20_000, &Default::default());
    (holds, explored.unwrap_or_else(|rejected| panic!("{:?}", rejected.diagnostics)))
}

/// What `fencepost murphi` says about a model.
fn holds(text: &str) -> bool {
    let model = murphi::Subject::of_text("emitted.m", text)
        .unwrap_or_else(|rejected| panic!("{:?}\n{text}", rejected.diagnostics));
    let options = murphi::Options { deadlock: Deadlock::Stuttering, ..Default::default() };
    match murphi::check(&model, &options, &|_| {}).verdict {
        Verdict::Holds => true,
        Verdict::Violated(_) => false,
        other => panic!("{other:?}"),
    }
}

/// The model of a data type of this text with two threads.
fn model_of(text: &str) -> Result<Emitted, String> {
    let head = "#include <fencepost.h>\n#include <pthread.h>\n#include <stdatomic.h>\n\
                #include <stdlib.h>\n";
    let file = root().join("examples/of_a_test.c");
    let texts = Texts::default().with(&file, format!("{head}{text}"));
    let request = Request { file, texts, values: Some(1), ..Request::default() };
    let subject = plan(&request).map_err(|rejected| rejected.to_string())?;
    let size = Size { threads: NonZeroU32::new(2).expect("two"), nodes: None };
    emit(&subject, size).map_err(|rejected| rejected.to_string())
}

fn agree(cases: &[Case], threads: u32) {
    for case in cases {
        let (holds, explored) = verdicts(case, threads);
        let expected = case.holds(threads);
        assert_eq!(holds, expected, "{} with {threads} threads, as a model", case.name);
        match explored {
            Explored::Right(_) => assert!(expected, "{} with {threads} threads", case.name),
            // Deadlocks are found in the model alone.
            Explored::Wrong => assert!(!expected, "{} with {threads} threads", case.name),
            Explored::Unknown => {}
        }
    }
}

#[test]
fn one_thread_is_right_if_the_data_type_is_its_own_specification() {
    agree(CASES, 1);
}

#[test]
fn models_of_two_threads_say_what_their_exploration_says() {
    agree(CASES, 2);
}

#[test]
fn what_has_no_counterpart_is_refused_at_its_line() {
    let case = Case::plain("ticket-lock", "ticket-lock/ticket_lock.c").of("x");
    let refused = emit(&case.subject(&root()), case.size(2)).expect_err("a counter");
    let message = &refused.diagnostics[0].message;
    assert!(message.contains("ticket_lock.c:"), "{message}");
}

/// A block whose only word is a mutex, with and without one that initialises it.
#[test]
fn a_block_with_nothing_but_a_mutex_has_a_model() {
    let text = "struct box { pthread_mutex_t lock; };
static _Atomic(struct box *) top;
void init(void) { top = NULL; }
void put(void) {
    struct box *mine = malloc(sizeof *mine);
    pthread_mutex_init(&mine->lock, NULL);
    top = mine;
}
void use(void) {
    struct box *known = top;
    if (!known) return;
    pthread_mutex_lock(&known->lock);
    pthread_mutex_unlock(&known->lock);
}
";
    assert!(holds(&model_of(text).unwrap().text));
    let kept = text.replace("    pthread_mutex_unlock(&known->lock);\n", "");
    let refused = model_of(&kept).unwrap_err();
    assert!(refused.contains("go wrong when they run alone"), "{refused}");
}

/// A word that only ever holds one value is memory like any other: its block can be freed or null,
/// and it can be read before it is written.
#[test]
fn accesses_to_words_with_one_value_can_go_wrong() {
    let slot = |put: &str, get: &str| {
        let text = format!(
            "struct box {{ int one; }};
static _Atomic(struct box *) top;
void init(void) {{ top = NULL; }}
void put(void) {{ struct box *mine = malloc(sizeof *mine); {put} }}
void get(void) {{ struct box *known = top; {get} }}
"
        );
        holds(&model_of(&text).unwrap().text)
    };
    let put = "mine->one = 1; struct box *none = NULL; \
               if (!atomic_compare_exchange_strong(&top, &none, mine)) free(mine);";
    let take = "atomic_compare_exchange_strong(&top, &known, NULL)";
    assert!(slot(put, &format!("if (known && {take}) free(known);")));
    let freed = format!("if (known && known->one == 1 && {take}) free(known);");
    assert!(!slot(put, &freed), "a use after free");
    let late = "top = mine; mine->one = 1;";
    assert!(!slot(late, "if (known) fp_observe(\"one\", known->one);"), "it is not written yet");
    let unasked = "if (top) fp_observe(\"one\", ((struct box *)top)->one); top = NULL;";
    assert!(!slot("mine->one = 1; top = mine;", unasked), "a null pointer");
}

#[test]
fn threads_that_wait_for_ever_are_a_deadlock_or_named() {
    let flags = |wait: &str| {
        let text = "static atomic_int a, b; void init(void) { a = b = 0; }
void f(void) { a = 1; while (WAIT(b)); a = 0; }
void g(void) { b = 1; while (WAIT(a)); b = 0; }
";
        model_of(&format!("#define WAIT(x) {wait}\n{text}")).unwrap()
    };
    let one = flags("atomic_load(&x)");
    assert!(!holds(&one.text), "both wait");
    assert_eq!(one.remark, None, "{}", one.text);
    let two = flags("(atomic_load(&x) && atomic_load(&x))");
    let remark = two.remark.expect("it does not show");
    assert!(remark.contains("waits for ever in a loop of several accesses"), "{remark}");
    assert!(two.text.contains("Such loops have accesses at lines 7, 8."), "{}", two.text);
}

/// What is copied is only used by its own copy.
#[test]
fn copying_an_undefined_word_is_an_error_of_the_model() {
    let text =
        "struct pair { int a, b; }; static _Atomic(struct pair *) top; static struct pair last;
static int known; void init(void) { top = NULL; }
void put(void) { struct pair *mine = malloc(sizeof *mine); mine->a = 1; WRITE top = mine; }
void copy(void) { struct pair *from = top; if (from) { int b = from->b; if (b == 7) known = b; } }
";
    let written = text.replace("WRITE", "mine->b = known;");
    assert!(holds(&model_of(&written).unwrap().text));
    let copied = text.replace("WRITE", "").replace("if (b == 7) known = b;", "last.b = b;");
    assert!(!holds(&model_of(&copied).unwrap().text));
}
