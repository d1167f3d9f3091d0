"""Calls of functions by name, with arguments and results as JSON."""

from __future__ import annotations

import contextlib
import json
import time
from typing import Callable, Iterator, Mapping, NamedTuple, Optional, Sequence

from .. import _core
from .._errors import ApplicationError, BusinessError, Error, JSONError, UnknownNameError
from .._schema.schemas import Schema
from .._schema.services import Function, Service
from .._schema.types import Type
from .._text import MESSAGE_LENGTH, did_you_mean, escaped, shortened, with_article
from .._typing import MessageJsonOptions
from .calls import Prepared, on_success
from .client import Client
from .message import Message
from .replies import business_error, result_field
from .services import doc_of, functions_of

DECLARED, APPLICATION, TRANSPORT = 3, 4, 5
"""Exit statuses of calls without a result."""
_TEXTUAL = ("string", "binary", "uuid", "enum")
Say = Callable[[str], None]


class Answer(NamedTuple):
    """The output, the exit status, and a message for stderr."""

    text: bytes
    status: int
    note: str = ""


def find_function(idl: Schema, name: str) -> tuple[Service, Function]:
    """The function named "Service.function", or "function" if only one service declares it."""
    service_name, _, function_name = name.rpartition(".")
    if service_name:
        service = idl.service(service_name)
        return service, service.function(function_name)
    services = list(idl.services.values())
    owners = [service for service in services if function_name in service.functions] or [
        service for service in services if function_name in service.inherited
    ]
    if not owners:
        raise _unknown_function(idl, function_name)
    if len(owners) > 1:
        names = ", ".join(service.name for service in owners)
        text = f"ambiguous function {function_name!r}: declared by {names}"
        raise UnknownNameError(f"{text}; name it SERVICE.{function_name}", code="unknown_name")
    return owners[0], owners[0].function(function_name)


def _unknown_function(idl: Schema, name: str) -> UnknownNameError:
    names = {known for service in idl.services.values() for known in functions_of(service)}
    services = ", ".join(idl.services) or "the IDL"
    text = f"no function {name!r} in {services}{did_you_mean(name, sorted(names))}"
    return UnknownNameError(text, code="unknown_name")


def listing(idl: Schema) -> Iterator[str]:
    """One line per function: `Service.function` and its declaration."""
    for service in idl.services.values():
        for function in functions_of(service).values():
            declared = doc_of(function).partition("\n")[0]
            yield f"{service.name}.{function.name}\t{declared}"


def arguments_of(function: Function, text: Optional[bytes], pairs: Sequence[str]) -> bytes:
    """The argument struct in Binary: JSON, then changed by NAME=VALUE and NAME:=JSON.

    NAME may be a path: `req.user.name=Zoe`; missing structs and maps are created. The VALUE of a
    string, binary or enum is plain text; any other is JSON."""
    type_ = function.arguments
    data = b"\0" if text is None else _from_json(type_, text)
    edit = type_.edit(data)
    paths: set[str] = set()
    for pair in pairs:
        path = _set_argument(edit, type_, pair)
        if path in paths:
            raise Error(f"duplicate argument {path.removeprefix('$.')!r}", code="path_syntax")
        paths.add(path)
    if pairs:
        try:
            data = edit.apply()
        except Error as error:
            reason = f"invalid arguments of {function.name}: {error.detail} at {error.path}"
            raise Error(reason, code=error.code, path=error.path) from None
    _check_arguments(function, data, is_json=text is not None)
    return data


def _from_json(arguments: Type, text: bytes) -> bytes:
    try:
        return arguments.from_json(text)
    except JSONError as error:
        raise _json_error("--data", error) from None


def _set_argument(edit: _core.Edit, arguments: Type, pair: str) -> str:
    """Applies NAME=VALUE or NAME:=JSON. Returns the path of the argument."""
    name, equals, value = pair.partition("=")
    if not equals:
        raise Error(
            f"invalid argument {pair!r}; expected NAME=VALUE or NAME:=JSON", code="path_syntax"
        )
    path = name.rstrip(":") if name.startswith("$") else f"$.{name.rstrip(':')}"
    type_ = arguments.at(path)
    if not name.endswith(":") and type_.kind in _TEXTUAL:
        edit.create(path, value.encode() if type_.kind == "binary" else value)
        return path
    try:
        edit.create(path, json=value)
    except JSONError as error:
        raise _json_error(f"{pair!r} is not {with_article(type_.name)} in JSON", error) from None
    return path


def _json_error(prefix: str, error: JSONError) -> JSONError:
    text = f"{prefix}: {error}"
    return JSONError(text, code=error.code, path=error.path, offset=error.offset)


def _check_arguments(function: Function, data: bytes, is_json: bool) -> None:
    """Raises for missing arguments, as a call from Python does: by name all without a default, in
    JSON only required ones."""
    view = function.arguments.view(data, missing_required="omit")
    try:
        if not is_json:
            Prepared(function, "binary").bind((), {name: None for name in view})
        function.arguments.encode(view)
    except (Error, TypeError) as error:
        raise Error(
            f"invalid arguments of {function.name}: {error.args[0]}",
            code=getattr(error, "code", "missing_required"),
        ) from None


@contextlib.contextmanager
def _tracing(client: Client, trace: Optional[Say]) -> Iterator[None]:
    """Traces server, protocol and duration of a call, also if it fails."""
    start = time.monotonic()
    try:
        yield
    finally:
        if trace is not None:
            trace(
                f"# {client.address}, {client.transport} {client.protocol}, "
                f"{(time.monotonic() - start) * 1000:.1f} ms"
            )


def _trace_message(trace: Optional[Say], mark: str, message: Message) -> None:
    """Traces a message as a tree, every line after `mark`.

    Only replies show a sequence id: the session chooses that of a call."""
    if trace is None:
        return
    sequence_id = "" if mark == ">" else f"sequence id {message.sequence_id}, "
    trace(
        f"{mark} {message.name} ({message.kind}, {sequence_id}{message.protocol}, "
        f"{len(message.data)} bytes)"
    )
    lines = [f"{escaped(str(name))}: {escaped(text)}" for name, text in message.headers.items()]
    type_ = message.type if message.is_known else None
    tree = _core.inspect(message.data, type=type_, protocol=message.protocol)
    for line in (*lines, *tree.splitlines()):
        trace(f"{mark} {line}")


class Caller:
    """Calls a function of a server and converts its replies to JSON."""

    def __init__(
        self,
        client: Client,
        function: Function,
        json_options: MessageJsonOptions,
        trace: Optional[Say] = None,
    ):
        self._client = client
        self._function = function
        self._json_options = json_options
        self._trace = trace

    def call(
        self, arguments: bytes, select: Optional[str], headers: Optional[Mapping[str, str]]
    ) -> Answer:
        """Sends a call. arguments: the struct in Binary. select: the selection on the result."""
        client, function = self._client, self._function
        call = self._message(arguments)
        _trace_message(self._trace, ">", call)
        with _tracing(client, self._trace):
            selection = None if select is None else on_success(function, select)
            reply = client.call(
                function.name, call.data, result="message", select=selection, headers=headers
            )
        if reply is None:
            return Answer(b"", 0)
        _trace_message(self._trace, "<", reply)
        error = business_error(reply.name, reply.headers, client.transport)
        return self.read(reply, select is not None) if error is None else _business_answer(error)

    def _message(self, arguments: bytes) -> Message:
        """The call with its arguments in the protocol of the client."""
        protocol, function = self._client.protocol, self._function
        if protocol != "binary":
            arguments = _core.convert(arguments, source="binary", target=protocol)
        kind = "oneway" if function.oneway else "call"
        return Message(function.name, kind, 0, arguments, protocol, True, function)

    def read(self, reply: Message, is_partial: bool) -> Answer:
        """A reply as JSON."""
        options: MessageJsonOptions = {
            "nonfinite": "string",
            "missing_required": "omit" if is_partial else "error",
            **self._json_options,
        }
        text = reply.to_json(**options)
        if reply.kind == "exception":
            return Answer(text, APPLICATION, _exception_note(reply))
        return self._result(reply, text)

    def _result(self, reply: Message, text: bytes) -> Answer:
        """The answer with a result struct. text: the struct as JSON."""
        function, protocol = self._function, self._client.protocol
        try:
            name = result_field(function, reply.data, protocol)
        except ApplicationError as error:
            return Answer(text, APPLICATION, str(error))
        if name is None:
            return Answer(b"null", 0)
        field = function.result.fields[name]
        if field.id != 0:
            return Answer(text, DECLARED, f"{function.name} raised {field.type.name}")
        return Answer(_success(text, bool(self._json_options.get("pretty"))), 0)


def _exception_note(reply: Message) -> str:
    """Text and error code of an application exception."""
    exception = reply.decode(invalid_utf8="replace")
    code = exception.get("type", 0)
    names = {value: name for name, value in reply.type.at("$.type").members.items()}
    text = shortened(exception.get("message") or "(no message)", MESSAGE_LENGTH)
    return f"application exception: {text} ({names.get(code, code)})"


def _business_answer(error: BusinessError) -> Answer:
    members = {"status": error.status, "message": error.message, "extra": error.extra}
    return Answer(
        json.dumps(members).encode(),
        APPLICATION,
        f"business error {error.status}: {shortened(error.message, MESSAGE_LENGTH)}",
    )


def _success(text: bytes, is_pretty: bool) -> bytes:
    """The value in `{"success": …}`."""
    if not is_pretty:
        return text[len(b'{"success":') : -1]
    inner = text[text.index(b":") + 1 : text.rindex(b"}")].strip()
    return b"\n".join(line[2:] if line.startswith(b"  ") else line for line in inner.split(b"\n"))


def check_selection(function: Function, select: str) -> None:
    """Raises an Error if the selection is not valid for the result of the function."""
    try:
        on_success(function, select)
    except TypeError as error:
        raise Error(f"--select: {error}", code="bad_option") from None
