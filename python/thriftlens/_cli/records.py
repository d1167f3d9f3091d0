"""Reads records, writes the result for each, and reports those that cannot be read."""

import collections
import os
import re
from typing import Any, Callable, Optional

import click

from . import io as _files, signals as _signals
from .input import Input, reading
from .report import STATUS, display_name, plural, say
from .._errors import Error
from .._records.pieces import Rejected
from .._records.scan import Cut, Scan, behind_the_end, is_framed
from .._text import quoted_name


Tally = collections.Counter[str]  # what was done to records, by name
OTHER_MESSAGES = ("message of another function or kind", "messages of other functions or kinds")


def bytes_target(output: Optional[str]) -> str:
    """The output for Thrift bytes: a terminal only if it is named."""
    if output is None and _files.stdout_is_terminal():
        raise click.UsageError("standard output is a terminal; write the Thrift bytes to a file with -o OUT, or force it with -o -")
    return "-" if output is None else output


def refuse_list(given: Input) -> None:
    if given.framing == "list":
        raise click.UsageError("--framing list is for input only: to-json, get, check, inspect and diff")


def rewrite_records(
    given: Input, output: Optional[str], how: Optional[dict[str, Any]],
    change: Callable[[Any], bytes], tally: Optional[Tally] = None,
    change_message: Optional[Callable[[Cut], Optional[bytes]]] = None
) -> None:  # fmt: skip
    """Writes what change makes of the input's bytes, or of each of its records, framed as they were; `how` has protocol and depth. `tally`: see process_cuts.
    change_message takes the place of change for messages; None: the message is left out."""
    target = bytes_target(output)
    refuse_list(given)
    if given.on_error == "null" and given.framing != "kafka":
        raise click.UsageError("--on-error null needs --framing kafka: other framings have no null record")
    tally = collections.Counter() if tally is None else tally
    with reading(given, how) as (given, source), _files.writing(target, is_text=False) as sink:
        if change_message is not None and re.match(rb"[A-Za-z0-9+/]{4}", source.peek(4)):
            raise click.UsageError("FILE is text, not messages: decode lines of base64 or hex first, as by base64 -d")
        source.texts = how is not None  # of from-json a text is what it is
        if given.framing is None:
            sink.write(change(source.whole()))
            return
        framing, lead = given.framing, given.lead
        null = b"" if framing == "message" else _files.framed(None, framing)
        given = given._replace(copies=True)

        def changed(cut: Cut) -> bytes:
            prefix = _files.prefix_of(cut, framing, lead)
            if prefix and given.unredacted == "error":
                raise Error("bytes before the record would not be redacted; drop them with --unredacted drop", code="not_redacted", offset=cut.begin)
            value = change(cut.bytes()) if change_message is None else change_message(cut)
            if value is None:
                return b""
            if prefix and given.unredacted is not None:
                prefix = prefix if given.unredacted == "keep" else b""
                tally["prefix"] += 1
            if framing == "message":
                tally["message"] += 1
            return _files.reframed(cut, value, framing, prefix)

        process_cuts(given, source, sink, {} if how is None else how, changed, null, [], tally)
    if framing == "message" and given.unredacted is None:
        others = tally["other"]
        copied = f"; {others} {OTHER_MESSAGES[others != 1]} copied" if others else ""
        say(f"{display_name(given.file)}: {plural(tally['message'], 'message')} changed{copied}")


def report_cut_ends(given: Input, scan: Scan) -> None:
    """Reports where truncated input ends, and sets the exit status."""
    for error in scan.cut_ends:
        if given.on_error == "raise" or error.record is None:  # it was not reported as a rejected record
            is_dropped = given.cut_end == "drop"
            error.option = None if is_dropped else error.option
            advice = "" if is_dropped else f"; continue with --start {error.resume if error.resume is not None else scan.offset}"
            say(f"{display_name(given.file)}: {error}{advice}")
        if given.cut_end == "error":
            click.get_current_context().meta[STATUS] = 1


class Rejects:
    """Reports rejected records on stderr, and their number on exit."""

    def __init__(self, given: Input, earlier: list[Error], null: bytes, sink: Any):
        self._given = given
        self._sink = sink
        self._earlier = earlier
        self._null = null if given.on_error == "null" else None
        self._file: Any = None
        self._count = 0
        self.on_error: Any = "raise" if given.on_error == "raise" else self.take

    def __enter__(self) -> "Rejects":
        if self._given.on_error not in ("raise", "skip", "null"):
            for other in (self._given.file, "-" if self._sink is None else self._sink.name):
                if other != "-" and os.path.realpath(other) == os.path.realpath(self._given.on_error):
                    raise click.UsageError(f"--on-error {self._given.on_error} is the input or output file")
            self._file = _files.Sink(_files.create(self._given.on_error), self._given.on_error)
        return self

    def __exit__(self, *_: Any) -> None:
        try:
            if self._file is not None:
                self._file.close()
        finally:
            self._say_count()

    def _say_count(self) -> None:
        if self._count:
            say(f"{display_name(self._given.file)}: {plural(self._count, 'record')} rejected")

    def of(self, given: Input) -> None:
        """From now on records are of another file."""
        self._given = given

    def take(self, rejected: Rejected) -> Optional[bytes]:
        """What is written for the record; None: nothing."""
        self._count += 1
        for each in (*self._earlier, rejected.error):
            say(f"{display_name(self._given.file)}: {each}")
        self._earlier.clear()
        if self._file is not None:
            self._file.write(rejected.data)
        return self._null


def scan_records(given: Input, source: Any, how: dict[str, Any]) -> Scan:
    """The bytes of each record. Raises at the first invalid one."""
    assert given.framing is not None
    scan: Scan = source.records(lambda cut: bytes(cut.bytes()), {**how, "framing": given.framing, "lead": given.lead}, "raise", given.start, given.limit)
    return scan


def process_records(
    given: Input, source: Any, sink: Any, how: dict[str, Any], change: Callable[[Any], bytes],
    null: bytes, earlier: Optional[list[Error]] = None, tally: Optional[Tally] = None
) -> tuple[int, int]:  # fmt: skip
    """Writes change(record) for each record, holding one record at a time; gives how many there were and how many could not be read."""
    return process_cuts(given, source, sink, how, lambda cut: change(cut.bytes()), null, [] if earlier is None else earlier, tally)


def process_cuts(
    given: Input, source: Any, sink: Any, how: dict[str, Any], change: Callable[[Cut], bytes],
    null: bytes, earlier: list[Error], tally: Optional[Tally] = None
) -> tuple[int, int]:  # fmt: skip
    """The same by what change makes of a record and its place. tally: counts that change adds to, in whichever process it runs."""
    tally = collections.Counter() if tally is None else tally
    if given.framing == "message":
        change = _for_messages(given, change, how, tally)
    how = {"framing": given.framing, "protocol": how.get("protocol", "binary"), "depth": how.get("depth", 64), "lead": given.lead}
    if given.framed:
        how["framed"] = True
    source.texts = source.texts and given.framing not in ("base64", "hex", "lines")
    data = source.in_parts() if given.jobs > 1 and given.limit is None and given.framing not in ("lines", "list") else None
    with _files.progress(source, sink) as moved, Rejects(given, earlier, null, sink) as rejects:
        write = (lambda made: None) if sink is None else lambda made: sink.write(null if made is None else made)
        if data is not None:
            return _process_in_jobs(given, data, {**how, "record_size": source.bound}, change, null, rejects, tally, write, moved)
        if sink is not None:
            source.before_read = sink.flush  # a pipe may wait for more: what is done is not held back
        scan = source.records(change, how, rejects.on_error, given.start, given.limit, given.scans_cut_end)
        with _signals.resuming(given.file, given.start) as done:
            for made in scan:
                write(made)
                done.offset = scan.offset
                if scan.count % 512 == 0:
                    moved(scan.count)
    report_cut_ends(given, scan)
    return scan.count, scan.rejected


def _for_messages(given: Input, change: Callable[[Cut], bytes], how: dict[str, Any], tally: Tally) -> Callable[[Cut], bytes]:
    """The same for messages, each of which says its protocol: `how` has it for `change`. Messages that TYPE does not name are copied or left out."""

    def changed(cut: Cut) -> bytes:
        assert cut.message is not None
        if not given.means(cut):
            if given.unredacted == "error":
                raise Error(f"a {cut.message[1]} of {quoted_name(cut.message[0])} would not be redacted; drop it with --unredacted drop", code="not_redacted", offset=cut.begin)
            tally["other"] += 1
            is_copied = given.copies and given.unredacted in (None, "keep")
            return bytes(memoryview(cut.data)[cut.at : cut.at + cut.end - cut.begin]) if is_copied else b""
        how["protocol"] = cut.message[4]
        return change(cut)

    return changed


def _process_in_jobs(
    given: Input, data: Any, how: dict[str, Any], change: Callable[[Cut], bytes], null: bytes,
    rejects: Rejects, tally: Tally, write: Callable[[Any], None], moved: Callable[..., None]
) -> tuple[int, int]:  # fmt: skip
    """Like process_cuts, with several worker processes."""
    from .._records import jobs as _jobs

    count = rejected = 0
    if given.start > len(data):
        raise behind_the_end(given.start, len(data))
    if given.framing == "message":  # as one process would have seen at the first message
        how = {**how, "framed": given.framed or is_framed(data, given.start)}
    for part, done in _jobs.each(data, change, how, given.start, given.jobs, tally, null):
        write(done.output)
        count += done.records
        tally.update(done.tally)
        if done.stopped is not None:
            scan = _jobs.scan_of(data, done.stopped, change, how, rejects.on_error, given.scans_cut_end)
            for made in scan:
                write(made)
            report_cut_ends(given, scan)
            count += scan.count
            rejected += scan.rejected
        moved(count, part.end)
    return count, rejected


def process_lines(given: Input, source: Any, sink: Any, change: Callable[[bytes], bytes]) -> None:
    """Writes change(line) for each line as a record."""
    if given.start or given.limit is not None:
        raise click.UsageError("--start and --limit need records of Thrift bytes")
    if given.on_error == "null" and given.framing != "kafka":
        raise click.UsageError("--on-error null needs --framing kafka: other framings have no null record")
    framing = given.framing or "u32"
    with _files.progress(source, sink) as moved, Rejects(given, [], _files.framed(None, framing), sink) as rejects:
        for number, line in enumerate(source.lines()):
            try:
                is_null = framing == "kafka" and line.strip() == b"null"
                made: Optional[bytes] = _files.framed(None if is_null else change(line), framing)
            except Error as error:
                placed = type(error)(f"line {source.line}, record {number}: {error}", code=error.code, path=error.path, offset=error.offset)
                if given.on_error == "raise":
                    raise placed from None
                made = rejects.take(Rejected(number, 0, line, placed))
            sink.write(made or b"")
            if number % 512 == 0:
                moved(number)
