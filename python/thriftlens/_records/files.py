"""Files that only their owner may read until they are complete, and atomic replacement."""

from __future__ import annotations

import contextlib
import os
import stat
from typing import IO, Iterator

from .._errors import file_error


def create(file: str, mode: str = "wb") -> IO[bytes]:
    """Opens a file for writing. A new file is readable and writable by its owner only; an existing
    one keeps its mode."""
    return open(file, mode, opener=lambda path, flags: os.open(path, flags, 0o600))


@contextlib.contextmanager
def replacing(file: str) -> Iterator[IO[bytes]]:
    """Opens a new file that replaces `file` on success and is removed on errors, which name `file`.
    A target that is not a regular file, such as a pipe, is written directly."""
    if _is_special(file):
        with open(file, "wb") as stream:
            yield stream
        return
    target = os.path.realpath(file)
    part = f"{target}.{os.getpid()}.part"
    try:
        with _reporting_as(file, part), create(part, "xb") as stream:
            _copy_permissions(target, stream)
            yield stream
        with _reporting_as(file, part):
            os.replace(part, target)
    except FileExistsError:
        raise
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(part)
        raise


def _is_special(file: str) -> bool:
    """Whether it exists and is not a regular file; /dev/stdout may be a pipe without path."""
    return os.path.exists(file) and not os.path.isfile(file)


def _copy_permissions(target: str, stream: IO[bytes]) -> None:
    """Copies owner, group and mode of the target, if it exists. If the group cannot be set, the
    group gets no permissions."""
    try:
        status = os.stat(target)
    except FileNotFoundError:
        return
    if not hasattr(os, "fchown"):
        return
    mode = stat.S_IMODE(status.st_mode)
    with contextlib.suppress(OSError):
        os.fchown(stream.fileno(), status.st_uid, -1)
    try:
        os.fchown(stream.fileno(), -1, status.st_gid)
    except OSError:
        mode &= ~0o070
    os.fchmod(stream.fileno(), mode)


@contextlib.contextmanager
def _reporting_as(file: str, part: str) -> Iterator[None]:
    """Replaces the name of the temporary file in errors by that of the file."""
    try:
        yield
    except OSError as error:
        if error.filename is None or error.filename == part:
            error.filename = file
            del error.filename2  # None would appear in the text
            if isinstance(error, FileNotFoundError):
                text = f"cannot write {file!r}: its folder does not exist"
                raise file_error(file, text) from None
        raise
