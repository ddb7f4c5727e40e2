var x: 0..3;
startstate
begin
  x := 0;
end;
rule
  x < 3
==>
  while x do x := x - 1; end;
end;
