-- A written line keeps no value.
-- (a variant of snoop-msi.m)

const
  CPUS: 3;
  VALUES: 2;

type
  Cpu: scalarset(CPUS);
  Value: scalarset(VALUES);
  State: enum { M, S, I };
  Line: record
    state: State;
    value: Value;
  end;

var
  line: array[Cpu] of Line;
  memory: Value;
  latest: Value;

procedure evict(var l: Line);
begin
  if l.state = M then
    memory := l.value;
  end;
  l.state := I;
  undefine l.value;
end;

ruleset v: Value do
  startstate
  begin
    for c: Cpu do
      line[c].state := I;
    end;
    memory := v;
    latest := v;
  end;
end;

ruleset c: Cpu do
  alias l: line[c] do
    rule "read miss"
      l.state = I
    ==>
      for o: Cpu do
        if line[o].state = M then
          memory := line[o].value;
          line[o].state := S;
        end;
      end;
      l.state := S;
      l.value := memory;
    end;

    rule "replace"
      l.state != I
    ==>
      evict(l);
    end;

    ruleset v: Value do
      rule "write"
        true
      ==>
        for o: Cpu do
          if o != c then
            evict(line[o]);
          end;
        end;
        l.state := M;
        latest := v;
      end;
    end;
  end;
end;

invariant "single writer"
  forall a: Cpu do
    line[a].state = M -> forall b: Cpu do a = b | line[b].state = I end
  end;

invariant "current values"
  forall a: Cpu do
    line[a].state != I -> line[a].value = latest
  end;
