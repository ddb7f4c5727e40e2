-- An owner in state O is replaced without writing back.
-- (a variant of snoop-moesi.m)

const CPUS: 3;

type
  Cpu: scalarset(CPUS);
  State: enum { M, O, E, S, I };

var
  state: array[Cpu] of State;
  fresh: array[Cpu] of boolean; -- ghost: the copy is the latest value
  memoryFresh: boolean;

function others(c: Cpu): boolean;
begin
  for o: Cpu do
    if o != c & state[o] != I then
      return true;
    end;
  end;
  return false;
end;

startstate
begin
  for c: Cpu do
    state[c] := I;
    fresh[c] := false;
  end;
  memoryFresh := true;
end;

ruleset c: Cpu do
  rule "read alone"
    state[c] = I & !others(c)
  ==>
    state[c] := E;
    fresh[c] := memoryFresh;
  end;

  rule "read from another"
    state[c] = I & others(c)
  ==>
    fresh[c] := memoryFresh;
    for o: Cpu do
      switch state[o]
      case M:
        state[o] := O;
        fresh[c] := fresh[o];
      case O:
        fresh[c] := fresh[o];
      case E:
        state[o] := S;
      end;
    end;
    state[c] := S;
  end;

  rule "write"
    state[c] = M | state[c] = E
  ==>
    state[c] := M;
    memoryFresh := false;
    for o: Cpu do
      fresh[o] := o = c;
    end;
  end;

  rule "upgrade"
    state[c] = O | state[c] = S | state[c] = I
  ==>
    for o: Cpu do
      state[o] := I;
      fresh[o] := false;
    end;
    state[c] := M;
    fresh[c] := true;
    memoryFresh := false;
  end;

  rule "replace"
    state[c] != I
  ==>
    if state[c] = M then
      memoryFresh := fresh[c];
    end;
    state[c] := I;
    fresh[c] := false;
  end;
end;

invariant "copies are fresh"
  forall c: Cpu do state[c] != I -> fresh[c] end;

invariant "exclusive states are alone"
  forall a: Cpu do
    (state[a] = M | state[a] = E) -> forall b: Cpu do a = b | state[b] = I end
  end;

invariant "one owner"
  forall a: Cpu do
    forall b: Cpu do
      a = b | state[a] != O | state[b] != O
    end
  end;
