"""The bytes around the position of an error: `--window 32`."""

from __future__ import annotations

import os
from typing import Any, Iterator, Optional

import click

from .._errors import Error
from .._records.compression import Unpacked

_ROW = 16
_META = "thriftlens.window"


def _keep(context: click.Context, option: click.Parameter, size: Optional[int]) -> None:
    context.meta[_META] = size


option = click.option(
    "--window",
    type=click.IntRange(0, 4096),
    metavar="BYTES",
    expose_value=False,
    callback=_keep,
    help="Show this number of bytes around the position of an error.",
)


def rows(data: Any, at: int, radius: int, begin: int = 0) -> Iterator[str]:
    """Rows of 16 bytes in hex and as text, `radius` bytes around byte `at`, with a caret below it.
    data: the bytes from `begin` on."""
    first = max(begin, at - radius) // _ROW * _ROW
    end = min(begin + len(data), at + radius + 1)
    for row in range(first, max(end, at + 1), _ROW):
        chunk = bytes(data[max(row - begin, 0) : row + _ROW - begin])
        missing = max(begin - row, 0)  # of the first row
        cells = ["  "] * missing + [f"{byte:02x}" for byte in chunk]
        cells += ["  "] * (_ROW - len(cells))
        text = " " * missing + "".join(chr(byte) if 32 <= byte < 127 else "." for byte in chunk)
        if row <= at < row + _ROW:
            cell = cells[at - row] if cells[at - row].strip() else "__"
            cells[at - row] = click.style(cell, fg="red", bold=True)
        yield f"  {row:08x}  {' '.join(cells[:8])}  {' '.join(cells[8:])}  {text}".rstrip()
        if row <= at < row + _ROW:
            yield " " * (12 + 3 * (at - row) + (at - row >= _ROW // 2)) + f"^^ byte {at}"


def show(error: Error, file: str, source: Any, is_single: bool) -> None:
    """Writes the rows to stderr, if --window is set and the bytes can be read again."""
    context = click.get_current_context(silent=True)
    radius = context.meta.get(_META) if context is not None else None
    if (
        not radius
        or error.offset is None
        or error.source not in ("data", "JSON text")
        or (error.source == "JSON text" and not is_single)
    ):
        return
    begin = max(error.offset - radius, 0) // _ROW * _ROW
    data = _bytes(file, source, begin, error.offset + radius + 1)
    if data is None:
        click.echo("  (no bytes to show: the input is a pipe)", err=True)
        return
    colour = False if os.environ.get("NO_COLOR") else None  # None: only on a terminal
    for row in rows(data, error.offset, radius, begin):
        click.echo(row, err=True, color=colour)


def _bytes(file: str, source: Any, begin: int, end: int) -> Optional[bytes]:
    cached = getattr(source, "cached", None)
    if cached is not None:
        return bytes(cached[begin:end])
    if file == "-" or not os.path.isfile(file):
        return None
    with open(file, "rb") as stream:
        unpacked = Unpacked(stream, texts=getattr(source, "texts", True))
        position = 0
        while position < begin and (piece := unpacked.read(min(begin - position, 1 << 20))):
            position += len(piece)
        window = b""
        while len(window) < end - begin and (piece := unpacked.read(end - begin - len(window))):
            window += piece
        return window
