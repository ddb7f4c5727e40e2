type E: enum { A, B };
var x: 0..3;
startstate
begin
  x := 0;
end;
rule
  true
==>
  switch x
  case A: x := 0;
  end;
end;
