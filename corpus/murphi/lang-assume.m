-- Assumptions: states of which one is false are left out.

var
  x: 0..9;
  y: 0..9;

startstate
begin
  x := 0;
  y := 0;
end;

rule "x"
  x < 9
==>
  x := x + 1;
end;

rule "y"
  y < 9
==>
  y := y + 1;
end;

rule "back"
  x = y
==>
  x := 0;
  y := 0;
end;

assume "close together"
  x <= y + 1 & y <= x + 1;

invariant "never far apart"
  x < y + 2;
