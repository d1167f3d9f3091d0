"""Thrift messages in captured HTTP."""

from __future__ import annotations

import zlib
from types import ModuleType
from typing import TYPE_CHECKING, Iterator, Optional, Union

from .._errors import Error
from .._optional import package
from .._rpc.message import read_message
from .calls import MESSAGE_SIZE, NEGOTIATION_SIZE, CapturedMessage, Lost, Part

if TYPE_CHECKING:
    from h11 import Connection, Request, Response

SECRET_HEADERS = ("authorization", "proxy-authorization", "cookie", "set-cookie")


class HttpMessages:
    """Messages in HTTP/1.1 request or response bodies.

    Skips invalid bodies whose Content-Type is not Thrift's."""

    def __init__(self, is_response: bool):
        try:
            self._h11: ModuleType = package("h11", "HTTP needs", "'thriftlens[pcap]'")
        except ImportError as error:
            raise Error(str(error), code="io") from None
        self._is_response = is_response
        self._offset = 0
        self._time = 0.0
        self._is_abandoned = False
        self._renew(b"")

    def _renew(self, data: bytes) -> None:
        """Resets the parser for the next request or response."""
        self._parser = self._new_parser()
        self._body = bytearray()
        self._head: Union[Request, Response, None] = None
        self._begin: Optional[tuple[int, float]] = None
        if data:
            self._parser.receive_data(data)

    def _new_parser(self) -> Connection:
        h11 = self._h11
        role = h11.CLIENT if self._is_response else h11.SERVER
        parser: Connection = h11.Connection(role, max_incomplete_event_size=NEGOTIATION_SIZE)
        if self._is_response:  # a parser of responses needs a request first
            headers = [("Host", "-"), ("Content-Length", "0")]
            parser.send(h11.Request(method="POST", target="/", headers=headers))
            parser.send(h11.EndOfMessage())
        return parser

    def feed(self, data: bytes, time: float) -> list[Part]:
        """Like Messages.feed."""
        begin = self._offset
        self._offset += len(data)
        self._time = time
        if self._is_abandoned or not data:
            return []
        self._begin = self._begin or (begin, time)
        return self._receive(data, begin, time)

    def _receive(self, data: bytes, begin: int, time: float) -> list[Part]:
        """The messages that these bytes complete; empty data is the end of the connection."""
        try:
            self._parser.receive_data(data)
            return list(self._bodies(time))
        except self._h11.RemoteProtocolError:  # its text contains the header, which may be a secret
            self._is_abandoned = True
            return [
                Lost(begin, len(data), time, "invalid HTTP; the rest of this direction is skipped")
            ]

    def gap(self, size: int, time: float) -> list[Part]:
        """Abandons the direction: the next HTTP head is not searched for."""
        lost = Lost(
            self._offset,
            size,
            time,
            f"{size} bytes of HTTP are missing; the rest of this direction is skipped",
        )
        self._offset += size
        was_abandoned, self._is_abandoned = self._is_abandoned, True
        return [] if was_abandoned else [lost]

    def finish(self) -> list[Part]:
        """Like Messages.finish. The end of the connection may end a body."""
        if self._begin is None or self._is_abandoned:
            return []
        is_in_body = self._parser.their_state is self._h11.SEND_BODY
        if is_in_body and self._head is not None and self._head.http_version == b"1.0":
            return self._receive(b"", self._begin[0], self._time)
        return [
            Lost(
                self._begin[0],
                self._offset - self._begin[0],
                self._begin[1],
                "the connection ends in the middle of HTTP",
            )
        ]

    def _bodies(self, time: float) -> Iterator[Part]:
        h11 = self._h11
        while True:
            event = self._parser.next_event()
            if event in (h11.NEED_DATA, h11.PAUSED) or isinstance(event, h11.ConnectionClosed):
                return
            if isinstance(event, (h11.Request, h11.Response)):
                self._head = event
            elif isinstance(event, h11.Data):
                self._add_body(event.data)
            elif isinstance(event, h11.EndOfMessage):
                yield from self._message(time)
                self._begin_next(time)

    def _begin_next(self, time: float) -> None:
        """Continues with the next request or response, which may have begun already."""
        rest = self._parser.trailing_data[0]
        self._renew(rest)
        if rest:
            self._begin = (self._offset - len(rest), time)

    def _add_body(self, data: bytes) -> None:
        if len(self._body) + len(data) > MESSAGE_SIZE:
            raise self._h11.RemoteProtocolError("the HTTP body exceeds the limit")
        self._body += data

    def _message(self, time: float) -> Iterator[Part]:
        if not self._body or self._head is None:
            return  # the HTTP response to a oneway call
        headers = _text_headers(self._head)
        offset, begin = self._begin or (self._offset, time)
        try:
            is_packed = "gzip" in headers.get("content-encoding", "")
            message = read_message(bytes(_unpacked(self._body) if is_packed else self._body))
        except Error as error:
            if "thrift" in headers.get("content-type", ""):
                reason = f"the HTTP body is not a message ({error.code})"
                yield Lost(offset, len(self._body), begin, reason)
            return
        retained = {name: value for name, value in headers.items() if name not in SECRET_HEADERS}
        yield CapturedMessage(offset, self._offset - offset, begin, time, message, "http", retained)


def _text_headers(head: Union[Request, Response]) -> dict[str, str]:
    return {name.decode("latin-1"): value.decode("latin-1") for name, value in head.headers}


def _unpacked(body: bytearray) -> bytearray:
    unpacker = zlib.decompressobj(31)
    try:
        unpacked = bytearray(unpacker.decompress(body, MESSAGE_SIZE))
    except zlib.error as error:
        raise Error(f"invalid gzip data: {error}", code="bad_magic") from None
    if unpacker.unconsumed_tail:
        raise Error("the HTTP body exceeds the limit", code="size_limit")
    return unpacked
