-- The token is passed from within the critical section.
-- (a variant of token-ring.m)

const N: 5;

type
  Node: 0..N - 1;

var
  token: array[Node] of boolean;
  busy: array[Node] of boolean;

startstate
begin
  for n: Node do
    token[n] := n = 0;
    busy[n] := false;
  end;
end;

ruleset n: Node do
  rule "enter"
    token[n] & !busy[n]
  ==>
    busy[n] := true;
  end;

  rule "leave"
    busy[n]
  ==>
    busy[n] := false;
  end;

  rule "pass"
    token[n]
  ==>
    token[n] := false;
    token[(n + 1) % N] := true;
  end;
end;

invariant "one token"
  exists n: Node do token[n] & forall m: Node do m = n | !token[m] end end;

invariant "only the holder is busy"
  forall n: Node do busy[n] -> token[n] end;
