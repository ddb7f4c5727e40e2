var rule: 0..3;
startstate
begin
  rule := 0;
end;
rule
  x < 3
==>
  x := x + 1;
end;
