"""tl.aio.connect: the client for asyncio."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Mapping
from time import monotonic
from typing import TYPE_CHECKING, Callable, Literal, Optional, Union

from .._errors import CallState, Error
from .._typing import Value
from . import fork as _fork
from .base_client import BaseClient, ClientOptions
from .calls import CallOptions, Prepared, Selection
from .client import ConnectOptions, checked_arguments, deadline_of
from .faults import not_sent
from .interceptors import surrounding
from .opening import Opening
from .options import Result, show_options
from .pool import AsyncPool
from .target import Request, Target

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .._schema.schemas import Schema
    from .._schema.services import Service
    from .aio_link import StreamLink


class AsyncClient(BaseClient):
    """A client of one service in an event loop, created by aio.connect.

    Its methods return awaitables; any number of calls may be in flight."""

    _pool: AsyncPool

    def __init__(
        self, service: Service, target: Target, defaults: CallOptions, options: ClientOptions
    ):
        pool = AsyncPool(target, options.pool, options.reconnect, options.retries)
        super().__init__(service, pool, defaults, options)
        self._loop: Optional[asyncio.AbstractEventLoop] = None
        self._is_started = False
        self._starting: Optional[asyncio.Lock] = None  # of a lazy client
        _fork.register(self)

    async def _start(self, deadline: Optional[float]) -> None:
        self._loop = asyncio.get_running_loop()
        await self._pool.detect(self._prefix, self._options.headers, deadline)
        await self._pool.new_link(deadline)
        self._is_started = True

    async def _start_once(self, prepared: Prepared, deadline: Optional[float]) -> None:
        """Connects a lazy client."""
        if not self._is_started:
            self._starting = self._starting or asyncio.Lock()
            async with self._starting:
                if not self._is_started:
                    await self._start(deadline)
        prepared.use(self.protocol)

    def abandon(self) -> None:
        """In a child process: forgets the loop of the parent."""
        self._loop = None

    def call(
        self,
        name: str,
        arguments: Value = (),
        *,
        select: Optional[Selection] = None,
        result: Optional[Result] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Union[float, None, Literal["client"]] = "client",
    ) -> Awaitable[Value]:
        """Like Client.call; returns an awaitable."""
        prepared, options = self._called(name, select, result, headers, timeout)
        return self._invoke(prepared, arguments, options)  # type: ignore[no-any-return]

    async def close(self) -> None:
        """Closes all connections. Pending and later calls raise TransportError."""
        self._pool.close()
        await asyncio.sleep(0)  # the loop closes the sockets

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.close()

    def __repr__(self) -> str:
        return self._description("aio.AsyncClient")

    async def _surrounded(
        self, prepared: Prepared, arguments: Value, options: CallOptions
    ) -> Value:
        call = self._intercepted(prepared, arguments, options)
        with surrounding(self._interceptors, call):
            options = options._replace(headers=call.headers)
            call.result = await self._exchange(prepared, call.arguments, options)
        return call.result

    async def _exchange(self, prepared: Prepared, arguments: Value, options: CallOptions) -> Value:
        state: CallState = "not_sent"
        try:
            deadline = None if options.timeout is None else monotonic() + options.timeout
            if self._is_lazy:
                await self._start_once(prepared, deadline)
            data = prepared.data_of(arguments)
            self._check_loop()
            selection = None if options.select is None else prepared.selection(options.select)
            request = (prepared.name, data, prepared.oneway, options.headers, selection, deadline)
            link: Optional[StreamLink] = self._pool.free_link()  # type: ignore[assignment]
            if link is None:
                event = await self._pool.exchange(Request(*request))
            else:  # fast path
                reply = link.send(request)
                state = "sent"
                try:
                    event = None if reply is None else await reply
                except asyncio.CancelledError:
                    link.abandon_call(reply)
                    raise
            if event is None:
                return None
            state = "answered"
            return prepared.outcome(event, options)
        except Error as error:
            raise self._described(error, state, options.timeout)

    def _check_loop(self) -> None:
        """Raises if the client was connected in another event loop."""
        _fork.check_process()
        loop = asyncio.get_running_loop()
        if self._loop is None:  # after a fork
            self._loop = loop
        elif loop is not self._loop:
            raise Error(
                f"the client of {self.address} was connected in another event loop "
                "(asyncio.run() creates a new one); connect in the running loop",
                code="bad_option",
            )


class Connecting(Opening[AsyncClient]):
    """Result of aio.connect:

    `client = await aio.connect(…)`, or `async with aio.connect(…) as client:`."""

    _advice = (
        "the connection is awaited: "
        "`client = await tl.aio.connect(…)`, or `async with tl.aio.connect(…) as client:`"
    )

    def __init__(self, create: Callable[[], AsyncClient]):
        super().__init__(lambda: _started(create))


async def _started(create: Callable[[], AsyncClient]) -> AsyncClient:
    client = create()
    with not_sent():
        if not client._is_lazy:
            await client._start(deadline_of(client._options.timeout))
    return client


def connect(
    address: str, idl: Schema, service: Optional[str] = None, **options: Unpack[ConnectOptions]
) -> Connecting:
    """Like tl.connect, in a running event loop: await it, or use it in `async with`.

    >>> import asyncio
    >>> import thriftlens as tl
    >>> idl = tl.loads("service Sums { i64 total(1: list<i32> numbers) }")
    >>> async def main():
    ...     async with await tl.aio.serve(idl, "Sums", {"total": sum}) as server:
    ...         async with tl.aio.connect(server.address, idl) as client:
    ...             return await asyncio.gather(client.total([1]), client.total([1, 2]))
    >>> asyncio.run(main())
    [1, 3]
    """
    arguments = checked_arguments(address, idl, service, options)
    return Connecting(lambda: AsyncClient(*arguments))


show_options(connect, ConnectOptions)
for _public in (AsyncClient, Connecting, connect):
    _public.__module__ = "thriftlens.aio"
