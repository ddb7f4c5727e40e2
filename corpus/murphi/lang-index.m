-- An index outside an array.

type Index: 0..3;

var
  a: array[Index] of boolean;
  i: 0..5;

startstate
begin
  for k: Index do
    a[k] := false;
  end;
  i := 0;
end;

rule "next"
  i < 5 & !a[i]
==>
  a[i] := true;
  i := i + 1;
end;
