type E: enum { A, B };
var x: 0..3; e: E;
startstate
begin
  x := 0;
end;
rule
  e = 1
==>
  x := 0;
end;
