var x: 0..3; r: record a: 0..1; end;
startstate
begin
  x := 0;
end;
rule
  r.b = 0
==>
  x := 0;
end;
