"""Records of one large file by several processes, the results in the order of the file.

The parent cuts the file where records end and hands out ranges; a worker, forked with the file in memory, gives what it makes of a range up to the first record
that it cannot read. That one, and what stands behind it in its range, is for the parent: so errors, rejects and counts are those of one process."""

from __future__ import annotations

import collections
import multiprocessing
import os
import signal
from typing import Any, Callable, Iterator, NamedTuple, Optional

from .. import _core
from .scan import Cut, Scan, Window

_LEAST = 1 << 18  # bytes of a range …
_MOST = 1 << 23  # … a long file's
_STEP = 1 << 10
_AHEAD = 2  # ranges that a worker has before it


class Range(NamedTuple):
    """Bytes of the file that are whole records: the first has that number."""

    begin: int
    end: int
    number: int


class Done(NamedTuple):
    """What a worker made of a range: the output, how many records, what the task counted, and where it stopped."""

    output: bytes
    records: int
    tally: dict[str, int]
    stopped: Optional[Range]


def can_fork() -> bool:
    return hasattr(os, "fork") and "fork" in multiprocessing.get_all_start_methods()


def scan_of(data: Any, part: Range, make: Callable[[Cut], Any], how: dict[str, Any], on_error: Any, cut_end: str = "error") -> Scan:
    """The records of a range; numbers and offsets are those in the file."""
    return Scan(iter([(None, _Part(data[part.begin : part.end]))]), lambda cut, _: make(cut), how, on_error, part.begin, part.number, None, cut_end)


class _Part(Window):
    """A window that begins with the first record."""

    def at(self, offset: int) -> int:
        return 0


def ranges_of(data: Any, how: dict[str, Any], start: int, jobs: int) -> Iterator[Range]:
    """The file in ranges of whole records; the last is all that stands behind what cannot be cut."""
    how = {name: value for name, value in how.items() if name != "framed"}
    wanted = min(max(len(data) // (jobs * 8), _LEAST), _MOST)
    begin = offset = start
    number = first = 0
    while offset < len(data):
        rows, offset, _, error, _ = _core.cut_records(data, start=offset, offset=offset, number=number, count=_STEP, last=1, **how)
        if error is not None or not rows:
            break
        number += len(rows)
        if offset - begin >= wanted:
            yield Range(begin, offset, first)
            begin, first = offset, number
    if begin < len(data):
        yield Range(begin, len(data), first)


def _is_for_parent(part: Range) -> bool:
    """What cannot be cut may be long: its output must not pile up in a worker."""
    return part.end - part.begin > 4 * _MOST


def each(data: Any, make: Callable[[Cut], bytes], how: dict[str, Any], start: int, jobs: int, tally: collections.Counter[str], null: bytes) -> Iterator[tuple[Range, Done]]:
    """(range, what became of it), in order."""

    def run(part: Range) -> Done:
        tally.clear()
        output = bytearray()
        scan = scan_of(data, part, make, how, "raise")
        place = Range(part.begin, part.end, part.number)
        try:
            for made in scan:
                output += null if made is None else made
                place = Range(scan.offset, part.end, scan.number)
        except Exception:  # the parent meets it again, and says it
            return Done(bytes(output), scan.count, dict(tally), place)
        return Done(bytes(output), scan.count, dict(tally), None)

    workers: list[_Worker] = []
    try:
        for _ in range(jobs):
            workers.append(_Worker(run, workers))
        waiting: collections.deque[tuple[Range, Optional[_Worker]]] = collections.deque()
        for number, part in enumerate(ranges_of(data, how, start, jobs)):
            worker = None if _is_for_parent(part) else workers[number % jobs]
            if worker is not None:
                worker.give(part)
            waiting.append((part, worker))
            if len(waiting) == jobs * _AHEAD:
                yield _taken(*waiting.popleft())
        while waiting:
            yield _taken(*waiting.popleft())
    finally:
        for worker in workers:
            worker.end()


def _taken(part: Range, worker: Optional[_Worker]) -> tuple[Range, Done]:
    return part, Done(b"", 0, {}, part) if worker is None else worker.take()


class _Worker:
    """A forked process that answers ranges one after another."""

    def __init__(self, run: Callable[[Range], Done], others: list[_Worker]):
        fork = multiprocessing.get_context("fork")
        self._ours, theirs = fork.Pipe()
        inherited = [self._ours, *(each._ours for each in others)]
        self._process = fork.Process(target=_serve, args=(theirs, inherited, run, os.getpid()), daemon=True)
        self._process.start()
        theirs.close()

    def give(self, part: Range) -> None:
        self._ours.send(part)

    def take(self) -> Done:
        try:
            done = self._ours.recv()
        except EOFError:
            raise MemoryError("a worker died") from None
        assert isinstance(done, Done)
        return done

    def end(self) -> None:
        self._process.kill()
        self._process.join()
        self._ours.close()


def _serve(pipe: Any, inherited: list[Any], run: Callable[[Range], Done], parent: int) -> None:
    """Ends with its parent, even if that is killed: no worker keeps the parent's ends of the pipes, so that sending to none is an error."""
    for each in inherited:
        each.close()
    for each in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM):
        signal.signal(each, signal.SIG_IGN if each == signal.SIGINT else signal.SIG_DFL)
    try:
        while os.getppid() == parent:
            if pipe.poll(0.5):
                pipe.send(run(pipe.recv()))
    except (EOFError, OSError):
        pass
    finally:
        os._exit(0)  # what the parent has not written yet is not for this process to write
