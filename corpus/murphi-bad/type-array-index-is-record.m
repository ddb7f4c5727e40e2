type R: record a: 0..1; end;
var x: 0..3;
  a: array[R] of boolean;
startstate
begin
  x := 0;
end;
rule
  x < 3
==>
  x := x + 1;
end;
