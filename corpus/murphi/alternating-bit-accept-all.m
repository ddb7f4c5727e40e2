-- The receiver accepts repeated packets.
-- (a variant of alternating-bit.m)

const M: 3;

type
  Data: 0..M - 1;
  Packet: record
    bit: boolean;
    data: Data;
  end;

var
  toReceiver: Packet;
  toSender: boolean;
  sendBit: boolean;
  sendData: Data;
  expectBit: boolean;
  expectData: Data;

startstate
begin
  undefine toReceiver;
  undefine toSender;
  sendBit := false;
  sendData := 0;
  expectBit := false;
  expectData := 0;
end;

rule "send"
  isundefined(toReceiver.bit)
==>
  toReceiver.bit := sendBit;
  toReceiver.data := sendData;
end;

rule "lose packet"
  !isundefined(toReceiver.bit)
==>
  undefine toReceiver;
end;

rule "receive"
  !isundefined(toReceiver.bit) & isundefined(toSender)
==>
  if true then
    assert "in order" toReceiver.data = expectData;
    expectBit := !expectBit;
    expectData := (expectData + 1) % M;
  end;
  toSender := toReceiver.bit;
  undefine toReceiver;
end;

rule "repeat packet"
  !isundefined(toReceiver.bit) & isundefined(toSender)
==>
  if toReceiver.bit = expectBit then
    assert "in order" toReceiver.data = expectData;
    expectBit := !expectBit;
    expectData := (expectData + 1) % M;
  end;
  toSender := toReceiver.bit;
end;

rule "lose acknowledgement"
  !isundefined(toSender)
==>
  undefine toSender;
end;

rule "acknowledged"
  !isundefined(toSender)
==>
  if toSender = sendBit then
    sendBit := !sendBit;
    sendData := (sendData + 1) % M;
  end;
  undefine toSender;
end;

invariant "sender is at most one ahead"
  sendData = expectData | (sendData + 1) % M = expectData;
