var x: 0..3;
startstate
begin
  x := 0;
end;
rule
  x & 1 = 1 & x
==>
  x := 0;
end;
