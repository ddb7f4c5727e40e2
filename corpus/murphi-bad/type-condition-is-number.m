var x: 0..3;
startstate
begin
  x := 0;
end;
rule
  x + 1
==>
  x := 0;
end;
