-- A scalarset variable that is undefined while no member owns it; an assumption that keeps a cover property from being reached.
type S: scalarset(3); 
var owner: S; q: array[S] of boolean; cnt: -2..4;
startstate begin undefine owner; for s: S do q[s] := false; end; cnt := -2; end;
ruleset s: S do
rule "acq" isundefined(owner) ==> begin owner := s; q[s] := !q[s]; end;
rule "rel" !isundefined(owner) & owner = s ==> begin undefine owner; cnt := cnt < 4 ? cnt + 1 : -2; end;
end;
invariant "cnt" cnt < 4 | forall s: S do q[s] -> true end;
cover "full" cnt = 4;
assume cnt != 3 | isundefined(owner);
