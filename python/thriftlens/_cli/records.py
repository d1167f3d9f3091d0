"""Reads records and writes the results."""

from __future__ import annotations

import collections
from typing import Callable, Generic, NamedTuple, Optional, cast

import click

from .._errors import Error
from .._records.cuts import Cut, is_framed
from .._records.framing import TEXT_FRAMINGS, framed, has_null, null_record
from .._records.pieces import Rejected
from .._records.scanner import Scan
from .._records.sources import past_end
from .._text import quoted_name
from . import signals as _signals
from .input import Input
from .options import AnyOfProtocols, Decoding
from .rejects import Rejects, report_truncations
from .sink import Advance, Sink, progress_bar
from .source import Data, ScanOptions, Source

Tally = collections.Counter[str]  # what was done to records, by name


class Counts(NamedTuple):
    """Numbers of records, and of rejected ones among them."""

    records: int
    rejected: int


def scan_records(spec: Input, source: Source, decoding: Decoding[AnyOfProtocols]) -> Scan:
    """The bytes of the records. Raises at the first invalid one."""
    return source.records(
        lambda cut: bytes(cut.bytes()),
        _scan_options(spec, decoding),
        "raise",
        spec.start,
        spec.limit,
    )


def _scan_options(spec: Input, decoding: Decoding[AnyOfProtocols]) -> ScanOptions:
    options: ScanOptions = {
        "framing": spec.framing,
        "protocol": decoding.protocol,
        "depth": decoding.depth,
        "prefix_size": spec.prefix_size,
    }
    if spec.framed:
        options["framed"] = True
    return options


class Processor(Generic[AnyOfProtocols]):
    """Writes the results of the records of an input, one record in memory at a time.

    decoding: its protocol is set to that of the current message. null: written for a null record.
    earlier: errors to report before that of a record."""

    def __init__(
        self,
        spec: Input,
        source: Source,
        sink: Optional[Sink],
        decoding: Decoding[AnyOfProtocols],
        null: bytes = b"null\n",
        earlier: Optional[list[Error]] = None,
    ):
        self._spec, self._source, self._sink = spec, source, sink
        self._decoding = decoding
        self._null = null
        self._earlier = [] if earlier is None else earlier

    def run(self, change: Callable[[Data], bytes]) -> Counts:
        """Writes change(data) of all records."""
        return self.run_cuts(lambda cut: change(cut.bytes()))

    def run_cuts(self, change: Callable[[Cut], bytes], tally: Optional[Tally] = None) -> Counts:
        """Writes change(cut) of all records. tally: counts that `change` adds to, summed over
        worker processes."""
        spec, source = self._spec, self._source
        tally = collections.Counter() if tally is None else tally
        options = _scan_options(spec, self._decoding)
        if spec.framing == "message":
            change = self._for_messages(change, tally)
        source.texts = source.texts and spec.framing not in (*TEXT_FRAMINGS, "lines")
        is_split = spec.jobs > 1 and spec.limit is None and spec.framing not in ("lines", "list")
        data = source.job_view() if is_split else None
        with (
            progress_bar(source, self._sink) as advance,
            Rejects(spec, self._earlier, self._null, self._sink) as rejects,
        ):
            if data is not None:
                options["record_size"] = source.bound
                return self._run_in_jobs(data, options, change, rejects, tally, advance)
            return self._run_scan(options, change, rejects, advance)

    def _write(self, output: Optional[bytes]) -> None:
        if self._sink is not None:
            self._sink.write(self._null if output is None else output)

    def _run_scan(
        self,
        options: ScanOptions,
        change: Callable[[Cut], bytes],
        rejects: Rejects,
        advance: Advance,
    ) -> Counts:
        spec, source, sink = self._spec, self._source, self._sink
        if sink is not None:  # a read from a pipe may block: write finished records first
            source.before_read = sink.flush
        scan = source.records(
            change, options, rejects.on_error, spec.start, spec.limit, spec.scan_truncated
        )
        with _signals.resuming(spec.file, spec.start) as progress:
            for output in scan:
                self._write(output)
                progress.offset = scan.offset
                if scan.count % 512 == 0:
                    advance(scan.count)
        report_truncations(spec, scan)
        return Counts(scan.count, scan.rejected)

    def _for_messages(self, change: Callable[[Cut], bytes], tally: Tally) -> Callable[[Cut], bytes]:
        """`change` for messages of the target function. Other messages are copied or dropped."""
        spec, decoding = self._spec, self._decoding

        def change_message(cut: Cut) -> bytes:
            assert cut.message is not None
            if spec.selects(cut):
                decoding.protocol = cast("AnyOfProtocols", cut.message.protocol)
                return change(cut)
            if spec.unredacted == "error":
                raise _unredacted_message(cut, *cut.message[:2])
            tally["other"] += 1
            if spec.copies and spec.unredacted in (None, "keep"):
                return bytes(memoryview(cut.data)[cut.at : cut.at + cut.end - cut.begin])
            return b""

        return change_message

    def _run_in_jobs(
        self,
        data: memoryview,
        options: ScanOptions,
        change: Callable[[Cut], bytes],
        rejects: Rejects,
        tally: Tally,
        advance: Advance,
    ) -> Counts:
        """Like _run_scan, with several worker processes."""
        from .._records import jobs as _jobs

        spec = self._spec
        count = rejected = 0
        if spec.start > len(data):
            raise past_end(spec.start, len(data))
        if spec.framing == "message":  # by the first message, as in one process
            options["framed"] = spec.framed or is_framed(data, spec.start)
        ranges = _jobs.process_ranges(
            data, change, {**options}, spec.start, spec.jobs, tally, self._null
        )
        for chunk, result in ranges:
            self._write(result.output)
            count += result.records
            tally.update(result.tally)
            if result.stopped is not None:
                scan = _jobs.scan_of(
                    data, result.stopped, change, {**options}, rejects.on_error, spec.scan_truncated
                )
                for output in scan:
                    self._write(output)
                report_truncations(spec, scan)
                count += scan.count
                rejected += scan.rejected
            advance(count, chunk.end)
        return Counts(count, rejected)


def _unredacted_message(cut: Cut, name: str, kind: str) -> Error:
    return Error(
        f"a {kind} of {quoted_name(name)} cannot be redacted; drop it with --unredacted drop",
        code="not_redacted",
        offset=cut.begin,
    )


def check_null(spec: Input) -> None:
    """Raises if invalid records are to be replaced by null in a framing without null records."""
    if spec.on_error == "null" and not has_null(spec.framing or "none"):
        raise click.UsageError(
            "--on-error null needs --framing kafka: other framings have no null record"
        )


def process_lines(
    spec: Input, source: Source, sink: Sink, change: Callable[[bytes], bytes]
) -> None:
    """Writes change(line) of all lines as records."""
    if spec.start or spec.limit is not None:
        raise click.UsageError("--start and --limit need records of Thrift bytes")
    check_null(spec)
    framing = spec.framing or "u32"
    with (
        progress_bar(source, sink) as advance,
        Rejects(spec, [], null_record(framing), sink) as rejects,
    ):
        for number, line in enumerate(source.lines()):
            is_null = has_null(framing) and line.strip() == b"null"
            try:
                output: Optional[bytes] = framed(None if is_null else change(line), framing)
            except Error as error:
                located = _in_line(error, source.line, number)
                if spec.on_error == "raise":
                    raise located from None
                output = rejects.take(Rejected(number, 0, line, located))
            sink.write(output or b"")
            if number % 512 == 0:
                advance(number)


def _in_line(error: Error, line: int, number: int) -> Error:
    text = f"line {line}, record {number}: {error}"
    return type(error)(text, code=error.code, path=error.path, offset=error.offset)
