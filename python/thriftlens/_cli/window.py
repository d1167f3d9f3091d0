"""The bytes around the position of an error: `--window 32`."""

from __future__ import annotations

import os
from typing import Iterator, Optional

import click

from .._errors import Error
from .._records.compression import Unpacked
from .source import Data, Source

_ROW = 16
_META = "thriftlens.window"
_NO_BYTES = "  (no bytes to show: the input is a pipe)"


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


def rows(data: Data, at: int, radius: int, begin: int = 0) -> Iterator[str]:
    """Rows of 16 bytes in hex and as text, `radius` bytes around byte `at`, with a caret below it.
    data: the bytes from `begin` on."""
    first = max(begin, at - radius) // _ROW * _ROW
    end = max(min(begin + len(data), at + radius + 1), at + 1)
    for row in range(first, end, _ROW):
        chunk = bytes(data[max(row - begin, 0) : row + _ROW - begin])
        marked = at - row if row <= at < row + _ROW else None
        yield f"  {row:08x}  {_cells(chunk, max(begin - row, 0), marked)}".rstrip()
        if marked is not None:
            yield " " * (12 + 3 * marked + (marked >= _ROW // 2)) + f"^^ byte {at}"


def _cells(chunk: bytes, missing: int, marked: Optional[int]) -> str:
    """A row, of which the first `missing` bytes are not known."""
    cells = [*["  "] * missing, *(f"{byte:02x}" for byte in chunk)]
    cells += ["  "] * (_ROW - len(cells))
    if marked is not None:
        cells[marked] = click.style(cells[marked].replace("  ", "__"), fg="red", bold=True)
    return f"{' '.join(cells[:8])}  {' '.join(cells[8:])}  {' ' * missing}{_text(chunk)}"


def _text(chunk: bytes) -> str:
    return "".join(chr(byte) if 32 <= byte < 127 else "." for byte in chunk)


def show(error: Error, file: str, source: Source, is_single: bool) -> None:
    """Writes the rows to stderr, if --window is set and the bytes can be read again."""
    context = click.get_current_context(silent=True)
    radius = context.meta.get(_META) if context is not None else None
    sources = ("data", "JSON text") if is_single else ("data",)
    if not radius or error.offset is None or error.source not in sources:
        return
    begin = max(error.offset - radius, 0) // _ROW * _ROW
    data = _bytes(file, source, begin, error.offset + radius + 1)
    lines = rows(data, error.offset, radius, begin) if data is not None else iter([_NO_BYTES])
    colour = False if os.environ.get("NO_COLOR") else None  # None: only on a terminal
    for line in lines:
        click.echo(line, err=True, color=colour)


def _bytes(file: str, source: Source, begin: int, end: int) -> Optional[bytes]:
    """These bytes of the decompressed input; None if they cannot be read again."""
    if source.cached is not None:
        return bytes(source.cached[begin:end])
    if file == "-" or not os.path.isfile(file):
        return None
    with open(file, "rb") as stream:
        unpacked = Unpacked(stream, texts=source.texts)
        unpacked.skip(begin)
        window = b""
        while piece := unpacked.read(end - begin - len(window)):
            window += piece
        return window
