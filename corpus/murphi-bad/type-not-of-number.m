var x: 0..3;
startstate
begin
  x := 0;
end;
rule
  !x
==>
  x := 0;
end;
