-- The producer does not wait for room.
-- (a variant of producer-consumer.m)

const
  SIZE: 3;
  KINDS: 3;

type
  Index: 0..SIZE - 1;
  Item: 0..KINDS - 1;

var
  buffer: array[Index] of Item;
  in_: Index;
  out_: Index;
  count: 0..SIZE;
  produce: Item;
  consume: Item;

startstate
begin
  undefine buffer;
  in_ := 0;
  out_ := 0;
  count := 0;
  produce := 0;
  consume := 0;
end;

rule "produce"
  true
==>
  buffer[in_] := produce;
  produce := (produce + 1) % KINDS;
  in_ := (in_ + 1) % SIZE;
  count := count + 1;
end;

rule "consume"
  count > 0
==>
  if buffer[out_] != consume then
    error "out of order";
  end;
  undefine buffer[out_];
  consume := (consume + 1) % KINDS;
  out_ := (out_ + 1) % SIZE;
  count := count - 1;
end;

invariant "count"
  count = SIZE | (out_ + count) % SIZE = in_;
