"""Processes the records of one large file in several processes; results are in the order of the
file.

The parent splits the file into ranges of complete records. Workers, forked with the file in memory,
process a range up to the first invalid record; the parent processes the rest of the range, so
errors, rejects and counts equal those of one process."""

from __future__ import annotations

import collections
import multiprocessing
import os
import signal
from multiprocessing.connection import Connection
from typing import Callable, Iterator, NamedTuple, Optional

from .. import _core
from .._typing import Value
from .cuts import Cut, Options
from .scan_state import OnError
from .scanner import Scan
from .sources import Window

_MIN_SIZE = 1 << 18  # bytes of a range
_MAX_SIZE = 1 << 23
_STEP = 1 << 10
_AHEAD = 2  # ranges in the queue of a worker


class Range(NamedTuple):
    """A range of complete records. number: of the first record."""

    begin: int
    end: int
    number: int


class RangeResult(NamedTuple):
    """The result of a range. stopped: the rest of the range, from the first invalid record."""

    output: bytes
    records: int
    tally: dict[str, int]
    stopped: Optional[Range]


def can_fork() -> bool:
    return hasattr(os, "fork") and "fork" in multiprocessing.get_all_start_methods()


def scan_of(
    data: memoryview,
    part: Range,
    convert: Callable[[Cut], Value],
    options: Options,
    on_error: OnError,
    truncated: str = "error",
) -> Scan:
    """A scan of a range; numbers and offsets are those in the file."""
    return Scan(
        iter([(None, _Part(data[part.begin : part.end]))]),
        lambda cut, _: convert(cut),
        options,
        on_error,
        part.begin,
        part.number,
        None,
        truncated,
    )


class _Part(Window):
    """A window that begins with the first record."""

    def at(self, offset: int) -> int:
        return 0


def ranges_of(data: memoryview, options: Options, start: int, jobs: int) -> Iterator[Range]:
    """Splits the file into ranges of complete records; the last one begins with the first record
    whose end is not known."""
    options = {name: value for name, value in options.items() if name != "framed"}
    range_size = min(max(len(data) // (jobs * 8), _MIN_SIZE), _MAX_SIZE)
    begin = offset = start
    number = first = 0
    while offset < len(data):
        located = _core.cut_records(
            data, start=offset, offset=offset, number=number, count=_STEP, last=1, **options
        )
        offset = located.next
        if located.error is not None or not located.rows:
            break
        number += len(located.rows)
        if offset - begin >= range_size:
            yield Range(begin, offset, first)
            begin, first = offset, number
    if begin < len(data):
        yield Range(begin, len(data), first)


def _is_for_parent(part: Range) -> bool:
    """A range that could not be split may be long: its output must not fill the memory of a
    worker."""
    return part.end - part.begin > 4 * _MAX_SIZE


def process_ranges(
    data: memoryview,
    convert: Callable[[Cut], bytes],
    options: Options,
    start: int,
    jobs: int,
    tally: collections.Counter[str],
    null: bytes,
) -> Iterator[tuple[Range, RangeResult]]:
    """Ranges and their results, in order."""

    def run(part: Range) -> RangeResult:
        tally.clear()
        scan = scan_of(data, part, convert, options, "raise")
        return _result_of_scan(scan, part, tally, null)

    workers: list[_Worker] = []
    try:
        for _ in range(jobs):
            workers.append(_Worker(run, workers))
        yield from _distributed(ranges_of(data, options, start, jobs), workers)
    finally:
        for worker in workers:
            worker.end()


def _distributed(
    ranges: Iterator[Range], workers: list[_Worker]
) -> Iterator[tuple[Range, RangeResult]]:
    """Ranges, processed by the workers in turn, and their results."""
    waiting: collections.deque[tuple[Range, Optional[_Worker]]] = collections.deque()
    for number, part in enumerate(ranges):
        worker = None if _is_for_parent(part) else workers[number % len(workers)]
        if worker is not None:
            worker.give(part)
        waiting.append((part, worker))
        if len(waiting) == len(workers) * _AHEAD:
            yield _result_of(*waiting.popleft())
    while waiting:
        yield _result_of(*waiting.popleft())


def _result_of(part: Range, worker: Optional[_Worker]) -> tuple[Range, RangeResult]:
    return part, RangeResult(b"", 0, {}, part) if worker is None else worker.take()


def _result_of_scan(
    scan: Scan, part: Range, tally: collections.Counter[str], null: bytes
) -> RangeResult:
    """Processes a range up to its first invalid record."""
    output = bytearray()
    rest: Optional[Range] = part
    try:
        for result in scan:
            output += null if result is None else result
            rest = Range(scan.offset, part.end, scan.number)
        rest = None
    except Exception:  # the parent will raise it again
        pass
    return RangeResult(bytes(output), scan.count, dict(tally), rest)


class _Worker:
    """A forked process that processes ranges."""

    def __init__(self, run: Callable[[Range], RangeResult], others: list[_Worker]):
        fork = multiprocessing.get_context("fork")
        self._ours, theirs = fork.Pipe()
        inherited = [self._ours, *(other._ours for other in others)]
        self._process = fork.Process(
            target=_serve, args=(theirs, inherited, run, os.getpid()), daemon=True
        )
        self._process.start()
        theirs.close()

    def give(self, part: Range) -> None:
        self._ours.send(part)

    def take(self) -> RangeResult:
        try:
            result = self._ours.recv()
        except EOFError:
            raise MemoryError("a worker process died, perhaps for lack of memory") from None
        assert isinstance(result, RangeResult)
        return result

    def end(self) -> None:
        self._process.kill()
        self._process.join()
        self._ours.close()


def _serve(
    pipe: Connection, inherited: list[Connection], run: Callable[[Range], RangeResult], parent: int
) -> None:
    """Runs until the parent ends, even by a signal: closing the parent's ends of all pipes makes
    sending to a dead parent fail."""
    for pipe_of_parent in inherited:
        pipe_of_parent.close()
    for number in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN if number == signal.SIGINT else signal.SIG_DFL)
    try:
        while os.getppid() == parent:
            if pipe.poll(0.5):
                pipe.send(run(pipe.recv()))
    except (EOFError, OSError):
        pass
    finally:
        os._exit(0)  # without flushing output buffers of the parent
