var x: 0..3;
procedure p();
begin
  return 1;
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
