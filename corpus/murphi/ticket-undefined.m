-- The ticket is read before it is known whether there is one.
-- (a variant of ticket.m)

const N: 3;

type
  Proc: scalarset(N);
  Ticket: 0..N - 1;
  Place: enum { Rest, Wait, Critical };

var
  at: array[Proc] of Place;
  mine: array[Proc] of Ticket;
  next: Ticket;
  serving: Ticket;

startstate
begin
  for p: Proc do
    at[p] := Rest;
  end;
  next := 0;
  serving := 0;
end;

ruleset p: Proc do
  rule "take a ticket"
    at[p] = Rest
  ==>
    mine[p] := next;
    next := (next + 1) % N;
    at[p] := Wait;
  end;

  rule "enter"
    mine[p] = serving & at[p] = Wait
  ==>
    at[p] := Critical;
  end;

  rule "leave"
    at[p] = Critical
  ==>
    serving := (serving + 1) % N;
    undefine mine[p];
    at[p] := Rest;
  end;
end;

invariant "mutual exclusion"
  forall p: Proc do
    at[p] = Critical -> (forall q: Proc do q != p -> at[q] != Critical end)
  end;

invariant "tickets differ"
  forall p: Proc do
    forall q: Proc do
      p = q | at[p] = Rest | at[q] = Rest | mine[p] != mine[q]
    end
  end;
