"""tl.connect: a client of any Thrift service."""

from __future__ import annotations

import inspect
import threading
import time
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Literal, Mapping, Optional, TypedDict, Union

from .._errors import CallState, Error
from . import fork as _fork
from .address import Address, parse_address
from .calls import (
    RESULTS,
    BaseClient,
    CallOptions,
    ClientOptions,
    Prepared,
    Selection,
    find_service,
)
from .cookies import Cookies
from .http_transport import HttpLink
from .link import DeadlineExceeded, Link, Request, Target, Unsent, not_sent, remaining, timeout_of
from .message import application_exception
from .options import (
    POOL,
    PROTOCOLS,
    SESSION,
    TIMEOUT,
    TRANSPORTS,
    Protocol,
    Result,
    TLSLike,
    Transport,
    check_limits,
    check_mapping,
    check_word,
    client_context,
)
from .probe import detect_wire_format

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .._schema.schemas import Schema
    from .._schema.services import Service

LIMITS = {"frame_size": 256 << 20}


class Client(BaseClient):
    """A client of one service, created by connect. Its methods are the functions of the IDL. Can be
    shared by threads, and by processes: after
    a fork the child opens its own connections.

    Functions named like a method of the client or a Python keyword have a trailing underscore:
    `close_`. After a connection error the connection is closed, and the next call opens a new one.
    """

    def __init__(
        self, service: Service, target: Target, defaults: CallOptions, options: ClientOptions
    ):
        super().__init__(service, target, defaults, options)
        deadline = deadline_of(defaults.timeout)
        self._set_wire_format(detect_wire_format(target, self._prefix, deadline, defaults.headers))
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
        """Calls a function by name: arguments are a dict, a dataclass or a view of its argument
        struct, or that struct's bytes.

        select: a selection on the result struct, `{ success { id } }`; other fields are dropped
        while the reply arrives.
        result: "dict" (the success value), "view", "json", "bytes" (its Thrift bytes) or "message"
        (the complete reply; no exception of the
            server is raised). Default: that of connect().
        headers: in addition to those of connect(), on transports with headers.
        timeout: seconds for this call; None: no limit; "client": that of connect().

        Raises the declared exception, ApplicationError, TransportError, or DecodeError."""
        with not_sent():
            prepared, options = (
                self._called(name),
                self._options.updated(call_options(select, result, headers, timeout)),
            )
        return self._invoke(prepared, arguments, options)

    def close(self) -> None:
        """Closes all connections. Pending and later calls raise TransportError."""
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

    def __exit__(self, *error: Any) -> None:
        self.close()

    def __repr__(self) -> str:
        return self._description("Client")

    def _invoke(self, prepared: Prepared, arguments: Any, options: CallOptions) -> Any:
        state: CallState = "not_sent"
        try:
            data = prepared.data_of(arguments)
            _fork.check_process()
            deadline = deadline_of(options.timeout)
            request = Request(
                prepared.name,
                data,
                prepared.oneway,
                options.headers,
                prepared.selection(options.select),
                deadline,
            )
            event = self._exchange(request)
            state = "answered"
            return None if event is None else prepared.outcome(event, options)
        except Error as error:
            raise self._described(error, state)

    def _exchange(self, request: Request) -> Any:
        while True:
            link, is_new = self._link(request.deadline)
            try:
                return link.call(request)
            except Unsent as unsent:
                if is_new:
                    raise unsent.error from None

    def _link(self, deadline: Optional[float]) -> tuple[Any, bool]:
        """An idle connection, a new one while the pool is not full, else the least busy one; and
        whether it is new.
        """
        opening = object()
        try:
            with self._lock:
                while (available := self._least_busy()) is None and len(
                    self._opening
                ) >= self._pool:
                    self._changed.wait(remaining(deadline))
                if available is not None:
                    return available, False
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
            if isinstance(error, DeadlineExceeded):
                raise timeout_of(self._target.address, "no connection in time") from None
            raise

    def _least_busy(self) -> Any:
        """An open connection to use; None: open another one. Called under the lock."""
        self._drop_closed()
        link: Any = min(self._links, key=attrgetter("in_flight"), default=None)
        is_full = len(self._links) + len(self._opening) >= self._pool
        return link if link is not None and (not link.in_flight or is_full) else None

    def _open(self, deadline: Optional[float]) -> Any:
        return (
            HttpLink(self._target, deadline)
            if self._target.transport == "http"
            else Link(self._target, deadline)
        )


def deadline_of(timeout: Optional[float]) -> Optional[float]:
    return None if timeout is None else time.monotonic() + timeout


def call_options(select: Any, result: Any, headers: Any, timeout: Any) -> dict[str, Any]:
    """The options of one call that override those of the client."""
    options = {
        name: value
        for name, value in (("select", select), ("result", result), ("headers", headers))
        if value is not None
    }
    return options if timeout == "client" else {**options, "timeout": timeout}


def checked_target(
    address: Union[str, Address], transport: str, protocol: str, tls: Any, limits: Mapping[str, int]
) -> Target:
    """The target of a client. Raises for invalid options."""
    parsed = address if isinstance(address, Address) else parse_address(address)
    check_word("transport", transport, TRANSPORTS)
    check_word("protocol", protocol, PROTOCOLS)
    if parsed.is_http and transport not in ("auto", "http"):
        raise Error(
            f"{parsed} is an HTTP address, and transport={transport!r} is not HTTP",
            code="bad_address",
        )
    if parsed.user is not None and transport not in ("auto", "sasl", "http"):
        raise Error(
            f"the address of {parsed} has a user, and transport={transport!r} cannot send one: use SASL or HTTP",
            code="bad_address",
        )
    check_limits(limits, SESSION)
    return Target(
        parsed,
        transport,
        protocol,
        client_context(tls),
        tuple({**LIMITS, **limits}.items()),
        Cookies(parsed),
    )


class ConnectOptions(TypedDict, total=False):
    """Options of connect and aio.connect, for type checkers."""

    transport: Transport
    protocol: Protocol
    timeout: Optional[float]
    tls: TLSLike
    result: Result
    decode: Optional[Mapping[str, Any]]
    headers: Optional[Mapping[str, str]]
    multiplexed: Union[bool, str]
    pool: int
    reconnect: bool
    limits: Optional[Mapping[str, int]]


def checked_arguments(
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
) -> tuple[Service, Target, CallOptions, ClientOptions]:
    """The arguments of a client. Raises for invalid options."""
    with not_sent():
        target = checked_target(address, transport, protocol, tls, {} if limits is None else limits)
        check_word("result", result, RESULTS)
        TIMEOUT.check("timeout", timeout)
        check_mapping("headers", headers)
        POOL.check("pool", pool)
        check_mapping("decode", decode)
        application_exception().decoder(
            protocol="binary", **(decode or {})
        )  # raises for unknown options
        defaults = CallOptions(result=result, timeout=timeout, headers=headers)
        return (
            find_service(idl, service),
            target,
            defaults,
            ClientOptions(multiplexed, decode, pool, reconnect),
        )


def connect(
    address: str, idl: Schema, service: Optional[str] = None, **options: Unpack[ConnectOptions]
) -> Client:
    """Connects to a server and returns a client whose methods are the functions of the service.

    address: "host:9083", "[::1]:9083", "unix:/path", "http://user:password@host:10001/cliservice", "https://…";
        "user:password@host:10000" is SASL PLAIN.
    service: its name; optional if the IDL has one service.
    transport, protocol: "auto" detects them by probes, which call no function of the service.
    timeout: seconds for one call, from connecting to the last byte; None: no limit.
    tls: True, a file of trusted authorities, or an ssl.SSLContext.
    result: default form of results: "dict", "view", "json", "bytes" or "message". decode: options
    of Type.decode, such as {"enums": "name"}.
    headers: sent with every call and probe on transports with headers (THeader, TTHeader, HTTP).
    multiplexed: sends function names as "Service:function"; a string replaces the name of the
    service.
    pool: maximum number of connections; further calls share them.
    reconnect: whether a call opens a new connection if the old one is closed. A call that was sent
    is never sent again.
    limits: frame_size (of a reply, 256 MiB), header_size, calls, depth.

    >>> import thriftlens as tl
    >>> idl = tl.loads("exception Empty { 1: string why } service Sums { i64 total(1: list<i32> numbers) throws (1: Empty empty) }")
    >>> server = tl.serve(idl, "Sums", {"total": lambda numbers: sum(numbers)}, background=True)
    >>> with tl.connect(server.address, idl) as client:
    ...     client.total([1, 2, 3])
    6
    >>> server.close()
    """
    arguments = checked_arguments(address, idl, service, **options)
    with not_sent():
        return Client(*arguments)


checked_arguments.__qualname__ = "connect"  # for error messages
connect.__signature__ = inspect.signature(checked_arguments).replace(return_annotation="Client")  # type: ignore[attr-defined]
for _public in (Client, connect):
    _public.__module__ = "thriftlens"
