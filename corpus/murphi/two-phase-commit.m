-- Two-phase commit (Gray, "Notes on data base operating systems", 1978): a coordinator asks,
-- participants vote, and all that decide decide the same.

const N: 3;

type
  Part: scalarset(N);
  PState: enum { Working, Prepared, Committed, Aborted };
  CState: enum { Collecting, Commit, Abort };

var
  part: array[Part] of PState;
  voted: array[Part] of boolean;
  coord: CState;

startstate
begin
  for p: Part do
    part[p] := Working;
    voted[p] := false;
  end;
  coord := Collecting;
end;

ruleset p: Part do
  rule "vote yes"
    part[p] = Working
  ==>
    part[p] := Prepared;
    voted[p] := true;
  end;

  rule "abort alone"
    part[p] = Working
  ==>
    part[p] := Aborted;
  end;

  rule "hear commit"
    coord = Commit & part[p] = Prepared
  ==>
    part[p] := Committed;
  end;

  rule "hear abort"
    coord = Abort & part[p] != Aborted
  ==>
    part[p] := Aborted;
  end;
end;

rule "decide to commit"
  coord = Collecting & forall p: Part do voted[p] end
==>
  coord := Commit;
end;

rule "decide to abort"
  coord = Collecting
==>
  coord := Abort;
end;

rule "rest"
  forall p: Part do part[p] = Committed | part[p] = Aborted end
==>
end;

invariant "agreement"
  forall p: Part do
    forall q: Part do
      !(part[p] = Committed & part[q] = Aborted)
    end
  end;

cover "some transaction commits"
  forall p: Part do part[p] = Committed end;
