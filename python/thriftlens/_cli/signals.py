"""Signals that stop the command line: cleanup, a line on stderr, status 128 + signal number."""

from __future__ import annotations

import contextlib
import signal
import sys
import threading
from typing import Iterator

from .._text import escaped

_VERBS = {"SIGINT": "interrupted", "SIGTERM": "terminated", "SIGHUP": "hung up"}


class Stopped(BaseException):
    """A signal was received. Not an Exception, so that no handler between catches it."""

    def __init__(self, number: int):
        super().__init__(number)
        self.number = number
        self.advice = ""
        """Text after the message: how to continue."""

    @classmethod
    def by_keyboard(cls) -> Stopped:
        """Ctrl-C outside `stopping`."""
        return cls(signal.SIGINT)

    @property
    def verb(self) -> str:
        return _VERBS[signal.Signals(self.number).name]


def _stop(number: int, frame: object) -> None:
    for caught in _handled_signals():
        signal.signal(caught, signal.SIG_IGN)  # do not interrupt the cleanup
    raise Stopped(number)


def _handled_signals() -> list[signal.Signals]:
    return [getattr(signal, name) for name in _VERBS if hasattr(signal, name)]


@contextlib.contextmanager
def stopping() -> Iterator[None]:
    """Raises Stopped on signals, except those that the caller ignores, as with nohup."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    previous = {caught: signal.getsignal(caught) for caught in _handled_signals()}
    for caught, handler in previous.items():
        if handler not in (signal.SIG_IGN, None):
            signal.signal(caught, _stop)
    try:
        yield
    finally:
        for caught, handler in previous.items():
            if handler is not None:
                signal.signal(caught, handler)


class Progress:
    """Offset in the input after the records that are written."""

    def __init__(self, offset: int):
        self.offset = offset


@contextlib.contextmanager
def resuming(file: str, start: int) -> Iterator[Progress]:
    """Adds to Stopped where to continue reading the file."""
    progress = Progress(start)
    try:
        yield progress
    except Stopped as stopped:
        stopped.advice = (
            f"; {'<stdin>' if file == '-' else file}: continue with --start {progress.offset}"
        )
        raise


def finish(stopped: Stopped) -> None:
    """Prints the message and exits."""
    with contextlib.suppress(OSError, AttributeError, ValueError):  # the terminal may be gone
        print(f"thriftlens: {stopped.verb}{escaped(stopped.advice)}", file=sys.stderr, flush=True)
    sys.exit(128 + stopped.number)


@contextlib.contextmanager
def quiet_interrupt() -> Iterator[None]:
    """Ctrl-C without a traceback, before a command runs."""
    try:
        yield
    except KeyboardInterrupt:
        finish(Stopped.by_keyboard())
