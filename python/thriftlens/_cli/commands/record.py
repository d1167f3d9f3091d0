"""`thriftlens record`: a proxy that forwards bytes as they are and writes the messages in them to a file."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import time
from typing import Any, Callable, Optional, Sequence

import click

from .. import options as opt, report
from ..input import services_of, take_schemas
from ..io import create
from ..rules import UNCOVERED, annotation_options, exempt_option, fail_of_rules, key_of, unique_pairs, warn_of_annotations
from ..._capture import streams as _traffic
from ..._errors import Error
from ..._rpc.address import host_port
from ..._rpc.link import errors_naming
from ..._rpc.probe import is_probe
from ..._capture.recording import LostBytes, Recorded, Writer
from ..._records.redaction import PathRule, Redactor

Say = Callable[[str], None]
_PIECE = 1 << 16
_SIDES: tuple[Any, Any] = ("client", "server")


class Recorder:
    """Finds the messages in the bytes of connections and writes them; no sockets."""

    def __init__(self, writer: Writer, redact: Optional[Redactor] = None):
        self._writer = writer
        self._redact = redact
        self.messages = 0
        self.lost = 0
        self.uncovered = 0
        """Messages of functions without a rule."""
        self.calls = 0
        self.ended = 0
        """Calls that were answered, or are oneway."""

    def connection(self, number: int) -> Tap:
        """The recorder of one connection."""
        return Tap(self, number)

    def write(self, number: int, side: int, parts: Sequence[_traffic.Part]) -> None:
        """What was found in the bytes that a side of the connection sent, but for probes: clients find out by them what is spoken."""
        for part in parts:
            if isinstance(part, _traffic.Lost):
                why = part.why if self._redact is None else "no message; redacted, and so not told why"
                self._lose(LostBytes(number, _SIDES[side], part.time, part.size, why))
                continue
            message, headers = part.message, part.headers
            if is_probe(message.name):
                continue
            if self._redact is not None:
                headers = {}
                service_name = part.headers.get("isn")
                try:
                    original, message = message, self._redact(message, service_name)
                    self.uncovered += not self._redact.has_rule(original, service_name)
                except Error as error:
                    why = f"not redacted, and so not recorded: {error.code}"
                    self._lose(LostBytes(number, _SIDES[side], part.begin, part.size, why))
                    continue
            self._writer.message(Recorded(number, _SIDES[side], part.begin, part.end, message, part.transport, headers))
            self.messages += 1
            self.calls += message.kind in ("call", "oneway")
            self.ended += message.kind != "call"

    def _lose(self, lost: LostBytes) -> None:
        self._writer.lost(lost)
        self.lost += 1


class Tap:
    """Hears what both sides of a connection say. Side 0 is the client."""

    def __init__(self, recorder: Recorder, number: int):
        self._recorder = recorder
        self._number = number
        self._sides = (_traffic.Messages(), _traffic.Messages())

    def feed(self, side: int, data: bytes, now: float) -> None:
        """Bytes that a side sent, and when they came."""
        self._write(1 - side, self._sides[1 - side].flush())
        self._write(side, self._sides[side].feed(data, now))

    def finish(self) -> None:
        """The end of the connection."""
        for side in (0, 1):
            self._write(side, self._sides[side].finish())

    def _write(self, side: int, parts: Sequence[_traffic.Part]) -> None:
        self._recorder.write(self._number, side, parts)


class Proxy:
    """Listens, and forwards each connection to the server."""

    def __init__(self, make: Callable[[], Recorder], server: tuple[str, int], say: Say, limit: Optional[int] = None):
        self._make = make
        self._server = server
        self._say = say
        self._limit = limit
        self._count = 0
        self._fault: Optional[BaseException] = None
        self._done = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()

    async def run(self, host: str, port: int) -> None:
        """Until SIGINT, SIGTERM or the limit. The recorder is made when it listens: where it cannot, a file is as it was.

        Raises what writing the recording raises."""
        with errors_naming(host):
            listening = await asyncio.start_server(self._accept, host, port)
        self.recorder = self._make()
        loop = asyncio.get_running_loop()
        for each in (signal.SIGINT, signal.SIGTERM):
            try:
                loop.add_signal_handler(each, self._done.set)
            except (NotImplementedError, RuntimeError):  # no Unix, or not the main thread
                pass
        at = listening.sockets[0].getsockname()
        self._say(f"listening on {host_port(at[0], at[1])}, forwarding to {host_port(*self._server)}")
        try:
            await self._done.wait()
        finally:
            listening.close()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._fault is not None:
            raise self._fault

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.ensure_future(self._serve(reader, writer, self._count))
        self._count += 1
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, number: int) -> None:
        try:
            from_server, to_server = await asyncio.open_connection(*self._server)
        except OSError as error:
            self._say(f"connection {number}: {host_port(*self._server)}: {error.strerror or error}")
            writer.close()
            return
        tap = self.recorder.connection(number)
        pumps = [
            asyncio.ensure_future(self._pump(reader, to_server, tap, 0)),
            asyncio.ensure_future(self._pump(from_server, writer, tap, 1)),
        ]
        try:
            await asyncio.gather(*pumps)
        except (OSError, asyncio.CancelledError):
            pass  # one side went away: so does the other
        finally:
            for pump in pumps:
                pump.cancel()
            for each in (writer, to_server):
                each.close()
            self._guarded(tap.finish)

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, tap: Tap, side: int) -> None:
        while data := await reader.read(_PIECE):
            now = time.time()
            writer.write(data)
            self._guarded(lambda: tap.feed(side, data, now))  # noqa: B023: called at once
            await writer.drain()
        if writer.can_write_eof():
            writer.write_eof()

    def _guarded(self, write: Callable[[], None]) -> None:
        """A recording that cannot be written ends the proxy."""
        try:
            write()
        except (OSError, Error) as error:
            self._fault = self._fault or error
            self._done.set()
        if self._limit is not None and self.recorder.ended >= self._limit:
            self._done.set()


def run(listen: tuple[str, int], server: tuple[str, int], file: str, redact: Optional[Redactor], limit: Optional[int], say: Say) -> Recorder:
    """Records until it is told to stop; gives what was counted."""
    with contextlib.ExitStack() as open_files:

        def make() -> Recorder:
            stream = open_files.enter_context(create(file))
            return Recorder(Writer(stream, server=host_port(*server), redacted=redact is not None), redact)

        async def proxy() -> Recorder:
            made = Proxy(make, server, say, limit)
            await made.run(*listen)
            return made.recorder

        return asyncio.run(proxy())


@click.command()
@click.argument("server", metavar="HOST:PORT", callback=opt.read_address)
@click.argument("file", metavar="FILE", type=click.Path())
@click.option("--listen", callback=opt.read_address, default="127.0.0.1:0", show_default=True, metavar="HOST:PORT", help="Address to listen on; port 0: any free port.")
@click.option("--limit", type=click.IntRange(1), metavar="N", help="Exit after this number of answered calls.")
@opt.idl_list_options
@annotation_options
@click.option("--path", "paths", type=(str, str), multiple=True, metavar="PATH ACTION", help="Redact the value at PATH, such as find.result.success.mail.")
@exempt_option
def record(server: tuple[str, int], file: str, listen: tuple[str, int], limit: Optional[int], **options: Any) -> None:
    """Forward connections to the server at HOST:PORT, and write the messages of both directions to FILE until Ctrl-C.

    Bytes are forwarded unchanged. IDL is only needed for redaction of FILE by --annotation, --type and --path, as by redact for a service.
    With redaction, messages that cannot be read and fields that are not in the IDL are not written; a message that may be of several services
    is redacted by the rules of each. Passwords of SASL and HTTP are never written."""
    rules = {name: options.pop(name) for name in ("annotation", "values", "otherwise", "types", "unknown", "missing_required")}
    paths, key_file, exempt = options.pop("paths"), options.pop("key_file"), options.pop("exempt")
    schemas = take_schemas(options)
    services = services_of(schemas)
    redact = None
    if paths or exempt or any(opt.is_given(name) for name in ("key_file", *rules)):
        if not services:
            raise click.UsageError("redaction needs --idl")
        rules.update(values=unique_pairs("--value", rules["values"]), types=unique_pairs("--type", rules["types"]), key=key_of(key_file))
        try:
            path_rules = [PathRule.parse(*pair) for pair in unique_pairs("--path", paths).items()]
            redact = Redactor(services, rules, path_rules, exempt=exempt)
        except Error as error:
            fail_of_rules(error)
        for idl, schema in schemas.items():
            warn_of_annotations(idl, schema, rules)
    result = run(listen, server, file, redact, limit, report.say)
    lost = f"; {report.plural(result.lost, 'piece')} left out" if result.lost else ""
    uncovered = f"; {result.uncovered} {UNCOVERED[result.uncovered != 1]} recorded unchanged" if result.uncovered else ""
    report.say(f"{file}: {report.plural(result.messages, 'message')}, {report.plural(result.calls, 'call')}{lost}{uncovered}")
