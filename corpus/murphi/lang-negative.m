-- Local variables with negative ranges, unary minus, division and remainder.
var b: boolean; n: 0..15;
startstate begin b := false; n := 1; end;
rule "shift" n < 8 ==> begin n := n * 2; end;
rule "div" n > 1 ==> begin n := (n / 2) - 0 + 7 % 1; b := n = 1 | !b; end;
rule "neg" n = 4 ==> var k: -15..15; begin k := -n; n := -k; if k < -3 then b := false; end; end;
invariant -1 * n <= 0;
