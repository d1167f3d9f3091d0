"""Signals that end the command line: what was begun is undone, one line is said, the exit status is 128 + the signal's number."""

from __future__ import annotations

import contextlib
import signal
import sys
import threading
from typing import Any, Iterator

from .._text import escaped

_WORDS = {"SIGINT": "interrupted", "SIGTERM": "terminated", "SIGHUP": "hung up"}


class Stopped(BaseException):
    """A signal came. No Exception, so that nothing on the way takes it for its own."""

    def __init__(self, number: int):
        super().__init__(number)
        self.number = number
        self.advice = ""
        """How to go on."""

    @classmethod
    def by_keyboard(cls) -> Stopped:
        """Ctrl-C that came where no handler of ours was."""
        return cls(signal.SIGINT)

    @property
    def word(self) -> str:
        return _WORDS[signal.Signals(self.number).name]


def _stop(number: int, frame: Any) -> None:
    for each in _taken():
        signal.signal(each, signal.SIG_IGN)  # what is being undone is undone to its end
    raise Stopped(number)


def _taken() -> list[signal.Signals]:
    return [getattr(signal, name) for name in _WORDS if hasattr(signal, name)]


@contextlib.contextmanager
def stopping() -> Iterator[None]:
    """Raises Stopped where a signal ends the process, but not for signals that the caller ignores, as nohup does."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {each: signal.getsignal(each) for each in _taken()}
    for each, handler in before.items():
        if handler not in (signal.SIG_IGN, None):
            signal.signal(each, _stop)
    try:
        yield
    finally:
        for each, handler in before.items():
            if handler is not None:
                signal.signal(each, handler)


class Progress:
    """Byte of an input after the records that were written."""

    def __init__(self, offset: int):
        self.offset = offset


@contextlib.contextmanager
def resuming(file: str, start: int) -> Iterator[Progress]:
    """While records of a file are read: a signal says where to go on."""
    progress = Progress(start)
    try:
        yield progress
    except Stopped as stopped:
        stopped.advice = f"; {'<stdin>' if file == '-' else file}: continue with --start {progress.offset}"
        raise


def finish(stopped: Stopped) -> None:
    """Says the one line and leaves."""
    with contextlib.suppress(OSError, AttributeError, ValueError):  # the terminal may be gone
        print(f"thriftlens: {stopped.word}{escaped(stopped.advice)}", file=sys.stderr, flush=True)
    sys.exit(128 + stopped.number)


@contextlib.contextmanager
def one_line_for_ctrl_c() -> Iterator[None]:
    """For what runs before there is a command that could catch it: no traceback."""
    try:
        yield
    except KeyboardInterrupt:
        finish(Stopped.by_keyboard())
