var x: 0..3;
startstate
begin
  x := 0;
end;
rule
  x < 3
==>
  return 1;
end;
