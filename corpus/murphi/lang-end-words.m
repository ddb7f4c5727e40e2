-- Blocks that end with endif, endfor, endswitch and so on; var parameters; ?: and ->.
/* functions and procedures */
type T: 0..7; B: boolean;
var x: T; y: array[0..2] of T; z: 0..20;
function max2(a: T; b: T): T; begin if a > b then return a; else return b; endif; end;
procedure bump(var a: T; step: 0..3); begin a := (a + step) % 8; return; endprocedure;
function total(): 0..30; var s: 0..30; begin s := 0; for i : 0..2 do s := s + y[i]; endfor; return s; endfunction;
startstate x := 0; for i := 0 to 2 do y[i] := i; end; z := 0; end;
rule "r" true ==> begin bump(x, 1); y[x % 3] := max2(x, y[x % 3]); z := total() > 20 ? 20 : total(); switch x case 0, 1: put "low"; case 7: put x; else x := x; endswitch; while x > 6 do x := x - 1; endwhile; end;
rule "s" x = 3 -> z > 2 ==> begin y[0] := 0; end;
invariant "p" isundefined(x) = false & x <= 7 -> z <= 20;
invariant !(x = 5 & y[2] = 0) | x != 5;
