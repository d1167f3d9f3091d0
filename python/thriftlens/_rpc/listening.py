"""aio.serve, whose result is awaited or used in `async with`."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Awaitable, Callable

from .opening import Opening
from .server import Server, serve_here

if TYPE_CHECKING:
    from typing_extensions import ParamSpec

    _P = ParamSpec("_P")


class Listening(Opening[Server]):
    """Result of aio.serve:

    `server = await aio.serve(…)`, or `async with aio.serve(…) as server:`."""

    _advice = (
        "the server listens: "
        "`server = await tl.aio.serve(…)`, or `async with tl.aio.serve(…) as server:`"
    )


def _listening(start: Callable[_P, Awaitable[Server]]) -> Callable[_P, Listening]:
    @functools.wraps(start)
    def serve(*arguments: _P.args, **options: _P.kwargs) -> Listening:
        return Listening(functools.partial(start, *arguments, **options))

    return serve


serve = _listening(serve_here)
