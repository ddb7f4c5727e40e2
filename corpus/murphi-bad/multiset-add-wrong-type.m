var x: 0..3;
  m: multiset[2] of 0..3;
startstate
begin
  x := 0;
end;
rule
  x < 3
==>
  multisetadd(true, m);
end;
