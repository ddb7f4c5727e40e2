-- Output of text and values; it does not change what is reached.

var
  n: 0..3;

startstate "zero"
begin
  n := 0;
  put "started";
end;

rule "count"
  n < 3
==>
  n := n + 1;
  put "n is now ";
  put n;
end;

rule "back"
  n = 3
==>
  n := 0;
end;

invariant "small" n <= 3;
