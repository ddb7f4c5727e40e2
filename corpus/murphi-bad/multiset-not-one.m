var x: 0..3;
startstate
begin
  x := 0;
end;
rule
  x < 3
==>
  multisetadd(1, x);
end;
