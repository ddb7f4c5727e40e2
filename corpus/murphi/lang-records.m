-- Records in arrays in records, compared and copied as a whole.

type
  Index: 0..1;
  Point: record x: 0..2; y: 0..2; end;
  Shape: record corner: array[Index] of Point; closed: boolean; end;

var
  shape: Shape;
  saved: Shape;
  has: boolean;

startstate
begin
  clear shape;
  undefine saved;
  has := false;
end;

ruleset i: Index do
  rule "right"
    shape.corner[i].x < 2
  ==>
    shape.corner[i].x := shape.corner[i].x + 1;
  end;

  rule "up"
    shape.corner[i].y < shape.corner[i].x
  ==>
    shape.corner[i].y := shape.corner[i].y + 1;
  end;
end;

rule "close"
  !shape.closed
==>
  shape.closed := true;
end;

rule "save"
  !has
==>
  saved := shape;
  has := true;
end;

rule "restore"
  has & saved != shape
==>
  shape := saved;
  undefine saved;
  has := false;
end;

invariant "below the diagonal"
  forall i: Index do shape.corner[i].y <= shape.corner[i].x end;
