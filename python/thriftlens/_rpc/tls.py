"""Listening for connections of TLS, which count from before their handshake and not only after it."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import ssl
from typing import Any, Sequence

from .connection import Connection, Shared
from .log import logger

LOG = logger("thriftlens.server")
_HANDSHAKE = 60.0  # seconds, where limits["idle"] is not less
_PAUSE = 0.5  # seconds after a fault of accept: as a rule too many files are open


class TLSListener:
    """Takes the place of an asyncio.Server, whose protocols learn of a connection when its handshake is over."""

    def __init__(self, shared: Shared, sockets: Sequence[socket.socket], backlog: int):
        self._shared = shared
        self._loop = asyncio.get_running_loop()
        self._handshakes: set[asyncio.Task[None]] = set()
        self.sockets = tuple(sockets)
        for each in self.sockets:
            each.setblocking(False)
            each.listen(backlog)
        self._accepting = [self._loop.create_task(self._accept(each)) for each in self.sockets]

    def close(self) -> None:
        for task in (*self._accepting, *self._handshakes):
            task.cancel()
        for each in self.sockets:
            each.close()

    async def _accept(self, listening: socket.socket) -> None:
        while True:
            try:
                stream, peer = await self._loop.sock_accept(listening)
            except OSError as error:
                LOG.warning("no connection can be accepted: %s", error)
                await asyncio.sleep(_PAUSE)
                continue
            shared = self._shared
            if len(shared.connections) >= shared.limits.connections:
                LOG.warning("a connection of %s was refused: there are %d", peer, len(shared.connections))
                stream.close()
                continue
            connection = Connection(shared, self._loop)
            shared.connections.add(connection)
            task = self._loop.create_task(self._shake_hands(connection, stream, peer))
            self._handshakes.add(task)
            task.add_done_callback(self._handshakes.discard)

    async def _shake_hands(self, connection: Connection, stream: socket.socket, peer: Any) -> None:
        shared = self._shared
        seconds = min(_HANDSHAKE, shared.limits.idle)
        try:
            stream.setblocking(False)
            with contextlib.suppress(OSError):  # of a unix socket
                stream.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            await self._loop.connect_accepted_socket(lambda: connection, stream, ssl=shared.tls, ssl_handshake_timeout=seconds)
        except OSError as error:
            LOG.warning("the connection of %s was closed: no TLS handshake: %s", peer, _fault(error))
            self._drop(connection, stream)
        except BaseException:
            self._drop(connection, stream)
            raise

    def _drop(self, connection: Connection, stream: socket.socket) -> None:
        stream.close()
        self._shared.connections.discard(connection)


def _fault(error: OSError) -> str:
    reason = str(getattr(error, "reason", None) or error or type(error).__name__)
    known = {"HTTP_REQUEST": "the client speaks HTTP without TLS", "WRONG_VERSION_NUMBER": "the client does not speak TLS"}
    if isinstance(error, ssl.SSLError) and reason in known:
        return known[reason]
    return reason or type(error).__name__
