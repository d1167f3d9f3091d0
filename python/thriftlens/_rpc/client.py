"""tl.connect: a client of any Thrift service, under its IDL."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, Any, Literal, Mapping, Optional, Union

from .address import Address, parse_address
from .calls import Caller, Options, Prepared, Selection, check_result, find_service
from .options import POOL, SESSION, TIMEOUT, TLSLike, check_limits, check_pairs, check_word, client_context
from . import fork as _fork
from .cookies import Cookies
from .._errors import CallState, Error
from .http_transport import HttpLink
from .link import Link, Overdue, Request, Target, Unsent, closed_of, left, timeout_of
from .message import application_exception
from .probe import Found, find_out

if TYPE_CHECKING:
    from .._schema.schema import Schema, Service

# Unions of one word each: stubtest takes a Literal of many for no alias.
Transport = Union[
    Literal["auto"],
    Literal["buffered"],
    Literal["framed"],
    Literal["header"],
    Literal["ttheader"],
    Literal["ttheader_framed"],
    Literal["sasl"],
    Literal["http"],
]
Protocol = Union[Literal["auto"], Literal["binary"], Literal["compact"]]
Result = Union[Literal["dict"], Literal["view"], Literal["json"], Literal["bytes"], Literal["message"]]
TRANSPORTS = ("auto", "buffered", "framed", "header", "ttheader", "ttheader_framed", "sasl", "http")
PROTOCOLS = ("auto", "binary", "compact")
LIMITS = {"frame_size": 256 << 20}


class Connected(Caller):
    """What sync and asyncio clients have in common: where they call, what is spoken there, and their connections."""

    def __init__(self, service: Service, target: Target, options: Options, how: Mapping[str, Any]):
        super().__init__(service, options, prefix_of(service, how["multiplexed"]), how["decode"])
        self._target = target
        self._pool = how["pool"]
        self._reconnects = how["reconnect"]
        self._is_closed = False
        self._links: list[Any] = []

    @property
    def address(self) -> str:
        """Of the server, without user and password."""
        return str(self._target.address)

    @property
    def transport(self) -> str:
        """What is spoken, as found out or as told."""
        return self._target.transport

    @property
    def protocol(self) -> str:
        """What is spoken, as found out or as told."""
        return self._target.protocol

    @property
    def service(self) -> Service:
        """The service whose functions can be called."""
        return self._service

    def _speak(self, found: Found) -> None:
        self._target = self._target._replace(transport=found.transport, protocol=found.protocol)

    def _protocol(self) -> str:
        return self._target.protocol

    def _shown(self, name: str) -> str:
        return f"<thriftlens.{name} of {self._service.name} at {self.address}, {self.transport} {self.protocol}>"


class Client(Connected):
    """A client of one service; made by connect. Its methods are the functions of the IDL. Threads may share it, and so may processes: after a
    fork each child opens connections of its own.

    A name that the client has itself, or that Python keeps, has an underscore behind it: `close_`. After a fault the connection is closed,
    and the next call makes a new one."""

    def __init__(self, service: Service, target: Target, options: Options, how: Mapping[str, Any]):
        super().__init__(service, target, options, how)
        deadline = deadline_of(options.timeout)
        self._speak(find_out(target, self._prefix, deadline, options.headers))
        self._opening: set[object] = set()
        self._init_locks()
        self._links.append(self._open(deadline))
        _fork.register(self)

    def _init_locks(self) -> None:
        self._lock = threading.Lock()
        self._changed = threading.Condition(self._lock)

    def call(
        self,
        name: str,
        arguments: Any = (),
        *,
        select: Optional[Selection] = None,
        result: Optional[Result] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Union[float, None, Literal["client"]] = "client",
    ) -> Any:
        """Calls a function by name: arguments are a dict, a dataclass or a view of its argument struct, or that struct's bytes.

        select: a selection on the result struct, `{ success { id } }`; the rest is dropped while the reply arrives.
        result: "dict" (the success value), "view", "json", "bytes" (its Thrift bytes), "message" (the whole reply, nothing raised);
            where nothing is said that of connect().
        headers: beside those of connect(), where the transport has headers.
        timeout: seconds for this call; None waits without end; "client" is that of connect().

        Raises the declared exception, ApplicationError, TransportError, or DecodeError."""
        options = self._options.changed(given_options(select, result, headers, timeout))
        return self._invoke(self._called(name), arguments, options)

    def close(self) -> None:
        """Closes all connections; calls that wait end with an error, later ones too."""
        with self._lock:
            self._is_closed = True
            links, self._links = self._links, []
            self._changed.notify_all()
        for link in links:
            link.close()

    def abandon(self) -> None:
        """In a child process: forgets the connections of the parent."""
        self._init_locks()
        self._links = []
        self._opening.clear()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *what: Any) -> None:
        self.close()

    def __repr__(self) -> str:
        return self._shown("Client")

    def _invoke(self, prepared: Prepared, arguments: Any, options: Options) -> Any:
        state: CallState = "not_sent"
        try:
            data = prepared.data_of(arguments)
            _fork.check_process()
            deadline = deadline_of(options.timeout)
            request = Request(prepared.name, data, prepared.oneway, options.headers, prepared.selection(options.select), deadline)
            event = self._exchange(request)
            state = "answered"
            return None if event is None else prepared.outcome(event, options)
        except Error as error:
            error.call_state = error.call_state or state
            raise

    def _exchange(self, request: Request) -> Any:
        while True:
            link, is_new = self._link(request.deadline)
            try:
                return link.call(request)
            except Unsent as unsent:
                if is_new or not self._reconnects:
                    raise unsent.error from None

    def _link(self, deadline: Optional[float]) -> tuple[Any, bool]:
        """An idle connection, a new one while there may be more, else the one that has least to do."""
        opening = object()
        try:
            with self._lock:
                while (found := self._least()) is None and len(self._opening) >= self._pool:
                    self._changed.wait(left(deadline))
                if found is not None:
                    return found, False
                self._opening.add(opening)
            link = self._open(deadline)
            with self._lock:
                self._opening.discard(opening)
                self._changed.notify_all()
                if not self._is_closed:
                    self._links.append(link)
            if self._is_closed:
                link.close()
            return link, True
        except BaseException as error:
            with self._lock:
                self._opening.discard(opening)
                self._changed.notify_all()
            if isinstance(error, Overdue):
                raise timeout_of(self._target.address, "no connection in time") from None
            raise

    def _least(self) -> Any:
        """What is there already and may be used; under the lock."""
        if self._is_closed:
            raise closed_of(self._target.address, "the client was closed")
        stale = [each for each in self._links if not each.in_flight and each.is_stale()]
        self._links = [each for each in self._links if each not in stale and each.fault is None]
        if stale and not self._reconnects:
            raise stale[0].fault
        least = min(self._links, key=_busy, default=None)
        is_full = len(self._links) + len(self._opening) >= self._pool
        return least if least is not None and (not least.in_flight or is_full) else None

    def _open(self, deadline: Optional[float]) -> Any:
        return HttpLink(self._target, deadline) if self._target.transport == "http" else Link(self._target, deadline)


def _busy(link: Any) -> int:
    return int(link.in_flight)


def deadline_of(timeout: Optional[float]) -> Optional[float]:
    return None if timeout is None else time.monotonic() + timeout


def prefix_of(service: Service, multiplexed: Union[bool, str]) -> str:
    """What stands in front of each function's name."""
    name = multiplexed if isinstance(multiplexed, str) else service.name.rpartition(".")[2]
    return f"{name}:" if multiplexed else ""


def given_options(select: Any, result: Any, headers: Any, timeout: Any) -> dict[str, Any]:
    """What was said for one call."""
    given = {name: value for name, value in (("select", select), ("result", result), ("headers", headers)) if value is not None}
    return given if timeout == "client" else {**given, "timeout": timeout}


def checked_target(address: Union[str, Address], transport: str, protocol: str, tls: Any, limits: Mapping[str, int]) -> Target:
    """Where to connect, all told in words that are known."""
    place = address if isinstance(address, Address) else parse_address(address)
    check_word("transport", transport, TRANSPORTS)
    check_word("protocol", protocol, PROTOCOLS)
    if place.is_http and transport not in ("auto", "http"):
        raise Error(f"{place} is an address of HTTP, transport={transport!r} is not", code="bad_address")
    if place.user is not None and transport not in ("auto", "sasl", "http"):
        raise Error(f"the address of {place} has a user, transport={transport!r} has no place for one: SASL and HTTP have", code="bad_address")
    check_limits(limits, SESSION)
    return Target(place, transport, protocol, client_context(tls), tuple({**LIMITS, **limits}.items()), Cookies(place))


def checked_options(result: str, timeout: Optional[float], headers: Optional[Mapping[str, str]]) -> Options:
    """What holds for the calls that say nothing else."""
    check_result(result)
    TIMEOUT.check("timeout", timeout)
    check_pairs("headers", headers)
    return Options(result=result, timeout=timeout, headers=headers)


def checked_how(multiplexed: Union[bool, str], decode: Optional[Mapping[str, Any]], pool: int, reconnect: bool) -> dict[str, Any]:
    """The rest of what connect takes."""
    POOL.check("pool", pool)
    check_pairs("decode", decode)
    application_exception().decoder(protocol="binary", **(decode or {}))  # options that there are not
    return {"multiplexed": multiplexed, "decode": decode, "pool": pool, "reconnect": reconnect}


def connect(
    address: str,
    idl: Schema,
    service: Optional[str] = None,
    *,
    transport: Transport = "auto",
    protocol: Protocol = "auto",
    timeout: Optional[float] = 60.0,
    tls: TLSLike = None,
    result: Result = "dict",
    decode: Optional[Mapping[str, Any]] = None,
    headers: Optional[Mapping[str, str]] = None,
    multiplexed: Union[bool, str] = False,
    pool: int = 1,
    reconnect: bool = True,
    limits: Optional[Mapping[str, int]] = None,
) -> Client:
    """Connects to a server and gives a client, whose methods are the functions of the service.

    address: "host:9083", "[::1]:9083", "unix:/path", "http://user:password@host:10001/cliservice", "https://…";
        "user:password@host:10000" is SASL PLAIN.
    service: its name; may be left out where the IDL has one.
    transport, protocol: "auto" finds out by probes, which call no function of the service.
    timeout: seconds for one call from connecting to the last byte; None waits without end.
    tls: True, a file of trusted authorities, or an ssl.SSLContext.
    result: "dict", "view", "json", "bytes" or "message", for calls that do not say; decode: options of Type.decode, such as {"enums": "name"}.
    headers: go with each call and each probe where the transport has headers (THeader, TTHeader, HTTP).
    multiplexed: names go out as "Service:function"; text takes the place of the service's name.
    pool: how many connections there may be; calls beyond that share them.
    reconnect: whether a call makes a new connection where the old one is gone. What was sent is never sent again.
    limits: frame_size (of a reply, 256 MiB), header_size, calls, depth.

    >>> import thriftlens as tl
    >>> idl = tl.loads("exception Empty { 1: string why } service Sums { i64 total(1: list<i32> numbers) throws (1: Empty empty) }")
    >>> server = tl.serve(idl, "Sums", {"total": lambda numbers: sum(numbers)}, background=True)
    >>> with tl.connect(server.address, idl) as client:
    ...     client.total([1, 2, 3])
    6
    >>> server.close()
    """
    target = checked_target(address, transport, protocol, tls, {} if limits is None else limits)
    options = checked_options(result, timeout, headers)
    return Client(find_service(idl, service), target, options, checked_how(multiplexed, decode, pool, reconnect))


for _each in (Client, connect):
    _each.__module__ = "thriftlens"
