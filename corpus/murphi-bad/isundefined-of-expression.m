var x: 0..3;
startstate
begin
  x := 0;
end;
rule
  isundefined(x + 1)
==>
  x := 0;
end;
