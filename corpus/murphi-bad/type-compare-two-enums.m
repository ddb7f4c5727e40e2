type E: enum { A, B };
  F: enum { C, D };
var x: 0..3; e: E;
startstate
begin
  x := 0;
end;
rule
  e = C
==>
  x := 0;
end;
