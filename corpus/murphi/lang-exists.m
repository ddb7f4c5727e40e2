-- Quantifiers over ranges with bounds and steps, nested, and over booleans.

var
  bit: array[boolean] of boolean;
  n: 0..6;

startstate
begin
  for b: boolean do
    bit[b] := b;
  end;
  n := 0;
end;

rule "up"
  exists i: 0..6 do i > n & i % 2 = 0 end
==>
  n := n + 1;
end;

rule "exchange"
  forall b: boolean do bit[b] = b end
==>
  for b: boolean do
    bit[b] := !b;
  end;
end;

rule "back"
  !(exists b: boolean do bit[b] = b end)
==>
  for b: boolean do
    bit[b] := b;
  end;
  n := 0;
end;

invariant "both or none"
  (forall b: boolean do bit[b] = b end) | (forall b: boolean do bit[b] != b end);

invariant "some even number is near"
  exists i := 0 to 6 by 2 do i = n | i = n + 1 end;
