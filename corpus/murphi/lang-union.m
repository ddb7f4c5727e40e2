-- Unions of scalarsets and enumerations: a line is owned by a processor, by home, or by none.

const N: 2;

type
  Cpu: scalarset(N);
  HomeNode: enum { Home };
  Owner: union { Cpu, HomeNode };

var
  owner: Owner;
  copies: array[Owner] of boolean;

startstate
begin
  for o: Owner do
    copies[o] := false;
  end;
  owner := Home;
  copies[Home] := true;
end;

ruleset o: Owner do
  rule "move"
    o != owner
  ==>
    copies[owner] := false;
    owner := o;
    copies[o] := true;
  end;
end;

ruleset c: Cpu do
  rule "give back"
    owner = c
  ==>
    copies[c] := false;
    owner := Home;
    copies[Home] := true;
  end;
end;

invariant "one copy, at the owner"
  forall o: Owner do copies[o] = (o = owner) end;

invariant "kinds"
  ismember(owner, Cpu) | ismember(owner, HomeNode);
