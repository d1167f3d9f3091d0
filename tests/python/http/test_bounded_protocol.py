"""Bounds of uvicorn's connections: their number, and the time of a request's head."""

from types import SimpleNamespace

import pytest

pytest.importorskip("uvicorn")
from thriftlens._http.bounded_protocol import _Bounded, bounded_protocol  # noqa: E402


class Base:
    """Stands in for the protocol of uvicorn."""

    def __init__(self, connections=()):
        self.server_state = SimpleNamespace(connections=set(connections))
        self.cycle, self.lost = None, False
        self.timers = []
        self.loop = SimpleNamespace(call_later=self.call_later)

    def call_later(self, seconds, action):
        timer = SimpleNamespace(action=action, is_cancelled=False)
        timer.cancel = lambda: setattr(timer, "is_cancelled", True)
        self.timers.append(timer)
        return timer

    def connection_made(self, transport):
        self.transport = transport

    def connection_lost(self, exc):
        self.lost = True

    def data_received(self, data):
        if data.endswith(b"\r\n\r\n"):
            self.cycle = SimpleNamespace(response_complete=False)

    def on_response_complete(self):
        self.cycle.response_complete = True


class Bounded(_Bounded, Base):
    _connections = 2


class Transport:
    is_aborted = False

    def abort(self):
        self.is_aborted = True


def test_the_time_of_a_head_is_bounded():
    protocol, transport = Bounded(), Transport()
    protocol.connection_made(transport)
    [timer] = protocol.timers
    protocol.data_received(b"GET / HTTP/1.1\r\n")
    assert not timer.is_cancelled
    timer.action()
    assert transport.is_aborted


def test_the_timer_stops_with_the_head_and_restarts_with_the_response():
    protocol = Bounded()
    protocol.connection_made(Transport())
    protocol.data_received(b"GET / HTTP/1.1\r\n\r\n")
    assert [timer.is_cancelled for timer in protocol.timers] == [True]
    protocol.data_received(b"body")
    protocol.on_response_complete()
    assert [timer.is_cancelled for timer in protocol.timers] == [True, False]
    protocol.connection_lost(None)
    assert protocol.lost and all(timer.is_cancelled for timer in protocol.timers)


def test_connections_above_the_limit_are_closed():
    protocol, transport = Bounded(connections=[1, 2]), Transport()
    protocol.connection_made(transport)
    assert transport.is_aborted and not protocol.timers
    protocol.connection_lost(None)
    assert not protocol.lost, "the protocol never saw it"


def test_the_protocol_of_uvicorn_gets_the_limits(monkeypatch):
    monkeypatch.setenv("THRIFTLENS_HEADER_SECONDS", "2.5")
    protocol = bounded_protocol(7)
    assert (protocol._seconds, protocol._connections) == (2.5, 7)
