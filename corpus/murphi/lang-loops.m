-- While loops, for loops in both directions and with steps, and nested ones.

type
  Number: 0..60;

var
  x: 0..7;
  bits: 0..3;
  sum: Number;

function ones(n: 0..7): 0..3;
var count: 0..3;
  rest: 0..7;
begin
  count := 0;
  rest := n;
  while rest > 0 do
    count := count + rest % 2;
    rest := rest / 2;
  end;
  return count;
end;

startstate
begin
  x := 0;
  bits := 0;
  sum := 0;
end;

rule "next"
  x < 7
==>
  x := x + 1;
  bits := ones(x);
  sum := 0;
  for i := 0 to x by 2 do
    sum := sum + i;
  end;
  for i := x to 1 by -3 do
    for j := 1 to i do
      sum := sum + 1;
    end;
  end;
end;

rule "back"
  x = 7
==>
  x := 0;
  bits := 0;
  sum := 0;
end;

invariant "as many bits"
  bits = ones(x);

invariant "bounded"
  sum <= 24;
