-- Aliases of places and of values, in rules and in bodies.

type
  Slot: 0..2;
  Entry: record full: boolean; age: 0..3; end;

var
  table: array[Slot] of Entry;

startstate
begin
  for s: Slot do
    alias e: table[s] do
      e.full := false;
      e.age := 0;
    end;
  end;
end;

ruleset s: Slot do
  alias e: table[s]; f: e.full do
    rule "fill"
      !f
    ==>
      f := true;
      for o: Slot do
        alias x: table[o] do
          if x.full & o != s & x.age < 3 then
            x.age := x.age + 1;
          end;
        end;
      end;
    end;

    rule "empty the oldest"
      f & forall o: Slot do !table[o].full | table[o].age <= e.age end
    ==>
      f := false;
      e.age := 0;
    end;
  end;
end;

invariant "empty entries have no age"
  forall s: Slot do table[s].full | table[s].age = 0 end;
