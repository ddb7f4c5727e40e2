-- The turn is given away before the flag is raised: both can enter.
-- (a variant of peterson2.m)

type
  Proc: 0..1;
  Place: enum { Rest, RaiseFlag, GiveWay, Wait, Critical };

var
  at: array[Proc] of Place;
  flag: array[Proc] of boolean;
  turn: Proc;

startstate "at rest"
begin
  for p: Proc do
    at[p] := Rest;
    flag[p] := false;
  end;
  turn := 0;
end;

ruleset p: Proc do
  rule "want"
    at[p] = Rest
  ==>
    at[p] := RaiseFlag;
  end;

  rule "raise flag"
    at[p] = RaiseFlag
  ==>
    turn := 1 - p;
    at[p] := GiveWay;
  end;

  rule "give way"
    at[p] = GiveWay
  ==>
    flag[p] := true;
    at[p] := Wait;
  end;

  rule "enter"
    at[p] = Wait & (!flag[1 - p] | turn = p)
  ==>
    at[p] := Critical;
  end;

  rule "leave"
    at[p] = Critical
  ==>
    flag[p] := false;
    at[p] := Rest;
  end;
end;

invariant "mutual exclusion"
  !(at[0] = Critical & at[1] = Critical);
