type T: 0..3;
var x: T;
startstate
begin
  x := 0;
end;
rule
  x = T
==>
  x := 0;
end;
