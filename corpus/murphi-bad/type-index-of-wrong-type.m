type E: enum { A, B };
var x: 0..3; a: array[E] of 0..3;
startstate
begin
  x := 0;
end;
rule
  a[x] = 0
==>
  x := 0;
end;
