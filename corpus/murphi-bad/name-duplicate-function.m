var x: 0..3;
function f(): boolean;
begin
  return true;
end;
function f(): boolean;
begin
  return false;
end;
startstate
begin
  x := 0;
end;
rule
  x < 3
==>
  x := x + 1;
end;
