-- forall, exists and -> in a guard; an undefined scalar that is written before it is read.
type P: 1..3;
var t: array[P] of array[P] of boolean; last: P; u: 0..3;
startstate begin for i: P do for j: P do t[i][j] := false; end; end; undefine last; u := 0; end;
ruleset i: P; j: 1..3 do rule i != j & !t[i][j] ==> begin t[i][j] := true; last := i; end; end;
ruleset k: 0..1 do rule "set" u != 3 * k ==> u := 3 * k; end; end;
rule "read" u = 3 & forall i: P do exists j: P do i != j -> t[i][j] end end ==> begin if isundefined(last) then last := 1; end; t[last][last] := true; end;
invariant u = 0 | u = 3;
