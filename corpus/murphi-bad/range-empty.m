var x: 3..0;
startstate
begin
  x := 3;
end;
rule
  x < 3
==>
  x := x + 1;
end;
