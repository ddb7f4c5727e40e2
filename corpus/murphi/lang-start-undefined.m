-- An invariant over a variable that a start state leaves undefined.

var
  a: 0..1;
  b: 0..1;

startstate
begin
  a := 0;
end;

rule "set"
  isundefined(b)
==>
  b := a;
end;

rule "stay"
  true
==>
  a := 1 - a;
end;

invariant "b is set" b <= 1;
