-- Writers do not wait for readers.
-- (a variant of readers-writers.m)

const N: 3;

type
  Proc: scalarset(N);
  Place: enum { Rest, Reading, Writing };

var
  at: array[Proc] of Place;
  readers: 0..N;
  writing: boolean;

startstate
begin
  for p: Proc do
    at[p] := Rest;
  end;
  readers := 0;
  writing := false;
end;

ruleset p: Proc do
  rule "start to read"
    at[p] = Rest & !writing
  ==>
    readers := readers + 1;
    at[p] := Reading;
  end;

  rule "stop to read"
    at[p] = Reading
  ==>
    readers := readers - 1;
    at[p] := Rest;
  end;

  rule "start to write"
    at[p] = Rest & !writing
  ==>
    writing := true;
    at[p] := Writing;
  end;

  rule "stop to write"
    at[p] = Writing
  ==>
    writing := false;
    at[p] := Rest;
  end;
end;

invariant "writers are alone"
  forall p: Proc do
    at[p] = Writing -> forall q: Proc do p = q | at[q] = Rest end
  end;
