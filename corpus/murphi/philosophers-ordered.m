-- Dining philosophers who pick up the fork with the smaller number first.
-- (a variant of philosophers.m)

const N: 4;

type
  Seat: 0..N - 1;
  Mood: enum { Thinking, HasLeft, Eating };

var
  mood: array[Seat] of Mood;
  free: array[Seat] of boolean;

startstate
begin
  for s: Seat do
    mood[s] := Thinking;
    free[s] := true;
  end;
end;

ruleset s: Seat do
  alias
    left: free[s = N - 1 ? 0 : s];
    right: free[s = N - 1 ? N - 1 : s + 1];
  do
    rule "pick up left"
      mood[s] = Thinking & left
    ==>
      left := false;
      mood[s] := HasLeft;
    end;

    rule "pick up right"
      mood[s] = HasLeft & right
    ==>
      right := false;
      mood[s] := Eating;
    end;

    rule "put down"
      mood[s] = Eating
    ==>
      left := true;
      right := true;
      mood[s] := Thinking;
    end;
  end;
end;

invariant "neighbours do not eat together"
  forall s: Seat do
    mood[s] != Eating | mood[(s + 1) % N] != Eating
  end;
