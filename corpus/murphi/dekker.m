-- Dekker's algorithm (Dijkstra, "Over de sequentialiteit van procesbeschrijvingen", 1962).

type
  Proc: 0..1;
  Place: enum { Rest, Want, Look, Yield, Back, Critical, Pass };

var
  at: array[Proc] of Place;
  wants: array[Proc] of boolean;
  turn: Proc;

ruleset first: Proc do
  startstate "either may begin"
  begin
    for p: Proc do
      at[p] := Rest;
      wants[p] := false;
    end;
    turn := first;
  end;
end;

ruleset p: Proc do
  rule "want"
    at[p] = Rest
  ==>
    wants[p] := true;
    at[p] := Look;
  end;

  rule "enter"
    at[p] = Look & !wants[1 - p]
  ==>
    at[p] := Critical;
  end;

  rule "conflict"
    at[p] = Look & wants[1 - p] & turn != p
  ==>
    at[p] := Yield;
  end;

  rule "withdraw"
    at[p] = Yield
  ==>
    wants[p] := false;
    at[p] := Back;
  end;

  rule "try again"
    at[p] = Back & turn = p
  ==>
    wants[p] := true;
    at[p] := Look;
  end;

  rule "pass the turn"
    at[p] = Critical
  ==>
    turn := 1 - p;
    at[p] := Pass;
  end;

  rule "leave"
    at[p] = Pass
  ==>
    wants[p] := false;
    at[p] := Rest;
  end;
end;

invariant "mutual exclusion"
  exists p: Proc do at[p] != Critical & at[p] != Pass end;
