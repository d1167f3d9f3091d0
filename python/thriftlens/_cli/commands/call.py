"""`thriftlens call`: calls a function; arguments as JSON or NAME=VALUE, result as JSON."""

from __future__ import annotations

import contextlib
import json
import sys
import time
from typing import Any, Callable, Iterator, Mapping, NamedTuple, Optional, Sequence

import click

from ... import _core
from ..._errors import (
    ApplicationError,
    BusinessError,
    Error,
    JSONError,
    TransportError,
    UnknownNameError,
)
from ..._rpc.calls import Prepared, business_error, doc_of, functions_of, on_success, result_field
from ..._rpc.client import Client, connect
from ..._rpc.message import Message
from ..._schema.schemas import Schema
from ..._schema.services import Function, Service
from ..._text import MESSAGE_LENGTH, escaped, escaped_json, find_near, shortened
from .. import completion as _complete
from .. import io as _files
from .. import options as opt
from ..input import load_schema
from ..report import fail, print_text, say

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
    matches = [
        (candidate, functions_of(candidate)[function_name])
        for candidate in idl.services.values()
        if function_name in functions_of(candidate)
    ]
    if not matches:
        names = {name for service in idl.services.values() for name in functions_of(service)}
        suggestion = find_near(function_name, sorted(names))
        hint = f"; did you mean {suggestion!r}?" if suggestion else ""
        raise UnknownNameError(
            f"no function {function_name!r} in {', '.join(idl.services) or 'the IDL'}{hint}",
            code="unknown_name",
        )
    declaring = [row for row in matches if function_name in row[0].functions] or matches
    if len(declaring) > 1:
        raise UnknownNameError(
            f"ambiguous function {function_name!r}: declared by {', '.join(row[0].name for row in declaring)}; name it SERVICE.{function_name}",
            code="unknown_name",
        )
    return declaring[0]


def listing(idl: Schema) -> Iterator[str]:
    """One line per function: `Service.function` and its declaration."""
    for service in idl.services.values():
        for function in functions_of(service).values():
            declared = doc_of(function).partition("\n")[0]
            yield f"{service.name}.{function.name}\t{declared}"


def arguments_of(function: Function, text: Optional[bytes], pairs: Sequence[str]) -> bytes:
    """The argument struct in Binary: JSON, then changed by NAME=VALUE and NAME:=JSON.

    NAME may be a path: `req.user.name=Zoe`; missing structs and maps are created. The VALUE of a
    string, binary or enum is plain text; any other is JSON.
    """
    type_ = function.arguments
    try:
        data = b"\0" if text is None else type_.from_json(text)
    except JSONError as error:
        raise JSONError(
            f"--json: {error}", code=error.code, path=error.path, offset=error.offset
        ) from None
    edit = type_.edit(data)
    paths: set[str] = set()
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals:
            raise Error(
                f"invalid argument {pair!r}; expected NAME=VALUE or NAME:=JSON", code="path_syntax"
            )
        path = f"$.{name.rstrip(':')}" if not name.startswith("$") else name.rstrip(":")
        if path in paths:
            raise Error(f"duplicate argument {name.rstrip(':')!r}", code="path_syntax")
        paths.add(path)
        kind = type_.at(path).kind
        if not name.endswith(":") and kind in _TEXTUAL:
            edit.create(path, value.encode() if kind == "binary" else value)
            continue
        try:
            edit.create(path, json=value)
        except JSONError as error:
            raise JSONError(
                f"{pair!r} is not a {type_.at(path).name} in JSON: {error}",
                code=error.code,
                path=error.path,
                offset=error.offset,
            ) from None
    data = edit.apply() if pairs else data
    _check_arguments(function, data, is_json=text is not None)
    return data


def _check_arguments(function: Function, data: bytes, is_json: bool) -> None:
    """Raises for missing arguments, as a call from Python does: by name all without a default, in
    JSON only required ones.
    """
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
                f"# {client.address}, {client.transport} {client.protocol}, {(time.monotonic() - start) * 1000:.1f} ms"
            )


def _trace_message(trace: Optional[Say], mark: str, message: Message) -> None:
    """Traces a message as a tree, every line after `mark`.

    Only replies show a sequence id: the session chooses that of a call.
    """
    if trace is None:
        return
    sequence_id = "" if mark == ">" else f"sequence id {message.sequence_id}, "
    trace(
        f"{mark} {message.name} ({message.kind}, {sequence_id}{message.protocol}, {len(message.data)} bytes)"
    )
    for name, value in message.headers.items():
        trace(f"{mark} {escaped(str(name))}: {escaped(value)}")
    type_ = message.type if message.is_known else None
    tree = _core.inspect(message.data, type=type_, protocol=message.protocol)
    for line in tree.splitlines():
        trace(f"{mark} {line}")


class Caller:
    """Calls a function of a server and converts its replies to JSON."""

    def __init__(
        self,
        client: Client,
        function: Function,
        json_options: Mapping[str, Any],
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
        protocol: Any = client.protocol
        data = (
            arguments
            if protocol == "binary"
            else _core.convert(arguments, source="binary", target=protocol)
        )
        kind = "oneway" if function.oneway else "call"
        _trace_message(
            self._trace, ">", Message(function.name, kind, 0, data, protocol, True, function)
        )
        with _tracing(client, self._trace):
            selection = None if select is None else on_success(function, select)
            reply = client.call(
                function.name, data, result="message", select=selection, headers=headers
            )
        if reply is None:
            return Answer(b"", 0)
        _trace_message(self._trace, "<", reply)
        error = business_error(reply.name, reply.headers, client.transport)
        return self.read(reply, select is not None) if error is None else _business_answer(error)

    def read(self, reply: Message, is_partial: bool) -> Answer:
        """A reply as JSON."""
        missing: Any = "omit" if is_partial else "error"
        pretty = self._json_options.get("pretty", False)
        text = reply.to_json(nonfinite="string", missing_required=missing, **self._json_options)
        if reply.kind == "exception":
            exception = reply.decode(invalid_utf8="replace")
            code = exception.get("type", 0)
            label = {value: name for name, value in reply.type.at("$.type").members.items()}.get(
                code, str(code)
            )
            return Answer(
                text,
                APPLICATION,
                f"application exception: {shortened(exception.get('message') or '(no message)', MESSAGE_LENGTH)} ({label})",
            )
        try:
            name = result_field(self._function, reply.data, reply.protocol)
        except ApplicationError as error:
            return Answer(text, APPLICATION, str(error))
        if name is None:
            return Answer(b"null", 0)
        field = self._function.result.fields[name]
        if field.id != 0:
            return Answer(text, DECLARED, f"{self._function.name} raised {field.type.name}")
        return Answer(_success(text, bool(pretty)), 0)


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


def pairs_of(option: str, options: Sequence[str]) -> dict[str, str]:
    """Parses NAME=VALUE options."""
    pairs = {}
    for text in options:
        name, equals, value = text.partition("=")
        if not equals or not name:
            raise Error(f"invalid {option} {text!r}; expected NAME=VALUE", code="path_syntax")
        if name in pairs:
            raise Error(f"duplicate {option} {name!r}", code="path_syntax")
        pairs[name] = value
    return pairs


def open_client(address: str, idl: Schema, service: Service, options: dict[str, Any]) -> Client:
    """Connects to the server. Connection errors are TransportError."""
    return connect(address, idl, service.name, **options)


def status_of(error: Error) -> int:
    """The exit status of an error."""
    return (
        TRANSPORT
        if isinstance(error, TransportError)
        else 2
        if error.call_state == "not_sent"
        else 1
    )


def state_of(error: Error) -> str:
    """The state of the call, for the end of an error message; empty if there was a reply."""
    return {
        "not_sent": "; the call was not sent",
        "sent": "; the call was sent and may have been executed",
    }.get(error.call_state or "", "")


_CALL_STATUSES = """\b
Exit status:
  0    a result
  1    a reply that does not match the IDL
  2    invalid usage: a name or arguments that are not in the IDL
  3    a declared exception, printed as JSON
  4    an application exception, or neither result nor exception
  5    no reply: unreachable, refused, closed, timeout
"""


@click.command(epilog=_CALL_STATUSES)
@click.argument("address", metavar="HOST:PORT")
@opt.idl_argument
@click.argument(
    "function", metavar="[SERVICE.FUNCTION]", required=False, shell_complete=_complete.functions
)
@click.argument("pairs", metavar="[NAME=VALUE]...", nargs=-1)
@click.option(
    "--json",
    "json",
    metavar="JSON|@FILE|-",
    help="Arguments as a JSON object, in a file, or on standard input.",
)
@click.option("--list", "lists", is_flag=True, help="List the functions of the IDL and exit.")
@click.option(
    "--select", metavar="SELECTION", help="Parts of the result to keep: '{ id user { name } }'."
)
@click.option("--trace", is_flag=True, help="Print both messages on stderr.")
@click.option(
    "--header",
    "headers",
    multiple=True,
    metavar="NAME=VALUE",
    help="Header of THeader, TTHeader or HTTP (repeatable).",
)
@opt.connection_options
@opt.output_option
@click.option("--pretty", is_flag=True, help="Indent the output.")
@opt.choices("to_json", "enums=name", "int64", "unknown", "invalid_utf8=replace")
def call(
    address: str, idl: str, function: Optional[str], pairs: tuple[str, ...], json: Optional[str],
    lists: bool, select: Optional[str], trace: bool, headers: tuple[str, ...], output: str,
    **options: Any
) -> None:  # fmt: skip
    """Call a function of the server at HOST:PORT and print its result as JSON.

    Arguments are given by --json, NAME=VALUE (text for strings and enums, else JSON) or NAME:=JSON;
    NAME may be a path: req.user.name=Zoe.
    HOST:PORT may be user:password@host:port (SASL PLAIN), http://user:password@host:port/path or
    unix:/path.
    """
    schema = load_schema(idl, options)
    if lists:
        return print_text("".join(f"{line}\n" for line in listing(schema)))
    if function is None:
        raise click.UsageError(
            "missing SERVICE.FUNCTION; list the functions of the IDL with --list"
        )
    connection = opt.take_connection(options)
    try:
        service, target = find_function(schema, function)
        arguments = arguments_of(target, None if json is None else _read_json(json), pairs)
        extra = pairs_of("--header", headers) or None
        if select is not None:
            check_selection(target, select)
        client = open_client(address, schema, service, {**connection, "headers": extra})
    except Error as error:
        fail(f"{error}; the call was not sent", status=max(status_of(error), 2))
    with _files.writing(output) as sink, client:
        caller = Caller(
            client,
            target,
            options,
            (lambda line: click.echo(escaped(line), err=True)) if trace else None,
        )
        try:
            answer = caller.call(arguments, select, extra)
        except Error as error:
            text = str(error)
            hint = ("; raise --limit" if error.code == "size_limit" else "") + state_of(error)
            fail(
                f"{text if text.startswith(client.address) else f'{client.address}: {text}'}{hint}",
                status=status_of(error),
            )
        sink.write(escaped_json(answer.text) + (b"\n" if answer.text else b""))
    if answer.note:
        say(f"{answer.note}")
    sys.exit(answer.status)


def _read_json(argument: str) -> bytes:
    """JSON from the argument itself, from @FILE, or from standard input (-)."""
    if argument != "-" and not argument.startswith("@"):
        return argument.encode("utf-8", "surrogateescape")
    with _files.reading(argument[1:] if argument != "-" else "-") as source:
        return bytes(source.read_all())
