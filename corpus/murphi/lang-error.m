-- An error statement in a procedure.

var n: 0..3;

procedure check(k: 0..3);
begin
  if k = 3 then
    error "three";
  end;
end;

startstate
begin
  n := 0;
end;

rule "up"
  true
==>
  n := n + 1;
  check(n);
end;
