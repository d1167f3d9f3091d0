"""Events of server sessions."""

import thriftlens as tl
from thriftlens._rpc.events import HttpEvent
from thriftlens._rpc.handlers import protocol_of


def test_an_event_over_http_has_the_members_of_other_events():
    session = tl._core.Session("server", transport="framed", protocol="binary")
    call = tl.Message("f", "call", 1, b"\0").to_bytes(framed=True)
    session.feed(call)
    event = session.next()
    for name in set(HttpEvent._fields) - {"inner"}:
        assert hasattr(event, name), name
    assert protocol_of(event) == protocol_of(HttpEvent("message", protocol="binary_old"))
