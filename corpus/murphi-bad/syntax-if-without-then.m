var x: 0..3;
startstate
begin
  x := 0;
end;
rule
  x < 3
==>
  if x = 1 x := 2; end;
end;
