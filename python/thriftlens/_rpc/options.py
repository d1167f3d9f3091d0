"""What options of clients and servers may be. Wrong ones are errors that name the option, before anything is opened."""

from __future__ import annotations

import numbers
import operator
import os
import ssl
from typing import Any, Mapping, NamedTuple, Optional, Sequence, Union

from .._errors import Error
from .._schema.exceptions import find_near

TLSLike = Union[bool, str, "os.PathLike[str]", ssl.SSLContext, None]
_LONGEST = 2_000_000  # seconds: what poll counts in milliseconds
_CONTEXT = 'context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH); context.load_cert_chain("cert.pem", "key.pem")'


class Whole(NamedTuple):
    """A whole number between two."""

    least: int
    most: int

    def __str__(self) -> str:
        return f"a whole number from {self.least} to {self.most}"

    def check(self, what: str, given: Any) -> None:
        """Raises TypeError for what is no whole number, an Error for one that is out of bounds."""
        if isinstance(given, bool) or not hasattr(given, "__index__"):
            raise TypeError(f"{what} is {self}, not {given!r}")
        if not self.least <= operator.index(given) <= self.most:
            raise Error(f"{what} is {self}, not {given!r}", code="bad_option")


class Seconds(NamedTuple):
    """A time. none: what None means, where it may be given."""

    can_be_zero: bool = False
    none: str = ""

    def __str__(self) -> str:
        least = "0 or more" if self.can_be_zero else "above 0"
        return f"a number of seconds, {least} and at most {_LONGEST}" + (f" (None: {self.none})" if self.none else "")

    def check(self, what: str, given: Any) -> None:
        """Raises TypeError for what is no number, an Error for one that is out of bounds."""
        if given is None and self.none:
            return
        if isinstance(given, bool) or not isinstance(given, numbers.Real):
            raise TypeError(f"{what} is {self}, not {given!r}")
        seconds = float(given)
        is_in_bounds = 0 <= seconds <= _LONGEST  # not so for NaN
        if not is_in_bounds or (seconds == 0 and not self.can_be_zero):
            raise Error(f"{what} is {self}, not {given!r}", code="bad_option")


Bounds = Mapping[str, Union[Whole, Seconds]]
SESSION: Bounds = {"frame_size": Whole(1, 1 << 40), "header_size": Whole(1, 1 << 30), "calls": Whole(1, (1 << 31) - 2), "depth": Whole(1, 1024)}
TIMEOUT = Seconds(none="without end")
DRAIN = Seconds(can_be_zero=True)
POOL = Whole(1, 10_000)
THREADS = Whole(0, 10_000)


def check_word(what: str, given: Any, known: Sequence[str]) -> None:
    """Raises ValueError that names the nearest."""
    if given not in known:
        near = find_near(str(given), known)
        raise ValueError(f"{what} must be one of {', '.join(map(repr, known))}, not {given!r}" + (f"; did you mean {near!r}?" if near else ""))


def check_limits(given: Any, bounds: Bounds) -> None:
    """Each is known, and within its bounds."""
    if not isinstance(given, Mapping):
        raise TypeError(f"limits is a dict of {', '.join(bounds)}, not {given!r}")
    for name, value in given.items():
        check_word("a limit", name, tuple(bounds))
        bounds[name].check(f"limits[{name!r}]", value)


def check_pairs(what: str, given: Any) -> None:
    """A mapping, or nothing."""
    if given is not None and not isinstance(given, Mapping):
        raise TypeError(f"{what} is a dict, not {given!r}")


def client_context(tls: TLSLike) -> Optional[ssl.SSLContext]:
    """True: the system's authorities; text or a path: a file with those that are trusted."""
    if tls is None or tls is False:
        return None
    if tls is True:
        return ssl.create_default_context()
    if isinstance(tls, ssl.SSLContext):
        if tls.protocol == ssl.PROTOCOL_TLS_SERVER:
            raise Error("tls is a context of servers; a client's is made by ssl.create_default_context()", code="bad_option")
        return tls
    if not isinstance(tls, (str, os.PathLike)):
        raise TypeError(f"tls is True, a file of authorities (PEM) or an ssl.SSLContext, not {tls!r}")
    try:
        return ssl.create_default_context(cafile=tls)
    except ssl.SSLError:
        raise Error(f"tls={os.fspath(tls)!r}: the file holds no certificates in PEM", code="bad_option") from None
    except OSError as error:
        raise Error(f"tls={os.fspath(tls)!r}, a file of authorities: {error.strerror}", code="bad_option") from None


def check_server_context(tls: Any) -> None:
    """A server needs a certificate, which a context has."""
    if tls is None or isinstance(tls, ssl.SSLContext):
        if tls is not None and tls.protocol == ssl.PROTOCOL_TLS_CLIENT:
            raise Error(f"tls is a context of clients; a server's has a certificate: {_CONTEXT}", code="bad_option")
        return
    raise TypeError(f"tls of a server is an ssl.SSLContext with its certificate, not {tls!r}: {_CONTEXT}")
