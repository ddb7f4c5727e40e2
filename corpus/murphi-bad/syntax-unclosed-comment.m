var x: 0..3;
/* a comment that is not closed
startstate
begin
  x := 0;
end;
rule
  x < 3
==>
  x := x + 1;
end;
