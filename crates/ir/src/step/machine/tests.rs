//! Whole programs under the machine: what they print, how they end, what is found wrong.

use super::*;
use crate::step::world::Recorded;
use crate::text;
use execution::finding::{ObjectKind, Verb};
use execution::span::FileId;

fn run_with(source: &str, options: &RunOptions) -> (RunEnd, String) {
    let source = format!("fpir 1\nfile \"t.c\"\nentry main\n{source}");
    let program = match text::parse(FileId::new(0), &source) {
        Ok(parsed) => parsed.program,
        Err(errors) => panic!("{errors:#?}"),
    };
    let code = Code::new(&program);
    let mut machine = Machine::new(&code, options, Vec::new());
    let outcome = machine.run();
    (outcome, String::from_utf8(machine.into_world().output).unwrap())
}

fn run(source: &str) -> (RunEnd, String) {
    run_with(source, &RunOptions::default())
}

/// The finding that a `main` of one block reaches.
fn finding_in(declarations: &str, body: &str) -> Finding {
    let source = format!(
        "{declarations}
fn main() -> i32 {{
  reg %a: i64, %b: i64, %x: i32, %c: i8, %t: i1
  slot $s: 8 align 8 !2:7-8
b0:
{body}
  return i32 0
}}"
    );
    match run(&source).0 {
        RunEnd::Violated(finding) => *finding,
        other => panic!("{other:?}"),
    }
}

fn finding(body: &str) -> Finding {
    finding_in(
        "global @g: 8 align 8 !1:5-6\nconstant @k: 4 align 4\nthread_local @tl: 4 align 4",
        body,
    )
}

#[test]
fn loops_calls_and_recursion_compute() {
    let (outcome, output) = run("
fn fib(%n: i32) -> i32 {
  reg %t: i1, %a: i32, %b: i32
b0:
  %t = slt i32 %n, 2
  branch %t, b1, b2
b1:
  return %n
b2:
  %a = sub i32 %n, 1
  %a = call fib(%a)
  %b = sub i32 %n, 2
  %b = call fib(%b)
  %a = add i32 %a, %b
  return %a
}
fn main() -> i32 {
  reg %x: i32
b0:
  %x = call fib(i32 15)
  print stdout, \"fib = \", dec(%x), \"\\n\"
  return i32 3
}");
    assert_eq!(outcome, RunEnd::Exited(3));
    assert_eq!(output, "fib = 610\n");
}

#[test]
fn arguments_arrive_in_main() {
    let source = "
fn main(%argc: i32, %argv: i64) -> i32 {
  reg %p: i64, %q: i64
b0:
  %p = add i64 %argv, 8
  %p = load i64 [%p]
  %q = add i64 %argv, 16
  %q = load i64 [%q]
  print stdout, str(%p), ptr(%q)
  return %argc
}";
    let args = vec!["prog".into(), "hello".into()];
    let (outcome, output) = run_with(source, &RunOptions { args, ..RunOptions::default() });
    assert_eq!((outcome, output.as_str()), (RunEnd::Exited(2), "hello(nil)"));
}

#[test]
fn numbers_print_as_printf_prints_them() {
    let (_, output) = run("
constant @s: 4 align 1 = {0: \"abc\\0\"}
fn main() -> i32 {
  reg %n: i32
b0:
  print stdout, dec.zero(i32 -5 width i32 4), \"|\", dec.plus(i32 5), \"|\", dec.space(i32 5), \"|\"
  print stdout, hex.alt(i32 255), \"|\", HEX.alt.zero(i32 255 width i32 8), \"|\", oct.alt(i32 8), \"|\"
  print stdout, dec(i32 7 width i32 -4), \"|\", dec(i32 7 prec i32 3), \"|\", dec(i32 0 prec i32 0), \"|\"
  print stdout, str(@s width i32 5 prec i32 2), \"|\", char(i32 65), \"|\", udec(i32 -1), \"|\"
  %n = print stdout, str.left(@s width i32 5), \"|\"
  return %n
}");
    let expected = "-005|+5| 5|0xff|0X0000FF|010|7   |007||   ab|A|4294967295|abc  |";
    assert_eq!(output, expected);
}

#[test]
fn printing_to_memory_cuts_and_ends_with_zero() {
    let (outcome, output) = run("
fn main() -> i32 {
  reg %n: i32
  slot $b: 4 align 1
b0:
  %n = print buffer($b, 4), dec(i32 123456)
  print stdout, str($b)
  return %n
}");
    assert_eq!((outcome, output.as_str()), (RunEnd::Exited(6), "123"));
}

#[test]
fn every_invalid_access_is_found() {
    let kind = |body: &str| finding(body).kind;
    assert_eq!(kind("%x = load i32 [0]"), FindingKind::Null);
    assert_eq!(kind("%x = load i32 [8 \"p->next\"]"), FindingKind::Null);
    assert_eq!(kind("store i32 [0x100000], 1"), FindingKind::Wild { address: 0x10_0000 });
    assert_eq!(kind("%x = load i32 [@g + 5]"), FindingKind::OutOfBounds);
    assert_eq!(kind("%x = load i32 [@g - 1]"), FindingKind::OutOfBounds);
    assert_eq!(kind("store i32 [$s + 8], 0"), FindingKind::OutOfBounds);
    assert_eq!(kind("store i32 [@k], 1"), FindingKind::WriteToConstant);
    assert_eq!(kind("rmw.add.sc i32 [@k], 1"), FindingKind::WriteToConstant);
    assert_eq!(kind("%x = load i32 [&main]"), FindingKind::FunctionAsData);
    let misaligned = kind("%x = load.rlx i32 [@g + 2]");
    assert!(matches!(misaligned, FindingKind::MisalignedAtomic { .. }));
    let misaligned = kind("%x = load i32 [@g + 2] align 4");
    assert!(matches!(misaligned, FindingKind::Misaligned { multiple: 4, .. }));
    assert_eq!(kind("store i64 [@g + 2] align 4, 1"), FindingKind::OutOfBounds);
    assert_eq!(kind("bound 2, 2"), FindingKind::IndexOutOfBounds { length: 2 });
    assert_eq!(kind("bound 1, 2\nbound -1, 2"), FindingKind::IndexOutOfBounds { length: 2 });
    let block = "%a = alloc 8 align 8\n";
    let kind = |body: &str| finding(&format!("{block}{body}")).kind;
    assert_eq!(kind("free %a\n%x = load i32 [%a]"), FindingKind::UseAfterFree);
    assert_eq!(kind("free %a\nfree %a"), FindingKind::DoubleFree);
    assert_eq!(kind("%a = add i64 %a, 4\nfree %a"), FindingKind::FreeInsideBlock);
    assert_eq!(kind("free @g"), FindingKind::FreeOfNonHeap);
    assert_eq!(kind("free $s"), FindingKind::FreeOfNonHeap);
    assert_eq!(kind("free 0x123456"), FindingKind::Wild { address: 0x12_3456 });
    assert_eq!(kind("store i64 [%a], 0\n%a = load i64 [%a]\ncall *%a()"), FindingKind::CallOfNull);
    assert_eq!(kind("call *@g()"), FindingKind::CallOfNonFunction);
    assert!(matches!(kind("call *&main(i32 1)"), FindingKind::BadCall(_)));
    assert_eq!(kind("join 77"), FindingKind::BadJoin);
}

#[test]
fn undefined_values_may_be_copied_but_not_used() {
    let kind = |body: &str| finding(body).kind;
    let load = "%a = load i64 [$s]\nstore i64 [@g], %a\n%a = load i64 [@g]\n";
    let used = |body: &str| match kind(&format!("{load}{body}")) {
        FindingKind::UndefinedUse(what) => what,
        other => panic!("{other:?}"),
    };
    assert_eq!(used("%x = load i32 [%a]"), "an address");
    assert_eq!(used("%t = eq i64 %a, 0\nassert %t, \"\""), "the condition of an assertion");
    assert_eq!(used("print stdout, dec(%a)"), "a printed value");
    assert_eq!(used("observe \"r\", %a"), "an observed value");
    assert_eq!(used("%b = alloc %a align 8"), "the size of an allocation");
    assert_eq!(used("%a = udiv i64 1, %a"), "a divisor");
    assert_eq!(used("print stdout, str($s)"), "a printed character");
    assert_eq!(used("_, %t = cas.sc.sc i64 [$s], 0, 0"), "the comparison of a compare-and-swap");
    let masked = "%a = and i64 %a, 0\nassert 0, \"reached\"";
    assert_eq!(kind(&format!("{load}{masked}")), FindingKind::AssertionFailed("reached".into()));
}

#[test]
fn a_finding_names_the_object_and_its_history() {
    let layouts = "layout int = i32
layout ptr = ptr
layout node = record \"struct node\" size 16 align 8 {
  0: value int
  8: next ptr
}";
    let found = finding_in(
        layouts,
        "%a = alloc 16 align 8 as node !3:8-20
         free %a !4:3-7
         %b = add i64 %a, 8
         store i64 [%b \"n->next\"], 0 !5:3-10",
    );
    assert_eq!(found.kind, FindingKind::UseAfterFree);
    let access = found.access.unwrap();
    assert_eq!(
        (access.verb, access.size, access.path.as_deref()),
        (Verb::Write, 8, Some("n->next"))
    );
    let object = found.object.unwrap();
    assert_eq!((object.kind, object.size, object.offset), (ObjectKind::Heap, 16, 8));
    assert_eq!(object.member, ".next");
    let line = |stack: &[StackEntry]| stack[0].location.as_ref().unwrap().line;
    assert_eq!(line(&object.origin), 3);
    assert_eq!(line(&object.freed.unwrap().1), 4);
    assert_eq!(line(&found.stack), 5);
}

#[test]
fn an_object_of_a_returned_call_is_gone() {
    let (outcome, _) = run("
fn f() -> i64 {
  slot $x: 4 align 4
b0:
  return $x
}
fn main() -> i32 {
  reg %p: i64, %x: i32
b0:
  %p = call f()
  call f()
  %x = load i32 [%p]
  return %x
}");
    let RunEnd::Violated(finding) = outcome else { panic!("{outcome:?}") };
    assert_eq!(finding.kind, FindingKind::UseAfterReturn);
    assert_eq!(finding.object.unwrap().kind, ObjectKind::Local("f".into()));
}

#[test]
fn endless_recursion_is_a_stack_overflow() {
    let (outcome, _) = run("
fn main() -> i32 {
  reg %x: i32
b0:
  %x = call main()
  return %x
}");
    let RunEnd::Violated(finding) = outcome else { panic!("{outcome:?}") };
    assert_eq!(finding.kind, FindingKind::StackOverflow);
}

#[test]
fn overflow_is_found_only_where_asked_for() {
    let source = "
fn main() -> i32 {
  reg %x: i32
b0:
  %x = add.chk i32 0x7fffffff, 1
  %x = add i32 %x, 0x7fffffff
  return %x
}";
    assert_eq!(run(source).0, RunEnd::Exited(-1));
    let (outcome, _) = run_with(source, &RunOptions { overflow: true, ..RunOptions::default() });
    let RunEnd::Violated(finding) = outcome else { panic!("{outcome:?}") };
    assert_eq!(finding.kind, FindingKind::Overflow("addition".into()));
}

const LOCK: &str = "
global @lock: 4 align 4
global @other: 4 align 4
global @count: 4 align 4
fn acquire(%m: i64) {
  reg %x: i32, %free: i1
b0:
  atomic_begin
  %x = load i32 [%m]
  store i32 [%m], 1
  print stdout, \"\"
  %free = eq i32 %x, 0
  assume %free
  atomic_end
  return
}
fn release(%m: i64) {
b0:
  store i32 [%m], 0
  return
}";

#[test]
fn a_lock_built_on_a_waiting_section_excludes() {
    let source = format!(
        "{LOCK}
fn work() {{
  reg %x: i32
b0:
  call acquire(@lock)
  %x = load i32 [@count]
  %x = add i32 %x, 1
  store i32 [@count], %x
  call release(@lock)
  return
}}
fn main() -> i32 {{
  reg %a: i64, %b: i64, %x: i32
b0:
  %a = spawn work()
  %b = spawn work()
  call work()
  join %a
  join %b
  %x = load i32 [@count]
  return %x
}}"
    );
    for seed in 0..200 {
        let (outcome, _) = run_with(&source, &RunOptions { seed, ..RunOptions::default() });
        assert_eq!(outcome, RunEnd::Exited(3), "seed {seed}");
    }
}

#[test]
fn two_locks_taken_crosswise_deadlock_under_some_schedule() {
    let source = format!(
        "{LOCK}
fn work(%m: i64, %n: i64) {{
b0:
  call acquire(%m)
  call acquire(%n)
  call release(%n)
  call release(%m)
  return
}}
fn main() -> i32 {{
  reg %a: i64
b0:
  %a = spawn work(@lock, @other)
  call work(@other, @lock)
  join %a
  return i32 0
}}"
    );
    let mut deadlocks = 0;
    for seed in 0..100 {
        match run_with(&source, &RunOptions { seed, ..RunOptions::default() }).0 {
            RunEnd::Exited(0) => {}
            RunEnd::Violated(finding) => {
                assert_eq!(finding.kind, FindingKind::Deadlock);
                assert_eq!(finding.waiting.len(), 2);
                assert_eq!(finding.waiting[0].stack[0].function, "acquire");
                deadlocks += 1;
            }
            other => panic!("{other:?}"),
        }
    }
    assert!((5..=95).contains(&deadlocks), "{deadlocks} of 100");
}

#[test]
fn a_section_that_waits_leaves_no_trace() {
    let (outcome, output) = run("
global @go: 4 align 4
thread_local @tl: 4 align 4 = {0: i32 5}
fn starter() {
b0:
  yield
  yield
  store i32 [@go], 1
  return
}
fn helper(%p: i64) {
  slot $x: 8 align 8
b0:
  store i32 [$x], 1
  free %p
  return
}
fn main() -> i32 {
  reg %h: i64, %x: i32, %t: i1, %p: i64, %y: i32
b0:
  %p = alloc 4 align 4
  store i32 [%p], 7
  %h = spawn starter()
  atomic_begin
  print stdout, \"once\"
  observe \"seen\", i32 1
  rmw.add.sc i32 [@tl], 1
  call helper(%p)
  %x = load i32 [@go]
  %t = ne i32 %x, 0
  assume %t
  atomic_end
  join %h
  %y = load i32 [@tl]
  return %y
}");
    assert_eq!((outcome, output.as_str()), (RunEnd::Exited(6), "once"));
}

#[test]
fn a_section_that_awaits_what_it_started_waits_forever() {
    let (outcome, _) = run("
fn work() {
b0:
  return
}
fn main() -> i32 {
  reg %h: i64
b0:
  atomic_begin
  %h = spawn work()
  join %h
  atomic_end
  return i32 0
}");
    let RunEnd::Violated(finding) = outcome else { panic!("{outcome:?}") };
    assert_eq!(finding.kind, FindingKind::Deadlock);
}

#[test]
fn a_thread_that_never_ends_is_reported_with_its_place() {
    let source = "
global @flag: 4 align 4
fn spin() {
  reg %x: i32, %t: i1
b0:
  jump b1
b1:
  %x = load.rlx i32 [@flag] !7:10-14
  %t = ne i32 %x, 0
  branch %t, b2, b1
b2:
  return
}
fn main() -> i32 {
  reg %a: i64
b0:
  %a = spawn spin()
  join %a
  return i32 0
}";
    let (outcome, _) = run_with(source, &RunOptions { max_steps: 1000, ..RunOptions::default() });
    let RunEnd::OutOfSteps(positions) = outcome else { panic!("{outcome:?}") };
    assert_eq!(positions[0].joins.as_ref().unwrap().function, "spin");
    assert_eq!(positions[1].stack[0].function, "spin");
    let local = "fn main() -> i32 {\nb0:\n  jump b0\n}";
    let (outcome, _) = run_with(local, &RunOptions { max_steps: 1000, ..RunOptions::default() });
    assert!(matches!(outcome, RunEnd::OutOfSteps(_)));
}

#[test]
fn a_failed_assumption_outside_sections_discards_the_run() {
    let (outcome, _) = run("fn main() -> i32 {\nb0:\n  assume 0\n  return i32 0\n}");
    assert!(matches!(outcome, RunEnd::Discarded(_)));
}

#[test]
fn runs_of_a_seed_are_equal_and_seeds_differ() {
    let source = "
fn work(%n: i32) {
b0:
  print stdout, dec(%n)
  print stdout, dec(%n)
  print stdout, dec(%n)
  return
}
fn main() -> i32 {
  reg %a: i64, %b: i64, %x: i32
b0:
  %a = spawn work(i32 1)
  %b = spawn work(i32 2)
  join %a
  join %b
  %x = choose i32 0..9
  print stdout, dec(%x)
  return i32 0
}";
    let output = |seed| run_with(source, &RunOptions { seed, ..RunOptions::default() }).1;
    let all: std::collections::BTreeSet<String> = (0..100).map(output).collect();
    assert!(all.len() > 20, "only {} different runs", all.len());
    for seed in 0..10 {
        assert_eq!(output(seed), output(seed));
    }
}

#[test]
fn exclusive_stores_fail_after_a_write_of_another_thread_only() {
    let source = "
global @x: 4 align 4
fn add() {
  reg %x: i32, %failed: i1
b0:
  jump b1
b1:
  %x = loadx.rlx i32 [@x]
  %x = add i32 %x, 1
  %failed = storex.rlx i32 [@x], %x
  branch %failed, b1, b2
b2:
  return
}
fn main() -> i32 {
  reg %a: i64, %b: i64, %x: i32
b0:
  %a = spawn add()
  %b = spawn add()
  join %a
  join %b
  %x = load i32 [@x]
  return %x
}";
    for seed in 0..100 {
        let options = RunOptions { seed, ..RunOptions::default() };
        assert_eq!(run_with(source, &options).0, RunEnd::Exited(2));
    }
}

#[test]
fn a_double_word_compare_and_swap_changes_both_or_none() {
    let (outcome, _) = run("
global @a: 8 align 8
global @b: 8 align 8
fn main() -> i32 {
  reg %t: i1, %x: i32, %y: i32
b0:
  %t = mcas (sc i32 [@a], 0, 1), (sc i32 [@b], 5, 1)
  assert %t, \"second word differs\"
  return i32 0
}");
    assert!(matches!(outcome, RunEnd::Violated(_)));
    let (outcome, _) = run("
global @a: 8 align 8
global @b: 8 align 8 = {0: i32 5}
fn main() -> i32 {
  reg %t: i1, %x: i32, %y: i32
b0:
  %t = mcas (sc i32 [@a], 0, 1), (sc i32 [@b], 5, 2)
  assert %t, \"both match\"
  %x = load i32 [@a]
  %y = load i32 [@b]
  %x = mul i32 %x, 10
  %x = add i32 %x, %y
  return %x
}");
    assert_eq!(outcome, RunEnd::Exited(12));
}

#[test]
fn what_clients_see_is_recorded_in_order() {
    let source = "fpir 1\nentry main\n
fn main() {
b0:
  op_begin \"push\"(i32 1)
  commit \"push\"
  op_end i32 2
  observe \"r\", i32 3
  return
}";
    let program = text::parse(FileId::new(0), source).unwrap().program;
    let code = Code::new(&program);
    let mut machine = Machine::new(&code, &RunOptions::default(), Vec::new());
    assert_eq!(machine.run(), RunEnd::Exited(0));
    let what: Vec<Recorded> = machine.into_world().records.into_iter().map(|r| r.what).collect();
    let int = |n| Value::int(Width::I32, n);
    assert_eq!(
        what,
        [
            Recorded::Began("push".into(), vec![int(1)]),
            Recorded::Committed("push".into()),
            Recorded::Ended(Some(int(2))),
            Recorded::Observed("r".into(), int(3)),
        ]
    );
}
