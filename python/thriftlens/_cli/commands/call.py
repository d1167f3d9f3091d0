"""`thriftlens call`: calls a function; arguments as JSON or NAME=VALUE, result as JSON."""

from __future__ import annotations

import dataclasses
import sys
from typing import TYPE_CHECKING, NamedTuple, NoReturn, Optional

import click

from ..._errors import Error, TransportError, without_option
from ..._rpc.client import Client, connect
from ..._rpc.function_calls import (
    TRANSPORT,
    Caller,
    arguments_of,
    check_selection,
    find_function,
    listing,
)
from ..._schema.schemas import Schema
from ..._schema.services import Function
from ..._text import escaped, escaped_json
from ..._typing import MessageJsonOptions
from .. import completion as _complete
from .. import options as opt
from ..connection import ConnectionOptions, connection_options
from ..idl import IdlFile, idl_argument
from ..report import advise, fail, print_text, say, text_in
from ..sink import writing
from ..source import open_source

if TYPE_CHECKING:
    from typing_extensions import Unpack


@dataclasses.dataclass(frozen=True)
class CallOptions:
    """A call by the command line."""

    address: str
    function: Optional[str]
    pairs: tuple[str, ...]
    data: Optional[str]
    select: Optional[str]
    headers: tuple[str, ...]
    connection: ConnectionOptions


class PreparedCall(NamedTuple):
    """A call whose arguments are checked, and the client to send it with."""

    client: Client
    function: Function
    arguments: bytes
    headers: Optional[dict[str, str]]


def status_of(error: Error) -> int:
    """The exit status of an error."""
    if isinstance(error, TransportError):
        return TRANSPORT
    if error.call_state == "not_sent":
        return 2
    return 1


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


@opt.command(epilog=_CALL_STATUSES)
@opt.grouped(
    "request",
    CallOptions,
    click.argument("address", metavar="HOST:PORT"),
    idl_argument,
    click.argument(
        "function", metavar="[SERVICE.FUNCTION]", required=False, shell_complete=_complete.functions
    ),
    click.argument("pairs", metavar="[NAME=VALUE]...", nargs=-1),
    click.option(
        "-d",
        "--data",
        metavar="JSON|@FILE|-",
        help="Arguments as a JSON object, in a file, or on standard input.",
    ),
    click.option("--list", "lists", is_flag=True, help="List the functions of the IDL and exit."),
    click.option(
        "--select", metavar="SELECTION", help="Parts of the result to keep: '{ id user { name } }'."
    ),
    click.option("--trace", is_flag=True, help="Print both messages on stderr."),
    opt.repeatable(
        "--header", "NAME=VALUE", "Header of THeader, TTHeader or HTTP.", name="headers"
    ),
    connection_options,
)
@opt.output_option
@click.option("--pretty", is_flag=True, help="Indent the output.")
@opt.choices("to_json", "enums=name", "int64", "unknown", "invalid_utf8=replace")
def call(
    request: CallOptions,
    idl: IdlFile,
    lists: bool,
    trace: bool,
    output: str,
    **options: Unpack[MessageJsonOptions],
) -> None:
    """Call a function of the server at HOST:PORT and print its result as JSON.

    Arguments are given by --data, NAME=VALUE (text for strings and enums, else JSON) or NAME:=JSON;
    NAME may be a path: req.user.name=Zoe.
    HOST:PORT may be user:password@host:port (SASL PLAIN), http://user:password@host:port/path or
    unix:/path."""
    if request.address.endswith(".thrift"):
        raise click.UsageError(
            f"expected HOST:PORT IDL SERVICE.FUNCTION, found {request.address!r} as HOST:PORT"
        )
    schema = idl.load()
    if lists:
        return print_text("".join(f"{line}\n" for line in listing(schema)))
    client, function, arguments, headers = _prepare(schema, request)
    with writing(output) as sink, client:
        caller = Caller(client, function, options, _print_trace if trace else None)
        try:
            answer = caller.call(arguments, request.select, headers)
        except Error as error:
            _fail_of_call(error, client.address)
        sink.write(escaped_json(answer.text) + (b"\n" if answer.text else b""))
    if answer.note:
        say(answer.note)
    sys.exit(answer.status)


def _prepare(schema: Schema, request: CallOptions) -> PreparedCall:
    """Checks a call and connects. Exits with an error."""
    if request.function is None:
        raise click.UsageError(
            "missing SERVICE.FUNCTION; list the functions of the IDL with --list"
        )
    options = request.connection.arguments()
    try:
        service, function = find_function(schema, request.function)
        text = None if request.data is None else _read_json(request.data)
        arguments = arguments_of(function, text, request.pairs)
        headers = opt.pairs_of("--header", request.headers) or None
        if request.select is not None:
            check_selection(function, request.select)
        options["headers"] = headers
        client = connect(request.address, schema, service.name, **options)
    except (Error, ValueError) as error:
        status = status_of(error) if isinstance(error, Error) else 2
        if isinstance(error, Error):
            without_option(error)  # the options of the command are those of the reply
        fail(f"{error}; the call was not sent", status=max(status, 2))
    return PreparedCall(client, function, arguments, headers)


def _print_trace(line: str) -> None:
    click.echo(escaped(line), err=True)


def _fail_of_call(error: Error, address: str) -> NoReturn:
    """Exits with the error of a call, which names the server."""
    if error.code == "size_limit":
        advise(error, "accepted with a larger --max-size")
    fail(f"{text_in(address, error)}{state_of(error)}", status=status_of(error))


def _read_json(argument: str) -> bytes:
    """JSON from the argument itself, from @FILE, or from standard input (-)."""
    if argument != "-" and not argument.startswith("@"):
        return argument.encode("utf-8", "surrogateescape")
    with open_source(argument[1:] if argument != "-" else "-") as source:
        return bytes(source.read_all())
