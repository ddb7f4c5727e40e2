-- Arrays indexed by enumerations, compared as a whole; two start states.
type E: enum {x1, y1, z1}; I: 0..1;
var m: array[E] of array[I] of E; g: E;
startstate "one" begin for e: E do for i: I do m[e][i] := x1; end; end; g := x1; end;
startstate "two" begin for e: E do for i: I do m[e][i] := y1; end; end; g := z1; end;
ruleset e: E; i: I do rule "mv" m[e][i] != g ==> begin m[e][i] := g; end; end;
ruleset e: E do rule "g" g != e & exists i: I do m[e][i] = e end ==> g := e; end; end;
invariant "same" m[x1] != m[y1] -> exists e: E do m[e] = m[x1] end;
