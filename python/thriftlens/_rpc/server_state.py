"""State that the connections of a server share."""

from __future__ import annotations

import asyncio
import contextlib
import ssl
import sys
from dataclasses import InitVar, dataclass
from typing import Callable, Optional, Protocol

from .._schema.schemas import Schema
from .._schema.store import Store
from .budget import Budget
from .execution import Executor
from .log import logger
from .options import Limits, Transport
from .options import Protocol as ProtocolOption
from .router import Router
from .sockets import PIECE
from .users import Users

LOG = logger("thriftlens.server")


class ManagedConnection(Protocol):
    """What a server does with its connections."""

    def finish(self) -> None: ...

    def cancel(self) -> None: ...

    def close_if_idle(self, current_time: float) -> None: ...

    def close_if_reset(self) -> None: ...


@dataclass
class ServerState:
    """State that the connections of a server share."""

    loop: asyncio.AbstractEventLoop
    router: Router
    transport: Transport
    protocol: ProtocolOption
    limits: Limits
    tls: Optional[ssl.SSLContext]
    users: Optional[Users]
    threads: InitVar[int]

    def __post_init__(self, threads: int) -> None:
        self.connections: set[ManagedConnection] = set()
        # Closed connections with oneway calls in flight.
        self.lost: set[ManagedConnection] = set()
        self.budget = Budget(self.limits.in_flight, lambda: len(self.connections) + len(self.lost))
        self.executor = Executor(self.loop, self.budget, threads)
        self._subscription = contextlib.ExitStack()
        # Shared receive buffer; the event loop of Windows fills buffers in the background.
        self.buffer = None if sys.platform == "win32" else memoryview(bytearray(PIECE))

    def follow(self, store: Store, route: Callable[[Schema], Router]) -> None:
        """Further calls use the current schema of the store. Handlers that do not fit a new one
        keep the store from replacing it."""

        def prepare(schema: Schema) -> Callable[[], None]:
            router = route(schema)
            return lambda: setattr(self, "router", router)

        self._subscription.enter_context(store.subscribed(prepare))

    def close(self) -> None:
        self._subscription.close()
        self.executor.shutdown()

    def all_connections(self) -> list[ManagedConnection]:
        return [*self.connections, *self.lost]

    def admit(self, connection: ManagedConnection, peer: object) -> bool:
        """Adds a connection. False: it must be closed, there are too many."""
        if len(self.connections) >= self.limits.connections:
            LOG.warning("a connection of %s was refused: there are %d", peer, len(self.connections))
            return False
        self.connections.add(connection)
        return True
