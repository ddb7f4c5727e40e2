-- Leader election in a unidirectional ring (Chang and Roberts, 1979): a node passes on names
-- larger than its own, and is elected when its own name returns. Every node has one place
-- for a message.

const N: 4;

type
  Node: 0..N - 1;
  Name: 1..N;

var
  name: array[Node] of Name;
  inbox: array[Node] of Name;
  sent: array[Node] of boolean;
  leader: array[Node] of boolean;

function after(n: Node): Node;
begin
  return n = N - 1 ? 0 : n + 1;
end;

-- Names in three orders that matter: ascending, descending, mixed.
startstate "ascending"
begin
  for n: Node do
    name[n] := n + 1;
    sent[n] := false;
    leader[n] := false;
  end;
end;

startstate "descending"
begin
  for n: Node do
    name[n] := N - n;
    sent[n] := false;
    leader[n] := false;
  end;
end;

startstate "mixed"
begin
  for n: Node do
    name[n] := (n % 2 = 0) ? n / 2 + 1 : N - n / 2;
    sent[n] := false;
    leader[n] := false;
  end;
end;

ruleset n: Node do
  rule "stand for election"
    !sent[n] & isundefined(inbox[after(n)])
  ==>
    inbox[after(n)] := name[n];
    sent[n] := true;
  end;

  rule "pass on"
    !isundefined(inbox[n]) & inbox[n] > name[n] & isundefined(inbox[after(n)])
  ==>
    inbox[after(n)] := inbox[n];
    sent[n] := true;
    undefine inbox[n];
  end;

  rule "discard"
    !isundefined(inbox[n]) & inbox[n] < name[n] & sent[n]
  ==>
    undefine inbox[n];
  end;

  rule "elected"
    !isundefined(inbox[n]) & inbox[n] = name[n]
  ==>
    leader[n] := true;
    undefine inbox[n];
  end;
end;

invariant "one leader, the one with the largest name"
  forall n: Node do leader[n] -> name[n] = N end;
