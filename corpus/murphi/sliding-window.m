-- Go-back-N with a window of two and sequence numbers modulo three, over two queues of length
-- two that lose messages at the head but keep the order.

const
  WINDOW: 2;
  SEQ: 3;
  LEN: 2;

type
  Number: 0..SEQ - 1;
  Count: 0..LEN;
  Queue: record
    length: Count;
    slot: array[0..LEN - 1] of Number;
  end;

var
  data: Queue;
  acks: Queue;
  base: Number;        -- the first number that is not acknowledged
  inFlight: 0..WINDOW; -- sent from base on
  again: 0..WINDOW;    -- how many of these have been sent in this turn
  expected: Number;
  ahead: 0..WINDOW;    -- ghost: accepted but not acknowledged

procedure push(var q: Queue; n: Number);
begin
  assert "room" q.length < LEN;
  q.slot[q.length] := n;
  q.length := q.length + 1;
end;

procedure pop(var q: Queue);
begin
  for i: 0..LEN - 2 do
    if i + 1 < q.length then
      q.slot[i] := q.slot[i + 1];
    end;
  end;
  q.length := q.length - 1;
  undefine q.slot[q.length];
end;

startstate
begin
  data.length := 0;
  undefine data.slot;
  acks.length := 0;
  undefine acks.slot;
  base := 0;
  inFlight := 0;
  again := 0;
  expected := 0;
  ahead := 0;
end;

rule "widen"
  inFlight < WINDOW
==>
  inFlight := inFlight + 1;
end;

rule "send"
  again < inFlight & data.length < LEN
==>
  push(data, (base + again) % SEQ);
  again := again + 1;
end;

rule "time out"
  again = inFlight & again > 0
==>
  again := 0;
end;

rule "receive"
  data.length > 0 & acks.length < LEN
==>
  if data.slot[0] = expected then
    assert "not ahead of the sender" ahead < inFlight;
    expected := (expected + 1) % SEQ;
    ahead := ahead + 1;
  end;
  push(acks, expected);
  pop(data);
end;

rule "acknowledge"
  acks.length > 0
==>
  -- An acknowledgement names the next expected number.
  if acks.slot[0] != base then
    for k: 1..WINDOW do
      if (base + k) % SEQ = acks.slot[0] & k <= inFlight then
        base := (base + k) % SEQ;
        inFlight := inFlight - k;
        again := again > k ? again - k : 0;
        assert "was accepted" ahead >= k;
        ahead := ahead - k;
        undefine acks.slot[0];
        acks.slot[0] := base;
      end;
    end;
  end;
  pop(acks);
end;

rule "lose data"
  data.length > 0
==>
  pop(data);
end;

rule "lose acknowledgement"
  acks.length > 0
==>
  pop(acks);
end;

invariant "receiver is within the window"
  (base + ahead) % SEQ = expected;
