"""Results of aio.connect and aio.serve: awaitable, and context managers."""

from __future__ import annotations

from collections.abc import Awaitable, Generator
from typing import Callable, ClassVar, Generic, NoReturn, Optional, Protocol, TypeVar


class _Closable(Protocol):
    async def close(self) -> None: ...


_T = TypeVar("_T", bound=_Closable)


class Opening(Generic[_T]):
    """Opens a client or a server when it is awaited. At the end of `async with`, closes it."""

    _advice: ClassVar[str]
    """When its attributes exist, and how to get there; for errors."""

    def __init__(self, start: Callable[[], Awaitable[_T]]):
        self._start = start
        self._opened: Optional[_T] = None

    def __await__(self) -> Generator[object, None, _T]:
        return self._start().__await__()

    async def __aenter__(self) -> _T:
        self._opened = await self._start()
        return self._opened

    async def __aexit__(self, *error: object) -> None:
        if self._opened is not None:
            await self._opened.close()

    def __getattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"no attribute {name!r} before {self._advice}")
