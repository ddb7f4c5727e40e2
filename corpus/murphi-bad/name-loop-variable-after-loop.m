var x: 0..3;
startstate
begin
  x := 0;
end;
rule
  x < 3
==>
  for i: 0..3 do
    x := i;
  end;
  x := i;
end;
