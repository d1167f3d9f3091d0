"""Captured calls decoded with an IDL: lines of JSON, rows of a table."""

from __future__ import annotations

import base64
import collections
import json
import math
from typing import Iterator, NamedTuple, Optional, Sequence, Union

from .._errors import Error
from .._rpc import message as _message
from .._schema.services import Service
from .._text import quoted_name
from .._typing import MessageJsonOptions
from .calls import Call, CapturedMessage
from .traffic import CapturedCall

_TEXT = 60  # characters of a value in a table


Scalar = Union[None, int, float, str]


class MethodStatistics(NamedTuple):
    """Calls, errors, bytes and latency percentiles in milliseconds of a method."""

    method: str
    calls: int
    errors: int
    p50_ms: Optional[float]
    p99_ms: Optional[float]
    max_ms: Optional[float]
    call_bytes: int
    reply_bytes: int


class DecodedCall:
    """A call decoded with the IDL: arguments and result as JSON, and the outcome."""

    def __init__(self, call: Call, services: Sequence[Service], json_options: MessageJsonOptions):
        self._json_options: MessageJsonOptions = {**json_options, "nonfinite": "string"}
        self._services = services
        capture = call.call or call.reply
        assert capture is not None
        self.call = call
        self.message = capture.message
        self.transport = capture.transport
        self._function = _message.function_in(services, self.message.name)
        self.faults: list[str] = []
        self.arguments = self._json("arguments", call.call)
        self.result = self._json("result", call.reply)
        self.outcome = self._outcome()

    @property
    def names(self) -> set[str]:
        """The method name with and without the service."""
        return {self.message.name, self.message.name.rpartition(":")[2]}

    def _outcome(self) -> str:
        """ "oneway", "none" (no reply), "reply", "declared" (a declared exception) or "exception"
        (an application exception)."""
        reply = self.call.reply
        if reply is None:
            if self.call.is_oneway or (self._function is not None and self._function.oneway):
                return "oneway"
            return "none"
        if reply.message.kind == "exception":
            return "exception"
        declared = self._function is not None and self._function.result.fields
        if (
            declared
            and self.result is not None
            and not self.result.startswith((b'{"success":', b"{}"))
        ):
            return "declared"
        return "reply"

    @property
    def is_error(self) -> bool:
        return self.outcome in ("none", "declared", "exception")

    def _json(self, part: str, capture: Optional[CapturedMessage]) -> Optional[bytes]:
        if capture is None:
            return None
        message = capture.message._replace(function=self._function)
        if not message.is_known:
            if self._services:
                reason = f"the IDL has no function {quoted_name(message.name)}"
            else:
                reason = "no IDL was given (--idl)"
            self.faults.append(f"{part}: {reason}")
            return None
        try:
            return message.to_json(**self._json_options)
        except Error as error:
            self.faults.append(f"{part}: {error}")
            return None

    def line(self, captured: CapturedCall) -> bytes:
        """One line of JSON."""
        members = {**self._head(captured), **self._raw_parts()}
        text = json.dumps(members, ensure_ascii=False)[:-1].encode("utf-8", "surrogateescape")
        return b'%s, "arguments": %s, "result": %s}\n' % (
            text,
            self.arguments or b"null",
            self.result or b"null",
        )

    def _head(self, captured: CapturedCall) -> dict[str, Scalar]:
        call, reply, latency = self.call.call, self.call.reply, self.call.latency
        return {
            "time": round(captured.time, 6),
            "connection": captured.connection,
            "client": captured.client,
            "server": captured.server,
            "transport": self.transport,
            "protocol": self.message.protocol,
            "method": self.message.name,
            "sequence_id": self.message.sequence_id,
            "outcome": self.outcome,
            "latency_ms": None if latency is None else round(latency * 1000, 3),
            "call_bytes": call.size if call else None,
            "reply_bytes": reply.size if reply else None,
        }

    def _raw_parts(self) -> dict[str, object]:
        """Headers, errors, and the data that is not decoded in base64."""
        members: dict[str, object] = {}
        for name, capture in (("call", self.call.call), ("reply", self.call.reply)):
            if capture is not None and capture.headers:
                members[f"{name}_headers"] = capture.headers
        if self.faults:
            members["faults"] = self.faults
        for name, capture, text in (
            ("call", self.call.call, self.arguments),
            ("reply", self.call.reply, self.result),
        ):
            if capture is not None and text is None:
                members[f"{name}_data"] = base64.b64encode(capture.message.data).decode()
        return members

    def row(self, captured: CapturedCall, begin: float) -> str:
        """One line of a table."""
        latency = self.call.latency
        latency_text = "-" if latency is None else f"{latency * 1000:.3f}"
        result = "" if self.call.reply is None else "-> " + _cut(self.result)
        connection = "udp" if captured.connection < 0 else str(captured.connection)
        return (
            f"{captured.time - begin:10.6f} {connection:>4} {self.outcome:<9} {latency_text:>10}"
            f"  {self.message.name} {_cut(self.arguments)} {result}"
        ).rstrip()


def _cut(text: Optional[bytes]) -> str:
    shown = "?" if text is None else text.decode("utf-8", "replace")
    return shown if len(shown) <= _TEXT else shown[: _TEXT - 1] + "…"


HEADING = f"{'seconds':>10} {'conn':>4} {'outcome':<9} {'ms':>10}  call"


class _Method:
    def __init__(self) -> None:
        self.count = self.errors = self.call_bytes = self.reply_bytes = 0
        self.latencies: list[float] = []


_COLUMNS = ("count", *MethodStatistics._fields[2:])


class Summary:
    """Counts and latencies per method."""

    def __init__(self) -> None:
        self._methods: dict[str, _Method] = collections.defaultdict(_Method)

    def add(self, decoded: DecodedCall) -> None:
        method = self._methods[decoded.message.name]
        method.count += 1
        method.errors += decoded.is_error
        method.call_bytes += decoded.call.call.size if decoded.call.call else 0
        method.reply_bytes += decoded.call.reply.size if decoded.call.reply else 0
        if decoded.call.latency is not None:
            method.latencies.append(decoded.call.latency)

    def rows(self) -> Iterator[MethodStatistics]:
        """The statistics per method, most frequent methods first."""
        for name, method in sorted(self._methods.items(), key=lambda row: (-row[1].count, row[0])):
            latencies = sorted(method.latencies)
            yield MethodStatistics(
                name,
                method.count,
                method.errors,
                _percentile(latencies, 50),
                _percentile(latencies, 99),
                _percentile(latencies, 100),
                method.call_bytes,
                method.reply_bytes,
            )

    def table(self) -> Iterator[str]:
        """The rows as text, with a heading."""
        yield " ".join(f"{name:>11}" for name in _COLUMNS) + "  method"
        for method, *values in self.rows():
            cells = (f"{'-' if value is None else value:>11}" for value in values)
            yield f"{' '.join(cells)}  {method}"


def _percentile(latencies: list[float], percent: int) -> Optional[float]:
    """The latency, in milliseconds, that `percent` of the calls do not exceed."""
    if latencies:
        return round(latencies[max(math.ceil(len(latencies) * percent / 100) - 1, 0)] * 1000, 3)
    return None
