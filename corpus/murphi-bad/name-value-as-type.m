const N: 3;
var x: 0..3;
  y: N;
startstate
begin
  x := 0;
end;
rule
  x < 3
==>
  x := x + 1;
end;
