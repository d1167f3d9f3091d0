"""The users of a server, for SASL PLAIN and HTTP Basic."""

from __future__ import annotations

import asyncio
import base64
import binascii
import concurrent.futures
import hmac
import inspect
from typing import Awaitable, Callable, Mapping, Optional, Union

from .._text import shown
from .log import logger

LOG = logger("thriftlens.server")

Check = Callable[[str, str], Union[bool, Awaitable[bool]]]
UsersLike = Union[Mapping[str, str], Check]


class Users:
    """A dict of passwords by user, or a function of (user, password) that accepts users."""

    def __init__(self, users: UsersLike):
        if not isinstance(users, Mapping) and not callable(users):
            raise TypeError(
                "users must be a dict of passwords by user, or a function of (user, password), "
                f"not {shown(users)}"
            )
        if isinstance(users, dict) and not all(
            isinstance(text, str) for pair in users.items() for text in pair
        ):
            raise TypeError("users must be a dict of passwords by user, both of type str")
        self._users = users

    async def knows(
        self, user: str, password: str, pool: Optional[concurrent.futures.Executor]
    ) -> bool:
        """Whether the user is accepted.

        A plain function runs in the pool. If it raises, the user is rejected."""
        if isinstance(self._users, Mapping):
            known = self._users.get(user)
            expected = known if known is not None else password + "x"
            return is_same_secret(password, expected) and known is not None
        try:
            if inspect.iscoroutinefunction(self._users) or pool is None:
                answer = self._users(user, password)
            else:
                answer = await asyncio.get_running_loop().run_in_executor(
                    pool, self._check_in_thread, user, password
                )
            return (await answer if inspect.isawaitable(answer) else answer) is True
        except asyncio.CancelledError:
            raise
        except BaseException:
            LOG.exception("the check of a user failed")
            return False

    def _check_in_thread(self, user: str, password: str) -> Union[bool, Awaitable[bool]]:
        """Some exceptions, such as StopIteration, cannot be raised through a future."""
        try:
            return self._users(user, password)  # type: ignore[operator]
        except BaseException:
            LOG.exception("the check of a user failed")
            return False


def is_same_secret(secret: str, expected: str) -> bool:
    """Compares in constant time."""
    return hmac.compare_digest(
        secret.encode(errors="surrogateescape"), expected.encode(errors="surrogateescape")
    )


def basic_credentials(header: str) -> Optional[tuple[str, str]]:
    """User and password of `Authorization: Basic …`; None for other headers."""
    scheme, _, text = header.strip().partition(" ")
    if scheme.lower() != "basic":
        return None
    try:
        user, colon, password = (
            base64.b64decode(text.strip(), validate=True).decode().partition(":")
        )
    except (binascii.Error, UnicodeDecodeError):
        return None
    return (user, password) if colon and user else None
