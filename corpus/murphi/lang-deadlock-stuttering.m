-- Only rules that change nothing remain enabled: a deadlock, unless self-loops count as progress.

var n: 0..2;

startstate
begin
  n := 0;
end;

rule "up"
  n < 2
==>
  n := n + 1;
end;

rule "stay"
  n = 2
==>
  n := 2;
end;
