var x: 0..3;
function inc(a: 0..3): 0..3;
begin
  return (a + 1) % 4;
end;
procedure reset(var a: 0..3);
begin
  a := 0;
end;
startstate
begin
  x := 0;
end;
rule
  x < 3
==>
  x := inc();
end;
