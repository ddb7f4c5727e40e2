-- Consensus whose proposers ask a minority.
-- (a variant of paxos.m)

const
  ACCEPTORS: 3;
  BALLOTS: 2;

type
  Acceptor: scalarset(ACCEPTORS);
  Ballot: 1..BALLOTS;
  MaybeBallot: 0..BALLOTS;
  Value: enum { Red, Blue };
  Phase: enum { Idle, Asking, Proposed };

var
  promised: array[Acceptor] of MaybeBallot;
  accepted: array[Acceptor] of MaybeBallot;
  acceptedValue: array[Acceptor] of Value;
  phase: array[Ballot] of Phase;
  proposal: array[Ballot] of Value;
  -- What a promise to a ballot reported: the ballot of the last vote and its value.
  heard: array[Ballot] of array[Acceptor] of boolean;
  heardBallot: array[Ballot] of array[Acceptor] of MaybeBallot;
  heardValue: array[Ballot] of array[Acceptor] of Value;
  vote: array[Ballot] of array[Acceptor] of boolean;

function promises(b: Ballot): 0..ACCEPTORS;
var n: 0..ACCEPTORS;
begin
  n := 0;
  for a: Acceptor do
    if heard[b][a] then
      n := n + 1;
    end;
  end;
  return n;
end;

function chosen(b: Ballot): boolean;
var n: 0..ACCEPTORS;
begin
  n := 0;
  for a: Acceptor do
    if vote[b][a] then
      n := n + 1;
    end;
  end;
  return 2 * n > ACCEPTORS;
end;

-- Whether `v` is the value of the latest vote that was reported to `b`, or any was free to choose.
function safe(b: Ballot; v: Value): boolean;
var latest: MaybeBallot;
begin
  latest := 0;
  for a: Acceptor do
    if heard[b][a] & heardBallot[b][a] > latest then
      latest := heardBallot[b][a];
    end;
  end;
  return latest = 0
    | (exists a: Acceptor do heard[b][a] & heardBallot[b][a] = latest & heardValue[b][a] = v end);
end;

startstate
begin
  for a: Acceptor do
    promised[a] := 0;
    accepted[a] := 0;
  end;
  for b: Ballot do
    phase[b] := Idle;
    for a: Acceptor do
      heard[b][a] := false;
      vote[b][a] := false;
    end;
  end;
end;

ruleset b: Ballot do
  rule "ask"
    phase[b] = Idle
  ==>
    phase[b] := Asking;
  end;

  ruleset a: Acceptor do
    rule "promise"
      phase[b] != Idle & promised[a] < b
    ==>
      promised[a] := b;
      heard[b][a] := true;
      heardBallot[b][a] := accepted[a];
      if accepted[a] != 0 then
        heardValue[b][a] := acceptedValue[a];
      end;
    end;

    rule "accept"
      phase[b] = Proposed & promised[a] <= b & !vote[b][a]
    ==>
      promised[a] := b;
      accepted[a] := b;
      acceptedValue[a] := proposal[b];
      vote[b][a] := true;
    end;
  end;

  ruleset v: Value do
    rule "propose"
      phase[b] = Asking & promises(b) > 0 & safe(b, v)
    ==>
      proposal[b] := v;
      phase[b] := Proposed;
    end;
  end;
end;

rule "idle"
  true
==>
end;

invariant "one value is chosen"
  forall b: Ballot do
    forall c: Ballot do
      chosen(b) & chosen(c) -> proposal[b] = proposal[c]
    end
  end;
