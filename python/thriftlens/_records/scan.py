"""Many values one after another: files, pipes, topics and chunks of bytes as records."""

from __future__ import annotations

import collections.abc
import glob
import inspect
import io
import json
import os
from typing import IO, Any, Callable, Iterable, Iterator, Literal, NamedTuple, NoReturn, Optional
from typing import Sequence, Union

from .. import _core
from . import compression as _packed
from .._errors import DecodeError, Error, UnknownNameError, in_file, in_record, reworded
from .._rpc.message import explained, made_of, read_message, services_of, without_record
from .pieces import Piece, Rejected
from .._schema.schema import Schema, Service, Type

_PIECE = 1 << 20  # bytes read from a stream at a time
_STEP = 1 << 10  # records found at a time
NOTHING = object()
NULL = object()  # what on_error= gives for a record that is null
_MOST = 1 << 20  # records of a piece
_HELD = 1 << 26  # bytes of a piece that is a list
_STRIDE = 1 << 22  # bytes read from a stream at a time, for pieces

Path = Union[str, "os.PathLike[str]"]
Source = Union[Path, bytes, bytearray, memoryview, IO[bytes], Iterable[bytes], Iterable[Path]]


OnError = Union[str, Callable[[Rejected], Any]]


def past_end(start: int, size: int) -> Error:
    return Error(f"start is {start}, and the input ends before it, at byte {size}", code="bad_option", offset=size)


class Window:
    """As much of an input as lies in memory: bytes that are all of it, or what was read of a stream."""

    def __init__(self, data: Any, stream: Optional[_packed.Unpacked] = None):
        self.data = data
        self.is_last = stream is None
        self.fault: Optional[Error] = None
        """An error of reading, to be raised after the data before it."""
        self._stream = stream

    def at(self, offset: int) -> int:
        """Where byte `offset` of the input lies in the data; a stream is passed over up to there, by a seek if it is a file."""
        if self._stream is None:
            left, position = offset - len(self.data), offset
        else:
            left, position = offset - self._stream.skip(offset), 0
        if left > 0:
            raise past_end(offset, offset - left)
        return position

    def grow(self, used: int, wanted: int) -> None:
        """Drops what is used and reads on: until `wanted` bytes are there, and one more piece at least. Raises what is wrong with the input once all
        bytes before it were given."""
        pieces = [bytes(memoryview(self.data)[used:])]
        size = len(pieces[0])
        while (len(pieces) == 1 or size < wanted) and (piece := self._piece(wanted - size, len(pieces) == 1)):
            pieces.append(piece)
            size += len(piece)
        self.data = b"".join(pieces)

    def grow_to(self, end: bytes, used: int, most: int) -> None:
        """The same until `end` is there, or more than `most` bytes. Linear in the bytes."""
        pieces = [bytes(memoryview(self.data)[used:])]
        size = len(pieces[0])
        while size <= most and (piece := self._piece(0, len(pieces) == 1)):
            pieces.append(piece)
            size += len(piece)
            if end in piece:
                break
        self.data = b"".join(pieces)

    def _piece(self, wanted: int, is_first: bool) -> bytes:
        """The next bytes of the stream; none at its end, and where a fault comes after others."""
        assert self._stream is not None
        if self.fault is not None:
            if is_first:
                raise self.fault
            return b""
        try:
            piece = self._stream.read(max(_PIECE, wanted))
        except Error as error:
            self.fault = error
            return b""
        self.is_last = not piece
        return piece


class Cut(NamedTuple):
    """A record, or what stands where one cannot be read. `begin` and `end` count in the input, `at` and `value` in the data."""

    number: int
    begin: int
    end: int
    data: Any
    at: int
    value: Union[None, bytes, tuple[int, int]] = None
    message: Optional[tuple[str, str, int, int, str, Optional[tuple[int, int]]]] = None
    error: Optional[Error] = None
    is_lost: bool = False

    def bytes(self) -> Any:
        """The value, without a copy where it lies in the data."""
        if isinstance(self.value, tuple):
            return memoryview(self.data)[self.value[0] : self.value[1]]
        return self.value

    def place(self) -> tuple[int, int, int]:
        """Its number, where it begins in the input, and where its value does; -1 for the bytes that a line stands for."""
        return self.number, self.begin, self.begin + self.value[0] - self.at if isinstance(self.value, tuple) else -1


def _cuts(window: Window, how: dict[str, Any], offset: int, number: int, position: int) -> Iterator[Cut]:
    """The records of an input, `position` in the window being byte `offset` of it."""
    are_framed = how.get("framed", False)
    front = memoryview(b"")
    how = {name: value for name, value in how.items() if name != "framed"}
    while True:
        data = window.data
        front = front or memoryview(data)[position : position + _PIECE]
        rows, after, wanted, error, goes_on = _core.cut_records(
            data, start=position, offset=offset, number=number, count=_STEP, last=int(window.is_last), **how
        )
        base, end = offset - position, offset
        for begin, size, value, message in rows:
            end = begin + size
            yield Cut(number, begin, end, window.data, begin - base, value, message)
            number += 1
        offset = base + after
        if how["framing"] == "message" and rows and not are_framed:
            are_framed = is_framed(window.data, rows[-1][0] - base)
        if error is not None and not goes_on and are_framed and (size := _whole_frame(window, end - base, how["record_size"])):
            position = end - base if window.data is data else 0
            error = reworded(error, f"record {number}: {without_record(error, number)}")
            yield Cut(number, end, end + size, window.data, position, error=error)
            number, offset, after = number + 1, end + size, position + size
        elif error is not None:
            below = _below(window.data, end - base, after, how) if goes_on else None
            if below is not None:
                yield Cut(number, end, offset, window.data, end - base, below)
            else:
                at = end - base
                error = _described(error, number, bytes(window.data[at : at + 8]), how["framing"])
                if how["framing"] == "none":
                    error = _with_looks(error, front, how["protocol"])
                yield Cut(number, end, offset, window.data, at, error=error, is_lost=not goes_on)
            number += 1
        elif not rows:
            if window.is_last:
                return
            window.grow(after, wanted)
            after = 0
        position = after


def is_framed(data: Any, at: int = 0) -> bool:
    """Whether a message that stands there has a frame around it: others begin with a version, or with the size of a name and then its letters."""
    front = bytes(data[at : at + 5])
    return len(front) == 5 and front[0] < 0x80 and front[4] in (0x80, 0x82, 0, 10, 15, 0x16, 0x19, 0x29)


def _whole_frame(window: Window, at: int, most: int) -> int:
    """Bytes of the frame that stands there, its size among them; 0 where it is not whole. A stream is read on, so that it stands in front."""
    size = 4 + int.from_bytes(window.data[at : at + 4], "big")
    if size > most or len(window.data) - at < 4:
        return 0
    if len(window.data) - at < size and not window.is_last:
        window.grow(at, size)
        at = 0
    return size if len(window.data) - at >= size else 0


def _described(error: Error, number: int, front: bytes, framing: str) -> Error:
    """The error of a record with the size that its first bytes claim. HTTP has an error of its own."""
    if framing == "message":
        error = explained(error, front, f"record {number}: ")
    if framing in ("u32", "kafka", "message"):
        error.claimed = int.from_bytes(front[:4], "big")
    elif framing == "u32le":
        error.claimed = int.from_bytes(front[:4], "little")
    return error


def _with_looks(error: Error, front: memoryview, protocol: str) -> Error:
    """The error of structs back to back; if the input begins with a frame, it says so."""
    for framing in ("u32", "u32le", "varint"):
        protocols: list[Literal["binary", "compact"]] = ["binary", "compact"]
        for name in sorted(protocols, key=lambda other: other != protocol):
            rows, *_ = _core.cut_records(front, framing=framing, protocol=name, count=1, last=0)
            content = front[rows[0][2][0] : rows[0][2][1]] if rows and rows[0][2] else b""
            size = len(content)
            if size > 1 and _core.cut_records(content, protocol=name, count=1)[1] == size:
                looks = f"the data looks like framed {name.capitalize()}"
                error = reworded(error, f"{error.args[0]} ({looks})")
                error.option = ("framing", framing)
                return error
    return error


def cuts_of(data: Any, framing: str, is_last: bool) -> Iterator[Cut]:
    """The records of bytes, as Binary; of the beginning of a longer input as far as it goes."""
    window = Window(data, None if is_last else _packed.Unpacked(io.BytesIO(), "none"))
    return _cuts(window, {"framing": framing, "protocol": "binary", "depth": 64, "record_size": len(data) + 1}, 0, 0, 0)


def _list_cuts(window: Window, how: dict[str, Any], offset: int, number: int, position: int) -> Iterator[Cut]:
    """The elements of one list or set of structs, which is all of the input; `offset` is 0, or that of an element."""
    left = None
    if offset == 0:
        head = _list_head(window, how["protocol"], position)
        if isinstance(head, Error):
            yield Cut(number, 0, 0, window.data, position, error=head, is_lost=True)
            return
        size, left = head
        offset, position = size, position + size
    fault = ""
    for cut in _cuts(window, {**how, "framing": "none"}, offset, number, position):
        if left == 0:
            fault = f"bytes follow the list (byte {cut.begin})"
            break
        yield cut
        number, offset = cut.number + 1, cut.end
        left = None if left is None else left - 1
    if left and not fault:
        fault = f"the list ends {left} elements too early"
    if fault:
        code = "trailing_bytes" if left == 0 else "truncated"
        yield Cut(number, offset, offset, window.data, len(window.data), error=DecodeError(f"record {number}: {fault}", code=code, offset=offset), is_lost=True)


def _list_head(window: Window, protocol: str, position: int) -> Union[tuple[int, int], Error]:
    """Bytes of a list's header, and how many elements it says."""
    while len(window.data) - position < 6 and not window.is_last:
        window.grow(position, 6)
        position = 0
    head = bytes(window.data[position : position + 6])
    if protocol == "binary" and len(head) >= 5 and head[0] == 12:
        return 5, int.from_bytes(head[1:5], "big")
    if protocol == "compact" and head and head[0] & 15 == 12:
        if head[0] >> 4 < 15:
            return 1, head[0] >> 4
        ends = [at for at, byte in enumerate(head) if at > 0 and byte < 0x80]
        if ends:
            return ends[0] + 1, sum((byte & 0x7F) << 7 * at for at, byte in enumerate(head[1 : ends[0] + 1]))
    code = "truncated" if not head else "bad_ttype"
    return DecodeError("record 0: no list of structs stands at byte 0", code=code, offset=0)


_LINES = ("base64", "hex")


def content_of(data: Any, framing: str) -> bytes:
    """What a frame or a line holds, without what stands around it; nothing where it is no such line."""
    raw = bytes(data)
    if framing in _LINES:
        words = raw.split()
        return (_packed.decoded_text(words[-1], framing, True) if words else None) or b""
    if framing == "varint":
        return raw[next((at for at, byte in enumerate(raw) if byte < 0x80), 0) + 1 :]
    return raw[4:]


def _below(data: Any, at: int, end: int, how: dict[str, Any]) -> Optional[bytes]:
    """The struct of a record that is compressed by itself; None where it is something else."""
    if how["framing"] == "message":
        return None
    content = content_of(memoryview(data)[at:end], how["framing"])[how.get("lead", 0) :]
    below = _packed.below_record(content, how["record_size"])
    if below is None:
        return None
    rows, after, _, error, _ = _core.cut_records(below, protocol=how["protocol"], depth=how["depth"], record_size=1 << 62)
    return below if error is None and rows and after == len(below) else None


def _line_cuts(window: Window, how: dict[str, Any], offset: int, number: int, position: int) -> Iterator[Cut]:
    """The same where a record is a line of text; lines of blanks are left out."""
    most = how["record_size"]
    data = bytes(window.data)
    while True:
        end = data.find(b"\n", position, position + most + 1)
        if end < 0 and len(data) - position > most:
            error = DecodeError(f"record {number} (from byte {offset}): a line of more than {most} bytes", code="size_limit", offset=offset)
            yield Cut(number, offset, offset, data, position, error=error, is_lost=True)
            return
        if end < 0 and not window.is_last:
            window.grow_to(b"\n", position, most)
            data, position = bytes(window.data), 0
            continue
        end = len(data) if end < 0 else end + 1
        if end == position:
            return
        if not data[position:end].isspace():
            yield Cut(number, offset, offset + end - position, data, position, (position, end))
            number += 1
        offset += end - position
        position = end


_CUTTERS = {"lines": _line_cuts, "list": _list_cuts}


class Scan(collections.abc.Iterator[Any]):
    """What scan() gives: an iterator over records that knows where it is.

    record, record_offset: number and first byte of the record that was given last.
    number, offset: of the one that comes next: with `start=` and `number=` a later scan goes on there.
    count, rejected: records that were given, and those that could not be read.
    file: the path of the present file; None where the source is none.
    cut_ends: with cut_end="drop" the errors of inputs that end in the middle of a record, or of their compression.

    After an error of a record whose end is known, number and offset are those of the record after it. Both count in the present file or the whole of the chunks, decompressed."""

    def __init__(
        self,
        inputs: Iterator[tuple[Optional[str], Window]],
        make: Callable[[Cut, Any], Any],
        how: dict[str, Any],
        on_error: OnError,
        start: int,
        number: int,
        limit: Optional[int],
        cut_end: str = "error",
    ):
        self.record = self.record_offset = -1
        self.number = number
        self.offset = start
        self.count = 0
        self.rejected = 0
        self.file: Optional[str] = None
        self.cut_ends: list[Error] = []
        self._drops_cut_end = cut_end == "drop"
        self._cut_end: Optional[Error] = None
        self._make = make
        self._protocol = how["protocol"]
        self._is_typed = how["framing"] != "message" and how["framing"] != "lines"
        self._on_error = on_error
        self._inputs, self._how, self._limit = inputs, how, limit
        self._why: Optional[Error] = None
        self._steps = self._run()

    def __iter__(self) -> Scan:
        return self

    def __next__(self) -> Any:
        return next(self._steps)

    def __reduce__(self) -> NoReturn:
        raise TypeError("a scan cannot be pickled: open the file in each process")

    def __repr__(self) -> str:
        of = "" if self.file is None else f" of {self.file}"
        return f"<thriftlens.Scan{of}: {self.count} records, {self.rejected} rejected, at byte {self.offset}>"

    def pieces(self, size: int) -> Optional[Iterator[Piece]]:
        """The records in pieces of at most `size`, instead of one by one; None where one was asked for before, or they are not bytes."""
        is_new = inspect.getgeneratorstate(self._steps) == inspect.GEN_CREATED  # type: ignore[arg-type]
        return self._pieces(size) if is_new and (self._make is bytes_of or getattr(self._make, "gives_bytes", False)) else None

    def _windows(self) -> Iterator[Window]:
        for index, (self.file, window) in enumerate(self._inputs):
            if index > 0:
                self.offset = self.number = 0
            yield window
            if self.count == self._limit:
                return

    def _run(self) -> Iterator[Any]:
        if self._limit == 0:
            return
        for window in self._windows():
            try:
                for _, made in self._made(window):
                    yield made
            except Error as error:
                self._end(window, error)

    def _end(self, window: Window, error: Error) -> None:
        """Raises the error that ended an input, unless the input is cut and such ends are dropped."""
        is_cut = error is self._cut_end or (error is window.fault and error.code == "truncated")
        if not is_cut or not self._drops_cut_end:
            if error is window.fault:
                error.resume = self.offset
            raise in_file(error, self.file)
        self.cut_ends.append(error)

    def _made(self, window: Window) -> Iterator[tuple[Cut, Any]]:
        """What stands for each record of an input, up to the limit."""
        cuts = _CUTTERS.get(self._how["framing"], _cuts)
        for cut in cuts(window, self._how, self.offset, self.number, window.at(self.offset)):
            made = self._value_of(cut)
            self.number, self.offset = cut.number + 1, cut.end
            if made is NOTHING:
                continue
            self.record, self.record_offset = cut.number, cut.begin
            self.count += 1
            yield cut, made
            if self.count == self._limit:
                return

    def _pieces(self, size: int) -> Iterator[Piece]:
        self._steps = iter(())
        if self._limit == 0:
            return
        plain = self._make is bytes_of and self._how["framing"] not in ("message", *_CUTTERS)
        for window in self._windows():
            try:
                yield from self._arrays(window, min(size, _MOST)) if plain else self._lists(window, size)
            except Error as error:
                self._end(window, error)

    def _lists(self, window: Window, size: int) -> Iterator[Piece]:
        cuts: list[Cut] = []
        values: list[Any] = []
        held = 0
        fault = None
        steps = self._made(window)
        while True:
            try:
                cut, made = next(steps)
            except StopIteration:
                break
            except Error as error:  # what stands before it is given first
                fault = error
                break
            if cuts and (cut.number != cuts[-1].number + 1 or len(cuts) == size or held > _HELD):
                yield _piece_of_list(cuts, values, self.file)
                cuts, values, held = [], [], 0
            cuts.append(cut)
            values.append(made if made is not None else self._why)
            held += 0 if made is None else len(made)
        if cuts:
            yield _piece_of_list(cuts, values, self.file)
        if fault is not None:
            raise fault

    def _arrays(self, window: Window, size: int) -> Iterator[Piece]:
        """As _cuts, with arrays instead of single records."""
        position = window.at(self.offset)
        front = memoryview(b"")
        while self.count != self._limit:
            front = front or memoryview(window.data)[position : position + _PIECE]
            count = size if self._limit is None else min(size, self._limit - self.count)
            base = self.offset - position
            at = {**self._how, "start": position, "offset": self.offset, "number": self.number, "last": int(window.is_last)}
            *array, places, after, wanted, error, goes_on = _core.record_blobs(window.data, count=count, **at)
            lies = memoryview(places).cast("q")
            found = len(lies) // 3
            end = lies[-3] + lies[-2] if found else self.offset
            if found:
                piece = _piece_of_array(array, lies, window.data, self.number, base, at)._replace(file=self.file)
                self.record, self.record_offset = self.number + found - 1, lies[-3]
                self.number, self.offset, self.count = self.number + found, end, self.count + found
                yield piece
            if error is not None:
                if at["framing"] == "none":
                    error = _with_looks(error, front, at["protocol"])
                cut = Cut(self.number, end, base + after, window.data, end - base, error=error, is_lost=not goes_on)
                below = _below(window.data, end - base, after, self._how) if goes_on else None
                made = self._refuse(cut, error) if below is None else below
                self.number += 1
                if made is not NOTHING:
                    self.count += 1
                    yield _piece_of_list([cut], [error if made is None else made], self.file)
            elif not found:
                if window.is_last:
                    return
                window.grow(after, max(wanted, _STRIDE))
                self.offset, position = base + after, 0
                continue
            self.offset, position = base + after, after

    def _value_of(self, cut: Cut) -> Any:
        self._why = None
        if cut.error is not None:
            return self._refuse(cut, cut.error)
        if cut.value is None:
            return None
        try:
            made = self._make(cut, self._protocol if cut.message is None else cut.message[4])
        except Error as error:
            if error.code == "path_syntax" or (isinstance(error, UnknownNameError) and cut.message is None and self._is_typed):
                raise  # of a selection, not of the record
            return self._refuse(cut, in_record(error, cut.place()))
        return _core.set_place(made, *cut.place()) if isinstance(made, _core.View) else made

    def _refuse(self, cut: Cut, error: Error) -> Any:
        """What stands for a record that cannot be read."""
        error.record, error.record_offset = cut.number, cut.begin
        self._why = in_file(error, self.file)
        is_open = _is_open_line(cut, self._how["framing"], error)
        if cut.is_lost or (is_open and self._drops_cut_end):
            self._refuse_end(cut, error)
        if self._on_error == "raise":
            self.number, self.offset = cut.number + 1, cut.end
            error.resume = cut.begin if is_open else cut.end
            error.option = error.option or (("cut_end", "drop") if is_open else ("on_error", "skip"))
            raise error
        return self._reject(cut, error)

    def _refuse_end(self, cut: Cut, error: Error) -> None:
        """Raises the error of a record after which nothing can be found."""
        error.resume = cut.begin if error.code == "truncated" else None
        if error.code == "size_limit":
            error.option = ("record_size", None)
        elif error.code == "truncated":
            error.option = ("cut_end", "drop")
        if self._drops_cut_end and (error.code == "truncated" or not cut.is_lost):
            self._cut_end = error
            self._reject(cut._replace(end=cut.begin + len(cut.data) - cut.at), error)
        raise error

    def _reject(self, cut: Cut, error: Error) -> Any:
        self.rejected += 1
        if callable(self._on_error):
            data = bytes(memoryview(cut.data)[cut.at : cut.at + cut.end - cut.begin])
            stands = self._on_error(Rejected(cut.number, cut.begin, data, error, self.file))
            return NOTHING if stands is None else None if stands is NULL else stands
        return None if self._on_error == "null" else NOTHING


def _is_open_line(cut: Cut, framing: str, error: Error) -> bool:
    """Whether a line that cannot be read is the last of its input, without a line end and its rest."""
    if framing not in (*_LINES, "lines") or cut.at + cut.end - cut.begin != len(cut.data):
        return False
    line = bytes(cut.data[cut.at :])
    if line.endswith(b"\n"):
        return False
    if framing in _LINES:
        return error.code in ("truncated", "bad_frame")
    try:
        json.loads(line)
    except ValueError:
        return True
    return False


def _piece_of_list(cuts: list[Cut], values: list[Any], file: Optional[str]) -> Piece:
    def place(index: int) -> tuple[int, int, Any]:
        cut = cuts[index]
        return cut.begin, cut.place()[2], memoryview(cut.data)[cut.at : cut.at + cut.end - cut.begin]

    told = [cut.number for cut, value in zip(cuts, values) if isinstance(value, Error)]
    return Piece(values, len(values), cuts[0].number, place=place, told=told, file=file)


def _piece_of_array(array: list[Any], places: Any, data: Any, first: int, base: int, how: dict[str, Any]) -> Piece:
    def place(index: int) -> tuple[int, int, Any]:
        begin, size, value = places[3 * index : 3 * index + 3]
        return begin, value, memoryview(data)[begin - base : begin - base + size]

    return Piece(array, len(places) // 3, first, True, place, lambda count: _core.record_blobs(data, count=count, **how)[:2])


def _is_path(source: Any) -> bool:
    return isinstance(source, (str, os.PathLike))


def _files_of(source: Any) -> list[str]:
    """The files that a path names: itself, or, where there is no such file, those that match it as a pattern, sorted."""
    path = os.fspath(source)
    if not glob.has_magic(path) or os.path.exists(path):
        return [path]
    found = sorted(glob.glob(path, recursive=True))
    if not found:
        raise FileNotFoundError(2, "no file matches the pattern", path)
    return found


class _Packed(NamedTuple):
    """What lies around the bytes of a source, as scan() was told; texts: whether it may be base64 or hex."""

    compression: str
    texts: bool

    def open(self, stream: Any) -> _packed.Unpacked:
        return _packed.Unpacked(stream, self.compression, self.texts)

    def is_none(self, data: memoryview) -> bool:
        return self.compression == "none" or (self.compression == "auto" and _packed.layer_of_all(data, self.texts) == "none")


def _open_files(paths: Sequence[str], packed: _Packed) -> Iterator[tuple[Optional[str], Window]]:
    for path in paths:
        with open(path, "rb") as stream:
            yield path, Window(b"", packed.open(stream))


class _Chunks:
    """An iterable of bytes as a stream; an empty chunk is not its end."""

    def __init__(self, chunks: Iterator[Any]):
        self._chunks = chunks
        self._left = memoryview(b"")

    def read(self, size: int) -> bytes:
        """The next chunk, or as much of it."""
        while not self._left:
            chunk = next(self._chunks, None)
            if chunk is None:
                return b""
            if not isinstance(chunk, (bytes, bytearray, memoryview)):
                raise TypeError(f"a source of chunks gives bytes, not {type(chunk).__name__}")
            self._left = memoryview(bytes(chunk))
        piece, self._left = self._left[:size], self._left[size:]
        return bytes(piece)


def _inputs_of(source: Any, packed: _Packed) -> Iterator[tuple[Optional[str], Window]]:
    if _is_path(source):
        return _open_files(_files_of(source), packed)
    if hasattr(source, "read"):
        return iter([(None, Window(b"", packed.open(source)))])
    try:
        data = memoryview(source)
    except TypeError:
        return _inputs_of_items(source, packed)
    if packed.is_none(data):
        return iter([(None, Window(data.cast("B") if data.ndim != 1 or data.format != "B" else data))])
    return iter([(None, Window(b"", packed.open(io.BytesIO(data))))])


def _inputs_of_items(source: Any, packed: _Packed) -> Iterator[tuple[Optional[str], Window]]:
    """Of an iterable: paths, or chunks of one stream."""
    if not isinstance(source, collections.abc.Iterable):
        raise TypeError(f"scan reads paths, bytes, file objects and iterables of these, not {type(source).__name__}")
    items = iter(source)
    first = next(items, b"")
    if _is_path(first):
        paths = [path for each in (first, *items) for path in _files_of(each)]
        return _open_files(paths, packed)

    def chunks() -> Iterator[Any]:
        yield first
        yield from items

    return iter([(None, Window(b"", packed.open(_Chunks(chunks()))))])


def _maker(of: Union[Type, Service, Schema, None], to: str, select: Any, options: dict[str, Any], lines: bool = False) -> Callable[[Cut, Any], Any]:
    """What makes the value of a record, given its protocol; `lines` are texts of Apache's JSON protocol."""
    if to == "message":
        _refuse_options(options if select is None else {"select": select, **options}, "messages are given as they stand")
        services = services_of(None if isinstance(of, Type) else of)
        if lines:
            return lambda cut, protocol: read_message(bytes(cut.bytes()), services)
        return lambda cut, protocol: made_of(cut.message, bytes(cut.bytes()), services, cut.data)
    if to == "bytes" and select is None:
        _refuse_options(options, "bytes are given as they stand")
        return bytes_of
    if not isinstance(of, Type):
        raise TypeError(f"scan() to {to!r} needs a type")
    if lines:
        typed, depth = of, options.get("depth", 64)
        make_binary = _maker(of, to, select, options)

        def made(cut: Cut, protocol: Any) -> Any:
            data = _core.convert(cut.bytes(), source="tjson", target="binary", type=typed, depth=depth)
            return make_binary(cut._replace(data=data, value=(0, len(data))), "binary")

        return made
    if to == "json":
        return lambda cut, protocol: of.to_json(cut.bytes(), protocol=protocol, select=select, **options)
    if to == "bytes":
        return lambda cut, protocol: of.trim(cut.bytes(), select, protocol=protocol, **options)
    make: Callable[..., Any] = {"view": of.view, "dict": of.decode}[to]
    if select is None:
        return lambda cut, protocol: make(cut.bytes(), protocol=protocol, **options)
    options.setdefault("missing_required", "omit")
    return lambda cut, protocol: make(of.trim(cut.bytes(), select, protocol=protocol), protocol=protocol, **options)


def bytes_of(cut: Cut, protocol: Any) -> bytes:
    """The record as it stands."""
    return bytes(cut.bytes())


_FRAMINGS = ("none", "u32", "u32le", "varint", "kafka", "base64", "hex", "message", "framed", "list", "lines")


def _refuse_options(options: dict[str, Any], why: str) -> None:
    if options:
        raise TypeError(f"scan(): {', '.join(options)}: {why}")


def _one_of(name: str, word: Any, words: Iterable[str]) -> None:
    if word not in words:
        raise ValueError(f"scan(): {name} is {', '.join(map(repr, words))}, not {word!r}")


def scan(
    source: Source,
    type: Union[Type, Service, Schema, None] = None,
    *,
    framing: str = "none",
    protocol: str = "binary",
    to: Optional[str] = None,
    select: Any = None,
    compression: str = "auto",
    on_error: OnError = "raise",
    cut_end: str = "error",
    start: int = 0,
    number: int = 0,
    limit: Optional[int] = None,
    record_size: int = 1 << 28,
    lead: int = 0,
    depth: int = 64,
    **options: Any,
) -> Scan:
    """The records of a source, one at a time, in memory for one piece of it and one record.

    source: a path or a pattern such as "logs/*.bin"; bytes; a file object; or an iterable of paths, or of bytes, which are pieces of one stream.
    type: of the records, or for messages their service, or the schema of their services; may be left out for to="bytes" and to="message".
    framing: what stands around each: "none" (structs back to back), "u32", "u32le" or "varint" (its size in front), "kafka" (u32; the size -1
        is a null record, given as None), "base64" or "hex" (a line each, whose last word counts: a log's time and names stand in front),
        "message" (RPC messages, framed or not; the struct behind the header),
        "framed" (messages that all have a frame, so that the next one is found behind what is no message; of "message" that is so once one of them had),
        "list" (the structs of one list that is the whole input),
        "lines" (a line of text each: protocol="tjson", Apache's JSON protocol, and it alone; to="message" where they are messages).
    to: "view"; "dict" as decode gives; "json" as to_json; "bytes"; "message", which messages are where nothing is said.
    select: a selection, to be cut out of each record.
    lead: bytes in front of each value that are passed over: 5 for what Confluent's serializers write, a zero and the number of a schema.
    compression: "auto" goes by what stands in front, through several layers; or "none", "gzip", "bzip2", "xz", "zstd", "zlib", and of the whole of a text
        "base64" (wrapped or not) or "hex". Records that are compressed by themselves are read all the same.
    on_error: "raise" raises; "skip" leaves the record out; "null" gives None for it; a function is called with a Rejected, and what it returns, unless None,
        stands for the record. Behind a record whose end is not known (framing "none", or a frame that is cut) nothing can be found: that error is always raised.
    cut_end: "error" raises where the source ends in the middle of a record, or of its compression; "drop" ends there (Scan.cut_ends has the error).
    start, number: go on at that byte, which begins the record of that number (Scan.offset and Scan.number of an earlier scan).
    limit: most records given. record_size: most bytes of one record. options: of view, decode, to_json or trim.

    Errors: DecodeError and what view, decode, to_json and trim raise; their `record` and `record_offset` say which, `offset` counts in the source.

    >>> import thriftlens as tl
    >>> Point = tl.loads("struct Point { 1: i32 x, 2: i32 y }").Point
    >>> data = b"".join(Point.encode({"x": x}) for x in range(3))
    >>> [each.x for each in tl.scan(data, Point)]
    [0, 1, 2]
    >>> list(tl.scan(data, Point, to="json", start=8, number=1))
    [b'{"x":1}', b'{"x":2}']
    """
    are_framed, framing = framing == "framed", "message" if framing == "framed" else framing
    is_message = framing == "message" and (to is None or to == "message")
    to = "message" if is_message else to or "view"
    is_lines = framing == "lines" or protocol == "tjson"
    _one_of("framing", framing, _FRAMINGS)
    if is_lines and (framing, protocol) != ("lines", "tjson"):
        raise ValueError('scan(): framing="lines" and protocol="tjson" go together')
    _one_of("to", to, ("message",) if is_message else ("view", "dict", "json", "bytes", *(["message"] if is_lines else [])))
    _one_of("compression", compression, _packed.COMPRESSIONS)
    if not callable(on_error):
        _one_of("on_error", on_error, ("raise", "skip", "null"))
    _one_of("cut_end", cut_end, ("error", "drop"))
    if min(start, number, 0 if limit is None else limit) < 0:
        raise ValueError("scan(): start, number and limit are not negative")
    how: dict[str, Any] = {"framing": framing, "protocol": protocol, "depth": depth, "record_size": record_size, "lead": lead}
    own = {"framing": "hex", "protocol": "binary"} if is_lines else {"framing": "none"} if framing == "list" else {}
    _core.cut_records(b"", **{**how, **own})  # says what is wrong with these now, not at the first record
    if are_framed:
        how["framed"] = True
    if depth != 64 and to not in ("bytes", "message"):
        options["depth"] = depth
    how_packed = _Packed(compression, texts=framing not in (*_LINES, "lines"))
    return Scan(_inputs_of(source, how_packed), _maker(type, to, select, options, is_lines), how, on_error, start, number, limit, cut_end)
