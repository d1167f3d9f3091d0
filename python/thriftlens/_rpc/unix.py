"""Listening Unix sockets: replaces the socket file of a dead server, not that of a running one."""

from __future__ import annotations

import contextlib
import errno
import os
import socket
import stat
from typing import Iterator, Optional

_Identity = tuple[int, int]


class UnixListener:
    """A bound socket. remove() removes its path, unless another server has replaced it."""

    def __init__(self, path: str):
        self._path = path
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            with _locked(os.path.dirname(path) or "."):
                _remove_stale(path)
                self.socket.bind(path)
                self._identity = _identity_of(path)
        except BaseException:
            self.socket.close()
            raise

    def remove(self) -> None:
        if self._identity is not None and _identity_of(self._path) == self._identity:
            with contextlib.suppress(OSError):
                os.unlink(self._path)


@contextlib.contextmanager
def _locked(folder: str) -> Iterator[None]:
    """Serializes servers that start at the same time."""
    try:
        import fcntl

        held = os.open(folder, os.O_RDONLY)
    except (ImportError, OSError):  # the folder may be writable but not readable
        yield
        return
    try:
        with contextlib.suppress(OSError):
            fcntl.flock(held, fcntl.LOCK_EX)
        yield
    finally:
        os.close(held)


def _identity_of(path: str) -> Optional[_Identity]:
    try:
        status = os.lstat(path)
    except (OSError, ValueError):
        return None
    return status.st_dev, status.st_ino


def _remove_stale(path: str) -> None:
    """Removes the socket of a dead server.

    Raises OSError if a server listens on it, or if the file is not a socket."""
    try:
        mode = os.lstat(path).st_mode
    except (
        OSError,
        ValueError,
    ):  # no such file, or an abstract socket of Linux: bind raises the error
        return
    if not stat.S_ISSOCK(mode):
        raise OSError(errno.EADDRINUSE, "the file exists and is not a socket", path)
    with contextlib.closing(socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)) as probe:
        probe.setblocking(False)
        answer = probe.connect_ex(path)
    if answer != errno.ECONNREFUSED:  # connected, its queue is full, or unknown
        raise OSError(errno.EADDRINUSE, "another server listens on the socket", path)
    os.unlink(path)
