-- Switch with several values in a case, and with an else.

type
  Day: enum { Mon, Tue, Wed, Thu, Fri, Sat, Sun };

var
  today: Day;
  rest: boolean;
  worked: 0..5;

startstate
begin
  today := Mon;
  rest := false;
  worked := 0;
end;

rule "next day"
  true
==>
  switch today
  case Mon: today := Tue;
  case Tue: today := Wed;
  case Wed: today := Thu;
  case Thu: today := Fri;
  case Fri: today := Sat;
  case Sat: today := Sun;
  else today := Mon;
  end;
  switch today
  case Sat, Sun:
    rest := true;
    worked := 0;
  else
    rest := false;
  end;
end;

rule "work"
  !rest & worked < 5
==>
  worked := worked + 1;
end;

invariant "weekends are free"
  (today = Sat | today = Sun) = rest;
