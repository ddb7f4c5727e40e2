var x: 0..3; r: record a: 0..3; end;
  s: record b: boolean; end;
startstate
begin
  x := 0;
end;
rule
  x < 3
==>
  r := s;
end;
