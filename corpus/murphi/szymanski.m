-- Szymanski's algorithm ("A simple solution to Lamport's concurrent programming problem with
-- linear wait", 1988); each wait looks at all flags in one step.

const N: 3;

type
  Proc: 1..N;
  Flag: 0..4;
  Place: enum { Rest, Intend, WaitingRoom, DoorDecide, DoorWait, Close, Order, Critical, Exit };

var
  at: array[Proc] of Place;
  flag: array[Proc] of Flag;

startstate
begin
  for p: Proc do
    at[p] := Rest;
    flag[p] := 0;
  end;
end;

ruleset p: Proc do
  rule "intend"
    at[p] = Rest
  ==>
    flag[p] := 1;
    at[p] := Intend;
  end;

  rule "door is open"
    at[p] = Intend & forall q: Proc do flag[q] <= 2 end
  ==>
    at[p] := WaitingRoom;
  end;

  rule "stand in the doorway"
    at[p] = WaitingRoom
  ==>
    flag[p] := 3;
    at[p] := DoorDecide;
  end;

  rule "let another in"
    at[p] = DoorDecide & exists q: Proc do flag[q] = 1 end
  ==>
    flag[p] := 2;
    at[p] := DoorWait;
  end;

  rule "no other intends"
    at[p] = DoorDecide & forall q: Proc do flag[q] != 1 end
  ==>
    at[p] := Close;
  end;

  rule "door was closed by another"
    at[p] = DoorWait & exists q: Proc do flag[q] = 4 end
  ==>
    at[p] := Close;
  end;

  rule "close the door"
    at[p] = Close
  ==>
    flag[p] := 4;
    at[p] := Order;
  end;

  rule "lower ones first"
    at[p] = Order & forall q: Proc do q < p -> flag[q] <= 1 end
  ==>
    at[p] := Critical;
  end;

  rule "leave"
    at[p] = Critical
  ==>
    at[p] := Exit;
  end;

  rule "higher ones have passed the door"
    at[p] = Exit & forall q: Proc do q > p -> flag[q] <= 1 | flag[q] = 4 end
  ==>
    flag[p] := 0;
    at[p] := Rest;
  end;
end;

invariant "mutual exclusion"
  forall p: Proc do
    forall q: Proc do
      p < q -> !(at[p] = Critical & at[q] = Critical)
    end
  end;
