-- Arithmetic on a byte: multiplication, division, remainder, and the conditional expression.

var
  word: 0..255;
  parity: boolean;

startstate
begin
  word := 1;
  parity := true;
end;

rule "shift"
  true
==>
  word := (word * 2) % 256 + word / 128;
end;

rule "flip the lowest bit"
  word < 128
==>
  word := word % 2 = 0 ? word + 1 : word - 1;
  parity := !parity;
end;

invariant "a byte"
  (word % 256) = word;
