var x: 0..3;
function f(): 0..3;
begin
  return 1;
end;
startstate
begin
  x := 0;
end;
rule
  true
==>
  f := 1;
end;
