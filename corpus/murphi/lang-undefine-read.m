-- An invariant reads a field that may be undefined.
-- (a variant of lang-undefine.m)

type
  Cell: record value: 0..2; next: 0..1; end;

var
  a: Cell;
  b: Cell;

startstate
begin
  undefine a;
  undefine b;
end;

ruleset v: 0..2 do
  rule "set value"
    isundefined(a.value)
  ==>
    a.value := v;
  end;
end;

rule "set next"
  isundefined(a.next)
==>
  a.next := 1;
end;

rule "copy the record, undefined parts included"
  !isundefined(a.value) | !isundefined(a.next)
==>
  b := a;
end;

rule "forget"
  !isundefined(a.value) & !isundefined(a.next)
==>
  undefine a;
end;

rule "clear"
  isundefined(a.value) & isundefined(b.value)
==>
  clear b;
end;

invariant "next is one or the lowest"
  b.next = 1 | b.next = 0;
