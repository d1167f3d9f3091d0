"""Calls and their replies."""

from types import SimpleNamespace

import thriftlens as tl
from captured_packets import CLIENT, Connection, Wire, call, calls, message, outcomes, reply
from thriftlens._capture.calls import Call, Pairing


def test_a_oneway_call_with_a_reply():
    wire = Wire()
    connection = Connection(wire)
    connection.send(0, message("poke", "oneway", 3, {"n": 5}))
    connection.send(1, tl.Message("poke", "reply", 3, b"\0").to_bytes())
    lines, _ = calls(wire.bytes())
    assert outcomes(lines) == [("poke", 3, "oneway")]


def test_oneway_calls_that_are_sent_as_calls():
    """As Go's client does: the IDL marks them oneway, also if all share a sequence id."""
    wire = Wire()
    connection = Connection(wire)
    connection.send(
        0,
        message("poke", "call", 0, {"n": 5})
        + call(0)
        + message("poke", "call", 0, {"n": 6}, prefix="Shop:"),
    )
    connection.send(1, reply(0))
    wire.udp(CLIENT, ("10.0.0.2", 6831), message("poke", "call", 3, {"n": 5}, protocol="compact"))
    lines, _ = calls(wire.bytes())
    assert sorted(outcomes(lines)) == [
        ("Shop:poke", 0, "oneway"),
        ("get", 0, "reply"),
        ("poke", 0, "oneway"),
        ("poke", 3, "oneway"),
    ]


def test_a_reply_belongs_to_the_call_of_its_name():
    """Without the IDL too."""
    pairing = Pairing()

    def message_of(name, kind):
        return SimpleNamespace(message=tl.Message(name, kind, 0, b""))

    poke, get, reply = (
        message_of("poke", "call"),
        message_of("Shop:get", "call"),
        message_of("get", "reply"),
    )
    assert not [*pairing.take(0, poke), *pairing.take(0, get)]
    assert list(pairing.take(1, reply)) == [Call(get, reply)]
    assert list(pairing.finish()) == [Call(poke, None)]


def test_pipelined_calls_answered_in_another_order_and_equal_sequence_ids():
    wire = Wire()
    connection = Connection(wire)
    connection.send(0, call(1) + call(2) + call(3))
    connection.send(1, reply(3, 3) + reply(1, 1) + reply(2, 2))
    connection.send(0, call(0, "first") + call(0, "second"))
    connection.send(1, reply(0, 10) + reply(0, 20))
    lines, _ = calls(wire.bytes())
    assert [line["result"]["success"]["price"] for line in lines] == [3, 1, 2, 10, 20]
    assert [line["sequence_id"] for line in lines[:3]] == [3, 1, 2]
    assert [line["arguments"]["sku"] for line in lines[3:]] == ["first", "second"]
