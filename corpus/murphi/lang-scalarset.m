-- Two scalarset types and arrays between them: any bijection of keys to owners.

const
  KEYS: 3;
  OWNERS: 3;

type
  Key: scalarset(KEYS);
  Owner: scalarset(OWNERS);

var
  held: array[Key] of Owner;
  busy: array[Owner] of boolean;

startstate
begin
  undefine held;
  for o: Owner do
    busy[o] := false;
  end;
end;

ruleset k: Key; o: Owner do
  rule "acquire"
    isundefined(held[k]) & !busy[o]
  ==>
    held[k] := o;
    busy[o] := true;
  end;

  rule "release"
    !isundefined(held[k]) & held[k] = o
  ==>
    undefine held[k];
    busy[o] := false;
  end;
end;

invariant "keys have different owners"
  forall a: Key do
    forall b: Key do
      a = b | isundefined(held[a]) | isundefined(held[b]) | held[a] != held[b]
    end
  end;
