-- The lock-free list-based set (Harris, "A Pragmatic Implementation of Non-Blocking
-- Linked-Lists", DISC 2001, in the form of Michael, SPAA 2002).
--
-- A removal marks the pointer in a node, then unlinks the node by a compare-and-swap;
-- walks unlink marked nodes they meet. A pointer and its mark are one word: `next[n]`
-- and `marked[n]` are read and written together. One rule is one access to such a word.
-- A new node is unreachable for other threads until it is linked, so it is filled in the
-- step that links it.
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
  Pc: enum { Idle, Start, Walk, Help, Link, Mark, Unlink };

var
  used: array[Node] of boolean;
  key: array[Node] of Key;
  next: array[Node] of Node;
  marked: array[Node] of boolean;

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
  return key[n] = k & !marked[n];
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
  marked[Head] := false;
  marked[Tail] := false;
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
    pc[t] = Walk & curr[t] != Tail & !marked[curr[t]] & key[curr[t]] < arg[t]
  ==>
    pred[t] := curr[t];
    curr[t] := next[curr[t]];
  end;

  rule "meet a marked node"
    pc[t] = Walk & curr[t] != Tail & marked[curr[t]]
  ==>
    succ[t] := next[curr[t]];
    pc[t] := Help;
  end;

  rule "unlink a marked node"
    pc[t] = Help & next[pred[t]] = curr[t] & !marked[pred[t]]
  ==>
    next[pred[t]] := succ[t];
    commit(t);
    curr[t] := succ[t];
    undefine succ[t];
    pc[t] := Walk;
  end;

  rule "unlink fails"
    pc[t] = Help & (next[pred[t]] != curr[t] | marked[pred[t]])
  ==>
    undefine pred[t];
    undefine curr[t];
    undefine succ[t];
    pc[t] := Start;
  end;

  rule "found"
    pc[t] = Walk & (curr[t] = Tail | !marked[curr[t]]) & key[curr[t]] >= arg[t]
  ==>
    if op[t] = Add & key[curr[t]] != arg[t] then
      pc[t] := Link;
    elsif op[t] = Remove & key[curr[t]] = arg[t] then
      succ[t] := next[curr[t]];
      pc[t] := Mark;
    else
      finish(t, op[t] = Contains & key[curr[t]] = arg[t]);
    end;
  end;

  rule "link fails"
    pc[t] = Link & (next[pred[t]] != curr[t] | marked[pred[t]])
  ==>
    undefine pred[t];
    undefine curr[t];
    pc[t] := Start;
  end;

  rule "mark"
    pc[t] = Mark & next[curr[t]] = succ[t] & !marked[curr[t]]
  ==>
    marked[curr[t]] := true;
    commit(t);
    pc[t] := Unlink;
  end;

  rule "mark fails"
    pc[t] = Mark & (next[curr[t]] != succ[t] | marked[curr[t]])
  ==>
    undefine pred[t];
    undefine curr[t];
    undefine succ[t];
    pc[t] := Start;
  end;

  rule "unlink"
    pc[t] = Unlink
  ==>
    -- A failure is no matter: the next walk unlinks the node.
    if next[pred[t]] = curr[t] & !marked[pred[t]] then
      next[pred[t]] := succ[t];
      commit(t);
    end;
    finish(t, true);
  end;
end;

ruleset t: Thread; n: Node do
  rule "link"
    pc[t] = Link & next[pred[t]] = curr[t] & !marked[pred[t]]
    & !used[n] & (forall m: Node do m < n -> used[m] end)
  ==>
    used[n] := true;
    key[n] := arg[t];
    next[n] := curr[t];
    marked[n] := false;
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
    undefine marked[n];
  end;
end;

invariant "sorted"
  forall n: Node do used[n] & n != Tail -> key[n] < key[next[n]] end;

invariant "no lost node"
  forall n: Node do used[n] & !marked[n] -> reachable(n) end;

invariant "content"
  forall k: Item do content[k] = present(k) end;
