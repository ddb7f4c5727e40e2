var x: 0..3;
function f(): boolean;
begin
  x := 0;
  return true;
end;
startstate
begin
  x := 0;
end;
rule
  f()
==>
  x := 1;
end;
