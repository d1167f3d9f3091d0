"""`thriftlens pcap`: the calls in captured traffic or a recording as JSON or as a table, or a
summary per method."""

from __future__ import annotations

from typing import Any, Callable, Optional, Sequence, cast

import click

from ..._capture.decoded import HEADING, DecodedCall, JsonOptions, Summary
from ..._capture.traffic import captured_calls
from ..._errors import Error
from ..._schema.services import Service
from ..._text import escaped
from .. import options as opt
from .. import report
from ..input import services_of, take_schemas
from ..sink import Sink, writing
from ..source import open_source

Say = Callable[[str], None]


def run(
    source: Any,
    sink: Sink,
    services: Sequence[Service],
    json_options: JsonOptions,
    selection: dict[str, Any],
    say: Say,
) -> Optional[Error]:
    """Writes the selected calls. Returns the error that ended the capture."""
    form, methods = selection["form"], frozenset(selection["methods"])
    summary = Summary()
    begin: Optional[float] = None
    unmatched = set(methods)
    fault: Optional[Error] = None
    calls = captured_calls(source, say, selection["ports"], services)
    try:
        for captured in calls:
            decoded = DecodedCall(captured.call, services, json_options)
            names = {decoded.message.name, decoded.message.name.rpartition(":")[2]}
            if methods and methods.isdisjoint(names):
                continue
            unmatched -= names
            if begin is None:
                begin = captured.time
                if form == "table":
                    sink.write(f"{HEADING}\n".encode())
            summary.add(decoded)
            if form == "json":
                sink.write(decoded.line(captured))
            elif form == "table":
                sink.write(f"{escaped(decoded.row(captured, begin))}\n".encode())
    except Error as error:
        fault = error
    finally:
        if form == "summary":
            for line in summary.table():
                sink.write(f"{escaped(line)}\n".encode())
    for name in sorted(unmatched):
        say(f"no call of method {name!r}")
    return fault


@click.command()
@opt.file_argument()
@opt.idl_list_options
@opt.output_option
@click.option(
    "--format",
    "form",
    type=click.Choice(["json", "table", "summary"]),
    default="json",
    show_default=True,
    help="Output: calls as JSON, calls as a table, or a summary per method.",
)
@click.option(
    "--method",
    "methods",
    multiple=True,
    metavar="NAME",
    help="Print only calls of this method (repeatable).",
)
@click.option(
    "--port",
    "ports",
    multiple=True,
    type=click.IntRange(1, 65535),
    metavar="PORT",
    help="Print only connections with this port (repeatable).",
)
@opt.integer("decode", "depth", help="Maximum nesting depth.")
@opt.choices("to_json", "enums=name", "unknown", "invalid_utf8=replace")
def pcap(
    file: str,
    output: str,
    form: str,
    methods: tuple[str, ...],
    ports: tuple[int, ...],
    **options: Any,
) -> None:
    """Print the Thrift calls in a network capture (pcap, pcapng) as lines of JSON: time, peers,
    arguments, result, latency.

    TCP streams are reassembled; framing and protocol are detected per connection: buffered, framed,
    SASL, HTTP, Binary, Compact; UDP datagrams too.
    Missing and invalid data is reported on stderr. Latency: from the first byte of the call to the
    last byte of the reply. Needs thriftlens[pcap]."""
    services = services_of(take_schemas(options))
    selection = {"form": form, "methods": methods, "ports": ports}
    name = report.display_name(file)
    with open_source(file) as source, report.reporting(file):
        with writing(output) as sink:
            fault = run(
                source,
                sink,
                services,
                cast("JsonOptions", options),
                selection,
                lambda line: report.say(f"{name}: {line}"),
            )
        if fault is not None:
            raise fault
