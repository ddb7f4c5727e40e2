-- A multiset gets more elements than it has room for.
-- (a variant of lang-multiset.m)

const N: 3;

type
  Kind: enum { Ping, Pong };
  Message: record kind: Kind; hop: 0..1; end;

var
  net: multiset[N] of Message;
  sent: 0..N;

startstate
begin
  undefine net;
  sent := 0;
end;

rule "send"
  true
==>
var m: Message;
begin
  m.kind := Ping;
  m.hop := 0;
  multisetadd(m, net);
  sent := sent + 1;
end;

choose i: net do
  rule "answer"
    net[i].kind = Ping
  ==>
  var m: Message;
  begin
    m.kind := Pong;
    m.hop := 1 - net[i].hop;
    multisetremove(i, net);
    multisetadd(m, net);
  end;

  rule "receive"
    net[i].kind = Pong
  ==>
    multisetremove(i, net);
    sent := sent - 1;
  end;
end;

invariant "as many as were sent"
  multisetcount(i: net, true) = sent;

invariant "pongs have hopped"
  multisetcount(i: net, net[i].kind = Pong & net[i].hop = 0) = 0;
