//! The data types on which Murphi models are compared with our own exploration and with Rumur: those
//! of the examples, and the same with a mistake put in.

use fencepost::compile::Texts;
use fencepost::prove::emit::Size;
use fencepost::prove::plan::{Request, Subject, plan};
use std::num::NonZeroU32;
use std::path::Path;

/// A data type, with the mistake that is put in, if one is.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    /// What it is called.
    pub name: &'static str,
    /// Its file in `examples`.
    pub file: &'static str,
    /// What is replaced in the file, and by what.
    pub change: Option<(&'static str, &'static str)>,
    /// The operation, if only one is asked about.
    pub operation: Option<&'static str>,
    /// How many values operations choose from.
    pub values: u32,
    /// How many objects there may be more than at first.
    pub size: Option<usize>,
    /// With how many threads something goes wrong.
    pub wrong_from: Option<u32>,
}

impl Case {
    /// A right one.
    pub const fn plain(name: &'static str, file: &'static str) -> Case {
        Case { name, file, change: None, operation: None, values: 1, size: None, wrong_from: None }
    }

    /// One operation of it.
    pub const fn of(self, operation: &'static str) -> Case {
        Case { operation: Some(operation), ..self }
    }

    const fn values(self, values: u32) -> Case {
        Case { values, ..self }
    }

    const fn size_up_to(self, size: usize) -> Case {
        Case { size: Some(size), ..self }
    }

    const fn but(self, from: &'static str, to: &'static str) -> Case {
        Case { change: Some((from, to)), wrong_from: Some(2), ..self }
    }

    const fn right_in_truth(self) -> Case {
        Case { wrong_from: None, ..self }
    }

    /// Whether it is right with a number of threads.
    pub fn holds(&self, threads: u32) -> bool {
        self.wrong_from.is_none_or(|from| threads < from)
    }

    /// How large its model is.
    ///
    /// # Panics
    ///
    /// If there are no threads.
    pub fn size(&self, threads: u32) -> Size {
        Size { threads: NonZeroU32::new(threads).expect("a thread"), nodes: None }
    }

    /// The data type, read from the folder of the project.
    ///
    /// # Panics
    ///
    /// If the file cannot be read, or does not contain what is replaced.
    pub fn subject(&self, root: &Path) -> Subject {
        let file = root.join("examples").join(self.file);
        let mut texts = Texts::default();
        if let Some((from, to)) = self.change {
            let text = std::fs::read_to_string(&file).expect("an example");
            assert!(text.contains(from), "{}: `{from}` is not there", self.name);
            texts = texts.with(&file, text.replacen(from, to, 1));
        }
        let request = Request {
            file,
            operations: self.operation.map(String::from).into_iter().collect(),
            values: Some(self.values),
            size: self.size,
            texts,
            ..Request::default()
        };
        plan(&request)
            .unwrap_or_else(|rejected| panic!("{}: {:?}", self.name, rejected.diagnostics))
    }
}

const FINE: &str = "list-fine/list_fine.c";
const OPTIMISTIC: &str = "list-optimistic/list_optimistic.c";
const LAZY: &str = "lazylist/lazylist.c";
const LOCK_FREE: &str = "list-lockfree/list_lockfree.c";
const TREIBER: &str = "treiber/treiber.c";
const TWO_LOCKS: &str = "ms2/ms2.c";
const MSN: &str = "msn/msn.c";

/// All of them.
pub const CASES: &[Case] = &[
    Case::plain("fine-grained set", FINE),
    Case::plain("fine-grained set, 2 keys", FINE).values(2),
    Case::plain("optimistic set", OPTIMISTIC),
    Case::plain("lazy set", LAZY),
    Case::plain("lock-free set", LOCK_FREE),
    Case::plain("Treiber's stack", TREIBER).size_up_to(2),
    Case::plain("two-lock queue", TWO_LOCKS).size_up_to(2),
    Case::plain("Michael and Scott's queue", MSN).size_up_to(1),
    Case::plain("spinlock", "spinlock/spinlock.c").of("x"),
    Case { wrong_from: Some(2), ..Case::plain("broken spinlock", "spinlock/spinlock_broken.c").of("x") },
    Case::plain("lazy set without validation", LAZY).but(
        "if (!is_marked(pred) && !is_marked(curr) && next_of(pred) == curr) return;",
        "return;",
    ),
    Case::plain("lazy set that does not check marks, 2 keys", LAZY).values(2).but(
        "!is_marked(pred) && !is_marked(curr) && next_of(pred) == curr",
        "next_of(pred) == curr",
    ),
    Case::plain("lazy set that does not mark", LAZY)
        .but("atomic_store_explicit(&curr->marked, true, memory_order_release);\n", "")
        .right_in_truth(),
    Case::plain("optimistic set without validation", OPTIMISTIC)
        .but("if (still_adjacent(set, pred, curr)) return pred;", "return pred;"),
    Case::plain("fine-grained set that unlocks before it unlinks", FINE).but(
        "if (present) pred->next = curr->next;\n    leave(pred, curr);",
        "leave(pred, curr);\n    if (present) pred->next = curr->next;",
    ),
    Case::plain("lock-free set whose removal does not mark", LOCK_FREE).but(
        "if (!replace_next(curr, next, link_to(target(next), true))) continue;",
        "",
    ),
    Case::plain("Treiber's stack that stores the top", TREIBER).size_up_to(2).but(
        "while (!atomic_compare_exchange_weak_explicit(&stack->top, &node->next, node,\n                                                  memory_order_release, memory_order_relaxed)) {}",
        "atomic_store(&stack->top, node);",
    ),
    Case::plain("two-lock queue that writes the tail before it has the lock", TWO_LOCKS)
        .size_up_to(2)
        .but(
            "pthread_mutex_lock(&queue->tail_lock);",
            "queue->tail = queue->tail;\n    pthread_mutex_lock(&queue->tail_lock);",
        ),
    Case::plain("Michael and Scott's queue that does not validate the head", MSN)
        .size_up_to(1)
        .but("if (head != atomic_load_explicit(&queue->head, memory_order_acquire)) continue;", "")
        .right_in_truth(),
];
