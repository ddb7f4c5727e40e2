//! Threads that wait for each other: no thread's executions can be enumerated to the end before
//! the other's values are known.

use execution::span::SourceMap;
use models::Model;
use oracle::EnumerationOptions;
use oracle::litmus::{Prepared, language};

fn states(text: &str, model: &str) -> Vec<String> {
    let mut sources = SourceMap::new();
    let file = sources.add_file("test.litmus", text);
    let test = front_litmus::parse(&sources, file).map_err(|problem| problem.message).unwrap();
    let prepared = Prepared::new(&test, EnumerationOptions::new(language(&test))).unwrap();
    let answer = prepared.ask(&Model::named(model).unwrap(), false).unwrap();
    answer.states.into_iter().map(|state| state.text).collect()
}

#[test]
fn what_a_waiting_thread_has_written_is_seen() {
    let text = "AArch64 handshake
{ 0:X1=x; 0:X2=f; 1:X1=x; 1:X2=f; }
 P0             | P1             ;
 MOV W0,#1      | L: LDR W0,[X1] ;
 STR W0,[X1]    | CBZ W0,L       ;
 L: LDR W3,[X2] | ADD W4,W0,#1   ;
 CBZ W3,L       | STR W4,[X2]    ;
exists (0:X3=2 /\\ 1:X0=1)
";
    assert_eq!(states(text, "armv8"), ["0:X3=2; 1:X0=1;"]);
}

#[test]
fn a_path_that_waits_is_tried_again_although_another_does_not_wait() {
    let text = "AArch64 late
{ 0:X1=x; 0:X2=f; 1:X1=q; 1:X2=f; 2:X1=x; 2:X2=q; }
 P0             | P1          | P2          ;
 LDR W0,[X1]    | LDR W0,[X1] | MOV W0,#1   ;
 CBNZ W0,E      | STR W0,[X2] | STR W0,[X2] ;
 L: LDR W3,[X2] |             | STR W0,[X1] ;
 CBZ W3,L       |             |             ;
 E:             |             |             ;
exists (0:X0=0 /\\ 0:X3=1)
";
    assert_eq!(states(text, "armv8"), ["0:X0=0; 0:X3=1;", "0:X0=1; 0:X3=0;"]);
}

#[test]
fn a_pointer_that_arrives_late_is_followed() {
    let text = "C late
{}
P0(int *x, int **p)
{
  int r0 = READ_ONCE(*x);
  int *r1;
  int r2;
  if (r0 == 0) {
    r1 = READ_ONCE(*p);
    r2 = READ_ONCE(*r1);
  }
}
P1(int **p, int **s)
{
  int *r0 = READ_ONCE(*s);
  WRITE_ONCE(*p, r0);
}
P2(int *x, int **s, int *y)
{
  WRITE_ONCE(*s, y);
  WRITE_ONCE(*x, 1);
}
exists (0:r0=0 /\\ 0:r1=y)
";
    assert_eq!(states(text, "lkmm"), ["0:r0=0; 0:r1=y;", "0:r0=1; 0:r1=0;"]);
}
