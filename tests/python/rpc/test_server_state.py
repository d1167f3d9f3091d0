"""State that the connections of a server share."""

import asyncio
import logging

from thriftlens._rpc.options import Limits
from thriftlens._rpc.server_state import ServerState


def test_connections_above_the_limit_are_refused(caplog):
    caplog.set_level(logging.WARNING, "thriftlens.server")
    loop = asyncio.new_event_loop()
    limits = Limits(connections=2)
    state = ServerState(loop, None, "auto", "auto", limits, None, None, 0)
    first, second, third = object(), object(), object()
    assert state.admit(first, "a") and state.admit(second, "b") and not state.admit(third, "c")
    assert "a connection of c was refused: there are 2" in caplog.text
    state.connections.discard(first)
    state.lost.add(first)
    assert state.admit(third, "c"), "lost connections do not count"
    assert set(state.all_connections()) == {first, second, third}
    assert state.budget.share == limits.in_flight // 3
    loop.close()
