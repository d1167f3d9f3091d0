"""A TLS listener whose connections count before their handshake, not only after it."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import ssl
from typing import Sequence

from .connection import Connection
from .log import logger
from .server_state import ServerState

LOG = logger("thriftlens.server")
_HANDSHAKE_TIME = 60.0  # maximum seconds; limits["idle"] may be less
_ACCEPT_PAUSE = 0.5  # seconds after accept has failed, usually because too many files are open


class TLSListener:
    """Replaces an asyncio.Server, whose protocols learn of a connection after its handshake."""

    def __init__(self, server: ServerState, sockets: Sequence[socket.socket], backlog: int):
        self._server = server
        self._loop = server.loop
        self._handshakes: set[asyncio.Task[None]] = set()
        self.sockets = tuple(sockets)
        for listening in self.sockets:
            listening.setblocking(False)
            listening.listen(backlog)
        self._accepting = [
            self._loop.create_task(self._accept(listening)) for listening in self.sockets
        ]

    def close(self) -> None:
        for task in (*self._accepting, *self._handshakes):
            task.cancel()
        for listening in self.sockets:
            listening.close()

    async def _accept(self, listening: socket.socket) -> None:
        while True:
            try:
                stream, peer = await self._loop.sock_accept(listening)
            except OSError as error:
                LOG.warning("no connection can be accepted: %s", error)
                await asyncio.sleep(_ACCEPT_PAUSE)
                continue
            connection = Connection(self._server)
            if not self._server.admit(connection, peer):
                stream.close()
                continue
            task = self._loop.create_task(self._shake_hands(connection, stream, peer))
            self._handshakes.add(task)
            task.add_done_callback(self._handshakes.discard)

    async def _shake_hands(
        self, connection: Connection, stream: socket.socket, peer: object
    ) -> None:
        timeout = min(_HANDSHAKE_TIME, self._server.limits.idle)
        try:
            stream.setblocking(False)
            with contextlib.suppress(OSError):  # a Unix socket
                stream.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            await self._loop.connect_accepted_socket(
                lambda: connection, stream, ssl=self._server.tls, ssl_handshake_timeout=timeout
            )
        except OSError as error:
            LOG.warning(
                "the connection of %s was closed: TLS handshake failed: %s", peer, _reason(error)
            )
            self._drop(connection, stream)
        except BaseException:
            self._drop(connection, stream)
            raise

    def _drop(self, connection: Connection, stream: socket.socket) -> None:
        stream.close()
        self._server.connections.discard(connection)


def _reason(error: OSError) -> str:
    reason = str(getattr(error, "reason", None) or error or type(error).__name__)
    known = {
        "HTTP_REQUEST": "the client speaks HTTP without TLS",
        "WRONG_VERSION_NUMBER": "the client does not speak TLS",
    }
    if isinstance(error, ssl.SSLError) and reason in known:
        return known[reason]
    return reason or type(error).__name__
