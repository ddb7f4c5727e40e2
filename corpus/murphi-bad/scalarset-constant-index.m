const N: 3;
type P: scalarset(N);
var x: 0..3;
  p: P;
  a: array[P] of boolean;
startstate
begin
  x := 0;
end;
rule
  x < 3
==>
  a[0] := true;
end;
