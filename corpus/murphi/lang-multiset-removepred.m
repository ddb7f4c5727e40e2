-- Removal of all elements of a multiset that satisfy a condition.

var
  bag: multiset[3] of 0..2;

startstate
begin
  undefine bag;
end;

ruleset k: 0..2 do
  rule "add"
    multisetcount(i: bag, true) < 3
  ==>
    multisetadd(k, bag);
  end;

  rule "remove all of a kind"
    multisetcount(i: bag, bag[i] = k) > 0
  ==>
    multisetremovepred(i: bag, bag[i] = k);
  end;
end;

invariant "never more than three"
  multisetcount(i: bag, bag[i] >= 0) <= 3;
