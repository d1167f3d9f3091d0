"""The bytes around the place of an error, on request: `--window 32`."""

from __future__ import annotations

import os
from typing import Any, Iterator, Optional

import click

from .._errors import Error
from .._records.compression import Unpacked

_ROW = 16
_META = "thriftlens.window"


def _keep(context: click.Context, option: click.Parameter, given: Optional[int]) -> None:
    context.meta[_META] = given


option = click.option(
    "--window", type=click.IntRange(0, 4096), metavar="BYTES", expose_value=False, callback=_keep, help="Show this number of bytes around the position of an error."
)


def rows(data: Any, at: int, around: int, begin: int = 0) -> Iterator[str]:
    """Rows of 16 bytes in hex and as text, those around byte `at`, and a caret below it. data: the bytes from `begin` on."""
    first = max(begin, at - around) // _ROW * _ROW
    end = min(begin + len(data), at + around + 1)
    for row in range(first, max(end, at + 1), _ROW):
        part = bytes(data[max(row - begin, 0) : row + _ROW - begin])
        missing = max(begin - row, 0)  # of the first row
        cells = ["  "] * missing + [f"{byte:02x}" for byte in part]
        cells += ["  "] * (_ROW - len(cells))
        text = " " * missing + "".join(chr(byte) if 32 <= byte < 127 else "." for byte in part)
        if row <= at < row + _ROW:
            cell = cells[at - row] if cells[at - row].strip() else "__"
            cells[at - row] = click.style(cell, fg="red", bold=True)
        yield f"  {row:08x}  {' '.join(cells[:8])}  {' '.join(cells[8:])}  {text}".rstrip()
        if row <= at < row + _ROW:
            yield " " * (12 + 3 * (at - row) + (at - row >= _ROW // 2)) + f"^^ byte {at}"


def show(error: Error, file: str, source: Any, is_whole: bool) -> None:
    """Writes the rows to stderr, where a window was asked for and the bytes can be had again."""
    context = click.get_current_context(silent=True)
    around = context.meta.get(_META) if context is not None else None
    if not around or error.offset is None or error.source not in ("data", "JSON text") or (error.source == "JSON text" and not is_whole):
        return
    begin = max(error.offset - around, 0) // _ROW * _ROW
    data = _bytes(file, source, begin, error.offset + around + 1)
    if data is None:
        click.echo("  (the bytes came through a pipe and are gone)", err=True)
        return
    colour = False if os.environ.get("NO_COLOR") else None  # None: where stderr is a terminal
    for row in rows(data, error.offset, around, begin):
        click.echo(row, err=True, color=colour)


def _bytes(file: str, source: Any, begin: int, end: int) -> Optional[bytes]:
    held = getattr(source, "held", None)
    if held is not None:
        return bytes(held[begin:end])
    if file == "-" or not os.path.isfile(file):
        return None
    with open(file, "rb") as stream:
        unpacked = Unpacked(stream, texts=getattr(source, "texts", True))
        at = 0
        while at < begin and (piece := unpacked.read(min(begin - at, 1 << 20))):
            at += len(piece)
        found = b""
        while len(found) < end - begin and (piece := unpacked.read(end - begin - len(found))):
            found += piece
        return found
