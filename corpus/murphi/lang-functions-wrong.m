-- The largest element is chosen instead of the smallest.
-- (a variant of lang-functions.m)

type
  Index: 0..3;
  Value: 0..3;

var
  a: array[Index] of Value;
  turns: 0..3;

procedure swap(var x: Value; var y: Value);
var old: Value;
begin
  old := x;
  x := y;
  y := old;
end;

function sorted(): boolean;
begin
  for i := 0 to 2 do
    if a[i] > a[i + 1] then
      return false;
    end;
  end;
  return true;
end;

function smallest(from: Index): Index;
var best: Index;
begin
  best := from;
  for i := from to 3 do
    if a[i] > a[best] then
      best := i;
    end;
  end;
  return best;
end;

procedure step(k: Index);
begin
  if k = smallest(k) then
    return;
  end;
  swap(a[k], a[smallest(k)]);
end;

startstate "descending"
begin
  for i: Index do
    a[i] := 3 - i;
  end;
  turns := 0;
end;

startstate "rotated"
begin
  for i: Index do
    a[i] := (i + 2) % 4;
  end;
  turns := 0;
end;

rule "sort one"
  turns < 3
==>
  step(turns);
  turns := turns + 1;
end;

rule "again"
  turns = 3
==>
  swap(a[0], a[3]);
  turns := 0;
end;

invariant "sorted at the end"
  turns = 3 -> sorted();

invariant "a permutation"
  forall v: Value do exists i: Index do a[i] = v end end;
