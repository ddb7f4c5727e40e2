type R: record a: 0..1; a: boolean; end;
var x: 0..3;
startstate
begin
  x := 0;
end;
rule
  x < 3
==>
  x := x + 1;
end;
