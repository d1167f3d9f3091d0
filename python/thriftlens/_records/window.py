"""The input of a scan: complete bytes, or a window that moves over a stream."""

from __future__ import annotations

from typing import Any, Optional

from .._errors import Error
from .compression import Unpacked

PIECE = 1 << 20  # bytes read from a stream at a time


def past_end(start: int, size: int) -> Error:
    return Error(
        f"start {start} is past the end of the input (byte {size})", code="bad_option", offset=size
    )


class Window:
    """The part of an input in memory: the complete input, or a piece of a stream."""

    def __init__(self, data: Any, stream: Optional[Unpacked] = None):
        self.data = data
        self.is_last = stream is None
        self.fault: Optional[Error] = None
        """A read error, raised after the data before it."""
        self._stream = stream

    def at(self, offset: int) -> int:
        """The position of byte `offset` of the input in the data.

        Skips the bytes before it in a stream, by seeking in a file."""
        if self._stream is None:
            missing, position = offset - len(self.data), offset
        else:
            missing, position = offset - self._stream.skip(offset), 0
        if missing > 0:
            raise past_end(offset, offset - missing)
        return position

    def grow(self, start: int, needed: int) -> None:
        """Drops the data before `start` and reads at least one more piece, until `needed` bytes are
        in memory. Raises a read error after all bytes before it were returned."""
        pieces = [bytes(memoryview(self.data)[start:])]
        size = len(pieces[0])
        while (len(pieces) == 1 or size < needed) and (
            piece := self._piece(needed - size, len(pieces) == 1)
        ):
            pieces.append(piece)
            size += len(piece)
        self.data = b"".join(pieces)

    def grow_to(self, end: bytes, start: int, max_size: int) -> None:
        """Like grow, until the data contains `end` or exceeds `max_size` bytes.

        Linear in the bytes."""
        pieces = [bytes(memoryview(self.data)[start:])]
        size = len(pieces[0])
        while size <= max_size and (piece := self._piece(0, len(pieces) == 1)):
            pieces.append(piece)
            size += len(piece)
            if end in piece:
                break
        self.data = b"".join(pieces)

    def _piece(self, size: int, is_first: bool) -> bytes:
        """The next bytes of the stream; empty at the end, and after other bytes if a read error
        follows."""
        assert self._stream is not None
        if self.fault is not None:
            if is_first:
                raise self.fault
            return b""
        try:
            piece = self._stream.read(max(PIECE, size))
        except Error as error:
            self.fault = error
            return b""
        self.is_last = not piece
        return piece
