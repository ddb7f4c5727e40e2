var x: 0..3; r: record a: 0..3; end;
startstate
begin
  x := 0;
end;
rule
  x < 3
==>
  x := r;
end;
