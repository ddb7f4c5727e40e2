-- Home grants exclusive access while there are sharers.
-- (a variant of german.m)

const
  CLIENTS: 2;
  DATA: 2;

type
  Client: scalarset(CLIENTS);
  Data: scalarset(DATA);
  State: enum { Invalid, Shared, Exclusive };
  Request: enum { NoRequest, WantShared, WantExclusive };
  Answer: enum { NoAnswer, Invalidate, GrantShared, GrantExclusive };
  Ack: enum { NoAck, Acknowledge };

var
  state: array[Client] of State;
  copy: array[Client] of Data;
  request: array[Client] of Request;
  answer: array[Client] of Answer;
  answerData: array[Client] of Data;
  ack: array[Client] of Ack;
  ackData: array[Client] of Data;

  -- Home's directory.
  toInvalidate: array[Client] of boolean;
  sharer: array[Client] of boolean;
  exclusive: boolean;
  serving: Request;
  requester: Client;
  memory: Data;

  latest: Data; -- ghost: what was written last

ruleset d: Data do
  startstate "all invalid"
  begin
    for c: Client do
      state[c] := Invalid;
      request[c] := NoRequest;
      answer[c] := NoAnswer;
      ack[c] := NoAck;
      toInvalidate[c] := false;
      sharer[c] := false;
    end;
    exclusive := false;
    serving := NoRequest;
    memory := d;
    latest := d;
  end;
end;

ruleset c: Client do
  rule "ask for shared"
    state[c] = Invalid & request[c] = NoRequest
  ==>
    request[c] := WantShared;
  end;

  rule "ask for exclusive"
    state[c] != Exclusive & request[c] = NoRequest
  ==>
    request[c] := WantExclusive;
  end;

  rule "home begins to serve"
    serving = NoRequest & request[c] != NoRequest
  ==>
    serving := request[c];
    requester := c;
    request[c] := NoRequest;
    for o: Client do
      toInvalidate[o] := sharer[o];
    end;
  end;

  rule "home sends an invalidation"
    toInvalidate[c] & answer[c] = NoAnswer
    & (serving = WantExclusive | serving = WantShared & exclusive)
  ==>
    answer[c] := Invalidate;
    toInvalidate[c] := false;
  end;

  rule "client invalidates"
    answer[c] = Invalidate & ack[c] = NoAck
  ==>
    answer[c] := NoAnswer;
    ack[c] := Acknowledge;
    if state[c] = Exclusive then
      ackData[c] := copy[c];
    end;
    state[c] := Invalid;
    undefine copy[c];
  end;

  rule "home hears of an invalidation"
    ack[c] = Acknowledge & serving != NoRequest
  ==>
    ack[c] := NoAck;
    sharer[c] := false;
    if exclusive then
      exclusive := false;
      memory := ackData[c];
    end;
    undefine ackData[c];
  end;

  rule "home grants shared"
    serving = WantShared & requester = c & !exclusive & answer[c] = NoAnswer
  ==>
    answer[c] := GrantShared;
    answerData[c] := memory;
    sharer[c] := true;
    serving := NoRequest;
    undefine requester;
  end;

  rule "home grants exclusive"
    serving = WantExclusive & requester = c & !exclusive & answer[c] = NoAnswer
  ==>
    answer[c] := GrantExclusive;
    answerData[c] := memory;
    sharer[c] := true;
    exclusive := true;
    serving := NoRequest;
    undefine requester;
  end;

  rule "client receives shared"
    answer[c] = GrantShared
  ==>
    state[c] := Shared;
    copy[c] := answerData[c];
    answer[c] := NoAnswer;
    undefine answerData[c];
  end;

  rule "client receives exclusive"
    answer[c] = GrantExclusive
  ==>
    state[c] := Exclusive;
    copy[c] := answerData[c];
    answer[c] := NoAnswer;
    undefine answerData[c];
  end;

  ruleset d: Data do
    rule "store"
      state[c] = Exclusive
    ==>
      copy[c] := d;
      latest := d;
    end;
  end;
end;

invariant "exclusive means alone"
  forall c: Client do
    forall o: Client do
      c != o & state[c] = Exclusive -> state[o] = Invalid
    end
  end;

invariant "memory is current"
  !exclusive -> memory = latest;

invariant "copies are current"
  forall c: Client do
    state[c] != Invalid -> copy[c] = latest
  end;
