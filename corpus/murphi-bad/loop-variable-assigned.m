var x: 0..3;
startstate
begin
  x := 0;
end;
rule
  x < 3
==>
  for i: 0..3 do
    i := 1;
  end;
end;
