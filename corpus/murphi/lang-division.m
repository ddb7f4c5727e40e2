-- Division by zero.

var
  n: 0..3;
  q: 0..12;

startstate
begin
  n := 3;
  q := 0;
end;

rule "down"
  true
==>
  q := 12 / n;
  n := n - 1;
end;
