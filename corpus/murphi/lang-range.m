-- A rule without a guard, whose fourth step leaves the range.
var x: 0..3;
startstate begin x := 0; end;
rule "a" begin x := x + 1; end;
