"""Addresses of servers: host:port, unix:/path, http://user:password@host:port/path."""

from __future__ import annotations

import urllib.parse
from typing import NamedTuple, Optional

from .._errors import Error
from .._text import shown

_DEFAULT_PORTS = {"http": 80, "https": 443}


class Address(NamedTuple):
    """A parsed address. kind: "tcp", "unix", "http" or "https"."""

    kind: str
    host: str
    port: int = 0
    path: str = ""
    user: Optional[str] = None
    password: Optional[str] = None

    def __str__(self) -> str:
        """The address without user and password."""
        if self.kind == "unix":
            return f"unix:{self.path}"
        location = host_port(self.host, self.port)
        return f"{self.kind}://{location}{self.path}" if self.is_http else location

    @property
    def is_http(self) -> bool:
        return self.kind in ("http", "https")


def host_port(host: str, port: int) -> str:
    """host:port; an IPv6 address is in brackets."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def parse_address(text: str) -> Address:
    """Parses an address. Raises tl.Error (code bad_address).

    >>> parse_address("[::1]:9083")
    Address(kind='tcp', host='::1', port=9083, path='', user=None, password=None)
    >>> parse_address("ann:s%20cret@hive:10001/cliservice")
    Address(kind='http', host='hive', port=10001, path='/cliservice', user='ann', password='s cret')
    """
    if not isinstance(text, str):
        raise _not_text(text)
    scheme, colon, rest = text.partition(":")
    if scheme == "unix" and colon:
        return _unix(text, rest)
    if "://" not in text:
        return _network(text, "", f"tcp://{text}")
    if scheme not in _DEFAULT_PORTS:
        raise _bad(
            text, f"unknown scheme {scheme!r}; expected host:port, unix:/path, http:// or https://"
        )
    return _network(text, scheme, text)


def _not_text(address: object) -> TypeError:
    is_pair = isinstance(address, (tuple, list)) and len(address) == 2
    example = "{}:{}".format(*address) if is_pair else "host:9083"  # type: ignore[misc]
    return TypeError(f"address must be a str such as {example!r}, not {shown(address)}")


def _network(text: str, scheme: str, url: str) -> Address:
    """scheme: empty without one: the address is HTTP if it has a path."""
    try:
        parts = urllib.parse.urlsplit(url)
        port = _DEFAULT_PORTS.get(scheme) if parts.port is None else parts.port
    except ValueError as error:
        raise _bad(text, str(error)) from None
    if not parts.hostname:
        raise _bad(text, "missing host; expected host:port")
    if port is None:
        raise _bad(text, "missing port; expected host:port")
    kind = scheme or ("http" if parts.path else "tcp")
    query = f"?{parts.query}" if parts.query else ""
    path = f"{parts.path or '/'}{query}" if kind != "tcp" else ""
    return Address(kind, parts.hostname, port, path, _text(parts.username), _text(parts.password))


def _unix(text: str, rest: str) -> Address:
    path = rest[2:] if rest.startswith("//") else rest
    if not path:
        raise _bad(text, "missing path; expected unix:/path")
    return Address("unix", "", 0, path)


def _text(part: Optional[str]) -> Optional[str]:
    return None if part is None else urllib.parse.unquote(part)


def _bad(text: str, reason: str) -> Error:
    """The text of the error has no password."""
    without_user = text.rpartition("@")[2]
    return Error(f"invalid address {without_user!r}: {reason}", code="bad_address")
