-- A lock-free set that is wrong: the compare-and-swaps of the list of Harris (DISC 2001)
-- without its marks. A removal unlinks a node by one compare-and-swap on its predecessor;
-- if the removed node is the predecessor of another operation, that one's change is lost.
-- Compare set-lockfree.m. Expected: "effect of the operation" or "result" fails.
const
  THREADS: 2;
  ITEMS: 2;                 -- keys that can be in the set
  NODES: ITEMS + 1;         -- nodes besides head and tail: one for each key and one to spare
  Head: 0;
  Tail: NODES + 1;

type
  Thread: scalarset(THREADS);
  Node: Head..Tail;
  Item: 1..ITEMS;
  Key: 0..ITEMS + 1;
  Op: enum { Add, Remove, Contains };
  Pc: enum { Idle, Start, Walk, Link, Unlink };

var
  used: array[Node] of boolean;
  key: array[Node] of Key;
  next: array[Node] of Node;

  pc: array[Thread] of Pc;
  op: array[Thread] of Op;
  arg: array[Thread] of Item;
  pred: array[Thread] of Node;
  curr: array[Thread] of Node;
  succ: array[Thread] of Node;

  -- Ghosts: the abstract set, which operations have changed it, and which values the
  -- membership of an operation's key has had since the operation began.
  content: array[Item] of boolean;
  done: array[Thread] of boolean;
  seen: array[Thread] of array[boolean] of boolean;

function present(k: Item): boolean;
var n: Node;
begin
  n := next[Head];
  while key[n] < k do
    n := next[n];
  end;
  return key[n] = k;
end;

function reachable(x: Node): boolean;
var n: Node;
begin
  n := Head;
  while n != x & n != Tail do
    n := next[n];
  end;
  return n = x;
end;

procedure begin_operation(t: Thread; o: Op; k: Item);
begin
  op[t] := o;
  arg[t] := k;
  done[t] := false;
  seen[t][content[k]] := true;
  seen[t][!content[k]] := false;
  pc[t] := Start;
end;

-- What `t` has just written may change the abstract set only as its own operation does.
procedure commit(t: Thread);
begin
  for k: Item do
    if present(k) != content[k] then
      assert "effect of the operation"
        k = arg[t] & !done[t] & op[t] = (content[k] ? Remove : Add);
      content[k] := !content[k];
      done[t] := true;
      for u: Thread do
        if pc[u] != Idle & arg[u] = k then
          seen[u][content[k]] := true;
        end;
      end;
    end;
  end;
end;

procedure finish(t: Thread; r: boolean);
begin
  if op[t] = Contains then
    assert "result of contains" seen[t][r];
  elsif r then
    assert "result of a change" done[t];
  else
    assert "result of an operation that changes nothing" !done[t] & seen[t][op[t] = Add];
  end;
  pc[t] := Idle;
  undefine op[t];
  undefine arg[t];
  undefine pred[t];
  undefine curr[t];
  undefine succ[t];
  undefine done[t];
  undefine seen[t];
end;

startstate "empty set"
begin
  for n: Node do
    used[n] := false;
  end;
  used[Head] := true;
  key[Head] := 0;
  next[Head] := Tail;
  used[Tail] := true;
  key[Tail] := ITEMS + 1;
  for t: Thread do
    pc[t] := Idle;
  end;
  for k: Item do
    content[k] := false;
  end;
end;

ruleset t: Thread; o: Op; k: Item do
  rule "begin"
    pc[t] = Idle
  ==>
    begin_operation(t, o, k);
  end;
end;

ruleset t: Thread do
  rule "start"
    pc[t] = Start
  ==>
    pred[t] := Head;
    curr[t] := next[Head];
    pc[t] := Walk;
  end;

  rule "walk"
    pc[t] = Walk & key[curr[t]] < arg[t]
  ==>
    pred[t] := curr[t];
    curr[t] := next[curr[t]];
  end;

  rule "found"
    pc[t] = Walk & key[curr[t]] >= arg[t]
  ==>
    if op[t] = Add & key[curr[t]] != arg[t] then
      pc[t] := Link;
    elsif op[t] = Remove & key[curr[t]] = arg[t] then
      succ[t] := next[curr[t]];
      pc[t] := Unlink;
    else
      finish(t, op[t] = Contains & key[curr[t]] = arg[t]);
    end;
  end;

  rule "link fails"
    pc[t] = Link & next[pred[t]] != curr[t]
  ==>
    undefine pred[t];
    undefine curr[t];
    pc[t] := Start;
  end;

  rule "unlink"
    pc[t] = Unlink & next[pred[t]] = curr[t]
  ==>
    next[pred[t]] := succ[t];
    commit(t);
    finish(t, true);
  end;

  rule "unlink fails"
    pc[t] = Unlink & next[pred[t]] != curr[t]
  ==>
    undefine pred[t];
    undefine curr[t];
    undefine succ[t];
    pc[t] := Start;
  end;
end;

ruleset t: Thread; n: Node do
  rule "link"
    pc[t] = Link & next[pred[t]] = curr[t]
    & !used[n] & (forall m: Node do m < n -> used[m] end)
  ==>
    used[n] := true;
    key[n] := arg[t];
    next[n] := curr[t];
    next[pred[t]] := n;
    commit(t);
    finish(t, true);
  end;
end;

-- Garbage collection: neither a node nor a thread refers to `n`.
ruleset n: Node do
  rule "collect"
    used[n] & n != Head & n != Tail
    & (forall m: Node do m = Tail | !used[m] | next[m] != n end)
    & (forall t: Thread do isundefined(pred[t]) | pred[t] != n end)
    & (forall t: Thread do isundefined(curr[t]) | curr[t] != n end)
    & (forall t: Thread do isundefined(succ[t]) | succ[t] != n end)
  ==>
    used[n] := false;
    undefine key[n];
    undefine next[n];
  end;
end;

invariant "sorted"
  forall n: Node do used[n] & n != Tail -> key[n] < key[next[n]] end;

invariant "content"
  forall k: Item do content[k] = present(k) end;
