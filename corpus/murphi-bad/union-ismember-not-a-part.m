type E: enum { A };
  P: scalarset(2);
  Q: scalarset(3);
  U: union { E, P };
var x: 0..3;
  u: U;
startstate
begin
  x := 0;
end;
rule
  ismember(u, Q)
==>
  x := 0;
end;
