var x: 0..3;
startstate
begin
  x := 0;
end;
rule
  x < 3 ? true
==>
  x := x # 1;
end;
