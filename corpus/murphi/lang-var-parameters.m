-- Constants computed from others, a procedure that exchanges two elements, a function in a guard.
const N: 3; K: N * 2 - 1;
type T: 0..K; A: array[0..N-1] of T;
var a: A; sum: 0..99;
procedure swap(var p: T; var q: T); var h: T; begin h := p; p := q; q := h; end;
function sorted(): boolean; begin for i := 0 to N - 2 do if a[i] > a[i+1] then return false; end; end; return true; end;
startstate begin a[0] := K; a[1] := 2; a[2] := 0; sum := 0; end;
ruleset i: 0..N-2 do rule "swap" a[i] > a[i+1] ==> begin swap(a[i], a[i+1]); end; end;
rule "sum" true ==> begin sum := 0; for i : 0..N-1 do sum := sum + a[i] * (i + 1); end; end;
rule "noop" sorted() & sum > 0 ==> begin a[0] := a[0]; end;
invariant sum <= 50;
