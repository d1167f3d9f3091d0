"""`thriftlens call`: calls a function; arguments as JSON or NAME=VALUE, result as JSON."""

from __future__ import annotations

import sys
from typing import Any, Optional

import click

from ..._errors import Error, TransportError
from ..._rpc.client import Client, ConnectOptions, connect
from ..._rpc.function_calls import (
    TRANSPORT,
    Caller,
    arguments_of,
    check_selection,
    find_function,
    listing,
)
from ..._schema.schemas import Schema
from ..._schema.services import Service
from ..._text import escaped, escaped_json
from .. import completion as _complete
from .. import options as opt
from ..input import load_schema
from ..report import fail, print_text, say
from ..sink import writing
from ..source import open_source


def open_client(address: str, idl: Schema, service: Service, options: ConnectOptions) -> Client:
    """Connects to the server. Connection errors are TransportError."""
    return connect(address, idl, service.name, **options)


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
    unix:/path."""
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
        extra = opt.pairs_of("--header", headers) or None
        if select is not None:
            check_selection(target, select)
        client = open_client(address, schema, service, {**connection, "headers": extra})
    except (Error, ValueError) as error:
        status = status_of(error) if isinstance(error, Error) else 2
        fail(f"{error}; the call was not sent", status=max(status, 2))
    with writing(output) as sink, client:
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
    with open_source(argument[1:] if argument != "-" else "-") as source:
        return bytes(source.read_all())
