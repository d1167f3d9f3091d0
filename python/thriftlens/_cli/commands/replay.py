"""`thriftlens replay`: repeats the calls of a recording and compares the replies, or answers calls
from it as a mock server."""

from __future__ import annotations

import dataclasses
import sys
from typing import Literal, NoReturn, Optional

import click

from ..._capture.recording import Recording
from ..._capture.replay import Player, check_ignored, check_methods, summary
from ..._errors import Error
from ..._rpc.serve import serve as serve_service
from ..._rpc.server import Server
from ..._schema.schemas import Schema
from ..._text import escaped
from .. import options as opt
from .. import report
from ..connection import ConnectionOptions, connection_options, listen_option
from ..idl import IdlFile, idl_argument
from ..sink import writing


@dataclasses.dataclass(frozen=True)
class ReplayOptions:
    """Options of replay, --server or --listen."""

    file: str
    address: Optional[str]
    listen: Optional[tuple[str, int]]
    service_name: Optional[str]
    match: Literal["arguments", "name"]
    ignored: tuple[str, ...]
    methods: tuple[str, ...]
    connection: ConnectionOptions

    def say(self, line: str) -> None:
        report.say(f"{self.file}: {line}")


_ONLY_SERVER = "ignored methods timeout tls ca multiplexed max_size max_header_size depth".split()
_ONLY_LISTEN = ["service_name", "match"]
_NAMES = {"ignored": "ignore", "methods": "method", "service_name": "service"}


@opt.command()
@opt.grouped(
    "options",
    ReplayOptions,
    click.argument("file", metavar="FILE", type=click.Path()),
    idl_argument,
    click.option(
        "--server",
        "address",
        metavar="HOST:PORT",
        help="Server to send the calls to; answers are compared.",
    ),
    listen_option(None, "Address to answer calls from the recording on; port 0: any free port."),
    click.option(
        "--service",
        "service_name",
        metavar="NAME",
        help="With --listen: the service, if the IDL has several.",
    ),
    click.option(
        "--match",
        type=click.Choice(["arguments", "name"]),
        default="arguments",
        show_default=True,
        help="With --listen: match recorded calls by name and arguments, or by name only.",
    ),
    opt.repeatable(
        "--ignore",
        "PATH",
        "With --server: path whose differences are ignored: $.success.time.",
        name="ignored",
    ),
    opt.repeatable(
        "--method", "NAME", "With --server: send only calls of this method.", name="methods"
    ),
    connection_options,
)
@opt.output_option
def replay(idl: IdlFile, output: str, options: ReplayOptions) -> None:
    """Repeat the calls of a recording (--server), or answer calls from it (--listen) until Ctrl-C.

    --server prints the changes from the recorded to the new answers, as diff does. Exit status: 0
    equal; 1 different, no reply, or a function that is not in the IDL; 2 error. With --listen,
    repeated calls get the recorded replies in order; the last reply is repeated."""
    _check_options(options)
    schema = idl.load()
    try:
        recording = Recording(options.file, match=options.match)
    except Error as error:
        report.fail(error, status=2)
    if recording.is_redacted:
        options.say("the recording is redacted: values differ from the original calls")
    if options.listen is not None:
        _serve(recording, schema, options.listen, options)
    elif options.address is not None:
        _play(recording, schema, options.address, options, output)


def _check_options(options: ReplayOptions) -> None:
    if (options.address is None) == (options.listen is None):
        raise click.UsageError("missing option: --server or --listen is required")
    required, others = (
        ("--server", _ONLY_SERVER) if options.address is None else ("--listen", _ONLY_LISTEN)
    )
    for option in others:
        if opt.is_explicit(option):
            name = _NAMES.get(option, option).replace("_", "-")
            raise click.UsageError(f"--{name} needs {required}")


def _serve(
    recording: Recording, idl: Schema, listen: tuple[str, int], options: ReplayOptions
) -> None:
    """Answers calls from the recording until a signal ends it."""

    def ready(server: Server) -> None:
        options.say(f"serving {len(recording.calls)} recorded calls on {server.address}")

    host, port = listen
    connection = options.connection
    serve_service(
        idl,
        options.service_name,
        recording,
        ready=ready,
        host=host,
        port=port,
        transport=connection.transport,
        protocol=connection.protocol,
    )


def _play(
    recording: Recording, idl: Schema, address: str, options: ReplayOptions, output: str
) -> NoReturn:
    """Sends the recorded calls, prints the differences, and exits."""
    player = Player(address, idl, options.connection.arguments(), options.ignored)
    try:
        check_ignored(list(idl.services.values()), options.ignored)
        check_methods(recording, options.methods)
        with writing(output) as sink:
            for line in player.play(recording, options.methods):
                sink.write((escaped(line.decode("utf-8", "replace")) + "\n").encode())
    except Error as error:
        report.fail(error, status=2)
    options.say(summary(player.outcome))
    sys.exit(0 if player.outcome.is_same else 1)
