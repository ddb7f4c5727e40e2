var x: 0..3;
startstate
begin
  x := 0;
end;
rule
  odd(x)
==>
  x := 0;
end;
