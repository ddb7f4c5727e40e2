var x: 0..3;
startstate
begin
  x := 0;
end;
ruleset k: 0..3 do
  rule
    x = k
  ==>
    k := 0;
  end;
end;
