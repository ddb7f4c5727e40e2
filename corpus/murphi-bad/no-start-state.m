var x: 0..3;
rule
  x < 3
==>
  x := x + 1;
end;
