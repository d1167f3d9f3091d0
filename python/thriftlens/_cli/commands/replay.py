"""`thriftlens replay`: repeats the calls of a recording and compares the replies, or answers calls
from it as a mock server."""

from __future__ import annotations

import sys
from typing import Any, Callable, Mapping, Optional

import click

from ..._capture.recording import Recording
from ..._capture.replay import Player, check_ignored, check_methods, summary
from ..._errors import Error
from ..._schema.schemas import Schema
from ..._schema.types import Type
from ..._text import escaped
from .. import options as opt
from .. import report
from ..input import load_schema
from ..sink import writing
from .diff import format_difference


def serve(
    recording: Recording,
    idl: Schema,
    service: Optional[str],
    options: Mapping[str, Any],
    say: Callable[[str], None],
) -> None:
    """Answers calls from the recording until a signal ends it."""
    from ..._rpc.serve import serve as serve_

    def ready(server: Any) -> None:
        say(f"serving {len(recording.calls)} recorded calls on {server.address}")

    serve_(idl, service, recording, ready=ready, **options)


_ONLY_TO = ("ignored", "methods", "timeout", "tls", "ca", "multiplexed", "limits")
_ONLY_SERVE = ("service_name", "match")
_NAMES = {"ignored": "ignore", "methods": "method", "service_name": "service", "limits": "limit"}


@click.command()
@click.argument("file", metavar="FILE", type=click.Path())
@opt.idl_argument
@click.option(
    "--to",
    "address",
    metavar="HOST:PORT",
    help="Server to send the calls to; answers are compared.",
)
@click.option(
    "--serve",
    "listen",
    callback=opt.read_address,
    metavar="HOST:PORT",
    help="Address to serve recorded answers on; port 0: any free port.",
)
@click.option(
    "--service",
    "service_name",
    metavar="NAME",
    help="With --serve: the service, if the IDL has several.",
)
@click.option(
    "--match",
    type=click.Choice(["arguments", "name"]),
    default="arguments",
    show_default=True,
    help="With --serve: what recorded calls are matched by.",
)
@click.option(
    "--ignore",
    "ignored",
    multiple=True,
    metavar="PATH",
    help="With --to: path whose differences are ignored: $.success.time (repeatable).",
)
@click.option(
    "--method",
    "methods",
    multiple=True,
    metavar="NAME",
    help="With --to: send only calls of this method (repeatable).",
)
@opt.connection_options
@opt.output_option
def replay(
    file: str,
    idl: str,
    address: Optional[str],
    listen: Optional[tuple[str, int]],
    service_name: Optional[str],
    match: Any,
    output: str,
    **options: Any,
) -> None:
    """Repeat the calls of a recording (--to), or answer calls from it (--serve) until Ctrl-C.

    --to prints the changes from the recorded to the new answers, as diff does. Exit status: 0
    equal; 1 different, no reply, or a function that is not in the IDL; 2 error. With --serve, equal
    calls get their recorded replies in order, and then the last one again."""

    def say(line: str) -> None:
        report.say(f"{file}: {line}")

    if (address is None) == (listen is None):
        raise click.UsageError("give either --to or --serve")
    for option in _ONLY_TO if address is None else _ONLY_SERVE:
        if opt.is_explicit(option):
            raise click.UsageError(
                f"--{_NAMES.get(option, option)} needs {'--to' if address is None else '--serve'}"
            )
    ignored, methods = options.pop("ignored"), options.pop("methods")
    schema = load_schema(idl, options)
    connection = opt.take_connection(options)
    try:
        recording = Recording(file, match=match)
    except Error as error:
        report.fail(error, status=2)
    if recording.is_redacted:
        say("the recording is redacted: redacted values differ")
    if listen is not None:
        return serve(
            recording,
            schema,
            service_name,
            {
                "host": listen[0],
                "port": listen[1],
                "transport": connection["transport"],
                "protocol": connection["protocol"],
            },
            say,
        )
    assert address is not None

    def format_row(
        type_: Type, kind: str, path: str, old: Optional[bytes], new: Optional[bytes], protocol: Any
    ) -> bytes:
        return format_difference(
            type_, kind, path, old, new, protocols=(protocol, protocol), depth=opt.DEFAULT_DEPTH
        )

    player = Player(address, schema, connection, ignored, format_row)
    try:
        check_ignored(list(schema.services.values()), ignored)
        check_methods(recording, methods)
        with writing(output) as sink:
            for line in player.play(recording, methods):
                sink.write((escaped(line.decode("utf-8", "replace")) + "\n").encode())
    except Error as error:
        report.fail(error, status=2)
    say(summary(player.outcome))
    sys.exit(0 if player.outcome.is_same else 1)
