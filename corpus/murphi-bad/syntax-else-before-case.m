var x: 0..3;
startstate
begin
  x := 0;
end;
rule
  x < 3
==>
  switch x
  else x := 1;
  case 2: x := 0;
  end;
end;
