"""Calls of clients: encoding of arguments, decoding of replies, methods by the names of the IDL."""

from __future__ import annotations

import functools
import inspect
import json
import keyword
import re
from typing import (
    TYPE_CHECKING,
    Any,
    Callable,
    Iterable,
    Mapping,
    NamedTuple,
    Optional,
    Sequence,
    TypeVar,
    Union,
)

from .._errors import (
    APPLICATION_CODES,
    ApplicationError,
    BusinessError,
    CallState,
    DecodeError,
    EncodeError,
    Error,
    UnknownNameError,
    without_option,
)
from .._schema.exceptions import exception_of
from .._text import find_near
from .link import closed_of, not_reconnected_of, not_sent, set_call_state
from .message import Message, application_exception
from .options import TIMEOUT, TTHEADER_TRANSPORTS, check_mapping, check_word

if TYPE_CHECKING:
    from .._schema.schemas import Schema
    from .._schema.services import Function, Service
    from .._schema.types import Type
    from .link import Target
    from .probe import WireFormat

_Function = TypeVar("_Function", bound=Callable[..., object])
RESULTS = ("dict", "view", "json", "bytes", "message")
OPTIONS = frozenset(("select", "result", "timeout", "headers"))
_PYTHON_TYPES = {
    "bool": bool,
    "i8": int,
    "i16": int,
    "i32": int,
    "i64": int,
    "double": float,
    "string": str,
    "binary": bytes,
    "enum": int,
    "list": list,
    "set": set,
    "map": dict,
    "struct": dict,
    "union": dict,
    "exception": dict,
}

Selection = Union[str, Sequence[str]]


def find_service(idl: Schema, name: Optional[str]) -> Service:
    """The service of that name; default: the only one of the root file."""
    check_idl(idl)
    if name is not None:
        return named_service(idl, name)
    names = list(idl.services)
    own = [name for name in names if "." not in name] or names
    if len(own) != 1:
        has = f"has {', '.join(own)}; specify service=" if own else "has no service"
        raise Error(f"no service was specified and the IDL {has}", code="no_service")
    return idl.service(own[0])


def check_idl(idl: Any) -> None:
    """Raises TypeError for a path or text instead of a schema."""
    if not hasattr(idl, "services"):
        raise TypeError(f"expected a Schema, such as tl.load('shop.thrift'), not {idl!r}")


def named_service(idl: Schema, name: Any) -> Service:
    """The service of that name."""
    if not isinstance(name, str):
        raise TypeError(
            f"expected the name of a service, one of {', '.join(idl.services)}, not a {type(name).__name__}"
        )
    return idl.service(name)


def functions_of(service: Service) -> dict[str, Function]:
    """The functions of the service, including inherited ones."""
    return {**service.inherited, **service.functions}


class CallOptions(NamedTuple):
    """Options of a call; a client holds the defaults."""

    result: str = "dict"
    timeout: Optional[float] = 60.0
    headers: Optional[Mapping[str, str]] = None
    select: Any = None

    def updated(self, options: Mapping[str, Any]) -> CallOptions:
        """With the options of one call; their headers are added. Raises for invalid options."""
        if "result" in options:
            check_word("result", options["result"], RESULTS)
        if "timeout" in options:
            TIMEOUT.check("timeout", options["timeout"])
        headers = options.get("headers")
        check_mapping("headers", headers)
        if headers is not None and self.headers:
            options = {**options, "headers": {**self.headers, **headers}}
        return self._replace(**options)


class ClientOptions(NamedTuple):
    """Options of connect that apply to all calls of a client."""

    multiplexed: Union[bool, str]
    decode: Optional[Mapping[str, Any]]
    pool: int
    reconnect: bool


def prefix_of(service: Service, multiplexed: Union[bool, str]) -> str:
    """The prefix of function names in messages."""
    name = multiplexed if isinstance(multiplexed, str) else service.name.rpartition(".")[2]
    return f"{name}:" if multiplexed else ""


def _naming_options(function: _Function) -> _Function:
    """Errors name options as a client takes them: of replies in decode=, of arguments none."""

    @functools.wraps(function)
    def named(*arguments: object) -> object:
        try:
            return function(*arguments)
        except DecodeError as error:
            error.option_of = "decode"
            raise
        except EncodeError as error:
            error.option = None
            raise

    return named  # type: ignore[return-value]


class Prepared:
    """Encodes the arguments and decodes the replies of one function, in the protocol of a client."""

    def __init__(
        self,
        function: Function,
        protocol: Any,
        prefix: str = "",
        decode: Optional[Mapping[str, Any]] = None,
    ):
        streaming = getattr(function, "streaming", "none")
        if streaming not in (None, "none"):
            raise Error(
                f"{function.name} is a streaming function ({streaming}), which is not supported",
                code="streaming",
            )
        self.function = function
        self.protocol = protocol
        self.name = prefix + function.name
        self.oneway = function.oneway
        self.returns = function.returns
        self.encode: Callable[[Any], bytes] = function.arguments.encoder(protocol=protocol).encode
        self._options = dict(decode or {})
        self._decoders: dict[str, Callable[[Any], Any]] = {}
        self.decode = self._decoder(protocol)
        self.throws = {
            name: field.type
            for name, field in function.result.fields.items()
            if field.id != 0 and field.type.kind == "exception"
        }
        self.parameters = tuple(_parameters(function))
        self._names = tuple(function.arguments.fields)
        self._required = frozenset(
            name
            for name, parameter in zip(self._names, self.parameters)
            if parameter.default is inspect.Parameter.empty
        )
        self._idl_names = {
            parameter.name: name
            for name, parameter in zip(self._names, self.parameters)
            if parameter.name != name
        }

    def bind(self, values: Sequence[Any], named: Mapping[str, Any]) -> Mapping[str, Any]:
        """The arguments by name. Raises TypeError as a Python call would."""
        if not values and named.keys() == self._required:
            return named
        if len(values) > len(self._names):
            raise TypeError(
                f"{self.function.name}() takes {len(self._names)} argument{'' if len(self._names) == 1 else 's'}, not {len(values)}"
            )
        bound = dict(zip(self._names, values))
        for argument, value in named.items():
            name = self._idl_names.get(argument, argument)
            if name in bound:
                raise TypeError(f"{self.function.name}() got two values for {name!r}")
            if name not in self._names:
                near = find_near(name, self._names)
                help = f"; did you mean {near!r}?" if near else ""
                raise TypeError(f"{self.function.name}() has no argument {name!r}{help}")
            bound[name] = value
        missing = self._required - bound.keys()
        if missing:
            raise TypeError(
                f"{self.function.name}() is missing {', '.join(repr(name) for name in self._names if name in missing)}"
            )
        return bound

    @_naming_options
    def data_of(self, arguments: Any) -> bytes:
        """The encoded argument struct.

        Bytes are validated: they must be one such struct, in the protocol of the client.
        """
        if not isinstance(arguments, (bytes, bytearray, memoryview)):
            if arguments is None or (
                isinstance(arguments, (tuple, list, str, int, float))
                and not hasattr(arguments, "_fields")
            ):
                arguments = self._named(arguments)
            return self.encode(arguments)
        data = bytes(arguments)
        try:
            self.function.arguments.validate(data, protocol=self.protocol)
        except Error as error:
            raise EncodeError(
                f"invalid encoded arguments of {self.function.name}: {without_option(error)}",
                code=error.code,
                path=error.path,
                offset=error.offset,
            ) from None
        return data

    def _named(self, arguments: Any) -> Mapping[str, Any]:
        """No arguments; raises TypeError for arguments by position."""
        if arguments is None or arguments == ():
            return {}
        name = self.function.name
        example = ", ".join(f"{field!r}: …" for field in self._names)
        raise TypeError(
            f"call() expects the arguments of {name} by name, {{{example}}}, not {arguments!r}; use client.{name}(…) for arguments by position"
        )

    def selection(self, select: Any) -> Optional[tuple[Type, Any]]:
        """The selection on the result struct, to which the declared exceptions are added: they are
        never cut away.
        """
        if select is None:
            return None
        selected = self._selected(select)
        self.function.result.trim(
            b"\0", selected, protocol=self.protocol
        )  # raises for an invalid selection
        return self.function.result, selected

    def _selected(self, select: Any) -> Any:
        if isinstance(select, str):
            is_unchanged = (
                not self.throws
                or re.match(r"\s*\{\s*[*-]", select)
                or not select.rstrip().endswith("}")
            )
            return select if is_unchanged else f"{select.rstrip()[:-1]} {' '.join(self.throws)} }}"
        if isinstance(select, Iterable):
            return [*select, *(f"$.{name}" for name in self.throws)]
        return select

    def success_selection(self, select: Any) -> Any:
        """Converts a selection on the success value to one on the result struct."""
        if select is None:
            return None
        if isinstance(select, str):
            return on_success(self.function, select)
        if self.returns is None:
            raise _nothing_to_select(self.function)
        if isinstance(select, Iterable):
            return [
                "$.success" + (path[1:] if path.startswith("$") else f".{path}") for path in select
            ]
        raise TypeError("select is text or a list of paths")

    @_naming_options
    def outcome(self, event: Any, options: CallOptions) -> Any:
        """The result of a call in the requested form. Raises the exceptions of the server."""
        if event.error is not None:  # the selection failed; the connection is still usable
            raise event.error
        protocol: Any = (
            event.protocol if event.protocol != "binary_old" else "binary"
        )  # Apache's THeader servers may answer in Binary
        if options.result == "message":
            return Message(
                event.name,
                event.kind,
                event.sequence_id,
                event.data,
                protocol,
                True,
                self.function,
                headers=event.headers,
            )
        if event.kind == "exception":
            raise read_application_error(event.data, protocol)
        if (business := business_error(event.name, event.headers, event.transport)) is not None:
            raise business
        field = result_field(self.function, event.data, protocol)
        if field in self.throws or options.result == "dict":
            value = self._decoded(event.data, protocol, options.select is not None)
            if field in self.throws:
                raise exception_of(self.throws[field])(**value[field])
            return None if field is None else value[field]
        return self._formed(
            event.data,
            protocol,
            self._view(event.data, protocol, options.select is not None),
            options,
        )

    def _decoded(self, data: Any, protocol: Any, is_partial: bool) -> Any:
        if is_partial:
            return self._partial_decode(data, protocol)
        return self.decode(data) if protocol == self.protocol else self._decoder(protocol)(data)

    def _decoder(self, protocol: Any) -> Callable[[Any], Any]:
        if protocol not in self._decoders:
            self._decoders[protocol] = self.function.result.decoder(
                protocol=protocol, **self._options
            ).decode
        return self._decoders[protocol]

    def _partial_decode(self, data: Any, protocol: Any) -> Any:
        options = {"missing_required": "omit", **self._options}
        return self.function.result.decode(data, protocol=protocol, **options)

    def _view(self, data: Any, protocol: Any, is_partial: bool) -> Any:
        options = {"missing_required": "omit", **self._options} if is_partial else self._options
        return self.function.result.view(data, protocol=protocol, **options)

    def _formed(self, data: Any, protocol: Any, view: Any, options: CallOptions) -> Any:
        if self.returns is None:
            return {"json": b"null", "bytes": b""}.get(options.result)
        if options.result == "json":
            missing: Any = "error" if options.select is None else "omit"
            options_of_json = {"missing_required": missing, **self._options}
            text = self.function.result.to_json(data, protocol=protocol, **options_of_json)
            return text[len(b'{"success":') : -1]
        success = view["success"]
        if options.result == "view":
            return success
        if self.returns.kind in _VIEWED and protocol == self.protocol:
            return bytes(success)
        return self.returns.encode(success, protocol=self.protocol)


_VIEWED = ("list", "set", "map", "struct", "union", "exception")


def on_success(function: Function, select: str) -> str:
    """Converts a selection on the success value to one on the result struct.

    Error offsets are those in `select`.
    """
    if function.returns is None:
        raise _nothing_to_select(function)
    selected = f"{{ success {select} }}"
    try:
        function.result.trim(b"\0", selected)
    except Error:
        function.returns.trim(b"", select)
        raise
    return selected


def _nothing_to_select(function: Function) -> TypeError:
    return TypeError(f"{function.name} returns void: no fields to select")


def result_field(function: Function, data: Any, protocol: Any) -> Optional[str]:
    """The field that is set in a reply: "success" or a declared exception; None of a void function.
    Raises DecodeError (unknown_field) for a field
    that the IDL does not declare, ApplicationError (missing_result) where nothing is set."""
    field = function.result._reply_field(data, function.name, protocol=protocol)
    if field is None and function.returns is not None:
        raise ApplicationError(
            f"the reply to {function.name} contains neither a result nor an exception",
            code="missing_result",
        )
    return field


def business_error(
    name: str, headers: Mapping[Any, str], transport: str
) -> Optional[BusinessError]:
    """The business error of Kitex in the headers of a reply to the function of that name."""
    text = headers.get("biz-status") if transport in TTHEADER_TRANSPORTS else None
    if text is None:
        return None
    try:
        status = int(text)
        extra = json.loads(headers.get("biz-extra") or "{}")
    except ValueError:
        raise DecodeError(
            f"the reply to {name} has a malformed business error in its headers: biz-status={text!r}",
            code="bad_message",
        ) from None
    return BusinessError(status, headers.get("biz-message", ""), extra) if status else None


def read_application_error(data: Any, protocol: Any) -> ApplicationError:
    """Decodes an application exception."""
    fields = application_exception().decode(data, protocol=protocol, invalid_utf8="replace")
    number = fields.get("type", 0)
    code = APPLICATION_CODES[number] if 0 <= number < len(APPLICATION_CODES) else "unknown"
    return ApplicationError(
        fields.get("message") or code.replace("_", " "), code=code, number=number
    )


def _parameters(function: Function) -> Iterable[inspect.Parameter]:
    """In Python, arguments after one with a default need a default too:

    None, which means absent.
    """
    default: Any = inspect.Parameter.empty
    for field in function.arguments.fields.values():
        if field.has_default:
            default = field.default
        elif field.requiredness == "optional" or default is not inspect.Parameter.empty:
            default = None
        kind = _PYTHON_TYPES.get(field.type.kind, Any)
        name = field.name + "_" if keyword.iskeyword(field.name) else field.name
        yield inspect.Parameter(
            name, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=default, annotation=kind
        )


def signature_of(prepared: Prepared) -> inspect.Signature:
    """The signature of a method: the arguments, then the options of a call."""
    names = {parameter.name for parameter in prepared.parameters}
    defaults = {"select": None, "result": None, "timeout": ..., "headers": None}
    options = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default)
        for name, default in defaults.items()
        if name not in names
    ]
    returns = prepared.returns
    return inspect.Signature(
        [*prepared.parameters, *options],
        return_annotation=None if returns is None else _PYTHON_TYPES.get(returns.kind, Any),
    )


def doc_of(function: Function) -> str:
    """The declaration and the documentation of the IDL."""
    arguments = ", ".join(
        f"{field.id}: {field.type.name} {field.name}"
        for field in function.arguments.fields.values()
    )
    throws = ", ".join(
        f"{field.id}: {field.type.name} {field.name}"
        for field in function.result.fields.values()
        if field.id != 0
    )
    returns = (
        "oneway void"
        if function.oneway
        else "void"
        if function.returns is None
        else function.returns.name
    )
    line = f"{returns} {function.name}({arguments})" + (f" throws ({throws})" if throws else "")
    return f"{line}\n\n{function.doc}" if function.doc else line


class Method:
    """A function of the service as a method of the client.

    Options of one call are keywords, unless the function has an argument of that name.
    """

    def __init__(self, client: BaseClient, function: Function):
        self._client = client
        self._prepared = prepared = client._prepare(function)
        self._options = OPTIONS - {parameter.name for parameter in prepared.parameters}
        self.__name__ = function.name
        self.__qualname__ = f"{client._service.name}.{function.name}"
        self.__doc__ = doc_of(function)
        self.__signature__ = signature_of(prepared)

    def __call__(self, /, *values: Any, **named: Any) -> Any:
        prepared = self._prepared
        if self._options.isdisjoint(named):
            return self._client._invoke(
                prepared, prepared.bind(values, named), self._client._options
            )
        call_options = {name: named.pop(name) for name in self._options & named.keys()}
        call_options = {
            name: value
            for name, value in call_options.items()
            if value is not None or name == "timeout"
        }
        with not_sent():
            if "select" in call_options:
                call_options["select"] = prepared.success_selection(call_options["select"])
            options = self._client._options.updated(call_options)
        return self._client._invoke(prepared, prepared.bind(values, named), options)

    def __repr__(self) -> str:
        return f"<function {self.__qualname__}{self.__signature__}>"


class BaseClient:
    """Base of the sync and asyncio clients: their target, options and connections, and their
    methods named like the functions of the IDL.
    """

    def __init__(
        self, service: Service, target: Target, defaults: CallOptions, options: ClientOptions
    ):
        self._service = service
        self._functions = functions_of(service)
        self._target = target
        self._options = defaults
        self._prefix = prefix_of(service, options.multiplexed)
        self._decode = options.decode
        self._pool = options.pool
        self._reconnects = options.reconnect
        self._is_closed = False
        self._links: list[Any] = []
        self._ready: dict[str, Prepared] = {}
        own = {name for name in dir(type(self)) if not name.startswith("_")}
        self._idl_names = {_method_name(name, own): name for name in self._functions}

    @property
    def address(self) -> str:
        """Address of the server, without user and password."""
        return str(self._target.address)

    @property
    def transport(self) -> str:
        """The transport in use."""
        return self._target.transport

    @property
    def protocol(self) -> str:
        """The protocol in use."""
        return self._target.protocol

    @property
    def service(self) -> Service:
        """The service."""
        return self._service

    def _invoke(self, prepared: Prepared, arguments: Any, options: CallOptions) -> Any:
        raise NotImplementedError

    def __reduce__(self) -> Any:
        raise TypeError("cannot pickle a client; connect in every process")

    def _set_wire_format(self, detected: WireFormat) -> None:
        was_probed = "auto" in (self._target.transport, self._target.protocol)
        self._target = self._target._replace(
            transport=detected.transport, protocol=detected.protocol, is_confirmed=was_probed
        )

    def _drop_closed(self) -> None:
        """Forgets closed connections.

        Raises if the client is closed, or if a connection is and must not be replaced.
        """
        if self._is_closed:
            raise closed_of(self._target.address, "the client was closed")
        closed = [
            link
            for link in self._links
            if link.fault is not None or (not link.in_flight and link.is_stale())
        ]
        if closed and not self._reconnects:
            raise not_reconnected_of(self._target.address, closed[0].fault)
        self._links = [link for link in self._links if link not in closed]
        if any(link.was_answered for link in closed):
            self._target = self._target._replace(is_confirmed=True)

    def _described(self, error: Error, state: CallState) -> Error:
        """The error of a call, with the state of the call and the server."""
        if isinstance(error, DecodeError) and not error.context:
            error.context = (self.address,)
        return set_call_state(error, state)

    def _description(self, name: str) -> str:
        return f"<thriftlens.{name} of {self._service.name} at {self.address}, {self.transport} {self.protocol}>"

    def _prepare(self, function: Function) -> Prepared:
        prepared = self._ready.get(function.name)
        if prepared is None:
            prepared = self._ready[function.name] = Prepared(
                function, self.protocol, self._prefix, self._decode
            )
        return prepared

    def _called(self, name: str) -> Prepared:
        return self._ready.get(name) or self._prepare(self._service.function(name))

    def __getattr__(self, name: str) -> Any:
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
        return [*super().__dir__(), *self._idl_names]


def _method_name(name: str, own: set[str]) -> str:
    return name + "_" if name in own or keyword.iskeyword(name) else name
