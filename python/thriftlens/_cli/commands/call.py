"""`thriftlens call`: one call of a service, its arguments as JSON or as NAME=VALUE, its result as JSON."""

from __future__ import annotations

import contextlib
import json
import sys
import time
from typing import Any, Callable, Iterator, Mapping, NamedTuple, Optional, Sequence

import click

from .. import completion as _complete, io as _files, options as opt
from ..input import load_schema
from ..report import fail, print_text, say
from ... import _core
from ..._rpc.calls import Prepared, business_error, doc_of, functions_of, on_success, result_field
from ..._rpc.client import Client, connect
from ..._errors import (
    ApplicationError,
    BusinessError,
    Error,
    JSONError,
    TransportError,
    UnknownNameError,
)
from ..._schema.exceptions import find_near
from ..._rpc.message import Message
from ..._schema.schema import Function, Schema, Service
from ..._text import MESSAGE_LENGTH, escaped, escaped_json, shortened

DECLARED, APPLICATION, TRANSPORT = 3, 4, 5
"""Exit statuses of what came instead of a result."""
_TEXTUAL = ("string", "binary", "uuid", "enum")

Say = Callable[[str], None]


class Answer(NamedTuple):
    """What is printed, and the exit status."""

    text: bytes
    status: int
    note: str = ""


def find_function(idl: Schema, name: str) -> tuple[Service, Function]:
    """Of "Service.function", or of "function" where one service alone has it."""
    before, _, last = name.rpartition(".")
    if before:
        service = idl.service(before)
        return service, service.function(last)
    found = [
        (each, functions_of(each)[last])
        for each in idl.services.values()
        if last in functions_of(each)
    ]
    if not found:
        names = {each for service in idl.services.values() for each in functions_of(service)}
        near = find_near(last, sorted(names))
        help = f"; did you mean {near!r}?" if near else ""
        raise UnknownNameError(
            f"no function {last!r} in {', '.join(idl.services) or 'the IDL'}{help}",
            code="unknown_name",
        )
    own = [row for row in found if last in row[0].functions] or found
    if len(own) > 1:
        raise UnknownNameError(
            f"{last!r} is a function of {', '.join(row[0].name for row in own)}: say which",
            code="unknown_name",
        )
    return own[0]


def listing(idl: Schema) -> Iterator[str]:
    """A line for each function of each service: `Service.function`, then how it is declared."""
    for service in idl.services.values():
        for function in functions_of(service).values():
            declared = doc_of(function).partition("\n")[0]
            yield f"{service.name}.{function.name}\t{declared}"


def arguments_of(function: Function, text: Optional[bytes], pairs: Sequence[str]) -> bytes:
    """The argument struct in Binary: of JSON, and of NAME=VALUE and NAME:=JSON, which change it.

    NAME may be a path: `req.user.name=Zoe`; structs and maps on the way are made. A VALUE of a string, binary or enum is text as it
    stands, any other is JSON."""
    of = function.arguments
    try:
        data = b"\0" if text is None else of.from_json(text)
    except JSONError as error:
        raise JSONError(
            f"--json: {error}", code=error.code, path=error.path, offset=error.offset
        ) from None
    edit = of.edit(data)
    paths: set[str] = set()
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals:
            raise Error(
                f"an argument is NAME=VALUE or NAME:=JSON, not {pair!r}", code="path_syntax"
            )
        path = f"$.{name.rstrip(':')}" if not name.startswith("$") else name.rstrip(":")
        if path in paths:
            raise Error(f"the argument {name.rstrip(':')!r} is there twice", code="path_syntax")
        paths.add(path)
        kind = of.at(path).kind
        if not name.endswith(":") and kind in _TEXTUAL:
            edit.create(path, value.encode() if kind == "binary" else value)
            continue
        try:
            edit.create(path, json=value)
        except JSONError as error:
            raise JSONError(
                f"{pair!r} is no {of.at(path).name} in JSON: {error}",
                code=error.code,
                path=error.path,
                offset=error.offset,
            ) from None
    data = edit.apply() if pairs else data
    _check_arguments(function, data, is_json=text is not None)
    return data


def _check_arguments(function: Function, data: bytes, is_json: bool) -> None:
    """Raises for arguments that Python would refuse: by name all without a default are needed, in JSON only required ones."""
    view = function.arguments.view(data, missing_required="omit")
    try:
        if not is_json:
            Prepared(function, "binary").bind((), {name: None for name in view})
        function.arguments.encode(view)
    except (Error, TypeError) as error:
        raise Error(
            f"the arguments of {function.name}: {error.args[0]}",
            code=getattr(error, "code", "missing_required"),
        ) from None


@contextlib.contextmanager
def _traced(client: Client, trace: Optional[Say]) -> Iterator[None]:
    """Tells what was sent before the call ends, whatever it ends with."""
    began = time.monotonic()
    try:
        yield
    finally:
        if trace is not None:
            trace(
                f"# {client.address}, {client.transport} {client.protocol}, {(time.monotonic() - began) * 1000:.1f} ms"
            )


def _show(trace: Optional[Say], mark: str, message: Message) -> None:
    """A message as a tree, each line behind the mark. The sequence id of what is sent is the session's to choose, so only a reply tells it."""
    if trace is None:
        return
    number = "" if mark == ">" else f"sequence id {message.sequence_id}, "
    trace(
        f"{mark} {message.name} ({message.kind}, {number}{message.protocol}, {len(message.data)} bytes)"
    )
    for name, value in message.headers.items():
        trace(f"{mark} {escaped(str(name))}: {escaped(value)}")
    of = message.type if message.is_known else None
    tree = _core.inspect(message.data, type=of, protocol=message.protocol)
    for line in tree.splitlines():
        trace(f"{mark} {line}")


class Caller:
    """Calls a function of a server again and again, and reads what comes back."""

    def __init__(
        self,
        client: Client,
        function: Function,
        how: Mapping[str, Any],
        trace: Optional[Say] = None,
    ):
        self._client = client
        self._function = function
        self._how = how
        self._trace = trace

    def call(
        self, arguments: bytes, select: Optional[str], headers: Optional[Mapping[str, str]]
    ) -> Answer:
        """arguments: the struct in Binary. select: on the result value."""
        client, function = self._client, self._function
        protocol: Any = client.protocol
        sent = (
            arguments
            if protocol == "binary"
            else _core.convert(arguments, source="binary", target=protocol)
        )
        kind = "oneway" if function.oneway else "call"
        _show(self._trace, ">", Message(function.name, kind, 0, sent, protocol, True, function))
        with _traced(client, self._trace):
            chosen = None if select is None else on_success(function, select)
            reply = client.call(
                function.name, sent, result="message", select=chosen, headers=headers
            )
        if reply is None:
            return Answer(b"", 0)
        _show(self._trace, "<", reply)
        business = business_error(reply.name, reply.headers, client.transport)
        return (
            self.read(reply, select is not None) if business is None else _business_answer(business)
        )

    def read(self, reply: Message, is_partial: bool) -> Answer:
        """A reply as JSON."""
        missing: Any = "omit" if is_partial else "error"
        pretty = self._how.get("pretty", False)
        text = reply.to_json(nonfinite="string", missing_required=missing, **self._how)
        if reply.kind == "exception":
            told = reply.decode(invalid_utf8="replace")
            number = told.get("type", 0)
            word = {value: name for name, value in reply.type.at("$.type").members.items()}.get(
                number, str(number)
            )
            return Answer(
                text,
                APPLICATION,
                f"application exception: {shortened(told.get('message') or '(no message)', MESSAGE_LENGTH)} ({word})",
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
    """The value behind `{"success":`."""
    if not is_pretty:
        return text[len(b'{"success":') : -1]
    inner = text[text.index(b":") + 1 : text.rindex(b"}")].strip()
    return b"\n".join(line[2:] if line.startswith(b"  ") else line for line in inner.split(b"\n"))


def check_selection(function: Function, select: str) -> None:
    """Raises an Error for what is no selection on its result."""
    try:
        on_success(function, select)
    except TypeError as error:
        raise Error(f"--select: {error}", code="bad_option") from None


def pairs_of(option: str, given: Sequence[str]) -> dict[str, str]:
    """NAME=VALUE of headers."""
    pairs = {}
    for each in given:
        name, equals, value = each.partition("=")
        if not equals or not name:
            raise Error(f"{option} takes NAME=VALUE, not {each!r}", code="path_syntax")
        if name in pairs:
            raise Error(f"{option} {name!r} is there twice", code="path_syntax")
        pairs[name] = value
    return pairs


def open_client(address: str, idl: Schema, service: Service, how: dict[str, Any]) -> Client:
    """The client; its faults are TransportError."""
    return connect(address, idl, service.name, **how)


def status_of(error: Error) -> int:
    """The exit status of a fault."""
    return (
        TRANSPORT
        if isinstance(error, TransportError)
        else 2
        if error.call_state == "not_sent"
        else 1
    )


def state_of(error: Error) -> str:
    """What became of the call, at the end of an error's line; nothing where the reply is there."""
    return {
        "not_sent": "; the call was not sent",
        "sent": "; the call was sent, and may have been carried out",
    }.get(error.call_state or "", "")


_CALL_STATUSES = """\b
Exit status:
  0    a result
  1    a reply that does not fit the IDL
  2    bad usage: a name or arguments that the IDL does not have
  3    a declared exception, printed as JSON
  4    an application exception, or neither result nor exception
  5    no reply: not reached, refused, closed, timed out
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

    Arguments are given by --json, NAME=VALUE (text for strings and enums, else JSON) or NAME:=JSON; NAME may be a path: req.user.name=Zoe.
    HOST:PORT may be user:password@host:port (SASL PLAIN), http://user:password@host:port/path or unix:/path."""
    schema = load_schema(idl, options)
    if lists:
        return print_text("".join(f"{line}\n" for line in listing(schema)))
    if function is None:
        raise click.UsageError(
            "missing SERVICE.FUNCTION; list the functions of the IDL with --list"
        )
    how = opt.take_connection(options)
    try:
        service, found = find_function(schema, function)
        arguments = arguments_of(found, None if json is None else _given_json(json), pairs)
        sent = pairs_of("--header", headers)
        if select is not None:
            check_selection(found, select)
        client = open_client(address, schema, service, {**how, "headers": sent or None})
    except Error as error:
        fail(f"{error}; the call was not sent", status=max(status_of(error), 2))
    with _files.writing(output) as sink, client:
        caller = Caller(
            client,
            found,
            options,
            (lambda line: click.echo(escaped(line), err=True)) if trace else None,
        )
        try:
            answer = caller.call(arguments, select, sent or None)
        except Error as error:
            told = str(error)
            hint = ("; raise --limit" if error.code == "size_limit" else "") + state_of(error)
            fail(
                f"{told if told.startswith(client.address) else f'{client.address}: {told}'}{hint}",
                status=status_of(error),
            )
        sink.write(escaped_json(answer.text) + (b"\n" if answer.text else b""))
    if answer.note:
        say(f"{answer.note}")
    sys.exit(answer.status)


def _given_json(given: str) -> bytes:
    """JSON as it stands, of @FILE, or of standard input."""
    if given != "-" and not given.startswith("@"):
        return given.encode("utf-8", "surrogateescape")
    with _files.reading(given[1:] if given != "-" else "-") as source:
        return bytes(source.whole())
