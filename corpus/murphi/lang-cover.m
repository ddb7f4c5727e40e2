-- Cover properties: each must be true of some state.

var
  x: 0..4;

startstate
begin
  x := 0;
end;

rule "by one"
  x < 4
==>
  x := x + 1;
end;

rule "by two"
  x < 3
==>
  x := x + 2;
end;

rule "back"
  x = 4
==>
  x := 0;
end;

cover "reaches four" x = 4;
cover "is odd" x % 2 = 1;
