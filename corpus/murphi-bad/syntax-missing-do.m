var x: 0..3;
startstate
begin
  x := 0;
end;
ruleset k: 0..3
  rule
    x = k
  ==>
    x := 0;
  end;
end;
