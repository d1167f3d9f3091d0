"""Base of the sync and asyncio clients, and their methods by the names of the IDL."""

from __future__ import annotations

import keyword
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple, NoReturn, Optional, Union

from .._errors import CallState, DecodeError, EncodeError, Error, UnknownNameError
from .._typing import Value
from .arguments import OPTIONS
from .call_models import Models
from .calls import CallOptions, Prepared, Selection
from .faults import not_sent, set_call_state
from .interceptors import ClientCall, Interceptor
from .options import DecodeOptions, Result, WireProtocol
from .pool import AsyncPool, Pool
from .services import doc_of, functions_of, prefix_of, signature_of

if TYPE_CHECKING:
    from typing_extensions import Self

    from .._schema.services import Function, Service


class ClientOptions(NamedTuple):
    """Options of connect that apply to all calls of a client."""

    multiplexed: Union[bool, str]
    decode: Optional[DecodeOptions]
    pool: int
    reconnect: bool
    models: Optional[Models] = None
    retries: int = 0
    lazy: bool = False
    interceptors: Sequence[Interceptor] = ()


class Method:
    """A function of the service as a method of the client.

    Options of one call are keywords, unless the function has an argument of that name."""

    def __init__(self, client: BaseClient, function: Function):
        self._client = client
        self._prepared = prepared = client._prepare(function)
        self._options = OPTIONS - {parameter.name for parameter in prepared.parameters}
        self.__name__ = function.name
        self.__qualname__ = f"{client._service.name}.{function.name}"
        self.__doc__ = doc_of(function)
        self.__signature__ = signature_of(prepared.parameters, prepared.returns)

    def __call__(self, /, *values: Value, **named: Value) -> Value:
        client, prepared = self._client, self._prepared
        if not named or self._options.isdisjoint(named):
            options = client._options
        else:
            options = self._options_in(named)
        run = client._surrounded if client._interceptors else client._exchange
        return run(prepared, prepared.bind(values, named), options)

    def _options_in(self, named: dict[str, Value]) -> CallOptions:
        """Removes the options of the call from its keywords."""
        own = {name: named.pop(name) for name in self._options & named.keys()}
        changes = {
            name: value for name, value in own.items() if value is not None or name == "timeout"
        }
        with not_sent():
            if "select" in changes:
                changes["select"] = self._prepared.success_selection(changes["select"])
            return self._client._options.updated(changes)

    def __repr__(self) -> str:
        signature = self.__signature__.replace(parameters=list(self._prepared.parameters))
        return f"<function {self.__qualname__}{signature}>"


class BaseClient:
    """Base of the sync and asyncio clients: their target, options and connections, and their
    methods named like the functions of the IDL."""

    def __init__(
        self,
        service: Service,
        pool: Union[Pool, AsyncPool],
        defaults: CallOptions,
        options: ClientOptions,
    ):
        self._service = service
        self._functions = functions_of(service)
        self._pool: Union[Pool, AsyncPool] = pool
        self._options = defaults
        self._prefix = prefix_of(service, options.multiplexed)
        self._decode = options.decode
        self._models = options.models
        self._is_lazy = options.lazy
        self._interceptors = options.interceptors
        self._ready: dict[str, Prepared] = {}
        self._idl_names = _idl_names(type(self), self._functions)

    @property
    def address(self) -> str:
        """Address of the server, without user and password."""
        return str(self._pool.target.address)

    @property
    def transport(self) -> str:
        """The transport in use."""
        return self._pool.target.transport

    @property
    def protocol(self) -> WireProtocol:
        """The protocol in use."""
        return self._pool.target.protocol  # type: ignore[return-value]

    @property
    def _wire_protocol(self) -> WireProtocol:
        """The protocol in use; "binary" before a lazy client has connected."""
        return "binary" if self._pool.target.protocol == "auto" else self.protocol

    @property
    def service(self) -> Service:
        """The service."""
        return self._service

    def _invoke(self, prepared: Prepared, arguments: Value, options: CallOptions) -> Value:
        run = self._surrounded if self._interceptors else self._exchange
        return run(prepared, arguments, options)

    def _exchange(self, prepared: Prepared, arguments: Value, options: CallOptions) -> Value:
        raise NotImplementedError

    def _surrounded(self, prepared: Prepared, arguments: Value, options: CallOptions) -> Value:
        """An exchange inside of the interceptors."""
        raise NotImplementedError

    def __new__(cls, *arguments: object) -> Self:
        if len(arguments) != 4:
            how = f"{cls.__name__}.connect(address)" if hasattr(cls, "connect") else "connect()"
            raise TypeError(f"{cls.__name__} cannot be called; use {how}")
        return super().__new__(cls)

    def _intercepted(
        self, prepared: Prepared, arguments: Value, options: CallOptions
    ) -> ClientCall:
        """The call as its interceptors see it."""
        headers = dict(options.headers or {})
        names = prepared.function, prepared.name, self.address, self.transport
        return ClientCall(*names, arguments, headers)

    def _called(
        self,
        name: str,
        select: Optional[Selection],
        result: Optional[Result],
        headers: Optional[Mapping[str, str]],
        timeout: Union[float, None, Literal["client"]],
    ) -> tuple[Prepared, CallOptions]:
        """The function and the options of one call(). Raises for invalid ones."""
        pairs = (("select", select), ("result", result), ("headers", headers))
        options: dict[str, object] = {option: value for option, value in pairs if value is not None}
        if timeout != "client":
            options["timeout"] = timeout
        with not_sent():
            prepared = self._ready.get(name) or self._prepare(self._service.function(name))
            return prepared, self._options.updated(options)

    def __reduce__(self) -> NoReturn:
        raise TypeError("cannot pickle a client; connect in every process")

    def _described(self, error: Error, state: CallState, timeout: Optional[float]) -> Error:
        """The error of a call, with the state of the call and the server. It names options as the
        client takes them: of replies in decode=, of arguments none."""
        if error.code == "timeout" and timeout is not None:
            error.hint = f"the timeout is {timeout:g} s"
        if isinstance(error, DecodeError):
            error.context = error.context or (self.address,)
            if state == "answered":
                error.option_of = "decode"
        elif isinstance(error, EncodeError):
            error.option = None
        return set_call_state(error, state)

    def _description(self, name: str) -> str:
        return (
            f"<thriftlens.{name} of {self._service.name} at {self.address}, "
            f"{self.transport} {self.protocol}>"
        )

    def _prepare(self, function: Function) -> Prepared:
        prepared = self._ready.get(function.name)
        if prepared is None:
            prepared = self._ready[function.name] = Prepared(
                function, self._wire_protocol, self._prefix, self._decode, self._models
            )
        return prepared

    def __getattr__(self, name: str) -> Method:
        idl_names = self.__dict__.get("_idl_names")
        if name.startswith("__") or idl_names is None:
            raise AttributeError(name)
        if name not in idl_names:
            self._service.function(name)  # names the nearest
            raise UnknownNameError(
                f"no method {name!r}; did you mean {name + '_'!r}?", code="unknown_name"
            )
        method = Method(self, self._functions[idl_names[name]])
        self.__dict__[name] = method
        return method

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self._idl_names})


def _idl_names(kind: type, functions: Iterable[str]) -> dict[str, str]:
    """Names of functions by those of methods: members of the client and Python keywords have an
    underscore."""
    members = {name for name in dir(kind) if not name.startswith("_")}
    return {
        name + "_" if name in members or keyword.iskeyword(name) else name: name
        for name in functions
    }
