-- After a forwarded load the former owner is still recorded as the owner.
-- (a variant of directory-mesi.m)

const NODES: 3;

type
  Node: scalarset(NODES);
  Cache: enum { I, S, E, M, WaitS, WaitM };
  Message: enum { GetS, GetM, Data, DataExclusive, Forward, Inv, InvAck, WriteBack };
  Mode: enum { Uncached, SharedBy, Owned, BusyShare, BusyOwn };

var
  cache: array[Node] of Cache;
  toDir: array[Node] of Message;
  toNode: array[Node] of Message;
  sharers: array[Node] of boolean;
  owner: Node;
  mode: Mode;
  client: Node;
  pending: 0..NODES;

procedure send(var channel: Message; m: Message);
begin
  assert "channel is free" isundefined(channel);
  channel := m;
end;

startstate
begin
  for n: Node do
    cache[n] := I;
    sharers[n] := false;
  end;
  mode := Uncached;
  pending := 0;
end;

ruleset n: Node do
  rule "load miss"
    cache[n] = I & isundefined(toDir[n])
  ==>
    send(toDir[n], GetS);
    cache[n] := WaitS;
  end;

  rule "store miss"
    (cache[n] = I | cache[n] = S) & isundefined(toDir[n]) & isundefined(toNode[n])
  ==>
    send(toDir[n], GetM);
    cache[n] := WaitM;
  end;

  rule "silent upgrade"
    cache[n] = E
  ==>
    cache[n] := M;
  end;

  rule "directory takes a load"
    !isundefined(toDir[n]) & toDir[n] = GetS
    & mode != BusyShare & mode != BusyOwn & isundefined(toNode[n])
    & (mode = Owned -> isundefined(toNode[owner]))
  ==>
    undefine toDir[n];
    switch mode
    case Uncached:
      send(toNode[n], DataExclusive);
      owner := n;
      mode := Owned;
    case SharedBy:
      send(toNode[n], Data);
      sharers[n] := true;
    case Owned:
      client := n;
      send(toNode[owner], Forward);
      mode := BusyShare;
    end;
  end;

  rule "directory takes a store"
    !isundefined(toDir[n]) & toDir[n] = GetM
    & mode != BusyShare & mode != BusyOwn & isundefined(toNode[n])
    & (mode = Owned -> isundefined(toNode[owner]))
    & (forall o: Node do sharers[o] -> isundefined(toNode[o]) end)
  ==>
    undefine toDir[n];
    client := n;
    pending := 0;
    if mode = Owned then
      send(toNode[owner], Inv);
      pending := 1;
    else
      for o: Node do
        if sharers[o] & o != n then
          send(toNode[o], Inv);
          pending := pending + 1;
        end;
      end;
    end;
    for o: Node do
      sharers[o] := false;
    end;
    undefine owner;
    mode := BusyOwn;
  end;

  rule "directory grants ownership"
    mode = BusyOwn & client = n & pending = 0 & isundefined(toNode[n])
  ==>
    send(toNode[n], DataExclusive);
    owner := n;
    undefine client;
    mode := Owned;
  end;

  rule "directory hears an acknowledgement"
    mode = BusyOwn & !isundefined(toDir[n]) & toDir[n] = InvAck
  ==>
    undefine toDir[n];
    pending := pending - 1;
  end;

  rule "directory hears a write-back"
    mode = BusyShare & !isundefined(toDir[n]) & toDir[n] = WriteBack & isundefined(toNode[client])
  ==>
    undefine toDir[n];
    sharers[n] := true;
    sharers[client] := true;
    send(toNode[client], Data);
    undefine client;
    mode := Owned;
  end;

  rule "node receives data"
    !isundefined(toNode[n]) & toNode[n] = Data & cache[n] = WaitS
  ==>
    undefine toNode[n];
    cache[n] := S;
  end;

  rule "node receives exclusive data"
    !isundefined(toNode[n]) & toNode[n] = DataExclusive
  ==>
    undefine toNode[n];
    cache[n] := cache[n] = WaitM ? M : E;
  end;

  rule "owner shares"
    !isundefined(toNode[n]) & toNode[n] = Forward & isundefined(toDir[n]) & (cache[n] = E | cache[n] = M)
  ==>
    undefine toNode[n];
    send(toDir[n], WriteBack);
    cache[n] := S;
  end;

  -- A node that waits to own the line gives up its old copy and keeps waiting; its request is
  -- in the channel to the directory, which is why the acknowledgement waits for that.
  rule "node is invalidated"
    !isundefined(toNode[n]) & toNode[n] = Inv & isundefined(toDir[n])
  ==>
    undefine toNode[n];
    send(toDir[n], InvAck);
    if cache[n] = S | cache[n] = E | cache[n] = M then
      cache[n] := I;
    end;
  end;

  rule "node is invalidated while it waits"
    !isundefined(toNode[n]) & toNode[n] = Inv & !isundefined(toDir[n]) & toDir[n] = GetM
    & mode = BusyOwn
  ==>
    undefine toNode[n];
    pending := pending - 1;
  end;
end;

invariant "one writer and no readers with it"
  forall a: Node do
    forall b: Node do
      a != b & (cache[a] = M | cache[a] = E) -> cache[b] != M & cache[b] != E & cache[b] != S
    end
  end;

invariant "the owner is known"
  mode = Owned -> !isundefined(owner);
