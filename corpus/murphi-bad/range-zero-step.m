var x: 0..3;
startstate
begin
  x := 0;
end;
rule
  x < 3
==>
  for i := 0 to 3 by 0 do
    x := i;
  end;
end;
