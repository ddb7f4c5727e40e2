const N: 1;
var x: 0..3;
startstate
begin
  x := 0;
end;
rule
  true
==>
  N := 2;
end;
