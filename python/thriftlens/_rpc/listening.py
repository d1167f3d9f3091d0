"""The result of aio.serve: awaitable, and a context manager."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Awaitable, Callable, Generator, NoReturn, Optional

from .server import Server, serve_here

if TYPE_CHECKING:
    from typing_extensions import ParamSpec

    _P = ParamSpec("_P")


class Listening:
    """Result of aio.serve:

    `server = await aio.serve(…)`, or `async with aio.serve(…) as server:`."""

    def __init__(self, start: Callable[[], Awaitable[Server]]):
        self._start = start
        self._server: Optional[Server] = None

    def __await__(self) -> Generator[object, None, Server]:
        return self._start().__await__()

    async def __aenter__(self) -> Server:
        self._server = await self._start()
        return self._server

    async def __aexit__(self, *error: object) -> None:
        if self._server is not None:
            await self._server.close()

    def __getattr__(self, name: str) -> NoReturn:
        raise AttributeError(
            f"no attribute {name!r} before the server listens: "
            "`server = await tl.aio.serve(…)`, or `async with tl.aio.serve(…) as server:`"
        )


def _listening(start: Callable[_P, Awaitable[Server]]) -> Callable[_P, Listening]:
    @functools.wraps(start)
    def serve(*arguments: _P.args, **options: _P.kwargs) -> Listening:
        return Listening(functools.partial(start, *arguments, **options))

    return serve


serve = _listening(serve_here)
