-- Keywords in any case, a comma after the last member, nested records, aliases over rules.
CONST N : 2; M: -3;
TYPE
  Proc : ScalarSet(N);
  Idx : 0..3;
  St : Enum { Idle, Busy, Done, };
  Rec : Record inner : Record x, y : Idx; End; flag : Boolean; EndRecord;
VAR a : Array [ Proc ] Of St;
    r : array[Idx] of Rec;
    b : boolean;
Ruleset i: Proc; j: Idx Do
  Alias x: a[i]; y : r[j].inner Do
  Rule "step" x = Idle & y.x < 3 ==> 
  Var tmp : Idx;
  Begin tmp := y.x; x := Busy; y.x := tmp + 1; EndRule;
  EndAlias;
EndRuleset;
RuleSet i : Proc Do Rule "back" a[i] = Busy ==> Begin a[i] := Idle; b := !b; End; End;
Startstate "init" 
Begin
  For i : Proc Do a[i] := Idle; EndFor;
  For j : 0..3 Do r[j].inner.x := 0; r[j].inner.y := 0; r[j].flag := FALSE; EndFor;
  for k := 0 to 3 by 2 do r[k].flag := TRUE; end;
  b := False;
EndStartstate;
Invariant "x" Forall i : Proc Do a[i] != Done EndForall;
Invariant "some" Exists j : Idx Do r[j].flag EndExists;
