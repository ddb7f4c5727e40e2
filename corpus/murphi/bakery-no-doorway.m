-- Numbers are computed before they are written, and other processes do not wait for that.
-- (a variant of bakery.m)

const
  N: 3;
  MAX: 4;

type
  Proc: 1..N;
  Number: 0..MAX;
  Place: enum { Rest, Choose, Wait, Critical };

var
  at: array[Proc] of Place;
  drawn: array[Proc] of Number;
  number: array[Proc] of Number;

function largest(): Number;
var best: Number;
begin
  best := 0;
  for p: Proc do
    if number[p] > best then
      best := number[p];
    end;
  end;
  return best;
end;

function before(p: Proc; q: Proc): boolean;
begin
  return number[p] < number[q] | (number[p] = number[q] & p < q);
end;

startstate
begin
  for p: Proc do
    at[p] := Rest;
    number[p] := 0;
    drawn[p] := 0;
  end;
end;

ruleset p: Proc do
  rule "enter the doorway"
    at[p] = Rest
  ==>
    if largest() < MAX then
      drawn[p] := largest() + 1;
      at[p] := Choose;
    end;
  end;

  rule "draw a number"
    at[p] = Choose & largest() < MAX
  ==>
    number[p] := drawn[p];
    at[p] := Wait;
  end;

  rule "numbers are used up"
    at[p] = Choose & largest() = MAX
  ==>
    at[p] := Rest;
  end;

  rule "enter"
    at[p] = Wait
    & (forall q: Proc do
         q = p | (number[q] = 0 | before(p, q))
       end)
  ==>
    at[p] := Critical;
  end;

  rule "leave"
    at[p] = Critical
  ==>
    number[p] := 0;
    at[p] := Rest;
  end;
end;

invariant "mutual exclusion"
  forall p: Proc do
    forall q: Proc do
      p != q -> at[p] != Critical | at[q] != Critical
    end
  end;
