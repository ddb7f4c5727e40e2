var x: 0..3;
  y: 0..x;
startstate
begin
  x := 0;
end;
rule
  x < 3
==>
  x := x + 1;
end;
