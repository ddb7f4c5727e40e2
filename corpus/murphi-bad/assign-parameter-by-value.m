var x: 0..3;
procedure p(a: 0..3);
begin
  a := 1;
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
