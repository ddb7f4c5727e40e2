-- The sleeping barber: one chair for cutting, some for waiting; customers leave if all are
-- occupied.

const
  CUSTOMERS: 3;
  CHAIRS: 2;

type
  Customer: scalarset(CUSTOMERS);
  Place: enum { Outside, Waiting, Cutting, Leaving };

var
  at: array[Customer] of Place;
  asleep: boolean;
  chair: Customer;
  waiting: 0..CHAIRS;

startstate
begin
  for c: Customer do
    at[c] := Outside;
  end;
  asleep := true;
  undefine chair;
  waiting := 0;
end;

ruleset c: Customer do
  rule "wake the barber"
    at[c] = Outside & asleep
  ==>
    asleep := false;
    chair := c;
    at[c] := Cutting;
  end;

  rule "wait"
    at[c] = Outside & !asleep & waiting < CHAIRS
  ==>
    waiting := waiting + 1;
    at[c] := Waiting;
  end;

  rule "turn away"
    at[c] = Outside & !asleep & waiting = CHAIRS
  ==>
    at[c] := Leaving;
  end;

  rule "call in"
    at[c] = Waiting & isundefined(chair) & !asleep
  ==>
    waiting := waiting - 1;
    chair := c;
    at[c] := Cutting;
  end;

  rule "finish"
    at[c] = Cutting
  ==>
    assert "the customer in the chair" chair = c;
    undefine chair;
    at[c] := Leaving;
  end;

  rule "leave"
    at[c] = Leaving
  ==>
    at[c] := Outside;
  end;
end;

rule "fall asleep"
  isundefined(chair) & waiting = 0 & !asleep
==>
  asleep := true;
end;

invariant "one at a time"
  forall c: Customer do
    forall d: Customer do
      c = d | at[c] != Cutting | at[d] != Cutting
    end
  end;

invariant "the barber does not sleep through it"
  asleep -> waiting = 0;
