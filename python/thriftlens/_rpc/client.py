"""tl.connect: a client of any Thrift service."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Annotated, Literal, Mapping, Optional, TypedDict, Union

from .._errors import CallState, Error
from .._typing import Value
from . import fork as _fork
from . import options as opt
from .address import Address, parse_address
from .base_client import BaseClient, ClientOptions
from .call_models import Models, check_models
from .calls import CallOptions, Prepared, Selection
from .faults import not_sent
from .interceptors import InterceptorLike, interceptors_of, surrounding
from .options import DecodeOptions, Protocol, Result, TLSLike, Transport
from .pool import Pool
from .services import find_service
from .target import Cookies, Request, Target

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

    _pool: Pool

    def __init__(
        self, service: Service, target: Target, defaults: CallOptions, options: ClientOptions
    ):
        pool = Pool(target, options.pool, options.reconnect, options.retries)
        super().__init__(service, pool, defaults, options)
        if not options.lazy:
            self._pool.connect(self._prefix, defaults.headers, deadline_of(defaults.timeout))

    def call(
        self,
        name: str,
        arguments: Value = (),
        *,
        select: Optional[Selection] = None,
        result: Optional[Result] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Union[float, None, Literal["client"]] = "client",
    ) -> Value:
        """Calls a function by name: arguments are a dict, a dataclass or a view of its argument
        struct, or that struct's bytes.

        select: a selection on the result struct, `{ success { id } }`; other fields are dropped
        while the reply arrives.
        result: "dict" (the success value), "view", "json", "bytes" (its Thrift bytes) or "message"
            (the complete reply; no exception of the server is raised). Default: that of connect().
        headers: in addition to those of connect(), on transports with headers.
        timeout: seconds for this call; None: no limit; "client": that of connect().

        Raises the declared exception, ApplicationError, TransportError, or DecodeError."""
        prepared, options = self._called(name, select, result, headers, timeout)
        return self._invoke(prepared, arguments, options)

    def close(self) -> None:
        """Closes all connections. Pending and later calls raise TransportError."""
        self._pool.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return self._description("Client")

    def _surrounded(self, prepared: Prepared, arguments: Value, options: CallOptions) -> Value:
        call = self._intercepted(prepared, arguments, options)
        with surrounding(self._interceptors, call):
            options = options._replace(headers=call.headers)
            call.result = self._exchange(prepared, call.arguments, options)
        return call.result

    def _exchange(self, prepared: Prepared, arguments: Value, options: CallOptions) -> Value:
        state: CallState = "not_sent"
        try:
            deadline = None if options.timeout is None else time.monotonic() + options.timeout
            if self._is_lazy:
                self._pool.connect(self._prefix, self._options.headers, deadline)
                prepared.use(self.protocol)
            data = prepared.data_of(arguments)
            _fork.check_process()
            request = Request(
                prepared.name,
                data,
                prepared.oneway,
                options.headers,
                None if options.select is None else prepared.selection(options.select),
                deadline,
            )
            event = self._pool.exchange(request)
            state = "answered"
            return None if event is None else prepared.outcome(event, options)
        except Error as error:
            raise self._described(error, state, options.timeout)


def deadline_of(timeout: Optional[float]) -> Optional[float]:
    return None if timeout is None else time.monotonic() + timeout


def checked_target(
    address: Union[str, Address],
    transport: str,
    protocol: str,
    tls: TLSLike,
    limits: Mapping[str, int],
) -> Target:
    """The target of a client. Raises for invalid options."""
    parsed = address if isinstance(address, Address) else parse_address(address)
    opt.check_word("transport", transport, opt.TRANSPORTS)
    opt.check_word("protocol", protocol, opt.PROTOCOLS)
    _check_address(parsed, transport)
    opt.check_limits(limits, opt.SESSION)
    return Target(
        parsed,
        transport,
        protocol,
        opt.client_context(tls),
        tuple({**LIMITS, **limits}.items()),
        Cookies(parsed),
    )


def _check_address(address: Address, transport: str) -> None:
    """Raises if the transport cannot be used with the address."""
    if address.is_http and transport not in ("auto", "http"):
        raise Error(
            f"transport={transport!r} cannot be used with the HTTP address {address}",
            code="bad_address",
        )
    if address.user is not None and transport not in ("auto", "sasl", "http"):
        raise Error(
            f"transport={transport!r} cannot send the user of the address {address}; "
            "use SASL or HTTP",
            code="bad_address",
        )


class ConnectOptions(TypedDict, total=False):
    """Options of connect and aio.connect, and their defaults."""

    transport: Annotated[Transport, "auto"]
    protocol: Annotated[Protocol, "auto"]
    timeout: Annotated[Optional[float], 60.0]
    tls: Annotated[TLSLike, None]
    result: Annotated[Result, "dict"]
    decode: Annotated[Optional[DecodeOptions], None]
    headers: Annotated[Optional[Mapping[str, str]], None]
    multiplexed: Annotated[Union[bool, str], False]
    pool: Annotated[int, 1]
    reconnect: Annotated[bool, True]
    retries: Annotated[int, 0]
    lazy: Annotated[bool, False]
    limits: Annotated[Optional[Mapping[str, int]], None]
    models: Annotated[Optional[Models], None]
    intercept: Annotated[InterceptorLike, None]


def checked_arguments(
    address: str, idl: Schema, service: Optional[str], options: ConnectOptions
) -> tuple[Service, Target, CallOptions, ClientOptions]:
    """The arguments of a client. Raises for invalid options."""
    options = opt.with_defaults("connect", options, ConnectOptions)
    limits = options["limits"]
    with not_sent():
        target = checked_target(
            address,
            options["transport"],
            options["protocol"],
            options["tls"],
            {} if limits is None else limits,
        )
        _check_call_options(options)
        check_models(idl, options["models"])
        calls = CallOptions(options["result"], options["timeout"], options["headers"])
        client = ClientOptions(
            options["multiplexed"],
            options["decode"],
            options["pool"],
            options["reconnect"],
            options["models"],
            options["retries"],
            options["lazy"],
            interceptors_of(options["intercept"]),
        )
        return find_service(idl, service), target, calls, client


def _check_call_options(options: ConnectOptions) -> None:
    opt.check_word("result", options["result"], opt.RESULTS)
    opt.TIMEOUT.check("timeout", options["timeout"])
    opt.check_mapping("headers", options["headers"])
    opt.POOL.check("pool", options["pool"])
    opt.check_decode(options["decode"])
    opt.check_mapping("models", options["models"])
    opt.RETRIES.check("retries", options["retries"])


def connect(
    address: str, idl: Schema, service: Optional[str] = None, **options: Unpack[ConnectOptions]
) -> Client:
    """Connects to a server and returns a client whose methods are the functions of the service.

    address: "host:9083", "[::1]:9083", "unix:/path", "http://user:password@host:10001/cliservice",
        "https://…"; "user:password@host:10000" is SASL PLAIN.
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
    retries: how often a connection that cannot be opened is tried again, after 0.05 s, 0.1 s … up
    to 1 s, within the timeout.
    lazy: the first call opens the connection; transport and protocol are "auto" until then.
    limits: frame_size (of a reply, 256 MiB), header_size, calls, depth.
    models: classes of results by the names of their types, {"Order": OrderModel} or idl.classes;
    see Type.decode.
    intercept: a function of the call that returns a context manager around it, or a list of them;
    see docs/services.md.

    >>> import thriftlens as tl
    >>> idl = tl.loads("service Sums { i64 total(1: list<i32> numbers) }")
    >>> server = tl.serve(idl, "Sums", {"total": lambda numbers: sum(numbers)}, background=True)
    >>> with tl.connect(server.address, idl) as client:
    ...     client.total([1, 2, 3])
    6
    >>> server.close()
    """
    arguments = checked_arguments(address, idl, service, options)
    with not_sent():
        return Client(*arguments)


opt.show_options(connect, ConnectOptions)
for _public in (Client, connect):
    _public.__module__ = "thriftlens"
