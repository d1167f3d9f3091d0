"""`thriftlens pcap`: the calls in captured traffic or a recording as JSON or as a table, or a
summary per method."""

from __future__ import annotations

from typing import TYPE_CHECKING, Callable, Literal, Optional, Sequence

import click

from ..._capture.decoded import HEADING, DecodedCall, Summary
from ..._capture.traffic import CapturedCall, captured_calls
from ..._errors import Error
from ..._schema.services import Service
from ..._text import escaped
from ..._typing import MessageJsonOptions
from .. import options as opt
from .. import report
from ..idl import LoadOptions, idl_list_options, load_schemas, services_of
from ..input import file_argument
from ..sink import Sink, writing
from ..source import Source, open_source

if TYPE_CHECKING:
    from typing_extensions import Unpack

Say = Callable[[str], None]
Form = Literal["json", "table", "summary"]


class CallPrinter:
    """Writes the calls of some methods, or of all, as lines of JSON, a table or a summary."""

    def __init__(
        self,
        sink: Sink,
        services: Sequence[Service],
        json_options: MessageJsonOptions,
        form: Form = "json",
        methods: Sequence[str] = (),
    ):
        self._sink = sink
        self.services = services
        self._json_options = json_options
        self._form = form
        self._methods = frozenset(methods)
        self._summary = Summary()
        self._begin: Optional[float] = None
        self.unmatched = set(methods)
        """Methods without a call."""

    def write(self, captured: CapturedCall) -> None:
        decoded = DecodedCall(captured.call, self.services, self._json_options)
        if self._methods and self._methods.isdisjoint(decoded.names):
            return
        self.unmatched -= decoded.names
        self._summary.add(decoded)
        if self._form == "json":
            self._sink.write(decoded.line(captured))
        elif self._form == "table":
            self._row(decoded, captured)

    def _row(self, decoded: DecodedCall, captured: CapturedCall) -> None:
        if self._begin is None:
            self._begin = captured.time
            self._line(HEADING)
        self._line(decoded.row(captured, self._begin))

    def finish(self) -> None:
        if self._form == "summary":
            for line in self._summary.table():
                self._line(line)

    def _line(self, text: str) -> None:
        self._sink.write(f"{escaped(text)}\n".encode())


def run(source: Source, ports: Sequence[int], printer: CallPrinter, say: Say) -> Optional[Error]:
    """Writes the calls of a capture. Returns the error that ended it."""
    fault: Optional[Error] = None
    try:
        for captured in captured_calls(source, say, ports, printer.services):
            printer.write(captured)
    except Error as error:
        fault = error
    finally:
        printer.finish()
    for name in sorted(printer.unmatched):
        say(f"no call of method {name!r}")
    return fault


@opt.command()
@file_argument()
@idl_list_options
@opt.output_option
@click.option(
    "--format",
    "form",
    type=click.Choice(["json", "table", "summary"]),
    default="json",
    show_default=True,
    help="Output format: calls as JSON, calls as a table, or a summary per method.",
)
@opt.repeatable("--method", "NAME", "Print only calls of this method.", name="methods")
@click.option(
    "--port",
    "ports",
    multiple=True,
    type=click.IntRange(1, 65535),
    metavar="PORT",
    help="Print only connections with this port (repeatable).",
)
@opt.depth_option
@opt.choices("to_json", "enums=name", "unknown", "invalid_utf8=replace")
def pcap(
    file: str,
    idls: tuple[str, ...],
    loading: LoadOptions,
    output: str,
    form: Form,
    methods: tuple[str, ...],
    ports: tuple[int, ...],
    **options: Unpack[MessageJsonOptions],
) -> None:
    """Print the Thrift calls in a network capture (pcap, pcapng) as lines of JSON: time, peers,
    arguments, result, latency.

    TCP streams are reassembled; framing and protocol are detected per connection: buffered, framed,
    SASL, HTTP, Binary, Compact, and in UDP datagrams.
    Missing and invalid data is reported on stderr. Latency: from the first byte of the call to the
    last byte of the reply. Needs thriftlens[pcap]."""
    services = services_of(load_schemas(idls, loading))
    name = report.display_name(file)
    with open_source(file) as source, report.reporting(file):
        with writing(output) as sink:
            printer = CallPrinter(sink, services, options, form, methods)
            fault = run(source, ports, printer, lambda line: report.say(f"{name}: {line}"))
        if fault is not None:
            raise fault
