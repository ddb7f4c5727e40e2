-- The filter lock for four processes.
-- (a variant of peterson-n.m)

const N: 4;

type
  Proc: scalarset(N);
  Level: 0..N - 1;
  Place: enum { Rest, Announce, Post, Watch, Critical };

var
  at: array[Proc] of Place;
  level: array[Proc] of Level;
  last: array[Level] of Proc;

startstate
begin
  for p: Proc do
    at[p] := Rest;
    level[p] := 0;
  end;
end;

ruleset p: Proc do
  rule "want"
    at[p] = Rest
  ==>
    at[p] := Announce;
  end;

  rule "announce the next level"
    at[p] = Announce
  ==>
    level[p] := level[p] + 1;
    at[p] := Post;
  end;

  rule "come last"
    at[p] = Post
  ==>
    last[level[p]] := p;
    at[p] := Watch;
  end;

  rule "pass"
    at[p] = Watch
    & (last[level[p]] != p | (forall q: Proc do q = p | level[q] < level[p] end))
  ==>
    if level[p] = N - 1 then
      at[p] := Critical;
    else
      at[p] := Announce;
    end;
  end;

  rule "leave"
    at[p] = Critical
  ==>
    level[p] := 0;
    at[p] := Rest;
  end;
end;

invariant "mutual exclusion"
  forall p: Proc do
    forall q: Proc do
      p = q | !(at[p] = Critical & at[q] = Critical)
    end
  end;
