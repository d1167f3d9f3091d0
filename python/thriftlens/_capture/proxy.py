"""A proxy that records the messages of both directions."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import time
from typing import Callable, Optional, Sequence

from .._errors import Error
from .._records.files import create
from .._records.redaction import Redactor
from .._rpc.address import host_port
from .._rpc.faults import errors_naming
from .._rpc.message import Message
from .._rpc.probe import is_probe
from .._typing import Say
from .calls import CapturedMessage, Lost, Part
from .recording_format import LostBytes, Recorded, Sender, Writer
from .streams import Messages

_SENDERS: tuple[Sender, Sender] = ("client", "server")


class Recorder:
    """Extracts messages from the bytes of connections and writes them. Does no network I/O."""

    def __init__(self, writer: Writer, redact: Optional[Redactor] = None):
        self._writer = writer
        self._redact = redact
        self.messages = 0
        self.lost = 0
        self.uncovered = 0
        """Messages of functions without a rule."""
        self.calls = 0
        self.ended = 0
        """Answered calls, and oneway calls."""

    def connection(self, number: int) -> Tap:
        """The recorder of one connection."""
        return Tap(self, number)

    def write(self, number: int, side: int, parts: Sequence[Part]) -> None:
        """Writes messages and lost bytes from one side of a connection, except the probes by which
        clients detect the protocol."""
        sender = _SENDERS[side]
        for part in parts:
            if isinstance(part, Lost):
                reason = (
                    part.reason if self._redact is None else "not a message; details are redacted"
                )
                self._lose(LostBytes(number, sender, part.time, part.size, reason))
            elif not is_probe(part.message.name):
                self._write_message(number, sender, part)

    def _write_message(self, number: int, sender: Sender, part: CapturedMessage) -> None:
        message, headers = part.message, part.headers
        if self._redact is not None:
            try:
                message, headers = self._redacted(self._redact, part), {}
            except Error as error:
                reason = f"not recorded, because redaction failed: {error.code}"
                self._lose(LostBytes(number, sender, part.begin, part.size, reason))
                return
        self._writer.message(
            Recorded(number, sender, part.begin, part.end, message, part.transport, headers)
        )
        self.messages += 1
        self.calls += message.kind in ("call", "oneway")
        self.ended += message.kind != "call"

    def _redacted(self, redact: Redactor, part: CapturedMessage) -> Message:
        service_name = part.headers.get("isn")
        message = redact(part.message, service_name)
        self.uncovered += not redact.has_rule(part.message, service_name)
        return message

    def _lose(self, lost: LostBytes) -> None:
        self._writer.lost(lost)
        self.lost += 1


class Tap:
    """Records the bytes of both sides of a connection. Side 0 is the client."""

    def __init__(self, recorder: Recorder, number: int):
        self._recorder = recorder
        self._number = number
        self._sides = (Messages(), Messages())

    def feed(self, side: int, data: bytes, received: float) -> None:
        """Takes bytes that a side sent, with the time of their arrival."""
        self._write(1 - side, self._sides[1 - side].flush())
        self._write(side, self._sides[side].feed(data, received))

    def finish(self) -> None:
        """Ends the connection."""
        for side in (0, 1):
            self._write(side, self._sides[side].finish())

    def _write(self, side: int, parts: Sequence[Part]) -> None:
        self._recorder.write(self._number, side, parts)


_Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]
_PIECE = 1 << 16


class Proxy:
    """Listens, and forwards connections to the server."""

    def __init__(
        self,
        new_recorder: Callable[[], Recorder],
        server: tuple[str, int],
        say: Say,
        limit: Optional[int] = None,
    ):
        self._new_recorder = new_recorder
        self._server = server
        self._say = say
        self._limit = limit
        self._count = 0
        self._fault: Optional[BaseException] = None
        self._stopped = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()

    async def run(self, host: str, port: int) -> None:
        """Runs until SIGINT, SIGTERM or the limit. Creates the recorder after it listens, so a
        failure to listen does not change the file.

        Raises the errors of writing the recording."""
        with errors_naming(host):
            listening = await asyncio.start_server(self._accept, host, port)
        self.recorder = self._new_recorder()
        self._stop_on_signals()
        host, port = listening.sockets[0].getsockname()[:2]
        self._say(f"listening on {host_port(host, port)}, forwarding to {host_port(*self._server)}")
        try:
            await self._stopped.wait()
        finally:
            listening.close()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._fault is not None:
            raise self._fault

    def _stop_on_signals(self) -> None:
        loop = asyncio.get_running_loop()
        for signal_number in (signal.SIGINT, signal.SIGTERM):
            try:
                loop.add_signal_handler(signal_number, self._stopped.set)
            except (NotImplementedError, RuntimeError):  # Windows, or not the main thread
                pass

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.ensure_future(self._serve(reader, writer, self._count))
        self._count += 1
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _serve(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, number: int
    ) -> None:
        try:
            from_server, to_server = await asyncio.open_connection(*self._server)
        except OSError as error:
            self._say(f"connection {number}: {host_port(*self._server)}: {error.strerror or error}")
            writer.close()
            return
        tap = self.recorder.connection(number)
        try:
            await self._forward((reader, writer), (from_server, to_server), tap)
        finally:
            for stream in (writer, to_server):
                stream.close()
            self._guarded(tap.finish)

    async def _forward(self, client: _Streams, server: _Streams, tap: Tap) -> None:
        """Forwards both directions until one side closes the connection."""
        pumps = [
            asyncio.ensure_future(self._pump(client[0], server[1], tap, 0)),
            asyncio.ensure_future(self._pump(server[0], client[1], tap, 1)),
        ]
        try:
            await asyncio.gather(*pumps)
        except (OSError, asyncio.CancelledError):
            pass
        finally:
            for pump in pumps:
                pump.cancel()

    async def _pump(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, tap: Tap, side: int
    ) -> None:
        while data := await reader.read(_PIECE):
            received = time.time()
            writer.write(data)
            self._guarded(lambda: tap.feed(side, data, received))
            await writer.drain()
        if writer.can_write_eof():
            writer.write_eof()

    def _guarded(self, write: Callable[[], None]) -> None:
        """Stops the proxy if the recording cannot be written, or the limit is reached."""
        try:
            write()
        except (OSError, Error) as error:
            self._fault = self._fault or error
            self._stopped.set()
        if self._limit is not None and self.recorder.ended >= self._limit:
            self._stopped.set()


def run(
    listen: tuple[str, int],
    server: tuple[str, int],
    file: str,
    redact: Optional[Redactor],
    limit: Optional[int],
    say: Say,
) -> Recorder:
    """Records until a signal or the limit; returns the recorder with its counts."""
    with contextlib.ExitStack() as open_files:

        def new_recorder() -> Recorder:
            stream = open_files.enter_context(create(file))
            return Recorder(
                Writer(stream, server=host_port(*server), redacted=redact is not None), redact
            )

        async def run_proxy() -> Recorder:
            server_proxy = Proxy(new_recorder, server, say, limit)
            await server_proxy.run(*listen)
            return server_proxy.recorder

        return asyncio.run(run_proxy())
