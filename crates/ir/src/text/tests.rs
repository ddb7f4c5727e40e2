//! Claims about the text form as a whole.

use super::{parse, print};
use execution::diagnostic::Diagnostic;
use execution::ids::Id;
use execution::span::FileId;

fn program(text: &str) -> crate::program::Program {
    match parse(FileId::new(0), text) {
        Ok(parsed) => parsed.program,
        Err(errors) => panic!("{errors:#?}"),
    }
}

fn errors(text: &str) -> Vec<Diagnostic> {
    parse(FileId::new(0), text).expect_err("this text is wrong")
}

/// The text at the first error, and the message.
fn first_error(text: &str) -> (&str, String) {
    let error = errors(text).remove(0);
    let span = error.primary.expect("a place").span;
    (&text[span.start as usize..(span.end as usize).min(text.len())], error.message)
}

/// Every construct of the language at least once.
const EVERYTHING: &str = r#"fpir 1
file "queue.c"
entry main, "odd thread"

layout int = i32
layout node = record "struct node" size 16 align 8 {
  0: value int
  8: next ptr.node
}
layout ptr.node = ptr node
layout record = record "struct <anonymous>" size 4 align 4 {
  0: "" flags
  0: low int bits 0+3
}
layout flags = record "flags" size 1 align 1 {
}
layout array.int = array 10 of int size 40 align 4
layout opaque = opaque size 3 align 1
layout ptr = ptr
layout int3 = i24 align 1
layout ptr.2 = ptr size 4 align 4

global @head: 8 align 8 as ptr.node = {0: @dummy + 8}       !3:14-18
global @dummy: 16 align 8 as node
global @table: 32 align 8 = {0: &main, 8: @head - 8, 16: i32 -1, 24: "\x01\x02\x03"} !"queue.h":5:1-6
thread_local @counter.1: 4 align 4 = {0: i32 7}
constant @.str.0: 6 align 1 = {0: "hello\0"}
global @"a b": 1 align 1

fn main(%argc: i32, %argv: i64) -> i32 !7:5-9 {
  reg %x: i32, %x.2: i64, %4: i64, %ok: i1, %"x.2": i32, %b: i8
  slot $buf: 16 align 8 as node                             !8:10-13
  slot $1: 4 align 4
b0:
  enter $buf                                                !8:10
  %x = copy i32 5                                           !9:5
  %x = copy i32 undef
  %x = neg.chk i32 %x
  %x = bswap i32 4096
  %x.2 = add i64 $buf + 8, 8
  %x = sub.chk i32 %x, -1
  %ok = ult i32 %x, 4000000000
  %x = trunc %x.2 to i32
  %x.2 = sext i8 -1 to i64
  %x = select i32 %ok, %x, %argc
  %x.2 = load.acq i64 [@head "head"]                        !12:5-9 in pop at 13:7-20
  %x = loadx i32 [%x.2] tags(X, "odd tag")                  !"list.h":12:5-9
  store.rel i64 [$buf + 8 "buf.next"], &main
  %ok = storex.vol i32 [%x.2], %x
  %x = rmw.umax.acqrel i32 [%x.2], -2
  rmw.xchg.sc i8 [@"a b"], 0
  %4, %ok = cas.weak.sc.acq i64 [@head], %x.2, 0
  _, %ok = cas.rlx.rlx i64 [@head], 0, @dummy
  cas.na.na i64 [@head], 0, undef
  %ok = mcas (sc i64 [@head "l"], 0, 1), (na i64 [@dummy "r"], %4, %x.2)
  fence load-load, store-load
  fence none
  fence.acqrel
  fence compiler
  fence "dmb.ish"
  atomic_begin
  atomic_end
  %4 = alloc 16 align 16 zeroed as node
  %4 = alloc %x.2 align %4
  free 0
  %x.2 = block_size %4
  %4 = spawn "odd thread"()
  %4 = spawn *&main(%argc, @head)
  join %4
  %x.2 = join %4
  %x.2 = self
  yield
  assert %ok, "a \"quoted\"\n message é"
  assume 1
  %x = choose i32 -3..%x
  %b = choose i8 {1, 2, i16 3}
  %x = choose i32 any
  observe "r1", %x
  commit "enq"
  op_begin "enqueue"(@head, i32 3)
  op_end
  op_end i32 0
  call main(i32 0, i64 0)
  %x = call *%4()
  print stdout
  %x = print stderr, "x = ", dec(%x), hex.left.alt.zero(i32 5 width i32 8 prec %x), str(@.str.0)
  print buffer(%4, 16), HEX.plus.space(%x prec i32 2)
  branch %ok, b1, b2                                        !20:3-8
b1:   ; loop header, depth 1
  switch i32 %x {0: b1, 3..5: b2, default: b3}
b2:
  return i32 0
b3:
  thread_exit
}

fn "odd thread"() file "<threads.h>" !3:1-9 {
b0:
  thread_exit i64 1                                         !4:1
}

fn leave(%1, %0) -> i8 {
  reg %0: i128, %1: i8
b0:
  exit i32 1
}

fn stop() {
b0:
  trap "abort()"
}
"#;

#[test]
fn the_canonical_text_prints_back_to_itself() {
    let printed = print(&program(EVERYTHING));
    for (line, (expected, found)) in EVERYTHING.lines().zip(printed.lines()).enumerate() {
        assert_eq!(expected, found, "line {}", line + 1);
    }
    assert_eq!(printed, EVERYTHING);
}

#[test]
fn handles_and_spacing_carry_no_data() {
    let a = "fpir 1\nfn f(%a: i8) {\nreg %b: i8, %7: i8 ; seven\nb0:\n%b=copy %a\nreturn\n}\n";
    let b = "fpir 1\n\nfn f(%a: i8) {\n  reg %b.5: i8\n  reg %1: i8\nb0:\n  %b.5 = copy i8 %a\n  return\n}";
    assert_eq!(program(a), program(b));
}

#[test]
fn places_that_are_not_in_text_order_get_a_table() {
    let text = r#"fpir 1
file "a.c"

place #0 = "a.c":9:1-4 in f
place #1 = "a.c":2:1 in g at #0
place #2 = "a.c":7:7 in unused
place #3 = "a.c":9:1-4 in f

fn f() {
b0:
  yield                                                     !2:1 in g at 9:1-4
  yield                                                     !9:1-4
  yield                                                     !#3
  return
}
"#;
    let program = program(text);
    assert_eq!(program.places.len(), 4);
    assert_eq!(print(&program), text);
    let ordered = crate::prepare::tidy(program);
    assert_eq!(ordered.places.len(), 2);
    assert!(!print(&ordered).contains("place"));
}

#[test]
fn messages_point_at_the_mistake() {
    let body = |line: &str| format!("fpir 1\nfn f(%x: i32) {{\nb0:\n  {line}\n  return\n}}\n");
    let cases = [
        ("%y = copy %x", "%y", "this register is not declared"),
        ("%x = add i64 %x, 1", "%x", "this is i32, not i64"),
        ("%x = copy 5", "5", "this needs its width, such as `i32`, in front of it"),
        ("%x = copy i8 256", "256", "this number does not fit i8"),
        ("%x = frob %x", "frob", "unknown instruction `frob`"),
        ("%x = load.now i32 [@g]", "load.now", "`now` is not a memory order"),
        ("%x = load i32 [@g]", "@g", "no global is called `g`"),
        ("yield yield", "yield", "expected the end of the line, found `yield`"),
        ("load i32 [%x]", "load", "`load` needs a register for its result: `%x = …`"),
        ("yield !3:4", "", "this place needs a file: there is no `file` clause"),
    ];
    for (line, place, message) in cases {
        let text = body(line);
        let found = first_error(&text);
        assert_eq!(found.1, message, "{line}");
        if !place.is_empty() {
            assert_eq!(found.0, place, "{line}");
        }
    }
}

#[test]
fn several_functions_give_several_errors() {
    let text = "fpir 1\nfn f() {\nb0:\n  frob\n}\nfn g() {\nb0:\n  return\n}\nfn h() {\nb1:\n}\n";
    let messages: Vec<String> = errors(text).into_iter().map(|error| error.message).collect();
    assert_eq!(
        messages,
        ["unknown instruction `frob`", "expected `b0:`: blocks are numbered in order"]
    );
}

#[test]
fn texts_without_a_version_are_refused() {
    assert_eq!(first_error("").1, "expected `fpir 1`, the version of the text form");
    assert_eq!(first_error("fpir 2").1, "only version 1 of the text form is known");
}

#[test]
fn the_example_of_the_documentation_is_well_formed_and_canonical() {
    let documentation = include_str!("mod.rs").lines().map_while(|line| line.strip_prefix("//!"));
    let example: String = documentation
        .skip_while(|line| *line != " ```text")
        .skip(1)
        .take_while(|line| *line != " ```")
        .map(|line| format!("{}\n", line.strip_prefix(' ').unwrap_or(line)))
        .collect();
    let program = program(&example);
    assert_eq!(crate::verify::verify(&program), []);
    let squeezed = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(squeezed(&print(&program)), squeezed(&example));
}
