var x: 0..3;
  a: array[0..3] of boolean;
startstate
begin
  x := 0;
end;
choose i: a do
  rule
    true
  ==>
    x := 0;
  end;
end;
