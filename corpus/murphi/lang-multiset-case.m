-- Operations on multisets as CMurphi spells them, and Choose.
const CAP: 2;
type
  V: 0..2;
  Msg: record k: enum {req, ack}; v: V; end;
var net: multiset[CAP] of Msg;
    n: 0..5;
startstate "s" begin undefine net; n := 0; end;
ruleset v: V do
 rule "send" MultiSetCount(i: net, true) < CAP ==>
 var m: Msg;
 begin m.k := req; m.v := v; MultiSetAdd(m, net); end;
end;
choose i: net do
  rule "recv" net[i].k = req ==> begin n := (n + net[i].v) % 6; MultiSetRemove(i, net); end;
end;
rule "purge" MultiSetCount(i: net, net[i].v = 0) > 0 ==> begin MultiSetRemovePred(i: net, net[i].v = 0); end;
invariant n <= 5 & MultiSetCount(i: net, net[i].k = ack) = 0;
