"""Rewrites of values and records, which keep their framing."""

from __future__ import annotations

import collections
import re
from typing import Callable, Optional

import click

from .._errors import Error
from .._records.cuts import Cut
from .._records.framing import null_record
from .._records.reframing import prefix_of, reframed
from .input import Input, reading
from .options import AnyOfProtocols, Decoding
from .records import Processor, Tally, check_null
from .report import display_name, plural, say
from .sink import Sink, stdout_is_terminal, writing
from .source import Data, Source

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


class _CutRewriter:
    """Rewrites the values of records. The framing and the bytes before the value are kept,
    unless they are to be redacted."""

    def __init__(self, spec: Input, change: Callable[[Cut], Optional[bytes]], tally: Tally):
        self._spec = spec
        self._framing = spec.framing or "none"
        self._change = change
        self._tally = tally

    def run(self, source: Source, sink: Sink, decoding: Decoding[AnyOfProtocols]) -> None:
        null = null_record(self._framing)
        spec = self._spec._replace(copies=True)
        Processor(spec, source, sink, decoding, null).run_cuts(self._rewrite, self._tally)

    def _rewrite(self, cut: Cut) -> bytes:
        prefix = prefix_of(cut, self._framing, self._spec.prefix_size)
        if prefix and self._spec.unredacted == "error":
            raise Error(
                "the bytes before the record cannot be redacted; drop them with --unredacted drop",
                code="not_redacted",
                offset=cut.begin,
            )
        value = self._change(cut)
        if value is None:
            return b""
        if self._framing == "message":
            self._tally["message"] += 1
        return reframed(cut, value, self._framing, self._redacted(prefix))

    def _redacted(self, prefix: bytes) -> bytes:
        """The bytes before a record, which redaction drops or keeps."""
        if not prefix or self._spec.unredacted is None:
            return prefix
        self._tally["prefix"] += 1
        return prefix if self._spec.unredacted == "keep" else b""


def rewrite_records(
    spec: Input,
    output: Optional[str],
    decoding: Decoding[AnyOfProtocols],
    change: Callable[[Data], bytes],
    tally: Optional[Tally] = None,
) -> None:
    """Writes change(data) of the value, or of all records with their framing. tally: see
    Processor."""
    target = bytes_target(output)
    _check_framing(spec)
    tally = collections.Counter() if tally is None else tally
    with reading(spec, decoding) as (spec, source), writing(target, is_text=False) as sink:
        if spec.framing is None:
            sink.write(change(source.read_all()))
            return
        _CutRewriter(spec, lambda cut: change(cut.bytes()), tally).run(source, sink, decoding)
    if spec.framing == "message" and spec.unredacted is None:
        others = tally["other"]
        copied = f"; {others} {OTHER_MESSAGES[others != 1]} copied" if others else ""
        say(f"{display_name(spec.file)}: {plural(tally['message'], 'message')} changed{copied}")


def rewrite_messages(
    spec: Input,
    output: Optional[str],
    decoding: Decoding[AnyOfProtocols],
    change: Callable[[Cut], Optional[bytes]],
    tally: Tally,
) -> None:
    """Writes change(cut) of all messages, with their frames; None drops the message."""
    target = bytes_target(output)
    _check_framing(spec)
    with reading(spec, decoding) as (spec, source), writing(target, is_text=False) as sink:
        if re.match(rb"[A-Za-z0-9+/]{4}", source.peek(4)):
            raise click.UsageError(
                "FILE is text, not messages; decode base64 or hex lines first, for example with "
                "base64 -d"
            )
        _CutRewriter(spec, change, tally).run(source, sink, decoding)


def _check_framing(spec: Input) -> None:
    refuse_list(spec)
    check_null(spec)
