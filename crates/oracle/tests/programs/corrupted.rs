//! Witnesses that are not right are refused, with what is wrong.

use crate::common::{compiled, model};
use execution::witness::{Bits, End, ObjectKind, Witness, WriteRef};
use ir::program::Program;
use models::Model;
use oracle::EnumerationOptions;
use oracle::program::{ProgramOutcome, witnesses};
use replay::{Expected, Mismatch, Replayed, replay, replay_within};

const PUBLISH: &str = "#include <checkfence.h>
    #include <stdlib.h>
    struct node { int value; struct node *next; };
    struct node *head;
    int x;
    void *writer(void *arg) {
        __fp_op_begin(\"put\");
        struct node *n = malloc(sizeof *n);
        n->value = fp_choose(7, 8);
        n->next = 0;
        fp_fence(\"full\");
        head = n;
        x = 1;
        x = 2;
        __fp_op_end();
        return 0;
    }
    void *reader(void *arg) {
        __fp_op_begin(\"get\");
        struct node *n = head;
        fp_fence(\"full\");
        if (n) fp_observe(\"value\", n->value);
        fp_observe(\"x\", x);
        __fp_op_end();
        return 0;
    }
    int main(void) {
        unsigned long a = __fp_spawn(writer, 0), b = __fp_spawn(reader, 0);
        __fp_join(a);
        __fp_join(b);
        return 0;
    }";

struct Case {
    program: Program,
    model: Model,
    witness: Witness,
}

impl Case {
    fn new(text: &str, name: &str, wanted: impl Fn(&ProgramOutcome) -> bool) -> Self {
        let model = model(name);
        let program = compiled(text, &model);
        let options = EnumerationOptions::for_program(&model);
        let found = witnesses(&program, &model, &options, &mut |outcome| wanted(outcome)).unwrap();
        let (_, witness) = found.into_iter().next().expect("there is such an execution");
        Self { program, model, witness }
    }

    /// The reader sees the node with 8 in it, and 1 in `x`.
    fn publish() -> Self {
        Self::new(PUBLISH, "relaxed", |outcome| outcome.to_string().contains("2.0: value=8 x=1"))
    }

    fn replay(&self) -> Result<Replayed, Mismatch> {
        replay(&self.program, &self.model, &self.witness)
    }

    /// What is wrong after a change.
    fn after(&self, change: impl FnOnce(&mut Witness)) -> String {
        let mut witness = self.witness.clone();
        change(&mut witness);
        assert_ne!(witness, self.witness, "nothing was changed");
        match replay(&self.program, &self.model, &witness) {
            Ok(replayed) => panic!("it was accepted: {}", replayed.observation),
            Err(mismatch) => mismatch.to_string(),
        }
    }
}

#[test]
fn a_correct_witness_is_described_in_full() {
    let replayed = Case::publish().replay().unwrap();
    assert_eq!(replayed.observation.to_string(), "2.0: value=8 x=1");
    assert_eq!(replayed.threads[1].function, "writer");
    let details: Vec<_> = replayed.details.iter().collect();
    let read = details.iter().find(|d| d.path.as_deref() == Some("n->value") && d.thread.is_some());
    let read = read.expect("there is an access of n->value");
    assert_eq!(read.location.as_deref(), Some("node1.value"));
    assert_eq!(read.value.as_deref(), Some("8"));
    assert_eq!(read.operation, Some((0, "put".to_string())));
    assert_eq!(read.stack[0].location.as_ref().map(|location| location.line), Some(9));
    let head = details.iter().find(|d| d.path.as_deref() == Some("head"));
    assert_eq!(head.and_then(|d| d.value.as_deref()), Some("&node1"));
    // Whatever is read was written before.
    let rf = &replayed.execution.relations["rf"];
    for (write, from) in replayed.details.enumerate() {
        for (read, to) in replayed.details.enumerate() {
            assert!(!rf.contains(write, read) || from.position < to.position);
        }
    }
}

#[test]
fn another_value_is_refused() {
    let case = Case::publish();
    for read in 0..case.witness.threads[2].reads.len() {
        for bit in [0, 3, 12] {
            case.after(|w| w.threads[2].reads[read].value.bits ^= 1 << bit);
        }
    }
    let last = case.witness.threads[2].reads.len() - 1;
    let found = case.after(|w| w.threads[2].reads[last].value.bits = 3);
    assert_eq!(found, format!("read {last} of thread 2: 3 is read at x, but 1 was written"));
    let found = case.after(|w| w.threads[2].reads[last].value.undef = 1);
    assert!(found.contains("not a value of i32"), "{found}");
}

#[test]
fn another_write_is_refused() {
    let case = Case::publish();
    let last = case.witness.threads[2].reads.len() - 1;
    let found = case.after(|w| w.threads[2].reads[last].from = None);
    assert_eq!(found, format!("read {last} of thread 2: 1 is read at x, but 0 was written"));
    let other = Some(WriteRef { thread: 1, index: 0 });
    let found = case.after(|w| w.threads[2].reads[last].from = other);
    assert!(found.contains("does not write to x"), "{found}");
    let missing = Some(WriteRef { thread: 9, index: 0 });
    let found = case.after(|w| w.threads[2].reads[last].from = missing);
    assert!(found.contains("does not write to x"), "{found}");
}

#[test]
fn another_coherence_order_is_refused() {
    let case = Case::publish();
    let two = case.witness.co.iter().position(|co| co.writes.len() == 2).expect("x");
    let found = case.after(|w| w.co[two].writes.swap(0, 1));
    assert!(found.contains("the model forbids this execution"), "{found}");
    let found = case.after(|w| w.co[two].writes.truncate(1));
    assert_eq!(found, "coherence of x: 1 writes are listed, but 2 are made");
    let found = case.after(|w| w.co[two].writes[1] = w.co[two].writes[0]);
    assert_eq!(found, "coherence of x: a write is listed twice");
    let found = case.after(|w| drop(w.co.remove(two)));
    assert_eq!(found, "coherence of x: the witness does not order the writes");
    let found = case.after(|w| w.co[two].address += 64);
    assert!(found.contains("nothing accesses this location"), "{found}");
}

#[test]
fn missing_and_superfluous_answers_are_refused() {
    let case = Case::publish();
    let found = case.after(|w| w.threads[2].reads.truncate(2));
    assert!(found.contains("does not say what a read returns"), "{found}");
    let found = case.after(|w| {
        let more = w.threads[2].reads[0];
        w.threads[2].reads.push(more);
    });
    assert!(found.contains("it makes 3 reads, not 4"), "{found}");
    let found = case.after(|w| w.threads[1].choices.clear());
    assert!(found.contains("does not say what a choice gives"), "{found}");
    let found = case.after(|w| w.threads[1].choices[0] = Bits::number(9));
    assert!(found.contains("9 is not among what can be chosen"), "{found}");
    let found = case.after(|w| w.threads[1].allocations[0] += 16);
    assert!(found.contains("does not give"), "{found}");
    let found = case.after(|w| drop(w.threads.pop()));
    assert!(found.contains("which thread is started"), "{found}");
}

#[test]
fn other_ends_are_refused() {
    let case = Case::publish();
    let found = case.after(|w| w.threads[1].end = End::Finding);
    assert!(found.contains("it is said to be Finding, but is at its end"), "{found}");
    let found = case.after(|w| {
        w.threads[0].end = End::Cut { accesses: 0 };
        w.threads[1].end = End::Cut { accesses: 4 };
        w.co.retain(|co| co.writes.len() < 2);
    });
    assert!(found.contains("it stops although nothing is wrong"), "{found}");
    let found = case.after(|w| w.threads[2].end = End::Waits);
    assert!(found.contains("but is at its end"), "{found}");
}

#[test]
fn other_objects_are_refused() {
    let case = Case::publish();
    let is_heap = |kind: &ObjectKind| matches!(kind, ObjectKind::Heap { .. });
    let heap = case.witness.objects.iter().position(|object| is_heap(&object.kind));
    let heap = heap.expect("a block");
    let found = case.after(|w| w.objects[heap].size += 8);
    assert!(found.contains("has 16 bytes, not 24"), "{found}");
    let found = case.after(|w| w.objects[heap].private = true);
    assert!(found.contains("private, but two threads access it"), "{found}");
    let found = case.after(|w| {
        let copy = w.objects[heap].clone();
        w.objects.push(copy);
    });
    assert!(found.contains("overlap"), "{found}");
}

#[test]
fn the_model_is_asked() {
    let text = "#include <checkfence.h>
        int x, y;
        void *a(void *arg) { x = 1; fp_observe(\"y\", y); return 0; }
        void *b(void *arg) { y = 1; fp_observe(\"x\", x); return 0; }
        int main(void) {
            unsigned long s = __fp_spawn(a, 0), t = __fp_spawn(b, 0);
            __fp_join(s);
            __fp_join(t);
            return 0;
        }";
    let mut case = Case::new(text, "tso", |o| o.to_string().contains("1: y=0; 2: x=0"));
    assert!(case.replay().is_ok());
    // The fences at spawns and joins differ, but not what the threads do.
    case.model = model("sc");
    let Err(Mismatch::Forbidden(failure)) = case.replay() else { panic!("sc forbids this") };
    assert_eq!(&*failure.axiom, "sc");
}

#[test]
fn a_hint_about_provenance_is_only_a_hint() {
    let case = Case::publish();
    let mut witness = case.witness.clone();
    witness.threads[2].reads[0].value.object = None;
    let replayed = replay(&case.program, &case.model, &witness).unwrap();
    assert_eq!(replayed.observation.to_string(), "2.0: value=8 x=1");
}

#[test]
fn a_block_may_be_used_again_once_it_is_freed() {
    let text = "#include <checkfence.h>
        #include <stdlib.h>
        int *p;
        void *t(void *arg) {
            p = malloc(sizeof(int));
            *p = 1;
            free(p);
            p = malloc(sizeof(int));
            *p = 2;
            return 0;
        }
        int main(void) {
            unsigned long a = __fp_spawn(t, 0);
            __fp_join(a);
            return 0;
        }";
    let case = Case::new(text, "sc", |outcome| outcome.finding.is_none());
    let mut witness = case.witness.clone();
    let first = witness.threads[1].allocations[0];
    let second = witness.threads[1].allocations[1];
    // Both allocations give the first block: its free, and its writes, are in one order.
    witness.threads[1].allocations[1] = first;
    witness.objects.retain(|object| object.base != second);
    for read in &mut witness.threads[1].reads {
        if read.value.bits == u128::from(second) {
            read.value = Bits { bits: first.into(), object: Some(first), ..read.value };
        }
    }
    witness.co.retain(|co| co.address != second && co.address != first);
    // Writes of the thread: the first allocation, p, *p, free, the second allocation, p, *p.
    let write = |index| WriteRef { thread: 1, index };
    let writes = [2, 3, 4, 6].map(write).to_vec();
    let bytes = 4;
    witness.co.push(execution::witness::Coherence { address: first, bytes, writes });
    let global = witness.co.iter_mut().find(|co| co.bytes == 8).expect("p");
    global.writes = vec![write(1), write(5)];
    let replayed = replay(&case.program, &case.model, &witness).map_err(|m| m.to_string());
    assert!(replayed.is_ok_and(|replayed| replayed.finding.is_none()));
    // Without the free in between it is refused or wrong.
    let order = witness.co.iter_mut().find(|co| co.bytes == 4).expect("the block");
    order.writes.swap(0, 1);
    let replayed = replay(&case.program, &case.model, &witness);
    assert!(replayed.is_err());
}

#[test]
fn a_replay_keeps_limits() {
    let Case { program, model, witness } = Case::publish();
    let limits = limits::Limits::default();
    let again = || replay_within(&program, &model, &witness, Expected::default(), &limits);
    assert!(again().is_ok());
    limits.interrupter.interrupt();
    assert_eq!(again().err(), Some(Mismatch::GaveUp));
}
