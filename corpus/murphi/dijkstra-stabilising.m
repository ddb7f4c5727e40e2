-- Dijkstra's self-stabilising ring ("Self-stabilizing systems in spite of distributed control",
-- 1974): from any state there is always a privileged machine, so the ring never stops.

const
  N: 4;
  K: 4;

type
  Machine: 0..N - 1;
  Value: 0..K - 1;

var
  x: array[Machine] of Value;

function privileged(m: Machine): boolean;
begin
  if m = 0 then
    return x[0] = x[N - 1];
  else
    return x[m] != x[m - 1];
  end;
end;

ruleset a: Value; b: Value; c: Value; d: Value do
  startstate "any state"
  begin
    x[0] := a;
    x[1] := b;
    x[2] := c;
    x[3] := d;
  end;
end;

ruleset m: Machine do
  rule "move"
    privileged(m)
  ==>
    if m = 0 then
      x[0] := (x[0] + 1) % K;
    else
      x[m] := x[m - 1];
    end;
  end;
end;

invariant "some machine is privileged"
  exists m: Machine do privileged(m) end;
