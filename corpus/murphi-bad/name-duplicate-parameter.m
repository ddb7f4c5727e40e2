var x: 0..3;
function f(a: 0..1; a: 0..1): boolean;
begin
  return a = 0;
end;
startstate
begin
  x := 0;
end;
rule
  x < 3
==>
  x := x + 1;
end;
