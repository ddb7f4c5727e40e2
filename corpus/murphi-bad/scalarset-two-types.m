type P: scalarset(2);
  Q: scalarset(2);
var x: 0..3;
  p: P;
  q: Q;
startstate
begin
  x := 0;
end;
rule
  p = q
==>
  x := 0;
end;
