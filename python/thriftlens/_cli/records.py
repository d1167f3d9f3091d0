"""Reads records, writes the result for each, and reports those that cannot be read."""

import collections
import os
import re
from typing import Any, Callable, Optional

import click

from .._errors import Error
from .._records.cuts import Cut, is_framed
from .._records.files import create
from .._records.pieces import Rejected
from .._records.scanner import Scan
from .._records.sources import past_end
from .._text import quoted_name
from . import signals as _signals
from .frames import framed, prefix_of, reframed
from .input import Input, reading
from .report import STATUS, display_name, plural, say
from .sink import Sink, progress_bar, stdout_is_terminal, writing

Tally = collections.Counter[str]  # what was done to records, by name
OTHER_MESSAGES = ("message of another function or kind", "messages of other functions or kinds")


def bytes_target(output: Optional[str]) -> str:
    """The output for Thrift bytes: a terminal only if it is named."""
    if output is None and stdout_is_terminal():
        raise click.UsageError(
            "standard output is a terminal; write the Thrift bytes to a file with -o OUT, or force "
            "it with -o -"
        )
    return "-" if output is None else output


def refuse_list(spec: Input) -> None:
    if spec.framing == "list":
        raise click.UsageError(
            "--framing list is for input only: to-json, get, check, inspect and diff"
        )


def rewrite_records(
    spec: Input, output: Optional[str], decoding: Optional[dict[str, Any]],
    change: Callable[[Any], bytes], tally: Optional[Tally] = None,
    change_message: Optional[Callable[[Cut], Optional[bytes]]] = None
) -> None:  # fmt: skip
    """Writes change(data) for the input, or for each of its records, with their framing. decoding:
    protocol and depth. tally: see process_cuts.
    change_message replaces `change` for messages; it returns None to drop the message."""
    target = bytes_target(output)
    refuse_list(spec)
    if spec.on_error == "null" and spec.framing != "kafka":
        raise click.UsageError(
            "--on-error null needs --framing kafka: other framings have no null record"
        )
    tally = collections.Counter() if tally is None else tally
    with reading(spec, decoding) as (spec, source), writing(target, is_text=False) as sink:
        if change_message is not None and re.match(rb"[A-Za-z0-9+/]{4}", source.peek(4)):
            raise click.UsageError(
                "FILE is text, not messages; decode base64 or hex lines first, for example with "
                "base64 -d"
            )
        source.texts = decoding is not None  # from-json does not decode base64 or hex
        if spec.framing is None:
            sink.write(change(source.read_all()))
            return
        framing, lead = spec.framing, spec.lead
        null = b"" if framing == "message" else framed(None, framing)
        spec = spec._replace(copies=True)

        def rewrite_cut(cut: Cut) -> bytes:
            prefix = prefix_of(cut, framing, lead)
            if prefix and spec.unredacted == "error":
                raise Error(
                    "the bytes before the record cannot be redacted; drop them with --unredacted "
                    "drop",
                    code="not_redacted",
                    offset=cut.begin,
                )
            value = change(cut.bytes()) if change_message is None else change_message(cut)
            if value is None:
                return b""
            if prefix and spec.unredacted is not None:
                prefix = prefix if spec.unredacted == "keep" else b""
                tally["prefix"] += 1
            if framing == "message":
                tally["message"] += 1
            return reframed(cut, value, framing, prefix)

        process_cuts(
            spec, source, sink, {} if decoding is None else decoding, rewrite_cut, null, [], tally
        )
    if framing == "message" and spec.unredacted is None:
        others = tally["other"]
        copied = f"; {others} {OTHER_MESSAGES[others != 1]} copied" if others else ""
        say(f"{display_name(spec.file)}: {plural(tally['message'], 'message')} changed{copied}")


def report_cut_ends(spec: Input, scan: Scan) -> None:
    """Reports where truncated input ends, and sets the exit status."""
    for error in scan.cut_ends:
        if (
            spec.on_error == "raise" or error.record is None
        ):  # it was not reported as a rejected record
            is_dropped = spec.cut_end == "drop"
            error.option = None if is_dropped else error.option
            advice = (
                ""
                if is_dropped
                else f"; continue with --start {error.resume if error.resume is not None else scan.offset}"
            )
            say(f"{display_name(spec.file)}: {error}{advice}")
        if spec.cut_end == "error":
            click.get_current_context().meta[STATUS] = 1


class Rejects:
    """Reports rejected records on stderr, and their count on exit."""

    def __init__(self, spec: Input, earlier: list[Error], null: bytes, sink: Any):
        self._spec = spec
        self._sink = sink
        self._earlier = earlier
        self._null = null if spec.on_error == "null" else None
        self._file: Any = None
        self._count = 0
        self.on_error: Any = "raise" if spec.on_error == "raise" else self.take

    def __enter__(self) -> "Rejects":
        if self._spec.on_error not in ("raise", "skip", "null"):
            for path in (self._spec.file, "-" if self._sink is None else self._sink.name):
                if path != "-" and os.path.realpath(path) == os.path.realpath(self._spec.on_error):
                    raise click.UsageError(
                        f"--on-error {self._spec.on_error} is the input or output file"
                    )
            self._file = Sink(create(self._spec.on_error), self._spec.on_error)
        return self

    def __exit__(self, *_: Any) -> None:
        try:
            if self._file is not None:
                self._file.close()
        finally:
            self._say_count()

    def _say_count(self) -> None:
        if self._count:
            say(f"{display_name(self._spec.file)}: {plural(self._count, 'record')} rejected")

    def of(self, spec: Input) -> None:
        """Sets the file of the records that follow."""
        self._spec = spec

    def take(self, rejected: Rejected) -> Optional[bytes]:
        """Reports the record; returns the replacement to write, or None."""
        self._count += 1
        for error in (*self._earlier, rejected.error):
            say(f"{display_name(self._spec.file)}: {error}")
        self._earlier.clear()
        if self._file is not None:
            self._file.write(rejected.data)
        return self._null


def scan_records(spec: Input, source: Any, decoding: dict[str, Any]) -> Scan:
    """The bytes of each record. Raises at the first invalid one."""
    assert spec.framing is not None
    scan: Scan = source.records(
        lambda cut: bytes(cut.bytes()),
        {**decoding, "framing": spec.framing, "lead": spec.lead},
        "raise",
        spec.start,
        spec.limit,
    )
    return scan


def process_records(
    spec: Input, source: Any, sink: Any, decoding: dict[str, Any], change: Callable[[Any], bytes],
    null: bytes, earlier: Optional[list[Error]] = None, tally: Optional[Tally] = None
) -> tuple[int, int]:  # fmt: skip
    """Writes change(record) for each record, one record in memory at a time; returns the number of
    records and of rejected ones."""
    return process_cuts(
        spec,
        source,
        sink,
        decoding,
        lambda cut: change(cut.bytes()),
        null,
        [] if earlier is None else earlier,
        tally,
    )


def process_cuts(
    spec: Input, source: Any, sink: Any, decoding: dict[str, Any], change: Callable[[Cut], bytes],
    null: bytes, earlier: list[Error], tally: Optional[Tally] = None
) -> tuple[int, int]:  # fmt: skip
    """Like process_records; `change` takes the Cut of a record. tally: counts that `change` adds
    to, summed over worker processes."""
    tally = collections.Counter() if tally is None else tally
    if spec.framing == "message":
        change = _for_messages(spec, change, decoding, tally)
    options = {
        "framing": spec.framing,
        "protocol": decoding.get("protocol", "binary"),
        "depth": decoding.get("depth", 64),
        "lead": spec.lead,
    }
    if spec.framed:
        options["framed"] = True
    source.texts = source.texts and spec.framing not in ("base64", "hex", "lines")
    data = (
        source.job_view()
        if spec.jobs > 1 and spec.limit is None and spec.framing not in ("lines", "list")
        else None
    )
    with progress_bar(source, sink) as advance, Rejects(spec, earlier, null, sink) as rejects:
        write = (
            (lambda output: None)
            if sink is None
            else lambda output: sink.write(null if output is None else output)
        )
        if data is not None:
            return _process_in_jobs(
                spec,
                data,
                {**options, "record_size": source.bound},
                change,
                null,
                rejects,
                tally,
                write,
                advance,
            )
        if sink is not None:
            source.before_read = (
                sink.flush
            )  # a read from a pipe may block: write finished records first
        scan = source.records(
            change, options, rejects.on_error, spec.start, spec.limit, spec.scans_cut_end
        )
        with _signals.resuming(spec.file, spec.start) as progress:
            for output in scan:
                write(output)
                progress.offset = scan.offset
                if scan.count % 512 == 0:
                    advance(scan.count)
    report_cut_ends(spec, scan)
    return scan.count, scan.rejected


def _for_messages(
    spec: Input, change: Callable[[Cut], bytes], decoding: dict[str, Any], tally: Tally
) -> Callable[[Cut], bytes]:
    """`change` for messages: puts the protocol of each message into `decoding`.

    Messages of other functions are copied or dropped."""

    def change_message(cut: Cut) -> bytes:
        assert cut.message is not None
        if not spec.selects(cut):
            if spec.unredacted == "error":
                raise Error(
                    f"a {cut.message[1]} of {quoted_name(cut.message[0])} cannot be redacted; "
                    "drop it with --unredacted drop",
                    code="not_redacted",
                    offset=cut.begin,
                )
            tally["other"] += 1
            is_copied = spec.copies and spec.unredacted in (None, "keep")
            if is_copied:
                return bytes(memoryview(cut.data)[cut.at : cut.at + cut.end - cut.begin])
            return b""
        decoding["protocol"] = cut.message[4]
        return change(cut)

    return change_message


def _process_in_jobs(
    spec: Input, data: Any, options: dict[str, Any], change: Callable[[Cut], bytes], null: bytes,
    rejects: Rejects, tally: Tally, write: Callable[[Any], None], advance: Callable[..., None]
) -> tuple[int, int]:  # fmt: skip
    """Like process_cuts, with several worker processes."""
    from .._records import jobs as _jobs

    count = rejected = 0
    if spec.start > len(data):
        raise past_end(spec.start, len(data))
    if spec.framing == "message":  # by the first message, as in one process
        options = {**options, "framed": spec.framed or is_framed(data, spec.start)}
    for chunk, result in _jobs.process_ranges(
        data, change, options, spec.start, spec.jobs, tally, null
    ):
        write(result.output)
        count += result.records
        tally.update(result.tally)
        if result.stopped is not None:
            scan = _jobs.scan_of(
                data, result.stopped, change, options, rejects.on_error, spec.scans_cut_end
            )
            for output in scan:
                write(output)
            report_cut_ends(spec, scan)
            count += scan.count
            rejected += scan.rejected
        advance(count, chunk.end)
    return count, rejected


def process_lines(spec: Input, source: Any, sink: Any, change: Callable[[bytes], bytes]) -> None:
    """Writes change(line) for each line as a record."""
    if spec.start or spec.limit is not None:
        raise click.UsageError("--start and --limit need records of Thrift bytes")
    if spec.on_error == "null" and spec.framing != "kafka":
        raise click.UsageError(
            "--on-error null needs --framing kafka: other framings have no null record"
        )
    framing = spec.framing or "u32"
    with (
        progress_bar(source, sink) as advance,
        Rejects(spec, [], framed(None, framing), sink) as rejects,
    ):
        for number, line in enumerate(source.lines()):
            try:
                is_null = framing == "kafka" and line.strip() == b"null"
                output: Optional[bytes] = framed(None if is_null else change(line), framing)
            except Error as error:
                located = type(error)(
                    f"line {source.line}, record {number}: {error}",
                    code=error.code,
                    path=error.path,
                    offset=error.offset,
                )
                if spec.on_error == "raise":
                    raise located from None
                output = rejects.take(Rejected(number, 0, line, located))
            sink.write(output or b"")
            if number % 512 == 0:
                advance(number)
