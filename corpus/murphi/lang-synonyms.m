-- && and || and == mean what & and | and = mean.
var x: 0..4; e: enum {A,B,C}; r: record p: 0..2; q: boolean; end;
startstate clear x; clear e; clear r; end;
rule "inc" x < 4 ==> x := x + 1; end;
rule "wrap" x == 4 && !r.q ==> clear x; r.q := true; r.p := 2; end;
rule "e" e = A || e = B ==> if e = A then e := B elsif e = B then e := C else error "never" end; end;
rule "bad" x = 3 & e = C & r.q ==> assert r.p = 1 "p is one"; end;
