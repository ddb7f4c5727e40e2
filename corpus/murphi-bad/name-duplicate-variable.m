var x: 0..3;
  x: boolean;
startstate
begin
  x := 0;
end;
rule
  x < 3
==>
  x := x + 1;
end;
